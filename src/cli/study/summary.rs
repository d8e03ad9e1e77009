//! `papamu study summary`: what files of records say of each board.

use std::path::PathBuf;

use clap::Args;

use crate::study::{Conflict, Records, StudyError, summaries};

use super::super::messages::{Failure, Messages};
use super::super::options::OutputArgs;
use super::super::{Console, Outcome};
use super::{failure, report, tail_note};

/// What files of records say of each board
///
/// Who wins, by which first removals, and White's winning replies, symmetric images included. `scripts/study-tables` makes
/// tables of the JSON form.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu study summary boards.jsonl
  papamu study summary shard-*.jsonl --format json | scripts/study-tables -o tables")]
pub(super) struct SummaryArgs {
    /// The files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

impl SummaryArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let read = read_all(&self.files, &mut Messages::new(console, self.output.quiet))?;
        if !read.conflicts.is_empty() {
            let lines: Vec<_> = read.conflicts.iter().map(Conflict::to_string).collect();
            return Err(Failure::Run(lines.join("; ")));
        }
        let mut sink = self.output.open_apart(self.files.iter().map(AsRef::as_ref))?;
        let bytes = report::Summary::new(&summaries(&read.records))?.bytes(self.output.format)?;
        sink.write(console, &bytes)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}

/// Several files of records read as one.
pub(super) struct Read {
    /// The records.
    pub(super) records: Records,
    /// Records that contradict earlier ones.
    pub(super) conflicts: Vec<Conflict>,
    /// Lines that repeat earlier ones.
    pub(super) duplicates: usize,
}

/// Reads the files; torn last lines are noted and passed over.
pub(super) fn read_all(files: &[PathBuf], messages: &mut Messages<'_>) -> Result<Read, Failure> {
    let mut read = Read { records: Records::default(), conflicts: Vec::new(), duplicates: 0 };
    for path in files {
        let bytes = std::fs::read(path)
            .map_err(|source| Failure::Run(StudyError::Read { path: path.clone(), source }.to_string()))?;
        let (tail, repeated) = read.records.read(path, &bytes, &mut read.conflicts).map_err(failure)?;
        read.duplicates += repeated;
        if let Some(note) = tail_note(path, tail, "was passed over") {
            messages.note(note);
        }
    }
    Ok(read)
}
