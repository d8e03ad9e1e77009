//! What can go wrong with tables.

use std::io;
use std::path::{Path, PathBuf};

use crate::board::Size;
use crate::container::ContainerError;
use crate::konane::Side;
use crate::run::{MemorySize, StopReason};

/// A table that cannot be built, read or asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file itself.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The header makes no sense, although its checksum is right.
    #[error("{}: not a table of papamu: {what}: expected {expected}, found {found}; build it again", path.display())]
    Contents {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: &'static str,
        /// As it should be.
        expected: String,
        /// As it is.
        found: String,
    },
    /// What was to be read is not what was written.
    #[error("{}: damaged: expected the checksum of a page of its body, found another one; `papamu table verify` tells \
        more; copy it again from where it came, or build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A position of another board.
    #[error("{}: the table is of {expected}, not of {found}", path.display())]
    OtherBoard {
        /// The file.
        path: PathBuf,
        /// The board of the table.
        expected: String,
        /// The board of the position.
        found: String,
    },
    /// The folder of parts belongs to another table.
    #[error("{}: expected the parts of {expected}, found those of {found}; give another folder or delete this one",
        path.display())]
    OtherParts {
        /// The folder.
        path: PathBuf,
        /// What was to be built.
        expected: String,
        /// What was being built there.
        found: String,
    },
    /// Somebody is at work in the folder of parts.
    #[error("{}: another run builds this table; wait for it or stop it", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The folder of parts cannot be used.
    #[error("{}: the folder of the parts cannot be used: {source}", path.display())]
    Parts {
        /// The folder or a file in it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The parts do not fit each other.
    #[error(
        "the parts of the table do not belong together: expected every position that a move leads to, found some missing \
        from those with {class}; delete the folder of the parts and build again"
    )]
    Inconsistent {
        /// Where one is missing.
        class: String,
    },
    /// The cap is too small.
    #[error("a memory cap of {} is too small: the table needs at least {} at this point; what is done so far is kept",
        found.apart(*needed).0, found.apart(*needed).1)]
    TooLittleMemory {
        /// The cap.
        found: MemorySize,
        /// The smallest cap that works.
        needed: MemorySize,
    },
    /// The control said stop.
    #[error("{}", .0.phrase())]
    Stopped(StopReason),
}

impl TableError {
    pub(super) fn parts(path: &Path, source: io::Error) -> TableError {
        TableError::Parts { path: path.to_owned(), source }
    }
}

/// A board in words.
pub(super) fn board(size: Size, top_left: Side) -> String {
    format!("{size} with {top_left} on the top-left cell")
}
