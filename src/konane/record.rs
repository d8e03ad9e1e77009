//! A whole game as text: removals, then moves, separated by blanks.

use std::fmt;

use crate::board::{Cell, CellError, CellSet, Size, Wide};

use super::{Field, Move, MoveError, MoveTextError, Opening, OpeningError, Position, Rules, Side};

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
    /// The position after both removals and after each move; empty in the removal phase.
    positions: Vec<Position>,
}

/// One turn of a game: a removal or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ply {
    /// The removal of an own stone, the first two turns of a game.
    Removal(Cell),
    /// A jump, or several in one direction.
    Move(Move),
}

/// Why a text is no legal turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlyError {
    /// A removal is not written as a cell.
    #[error("a removal is one cell: {0}")]
    RemovalText(#[source] CellError),
    /// A removal is not legal.
    #[error(transparent)]
    Removal(#[from] OpeningError),
    /// A move is not written as one.
    #[error(transparent)]
    MoveText(#[from] MoveTextError),
    /// A move is not legal.
    #[error("{source}; {}", legal_text(source, legal))]
    Move {
        /// Which rule it breaks.
        source: MoveError,
        /// What would be legal: of the same stone, or of all where there is no such stone of the side to move.
        legal: Vec<Move>,
    },
    /// A move before both removals are made.
    #[error("{mv}: expected a removal, one cell")]
    TooEarly {
        /// The move.
        mv: Move,
    },
    /// A third removal.
    #[error("{cell}: both removals are made: expected a move, FROM-TO")]
    TooLate {
        /// The cell.
        cell: Cell,
    },
}

/// Why a text is not a legal game: the first turn that is not well written or not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {ply}: {source}")]
pub struct RecordError {
    /// Which turn, counted from 1, the removals included.
    pub ply: usize,
    /// What is wrong with it.
    pub source: PlyError,
}

/// How many legal moves a message names; a whole board of them would help nobody.
const NAMED: usize = 8;

fn legal_text(error: &MoveError, legal: &[Move]) -> String {
    let mut texts: Vec<_> = legal.iter().take(NAMED).map(Move::to_string).collect();
    if legal.len() > NAMED {
        texts.push(format!("and {} more", legal.len() - NAMED));
    }
    let from = error.mv().from;
    match (legal.iter().all(|mv| mv.from == from), texts.is_empty()) {
        (_, true) => format!("no move of {from} is legal"),
        (true, false) => format!("legal from {from}: {}", texts.join(", ")),
        (false, false) => format!("legal moves: {}", texts.join(", ")),
    }
}

impl Record {
    /// A game with nothing played.
    pub fn new(size: Size, rules: Rules) -> Record {
        Record { size, rules, first: None, second: None, moves: Vec::new(), positions: Vec::new() }
    }

    /// Reads a game. Words are separated by any white space.
    ///
    /// # Errors
    /// The first ply that is not well written or not legal.
    pub fn parse(size: Size, rules: Rules, text: &str) -> Result<Record, RecordError> {
        let mut record = Record::new(size, rules);
        for (ply, word) in (1..).zip(text.split_whitespace()) {
            let played = record.read(word).and_then(|turn| record.play(turn));
            played.map_err(|source| RecordError { ply, source })?;
        }
        Ok(record)
    }

    /// The turn that a word stands for at this point of the game; it may still be illegal.
    ///
    /// # Errors
    /// When the word is no cell where a removal is due, or no move where a move is.
    pub fn read(&self, word: &str) -> Result<Ply, PlyError> {
        Ok(match self.second {
            None => Ply::Removal(word.parse().map_err(PlyError::RemovalText)?),
            Some(_) => Ply::Move(word.parse()?),
        })
    }

    /// Plays the next turn.
    ///
    /// # Errors
    /// Which rule it breaks; the record is then unchanged.
    pub fn play(&mut self, ply: Ply) -> Result<(), PlyError> {
        match (ply, self.position()) {
            (Ply::Removal(cell), None) => Ok(self.remove(cell)?),
            (Ply::Removal(cell), Some(_)) => Err(PlyError::TooLate { cell }),
            (Ply::Move(mv), None) => Err(PlyError::TooEarly { mv }),
            (Ply::Move(mv), Some(before)) => {
                let after = before.play(mv).map_err(|source| {
                    let mut legal = before.moves();
                    if before.stone(mv.from) == Some(before.turn()) {
                        legal.retain(|other| other.from == mv.from);
                    }
                    PlyError::Move { source, legal }
                })?;
                self.moves.push(mv);
                self.positions.push(after);
                Ok(())
            }
        }
    }

    fn remove(&mut self, cell: Cell) -> Result<(), OpeningError> {
        match self.first {
            None => {
                Opening::check_first(self.size, &self.rules, cell)?;
                self.first = Some(cell);
            }
            Some(black) => {
                let position = Opening { black, white: cell }.position(self.size, &self.rules)?;
                self.second = Some(cell);
                self.positions.push(position);
            }
        }
        Ok(())
    }

    /// Takes the last turn back and gives it; `None` where nothing is played.
    pub fn undo(&mut self) -> Option<Ply> {
        self.positions.pop();
        let mv = self.moves.pop().map(Ply::Move);
        mv.or_else(|| self.second.take().or_else(|| self.first.take()).map(Ply::Removal))
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

    /// Every turn played, the removals first.
    pub fn plies(&self) -> Vec<Ply> {
        let removals = self.first.iter().chain(&self.second).map(|&cell| Ply::Removal(cell));
        removals.chain(self.moves.iter().map(|&mv| Ply::Move(mv))).collect()
    }

    /// The position reached; `None` in the removal phase.
    pub fn position(&self) -> Option<Position> {
        self.positions.last().copied()
    }

    /// The position after the removals and after each move; empty in the removal phase.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The stones on the board, also in the removal phase, and whose turn it is.
    pub fn board(&self) -> Position {
        self.position().unwrap_or_else(|| {
            let all = Field::<Wide>::new(self.size, self.rules.top_left).all();
            let hole = self.first.and_then(|cell| self.size.index(cell)).map_or(Wide::empty(), Wide::single);
            Position::from_parts(self.size, self.rules.top_left, all ^ hole, self.turn())
        })
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        match (self.position(), self.first) {
            (Some(position), _) => position.turn(),
            (None, None) => Side::Black,
            (None, Some(_)) => Side::White,
        }
    }

    /// What the side to move may play, in the order of the board; empty: it has lost.
    pub fn choices(&self) -> Vec<Ply> {
        match (self.position(), self.first) {
            (Some(position), _) => position.moves().into_iter().map(Ply::Move).collect(),
            (None, Some(black)) => {
                let openings = Opening::after(self.size, &self.rules, black);
                openings.into_iter().map(|opening| Ply::Removal(opening.white)).collect()
            }
            // Rules that leave no removal leave Black no choice.
            (None, None) => {
                let firsts = Opening::first_removals(self.size, &self.rules).unwrap_or_default();
                firsts.into_iter().map(Ply::Removal).collect()
            }
        }
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ply::Removal(cell) => cell.fmt(f),
            Ply::Move(mv) => mv.fmt(f),
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.plies().iter().map(Ply::to_string).collect();
        f.pad(&words.join(" "))
    }
}
