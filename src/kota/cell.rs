//! Cells and stones as people name them.

use std::fmt;
use std::str::FromStr;

use super::{Side, SizeError};

/// A cell by its column from the left and its row from the bottom, both from 0. Text: `c2`, the letter of the column and
/// the number of the row from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Columns to the left of it.
    pub col: u8,
    /// Rows below it.
    pub row: u8,
}

/// A text that is no cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a cell: expected the letter of a column and the number of a row, such as c2")]
pub struct CellError {
    /// The text.
    pub found: String,
}

impl Cell {
    /// The cell at this index of a board, counted from the top-left cell row by row.
    pub(super) fn from_index(index: usize, n: usize) -> Cell {
        Cell { col: (index % n) as u8, row: (n - 1 - index / n) as u8 }
    }

    /// The index on a board; `None` if it is not there.
    pub(super) fn index(self, n: usize) -> Option<usize> {
        let (col, row) = (usize::from(self.col), usize::from(self.row));
        (col < n && row < n).then(|| (n - 1 - row) * n + col)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", char::from(b'a' + self.col), self.row + 1))
    }
}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Cell, CellError> {
        let error = || CellError { found: text.to_owned() };
        let col = text.chars().next().filter(char::is_ascii_lowercase).ok_or_else(error)?;
        let digits = &text[1..];
        let good = !digits.starts_with('0') && digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let row: u8 = digits.parse().ok().filter(|_| good).ok_or_else(error)?;
        Ok(Cell { col: col as u8 - b'a', row: row - 1 })
    }
}

/// A stone. Text: `R3`, `W11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stone {
    /// Whose.
    pub side: Side,
    /// Its number, from 1: the steps it goes.
    pub number: u8,
}

/// A text that is no stone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a stone: expected R or W and a number from 1, such as R3")]
pub struct StoneError {
    /// The text.
    pub found: String,
}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.side.letter(), self.number))
    }
}

impl FromStr for Stone {
    type Err = StoneError;

    fn from_str(text: &str) -> Result<Stone, StoneError> {
        let error = || StoneError { found: text.to_owned() };
        let side = match text.chars().next() {
            Some('R' | 'r') => Side::Red,
            Some('W' | 'w') => Side::White,
            _ => return Err(error()),
        };
        let digits = &text[1..];
        let good = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|&number| good && number > 0).ok_or_else(error)?;
        Ok(Stone { side, number })
    }
}

/// Checks the number of stones of a side.
pub(super) fn check_size(n: usize) -> Result<(), SizeError> {
    match (super::MIN_N..=super::MAX_N).contains(&n) {
        true => Ok(()),
        false => Err(SizeError { found: n }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for n in [2, 3, 11] {
            for index in 0..n * n {
                let cell = Cell::from_index(index, n);
                assert_eq!((cell.to_string().parse(), cell.index(n)), (Ok(cell), Some(index)));
            }
        }
        assert_eq!(Cell::from_index(0, 11).to_string(), "a11");
        for bad in ["", "a", "a0", "a01", "1a", "A1", "a1x", "a-1", "a+1", "ä1", "a100", "aa1"] {
            assert!(bad.parse::<Cell>().is_err(), "{bad}");
        }
        for text in ["R1", "W11"] {
            assert_eq!(text.parse::<Stone>().unwrap().to_string(), text);
        }
        for bad in ["", "R", "R0", "R01", "B1", "R-1", "R+1", "R256", "ä1"] {
            assert!(bad.parse::<Stone>().is_err(), "{bad}");
        }
    }
}
