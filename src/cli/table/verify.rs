//! `papamu table verify`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::tables::{TABLE_KIND, verify_deep};

use super::super::messages::{Failure, stopped};
use super::super::options::{Format, OutputArgs, ThreadArgs, TimeArgs};
use super::super::progress::with_progress;
use super::super::report::{csv_table, json_line};
use super::super::text::counted;
use super::super::{Console, Outcome};
use super::{failure, open};

/// Check a table: its checksums, and with --deep every value
///
/// With --deep the value of every position is computed again from those of the positions its moves lead to, by the slow
/// statement of the rules, which shares no code with what built the table.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu table verify 5x5.table
  papamu table verify 5x5.table --deep")]
pub(in super::super) struct VerifyArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Compute every value again.
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
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let table = open(&self.file)?;
        let mut sink = self.output.open_apart([&*self.file])?;
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let work = || {
            table.verify_bytes()?;
            let deep = || pool.install(|| verify_deep(&table, &control));
            self.deep.then(deep).transpose()
        };
        let check = with_progress(self.output.progress(console), &control, work).map_err(failure)?;
        let fault = check.as_ref().and_then(|check| check.fault.clone());
        let stopped_early = check.as_ref().is_some_and(|check| check.stopped);
        let positions = check.map_or(table.counts().positions, |check| check.positions);
        let name = self.file.display().to_string();
        let board = table.source().size().to_string();
        let valid = fault.is_none() && !stopped_early;
        let bytes = match self.output.format {
            Format::Json => {
                let valid = if stopped_early { json!("unknown") } else { json!(valid) };
                json_line(&json!({"file": name, "kind": TABLE_KIND.tag(), "valid": valid, "board": board,
                    "deep": self.deep, "positions": positions, "fault": fault}))?
            }
            Format::Csv => {
                let valid = if stopped_early { "unknown".to_owned() } else { valid.to_string() };
                let row = vec![name, valid, board, self.deep.to_string(), positions.to_string()];
                csv_table(&["file", "valid", "board", "deep", "positions"], std::iter::once(row))
            }
            Format::Text if valid && self.deep => {
                format!("{name}: every value is right: {} of {board}\n", counted(positions, "position")).into_bytes()
            }
            Format::Text if valid => {
                let positions = counted(positions, "position");
                format!("{name}: the checksums fit: {positions} of {board}; --deep computes every value again\n")
                    .into_bytes()
            }
            Format::Text => Vec::new(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        match fault {
            Some(fault) => Err(Failure::Run(format!("{}: {fault}; build it again", self.file.display()))),
            None if stopped_early => {
                let rest = format!("{} right, the rest not looked at", counted(positions, "position"));
                Ok(stopped(console, self.output.quiet, &control, &rest))
            }
            None => Ok(Outcome::Complete),
        }
    }
}
