//! A part of a position as a thing of its own, in one form for all places, reflections, turns and exchanges of colours.
//!
//! A part is a set of cells and the stones on them. All other cells are walls: nothing jumps over them or lands on them. In
//! the normal form the part lies in the top left corner, Black owns that corner, and of all forms that the symmetries of
//! the square give, the one with the least words is chosen. Where that exchanges the colours, the value of the part is the
//! negative of the value of its normal form.

use crate::board::{CellSet, Size, Wide};

/// The normal form of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// At most 8 rows and columns: bit `8 r + c` stands for row r and column c.
    Small {
        /// The cells of the part.
        cells: u64,
        /// The stones.
        stones: u64,
    },
    /// Larger, up to 128 cells around: bit `cols · r + c` stands for row r and column c.
    Large {
        /// Rows.
        rows: u8,
        /// Columns.
        cols: u8,
        /// The cells of the part.
        cells: u128,
        /// The stones.
        stones: u128,
    },
    /// Anything larger, with the same numbering.
    Wide {
        /// Rows.
        rows: u16,
        /// Columns.
        cols: u16,
        /// The cells of the part.
        cells: Wide,
        /// The stones.
        stones: Wide,
    },
}

/// A part in its normal form, and whether that exchanged the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The normal form.
    pub part: Part,
    /// Whether the value is the negative of that of the normal form.
    pub negative: bool,
}

impl Part {
    /// The number of stones.
    pub fn stones(&self) -> u32 {
        match self {
            Part::Small { stones, .. } => stones.count(),
            Part::Large { stones, .. } => stones.count(),
            Part::Wide { stones, .. } => stones.count(),
        }
    }
}

impl Part {
    /// Whether this is a normal form, as those of a file should be.
    pub(super) fn is_normal(&self) -> bool {
        fn list<S: CellSet>(cells: S, stones: S, cols: usize) -> Option<Vec<(usize, usize, bool)>> {
            let within = (stones & !cells).is_empty();
            within.then(|| cells.iter().map(|at| (at / cols, at % cols, stones.contains(at))).collect())
        }
        let cells = match *self {
            Part::Small { cells, stones } => list(cells, stones, 8),
            Part::Large { cols, cells, stones, .. } => list(cells, stones, cols.into()),
            Part::Wide { cols, cells, stones, .. } => list(cells, stones, cols.into()),
        };
        cells.is_some_and(|cells| place(&cells, true).part == *self)
    }
}

/// The normal form of a part of an 8x8 board: cells, stones, and whether the colours were exchanged. `black_corner`: whether
/// Black owns the top left cell of that board.
#[inline]
pub(super) fn small(cells: u64, stones: u64, black_corner: bool) -> (u64, u64, bool) {
    let (shift, odd) = corner(cells);
    let (mut cells, mut stones, black) = (cells >> shift, stones >> shift, black_corner != odd);
    let (mut rows, mut cols) = (height(cells), width(cells));
    // Fewer rows mean a lesser word. A reflection in the diagonal keeps the corner, and so the colours.
    if rows > cols {
        (cells, stones) = (transposed(cells), transposed(stones));
        (rows, cols) = (cols, rows);
    }
    let mut best = least_reflection(cells, stones, rows, cols, black);
    if rows == cols {
        let other = least_reflection(transposed(cells), transposed(stones), rows, cols, black);
        if (other.0, other.1) < (best.0, best.1) {
            best = other;
        }
    }
    (best.0, best.1, !best.2)
}

/// Of a part in the corner of an 8x8 board and its reflections in the middle row and column of so many the least: cells,
/// stones, and whether Black owns the corner.
#[inline]
fn least_reflection(cells: u64, stones: u64, rows: u32, cols: u32, black: bool) -> (u64, u64, bool) {
    // To the last row goes what is in the first, and then as far up as there are rows; columns alike.
    let (up, left) = (8 * (8 - rows), 8 - cols);
    let rows_turned = |set: u64| set.swap_bytes() >> up;
    let cols_turned = |set: u64| set.reverse_bits().swap_bytes() >> left;
    let both_turned = |set: u64| set.reverse_bits() >> (up + left);
    let (by_rows, by_cols) = (rows.is_multiple_of(2), cols.is_multiple_of(2));
    let mut best = (cells, stones, black);
    let mut consider = |image: (u64, u64), exchanged: bool| {
        if image < (best.0, best.1) {
            best = (image.0, image.1, black != exchanged);
        }
    };
    consider((rows_turned(cells), rows_turned(stones)), by_rows);
    consider((cols_turned(cells), cols_turned(stones)), by_cols);
    consider((both_turned(cells), both_turned(stones)), by_rows != by_cols);
    best
}

/// The rows down to the last cell; one for no cell.
fn height(cells: u64) -> u32 {
    8 - (cells | 1).leading_zeros() / 8
}

/// The columns up to the last cell; one for no cell.
fn width(cells: u64) -> u32 {
    let mut columns = cells | cells >> 32;
    columns |= columns >> 16;
    columns |= columns >> 8;
    64 - (columns & 0xff | 1).leading_zeros()
}

/// How far a set must be shifted to lie in the corner, and whether that changes the colours.
fn corner(cells: u64) -> (u32, bool) {
    if cells == 0 {
        return (0, false);
    }
    let rows = cells.trailing_zeros() / 8;
    let mut columns = cells | cells >> 32;
    columns |= columns >> 16;
    columns |= columns >> 8;
    let cols = (columns & 0xff).trailing_zeros();
    (8 * rows + cols, (rows + cols) % 2 == 1)
}

/// The reflection in the diagonal of an 8x8 board, by exchanging ever larger blocks.
fn transposed(mut set: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa_u64), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let differing = (set ^ (set >> shift)) & mask;
        set ^= differing ^ (differing << shift);
    }
    set
}

/// The normal form of a part of a board by its cells as (row, column, has a stone). `black`: whether Black owns the cell in
/// row 0 and column 0.
pub(super) fn place(cells: &[(usize, usize, bool)], black: bool) -> Placed {
    let least = |of: fn(&(usize, usize, bool)) -> usize| cells.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&(usize, usize, bool)) -> usize| cells.iter().map(of).max().unwrap_or(0);
    let (top, left) = (least(|cell| cell.0), least(|cell| cell.1));
    let (rows, cols) = (most(|cell| cell.0) - top + 1, most(|cell| cell.1) - left + 1);
    let black = black != ((top + left) % 2 == 1);
    let cells: Vec<_> = cells.iter().map(|&(row, col, stone)| (row - top, col - left, stone)).collect();
    if rows <= 8 && cols <= 8 {
        let set = |only: bool| {
            let chosen = cells.iter().filter(|cell| cell.2 || !only);
            chosen.fold(0, |set, &(row, col, _)| set | u64::single(8 * row + col))
        };
        let (cells, stones, negative) = small(set(false), set(true), black);
        return Placed { part: Part::Small { cells, stones }, negative };
    }
    // No side of a board is longer than its 400 cells.
    if rows * cols <= 128 {
        let (rows, cols, cells, stones, negative) = least_image::<u128>(&cells, rows, cols, black);
        Placed { part: Part::Large { rows: rows as u8, cols: cols as u8, cells, stones }, negative }
    } else {
        let (rows, cols, cells, stones, negative) = least_image::<Wide>(&cells, rows, cols, black);
        Placed { part: Part::Wide { rows, cols, cells, stones }, negative }
    }
}

/// Of the images of a part under the symmetries of the square the least: rows, columns, cells, stones, and whether White owns
/// its corner.
fn least_image<S: CellSet + Ord>(
    cells: &[(usize, usize, bool)],
    rows: usize,
    cols: usize,
    black: bool,
) -> (u16, u16, S, S, bool) {
    all_images(cells, rows, cols, black).into_iter().min().unwrap_or_default()
}

/// The eight images, as [`least_image`] describes one.
fn all_images<S: CellSet>(
    cells: &[(usize, usize, bool)],
    rows: usize,
    cols: usize,
    black: bool,
) -> [(u16, u16, S, S, bool); 8] {
    std::array::from_fn(|image| {
        let (height, width) = if image & 4 == 0 { (rows, cols) } else { (cols, rows) };
        let (mut all, mut stones) = (S::empty(), S::empty());
        for &(row, col, stone) in cells {
            let row = if image & 1 == 0 { row } else { rows - 1 - row };
            let col = if image & 2 == 0 { col } else { cols - 1 - col };
            let at = if image & 4 == 0 { width * row + col } else { width * col + row };
            all |= S::single(at);
            if stone {
                stones |= S::single(at);
            }
        }
        // The corner of the image is the cell of the part that came there.
        let odd = (if image & 1 == 0 { 0 } else { rows - 1 } + if image & 2 == 0 { 0 } else { cols - 1 }) % 2 == 1;
        (height as u16, width as u16, all, stones, black == odd)
    })
}

/// The board on which the normal form of a large or wide part lies, if it fits a set of so many cells.
pub(super) fn board(rows: usize, cols: usize, capacity: usize) -> Option<Size> {
    Size::new(rows, cols).ok().filter(|size| size.cells() <= capacity)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One cell of a part: row, column, and whether a stone stands there.
    type Cells = Vec<(usize, usize, bool)>;

    fn images(cells: &Cells) -> Vec<(Cells, bool)> {
        let size = 17;
        let mut found = Vec::new();
        for image in 0..8 {
            let image_of = |&(row, col, stone): &(usize, usize, bool)| {
                let row = if image & 1 == 0 { row } else { size - row };
                let col = if image & 2 == 0 { col } else { size - col };
                if image & 4 == 0 { (row, col, stone) } else { (col, row, stone) }
            };
            // A reflection in a board of eighteen rows changes the colour of every cell.
            found.push((cells.iter().map(image_of).collect(), (image & 1 != 0) != (image & 2 != 0)));
        }
        found
    }

    #[test]
    fn every_place_and_image_has_one_normal_form() {
        // None of them is its own exchange of colours, which may come out either way.
        let shapes: [Cells; 5] = [
            vec![(0, 0, false), (0, 1, true), (0, 2, true), (1, 2, true), (2, 2, false)],
            vec![(0, 0, true), (1, 0, true), (2, 0, false), (3, 1, true)],
            (0..10).map(|col| (0, col, col % 4 == 0)).collect(),
            (0..10).map(|at| (at, at / 2, at % 4 == 0)).collect(),
            (0..17).map(|at| (at, 9 + at % 2, at % 3 == 0)).chain([(5, 0, true)]).collect(),
        ];
        for shape in shapes {
            let expected = place(&shape, true);
            for (image, flipped) in images(&shape) {
                for (down, right) in [(0, 0), (1, 0), (2, 3), (0, 5)] {
                    let moved: Cells =
                        image.iter().map(|&(row, col, stone)| (row + down, col + right, stone)).collect();
                    for black in [true, false] {
                        let exchanged = (flipped != ((down + right) % 2 == 1)) == black;
                        let found = place(&moved, black);
                        assert_eq!(found.part, expected.part, "{image:?}");
                        assert_eq!(found.negative, expected.negative != exchanged, "{image:?} {down} {right}");
                    }
                }
            }
        }
    }

    /// The normal form of a small part is the least of all images, and the colours go with the image.
    #[test]
    fn small_parts_take_the_least_of_their_images() {
        let mut seed = 1_u64;
        for round in 0..4000 {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 20) as usize
            };
            let (rows, cols) = (1 + next() % 8, 1 + next() % 8);
            let mut list: Cells = Vec::new();
            for at in 0..rows * cols {
                if next() % 3 > 0 {
                    list.push((at / cols, at % cols, next() % 2 == 0));
                }
            }
            if list.is_empty() {
                continue;
            }
            let black = round % 2 == 0;
            let top = list.iter().map(|cell| cell.0).min().unwrap();
            let left = list.iter().map(|cell| cell.1).min().unwrap();
            let near: Cells = list.iter().map(|&(row, col, stone)| (row - top, col - left, stone)).collect();
            let rows = near.iter().map(|cell| cell.0).max().unwrap() + 1;
            let cols = near.iter().map(|cell| cell.1).max().unwrap() + 1;
            // Images of any board word, again on rows of eight.
            let wide = |(height, width, cells, stones, negative): (u16, u16, u64, u64, bool)| {
                let eight = |set: u64| {
                    set.iter()
                        .fold(0, |all, at| all | 1_u64 << (8 * (at / usize::from(width)) + at % usize::from(width)))
                };
                assert!(height <= 8);
                (eight(cells), eight(stones), negative)
            };
            let images = all_images::<u64>(&near, rows, cols, black != ((top + left) % 2 == 1));
            let images: Vec<_> = images.into_iter().map(wide).collect();
            let least = images.iter().map(|image| (image.0, image.1)).min().unwrap();
            let set = |only: bool| {
                let chosen = list.iter().filter(|cell| cell.2 || !only);
                chosen.fold(0_u64, |set, &(row, col, _)| set | 1 << (8 * row + col))
            };
            let (cells, stones, negative) = small(set(false), set(true), black);
            assert_eq!((cells, stones), least);
            assert!(images.contains(&(cells, stones, negative)));
        }
    }

    #[test]
    fn the_word_is_as_small_as_the_spread_allows() {
        let word = |cells: &[(usize, usize, bool)]| place(cells, true).part;
        assert!(matches!(word(&[(3, 3, true), (10, 10, true)]), Part::Small { .. }));
        assert!(matches!(word(&[(0, 0, true), (7, 15, true)]), Part::Large { .. }));
        assert!(matches!(word(&[(0, 0, true), (11, 11, true)]), Part::Wide { .. }));
        assert!(matches!(word(&[(0, 0, true), (0, 399, true)]), Part::Wide { .. }));
    }
}
