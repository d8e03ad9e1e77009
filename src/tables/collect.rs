//! Which positions a table has: layer by layer from the most stones down.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::container::NumberSet;
use crate::konane::{Field, Packed, Ranking};
use crate::run::{Control, MemorySize};

use super::parts::{Parts, Places};
use super::{Class, TableError};

/// Collects the placements of classes.
pub(super) struct Collector<'a> {
    pub(super) field: &'a Field<u64>,
    pub(super) ranking: &'a Ranking,
    pub(super) parts: &'a Parts,
    pub(super) control: &'a Control,
    pub(super) memory: MemorySize,
}

/// Numbers that were found, in any order and often more than once, as many in memory as the cap allows.
struct Gathered<'a> {
    parts: &'a Parts,
    pending: Vec<u64>,
    most: usize,
    spilled: Vec<File>,
}

/// Positions expanded between two looks at the clock.
const PIECE: u64 = 1 << 14;
/// What the numbers of a piece take at most, as a rule: the moves of so many positions, 16 each.
const PIECE_BYTES: u64 = PIECE * 16 * 8;

impl Collector<'_> {
    /// The classes of a layer that a move from these layers, the nearest first, can lead to, in the order of files.
    pub(super) fn classes(&self, stones: u32, above: &[Option<Places>], roots: &[Packed<u64>]) -> Vec<Class> {
        let mut classes: Vec<Class> = roots.iter().map(|&root| Class::of(self.ranking, root)).collect();
        for (jumps, layer) in (1..).zip(above) {
            classes.extend(layer.iter().flat_map(Places::classes).filter_map(|(class, _)| class.after(jumps)));
        }
        classes.retain(|class| class.stones() == stones);
        classes.sort_by_key(|class| class.order());
        classes.dedup();
        classes
    }

    /// The set of a class from the layers above it: its count and its words; `None` when no position is in it.
    pub(super) fn collect(
        &self,
        class: Class,
        above: &[Option<Places>],
        roots: &[Packed<u64>],
    ) -> Result<Option<(Class, u64, Vec<u64>)>, TableError> {
        let mapped: u64 = above.iter().flatten().map(Places::bytes).sum();
        let free = self.memory.bytes().saturating_sub(mapped);
        // Half of what is left for the numbers; sets and the pieces of one batch have the rest.
        let most = (free / 16) as usize;
        if most < LEAST_PENDING {
            return Err(self.too_little(mapped + 16 * LEAST_PENDING as u64));
        }
        let mut gathered = Gathered { parts: self.parts, pending: Vec::new(), most, spilled: Vec::new() };
        let own = roots.iter().filter(|&&root| Class::of(self.ranking, root) == class);
        gathered.pending.extend(own.map(|root| self.ranking.rank(root.occupied)));
        for (jumps, layer) in (1..).zip(above) {
            let Some((set, words)) = layer.as_ref().and_then(|layer| layer.set(class.before(jumps))) else { continue };
            self.gather(class.before(jumps), jumps, set, words, &mut gathered)?;
        }
        let universe = self.ranking.placements(class.black, class.white);
        let count = gathered.count()?;
        let Some(set) = NumberSet::new(count, universe) else { return Ok(None) };
        let needed = mapped + 8 * (gathered.pending.capacity() as u64 + set.words());
        if needed > self.memory.bytes() {
            return Err(self.too_little(needed));
        }
        let words = gathered.encode(set)?;
        Ok(Some((class, count, words)))
    }

    fn too_little(&self, needed: u64) -> TableError {
        TableError::TooLittleMemory { found: self.memory, needed: MemorySize::from_bytes(needed) }
    }

    /// Gathers where the moves of a class that jump over this many stones lead.
    fn gather(
        &self,
        from: Class,
        jumps: u32,
        set: NumberSet,
        words: &[u8],
        gathered: &mut Gathered<'_>,
    ) -> Result<(), TableError> {
        let step = pieces(set);
        let starts: Vec<u64> = (0..set.samples()).step_by(step as usize).collect();
        // A quarter of the memory for numbers, and enough to keep every thread busy where there is plenty.
        let batch = (8 * gathered.most as u64 / 4 / PIECE_BYTES).clamp(1, 8 * rayon::current_num_threads() as u64);
        for batch in starts.chunks(batch as usize) {
            if let Some(reason) = self.control.stop_reason() {
                return Err(TableError::Stopped(reason));
            }
            let found: Vec<Vec<u64>> = batch
                .par_iter()
                .map(|&start| {
                    let mut found = Vec::new();
                    let mut seen = 0;
                    let mut each = |_, number| {
                        let occupied = self.ranking.unrank(from.black, from.white, number);
                        let stones = occupied.count_ones() - jumps;
                        self.field.for_each_move(Packed { occupied, turn: from.turn }, |_, _, after| {
                            if after.count_ones() == stones {
                                found.push(self.ranking.rank(after));
                            }
                        });
                        seen += 1;
                        true
                    };
                    let end = (start + step).min(set.samples());
                    // A set of our own making, whose file was checked.
                    let whole = set.for_each_in(words, start..end, &mut each);
                    debug_assert_eq!(whole, Ok(()));
                    found.sort_unstable();
                    found.dedup();
                    self.control.gauges.done.fetch_add(seen, Relaxed);
                    found
                })
                .collect();
            for found in found {
                gathered.add(&found)?;
            }
        }
        Ok(())
    }
}

/// Fewer numbers at a time than this are not worth a file.
const LEAST_PENDING: usize = 1 << 16;

/// How many samples make a piece.
pub(super) fn pieces(set: NumberSet) -> u64 {
    (PIECE * set.samples() / set.count()).max(1)
}

impl Gathered<'_> {
    fn add(&mut self, numbers: &[u64]) -> Result<(), TableError> {
        if self.pending.len() + numbers.len() > self.most && !self.pending.is_empty() {
            self.tidy();
            if self.pending.len() > self.most / 2 {
                self.spill()?;
            }
        }
        // By hand, so that growth never takes twice of what is allowed.
        let needed = self.pending.len() + numbers.len();
        if needed > self.pending.capacity() {
            let wanted = (2 * needed).min(self.most.max(needed));
            self.pending.reserve_exact(wanted - self.pending.len());
        }
        self.pending.extend_from_slice(numbers);
        Ok(())
    }

    fn tidy(&mut self) {
        self.pending.par_sort_unstable();
        self.pending.dedup();
    }

    /// Moves what is in memory, sorted, to a file.
    fn spill(&mut self) -> Result<(), TableError> {
        let failed = |error| TableError::parts(self.parts.folder(), error);
        let mut file = BufWriter::with_capacity(1 << 18, self.parts.temporary()?);
        for number in &self.pending {
            file.write_all(&number.to_le_bytes()).map_err(failed)?;
        }
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        self.spilled.push(file);
        self.pending.clear();
        Ok(())
    }

    /// How many different numbers there are.
    fn count(&mut self) -> Result<u64, TableError> {
        self.tidy();
        if self.spilled.is_empty() {
            return Ok(self.pending.len() as u64);
        }
        let mut count = 0;
        self.merge(&mut |_| count += 1)?;
        Ok(count)
    }

    fn encode(mut self, set: NumberSet) -> Result<Vec<u64>, TableError> {
        if self.spilled.is_empty() {
            return Ok(set.encode(self.pending.iter().copied()));
        }
        let mut encoder = set.encoder();
        self.merge(&mut |number| encoder.push(number))?;
        Ok(encoder.finish())
    }

    /// Every number once, ascending, from memory and files.
    fn merge(&mut self, each: &mut dyn FnMut(u64)) -> Result<(), TableError> {
        let folder = self.parts.folder();
        let failed = |error| TableError::parts(folder, error);
        let mut streams = Vec::new();
        for file in &mut self.spilled {
            let numbers = file.metadata().map_err(failed)?.len() / 8;
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            let mut stream = BufReader::with_capacity(1 << 18, &*file).take(8 * numbers);
            let next = move || {
                let mut bytes = [0; 8];
                match stream.limit() {
                    0 => Ok(None),
                    _ => stream.read_exact(&mut bytes).map(|()| Some(u64::from_le_bytes(bytes))),
                }
            };
            streams.push(Box::new(next) as Box<dyn FnMut() -> std::io::Result<Option<u64>> + '_>);
        }
        let mut pending = self.pending.iter().copied();
        streams.push(Box::new(move || Ok(pending.next())));
        let mut heads = std::collections::BinaryHeap::new();
        for (at, stream) in streams.iter_mut().enumerate() {
            heads.extend(stream().map_err(failed)?.map(|number| std::cmp::Reverse((number, at))));
        }
        let mut last = None;
        while let Some(std::cmp::Reverse((number, at))) = heads.pop() {
            heads.extend(streams[at]().map_err(failed)?.map(|number| std::cmp::Reverse((number, at))));
            if last != Some(number) {
                each(number);
                last = Some(number);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Source;

    #[test]
    fn what_does_not_fit_goes_through_files() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source::position("x.. x".parse().unwrap()).unwrap();
        let parts = Parts::open(&folder.path().join("parts"), &source).unwrap();
        let numbers: Vec<u64> = (0..20_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 49).collect();
        let mut expected = numbers.clone();
        expected.sort_unstable();
        expected.dedup();
        for most in [100, 3000, 100_000] {
            let mut gathered = Gathered { parts: &parts, pending: Vec::new(), most, spilled: Vec::new() };
            for chunk in numbers.chunks(70) {
                gathered.add(chunk).unwrap();
                assert!(gathered.pending.capacity() <= most);
            }
            assert_eq!(gathered.spilled.is_empty(), most == 100_000);
            assert_eq!(gathered.count().unwrap(), expected.len() as u64);
            let set = NumberSet::new(expected.len() as u64, 1 << 15).unwrap();
            assert!(gathered.encode(set).unwrap() == set.encode(expected.iter().copied()));
        }
    }
}
