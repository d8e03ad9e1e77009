//! From the table of a search to a winning strategy.
//!
//! Positions with the winner to move are treated class by class, those with most stones first: each gets an answer, and all
//! positions after the replies of the loser go to their classes, which have fewer stones. So a class is complete when its
//! turn comes: it is sorted, rid of repetitions, answered and written, and forgotten.
//!
//! The answer is the move whose refutation took the table least work. Where the table has lost them all, a plain search of
//! few nodes may find one; else the position is searched again. Everything that changes the table happens in a fixed order
//! by one thread, and what several threads do together only reads it: so the same search leads to the same file, whatever
//! the number of threads.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::board::CellSet;
use crate::konane::{Field, Packed, Position, Ranking, Side};
use crate::run::{Control, MemorySize, Stopped};
use crate::search::Solver;

use super::ProveError;
use super::checker::form::{Claim, MAX_CELLS, MOST_LEAF_NODES, Subject};
use super::leaf::Ordered;
use super::writer::ProofWriter;

/// How a proof is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProveOptions {
    /// Leave out what the plain search of the checker settles within so many nodes; at most [`MOST_LEAF_NODES`].
    pub leaf_nodes: u64,
    /// Memory for the positions that wait for their answers, beside the table of the search.
    pub memory: MemorySize,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Positions that have an answer in the file.
    pub positions: u64,
    /// Positions that were left out because the plain search settles them.
    pub left_out: u64,
    /// Positions that had to be searched again.
    pub searched: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl ProveOptions {
    /// How much of the memory there is the table of the search may take at most; the rest is for the positions.
    pub fn table_share(memory: MemorySize) -> MemorySize {
        MemorySize::from_bytes(memory.bytes() - memory.bytes() / 4)
    }
}

/// Positions treated at a time.
const CHUNK: usize = 1 << 16;
/// What is tried without the table before a position is searched again.
const FEW_NODES: u64 = 100;

/// Writes the proof of what a solver has found out, in the current rayon pool. `began` is told the temporary name.
///
/// # Errors
/// When the board is too large, the claim is wrong, the memory is too small, the control stops the work, or the file cannot
/// be written. Then there is no file.
pub fn prove(
    path: &Path,
    claim: &Claim,
    solver: &Solver,
    options: ProveOptions,
    control: &Control,
    began: &dyn Fn(&Path),
) -> Result<Written, ProveError> {
    let size = claim.size();
    if size.cells() > MAX_CELLS {
        return Err(ProveError::TooLarge { size });
    }
    if options.leaf_nodes > MOST_LEAF_NODES {
        return Err(ProveError::LeafNodes { found: options.leaf_nodes });
    }
    let field = Field::<u64>::new(size, claim.top_left());
    let mut writer = ProofWriter::create(path, claim, options.leaf_nodes)?;
    began(writer.temporary_path());
    let mut work = Work {
        claim,
        solver,
        options,
        control,
        field: &field,
        ordered: Ordered::new(&field),
        ranking: Ranking::new(&field),
        waiting: Waiting::default(),
        written: Written { positions: 0, left_out: 0, searched: 0, bytes: 0 },
    };
    work.roots()?;
    let most = work.waiting.next().map_or(0, |(stones, _)| stones);
    control.gauges.all_total.store(u64::from(most), Relaxed);
    while let Some((stones, black)) = work.waiting.next() {
        control.gauges.all_done.store(u64::from(most - stones), Relaxed);
        work.class([black, stones - black], &mut writer)?;
    }
    (work.written.positions, work.written.bytes) = writer.finish()?;
    Ok(work.written)
}

/// Positions with the winner to move that have no answer yet, by their numbers.
#[derive(Default)]
struct Waiting {
    /// By all stones and black stones.
    classes: BTreeMap<(u32, u32), Vec<u64>>,
}

impl Waiting {
    /// The class to treat next: the one with most stones.
    fn next(&self) -> Option<(u32, u32)> {
        self.classes.last_key_value().map(|(&key, _)| key)
    }

    fn take(&mut self, key: (u32, u32)) -> Vec<u64> {
        let mut numbers = self.classes.remove(&key).unwrap_or_default();
        numbers.par_sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Adds positions; repetitions are removed when there is no room for more otherwise.
    fn add(&mut self, key: (u32, u32), numbers: &[u64]) {
        let waiting = self.classes.entry(key).or_default();
        if waiting.len() + numbers.len() > waiting.capacity() && waiting.len() > CHUNK {
            waiting.par_sort_unstable();
            waiting.dedup();
        }
        waiting.extend_from_slice(numbers);
    }

    fn bytes(&self) -> u64 {
        self.classes.values().map(|numbers| numbers.capacity() as u64 * 8).sum()
    }
}

struct Work<'a> {
    claim: &'a Claim,
    solver: &'a Solver,
    options: ProveOptions,
    control: &'a Control,
    field: &'a Field<u64>,
    ordered: Ordered<'a>,
    ranking: Ranking,
    waiting: Waiting,
    written: Written,
}

/// Positions by class.
type Found = BTreeMap<(u32, u32), Vec<u64>>;

impl Work<'_> {
    fn winner(&self) -> Side {
        self.claim.winner
    }

    fn put(&self, occupied: u64, found: &mut Found) {
        let (black, white) = self.ranking.stones(occupied);
        found.entry((black + white, black)).or_default().push(self.ranking.rank(occupied));
    }

    /// The positions after all moves of the loser.
    fn put_replies(&self, occupied: u64, found: &mut Found) {
        let packed = Packed { occupied, turn: self.winner().other() };
        self.field.for_each_move(packed, |_, _, after| self.put(after, found));
    }

    fn add(&mut self, found: Found) {
        for (key, numbers) in found {
            self.waiting.add(key, &numbers);
        }
    }

    /// The first positions.
    fn roots(&mut self) -> Result<(), ProveError> {
        let mut positions = Vec::new();
        match &self.claim.subject {
            Subject::Position(position) => positions.push(*position),
            Subject::Game { size, rules, openings } | Subject::Openings { size, rules, openings } => {
                for opening in openings {
                    let position = opening.position(*size, rules).map_err(ProveError::Opening)?;
                    positions.push(position);
                }
            }
        }
        let mut found = Found::new();
        for position in positions {
            let occupied = position.occupied().convert::<u64>();
            match position.turn() == self.winner() {
                true => self.put(occupied, &mut found),
                false => self.put_replies(occupied, &mut found),
            }
        }
        self.add(found);
        Ok(())
    }

    /// Answers and writes a class.
    fn class(&mut self, [black, white]: [u32; 2], writer: &mut ProofWriter) -> Result<(), ProveError> {
        let mut numbers = self.waiting.take((black + white, black));
        let turn = self.winner();
        if self.options.leaf_nodes > 0 {
            let all = numbers.len() as u64;
            let settled = |&number: &u64| {
                let occupied = self.ranking.unrank(black, white, number);
                self.ordered.settle(Packed { occupied, turn }, self.options.leaf_nodes) == Some(true)
            };
            let mut kept = Vec::new();
            for chunk in numbers.chunks(CHUNK) {
                self.go_on(numbers.capacity() + kept.capacity())?;
                kept.par_extend(chunk.par_iter().copied().filter(|number| !settled(number)));
            }
            numbers = kept;
            self.written.left_out += all - numbers.len() as u64;
        }
        let mut answers = Vec::with_capacity(numbers.len());
        for chunk in numbers.chunks(CHUNK) {
            self.go_on(numbers.capacity() + answers.capacity() / 4 + chunk.len() * 32)?;
            let positions: Vec<u64> =
                chunk.par_iter().map(|&number| self.ranking.unrank(black, white, number)).collect();
            let mut after: Vec<Option<u64>> = positions.par_iter().map(|&occupied| self.known(occupied)).collect();
            for (&occupied, after) in positions.iter().zip(&mut after) {
                if after.is_none() {
                    *after = Some(self.search(occupied)?);
                }
            }
            let after: Vec<u64> = after.into_iter().flatten().collect();
            let numbers: Vec<Option<u16>> = positions
                .par_iter()
                .zip(&after)
                .map(|(&occupied, &after)| self.ordered.number(Packed { occupied, turn }, after))
                .collect();
            answers.extend(numbers.into_iter().flatten());
            // A few large lists, each for many positions, in the order of the positions.
            let found: Vec<Found> = after
                .par_chunks(1 << 12)
                .map(|part| {
                    let mut found = Found::new();
                    part.iter().for_each(|&occupied| self.put_replies(occupied, &mut found));
                    found
                })
                .collect();
            found.into_iter().for_each(|found| self.add(found));
        }
        writer.class([black, white], self.ranking.placements(black, white), &numbers, &answers)
    }

    /// Whether the limits allow more, with `words` of memory in use beside what waits.
    fn go_on(&self, words: usize) -> Result<(), ProveError> {
        if self.control.stop_reason().is_some() {
            return Err(ProveError::Stopped);
        }
        let needed = MemorySize::from_bytes(self.waiting.bytes() + words as u64 * 8);
        if needed.bytes() > self.options.memory.bytes() {
            return Err(ProveError::Memory { needed, cap: self.options.memory });
        }
        Ok(())
    }

    /// The cells occupied after a winning move, found without changing the table.
    fn known(&self, occupied: u64) -> Option<u64> {
        let turn = self.winner();
        if let Some(after) = self.solver.known_win(occupied.into(), turn) {
            return Some(after as u64);
        }
        self.ordered.winning(Packed { occupied, turn }, FEW_NODES).flatten()
    }

    /// The same by a search.
    fn search(&mut self, occupied: u64) -> Result<u64, ProveError> {
        let turn = self.winner();
        self.written.searched += 1;
        match self.solver.find_win(occupied.into(), turn, self.control) {
            Ok(Some(after)) => Ok(after as u64),
            Ok(None) => {
                let position = Position::from_packed(self.field, Packed { occupied, turn });
                Err(ProveError::NotWon { position: position.to_string(), winner: turn })
            }
            Err(Stopped) => Err(ProveError::Stopped),
        }
    }
}
