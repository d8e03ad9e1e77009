//! Values of small parts in one open hash table that threads read without a lock.
//!
//! A place is three words: cells, stones, and the value plus two, which is 0 in a free place and 1 while somebody fills it.
//! Places are filled once and never changed, the value last, so that whoever reads a value reads what it belongs to. Whoever
//! fills one holds a lock, of which there are several so that threads need not hand one to and fro, and whoever grows the
//! table holds all of them, so that nothing is lost on the way. Readers keep the table that they have until they ask for a
//! newer one; all that they miss in between is knowledge.
//!
//! No lock stands between a reader and a place, so that a core can wait for many places of memory at a time, see
//! [`Places::prefetch`]. Parts that do not fit 8x8 are rare and live in a `dashmap`.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};
use std::sync::{Arc, PoisonError, RwLock};

use crate::cgt::Game;
use crate::run::{advise_huge_pages, prefetch_line};

use super::words::Words;

const FREE: u64 = 0;
const BUSY: u64 = 1;
/// What a value is stored as beyond its number.
const OFFSET: u64 = 2;

/// The table, which grows.
#[derive(Debug)]
pub(super) struct Table {
    desks: [Desk; DESKS],
    /// How often it has grown.
    age: AtomicUsize,
    /// Values that the desks have told of.
    told: AtomicUsize,
}

/// Where a thread fills places; a line of the cache of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Desk {
    places: RwLock<Arc<Places>>,
    /// Values kept here that are not told of yet.
    len: AtomicUsize,
}

const DESKS: usize = 8;
/// A desk tells of so many values at a time.
const TELL: usize = 8;

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct Places {
    words: Box<[[AtomicU64; 3]]>,
    mask: usize,
}

/// What came of keeping a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is there, now or since earlier.
    Yes,
    /// There is no room.
    Full,
}

impl Table {
    const FIRST: usize = 1 << 10;

    /// An empty table.
    pub(super) fn new() -> Table {
        let places = Arc::new(Places::new(Self::FIRST));
        let desk = |_| Desk { places: RwLock::new(Arc::clone(&places)), len: AtomicUsize::new(0) };
        Table { desks: std::array::from_fn(desk), age: AtomicUsize::new(0), told: AtomicUsize::new(0) }
    }

    /// Bytes that a new table takes.
    pub(super) const fn first_bytes() -> u64 {
        Places::bytes(Self::FIRST)
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.told.load(Relaxed) + self.desks.iter().map(|desk| desk.len.load(Relaxed)).sum::<usize>()
    }

    /// Changes when there are newer places.
    #[inline]
    pub(super) fn age(&self) -> usize {
        self.age.load(Relaxed)
    }

    /// The newest places.
    pub(super) fn places(&self) -> Arc<Places> {
        Arc::clone(&self.desks[0].places.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps a value. Threads with different numbers do not wait for each other. `take` and `give` are asked for memory, and
    /// told of memory no longer used, in bytes.
    pub(super) fn keep(
        &self,
        thread: usize,
        (cells, stones): (u64, u64),
        value: Game,
        take: impl Fn(u64) -> bool,
        give: impl Fn(u64),
    ) -> Kept {
        let desk = &self.desks[thread % DESKS];
        let places = desk.places.read().unwrap_or_else(PoisonError::into_inner);
        let slots = places.mask + 1;
        // Room for every thread that is about to fill a place, and for what was not told.
        let told = self.told.load(Relaxed);
        if told + told / 64 + 64 + DESKS * TELL >= slots {
            return Kept::Full;
        }
        if places.insert(cells, stones, value) && desk.len.fetch_add(1, Relaxed) + 1 == TELL {
            desk.len.fetch_sub(TELL, Relaxed);
            self.told.fetch_add(TELL, Relaxed);
        }
        drop(places);
        // From three quarters on it grows, if it may.
        if (told + 1) * 4 > slots * 3 {
            self.grow(slots, take, give);
        }
        Kept::Yes
    }

    /// Doubles the table if it still has so many places.
    #[cold]
    fn grow(&self, slots: usize, take: impl Fn(u64) -> bool, give: impl Fn(u64)) {
        // All in the same order, so that two threads never wait for each other.
        let mut desks = self.desks.each_ref().map(|desk| desk.places.write().unwrap_or_else(PoisonError::into_inner));
        if desks[0].mask + 1 != slots || !take(Places::bytes(2 * slots)) {
            return;
        }
        let larger = Places::new(2 * slots);
        desks[0].for_each(|cells, stones, value| {
            larger.insert(cells, stones, value);
        });
        let larger = Arc::new(larger);
        for desk in &mut desks {
            **desk = Arc::clone(&larger);
        }
        self.age.fetch_add(1, Relaxed);
        give(Places::bytes(slots));
    }
}

impl Places {
    const fn bytes(slots: usize) -> u64 {
        24 * slots as u64
    }

    fn new(slots: usize) -> Places {
        let words = bytemuck::zeroed_slice_box(slots);
        advise_huge_pages(&words);
        Places { words, mask: slots - 1 }
    }

    /// The value of stones on cells, if it is known here.
    #[inline]
    pub(super) fn find(&self, cells: u64, stones: u64) -> Option<Game> {
        let mut at = self.start(cells, stones);
        loop {
            let [its_cells, its_stones, its_value] = self.place(at);
            match its_value.load(Acquire) {
                FREE => return None,
                BUSY => {}
                value => {
                    if its_cells.load(Relaxed) == cells && its_stones.load(Relaxed) == stones {
                        return Some(Game::from_number((value - OFFSET) as u32));
                    }
                }
            }
            at = (at + 1) & self.mask;
        }
    }

    /// Brings the place where a search for these begins closer.
    #[inline]
    pub(super) fn prefetch(&self, cells: u64, stones: u64) {
        // One place in four lies across two lines of the cache.
        let [first, _, last] = self.place(self.start(cells, stones));
        prefetch_line(first);
        prefetch_line(last);
    }

    /// Calls `each` for every cells, stones, value.
    pub(super) fn for_each(&self, mut each: impl FnMut(u64, u64, Game)) {
        for at in 0..=self.mask {
            let [cells, stones, value] = self.place(at);
            let value = value.load(Acquire);
            if value >= OFFSET {
                each(cells.load(Relaxed), stones.load(Relaxed), Game::from_number((value - OFFSET) as u32));
            }
        }
    }

    /// Fills a free place; false if the value was there. There must be free places.
    fn insert(&self, cells: u64, stones: u64, value: Game) -> bool {
        let mut at = self.start(cells, stones);
        loop {
            let [its_cells, its_stones, its_value] = self.place(at);
            match its_value.compare_exchange(FREE, BUSY, Acquire, Acquire) {
                Ok(_) => {
                    its_cells.store(cells, Relaxed);
                    its_stones.store(stones, Relaxed);
                    its_value.store(u64::from(value.number()) + OFFSET, Release);
                    return true;
                }
                // Whoever fills it is at the three lines above.
                Err(BUSY) => std::hint::spin_loop(),
                Err(_) if its_cells.load(Relaxed) == cells && its_stones.load(Relaxed) == stones => return false,
                Err(_) => at = (at + 1) & self.mask,
            }
        }
    }

    #[inline]
    fn start(&self, cells: u64, stones: u64) -> usize {
        Words::default().hash_one((cells, stones)) as usize & self.mask
    }

    #[inline]
    fn place(&self, at: usize) -> &[AtomicU64; 3] {
        &self.words[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cgt::Games;

    #[test]
    fn threads_fill_one_table() {
        let games = Games::new(1 << 20);
        let values: Vec<Game> = (0..100).map(|n| games.star(n).unwrap()).collect();
        let table = Table::new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, values) = (&table, &values);
                scope.spawn(move || {
                    for n in 0..20_000_u64 {
                        let n = if thread % 2 == 0 { n } else { 19_999 - n };
                        let value = values[n as usize % 100];
                        assert_eq!(table.keep(thread, (!n, n), value, |_| true, |_| {}), Kept::Yes);
                        assert_eq!(table.places().find(!n, n), Some(value));
                    }
                });
            }
        });
        assert_eq!(table.len(), 20_000);
        let mut count = 0;
        table.places().for_each(|cells, stones, value| {
            assert_eq!((cells, value), (!stones, values[stones as usize % 100]));
            count += 1;
        });
        assert_eq!(count, 20_000);
        assert_eq!(table.places().find(1, 1), None);
    }

    #[test]
    fn a_table_that_may_not_grow_fills_up() {
        let games = Games::new(1 << 20);
        let table = Table::new();
        let kept = |n| table.keep(0, (n, n), games.zero(), |_| false, |_| {});
        let count = (0..5000).take_while(|&n| kept(n) == Kept::Yes).count();
        assert!((800..1024).contains(&count), "{count}");
        assert_eq!(table.len(), count);
        assert_eq!(table.places().find(5, 5), Some(games.zero()));
        assert_eq!(table.places().find(4999, 4999), None);
    }
}
