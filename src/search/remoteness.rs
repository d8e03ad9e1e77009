//! How soon a game ends: remoteness.
//!
//! Who wins is known before (see [`Solver`]); what is left is a question with a number in it: does the winner, the
//! *attacker* here, win within `n` plies? It is asked for growing `n` until the answer is yes. Answers for one position
//! and different `n` help each other, so the table keeps for each position the largest `n` that is not enough and the
//! smallest that is.

use crate::board::{CellSet, Size};
use crate::konane::{Facts, Field, Move, Packed, Position, Side};
use crate::run::{Allowance, Control, MemorySize, Stopped};

use super::{Solver, SolverError};

/// What may answer without a search of its own.
#[derive(Clone, Copy, Default)]
pub struct Helpers<'a> {
    /// A solver of the same board and colouring; what its table has proved is used.
    pub solver: Option<&'a Solver>,
    /// Stored facts.
    pub facts: Option<&'a dyn Facts>,
}

impl std::fmt::Debug for Helpers<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Helpers { solver, facts } = self;
        f.debug_struct("Helpers").field("solver", solver).field("facts", &facts.is_some()).finish()
    }
}

/// Finds the remoteness of positions of one board and colouring; what one search learns, the next ones use.
pub struct Remoteness(Box<dyn Measure>);

/// What [`Remoteness`] does for one word type.
trait Measure: Send {
    fn within(&mut self, position: &Position, plies: u32, ask: Ask<'_>) -> Option<bool>;
}

/// A question but for its position and number of plies.
#[derive(Clone, Copy)]
struct Ask<'a> {
    attacker: Side,
    helpers: Helpers<'a>,
    control: &'a Control,
}

impl Remoteness {
    /// A search for positions of this size with `top_left` owning the top-left cell. Its table takes at most `memory`,
    /// and grows to that only as it fills.
    ///
    /// # Errors
    /// When the board is too large for search.
    pub fn new(size: Size, top_left: Side, memory: MemorySize) -> Result<Remoteness, SolverError> {
        match size.cells() {
            0..=64 => Ok(Remoteness(Core::<u64>::build(size, top_left, memory))),
            65..=Solver::MAX_CELLS => Ok(Remoteness(Core::<u128>::build(size, top_left, memory))),
            _ => Err(SolverError::TooLarge { size }),
        }
    }

    /// Whether `winner` wins the position within this many plies, whatever the other side does.
    ///
    /// Contract: `Some` is proved; `None`: the control stopped the search. Facts and the solver are believed.
    pub fn wins_within(
        &mut self,
        position: &Position,
        winner: Side,
        plies: u32,
        helpers: Helpers<'_>,
        control: &Control,
    ) -> Option<bool> {
        self.0.within(position, plies, Ask { attacker: winner, helpers, control })
    }

    /// The remoteness of a position that `winner` is known to win: plies to the end if the winner hurries and the loser
    /// delays.
    ///
    /// Contract: `Some` is exact. `None`: the control stopped the search, or `winner` does not win at all.
    pub fn of(&mut self, position: &Position, winner: Side, helpers: Helpers<'_>, control: &Control) -> Option<u32> {
        // The last move is the winner's.
        let least = u32::from(position.turn() == winner);
        // Every move takes a stone.
        let most = position.occupied().count();
        for plies in (least..=most).step_by(2) {
            if self.wins_within(position, winner, plies, helpers, control)? {
                return Some(plies);
            }
        }
        None
    }

    /// A line of best play from a position that `winner` wins in exactly `remoteness` plies: the first best move of each
    /// side in the order of [`Position::moves`].
    ///
    /// Contract: every move of the line keeps to the remoteness; it is shorter only where the control stopped.
    pub fn line(
        &mut self,
        position: &Position,
        winner: Side,
        remoteness: u32,
        helpers: Helpers<'_>,
        control: &Control,
    ) -> Vec<Move> {
        let (mut position, mut line) = (*position, Vec::new());
        for left in (0..remoteness).rev() {
            let mut best = |&mv: &Move| {
                let next = position.play(mv).ok()?;
                // The attacker wants an end within what is left, the defender one that is no sooner.
                let plies = if position.turn() == winner { left } else { left.saturating_sub(2) };
                let soon = left >= plies && self.wins_within(&next, winner, plies, helpers, control)?;
                let last = left < 2 && position.turn() != winner;
                (last || soon == (position.turn() == winner)).then_some((mv, next))
            };
            let Some((mv, next)) = position.moves().iter().find_map(&mut best) else { break };
            line.push(mv);
            position = next;
        }
        line
    }
}

impl std::fmt::Debug for Remoteness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remoteness").finish_non_exhaustive()
    }
}

/// What is known of one position and attacker. Plies are kept one higher, so that 0 says nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Entry<S> {
    occupied: S,
    /// Bit 0: White is to move; bit 1: White attacks; bit 7: the entry is in use.
    who: u8,
    /// The most plies that are not enough, and one; [`NEVER`]: no number is.
    refuted: u16,
    /// The fewest plies that are enough, and one.
    proved: u16,
}

/// No number of plies is enough: the attacker loses.
const NEVER: u16 = u16::MAX;
/// Entries of a bucket.
const WAYS: usize = 4;
/// Fewer plies than this are searched at once rather than asked of anybody.
const ASK_FROM: u32 = 5;

struct Core<S> {
    field: Field<S>,
    memo: Memo<S>,
}

impl<S: CellSet> Core<S> {
    fn build(size: Size, top_left: Side, memory: MemorySize) -> Box<dyn Measure> {
        Box::new(Core { field: Field::<S>::new(size, top_left), memo: Memo::new(memory) })
    }
}

/// What is known, in buckets of [`WAYS`] entries. Begins small and doubles until the memory is used up.
struct Memo<S> {
    entries: Vec<Entry<S>>,
    used: usize,
    most: usize,
}

impl<S: CellSet> Memo<S> {
    const LEAST: usize = 1 << 12;

    fn new(memory: MemorySize) -> Memo<S> {
        // While it doubles, the old and the new entries are there.
        let most = (memory.bytes() / 3 * 2) as usize / size_of::<Entry<S>>();
        Memo { entries: vec![Entry::default(); Self::LEAST], used: 0, most }
    }

    /// Where the bucket of a position begins.
    fn bucket(&self, occupied: S, who: u8) -> usize {
        let mixed = occupied.mixed().rotate_left(who.into());
        ((u128::from(mixed) * (self.entries.len() / WAYS) as u128) >> 64) as usize * WAYS
    }

    fn find(&self, occupied: S, who: u8) -> Option<&Entry<S>> {
        let bucket = self.bucket(occupied, who);
        self.entries[bucket..bucket + WAYS].iter().find(|entry| entry.who == who && entry.occupied == occupied)
    }

    /// Adds to what is known of a position; a new entry takes the place of the one that reaches least deep.
    fn store(&mut self, new: Entry<S>) {
        if self.used > self.entries.len() / 4 * 3 && self.entries.len() * 2 <= self.most {
            let doubled = vec![Entry::default(); self.entries.len() * 2];
            self.used = 0;
            for entry in std::mem::replace(&mut self.entries, doubled).into_iter().filter(|entry| entry.who != 0) {
                self.store(entry);
            }
        }
        let bucket = self.bucket(new.occupied, new.who);
        let entries = &mut self.entries[bucket..bucket + WAYS];
        if let Some(same) = entries.iter_mut().find(|entry| entry.who == new.who && entry.occupied == new.occupied) {
            same.refuted = same.refuted.max(new.refuted);
            same.proved = [same.proved, new.proved].into_iter().filter(|&proved| proved != 0).min().unwrap_or(0);
        } else if let Some(entry) = entries.iter_mut().min_by_key(|entry| entry.refuted.max(entry.proved)) {
            self.used += usize::from(entry.who == 0);
            *entry = new;
        }
    }
}

/// One question on its way down the tree.
struct Search<'a, S> {
    field: &'a Field<S>,
    memo: &'a mut Memo<S>,
    ask: Ask<'a>,
    allowance: Allowance<'a>,
    /// Children of the positions above, one stack for all.
    children: Vec<Child<S>>,
}

#[derive(Clone, Copy, Debug)]
struct Child<S> {
    packed: Packed<S>,
    /// Smaller is looked at sooner.
    rank: i32,
}

impl<S: CellSet> Measure for Core<S> {
    fn within(&mut self, position: &Position, plies: u32, ask: Ask<'_>) -> Option<bool> {
        assert_eq!(position.size(), self.field.size(), "the search is for another board");
        let (_, packed) = position.pack::<S>();
        assert!(
            packed.occupied.is_empty() || position.top_left() == self.field.top_left(),
            "the search is for the other colouring"
        );
        let allowance = Allowance::new(ask.control, None);
        let mut search = Search { field: &self.field, memo: &mut self.memo, ask, allowance, children: Vec::new() };
        search.visit(packed, plies).ok()
    }
}

impl<S: CellSet> Search<'_, S> {
    /// Whether the attacker wins within this many plies.
    ///
    /// Contract: what is returned is proved and kept in the table; an error: the control stopped the search. The stack of
    /// children is left as it was found.
    fn visit(&mut self, packed: Packed<S>, plies: u32) -> Result<bool, Stopped> {
        let attacks = packed.turn == self.ask.attacker;
        // The last ply is the attacker's.
        if plies % 2 != u32::from(attacks) {
            return if plies == 0 { Ok(false) } else { self.visit(packed, plies - 1) };
        }
        if !attacks && plies == 0 {
            return Ok(!self.field.can_move(packed.occupied, packed.turn));
        }
        let bound = plies as u16 + 1;
        if let Some(entry) = self.memo.find(packed.occupied, self.who(packed)) {
            if entry.refuted >= bound {
                return Ok(false);
            }
            if entry.proved != 0 && entry.proved <= bound {
                return Ok(true);
            }
        }
        if plies >= ASK_FROM
            && let Some(known) = self.asked(packed, plies)
        {
            return Ok(known);
        }
        self.allowance.spend()?;
        let base = self.children.len();
        let result = if attacks { self.attack(packed, plies, base) } else { self.defend(packed, plies, base) };
        self.children.truncate(base);
        let wins = result?;
        self.store(packed, if wins { (0, bound) } else { (bound, 0) });
        Ok(wins)
    }

    /// Whether a move of the attacker wins within the plies.
    ///
    /// Contract: as [`Search::visit`], but the children may stay on the stack.
    fn attack(&mut self, packed: Packed<S>, plies: u32, base: usize) -> Result<bool, Stopped> {
        let (field, children) = (self.field, &mut self.children);
        let mut done = false;
        field.for_each_move(packed, |_, _, occupied| {
            let packed = packed.after(occupied);
            let replies = field.mobility(occupied, packed.turn);
            done |= replies == 0;
            children.push(Child { packed, rank: replies as i32 });
        });
        if done || plies == 1 {
            return Ok(done);
        }
        self.children[base..].sort_unstable_by_key(|child| child.rank);
        for at in base..self.children.len() {
            if self.visit(self.children[at].packed, plies - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether every move of the defender loses within the plies.
    ///
    /// Contract: as [`Search::attack`].
    fn defend(&mut self, packed: Packed<S>, plies: u32, base: usize) -> Result<bool, Stopped> {
        let (field, children) = (self.field, &mut self.children);
        field.for_each_move(packed, |_, _, occupied| {
            let packed = packed.after(occupied);
            let (attacker, defender) =
                (field.mobility(occupied, packed.turn), field.mobility(occupied, packed.turn.other()));
            children.push(Child { packed, rank: attacker as i32 - defender as i32 });
        });
        self.children[base..].sort_unstable_by_key(|child| child.rank);
        for at in base..self.children.len() {
            if !self.visit(self.children[at].packed, plies - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the helpers know of the question.
    ///
    /// Contract: believed as they are; what they say is kept in the table.
    fn asked(&mut self, packed: Packed<S>, plies: u32) -> Option<bool> {
        let Ask { attacker, helpers: Helpers { solver, facts }, .. } = self.ask;
        if solver.is_none() && facts.is_none() {
            return None;
        }
        let position = Position::from_packed(self.field, packed);
        let fact = facts.and_then(|facts| facts.fact(&position));
        let lost = match (fact, solver) {
            (Some(fact), _) => fact.winner != attacker,
            (None, Some(solver)) => {
                let winner = match solver.numbers(&position) {
                    Some((0, _)) => Some(packed.turn),
                    Some((_, 0)) => Some(packed.turn.other()),
                    _ => None,
                };
                winner.is_some_and(|winner| winner != attacker)
            }
            (None, None) => false,
        };
        if lost {
            self.store(packed, (NEVER, 0));
            return Some(false);
        }
        let exact = fact.and_then(|fact| fact.remoteness)?;
        self.store(packed, (exact.saturating_sub(1) as u16, exact as u16 + 1));
        Some(exact <= plies)
    }

    fn who(&self, packed: Packed<S>) -> u8 {
        0x80 | u8::from(packed.turn == Side::White) | u8::from(self.ask.attacker == Side::White) << 1
    }

    fn store(&mut self, packed: Packed<S>, (refuted, proved): (u16, u16)) {
        self.memo.store(Entry { occupied: packed.occupied, who: self.who(packed), refuted, proved });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::konane::reference::Reference;
    use crate::konane::{FirstRemoval, Opening, Rules};
    use crate::search::{Engine, SolverOptions};
    use std::collections::HashMap;

    /// Winner and remoteness by the rules alone.
    fn truth(board: &Reference, known: &mut HashMap<Reference, (bool, u32)>) -> (bool, u32) {
        if let Some(&found) = known.get(board) {
            return found;
        }
        let after: Vec<_> = board.moves().iter().map(|(_, after)| truth(after, known)).collect();
        let win = after.iter().filter(|(wins, _)| !wins).map(|&(_, plies)| plies + 1).min();
        let loss = after.iter().map(|&(_, plies)| plies + 1).max().unwrap_or(0);
        let found = win.map_or((false, loss), |plies| (true, plies));
        known.insert(board.clone(), found);
        found
    }

    #[test]
    fn remoteness_and_lines_are_those_of_the_rules() {
        for (text, top_left) in [("4x4", Side::Black), ("4x5", Side::White), ("3x6", Side::Black)] {
            let size: Size = text.parse().unwrap();
            let rules = Rules { top_left, first_removal: FirstRemoval::Any, ..Rules::default() };
            let mut known = HashMap::new();
            let options =
                SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(1 << 20), threads: 1 };
            let solver = Solver::new(size, top_left, options).unwrap();
            let control = Control::default();
            // A memory for a few entries must not change an answer.
            let mut small = Remoteness::new(size, top_left, MemorySize::from_bytes(0)).unwrap();
            let mut large = Remoteness::new(size, top_left, MemorySize::from_bytes(1 << 24)).unwrap();
            for opening in Opening::all(size, &rules).unwrap() {
                let start = opening.position(size, &rules).unwrap();
                let next = start.moves().into_iter().map(|mv| start.play(mv).unwrap());
                for position in std::iter::once(start).chain(next) {
                    let (wins, plies) = truth(&Reference::from_position(&position), &mut known);
                    let winner = if wins { position.turn() } else { position.turn().other() };
                    let (none, solver) = (Helpers::default(), Helpers { solver: Some(&solver), facts: None });
                    assert_eq!(large.of(&position, winner, none, &control), Some(plies), "{position}");
                    assert_eq!(small.of(&position, winner, solver, &control), Some(plies), "{position}");
                    assert_eq!(large.of(&position, winner.other(), none, &control), None, "{position}");
                    let line = large.line(&position, winner, plies, none, &control);
                    let end = line.iter().fold(position, |at, &mv| at.play(mv).unwrap());
                    assert_eq!((line.len() as u32, end.moves().len()), (plies, 0), "{position}");
                    for (at, mv) in line.iter().enumerate() {
                        let before = line[..at].iter().fold(position, |at, &mv| at.play(mv).unwrap());
                        let after = truth(&Reference::from_position(&before.play(*mv).unwrap()), &mut known);
                        assert_eq!(after.1, plies - at as u32 - 1, "{position} {mv}");
                    }
                }
            }
        }
    }
}
