//! The size of a board.

use std::fmt;
use std::str::FromStr;

use super::Cell;

/// Rows and columns of a board, both at least 1, with at most [`Size::MAX_CELLS`] cells.
///
/// The text form is `RxC`, rows first:
///
/// ```
/// use papamu::board::Size;
/// let size: Size = "6x7".parse()?;
/// assert_eq!((size.rows(), size.cols(), size.cells()), (6, 7, 42));
/// assert_eq!(size.to_string(), "6x7");
/// # Ok::<(), papamu::board::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    rows: u16,
    cols: u16,
}

/// Why a text or a pair of numbers is not a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// The text is not two numbers with an `x` between them.
    #[error("`{found}` is not a board size: expected ROWSxCOLUMNS, such as 6x7")]
    Malformed {
        /// The text as it was given.
        found: String,
    },
    /// A side of the board is zero.
    #[error("`{rows}x{cols}` is not a board size: a board has at least one row and one column")]
    Empty {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// More cells than any part of the program handles.
    #[error("{rows}x{cols} has {cells} cells: a board has at most {max}", cells = rows.saturating_mul(*cols), max = Size::MAX_CELLS)]
    TooLarge {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// The same, with numbers too long to reckon with.
    #[error("`{found}` is too large: a board has at most {max} cells", max = Size::MAX_CELLS)]
    Absurd {
        /// The text as it was given.
        found: String,
    },
}

impl Size {
    /// The largest number of cells of a board.
    pub const MAX_CELLS: usize = 400;
    /// 8x8, the squares that fit a word of 64 bits.
    pub const EIGHT: Size = Size { rows: 8, cols: 8 };

    /// A size of `rows` rows and `cols` columns.
    ///
    /// # Errors
    /// When a side is zero or there are more than [`Size::MAX_CELLS`] cells.
    pub fn new(rows: usize, cols: usize) -> Result<Size, SizeError> {
        if rows == 0 || cols == 0 {
            return Err(SizeError::Empty { rows, cols });
        }
        if rows.saturating_mul(cols) > Self::MAX_CELLS {
            return Err(SizeError::TooLarge { rows, cols });
        }
        // Both fit: their product is at most MAX_CELLS.
        Ok(Size { rows: rows as u16, cols: cols as u16 })
    }

    /// Number of rows.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of columns.
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// Number of cells, 1 to [`Size::MAX_CELLS`].
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// Whether rows and columns agree in number.
    pub const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The cell with this index (row by row from the top left). `index` must be below [`Size::cells`].
    pub fn cell(self, index: usize) -> Cell {
        debug_assert!(index < self.cells());
        self.cell_at(index / self.cols(), index % self.cols())
    }

    /// The cell in this row counted from the top and this column counted from the left, both from 0.
    pub fn cell_at(self, row_from_top: usize, col: usize) -> Cell {
        Cell::new(col, self.rows() - 1 - row_from_top)
    }

    /// Whether the cell is on the board.
    pub fn contains(self, cell: Cell) -> bool {
        cell.row() < self.rows() && cell.col() < self.cols()
    }

    /// The index of a cell, or `None` if it is not on the board.
    pub fn index(self, cell: Cell) -> Option<usize> {
        self.contains(cell).then(|| (self.rows() - 1 - cell.row()) * self.cols() + cell.col())
    }

    /// Every cell in the order of the index.
    pub fn all_cells(self) -> impl Iterator<Item = Cell> {
        (0..self.cells()).map(move |index| self.cell(index))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.rows, self.cols))
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let malformed = || SizeError::Malformed { found: text.to_owned() };
        let (rows, cols) = text.split_once(['x', 'X', '×']).ok_or_else(malformed)?;
        let number = |part: &str| match part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() {
            // Only digits: the one way to fail is overflow.
            true => Ok(part.parse::<usize>().ok()),
            false => Err(malformed()),
        };
        match (number(rows)?, number(cols)?) {
            (Some(rows), Some(cols)) if rows.checked_mul(cols).is_some() => Size::new(rows, cols),
            _ => Err(SizeError::Absurd { found: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_round_trip_and_bad_ones_are_named() {
        assert_eq!("1x400".parse::<Size>().unwrap().cells(), 400);
        for bad in ["", "6", "6x", "x6", "6x-1", "+6x6", "6x6x6", "ax6", " 6x6"] {
            assert!(matches!(bad.parse::<Size>(), Err(SizeError::Malformed { .. })), "{bad}");
        }
        assert_eq!("0x5".parse::<Size>(), Err(SizeError::Empty { rows: 0, cols: 5 }));
        assert_eq!("100x100".parse::<Size>(), Err(SizeError::TooLarge { rows: 100, cols: 100 }));
        for absurd in ["99999999999999999999x2", "4294967296x4294967296", "2x99999999999999999999"] {
            let error = absurd.parse::<Size>().unwrap_err();
            assert_eq!(error.to_string(), format!("`{absurd}` is too large: a board has at most 400 cells"));
        }
    }

    #[test]
    fn indices_and_cells_agree() {
        let size = Size::new(3, 4).unwrap();
        assert_eq!(size.cell(6).to_string(), "c2");
        for index in 0..size.cells() {
            assert_eq!(size.index(size.cell(index)), Some(index));
        }
        assert_eq!(size.index("e1".parse().unwrap()), None);
        assert_eq!(size.index("a4".parse().unwrap()), None);
    }
}
