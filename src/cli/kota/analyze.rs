//! `papamu kota analyze`: every move of a position judged.

use std::path::PathBuf;

use clap::Args;

use crate::kota::{Analysis, Kota, Oracle, Position, analyze, best_line, drawing};

use super::super::options::{Format, OutputArgs, ThreadArgs};
use super::super::output::Sink;
use super::super::progress::with_progress;
use super::super::report::json_line;
use super::options::{
    MemoryArgs, RulesArgs, TimeArgs, finish, position, ready, setup, size, state_memory, stopped, table,
};
use super::report::{Known, PositionReport, line, moves_table, rules};
use super::{Console, Failure, Outcome};

/// Every move of a position: win, loss or draw, and how soon
///
/// Solves the game first (N up to 4: at once), or reads a table. Outcomes of moves are for the side that makes them; the best
/// come first.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota analyze 'R:a1,b1,c1 W:c3,b3,a3 red'
  papamu kota analyze 'R:a1,b1,c1,d1 W:d4,c4,b4,a4 white' --table kota-4 --format json

A position is R: and the cells of Red's stones 1, 2, …, then W: and those of White's, then the
side to move.")]
pub(super) struct AnalyzeArgs {
    /// The position.
    #[arg(value_name = "POSITION")]
    position: String,
    /// Take the values (and the rules) from this table.
    #[arg(long, value_name = "FILE", conflicts_with = "kota-rules")]
    table: Option<PathBuf>,
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

impl AnalyzeArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let setup = setup(&self.position)?;
        if let Some(path) = &self.table {
            let table = table(path)?;
            let position = position(table.kota(), &setup)?;
            let sink = self.output.open()?;
            return print(console, &self.output, sink, table.kota(), &table, &position);
        }
        let kota = self.rules.solvable(size(&setup))?;
        let position = position(&kota, &setup)?;
        let sink = self.output.open()?;
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let mut solver = pool.install(|| ready(&kota, self.memory.cap()))?;
        state_memory(console, self.output.quiet, &solver);
        let run = || pool.install(|| finish(&mut solver, &control));
        with_progress(self.output.progress(console), &control, run)?;
        let outcome = print(console, &self.output, sink, &kota, &solver, &position)?;
        match solver.is_finished() {
            true => Ok(outcome),
            false => Ok(stopped(console, self.output.quiet, &control, "not everything is known")),
        }
    }
}

/// Prints an analysed position.
pub(super) fn print(
    console: &mut Console<'_>,
    output: &OutputArgs,
    mut sink: Sink,
    kota: &Kota,
    oracle: &dyn Oracle,
    position: &Position,
) -> Result<Outcome, Failure> {
    let analysis = analyze(kota, oracle, position);
    let best = best_line(kota, oracle, position, 12);
    let report = PositionReport::new(kota, position, &analysis, best.clone());
    let bytes = match output.format {
        Format::Json => json_line(&report)?,
        Format::Csv => report.csv(),
        Format::Text => {
            let drawn = drawing::text(kota.rules().board, position, output.colours(console, &sink));
            let head = format!("KOTA {}: {}\n{position}\n\n{drawn}\n", kota.n(), rules(kota.rules()));
            (head + &text(kota, position, &analysis, &line(&best))).into_bytes()
        }
    };
    sink.write(console, &bytes)?;
    sink.finish()?;
    Ok(Outcome::Complete)
}

fn text(kota: &Kota, position: &Position, analysis: &Analysis, line: &str) -> String {
    if let Some(ending) = kota.ending(position) {
        return format!("The game is over: {}.\n", ending.phrase());
    }
    let value = Known(analysis.value).sentence(position.turn());
    let line = if line.is_empty() { String::new() } else { format!("\nBest line: {line}\n") };
    format!("{value}, {} to move.\n\n{}{line}", position.turn().title(), moves_table(analysis))
}
