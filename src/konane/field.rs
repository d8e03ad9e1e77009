//! Jumps as whole-board bit operations.
//!
//! A stone never leaves its colour class, so a position is the set of occupied cells and the side to move: who owns a
//! stone follows from where it stands. With cells numbered row by row, a jump to the right of the stone on cell `i`
//! needs an enemy on `i + 1` and a hole on `i + 2`. For all stones at once:
//!
//! ```text
//!   index     0 1 2 3 4 5
//!   board     x o . o . x          Black to move, one row
//!   enemy     0 1 0 1 0 0          down by 1:  1 0 1 0 0 0     an enemy stands to my right
//!   empty     0 0 1 0 1 0          down by 2:  1 0 1 0 0 0     and a hole behind it
//!   springs   1 0 1 0 0 0          from these cells a Black stone could jump to the right
//!   own       1 0 0 0 0 1          and springs: 0              the stone on 0 can
//!   landing   0 0 1 0 0 0          up by 2 and springs: 2      and may go on to 4
//! ```
//!
//! Going on in the same direction meets only enemies and holes that the first jump did not touch, so `springs` is
//! computed once per direction.

use crate::board::{CellSet, Size};

use super::Side;

/// What jumps need to know of a board: its size, who owns which cells, and where jumps stay on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<S> {
    size: Size,
    top_left: Side,
    all: S,
    black: S,
    lanes: [Lane<S>; 2],
}

/// Rows or columns as lines to jump along; see [`Field::lanes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane<S> {
    /// Index distance of neighbours; 0 where the lane is too short for a jump (the sets are empty then).
    step: usize,
    /// Cells from which a jump towards higher indices stays on the board.
    forward: S,
    /// The same towards lower indices.
    backward: S,
}

/// One of the four directions of jumps on a board; see [`Field::directions`].
#[derive(Clone, Copy, Debug)]
pub struct Direction<S> {
    step: usize,
    forward: bool,
    inside: S,
}

/// A position for one width of machine word: the occupied cells and the side to move. Meaningful with its [`Field`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed<S> {
    /// Cells with a stone.
    pub occupied: S,
    /// The side to move.
    pub turn: Side,
}

/// How many positions [`Field::mobilities`] takes at a time.
pub const BATCH: usize = 4;

impl<S: CellSet> Lane<S> {
    /// The jumps that are possible along this lane with a stone on each cell of `occupied`, whoever owns it, and a hole on
    /// each of `empty`; a cell may be in both. A jump forward and a jump backward is named by the first of its three cells.
    #[inline(always)]
    pub fn jumps(&self, occupied: S, empty: S) -> (S, S) {
        let (one, two) = (self.step, 2 * self.step);
        let over = occupied.down(one) & self.forward;
        (over & occupied & empty.down(two), over & empty & occupied.down(two))
    }

    /// The cells `n` steps forward, meant for cells from which that stays on the board.
    #[inline(always)]
    pub fn ahead(&self, cells: S, n: usize) -> S {
        cells.up(n * self.step)
    }

    /// The cells `n` steps backward, some of them perhaps in another row.
    #[inline(always)]
    pub fn behind(&self, cells: S, n: usize) -> S {
        cells.down(n * self.step)
    }

    /// Adds the number of moves of `own` along this lane in one direction to the counts.
    #[inline(always)]
    fn count<const FORWARD: bool>(
        &self,
        own: &[S; BATCH],
        enemy: &[S; BATCH],
        empty: &[S; BATCH],
        counts: &mut [u32; BATCH],
    ) {
        let shift = |set: S, n: usize| if FORWARD { set.down(n) } else { set.up(n) };
        let unshift = |set: S, n: usize| if FORWARD { set.up(n) } else { set.down(n) };
        let inside = if FORWARD { self.forward } else { self.backward };
        let (one, two) = (self.step, 2 * self.step);
        let springs: [S; BATCH] = std::array::from_fn(|i| shift(enemy[i], one) & shift(empty[i], two) & inside);
        let mut from: [S; BATCH] = std::array::from_fn(|i| own[i] & springs[i]);
        loop {
            for i in 0..BATCH {
                counts[i] += from[i].count();
            }
            // A second jump is common among several positions, more are rare.
            from = std::array::from_fn(|i| unshift(from[i], two) & springs[i]);
            if from.iter().fold(S::empty(), |any, &set| any | set).is_empty() {
                break;
            }
        }
    }
}

impl<S: CellSet> Direction<S> {
    /// The cells that lie `n` steps ahead of these. Meant for cells whose jump stays on the board.
    #[inline(always)]
    pub fn ahead(&self, cells: S, n: usize) -> S {
        if self.forward { cells.up(n * self.step) } else { cells.down(n * self.step) }
    }

    /// The cells from which these lie `n` steps ahead, some of them perhaps in another row.
    #[inline(always)]
    pub fn behind(&self, cells: S, n: usize) -> S {
        if self.forward { cells.down(n * self.step) } else { cells.up(n * self.step) }
    }

    /// The jumps that leave these cells in this direction, as [`Lane::jumps`] names them.
    #[inline]
    pub fn named(&self, from: S) -> S {
        if self.forward { from } else { from.down(2 * self.step) }
    }

    /// These cells and, along this direction, their neighbours on the board.
    #[inline]
    pub fn near(&self, cells: S) -> S {
        // A jump from a cell stays on the board, or one from its neighbour's other side would: either way the step does.
        cells | self.ahead(cells & self.inside, 1) | self.ahead(self.ahead(self.inside, 1) & cells, 1)
    }

    /// The cells of `from` with one of `over` next to them and one of `to` behind that.
    #[inline(always)]
    pub fn jumps(&self, from: S, over: S, to: S) -> S {
        from & self.behind(over, 1) & self.behind(to, 2) & self.inside
    }
}

impl<S: CellSet> Packed<S> {
    /// The position after a jump that leaves these cells occupied.
    #[inline]
    pub fn after(self, occupied: S) -> Packed<S> {
        Packed { occupied, turn: self.turn.other() }
    }
}

impl Field<u64> {
    /// The field of the board of 8x8 cells whose top left one is Black's: known to the compiler, so that work on it shifts by
    /// constants.
    pub const EIGHT: Field<u64> = Field {
        size: Size::EIGHT,
        top_left: Side::Black,
        all: !0,
        black: 0xaa55_aa55_aa55_aa55,
        lanes: [
            Lane { step: 1, forward: 0x3f3f_3f3f_3f3f_3f3f, backward: 0xfcfc_fcfc_fcfc_fcfc },
            Lane { step: 8, forward: 0x0000_ffff_ffff_ffff, backward: 0xffff_ffff_ffff_0000 },
        ],
    };
}

impl<S: CellSet> Field<S> {
    /// The field of a board; `top_left` owns the top-left cell.
    ///
    /// # Panics
    /// When the board has more cells than `S` holds.
    pub fn new(size: Size, top_left: Side) -> Field<S> {
        assert!(size.cells() <= S::CAPACITY, "{size} does not fit a set of {} cells", S::CAPACITY);
        let (rows, cols) = (size.rows(), size.cols());
        let cells = |keep: &dyn Fn(usize, usize) -> bool| {
            (0..size.cells())
                .filter(|index| keep(index / cols, index % cols))
                .fold(S::empty(), |set, index| set | S::single(index))
        };
        let even = cells(&|row, col| (row + col) % 2 == 0);
        let all = cells(&|_, _| true);
        Field {
            size,
            top_left,
            all,
            black: if top_left == Side::Black { even } else { all & !even },
            lanes: [
                Lane {
                    step: if cols >= 3 { 1 } else { 0 },
                    forward: cells(&|_, col| col + 2 < cols),
                    backward: cells(&|_, col| col >= 2),
                },
                Lane {
                    step: if rows >= 3 { cols } else { 0 },
                    forward: cells(&|row, _| row + 2 < rows),
                    backward: cells(&|row, _| row >= 2),
                },
            ],
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The owner of the top-left cell.
    pub fn top_left(&self) -> Side {
        self.top_left
    }

    /// Every cell of the board.
    pub fn all(&self) -> S {
        self.all
    }

    /// The cells that `side` owns.
    #[inline]
    pub fn cells_of(&self, side: Side) -> S {
        match side {
            Side::Black => self.black,
            Side::White => self.all & !self.black,
        }
    }

    /// The stones of `side` among the occupied cells.
    #[inline]
    pub fn stones(&self, occupied: S, side: Side) -> S {
        occupied & self.cells_of(side)
    }

    /// Rows and columns.
    #[inline(always)]
    pub fn lanes(&self) -> &[Lane<S>; 2] {
        &self.lanes
    }

    /// The four directions, in the order of [`Field::for_each_move`].
    #[inline]
    pub fn directions(&self) -> [Direction<S>; 4] {
        let [row, col] = &self.lanes;
        let direction = |lane: &Lane<S>, forward| Direction {
            step: lane.step,
            forward,
            inside: if forward { lane.forward } else { lane.backward },
        };
        [direction(row, true), direction(row, false), direction(col, true), direction(col, false)]
    }

    /// Where a stone opposed by `enemy` could jump along a lane, forward and backward; see the module's picture.
    #[inline(always)]
    fn springs(lane: &Lane<S>, enemy: S, empty: S) -> (S, S) {
        let step = lane.step;
        (enemy.down(step) & empty.down(2 * step) & lane.forward, enemy.up(step) & empty.up(2 * step) & lane.backward)
    }

    /// Number of moves `side` would have on its turn: every stop of every stone counts.
    #[inline(always)]
    pub fn mobility(&self, occupied: S, side: Side) -> u32 {
        let own = self.stones(occupied, side);
        let (enemy, empty) = (occupied ^ own, self.all & !occupied);
        let mut count = 0;
        for lane in &self.lanes {
            let (forward, backward) = Self::springs(lane, enemy, empty);
            let mut from = own & forward;
            while !from.is_empty() {
                count += from.count();
                from = from.up(2 * lane.step) & forward;
            }
            let mut from = own & backward;
            while !from.is_empty() {
                count += from.count();
                from = from.down(2 * lane.step) & backward;
            }
        }
        count
    }

    /// [`Field::mobility`] of `side` and of its opponent for several sets of occupied cells at once. Written lane by lane
    /// over whole arrays so that the compiler turns it into vector instructions.
    #[inline]
    pub fn mobilities(&self, occupied: &[S; BATCH], side: Side) -> ([u32; BATCH], [u32; BATCH]) {
        let mine = self.cells_of(side);
        let own = occupied.map(|occupied| occupied & mine);
        let other = occupied.map(|occupied| occupied & !mine);
        let empty = occupied.map(|occupied| self.all & !occupied);
        let (mut own_count, mut other_count) = ([0; BATCH], [0; BATCH]);
        for lane in &self.lanes {
            lane.count::<true>(&own, &other, &empty, &mut own_count);
            lane.count::<false>(&own, &other, &empty, &mut own_count);
            lane.count::<true>(&other, &own, &empty, &mut other_count);
            lane.count::<false>(&other, &own, &empty, &mut other_count);
        }
        (own_count, other_count)
    }

    /// Whether `side` has a move.
    #[inline]
    pub fn can_move(&self, occupied: S, side: Side) -> bool {
        let own = self.stones(occupied, side);
        let (enemy, empty) = (occupied ^ own, self.all & !occupied);
        self.lanes.iter().any(|lane| {
            let (forward, backward) = Self::springs(lane, enemy, empty);
            !(own & (forward | backward)).is_empty()
        })
    }

    /// Calls `each(from, to, occupied)` for every move of the side to move, `occupied` being the cells that have a stone
    /// afterwards. The order is fixed: rows before columns, forward before backward, stones by index, shorter jumps
    /// first. Nothing is allocated.
    #[inline(always)]
    pub fn for_each_move(&self, packed: Packed<S>, each: impl FnMut(usize, usize, S)) {
        self.for_each_move_within(packed, self.all, each);
    }

    /// [`Field::for_each_move`] on a part of the board: nothing lands outside the cells `open`. All stones must lie inside.
    #[inline(always)]
    pub fn for_each_move_within(&self, packed: Packed<S>, open: S, mut each: impl FnMut(usize, usize, S)) {
        let occupied = packed.occupied;
        let own = self.stones(occupied, packed.turn);
        let (enemy, empty) = (occupied ^ own, open & !occupied);
        for lane in &self.lanes {
            let step = lane.step;
            let (forward, backward) = Self::springs(lane, enemy, empty);
            for from in (own & forward).iter() {
                let (mut at, mut after) = (from, occupied ^ S::single(from));
                loop {
                    after ^= S::single(at + step);
                    at += 2 * step;
                    each(from, at, after | S::single(at));
                    if !forward.contains(at) {
                        break;
                    }
                }
            }
            for from in (own & backward).iter() {
                let (mut at, mut after) = (from, occupied ^ S::single(from));
                loop {
                    after ^= S::single(at - step);
                    at -= 2 * step;
                    each(from, at, after | S::single(at));
                    if !backward.contains(at) {
                        break;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_known_to_the_compiler_is_the_one_that_is_built() {
        assert_eq!(Field::EIGHT, Field::new(Size::new(8, 8).unwrap(), Side::Black));
        assert_eq!(Size::EIGHT, Size::new(8, 8).unwrap());
    }

    /// What [`Lane::jumps`] names is what [`Direction::jumps`] leaves, for random cells on boards of several shapes.
    #[test]
    fn lanes_and_directions_agree() {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed ^ seed >> 29
        };
        for (rows, cols) in [(8, 8), (1, 9), (9, 1), (2, 7), (5, 6), (64, 1), (3, 3)] {
            let field: Field<u64> = Field::new(Size::new(rows, cols).unwrap(), Side::Black);
            for _ in 0..200 {
                let (occupied, empty) = (next() & field.all(), next() & field.all());
                let directions = field.directions();
                for (lane, pair) in field.lanes().iter().zip(directions.chunks(2)) {
                    let named =
                        |direction: &Direction<u64>| direction.named(direction.jumps(occupied, occupied, empty));
                    assert_eq!(lane.jumps(occupied, empty), (named(&pair[0]), named(&pair[1])), "{rows}x{cols}");
                }
            }
        }
    }
}
