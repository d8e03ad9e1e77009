//! The state of a solver in a file, so that long work can be stopped and gone on with.
//!
//! A container of kind `kota-ckp`. Header: a [`CheckpointHeader`]. Body: for each half the plane of wins, then the plane of losses
//! (rows of 16 bytes, little-endian), then, where depths are kept, for each half a byte for every position in the order of the
//! planes.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};

use serde::{Deserialize, Serialize};

use crate::container::{Container, ContainerError, Kind, Writer};
use crate::run::MemorySize;

use super::{Kota, Rules, SolveError, Solver};

/// The kind of a checkpoint.
pub const CHECKPOINT_KIND: Kind = Kind::new("kota-ckp");

/// What a checkpoint says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointHeader {
    /// Stones a side.
    pub n: u8,
    /// The reading of the rules.
    pub rules: Rules,
    /// The version of the program that wrote it.
    pub version: String,
    /// The depth to be done next.
    pub depth: u16,
    /// Whether everything is decided.
    pub finished: bool,
    /// The greatest depth that decided a position.
    pub deepest: Option<u16>,
    /// Whether depths are kept.
    pub depths: bool,
    /// Seconds of work so far.
    pub seconds: f64,
}

/// A checkpoint that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file itself.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// It is of another game.
    #[error("{}: a checkpoint of another game: expected {expected}, found {found}; give these rules or another file",
        path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        expected: String,
        /// That of the file.
        found: String,
    },
    /// Its length does not fit the game.
    #[error("{}: expected a body of {expected} bytes, found {found}; delete it and begin again", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes for the game.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// Its depth is beyond every game's.
    #[error("{}: expected a depth of at most {most}, found {found}; delete it and begin again", path.display())]
    Depth {
        /// The file.
        path: PathBuf,
        /// The greatest depth believed.
        most: u16,
        /// That of the file.
        found: u16,
    },
    /// The game cannot be solved with this memory.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl Solver {
    /// Writes the state; `seconds` of work led to it, and `began` is told the temporary name of the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &FilePath, seconds: f64, began: &dyn Fn(&FilePath)) -> Result<(), CheckpointError> {
        let mut writer = Writer::create(path, CHECKPOINT_KIND)?;
        began(writer.temporary_path());
        let refused = |source| ContainerError::Write { path: path.to_owned(), source };
        for planes in &self.planes {
            for plane in [&planes.wins, &planes.losses] {
                for row in plane {
                    writer.write_all(&row.to_le_bytes()).map_err(refused)?;
                }
            }
        }
        for depths in self.depths.iter().flatten() {
            writer.write_all(depths).map_err(refused)?;
        }
        let header = CheckpointHeader {
            n: self.kota.n() as u8,
            rules: *self.kota.rules(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            depth: self.depth,
            finished: self.finished,
            deepest: self.counts.deepest,
            depths: self.depths.is_some(),
            seconds,
        };
        Ok(writer.finish(&header)?)
    }

    /// Goes on from a checkpoint; gives also the seconds of work that led to it.
    ///
    /// # Errors
    /// When it is damaged, of another game, or needs more memory than allowed.
    pub fn resume(kota: &Kota, path: &FilePath, allowed: MemorySize) -> Result<(Solver, f64), CheckpointError> {
        let file = Container::<CheckpointHeader>::open(path, CHECKPOINT_KIND)?;
        let header = file.header();
        let same = usize::from(header.n) == kota.n() && header.rules.same_but_for_the_start(kota.rules());
        if !same {
            return Err(CheckpointError::OtherGame {
                path: path.to_owned(),
                expected: format!("{} {}", kota.n(), kota.rules()),
                found: format!("{} {}", header.n, header.rules),
            });
        }
        let most = 10_000;
        if header.depth > most {
            return Err(CheckpointError::Depth { path: path.to_owned(), most, found: header.depth });
        }
        // Wrong bits would become wrong answers, so all of it is read.
        file.verify()?;
        let mut solver = Solver::with_depths(kota, header.depths, allowed)?;
        let mut body = file.body();
        let planes: usize = solver.planes.iter().map(|planes| planes.wins.len() + planes.losses.len()).sum();
        let depths: usize = solver.depths.iter().flatten().map(Vec::len).sum();
        let expected = planes * size_of::<u128>() + depths;
        if body.len() != expected {
            let (expected, found) = (expected as u64, body.len() as u64);
            return Err(CheckpointError::Length { path: path.to_owned(), expected, found });
        }
        for planes in &mut solver.planes {
            for plane in [&mut planes.wins, &mut planes.losses] {
                for row in plane {
                    let Some((bytes, rest)) = body.split_first_chunk() else { break };
                    *row = u128::from_le_bytes(*bytes);
                    body = rest;
                }
            }
        }
        for depths in solver.depths.iter_mut().flatten() {
            let (bytes, rest) = body.split_at(depths.len());
            depths.copy_from_slice(bytes);
            body = rest;
        }
        solver.depth = header.depth;
        // What changed at the last depths is not kept: two of them look at every pair again.
        solver.full_until = header.depth + 1;
        solver.finished = header.finished;
        solver.counts.deepest = header.deepest;
        solver.count();
        Ok((solver, header.seconds))
    }
}
