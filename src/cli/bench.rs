//! `papamu bench`: the node-count signature of the search.

use clap::Args;
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use std::sync::atomic::Ordering::Relaxed;

use crate::run::StopReason;
use crate::search::{Engine, bench, bench_cases, bench_rules};

use super::messages::{Failure, Messages};
use super::options::{Format, LimitArgs, OutputArgs, engine_name};
use super::progress::with_progress;
use super::report::{VERSION, Verdict, csv_table, json_line, seconds, stop_name};
use super::text::{self, Table, thousands};
use super::{Console, Outcome};

/// Search a fixed list of positions on one thread and count nodes
///
/// The total is the signature of the search: two runs give the same number on every machine, with a table of 64 MiB. Every
/// answer is compared with the known one.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu bench
  papamu bench --engine alpha-beta --time-limit 5m
  papamu bench --format json")]
pub(super) struct BenchArgs {
    /// The search: pn (proof-number search) or alpha-beta (the baseline to compare with).
    #[arg(long, value_name = "ENGINE", default_value = "pn", help_heading = "Search")]
    engine: Engine,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Serialize)]
struct BenchReport {
    engine: &'static str,
    positions: Vec<BenchRow>,
    nodes: u64,
    seconds: f64,
    version: &'static str,
    stopped: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct BenchRow {
    board: String,
    opening: String,
    winner: Verdict,
    nodes: u64,
    seconds: f64,
}

impl BenchArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let mut sink = self.output.open()?;
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.map_err(|error| Failure::Run(format!("cannot start a thread: {error}")))?;
        let control = self.limits.control();
        let mut positions = Vec::new();
        control.gauges.total.store(bench_cases().len() as u64, Relaxed);
        let result = with_progress(self.output.progress(console), &control, || {
            pool.install(|| {
                bench(self.engine, &control, &mut |case, answer| {
                    control.gauges.done.fetch_add(1, Relaxed);
                    positions.push(BenchRow {
                        board: case.size.to_string(),
                        opening: case.opening.to_string(),
                        winner: Verdict(answer.winner),
                        nodes: answer.nodes,
                        seconds: seconds(answer.time),
                    });
                })
            })
        });
        result.map_err(|error| Failure::Run(error.to_string()))?;
        let unknown = positions.iter().filter(|row| row.winner == Verdict(None)).count();
        let stopped = control.stop_reason().filter(|_| unknown > 0);
        let report = BenchReport {
            engine: engine_name(self.engine),
            nodes: positions.iter().map(|row| row.nodes).sum(),
            seconds: positions.iter().map(|row| row.seconds).sum(),
            positions,
            version: VERSION,
            stopped: stopped.map(stop_name),
        };
        let bytes = match self.output.format {
            Format::Json => json_line(&report)?,
            Format::Csv => report.csv(),
            Format::Text => report.text().into_bytes(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        if unknown == 0 {
            return Ok(Outcome::Complete);
        }
        let why = stopped.map_or("ended", StopReason::phrase);
        let note = format!("{why}: {unknown} of {} positions not known", report.positions.len());
        Messages::new(console, self.output.quiet).note(note);
        Ok(Outcome::Unanswered)
    }
}

impl BenchReport {
    fn csv(&self) -> Vec<u8> {
        csv_table(
            &["board", "opening", "winner", "nodes", "seconds"],
            self.positions.iter().map(|row| {
                vec![
                    row.board.clone(),
                    row.opening.clone(),
                    row.winner.name().to_owned(),
                    row.nodes.to_string(),
                    row.seconds.to_string(),
                ]
            }),
        )
    }

    fn text(&self) -> String {
        let mut table = Table::new(&["board", "opening", "winner", " nodes", " seconds"]);
        for row in &self.positions {
            table.row(vec![
                row.board.clone(),
                row.opening.clone(),
                row.winner.name().to_owned(),
                thousands(row.nodes),
                format!("{:.3}", row.seconds),
            ]);
        }
        let rate = self.nodes as f64 / self.seconds.max(1e-9);
        format!(
            "{}\n\n{}\n\ntotal {} nodes in {:.3} s ({}/s), engine {}\n",
            text::rules(&bench_rules()),
            table.text().trim_end_matches('\n'),
            thousands(self.nodes),
            self.seconds,
            thousands(rate as u64),
            self.engine
        )
    }
}
