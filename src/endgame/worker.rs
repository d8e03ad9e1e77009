//! One thread's work on the value of a part.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::board::{CellSet, Wide};
use crate::cgt::{Game, Player};
use crate::konane::{Field, Packed, Side};
use crate::run::{Allowance, prefetch_line};

use super::part::{self, Part, Placed};
use super::regions::{Test, regions_of_each};
use super::table::Places;
use super::values::{EndgameError, Values, player};
use super::words::Words;

/// How many boards are looked at together.
const TOGETHER: usize = 4;

/// One of the threads that value a part together.
pub(super) struct Worker<'a> {
    values: &'a Values,
    allowance: Allowance<'a>,
    /// The table of small parts, and its age.
    small: Arc<Places>,
    age: usize,
    /// What whole boards were found to be worth, before they are split and brought to normal form: the same ones return soon
    /// by other orders of moves. A new one displaces an old one.
    recent: Box<[Recent]>,
    boards: HashMap<(usize, usize), Arc<Field<u128>>, Words>,
    wide_boards: HashMap<(usize, usize), Arc<Field<Wide>>, Words>,
    scratch: Vec<Scratch<u64>>,
    large_scratch: Vec<Scratch<u128>>,
    wide_scratch: Vec<Scratch<Wide>>,
    /// From 0; every thread goes through options in another order.
    number: usize,
    /// Set when another thread has found what this one works on.
    finished: &'a AtomicBool,
}

/// Stones on the cells of a part of 8x8, and their value. Of the empty entry the stones are not on the cells.
#[derive(Clone, Copy)]
struct Recent {
    cells: u64,
    stones: u64,
    value: Option<Game>,
}

impl<'a> Worker<'a> {
    /// The most entries of the memory for boards seen of late: as much as stays in the cache of a core.
    const RECENT: u64 = 1 << 13;

    /// The worker with this number, from 0.
    pub(super) fn new(values: &'a Values, number: usize, finished: &'a AtomicBool) -> Worker<'a> {
        let (memory, threads) = values.shares();
        let entries = (memory / 256 / threads as u64).clamp(1 << 6, Self::RECENT);
        let empty = Recent { cells: 0, stones: 0, value: None };
        Worker {
            values,
            allowance: Allowance::new(values.control(), None),
            small: values.small().places(),
            age: values.small().age(),
            recent: vec![empty; 1 << entries.ilog2()].into(),
            boards: HashMap::default(),
            wide_boards: HashMap::default(),
            scratch: Vec::new(),
            large_scratch: Vec::new(),
            wide_scratch: Vec::new(),
            number,
            finished,
        }
    }

    /// The value of a part in normal form that is not known yet.
    pub(super) fn part(&mut self, part: Part) -> Result<Game, EndgameError> {
        if self.finished.load(Relaxed) || self.allowance.spend().is_err() {
            return Err(EndgameError::Stopped);
        }
        if self.age != self.values.small().age() {
            (self.age, self.small) = (self.values.small().age(), self.values.small().places());
        }
        // The allowance looks at the clock once in many parts, which take far longer where they are large.
        if !matches!(part, Part::Small { .. }) && self.values.control().stop_reason().is_some() {
            return Err(EndgameError::Stopped);
        }
        let value = match part {
            Part::Small { cells, stones } => self.built(&Field::EIGHT, cells, stones)?,
            Part::Large { rows, cols, cells, stones } => {
                let key = (rows.into(), cols.into());
                let board = made(&mut self.boards, key)?;
                self.built(&board, cells, stones)?
            }
            Part::Wide { rows, cols, cells, stones } => {
                let key = (rows.into(), cols.into());
                let board = made(&mut self.wide_boards, key)?;
                self.built(&board, cells, stones)?
            }
        };
        self.values.learn(part, value, self.number)?;
        Ok(value)
    }

    /// The value by the options of both sides. Black owns the top left cell of the board.
    #[inline(always)]
    fn built<S: Word>(&mut self, board: &Field<S>, cells: S, stones: S) -> Result<Game, EndgameError> {
        let Scratch { mut options, mut parts, mut left, mut right } = S::scratch(self).pop().unwrap_or_default();
        for turn in Side::BOTH {
            let mover = player(turn);
            board.for_each_move_within(Packed { occupied: stones, turn }, cells, |_, _, after| {
                let recent = S::words(cells, after).map_or(0, |(cells, stones)| self.place_of(cells, stones));
                prefetch_line(&self.recent[recent]);
                options.push(After { stones: after, mover, value: None, recent, first: 0, end: 0 });
            });
        }
        // The first two threads begin at either end; others anywhere.
        if self.number % 2 == 1 {
            options.reverse();
        }
        if self.number > 1 && !options.is_empty() {
            let start = Words::default().hash_one((stones, self.number as u64)) as usize % options.len();
            options.rotate_left(start);
        }
        for option in &mut options {
            option.value = self.seen(cells, option.stones, option.recent);
        }
        // Parts are found for a few boards at a time; no stones stand for boards that are not there.
        let mut open = options.iter_mut().filter(|option| option.value.is_none());
        loop {
            let mut several: [_; TOGETHER] = std::array::from_fn(|_| open.next());
            if several[0].is_none() {
                break;
            }
            let stones = several.each_ref().map(|option| option.as_ref().map_or(S::empty(), |option| option.stones));
            regions_of_each(board, stones, cells, S::TEST, |at, region| {
                let Some(option) = &mut several[at] else { return };
                let (key, negative) = S::place(board, region, option.stones & region);
                if option.first == option.end {
                    option.first = parts.len() as u32;
                }
                S::prefetch(self, &key);
                parts.push(Found { key, negative, value: None });
                option.end = parts.len() as u32;
            });
        }
        for part in &mut parts {
            part.value = S::recall(self, &part.key);
        }
        let games = self.values.games();
        for option in &options {
            let value = match option.value {
                Some(value) => value,
                None => {
                    let mut sum = games.zero();
                    for part in &parts[option.first as usize..option.end as usize] {
                        // It may have been found on the way to another option.
                        let value = match part.value.or_else(|| S::recall(self, &part.key)) {
                            Some(value) => value,
                            None => self.part(S::part(&part.key))?,
                        };
                        let value = if part.negative { games.neg(value)? } else { value };
                        sum = games.add(sum, value)?;
                    }
                    self.see(cells, option.stones, option.recent, sum);
                    sum
                }
            };
            match option.mover {
                Player::Left => left.push(value),
                Player::Right => right.push(value),
            }
        }
        let value = games.game_of(&mut left, &mut right)?;
        options.clear();
        parts.clear();
        left.clear();
        right.clear();
        S::scratch(self).push(Scratch { options, parts, left, right });
        Ok(value)
    }

    /// What these stones were worth when they were seen of late.
    fn seen<S: Word>(&self, cells: S, stones: S, place: usize) -> Option<Game> {
        let (cells, stones) = S::words(cells, stones)?;
        let recent = self.recent[place];
        recent.value.filter(|_| (recent.cells, recent.stones) == (cells, stones))
    }

    fn see<S: Word>(&mut self, cells: S, stones: S, place: usize, value: Game) {
        if let Some((cells, stones)) = S::words(cells, stones) {
            self.recent[place] = Recent { cells, stones, value: Some(value) };
        }
    }

    fn place_of(&self, cells: u64, stones: u64) -> usize {
        // Other bits than those that choose a place in the table of all.
        (Words::default().hash_one((cells, stones)) >> 32) as usize & (self.recent.len() - 1)
    }
}

/// A position after a move.
pub(super) struct After<S> {
    stones: S,
    mover: Player,
    value: Option<Game>,
    /// Its place among the boards seen of late.
    recent: usize,
    /// Where its parts are among those of all options.
    first: u32,
    end: u32,
}

/// A part of a position after a move, by its normal form.
pub(super) struct Found<K> {
    key: K,
    negative: bool,
    value: Option<Game>,
}

/// Room for the options of one part and what they fall into, used again and again.
pub(super) struct Scratch<S: Word> {
    options: Vec<After<S>>,
    parts: Vec<Found<S::Key>>,
    left: Vec<Game>,
    right: Vec<Game>,
}

impl<S: Word> Default for Scratch<S> {
    fn default() -> Scratch<S> {
        Scratch { options: Vec::new(), parts: Vec::new(), left: Vec::new(), right: Vec::new() }
    }
}

/// The board of this size, made when it is first needed.
fn made<S: Word>(
    boards: &mut HashMap<(usize, usize), Arc<Field<S>>, Words>,
    (rows, cols): (usize, usize),
) -> Result<Arc<Field<S>>, EndgameError> {
    if let Some(board) = boards.get(&(rows, cols)) {
        return Ok(Arc::clone(board));
    }
    let size = part::board(rows, cols, S::CAPACITY).ok_or(EndgameError::NoPart { rows, cols })?;
    let board = Arc::new(Field::new(size, Side::Black));
    boards.insert((rows, cols), Arc::clone(&board));
    Ok(board)
}

/// The words on which parts are valued.
pub(super) trait Word: CellSet + Hash {
    /// How hard to look for parts after every move.
    const TEST: Test;
    /// Normal forms of what such a part can fall into.
    type Key;
    /// The normal form of a part of a board whose top left cell is Black's, and whether its colours were exchanged.
    fn place(board: &Field<Self>, cells: Self, stones: Self) -> (Self::Key, bool);
    /// The part of a normal form.
    fn part(key: &Self::Key) -> Part;
    /// The value of a normal form if it is known.
    fn recall(worker: &Worker<'_>, key: &Self::Key) -> Option<Game>;
    /// Room that no part is using.
    fn scratch<'w>(worker: &'w mut Worker<'_>) -> &'w mut Vec<Scratch<Self>>;
    /// See [`Places::prefetch`].
    fn prefetch(worker: &Worker<'_>, key: &Self::Key);
    /// Both sets, if they are of the board of 8x8 cells.
    fn words(cells: Self, stones: Self) -> Option<(u64, u64)>;
}

impl Word for u64 {
    // Counting would find hardly any more parts on so small a board and takes longer than it saves.
    const TEST: Test = Test::Closure;
    type Key = (u64, u64);
    #[inline]
    fn place(_: &Field<u64>, cells: u64, stones: u64) -> ((u64, u64), bool) {
        let (cells, stones, negative) = part::small(cells, stones, true);
        ((cells, stones), negative)
    }
    fn part(&(cells, stones): &(u64, u64)) -> Part {
        Part::Small { cells, stones }
    }
    // Three calls in the innermost loop, each a handful of instructions long: 4 % of all where the compiler leaves them calls.
    #[inline(always)]
    fn recall(worker: &Worker<'_>, &(cells, stones): &(u64, u64)) -> Option<Game> {
        worker.small.find(cells, stones)
    }
    fn scratch<'w>(worker: &'w mut Worker<'_>) -> &'w mut Vec<Scratch<u64>> {
        &mut worker.scratch
    }
    #[inline]
    fn prefetch(worker: &Worker<'_>, &(cells, stones): &(u64, u64)) {
        worker.small.prefetch(cells, stones);
    }
    #[inline]
    fn words(cells: u64, stones: u64) -> Option<(u64, u64)> {
        Some((cells, stones))
    }
}

/// Larger words: their parts may be of any kind.
macro_rules! large_word {
    ($word:ty, $scratch:ident) => {
        impl Word for $word {
            const TEST: Test = Test::Grouped;
            type Key = Part;
            fn place(board: &Field<$word>, cells: $word, stones: $word) -> (Part, bool) {
                let cols = board.size().cols();
                let list: Vec<_> = cells.iter().map(|at| (at / cols, at % cols, stones.contains(at))).collect();
                let Placed { part, negative } = part::place(&list, true);
                (part, negative)
            }
            fn part(part: &Part) -> Part {
                *part
            }
            fn recall(worker: &Worker<'_>, part: &Part) -> Option<Game> {
                match *part {
                    Part::Small { cells, stones } => worker.small.find(cells, stones),
                    Part::Large { .. } | Part::Wide { .. } => worker.values.recall(part),
                }
            }
            fn scratch<'w>(worker: &'w mut Worker<'_>) -> &'w mut Vec<Scratch<$word>> {
                &mut worker.$scratch
            }
            fn prefetch(_: &Worker<'_>, _: &Part) {}
            fn words(_: $word, _: $word) -> Option<(u64, u64)> {
                None
            }
        }
    };
}
large_word!(u128, large_scratch);
large_word!(Wide, wide_scratch);
