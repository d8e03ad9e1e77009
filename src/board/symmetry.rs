//! The symmetries of a rectangle.

use super::Size;

/// A symmetry of a rectangle: an optional exchange of rows and columns (squares only), then optional reflections.
///
/// A symmetry either keeps the two classes of a chequered colouring or exchanges them; see [`Symmetry::keeps_colours`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_cols: bool,
}

impl Symmetry {
    /// The symmetries of a board of this size as maps of cells, the identity first: 8 of a square, 4 of another
    /// rectangle. On boards of one row or column some of them map every cell alike.
    pub fn all(size: Size) -> Vec<Symmetry> {
        let transposes: &[bool] = if size.is_square() { &[false, true] } else { &[false] };
        let mut all = Vec::with_capacity(8);
        for &transpose in transposes {
            for flip_rows in [false, true] {
                for flip_cols in [false, true] {
                    all.push(Symmetry { transpose, flip_rows, flip_cols });
                }
            }
        }
        all
    }

    /// The symmetries that map each class of the chequered colouring to itself.
    pub fn colour_keeping(size: Size) -> Vec<Symmetry> {
        Symmetry::all(size).into_iter().filter(|symmetry| symmetry.keeps_colours(size)).collect()
    }

    /// Whether each class of the chequered colouring is mapped to itself (otherwise the two are exchanged).
    pub fn keeps_colours(self, size: Size) -> bool {
        // The top-left cell decides: a symmetry maps neighbours to neighbours.
        let image = self.map(size, 0);
        (image / size.cols() + image % size.cols()).is_multiple_of(2)
    }

    /// The index of the image of the cell with this index.
    pub fn map(self, size: Size, index: usize) -> usize {
        let (mut row, mut col) = (index / size.cols(), index % size.cols());
        if self.transpose {
            (row, col) = (col, row);
        }
        if self.flip_rows {
            row = size.rows() - 1 - row;
        }
        if self.flip_cols {
            col = size.cols() - 1 - col;
        }
        row * size.cols() + col
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_bijection_that_keeps_or_exchanges_the_colours() {
        for (rows, cols) in [(1, 1), (1, 6), (2, 3), (3, 3), (4, 4), (4, 7), (5, 5)] {
            let size = Size::new(rows, cols).unwrap();
            for symmetry in Symmetry::all(size) {
                let mut images: Vec<_> = (0..size.cells()).map(|i| symmetry.map(size, i)).collect();
                let keeps = symmetry.keeps_colours(size);
                let colour = |i: usize| (i / cols + i % cols) % 2;
                assert!((0..size.cells()).all(|i| (colour(i) == colour(images[i])) == keeps));
                images.sort_unstable();
                assert!(images.iter().copied().eq(0..size.cells()));
            }
        }
    }

    #[test]
    fn how_many_keep_the_colours() {
        let count = |rows, cols| Symmetry::colour_keeping(Size::new(rows, cols).unwrap()).len();
        assert_eq!(count(6, 6), 4);
        assert_eq!(count(5, 5), 8);
        assert_eq!(count(6, 7), 2);
        assert_eq!(count(6, 8), 2);
        assert_eq!(count(5, 7), 4);
    }
}
