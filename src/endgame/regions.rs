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

use std::collections::HashSet;

use crate::board::CellSet;
use crate::konane::{Direction, Field, Packed, Side};

/// Sets of jumps: for each direction the cells that they leave.
type Jumps<S> = [(Direction<S>, S); 4];

/// The cells of each region of the stones `occupied` on the cells `open`, by their first cell. Every stone must be open.
pub(super) fn regions<S: CellSet>(field: &Field<S>, occupied: S, open: S) -> Regions<S> {
    let directions = field.directions();
    let (mut occupied, mut empty) = (occupied, open & !occupied);
    loop {
        let (mut more, mut holes) = (occupied, empty);
        for direction in &directions {
            let from = direction.jumps(occupied, occupied, empty);
            more |= direction.ahead(from, 2);
            holes |= from | direction.ahead(from, 1);
        }
        if (more, holes) == (occupied, empty) {
            break;
        }
        (occupied, empty) = (more, holes);
    }
    Regions::new(directions.map(|direction| (direction, direction.jumps(occupied, occupied, empty))))
}

/// The cells of each region by the jumps that really occur in some sequence of moves of either side, in any order. `None`
/// where that takes looking at more than `most` arrangements of stones.
///
/// The stones are divided into groups, at first by closeness, and what each group can do is found by playing it alone. Two
/// groups are joined, and played again together, where a cell that one uses can be occupied by the other, or a stone of one
/// could jump over a stone of the other. When no two are left to join, no jump of the whole ever differs from one that its
/// group has alone: by induction on the moves, the arrangements of the whole are those of the groups, freely combined.
/// Within a group the same argument allows to part cells that no jump joins.
pub(super) fn exact_regions<S: CellSet>(field: &Field<S>, occupied: S, open: S, most: usize) -> Option<Vec<S>> {
    let mut left = most;
    let mut groups = Vec::new();
    let mut rest = occupied;
    while let Some(first) = rest.first() {
        let group = close_group(field, S::single(first), occupied);
        rest &= !group;
        groups.push(Group::play(field, group, open, &mut left)?);
    }
    'again: loop {
        for a in 0..groups.len() {
            for b in a + 1..groups.len() {
                if groups[a].meets(&groups[b], field, open) {
                    let (second, first) = (groups.swap_remove(b), groups.swap_remove(a));
                    groups.push(Group::play(field, first.stones | second.stones, open, &mut left)?);
                    continue 'again;
                }
            }
        }
        break;
    }
    Some(groups.into_iter().flat_map(|group| Regions::new(group.jumps)).collect())
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

/// Some stones played alone, both sides moving at will.
struct Group<S> {
    stones: S,
    jumps: Jumps<S>,
    /// The cells that a jump leaves, crosses or lands on.
    used: S,
    /// The cells that ever have a stone.
    occupied: S,
}

impl<S: CellSet> Group<S> {
    fn play(field: &Field<S>, stones: S, open: S, left: &mut usize) -> Option<Group<S>> {
        let mut jumps: Jumps<S> = field.directions().map(|direction| (direction, S::empty()));
        let (mut seen, mut next, mut ever) = (HashSet::from([stones]), vec![stones], stones);
        while let Some(occupied) = next.pop() {
            *left = left.checked_sub(1)?;
            ever |= occupied;
            let empty = open & !occupied;
            for (direction, from) in &mut jumps {
                *from |= direction.jumps(occupied, occupied, empty);
            }
            for turn in Side::BOTH {
                field.for_each_move_within(Packed { occupied, turn }, open, |_, _, after| {
                    if seen.insert(after) {
                        next.push(after);
                    }
                });
            }
        }
        let used = Regions::new(jumps).rest;
        Some(Group { stones, jumps, used, occupied: ever })
    }

    fn meets(&self, other: &Group<S>, field: &Field<S>, open: S) -> bool {
        if !(self.used & other.occupied).is_empty() || !(self.occupied & other.used).is_empty() {
            return true;
        }
        let jumps_over =
            |a: S, b: S| field.directions().iter().any(|direction| !direction.jumps(a, b, open).is_empty());
        jumps_over(self.occupied, other.occupied) || jumps_over(other.occupied, self.occupied)
    }
}

/// The regions of some jumps, one after another.
pub(super) struct Regions<S> {
    jumps: Jumps<S>,
    rest: S,
}

impl<S: CellSet> Regions<S> {
    fn new(jumps: Jumps<S>) -> Regions<S> {
        let rest = jumps.iter().fold(S::empty(), |cells, (direction, from)| {
            cells | *from | direction.ahead(*from, 1) | direction.ahead(*from, 2)
        });
        Regions { jumps, rest }
    }
}

impl<S: CellSet> Iterator for Regions<S> {
    type Item = S;

    fn next(&mut self) -> Option<S> {
        let mut region = S::single(self.rest.first()?);
        loop {
            let before = region;
            for (direction, from) in &self.jumps {
                let touching = region | direction.behind(region, 1) | direction.behind(region, 2);
                let from = *from & touching;
                region |= from | direction.ahead(from, 1) | direction.ahead(from, 2);
            }
            if region == before {
                break;
            }
        }
        self.rest &= !region;
        Some(region)
    }
}
