//! Boards without a game: sizes, cells, sets of cells and the symmetries of a rectangle.
//!
//! Everything here speaks of *cells*, never of stones. Cells are numbered row by row from the top left, as a person
//! reads a diagram; the text form of a cell is that of chess, with row 1 at the bottom:
//!
//! ```text
//!   3   0  1  2  3
//!   2   4  5  6  7        3x4: index of each cell; the cell 6 is written c2
//!   1   8  9 10 11
//!       a  b  c  d
//! ```

mod cell;
mod cell_set;
mod size;
mod symmetry;

pub use cell::{Cell, CellError};
pub use cell_set::{CellIter, CellSet, Wide};
pub use size::{Size, SizeError};
pub use symmetry::Symmetry;
