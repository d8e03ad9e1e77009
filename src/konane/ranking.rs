//! Numbers for the ways to place stones.

use crate::board::CellSet;

use super::{Field, Side};

/// Numbers, for each number of black and of white stones, the ways to place them on the cells their sides own.
///
/// The cells of a side are numbered 0, 1, … in the order of the board (row by row from the top left). A set of them,
/// c1 < c2 < … < ck, has the number C(c1, 1) + C(c2, 2) + … + C(ck, k) (the combinatorial number system; C(n, k) are
/// binomial coefficients), which counts the sets of k cells without gap. A placement has the number of Black's cells times
/// the number of sets of White's, plus the number of White's cells.
#[derive(Clone, Debug)]
pub struct Ranking {
    black: Half,
    white: Half,
}

/// The cells of one side.
#[derive(Clone, Debug)]
struct Half {
    mask: u64,
    /// Indices of the cells in order.
    cells: Vec<u8>,
    /// The part of the number that comes from one byte of the word, by byte, stones before it, and the byte's bits.
    parts: Vec<[u32; 256]>,
}

const MOST: usize = 32;

/// C(n, k) for n and k up to 32.
const BINOMIALS: [[u32; MOST + 1]; MOST + 1] = {
    let mut table = [[0; MOST + 1]; MOST + 1];
    let mut n = 0;
    while n <= MOST {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

impl Half {
    fn new(mask: u64) -> Half {
        let cells: Vec<u8> = mask.iter().map(|index| index as u8).collect();
        let mut parts = vec![[0; 256]; 8 * (MOST + 1)];
        for byte in 0..8 {
            for before in 0..=MOST {
                for (bits, part) in parts[byte * (MOST + 1) + before].iter_mut().enumerate() {
                    let mut seen = before;
                    for index in ((bits as u64) << (8 * byte) & mask).iter() {
                        seen += 1;
                        let cell = cells.iter().position(|&cell| usize::from(cell) == index).unwrap_or(0);
                        // Only more stones than the side has cells could lead beyond the table.
                        *part += BINOMIALS[cell].get(seen).copied().unwrap_or(0);
                    }
                }
            }
        }
        Half { mask, cells, parts }
    }

    #[inline]
    fn rank(&self, occupied: u64) -> u32 {
        let mut left = occupied & self.mask;
        let (mut rank, mut row, mut seen) = (0, 0, 0);
        while left != 0 {
            let bits = left & 0xff;
            rank += self.parts[row + seen][bits as usize];
            seen += bits.count_ones() as usize;
            left >>= 8;
            row += MOST + 1;
        }
        rank
    }

    fn unrank(&self, stones: u32, mut rank: u32) -> u64 {
        let (mut set, mut cell) = (0, self.cells.len());
        for k in (1..=stones as usize).rev() {
            // The largest cell whose coefficient fits; a rank of the class always has one.
            cell = (0..cell).rev().find(|&cell| BINOMIALS[cell][k] <= rank).unwrap_or(0);
            rank -= BINOMIALS[cell][k].min(rank);
            set |= 1 << self.cells[cell];
        }
        set
    }

    fn count(&self, stones: u32) -> u64 {
        BINOMIALS[self.cells.len()].get(stones as usize).copied().unwrap_or(0).into()
    }
}

impl Ranking {
    /// The largest board, in cells.
    pub const MAX_CELLS: usize = 64;

    /// The numbers for a board of at most [`Ranking::MAX_CELLS`] cells.
    pub fn new(field: &Field<u64>) -> Ranking {
        Ranking { black: Half::new(field.cells_of(Side::Black)), white: Half::new(field.cells_of(Side::White)) }
    }

    /// How many ways there are to place these many stones: the numbers are below. 0 when a side has fewer cells. At most
    /// C(32, 16)^2, less than 2^59.
    pub fn placements(&self, black: u32, white: u32) -> u64 {
        self.black.count(black) * self.white.count(white)
    }

    /// How many stones of Black and of White are on these cells.
    #[inline]
    pub fn stones(&self, occupied: u64) -> (u32, u32) {
        ((occupied & self.black.mask).count_ones(), (occupied & self.white.mask).count_ones())
    }

    /// The number of the placement of stones on these cells of the board among those with as many stones of each side.
    #[inline]
    pub fn rank(&self, occupied: u64) -> u64 {
        let white = (occupied & self.white.mask).count_ones();
        u64::from(self.black.rank(occupied)) * self.white.count(white) + u64::from(self.white.rank(occupied))
    }

    /// The placement with this number, which must be below [`Ranking::placements`].
    #[inline]
    pub fn unrank(&self, black: u32, white: u32, rank: u64) -> u64 {
        let whites = self.white.count(white).max(1);
        // Both parts are below C(32, 16) for numbers of the class.
        self.black.unrank(black, (rank / whites) as u32) | self.white.unrank(white, (rank % whites) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn numbers_of_a_class_are_a_bijection() {
        for (size, top_left) in [("4x4", Side::Black), ("3x5", Side::White), ("2x7", Side::Black), ("1x9", Side::Black)]
        {
            let size: Size = size.parse().unwrap();
            let ranking = Ranking::new(&Field::new(size, top_left));
            let mut next = std::collections::HashMap::<(u32, u32), Vec<u64>>::new();
            for occupied in 0..1_u64 << size.cells() {
                let (black, white) = ranking.stones(occupied);
                let rank = ranking.rank(occupied);
                assert_eq!(ranking.unrank(black, white, rank), occupied);
                next.entry((black, white)).or_default().push(rank);
            }
            for ((black, white), mut ranks) in next {
                ranks.sort_unstable();
                assert!(ranks.into_iter().eq(0..ranking.placements(black, white)), "{size} {black} {white}");
            }
        }
    }

    #[test]
    fn large_boards_fit() {
        let ranking = Ranking::new(&Field::new("8x8".parse().unwrap(), Side::Black));
        assert_eq!(ranking.placements(16, 16), 601_080_390_u64.pow(2));
        assert_eq!(ranking.placements(33, 0), 0);
        let mut word = 1_u64;
        for _ in 0..10_000 {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let (black, white) = ranking.stones(word);
            let rank = ranking.rank(word);
            assert!(rank < ranking.placements(black, white));
            assert_eq!(ranking.unrank(black, white, rank), word);
        }
        assert_eq!(ranking.rank(u64::MAX), 0);
    }
}
