//! The fast twin of the checker's plain search: the same order of moves, the same count of visits.

use crate::board::CellSet;
use crate::konane::{Direction, Field, Packed};

/// A board's moves in the order of the reference rules: stones by index; left, right, up, down; shorter jumps first.
#[derive(Clone, Debug)]
pub(super) struct Ordered<'a> {
    field: &'a Field<u64>,
    /// Left, right, up, down.
    directions: [Direction<u64>; 4],
}

impl<'a> Ordered<'a> {
    /// For boards of this field.
    pub(super) fn new(field: &'a Field<u64>) -> Ordered<'a> {
        let [right, left, down, up] = field.directions();
        Ordered { field, directions: [left, right, up, down] }
    }

    /// Calls `each` with the cells occupied after each move, in order, until it says `false`.
    #[inline(always)]
    pub(super) fn each(&self, packed: Packed<u64>, mut each: impl FnMut(u64) -> bool) {
        let occupied = packed.occupied;
        let own = self.field.stones(occupied, packed.turn);
        let (enemy, empty, all) = (occupied ^ own, self.field.all() & !occupied, self.field.all());
        let springs = self.directions.map(|direction| direction.jumps(all, enemy, empty));
        let movable = own & springs.into_iter().fold(0, |any, springs| any | springs);
        for from in movable.iter() {
            for (direction, springs) in self.directions.iter().zip(springs) {
                let mut at = u64::single(from);
                let mut after = occupied ^ at;
                while at & springs != 0 {
                    after ^= direction.ahead(at, 1);
                    at = direction.ahead(at, 2);
                    if !each(after | at) {
                        return;
                    }
                }
            }
        }
    }

    /// The number of the move that leaves these cells occupied.
    pub(super) fn number(&self, packed: Packed<u64>, after: u64) -> Option<u16> {
        let (mut at, mut found) = (0, None);
        self.each(packed, |occupied| {
            if occupied == after {
                found = Some(at);
            }
            at += 1;
            found.is_none()
        });
        found
    }

    /// Whether the side to move wins; `None` when that takes more than `left` visits to positions.
    ///
    /// The moves are tried in order, up to the first that leaves the opponent lost. Every position is counted as often as
    /// it is visited, the first one included. Nothing is remembered. (The words of the checker's search.)
    pub(super) fn settle(&self, packed: Packed<u64>, left: &mut u64) -> Option<bool> {
        self.winning(packed, left).map(|after| after.is_some())
    }

    /// [`Ordered::settle`] with the cells occupied after the winning move; `Some(None)`: there is none.
    pub(super) fn winning(&self, packed: Packed<u64>, left: &mut u64) -> Option<Option<u64>> {
        *left = left.checked_sub(1)?;
        let mut result = Some(None);
        self.each(packed, |occupied| match self.settle(packed.after(occupied), left) {
            Some(true) => true,
            Some(false) => {
                result = Some(Some(occupied));
                false
            }
            None => {
                result = None;
                false
            }
        });
        result
    }
}
