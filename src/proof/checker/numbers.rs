//! The numbers of placements a second time: the slow, obvious twin of the program's fast ranking.

use crate::board::Size;
use crate::konane::Side;
use crate::konane::reference::Reference;

/// Numbers the ways to place so many stones of each side on the cells of a board; the document of the format says how.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Numbers {
    size: Size,
    /// The owner of each cell, by index.
    owners: Vec<Side>,
    /// `choose[n][k]` is C(n, k) for n and k up to 32.
    choose: Vec<Vec<u64>>,
}

/// Cells that a side has at most.
const MOST: usize = 32;

impl Numbers {
    /// For a board of at most 64 cells.
    pub(in crate::proof) fn new(size: Size, top_left: Side) -> Numbers {
        let full = Reference::full(size, top_left);
        let mut choose = vec![vec![0; MOST + 1]; MOST + 1];
        for n in 0..=MOST {
            choose[n][0] = 1;
            for k in 1..=n {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        Numbers { size, owners: (0..size.cells()).filter_map(|index| full.stone(index)).collect(), choose }
    }

    fn cells_of(&self, side: Side) -> usize {
        self.owners.iter().filter(|&&owner| owner == side).count()
    }

    /// C(n, k), and 0 beyond the table, where nothing can be chosen on these boards.
    fn choose(&self, n: usize, k: usize) -> u64 {
        self.choose.get(n).and_then(|row| row.get(k)).copied().unwrap_or(0)
    }

    /// How many ways there are to place so many stones.
    pub(in crate::proof) fn placements(&self, black: usize, white: usize) -> u64 {
        self.choose(self.cells_of(Side::Black), black) * self.choose(self.cells_of(Side::White), white)
    }

    /// Black's and White's stones on a board.
    pub(in crate::proof) fn stones(&self, board: &Reference) -> [usize; 2] {
        let of = |side| (0..self.size.cells()).filter(|&index| board.stone(index) == Some(side)).count();
        [of(Side::Black), of(Side::White)]
    }

    /// The number of a board among those with as many stones of each side.
    pub(in crate::proof) fn number(&self, board: &Reference) -> u64 {
        let [_, white] = self.stones(board);
        let [black_part, white_part] = Side::BOTH.map(|side| {
            let (mut cells, mut stones, mut number) = (0, 0, 0);
            for index in (0..self.size.cells()).filter(|&index| self.owners[index] == side) {
                if board.stone(index) == Some(side) {
                    stones += 1;
                    number += self.choose(cells, stones);
                }
                cells += 1;
            }
            number
        });
        black_part * self.choose(self.cells_of(Side::White), white) + white_part
    }

    /// The board with this number, which must be below [`Numbers::placements`].
    pub(in crate::proof) fn board(&self, black: usize, white: usize, number: u64, turn: Side) -> Reference {
        let whites = self.choose(self.cells_of(Side::White), white).max(1);
        let mut stone = vec![None; self.size.cells()];
        for (side, mut stones, mut left) in
            [(Side::Black, black, number / whites), (Side::White, white, number % whites)]
        {
            let mut cells = self.cells_of(side);
            for index in (0..self.size.cells()).rev().filter(|&index| self.owners[index] == side) {
                cells -= 1;
                if stones > 0 && self.choose(cells, stones) <= left {
                    left -= self.choose(cells, stones);
                    stones -= 1;
                    stone[index] = Some(side);
                }
            }
        }
        Reference::new(self.size, turn, |index| stone[index])
    }
}
