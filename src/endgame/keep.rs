//! Values of parts kept on disk, so that another run need not compute them again.
//!
//! The file is a container of kind `values`. Its header counts the games and the parts. The body has first the games, each
//! after those it has options in: a byte 0 and number (numerator 8 bytes, exponent 1), ups (4) and star (4); or a byte 1, the
//! number of options of Left and of Right (4 each) and the options as numbers of games, from 0 (4 each). Then the parts in
//! the order of their words: a byte 0, cells and stones (8 each) and the number of the game (4); or a byte 1, rows and
//! columns (1 each), cells and stones (16 each) and the number of the game; or a byte 2, rows, columns and the number of cells
//! (2 each), the index of each cell, plus 32768 where it has a stone (2 each), and the number of the game. All
//! little-endian.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::board::{CellSet, Wide};
use crate::cgt::{Dyadic, Game, GameError, Games, Nus};
use crate::container::{Container, ContainerError, Kind, Writer};

use super::part::{self, Part};
use super::values::{EndgameError, Values};

const KIND: Kind = Kind::new("values");
/// Marks a cell of a wide part that has a stone.
const STONE: u16 = 1 << 15;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    version: String,
    games: u64,
    parts: u64,
}

/// Why values are not saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The file cannot be read or written, or is damaged.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The contents make no sense although the checksums are right.
    #[error("{path}: {what}; the file was not written by this program, delete it", path = path.display())]
    Nonsense {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The body could not be written.
    #[error("{path}: {error}", path = path.display())]
    Body {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The parts of the file do not fit the memory allowed.
    #[error("{path}: {error}", path = path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The bound.
        error: EndgameError,
    },
    /// The games of the file do not fit the memory allowed.
    #[error("{path}: {error}", path = path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The bound.
        error: GameError,
    },
}

impl KeepError {
    /// Whether a bound of memory or a limit of the run was reached; nothing is wrong with the file.
    pub fn is_limit(&self) -> bool {
        match self {
            KeepError::Part { error, .. } => matches!(error, EndgameError::Memory { .. } | EndgameError::Stopped),
            KeepError::Game { error, .. } => matches!(error, GameError::Memory { .. } | GameError::Interrupted),
            KeepError::Container(_) | KeepError::Nonsense { .. } | KeepError::Body { .. } => false,
        }
    }
}

impl Values {
    /// Whether values could be saved there. Nothing is changed.
    ///
    /// # Errors
    /// Why not.
    pub fn check_writable(path: &Path) -> Result<(), KeepError> {
        Ok(Writer::create(path, KIND).map(drop)?)
    }

    /// Saves every value that is known. The bytes do not depend on how the values were found.
    ///
    /// # Errors
    /// When the file cannot be written; what stood under the name before still does.
    pub fn save(&self, path: &Path) -> Result<(), KeepError> {
        let mut writer = Writer::create(path, KIND)?;
        let body = |error| KeepError::Body { path: path.to_owned(), error };
        let game_error = |error| KeepError::Game { path: path.to_owned(), error };
        let mut parts = self.known();
        parts.sort_unstable_by_key(|&(part, _)| part);
        let mut numbers = HashMap::new();
        for &(_, value) in &parts {
            self.save_game(value, &mut numbers, &mut writer).map_err(game_error)?.map_err(body)?;
        }
        for (part, value) in &parts {
            let mut record = Vec::with_capacity(40);
            match *part {
                Part::Small { cells, stones } => {
                    record.push(0);
                    record.extend(cells.to_le_bytes());
                    record.extend(stones.to_le_bytes());
                }
                Part::Large { rows, cols, cells, stones } => {
                    record.extend([1, rows, cols]);
                    record.extend(cells.to_le_bytes());
                    record.extend(stones.to_le_bytes());
                }
                Part::Wide { rows, cols, cells, stones } => {
                    record.push(2);
                    for word in [rows, cols, cells.count() as u16] {
                        record.extend(word.to_le_bytes());
                    }
                    for at in cells.iter() {
                        let stone = if stones.contains(at) { STONE } else { 0 };
                        record.extend((at as u16 | stone).to_le_bytes());
                    }
                }
            }
            record.extend(numbers[value].to_le_bytes());
            writer.write_all(&record).map_err(body)?;
        }
        let version = env!("CARGO_PKG_VERSION").to_owned();
        writer.finish(&Header { version, games: numbers.len() as u64, parts: parts.len() as u64 })?;
        Ok(())
    }

    /// Writes a game after its options, with a stack of our own: games may be deep.
    fn save_game(
        &self,
        game: Game,
        numbers: &mut HashMap<Game, u32>,
        writer: &mut Writer,
    ) -> Result<io::Result<()>, GameError> {
        let games = self.games();
        let mut open = vec![game];
        while let Some(&game) = open.last() {
            if numbers.contains_key(&game) {
                open.pop();
                continue;
            }
            let mut record = Vec::new();
            if let Some(Nus { number, ups, star }) = games.as_nus(game) {
                record.push(0);
                record.extend(number.numerator().to_le_bytes());
                record.push(number.exponent());
                record.extend(ups.to_le_bytes());
                record.extend(star.to_le_bytes());
            } else {
                let mut sides = [games.left_options(game)?.to_vec(), games.right_options(game)?.to_vec()];
                let before = open.len();
                for side in &mut sides {
                    games.sort_for_text(side);
                    open.extend(side.iter().filter(|option| !numbers.contains_key(option)));
                }
                if open.len() > before {
                    continue;
                }
                record.push(1);
                record.extend((sides[0].len() as u32).to_le_bytes());
                record.extend((sides[1].len() as u32).to_le_bytes());
                for option in sides.iter().flatten() {
                    record.extend(numbers[option].to_le_bytes());
                }
            }
            open.pop();
            numbers.insert(game, numbers.len() as u32);
            if let Err(error) = writer.write_all(&record) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Takes over the values of a file, after checking all of it.
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind or damaged, or its games do not fit the memory.
    pub fn load(&self, path: &Path) -> Result<(), KeepError> {
        let file = Container::<Header>::open(path, KIND)?;
        file.verify()?;
        let nonsense = |what| KeepError::Nonsense { path: path.to_owned(), what };
        let mut body = Bytes(file.body());
        let (mut games, mut seen) = (Vec::new(), HashSet::new());
        for _ in 0..file.header().games {
            let game =
                body.game(self.games(), &games).ok_or_else(|| nonsense("a game is wrong or not in canonical form"))?;
            let game = game.map_err(|error| KeepError::Game { path: path.to_owned(), error })?;
            if !seen.insert(game) {
                return Err(nonsense("a game is there twice"));
            }
            games.push(game);
        }
        let mut parts = Vec::new();
        for _ in 0..file.header().parts {
            let (part, value) = body.part(&games).ok_or_else(|| nonsense("a part is wrong"))?;
            if !part.is_normal() {
                return Err(nonsense("a part is not in normal form"));
            }
            if parts.last().is_some_and(|&(last, _)| last >= part) {
                return Err(nonsense("the parts are not in order, or one is there twice"));
            }
            parts.push((part, value));
        }
        if !body.0.is_empty() {
            return Err(nonsense("there is more than the header counts"));
        }
        for (part, value) in parts {
            self.learn(part, value, 0).map_err(|error| KeepError::Part { path: path.to_owned(), error })?;
        }
        Ok(())
    }
}

/// The rest of a body.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    /// The next game; `None` when the bytes are none.
    fn game(&mut self, games: &Games, known: &[Game]) -> Option<Result<Game, GameError>> {
        match self.take()? {
            [0] => {
                let (numerator, [exponent]) = (i64::from_le_bytes(self.take()?), self.take()?);
                let (ups, star) = (i32::from_le_bytes(self.take()?), self.number()?);
                let number = match Dyadic::new(numerator, exponent.into()) {
                    Ok(number) => number,
                    Err(error) => return Some(Err(error)),
                };
                Some(games.nus(Nus { number, ups, star }))
            }
            [1] => {
                let (left, right) = (self.number()?, self.number()?);
                let mut side = |count: u32| {
                    (0..count).map(|_| known.get(self.number()? as usize).copied()).collect::<Option<Vec<_>>>()
                };
                let (left, right) = (side(left)?, side(right)?);
                let counts = (left.len(), right.len());
                let game = games.game(left, right).and_then(|game| {
                    let found = (games.left_options(game)?.len(), games.right_options(game)?.len());
                    // Fewer options: it was not in canonical form. Numbers, ups and stars have a form of their own.
                    Ok((found == counts && games.as_nus(game).is_none()).then_some(game))
                });
                game.transpose()
            }
            _ => None,
        }
    }

    fn part(&mut self, games: &[Game]) -> Option<(Part, Game)> {
        let part = match self.take()? {
            [0] => Part::Small { cells: u64::from_le_bytes(self.take()?), stones: u64::from_le_bytes(self.take()?) },
            [1] => {
                let [rows, cols] = self.take()?;
                part::board(rows.into(), cols.into(), 128)?;
                let (cells, stones) = (u128::from_le_bytes(self.take()?), u128::from_le_bytes(self.take()?));
                Part::Large { rows, cols, cells, stones }
            }
            [2] => {
                let [rows, cols, count] = [self.short()?, self.short()?, self.short()?];
                let size = part::board(rows.into(), cols.into(), Wide::CAPACITY)?;
                let (mut cells, mut stones) = (Wide::empty(), Wide::empty());
                for _ in 0..count {
                    let word = self.short()?;
                    let at = usize::from(word & !STONE);
                    if at >= size.cells() || cells.contains(at) {
                        return None;
                    }
                    cells |= Wide::single(at);
                    if word & STONE != 0 {
                        stones |= Wide::single(at);
                    }
                }
                Part::Wide { rows, cols, cells, stones }
            }
            _ => return None,
        };
        Some((part, *games.get(self.number()? as usize)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Split;
    use crate::run::MemorySize;

    #[test]
    fn nonsense_under_right_checksums_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values");
        let fresh = || Values::new(MemorySize::from_bytes(16 << 20), 1, std::sync::Arc::default());
        let write = |games: &[Vec<u8>], parts: &[Vec<u8>]| {
            let mut writer = Writer::create(&path, KIND).unwrap();
            games.iter().chain(parts).for_each(|record| writer.write_all(record).unwrap());
            let (games, parts) = (games.len() as u64, parts.len() as u64);
            writer.finish(&Header { version: "0".to_owned(), games, parts }).unwrap();
            fresh().load(&path)
        };
        let number = |numerator: i64| [&[0][..], &numerator.to_le_bytes(), &[0], &[0; 8]].concat();
        let options = |left: &[u32], right: &[u32]| {
            let counts = [left.len() as u32, right.len() as u32];
            let words = counts.iter().chain(left).chain(right).flat_map(|word| word.to_le_bytes());
            std::iter::once(1).chain(words).collect::<Vec<u8>>()
        };
        let small = |cells: u64, stones: u64, game: u32| {
            [&[0][..], &cells.to_le_bytes(), &stones.to_le_bytes(), &game.to_le_bytes()].concat()
        };
        let wide = |cells: &[u16]| {
            let head: Vec<u8> = [1, 20, cells.len() as u16].iter().flat_map(|word| word.to_le_bytes()).collect();
            let cells: Vec<u8> = cells.iter().flat_map(|word| word.to_le_bytes()).collect();
            [&[2][..], &head, &cells, &[0; 4]].concat()
        };
        // Three cells in a row, Black and White on the first two.
        let good = [small(7, 3, 1)];
        let games = [number(0), number(1), options(&[1], &[0])];
        assert!(write(&games, &good).is_ok());
        for (games, parts, expected) in [
            (vec![number(0), number(1), number(1)], good.to_vec(), "a game is there twice"),
            (vec![number(0), number(1), options(&[0, 1], &[0])], good.to_vec(), "canonical"),
            (vec![number(0), number(1), options(&[0], &[1])], good.to_vec(), "canonical"),
            (vec![number(0), number(1), options(&[9], &[1])], good.to_vec(), "a game is wrong"),
            (games.to_vec(), vec![small(7, 3, 1), small(7, 3, 0)], "there twice"),
            (games.to_vec(), vec![small(7, 3, 1), small(7, 1, 0)], "not in order"),
            (games.to_vec(), vec![small(7, 11, 1)], "not in normal form"),
            (games.to_vec(), vec![small(14, 6, 1)], "not in normal form"),
            (games.to_vec(), vec![small(7, 3, 3)], "a part is wrong"),
            (games.to_vec(), vec![wide(&[0, 1, 1, 19])], "a part is wrong"),
            (games.to_vec(), vec![wide(&[0, 1, 2])], "not in normal form"),
        ] {
            let error = write(&games, &parts).unwrap_err();
            assert!(matches!(error, KeepError::Nonsense { .. }) && error.to_string().contains(expected), "{error}");
        }
        // What is written is read.
        let values = fresh();
        let position = ".oxox/.xoxo/xoxox/oxoxo x".parse().unwrap();
        assert!(values.position(&position, Split::default()).value.is_ok());
        values.save(&path).unwrap();
        fresh().load(&path).unwrap();
    }
}
