//! The values of all open positions in a file.
//!
//! # The file
//!
//! A container (see `src/container/FORMAT.md`) of kind `kota`. Its header is a [`TableHeader`], whose fields are, in order:
//! `n` (`u8`), the rules (six enumerations and a `bool`: board, own stones, path, stuck, layout, `reversed`, start), the version of
//! the program (text), `numbers` (`u64`), `weight` (`u64`), `wins`, `losses` (`u64`), `deepest` (optional `u16`), `depths` (`bool`).
//!
//! The body holds two bits for each number: 0 draw, 1 win, 2 loss for the side to move; number i is bits 2 (i mod 4) and up
//! of byte i / 4, and the last byte is filled up with zeros. Where `depths` is true a byte for each number follows: half of the
//! depth, rounded down (depths of wins are odd, of losses even, so nothing is lost); 0 for a draw.
//!
//! How positions are numbered is told in `index.rs`. `weight` is the number of positions that each number stands for: 2 where
//! a map of the board swaps the colours without changing the game, so that only Red to move is kept, else 1.

use std::io::Write;
use std::path::Path as FilePath;

use serde::{Deserialize, Serialize};

use crate::container::{Container, ContainerError, Kind, Writer};
use crate::run::{Control, StopReason};

use super::index::{Index, MAX_INDEXED, Place};
use super::{Counts, Kota, Outcome, Position, Rules, Solver, Value};

/// The kind of a table file.
pub const TABLE_KIND: Kind = Kind::new("kota");

/// What a table file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableHeader {
    /// Stones a side.
    pub n: u8,
    /// The reading of the rules.
    pub rules: Rules,
    /// The version of the program that wrote it.
    pub version: String,
    /// Numbers of the index.
    pub numbers: u64,
    /// Positions that each stands for.
    pub weight: u64,
    /// Positions won by the side to move.
    pub wins: u64,
    /// Positions lost by it.
    pub losses: u64,
    /// The greatest depth.
    pub deepest: Option<u16>,
    /// Whether depths are kept.
    pub depths: bool,
}

/// A file that is no table, or a table that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file itself.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// Header or body do not fit the game.
    #[error("{}: not a table of KOTA: {what}: expected {expected}, found {found}; build it again", path.display())]
    Contents {
        /// The file.
        path: std::path::PathBuf,
        /// What does not fit.
        what: &'static str,
        /// As it should be.
        expected: String,
        /// As it is.
        found: String,
    },
    /// The work was stopped.
    #[error("{}", .0.phrase())]
    Stopped(StopReason),
}

/// An open table file.
#[derive(Debug)]
pub struct Table {
    file: Container<TableHeader>,
    kota: Kota,
    index: Index,
}

impl Table {
    /// Writes what a finished solver knows; `began` is told the temporary name of the file.
    ///
    /// # Errors
    /// When the file cannot be written, or the control says stop.
    pub fn write(
        solver: &Solver,
        path: &FilePath,
        control: &Control,
        began: &dyn Fn(&FilePath),
    ) -> Result<(), TableError> {
        let index = &solver.index;
        let mut writer = Writer::create(path, TABLE_KIND)?;
        began(writer.temporary_path());
        let refused = |source| ContainerError::Write { path: path.to_owned(), source };
        let rows = index.pairs() as u64 * index.ranks() as u64;
        let ranks = index.ranks();
        let mut packed = Packed::default();
        // Numbers run through rows by the mover, planes are rows by the other.
        let mut row = Vec::with_capacity(ranks);
        for (pass, depths) in [(0, false), (1, true)] {
            if depths && !solver.has_depths() {
                break;
            }
            for at in 0..rows {
                if at % 4096 == 0 {
                    control.gauges.total.store(2 * rows, std::sync::atomic::Ordering::Relaxed);
                    control.gauges.done.store(pass * rows + at, std::sync::atomic::Ordering::Relaxed);
                    if let Some(reason) = control.stop_reason() {
                        return Err(TableError::Stopped(reason));
                    }
                }
                row.clear();
                let first = index.place_of(at * ranks as u64);
                for other in 0..ranks {
                    let value = solver.value_at(Place { other, ..first });
                    row.push(if depths { half_depth(value) } else { code(value.outcome) });
                }
                if depths {
                    writer.write_all(&row).map_err(refused)?;
                } else {
                    packed.push(&row, &mut writer).map_err(refused)?;
                }
            }
            if !depths {
                packed.finish(&mut writer).map_err(refused)?;
            }
        }
        let counts = solver.counts();
        let header = TableHeader {
            n: index.n() as u8,
            rules: *solver.kota.rules(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            numbers: index.len(),
            weight: index.weight(),
            wins: counts.wins,
            losses: counts.losses,
            deepest: counts.deepest,
            depths: solver.has_depths(),
        };
        Ok(writer.finish(&header)?)
    }

    /// Opens a table without reading all of it.
    ///
    /// # Errors
    /// When it is none: see [`ContainerError`] and [`TableError`].
    pub fn open(path: &FilePath) -> Result<Table, TableError> {
        let file = Container::<TableHeader>::open(path, TABLE_KIND)?;
        let wrong = |what, expected: String, found: String| TableError::Contents {
            path: path.to_owned(),
            what,
            expected,
            found,
        };
        let header = file.header();
        let kota = Kota::new(header.rules, header.n.into()).ok().filter(|kota| kota.n() <= MAX_INDEXED);
        let kota = kota.ok_or_else(|| wrong("stones a side", format!("2 to {MAX_INDEXED}"), header.n.to_string()))?;
        let index = Index::new(&kota);
        let (len, weight) = (index.len(), index.weight());
        if (header.numbers, header.weight) != (len, weight) {
            let text = |numbers, weight| format!("{numbers} numbers of {weight} positions each");
            return Err(wrong("index", text(len, weight), text(header.numbers, header.weight)));
        }
        let bytes = len.div_ceil(4) + if header.depths { len } else { 0 };
        if file.body().len() as u64 != bytes {
            return Err(wrong("length", format!("a body of {bytes} bytes"), file.body().len().to_string()));
        }
        Ok(Table { file, kota, index })
    }

    /// What the file says of itself.
    pub fn header(&self) -> &TableHeader {
        self.file.header()
    }

    /// The game.
    pub fn kota(&self) -> &Kota {
        &self.kota
    }

    /// The checksum of the body.
    pub fn checksum(&self) -> u128 {
        self.file.checksum()
    }

    /// Bytes of the file.
    pub fn file_len(&self) -> u64 {
        self.file.file_len()
    }

    /// What the file counts.
    pub fn counts(&self) -> Counts {
        let header = self.header();
        Counts {
            positions: header.numbers * header.weight,
            wins: header.wins,
            losses: header.losses,
            deepest: header.deepest,
        }
    }

    /// The value of an open position; `None` if it is not open or of another size.
    pub fn value(&self, position: &Position) -> Option<Value> {
        Some(self.value_of_number(self.index.number(self.index.place(position)?)))
    }

    fn value_of_number(&self, number: u64) -> Value {
        let (body, at) = (self.file.body(), number as usize);
        let outcome = match body[at / 4] >> (2 * (at % 4)) & 3 {
            1 => Outcome::Win,
            2 => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let half = self.header().depths.then(|| u16::from(body[self.header().numbers.div_ceil(4) as usize + at]));
        let depth = match outcome {
            Outcome::Draw => None,
            Outcome::Win => half.map(|half| 2 * half + 1),
            Outcome::Loss => half.map(|half| 2 * half),
        };
        Value { outcome, depth }
    }

    /// Every number's position and value, in order. Where one number stands for two positions it is the one with Red to
    /// move.
    pub fn rows(&self) -> impl Iterator<Item = (Position, Value)> + '_ {
        (0..self.index.len())
            .map(|number| (self.index.position(self.index.place_of(number)), self.value_of_number(number)))
    }

    /// Reads the body and compares its checksum and its counts.
    ///
    /// # Errors
    /// When they do not fit.
    pub fn verify(&self) -> Result<(), TableError> {
        self.file.verify()?;
        let mut found = [0; 4];
        for number in 0..self.index.len() {
            let at = number as usize;
            found[usize::from(self.file.body()[at / 4] >> (2 * (at % 4)) & 3)] += self.header().weight;
        }
        let wrong = |expected: String, found: String| TableError::Contents {
            path: self.file.path().to_owned(),
            what: "values",
            expected,
            found,
        };
        if found[3] > 0 {
            return Err(wrong("draws, wins and losses".to_owned(), format!("{} other values", found[3])));
        }
        let (wins, losses) = (self.header().wins, self.header().losses);
        if (wins, losses) != (found[1], found[2]) {
            let text = |wins, losses| format!("{wins} wins and {losses} losses");
            return Err(wrong(text(wins, losses), text(found[1], found[2])));
        }
        Ok(())
    }
}

fn code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win => 1,
        Outcome::Loss => 2,
    }
}

fn half_depth(value: Value) -> u8 {
    // Solvers keep no depth that does not fit.
    value.depth.map_or(0, |depth| (depth / 2) as u8)
}

/// Two-bit codes on their way into bytes.
#[derive(Default)]
struct Packed {
    byte: u8,
    count: u32,
}

impl Packed {
    fn push(&mut self, codes: &[u8], writer: &mut Writer) -> std::io::Result<()> {
        for code in codes {
            self.byte |= code << (2 * self.count);
            self.count += 1;
            if self.count == 4 {
                self.finish(writer)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, writer: &mut Writer) -> std::io::Result<()> {
        if self.count > 0 {
            writer.write_all(&[self.byte])?;
        }
        *self = Packed::default();
        Ok(())
    }
}
