//! Depth-first search with a transposition table, the baseline that proof-number search is measured against.
//!
//! A game without draws has only two values, so the window of alpha-beta is always closed and what is left of it is:
//! stop at the first winning move, remember results, try the most promising move first. The order is that of the
//! fewest opponent moves, the strongest simple one known for this game.

use crate::konane::{Field, Packed};
use crate::run::Allowance;

use super::numbers::Numbers;
use super::table::{Place, SearchSet, Table};

#[derive(Clone, Copy, Debug)]
struct Child<S> {
    packed: Packed<S>,
    place: Place,
    replies: u32,
}

/// One thread's search.
pub(super) struct AlphaBeta<'a, S: SearchSet> {
    field: &'a Field<S>,
    table: &'a S::Table,
    children: Vec<Child<S>>,
    allowance: Allowance<'a>,
}

impl<'a, S: SearchSet> AlphaBeta<'a, S> {
    pub fn new(field: &'a Field<S>, table: &'a S::Table, allowance: Allowance<'a>) -> Self {
        AlphaBeta { field, table, children: Vec::new(), allowance }
    }

    /// Returns whether the side to move wins (`None`: the control stopped the search first) and the number of expansions.
    pub fn run(mut self, root: Packed<S>) -> (Option<bool>, u64) {
        let place = self.table.locate(root);
        let stored = self.table.probe(root, place).and_then(|found| found.numbers.solved());
        let wins = stored.or_else(|| self.visit(root, place));
        (wins, self.allowance.nodes())
    }

    /// Whether the side to move of `packed`, which the table does not know, wins; `None` when the control stopped the
    /// search. What is returned is proved and stored.
    fn visit(&mut self, packed: Packed<S>, place: Place) -> Option<bool> {
        self.allowance.spend().ok()?;
        let nodes_before = self.allowance.nodes();
        let base = self.children.len();
        let wins = self.try_moves(packed, base);
        self.children.truncate(base);
        let wins = wins?;
        let numbers = if wins { Numbers::WIN } else { Numbers::LOSS };
        self.table.store(packed, place, numbers, self.allowance.nodes() - nodes_before + 1);
        Some(wins)
    }

    /// Whether a move wins; leaves the children on the stack.
    fn try_moves(&mut self, packed: Packed<S>, base: usize) -> Option<bool> {
        let (field, table) = (self.field, self.table);
        let children = &mut self.children;
        field.for_each_move(packed, |_, _, occupied| {
            let packed = packed.after(occupied);
            let place = table.locate(packed);
            table.prefetch(place);
            children.push(Child { packed, place, replies: field.mobility(packed.occupied, packed.turn) });
        });
        self.children[base..].sort_unstable_by_key(|child| child.replies);
        let end = self.children.len();
        if self.children[base..].first().is_some_and(|child| child.replies == 0) {
            return Some(true);
        }
        for index in base..end {
            let child = self.children[index];
            let known = self.table.probe(child.packed, child.place).and_then(|found| found.numbers.solved());
            let opponent_wins = match known {
                Some(wins) => wins,
                None => self.visit(child.packed, child.place)?,
            };
            if !opponent_wins {
                return Some(true);
            }
        }
        Some(false)
    }
}
