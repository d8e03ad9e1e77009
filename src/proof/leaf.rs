//! The fast twin of the checker's plain search: the same order of moves, the same count of visits. A test compares them.

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

    /// Whether the side to move wins, if a plain search finds out by visiting at most `nodes` positions. Its order and its
    /// count are those of the checker's search, which says what they are.
    pub(super) fn settle(&self, packed: Packed<u64>, nodes: u64) -> Option<bool> {
        self.winning(packed, nodes).map(|after| after.is_some())
    }

    /// [`Ordered::settle`] with the cells occupied after the winning move; `Some(None)`: there is none.
    pub(super) fn winning(&self, packed: Packed<u64>, mut nodes: u64) -> Option<Option<u64>> {
        self.visit(packed, &mut nodes, &mut Vec::new())
    }

    /// The winning move of the position; `None`: `left` was used up. Before and after: the moves of the positions on the way
    /// to this one are on the stack, and nothing else.
    fn visit(&self, packed: Packed<u64>, left: &mut u64, stack: &mut Vec<(u32, u64)>) -> Option<Option<u64>> {
        *left = left.checked_sub(1)?;
        let base = stack.len();
        let opponent = packed.turn.other();
        self.each(packed, |after| {
            // Fewest replies first, of equals the first in order: there are far fewer than 2^16 moves.
            let key = self.field.mobility(after, opponent) << 16 | (stack.len() - base) as u32;
            stack.push((key, after));
            true
        });
        stack[base..].sort_unstable_by_key(|&(key, _)| key);
        let mut result = Some(None);
        for at in base..stack.len() {
            let (_, after) = stack[at];
            match self.visit(packed.after(after), left, stack) {
                Some(Some(_)) => {}
                Some(None) => {
                    result = Some(Some(after));
                    break;
                }
                None => {
                    result = None;
                    break;
                }
            }
        }
        stack.truncate(base);
        result
    }
}
