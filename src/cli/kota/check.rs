//! `papamu kota check`: everything said of a game, compared.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::kota::{Checked, Kota, Oracle, check};
use crate::run::{Control, StopReason};

use super::super::messages::stopped;
use super::super::options::{Format, MemoryArgs, OutputArgs, ThreadArgs, TimeArgs};
use super::super::progress::with_progress;
use super::super::report::{csv_table, json_line, stop_name};
use super::super::text::{Table, thousands};
use super::options::{RulesArgs, finish, ready, state_memory, table};
use super::report::rules;
use super::{Console, Failure, Outcome};

/// Compare everything the program says of a game with the slow statement of the rules
///
/// For every open position: its number and back, the same with the colours changed, the moves by the fast and the slow
/// generator, the way back of every move, and the value against the values of all moves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota check 3
  papamu kota check 4 --stuck loss
  papamu kota check 4 --table kota-4")]
pub(super) struct CheckArgs {
    /// Stones a side: 2 to 5.
    #[arg(value_name = "N")]
    n: usize,
    /// Check the values of this table (under its rules) instead of solving; over 256 MiB `kota table verify` tells whether it is damaged.
    #[arg(long, value_name = "FILE", conflicts_with = "kota-rules")]
    table: Option<PathBuf>,
    /// Look at every K-th position only [default: 1, from N = 5 on 10007].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: TimeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl CheckArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let stride = self.every.unwrap_or(if self.n < 5 { 1 } else { 10_007 });
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let show = self.output.progress(console);
        let compare = |kota: &Kota, oracle: &dyn Oracle| {
            let work = || pool.install(|| check(kota, oracle, stride, &control));
            with_progress(show, &control, work).map_err(|error| Failure::Usage(error.to_string()))
        };
        let (kota, (checked, why)) = if let Some(path) = &self.table {
            let table = table(path)?;
            if table.kota().n() != self.n {
                let found = table.kota().n();
                return Err(Failure::usage("--table", format_args!("expected N = {}, found N = {found}", self.n)));
            }
            (table.kota().clone(), compare(table.kota(), &table)?)
        } else {
            let kota = self.rules.solvable(self.n)?;
            let mut solver = pool.install(|| ready(&kota, self.memory.cap()))?;
            state_memory(console, self.output.quiet, &solver);
            let work = || pool.install(|| finish(&mut solver, &control));
            with_progress(show, &control, work)?;
            if !solver.is_finished() {
                return Ok(stopped(console, self.output.quiet, &control, "nothing was compared"));
            }
            let compared = compare(&kota, &solver)?;
            (kota, compared)
        };
        self.print(console, &kota, &checked, why, &control)
    }

    fn print(
        &self,
        console: &mut Console<'_>,
        kota: &Kota,
        checked: &[Checked],
        why: Option<StopReason>,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        let mut sink = self.output.open_apart(self.table.as_deref())?;
        let verdict = |check: &Checked| match (&check.fault, check.times) {
            (Some(fault), _) => fault.clone(),
            (None, 0) => "not on this board".to_owned(),
            (None, _) => "good".to_owned(),
        };
        let bytes = match self.output.format {
            Format::Json => {
                let rows = checked
                    .iter()
                    .map(|check| json!({"check": check.what, "times": check.times, "fault": check.fault}));
                json_line(&json!({
                    "game": "kota", "n": kota.n(), "rules": kota.rules(), "checks": rows.collect::<Vec<_>>(),
                    "good": checked.iter().all(|check| check.fault.is_none()), "stopped": why.map(stop_name)
                }))?
            }
            Format::Csv => {
                let rows =
                    checked.iter().map(|check| vec![check.what.to_owned(), check.times.to_string(), verdict(check)]);
                csv_table(&["check", "times", "result"], rows)
            }
            Format::Text => {
                let mut table = Table::new(&["compared", " times", "result"]);
                for check in checked {
                    table.row(vec![check.what.to_owned(), thousands(check.times), verdict(check)]);
                }
                format!("KOTA {}: {}\n\n{}", kota.n(), rules(kota.rules()), table.text()).into_bytes()
            }
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        if let Some(fault) = checked.iter().find_map(|check| check.fault.as_ref()) {
            return Err(Failure::Run(format!("the comparison failed: {fault}")));
        }
        match why {
            None => Ok(Outcome::Complete),
            Some(_) => Ok(stopped(console, self.output.quiet, control, "not everything was compared")),
        }
    }
}
