//! A table file that is open for questions.

use std::collections::HashMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::board::{CellSet, Symmetry};
use crate::container::{Container, Damaged, Kind, NumberSet, PageSums, Pages, PagesSeen, Shifted, bits};
use crate::konane::{Fact, Facts, Field, Move, Packed, Position, Ranking, Side};

use super::error::board;
use super::parts::{value_bits, value_words};
use super::source::SourceText;
use super::{Class, Source, TableError};

/// The kind of a table file.
pub const KIND: Kind = Kind::new("table");

/// What a table file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) game: String,
    pub(super) version: String,
    pub(super) source: SourceText,
    pub(super) classes: Vec<ClassEntry>,
    pub(super) pages: PageSums,
}

impl Header {
    pub(super) fn new(source: &Source, classes: Vec<ClassEntry>, pages: PageSums) -> Header {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Header { game: GAME.to_owned(), version, source: source.to_text(), classes, pages }
    }
}

const GAME: &str = "konane";

/// A class in a table file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClassEntry {
    pub(super) black: u32,
    pub(super) white: u32,
    pub(super) white_to_move: bool,
    pub(super) count: u64,
    /// Its first word in the body.
    pub(super) base: u64,
    /// How many positions have each remoteness, from 0 to the largest there is.
    pub(super) remoteness: Vec<u64>,
}

impl ClassEntry {
    pub(super) fn new(class: Class, count: u64, base: u64, remoteness: Vec<u64>) -> ClassEntry {
        let Class { black, white, turn } = class;
        ClassEntry { black, white, white_to_move: turn == Side::White, count, base, remoteness }
    }

    fn class(&self) -> Class {
        Class { black: self.black, white: self.white, turn: self.turn() }
    }

    fn turn(&self) -> Side {
        if self.white_to_move { Side::White } else { Side::Black }
    }

    fn value_bits(&self) -> u32 {
        value_bits(self.remoteness.len())
    }

    fn set(&self, ranking: &Ranking) -> Option<NumberSet> {
        NumberSet::new(self.count, ranking.placements(self.black, self.white))
    }

    /// Words that the class takes; `None` when there is no such class.
    pub(super) fn words(&self, ranking: &Ranking) -> Option<u64> {
        Some(self.set(ranking)?.words() + value_words(self.count, self.value_bits()))
    }
}

/// Positions of one layer or of all, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions.
    pub positions: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// How many positions have each remoteness, from 0 on.
    pub remoteness: Vec<u64>,
}

impl Counts {
    /// Positions that the side to move loses.
    pub fn losses(&self) -> u64 {
        self.positions - self.wins
    }

    /// The largest remoteness.
    pub fn longest(&self) -> Option<u8> {
        self.remoteness.len().checked_sub(1).map(|longest| longest as u8)
    }

    fn add(&mut self, entry: &ClassEntry) {
        self.positions += entry.count;
        self.remoteness.resize(self.remoteness.len().max(entry.remoteness.len()), 0);
        for (value, &count) in entry.remoteness.iter().enumerate() {
            self.remoteness[value] += count;
            self.wins += if value % 2 == 1 { count } else { 0 };
        }
    }
}

/// A position of a table, with all that the table says of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Plies to the end.
    pub remoteness: u8,
    /// The moves and the plies to the end from before them, best first: wins by the fewest, then losses by the most.
    pub moves: Vec<(Move, u8)>,
}

/// Who wins a position of this remoteness.
pub fn winner(turn: Side, remoteness: u8) -> Side {
    if remoteness % 2 == 1 { turn } else { turn.other() }
}

/// One position as the table lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position.
    pub packed: Packed<u64>,
    /// Plies to the end.
    pub remoteness: u8,
}

/// An open table.
#[derive(Debug)]
pub struct Table {
    file: Container<Header>,
    source: Source,
    field: Field<u64>,
    ranking: Ranking,
    classes: HashMap<Class, usize>,
    seen: PagesSeen,
}

impl Table {
    /// Opens a table. Reads the header alone; each page of the body is checked when something in it is asked for, so no
    /// damaged byte becomes an answer.
    ///
    /// # Errors
    /// When the file cannot be read, is no table, or its header is damaged or makes no sense.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let file = Container::<Header>::open(path, KIND)?;
        let wrong = |what, expected: String, found: String| TableError::Contents {
            path: path.to_owned(),
            what,
            expected,
            found,
        };
        let header = file.header();
        if header.game != GAME {
            return Err(wrong("the game", GAME.to_owned(), header.game.clone()));
        }
        let source = Source::from_text(&header.source).map_err(|reason| {
            wrong("the positions it begins with", "a board with openings or a position".into(), reason)
        })?;
        let field = source.field();
        let ranking = Ranking::new(&field);
        let (mut classes, mut words) = (HashMap::new(), 0_u64);
        for (at, entry) in header.classes.iter().enumerate() {
            let name = || format!("{} black, {} white, {} to move", entry.black, entry.white, entry.turn());
            let ascending = at == 0 || header.classes[at - 1].class().order() < entry.class().order();
            if !ascending {
                return Err(wrong("the order of the classes", "more stones first".to_owned(), name()));
            }
            let sum = entry.remoteness.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
            let ends = entry.remoteness.last().is_some_and(|&count| count > 0);
            if sum != Some(entry.count) || !ends || entry.remoteness.len() > Ranking::MAX_CELLS {
                return Err(wrong(
                    "counts",
                    format!("{} positions by remoteness", entry.count),
                    format!("{} in {}", sum.map_or("too many".to_owned(), |sum| sum.to_string()), name()),
                ));
            }
            let Some(length) = entry.words(&ranking) else {
                return Err(wrong("a class", "stones and positions that fit the board".to_owned(), name()));
            };
            if entry.base != words {
                return Err(wrong("where a class begins", format!("word {words}"), format!("word {}", entry.base)));
            }
            words = words.saturating_add(length);
            classes.insert(entry.class(), at);
        }
        let body = file.body().len() as u64;
        if words.checked_mul(8) != Some(body) {
            return Err(wrong("the length of the body", format!("{words} words"), format!("{body} bytes")));
        }
        if !header.pages.fits(body) {
            let found = format!("{} of 2^{} bytes", header.pages.sums.len(), header.pages.page_bits);
            return Err(wrong("checksums of pages", format!("as many as {body} bytes have"), found));
        }
        let seen = PagesSeen::new(&header.pages);
        let table = Table { source, field, ranking, classes, seen, file };
        match table.source.packed().iter().all(|&root| table.classes.contains_key(&table.class(root))) {
            true => Ok(table),
            false => Err(wrong("the positions it begins with", "in the table".to_owned(), "not there".to_owned())),
        }
    }

    /// What it is a table of.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The version of the program that wrote it.
    pub fn version(&self) -> &str {
        &self.file.header().version
    }

    /// Bytes of the file.
    pub fn file_len(&self) -> u64 {
        self.file.file_len()
    }

    /// The checksum of the body by what the file says.
    pub fn checksum(&self) -> u128 {
        self.file.checksum()
    }

    /// The name it was opened by.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The board's jumps.
    pub fn field(&self) -> &Field<u64> {
        &self.field
    }

    /// Checks every byte of the body against its checksum and that of its page.
    ///
    /// # Errors
    /// When one does not fit or cannot be read.
    pub fn verify_bytes(&self) -> Result<(), TableError> {
        self.file.verify()?;
        match self.file.header().pages.first_wrong(self.file.body()) {
            None => Ok(()),
            Some((page, expected, found)) => Err(TableError::Contents {
                path: self.path().to_owned(),
                what: "checksums of pages",
                expected: format!("{found:016x} for page {page}"),
                found: format!("{expected:016x}"),
            }),
        }
    }

    /// All positions counted.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.file.header().classes.iter().for_each(|entry| counts.add(entry));
        counts
    }

    /// The positions of each number of stones counted, most stones first.
    pub fn layers(&self) -> Vec<(u32, Counts)> {
        let mut layers: Vec<(u32, Counts)> = Vec::new();
        for entry in &self.file.header().classes {
            let stones = entry.class().stones();
            if layers.last().is_none_or(|&(last, _)| last != stones) {
                layers.push((stones, Counts::default()));
            }
            if let Some((_, counts)) = layers.last_mut() {
                counts.add(entry);
            }
        }
        layers
    }

    fn class(&self, packed: Packed<u64>) -> Class {
        Class::of(&self.ranking, packed)
    }

    fn words(&self) -> Pages<'_> {
        Pages::new(self.file.body(), &self.file.header().pages, &self.seen)
    }

    fn damaged(&self, _: Damaged) -> TableError {
        TableError::Damaged { path: self.path().to_owned() }
    }

    /// The remoteness of a position of the table's board; `None`: not in the table. About a microsecond.
    ///
    /// # Errors
    /// When the file is damaged there.
    pub fn remoteness(&self, packed: Packed<u64>) -> Result<Option<u8>, TableError> {
        let class = self.class(packed);
        let Some(&at) = self.classes.get(&class) else { return Ok(None) };
        let entry = &self.file.header().classes[at];
        let Some(set) = entry.set(&self.ranking) else { return Ok(None) };
        let words = self.words();
        let found = set
            .place(&Shifted(&words, entry.base), self.ranking.rank(packed.occupied))
            .and_then(|place| {
                let width = entry.value_bits();
                let value = |place| bits(&words, entry.base + set.words(), place * u64::from(width), width);
                place.map(value).transpose()
            })
            .map_err(|error| self.damaged(error))?;
        Ok(found.map(|value| value as u8))
    }

    /// The position for this table's board.
    fn pack(&self, position: &Position) -> Result<Packed<u64>, TableError> {
        let (size, top_left) = (self.source.size(), self.source.top_left());
        let empty = position.occupied().is_empty();
        if position.size() != size || !empty && position.top_left() != top_left {
            return Err(TableError::OtherBoard {
                path: self.path().to_owned(),
                expected: board(size, top_left),
                found: board(position.size(), position.top_left()),
            });
        }
        Ok(position.pack::<u64>().1)
    }

    /// What the table says of a position and its moves; a position that is not in the table is looked for in its images
    /// under the symmetries of the board that keep the colours. `None`: none of them is in the table.
    ///
    /// # Errors
    /// When the position is of another board, or the file is damaged there.
    pub fn probe(&self, position: &Position) -> Result<Option<Probe>, TableError> {
        let packed = self.pack(position)?;
        for symmetry in Symmetry::colour_keeping(self.source.size()) {
            let map = |index: usize| symmetry.map(self.source.size(), index);
            let image = packed.occupied.iter().fold(0, |set, index| set | 1 << map(index));
            let image = Packed { occupied: image, ..packed };
            if let Some(remoteness) = self.remoteness(image)? {
                return self.probe_image(packed, remoteness, &map).map(Some);
            }
        }
        Ok(None)
    }

    /// The moves of a position whose image is in the table.
    fn probe_image(
        &self,
        packed: Packed<u64>,
        remoteness: u8,
        map: &dyn Fn(usize) -> usize,
    ) -> Result<Probe, TableError> {
        let size = self.source.size();
        let mut after = Vec::new();
        self.field.for_each_move(packed, |from, to, occupied| {
            after.push((Move { from: size.cell(from), to: size.cell(to) }, packed.after(occupied)));
        });
        let mut moves = Vec::new();
        for (mv, next) in after {
            let image = next.occupied.iter().fold(0, |set, index| set | 1 << map(index));
            // All that can be reached from a position of the table is in it.
            let value = self.remoteness(Packed { occupied: image, ..next })?.ok_or_else(|| self.damaged(Damaged))?;
            moves.push((mv, value + 1));
        }
        moves.sort_by_key(|&(_, value)| if value % 2 == 1 { (0, i16::from(value)) } else { (1, -i16::from(value)) });
        Ok(Probe { remoteness, moves })
    }

    /// How many pieces [`Table::entries`] cuts the table into, of some ten thousand positions each.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (class, entry) in self.file.header().classes.iter().enumerate() {
            let Some(set) = entry.set(&self.ranking) else { continue };
            let step = super::collect::pieces(set);
            let starts = (0..set.samples()).step_by(step as usize);
            pieces.extend(starts.map(|start| Piece { class, start, end: (start + step).min(set.samples()) }));
        }
        pieces
    }

    /// The largest remoteness in the class of a piece.
    pub fn longest_in(&self, piece: Piece) -> u8 {
        self.file.header().classes.get(piece.class).map_or(0, |entry| (entry.remoteness.len().max(1) - 1) as u8)
    }

    /// Stones of both sides, and the side to move, of all positions of a piece.
    pub fn kind_of(&self, piece: Piece) -> Option<(u32, Side)> {
        self.file.header().classes.get(piece.class).map(|entry| (entry.class().stones(), entry.turn()))
    }

    /// Calls `each` for every position of a piece, in the order of the file, until it says `false`.
    ///
    /// # Errors
    /// When the file is damaged there.
    pub fn entries(&self, piece: Piece, each: &mut dyn FnMut(Entry) -> bool) -> Result<(), TableError> {
        let Some(entry) = self.file.header().classes.get(piece.class) else { return Ok(()) };
        let Some(set) = entry.set(&self.ranking) else { return Ok(()) };
        let (words, width) = (self.words(), entry.value_bits());
        let universe = self.ranking.placements(entry.black, entry.white);
        let mut damaged = false;
        let mut one = |place, number| {
            let value = bits(&words, entry.base + set.words(), place * u64::from(width), width);
            let Ok(value) = value else {
                damaged = true;
                return false;
            };
            damaged |= number >= universe;
            let occupied = self.ranking.unrank(entry.black, entry.white, number);
            !damaged && each(Entry { packed: Packed { occupied, turn: entry.turn() }, remoteness: value as u8 })
        };
        let whole = set.for_each_in(&Shifted(&words, entry.base), piece.start..piece.end, &mut one);
        match damaged {
            true => Err(self.damaged(Damaged)),
            false => whole.map_err(|error| self.damaged(error)),
        }
    }

    /// The position of an entry.
    pub fn position(&self, entry: Entry) -> Position {
        Position::from_packed(&self.field, entry.packed)
    }
}

/// A stretch of a table; see [`Table::pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    class: usize,
    start: u64,
    end: u64,
}

impl Facts for Table {
    /// A damaged file knows nothing.
    fn fact(&self, position: &Position) -> Option<Fact> {
        let probe = self.probe(position).ok().flatten()?;
        let best = probe.moves.first().map(|&(mv, _)| mv);
        Some(Fact {
            winner: winner(position.turn(), probe.remoteness),
            remoteness: Some(probe.remoteness.into()),
            best,
        })
    }
}
