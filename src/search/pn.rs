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
use crate::run::{Allowance, Gauges, Stopped};

use super::numbers::{INFINITE, LARGEST, Numbers};
use super::start::StartNumbers;
use super::table::{Place, SearchSet, Table};
use super::team::Team;

/// A move from the position being searched.
#[derive(Clone, Copy, Debug)]
struct Child<S> {
    packed: Packed<S>,
    place: Place,
    numbers: Numbers,
    /// Expansions that went into the numbers; 0 for a leaf.
    work: u32,
}

impl<S> Child<S> {
    /// Whether several threads may want to work below this position, `depth` moves from the root.
    fn is_large(&self, depth: usize) -> bool {
        depth < NEAR_ROOT || self.work >= LARGE
    }
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
    /// The positions from the root to the one being searched.
    path: Vec<(Packed<S>, Place)>,
    /// How far along the path the search must go back because that position is solved.
    cut: Option<usize>,
    team: Option<&'a Team>,
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
/// Expansions between looks at what other threads have solved.
const LOOK_INTERVAL: u64 = 1 << 10;
/// Positions closer to the root than this, or with at least so many expansions below them, are worth the care of a team.
const NEAR_ROOT: usize = 4;
const LARGE: u32 = 256;
/// A child looks harder by this part of its delta for each thread at work on it.
const SHYNESS: u32 = 8;

impl<'a, S: SearchSet> PnSearch<'a, S> {
    pub fn new(
        field: &'a Field<S>,
        table: &'a S::Table,
        start: &'a StartNumbers,
        allowance: Allowance<'a>,
        team: Option<&'a Team>,
    ) -> Self {
        PnSearch {
            field,
            table,
            start,
            children: Vec::new(),
            fresh: Vec::new(),
            path: Vec::new(),
            cut: None,
            team,
            gauges: &allowance.control().gauges,
            allowance,
        }
    }

    /// Searches a position until it is solved or the control says stop.
    ///
    /// Returns whether the side to move wins (`None`: stopped first) and the number of expansions. With a team, the
    /// answer may be another thread's.
    pub fn run(mut self, root: Packed<S>) -> (Option<bool>, u64) {
        let place = self.table.locate(root);
        let stored = self.table.probe(root, place).and_then(|found| found.numbers.solved());
        let child = Child { packed: root, place, numbers: Numbers::WIN, work: 0 };
        let mut solved = stored.or_else(|| self.visit(child, INFINITE, INFINITE).ok().and_then(Numbers::solved));
        if let Some(team) = self.team {
            match solved {
                Some(wins) => team.finish(wins),
                None => solved = team.result(),
            }
        }
        (solved, self.allowance.nodes())
    }

    /// Searches a position anew until it is solved, whatever the table says of the position itself: afterwards the table
    /// knows, as far as it keeps them, the children that decide it. For a search without a team.
    ///
    /// Returns whether the side to move wins (`None`: stopped first).
    pub fn run_anew(mut self, root: Packed<S>) -> Option<bool> {
        let child = Child { packed: root, place: self.table.locate(root), numbers: Numbers::WIN, work: 0 };
        self.visit(child, INFINITE, INFINITE).ok().and_then(Numbers::solved)
    }

    /// Searches a position until its phi reaches `phi_limit` or its delta `delta_limit`; solved positions pass any limit.
    ///
    /// Before: both limits are above the position's present numbers. After `Ok`: the numbers returned are stored, and
    /// they are `WIN` or `LOSS` only where that is proved. `Err`: the allowance is used up, or another thread has solved
    /// a position on the path; what was learned is stored.
    fn visit(&mut self, node: Child<S>, phi_limit: u32, delta_limit: u32) -> Result<Numbers, Stopped> {
        self.allowance.spend()?;
        let nodes_before = self.allowance.nodes();
        if nodes_before.is_multiple_of(FILL_INTERVAL) {
            self.show_fill();
        }
        if let Some(team) = self.team
            && nodes_before.is_multiple_of(LOOK_INTERVAL)
        {
            self.look_up(team)?;
        }
        let base = self.children.len();
        let shared = self.team.filter(|_| node.is_large(self.path.len()));
        if let Some(team) = shared {
            team.enter(node.place);
        }
        self.path.push((node.packed, node.place));
        let (numbers, stopped) = if self.expand(node.packed) {
            (Numbers::WIN, false)
        } else {
            loop {
                if shared.is_some() {
                    self.refresh(base);
                }
                let outlook = Outlook::of(&self.children[base..]);
                let numbers = outlook.numbers;
                if base == 0 {
                    self.gauges.proof.store(u64::from(numbers.phi), Relaxed);
                    self.gauges.disproof.store(u64::from(numbers.delta), Relaxed);
                    // For whoever saves the table meanwhile.
                    let work = u64::from(node.work) + self.allowance.nodes() - nodes_before;
                    self.table.store(node.packed, node.place, numbers, work);
                }
                if numbers.phi >= phi_limit || numbers.delta >= delta_limit || numbers.solved().is_some() {
                    break (numbers, false);
                }
                let (chosen, second) = match shared {
                    Some(team) => self.choose(base, team, phi_limit),
                    None => (outlook.best, outlook.second),
                };
                let child = self.children[base + chosen];
                let limit = phi_limit.min(second.saturating_add(second / SLACK).saturating_add(1));
                // The second choice of a team may be below the first in truth.
                let limit = limit.max(child.numbers.delta + 1);
                match self.visit(child, outlook.child_phi_limit(child.numbers.phi, delta_limit), limit) {
                    Ok(numbers) => self.children[base + chosen].numbers = numbers,
                    Err(Stopped) if self.cut == Some(self.path.len() - 1) => {
                        self.cut = None;
                        let found = self.table.probe(node.packed, node.place).map(|found| found.numbers);
                        if let Some(numbers) = found.filter(|numbers| numbers.solved().is_some()) {
                            break (numbers, false);
                        }
                    }
                    // What was learned here is worth keeping: the search may be resumed.
                    Err(Stopped) => break (numbers, true),
                }
            }
        };
        self.path.pop();
        self.children.truncate(base);
        if let Some(team) = shared {
            team.leave(node.place);
        }
        let work = u64::from(node.work) + self.allowance.nodes() - nodes_before + 1;
        self.table.store(node.packed, node.place, numbers, work);
        if stopped { Err(Stopped) } else { Ok(numbers) }
    }

    /// Looks whether another thread has solved the root or another position on the path; the search then goes back there.
    fn look_up(&mut self, team: &Team) -> Result<(), Stopped> {
        if team.result().is_some() {
            return Err(Stopped);
        }
        let solved = |&(packed, place): &(Packed<S>, Place)| {
            self.table.probe(packed, place).is_some_and(|found| found.numbers.solved().is_some())
        };
        self.cut = self.path.iter().position(solved);
        if self.cut.is_some() { Err(Stopped) } else { Ok(()) }
    }

    /// Reads again what other threads may have found out about children that are worth their while.
    fn refresh(&mut self, base: usize) {
        for child in &mut self.children[base..] {
            if child.numbers.solved().is_none()
                && let Some(found) = self.table.probe(child.packed, child.place)
            {
                child.numbers = found.numbers;
                child.work = found.work;
            }
        }
    }

    /// The child to search next and the smallest delta of the others, where those that other threads are at work on look
    /// harder than they are. The child's delta is below `phi_limit`.
    ///
    /// Before: some child's delta is.
    fn choose(&self, base: usize, team: &Team, phi_limit: u32) -> (usize, u32) {
        let (mut best, mut first, mut second) = (0, INFINITE, INFINITE);
        for (index, child) in self.children[base..].iter().enumerate() {
            let delta = child.numbers.delta;
            if delta == INFINITE {
                continue;
            }
            let busy = team.busy(child.place);
            let seeming = delta.saturating_add((delta / SHYNESS + 1).saturating_mul(busy)).min(INFINITE - 1);
            if seeming < first && delta < phi_limit {
                (best, first, second) = (index, seeming, first);
            } else if seeming < second {
                second = seeming;
            }
        }
        (best, second)
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
            children.push(Child { packed, place, numbers: Numbers::WIN, work: 0 });
        });
        self.fresh.clear();
        for (index, child) in self.children.iter_mut().enumerate().skip(base) {
            match table.probe(child.packed, child.place) {
                Some(found) => {
                    child.numbers = found.numbers;
                    child.work = found.work;
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
    /// The largest phi of a child.
    largest: u32,
    /// The largest phi of the other children.
    runner_up: u32,
    /// The sum of every child's phi.
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
        Outlook { numbers, best, second, largest, runner_up, sum }
    }

    /// The smallest phi of a child, now `phi`, with which the parent's delta reaches `limit`.
    fn child_phi_limit(&self, phi: u32, limit: u32) -> u32 {
        if limit == INFINITE {
            return INFINITE;
        }
        let largest = u64::from(if phi == self.largest { self.runner_up } else { self.largest });
        let (limit, sum) = (u64::from(limit), self.sum - u64::from(phi));
        // As the largest term, or as one of the damped rest.
        let alone = limit.saturating_sub(sum / u64::from(DAMPING));
        let phi = if alone >= largest { alone } else { u64::from(DAMPING) * (limit - largest) - (sum - largest) };
        phi.min(u64::from(INFINITE)) as u32
    }
}
