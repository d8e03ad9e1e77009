//! The hexagons of a board as sets of cells.
//!
//! A cell is a bit: index 0 is the top-left cell, then row by row. Red is at home on the bottom row (the last N bits) and
//! wins on the top row (the first N bits).
//!
//! ```text
//! N = 3, flat-columns:   0   2        rhombus:  0 1 2        offset-rows:  0 1 2
//!                          1                     3 4 5                      3 4 5
//!                        3   5                    6 7 8                    6 7 8
//!                          4
//!                        6   8
//!                          7
//! ```

use super::{Board, OwnStones};

/// A set of cells.
pub(super) type Cells = u128;

/// The cells of a set, in order of their index.
pub(super) fn each(mut cells: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = cells.trailing_zeros() as usize;
        (cells != 0).then(|| {
            cells &= cells - 1;
            cell
        })
    })
}

/// A map of the board that swaps the two home rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swap {
    HalfTurn,
    TopBottom,
}

/// A board of N x N hexagons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    n: usize,
    neighbours: Vec<Cells>,
}

impl Grid {
    pub(super) fn new(board: Board, n: usize) -> Grid {
        let inside = |row: isize, col: isize| {
            let range = 0..n as isize;
            (range.contains(&row) && range.contains(&col)).then(|| 1 << (row as usize * n + col as usize))
        };
        let neighbours = (0..n * n).map(|index| {
            let (row, col) = ((index / n) as isize, (index % n) as isize);
            let steps = match board {
                Board::FlatColumns if col % 2 == 0 => [(-1, 0), (1, 0), (-1, -1), (-1, 1), (0, -1), (0, 1)],
                Board::FlatColumns => [(-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (1, 1)],
                Board::Rhombus => [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1)],
                Board::OffsetRows if row % 2 == 0 => [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, -1), (1, 0)],
                Board::OffsetRows => [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, 1)],
            };
            steps.iter().filter_map(|&(down, right)| inside(row + down, col + right)).sum()
        });
        Grid { n, neighbours: neighbours.collect() }
    }

    /// The map that swaps the colours without changing the game, if the board has one; else the half turn, and `false`.
    pub(super) fn swap(&self) -> (Swap, bool) {
        for swap in [Swap::HalfTurn, Swap::TopBottom] {
            if self.mapped(swap) == *self {
                return (swap, true);
            }
        }
        (Swap::HalfTurn, false)
    }

    pub(super) fn map_cell(&self, swap: Swap, cell: usize) -> usize {
        let last = self.n - 1;
        let (row, col) = (cell / self.n, cell % self.n);
        match swap {
            Swap::HalfTurn => (last - row) * self.n + last - col,
            Swap::TopBottom => (last - row) * self.n + col,
        }
    }

    pub(super) fn map_cells(&self, swap: Swap, cells: Cells) -> Cells {
        each(cells).map(|cell| 1 << self.map_cell(swap, cell)).sum()
    }

    /// The board as it looks after the map.
    pub(super) fn mapped(&self, swap: Swap) -> Grid {
        let mut neighbours = vec![0; self.neighbours.len()];
        for (cell, &around) in self.neighbours.iter().enumerate() {
            neighbours[self.map_cell(swap, cell)] = self.map_cells(swap, around);
        }
        Grid { n: self.n, neighbours }
    }

    pub(super) fn n(&self) -> usize {
        self.n
    }

    pub(super) fn all(&self) -> Cells {
        (1 << (self.n * self.n)) - 1
    }

    pub(super) fn top_row(&self) -> Cells {
        (1 << self.n) - 1
    }

    pub(super) fn bottom_row(&self) -> Cells {
        self.top_row() << (self.n * (self.n - 1))
    }

    pub(super) fn around(&self, cell: usize) -> Cells {
        self.neighbours[cell]
    }

    /// Every cell that touches one of these.
    pub(super) fn around_all(&self, cells: Cells) -> Cells {
        each(cells).fold(0, |found, cell| found | self.neighbours[cell])
    }

    /// The connected group of a cell among these.
    pub(super) fn group(&self, cells: Cells, cell: usize) -> Cells {
        let (mut group, mut edge) = (0, 1 << cell);
        while edge != 0 {
            group |= edge;
            edge = self.around_all(edge) & cells & !group;
        }
        group
    }

    /// Whether the stones of a side may stand like this.
    pub(super) fn own_stones_hold(&self, stones: Cells, rule: OwnStones) -> bool {
        match rule {
            OwnStones::Group => stones == 0 || self.group(stones, stones.trailing_zeros() as usize) == stones,
            // A single stone of a side of one has nobody to touch.
            OwnStones::EachHasNeighbour => {
                stones.count_ones() <= 1 || each(stones).all(|cell| self.neighbours[cell] & stones != 0)
            }
        }
    }

    /// Where one more stone may join these so that all of them stand as they must.
    pub(super) fn joins(&self, rest: Cells, rule: OwnStones) -> Cells {
        if rest == 0 {
            return self.all();
        }
        let mut joins = self.around_all(rest) & !rest;
        match rule {
            OwnStones::Group => {
                let mut left = rest;
                while left != 0 {
                    let group = self.group(rest, left.trailing_zeros() as usize);
                    joins &= self.around_all(group);
                    left &= !group;
                }
            }
            OwnStones::EachHasNeighbour => {
                for lonely in each(rest).filter(|&cell| self.neighbours[cell] & rest == 0) {
                    joins &= self.neighbours[lonely];
                }
            }
        }
        joins
    }

    /// The cells that walks of exactly 0, 1, … `steps` steps from a cell reach within `free`, which may hold the cell itself.
    pub(super) fn walks(&self, free: Cells, from: usize, steps: usize) -> Vec<Cells> {
        let mut reached = vec![1 << from];
        for step in 0..steps {
            reached.push(self.around_all(reached[step]) & free);
        }
        reached
    }

    /// Whether a path without a cell twice goes from one cell to the other in exactly so many steps within `free`, which
    /// holds `to` and not `from`.
    pub(super) fn has_simple_path(&self, free: Cells, from: usize, to: usize, steps: usize) -> bool {
        // From where walks of the steps that are left reach the end: nearly every dead end is seen by this.
        let back = self.walks(free, to, steps - 1);
        self.simple_path(free & !(1 << to), from, &back)
    }

    /// `back[s]`: from where the end is reached in `s` steps; the next step goes to a cell of the last of them.
    fn simple_path(&self, free: Cells, at: usize, back: &[Cells]) -> bool {
        match back {
            [] => false,
            [end] => self.around(at) & end != 0,
            [rest @ .., last] => {
                each(self.around(at) & free & last).any(|next| self.simple_path(free & !(1 << next), next, rest))
            }
        }
    }

    /// The cells that simple paths of 1, 2, … steps from a cell reach within `free`, by trying them all: for small boards.
    pub(super) fn simple_reach(&self, free: Cells, from: usize, reached: &mut [Cells]) {
        let Some((now, later)) = reached.split_first_mut() else { return };
        let next = self.around(from) & free;
        *now |= next;
        if !later.is_empty() {
            for cell in each(next) {
                self.simple_reach(free & !(1 << cell), cell, later);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_hexagons() {
        for &board in Board::ALL {
            for n in 2..=11 {
                let grid = Grid::new(board, n);
                for cell in 0..n * n {
                    assert!((2..=6).contains(&grid.around(cell).count_ones()));
                    assert!(each(grid.around(cell)).all(|other| grid.around(other) >> cell & 1 == 1));
                }
                let (swap, symmetric) = grid.swap();
                assert_eq!(symmetric, !(board == Board::FlatColumns && n % 2 == 1), "{board} {n}");
                assert_eq!(grid.map_cells(swap, grid.top_row()), grid.bottom_row());
                assert_eq!(swap == Swap::TopBottom, board == Board::OffsetRows && n % 2 == 1);
            }
        }
    }

    #[test]
    fn a_path_turns_back_only_as_a_walk() {
        // The top row of a rhombus of 3: from its left end, two steps along free cells of that row.
        let grid = Grid::new(Board::Rhombus, 3);
        assert!(grid.has_simple_path(0b110, 0, 2, 2));
        assert!(!grid.has_simple_path(0b110, 0, 1, 3));
        assert_eq!(grid.walks(0b111, 0, 3)[3], 0b010);
        let mut reached = [0; 3];
        grid.simple_reach(0b110, 0, &mut reached);
        assert_eq!(reached, [0b010, 0b100, 0]);
    }
}
