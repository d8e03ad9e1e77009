//! The two players.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A player, and the colour of their stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// At home on the bottom row.
    Red,
    /// At home on the top row.
    White,
}

/// A word that names no side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a side: expected red (r) or white (w)")]
pub struct SideError {
    /// The word.
    pub found: String,
}

impl Side {
    /// Both.
    pub const ALL: [Side; 2] = [Side::Red, Side::White];

    /// The opponent.
    pub const fn other(self) -> Side {
        match self {
            Side::Red => Side::White,
            Side::White => Side::Red,
        }
    }

    /// `red` or `white`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Red => "red",
            Side::White => "white",
        }
    }

    /// `Red` or `White`.
    pub const fn title(self) -> &'static str {
        match self {
            Side::Red => "Red",
            Side::White => "White",
        }
    }

    /// `R` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Side::Red => 'R',
            Side::White => 'W',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Side {
    type Err = SideError;

    fn from_str(text: &str) -> Result<Side, SideError> {
        match text.to_ascii_lowercase().as_str() {
            "red" | "r" => Ok(Side::Red),
            "white" | "w" => Ok(Side::White),
            _ => Err(SideError { found: text.to_owned() }),
        }
    }
}
