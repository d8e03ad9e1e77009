//! What is known of many boards, read from lines of records.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::board::Size;
use crate::konane::{Opening, Side};

use super::record::{Line, NoteRecord, OpeningRecord};
use super::{Board, StudyError};

/// Where a line stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: Arc<Path>,
    /// The line, from 1.
    pub line: usize,
}

/// A record with the line it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<T> {
    /// The record.
    pub record: T,
    /// The line as it was read, without the line feed.
    pub text: String,
    /// Where it stands.
    pub origin: Origin,
}

/// Two records of one opening that contradict each other: one of them is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{opening} on {size}: {first} and {second} contradict each other: {first_text} and {second_text}", size = board.size)]
pub struct Conflict {
    /// The board.
    pub board: Board,
    /// The canonical opening.
    pub opening: Opening,
    /// Where the first record stands.
    pub first: Origin,
    /// Its line.
    pub first_text: String,
    /// Where the second record stands.
    pub second: Origin,
    /// Its line.
    pub second_text: String,
}

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// After a line feed, or it is empty.
    Whole,
    /// The last line is a record whose line feed is missing.
    Unended,
    /// The last line is a part of a record: its writer was killed, or the disk was full.
    Torn {
        /// The line, from 1.
        line: usize,
        /// Bytes before it.
        good: usize,
    },
}

/// Boards in the order of files: by cells, rows, top-left cell, rules.
type BoardKey = (usize, Size, Side, u8, u8);

fn board_key(board: Board) -> BoardKey {
    let rules = board.rules;
    (board.size.cells(), board.size, rules.top_left, rules.first_removal as u8, rules.second_removal as u8)
}

/// Openings of a board in the order of the board.
type OpeningKey = (usize, usize);

fn opening_key(size: Size, opening: Opening) -> OpeningKey {
    (size.index(opening.black).unwrap_or(usize::MAX), size.index(opening.white).unwrap_or(usize::MAX))
}

/// Records of one board.
#[derive(Clone, Debug, PartialEq)]
struct Page {
    board: Board,
    note: Option<Entry<NoteRecord>>,
    openings: BTreeMap<OpeningKey, Entry<OpeningRecord>>,
}

/// Records of many boards, one for each canonical opening.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    pages: BTreeMap<BoardKey, Page>,
}

impl Records {
    /// Adds a record and says whether it is new; of two that agree the first stays.
    ///
    /// # Errors
    /// When it contradicts one that is there; nothing is changed.
    pub fn add(&mut self, line: Line, text: String, origin: Origin) -> Result<bool, Box<Conflict>> {
        let board = line.board();
        let new = || Page { board, note: None, openings: BTreeMap::new() };
        let page = self.pages.entry(board_key(board)).or_insert_with(new);
        match line {
            Line::Note(record) => {
                let is_new = page.note.is_none();
                page.note.get_or_insert(Entry { record, text, origin });
                Ok(is_new)
            }
            Line::Opening(record) => {
                let opening = record.opening().canonical(board.size);
                let key = opening_key(board.size, opening);
                match page.openings.get(&key) {
                    Some(first) if first.record.winner == record.winner => Ok(false),
                    Some(first) => Err(Box::new(Conflict {
                        board,
                        opening,
                        first: first.origin.clone(),
                        first_text: first.text.clone(),
                        second: origin,
                        second_text: text,
                    })),
                    None => {
                        page.openings.insert(key, Entry { record, text, origin });
                        Ok(true)
                    }
                }
            }
        }
    }

    /// Reads all lines of a file. Conflicts are collected, the first records of them stay; gives how the file ends and how
    /// many lines repeat known records. A torn last line is passed over.
    ///
    /// # Errors
    /// At the first line, a torn last one apart, that is no record.
    pub fn read(
        &mut self,
        path: &Path,
        bytes: &[u8],
        conflicts: &mut Vec<Conflict>,
    ) -> Result<(Tail, usize), StudyError> {
        let file: Arc<Path> = path.into();
        let mut tail = Tail::Whole;
        let (mut good, mut repeated) = (0, 0);
        for (line, piece) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let ended = piece.ends_with(b"\n");
            let parsed = std::str::from_utf8(piece).map_err(|error| format!("not a record of a study: {error}"));
            let parsed = parsed.and_then(|text| Ok((Line::parse(text)?, text.trim().to_owned())));
            match parsed {
                Ok((record, text)) => {
                    match self.add(record, text, Origin { file: Arc::clone(&file), line }) {
                        Ok(is_new) => repeated += usize::from(!is_new),
                        Err(conflict) => conflicts.push(*conflict),
                    }
                    tail = if ended { Tail::Whole } else { Tail::Unended };
                }
                Err(_) if !ended && could_be_torn(piece) => tail = Tail::Torn { line, good },
                Err(reason) => return Err(StudyError::BadLine { path: path.to_owned(), line, reason }),
            }
            good += piece.len();
        }
        Ok((tail, repeated))
    }

    /// The winner of a canonical opening, where it is known.
    pub fn winner(&self, board: Board, opening: Opening) -> Option<Side> {
        self.opening(board, opening).map(|entry| entry.record.winner)
    }

    /// The record of a canonical opening.
    pub fn opening(&self, board: Board, opening: Opening) -> Option<&Entry<OpeningRecord>> {
        self.pages.get(&board_key(board))?.openings.get(&opening_key(board.size, opening))
    }

    /// The note of a board.
    pub fn note(&self, board: Board) -> Option<&Entry<NoteRecord>> {
        self.pages.get(&board_key(board))?.note.as_ref()
    }

    /// The boards that have a record, in the order of files.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        self.pages.values().map(|page| page.board)
    }

    /// The records of openings of a board, in the order of files.
    pub fn openings(&self, board: Board) -> impl Iterator<Item = &Entry<OpeningRecord>> {
        self.pages.get(&board_key(board)).into_iter().flat_map(|page| page.openings.values())
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.pages.values().map(|page| page.openings.len() + usize::from(page.note.is_some())).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All lines as they were read, in the order of files, each ended by a line feed.
    pub fn to_text(&self) -> String {
        let lines = self.pages.values().flat_map(|page| {
            let notes = page.note.iter().map(|entry| &entry.text);
            notes.chain(page.openings.values().map(|entry| &entry.text))
        });
        lines.flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// Whether an unended line that is no record began as one. Anything else is not ours to cut off. After a power failure
/// some file systems leave zero bytes where the last write would have been.
fn could_be_torn(piece: &[u8]) -> bool {
    let written = piece.iter().position(|&byte| byte == 0).unwrap_or(piece.len());
    let start = OpeningRecord::START.as_bytes();
    let common = start.len().min(written);
    piece[..common] == start[..common] && piece[written..].iter().all(|&byte| byte == 0)
}

impl Origin {
    /// A line of a file.
    pub fn new(file: impl Into<PathBuf>, line: usize) -> Origin {
        Origin { file: file.into().into(), line }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.file.display(), self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_record_is_torn() {
        for torn in [r#"{"#, r#"{"game":"konane","bo"#, "\0\0", "{\"ga\0\0", r#"{"game":"konane",}"#] {
            assert!(could_be_torn(torn.as_bytes()), "{torn}");
        }
        for foreign in ["# Notes", r#"{"game":"kota","#, "{\"ga\0me", " {", "x\0"] {
            assert!(!could_be_torn(foreign.as_bytes()), "{foreign}");
        }
    }
}
