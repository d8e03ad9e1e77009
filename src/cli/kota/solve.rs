//! `papamu kota solve`: the value of the start, and the totals of all positions.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::kota::{CHECKPOINT_KIND, Kota, Move, Rules, Solver, best_line, drawing};
use crate::run::{MemorySize, StopReason};

use super::super::messages::Messages;
use super::super::options::{Format, MemoryArgs, OutputArgs, ThreadArgs, TimeArgs, writable};
use super::super::progress::with_progress;
use super::super::report::{VERSION, csv_table, json_line, seconds, stop_name};
use super::super::text::{self, Table, thousands};
use super::options::{RulesArgs, checkpoint_failure, finish_and_keep, solve_failure, state_memory};
use super::report::{Known, line, rules};
use super::{Console, Failure, Outcome};

/// Who wins from the start, and from how many positions
///
/// Solves all open positions backwards from the end: the outcome of the start for the side that moves first, a line of best
/// play, how many positions are won, lost and drawn for the side to move, and the longest forced result.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota solve 4
  papamu kota solve 4 --board rhombus --own-stones each-has-neighbour --stuck loss
  papamu kota solve 5 --memory 2GiB --checkpoint kota-5 --time-limit 1h

With --checkpoint the work goes on from the file if it is there, and is saved to it every ten
minutes, at a limit, at Ctrl-C and at the end.")]
pub(super) struct SolveArgs {
    /// Stones a side: 2 to 5.
    #[arg(value_name = "N")]
    n: usize,
    /// Save the work here, and go on from here.
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    limits: TimeArgs,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Serialize)]
struct SolveReport {
    game: &'static str,
    n: usize,
    rules: Rules,
    start: Known,
    open_positions: u64,
    wins: Option<u64>,
    losses: Option<u64>,
    draws: Option<u64>,
    deepest: Option<u16>,
    position: String,
    line: Vec<Move>,
    next_depth: Option<u16>,
    threads: usize,
    version: &'static str,
    memory_bytes: u64,
    seconds: f64,
    stopped: Option<&'static str>,
}

/// Plies of a line that leads nowhere.
const DRAWN_LINE: usize = 12;

impl SolveArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let kota = self.rules.solvable(self.n)?;
        let pool = self.threads.pool()?;
        // Before the solver: what it takes to begin must hear Ctrl-C too.
        let control = self.limits.control();
        let (mut solver, before) = pool.install(|| self.solver(&kota))?;
        let mut sink = self.output.open_apart(self.checkpoint.as_deref())?;
        state_memory(console, self.output.quiet, &solver);
        let run = || pool.install(|| finish_and_keep(&mut solver, &control, self.checkpoint.as_deref(), before));
        with_progress(self.output.progress(console), &control, run)?;
        let time = before + control.elapsed().as_secs_f64();
        let stopped = control.stop_reason().filter(|_| !solver.is_finished());
        let report = report(&solver, pool.current_num_threads(), time, stopped);
        let bytes = match self.output.format {
            Format::Json => json_line(&report)?,
            Format::Csv => csv(&report),
            Format::Text => text(&kota, &report, self.output.colours(console, &sink)).into_bytes(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        if solver.is_finished() {
            return Ok(Outcome::Complete);
        }
        Messages::new(console, self.output.quiet).note(format_args!(
            "{}: {} of {} positions not known{}",
            stopped.map_or("ended", StopReason::phrase),
            thousands(solver.counts().rest()),
            thousands(solver.counts().positions),
            self.checkpoint
                .as_ref()
                .map_or(String::new(), |path| format!("; go on with --checkpoint {}", path.display()))
        ));
        Ok(Outcome::Unanswered)
    }

    fn solver(&self, kota: &Kota) -> Result<(Solver, f64), Failure> {
        let cap: MemorySize = self.memory.cap();
        if let Some(path) = &self.checkpoint {
            writable("--checkpoint", path, CHECKPOINT_KIND)?;
            if path.exists() {
                return Solver::resume(kota, path, cap).map_err(checkpoint_failure);
            }
        }
        let solver = Solver::new(kota, cap).map_err(|error| solve_failure(&error))?;
        Ok((solver, 0.0))
    }
}

fn report(solver: &Solver, threads: usize, time: f64, stopped: Option<StopReason>) -> SolveReport {
    let (kota, counts, finished) = (solver.kota(), solver.counts(), solver.is_finished());
    let start = kota.start();
    let known = |count| finished.then_some(count);
    SolveReport {
        game: "kota",
        n: kota.n(),
        rules: *kota.rules(),
        start: Known(solver.value(&start)),
        open_positions: counts.positions,
        wins: known(counts.wins),
        losses: known(counts.losses),
        draws: known(counts.rest()),
        deepest: counts.deepest.filter(|_| finished),
        position: start.to_string(),
        line: if finished { best_line(kota, solver, &start, DRAWN_LINE) } else { Vec::new() },
        next_depth: (!finished).then_some(solver.next_depth()),
        threads,
        version: VERSION,
        memory_bytes: solver.memory_held().bytes(),
        seconds: seconds(Duration::from_secs_f64(time)),
        stopped: stopped.map(stop_name),
    }
}

fn number(count: Option<u64>) -> String {
    count.map_or("unknown".to_owned(), |count| count.to_string())
}

fn csv(report: &SolveReport) -> Vec<u8> {
    let header =
        ["n", "rules", "outcome", "depth", "open_positions", "wins", "losses", "draws", "deepest", "line", "seconds"];
    let depth = |depth: Option<u16>| depth.map_or(String::new(), |depth| depth.to_string());
    let row = vec![
        report.n.to_string(),
        report.rules.to_string(),
        report.start.outcome().to_owned(),
        depth(report.start.depth()),
        report.open_positions.to_string(),
        number(report.wins),
        number(report.losses),
        number(report.draws),
        depth(report.deepest),
        line(&report.line),
        report.seconds.to_string(),
    ];
    csv_table(&header, std::iter::once(row))
}

fn text(kota: &Kota, report: &SolveReport, colours: bool) -> String {
    let start = kota.start();
    let mut text = format!("KOTA {}: {}\n\n", report.n, rules(&report.rules));
    text += &drawing::text(report.rules.board, &start, colours);
    text += &format!("\nStart: {}, {} to move.\n", report.start.sentence(start.turn()), start.turn().title());
    if !report.line.is_empty() {
        text += &format!("Best line: {}\n", line(&report.line));
    }
    let grouped = |count: Option<u64>| count.map_or("unknown".to_owned(), thousands);
    let mut table = Table::new(&["positions, for the side to move", " number"]);
    for (what, count) in [
        ("won", report.wins),
        ("lost", report.losses),
        ("drawn", report.draws),
        ("all open positions", Some(report.open_positions)),
    ] {
        table.row(vec![what.to_owned(), grouped(count)]);
    }
    text += &format!("\n{}\n", table.text());
    match (report.deepest, report.next_depth) {
        (Some(deepest), _) => text += &format!("Longest forced result: {}.\n", text::plies(deepest)),
        (None, Some(depth)) => text += &format!("Results of less than {} are known.\n", text::plies(depth)),
        (None, None) => text += "Nothing is forced anywhere.\n",
    }
    let memory = MemorySize::from_bytes(report.memory_bytes);
    text + &format!("{:.3} s, threads {}, memory {memory}\n", report.seconds, report.threads)
}
