//! A number for every open position, without gaps and without hashing.
//!
//! A position is looked at by the side to move, called *mover*; the other side is called *other*. When White is to move the
//! board is mapped so that the home rows change places ([`Swap`]): the mover is always at home at the bottom. On boards that
//! this map leaves as they are the colours do not matter any more, and there is one *half*; on the others there are two,
//! half 0 with Red to move and half 1 with White to move, which is the same game on the mapped board.
//!
//! Within a half a position is: a *pair* of disjoint sets of cells that both keep the own-stones rule, the mover's without the
//! goal row and the other's without the mover's home row; and how the numbers lie on each set, a permutation. The cells of the
//! mover's set are taken in the order of their index, those of the other's in the order of the mapped index. So a move
//! of the mover to a set M' leads from (pair of M and O, permutations p and q) to (pair of O and M', permutations q and p'),
//! where p' is p with one number taken out at one place and put in at another: nothing else has to be computed.
//!
//! ```text
//! index = ((first pair of the half + pair) * N! + rank of p) * N! + rank of q
//! ```
//!
//! Pairs are counted by mover's set, then by other's set, sets in the order of their bits; ranks are lexicographic. Indices
//! reach the disk: a change here is a new kind of table file.

use rayon::prelude::*;

use super::grid::{Cells, Grid, Swap, each};
use super::{Kota, MAX_N, OwnStones, Position, Side};

/// The largest N whose positions are numbered. One more has 10^13.
pub(super) const MAX_INDEXED: usize = 5;
/// N! at most.
pub(super) const MAX_RANKS: usize = 120;
const NONE: u32 = u32::MAX;

/// One half.
#[derive(Debug)]
pub(super) struct Half {
    /// The board as the mover sees it.
    pub(super) grid: Grid,
    /// The sets of cells the mover may have, ascending.
    pub(super) sets: Vec<Cells>,
    /// The pair of a mover's set and the set of the other by its number in the other half; `NONE` where they overlap.
    matrix: Vec<u32>,
    /// The two set numbers of every pair.
    pub(super) pairs: Vec<(u32, u32)>,
}

impl Half {
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&self.sets[..]) + size_of_val(&self.matrix[..]) + size_of_val(&self.pairs[..])) as u64
    }
}

/// Where a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) half: usize,
    pub(super) pair: usize,
    pub(super) mover: usize,
    pub(super) other: usize,
}

#[derive(Debug)]
pub(super) struct Index {
    n: usize,
    swap: Swap,
    pub(super) halves: Vec<Half>,
    /// The permutations of the numbers, by rank.
    pub(super) orders: Vec<Vec<u8>>,
}

impl Index {
    /// The index of the game; its N is at most [`MAX_INDEXED`].
    pub(super) fn new(kota: &Kota) -> Index {
        let (n, rule) = (kota.n(), kota.rules().own_stones);
        let (swap, symmetric) = kota.grid().swap();
        let mut grids = vec![kota.grid().clone()];
        if !symmetric {
            grids.push(kota.grid().mapped(swap));
        }
        let sets: Vec<Vec<Cells>> = grids.iter().map(|grid| mover_sets(grid, rule)).collect();
        let halves = grids.iter().enumerate().map(|(half, grid)| {
            let others: Vec<Cells> =
                sets[(half + 1) % grids.len()].iter().map(|&set| grid.map_cells(swap, set)).collect();
            let mut matrix = vec![NONE; sets[half].len() * others.len()];
            let mut pairs = Vec::new();
            for (a, &mover) in sets[half].iter().enumerate() {
                for (b, &other) in others.iter().enumerate() {
                    if mover & other == 0 {
                        matrix[a * others.len() + b] = pairs.len() as u32;
                        pairs.push((a as u32, b as u32));
                    }
                }
            }
            Half { grid: grid.clone(), sets: sets[half].clone(), matrix, pairs }
        });
        Index { n, swap, halves: halves.collect(), orders: orders(n) }
    }

    pub(super) fn n(&self) -> usize {
        self.n
    }

    /// N!.
    pub(super) fn ranks(&self) -> usize {
        self.orders.len()
    }

    /// Pairs of all halves.
    pub(super) fn pairs(&self) -> usize {
        self.halves.iter().map(|half| half.pairs.len()).sum()
    }

    /// Positions that have a number.
    pub(super) fn len(&self) -> u64 {
        (self.pairs() * self.ranks() * self.ranks()) as u64
    }

    /// How many positions of the game each number stands for.
    pub(super) fn weight(&self) -> u64 {
        if self.halves.len() == 1 { 2 } else { 1 }
    }

    /// The half that a move leads to.
    pub(super) fn next_half(&self, half: usize) -> usize {
        (half + 1) % self.halves.len()
    }

    /// The set of the other side in a pair, on the mover's board.
    pub(super) fn other_set(&self, half: usize, b: u32) -> Cells {
        self.halves[half].grid.map_cells(self.swap, self.halves[self.next_half(half)].sets[b as usize])
    }

    /// The pair in this half of a mover's and another's set.
    pub(super) fn pair(&self, half: usize, a: u32, b: u32) -> Option<u32> {
        let width = self.halves[self.next_half(half)].sets.len();
        let pair = self.halves[half].matrix[a as usize * width + b as usize];
        (pair != NONE).then_some(pair)
    }

    /// Where a position is; `None` if it is not open, or of another size.
    pub(super) fn place(&self, position: &Position) -> Option<Place> {
        if position.n() != self.n {
            return None;
        }
        let side = position.turn();
        let half = if side == Side::White && self.halves.len() == 2 { 1 } else { 0 };
        let grid = &self.halves[half].grid;
        let map = |cell: u8| grid.map_cell(self.swap, cell.into());
        // Both as their owner sees them; the mapped index of a cell of the other is the index that its owner sees.
        let seen = |of: Side| -> Vec<usize> {
            let cells = position.stones(of).iter();
            if of == Side::Red {
                cells.map(|&cell| cell.into()).collect()
            } else {
                cells.map(|&cell| map(cell)).collect()
            }
        };
        let (mover, a) = self.order_and_set(&seen(side), half)?;
        let (other, b) = self.order_and_set(&seen(side.other()), self.next_half(half))?;
        let pair = self.pair(half, a, b)? as usize;
        Some(Place { half, pair, mover, other })
    }

    fn order_and_set(&self, cells: &[usize], half: usize) -> Option<(usize, u32)> {
        let set = cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let number = self.halves[half].sets.binary_search(&set).ok()? as u32;
        let mut order = [0; MAX_N];
        for (slot, cell) in each(set).enumerate() {
            order[slot] = cells.iter().position(|&other| other == cell)? as u8;
        }
        Some((rank(&order[..self.n]), number))
    }

    /// The position at a place. In a single half Red is to move; the one with White to move is the same with the colours
    /// changed.
    pub(super) fn position(&self, place: Place) -> Position {
        let half = &self.halves[place.half];
        let (a, b) = half.pairs[place.pair];
        let turn = if place.half == 0 { Side::Red } else { Side::White };
        let mut position = Position { n: self.n as u8, turn, cells: [[0; MAX_N]; 2] };
        let sets = [(turn, half.sets[a as usize], place.mover), {
            (turn.other(), self.halves[self.next_half(place.half)].sets[b as usize], place.other)
        }];
        for (side, set, rank) in sets {
            for (slot, cell) in each(set).enumerate() {
                let cell = if side == Side::Red { cell } else { half.grid.map_cell(self.swap, cell) };
                position.cells[side as usize][usize::from(self.orders[rank][slot])] = cell as u8;
            }
        }
        position
    }

    /// The same position with the colours changed, on a board that allows it.
    pub(super) fn swapped(&self, position: &Position) -> Position {
        let grid = &self.halves[0].grid;
        let mut swapped = position.flipped();
        for side in Side::ALL {
            for (number, &cell) in position.stones(side).iter().enumerate() {
                let cell = grid.map_cell(self.swap, cell.into());
                swapped.cells[side.other() as usize][number] = cell as u8;
            }
        }
        swapped
    }

    /// The number of a place.
    pub(super) fn number(&self, place: Place) -> u64 {
        let first: usize = self.halves[..place.half].iter().map(|half| half.pairs.len()).sum();
        (((first + place.pair) * self.ranks() + place.mover) * self.ranks() + place.other) as u64
    }

    /// The place of a number below [`Index::len`].
    pub(super) fn place_of(&self, number: u64) -> Place {
        let (number, ranks) = (number as usize, self.ranks());
        let (rest, other) = (number / ranks, number % ranks);
        let (mut pair, mover) = (rest / ranks, rest % ranks);
        let mut half = 0;
        while pair >= self.halves[half].pairs.len() {
            pair -= self.halves[half].pairs.len();
            half += 1;
        }
        Place { half, pair, mover, other }
    }
}

/// The sets of N cells, without the top row, that keep the own-stones rule, ascending.
fn mover_sets(grid: &Grid, rule: OwnStones) -> Vec<Cells> {
    let (n, cells) = (grid.n(), grid.n() * grid.n());
    let all: Vec<Cells> = (n..cells).flat_map(|last| subsets(n, last, n - 1)).collect();
    let mut sets: Vec<Cells> = all.into_par_iter().filter(|&set| grid.own_stones_hold(set, rule)).collect();
    sets.sort_unstable();
    sets
}

/// The sets of `more` cells from `first` to below `last`, each with `last`.
fn subsets(first: usize, last: usize, more: usize) -> Vec<Cells> {
    if more == 0 {
        return vec![1 << last];
    }
    let below = (first..last).flat_map(|next| subsets(first, next, more - 1));
    below.map(|set| set | 1 << last).collect()
}

/// The permutations of 0 to n-1 in lexicographic order.
fn orders(n: usize) -> Vec<Vec<u8>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..n {
        let longer = |order: &Vec<u8>| {
            let order = order.clone();
            let rest: Vec<u8> = (0..n as u8).filter(|number| !order.contains(number)).collect();
            rest.into_iter().map(move |number| [&order[..], &[number]].concat())
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// The number of a permutation in that order.
pub(super) fn rank(order: &[u8]) -> usize {
    order.iter().enumerate().fold(0, |rank, (at, number)| {
        let smaller = order[at + 1..].iter().filter(|later| *later < number).count();
        rank * (order.len() - at) + smaller
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Rules};
    use super::*;

    #[test]
    fn ranks_are_lexicographic() {
        for n in 1..=5 {
            for (at, order) in orders(n).iter().enumerate() {
                assert_eq!(rank(order), at);
            }
        }
        assert_eq!((orders(5).len(), orders(3)[4].clone()), (MAX_RANKS, vec![2, 0, 1]));
    }

    #[test]
    fn numbers_and_positions_are_one_to_one() {
        for &board in Board::ALL {
            let kota = Kota::new(Rules { board, ..Rules::default() }, 3).unwrap();
            let index = Index::new(&kota);
            for number in 0..index.len() {
                let place = index.place_of(number);
                let position = index.position(place);
                assert_eq!((index.number(place), index.place(&position)), (number, Some(place)));
                assert_eq!(kota.position(&position.setup()), Ok(position));
            }
        }
    }

    #[test]
    fn counts_of_open_positions() {
        for (n, board, group, neighbour) in [
            (3, Board::Rhombus, 4_032, 4_032),
            (3, Board::FlatColumns, 4_608, 4_608),
            (3, Board::OffsetRows, 3_816, 3_816),
            (4, Board::Rhombus, 3_773_952, 10_085_760),
            (4, Board::FlatColumns, 4_406_400, 10_156_032),
            (4, Board::OffsetRows, 3_733_632, 9_888_768),
        ] {
            for (own_stones, count) in [(OwnStones::Group, group), (OwnStones::EachHasNeighbour, neighbour)] {
                let index = Index::new(&Kota::new(Rules { board, own_stones, ..Rules::default() }, n).unwrap());
                assert_eq!(index.len() * index.weight(), count, "{n} {board} {own_stones}");
            }
        }
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "seconds only with --release")]
    fn counts_of_open_positions_of_five() {
        for (board, own_stones, count) in [
            (Board::Rhombus, OwnStones::Group, 5_039_625_600),
            (Board::FlatColumns, OwnStones::Group, 5_925_945_600),
            (Board::Rhombus, OwnStones::EachHasNeighbour, 48_920_947_200),
            (Board::FlatColumns, OwnStones::EachHasNeighbour, 49_218_768_000),
        ] {
            let index = Index::new(&Kota::new(Rules { board, own_stones, ..Rules::default() }, 5).unwrap());
            assert_eq!(index.len() * index.weight(), count, "{board} {own_stones}");
        }
    }
}
