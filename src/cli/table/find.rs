//! `papamu table find`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::konane::Side;
use crate::tables::{Found, Query, Span, Table, find, winner};

use super::super::messages::{Failure, stopped};
use super::super::options::{Format, OutputArgs, ThreadArgs, TimeArgs, whole};
use super::super::progress::with_progress;
use super::super::report::{csv_table, json_line};
use super::super::{Console, Outcome, text};
use super::{failure, open};

/// Find positions of a table by property
///
/// Ranges are one number (7) or two with dots between (7..12, both included; 7.. and ..12 are open). Positions come in the order
/// of the table, those with most stones first, or the longest first.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu table find 5x5.table --longest                     the longest wins
  papamu table find 5x5.table --winning-moves 1 --moves 6.. --stones ..14    only one of many moves wins
  papamu table find 5x5.table --remoteness 9 --turn x --format csv")]
pub(in super::super) struct FindArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Positions with this side to move: x (black) or o (white).
    #[arg(long, value_name = "SIDE", help_heading = "Properties")]
    turn: Option<Side>,
    /// Positions that this side wins.
    #[arg(long, value_name = "SIDE", help_heading = "Properties")]
    winner: Option<Side>,
    /// Positions with this number of stones.
    #[arg(long, value_name = "RANGE", value_parser = span, help_heading = "Properties")]
    stones: Option<Span>,
    /// Positions with this number of plies to the end.
    #[arg(long, value_name = "RANGE", value_parser = span, help_heading = "Properties")]
    remoteness: Option<Span>,
    /// Positions with this number of legal moves.
    #[arg(long, value_name = "RANGE", value_parser = span, help_heading = "Properties")]
    moves: Option<Span>,
    /// Positions with this number of winning moves.
    #[arg(long, value_name = "RANGE", value_parser = span, help_heading = "Properties")]
    winning_moves: Option<Span>,
    /// The longest first.
    #[arg(long)]
    longest: bool,
    /// At most this many positions.
    #[arg(short = 'n', long, value_name = "N", default_value = "10", value_parser = whole::<u64>(1, 1_000_000))]
    count: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: TimeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl FindArgs {
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let table = open(&self.file)?;
        let query = Query {
            turn: self.turn,
            winner: self.winner,
            stones: self.stones,
            remoteness: self.remoteness,
            moves: self.moves,
            winning_moves: self.winning_moves,
            longest: self.longest,
            limit: self.count as usize,
        };
        let mut sink = self.output.open_apart([&*self.file])?;
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let work = || pool.install(|| find(&table, &query, &control));
        let (found, all) = with_progress(self.output.progress(console), &control, work).map_err(failure)?;
        let rows = found.iter().map(|found| Row::new(&table, found));
        let bytes = match self.output.format {
            Format::Json => rows.map(|row| row.json()).collect::<Result<Vec<_>, _>>()?.concat(),
            Format::Csv => csv_table(&Row::HEADER, rows.map(Row::fields)),
            Format::Text if found.is_empty() => b"No such position.\n".to_vec(),
            Format::Text => {
                let mut lines =
                    text::Table::new(&["position", "winner", " plies", " stones", " moves", " winning moves"]);
                rows.for_each(|row| lines.row(row.fields_of_text()));
                lines.text().into_bytes()
            }
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        match all {
            true => Ok(Outcome::Complete),
            false => Ok(stopped(console, self.output.quiet, &control, "not everything was looked at")),
        }
    }
}

struct Row {
    position: String,
    turn: Side,
    winner: Side,
    remoteness: u8,
    stones: u32,
    moves: u32,
    winning_moves: u32,
}

impl Row {
    const HEADER: [&'static str; 7] = ["position", "turn", "winner", "remoteness", "stones", "moves", "winning_moves"];

    fn new(table: &Table, found: &Found) -> Row {
        let turn = found.entry.packed.turn;
        Row {
            position: table.position(found.entry).board_text(),
            turn,
            winner: winner(turn, found.entry.remoteness),
            remoteness: found.entry.remoteness,
            stones: found.entry.packed.occupied.count_ones(),
            moves: found.moves,
            winning_moves: found.winning_moves,
        }
    }

    fn json(&self) -> Result<Vec<u8>, Failure> {
        json_line(&json!({
            "position": self.position, "turn": self.turn.letter(), "winner": self.winner, "remoteness": self.remoteness,
            "stones": self.stones, "moves": self.moves, "winning_moves": self.winning_moves
        }))
    }

    fn fields(self) -> Vec<String> {
        let numbers = [self.remoteness.into(), self.stones, self.moves, self.winning_moves];
        let words = [self.position, self.turn.letter().to_string(), self.winner.name().to_owned()];
        words.into_iter().chain(numbers.iter().map(u32::to_string)).collect()
    }

    fn fields_of_text(self) -> Vec<String> {
        let mut fields = self.fields();
        let turn = fields.remove(1);
        fields[0] += &format!(" {turn}");
        fields
    }
}

fn span(text: &str) -> Result<Span, String> {
    let refused = || {
        format!("`{text}` is not a range: expected a number, such as 7, or two with dots, such as 7..12, 7.. or ..12")
    };
    let number = |text: &str| text.parse::<u32>().map_err(|_| refused());
    match text.split_once("..") {
        None => number(text).map(|number| number..=number),
        Some((first, last)) => {
            let first = if first.is_empty() { 0 } else { number(first)? };
            let last = if last.is_empty() { u32::MAX } else { number(last.trim_start_matches('='))? };
            if first <= last { Ok(first..=last) } else { Err(refused()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_one_or_two_numbers() {
        for (text, range) in [("7", 7..=7), ("7..12", 7..=12), ("..3", 0..=3), ("4..", 4..=u32::MAX), ("1..=2", 1..=2)]
        {
            assert_eq!(span(text), Ok(range));
        }
        for bad in ["", "x", "5..3", "1-2", "-1", "1..2..3"] {
            assert!(span(bad).is_err(), "{bad}");
        }
    }
}
