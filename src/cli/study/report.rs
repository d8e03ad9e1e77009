//! The shape of summaries of a study.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::konane::{Opening, Rules};
use crate::study::{BoardSummary, NoteKind};

use super::super::messages::Failure;
use super::super::options::Format;
use super::super::report::{Verdict, csv_table, json_line};
use super::super::text::{Table, thousands};

/// Everything that is known of some boards.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    game: &'static str,
    boards: Vec<BoardRow>,
    openings: usize,
    known: usize,
    nodes: u64,
    seconds: f64,
    threads: BTreeSet<usize>,
    memory: BTreeSet<u64>,
    versions: BTreeSet<String>,
}

#[derive(Debug, Serialize)]
struct BoardRow {
    board: String,
    rules: Rules,
    winner: Verdict,
    removals: Vec<RemovalRow>,
    openings: usize,
    known: usize,
    missing: Vec<String>,
    nodes: u64,
    seconds: f64,
    note: Option<NoteKind>,
}

#[derive(Debug, Serialize)]
struct RemovalRow {
    black: String,
    winner: Verdict,
    winning_replies: Vec<String>,
    /// Replies whose winner is known, of all: a list of winning replies is complete if they are equal.
    known: usize,
    replies: usize,
}

impl Summary {
    /// The summary of these boards.
    pub(super) fn new(boards: &[BoardSummary]) -> Result<Summary, Failure> {
        let rows: Vec<BoardRow> = boards.iter().map(BoardRow::new).collect();
        let union = |of: &dyn Fn(&BoardSummary) -> Vec<String>| boards.iter().flat_map(of).collect();
        Ok(Summary {
            game: "konane",
            openings: rows.iter().map(|row| row.openings).sum(),
            known: rows.iter().map(|row| row.known).sum(),
            nodes: rows.iter().map(|row| row.nodes).sum(),
            seconds: to_micros(rows.iter().map(|row| row.seconds).sum()),
            boards: rows,
            threads: boards.iter().flat_map(|board| board.threads.iter().copied()).collect(),
            memory: boards.iter().flat_map(|board| board.memory.iter().copied()).collect(),
            versions: union(&|board| board.versions.iter().cloned().collect()),
        })
    }

    /// The summary in a format.
    pub(super) fn bytes(&self, format: Format) -> Result<Vec<u8>, Failure> {
        Ok(match format {
            Format::Json => json_line(self)?,
            Format::Csv => self.csv(),
            Format::Text => self.text().into_bytes(),
        })
    }

    /// One row for each first removal.
    fn csv(&self) -> Vec<u8> {
        let header = [
            "board",
            "top_left",
            "first_removal",
            "second_removal",
            "game_winner",
            "black",
            "winner",
            "winning_replies",
            "known",
            "replies",
        ];
        let rows = self.boards.iter().flat_map(|board| {
            board.removals.iter().map(|removal| {
                vec![
                    board.board.clone(),
                    board.rules.top_left.to_string(),
                    board.rules.first_removal.to_string(),
                    board.rules.second_removal.to_string(),
                    board.winner.name().to_owned(),
                    removal.black.clone(),
                    removal.winner.name().to_owned(),
                    removal.winning_replies.join(" "),
                    removal.known.to_string(),
                    removal.replies.to_string(),
                ]
            })
        });
        csv_table(&header, rows)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // One table for each rule set but for the top-left cell, which has a column.
        let sets: BTreeSet<_> = self.boards.iter().map(|board| rule_set(&board.rules)).collect();
        for set in sets {
            let boards: Vec<_> = self.boards.iter().filter(|board| rule_set(&board.rules) == set).collect();
            let rules = boards[0].rules;
            text += &format!("first removal {}, second removal {}\n\n", rules.first_removal, rules.second_removal);
            let headings = ["board", "top left", "winner", "Black wins by removing", " solved", " nodes", " seconds"];
            let mut table = Table::new(&headings);
            for board in boards {
                table.row(vec![
                    board.board.clone(),
                    board.rules.top_left.to_string(),
                    board.winner_text().to_owned(),
                    board.winning_removals(),
                    format!("{} of {}", board.known, board.openings),
                    thousands(board.nodes),
                    format!("{:.3}", board.seconds),
                ]);
            }
            text += &table.text();
            text += "\n";
        }
        if self.boards.is_empty() {
            return "no opening is recorded\n".to_owned();
        }
        text + &format!(
            "{} of {} openings solved: {} nodes, {:.3} s of search\n",
            thousands(self.known),
            thousands(self.openings),
            thousands(self.nodes),
            self.seconds
        )
    }
}

fn rule_set(rules: &Rules) -> (u8, u8) {
    (rules.first_removal as u8, rules.second_removal as u8)
}

/// A sum of times without the digits that only rounding made, nor the sign that the sum of nothing has.
fn to_micros(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6 + 0.0
}

impl BoardRow {
    fn new(summary: &BoardSummary) -> BoardRow {
        let removals = summary.answer.removals.iter().map(|removal| {
            let replies = summary.answer.openings.iter().filter(|row| row.opening.black == removal.black);
            RemovalRow {
                black: removal.black.to_string(),
                winner: Verdict(removal.winner),
                winning_replies: removal.winning_replies.iter().map(ToString::to_string).collect(),
                known: replies.clone().filter(|row| row.answer.winner.is_some()).count(),
                replies: replies.count(),
            }
        });
        BoardRow {
            board: summary.board.size.to_string(),
            rules: summary.board.rules,
            winner: Verdict(summary.answer.winner),
            removals: removals.collect(),
            openings: summary.openings,
            known: summary.openings - summary.missing.len(),
            missing: summary.missing.iter().map(Opening::to_string).collect(),
            nodes: summary.nodes,
            seconds: to_micros(summary.seconds),
            note: summary.note.as_ref().map(|note| note.note),
        }
    }

    fn winner_text(&self) -> &'static str {
        match self.note {
            Some(NoteKind::NoFirstRemoval) => "no game",
            _ => self.winner.name(),
        }
    }

    fn winning_removals(&self) -> String {
        let black = self.removals.iter().filter(|removal| removal.winner.name() == "black");
        let cells: Vec<_> = black.map(|removal| removal.black.as_str()).collect();
        let open = self.removals.iter().filter(|removal| removal.winner == Verdict(None)).count();
        match (cells.is_empty(), open) {
            (true, 0) => "-".to_owned(),
            (true, open) => format!("({open} unknown)"),
            (false, 0) => cells.join(" "),
            (false, open) => format!("{} ({open} unknown)", cells.join(" ")),
        }
    }
}
