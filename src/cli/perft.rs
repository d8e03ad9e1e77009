//! `papamu perft`: numbers of move sequences, the usual check of a move generator.

use std::time::{Duration, Instant};

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::board::Size;
use crate::konane::{Move, Opening, PerftNode, Position, Rules, Side};
use crate::run::{Control, Limits, StopReason};

use super::messages::{Failure, Messages};
use super::options::{Format, OutputArgs, RulesArgs, ThreadArgs, duration, whole, without_repeats};
use super::progress::with_progress;
use super::report::{csv_table, json_line, seconds, stop_name};
use super::text::{self, Table, counted, thousands};
use super::{Console, Outcome, interrupt};

/// Count move sequences by depth
///
/// Counts the sequences of exactly 0, 1, … moves from a position, or from the positions after every opening pair of a
/// board, all of them added up. A side that cannot move ends its sequences.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu perft 6x6 --depth 5
  papamu perft 6x6 --opening a6:b6 --depth 4 --divide
  papamu perft 18x18 --first-removal any --depth 2
  papamu perft --position '.oxo/.xox/xoxo/oxox' --turn x --depth 6 --reference")]
pub(super) struct PerftArgs {
    /// The board: rows x columns, such as 6x7.
    #[arg(value_name = "RxC", conflicts_with_all = ["position", "turn"])]
    size: Option<Size>,
    /// The greatest number of moves.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0, 400), allow_hyphen_values = true)]
    depth: u32,
    /// Count after this opening pair only, such as a6:b6; may be repeated.
    #[arg(long, value_name = "BLACK:WHITE", conflicts_with = "position")]
    opening: Vec<Opening>,
    /// Count from this position.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["first_removal", "second_removal", "top_left"])]
    position: Option<String>,
    /// The side to move where the position does not say it: x (black) or o (white).
    #[arg(long, value_name = "SIDE")]
    turn: Option<Side>,
    /// Show the count of the greatest depth for each first move (of one position or one opening).
    #[arg(long)]
    divide: bool,
    /// Count with the slow second statement of the rules, to compare.
    #[arg(long)]
    reference: bool,
    /// Stop after this time, such as 500ms, 10s, 10m or 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true, help_heading = "Limits")]
    time_limit: Option<Duration>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Serialize)]
struct PerftReport {
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Rules>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<char>,
    roots: usize,
    depths: Vec<DepthRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<MoveRow>>,
    stopped: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct DepthRow {
    depth: u32,
    nodes: Option<u128>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    mv: Move,
    nodes: u128,
}

impl PerftArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let rules = self.rules.rules();
        let mut report = PerftReport {
            game: "konane",
            board: self.size.map(|size| size.to_string()),
            rules: self.size.map(|_| rules),
            position: None,
            turn: None,
            roots: 0,
            depths: Vec::new(),
            divide: None,
            stopped: None,
        };
        let roots = self.roots(&rules)?;
        report.roots = roots.len();
        if let (Some(_), [root]) = (&self.position, &roots[..]) {
            report.position = Some(root.board_text());
            report.turn = Some(root.turn().letter());
        }
        if self.divide && (roots.len() != 1 || self.depth == 0) {
            return Err(Failure::Usage(format!(
                "--divide: expected one position or one --opening and a depth of at least 1, found {} and depth {}",
                counted(roots.len(), "position"),
                self.depth
            )));
        }
        let mut sink = self.output.open()?;
        let pool = self.threads.pool()?;
        let control = std::sync::Arc::new(Control::new(Limits { nodes: None, time: self.time_limit }));
        interrupt::watch(&control);
        let nodes: Vec<PerftNode> = roots.iter().map(|root| PerftNode::new(root, self.reference)).collect();
        with_progress(self.output.progress(console), &control, || {
            pool.install(|| self.count(&nodes, &control, &mut report));
        });
        let open = report.depths.last().filter(|row| row.nodes.is_none()).map(|row| row.depth);
        let stopped = control.stop_reason().filter(|_| open.is_some());
        report.stopped = stopped.map(stop_name);
        let bytes = match self.output.format {
            Format::Json => json_line(&report)?,
            Format::Csv => report.csv(),
            Format::Text => report.text().into_bytes(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        let Some(open) = open else { return Ok(Outcome::Complete) };
        let why = stopped.map_or("ended", StopReason::phrase);
        let left = match self.depth - open {
            0 => format!("depth {open} is not counted"),
            _ => format!("depths {open} to {} are not counted", self.depth),
        };
        Messages::new(console, self.output.quiet).note(format_args!("{why}: {left}"));
        Ok(Outcome::Unanswered)
    }

    fn roots(&self, rules: &Rules) -> Result<Vec<Position>, Failure> {
        let Some(size) = self.size else {
            let Some(text) = self.position.as_deref() else {
                return Err(Failure::Usage("expected a board RxC, such as 6x6, or --position TEXT".to_owned()));
            };
            return match Position::parse(text, self.turn) {
                Ok(position) => Ok(vec![position]),
                Err(error) => Err(Failure::usage("--position", error)),
            };
        };
        let openings = match self.opening.is_empty() {
            true => Opening::all(size, rules).map_err(|error| Failure::Usage(error.to_string()))?,
            false => without_repeats(&self.opening),
        };
        let position = |opening: &Opening| {
            let position = opening.position(size, rules);
            position.map_err(|error| Failure::usage(format_args!("--opening {opening}"), error))
        };
        openings.iter().map(position).collect()
    }

    fn count(&self, roots: &[PerftNode], control: &Control, report: &mut PerftReport) {
        let stop = || control.stop_reason().is_some();
        for depth in 0..=self.depth {
            let started = Instant::now();
            let rows = by_first_move(roots, depth, &stop);
            let nodes = rows.as_ref().map(|rows| rows.iter().map(|row| row.nodes).sum::<u128>());
            let nodes = if depth == 0 { Some(roots.len() as u128) } else { nodes };
            report.depths.push(DepthRow { depth, nodes, seconds: seconds(started.elapsed()) });
            // Nothing is counted after a stop: of the depths left the first one is enough to say so.
            if nodes.is_none() {
                break;
            }
            if self.divide && depth == self.depth {
                report.divide = rows;
            }
        }
    }
}

/// The counts of a depth by first move, the roots one after another, counted in parallel; `None` when stopped.
fn by_first_move(roots: &[PerftNode], depth: u32, stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<MoveRow>> {
    let Some(rest) = depth.checked_sub(1) else { return Some(Vec::new()) };
    if stop() {
        return None;
    }
    let moves: Vec<_> = roots.par_iter().flat_map_iter(PerftNode::moves).collect();
    let row = |(mv, after): (Move, PerftNode)| Some(MoveRow { mv, nodes: u128::from(after.count(rest, stop)?) });
    moves.into_par_iter().map(row).collect()
}

impl PerftReport {
    fn csv(&self) -> Vec<u8> {
        let count = |nodes: Option<u128>| nodes.map_or("unknown".to_owned(), |nodes| nodes.to_string());
        match &self.divide {
            Some(rows) => {
                let rows = rows.iter().map(|row| vec![row.mv.to_string(), row.nodes.to_string()]);
                csv_table(&["move", "nodes"], rows)
            }
            None => {
                let row = |row: &DepthRow| vec![row.depth.to_string(), count(row.nodes), row.seconds.to_string()];
                csv_table(&["depth", "nodes", "seconds"], self.depths.iter().map(row))
            }
        }
    }

    fn text(&self) -> String {
        let mut text = match (&self.board, &self.rules, &self.position, self.turn) {
            (Some(board), Some(rules), _, _) => {
                format!("{board}: {}; positions after an opening: {}\n\n", text::rules(rules), thousands(self.roots))
            }
            (_, _, Some(position), Some(turn)) => format!("{position} {turn}\n\n"),
            _ => String::new(),
        };
        if let Some(rows) = &self.divide {
            let mut table = Table::new(&["move", " nodes"]);
            for row in rows {
                table.row(vec![row.mv.to_string(), thousands(row.nodes)]);
            }
            text += &table.text();
            text.push('\n');
        }
        let mut table = Table::new(&[" depth", " nodes", " seconds"]);
        for row in &self.depths {
            let nodes = row.nodes.map_or("unknown".to_owned(), thousands);
            table.row(vec![row.depth.to_string(), nodes, format!("{:.3}", row.seconds)]);
        }
        text += &table.text();
        if let Some(stopped) = self.stopped {
            text += &format!("\nNot counted further: {stopped}.\n");
        }
        text
    }
}
