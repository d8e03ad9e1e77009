//! Stored facts for the commands that can use them.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::board::Size;
use crate::container::{Container, ContainerError};
use crate::konane::{Facts, Side};
use crate::proof::{PROOF_KIND, Proof, ProofError};
use crate::tables::TABLE_KIND;

use super::messages::Failure;
use super::table;

/// A file that knows answers.
#[derive(Args, Clone, Debug)]
pub(super) struct FactsArgs {
    /// Answer from this table or proof where it knows the position. A proof is believed: of one from elsewhere see to it
    /// first that `papamu verify` finds it good.
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    table: Option<PathBuf>,
}

/// Files up to this length are checked in full when they are opened, in a second or less. Of longer ones every page is
/// checked when it is read, and one that is damaged knows nothing.
const CHECKED: u64 = 2 << 30;

impl FactsArgs {
    /// The name of the file.
    pub(super) fn path(&self) -> Option<&Path> {
        self.table.as_deref()
    }

    /// Opens the file. It must be of one of the boards that the command is about.
    pub(super) fn open(&self, boards: &[(Size, Side)]) -> Result<Option<Box<dyn Facts>>, Failure> {
        let Some(path) = &self.table else { return Ok(None) };
        let wrong = |error: &dyn std::fmt::Display| Failure::usage("--table", error);
        let kind = Container::kind_of(path).map_err(|error| match error {
            ContainerError::Read { .. } => wrong(&error),
            error => Failure::Run(error.to_string()),
        })?;
        let (facts, found): (Box<dyn Facts>, _) = if kind == TABLE_KIND {
            let table = table::open(path)?;
            if table.file_len() <= CHECKED {
                table.verify_bytes().map_err(table::failure)?;
            }
            let found = (table.source().size(), table.source().top_left());
            (Box::new(table), found)
        } else if kind == PROOF_KIND {
            let failed = |error: ProofError| Failure::Run(error.to_string());
            let proof = Proof::open(path).map_err(failed)?;
            if proof.file_len() <= CHECKED {
                proof.verify_bytes().map_err(failed)?;
            }
            let found = (proof.claim().size(), proof.claim().top_left());
            (Box::new(proof), found)
        } else {
            let path = path.display();
            return Err(Failure::Run(format!(
                "{path}: expected a table or a proof, found a file of kind `{kind}`; make one with `papamu table build` or \
                 `papamu prove`"
            )));
        };
        match boards.first() {
            Some(&expected) if !boards.contains(&found) => {
                let words = |(size, top_left): (Size, Side)| format!("{size} with {top_left} on the top-left cell");
                let path = path.display();
                let reason = format!("{path}: expected a file of {}, found one of {}", words(expected), words(found));
                Err(wrong(&reason))
            }
            _ => Ok(Some(facts)),
        }
    }
}
