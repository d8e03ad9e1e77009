//! `papamu checkpoint`: what a checkpoint holds; and the options of commands that keep one.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::run::MemorySize;
use crate::study::{Checkpoint, CheckpointError, Keep, Kept, Part};

use super::messages::{Failure, Messages};
use super::options::{Format, OutputArgs, duration};
use super::report::{Verdict, csv_line, json_line, seconds};
use super::text::{self, Table, counted, thousands};
use super::{Console, Outcome, interrupt};

/// Where a search is kept.
#[derive(Args, Clone, Debug)]
pub(super) struct KeepArgs {
    /// Go on from this file where it exists, and save the search there on Ctrl-C, at limits, at the end and every few
    /// minutes.
    #[arg(long, value_name = "FILE", help_heading = "Checkpoint")]
    checkpoint: Option<PathBuf>,
    /// Pause between two saves.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "3m", requires = "checkpoint",
        allow_hyphen_values = true, help_heading = "Checkpoint")]
    checkpoint_every: Duration,
}

impl KeepArgs {
    /// The file, where one was asked for.
    pub(super) fn path(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// Makes sure that the file can be written.
    pub(super) fn check_writable(&self) -> Result<(), Failure> {
        let checked = self.path().map_or(Ok(()), Checkpoint::check_writable);
        checked.map_err(|error| Failure::usage("--checkpoint", error))
    }

    /// Runs `work` with the place to keep its search, `None` where none was asked for; a file that cannot be written is
    /// found before.
    pub(super) fn keeping<T, E>(
        &self,
        work: impl FnOnce(Option<&Keep<'_>>) -> Result<T, E>,
        failure: impl Fn(E) -> Failure,
    ) -> Result<(T, Option<String>), Failure> {
        let Some(path) = &self.checkpoint else {
            return work(None).map(|result| (result, None)).map_err(failure);
        };
        self.check_writable()?;
        let trouble = Mutex::new(None);
        let keep = Keep {
            path,
            every: self.checkpoint_every,
            began: &|temporary| interrupt::remove_at_sudden_end(temporary),
            failed: &|error| *trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string()),
        };
        let result = work(Some(&keep)).map_err(failure)?;
        let trouble = trouble.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((result, trouble))
    }
}

/// A checkpoint that is of no use.
pub(super) fn failure(error: CheckpointError) -> Failure {
    Failure::Run(error.to_string())
}

/// Says how the saves went, once the results are out.
pub(super) fn report(
    kept: Option<Kept>,
    trouble: Option<String>,
    console: &mut Console<'_>,
    quiet: bool,
) -> Result<(), Failure> {
    if let Some(trouble) = trouble {
        Messages::new(console, quiet).note(format_args!("the checkpoint could not be saved on the way: {trouble}"));
    }
    match kept.map(|kept| kept.saved) {
        Some(Err(error)) => Err(Failure::Run(format!("the checkpoint is not saved: {error}"))),
        _ => Ok(()),
    }
}

/// Show what a checkpoint holds
///
/// The whole file is checked. Proof and disproof numbers are in the view of the side to move; they say how much work the
/// search expects, in units of its own.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu solve 7x7 --checkpoint 7x7.search --time-limit 1m
  papamu checkpoint 7x7.search
  papamu solve 7x7 --checkpoint 7x7.search      goes on")]
pub(super) struct CheckpointArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    kind: &'static str,
    search: String,
    nodes: u64,
    seconds: f64,
    entries: u64,
    bytes: u64,
    parts: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    winner: Verdict,
    nodes: u64,
    seconds: f64,
    proof: Option<u32>,
    disproof: Option<u32>,
}

impl<'a> Row<'a> {
    fn new(part: &'a Part) -> Row<'a> {
        let (name, answer) = (part.name.as_str(), part.answer);
        // Of a solved part one number is infinite, which says nothing more.
        let numbers = part.numbers.filter(|_| answer.winner.is_none());
        let (proof, disproof) = (numbers.map(|(proof, _)| proof), numbers.map(|(_, disproof)| disproof));
        Row {
            name,
            winner: Verdict(answer.winner),
            nodes: answer.nodes,
            seconds: seconds(answer.time),
            proof,
            disproof,
        }
    }
}

impl CheckpointArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let checkpoint = Checkpoint::open(&self.file).map_err(|error| Failure::Run(error.to_string()))?;
        let mut sink = self.output.open_apart([&*self.file])?;
        let bytes = match self.output.format {
            Format::Json => json_line(&report_of(&self.file, &checkpoint))?,
            Format::Csv => csv(&checkpoint),
            Format::Text => text(&self.file, &checkpoint).into_bytes(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}

fn report_of<'a>(file: &Path, checkpoint: &'a Checkpoint) -> Report<'a> {
    let spent = checkpoint.spent();
    Report {
        file: file.display().to_string(),
        kind: "search",
        search: checkpoint.subject().describe(),
        nodes: spent.nodes,
        seconds: seconds(spent.time),
        entries: checkpoint.entries().0,
        bytes: checkpoint.file_len(),
        parts: checkpoint.parts().iter().map(Row::new).collect(),
    }
}

const HEADER: [&str; 6] = ["part", "winner", "nodes", "seconds", "proof", "disproof"];

fn csv(checkpoint: &Checkpoint) -> Vec<u8> {
    let mut bytes = csv_line(&HEADER);
    let number = |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
    for row in checkpoint.parts().iter().map(Row::new) {
        bytes.extend(csv_line(&[
            row.name,
            row.winner.name(),
            &row.nodes.to_string(),
            &row.seconds.to_string(),
            &number(row.proof),
            &number(row.disproof),
        ]));
    }
    bytes
}

fn text(file: &Path, checkpoint: &Checkpoint) -> String {
    let (spent, (entries, least_work)) = (checkpoint.spent(), checkpoint.entries());
    let mut text = format!("{}: {}\n\n", text::printable(&file.display().to_string()), checkpoint.subject().describe());
    let mut table = Table::new(&["part", "winner", " nodes", " seconds", " proof", " disproof"]);
    let number = |number: Option<u32>| number.map_or("-".to_owned(), thousands);
    for row in checkpoint.parts().iter().map(Row::new) {
        let time = format!("{:.3}", row.seconds);
        let (proof, disproof) = (number(row.proof), number(row.disproof));
        let winner = row.winner.name().to_owned();
        table.row(vec![row.name.to_owned(), winner, thousands(row.nodes), time, proof, disproof]);
    }
    text += &table.text();
    text += &format!("\n{} in {:.3} s so far\n", counted(spent.nodes, "node"), spent.time.as_secs_f64());
    let size = MemorySize::from_bytes(checkpoint.file_len());
    text += &match entries {
        0 => format!("{size}, no table: nothing is left to search\n"),
        _ => {
            let least = counted(least_work, "node");
            let entries = if entries == 1 { "1 table entry".to_owned() } else { thousands(entries) + " table entries" };
            format!("{size}, {entries} of at least {least} each\n")
        }
    };
    text
}
