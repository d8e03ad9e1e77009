//! The readings of the rules: each point that the rule sheet leaves open is a field.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Side;

/// A word that names no reading of a point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a reading of `{point}`: expected {expected}")]
pub struct RulesError {
    /// The point: `board`, `own-stones`, …
    pub point: &'static str,
    /// The word.
    pub found: String,
    /// The words known.
    pub expected: String,
}

/// An enumeration whose variants have words, the first being the default.
macro_rules! readings {
    ($(#[$doc:meta])* $name:ident, $point:literal: $(#[$first_doc:meta])* $first:ident = $first_word:literal,
     $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $(#[$first_doc])*
            #[default]
            $first,
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// Every reading, the default first.
            pub const ALL: &'static [$name] = &[$name::$first, $($name::$variant),+];

            /// The word of the reading.
            pub const fn name(self) -> &'static str {
                match self {
                    $name::$first => $first_word,
                    $($name::$variant => $word,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = RulesError;

            fn from_str(text: &str) -> Result<$name, RulesError> {
                $name::ALL.iter().copied().find(|reading| reading.name() == text).ok_or_else(|| RulesError {
                    point: $point,
                    found: text.to_owned(),
                    expected: $name::ALL.iter().map(|reading| reading.name()).collect::<Vec<_>>().join(" or "),
                })
            }
        }
    };
}

readings! {
    /// How the hexagons lie.
    Board, "board":
    /// Flat-top hexagons in columns; the second, fourth, … column half a cell lower; a row is the zigzag of equal index.
    FlatColumns = "flat-columns",
    /// Each row half a cell further to the right than the row above it.
    Rhombus = "rhombus",
    /// Pointy-top hexagons in rows; the second, fourth, … row from the top half a cell to the right.
    OffsetRows = "offset-rows",
}

readings! {
    /// What "all stones still neighbours" means.
    OwnStones, "own-stones":
    /// The stones of a side are one connected group.
    Group = "group",
    /// Each stone touches another of its side.
    EachHasNeighbour = "each-has-neighbour",
}

readings! {
    /// How a stone goes its steps.
    Path, "path":
    /// No cell twice, and none is the cell it began on.
    Simple = "simple",
    /// Any cells, but it does not end where it began.
    Walk = "walk",
}

readings! {
    /// What happens to a side that has no legal move.
    Stuck, "stuck":
    /// It passes; when neither side has one, the game is drawn.
    Pass = "pass",
    /// It loses.
    Loss = "loss",
    /// The game is drawn.
    Draw = "draw",
}

readings! {
    /// The order of the numbers at the start.
    Layout, "layout":
    /// Red 1 to N from left to right, White N to 1: each sees the same from their own side.
    Point = "point",
    /// Both 1 to N from left to right.
    Mirror = "mirror",
}

/// One full reading of the rules.
///
/// Text: the words in order, `flat-columns group simple pass point red`, with `reversed` after the layout where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rules {
    /// The hexagons.
    pub board: Board,
    /// What a side's stones must keep.
    pub own_stones: OwnStones,
    /// How a stone goes.
    pub path: Path,
    /// No legal move.
    pub stuck: Stuck,
    /// The numbers at the start.
    pub layout: Layout,
    /// Whether both rows are turned round at the start.
    pub reversed: bool,
    /// Who moves first.
    pub start: Side,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            board: Board::default(),
            own_stones: OwnStones::default(),
            path: Path::default(),
            stuck: Stuck::default(),
            layout: Layout::default(),
            reversed: false,
            start: Side::Red,
        }
    }
}

impl Rules {
    /// Whether the two readings differ at most in how the game starts, so that a position has the same value under both.
    pub fn same_but_for_the_start(&self, other: &Rules) -> bool {
        let Rules { board, own_stones, path, stuck, .. } = *self;
        (board, own_stones, path, stuck) == (other.board, other.own_stones, other.path, other.stuck)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { board, own_stones, path, stuck, layout, reversed, start } = self;
        let reversed = if *reversed { " reversed" } else { "" };
        write!(f, "{board} {own_stones} {path} {stuck} {layout}{reversed} {start}")
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let reversed = words.get(5) == Some(&"reversed");
        let (head, tail) = words.split_at(words.len().min(5));
        let ([board, own_stones, path, stuck, layout], [start]) = (head, &tail[usize::from(reversed)..]) else {
            return Err(RulesError {
                point: "rules",
                found: text.to_owned(),
                expected: format!("words such as `{}`", Rules::default()),
            });
        };
        let start = start.parse().map_err(|_| RulesError {
            point: "start",
            found: (*start).to_owned(),
            expected: "red or white".to_owned(),
        })?;
        Ok(Rules {
            board: board.parse()?,
            own_stones: own_stones.parse()?,
            path: path.parse()?,
            stuck: stuck.parse()?,
            layout: layout.parse()?,
            reversed,
            start,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        let mut rules = Rules::default();
        assert_eq!(rules.to_string(), "flat-columns group simple pass point red");
        assert_eq!(rules.to_string().parse(), Ok(rules));
        rules = Rules { reversed: true, start: Side::White, board: Board::Rhombus, stuck: Stuck::Loss, ..rules };
        assert_eq!(rules.to_string().parse(), Ok(rules));
        for bad in
            ["", "rhombus", "rhombus group simple pass point reversed", "rhombus group simple pass point red red"]
        {
            assert_eq!(bad.parse::<Rules>().unwrap_err().point, "rules", "{bad}");
        }
        let error = "hexagon".parse::<Board>().unwrap_err().to_string();
        assert_eq!(error, "`hexagon` is not a reading of `board`: expected flat-columns or rhombus or offset-rows");
    }
}
