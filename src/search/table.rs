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

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::CellSet;
use crate::konane::{Packed, Side};

use super::numbers::{NumberCode, Numbers};

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

/// Zeroed words whose pages exist only once they are touched, cut into buckets of `N` words that each begin on a cache
/// line.
#[derive(Debug)]
struct Buckets<const N: usize> {
    words: Box<[AtomicU64]>,
    /// Words before the first cache line.
    skip: usize,
    count: usize,
}

const LINE_WORDS: usize = 8;

impl<const N: usize> Buckets<N> {
    const BYTES: u64 = (N * size_of::<AtomicU64>()) as u64;

    /// `count` buckets, or `None` when the system does not give the memory.
    fn new(count: u64) -> Option<Buckets<N>> {
        let count = usize::try_from(count).ok()?;
        // An allocation asked for with the alignment of a cache line would be cleared by hand, page after page; one with
        // the alignment of a word comes zeroed from the system.
        let words = count.checked_mul(N)?.checked_add(LINE_WORDS - 1)?;
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>(words).ok()?;
        advise_huge_pages(&words);
        let misplaced = words.as_ptr() as usize / size_of::<AtomicU64>() % LINE_WORDS;
        Some(Buckets { words, skip: (LINE_WORDS - misplaced) % LINE_WORDS, count })
    }

    #[inline(always)]
    fn bucket(&self, index: usize) -> &[AtomicU64; N] {
        &self.words[self.skip..].as_chunks::<N>().0[index]
    }

    fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// Entries by work, from a sample; `works` tells the work of each entry in use.
    fn histogram(&self, works: impl Fn(&[AtomicU64; N], &mut dyn FnMut(u32))) -> [u64; 32] {
        let (mut counts, sample) = ([0; 32], self.sample());
        let size = sample.len() as u64;
        for index in sample {
            works(self.bucket(index), &mut |work| counts[work.max(1).ilog2() as usize] += 1);
        }
        counts.map(|count: u64| count * self.count as u64 / size)
    }

    /// Indices of at most a few thousand buckets spread evenly.
    fn sample(&self) -> impl ExactSizeIterator<Item = usize> {
        let (sample, count) = (self.count.min(4096), self.count);
        (0..sample).map(move |i| (i as u128 * count as u128 / sample as u128) as usize)
    }

    /// Entries in use and in all, the former from a sample.
    fn fill(&self, entries: usize, used: impl Fn(&[AtomicU64; N]) -> usize) -> (u64, u64) {
        let sample = self.sample();
        let slots = sample.len() * entries;
        let found: usize = sample.map(|index| used(self.bucket(index))).sum();
        let total = (self.count * entries) as u64;
        ((found as u128 * u128::from(total) / slots as u128) as u64, total)
    }
}

/// Asks for huge pages, which save most of the address-translation misses of random access. Only advice: nothing
/// depends on it.
#[cfg(target_os = "linux")]
fn advise_huge_pages<T>(slice: &[T]) {
    const HUGE: usize = 2 << 20;
    let range = slice.as_ptr_range();
    let start = (range.start as usize).next_multiple_of(HUGE);
    let end = range.end as usize / HUGE * HUGE;
    if end > start {
        // SAFETY: the range lies inside one live allocation of ours and is page-aligned; this advice never changes
        // the contents of memory.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages<T>(_: &[T]) {}

/// Brings the cache line of a value closer.
#[inline(always)]
fn prefetch_line<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching never faults and reads nothing; the address is that of a live reference anyway.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// How many bytes are of use for positions of at most this many stones.
///
/// A large table that stays almost empty costs more time to clear than it saves: 128 MiB hold what 6x6 needs several
/// times over, and the need doubles every two stones. (6x7: 1 GiB, 7x7: 11 GiB, 8x8: 2 TiB.)
pub(super) fn useful_bytes(stones: usize) -> u64 {
    (2f64.powf(9.0 + stones as f64 / 2.0) as u64).max(1 << 20)
}

/// Shares of `bits` bits between work and the two numbers: `(work, number)`.
fn shares(bits: u32) -> (u32, u32) {
    let work = if bits >= 25 { 5 } else { 3 };
    (work, ((bits - work) / 2).min(20))
}

/// Bits of a value: work, phi, delta from the top.
#[derive(Clone, Copy, Debug)]
struct ValueCode {
    bits: u32,
    work_bits: u32,
    number_bits: u32,
    number: NumberCode,
}

/// The fewest bits of a value: three of work and two numbers of eight.
const LEAST_VALUE_BITS: u32 = 19;

impl ValueCode {
    fn new(bits: u32) -> ValueCode {
        let (work_bits, number_bits) = shares(bits);
        ValueCode { bits: work_bits + 2 * number_bits, work_bits, number_bits, number: NumberCode::new(number_bits) }
    }

    /// Never 0: the numbers are not both 0.
    #[inline]
    fn encode(self, numbers: Numbers, work: u64) -> u64 {
        let work = (u64::from(work.max(1).ilog2())).min(31) >> (5 - self.work_bits);
        let (phi, delta) = (self.number.encode(numbers.phi), self.number.encode(numbers.delta));
        (work << self.number_bits | u64::from(phi)) << self.number_bits | u64::from(delta)
    }

    #[inline]
    fn numbers(self, value: u64) -> Numbers {
        let mask = (1 << self.number_bits) - 1;
        Numbers {
            phi: self.number.decode((value >> self.number_bits & mask) as u32),
            delta: self.number.decode((value & mask) as u32),
        }
    }

    #[inline]
    fn work_code(self, value: u64) -> u64 {
        value >> (2 * self.number_bits) & ((1 << self.work_bits) - 1)
    }

    fn found(self, value: u64) -> Found {
        Found { numbers: self.numbers(value), work: 1 << (self.work_code(value) << (5 - self.work_bits)) }
    }
}

/// A bijection of the numbers below 2^`bits` that scatters them.
#[inline(always)]
fn scramble(mut x: u64, bits: u32, mask: u64) -> u64 {
    let half = bits.div_ceil(2);
    x ^= x >> half;
    x = x.wrapping_mul(FIRST) & mask;
    x ^= x >> half;
    x = x.wrapping_mul(SECOND) & mask;
    x ^ x >> half
}

/// The number that [`scramble`] maps to `x`.
fn unscramble(mut x: u64, bits: u32, mask: u64) -> u64 {
    // A shift by half the bits or more undoes itself.
    let half = bits.div_ceil(2);
    x ^= x >> half;
    x = x.wrapping_mul(inverse(SECOND)) & mask;
    x ^= x >> half;
    x = x.wrapping_mul(inverse(FIRST)) & mask;
    x ^ x >> half
}

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

/// The inverse of an odd number modulo 2^64, by Newton's method: each step doubles the right bits.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// Set into the cells before scrambling when White is to move, so that the two positions go to different buckets.
const WHITE: u64 = 0xa5a5_0f3c_96c3_5a69;

/// The table for boards to 64 cells; see the module.
pub(super) struct WordTable {
    lines: Buckets<LINE_WORDS>,
    cells: u32,
    mask: u64,
    /// Bits of the remainder that do not help to tell positions apart.
    spare: u32,
    value: ValueCode,
}

impl WordTable {
    fn tag_bits(cells: usize, lines: u64) -> u32 {
        // One for the side to move.
        cells as u32 - lines.ilog2() + 1
    }

    fn matches(&self, word: u64, tag: u64) -> bool {
        word >> self.value.bits == tag
    }

    /// The position whose place this is: the way back from [`Table::locate`].
    fn position(&self, place: Place) -> Packed<u64> {
        let lines = self.lines.count as u128;
        // The remainder's lost bits are made up by rounding up: products of one bucket are at least `lines` apart.
        let remainder = u128::from(place.tag >> 1) << lines.ilog2();
        let product = ((place.bucket as u128) << self.cells) + remainder;
        let cells = unscramble(product.div_ceil(lines) as u64, self.cells, self.mask);
        match place.tag & 1 {
            0 => Packed { occupied: cells, turn: Side::Black },
            _ => Packed { occupied: cells ^ (WHITE & self.mask), turn: Side::White },
        }
    }
}

impl Table<u64> for WordTable {
    fn least_bytes(cells: usize) -> u64 {
        let lines = (0..)
            .map(|log| 1u64 << log)
            .find(|&lines| lines.ilog2() <= cells as u32 && Self::tag_bits(cells, lines) + LEAST_VALUE_BITS <= 64);
        lines.unwrap_or(1).max(1 << 10) * Buckets::<LINE_WORDS>::BYTES
    }

    fn most_bytes(cells: usize) -> u64 {
        // More buckets than positions would leave some of them empty for ever.
        let lines = 1u64.checked_shl(cells as u32).unwrap_or(u64::MAX).max(1 << 10);
        lines.saturating_mul(Buckets::<LINE_WORDS>::BYTES)
    }

    fn new(cells: usize, bytes: u64) -> Option<WordTable> {
        let count = bytes.min(Self::most_bytes(cells)) / Buckets::<LINE_WORDS>::BYTES;
        let count = count.min(1u64.checked_shl(cells as u32).unwrap_or(u64::MAX)).max(1);
        let value_bits = (64 - Self::tag_bits(cells, count)).min(45);
        Some(WordTable {
            lines: Buckets::new(count)?,
            cells: cells as u32,
            mask: u64::MAX >> (64 - cells),
            spare: 64 - cells as u32 + count.ilog2(),
            value: ValueCode::new(value_bits),
        })
    }

    #[inline(always)]
    fn locate(&self, packed: Packed<u64>) -> Place {
        let (cells, turn) = match packed.turn {
            Side::Black => (packed.occupied, 0),
            Side::White => (packed.occupied ^ (WHITE & self.mask), 1),
        };
        let scattered = scramble(cells, self.cells, self.mask) << (64 - self.cells);
        let product = u128::from(scattered) * self.lines.count as u128;
        let remainder = (product as u64).checked_shr(self.spare).unwrap_or(0);
        Place { bucket: (product >> 64) as usize, tag: remainder << 1 | turn }
    }

    #[inline(always)]
    fn prefetch(&self, place: Place) {
        prefetch_line(self.lines.bucket(place.bucket));
    }

    #[inline(always)]
    fn probe(&self, _: Packed<u64>, place: Place) -> Option<Found> {
        for slot in self.lines.bucket(place.bucket) {
            let word = slot.load(Ordering::Relaxed);
            if word != 0 && self.matches(word, place.tag) {
                return Some(self.value.found(word));
            }
        }
        None
    }

    #[inline(always)]
    fn store(&self, _: Packed<u64>, place: Place, numbers: Numbers, work: u64) {
        let line = self.lines.bucket(place.bucket);
        let word = place.tag << self.value.bits | self.value.encode(numbers, work);
        let (mut victim, mut least) = (&line[0], u64::MAX);
        for slot in line {
            let old = slot.load(Ordering::Relaxed);
            if old == 0 {
                victim = slot;
                break;
            }
            if self.matches(old, place.tag) {
                if numbers.solved().is_none() && self.value.numbers(old).solved().is_some() {
                    return;
                }
                victim = slot;
                break;
            }
            let work = self.value.work_code(old);
            if work < least {
                (victim, least) = (slot, work);
            }
        }
        victim.store(word, Ordering::Relaxed);
    }

    fn for_each(&self, least_work: u32, each: &mut dyn FnMut(Packed<u64>, Found) -> bool) {
        for bucket in 0..self.lines.count {
            for slot in self.lines.bucket(bucket) {
                let word = slot.load(Ordering::Relaxed);
                if word == 0 {
                    continue;
                }
                let found = self.value.found(word);
                let place = Place { bucket, tag: word >> self.value.bits };
                if found.work >= least_work && !each(self.position(place), found) {
                    return;
                }
            }
        }
    }

    fn work_histogram(&self) -> [u64; 32] {
        self.lines.histogram(|line, each| {
            let words = line.iter().map(|slot| slot.load(Ordering::Relaxed));
            words.filter(|&word| word != 0).for_each(|word| each(self.value.found(word).work));
        })
    }

    fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    fn fill(&self) -> (u64, u64) {
        self.lines.fill(LINE_WORDS, |line| line.iter().filter(|slot| slot.load(Ordering::Relaxed) != 0).count())
    }
}

/// A bucket of the wide table: the flag, then the entries.
const WIDE_WORDS: usize = 16;
const WIDE_ENTRY: usize = 3;
const WIDE_SLOTS: usize = 5;

/// The table for boards of 65 to 128 cells; see the module.
pub(super) struct WideTable {
    buckets: Buckets<WIDE_WORDS>,
    value: ValueCode,
}

impl WideTable {
    /// Calls `f` with the entries of a bucket that nobody else reads or writes meanwhile; `None` when somebody does.
    fn with<R>(&self, bucket: usize, f: impl FnOnce(&[[AtomicU64; WIDE_ENTRY]]) -> R) -> Option<R> {
        let [busy, words @ ..] = self.buckets.bucket(bucket);
        // Acquire and release make every access between them happen before the next holder's.
        if busy.swap(1, Ordering::Acquire) != 0 {
            return None;
        }
        let result = f(words.as_chunks().0);
        busy.store(0, Ordering::Release);
        Some(result)
    }

    /// The three words of an entry, the value left 0. The side to move is the bit above the value.
    fn key(&self, packed: Packed<u128>) -> [u64; WIDE_ENTRY] {
        let turn = u64::from(packed.turn == Side::White) << self.value.bits;
        [packed.occupied as u64, (packed.occupied >> 64) as u64, turn]
    }

    fn matches(&self, entry: &[AtomicU64; WIDE_ENTRY], key: &[u64; WIDE_ENTRY]) -> Option<u64> {
        let [low, high, rest] = entry.each_ref().map(|word| word.load(Ordering::Relaxed));
        let value = rest & ((1 << self.value.bits) - 1);
        (value != 0 && [low, high, rest ^ value] == *key).then_some(value)
    }
}

impl Table<u128> for WideTable {
    fn least_bytes(_: usize) -> u64 {
        1 << 16
    }

    fn most_bytes(_: usize) -> u64 {
        u64::MAX
    }

    fn new(_: usize, bytes: u64) -> Option<WideTable> {
        let count = (bytes / Buckets::<WIDE_WORDS>::BYTES).max(1);
        Some(WideTable { buckets: Buckets::new(count)?, value: ValueCode::new(45) })
    }

    fn locate(&self, packed: Packed<u128>) -> Place {
        let [low, high, turn] = self.key(packed);
        let mixed = scramble(low ^ scramble(high ^ turn, 64, u64::MAX).rotate_left(29), 64, u64::MAX);
        Place { bucket: ((u128::from(mixed) * self.buckets.count as u128) >> 64) as usize, tag: 0 }
    }

    fn prefetch(&self, place: Place) {
        prefetch_line(self.buckets.bucket(place.bucket));
    }

    fn probe(&self, packed: Packed<u128>, place: Place) -> Option<Found> {
        let key = self.key(packed);
        let value = self.with(place.bucket, |entries| entries.iter().find_map(|entry| self.matches(entry, &key)));
        value.flatten().map(|value| self.value.found(value))
    }

    fn store(&self, packed: Packed<u128>, place: Place, numbers: Numbers, work: u64) {
        let mut key = self.key(packed);
        self.with(place.bucket, |entries| {
            let mut victim = &entries[0];
            let mut least = u64::MAX;
            for entry in entries {
                if let Some(old) = self.matches(entry, &key) {
                    if numbers.solved().is_none() && self.value.numbers(old).solved().is_some() {
                        return;
                    }
                    victim = entry;
                    break;
                }
                let rest = entry[2].load(Ordering::Relaxed);
                // An empty entry has work 0 and comes before any other.
                let work = if rest == 0 { 0 } else { 1 + self.value.work_code(rest) };
                if work < least {
                    (victim, least) = (entry, work);
                }
            }
            key[2] |= self.value.encode(numbers, work);
            for (word, new) in victim.iter().zip(key) {
                word.store(new, Ordering::Relaxed);
            }
        });
    }

    fn for_each(&self, least_work: u32, each: &mut dyn FnMut(Packed<u128>, Found) -> bool) {
        for bucket in 0..self.buckets.count {
            // Copied out, so that no search waits for `each`.
            let copy = self.with(bucket, |entries| {
                std::array::from_fn::<_, WIDE_SLOTS, _>(|i| {
                    entries[i].each_ref().map(|word| word.load(Ordering::Relaxed))
                })
            });
            for [low, high, rest] in copy.into_iter().flatten().filter(|entry| entry[2] != 0) {
                let found = self.value.found(rest);
                let turn = if rest >> self.value.bits & 1 == 0 { Side::Black } else { Side::White };
                let packed = Packed { occupied: u128::from(high) << 64 | u128::from(low), turn };
                if found.work >= least_work && !each(packed, found) {
                    return;
                }
            }
        }
    }

    fn work_histogram(&self) -> [u64; 32] {
        self.buckets.histogram(|bucket, each| {
            let entries = bucket[1..].as_chunks::<WIDE_ENTRY>().0;
            let values = entries.iter().map(|entry| entry[2].load(Ordering::Relaxed));
            values.filter(|&value| value != 0).for_each(|value| each(self.value.found(value).work));
        })
    }

    fn bytes(&self) -> u64 {
        self.buckets.bytes()
    }

    fn fill(&self) -> (u64, u64) {
        self.buckets.fill(WIDE_SLOTS, |bucket| {
            let entries = bucket[1..].as_chunks::<WIDE_ENTRY>().0;
            entries.iter().filter(|entry| entry[2].load(Ordering::Relaxed) != 0).count()
        })
    }
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// A fixed sequence of pseudo-random words.
    fn words(mut seed: u64) -> impl Iterator<Item = u64> {
        std::iter::repeat_with(move || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            seed ^ seed >> 29
        })
    }

    #[test]
    fn scrambling_is_a_bijection_of_the_numbers_of_any_width() {
        for bits in 1..=12 {
            let mask = (1 << bits) - 1;
            let mut images: Vec<u64> = (0..1 << bits).map(|x| scramble(x, bits, mask)).collect();
            assert!((0..1 << bits).all(|x| unscramble(images[x as usize], bits, mask) == x));
            images.sort_unstable();
            assert!(images.into_iter().eq(0..1 << bits), "{bits} bits");
        }
    }

    #[test]
    fn every_position_of_a_small_board_has_a_place_of_its_own() {
        // 12 cells in tables of every number of buckets: place and tag together must tell all positions apart.
        for bytes in (64..64 * 300).step_by(64).chain([1 << 16, 1 << 18, 1 << 20]) {
            let table = WordTable::new(12, bytes).unwrap();
            let mut seen = HashMap::new();
            for occupied in 0..1 << 12 {
                for turn in Side::BOTH {
                    let place = table.locate(Packed { occupied, turn });
                    assert!(place.tag >> (64 - table.value.bits) == 0, "the tag must fit beside the value");
                    assert_eq!(table.position(place), Packed { occupied, turn });
                    let other = seen.insert((place.bucket, place.tag), (occupied, turn));
                    assert_eq!(other, None, "{bytes} bytes");
                }
            }
        }
    }

    #[test]
    fn places_on_large_boards_differ_where_positions_differ_little() {
        for cells in [49, 56, 63, 64] {
            let table = WordTable::new(cells, WordTable::least_bytes(cells)).unwrap();
            let mask = u64::MAX >> (64 - cells);
            for occupied in words(cells as u64).take(2000).map(|word| word & mask) {
                let place = |occupied, turn| {
                    let place = table.locate(Packed { occupied, turn });
                    (place.bucket, place.tag)
                };
                for turn in Side::BOTH {
                    let packed = Packed { occupied, turn };
                    assert_eq!(table.position(table.locate(packed)), packed);
                }
                let here = place(occupied, Side::Black);
                assert_ne!(here, place(occupied, Side::White));
                for cell in 0..cells {
                    assert_ne!(here, place(occupied ^ 1 << cell, Side::Black));
                }
            }
        }
    }

    /// Writes many positions and demands that what comes back was written for that very position.
    fn never_lies<S: CellSet, T: Table<S>>(table: &T, position: impl Fn(u64) -> Packed<S>, count: usize) {
        let mut kept = 0;
        // The numbers say which position they belong to, as far as the code is exact.
        let numbers = |word: u64| Numbers { phi: 1 + (word >> 7 & 7) as u32, delta: 1 + (word >> 11 & 7) as u32 };
        for word in words(5).take(count) {
            let packed = position(word);
            table.store(packed, table.locate(packed), numbers(word), word >> 13 & 0xfff);
        }
        for word in words(5).take(count) {
            let packed = position(word);
            if let Some(found) = table.probe(packed, table.locate(packed)) {
                assert_eq!(found.numbers, numbers(word));
                kept += 1;
            }
        }
        assert!(kept > count / 8, "{kept} of {count} kept");
        let mut listed = 0;
        table.for_each(16, &mut |packed, found| {
            let probed = table.probe(packed, table.locate(packed)).expect("what is listed is found");
            assert_eq!((probed.numbers, probed.work), (found.numbers, found.work));
            listed += 1;
            true
        });
        let counted: u64 = table.work_histogram()[4..].iter().sum();
        assert!(listed > 0 && counted.abs_diff(listed) < listed / 5, "{counted} {listed}");
        let (used, slots) = table.fill();
        assert!(used <= slots && used > 0);
    }

    #[test]
    fn full_tables_forget_but_never_lie() {
        let turn = |word: u64| if word & 1 == 0 { Side::Black } else { Side::White };
        for cells in [36, 49, 64] {
            // The whole word shows in the position: 2^cells is far above the number of words.
            let mask = u64::MAX >> (64 - cells);
            let table = WordTable::new(cells, WordTable::least_bytes(cells).max(1 << 20)).unwrap();
            let count = (table.bytes() / 4).min(400_000) as usize;
            let seen: std::collections::HashSet<u64> = words(5).take(count).map(|word| word & mask).collect();
            let position = |word: u64| Packed { occupied: word & mask, turn: turn(word >> 5) };
            assert_eq!(seen.len(), count, "no position may come twice");
            never_lies(&table, position, count);
        }
        let table = WideTable::new(100, 1 << 20).unwrap();
        let position =
            |word: u64| Packed { occupied: u128::from(word) << 36 | u128::from(word >> 9), turn: turn(word) };
        never_lies(&table, position, 100_000);
    }

    /// Many threads write and read the same few buckets; whatever is found must have been written for that position.
    fn never_lies_to_many<S: CellSet, T: Table<S>>(table: &T, position: impl Fn(u64) -> Packed<S> + Sync) {
        // The numbers are a function of the position, so every thread can tell a foreign or torn entry.
        let numbers = |key: u64| Numbers { phi: 1 + (key % 7) as u32, delta: 1 + (key % 5) as u32 };
        let found = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (position, found) = (&position, &found);
                scope.spawn(move || {
                    for word in words(thread).take(ROUNDS) {
                        let (written, read) = (word % 997, (word >> 20) % 997);
                        let packed = position(written);
                        table.store(packed, table.locate(packed), numbers(written), word >> 40);
                        let packed = position(read);
                        if let Some(entry) = table.probe(packed, table.locate(packed)) {
                            assert_eq!(entry.numbers, numbers(read));
                            found.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert!(found.into_inner() > ROUNDS as u64 / 4);
    }

    /// Few enough for an interpreter that looks for data races.
    const ROUNDS: usize = if cfg!(miri) { 300 } else { 200_000 };

    #[test]
    fn entries_are_whole_whatever_other_threads_do() {
        let spread = |key: u64| key.wrapping_mul(0x2545_f491_4f6c_dd1d);
        let table = WordTable::new(12, 64 * 40).unwrap();
        never_lies_to_many(&table, |key| Packed { occupied: key, turn: Side::Black });
        let table = WordTable::new(49, 1 << 16).unwrap();
        never_lies_to_many(&table, |key| Packed { occupied: spread(key) >> 15, turn: Side::White });
        let table = WideTable::new(100, 128 * 50).unwrap();
        never_lies_to_many(&table, |key| Packed { occupied: u128::from(spread(key)) << 30, turn: Side::Black });
    }

    #[test]
    fn a_solved_entry_stays_solved_and_costly_entries_outlive_cheap_ones() {
        let table = WordTable::new(12, 64).unwrap();
        let packed = |occupied| Packed { occupied, turn: Side::Black };
        let store =
            |occupied, numbers, work| table.store(packed(occupied), table.locate(packed(occupied)), numbers, work);
        let probe = |occupied| table.probe(packed(occupied), table.locate(packed(occupied)));
        let open = Numbers { phi: 3, delta: 4 };
        store(7, Numbers::WIN, 1_000_000);
        store(7, open, 2_000_000);
        assert_eq!(probe(7).unwrap().numbers, Numbers::WIN);
        // One bucket of eight entries: of twenty more the cheap ones push each other out.
        for occupied in 100..120 {
            store(occupied, open, 1);
        }
        assert_eq!(probe(7).unwrap().numbers, Numbers::WIN);
        assert_eq!(probe(119).unwrap().numbers, open);
        assert!(probe(100).is_none());
    }

    #[test]
    fn the_least_memory_leaves_room_for_a_value() {
        for cells in 1..=64 {
            let least = WordTable::least_bytes(cells);
            assert!(WordTable::new(cells, least).unwrap().value.bits >= LEAST_VALUE_BITS, "{cells} cells");
        }
        assert_eq!(WordTable::least_bytes(64), 64 << 20);
        assert_eq!(WordTable::least_bytes(49), 1 << 16);
    }
}
