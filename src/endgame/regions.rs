//! Which cells can ever take part in the same fight.
//!
//! A cell is *possibly occupied* if it is now, or if a possible jump lands on it; *possibly empty* if it is now, or if a
//! possible jump leaves it or captures on it. A jump is *possible* if the cell it leaves and the one it crosses are possibly
//! occupied and the one it lands on is possibly empty. All three are the least sets with these properties, so they contain
//! everything that any sequence of moves of either side can bring about. Cells joined by a possible jump belong to one
//! region; regions never touch each other's cells, and what lies in no region never changes.
//!
//! ```text
//!   . x o . . x x . o x .
//!   └─────┘           the stone on b jumps over c and lands on d; nothing else moves it or reaches it
//!             f and g are dead: no jump uses them
//!                 └─────┘
//! ```
//!
//! On an open board that is too much: `x` and `o` next to each other would leapfrog for ever. But every jump takes a stone
//! from the board, and so the *price* of a cell, the least number of stones that are captured before a stone can stand on
//! it, is bounded. A stone that stands somewhere has come there by jumps, each over a stone that itself had come to its
//! place. These stones are all different, for each was captured but once, and so the price of the cell on which a jump lands
//! is at least that of the cell it leaves, that of the cell it crosses, and one more. Of n stones at most n - 1 can be
//! captured. Far from its stones the prices of a fight grow like the numbers of Fibonacci: ten stones get no further than
//! four cells from the rectangle around them.

use std::collections::HashSet;

use crate::board::{CellSet, Size};
use crate::konane::{Field, Lane, Packed, Side};

use super::words::Words;

/// Sets of jumps: for rows and columns the first of the three cells that each uses.
type Jumps<S> = [S; 2];

/// Prices are told apart up to this; whatever costs more counts as free from there on.
const PRICES: usize = 24;

/// How hard [`regions`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// By the closure of possible jumps alone.
    Closure,
    /// The closure bounded by prices, for groups of stones that are joined only where they may meet.
    Grouped,
}

/// Calls `each` for the cells of each region of the stones `occupied` on the cells `open`. Every stone must be open. What is
/// found by a finer test lies within what is found by a coarser one.
pub(super) fn regions<S: CellSet>(field: &Field<S>, occupied: S, open: S, test: Test, mut each: impl FnMut(S)) {
    regions_of_each(field, [occupied], open, test, |_, region| each(region));
}

/// [`regions`] for several sets of stones, one set after another. Written over whole arrays so that the compiler turns it into
/// vector instructions.
#[inline(always)]
pub(super) fn regions_of_each<S: CellSet, const N: usize>(
    field: &Field<S>,
    occupied: [S; N],
    open: S,
    test: Test,
    mut each: impl FnMut(usize, S),
) {
    match test {
        Test::Closure => {
            let mut found = Regions::new(field, closure(field, occupied, open).jumps);
            // Most often there is but one.
            let first = found.each_next();
            for (at, region) in first.into_iter().enumerate() {
                if !region.is_empty() {
                    each(at, region);
                }
                found.one(at).for_each(|region| each(at, region));
            }
        }
        Test::Grouped => {
            for (at, occupied) in occupied.into_iter().enumerate() {
                let (mut rough, mut found) = (Vec::new(), Vec::new());
                priced(field, occupied, open, &mut rough);
                for region in rough {
                    let groups = joined(field, occupied & region, region, |stones| reach(field, stones, region));
                    for group in groups {
                        priced_again(field, group.stones, &group.reach, &mut found);
                    }
                }
                found.into_iter().for_each(|region| each(at, region));
            }
        }
    }
}

/// A region by region bound of prices: where some stones part, each region has fewer stones, which bounds it again.
fn priced<S: CellSet>(field: &Field<S>, occupied: S, open: S, found: &mut Vec<S>) {
    let reach = reach(field, occupied, open);
    priced_again(field, occupied, &reach, found);
}

fn priced_again<S: CellSet>(field: &Field<S>, occupied: S, reach: &Reach<S>, found: &mut Vec<S>) {
    for region in Regions::of(field, reach.jumps) {
        let stones = occupied & region;
        if stones == occupied {
            found.push(region);
        } else {
            priced(field, stones, region, found);
        }
    }
}

/// The cells of each region by the jumps that really occur in some sequence of moves of either side, in any order. Groups of
/// stones for which that takes looking at more than `most` arrangements are bounded by prices.
///
/// Within a group of stones played alone it is allowed to part cells that no jump joins, for the same reason as in
/// [`joined`].
pub(super) fn exact_regions<S: CellSet>(field: &Field<S>, occupied: S, open: S, most: usize) -> Vec<S> {
    // Large groups that cannot be looked through are met again and again while they grow.
    let mut left = most.saturating_mul(4);
    let mut found = Vec::new();
    let groups = joined(field, occupied, open, |stones| {
        let bound = reach(field, stones, open);
        let exact = play_near(field, stones, open, &bound, most.min(left));
        left = left.saturating_sub(exact.as_ref().map_or(most, |exact| exact.1));
        exact.map_or(bound, |exact| exact.0)
    });
    for group in groups {
        priced_again(field, group.stones, &group.reach, &mut found);
    }
    found
}

/// What some stones can bring about, or more, if they are alone.
struct Reach<S> {
    jumps: Jumps<S>,
    /// The cells that ever have a stone.
    occupied: S,
}

/// Some stones and their reach.
struct Group<S> {
    stones: S,
    reach: Reach<S>,
    /// The cells that a jump leaves, crosses or lands on.
    used: S,
}

/// The plain closures of several sets of stones.
struct Closures<S, const N: usize> {
    /// As [`Jumps`].
    jumps: [[S; N]; 2],
    /// The cells that ever have a stone.
    occupied: [S; N],
}

/// The plain closure of each set of stones.
#[inline(always)]
fn closure<S: CellSet, const N: usize>(field: &Field<S>, stones: [S; N], open: S) -> Closures<S, N> {
    let (mut occupied, mut empty) = (stones, stones.map(|stones| open & !stones));
    let mut jumps = [[S::empty(); N]; 2];
    loop {
        let before = (occupied, empty);
        for (lane, all) in field.lanes().iter().zip(&mut jumps) {
            for at in 0..N {
                let (forward, backward) = lane.jumps(occupied[at], empty[at]);
                all[at] = forward | backward;
                occupied[at] |= lane.ahead(forward, 2) | backward;
                empty[at] |= forward | lane.ahead(all[at], 1) | lane.ahead(backward, 2);
            }
        }
        if (occupied, empty) == before {
            return Closures { jumps, occupied };
        }
    }
}

/// The closure bounded by prices; see the module.
fn reach<S: CellSet>(field: &Field<S>, stones: S, open: S) -> Reach<S> {
    let most = (stones.count() as usize).saturating_sub(1);
    let mut holes = open & !stones;
    loop {
        let mut jumps = [S::empty(); 2];
        let directions = field.directions();
        // The cells of each price; the greatest price that has some; cells that jumps make empty.
        let (mut at, mut occupied, mut last, mut left) = ([S::empty(); PRICES], stones, 0, S::empty());
        at[0] = stones;
        // Past twice the greatest price plus one nothing adds up.
        let mut price = 1;
        while price <= most && price <= 2 * last + 1 {
            if price == PRICES {
                let Closures { jumps, occupied: [occupied] } = closure(field, [stones], open);
                return Reach { jumps: jumps.map(|[of]| of), occupied };
            }
            let mut landed = S::empty();
            for from_price in 0..=last.min(price - 1) {
                let over_price = price - 1 - from_price;
                if at[from_price].is_empty() || at[over_price].is_empty() {
                    continue;
                }
                for (number, direction) in directions.iter().enumerate() {
                    let from = direction.jumps(at[from_price], at[over_price], holes);
                    jumps[number / 2] |= direction.named(from);
                    landed |= direction.ahead(from, 2);
                    // A hole made by the last capture of all is of no use to a further jump.
                    if price < most {
                        left |= from | direction.ahead(from, 1);
                    }
                }
            }
            at[price] = landed & !occupied;
            if !at[price].is_empty() {
                last = price;
            }
            occupied |= landed;
            price += 1;
        }
        let more = holes | left;
        if more == holes {
            return Reach { jumps, occupied };
        }
        holes = more;
    }
}

/// The stones in groups that never meet, by what each group can do alone. Starts from stones that are joined by steps
/// between neighbours.
///
/// Two groups are joined, and looked at again together, where a cell that one uses can be occupied by the other, or a stone
/// of one could jump over a stone of the other. When no two are left to join, no jump of the whole ever differs from one that
/// its group has alone: by induction on the moves, the arrangements of the whole are those of the groups, freely combined.
fn joined<S: CellSet>(field: &Field<S>, occupied: S, open: S, mut alone: impl FnMut(S) -> Reach<S>) -> Vec<Group<S>> {
    let mut group = |stones: S| {
        let reach = alone(stones);
        let used = all_used(field, reach.jumps);
        Group { stones, reach, used }
    };
    // Stones without a neighbour do nothing until somebody comes.
    let (mut groups, mut single, mut rest) = (Vec::new(), S::empty(), occupied);
    while let Some(first) = rest.first() {
        let stones = close_group(field, S::single(first), occupied);
        rest &= !stones;
        if stones == S::single(first) { single |= stones } else { groups.push(group(stones)) }
    }
    let mut at = 0;
    while at < groups.len() {
        let first: &Group<S> = &groups[at];
        let visited = first.met(field, single, open);
        let other = (0..groups.len()).find(|&other| other != at && first.meets(&groups[other], field, open));
        if visited.is_empty() && other.is_none() {
            at += 1;
            continue;
        }
        single &= !visited;
        let mut stones = first.stones | visited;
        if let Some(other) = other {
            stones |= groups[other].stones;
            groups.swap_remove(at.max(other));
            groups.swap_remove(at.min(other));
        } else {
            groups.swap_remove(at);
        }
        groups.push(group(stones));
        at = 0;
    }
    groups
}

/// The stones that are joined to some by steps between neighbours.
fn close_group<S: CellSet>(field: &Field<S>, mut group: S, occupied: S) -> S {
    loop {
        let near = field.directions().iter().fold(group, |near, direction| near | direction.near(group));
        if near & occupied == group {
            return group;
        }
        group = near & occupied;
    }
}

/// What really occurs when some stones play alone, and how many arrangements there are, on as small a word as their bound
/// allows. `None` where there are more than `most`.
fn play_near<S: CellSet>(
    field: &Field<S>,
    stones: S,
    open: S,
    bound: &Reach<S>,
    most: usize,
) -> Option<(Reach<S>, usize)> {
    let cols = field.size().cols();
    let all = all_used(field, bound.jumps) | bound.occupied;
    let (mut top, mut bottom, mut west, mut east) = (usize::MAX, 0, usize::MAX, 0);
    for at in all.iter() {
        (top, bottom) = (top.min(at / cols), bottom.max(at / cols));
        (west, east) = (west.min(at % cols), east.max(at % cols));
    }
    let near = (top <= bottom).then(|| Size::new(bottom - top + 1, east - west + 1).ok()).flatten();
    match near {
        Some(size) if size.cells() <= 64 => play_on::<S, u64>(field, stones, open, (size, top, west), most),
        Some(size) if size.cells() <= 128 => play_on::<S, u128>(field, stones, open, (size, top, west), most),
        _ => play(field, stones, open, most),
    }
}

/// [`play`] on the board that is left of `field` in a window: its size, first row and first column.
fn play_on<S: CellSet, T: CellSet>(
    field: &Field<S>,
    stones: S,
    open: S,
    (size, top, west): (Size, usize, usize),
    most: usize,
) -> Option<(Reach<S>, usize)> {
    let (cols, near_cols) = (field.size().cols(), size.cols());
    let global = |at: usize| (at / near_cols + top) * cols + at % near_cols + west;
    let local = |set: S| {
        let inside = (0..size.cells()).filter(|&at| set.contains(global(at)));
        inside.fold(T::empty(), |set, at| set | T::single(at))
    };
    let back = |set: T| set.iter().fold(S::empty(), |set, at| set | S::single(global(at)));
    // Whose stones they are makes no difference: neighbours are enemies, and both sides move.
    let near = Field::new(size, Side::Black);
    let (found, count) = play(&near, local(stones), local(open), most)?;
    Some((Reach { jumps: found.jumps.map(back), occupied: back(found.occupied) }, count))
}

/// The jumps that really occur when some stones play alone, both sides moving at will, and the number of arrangements.
fn play<S: CellSet>(field: &Field<S>, stones: S, open: S, most: usize) -> Option<(Reach<S>, usize)> {
    let mut jumps = [S::empty(); 2];
    let mut seen: HashSet<S, Words> = HashSet::default();
    seen.insert(stones);
    let (mut next, mut ever) = (vec![stones], stones);
    while let Some(occupied) = next.pop() {
        if seen.len() > most {
            return None;
        }
        ever |= occupied;
        let empty = open & !occupied;
        for (lane, all) in field.lanes().iter().zip(&mut jumps) {
            let (forward, backward) = lane.jumps(occupied, empty);
            *all |= forward | backward;
        }
        for turn in Side::BOTH {
            field.for_each_move_within(Packed { occupied, turn }, open, |_, _, after| {
                if seen.insert(after) {
                    next.push(after);
                }
            });
        }
    }
    Some((Reach { jumps, occupied: ever }, seen.len()))
}

impl<S: CellSet> Group<S> {
    /// Those of some stones that never move which this group may meet.
    fn met(&self, field: &Field<S>, still: S, open: S) -> S {
        field.directions().iter().fold(self.used & still, |met, direction| {
            let crossed = direction.ahead(direction.jumps(self.reach.occupied, still, open), 1);
            met | crossed | direction.jumps(still, self.reach.occupied, open)
        })
    }

    fn meets(&self, other: &Group<S>, field: &Field<S>, open: S) -> bool {
        let (mine, others) = (self.reach.occupied, other.reach.occupied);
        if !(self.used & others).is_empty() || !(mine & other.used).is_empty() {
            return true;
        }
        field.directions().iter().any(|direction| {
            !direction.jumps(mine, others, open).is_empty() || !direction.jumps(others, mine, open).is_empty()
        })
    }
}

/// The cells that jumps along a lane use.
#[inline(always)]
fn used<S: CellSet>(lane: &Lane<S>, jumps: S) -> S {
    jumps | lane.ahead(jumps, 1) | lane.ahead(jumps, 2)
}

/// The cells that some jumps use.
#[inline(always)]
fn all_used<S: CellSet>(field: &Field<S>, [rows, columns]: Jumps<S>) -> S {
    let [row, column] = field.lanes();
    used(row, rows) | used(column, columns)
}

/// The regions of some jumps, one after another, for several sets of jumps side by side.
struct Regions<S, const N: usize> {
    lanes: [Lane<S>; 2],
    jumps: [[S; N]; 2],
    /// The cells of regions to come.
    rest: [S; N],
}

impl<S: CellSet, const N: usize> Regions<S, N> {
    #[inline(always)]
    fn new(field: &Field<S>, jumps: [[S; N]; 2]) -> Regions<S, N> {
        let rest = std::array::from_fn(|at| all_used(field, [jumps[0][at], jumps[1][at]]));
        Regions { lanes: *field.lanes(), jumps, rest }
    }

    /// The next region of each set; empty where there is none.
    #[inline(always)]
    fn each_next(&mut self) -> [S; N] {
        let mut regions = self.rest.map(|rest| rest.first().map_or(S::empty(), S::single));
        while regions != self.rest {
            let before = regions;
            for (lane, jumps) in self.lanes.iter().zip(&self.jumps) {
                for at in 0..N {
                    let touching = regions[at] | lane.behind(regions[at], 1) | lane.behind(regions[at], 2);
                    regions[at] |= used(lane, jumps[at] & touching);
                }
            }
            if regions == before {
                break;
            }
        }
        for (rest, region) in self.rest.iter_mut().zip(regions) {
            *rest &= !region;
        }
        regions
    }

    /// The regions to come of one of the sets.
    #[inline(always)]
    fn one(&self, at: usize) -> Regions<S, 1> {
        Regions { lanes: self.lanes, jumps: self.jumps.map(|of| [of[at]]), rest: [self.rest[at]] }
    }
}

impl<S: CellSet> Regions<S, 1> {
    fn of(field: &Field<S>, jumps: Jumps<S>) -> Regions<S, 1> {
        Regions::new(field, jumps.map(|of| [of]))
    }
}

impl<S: CellSet> Iterator for Regions<S, 1> {
    type Item = S;

    #[inline]
    fn next(&mut self) -> Option<S> {
        let [region] = self.each_next();
        (!region.is_empty()).then_some(region)
    }
}
