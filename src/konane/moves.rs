//! A move of the jumping phase.

use std::fmt;
use std::str::FromStr;

use crate::board::{Cell, CellError};

use super::Side;

/// A jump, or several in one direction, as the cell left and the cell reached: `c3-c7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the stone stood.
    pub from: Cell,
    /// Where it stands afterwards.
    pub to: Cell,
}

/// A text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// There is no `-` between two cells.
    #[error("`{found}` is not a move: expected FROM-TO, such as c3-c5")]
    Malformed {
        /// The text as it was given.
        found: String,
    },
    /// One of the two cells is not a cell.
    #[error("`{found}` is not a move: {source}")]
    Cell {
        /// The text as it was given.
        found: String,
        /// Which part is wrong.
        source: CellError,
    },
}

/// Which rule a move breaks. Every message names the move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// A cell lies outside the board.
    #[error("{mv}: {cell} is not on the board")]
    OffBoard {
        /// The move.
        mv: Move,
        /// The cell outside.
        cell: Cell,
    },
    /// No stone to move.
    #[error("{mv}: {cell} is empty", cell = mv.from)]
    NoStone {
        /// The move.
        mv: Move,
    },
    /// The stone belongs to the opponent.
    #[error("{mv}: the stone on {cell} is not {turn}'s, who is to move", cell = mv.from, turn = turn.title())]
    NotYours {
        /// The move.
        mv: Move,
        /// The side to move.
        turn: Side,
    },
    /// The two cells are not an even distance apart on one row or column.
    #[error("{mv}: a stone jumps along its row or column by an even number of cells")]
    NotALine {
        /// The move.
        mv: Move,
    },
    /// A jumped cell holds no enemy stone.
    #[error("{mv}: there is no {enemy} stone on {cell} to jump over", enemy = turn.other().title())]
    NothingToJump {
        /// The move.
        mv: Move,
        /// The cell that should hold an enemy stone.
        cell: Cell,
        /// The side to move.
        turn: Side,
    },
    /// A landing cell is taken.
    #[error("{mv}: {cell} is not empty")]
    Blocked {
        /// The move.
        mv: Move,
        /// The cell that should be empty.
        cell: Cell,
    },
}

impl MoveError {
    /// The move that breaks a rule.
    pub fn mv(&self) -> Move {
        match *self {
            MoveError::OffBoard { mv, .. }
            | MoveError::NoStone { mv }
            | MoveError::NotYours { mv, .. }
            | MoveError::NotALine { mv }
            | MoveError::NothingToJump { mv, .. }
            | MoveError::Blocked { mv, .. } => mv,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{}", self.from, self.to))
    }
}

impl FromStr for Move {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Move, MoveTextError> {
        let (from, to) = text.split_once('-').ok_or_else(|| MoveTextError::Malformed { found: text.to_owned() })?;
        let cell =
            |part: &str| part.parse::<Cell>().map_err(|source| MoveTextError::Cell { found: text.to_owned(), source });
        Ok(Move { from: cell(from)?, to: cell(to)? })
    }
}

impl serde::Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
