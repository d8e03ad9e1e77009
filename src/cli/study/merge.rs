//! `papamu study merge`: the records of several files as one.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::konane::Rules;
use crate::study::{BoardSummary, Conflict, check_unused, summaries};

use super::super::messages::{Failure, Messages};
use super::super::output::Sink;
use super::super::report::json_line;
use super::super::text::{self, Table, thousands};
use super::super::{Console, Outcome};
use super::failure;
use super::summary::read_all;

/// Join files of records, check them, and report holes
///
/// Writes all records in the order of boards and openings; of several records of one opening the first stays. Records that
/// contradict each other are reported and nothing is written. A hole is an opening without a record on a board that has some.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu study merge shard-1.jsonl shard-2.jsonl -o boards.jsonl
  papamu study merge *.jsonl -o all.jsonl --decide --format json

Exit codes: 0 no holes; 1 a conflict or a damaged file; 3 written, with holes")]
pub(super) struct MergeArgs {
    /// The files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file of the joined records, which appears when it is complete; it may be one of those read.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Count as holes only first removals whose winner is not known, as after `study --decide`.
    #[arg(long)]
    decide: bool,
    /// Form of what is reported.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    format: MergeFormat,
    /// Show no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum MergeFormat {
    /// For people.
    #[default]
    Text,
    /// For programs: one object.
    Json,
}

#[derive(Debug, Serialize)]
struct MergeReport {
    files: usize,
    records: usize,
    duplicates: usize,
    boards: usize,
    holes: Vec<Hole>,
}

#[derive(Debug, Serialize)]
struct Hole {
    board: String,
    rules: Rules,
    openings: usize,
    missing: Vec<String>,
}

impl MergeArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let read = read_all(&self.files, &mut Messages::new(console, self.quiet))?;
        if !read.conflicts.is_empty() {
            let lines: Vec<_> = read.conflicts.iter().map(Conflict::to_string).collect();
            return Err(Failure::Run(format!("{}; nothing was written", lines.join("; "))));
        }
        // Held until the end: a study on the file would go on writing to what is replaced.
        let _held = check_unused(&self.output).map_err(failure)?;
        let mut sink = Sink::open(Some(&self.output))?;
        sink.write(console, read.records.to_text().as_bytes())?;
        let to_stdout = sink.is_stdout();
        sink.finish()?;

        let boards = summaries(&read.records);
        let settled = |board: &BoardSummary| board.missing.is_empty() || self.decide && board.is_decided();
        let open = boards.iter().filter(|board| !settled(board));
        let holes = open.map(|board| {
            let missing = match self.decide {
                false => board.missing.iter().map(ToString::to_string).collect(),
                true => {
                    let unknown = board.answer.removals.iter().filter(|removal| removal.winner.is_none());
                    unknown.map(|removal| removal.black.to_string()).collect()
                }
            };
            Hole { board: board.board.size.to_string(), rules: board.board.rules, openings: board.openings, missing }
        });
        let report = MergeReport {
            files: self.files.len(),
            records: read.records.len(),
            duplicates: read.duplicates,
            boards: boards.len(),
            holes: holes.collect(),
        };
        let bytes = match self.format {
            MergeFormat::Json => json_line(&report)?,
            MergeFormat::Text => report.text(&boards_rules(&boards), self.decide).into_bytes(),
        };
        // Records and report on one stream could not be told apart.
        if !to_stdout {
            Sink::stdout().write(console, &bytes)?;
        }
        if report.holes.is_empty() {
            return Ok(Outcome::Complete);
        }
        let missing: usize = report.holes.iter().map(|hole| hole.missing.len()).sum();
        let what = if self.decide { "first removals not decided" } else { "openings missing" };
        Messages::new(console, self.quiet).note(format_args!(
            "{} {what} on {} boards",
            thousands(missing),
            report.holes.len()
        ));
        Ok(Outcome::Unanswered)
    }
}

/// The rule sets: with one alone, a table need not name it.
fn boards_rules(boards: &[BoardSummary]) -> Vec<Rules> {
    let mut rules: Vec<_> = boards.iter().map(|board| board.board.rules).collect();
    let mut seen = HashSet::new();
    rules.retain(|rules| seen.insert(*rules));
    rules
}

impl MergeReport {
    fn text(&self, rules: &[Rules], decide: bool) -> String {
        let mut text = format!(
            "{} records of {} boards from {} files, duplicates dropped: {}\n",
            thousands(self.records),
            self.boards,
            self.files,
            thousands(self.duplicates)
        );
        if self.boards == 0 {
            return text + "no opening is recorded\n";
        }
        if self.holes.is_empty() {
            return text + "no holes\n";
        }
        let heading = if decide { "removals not decided" } else { "openings missing" };
        let mut table = Table::new(&["board", heading, if rules.len() > 1 { "rules" } else { "" }]);
        for hole in &self.holes {
            let rules = if rules.len() > 1 { text::rules(&hole.rules) } else { String::new() };
            table.row(vec![hole.board.clone(), hole.missing.join(" "), rules]);
        }
        text += "\n";
        text + &table.text()
    }
}
