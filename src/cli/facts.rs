//! Stored facts for the commands that can use them.

use std::path::Path;

use crate::search::Facts;

use super::messages::Failure;

/// The facts in a file.
#[allow(dead_code, reason = "no kind of file holds facts yet")]
pub(super) fn open_facts(path: &Path) -> Result<Box<dyn Facts>, Failure> {
    Err(Failure::usage(path.display(), "no facts in this kind of file"))
}
