//! Where the stones are and who is to move.

use std::fmt;
use std::str::FromStr;

use super::cell::check_size;
use super::grid::Cells;
use super::{Cell, CellError, MAX_N, Side, SideError, SizeError, Stone};

/// Anything that can be written down: for each side the cells of its stones by number, and the side to move.
///
/// Text: `R:a1,b1,c1 W:c3,b3,a3 red`. The first cell is that of stone 1, the second that of stone 2, and so on; then whose
/// turn it is. [`Kota::position`](super::Kota::position) makes a position of it where it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Red's stones by number.
    pub red: Vec<Cell>,
    /// White's stones by number.
    pub white: Vec<Cell>,
    /// Who is to move.
    pub turn: Side,
}

/// A text that describes no set-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The parts are not the three expected.
    #[error(
        "expected a position such as `R:a1,b1,c1 W:c3,b3,a3 red` (each side's cells in the order of the numbers, then \
        the side to move), found `{found}`"
    )]
    Shape {
        /// The text.
        found: String,
    },
    /// A cell of the lists is none.
    #[error("stone {stone}: {source}")]
    Cell {
        /// Whose cell it would be.
        stone: Stone,
        /// What is wrong.
        source: CellError,
    },
    /// The side to move.
    #[error("side to move: {0}")]
    Turn(#[from] SideError),
}

/// A set-up that is no position of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Too few or too many stones to play.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The sides have not the same number of stones.
    #[error(
        "{stone} is missing: Red has {red} stones and White {white}, expected {expected} each, one in every place of \
        the list"
    )]
    Missing {
        /// The first stone that has no cell.
        stone: Stone,
        /// Red's stones.
        red: usize,
        /// White's stones.
        white: usize,
        /// Stones that each side should have.
        expected: usize,
    },
    /// There are more stones than the board has.
    #[error("{stone} is too many: each side has {expected} stones on this board")]
    TooMany {
        /// The first stone too many.
        stone: Stone,
        /// Stones that each side should have.
        expected: usize,
    },
    /// A cell that the board does not have.
    #[error("{stone}: {cell} is not on the {n}x{n} board (a1 to {})", Cell { col: *n as u8 - 1, row: *n as u8 - 1 })]
    OffBoard {
        /// The stone there.
        stone: Stone,
        /// Its cell.
        cell: Cell,
        /// The size of the board.
        n: usize,
    },
    /// Two stones on one cell.
    #[error("{first} and {second} are both on {cell}")]
    Shared {
        /// A stone.
        first: Stone,
        /// Another.
        second: Stone,
        /// Their cell.
        cell: Cell,
    },
    /// The stones of a side do not stand as they must.
    #[error("own-stones rule `{rule}`: {} apart from the others of {}", listed(stones), side.title())]
    OwnStones {
        /// Whose.
        side: Side,
        /// The reading of the rule.
        rule: super::OwnStones,
        /// The stones that break it: those without a neighbour, or those outside the largest group.
        stones: Vec<Stone>,
    },
    /// The side to move has already won, or both have.
    #[error("{stone} stands on the row it had to reach, so the game ended before {} could be to move", turn.title())]
    Over {
        /// The stone.
        stone: Stone,
        /// The side to move.
        turn: Side,
    },
}

fn listed(stones: &[Stone]) -> String {
    let names: Vec<String> = stones.iter().map(Stone::to_string).collect();
    format!("{} {}", names.join(", "), if names.len() == 1 { "is" } else { "are" })
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(",");
        write!(f, "R:{} W:{} {}", list(&self.red), list(&self.white), self.turn)
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Setup, SetupError> {
        let shape = || SetupError::Shape { found: text.to_owned() };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [red, white, turn] = words[..] else { return Err(shape()) };
        let list = |word: &str, side: Side| {
            let cells = word.strip_prefix(side.letter()).and_then(|rest| rest.strip_prefix(':')).ok_or_else(shape)?;
            let cells = (1..).zip(cells.split(',')).map(|(number, cell)| {
                let number = u8::try_from(number).map_err(|_| shape())?;
                cell.parse::<Cell>().map_err(|source| SetupError::Cell { stone: Stone { side, number }, source })
            });
            cells.collect::<Result<Vec<Cell>, SetupError>>()
        };
        Ok(Setup { red: list(red, Side::Red)?, white: list(white, Side::White)?, turn: turn.parse()? })
    }
}

/// A position of the game: stones on cells of their own that keep the own-stones rule.
///
/// It is made by [`Kota::position`](super::Kota::position). Text: as [`Setup`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) n: u8,
    pub(super) turn: Side,
    /// For each side and number (less one) the index of the cell; 0 beyond the last number, so that equality is that of
    /// the positions.
    pub(super) cells: [[u8; MAX_N]; 2],
}

impl Position {
    /// Stones of each side.
    pub fn n(&self) -> usize {
        self.n.into()
    }

    /// Who is to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The cell of a stone; `None` where there is no such number.
    pub fn cell(&self, stone: Stone) -> Option<Cell> {
        let number = usize::from(stone.number);
        (1..=self.n()).contains(&number).then(|| Cell::from_index(self.stones(stone.side)[number - 1].into(), self.n()))
    }

    /// The stone on a cell.
    pub fn stone_at(&self, cell: Cell) -> Option<Stone> {
        self.stone_on(cell.index(self.n())?)
    }

    pub(super) fn stone_on(&self, index: usize) -> Option<Stone> {
        Side::ALL.into_iter().find_map(|side| {
            let at = self.stones(side).iter().position(|&cell| usize::from(cell) == index)?;
            Some(Stone { side, number: at as u8 + 1 })
        })
    }

    /// The indices of the cells of a side, by number.
    pub(super) fn stones(&self, side: Side) -> &[u8] {
        &self.cells[side as usize][..self.n()]
    }

    pub(super) fn set(&self, side: Side) -> Cells {
        self.stones(side).iter().fold(0, |set, &cell| set | 1 << cell)
    }

    /// The same stones with the other side to move.
    pub(super) fn flipped(&self) -> Position {
        Position { turn: self.turn.other(), ..*self }
    }

    /// With a stone on another cell and the other side to move.
    pub(super) fn moved(&self, stone: Stone, to: usize) -> Position {
        let mut next = self.flipped();
        next.cells[stone.side as usize][usize::from(stone.number) - 1] = to as u8;
        next
    }

    /// As it is written down.
    pub fn setup(&self) -> Setup {
        let list = |side| self.stones(side).iter().map(|&cell| Cell::from_index(cell.into(), self.n())).collect();
        Setup { red: list(Side::Red), white: list(Side::White), turn: self.turn }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.setup().to_string())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// Checks all of a set-up but the own-stones rule and gives the cells as indices.
pub(super) fn place(setup: &Setup, n: usize) -> Result<Position, PositionError> {
    check_size(n)?;
    let mut position = Position { n: n as u8, turn: setup.turn, cells: [[0; MAX_N]; 2] };
    let mut stands: Vec<Option<Stone>> = vec![None; n * n];
    for side in Side::ALL {
        let list = if side == Side::Red { &setup.red } else { &setup.white };
        if list.len() < n {
            let stone = Stone { side, number: list.len() as u8 + 1 };
            let (red, white) = (setup.red.len(), setup.white.len());
            return Err(PositionError::Missing { stone, red, white, expected: n });
        }
        for (at, &cell) in list.iter().enumerate() {
            let stone = Stone { side, number: at as u8 + 1 };
            if at >= n {
                return Err(PositionError::TooMany { stone, expected: n });
            }
            let index = cell.index(n).ok_or(PositionError::OffBoard { stone, cell, n })?;
            if let Some(first) = stands[index].replace(stone) {
                return Err(PositionError::Shared { first, second: stone, cell });
            }
            position.cells[side as usize][at] = index as u8;
        }
    }
    Ok(position)
}
