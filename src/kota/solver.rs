//! Who wins every open position: backwards from the end, a depth at a time, whole rows of positions at once.
//!
//! The steps:
//!
//! 0. Number the positions ([`Index`]) and list the moves between pairs of cell sets ([`Graph`]). The numbers of the side
//!    that does not move stay as they are, so one move carries a row of N! positions to another row: the results of a row are
//!    one machine word of N! bits (120 at N = 5), and a row takes one `or` or one `and`.
//! 1. Depth 0: positions lost because the mover has no move, where the rules say so.
//! 2. Odd depths: a position is won where some move leads to one that was lost at the depth before (at depth 1 also, where a move
//!    reaches the goal row). Wins are added to the plane of wins while only the plane of losses is read.
//! 3. Even depths: a position is lost where it has a move and every one leads to one that is won. Losses are added while only
//!    wins are read.
//! 4. When a depth adds nothing, the rest is drawn.
//!
//! A pair of sets is looked at only if a pair it leads to changed at the depth before. A forced pass is a move. Wins have odd
//! depths and losses even ones: each move, a pass as well, is one ply between a won and a lost position.
//!
//! Cost: two bits a position (rows of 120 bits are kept in 128), 8 bytes a move between pairs, and, where depths are wanted, a byte a
//! position. Time: for each depth at most one word operation for each move of each mover's permutation of each changed pair.
//! Every depth is the same whatever the number of threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::run::{Control, MemorySize};

use super::graph::{Edge, Graph, Ranks};
use super::index::{Index, MAX_INDEXED, MAX_RANKS, Place};
use super::transpose::transpose;
use super::{Kota, Position, Stuck};

/// Who wins, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The side to move wins.
    Win,
    /// Neither side can force a win.
    Draw,
    /// The side to move loses.
    Loss,
}

impl Outcome {
    /// `win`, `draw` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        }
    }

    /// The same for the other side.
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }
}

/// What is known of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end, the winner as fast and the loser as slow as possible. `None` for a draw, and where it was not
    /// kept.
    pub depth: Option<u16>,
}

/// Numbers of positions by what is known of them, with either side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Open positions.
    pub positions: u64,
    /// Won by the side to move.
    pub wins: u64,
    /// Lost by it.
    pub losses: u64,
    /// The last depth at which a position was decided; `None` where none was.
    pub deepest: Option<u16>,
}

impl Counts {
    /// Positions that are neither.
    pub fn rest(&self) -> u64 {
        self.positions - self.wins - self.losses
    }
}

/// A game that cannot be solved here.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// Too many positions for any table.
    #[error("exact tables of KOTA are for N = 2 to {MAX_INDEXED}; N = {n} would need about {} at 2 bits a position", size(*digits))]
    TooLarge {
        /// Stones a side.
        n: usize,
        /// Bytes that two bits a position would take, estimated: the logarithm to base 10.
        digits: f64,
    },
    /// More memory than allowed.
    #[error("N = {n} needs {needed} of memory, allowed are {allowed}; give --memory {} or more", needed.bytes())]
    Memory {
        /// Stones a side.
        n: usize,
        /// What it takes.
        needed: MemorySize,
        /// The cap.
        allowed: MemorySize,
    },
    /// A depth that a byte cannot keep.
    #[error("a forced result takes more than {max} plies, and depths are kept up to there; solve without depths", max = Solver::MAX_DEPTH)]
    TooDeep,
}

/// Bytes far beyond any machine, for people.
fn size(digits: f64) -> String {
    match digits {
        ..15.0 => format!("{:.0} TiB", 10_f64.powf(digits) / 1024_f64.powi(4)),
        _ => format!("10^{digits:.0} bytes"),
    }
}

/// Two bits of every position of a half: rows of N! bits, row by the permutation of the other, bit by that of the mover.
#[derive(Debug)]
pub(super) struct Planes {
    pub(super) wins: Vec<u128>,
    pub(super) losses: Vec<u128>,
}

/// The solution of a game, or as much of it as there is.
#[derive(Debug)]
pub struct Solver {
    pub(super) kota: Kota,
    pub(super) index: Index,
    graphs: Vec<Graph>,
    ranks: Ranks,
    pub(super) planes: Vec<Planes>,
    /// For each half, half of the depth of every position: that it is won or lost tells the last bit.
    pub(super) depths: Option<Vec<Vec<u8>>>,
    /// For each half, whether a pair changed at the depth before.
    changed: Vec<Vec<bool>>,
    /// The depth to be done next.
    pub(super) depth: u16,
    /// Depths up to this one look at every pair, because what changed is not known.
    pub(super) full_until: u16,
    pub(super) finished: bool,
    pub(super) counts: Counts,
}

impl Solver {
    /// The deepest result that is kept.
    pub const MAX_DEPTH: u16 = 511;

    /// What solving takes, with or without the depths of positions.
    ///
    /// # Errors
    /// When N is too large for any memory.
    pub fn memory(kota: &Kota, depths: bool) -> Result<MemorySize, SolveError> {
        Solver::check_size(kota.n())?;
        Ok(needed(kota, &Index::new(kota), depths))
    }

    /// Whether so many stones a side can be solved at all.
    ///
    /// # Errors
    /// When N is too large for any memory.
    pub fn check_size(n: usize) -> Result<(), SolveError> {
        match n {
            ..=MAX_INDEXED => Ok(()),
            _ => Err(SolveError::TooLarge { n, digits: estimated_digits(n) }),
        }
    }

    /// Gets ready to solve a game within a cap of memory: with the depths of all positions where they fit.
    ///
    /// # Errors
    /// When N is too large, or the cap too small.
    pub fn new(kota: &Kota, allowed: MemorySize) -> Result<Solver, SolveError> {
        Solver::check_size(kota.n())?;
        let index = Index::new(kota);
        let depths = needed(kota, &index, true) <= allowed;
        Solver::with_index(kota, index, depths, allowed)
    }

    /// The same, with or without depths.
    ///
    /// # Errors
    /// When N is too large, or the cap too small.
    pub fn with_depths(kota: &Kota, depths: bool, allowed: MemorySize) -> Result<Solver, SolveError> {
        Solver::check_size(kota.n())?;
        Solver::with_index(kota, Index::new(kota), depths, allowed)
    }

    fn with_index(kota: &Kota, index: Index, depths: bool, allowed: MemorySize) -> Result<Solver, SolveError> {
        let needed = needed(kota, &index, depths);
        if needed > allowed {
            return Err(SolveError::Memory { n: kota.n(), needed, allowed });
        }
        let ranks = Ranks::new(&index);
        let graphs = (0..index.halves.len()).map(|half| Graph::new(kota, &index, &ranks, half)).collect();
        let rows = |half: usize| index.halves[half].pairs.len() * index.ranks();
        let halves = 0..index.halves.len();
        Ok(Solver {
            graphs,
            ranks,
            planes: halves
                .clone()
                .map(|half| Planes { wins: vec![0; rows(half)], losses: vec![0; rows(half)] })
                .collect(),
            depths: depths.then(|| halves.clone().map(|half| vec![0; rows(half) * index.ranks()]).collect()),
            changed: halves.map(|half| vec![false; index.halves[half].pairs.len()]).collect(),
            depth: 0,
            full_until: 1,
            finished: false,
            counts: Counts { positions: index.len() * index.weight(), ..Counts::default() },
            kota: kota.clone(),
            index,
        })
    }

    /// The game.
    pub fn kota(&self) -> &Kota {
        &self.kota
    }

    /// The memory that it holds.
    pub fn memory_held(&self) -> MemorySize {
        needed(&self.kota, &self.index, self.depths.is_some())
    }

    /// Whether depths are kept.
    pub fn has_depths(&self) -> bool {
        self.depths.is_some()
    }

    /// Whether everything is decided that can be.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The depth that comes next.
    pub fn next_depth(&self) -> u16 {
        self.depth
    }

    /// Works on, depth by depth, until everything is decided or the control says stop; `each` is called after each depth that was
    /// done.
    ///
    /// # Errors
    /// When depths are kept and one is too great; or what `each` returns.
    pub fn run<E: From<SolveError>>(
        &mut self,
        control: &Control,
        mut each: impl FnMut(&Solver) -> Result<(), E>,
    ) -> Result<(), E> {
        control.gauges.total.store(self.counts.positions, Relaxed);
        while !self.finished {
            control.gauges.done.store(self.counts.wins + self.counts.losses, Relaxed);
            control.gauges.depth.store(self.depth.into(), Relaxed);
            if self.depths.is_some() && self.depth > Solver::MAX_DEPTH {
                return Err(SolveError::TooDeep.into());
            }
            let Some(found) = self.one_depth(control) else {
                // Part of a depth was done. Doing it again adds the rest; but what changed in that part is not known.
                self.full_until = self.depth + 1;
                let before = (self.counts.wins, self.counts.losses);
                self.count();
                if before != (self.counts.wins, self.counts.losses) {
                    self.counts.deepest = Some(self.depth);
                }
                return Ok(());
            };
            let found = found * self.index.weight();
            let counter = if self.depth % 2 == 1 { &mut self.counts.wins } else { &mut self.counts.losses };
            *counter += found;
            if found > 0 {
                self.counts.deepest = Some(self.depth);
            }
            // Depth 0 may be empty and depth 1 not; after that every depth comes from the one before.
            self.finished = found == 0 && self.depth >= self.full_until.max(2);
            self.depth += 1;
            each(self)?;
        }
        control.gauges.done.store(self.counts.positions, Relaxed);
        Ok(())
    }

    /// Counts again what is decided.
    pub(super) fn count(&mut self) {
        let ones = |plane: &Vec<u128>| plane.par_iter().map(|row| u64::from(row.count_ones())).sum::<u64>();
        let weight = self.index.weight();
        self.counts.wins = self.planes.iter().map(|planes| ones(&planes.wins)).sum::<u64>() * weight;
        self.counts.losses = self.planes.iter().map(|planes| ones(&planes.losses)).sum::<u64>() * weight;
    }

    /// Does one depth; gives what it added, or `None` where it was stopped on the way.
    fn one_depth(&mut self, control: &Control) -> Option<u64> {
        let (depth, ranks, wins) = (self.depth, self.index.ranks(), self.depth % 2 == 1);
        // The plane that is added to is taken out, so that the other can be read meanwhile.
        let mut planes: Vec<Vec<u128>> = self
            .planes
            .iter_mut()
            .map(|planes| std::mem::take(if wins { &mut planes.wins } else { &mut planes.losses }))
            .collect();
        let mut depths = self.depths.take();
        let mut changed: Vec<Vec<bool>> = self.changed.iter().map(|changed| vec![false; changed.len()]).collect();
        let (added, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        for half in 0..planes.len() {
            let work = |pair: usize, block: &mut [u128], changed: &mut bool, depths: Option<&mut [u8]>| {
                if stopped.load(Relaxed) || control.stop_reason().is_some() {
                    stopped.store(true, Relaxed);
                    return;
                }
                let mut rows = [0; MAX_RANKS.next_power_of_two()];
                let some = if wins { self.wins(half, pair, &mut rows) } else { self.losses(half, pair, &mut rows) };
                if some {
                    let found = merge(&mut rows, block, depths, ranks, depth);
                    *changed = found > 0;
                    added.fetch_add(found, Relaxed);
                }
            };
            let pairs = planes[half].par_chunks_exact_mut(ranks).zip(&mut changed[half]).enumerate();
            match &mut depths {
                None => pairs.for_each(|(pair, (block, changed))| work(pair, block, changed, None)),
                Some(depths) => pairs.zip(depths[half].par_chunks_exact_mut(ranks * ranks)).for_each(
                    |((pair, (block, changed)), depths)| {
                        work(pair, block, changed, Some(depths));
                    },
                ),
            }
        }
        for (half, plane) in planes.into_iter().enumerate() {
            let planes = &mut self.planes[half];
            *(if wins { &mut planes.wins } else { &mut planes.losses }) = plane;
        }
        self.depths = depths;
        if stopped.into_inner() {
            return None;
        }
        self.changed = changed;
        Some(added.into_inner())
    }

    /// Rows by the permutation of the mover: the positions of a pair that are won by a loss of the depth before.
    fn wins(&self, half: usize, pair: usize, rows: &mut [u128]) -> bool {
        let (graph, next, ranks) = (&self.graphs[half], self.index.next_half(half), self.index.ranks());
        let (losses, changed) = (&self.planes[next].losses, &self.changed[next]);
        let everything = self.depth <= self.full_until;
        let is_new = |pair: u32| everything || changed[pair as usize];
        let mut some = false;
        for edge in graph.edges(pair) {
            // What was lost before that depth has made its wins already.
            if edge.pair != Edge::GOAL && is_new(edge.pair) {
                let lost = &losses[edge.pair as usize * ranks..][..ranks];
                self.ranks.each(edge, |rank, moved| rows[rank] |= lost[moved]);
                some = true;
            }
        }
        if everything && graph.wins[pair] != 0 {
            for rank in bits(graph.wins[pair]) {
                rows[rank] = self.full_row();
            }
            some = true;
        }
        if self.kota.rules().stuck == Stuck::Pass && graph.stuck[pair] != 0 && is_new(graph.passed[pair]) {
            let lost = &losses[graph.passed[pair] as usize * ranks..][..ranks];
            for rank in bits(graph.stuck[pair]) {
                rows[rank] |= lost[rank];
            }
            some = true;
        }
        some
    }

    /// The same for the positions that are lost because all moves lead to wins.
    fn losses(&self, half: usize, pair: usize, rows: &mut [u128]) -> bool {
        let (graph, next, ranks) = (&self.graphs[half], self.index.next_half(half), self.index.ranks());
        let (wins, changed) = (&self.planes[next].wins, &self.changed[next]);
        let (stuck, passes) = (graph.stuck[pair], self.kota.rules().stuck == Stuck::Pass);
        let everything = self.depth <= self.full_until;
        let is_new = |pair: u32| everything || pair != Edge::GOAL && changed[pair as usize];
        let passed_is_new = passes && stuck != 0 && is_new(graph.passed[pair]);
        if !passed_is_new && !graph.edges(pair).iter().any(|edge| is_new(edge.pair)) && !everything {
            return false;
        }
        let full = self.full_row();
        for rank in bits(!(stuck | graph.wins[pair]) & full) {
            rows[rank] = full;
        }
        match self.kota.rules().stuck {
            Stuck::Loss => bits(stuck).for_each(|rank| rows[rank] = full),
            Stuck::Pass => {
                let won = &wins[graph.passed[pair] as usize * ranks..][..ranks];
                bits(stuck).for_each(|rank| rows[rank] = won[rank]);
            }
            Stuck::Draw => {}
        }
        for edge in graph.edges(pair) {
            if edge.pair != Edge::GOAL {
                let won = &wins[edge.pair as usize * ranks..][..ranks];
                self.ranks.each(edge, |rank, moved| rows[rank] &= won[moved]);
            }
        }
        true
    }

    fn full_row(&self) -> u128 {
        (1 << self.index.ranks()) - 1
    }

    /// What is known of a position; `None` if it is not open, or nothing is known yet.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let place = self.index.place(position)?;
        let value = self.value_at(place);
        (self.finished || value.outcome != Outcome::Draw).then_some(value)
    }

    pub(super) fn value_at(&self, place: Place) -> Value {
        let row = place.pair * self.index.ranks() + place.other;
        let planes = &self.planes[place.half];
        let bit = |plane: &[u128]| plane[row] >> place.mover & 1 == 1;
        let outcome = match (bit(&planes.wins), bit(&planes.losses)) {
            (true, _) => Outcome::Win,
            (_, true) => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let half_depth = self.depths.as_ref().map(|depths| depths[place.half][row * self.index.ranks() + place.mover]);
        let depth = match outcome {
            Outcome::Draw => None,
            Outcome::Win => half_depth.map(|half| u16::from(half) * 2 + 1),
            Outcome::Loss => half_depth.map(|half| u16::from(half) * 2),
        };
        Value { outcome, depth }
    }
}

/// Turns rows by the mover into rows by the other, adds them to a block and notes the depth of what is new.
fn merge(rows: &mut [u128], block: &mut [u128], depths: Option<&mut [u8]>, ranks: usize, depth: u16) -> u64 {
    transpose(&mut rows[..ranks.next_power_of_two()]);
    let mut found = 0;
    for (row, old) in rows.iter_mut().zip(block.iter_mut()) {
        *row &= !*old;
        *old |= *row;
        found += u64::from(row.count_ones());
    }
    if let (Some(depths), true) = (depths, found > 0) {
        for (row, depths) in rows.iter().zip(depths.chunks_exact_mut(ranks)) {
            bits(*row).for_each(|bit| depths[bit] = (depth / 2) as u8);
        }
    }
    found
}

fn bits(set: u128) -> impl Iterator<Item = usize> {
    super::grid::each(set)
}

/// Everything that grows with the number of positions.
fn needed(kota: &Kota, index: &Index, depths: bool) -> MemorySize {
    let graphs: u64 = (0..index.halves.len()).map(|half| Graph::most_bytes(kota, index, half)).sum();
    let rows = (index.pairs() * index.ranks()) as u64;
    let planes = rows * 2 * size_of::<u128>() as u64;
    let depths = if depths { index.len() } else { 0 };
    let sets: u64 = index.halves.iter().map(|half| half.bytes()).sum();
    // A little for what does not grow: stacks of threads, buffers of files.
    MemorySize::from_bytes(graphs + planes + depths + sets + (16 << 20))
}

/// Two bits for each position, as a logarithm to base 10: the number of pairs grows some fifty times with each N.
fn estimated_digits(n: usize) -> f64 {
    let pairs = 205_762_f64.log10() + 50_f64.log10() * (n as f64 - MAX_INDEXED as f64);
    let ranks: f64 = (1..=n).map(|factor| (factor as f64).log10()).sum();
    pairs + 2.0 * ranks + 0.5_f64.log10()
}
