//! What a table is a table of: the board and the positions it begins with.

use serde::{Deserialize, Serialize};

use crate::board::Size;
use crate::konane::{Field, Opening, OpeningError, Packed, Position, Ranking, Rules, RulesError, Side};

/// The board of a table and where its positions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    size: Size,
    top_left: Side,
    roots: Roots,
}

/// The positions that a table begins with: it holds all that can be reached from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Roots {
    /// The positions after these removals; never none.
    Openings(Rules, Vec<Opening>),
    /// One position.
    Position(Position),
}

/// A source as a file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SourceText {
    pub(super) board: String,
    pub(super) top_left: String,
    /// Rules of the first and second removal; `None` for a single position.
    pub(super) removals: Option<(String, String)>,
    /// `a6:b6`, in the order of the board; none for a single position.
    pub(super) openings: Vec<String>,
    /// The position with its side to move.
    pub(super) position: Option<String>,
}

/// Why there is no table of something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The board is too large.
    #[error("{size} has {cells} cells: a table holds boards of at most {max}", cells = size.cells(), max = Ranking::MAX_CELLS)]
    TooLarge {
        /// The board.
        size: Size,
    },
    /// An opening is not legal.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The rules leave no first removal.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The rules leave no opening.
    #[error("there is no opening on {size}: White has nothing to remove")]
    NoOpening {
        /// The board.
        size: Size,
    },
}

impl Source {
    /// All openings of the rules, or only those asked for.
    ///
    /// # Errors
    /// When the board is too large, or there is no such opening.
    pub fn openings(size: Size, rules: Rules, asked: &[Opening]) -> Result<Source, SourceError> {
        check_size(size)?;
        let all = Opening::all(size, &rules)?;
        let mut openings = if asked.is_empty() { all.clone() } else { asked.to_vec() };
        for opening in &openings {
            opening.position(size, &rules)?;
        }
        openings.sort_by_key(|opening| all.iter().position(|other| other == opening));
        openings.dedup();
        match openings.is_empty() {
            true => Err(SourceError::NoOpening { size }),
            false => Ok(Source { size, top_left: rules.top_left, roots: Roots::Openings(rules, openings) }),
        }
    }

    /// One position.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn position(position: Position) -> Result<Source, SourceError> {
        check_size(position.size())?;
        let (size, top_left) = (position.size(), position.top_left());
        Ok(Source { size, top_left, roots: Roots::Position(position) })
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The owner of the top-left cell.
    pub fn top_left(&self) -> Side {
        self.top_left
    }

    /// The first positions.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// The first positions, each with its opening if it comes from one.
    pub fn positions(&self) -> Vec<(Option<Opening>, Position)> {
        match &self.roots {
            Roots::Position(position) => vec![(None, *position)],
            // They were found to be legal when the source was made.
            Roots::Openings(rules, openings) => openings
                .iter()
                .filter_map(|opening| Some((Some(*opening), opening.position(self.size, rules).ok()?)))
                .collect(),
        }
    }

    /// The first positions without repetition.
    pub(super) fn packed(&self) -> Vec<Packed<u64>> {
        let mut packed: Vec<_> = self.positions().iter().map(|(_, position)| position.pack::<u64>().1).collect();
        packed.sort_unstable_by_key(|packed| (packed.occupied, packed.turn));
        packed.dedup();
        packed
    }

    /// The board's jumps.
    pub(super) fn field(&self) -> Field<u64> {
        Field::new(self.size, self.top_left)
    }

    /// What it is in words.
    pub fn describe(&self) -> String {
        let rest = match &self.roots {
            Roots::Position(position) => return format!("the position {position}"),
            Roots::Openings(rules, openings) => {
                let rules = format!("first removal {}, second removal {}", rules.first_removal, rules.second_removal);
                let names: Vec<_> = openings.iter().map(Opening::to_string).collect();
                format!("{rules}, after {}", names.join(" "))
            }
        };
        format!("{} with {} on the top-left cell, {rest}", self.size, self.top_left)
    }

    pub(super) fn to_text(&self) -> SourceText {
        let (removals, openings, position) = match &self.roots {
            Roots::Position(position) => (None, Vec::new(), Some(position.to_string())),
            Roots::Openings(rules, openings) => {
                let rules = (rules.first_removal.to_string(), rules.second_removal.to_string());
                (Some(rules), openings.iter().map(Opening::to_string).collect(), None)
            }
        };
        let (board, top_left) = (self.size.to_string(), self.top_left.to_string());
        SourceText { board, top_left, removals, openings, position }
    }

    /// The source that a file names; a text that is wrong comes back in words.
    pub(super) fn from_text(text: &SourceText) -> Result<Source, String> {
        let source = Source::read(text)?;
        // One spelling only, so that the same table is the same file.
        match source.to_text() == *text {
            true => Ok(source),
            false => Err(format!("another spelling of {}", source.describe())),
        }
    }

    fn read(text: &SourceText) -> Result<Source, String> {
        fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
            text.parse().map_err(|error: T::Err| error.to_string())
        }
        match (&text.removals, &text.position) {
            (None, Some(position)) => Source::position(parse(position)?).map_err(|error| error.to_string()),
            (Some((first, second)), None) if !text.openings.is_empty() => {
                let rules = Rules {
                    top_left: parse(&text.top_left)?,
                    first_removal: parse(first)?,
                    second_removal: parse(second)?,
                };
                let openings = text.openings.iter().map(|opening| parse(opening)).collect::<Result<Vec<_>, _>>()?;
                Source::openings(parse(&text.board)?, rules, &openings).map_err(|error| error.to_string())
            }
            _ => Err("neither openings nor a position".to_owned()),
        }
    }
}

fn check_size(size: Size) -> Result<(), SourceError> {
    match size.cells() <= Ranking::MAX_CELLS {
        true => Ok(()),
        false => Err(SourceError::TooLarge { size }),
    }
}
