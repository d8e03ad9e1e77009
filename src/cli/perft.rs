//! `papamu perft`: numbers of move sequences, the usual check of a move generator.

use std::time::{Duration, Instant};

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::board::Size;
use crate::konane::reference::Reference;
use crate::konane::{Move, Opening, Position, Rules, Side, perft};
use crate::run::{Control, Limits, StopReason};

use super::messages::{Failure, Messages};
use super::options::{Format, OutputArgs, RulesArgs, ThreadArgs, duration};
use super::progress::with_progress;
use super::report::{csv_table, json_line, seconds, stop_name};
use super::text::{self, Table, thousands};
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
    #[arg(value_name = "RxC", required_unless_present = "position", conflicts_with_all = ["position", "turn"])]
    size: Option<Size>,
    /// The greatest number of moves.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=400))]
    depth: u32,
    /// Count after this opening pair only, such as a6:b6; may be repeated.
    #[arg(long, value_name = "BLACK:WHITE", conflicts_with = "position")]
    opening: Vec<Opening>,
    /// Count from this position.
    #[arg(long, value_name = "TEXT", conflicts_with = "rules")]
    position: Option<String>,
    /// The side to move where the position does not say it: x (black) or o (white).
    #[arg(long, value_name = "SIDE")]
    turn: Option<Side>,
    /// Show the count of the greatest depth for each first move (of one position or one opening).
    #[arg(long)]
    divide: bool,
    /// Count with the slow second statement of the rules, to compare; limits are noticed only between first moves.
    #[arg(long)]
    reference: bool,
    /// Stop after this time, such as 500ms, 10s, 10m or 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Limits")]
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
                "--divide: expected one position or one --opening and a depth of at least 1, found {} positions and depth {}",
                roots.len(),
                self.depth
            )));
        }
        let mut sink = self.output.open()?;
        let pool = self.threads.pool()?;
        let control = std::sync::Arc::new(Control::new(Limits { nodes: None, time: self.time_limit }));
        interrupt::watch(&control);
        let nodes: Vec<Node> = roots.iter().map(|root| Node::new(root, self.reference)).collect();
        with_progress(self.output.progress(console), &control, || {
            pool.install(|| self.count(&nodes, &control, &mut report));
        });
        let unknown = report.depths.iter().filter(|row| row.nodes.is_none()).count();
        let stopped = control.stop_reason().filter(|_| unknown > 0);
        report.stopped = stopped.map(stop_name);
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
        Messages::new(console, self.output.quiet).note(format_args!("{why}: {unknown} depths not counted"));
        Ok(Outcome::Unanswered)
    }

    fn roots(&self, rules: &Rules) -> Result<Vec<Position>, Failure> {
        let Some(size) = self.size else {
            let text = self.position.as_deref().unwrap_or_default();
            return match Position::parse(text, self.turn) {
                Ok(position) => Ok(vec![position]),
                Err(error) => Err(Failure::usage("--position", error)),
            };
        };
        let openings = match self.opening.is_empty() {
            true => Opening::all(size, rules).map_err(|error| Failure::Usage(error.to_string()))?,
            false => self.opening.clone(),
        };
        let position = |opening: &Opening| {
            let position = opening.position(size, rules);
            position.map_err(|error| Failure::usage(format_args!("--opening {opening}"), error))
        };
        openings.iter().map(position).collect()
    }

    fn count(&self, roots: &[Node], control: &Control, report: &mut PerftReport) {
        let stop = || control.stop_reason().is_some();
        for depth in 0..=self.depth {
            let started = Instant::now();
            let rows = by_first_move(roots, depth, &stop);
            let nodes = rows.as_ref().map(|rows| rows.iter().map(|row| row.nodes).sum::<u128>());
            let nodes = if depth == 0 { Some(roots.len() as u128) } else { nodes };
            report.depths.push(DepthRow { depth, nodes, seconds: seconds(started.elapsed()) });
            if self.divide && depth == self.depth {
                report.divide = rows;
            }
        }
    }
}

/// A position for one of the two move generators.
enum Node {
    Fast(Position),
    Slow(Reference),
}

impl Node {
    fn new(position: &Position, reference: bool) -> Node {
        if reference { Node::Slow(Reference::from_position(position)) } else { Node::Fast(*position) }
    }

    fn moves(&self) -> Vec<(Move, Node)> {
        match self {
            Node::Slow(board) => board.moves().into_iter().map(|(mv, after)| (mv, Node::Slow(after))).collect(),
            Node::Fast(position) => {
                let after = |mv| Some((mv, Node::Fast(position.play(mv).ok()?)));
                position.moves().into_iter().filter_map(after).collect()
            }
        }
    }

    /// The count of one position is far below 2^64: a computer that counts a thousand million a second would need five
    /// hundred years to get there. Only sums over positions are made wider.
    fn count(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        match self {
            Node::Slow(board) => (!stop()).then(|| board.perft(depth)),
            Node::Fast(position) => match position.size().cells() {
                ..=64 => {
                    let (field, packed) = position.pack::<u64>();
                    perft(&field, packed, depth, stop)
                }
                65..=128 => {
                    let (field, packed) = position.pack::<u128>();
                    perft(&field, packed, depth, stop)
                }
                _ => {
                    let (field, packed) = position.pack::<crate::board::Wide>();
                    perft(&field, packed, depth, stop)
                }
            },
        }
    }
}

/// The counts of a depth by first move, the roots one after another, counted in parallel; `None` when stopped.
fn by_first_move(roots: &[Node], depth: u32, stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<MoveRow>> {
    let Some(rest) = depth.checked_sub(1) else { return Some(Vec::new()) };
    if stop() {
        return None;
    }
    let moves: Vec<_> = roots.par_iter().flat_map_iter(Node::moves).collect();
    let row = |(mv, after): (Move, Node)| Some(MoveRow { mv, nodes: u128::from(after.count(rest, stop)?) });
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
            let mut table = Table::new(&["move", " sequences"]);
            for row in rows {
                table.row(vec![row.mv.to_string(), thousands(row.nodes)]);
            }
            text += &table.text();
            text.push('\n');
        }
        let mut table = Table::new(&[" depth", " sequences", " seconds"]);
        for row in &self.depths {
            let nodes = row.nodes.map_or("unknown".to_owned(), thousands);
            table.row(vec![row.depth.to_string(), nodes, format!("{:.3}", row.seconds)]);
        }
        text + &table.text()
    }
}
