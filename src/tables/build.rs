//! Building a table.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use crate::container::{ContainerError, PageSummer, Writer};
use crate::konane::Ranking;
use crate::run::{Control, MemorySize};

use super::collect::Collector;
use super::parts::{Parts, Places, Values};
use super::table::{ClassEntry, Header, KIND};
use super::value::Valuer;
use super::{Class, Source, TableError};

/// How a table is built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The most memory to use: numbers that do not fit go to files in the folder of the parts. The layers that are looked at
    /// are mapped and count.
    pub memory: MemorySize,
    /// The folder of the parts: layers that are done, from which an interrupted build goes on. It is made, and removed at the
    /// end.
    pub parts: PathBuf,
}

impl BuildOptions {
    /// What the smallest table needs; large ones need more as they grow, about an eighth of the table.
    pub const LEAST_MEMORY: MemorySize = MemorySize::from_bytes(4 << 20);

    /// The usual folder for the parts of a table.
    pub fn parts_of(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".parts");
        name.into()
    }
}

/// Builds the table of a source and writes it to `output`, which appears when it is complete. The same source gives the
/// same bytes for any memory and number of threads. Works in the current rayon pool; `began` is told the temporary name of
/// the file. The gauges show the layer at work and positions done.
///
/// Time grows with the number of moves of all positions, and with the logarithm of their number through sorting; the parts
/// take about as much room on the disk as the table.
///
/// # Errors
/// When the memory does not suffice, a file cannot be written, or the control says stop. Layers that are done are kept, and
/// the same call goes on from them.
pub fn build(
    source: &Source,
    output: &Path,
    options: &BuildOptions,
    control: &Control,
    began: &dyn Fn(&Path),
) -> Result<(), TableError> {
    let parts = Parts::open(&options.parts, source)?;
    let build = Build {
        source,
        ranking: Ranking::new(&source.field()),
        reach: Class::most_jumps(source.size()) as usize,
        parts: &parts,
        control,
        memory: options.memory,
    };
    let layers = build.collect()?;
    build.value(&layers)?;
    build.assemble(&layers, output, began)?;
    parts.remove()
}

struct Build<'a> {
    source: &'a Source,
    ranking: Ranking,
    /// How many layers a move can lead down.
    reach: usize,
    parts: &'a Parts,
    control: &'a Control,
    memory: MemorySize,
}

impl Build<'_> {
    /// Makes the placements of every layer that is not there; the layers with positions, most stones first.
    fn collect(&self) -> Result<Vec<u32>, TableError> {
        let field = self.source.field();
        let collector = Collector {
            field: &field,
            ranking: &self.ranking,
            parts: self.parts,
            control: self.control,
            memory: self.memory,
        };
        let roots = self.source.packed();
        let first = roots.iter().map(|root| root.occupied.count_ones()).max().unwrap_or(0);
        let last = roots.iter().map(|root| root.occupied.count_ones()).min().unwrap_or(0);
        self.control.gauges.all_total.store(2 * (u64::from(first) + 1), Relaxed);
        let mut layers = Vec::new();
        // The layers above the one at work, the nearest first.
        let mut above: Vec<Option<Places>> = (0..self.reach).map(|_| None).collect();
        for stones in (0..=first).rev() {
            self.control.gauges.layer.store(stones.into(), Relaxed);
            self.control.gauges.done.store(0, Relaxed);
            if stones < last && above.iter().all(Option::is_none) {
                break;
            }
            let mut here = self.parts.places(stones, &self.ranking)?;
            if here.is_none() {
                let classes = collector.classes(stones, &above, &roots);
                let sets = classes.into_iter().filter_map(|class| collector.collect(class, &above, &roots).transpose());
                self.parts.write_places(stones, sets)?;
                here = self.parts.places(stones, &self.ranking)?;
            }
            let here = here.filter(|places| places.count() > 0);
            if here.is_some() {
                layers.push(stones);
            }
            if self.reach > 0 {
                above.rotate_right(1);
                above[0] = here;
            }
            self.control.gauges.all_done.fetch_add(1, Relaxed);
        }
        Ok(layers)
    }

    /// Makes the values of every layer that are not there.
    fn value(&self, layers: &[u32]) -> Result<(), TableError> {
        let field = self.source.field();
        let valuer = Valuer { field: &field, ranking: &self.ranking, control: self.control, memory: self.memory };
        let most = self.control.gauges.all_total.load(Relaxed);
        self.control.gauges.all_done.store(most / 2, Relaxed);
        let mut below: Vec<Option<(Places, Values)>> = (0..self.reach).map(|_| None).collect();
        let Some(&first) = layers.first() else { return Ok(()) };
        for stones in 0..=first {
            self.control.gauges.layer.store(stones.into(), Relaxed);
            let mut here = None;
            if layers.contains(&stones) {
                let places = self.places(stones)?;
                self.control.gauges.done.store(0, Relaxed);
                self.control.gauges.total.store(places.count(), Relaxed);
                let mut values = self.parts.values(stones, &places)?;
                if values.is_none() {
                    let classes = places.classes().map(|(class, _)| valuer.value(class, &places, &below));
                    self.parts.write_values(stones, classes)?;
                    values = self.parts.values(stones, &places)?;
                }
                here = Some((places, values.ok_or_else(|| self.lost(stones))?));
            }
            if self.reach > 0 {
                below.rotate_right(1);
                below[0] = here;
            }
            self.control.gauges.all_done.fetch_add(1, Relaxed);
        }
        Ok(())
    }

    fn places(&self, stones: u32) -> Result<Places, TableError> {
        self.parts.places(stones, &self.ranking)?.ok_or_else(|| self.lost(stones))
    }

    fn lost(&self, stones: u32) -> TableError {
        let error = std::io::Error::other(format!("the layer of {stones} stones cannot be read back"));
        TableError::parts(self.parts.folder(), error)
    }

    /// Writes the table from its layers.
    fn assemble(&self, layers: &[u32], output: &Path, began: &dyn Fn(&Path)) -> Result<(), TableError> {
        let mut writer = Writer::create(output, KIND)?;
        began(writer.temporary_path());
        let refused = |source| ContainerError::Write { path: output.to_owned(), source };
        let mut classes = Vec::new();
        let mut words = 0;
        for &stones in layers {
            let places = self.places(stones)?;
            let values = self.parts.values(stones, &places)?.ok_or_else(|| self.lost(stones))?;
            for ((class, count), valued) in places.classes().zip(values.classes()) {
                let entry = ClassEntry::new(class, count, words, valued.remoteness.clone());
                words += entry.words(&self.ranking).ok_or_else(|| self.lost(stones))?;
                classes.push(entry);
            }
        }
        let mut summer = PageSummer::new(8 * words);
        for &stones in layers {
            let places = self.places(stones)?;
            let values = self.parts.values(stones, &places)?.ok_or_else(|| self.lost(stones))?;
            for (class, count) in places.classes() {
                let (_, set) = places.set(class).ok_or_else(|| self.lost(stones))?;
                let values = values.of(class).ok_or_else(|| self.lost(stones))?;
                for bytes in [set, values.bytes(count).ok_or_else(|| self.lost(stones))?] {
                    for chunk in bytes.chunks(1 << 20) {
                        if let Some(reason) = self.control.stop_reason() {
                            return Err(TableError::Stopped(reason));
                        }
                        writer.write_all(chunk).map_err(refused)?;
                        summer.take(chunk);
                    }
                }
            }
        }
        Ok(writer.finish(&Header::new(self.source, classes, summer.finish()))?)
    }
}
