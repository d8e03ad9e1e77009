//! The value of every position of a table: layer by layer from the fewest stones up.
//!
//! Retrograde analysis without cycles: every move leads to a layer that is done. Only the remoteness is kept, because its
//! parity is the outcome: who is to move wins where it is odd.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::container::put_bits;
use crate::konane::{Field, Packed, Ranking};
use crate::run::{Control, MemorySize};

use super::collect::pieces;
use super::parts::{ClassValues, Places, ValuedClass, Values, value_bits, value_words};
use super::{Class, TableError};

/// What is known of the moves of a position, folded: the best remoteness so far.
///
/// Remoteness is plies to the end, the winner as fast and the loser as slow as possible: 0 without a move; else one more
/// than the smallest even one after a move (the mover wins), or than the largest where all are odd.
#[derive(Clone, Copy, Debug, Default)]
pub struct Best {
    win: Option<u8>,
    loss: Option<u8>,
}

impl Best {
    /// Takes the remoteness after one more move.
    #[inline]
    pub fn add(&mut self, after: u8) {
        match after % 2 {
            0 => self.win = Some(self.win.map_or(after, |win| win.min(after))),
            _ => self.loss = self.loss.max(Some(after)),
        }
    }

    /// The remoteness of the position.
    #[inline]
    pub fn remoteness(self) -> u8 {
        self.win.or(self.loss).map_or(0, |after| after + 1)
    }
}

/// Values classes.
pub(super) struct Valuer<'a> {
    pub(super) field: &'a Field<u64>,
    pub(super) ranking: &'a Ranking,
    pub(super) control: &'a Control,
    pub(super) memory: MemorySize,
}

impl Valuer<'_> {
    /// The values of a class of `layer`; `below` are the layers with 1, 2, … stones fewer.
    pub(super) fn value(
        &self,
        class: Class,
        layer: &Places,
        below: &[Option<(Places, Values)>],
    ) -> Result<(ValuedClass, Vec<u64>), TableError> {
        let (set, words) = layer.set(class).ok_or_else(|| inconsistent(class))?;
        let mapped: u64 = below.iter().flatten().map(|(places, values)| places.bytes() + values.bytes()).sum();
        let needed = mapped + layer.bytes() + 2 * set.count();
        if needed > self.memory.bytes() {
            let needed = MemorySize::from_bytes(needed);
            return Err(TableError::TooLittleMemory { found: self.memory, needed });
        }
        let next: Vec<_> = (1..)
            .zip(below)
            .map(|(jumps, layer)| {
                let (places, values) = layer.as_ref()?;
                let after = class.after(jumps)?;
                Some((places.set(after)?, values.of(after)?))
            })
            .collect();
        let step = pieces(set);
        let starts: Vec<u64> = (0..set.samples()).step_by(step as usize).collect();
        let piece = |&start: &u64| {
            if let Some(reason) = self.control.stop_reason() {
                return Err(TableError::Stopped(reason));
            }
            let (mut values, mut missing) = (Vec::new(), false);
            let mut each = |_, number| {
                let occupied = self.ranking.unrank(class.black, class.white, number);
                let value = self.value_of(Packed { occupied, turn: class.turn }, &next);
                missing |= value.is_none();
                values.push(value.unwrap_or(0));
                true
            };
            let whole = set.for_each_in(words, start..(start + step).min(set.samples()), &mut each);
            self.control.gauges.done.fetch_add(values.len() as u64, Relaxed);
            match missing || whole.is_err() {
                true => Err(inconsistent(class)),
                false => Ok(values),
            }
        };
        let values: Vec<Vec<u8>> = starts.par_iter().map(piece).collect::<Result<_, TableError>>()?;
        let mut histogram = Vec::new();
        for &value in values.iter().flatten() {
            if histogram.len() <= usize::from(value) {
                histogram.resize(usize::from(value) + 1, 0);
            }
            histogram[usize::from(value)] += 1;
        }
        let width = value_bits(histogram.len());
        let mut packed = vec![0; value_words(set.count(), width) as usize];
        for (place, &value) in (0..).zip(values.iter().flatten()) {
            put_bits(&mut packed, place * u64::from(width), width, value.into());
        }
        Ok((ValuedClass { remoteness: histogram }, packed))
    }

    /// The remoteness of a position; `None` when a position after a move is missing.
    #[inline]
    fn value_of(&self, packed: Packed<u64>, next: &[Option<NextClass<'_>>]) -> Option<u8> {
        let (mut best, mut whole) = (Best::default(), true);
        let stones = packed.occupied.count_ones();
        self.field.for_each_move(packed, |_, _, occupied| {
            let jumps = stones - occupied.count_ones();
            let value = next.get(jumps as usize - 1).and_then(Option::as_ref).and_then(|((set, words), values)| {
                let place = set.place(*words, self.ranking.rank(occupied)).ok().flatten()?;
                values.at(place)
            });
            whole &= value.is_some();
            best.add(value.unwrap_or(0));
        });
        whole.then(|| best.remoteness())
    }
}

type NextClass<'a> = ((crate::container::NumberSet, &'a [u8]), ClassValues<'a>);

fn inconsistent(class: Class) -> TableError {
    let Class { black, white, turn } = class;
    TableError::Inconsistent { class: format!("{black} black and {white} white stones, {turn} to move") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_hurries_and_the_loser_does_not() {
        let value = |after: &[u8]| {
            let mut best = Best::default();
            after.iter().for_each(|&value| best.add(value));
            best.remoteness()
        };
        assert_eq!(value(&[]), 0);
        assert_eq!(value(&[0]), 1);
        assert_eq!(value(&[4, 2, 7]), 3);
        assert_eq!(value(&[1, 5, 3]), 6);
    }
}
