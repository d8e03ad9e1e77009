//! The table for boards of 65 to 128 cells: an entry is three words under a flag.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::konane::{Packed, Side};
use crate::run::prefetch_line;
use crate::search::numbers::Numbers;

use super::bijection::scramble;
use super::memory::Buckets;
use super::value::ValueCode;
use super::{Found, Place, Table};

/// A bucket of the wide table: the flag, then the entries.
const WIDE_WORDS: usize = 16;
const WIDE_ENTRY: usize = 3;
const WIDE_SLOTS: usize = 5;

/// The table for boards of 65 to 128 cells; see the module.
pub(crate) struct WideTable {
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
