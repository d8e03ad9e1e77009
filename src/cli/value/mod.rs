//! `papamu value`: what a position is worth as a game of combinatorial game theory.

mod game;
mod worth;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::board::Cell;
use crate::endgame::{PositionValue, Split, Values, parts};
use crate::konane::{Position, Setup, SetupTextError, Side};
use crate::run::MemorySize;

use super::messages::{Failure, Messages};
use super::options::{Format, LimitArgs, OutputArgs, ThreadArgs, apart};
use super::report::{csv_line, json_line, seconds};
use super::text::{self, Mark, Table, short};
use super::{Console, Outcome, picture, thermograph};
use worth::{Told, Walls, Worth, csv_header, why};

/// Value a position: canonical form, outcome, temperature
///
/// Left is Black (x), Right is White (o). The position is split into parts that can never touch each other; its value is the
/// sum of theirs. Boards may have up to 400 cells. Value text: a number, then ^ (up) or
/// v (down), then * (star); other games as {L|R}. With --game the text of a value is read instead of a position.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu value '.ox./o..x/....'
  papamu value '.ox./o..x/....' --svg thermograph.svg
  papamu value --positions endgames.txt --format json
  papamu value '.oxox/.xoxo/xoxox/oxoxo/xoxox' --values 5x5.values
  papamu value --game '{1|-1}' --game '^*'

Values of parts are kept in the file of --values for later runs.")]
pub(super) struct ValueArgs {
    /// The position: rows from the top separated by /, x Black, o White, . empty.
    #[arg(value_name = "POSITION", required_unless_present_any = ["positions", "game"], conflicts_with = "positions")]
    position: Option<String>,
    /// Value the positions of this file, one a line; `-` is standard input; what follows a # is skipped.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Value this game instead of a position, such as '{2|^*}' or -1/2; may be repeated: the games are added.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true,
        conflicts_with_all = ["position", "positions", "values", "parts_only", "split", "split_limit", "node_limit"])]
    game: Vec<String>,
    /// Draw the thermograph into this file as SVG.
    #[arg(long, value_name = "FILE", conflicts_with = "positions", help_heading = "Output")]
    svg: Option<PathBuf>,
    /// Start from the values of parts in this file where it exists, and save those known at the end there.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// How to look for parts: by the closure of possible jumps, bounded by counting captures, or also by trying all moves of
    /// each fight.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = SplitHow::Exact)]
    split: SplitHow,
    /// Arrangements of stones up to which a fight is looked through by `--split exact` [default: 20000, and 200000 for stones
    /// that lie farther apart than 8x8 cells].
    #[arg(long, value_name = "N")]
    split_limit: Option<usize>,
    /// Only split the positions; nothing is valued.
    #[arg(long, conflicts_with_all = ["svg", "values"])]
    parts_only: bool,
    /// Memory for values, such as 512MiB or 4GiB; a bare number is bytes [default: half of the free memory, at most 4GiB].
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    memory: Option<MemorySize>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SplitHow {
    Closure,
    Counted,
    Exact,
}

#[derive(Debug, Serialize)]
struct Report {
    position: String,
    #[serde(flatten)]
    worth: Worth,
    parts: Vec<PartRow>,
    kind: &'static str,
    dead: Vec<String>,
    thermograph: Option<Walls>,
    options: Vec<OptionRow>,
    /// What was done up to now, for all positions.
    work: Work,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Work {
    parts: usize,
    canonical_forms: usize,
    bytes: u64,
    /// Parts with so many stones, from none on; counted where the value is not known, to tell how far the work came.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts_by_stones: Option<Vec<u64>>,
}

#[derive(Debug, Serialize)]
struct PartRow {
    cells: Vec<String>,
    value: String,
}

#[derive(Debug, Serialize)]
struct PartsReport {
    position: String,
    parts: Vec<Stones>,
    dead: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Stones {
    cells: Vec<String>,
}

#[derive(Debug, Serialize)]
struct OptionRow {
    side: Side,
    #[serde(rename = "move")]
    mv: String,
    value: String,
}

impl ValueArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let positions = match (&self.position, &self.positions) {
            (Some(text), _) => vec![position(text).map_err(|reason| Failure::usage("POSITION", reason))?],
            (None, Some(file)) => read(file)?,
            (None, None) => Vec::new(),
        };
        let memory = self.memory.unwrap_or_else(MemorySize::default_cap);
        if memory.bytes() < Values::LEAST_MEMORY.bytes() {
            let least = Values::LEAST_MEMORY;
            let (found, least) = memory.apart(least);
            return Err(Failure::usage("--memory", format_args!("expected at least {least}, found {found}")));
        }
        if !self.game.is_empty() {
            return game::run(&self, console, memory);
        }
        if self.parts_only {
            return self.split_only(console, &positions);
        }
        let used = || self.positions.as_deref().into_iter().chain(self.values.as_deref());
        apart("--values", self.values.as_deref(), self.positions.as_deref())?;
        if let Some(file) = &self.values {
            Values::check_writable(file).map_err(|error| Failure::usage("--values", error))?;
        }
        apart("--svg", self.svg.as_deref(), used())?;
        let mut sink = self.output.open_apart(used())?;
        let mut svg = picture::open(self.svg.as_deref(), &sink)?;
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let values = Values::new(memory, pool.current_num_threads(), Arc::clone(&control));
        let mut unread = None;
        if let Some(file) = self.values.as_deref().filter(|file| file.exists()) {
            match values.load(file) {
                Ok(()) => {}
                // What was read is good all the same; the rest is still in the file.
                Err(error) if error.is_limit() => unread = Some(error),
                Err(error) => return Err(Failure::Run(error.to_string())),
            }
        }
        if let Some(error) = &unread {
            let note = format!("{error}; the rest of the file was not read, and it is left as it is");
            Messages::new(console, self.output.quiet).note(note);
        }
        if self.output.format == Format::Csv {
            sink.write(console, &csv_header("position"))?;
        }
        let mut reasons = Vec::new();
        for position in &positions {
            let mut told = Told::default();
            let (report, found) = pool.install(|| self.report(position, &values, &mut told));
            let bytes = match self.output.format {
                Format::Json => json_line(&report)?,
                Format::Csv => report.worth.csv(&report.position, report.seconds),
                Format::Text => report.text(position, &found, &mut told).into_bytes(),
            };
            reasons.extend(told.reason());
            sink.write(console, &bytes)?;
            if self.output.format == Format::Text && self.positions.is_some() {
                sink.write(console, b"\n")?;
            }
            if let (Some(svg), Some(walls)) = (&mut svg, report.worth.walls()) {
                svg.write(console, thermograph::svg(walls).as_bytes())?;
            }
        }
        sink.finish()?;
        if let Some(svg) = svg.filter(|_| reasons.is_empty()) {
            svg.finish()?;
        }
        if let Some(file) = self.values.as_ref().filter(|_| unread.is_none()) {
            values.save(file).map_err(|error| Failure::Run(format!("the values are not saved: {error}")))?;
        }
        let Some(first) = reasons.first() else { return Ok(Outcome::Complete) };
        let why = why(first, &control);
        let (unknown, all, parts, forms) = (reasons.len(), positions.len(), values.len(), values.games().len());
        let memory = MemorySize::from_bytes(values.bytes());
        let note =
            format!("{why}: {unknown} of {all} positions not known ({parts} parts, {forms} canonical forms, {memory})");
        Messages::new(console, self.output.quiet).note(note);
        Ok(Outcome::Unanswered)
    }

    /// Prints the parts of each position.
    fn split_only(&self, console: &mut Console<'_>, positions: &[Position]) -> Result<Outcome, Failure> {
        let mut sink = self.output.open_apart(self.positions.as_deref())?;
        if self.output.format == Format::Csv {
            sink.write(console, &csv_line(&["position", "parts", "largest", "dead"]))?;
        }
        for position in positions {
            let (found, dead) = parts(position, self.split());
            let names = |cells: &[Cell]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
            let report = PartsReport {
                position: position.board_text(),
                parts: found.iter().map(|part| Stones { cells: names(&part.stones) }).collect(),
                dead: names(&dead),
            };
            let largest = found.iter().map(|part| part.stones.len()).max().unwrap_or(0);
            let bytes = match self.output.format {
                Format::Json => json_line(&report)?,
                Format::Csv => csv_line(&[
                    &report.position,
                    &found.len().to_string(),
                    &largest.to_string(),
                    &dead.len().to_string(),
                ]),
                Format::Text => {
                    let diagram = parts_diagram(position, |at| found[at].cells.as_slice(), found.len(), &dead);
                    format!("{}\n\n{}\n{diagram}", report.position, text::position(position)).into_bytes()
                }
            };
            sink.write(console, &bytes)?;
        }
        sink.finish()?;
        Ok(Outcome::Complete)
    }

    fn split(&self) -> Split {
        match self.split {
            SplitHow::Closure => Split::Closure,
            SplitHow::Counted => Split::Counted,
            SplitHow::Exact => self.split_limit.map_or(Split::Fitting, Split::Exact),
        }
    }

    fn report(&self, position: &Position, values: &Values, told: &mut Told) -> (Report, PositionValue) {
        let started = Instant::now();
        let games = values.games();
        let found = values.position(position, self.split());
        let worth = Worth::new(games, &found.value, found.outcome.clone(), found.mean.clone(), told);
        // A row of csv has neither parts nor options, and what is not shown must not be missing.
        let shown = self.output.format != Format::Csv;
        let options = if shown && found.value.is_ok() { values.options(position, &found) } else { Vec::new() };
        let parts = found.parts.iter().filter(|_| shown).map(|(part, value)| PartRow {
            cells: part.stones.iter().map(ToString::to_string).collect(),
            value: told.value(games, value.clone()),
        });
        let parts = parts.collect();
        let options = options.into_iter().map(|(side, mv, value)| OptionRow {
            side,
            mv: mv.to_string(),
            value: told.value(games, value),
        });
        let report = Report {
            position: position.board_text(),
            kind: worth.kind(),
            thermograph: worth.walls().map(Walls::of),
            worth,
            parts,
            dead: found.dead.iter().map(ToString::to_string).collect(),
            options: options.collect(),
            work: Work {
                parts: values.len(),
                canonical_forms: games.len(),
                bytes: values.bytes(),
                parts_by_stones: found.value.is_err().then(|| values.parts_by_stones()),
            },
            seconds: seconds(started.elapsed()),
        };
        (report, found)
    }
}

impl Report {
    fn text(&self, position: &Position, found: &PositionValue, told: &mut Told) -> String {
        let mut text = format!("{}\n\n{}\n", self.position, text::position(position));
        let parts = &found.parts;
        if !parts.is_empty() {
            let cells = |at: usize| parts[at].0.cells.as_slice();
            text += &parts_diagram(position, cells, parts.len(), &found.dead);
        }
        if !parts.is_empty() {
            let mut table = Table::new(&["part", "value", "stones"]);
            for (at, row) in self.parts.iter().enumerate() {
                table.row(vec![label(at).to_string(), short(&row.value), row.cells.join(" ")]);
            }
            text += &format!("\n{}\n", table.text());
        }
        text += &self.worth.lines(["Black", "White"]);
        text += &self.worth.thermograph(told);
        if !self.options.is_empty() {
            let mut table = Table::new(&["side", "move", "leads to"]);
            for row in &self.options {
                table.row(vec![row.side.name().to_owned(), row.mv.clone(), short(&row.value)]);
            }
            text += &format!("\n{}", table.text());
        }
        text
    }
}

/// The diagram of `count` parts, the cells of each as `cells` tells.
fn parts_diagram<'a>(position: &Position, cells: impl Fn(usize) -> &'a [Cell], count: usize, dead: &[Cell]) -> String {
    let mark = |cell| match (0..count).find(|&at| cells(at).contains(&cell)) {
        Some(at) => Mark::plain(label(at)),
        None if dead.contains(&cell) => Mark::plain('#'),
        None => Mark::plain('.'),
    };
    format!("  The parts (# stones that take no part):\n\n{}", text::diagram(position.size(), false, mark))
}

/// The letter of a part; after Z they begin again.
fn label(at: usize) -> char {
    char::from(b'A' + (at % 26) as u8)
}

/// A position; a side to move may be named and makes no difference.
fn position(text: &str) -> Result<Position, String> {
    let setup: Setup = text.parse().map_err(|error: SetupTextError| error.to_string())?;
    let found = setup.position(Some(Side::Black)).or_else(|error| match error.turn_conflict {
        Some(_) => setup.position(Some(Side::White)),
        None => Err(error),
    });
    found.map_err(|error| error.to_string())
}

/// The positions of a file, all of them checked.
fn read(file: &Path) -> Result<Vec<Position>, Failure> {
    super::positions::lines("--positions", file, position)
}
