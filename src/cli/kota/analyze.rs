//! `papamu kota analyze`: every move of a position judged.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use clap::Args;

use crate::kota::{Analysis, Kota, Oracle, Position, Setup, SetupError, Table, analyze, best_line, drawing};

use super::super::messages::stopped;
use super::super::options::{Format, MemoryArgs, OutputArgs, ThreadArgs, TimeArgs};
use super::super::positions::placed_lines;
use super::super::progress::with_progress;
use super::super::report::{csv_line, json_line};
use super::options::{RulesArgs, finish, position, ready, setup, size, state_memory, table};
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
  papamu kota analyze --positions list.txt --format json

A position is R: and the cells of Red's stones 1, 2, …, then W: and those of White's, then the
side to move.")]
pub(super) struct AnalyzeArgs {
    #[command(flatten)]
    asked: PositionArgs,
    /// Take the values (and the rules) from this table; over 256 MiB `kota table verify` tells whether it is damaged.
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

/// The position of a command, or a list of them.
#[derive(Args, Debug)]
pub(super) struct PositionArgs {
    /// The position.
    #[arg(value_name = "POSITION", required_unless_present = "positions", conflicts_with = "positions")]
    position: Option<String>,
    /// Take the positions of this file, one a line; `-` is standard input; what follows a # is skipped.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

impl PositionArgs {
    /// What was typed, all of it read, each with its place for what is wrong with it.
    pub(super) fn setups(&self) -> Result<Vec<(String, Setup)>, Failure> {
        match (&self.position, &self.positions) {
            (Some(text), _) => Ok(vec![("position".to_owned(), setup(text)?)]),
            (None, Some(file)) => {
                placed_lines("--positions", file, |line| line.parse().map_err(|error: SetupError| error.to_string()))
            }
            (None, None) => Ok(Vec::new()),
        }
    }
}

impl AnalyzeArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        self.output.check_apart(self.asked.positions.as_deref().into_iter().chain(self.table.as_deref()))?;
        let setups = self.asked.setups()?;
        if let Some(path) = &self.table {
            return from_table(&setups, &table(path)?, &self.output, console);
        }
        // Everything typed is checked before the first game is solved.
        let mut games: BTreeMap<usize, (Kota, Vec<(usize, Position)>)> = BTreeMap::new();
        for (at, (place, setup)) in setups.iter().enumerate() {
            let n = size(setup);
            if let Entry::Vacant(entry) = games.entry(n) {
                entry.insert((
                    self.rules.solvable(n).map_err(|failure| match failure {
                        Failure::Usage(reason) => Failure::usage(place, reason),
                        failure => failure,
                    })?,
                    Vec::new(),
                ));
            }
            if let Some((kota, positions)) = games.get_mut(&n) {
                positions.push((at, position(kota, place, setup)?));
            }
        }
        let mut sink = self.output.open()?;
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let colours = self.output.colours(console, &sink);
        let mut texts = vec![Vec::new(); setups.len()];
        let mut finished = true;
        for (kota, positions) in games.values() {
            let mut solver = pool.install(|| ready(kota, self.memory.cap()))?;
            state_memory(console, self.output.quiet, &solver);
            let run = || pool.install(|| finish(&mut solver, &control));
            with_progress(self.output.progress(console), &control, run)?;
            finished &= solver.is_finished();
            for (at, position) in positions {
                texts[*at] = bytes(self.output.format, colours, kota, &solver, position)?;
            }
        }
        sink.write(console, &together(self.output.format, texts))?;
        sink.finish()?;
        match finished {
            true => Ok(Outcome::Complete),
            false => Ok(stopped(console, self.output.quiet, &control, "not everything is known")),
        }
    }
}

/// Prints positions and their moves from a table.
pub(super) fn from_table(
    setups: &[(String, Setup)],
    table: &Table,
    output: &OutputArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let positions = setups.iter().map(|(place, setup)| position(table.kota(), place, setup));
    let positions = positions.collect::<Result<Vec<_>, Failure>>()?;
    let mut sink = output.open()?;
    let colours = output.colours(console, &sink);
    let text = |position| bytes(output.format, colours, table.kota(), table, position);
    let texts = positions.iter().map(text).collect::<Result<Vec<_>, Failure>>()?;
    sink.write(console, &together(output.format, texts))?;
    sink.finish()?;
    Ok(Outcome::Complete)
}

/// The texts of several positions as one.
fn together(format: Format, texts: Vec<Vec<u8>>) -> Vec<u8> {
    match format {
        Format::Text => texts.join(&b'\n'),
        Format::Json => texts.concat(),
        Format::Csv => [csv_line(&PositionReport::CSV_HEADER), texts.concat()].concat(),
    }
}

/// An analysed position.
fn bytes(
    format: Format,
    colours: bool,
    kota: &Kota,
    oracle: &dyn Oracle,
    position: &Position,
) -> Result<Vec<u8>, Failure> {
    let analysis = analyze(kota, oracle, position);
    let best = best_line(kota, oracle, position, 12);
    let report = PositionReport::new(kota, position, &analysis, best.clone());
    Ok(match format {
        Format::Json => json_line(&report)?,
        Format::Csv => report.csv(),
        Format::Text => {
            let drawn = drawing::text(kota.rules().board, position, colours);
            let head = format!("KOTA {}: {}\n{position}\n\n{drawn}\n", kota.n(), rules(kota.rules()));
            (head + &text(kota, position, &analysis, &line(&best))).into_bytes()
        }
    })
}

fn text(kota: &Kota, position: &Position, analysis: &Analysis, line: &str) -> String {
    if let Some(ending) = kota.ending(position) {
        return format!("The game is over: {}.\n", ending.phrase());
    }
    let value = Known(analysis.value).sentence(position.turn());
    let line = if line.is_empty() { String::new() } else { format!("\nBest line: {line}\n") };
    format!("{value}, {} to move.\n\n{}{line}", position.turn().title(), moves_table(analysis))
}
