//! Memory of the tables: zeroed, in cache lines, in huge pages where the system gives them.

use std::sync::atomic::AtomicU64;

use crate::run::advise_huge_pages;

/// Zeroed words whose pages exist only once they are touched, cut into buckets of `N` words that each begin on a cache
/// line.
#[derive(Debug)]
pub(super) struct Buckets<const N: usize> {
    words: Box<[AtomicU64]>,
    /// Words before the first cache line.
    skip: usize,
    pub(super) count: usize,
}

pub(super) const LINE_WORDS: usize = 8;

impl<const N: usize> Buckets<N> {
    pub(super) const BYTES: u64 = (N * size_of::<AtomicU64>()) as u64;

    /// `count` buckets, or `None` when the system does not give the memory.
    pub(super) fn new(count: u64) -> Option<Buckets<N>> {
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
    pub(super) fn bucket(&self, index: usize) -> &[AtomicU64; N] {
        &self.words[self.skip..].as_chunks::<N>().0[index]
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// Entries by work, from a sample; `works` tells the work of each entry in use.
    pub(super) fn histogram(&self, works: impl Fn(&[AtomicU64; N], &mut dyn FnMut(u32))) -> [u64; 32] {
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
    pub(super) fn fill(&self, entries: usize, used: impl Fn(&[AtomicU64; N]) -> usize) -> (u64, u64) {
        let sample = self.sample();
        let slots = sample.len() * entries;
        let found: usize = sample.map(|index| used(self.bucket(index))).sum();
        let total = (self.count * entries) as u64;
        ((found as u128 * u128::from(total) / slots as u128) as u64, total)
    }
}
