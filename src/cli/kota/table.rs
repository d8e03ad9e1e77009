//! `papamu kota table`: all values in a file.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use crate::kota::{Outcome as Ends, Solver, TABLE_KIND, Table, TableError, check};

use super::super::interrupt::remove_at_sudden_end;
use super::super::messages::Messages;
use super::super::messages::stopped;
use super::super::options::{Format, MemoryArgs, OutputArgs, ThreadArgs, TimeArgs, apart, writable};
use super::super::progress::with_progress;
use super::super::report::{VERSION, csv_line, csv_table, json_line};
use super::super::text::{self, thousands};
use super::analyze::PositionArgs;
use super::options::{RulesArgs, checkpoint_failure, failure, finish_and_keep, solve_failure, state_memory, table};
use super::report::{Known, rules};
use super::{Console, Failure, Outcome, analyze};

/// Tables of all positions: build, look at, verify, export
#[derive(Debug, Subcommand)]
pub(super) enum TableCommand {
    Build(BuildArgs),
    Info(InfoArgs),
    Probe(ProbeArgs),
    Verify(VerifyArgs),
    Export(ExportArgs),
}

impl TableCommand {
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        match self {
            TableCommand::Build(args) => args.run(console),
            TableCommand::Info(args) => args.run(console),
            TableCommand::Probe(args) => args.run(console),
            TableCommand::Verify(args) => args.run(console),
            TableCommand::Export(args) => args.run(console),
        }
    }
}

/// Solve a game and write the values of all open positions to a file
///
/// The file is the same on every machine and for any number of threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota table build 4 -o kota-4
  papamu kota table build 5 -o kota-5 --memory 8GiB --checkpoint kota-5.part")]
pub(super) struct BuildArgs {
    /// Stones a side: 2 to 5.
    #[arg(value_name = "N")]
    n: usize,
    /// The file to write.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Leave out the depths: a quarter of a byte a position instead of one and a quarter.
    #[arg(long)]
    no_depths: bool,
    /// Save the work here when it is stopped, and go on from here.
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    checkpoint: Option<PathBuf>,
    /// Show no progress and no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: TimeArgs,
}

impl BuildArgs {
    fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let kota = self.rules.solvable(self.n)?;
        let pool = self.threads.pool()?;
        // Before the solver: what it takes to begin must hear Ctrl-C too.
        let control = self.limits.control();
        apart("--output", Some(&self.output), self.checkpoint.as_deref())?;
        writable("--output", &self.output, TABLE_KIND)?;
        let (mut solver, before) = match self.checkpoint.as_ref().filter(|path| path.exists()) {
            Some(path) => Solver::resume(&kota, path, self.memory.cap()).map_err(checkpoint_failure)?,
            None => {
                let solver = pool.install(|| Solver::with_depths(&kota, !self.no_depths, self.memory.cap()));
                (solver.map_err(|error| solve_failure(&error))?, 0.0)
            }
        };
        state_memory(console, self.quiet, &solver);
        let show = console.stderr_is_terminal && !self.quiet;
        let work =
            || {
                pool.install(|| {
                    finish_and_keep(&mut solver, &control, self.checkpoint.as_deref(), before)?;
                    match solver.is_finished() {
                        true => Table::write(&solver, &self.output, &control, &remove_at_sudden_end).map_err(|error| {
                            match error {
                                TableError::Stopped(_) => None,
                                error => Some(failure(error)),
                            }
                        }),
                        false => Err(None),
                    }
                    .or_else(|error| error.map_or(Ok(()), Err))
                })
            };
        with_progress(show, &control, work)?;
        if control.stop_reason().is_some() {
            let on = self
                .checkpoint
                .as_ref()
                .map_or(String::new(), |path| format!("; go on with --checkpoint {}", path.display()));
            return Ok(stopped(console, self.quiet, &control, &format!("no table was written{on}")));
        }
        let table = table(&self.output)?;
        Messages::new(console, self.quiet).note(format_args!(
            "{}: {} positions in {} bytes",
            self.output.display(),
            thousands(table.counts().positions),
            thousands(table.file_len())
        ));
        Ok(Outcome::Complete)
    }
}

/// What a table holds
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota table info kota-4")]
pub(super) struct InfoArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

impl InfoArgs {
    fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let table = table(&self.file)?;
        let mut sink = self.output.open_apart([&*self.file])?;
        let (header, counts) = (table.header(), table.counts());
        let start = table.value(&table.kota().start());
        let checksum = format!("{:032x}", table.checksum());
        let bytes = match self.output.format {
            Format::Json => json_line(&json!({
                "game": "kota", "file": self.file.display().to_string(), "kind": TABLE_KIND.tag(), "n": header.n,
                "rules": header.rules, "start": Known(start), "open_positions": counts.positions, "wins": counts.wins,
                "losses": counts.losses, "draws": counts.rest(), "deepest": counts.deepest, "depths": header.depths,
                "checksum": checksum, "bytes": table.file_len(), "version": header.version
            }))?,
            _ => {
                let csv = self.output.format == Format::Csv;
                let count = |number: u64| if csv { number.to_string() } else { thousands(number) };
                let rows = [
                    ("N", header.n.to_string()),
                    ("rules", header.rules.to_string()),
                    ("start", Known(start).text()),
                    ("open positions", count(counts.positions)),
                    ("won", count(counts.wins)),
                    ("lost", count(counts.losses)),
                    ("drawn", count(counts.rest())),
                    ("longest forced result", counts.deepest.map_or("none".to_owned(), text::plies)),
                    ("depths", if header.depths { "kept" } else { "not kept" }.to_owned()),
                    ("checksum", checksum),
                    ("bytes", count(table.file_len())),
                    ("written by", format!("papamu {}", header.version)),
                ];
                if csv {
                    csv_table(&["what", "value"], rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]))
                } else {
                    let mut lines = text::Table::new(&["table", &self.file.display().to_string()]);
                    rows.into_iter().for_each(|(what, value)| lines.row(vec![what.to_owned(), value]));
                    lines.text().into_bytes()
                }
            }
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}

/// A position and all its moves, from a table
///
/// A table of at most 256 MiB is checked first; for larger ones there is `papamu kota table verify`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota table probe kota-4 'R:a1,b1,c1,d1 W:d4,c4,b4,a4 red'")]
pub(super) struct ProbeArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    asked: PositionArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl ProbeArgs {
    fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        analyze::from_table(&self.asked.setups()?, &table(&self.file)?, &self.output, console)
    }
}

/// Check a table: its checksums and counts, and with --deep every value
///
/// With --deep every value is compared with the values of all moves, by the slow statement of the rules.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota table verify kota-4
  papamu kota table verify kota-4 --deep")]
pub(super) struct VerifyArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Compare every value with those of the moves.
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: TimeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl VerifyArgs {
    fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let table = table(&self.file)?;
        let mut sink = self.output.open_apart([&*self.file])?;
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let work = || {
            table.verify().map_err(failure)?;
            if !self.deep {
                return Ok(None);
            }
            let (checked, why) = pool
                .install(|| check(table.kota(), &table, 1, &control))
                .map_err(|error| Failure::Run(error.to_string()))?;
            match checked.into_iter().find_map(|check| check.fault) {
                Some(fault) => Err(Failure::Run(format!("{}: {fault}; build it again", self.file.display()))),
                None => Ok(why),
            }
        };
        let why = with_progress(self.output.progress(console), &control, work)?;
        if why.is_some() {
            return Ok(stopped(console, self.output.quiet, &control, "not every value was compared"));
        }
        let (counts, header) = (table.counts(), table.header());
        let start = table.value(&table.kota().start());
        let bytes = match self.output.format {
            Format::Json => json_line(&json!({
                "game": "kota", "file": self.file.display().to_string(), "kind": TABLE_KIND.tag(), "valid": true, "n": header.n,
                "rules": header.rules, "start": Known(start), "positions": counts.positions, "deep": self.deep
            }))?,
            Format::Csv => csv_table(
                &["file", "valid", "positions", "deep"],
                std::iter::once(vec![
                    self.file.display().to_string(),
                    "true".to_owned(),
                    counts.positions.to_string(),
                    self.deep.to_string(),
                ]),
            ),
            Format::Text => {
                let deep = if self.deep { ", every value agrees with those of its moves" } else { "" };
                let positions = thousands(counts.positions);
                let rules = rules(&header.rules);
                format!(
                    "{}: good. KOTA {}: {rules}; {positions} positions, checksums and counts agree{deep}.\n",
                    self.file.display(),
                    header.n
                )
                .into_bytes()
            }
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}

/// The form of exported values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// Rows, after a line with # that names the rules and a header.
    #[default]
    Csv,
    /// One JSON object a line, after one that names the rules.
    Jsonl,
}

/// Write every position with its value as CSV or JSON Lines
///
/// The rules stand in the first line. Where the board lets the colours be changed only the positions with Red to move are there;
/// the others have the same values. In pandas: pandas.read_csv(FILE, comment="#").
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota table export kota-3 -o kota-3.csv
  papamu kota table export kota-3 --format jsonl | head -n 2")]
pub(super) struct ExportArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Form of the results.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    format: ExportFormat,
    /// Write the results to this file, which appears when they are complete; `-` is standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl ExportArgs {
    fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let table = table(&self.file)?;
        apart("--output", self.output.as_deref(), [&*self.file])?;
        let mut sink = super::super::output::Sink::open(self.output.as_deref())?;
        let header = table.header();
        let mut bytes = match self.format {
            ExportFormat::Csv => {
                let first = format!("# kota {} {} (papamu {VERSION})\n", header.n, header.rules);
                [first.into_bytes(), csv_line(&["position", "turn", "outcome", "depth"])].concat()
            }
            ExportFormat::Jsonl => json_line(&json!({
                "game": "kota", "n": header.n, "rules": header.rules, "open_positions": table.counts().positions,
                "positions_per_row": header.weight, "version": VERSION
            }))?,
        };
        for (position, value) in table.rows() {
            let text = position.to_string();
            let (stones, turn) = text.rsplit_once(' ').unwrap_or((&text, ""));
            let known = Known(Some(value));
            match self.format {
                ExportFormat::Csv => {
                    let depth = value.depth.map_or(String::new(), |depth| depth.to_string());
                    bytes.extend(csv_line(&[stones, turn, value.outcome.name(), &depth]));
                }
                ExportFormat::Jsonl => bytes.extend(json_line(&json!({
                    "position": stones, "turn": turn, "outcome": known.outcome(), "depth": known.depth()
                }))?),
            }
            if bytes.len() > 1 << 16 {
                sink.write(console, &bytes)?;
                bytes.clear();
            }
            debug_assert!(value.outcome == Ends::Draw || !header.depths || value.depth.is_some());
        }
        sink.write(console, &bytes)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}
