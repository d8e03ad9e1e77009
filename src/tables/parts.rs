//! The layers of a table on their way: one file each, so that a build goes on where it was stopped.
//!
//! A layer is all positions with as many stones. Its placements (`places-NN`) and, later, its values (`values-NN`) are
//! containers that appear when they are complete; a damaged one counts as missing. The folder is one build's alone.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::container::{Container, ContainerError, Kind, NumberSet, Writer, bits};
use crate::konane::{Ranking, Side};

use super::source::SourceText;
use super::{Class, Source, TableError};

const SOURCE_KIND: Kind = Kind::new("tbl-src");
const PLACES_KIND: Kind = Kind::new("tbl-plc");
const VALUES_KIND: Kind = Kind::new("tbl-val");

/// The folder of the layers of one build, locked.
#[derive(Debug)]
pub(super) struct Parts {
    folder: PathBuf,
    _lock: File,
}

/// A class in the file of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PlacedClass {
    black: u32,
    white: u32,
    white_to_move: bool,
    count: u64,
}

impl PlacedClass {
    fn class(&self) -> Class {
        let turn = if self.white_to_move { Side::White } else { Side::Black };
        Class { black: self.black, white: self.white, turn }
    }
}

/// The values of a class in the file of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ValuedClass {
    /// How many positions have each remoteness, from 0 on.
    pub(super) remoteness: Vec<u64>,
}

impl ValuedClass {
    /// Bits of a value.
    pub(super) fn value_bits(&self) -> u32 {
        value_bits(self.remoteness.len())
    }
}

/// Bits for values below this number.
pub(super) fn value_bits(values: usize) -> u32 {
    values.max(1).next_power_of_two().ilog2()
}

/// Words for this many values.
pub(super) fn value_words(count: u64, value_bits: u32) -> u64 {
    (u128::from(count) * u128::from(value_bits)).div_ceil(64) as u64
}

/// The placements of a layer, mapped.
pub(super) struct Places {
    file: Container<Vec<PlacedClass>>,
    /// Set and first word of each class.
    sets: HashMap<Class, (NumberSet, u64)>,
}

/// The values of a layer, mapped.
pub(super) struct Values {
    file: Container<Vec<ValuedClass>>,
    /// Bits of a value and first word of each class.
    values: HashMap<Class, (u32, u64)>,
}

impl Parts {
    /// Opens the folder for a build, or makes it.
    pub(super) fn open(folder: &Path, source: &Source) -> Result<Parts, TableError> {
        fs::create_dir_all(folder).map_err(|error| TableError::parts(folder, error))?;
        let lock_path = folder.join("lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path);
        let lock = opened.map_err(|error| TableError::parts(&lock_path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(TableError::InUse { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(TableError::parts(&lock_path, error)),
        }
        let parts = Parts { folder: folder.to_owned(), _lock: lock };
        let text = source.to_text();
        match parts.read::<SourceText>("source", SOURCE_KIND)? {
            Some(found) if *found.header() == text => {}
            Some(found) => {
                let describe = |text: &SourceText| Source::from_text(text).map(|source| source.describe());
                let found = describe(found.header()).unwrap_or_else(|reason| reason);
                return Err(TableError::OtherParts { path: folder.to_owned(), expected: source.describe(), found });
            }
            // Whatever else lies here says nothing of what it belongs to.
            None => {
                parts.clear()?;
                Writer::create(folder.join("source"), SOURCE_KIND)?.finish(&text)?;
            }
        }
        Ok(parts)
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file that is whole; `None` where there is none, or it is damaged.
    fn read<H: DeserializeOwned>(&self, name: &str, kind: Kind) -> Result<Option<Container<H>>, TableError> {
        let path = self.folder.join(name);
        if !path.exists() {
            return Ok(None);
        }
        match Container::open(&path, kind).and_then(|file| file.verify().map(|()| file)) {
            Ok(file) => Ok(Some(file)),
            Err(error @ ContainerError::Read { .. }) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    /// The placements of the layer with these many stones, where they are known.
    pub(super) fn places(&self, stones: u32, ranking: &Ranking) -> Result<Option<Places>, TableError> {
        let file = self.read(&format!("places-{stones:02}"), PLACES_KIND)?;
        Ok(file.and_then(|file| Places::new(file, ranking)))
    }

    /// Writes the placements of a layer: for each class its count and the words of its set.
    pub(super) fn write_places(
        &self,
        stones: u32,
        classes: impl Iterator<Item = Result<(Class, u64, Vec<u64>), TableError>>,
    ) -> Result<(), TableError> {
        let path = self.folder.join(format!("places-{stones:02}"));
        let mut writer = Writer::create(&path, PLACES_KIND)?;
        let mut header = Vec::new();
        for class in classes {
            let (Class { black, white, turn }, count, words) = class?;
            write_words(&mut writer, &words).map_err(|source| ContainerError::Write { path: path.clone(), source })?;
            header.push(PlacedClass { black, white, white_to_move: turn == Side::White, count });
        }
        Ok(writer.finish(&header)?)
    }

    /// The values of a layer, where they are known.
    pub(super) fn values(&self, stones: u32, places: &Places) -> Result<Option<Values>, TableError> {
        let file = self.read(&format!("values-{stones:02}"), VALUES_KIND)?;
        Ok(file.and_then(|file| Values::new(file, places)))
    }

    /// Writes the values of a layer, class by class as its placements have them.
    pub(super) fn write_values(
        &self,
        stones: u32,
        classes: impl Iterator<Item = Result<(ValuedClass, Vec<u64>), TableError>>,
    ) -> Result<(), TableError> {
        let path = self.folder.join(format!("values-{stones:02}"));
        let mut writer = Writer::create(&path, VALUES_KIND)?;
        let mut header = Vec::new();
        for class in classes {
            let (class, words) = class?;
            write_words(&mut writer, &words).map_err(|source| ContainerError::Write { path: path.clone(), source })?;
            header.push(class);
        }
        Ok(writer.finish(&header)?)
    }

    /// A file without a name for what does not fit the memory.
    pub(super) fn temporary(&self) -> Result<File, TableError> {
        tempfile::tempfile_in(&self.folder).map_err(|error| TableError::parts(&self.folder, error))
    }

    /// Removes our files from the folder, and the folder if nothing else is in it.
    pub(super) fn remove(self) -> Result<(), TableError> {
        self.clear()?;
        let _ = fs::remove_file(self.folder.join("lock"));
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }

    fn clear(&self) -> Result<(), TableError> {
        let failed = |error| TableError::parts(&self.folder, error);
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name == "source" || ["places-", "values-", ".papamu-"].iter().any(|start| name.starts_with(start)) {
                fs::remove_file(entry.path()).map_err(|error| TableError::parts(&entry.path(), error))?;
            }
        }
        Ok(())
    }
}

/// Writes words as they stand in files.
pub(super) fn write_words(out: &mut impl Write, words: &[u64]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(8 * words.len().min(8192));
    for chunk in words.chunks(8192) {
        bytes.clear();
        bytes.extend(chunk.iter().flat_map(|word| word.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

impl Places {
    /// `None` when header and body do not fit: then it is not of our making.
    fn new(file: Container<Vec<PlacedClass>>, ranking: &Ranking) -> Option<Places> {
        let (mut sets, mut base) = (HashMap::new(), 0);
        for placed in file.header() {
            let set = NumberSet::new(placed.count, ranking.placements(placed.black, placed.white))?;
            sets.insert(placed.class(), (set, base));
            base += set.words();
        }
        (base * 8 == file.body().len() as u64).then_some(Places { file, sets })
    }

    /// The classes in the order of the file, with their counts.
    pub(super) fn classes(&self) -> impl Iterator<Item = (Class, u64)> + '_ {
        self.file.header().iter().map(|placed| (placed.class(), placed.count))
    }

    /// Positions in the layer.
    pub(super) fn count(&self) -> u64 {
        self.classes().map(|(_, count)| count).sum()
    }

    /// The set of a class and its words.
    pub(super) fn set(&self, class: Class) -> Option<(NumberSet, &[u8])> {
        let &(set, base) = self.sets.get(&class)?;
        Some((set, self.file.body().get(8 * base as usize..8 * (base + set.words()) as usize)?))
    }

    /// Bytes that are mapped.
    pub(super) fn bytes(&self) -> u64 {
        self.file.file_len()
    }
}

impl Values {
    fn new(file: Container<Vec<ValuedClass>>, places: &Places) -> Option<Values> {
        let (mut values, mut base) = (HashMap::new(), 0);
        if file.header().len() != places.file.header().len() {
            return None;
        }
        for (valued, (class, count)) in file.header().iter().zip(places.classes()) {
            values.insert(class, (valued.value_bits(), base));
            base += value_words(count, valued.value_bits());
        }
        (base * 8 == file.body().len() as u64).then_some(Values { file, values })
    }

    /// What is known of the classes, in the order of the placements.
    pub(super) fn classes(&self) -> &[ValuedClass] {
        self.file.header()
    }

    /// Bits of a value, and the words, of a class.
    pub(super) fn of(&self, class: Class) -> Option<ClassValues<'_>> {
        let &(bits, base) = self.values.get(&class)?;
        Some(ClassValues { bits, words: self.file.body().get(8 * base as usize..)? })
    }

    /// Bytes that are mapped.
    pub(super) fn bytes(&self) -> u64 {
        self.file.file_len()
    }
}

/// The values of one class.
#[derive(Clone, Copy)]
pub(super) struct ClassValues<'a> {
    pub(super) bits: u32,
    pub(super) words: &'a [u8],
}

impl ClassValues<'_> {
    /// The bytes of the values of a class of this many positions.
    pub(super) fn bytes(&self, count: u64) -> Option<&[u8]> {
        self.words.get(..8 * value_words(count, self.bits) as usize)
    }

    /// The remoteness of the position at this place.
    #[inline]
    pub(super) fn at(&self, place: u64) -> Option<u8> {
        bits(self.words, 0, place * u64::from(self.bits), self.bits).ok().map(|value| value as u8)
    }
}
