//! Values of parts, each computed once.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use dashmap::DashMap;
use rayon::prelude::*;

use crate::board::{CellSet, Size};
use crate::cgt::{Game, GameError, Games, Player};
use crate::konane::{Field, Packed, Side};
use crate::run::{Control, MemorySize};

use super::part::{self, Part, Placed};
use super::regions::regions;

/// The player of the theory whose part a side takes: Left is Black, Right is White. The only place that says so.
pub const fn player(side: Side) -> Player {
    match side {
        Side::Black => Player::Left,
        Side::White => Player::Right,
    }
}

/// Why the value of a position is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameError {
    /// The value itself is out of reach.
    #[error(transparent)]
    Game(#[from] GameError),
    /// One part is spread over more cells than fit a word.
    #[error("one part spreads over {rows}x{cols} cells: parts may spread over at most 128 cells")]
    PartTooLarge {
        /// Rows around the part.
        rows: usize,
        /// Columns around the part.
        cols: usize,
    },
    /// More parts than there is memory for.
    #[error("the position has more different parts than fit the memory for them ({limit}): allow more")]
    Memory {
        /// The bound.
        limit: MemorySize,
    },
    /// A limit of the run was reached, or somebody asked to stop.
    #[error("stopped before the value was known")]
    Stopped,
}

type Words = BuildHasherDefault<WordHasher>;

/// Values of parts in normal form, shared by threads, within a bound of memory.
///
/// The bound is for games and parts together, half each; what would exceed it is an error, and what is known stays.
#[derive(Debug)]
pub struct Values {
    games: Games,
    control: Arc<Control>,
    known: DashMap<Part, Game, Words>,
    fields: DashMap<(u8, u8), Arc<Field<u128>>, Words>,
    board: Field<u64>,
    most: usize,
    memory: MemorySize,
    threads: usize,
}

/// The multiplier of Fibonacci hashing, applied to one word after another.
#[derive(Clone, Debug, Default)]
pub(super) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
}

impl Values {
    /// What a part takes in the map: the map doubles when it is seven eighths full.
    const BYTES_PER_PART: u64 = 2 * (size_of::<(Part, Game)>() as u64 + 1);
    /// The least memory that is of use.
    pub const LEAST_MEMORY: MemorySize = MemorySize::from_bytes(4 * Games::LEAST_BYTES);
    /// Moves deep that the options of a part are valued by several threads.
    const SHARED_PLIES: u32 = 3;

    /// An empty collection. Work ends when `control` says so; each part valued counts as a node.
    pub fn new(memory: MemorySize, threads: usize, control: Arc<Control>) -> Values {
        let stop = Arc::clone(&control);
        // 8x8 cells, which is a size.
        let size = Size::new(8, 8).expect("a size of a board");
        Values {
            games: Games::with_interrupt(memory.bytes() / 2, move || stop.stop_reason().is_some()),
            control,
            known: DashMap::with_hasher(Words::default()),
            fields: DashMap::with_hasher(Words::default()),
            board: Field::new(size, Side::Black),
            most: (memory.bytes() / 2 / Self::BYTES_PER_PART) as usize,
            memory,
            threads,
        }
    }

    /// The games that the values are.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// How many parts are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no part is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// What is known, in no order.
    pub(super) fn known(&self) -> Vec<(Part, Game)> {
        self.known.iter().map(|entry| (*entry.key(), *entry.value())).collect()
    }

    /// Takes over what is known from elsewhere.
    pub(super) fn learn(&self, part: Part, value: Game) {
        if self.known.len() < self.most {
            self.known.insert(part, value);
        }
    }

    /// The value of a part.
    ///
    /// # Errors
    /// When it leaves the bounds of memory, depth or the run.
    pub fn value(&self, placed: Placed) -> Result<Game, EndgameError> {
        self.placed(placed, Self::SHARED_PLIES)
    }

    fn placed(&self, Placed { part, negative }: Placed, shared: u32) -> Result<Game, EndgameError> {
        let known = self.known.get(&part).map(|value| *value);
        let value = match known {
            Some(value) => value,
            None => {
                let value = match part {
                    Part::Small { cells, stones } => self.built(&self.board, cells, stones, shared)?,
                    Part::Large { rows, cols, cells, stones } => {
                        let field = self.field(rows, cols)?;
                        self.built(&field, cells, stones, shared)?
                    }
                };
                if self.known.len() >= self.most {
                    return Err(EndgameError::Memory { limit: self.memory });
                }
                self.known.insert(part, value);
                value
            }
        };
        if negative { Ok(self.games.neg(value)?) } else { Ok(value) }
    }

    fn field(&self, rows: u8, cols: u8) -> Result<Arc<Field<u128>>, EndgameError> {
        if let Some(field) = self.fields.get(&(rows, cols)) {
            return Ok(Arc::clone(&field));
        }
        let too_large = EndgameError::PartTooLarge { rows: rows.into(), cols: cols.into() };
        let size = part::large_size(rows, cols).ok_or(too_large)?;
        let field = Arc::new(Field::new(size, Side::Black));
        self.fields.insert((rows, cols), Arc::clone(&field));
        Ok(field)
    }

    /// The value by the options of both sides. Black owns the top left cell of the field.
    fn built<S: Word>(&self, field: &Field<S>, cells: S, stones: S, shared: u32) -> Result<Game, EndgameError> {
        if self.control.claim(1) == 0 {
            return Err(EndgameError::Stopped);
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for turn in Side::BOTH {
            let mut boards = Vec::new();
            field.for_each_move_within(Packed { occupied: stones, turn }, cells, |_, _, after| boards.push(after));
            let values: Result<Vec<Game>, EndgameError> = if self.threads > 1 && shared > 0 && boards.len() > 1 {
                boards.into_par_iter().map(|after| self.sum(field, cells, after, shared - 1)).collect()
            } else {
                boards.into_iter().map(|after| self.sum(field, cells, after, 0)).collect()
            };
            match player(turn) {
                Player::Left => left = values?,
                Player::Right => right = values?,
            }
        }
        Ok(self.games.game(left, right)?)
    }

    /// The value of stones on some cells as the sum of their parts.
    fn sum<S: Word>(&self, field: &Field<S>, cells: S, stones: S, shared: u32) -> Result<Game, EndgameError> {
        let mut sum = self.games.zero();
        for region in regions(field, stones, cells) {
            let value = self.placed(S::place(field, region, stones & region), shared)?;
            sum = self.games.add(sum, value)?;
        }
        Ok(sum)
    }
}

/// The words on which parts are valued.
pub(super) trait Word: CellSet {
    /// The normal form of a part of a field whose top left cell is Black's.
    fn place(field: &Field<Self>, cells: Self, stones: Self) -> Placed;
}

impl Word for u64 {
    #[inline]
    fn place(_: &Field<u64>, cells: u64, stones: u64) -> Placed {
        part::small(cells, stones, true)
    }
}

impl Word for u128 {
    fn place(field: &Field<u128>, cells: u128, stones: u128) -> Placed {
        let cols = field.size().cols();
        let list: Vec<_> = cells.iter().map(|at| (at / cols, at % cols, stones.contains(at))).collect();
        // A part of a field of at most 128 cells is no larger than the field.
        part::place(&list, true).unwrap_or(Placed { part: Part::Small { cells: 0, stones: 0 }, negative: false })
    }
}
