//! The table for boards to 64 cells: an entry is one word.

use std::sync::atomic::Ordering;

use crate::konane::{Packed, Side};
use crate::run::prefetch_line;
use crate::search::numbers::Numbers;

use super::bijection::{scramble, unscramble};
use super::memory::{Buckets, LINE_WORDS};
use super::value::{LEAST_VALUE_BITS, ValueCode};
use super::{Found, Place, Table};

/// Set into the cells before scrambling when White is to move, so that the two positions go to different buckets.
const WHITE: u64 = 0xa5a5_0f3c_96c3_5a69;

/// The table for boards to 64 cells; see the module.
pub(crate) struct WordTable {
    lines: Buckets<LINE_WORDS>,
    cells: u32,
    mask: u64,
    /// Bits of the remainder that do not help to tell positions apart.
    spare: u32,
    pub(super) value: ValueCode,
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
    pub(super) fn position(&self, place: Place) -> Packed<u64> {
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
