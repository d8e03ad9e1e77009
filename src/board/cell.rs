//! One cell of a board.

use std::fmt;
use std::str::FromStr;

use super::Size;

/// A cell, by column and row, both counted from 0; the row from the bottom.
///
/// The text form is that of chess, `a1` in the bottom left corner; after column `z` come `aa`, `ab`, …
///
/// ```
/// use papamu::board::Cell;
/// let cell: Cell = "ab12".parse()?;
/// assert_eq!((cell.col(), cell.row()), (27, 11));
/// assert_eq!(cell.to_string(), "ab12");
/// # Ok::<(), papamu::board::CellError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    col: u16,
    row: u16,
}

/// A text that is not a cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a cell: expected a column letter and a row number, such as c3")]
pub struct CellError {
    /// The text as it was given.
    pub found: String,
}

impl Cell {
    /// The cell in this column from the left and this row from the bottom, both from 0 and below [`Size::MAX_CELLS`].
    pub(crate) fn new(col: usize, row: usize) -> Cell {
        debug_assert!(col < Size::MAX_CELLS && row < Size::MAX_CELLS);
        Cell { col: col as u16, row: row as u16 }
    }

    /// Column from the left, from 0.
    pub const fn col(self) -> usize {
        self.col as usize
    }

    /// Row from the bottom, from 0.
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// The letters of the column, as in the text form.
    pub fn column_letters(col: usize) -> String {
        let mut letters = Vec::new();
        let mut rest = col + 1;
        while rest > 0 {
            rest -= 1;
            letters.push(b'a' + (rest % 26) as u8);
            rest /= 26;
        }
        letters.iter().rev().map(|&b| char::from(b)).collect()
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", Cell::column_letters(self.col()), self.row + 1))
    }
}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Cell, CellError> {
        let parse = || {
            let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
            let (column, row) = text.split_at(letters);
            // Three letters are past the widest board; four digits past the highest.
            if !(1..=3).contains(&letters) || !(1..=3).contains(&row.len()) || row.starts_with('0') {
                return None;
            }
            let col = column.bytes().fold(0, |sum, letter| sum * 26 + usize::from(letter - b'a') + 1) - 1;
            let row =
                if row.bytes().all(|b| b.is_ascii_digit()) { row.parse::<usize>().ok()? - 1 } else { return None };
            (col < Size::MAX_CELLS && row < Size::MAX_CELLS).then(|| Cell::new(col, row))
        };
        parse().ok_or_else(|| CellError { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_the_widest_and_the_highest_board_round_trips() {
        for at in 0..Size::MAX_CELLS {
            for cell in [Cell::new(at, 0), Cell::new(0, at), Cell::new(at, at)] {
                assert_eq!(cell.to_string().parse(), Ok(cell));
            }
        }
        assert_eq!(Cell::new(25, 0).to_string(), "z1");
        assert_eq!(Cell::new(26, 0).to_string(), "aa1");
        assert_eq!(Cell::new(399, 399).to_string(), "oj400");
    }

    #[test]
    fn texts_that_are_no_cells() {
        for bad in ["", "a", "1", "a0", "a01", "1a", "A1", "a1b", "a-1", "a+1", "é1", "aaaa1", "a1000", "a401", "ok1"]
        {
            assert_eq!(bad.parse::<Cell>(), Err(CellError { found: bad.to_owned() }), "{bad}");
        }
    }
}
