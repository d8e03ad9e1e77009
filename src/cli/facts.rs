//! Stored facts for the commands that can use them.

use std::path::PathBuf;

use clap::Args;

use crate::board::Size;
use crate::container::Container;
use crate::konane::{Facts, Side};
use crate::proof::{PROOF_KIND, Proof};
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

impl FactsArgs {
    /// Opens the file. Where the command is about one board, it must be that of the file.
    pub(super) fn open(&self, board: Option<(Size, Side)>) -> Result<Option<Box<dyn Facts>>, Failure> {
        let Some(path) = &self.table else { return Ok(None) };
        let wrong = |error: &dyn std::fmt::Display| Failure::usage("--table", error);
        let kind = Container::kind_of(path).map_err(|error| match path.exists() {
            true => Failure::Run(error.to_string()),
            false => wrong(&error),
        })?;
        let (facts, found): (Box<dyn Facts>, _) = if kind == TABLE_KIND {
            let table = table::open(path)?;
            let found = (table.source().size(), table.source().top_left());
            (Box::new(table), found)
        } else if kind == PROOF_KIND {
            let proof = Proof::open(path).map_err(|error| Failure::Run(error.to_string()))?;
            let found = (proof.claim().size(), proof.claim().top_left());
            (Box::new(proof), found)
        } else {
            let path = path.display();
            return Err(Failure::Run(format!("{path}: expected a table or a proof, found a file of kind `{kind}`")));
        };
        match board {
            Some(expected) if expected != found => {
                let words = |(size, top_left): (Size, Side)| format!("{size} with {top_left} on the top-left cell");
                let path = path.display();
                let reason = format!("{path}: expected a file of {}, found one of {}", words(expected), words(found));
                Err(wrong(&reason))
            }
            _ => Ok(Some(facts)),
        }
    }
}
