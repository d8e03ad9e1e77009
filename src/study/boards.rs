//! Which boards a study is about.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::board::Size;
use crate::konane::{FirstRemoval, Rules, SecondRemoval, Side};
use crate::search::Solver;

/// A board with its rules: what a study takes one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The size.
    pub size: Size,
    /// The rules.
    pub rules: Rules,
}

/// A rectangle of sizes: `3..7x3..7`, both ends included; `4x5` and `3..5x7` are ranges too.
///
/// ```
/// use papamu::study::SizeRange;
/// let range: SizeRange = "3..5x7".parse()?;
/// assert_eq!(range.to_string(), "3..5x7");
/// # Ok::<(), papamu::study::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeRange {
    rows: Sides,
    cols: Sides,
}

/// The lengths of one side, both included, from 1 to [`Size::MAX_CELLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sides {
    low: usize,
    high: usize,
}

/// A text that is not a range of boards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a range of boards: {kind}")]
pub struct RangeError {
    /// The text as it was given.
    pub found: String,
    /// What is wrong with it.
    pub kind: RangeErrorKind,
}

/// What is wrong with the text of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeErrorKind {
    /// Not numbers or ranges of numbers with an `x` between them.
    #[error("expected ROWSxCOLUMNS, each a number or LOW..HIGH, such as 3..7x3..7 or 4x5")]
    Malformed,
    /// The first number of a range is the larger one.
    #[error("{low}..{high} is empty, expected the smaller number first")]
    Backwards {
        /// The first number.
        low: usize,
        /// The second one.
        high: usize,
    },
    /// A side of length 0.
    #[error("a board has at least one row and one column")]
    Zero,
    /// A side longer than any board.
    #[error("a side of {found} is too long: a study takes boards of at most {max} cells", max = Solver::MAX_CELLS)]
    TooLong {
        /// The length.
        found: usize,
    },
}

impl FromStr for SizeRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<SizeRange, RangeError> {
        let parse = || {
            let (rows, cols) = text.split_once(['x', 'X', '×']).ok_or(RangeErrorKind::Malformed)?;
            Ok(SizeRange { rows: Sides::parse(rows)?, cols: Sides::parse(cols)? })
        };
        parse().map_err(|kind| RangeError { found: text.to_owned(), kind })
    }
}

impl Sides {
    fn parse(text: &str) -> Result<Sides, RangeErrorKind> {
        let number = |text: &str| match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            // Only digits: the one way to fail is overflow, and that is too long.
            true => Ok(text.parse::<usize>().unwrap_or(usize::MAX)),
            false => Err(RangeErrorKind::Malformed),
        };
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let (low, high) = (number(low)?, number(high)?);
        match (low, high) {
            (0, _) | (_, 0) => Err(RangeErrorKind::Zero),
            _ if low > high => Err(RangeErrorKind::Backwards { low, high }),
            _ if high > Size::MAX_CELLS => Err(RangeErrorKind::TooLong { found: high }),
            _ => Ok(Sides { low, high }),
        }
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.low == self.high { write!(f, "{}", self.low) } else { write!(f, "{}..{}", self.low, self.high) }
    }
}

impl fmt::Display for SizeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.rows, self.cols))
    }
}

/// Who owns the top-left cell of the boards of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colourings {
    /// Both colourings where they are different games, on boards with two odd sides; Black elsewhere, where a reflection
    /// exchanges the two.
    #[default]
    Different,
    /// One of them on every board.
    One(Side),
    /// Both on every board.
    Both,
}

/// The boards of a study: ranges and what to leave out of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards {
    /// The sizes.
    pub ranges: Vec<SizeRange>,
    /// Leave out boards of more cells.
    pub max_cells: Option<usize>,
    /// Leave out boards with a shorter side.
    pub min_side: usize,
    /// Keep RxC and CxR apart. Otherwise a board with more rows than columns is taken as its transposed twin: exchanging
    /// rows and columns keeps the top-left cell where it is, so the two are the same game.
    pub all_orientations: bool,
    /// Who owns the top-left cell.
    pub colourings: Colourings,
    /// Black's removal.
    pub first_removal: FirstRemoval,
    /// White's removal.
    pub second_removal: SecondRemoval,
}

impl Default for Boards {
    fn default() -> Boards {
        Boards {
            ranges: Vec::new(),
            max_cells: None,
            min_side: 1,
            all_orientations: false,
            colourings: Colourings::default(),
            first_removal: FirstRemoval::default(),
            second_removal: SecondRemoval::default(),
        }
    }
}

/// Why there is nothing to study.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardsError {
    /// The search does not handle a board of the ranges.
    #[error("{rows}x{cols} has {cells} cells: a study takes boards of at most {max}; leave the larger ones out with --max-cells {max}",
        cells = rows * cols, max = Solver::MAX_CELLS)]
    TooLarge {
        /// Its rows.
        rows: usize,
        /// Its columns.
        cols: usize,
    },
    /// The limits leave out every board of the ranges.
    #[error("no board is left to study: the ranges have {found} boards, all outside --max-cells or --min-side")]
    Empty {
        /// Boards of the ranges.
        found: usize,
    },
}

impl Boards {
    /// The boards, each once, those that are likely to be solved sooner first: by cells, then by rows, Black on the top-left
    /// cell before White.
    ///
    /// # Errors
    /// When a board is too large for the search, or none is left.
    pub fn select(&self) -> Result<Vec<Board>, BoardsError> {
        let mut sizes = BTreeSet::new();
        let mut found = 0;
        for range in &self.ranges {
            for rows in range.rows.low..=range.rows.high {
                for cols in range.cols.low..=range.cols.high {
                    found += 1;
                    let outside = self.max_cells.is_some_and(|max| rows * cols > max);
                    if outside || rows.min(cols) < self.min_side {
                        continue;
                    }
                    let too_large = BoardsError::TooLarge { rows, cols };
                    if rows * cols > Solver::MAX_CELLS {
                        return Err(too_large);
                    }
                    let turn = rows > cols && !self.all_orientations;
                    let (rows, cols) = if turn { (cols, rows) } else { (rows, cols) };
                    let size = Size::new(rows, cols).map_err(|_| too_large)?;
                    sizes.insert((size.cells(), size));
                }
            }
        }
        if sizes.is_empty() {
            return Err(BoardsError::Empty { found });
        }
        Ok(sizes.into_iter().flat_map(|(_, size)| self.coloured(size)).collect())
    }

    fn coloured(&self, size: Size) -> impl Iterator<Item = Board> {
        let both = !size.cells().is_multiple_of(2);
        let (first_removal, second_removal) = (self.first_removal, self.second_removal);
        let colourings = self.colourings;
        let wanted = move |side: Side| match colourings {
            Colourings::Different => both || side == Side::Black,
            Colourings::One(one) => side == one,
            Colourings::Both => true,
        };
        let board = move |top_left| Board { size, rules: Rules { top_left, first_removal, second_removal } };
        Side::BOTH.into_iter().filter(move |&side| wanted(side)).map(board)
    }
}
