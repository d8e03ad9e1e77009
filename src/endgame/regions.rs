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

/// The regions by the jumps that really occur in some sequence of moves of either side, in any order: the sharpest test
/// there is of its kind. `None` when more than `most` arrangements of the stones can arise.
///
/// It is sound for the same reason as the closure: within a region whatever can happen depends on its own cells alone, so
/// the arrangements that arise are those of each region, freely combined.
pub(super) fn exact_regions<S: CellSet>(field: &Field<S>, occupied: S, open: S, most: usize) -> Option<Regions<S>> {
    let mut jumps: Jumps<S> = field.directions().map(|direction| (direction, S::empty()));
    let (mut seen, mut next) = (HashSet::from([occupied]), vec![occupied]);
    while let Some(occupied) = next.pop() {
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
        if seen.len() > most {
            return None;
        }
    }
    Some(Regions::new(jumps))
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
