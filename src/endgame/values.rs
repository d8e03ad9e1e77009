//! Values of parts, each computed once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use dashmap::DashMap;

use crate::board::CellSet;
use crate::cgt::{Game, GameError, Games, Player};
use crate::konane::Side;
use crate::run::{Control, MemorySize, StopReason};

use super::part::{Part, Placed};
use super::table::{Kept, Table};
use super::words::Words;
use super::worker::Worker;

/// The player of the theory whose part a side takes: Left is Black, Right is White. The only place that says so.
pub const fn player(side: Side) -> Player {
    match side {
        Side::Black => Player::Left,
        Side::White => Player::Right,
    }
}

/// Why the value of a position is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameError {
    /// The value itself is out of reach.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A part that fits no board, which only a damaged file can hold.
    #[error("there is no part of {rows}x{cols} cells")]
    NoPart {
        /// Rows around the part.
        rows: usize,
        /// Columns around the part.
        cols: usize,
    },
    /// More parts than there is memory for.
    #[error("the position has more different parts than fit the memory for them ({limit}): allow more")]
    Memory {
        /// The bound.
        limit: MemorySize,
    },
    /// A limit of the run was reached, or somebody asked to stop.
    #[error("stopped before the value was known")]
    Stopped,
}

/// Values of parts in normal form, shared by threads, within a bound of memory.
///
/// The bound is for games and parts together, half each; what would exceed it is an error, and what is known stays.
#[derive(Debug)]
pub struct Values {
    games: Games,
    control: Arc<Control>,
    /// Parts of at most 8 rows and columns, which are nearly all, by their cells and stones.
    small: Table,
    /// All other parts.
    large: DashMap<Part, Game, Words>,
    /// Bytes that the maps may still grow by.
    room: AtomicU64,
    memory: MemorySize,
    threads: usize,
}

impl Values {
    /// What a part takes in a `dashmap`, which doubles when it is seven eighths full.
    const BYTES_PER_LARGE: u64 = 2 * (size_of::<(Part, Game)>() as u64 + 1);
    /// The least memory that is of use.
    pub const LEAST_MEMORY: MemorySize = MemorySize::from_bytes(4 * Games::LEAST_BYTES);
    /// Parts with fewer stones are valued sooner than threads are called.
    const SHARED_STONES: u32 = 9;

    /// An empty collection. Work ends when `control` says so; each part valued counts as a node. Parts with many stones are
    /// valued by `threads` threads.
    pub fn new(memory: MemorySize, threads: usize, control: Arc<Control>) -> Values {
        let stop = Arc::clone(&control);
        // The node limit is counted by the parts, so that all of it can be used.
        let interrupt = move || matches!(stop.stop_reason(), Some(StopReason::Requested | StopReason::Time));
        Values {
            games: Games::with_interrupt(memory.bytes() / 2, interrupt),
            control,
            small: Table::new(),
            large: DashMap::with_hasher(Words::default()),
            room: AtomicU64::new((memory.bytes() / 2).saturating_sub(Table::first_bytes())),
            memory,
            threads: threads.max(1),
        }
    }

    /// The games that the values are.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// How many parts are known.
    pub fn len(&self) -> usize {
        self.small.len() + self.large.len()
    }

    /// Whether no part is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many parts are known with so many stones, from none on.
    pub fn parts_by_stones(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        let mut count = |stones: u32| {
            let stones = stones as usize;
            if counts.len() <= stones {
                counts.resize(stones + 1, 0);
            }
            counts[stones] += 1;
        };
        self.small.places().for_each(|_, stones, _| count(stones.count()));
        self.large.iter().for_each(|entry| count(entry.key().stones()));
        counts
    }

    /// Bytes in use for parts and for games, the fixed tables not counted.
    pub fn bytes(&self) -> u64 {
        let parts = (self.memory.bytes() / 2).saturating_sub(self.room.load(Relaxed));
        parts + self.games.bytes()
    }

    /// Whatever limits the run.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// The memory of all, and the number of threads that share it.
    pub(super) fn shares(&self) -> (u64, usize) {
        (self.memory.bytes(), self.threads)
    }

    /// What is known, in no order.
    pub(super) fn known(&self) -> Vec<(Part, Game)> {
        let mut all = Vec::with_capacity(self.len());
        self.small.places().for_each(|cells, stones, value| all.push((Part::Small { cells, stones }, value)));
        all.extend(self.large.iter().map(|entry| (*entry.key(), *entry.value())));
        all
    }

    /// The table of the small parts.
    pub(super) fn small(&self) -> &Table {
        &self.small
    }

    /// The value of a part if it is known.
    pub(super) fn recall(&self, part: &Part) -> Option<Game> {
        match *part {
            Part::Small { cells, stones } => self.small.places().find(cells, stones),
            Part::Large { .. } | Part::Wide { .. } => self.large.get(part).map(|value| *value),
        }
    }

    /// Keeps a value. Threads with different numbers do not wait for each other.
    ///
    /// # Errors
    /// [`EndgameError::Memory`] when there is no room.
    pub(super) fn learn(&self, part: Part, value: Game, thread: usize) -> Result<(), EndgameError> {
        let take = |bytes| self.room.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(bytes)).is_ok();
        let give = |bytes| {
            self.room.fetch_add(bytes, Relaxed);
        };
        let kept = match part {
            Part::Small { cells, stones } => self.small.keep(thread, (cells, stones), value, take, give) == Kept::Yes,
            Part::Large { .. } | Part::Wide { .. } if take(Self::BYTES_PER_LARGE) => {
                if self.large.insert(part, value).is_some() {
                    give(Self::BYTES_PER_LARGE);
                }
                true
            }
            Part::Large { .. } | Part::Wide { .. } => false,
        };
        if kept { Ok(()) } else { Err(EndgameError::Memory { limit: self.memory }) }
    }

    /// The value of a part.
    ///
    /// # Errors
    /// When it leaves the bounds of memory, depth or the run.
    pub fn value(&self, placed: Placed) -> Result<Game, EndgameError> {
        let value = match self.recall(&placed.part) {
            Some(value) => value,
            None => self.work(placed.part)?,
        };
        if placed.negative { Ok(self.games.neg(value)?) } else { Ok(value) }
    }

    /// Values a part by all threads. Each goes through all of it in another order, and what one has found the others need not
    /// look for: they meet in the middle.
    fn work(&self, part: Part) -> Result<Game, EndgameError> {
        let finished = AtomicBool::new(false);
        let run = |number| {
            let found = Worker::new(self, number, &finished).part(part);
            finished.fetch_or(found.is_ok(), Relaxed);
            found
        };
        if self.threads == 1 || part.stones() < Self::SHARED_STONES {
            return run(0);
        }
        let mut others: Vec<_> = (1..self.threads).map(|_| None).collect();
        let mine = rayon::scope(|scope| {
            for (at, other) in others.iter_mut().enumerate() {
                scope.spawn(move |_| *other = Some(run(at + 1)));
            }
            run(0)
        });
        // A thread that was overtaken says that it was stopped.
        others.into_iter().flatten().find(Result::is_ok).unwrap_or(mine)
    }
}
