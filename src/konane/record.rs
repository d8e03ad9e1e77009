//! A whole game as text: removals, then moves, separated by blanks.

use std::fmt;

use crate::board::{Cell, CellError, Size};

use super::{Move, MoveError, MoveTextError, Opening, OpeningError, Position, Rules};

/// A game on a board under given rules, possibly unfinished: `a4 a3 c4-a4 …`. Every removal and move is legal.
///
/// ```
/// use papamu::konane::{Record, Rules};
/// let record = Record::parse("4x4".parse()?, Rules::default(), "a4 a3 c4-a4")?;
/// assert_eq!(record.to_string(), "a4 a3 c4-a4");
/// assert_eq!(record.position().unwrap().to_string(), "x..o/.xox/xoxo/oxox o");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    size: Size,
    rules: Rules,
    first: Option<Cell>,
    second: Option<Cell>,
    moves: Vec<Move>,
}

/// Why a text is not a legal game. Plies are counted from 1, the removals included.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A removal is not written as a cell.
    #[error("move {ply}: a removal is one cell: {source}")]
    RemovalText {
        /// Which ply.
        ply: usize,
        /// What is wrong.
        source: CellError,
    },
    /// A removal is not legal.
    #[error("move {ply}: {source}")]
    Removal {
        /// Which ply.
        ply: usize,
        /// Which rule it breaks.
        source: OpeningError,
    },
    /// A move is not written as one.
    #[error("move {ply}: {source}")]
    MoveText {
        /// Which ply.
        ply: usize,
        /// What is wrong.
        source: MoveTextError,
    },
    /// A move is not legal.
    #[error("move {ply}: {source}")]
    Move {
        /// Which ply.
        ply: usize,
        /// Which rule it breaks.
        source: MoveError,
    },
}

impl Record {
    /// A game with nothing played.
    pub fn new(size: Size, rules: Rules) -> Record {
        Record { size, rules, first: None, second: None, moves: Vec::new() }
    }

    /// Reads a game. Words are separated by any white space.
    ///
    /// # Errors
    /// The first ply that is not well written or not legal.
    pub fn parse(size: Size, rules: Rules, text: &str) -> Result<Record, RecordError> {
        let mut record = Record::new(size, rules);
        let mut words = text.split_whitespace();
        let mut position = None;
        for (ply, word) in (1..=2).zip(words.by_ref()) {
            let cell: Cell = word.parse().map_err(|source| RecordError::RemovalText { ply, source })?;
            position = record.remove(cell).map_err(|source| RecordError::Removal { ply, source })?;
        }
        for (ply, word) in (3..).zip(words) {
            let mv: Move = word.parse().map_err(|source| RecordError::MoveText { ply, source })?;
            // Two words were read, so both removals are made and there is a position.
            let Some(before) = position else { break };
            let after: Position = before.play(mv).map_err(|source| RecordError::Move { ply, source })?;
            record.moves.push(mv);
            position = Some(after);
        }
        Ok(record)
    }

    /// Makes the next removal and gives the position if it was the second one.
    ///
    /// # Errors
    /// Which rule it breaks; the record is then unchanged.
    fn remove(&mut self, cell: Cell) -> Result<Option<Position>, OpeningError> {
        match self.first {
            None => {
                Opening::check_first(self.size, &self.rules, cell)?;
                self.first = Some(cell);
                Ok(None)
            }
            Some(black) => {
                let position = Opening { black, white: cell }.position(self.size, &self.rules)?;
                self.second = Some(cell);
                Ok(Some(position))
            }
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Both removals, once they are made.
    pub fn opening(&self) -> Option<Opening> {
        Some(Opening { black: self.first?, white: self.second? })
    }

    /// The moves after the removals.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position reached; `None` in the removal phase.
    pub fn position(&self) -> Option<Position> {
        let start = self.opening()?.position(self.size, &self.rules).ok()?;
        self.moves.iter().try_fold(start, |position, &mv| position.play(mv).ok())
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let removals = self.first.iter().chain(&self.second).map(Cell::to_string);
        let words: Vec<String> = removals.chain(self.moves.iter().map(Move::to_string)).collect();
        f.pad(&words.join(" "))
    }
}
