//! What threads that search one position together know of each other.
//!
//! Every thread runs its own depth-first search from the root. They share the transposition table, which tells each what
//! the others found, and this: which positions somebody is working on. A child that is being searched looks a little
//! harder than it is, so the next thread to come by takes another one where another is almost as good (the idea of
//! virtual proof numbers: T. Kaneko, *Parallel depth first proof number search*, AAAI 2010). All of it is only advice
//! about where to look; no answer depends on it.
//!
//! # How far it scales
//!
//! There is no lock and no queue. Threads meet only in the table (one relaxed word access for each probe), in the marks
//! (kept for large subtrees only, so seldom written) and in the node counter (one access per 1024 nodes). What limits the
//! speed of many threads is the search itself: far from the root the subtrees of a proof are shared through the table,
//! near the root there are only so many moves worth trying, and work on a move that turns out not to be needed is lost.
//! With 64 threads expect the table's memory bandwidth and that lost work to count, not the bookkeeping; on machines with
//! several memory nodes, interleave the table over them.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use super::table::Place;

/// See the module.
pub(super) struct Team {
    /// Threads at work below a position, by a hash of its place; positions may share a mark, which does no harm.
    marks: Box<[AtomicU16]>,
    result: AtomicU8,
}

const MARKS: usize = 1 << 14;
const OPEN: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;

impl Team {
    pub fn new() -> Team {
        let marks = bytemuck::allocation::zeroed_slice_box(MARKS);
        Team { marks, result: AtomicU8::new(OPEN) }
    }

    fn mark(&self, place: Place) -> &AtomicU16 {
        &self.marks[place.hash() as usize % MARKS]
    }

    pub fn enter(&self, place: Place) {
        self.mark(place).fetch_add(1, Relaxed);
    }

    pub fn leave(&self, place: Place) {
        self.mark(place).fetch_sub(1, Relaxed);
    }

    /// How many threads are below the position.
    pub fn busy(&self, place: Place) -> u32 {
        u32::from(self.mark(place).load(Relaxed))
    }

    /// Tells everybody that the root is solved.
    pub fn finish(&self, wins: bool) {
        self.result.store(if wins { WIN } else { LOSS }, Relaxed);
    }

    /// Whether the side to move at the root wins, once somebody has found out.
    pub fn result(&self) -> Option<bool> {
        match self.result.load(Relaxed) {
            WIN => Some(true),
            LOSS => Some(false),
            _ => None,
        }
    }
}
