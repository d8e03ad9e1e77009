//! A move, and why one is refused.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Cell, OwnStones, Path, Side, Stone};

/// One turn of a side. Text: `R3:c2-d4`, or `R:pass` where a side has no legal move and passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A stone goes as many steps as its number.
    Go {
        /// The stone.
        stone: Stone,
        /// The cell it leaves.
        from: Cell,
        /// The cell it reaches.
        to: Cell,
    },
    /// The side has no legal move.
    Pass {
        /// Who passes.
        side: Side,
    },
}

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a move: expected a stone and two cells, such as R3:c2-d4, or a pass, such as R:pass")]
pub struct MoveTextError {
    /// The text.
    pub found: String,
}

/// A move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Nobody is to move any more.
    #[error("{mv}: the game is over")]
    GameOver {
        /// The move.
        mv: Move,
    },
    /// A move of the other side.
    #[error("{mv}: it is {}'s turn", turn.title())]
    Turn {
        /// The move.
        mv: Move,
        /// The side to move.
        turn: Side,
    },
    /// A pass where there is a move.
    #[error("{mv}: no passing while there is a legal move, such as {example}")]
    Pass {
        /// The pass.
        mv: Move,
        /// A legal move.
        example: Move,
    },
    /// A number that the side does not have.
    #[error("{mv}: there is no stone {}, the numbers are 1 to {n}", mv.stone_text())]
    NoStone {
        /// The move.
        mv: Move,
        /// Stones of a side.
        n: usize,
    },
    /// The stone is elsewhere.
    #[error("{mv}: the stone is on {at}")]
    From {
        /// The move.
        mv: Move,
        /// Where it is.
        at: Cell,
    },
    /// The end is no cell of the board.
    #[error("{mv}: it ends off the {n}x{n} board")]
    OffBoard {
        /// The move.
        mv: Move,
        /// The size of the board.
        n: usize,
    },
    /// The end is not empty.
    #[error("{mv}: a move ends on an empty cell, and {by} is there")]
    Occupied {
        /// The move.
        mv: Move,
        /// The stone there.
        by: Stone,
    },
    /// The end is the start.
    #[error("{mv}: a move ends on another cell than it began")]
    Nowhere {
        /// The move.
        mv: Move,
    },
    /// No path of the right length.
    #[error("{mv}: there is no way of exactly {steps} steps along empty cells ({})", match path {
        Path::Simple => "path `simple`: no cell twice",
        Path::Walk => "path `walk`",
    })]
    Steps {
        /// The move.
        mv: Move,
        /// The number of the stone.
        steps: u8,
        /// The reading of the rule.
        path: Path,
    },
    /// The stones of the side would not stand as they must.
    #[error("{mv}: own-stones rule `{rule}`: afterwards {} would be apart from the others", names(stones))]
    OwnStones {
        /// The move.
        mv: Move,
        /// The reading of the rule.
        rule: OwnStones,
        /// The stones that would break it.
        stones: Vec<Stone>,
    },
}

fn names(stones: &[Stone]) -> String {
    stones.iter().map(Stone::to_string).collect::<Vec<_>>().join(", ")
}

impl Move {
    /// Whose move it is.
    pub fn side(&self) -> Side {
        match self {
            Move::Go { stone, .. } => stone.side,
            Move::Pass { side } => *side,
        }
    }

    fn stone_text(&self) -> String {
        match self {
            Move::Go { stone, .. } => stone.to_string(),
            Move::Pass { side } => side.letter().to_string(),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Move::Go { stone, from, to } => format!("{stone}:{from}-{to}"),
            Move::Pass { side } => format!("{}:pass", side.letter()),
        })
    }
}

impl FromStr for Move {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Move, MoveTextError> {
        let error = || MoveTextError { found: text.to_owned() };
        let (stone, way) = text.split_once(':').ok_or_else(error)?;
        if way == "pass" {
            return match stone {
                "R" | "r" => Ok(Move::Pass { side: Side::Red }),
                "W" | "w" => Ok(Move::Pass { side: Side::White }),
                _ => Err(error()),
            };
        }
        let (from, to) = way.split_once('-').ok_or_else(error)?;
        let cell = |text: &str| text.parse::<Cell>().map_err(|_| error());
        Ok(Move::Go { stone: stone.parse().map_err(|_| error())?, from: cell(from)?, to: cell(to)? })
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for text in ["R3:c2-d4", "W11:k11-a1", "R:pass", "W:pass"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        for bad in
            ["", "R3", "R3:", "R3:c2", "R3:c2-", "c2-d4", "R:c2-d4", "R3:pass", "R0:a1-b1", "R3:c2-d4-e5", "X:pass"]
        {
            assert!(bad.parse::<Move>().is_err(), "{bad}");
        }
    }
}
