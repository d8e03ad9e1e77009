//! What a person typed, before it is known to be a position.

use std::fmt;
use std::str::FromStr;

use crate::board::{Cell, CellSet, Size, SizeError, Wide};

use super::{Position, Side};

/// Stones on a board and perhaps a side to move; nothing else is promised.
///
/// Text: rows from top to bottom separated by `/`, `|` or line breaks, `x` Black, `o` White, `.` empty; then, after a
/// blank, optionally the side to move. The side may also stand in place of a last row: on a line of its own or after a
/// last `/`, where the rows before are of one length and longer than one cell. On a board one cell wide it is a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The size of the board.
    pub size: Size,
    /// The stones by the index of their cells; as long as the board has cells.
    pub stones: Vec<Option<Side>>,
    /// The side to move, where the text names one.
    pub turn: Option<Side>,
}

/// Why a text is not a set-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupTextError {
    /// There are no rows.
    #[error("the position is empty: expected rows of x, o and . separated by /")]
    Empty,
    /// There are rows, but no cells in them.
    #[error("the rows of the position are empty: expected rows of x, o and . separated by /")]
    EmptyRows,
    /// Rows of different length.
    #[error("row {row} from the top has {found} {}: expected {expected}, as in the first row", if *found == 1 { "cell" } else { "cells" })]
    Ragged {
        /// The row, counted from the top, from 1.
        row: usize,
        /// Cells in the first row.
        expected: usize,
        /// Cells in this row.
        found: usize,
    },
    /// A character that stands for nothing.
    #[error("`{found}` in row {row} from the top, column {column}: expected x (Black), o (White) or . (empty)")]
    UnknownLetter {
        /// The character.
        found: char,
        /// The row, counted from the top, from 1.
        row: usize,
        /// The column, counted from the left, from 1.
        column: usize,
    },
    /// Words after the position that are not a side.
    #[error("`{found}` after the position: expected the side to move (x, black, o or white) or nothing")]
    Trailing {
        /// The words.
        found: String,
    },
    /// Two sides to move.
    #[error("`{second}` after the side to move `{first}`: expected one side to move")]
    SecondTurn {
        /// The side to move.
        first: String,
        /// What follows it.
        second: String,
    },
    /// The board has an impossible size.
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// A stone on a cell of the other colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// The cell.
    pub cell: Cell,
    /// The owner of the stone on it.
    pub side: Side,
}

/// Every reason why a set-up is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct SetupError {
    /// Stones on the wrong colour, where the colouring is the one that most stones (of equals: the first stone) obey.
    pub misplaced: Vec<Misplaced>,
    /// The owner of the top-left cell in that colouring.
    pub top_left: Side,
    /// The side to move is named neither in the text nor by the caller.
    pub turn_missing: bool,
    /// The text names one side to move and the caller the other: `(text, caller)`.
    pub turn_conflict: Option<(Side, Side)>,
}

impl SetupError {
    /// How many wrong stones the message names; a whole board of them would help nobody.
    const NAMED: usize = 8;

    fn message(&self) -> String {
        let mut reasons = Vec::new();
        if !self.misplaced.is_empty() {
            let named = self.misplaced.iter().take(SetupError::NAMED);
            let mut stones: Vec<_> = named
                .map(|m| format!("{}: a {} stone on a {} cell", m.cell, m.side.title(), m.side.other().title()))
                .collect();
            if self.misplaced.len() > SetupError::NAMED {
                stones.push(format!("and {} more", self.misplaced.len() - SetupError::NAMED));
            }
            reasons.push(format!(
                "{} (the stones must respect one chequered colouring; with {} on the top-left cell, as most stones have it, {} wrong)",
                stones.join(", "),
                self.top_left.title(),
                if stones.len() == 1 { "this one is" } else { "these are" },
            ));
        }
        if self.turn_missing {
            reasons.push("the side to move is missing: add x or o after the position, or give --turn".to_owned());
        }
        if let Some((text, caller)) = self.turn_conflict {
            reasons.push(format!("the position says that {text} is to move, but --turn says {caller}"));
        }
        reasons.join("; ")
    }
}

impl Setup {
    /// The position of this set-up, with `turn` to move where the set-up names no side.
    ///
    /// # Errors
    /// Every reason at once: stones that respect no chequered colouring, no side to move, or two different ones.
    pub fn position(&self, turn: Option<Side>) -> Result<Position, SetupError> {
        let mut error =
            SetupError { misplaced: Vec::new(), top_left: self.top_left(), turn_missing: false, turn_conflict: None };
        error.misplaced = self.misplaced(error.top_left);
        let turn = match (self.turn, turn) {
            (Some(text), Some(caller)) if text != caller => {
                error.turn_conflict = Some((text, caller));
                None
            }
            (text, caller) => {
                let turn = text.or(caller);
                error.turn_missing = turn.is_none();
                turn
            }
        };
        match turn {
            Some(turn) if error.misplaced.is_empty() => {
                let occupied = (0..self.stones.len())
                    .filter(|&index| self.stones[index].is_some())
                    .fold(Wide::empty(), |set, index| set | Wide::single(index));
                Ok(Position::from_parts(self.size, error.top_left, occupied, turn))
            }
            _ => Err(error),
        }
    }

    fn owner(&self, top_left: Side, index: usize) -> Side {
        let cols = self.size.cols();
        if (index / cols + index % cols).is_multiple_of(2) { top_left } else { top_left.other() }
    }

    fn misplaced(&self, top_left: Side) -> Vec<Misplaced> {
        (0..self.stones.len())
            .filter_map(|index| {
                let side = self.stones[index]?;
                (side != self.owner(top_left, index)).then(|| Misplaced { cell: self.size.cell(index), side })
            })
            .collect()
    }

    /// The owner of the top-left cell by the vote of the stones; Black on a board without stones.
    fn top_left(&self) -> Side {
        let stones = self.stones.iter().flatten().count();
        let wrong = self.misplaced(Side::Black).len();
        match (2 * wrong).cmp(&stones) {
            std::cmp::Ordering::Less => Side::Black,
            std::cmp::Ordering::Greater => Side::White,
            std::cmp::Ordering::Equal => {
                let first = self.stones.iter().position(Option::is_some);
                match first {
                    Some(index) if self.stones[index] != Some(self.owner(Side::Black, index)) => Side::White,
                    _ => Side::Black,
                }
            }
        }
    }
}

impl FromStr for Setup {
    type Err = SetupTextError;

    fn from_str(text: &str) -> Result<Setup, SetupTextError> {
        let (rows_text, mut turn) = split_turn(text.trim())?;
        if rows_text.is_empty() {
            return Err(SetupTextError::Empty);
        }
        let mut rows: Vec<&str> = rows_text.split(['/', '|', '\n']).map(str::trim).collect();
        let expected = rows[0].chars().count();
        if let (None, [above @ .., last]) = (turn, &rows[..])
            && let Ok(side) = last.parse()
            && expected > 1
            && above.iter().all(|row| row.chars().count() == expected)
            && !above.is_empty()
        {
            turn = Some(side);
            rows.pop();
        }
        if rows.iter().all(|row| row.is_empty()) {
            return Err(SetupTextError::EmptyRows);
        }
        let mut stones = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                stones.push(match letter {
                    '.' => None,
                    'x' | 'X' => Some(Side::Black),
                    'o' | 'O' => Some(Side::White),
                    found => return Err(SetupTextError::UnknownLetter { found, row: row + 1, column: column + 1 }),
                });
            }
            let found = line.chars().count();
            if found != expected {
                return Err(SetupTextError::Ragged { row: row + 1, expected, found });
            }
        }
        Ok(Setup { size: Size::new(rows.len(), expected)?, stones, turn })
    }
}

/// Cuts the side to move off the end: a last word after a blank, or `black`/`white` after any white space (whether a lone
/// `x` or `o` on a line of its own is a row depends on the other rows).
fn split_turn(text: &str) -> Result<(&str, Option<Side>), SetupTextError> {
    let Some(at) = text.rfind(char::is_whitespace) else { return Ok((text, None)) };
    let (rows, word) = (text[..at].trim_end(), text[at..].trim_start());
    // Blanks around a separator are no more than that: what follows is a row.
    if rows.ends_with(['/', '|']) || word.starts_with(['/', '|']) {
        return Ok((text, None));
    }
    let own_line = text[rows.len()..].contains('\n');
    match word.parse::<Side>() {
        Ok(turn) if word.len() > 1 || !own_line => match second_turn(rows) {
            Some(first) => Err(SetupTextError::SecondTurn { first: first.to_owned(), second: word.to_owned() }),
            None => Ok((rows, Some(turn))),
        },
        _ if own_line => Ok((text, None)),
        _ => Err(SetupTextError::Trailing { found: word.to_owned() }),
    }
}

/// The side to move after rows that should end here.
fn second_turn(rows: &str) -> Option<&str> {
    let last = rows.rsplit(['/', '|', '\n']).next()?;
    let (row, word) = last.trim().rsplit_once(char::is_whitespace)?;
    (!row.is_empty() && word.parse::<Side>().is_ok()).then_some(word)
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (row, stones) in self.stones.chunks(self.size.cols()).enumerate() {
            if row > 0 {
                text.push('/');
            }
            text.extend(stones.iter().map(|stone| stone.map_or('.', Side::letter)));
        }
        if let Some(turn) = self.turn {
            text.push(' ');
            text.push(turn.letter());
        }
        f.pad(&text)
    }
}
