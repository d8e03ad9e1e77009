//! Depth-first proof-number search.
//!
//! The method is Nagai's df-pn (*Df-pn algorithm for searching AND/OR trees and its applications*, 2002): at each position
//! the child that is easiest to refute is searched until its numbers pass thresholds chosen so that the most promising
//! leaf of the whole tree has moved elsewhere. What differs here:
//!
//! * New leaves start from mobility ([`StartNumbers`]) instead of 1 and 1.
//! * Sums are damped ([`damped`]), because positions of this game are reached in so many ways that plain sums count the
//!   same work again and again.
//! * Children are told apart from the table only once per visit; numbers that a child's search returns stay with the
//!   parent, so the search makes progress even if the table forgets everything at once.

use std::sync::atomic::Ordering::Relaxed;

use crate::board::CellSet;
use crate::konane::{BATCH, Field, Packed};
use crate::run::{Allowance, Control, Gauges, Stopped};

use super::numbers::{INFINITE, LARGEST, Numbers};
use super::start::StartNumbers;
use super::table::{Place, SearchSet, Table};

/// A move from the position being searched.
#[derive(Clone, Copy, Debug)]
struct Child<S> {
    packed: Packed<S>,
    place: Place,
    numbers: Numbers,
}

/// One thread's search.
pub(super) struct PnSearch<'a, S: SearchSet> {
    field: &'a Field<S>,
    table: &'a S::Table,
    start: &'a StartNumbers,
    /// Children of every position on the current path, the deepest last.
    children: Vec<Child<S>>,
    /// Those of the position being expanded that the table does not know.
    fresh: Vec<usize>,
    allowance: Allowance<'a>,
    gauges: &'a Gauges,
}

/// Divisor of what the lesser terms of a sum count for.
const DAMPING: u32 = 4;
/// The best child may grow past the second by this part of the second before the search turns to it.
const SLACK: u32 = 4;
/// With at most this many moves of the opponent, a new leaf is tried for a move that leaves none.
const FEW: u32 = 2;
/// Expansions between looks at how full the table is.
const FILL_INTERVAL: u64 = 1 << 20;
impl<'a, S: SearchSet> PnSearch<'a, S> {
    pub fn new(
        field: &'a Field<S>,
        table: &'a S::Table,
        start: &'a StartNumbers,
        control: &'a Control,
        budget: Option<u64>,
    ) -> Self {
        PnSearch {
            field,
            table,
            start,
            children: Vec::new(),
            fresh: Vec::new(),
            allowance: Allowance::new(control, budget),
            gauges: &control.gauges,
        }
    }

    /// Searches a position until it is solved or the control says stop.
    ///
    /// Returns whether the side to move wins (`None`: stopped first) and the number of expansions.
    pub fn run(mut self, root: Packed<S>) -> (Option<bool>, u64) {
        let place = self.table.locate(root);
        let stored = self.table.probe(root, place).and_then(|found| found.numbers.solved());
        let solved = stored.or_else(|| self.visit(root, place, INFINITE, INFINITE).ok().and_then(Numbers::solved));
        (solved, self.allowance.nodes())
    }

    /// Searches `packed` until its phi reaches `phi_limit` or its delta `delta_limit`; solved positions pass any limit.
    ///
    /// Before: both limits are above the position's present numbers. After `Ok`: the numbers returned are stored, and
    /// they are `WIN` or `LOSS` only where that is proved. `Err`: the allowance is used up; what was learned is stored.
    fn visit(&mut self, packed: Packed<S>, place: Place, phi_limit: u32, delta_limit: u32) -> Result<Numbers, Stopped> {
        self.allowance.spend()?;
        let nodes_before = self.allowance.nodes();
        if nodes_before.is_multiple_of(FILL_INTERVAL) {
            self.show_fill();
        }
        let base = self.children.len();
        let numbers = if self.expand(packed) {
            Numbers::WIN
        } else {
            loop {
                let outlook = Outlook::of(&self.children[base..]);
                let numbers = outlook.numbers;
                if base == 0 {
                    self.gauges.proof.store(u64::from(numbers.phi), Relaxed);
                    self.gauges.disproof.store(u64::from(numbers.delta), Relaxed);
                }
                if numbers.phi >= phi_limit || numbers.delta >= delta_limit || numbers.solved().is_some() {
                    break numbers;
                }
                let child = self.children[base + outlook.best];
                let result = self.visit(
                    child.packed,
                    child.place,
                    outlook.child_phi_limit(delta_limit),
                    phi_limit.min(outlook.second.saturating_add(outlook.second / SLACK).saturating_add(1)),
                );
                match result {
                    Ok(numbers) => self.children[base + outlook.best].numbers = numbers,
                    Err(stopped) => {
                        // What was learned here is worth keeping: the search may be resumed.
                        self.children.truncate(base);
                        self.table.store(packed, place, numbers, self.allowance.nodes() - nodes_before + 1);
                        return Err(stopped);
                    }
                }
            }
        };
        self.children.truncate(base);
        self.table.store(packed, place, numbers, self.allowance.nodes() - nodes_before + 1);
        Ok(numbers)
    }

    fn show_fill(&self) {
        let (used, slots) = self.table.fill();
        self.gauges.table_used.store(used, Relaxed);
        self.gauges.table_slots.store(slots, Relaxed);
    }

    /// Appends the children with their numbers; `true` if a move leaves the opponent without one, which wins (the
    /// children are then incomplete).
    #[inline(always)]
    fn expand(&mut self, packed: Packed<S>) -> bool {
        let (field, table) = (self.field, self.table);
        let base = self.children.len();
        let children = &mut self.children;
        field.for_each_move(packed, |_, _, occupied| {
            let packed = packed.after(occupied);
            let place = table.locate(packed);
            table.prefetch(place);
            children.push(Child { packed, place, numbers: Numbers::WIN });
        });
        self.fresh.clear();
        for (index, child) in self.children.iter_mut().enumerate().skip(base) {
            match table.probe(child.packed, child.place) {
                Some(found) => {
                    child.numbers = found.numbers;
                    if child.numbers.delta == 0 {
                        return true;
                    }
                }
                None => self.fresh.push(index),
            }
        }
        let turn = packed.turn.other();
        for batch in self.fresh.chunks(BATCH) {
            let mut occupied = [S::empty(); BATCH];
            for (slot, &index) in occupied.iter_mut().zip(batch) {
                *slot = self.children[index].packed.occupied;
            }
            let (mover, opponent) = field.mobilities(&occupied, turn);
            for (slot, &index) in batch.iter().enumerate() {
                let child = &mut self.children[index];
                if mover[slot] == 0 {
                    return true;
                }
                child.numbers = self.start.numbers(mover[slot], opponent[slot]);
                if opponent[slot] <= FEW && wins_at_once(field, child.packed) {
                    child.numbers = Numbers::WIN;
                }
            }
        }
        false
    }
}

/// Whether a move leaves the opponent without one.
#[inline(always)]
fn wins_at_once<S: CellSet>(field: &Field<S>, packed: Packed<S>) -> bool {
    let opponent = packed.turn.other();
    let mut wins = false;
    field.for_each_move(packed, |_, _, occupied| wins |= !field.can_move(occupied, opponent));
    wins
}

/// The sum of efforts of which many are shared: the largest and a quarter of the rest.
fn damped(largest: u32, sum: u64) -> u32 {
    (u64::from(largest) + (sum - u64::from(largest)) / u64::from(DAMPING)).min(u64::from(LARGEST)) as u32
}

/// What the numbers of all children say of their parent, and what is needed to set the thresholds of the best one.
#[derive(Clone, Copy, Debug)]
struct Outlook {
    /// The parent's numbers.
    numbers: Numbers,
    /// The child that is easiest to refute.
    best: usize,
    /// The smallest delta among the other children.
    second: u32,
    /// The largest phi among the other children.
    largest: u32,
    /// The sum of the phi of the other children.
    sum: u64,
}

impl Outlook {
    /// Without children the side to move has lost.
    fn of<S: CellSet>(children: &[Child<S>]) -> Outlook {
        let (mut best, mut first, mut second) = (0, INFINITE, INFINITE);
        let (mut largest, mut runner_up, mut sum) = (0, 0, 0);
        for (index, child) in children.iter().enumerate() {
            let Numbers { phi, delta } = child.numbers;
            if delta < first {
                (best, first, second) = (index, delta, first);
            } else if delta < second {
                second = delta;
            }
            if phi > largest {
                (largest, runner_up) = (phi, largest);
            } else if phi > runner_up {
                runner_up = phi;
            }
            sum += u64::from(phi);
        }
        let numbers = match first {
            0 => Numbers::WIN,
            INFINITE => Numbers::LOSS,
            phi => Numbers { phi, delta: damped(largest, sum) },
        };
        let of_best = children.get(best).map_or(0, |child| child.numbers.phi);
        let largest = if of_best == largest { runner_up } else { largest };
        Outlook { numbers, best, second, largest, sum: sum - u64::from(of_best) }
    }

    /// The smallest phi of the best child with which the parent's delta reaches `limit`.
    fn child_phi_limit(&self, limit: u32) -> u32 {
        if limit == INFINITE {
            return INFINITE;
        }
        let (limit, largest) = (u64::from(limit), u64::from(self.largest));
        // As the largest term, or as one of the damped rest.
        let alone = limit.saturating_sub(self.sum / u64::from(DAMPING));
        let phi = if alone >= largest { alone } else { u64::from(DAMPING) * (limit - largest) - (self.sum - largest) };
        phi.min(u64::from(INFINITE)) as u32
    }
}
