//! What the records say of each board.

use std::collections::BTreeSet;

use crate::konane::Opening;
use crate::search::{Answer, BoardAnswer};

use super::plan::units;
use super::record::NoteRecord;
use super::{Board, Records};

/// What is known of one board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardSummary {
    /// The board.
    pub board: Board,
    /// Who wins, by which removals and replies, symmetric images included.
    pub answer: BoardAnswer,
    /// Why there are no openings, where there are none.
    pub note: Option<NoteRecord>,
    /// Canonical openings of the rules.
    pub openings: usize,
    /// Canonical openings without a record.
    pub missing: Vec<Opening>,
    /// Nodes of all records.
    pub nodes: u64,
    /// Seconds of all records.
    pub seconds: f64,
    /// The thread counts of the records.
    pub threads: BTreeSet<usize>,
    /// The memory caps of the records in bytes.
    pub memory: BTreeSet<u64>,
    /// The versions of the records.
    pub versions: BTreeSet<String>,
}

impl BoardSummary {
    /// Whether the winner of each first removal is known.
    pub fn is_decided(&self) -> bool {
        self.answer.removals.iter().all(|removal| removal.winner.is_some())
    }
}

/// What is known of each board that has a record, in the order of files.
pub fn summaries(records: &Records) -> Vec<BoardSummary> {
    records.boards().map(|board| summary(records, board)).collect()
}

fn summary(records: &Records, board: Board) -> BoardSummary {
    let answer_of = |opening| records.opening(board, opening).map_or(Answer::default(), |entry| entry.record.answer());
    // Without a first removal there is no game and nobody wins.
    let nothing = BoardAnswer { winner: None, removals: Vec::new(), openings: Vec::new() };
    let all: Vec<Opening> = units(board, false).unwrap_or_default().into_iter().flatten().collect();
    let mut summary = BoardSummary {
        board,
        answer: BoardAnswer::from_known(board.size, &board.rules, &answer_of).unwrap_or(nothing),
        note: records.note(board).map(|entry| entry.record.clone()),
        openings: all.len(),
        missing: all.into_iter().filter(|&opening| records.winner(board, opening).is_none()).collect(),
        nodes: 0,
        seconds: 0.0,
        threads: BTreeSet::new(),
        memory: BTreeSet::new(),
        versions: BTreeSet::new(),
    };
    for entry in records.openings(board) {
        summary.nodes += entry.record.nodes;
        summary.seconds += entry.record.seconds;
        summary.threads.insert(entry.record.threads);
        summary.memory.insert(entry.record.memory);
        summary.versions.insert(entry.record.version.clone());
    }
    summary
}
