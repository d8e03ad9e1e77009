//! The two removals that begin a game.

use std::fmt;
use std::str::FromStr;

use crate::board::{Cell, CellError, CellSet, Size, Symmetry, Wide};

use super::{Field, FirstRemoval, Position, Rules, RulesError, SecondRemoval, Side};

/// A pair of removals, Black's and White's: `a6:b6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opening {
    /// The cell Black removes from.
    pub black: Cell,
    /// The cell White removes from.
    pub white: Cell,
}

/// A text that is not a pair of removals.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not an opening: {kind}")]
pub struct OpeningTextError {
    /// The text as it was given.
    pub found: String,
    /// What is wrong with it.
    pub kind: OpeningTextKind,
}

/// What is wrong with the text of an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningTextKind {
    /// No colon between two cells.
    #[error("expected BLACK:WHITE, the cells of the two removed stones, such as a6:b6")]
    NoColon,
    /// One of the two is not a cell.
    #[error(transparent)]
    Cell(#[from] CellError),
}

/// Why a removal is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// The cell is not on the board.
    #[error("{cell} is not on the {size} board")]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The board.
        size: Size,
    },
    /// The stone on the cell belongs to the other player.
    #[error("{cell} is a {owner} cell: {side} removes an own stone (with {top_left} on the top-left cell)",
        owner = side.other().title(), side = side.title(), top_left = top_left.title())]
    NotOwn {
        /// The cell.
        cell: Cell,
        /// Who removes.
        side: Side,
        /// The owner of the top-left cell.
        top_left: Side,
    },
    /// The rule for the first removal forbids the cell.
    #[error("{cell} may not be removed first under --first-removal {rule}: legal here: {}", list(legal))]
    First {
        /// The cell.
        cell: Cell,
        /// The rule in force.
        rule: FirstRemoval,
        /// What would be legal.
        legal: Vec<Cell>,
    },
    /// The rule for the second removal forbids the cell.
    #[error(
        "{cell} may not be removed second under --second-removal {rule} after {first}: legal here: {}",
        list(legal)
    )]
    Second {
        /// The cell.
        cell: Cell,
        /// The first removal.
        first: Cell,
        /// The rule in force.
        rule: SecondRemoval,
        /// What would be legal.
        legal: Vec<Cell>,
    },
    /// The rules leave no first removal at all.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

fn list(cells: &[Cell]) -> String {
    let texts: Vec<_> = cells.iter().map(Cell::to_string).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

fn cells(size: Size, set: Wide) -> Vec<Cell> {
    set.iter().map(|index| size.cell(index)).collect()
}

impl Opening {
    /// Black's legal removals in the order of the board (row by row from the top left); never empty.
    ///
    /// # Errors
    /// When the rules leave none.
    pub fn first_removals(size: Size, rules: &Rules) -> Result<Vec<Cell>, RulesError> {
        Ok(cells(size, rules.first_removals(size)?))
    }

    /// The openings that begin with Black's removal of the stone on a cell of the board, in the order of the board. Empty:
    /// White cannot remove and has lost.
    pub fn after(size: Size, rules: &Rules, black: Cell) -> Vec<Opening> {
        let Some(first) = size.index(black) else { return Vec::new() };
        cells(size, rules.second_removals(size, first)).into_iter().map(|white| Opening { black, white }).collect()
    }

    /// Every legal opening in the order of the board.
    ///
    /// # Errors
    /// When the rules leave no first removal.
    pub fn all(size: Size, rules: &Rules) -> Result<Vec<Opening>, RulesError> {
        let first = Opening::first_removals(size, rules)?;
        Ok(first.into_iter().flat_map(|black| Opening::after(size, rules, black)).collect())
    }

    /// Whether Black may remove the stone on this cell first.
    ///
    /// # Errors
    /// Which rule forbids it.
    pub fn check_first(size: Size, rules: &Rules, cell: Cell) -> Result<usize, OpeningError> {
        let index = own_cell(size, rules, cell, Side::Black)?;
        let legal = rules.first_removals(size)?;
        if !legal.contains(index) {
            return Err(OpeningError::First { cell, rule: rules.first_removal, legal: cells(size, legal) });
        }
        Ok(index)
    }

    /// The position after both removals, Black to jump.
    ///
    /// # Errors
    /// Which rule the opening breaks.
    pub fn position(&self, size: Size, rules: &Rules) -> Result<Position, OpeningError> {
        let first = Opening::check_first(size, rules, self.black)?;
        let second = own_cell(size, rules, self.white, Side::White)?;
        let legal = rules.second_removals(size, first);
        if !legal.contains(second) {
            return Err(OpeningError::Second {
                cell: self.white,
                first: self.black,
                rule: rules.second_removal,
                legal: cells(size, legal),
            });
        }
        let all = Field::<Wide>::new(size, rules.top_left).all();
        let occupied = all ^ Wide::single(first) ^ Wide::single(second);
        Ok(Position::from_parts(size, rules.top_left, occupied, Side::Black))
    }

    /// The representative of the openings that the colour-keeping symmetries of the board map to each other: the smallest
    /// by the indices of its cells. An opening off the board is its own.
    pub fn canonical(&self, size: Size) -> Opening {
        let (Some(black), Some(white)) = (size.index(self.black), size.index(self.white)) else { return *self };
        Symmetry::colour_keeping(size)
            .into_iter()
            .map(|symmetry| (symmetry.map(size, black), symmetry.map(size, white)))
            .min()
            .map_or(*self, |(black, white)| Opening { black: size.cell(black), white: size.cell(white) })
    }
}

fn own_cell(size: Size, rules: &Rules, cell: Cell, side: Side) -> Result<usize, OpeningError> {
    let index = size.index(cell).ok_or(OpeningError::OffBoard { cell, size })?;
    if !Field::<Wide>::new(size, rules.top_left).cells_of(side).contains(index) {
        return Err(OpeningError::NotOwn { cell, side, top_left: rules.top_left });
    }
    Ok(index)
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.black, self.white))
    }
}

impl FromStr for Opening {
    type Err = OpeningTextError;

    fn from_str(text: &str) -> Result<Opening, OpeningTextError> {
        let parse = || {
            let (black, white) = text.split_once(':').ok_or(OpeningTextKind::NoColon)?;
            Ok(Opening { black: black.parse::<Cell>()?, white: white.parse::<Cell>()? })
        };
        parse().map_err(|kind| OpeningTextError { found: text.to_owned(), kind })
    }
}
