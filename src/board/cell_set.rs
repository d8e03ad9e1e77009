//! Sets of cells as machine words.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells by index: bit `i` stands for the cell with index `i`.
///
/// Implemented for `u64` (boards to 64 cells), `u128` (to 128) and [`Wide`] (to 448). Shifting up by one moves every
/// cell one column to the right, shifting up by the number of columns one row down; what leaves the word is lost, what
/// leaves a row on the side must be masked by the caller.
pub trait CellSet:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// How many cells fit.
    const CAPACITY: usize;

    /// The set of this one cell. `index` must be below [`CellSet::CAPACITY`].
    fn single(index: usize) -> Self;
    /// All cells `index + n`; `n` below [`CellSet::CAPACITY`].
    fn up(self, n: usize) -> Self;
    /// All cells `index - n`; `n` below [`CellSet::CAPACITY`].
    fn down(self, n: usize) -> Self;
    /// Number of cells in the set.
    fn count(self) -> u32;
    /// The smallest index in the set.
    fn first(self) -> Option<usize>;

    /// A number in which every cell takes part, for tables that also keep the set itself.
    fn mixed(self) -> u64;

    /// The empty set.
    #[inline]
    fn empty() -> Self {
        Self::default()
    }

    /// Whether the set has no cell.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether the cell is in the set.
    #[inline]
    fn contains(self, index: usize) -> bool {
        !(self & Self::single(index)).is_empty()
    }

    /// The indices in the set, smallest first.
    #[inline]
    fn iter(self) -> CellIter<Self> {
        CellIter(self)
    }

    /// The same cells in another kind of set, which must have room for them.
    fn convert<T: CellSet>(self) -> T {
        self.iter().fold(T::empty(), |set, index| set | T::single(index))
    }
}

/// The indices of a set, smallest first; see [`CellSet::iter`].
#[derive(Clone, Debug)]
pub struct CellIter<S>(S);

impl<S: CellSet> Iterator for CellIter<S> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let index = self.0.first()?;
        self.0 ^= S::single(index);
        Some(index)
    }
}

macro_rules! word {
    ($word:ty) => {
        impl CellSet for $word {
            const CAPACITY: usize = <$word>::BITS as usize;

            #[inline(always)]
            fn single(index: usize) -> Self {
                1 << index
            }
            #[inline(always)]
            fn up(self, n: usize) -> Self {
                self << n
            }
            #[inline(always)]
            fn down(self, n: usize) -> Self {
                self >> n
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> Option<usize> {
                (self != 0).then(|| self.trailing_zeros() as usize)
            }
            #[inline(always)]
            fn mixed(self) -> u64 {
                let word = self as u128;
                mix(mix(word as u64) ^ (word >> 64) as u64)
            }
        }
    };
}
word!(u64);
word!(u128);

/// A bijection of words in which every bit of the word takes part in the higher half of the result.
#[inline(always)]
fn mix(word: u64) -> u64 {
    let word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word ^ (word >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

const WORDS: usize = 7;

/// A set of up to 448 cells, for the wide boards of the literature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wide([u64; WORDS]);

impl Wide {
    #[inline]
    fn zip(self, other: Wide, f: impl Fn(u64, u64) -> u64) -> Wide {
        Wide(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl BitAnd for Wide {
    type Output = Wide;
    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        self.zip(other, |a, b| a & b)
    }
}
impl BitOr for Wide {
    type Output = Wide;
    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        self.zip(other, |a, b| a | b)
    }
}
impl BitXor for Wide {
    type Output = Wide;
    #[inline]
    fn bitxor(self, other: Wide) -> Wide {
        self.zip(other, |a, b| a ^ b)
    }
}
impl Not for Wide {
    type Output = Wide;
    #[inline]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}
impl BitAndAssign for Wide {
    #[inline]
    fn bitand_assign(&mut self, other: Wide) {
        *self = *self & other;
    }
}
impl BitOrAssign for Wide {
    #[inline]
    fn bitor_assign(&mut self, other: Wide) {
        *self = *self | other;
    }
}
impl BitXorAssign for Wide {
    #[inline]
    fn bitxor_assign(&mut self, other: Wide) {
        *self = *self ^ other;
    }
}

impl CellSet for Wide {
    const CAPACITY: usize = WORDS * 64;

    #[inline]
    fn single(index: usize) -> Wide {
        let mut words = [0; WORDS];
        words[index / 64] = 1 << (index % 64);
        Wide(words)
    }

    #[inline]
    fn up(self, n: usize) -> Wide {
        let (words, bits) = (n / 64, n % 64);
        Wide(std::array::from_fn(|i| {
            let at = |i: Option<usize>| i.map_or(0, |i| self.0[i]);
            let low = at(i.checked_sub(words + 1));
            at(i.checked_sub(words)) << bits | if bits == 0 { 0 } else { low >> (64 - bits) }
        }))
    }

    #[inline]
    fn down(self, n: usize) -> Wide {
        let (words, bits) = (n / 64, n % 64);
        Wide(std::array::from_fn(|i| {
            let at = |i: usize| self.0.get(i).copied().unwrap_or(0);
            at(i + words) >> bits | if bits == 0 { 0 } else { at(i + words + 1) << (64 - bits) }
        }))
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    #[inline]
    fn mixed(self) -> u64 {
        self.0.iter().fold(0, |sum, &word| mix(sum ^ word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shifts<S: CellSet>(cells: &[usize]) {
        let set = cells.iter().fold(S::empty(), |set, &i| set | S::single(i));
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.count() as usize, cells.len());
        for n in 0..S::CAPACITY {
            let up: Vec<_> = cells.iter().map(|i| i + n).filter(|&i| i < S::CAPACITY).collect();
            let down: Vec<_> = cells.iter().filter_map(|i| i.checked_sub(n)).collect();
            assert_eq!(set.up(n).iter().collect::<Vec<_>>(), up, "up {n}");
            assert_eq!(set.down(n).iter().collect::<Vec<_>>(), down, "down {n}");
        }
        assert_eq!(set.convert::<Wide>().convert::<S>(), set);
    }

    #[test]
    fn sets_of_every_width_shift_alike() {
        shifts::<u64>(&[0, 1, 7, 33, 63]);
        shifts::<u128>(&[0, 1, 63, 64, 65, 127]);
        shifts::<Wide>(&[0, 1, 63, 64, 127, 128, 200, 399, 447]);
    }
}
