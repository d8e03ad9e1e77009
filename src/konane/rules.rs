//! The options of the rules.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::board::{CellSet, Size, Wide};

use super::{Field, Side};

/// Which stones Black may remove first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstRemoval {
    /// A Black stone in a corner or in the centre.
    #[default]
    CornerOrCentre,
    /// Any Black stone.
    Any,
    /// A Black stone in a corner.
    Corner,
    /// A Black stone among the one, two or four cells of the centre.
    Centre,
}

/// Which stones White may remove second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SecondRemoval {
    /// A White stone next to the hole that Black made, along a row or column.
    #[default]
    Adjacent,
    /// Any White stone.
    Any,
}

/// One rule set: who owns the top-left cell, and which stones may be removed at the start.
// A rule that this program does not know would change the game: never read over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The owner of the top-left cell.
    pub top_left: Side,
    /// Black's removal.
    pub first_removal: FirstRemoval,
    /// White's removal.
    pub second_removal: SecondRemoval,
}

/// A word that is not an option, or rules that leave Black nothing to remove.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The word names no such option.
    #[error("`{found}` is not a rule for the {which} removal: expected {expected}")]
    UnknownWord {
        /// `first` or `second`.
        which: &'static str,
        /// The word.
        found: String,
        /// The words known.
        expected: &'static str,
    },
    /// Black owns no cell where the first removal must be made.
    #[error("Black owns no {place} cell of {size} with {top_left} on the top-left cell, so there is no legal first removal; {fix}",
        top_left = top_left.title())]
    NoFirstRemoval {
        /// Where the removal must be made.
        place: &'static str,
        /// The board.
        size: Size,
        /// The owner of the top-left cell.
        top_left: Side,
        /// What to do.
        fix: &'static str,
    },
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            top_left: Side::Black,
            first_removal: FirstRemoval::default(),
            second_removal: SecondRemoval::default(),
        }
    }
}

impl Rules {
    /// The cells that Black may remove from, by index; never empty.
    ///
    /// # Errors
    /// When there is none: see [`RulesError::NoFirstRemoval`].
    pub fn first_removals(&self, size: Size) -> Result<Wide, RulesError> {
        let (rows, cols) = (size.rows(), size.cols());
        let is_corner = |row: usize, col: usize| (row == 0 || row == rows - 1) && (col == 0 || col == cols - 1);
        let is_centre = |row: usize, col: usize| {
            ((rows - 1) / 2..=rows / 2).contains(&row) && ((cols - 1) / 2..=cols / 2).contains(&col)
        };
        let wanted = |index: &usize| {
            let (row, col) = (index / cols, index % cols);
            match self.first_removal {
                FirstRemoval::CornerOrCentre => is_corner(row, col) || is_centre(row, col),
                FirstRemoval::Any => true,
                FirstRemoval::Corner => is_corner(row, col),
                FirstRemoval::Centre => is_centre(row, col),
            }
        };
        let cells = Field::<Wide>::new(size, self.top_left)
            .cells_of(Side::Black)
            .iter()
            .filter(wanted)
            .fold(Wide::empty(), |set, index| set | Wide::single(index));
        if cells.is_empty() {
            let place = match self.first_removal {
                FirstRemoval::CornerOrCentre => "corner or centre",
                FirstRemoval::Any => "single",
                FirstRemoval::Corner => "corner",
                FirstRemoval::Centre => "centre",
            };
            // Only on 1x1 does Black own nothing at all.
            let fix = if size.cells() == 1 { "use --top-left black" } else { "use --first-removal any" };
            return Err(RulesError::NoFirstRemoval { place, size, top_left: self.top_left, fix });
        }
        Ok(cells)
    }

    /// The cells that White may remove from once Black has removed the stone on cell `first`, by index. Empty: White has
    /// lost.
    pub fn second_removals(&self, size: Size, first: usize) -> Wide {
        let field = Field::<Wide>::new(size, self.top_left);
        let white = field.cells_of(Side::White);
        match self.second_removal {
            SecondRemoval::Any => white,
            SecondRemoval::Adjacent => {
                let (row, col) = (first / size.cols(), first % size.cols());
                white
                    .iter()
                    .filter(|index| (index / size.cols()).abs_diff(row) + (index % size.cols()).abs_diff(col) == 1)
                    .fold(Wide::empty(), |set, index| set | Wide::single(index))
            }
        }
    }
}

impl fmt::Display for FirstRemoval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FirstRemoval::CornerOrCentre => "corner-or-centre",
            FirstRemoval::Any => "any",
            FirstRemoval::Corner => "corner",
            FirstRemoval::Centre => "centre",
        })
    }
}

impl fmt::Display for SecondRemoval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SecondRemoval::Adjacent => "adjacent",
            SecondRemoval::Any => "any",
        })
    }
}

impl FromStr for FirstRemoval {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<FirstRemoval, RulesError> {
        Ok(match text {
            "corner-or-centre" | "corner-or-center" => FirstRemoval::CornerOrCentre,
            "any" => FirstRemoval::Any,
            "corner" => FirstRemoval::Corner,
            "centre" | "center" => FirstRemoval::Centre,
            found => {
                return Err(RulesError::UnknownWord {
                    which: "first",
                    found: found.to_owned(),
                    expected: "corner-or-centre, any, corner or centre",
                });
            }
        })
    }
}

impl FromStr for SecondRemoval {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<SecondRemoval, RulesError> {
        Ok(match text {
            "adjacent" => SecondRemoval::Adjacent,
            "any" => SecondRemoval::Any,
            found => {
                return Err(RulesError::UnknownWord {
                    which: "second",
                    found: found.to_owned(),
                    expected: "adjacent or any",
                });
            }
        })
    }
}
