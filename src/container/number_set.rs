//! A sorted set of whole numbers in little room, searched where it lies.
//!
//! The code of P. Elias (1974) and R. Fano (1971); see S. Vigna, *Quasi-succinct indices* (WSDM 2013). A number is cut into
//! its `low_bits` low bits, which are kept as they are, and the rest, which says which *bucket* it lies in. The buckets are
//! a row of bits: for each bucket a 1 for every number in it, then a 0. About 2 + log2(universe / count) bits a number.
//!
//! # Layout
//! Words of 64 bits, little-endian, bit 0 of a word first. With `buckets` = (universe - 1 >> `low_bits`) + 1:
//!
//! | words | what |
//! |---|---|
//! | buckets / 128, rounded up | samples: where in the row of buckets the buckets 0, 128, 256, … begin |
//! | (count + buckets) / 64, rounded up | the row of buckets |
//! | count * `low_bits` / 64, rounded up | the low bits, number after number |
//!
//! `low_bits` is the whole part of log2(universe / count), the division rounded down.

/// Bytes that are not what they should be: too short, or not the bytes that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes are not those of a set of numbers")]
pub struct Damaged;

/// Words of 64 bits to look things up in.
pub trait Words {
    /// The word at this place.
    ///
    /// # Errors
    /// When there is none, or it is known to be damaged.
    fn word(&self, at: u64) -> Result<u64, Damaged>;
}

impl Words for [u64] {
    #[inline]
    fn word(&self, at: u64) -> Result<u64, Damaged> {
        self.get(at as usize).copied().ok_or(Damaged)
    }
}

/// The little-endian words of these bytes.
impl Words for [u8] {
    #[inline]
    fn word(&self, at: u64) -> Result<u64, Damaged> {
        let start = usize::try_from(at).ok().and_then(|at| at.checked_mul(8)).ok_or(Damaged)?;
        let bytes = self.get(start..).and_then(|rest| rest.first_chunk()).ok_or(Damaged)?;
        Ok(u64::from_le_bytes(*bytes))
    }
}

/// The bits of `width` (0 to 64) from this bit on, in words that begin at `base`.
#[inline]
pub fn bits(words: &(impl Words + ?Sized), base: u64, at: u64, width: u32) -> Result<u64, Damaged> {
    if width == 0 {
        return Ok(0);
    }
    let (index, shift) = (base + at / 64, (at % 64) as u32);
    let mut value = words.word(index)? >> shift;
    if shift + width > 64 {
        value |= words.word(index + 1)? << (64 - shift);
    }
    Ok(value & (u64::MAX >> (64 - width)))
}

/// Puts the `width` low bits of a value at a bit of these words, which must be zero there.
pub fn put_bits(words: &mut [u64], at: u64, width: u32, value: u64) {
    if width == 0 {
        return;
    }
    let (index, shift) = ((at / 64) as usize, (at % 64) as u32);
    words[index] |= value << shift;
    if shift + width > 64 {
        words[index + 1] |= value >> (64 - shift);
    }
}

/// The shape of a set: how many numbers of how many. The numbers themselves are words that the methods are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberSet {
    count: u64,
    universe: u64,
    low_bits: u32,
}

impl NumberSet {
    /// Buckets from one sample to the next.
    const STEP: u64 = 128;
    /// Numbers lie below this bound, so that no sum of sizes overflows.
    pub const MOST: u64 = 1 << 60;

    /// Sets of `count` different numbers below `universe`; `None` when there are none such, or the universe is above
    /// [`NumberSet::MOST`].
    pub fn new(count: u64, universe: u64) -> Option<NumberSet> {
        let possible = count >= 1 && count <= universe && universe <= Self::MOST;
        possible.then(|| NumberSet { count, universe, low_bits: (universe / count).ilog2() })
    }

    /// How many numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn buckets(&self) -> u64 {
        ((self.universe - 1) >> self.low_bits) + 1
    }

    /// How many samples, which is also into how many pieces [`NumberSet::for_each_in`] can cut the set.
    pub fn samples(&self) -> u64 {
        self.buckets().div_ceil(Self::STEP)
    }

    fn row_words(&self) -> u64 {
        (self.count + self.buckets()).div_ceil(64)
    }

    fn low_base(&self) -> u64 {
        self.samples() + self.row_words()
    }

    /// Words that the set takes.
    pub fn words(&self) -> u64 {
        // The count is at most 2^60 and a number has at most 60 low bits; more than 2^64 bits are never needed, because
        // count << low_bits is at most the universe.
        self.low_base() + (u128::from(self.count) * u128::from(self.low_bits)).div_ceil(64) as u64
    }

    /// The words of the set of these numbers; see [`Encoder::push`].
    ///
    /// # Panics
    /// As [`Encoder::push`] and [`Encoder::finish`].
    pub fn encode(self, numbers: impl Iterator<Item = u64>) -> Vec<u64> {
        let mut encoder = self.encoder();
        numbers.for_each(|number| encoder.push(number));
        encoder.finish()
    }

    /// The way to the words of a set, number by number.
    pub fn encoder(self) -> Encoder {
        Encoder { set: self, words: vec![0; self.words() as usize], bucket: 0, seen: 0, last: None }
    }

    /// How many numbers of the set are smaller than this one, if it is in the set: its place.
    ///
    /// # Errors
    /// When the words are not those of such a set.
    #[inline]
    pub fn place(&self, words: &(impl Words + ?Sized), number: u64) -> Result<Option<u64>, Damaged> {
        if number >= self.universe {
            return Ok(None);
        }
        let bucket = number >> self.low_bits;
        let low = number & ((1 << self.low_bits) - 1);
        let mut at = words.word(bucket / Self::STEP)?;
        let mut skip = bucket % Self::STEP;
        let row = self.samples();
        // The bucket begins behind the last of the zeros to skip.
        while skip > 0 {
            let word = words.word(row + at / 64)? | ((1 << (at % 64)) - 1);
            let zeros = u64::from(word.count_zeros());
            if zeros >= skip {
                let left = (1..skip).fold(!word, |left, _| left & (left - 1));
                at = at / 64 * 64 + u64::from(left.trailing_zeros()) + 1;
                break;
            }
            skip -= zeros;
            at = (at / 64 + 1) * 64;
        }
        let mut place = at.checked_sub(bucket).ok_or(Damaged)?;
        loop {
            if words.word(row + at / 64)? >> (at % 64) & 1 == 0 {
                return Ok(None);
            }
            if place >= self.count {
                return Err(Damaged);
            }
            let found = bits(words, self.low_base(), place * u64::from(self.low_bits), self.low_bits)?;
            if found >= low {
                return Ok((found == low).then_some(place));
            }
            (at, place) = (at + 1, place + 1);
        }
    }

    /// How many numbers stand before those of this sample, by what the words say; before [`NumberSet::samples`], all.
    ///
    /// # Errors
    /// When the words are not those of such a set.
    pub fn begin(&self, words: &(impl Words + ?Sized), sample: u64) -> Result<u64, Damaged> {
        if sample >= self.samples() {
            return Ok(self.count);
        }
        words.word(sample)?.checked_sub(sample * Self::STEP).filter(|&place| place <= self.count).ok_or(Damaged)
    }

    /// Calls `each` with place and value of the numbers whose buckets belong to these samples, ascending, until it says
    /// `false`. All samples together are the whole set.
    ///
    /// # Errors
    /// When the words are not those of such a set.
    pub fn for_each_in(
        &self,
        words: &(impl Words + ?Sized),
        samples: std::ops::Range<u64>,
        each: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<(), Damaged> {
        if samples.start >= samples.end {
            return Ok(());
        }
        let row = self.samples();
        let mut bucket = samples.start * Self::STEP;
        let last = (samples.end * Self::STEP).min(self.buckets());
        let mut at = words.word(samples.start)?;
        let mut place = at.checked_sub(bucket).ok_or(Damaged)?;
        while bucket < last {
            let mut word = words.word(row + at / 64)? >> (at % 64);
            let mut left = 64 - at % 64;
            while left > 0 && bucket < last {
                if word & 1 == 0 {
                    // Many empty buckets at once.
                    let zeros = u64::from(word.trailing_zeros()).min(left).min(last - bucket);
                    word = if zeros == 64 { 0 } else { word >> zeros };
                    (left, at, bucket) = (left - zeros, at + zeros, bucket + zeros);
                    continue;
                }
                if place >= self.count {
                    return Err(Damaged);
                }
                let low = bits(words, self.low_base(), place * u64::from(self.low_bits), self.low_bits)?;
                if !each(place, bucket << self.low_bits | low) {
                    return Ok(());
                }
                word >>= 1;
                (left, at, place) = (left - 1, at + 1, place + 1);
            }
        }
        Ok(())
    }
}

/// Takes the numbers of a set one after another; see [`NumberSet::encoder`].
#[derive(Debug)]
pub struct Encoder {
    set: NumberSet,
    words: Vec<u64>,
    bucket: u64,
    seen: u64,
    last: Option<u64>,
}

impl Encoder {
    /// Takes the next number.
    ///
    /// # Panics
    /// When it is not larger than the last one, not below the universe, or more than the set has.
    pub fn push(&mut self, number: u64) {
        let set = self.set;
        let fits = self.last < Some(number) && number < set.universe && self.seen < set.count;
        assert!(fits, "the numbers of a set must ascend");
        self.last = Some(number);
        self.go_to(number >> set.low_bits);
        let (row, low_bits) = (set.samples() * 64, u64::from(set.low_bits));
        put_bits(&mut self.words, row + self.seen + self.bucket, 1, 1);
        let low = number & ((1 << set.low_bits) - 1);
        put_bits(&mut self.words, set.low_base() * 64 + self.seen * low_bits, set.low_bits, low);
        self.seen += 1;
    }

    fn go_to(&mut self, bucket: u64) {
        while self.bucket < bucket {
            self.bucket += 1;
            if self.bucket.is_multiple_of(NumberSet::STEP) {
                self.words[(self.bucket / NumberSet::STEP) as usize] = self.seen + self.bucket;
            }
        }
    }

    /// The words, once all numbers are there.
    ///
    /// # Panics
    /// When some are missing.
    pub fn finish(mut self) -> Vec<u64> {
        assert_eq!(self.seen, self.set.count, "numbers of the set are missing");
        self.go_to(self.set.buckets() - 1);
        self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(seed: u64, universe: u64, keep: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state >> 33
        };
        (0..universe).filter(|_| next() % 1000 < keep).collect()
    }

    fn all(set: &NumberSet, words: &[u64], samples: std::ops::Range<u64>) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        let mut each = |place, number| {
            found.push((place, number));
            true
        };
        set.for_each_in(words, samples, &mut each).unwrap();
        found
    }

    #[test]
    fn every_number_has_its_place_and_no_other_has_one() {
        for (universe, keep) in
            [(1, 1000), (70, 1000), (5000, 1000), (5000, 500), (20_000, 30), (20_000, 2), (3000, 999)]
        {
            let numbers = some(universe, universe, keep);
            if numbers.is_empty() {
                continue;
            }
            let set = NumberSet::new(numbers.len() as u64, universe).unwrap();
            let words = set.encode(numbers.iter().copied());
            assert_eq!(words.len() as u64, set.words());
            for number in 0..universe + 3 {
                let place = numbers.binary_search(&number).ok().map(|place| place as u64);
                assert_eq!(set.place(&words[..], number), Ok(place), "{number} of {universe}");
            }
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(set.place(&bytes[..], numbers[0]), Ok(Some(0)));
            let expected: Vec<_> = (0..).zip(numbers).collect();
            assert_eq!(all(&set, &words, 0..set.samples()), expected);
            let pieces: Vec<_> = (0..set.samples()).flat_map(|at| all(&set, &words, at..at + 1)).collect();
            let begins: Vec<u64> = (0..=set.samples()).map(|at| set.begin(&words[..], at).unwrap()).collect();
            let counts = (0..set.samples()).scan(0, |sum, at| {
                *sum += all(&set, &words, at..at + 1).len() as u64;
                Some(*sum)
            });
            assert!(begins.into_iter().eq(std::iter::once(0).chain(counts)));
            assert_eq!(pieces, expected);
        }
    }

    #[test]
    fn a_set_of_few_among_many_takes_few_bits() {
        let numbers: Vec<u64> = (0..10_000).map(|i| i * 987_654_321 + i * i % 97).collect();
        let universe = numbers[9999] + 1;
        let set = NumberSet::new(10_000, universe).unwrap();
        let words = set.encode(numbers.iter().copied());
        let bits = words.len() as f64 * 64.0 / 10_000.0;
        let least = (universe as f64 / 10_000.0).log2();
        assert!(bits < least + 4.0, "{bits} bits, {least} for the bare differences");
        assert_eq!(set.place(&words[..], numbers[1234]), Ok(Some(1234)));
        assert_eq!(set.place(&words[..], numbers[1234] + 1), Ok(None));
    }

    #[test]
    fn impossible_shapes_are_refused_and_damage_ends_without_panic() {
        assert_eq!(NumberSet::new(0, 5), None);
        assert_eq!(NumberSet::new(6, 5), None);
        assert_eq!(NumberSet::new(1, u64::MAX), None);
        let numbers = some(9, 4000, 300);
        let set = NumberSet::new(numbers.len() as u64, 4000).unwrap();
        let words = set.encode(numbers.iter().copied());
        for at in 0..words.len() {
            for value in [0, u64::MAX, words[at] ^ 1 << (at % 64)] {
                let mut bad = words.clone();
                bad[at] = value;
                for number in (0..4000).step_by(7) {
                    let _ = set.place(&bad[..], number);
                    let _ = set.place(&bad[..at], number);
                }
                let _ = set.for_each_in(&bad[..], 0..set.samples(), &mut |_, _| true);
                let _ = set.for_each_in(&bad[..at], 0..set.samples(), &mut |_, _| true);
            }
        }
    }
}
