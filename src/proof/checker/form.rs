//! What a proof says of itself, and where its entries lie. See the document at [`crate::proof`].

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Size};
use crate::container::{Container, ContainerError, Damaged, Kind, NumberSet, PageSums, Shifted, Words, bits};
use crate::konane::{Opening, Position, Rules, Side};

use super::numbers::Numbers;

/// The kind of a proof file.
pub const KIND: Kind = Kind::new("proof");
/// The largest board of a proof, in cells.
pub const MAX_CELLS: usize = 64;
/// The most that may be left to the plain search of the checker at one position: a file must not make it work for ever.
pub const MOST_LEAF_NODES: u64 = 1_000_000;
/// Bits of the largest number of a move.
pub(in crate::proof) const MOST_ANSWER_BITS: u8 = 16;

/// What a proof shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who wins.
    pub winner: Side,
    /// What.
    pub subject: Subject,
}

/// What is won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The whole game, the removals being moves. The openings are those that the winner allows, each also for its images
    /// under the symmetries of the board that keep the colours.
    Game {
        /// The board.
        size: Size,
        /// The rules.
        rules: Rules,
        /// The openings.
        openings: Vec<Opening>,
    },
    /// These openings.
    Openings {
        /// The board.
        size: Size,
        /// The rules.
        rules: Rules,
        /// The openings.
        openings: Vec<Opening>,
    },
    /// One position.
    Position(Position),
}

impl Claim {
    /// The board.
    pub fn size(&self) -> Size {
        match &self.subject {
            Subject::Game { size, .. } | Subject::Openings { size, .. } => *size,
            Subject::Position(position) => position.size(),
        }
    }

    /// The owner of the top-left cell.
    pub fn top_left(&self) -> Side {
        match &self.subject {
            Subject::Game { rules, .. } | Subject::Openings { rules, .. } => rules.top_left,
            Subject::Position(position) => position.top_left(),
        }
    }

    /// The openings listed; none of a position.
    pub fn openings(&self) -> &[Opening] {
        match &self.subject {
            Subject::Game { openings, .. } | Subject::Openings { openings, .. } => openings,
            Subject::Position(_) => &[],
        }
    }

    /// The rules of the removals; none of a position.
    pub fn rules(&self) -> Option<&Rules> {
        match &self.subject {
            Subject::Game { rules, .. } | Subject::Openings { rules, .. } => Some(rules),
            Subject::Position(_) => None,
        }
    }

    /// The root in words: `the game`, `a6:b6 and c4:d4` or the position.
    pub fn root(&self) -> String {
        match &self.subject {
            Subject::Game { .. } => "the whole game".to_owned(),
            Subject::Openings { openings, .. } => {
                openings.iter().map(Opening::to_string).collect::<Vec<_>>().join(" and ")
            }
            Subject::Position(position) => position.to_string(),
        }
    }
}

/// The header, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::proof) struct Header {
    pub game: String,
    pub board: String,
    pub top_left: String,
    /// First and second removal; none of a position.
    pub removals: Option<(String, String)>,
    /// `game`, `openings` or `position`.
    pub claim: String,
    pub openings: Vec<String>,
    pub position: Option<String>,
    pub winner: String,
    pub leaf_nodes: u64,
    pub positions: u64,
    pub classes: Vec<ClassRecord>,
    pub version: String,
    pub pages: PageSums,
}

/// A class as the header has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::proof) struct ClassRecord {
    pub black: u8,
    pub white: u8,
    pub count: u64,
    pub answer_bits: u8,
    pub first_word: u64,
}

impl ClassRecord {
    fn describe(&self) -> String {
        let ClassRecord { black, white, count, answer_bits, first_word } = self;
        format!(
            "{count} positions of {black} black and {white} white stones with answers of {answer_bits} bits at word \
             {first_word}"
        )
    }
}

impl Header {
    /// The header of a proof of this claim without its classes and pages.
    pub(in crate::proof) fn new(claim: &Claim, leaf_nodes: u64) -> Header {
        let position = match &claim.subject {
            Subject::Position(position) => Some(position.to_string()),
            _ => None,
        };
        let kind = match &claim.subject {
            Subject::Game { .. } => "game",
            Subject::Openings { .. } => "openings",
            Subject::Position(_) => "position",
        };
        Header {
            game: "konane".to_owned(),
            board: claim.size().to_string(),
            top_left: claim.top_left().to_string(),
            removals: claim.rules().map(|rules| (rules.first_removal.to_string(), rules.second_removal.to_string())),
            claim: kind.to_owned(),
            openings: claim.openings().iter().map(Opening::to_string).collect(),
            position,
            winner: claim.winner.to_string(),
            leaf_nodes,
            positions: 0,
            classes: Vec::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pages: PageSums { page_bits: 16, sums: Vec::new() },
        }
    }

    /// What the header claims; else the field that makes no sense, what was expected of it and what it has.
    fn claim(&self) -> Result<Claim, (&'static str, String, String)> {
        let text = |text: &str| format!("`{text}`");
        let no = |field, expected: &dyn std::fmt::Display, found: &str| (field, expected.to_string(), text(found));
        if self.game != "konane" {
            return Err(no("game", &text("konane"), &self.game));
        }
        let size: Size = self.board.parse().map_err(|error| no("board", &error, &self.board))?;
        if size.cells() > MAX_CELLS {
            return Err(no("board", &format_args!("at most {MAX_CELLS} cells"), &self.board));
        }
        let side = |field, word: &str| {
            let known = Side::BOTH.into_iter().find(|side| side.name() == word);
            known.ok_or_else(|| no(field, &"`black` or `white`", word))
        };
        let top_left = side("top_left", &self.top_left)?;
        let winner = side("winner", &self.winner)?;
        let rules = match &self.removals {
            Some((first, second)) => Some(Rules {
                top_left,
                first_removal: first.parse().map_err(|error| no("removals", &error, first))?,
                second_removal: second.parse().map_err(|error| no("removals", &error, second))?,
            }),
            None => None,
        };
        let on_board = |cell: Cell| size.contains(cell);
        let opening = |word: &String| {
            let opening = word.parse::<Opening>().map_err(|error| no("openings", &error, word))?;
            let inside = on_board(opening.black) && on_board(opening.white);
            if inside { Ok(opening) } else { Err(no("openings", &format_args!("cells of {size}"), word)) }
        };
        let openings: Vec<Opening> = self.openings.iter().map(opening).collect::<Result<_, _>>()?;
        let subject = match (self.claim.as_str(), rules, &self.position) {
            ("game", Some(rules), None) => Subject::Game { size, rules, openings },
            ("openings", Some(rules), None) if !openings.is_empty() => Subject::Openings { size, rules, openings },
            ("position", None, Some(word)) if openings.is_empty() => {
                let position = Position::parse(word, None).map_err(|error| no("position", &error, word))?;
                let empty = position.board_text().bytes().all(|letter| b"./".contains(&letter));
                if position.size() != size || !empty && position.top_left() != top_left {
                    let expected = format!("a position of {size} with {} on the top-left cell", top_left.title());
                    return Err(no("position", &expected, word));
                }
                Subject::Position(position)
            }
            _ => {
                let expected = "`game` or `openings` with rules and openings, or `position` with a position";
                return Err(no("claim", &expected, &self.claim));
            }
        };
        Ok(Claim { winner, subject })
    }
}

/// Why a file is no proof that could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// It is not a whole file of this kind.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The header makes no sense although its checksum is right.
    #[error("{}: `{field}` in the header of this proof: expected {expected}, found {found}; the file was not written by \
        this version of papamu, make it again", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
        /// What was expected.
        expected: String,
        /// What is there instead.
        found: String,
    },
    /// The sets of positions make no sense although the checksums are right.
    #[error("{}: the positions with {black} black and {white} white stones: expected a set of {count} positions in \
        ascending order, found other bytes; the file was not written by papamu, make it again", path.display())]
    Set {
        /// The file.
        path: PathBuf,
        /// Black stones.
        black: u8,
        /// White stones.
        white: u8,
        /// Positions of the class.
        count: u64,
    },
}

/// Positions with as many stones of each side, and where they lie.
#[derive(Clone, Copy, Debug)]
pub(in crate::proof) struct Class {
    pub record: ClassRecord,
    pub set: NumberSet,
}

impl Class {
    /// The class of a record on a board where there are `placements` ways to place its stones; `None` if there is none
    /// such.
    pub(in crate::proof) fn new(record: ClassRecord, placements: u64) -> Option<Class> {
        let set = NumberSet::new(record.count, placements)?;
        (record.answer_bits <= MOST_ANSWER_BITS).then_some(Class { record, set })
    }

    /// Words that set and answers take.
    pub(in crate::proof) fn words(&self) -> u64 {
        // The count is at most 2^60 and the answers have at most 16 bits: reckoned in 128 bits, and far below 2^64.
        let answers = u128::from(self.record.count) * u128::from(self.record.answer_bits);
        self.set.words() + answers.div_ceil(64) as u64
    }

    /// The place of a number, if it is in the set.
    pub(in crate::proof) fn place(&self, words: &(impl Words + ?Sized), number: u64) -> Result<Option<u64>, Damaged> {
        self.set.place(&Shifted(words, self.record.first_word), number)
    }

    /// The answer at this place: the number of the move.
    pub(in crate::proof) fn answer(&self, words: &(impl Words + ?Sized), place: u64) -> Result<u64, Damaged> {
        let width = u32::from(self.record.answer_bits);
        let words = Shifted(words, self.record.first_word);
        bits(&words, self.set.words(), place * u64::from(width), width)
    }
}

/// An open proof, of which all but the body is checked.
#[derive(Debug)]
pub(in crate::proof) struct ProofFile {
    pub container: Container<Header>,
    pub claim: Claim,
    pub classes: Vec<Class>,
    /// For black and white stones, the index of the class; `None` where no position has so many.
    class_of: Vec<Option<u16>>,
}

/// Stones of a side at most, and one for none.
const COUNTS: usize = MAX_CELLS / 2 + 1;

impl ProofFile {
    /// Opens a file and checks all of it but the body.
    pub(in crate::proof) fn open(path: &Path) -> Result<ProofFile, ProofError> {
        let container = Container::<Header>::open(path, KIND)?;
        let header = container.header();
        let wrong = |(field, expected, found): (&'static str, String, String)| ProofError::Header {
            path: path.to_owned(),
            field,
            expected,
            found,
        };
        let claim = header.claim().map_err(wrong)?;
        if header.leaf_nodes > MOST_LEAF_NODES {
            return Err(wrong(("leaf_nodes", format!("at most {MOST_LEAF_NODES}"), header.leaf_nodes.to_string())));
        }
        let numbers = Numbers::new(claim.size(), claim.top_left());
        let no_class =
            |expected: &str, record: &ClassRecord| wrong(("classes", expected.to_owned(), record.describe()));
        let (mut classes, mut next_word, mut positions) = (Vec::new(), 0_u64, 0_u64);
        let mut class_of = vec![None; COUNTS * COUNTS];
        let mut last = None;
        for record in &header.classes {
            let (black, white) = (usize::from(record.black), usize::from(record.white));
            let class = Class::new(*record, numbers.placements(black, white));
            let class = class.ok_or_else(|| no_class("positions that the board has", record))?;
            let order = Some((black + white, black));
            if last.is_some() && order >= last {
                return Err(no_class("classes by falling number of stones, then of black stones", record));
            }
            last = order;
            if record.first_word != next_word {
                return Err(no_class(&format!("word {next_word}"), record));
            }
            let end = next_word.checked_add(class.words()).filter(|&end| end <= header_words(&container));
            next_word = end.ok_or_else(|| no_class("a set that ends within the body", record))?;
            // No overflow: a count takes at least as many bits of the body.
            positions += record.count;
            if let Some(place) = class_of.get_mut(black * COUNTS + white) {
                *place = u16::try_from(classes.len()).ok();
            }
            classes.push(class);
        }
        let body = container.body().len() as u64;
        if next_word.checked_mul(8) != Some(body) {
            return Err(wrong(("classes", format!("sets of {body} bytes together"), format!("{next_word} words"))));
        }
        if positions != header.positions {
            let found = header.positions.to_string();
            return Err(wrong(("positions", format!("{positions}, as in the classes"), found)));
        }
        if !header.pages.fits(body) {
            let found = format!("{} sums of 2^{} bytes", header.pages.sums.len(), header.pages.page_bits);
            return Err(wrong(("pages", format!("sums for a body of {body} bytes"), found)));
        }
        Ok(ProofFile { claim, classes, class_of, container })
    }

    /// Compares the body with its checksum and each page with its own.
    pub(in crate::proof) fn verify(&self) -> Result<(), ProofError> {
        self.container.verify()?;
        match self.container.header().pages.first_wrong(self.container.body()) {
            None => Ok(()),
            Some((page, expected, found)) => Err(ProofError::Header {
                path: self.container.path().to_owned(),
                field: "pages",
                expected: format!("the sum {found:016x} of page {page}"),
                found: format!("{expected:016x}"),
            }),
        }
    }

    /// The class of positions with so many stones.
    pub(in crate::proof) fn class(&self, black: usize, white: usize) -> Option<&Class> {
        if black >= COUNTS || white >= COUNTS {
            return None;
        }
        let index = self.class_of[black * COUNTS + white]?;
        self.classes.get(usize::from(index))
    }

    /// The error of a class whose bytes are not a set.
    pub(in crate::proof) fn no_set(&self, record: &ClassRecord) -> ProofError {
        let &ClassRecord { black, white, count, .. } = record;
        ProofError::Set { path: self.container.path().to_owned(), black, white, count }
    }
}

fn header_words(container: &Container<Header>) -> u64 {
    container.body().len() as u64 / 8
}
