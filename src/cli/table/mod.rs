//! `papamu table`: complete tables of Kōnane.

mod build;
mod export;
mod find;
mod info;
mod probe;
mod verify;

use std::path::Path;

use clap::Subcommand;

use crate::container::ContainerError;
use crate::konane::Position;
use crate::tables::{Table, TableError};

use super::messages::Failure;
use super::{Console, Outcome};

/// Tables of all positions: build, ask, search, check, export
#[derive(Debug, Subcommand)]
pub(super) enum TableCommand {
    Build(Box<build::BuildArgs>),
    Info(info::InfoArgs),
    Probe(probe::ProbeArgs),
    Find(find::FindArgs),
    Verify(verify::VerifyArgs),
    Export(export::ExportArgs),
}

impl TableCommand {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        match self {
            TableCommand::Build(args) => args.run(console),
            TableCommand::Info(args) => args.run(console),
            TableCommand::Probe(args) => args.run(console),
            TableCommand::Find(args) => args.run(console),
            TableCommand::Verify(args) => args.run(console),
            TableCommand::Export(args) => args.run(console),
        }
    }
}

/// Opens a table of the command line.
pub(super) fn open(path: &Path) -> Result<Table, Failure> {
    Table::open(path).map_err(failure)
}

/// What is wrong with a table: a file that is not there or a position of another board was typed wrongly, all else is a
/// failed run.
pub(super) fn failure(error: TableError) -> Failure {
    match &error {
        TableError::Container(ContainerError::Read { .. }) | TableError::OtherBoard { .. } => {
            Failure::Usage(error.to_string())
        }
        _ => Failure::Run(error.to_string()),
    }
}

/// A position that a table does not have.
pub(super) fn missing(table: &Table, position: &Position) -> Failure {
    Failure::Usage(format!(
        "{}: {position} is not in the table, which holds what can be reached on {}",
        table.path().display(),
        table.source().describe()
    ))
}
