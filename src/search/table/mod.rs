//! The transposition table: fixed size, exact, shared by all threads without a lock.
//!
//! # Boards to 64 cells: one entry is one word
//!
//! A lookup must never answer for another position, or a proof would not be a proof. Entries hold the *whole* position, in
//! few bits, because part of it is said by the place where the entry stands:
//!
//! 1. The occupied cells are a number below 2^k, k being the number of cells. A bijection of these numbers scrambles it
//!    to `h` (multiplications by odd constants and xor-shifts, each of which can be undone).
//! 2. With `n` buckets, the bucket is the whole part of `h * n / 2^k`. The numbers `h` of one bucket differ by at least 1,
//!    their products `h * n` by at least `n`, so the remainder of the division by 2^k, without its lowest
//!    `floor(log2 n)` bits, tells them apart: bucket and remainder together determine `h`, hence the position.
//! 3. One more bit holds the side to move.
//!
//! On 8x8 with 4 GiB (2^26 buckets) that is 39 bits; 25 are left for the two numbers, rounded up to floating point of
//! 10 bits each, and 5 bits of work. An entry is therefore a single 64-bit word, read and written by one atomic access:
//! there is no moment at which half of it is there, whatever the other threads do. All accesses are relaxed, for no
//! entry says anything about another.
//!
//! A bucket is a cache line of eight entries. A new entry replaces the one with least work when no place is free; so what
//! goes first is what is cheap to find again.
//!
//! # Boards of 65 to 128 cells: one entry is three words
//!
//! Those boards are beyond exact solution except for narrow ones, so simplicity wins: the entry is the occupied cells in
//! two words and a third for the rest, guarded by a flag for each bucket. Whoever finds the flag set goes away: a reader
//! without an answer, a writer without writing. Nobody waits, and what is read under the flag is whole.

mod bijection;
mod memory;
#[cfg(test)]
mod tests;
mod value;
mod wide;
mod word;

use crate::board::CellSet;
use crate::konane::Packed;

use super::numbers::Numbers;

use wide::WideTable;
use word::WordTable;

/// The store of a search for one word type.
pub(super) trait Table<S>: Send + Sync + Sized {
    /// The fewest bytes that work for a board of this many cells.
    fn least_bytes(cells: usize) -> u64;
    /// The most bytes that a table for a board of this many cells can use.
    fn most_bytes(cells: usize) -> u64;
    /// An empty table of at most `bytes` bytes, which must be at least [`Table::least_bytes`]; `None` when the system does
    /// not give the memory. Pages are touched only when used.
    fn new(cells: usize, bytes: u64) -> Option<Self>;
    /// Where the position is stored.
    fn locate(&self, packed: Packed<S>) -> Place;
    /// Starts to bring the place into the cache.
    fn prefetch(&self, place: Place);
    /// What is stored for the position whose place this is.
    fn probe(&self, packed: Packed<S>, place: Place) -> Option<Found>;
    /// Stores the numbers of a position whose search took `work` expansions. A solved entry is never replaced by an
    /// open one of the same position.
    fn store(&self, packed: Packed<S>, place: Place, numbers: Numbers, work: u64);
    /// Calls `each` for every entry whose work is at least `least_work`, until it says `false`. Entries that others
    /// write meanwhile may come or not.
    fn for_each(&self, least_work: u32, each: &mut dyn FnMut(Packed<S>, Found) -> bool);
    /// How many entries have work from 2^i up to the next power of two, for each i, estimated from a sample.
    fn work_histogram(&self) -> [u64; 32];
    /// Bytes taken.
    fn bytes(&self) -> u64;
    /// Entries in use and in all, estimated from a sample.
    fn fill(&self) -> (u64, u64);
}

/// Where a position is stored: the bucket, and for one-word entries what tells the positions of a bucket apart.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    bucket: usize,
    tag: u64,
}

impl Place {
    /// A number that differs between most positions.
    #[inline]
    pub fn hash(self) -> u64 {
        (self.bucket as u64 ^ self.tag.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 7
    }
}

/// What a probe found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The numbers, rounded up.
    pub numbers: Numbers,
    /// The work that went into them, rounded down to a power of two.
    pub work: u32,
}

/// How many bytes are of use for positions of at most this many stones.
///
/// A large table that stays almost empty costs more time to clear than it saves: 128 MiB hold what 6x6 needs several
/// times over, and the need doubles every two stones. (6x7: 1 GiB, 7x7: 11 GiB, 8x8: 2 TiB.)
pub(super) fn useful_bytes(stones: usize) -> u64 {
    (2f64.powf(9.0 + stones as f64 / 2.0) as u64).max(1 << 20)
}

/// A word type that search works on, with its table.
pub(super) trait SearchSet: CellSet {
    type Table: Table<Self>;
}

impl SearchSet for u64 {
    type Table = WordTable;
}

impl SearchSet for u128 {
    type Table = WideTable;
}
