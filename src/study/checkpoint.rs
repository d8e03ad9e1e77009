//! A search kept on disk, so that it can go on after an interruption, a crash or a move to a larger machine.
//!
//! The file is a container of kind `search`. Its header says what is searched and what is known of each part; its body is
//! what the solver's table knows, one entry after another: the occupied cells (8 bytes on boards to 64 cells, else 16),
//! phi and delta (4 bytes each) and one byte with the side to move in the highest bit (1: White) and the logarithm of the
//! work to base 2 in the others; all little-endian. Entries are free of how the table keeps them, so a search can go on
//! with another size of memory or number of threads. Positions that are quickly searched again are left out: all below
//! eight expansions, and more where the file would otherwise exceed [`MOST_ENTRIES`] entries.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::{CellSet, Size};
use crate::container::{Container, ContainerError, Kind, Writer};
use crate::konane::{Opening, Position, Rules, Side};
use crate::search::{Answer, Knowledge, Solver};

const KIND: Kind = Kind::new("search");
/// A file holds about this many entries at most (0.8 GB on boards to 64 cells).
pub const MOST_ENTRIES: u64 = 48 << 20;
/// Entries with less work than this are never worth their place.
const LEAST_WORK: u32 = 8;

/// What a checkpoint is a search of. A file is only continued by the same subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    board: String,
    top_left: String,
    /// The rules of the removals; for a single position there are none.
    removals: Option<(String, String)>,
    version: String,
}

/// What is known of one opening or position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The opening (`a6:b6`), or the position as text.
    pub name: String,
    /// The answer so far.
    pub answer: Answer,
    /// Proof and disproof number of the position, in the view of its side to move, where the table has them.
    pub numbers: Option<(u32, u32)>,
}

/// A part as the file has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PartRecord {
    name: String,
    /// 0 unknown, 1 Black, 2 White.
    winner: u8,
    nodes: u64,
    nanoseconds: u64,
    numbers: Option<(u32, u32)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    subject: Subject,
    parts: Vec<PartRecord>,
    /// Expansions and wall time of the run and of those it went on from.
    nodes: u64,
    nanoseconds: u64,
    least_work: u32,
    entries: u64,
}

/// What a whole search has cost so far, all its runs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Positions expanded.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}

/// Why a checkpoint is not written or not continued.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Somebody else has written the file while this search ran.
    #[error("{path} was written by another program meanwhile and is left as it is: give each search a file of its own", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read or written, or is damaged.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The file belongs to another search.
    #[error("{path}: the checkpoint is of {found}, not of {expected}; give another file or delete this one", path = path.display())]
    OtherSubject {
        /// The file.
        path: PathBuf,
        /// What was to be continued.
        expected: String,
        /// What the file has.
        found: String,
    },
    /// The contents make no sense although the checksums are right.
    #[error("{path}: {what}; the file was not written by this program, delete it", path = path.display())]
    Nonsense {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The body could not be read or written.
    #[error("{path}: {error}", path = path.display())]
    Body {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Subject {
    /// The openings of a board.
    pub fn board(size: Size, rules: &Rules) -> Subject {
        Subject {
            board: size.to_string(),
            top_left: rules.top_left.to_string(),
            removals: Some((rules.first_removal.to_string(), rules.second_removal.to_string())),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Single positions of a board.
    pub fn position(position: &Position) -> Subject {
        Subject {
            board: position.size().to_string(),
            top_left: position.top_left().to_string(),
            removals: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The subject in words.
    pub fn describe(&self) -> String {
        let Subject { board, top_left, removals, version } = self;
        let what = match removals {
            Some((first, second)) => {
                format!("the openings of {board} (first removal {first}, second removal {second})")
            }
            None => format!("positions of {board}"),
        };
        format!("{what} with {top_left} on the top-left cell by version {version}")
    }

    /// The board, and the rules of its openings if it is a search of those.
    ///
    /// # Errors
    /// What makes no sense, in words.
    fn meaning(&self) -> Result<(Size, Side, Option<Rules>), String> {
        let Subject { board, top_left, removals, version } = self;
        let size: Size = board.parse().map_err(|error| format!("{error}"))?;
        let top_left = Side::BOTH.into_iter().find(|side| side.name() == top_left);
        let top_left = top_left.ok_or_else(|| format!("`{}` owns the top-left cell", self.top_left))?;
        if let Some(letter) = version.chars().find(|letter| !letter.is_ascii_graphic()) {
            return Err(format!("a version with {letter:?}"));
        }
        let rules = |(first, second): &(String, String)| {
            let first_removal = first.parse().map_err(|error| format!("{error}"))?;
            let second_removal = second.parse().map_err(|error| format!("{error}"))?;
            Ok::<_, String>(Rules { top_left, first_removal, second_removal })
        };
        Ok((size, top_left, removals.as_ref().map(rules).transpose()?))
    }

    /// Checks that these are parts of the subject, each once.
    fn check_parts(&self, size: Size, top_left: Side, rules: Option<&Rules>, parts: &[Part]) -> Result<(), String> {
        let mut seen = HashSet::new();
        for Part { name, .. } in parts {
            let fits = match rules {
                Some(rules) => name.parse::<Opening>().is_ok_and(|opening| {
                    opening.position(size, rules).is_ok()
                        && opening == opening.canonical(size)
                        && opening.to_string() == *name
                }),
                None => Position::parse(name, None).is_ok_and(|position| {
                    let colouring = position.occupied().is_empty() || position.top_left() == top_left;
                    position.size() == size && colouring && position.to_string() == *name
                }),
            };
            if !fits {
                return Err(format!("`{name}` is no part of {}", self.describe()));
            }
            if !seen.insert(name) {
                return Err(format!("`{name}` is there twice"));
            }
        }
        Ok(())
    }

    /// Bytes that one entry takes in the file.
    fn entry_len(&self) -> usize {
        let cells = self.board.parse::<Size>().map_or(64, Size::cells);
        if cells <= 64 { 8 + ENTRY_REST } else { 16 + ENTRY_REST }
    }
}

/// The numbers, and the byte of side and work.
const ENTRY_REST: usize = 9;

/// An open checkpoint, checked from end to end.
#[derive(Debug)]
pub struct Checkpoint {
    file: Container<Header>,
    parts: Vec<Part>,
}

impl Checkpoint {
    /// Writes what is known, atomically: until the file is complete, an older one stays as it is. `began` is told the
    /// temporary name. May run beside the search.
    ///
    /// # Errors
    /// When the file cannot be written; nothing is lost then.
    pub fn save(
        path: &Path,
        subject: &Subject,
        parts: Vec<Part>,
        spent: Spent,
        solver: &Solver,
        began: &dyn Fn(&Path),
    ) -> Result<(), CheckpointError> {
        let mut writer = Writer::create(path, KIND)?;
        began(writer.temporary_path());
        // Nothing is left to search again when all is known.
        let complete = parts.iter().all(|part| part.answer.winner.is_some());
        let least_work = if complete { u32::MAX } else { worthwhile(&solver.work_histogram()) };
        let (mut entries, mut result) = (0, Ok(()));
        let short = subject.entry_len() == 8 + ENTRY_REST;
        solver.knowledge(least_work, &mut |knowledge| {
            let bytes = entry_bytes(&knowledge);
            result = writer.write_all(if short { &bytes[8..] } else { &bytes });
            entries += u64::from(result.is_ok());
            result.is_ok()
        });
        result.map_err(|error| CheckpointError::Body { path: path.to_owned(), error })?;
        let parts = parts.into_iter().map(PartRecord::from).collect();
        let (nodes, nanoseconds) = (spent.nodes, nanoseconds(spent.time));
        writer.finish(&Header { subject: subject.clone(), parts, nodes, nanoseconds, least_work, entries })?;
        Ok(())
    }

    /// Whether a checkpoint could be written there. Nothing is changed.
    ///
    /// # Errors
    /// Why not.
    pub fn check_writable(path: &Path) -> Result<(), CheckpointError> {
        Ok(Writer::create(path, KIND).map(drop)?)
    }

    /// Opens a checkpoint and checks all of it.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn open(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let file = Container::<Header>::open(path, KIND)?;
        file.verify()?;
        let nonsense = |what: String| CheckpointError::Nonsense { path: path.to_owned(), what };
        let expected = file.header().entries.checked_mul(file.header().subject.entry_len() as u64);
        if expected != Some(file.body().len() as u64) {
            return Err(nonsense(format!("{} entries do not make {} bytes", file.header().entries, file.body().len())));
        }
        let parts: Result<Vec<Part>, String> = file.header().parts.iter().map(PartRecord::part).collect();
        let parts = parts.map_err(nonsense)?;
        let subject = &file.header().subject;
        let (size, top_left, rules) = subject.meaning().map_err(nonsense)?;
        subject.check_parts(size, top_left, rules.as_ref(), &parts).map_err(nonsense)?;
        let checkpoint = Checkpoint { file, parts };
        checkpoint.each_entry(&mut |knowledge| knowledge.fits(size))?;
        Ok(checkpoint)
    }

    /// Opens the checkpoint of this subject; `None` where there is no file yet.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged or is of another subject.
    pub fn resume(path: &Path, subject: &Subject) -> Result<Option<Checkpoint>, CheckpointError> {
        if !path.try_exists().map_err(|error| CheckpointError::Body { path: path.to_owned(), error })? {
            return Ok(None);
        }
        let checkpoint = Checkpoint::open(path)?;
        if checkpoint.subject() != subject {
            let (expected, found) = (subject.describe(), checkpoint.subject().describe());
            return Err(CheckpointError::OtherSubject { path: path.to_owned(), expected, found });
        }
        Ok(Some(checkpoint))
    }

    /// What was searched.
    pub fn subject(&self) -> &Subject {
        &self.file.header().subject
    }

    /// What was known of each part.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What the search had cost.
    pub fn spent(&self) -> Spent {
        let header = self.file.header();
        Spent { nodes: header.nodes, time: Duration::from_nanos(header.nanoseconds) }
    }

    /// Entries of the table that were kept, and the least work of one.
    pub fn entries(&self) -> (u64, u32) {
        (self.file.header().entries, self.file.header().least_work)
    }

    /// Bytes of the file.
    pub fn file_len(&self) -> u64 {
        self.file.file_len()
    }

    /// Gives the entries to a solver of the same board.
    ///
    /// # Errors
    /// When the file cannot be read or has entries that cannot be of its board.
    pub fn teach(&self, solver: &Solver) -> Result<(), CheckpointError> {
        self.each_entry(&mut |knowledge| solver.learn(knowledge))
    }

    /// Calls `each`, which says whether it is of the board, with all entries.
    fn each_entry(&self, each: &mut dyn FnMut(&Knowledge) -> bool) -> Result<(), CheckpointError> {
        let path = || self.file.path().to_owned();
        let failed = |error| CheckpointError::Body { path: path(), error };
        let mut reader = io::BufReader::with_capacity(1 << 18, self.file.read_body().map_err(failed)?);
        let mut bytes = [0; 16 + ENTRY_REST];
        let from = bytes.len() - self.subject().entry_len();
        for number in 0..self.file.header().entries {
            reader.read_exact(&mut bytes[from..]).map_err(failed)?;
            if !each(&entry(bytes)) {
                let what = format!("entry {number} is of no position of {}", self.subject().board);
                return Err(CheckpointError::Nonsense { path: path(), what });
            }
        }
        Ok(())
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl From<Part> for PartRecord {
    fn from(Part { name, answer, numbers }: Part) -> PartRecord {
        PartRecord {
            name,
            winner: answer.winner.map_or(0, |side| if side == Side::Black { 1 } else { 2 }),
            nodes: answer.nodes,
            nanoseconds: nanoseconds(answer.time),
            numbers,
        }
    }
}

impl PartRecord {
    fn part(&self) -> Result<Part, String> {
        let winner = match self.winner {
            0 => None,
            1 => Some(Side::Black),
            2 => Some(Side::White),
            other => return Err(format!("{other} is no winner")),
        };
        let answer = Answer { winner, nodes: self.nodes, time: Duration::from_nanos(self.nanoseconds) };
        Ok(Part { name: self.name.clone(), answer, numbers: self.numbers })
    }
}

/// The least work with which about [`MOST_ENTRIES`] entries are kept at most.
fn worthwhile(histogram: &[u64; 32]) -> u32 {
    let least = LEAST_WORK.ilog2() as usize;
    let mut sum = 0;
    let keep = (least..32).rev().take_while(|&log| {
        sum += histogram[log];
        sum <= MOST_ENTRIES
    });
    1 << keep.last().unwrap_or(31)
}

/// An entry with room for 128 cells; on boards to 64 the first eight bytes are left out.
fn entry_bytes(knowledge: &Knowledge) -> [u8; 16 + ENTRY_REST] {
    let mut bytes = [0; 16 + ENTRY_REST];
    // The lower half last, so that the short form is the end of the long one.
    bytes[..8].copy_from_slice(&((knowledge.occupied >> 64) as u64).to_le_bytes());
    bytes[8..16].copy_from_slice(&(knowledge.occupied as u64).to_le_bytes());
    bytes[16..20].copy_from_slice(&knowledge.phi.to_le_bytes());
    bytes[20..24].copy_from_slice(&knowledge.delta.to_le_bytes());
    bytes[24] = knowledge.work.max(1).ilog2() as u8 | u8::from(knowledge.turn == Side::White) << 7;
    bytes
}

fn entry(bytes: [u8; 16 + ENTRY_REST]) -> Knowledge {
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let half = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    Knowledge {
        occupied: u128::from(word(0)) << 64 | u128::from(word(8)),
        phi: half(16),
        delta: half(20),
        turn: if bytes[24] >> 7 == 0 { Side::Black } else { Side::White },
        work: 1 << (bytes[24] & 31),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip() {
        for (occupied, turn, work) in [(u128::MAX, Side::White, 1), (7 << 70 | 5, Side::Black, 1 << 31)] {
            let knowledge = Knowledge { occupied, turn, phi: 3, delta: u32::MAX, work };
            assert_eq!(entry(entry_bytes(&knowledge)), knowledge);
        }
    }

    #[test]
    fn nonsense_under_right_checksums_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search");
        let size: Size = "4x4".parse().unwrap();
        let rules = Rules { top_left: Side::Black, ..Rules::default() };
        let part =
            |name: &str| PartRecord { name: name.to_owned(), winner: 0, nodes: 1, nanoseconds: 1, numbers: None };
        let good = Header {
            subject: Subject::board(size, &rules),
            parts: vec![part("a4:b4"), part("b3:b4")],
            nodes: 2,
            nanoseconds: 2,
            least_work: 8,
            entries: 1,
        };
        let position = Knowledge { occupied: 0xffff, turn: Side::Black, phi: 1, delta: 1, work: 1 };
        let open = |change: &dyn Fn(&mut Header), knowledge: &Knowledge| {
            let mut header = good.clone();
            change(&mut header);
            let mut writer = Writer::create(&path, KIND).unwrap();
            writer.write_all(&entry_bytes(knowledge)[8..]).unwrap();
            writer.finish(&header).unwrap();
            Checkpoint::open(&path)
        };
        assert_eq!(open(&|_| (), &position).unwrap().parts().len(), 2);
        let single = |header: &mut Header, name: &str| {
            header.subject.removals = None;
            header.parts = vec![part(name)];
        };
        assert!(open(&|header| single(header, ".oxo/.xox/xoxo/oxox x"), &position).is_ok());
        type Change<'a> = &'a dyn Fn(&mut Header);
        let changes: [(Change<'_>, &str); 14] = [
            (&|header| header.parts[1] = part("a4:b4"), "`a4:b4` is there twice"),
            (&|header| header.parts[1] = part("d1:c1"), "`d1:c1` is no part of"),
            (&|header| header.parts[1] = part("z9:z8"), "`z9:z8` is no part of"),
            (&|header| header.parts[1] = part("b4:a4"), "`b4:a4` is no part of"),
            (&|header| header.parts[1] = part("A4:b4"), "`A4:b4` is no part of"),
            (&|header| header.parts[1] = part("a4:b4\x1b[2J"), "is no part of"),
            (&|header| header.parts[1].winner = 3, "3 is no winner"),
            (&|header| single(header, "a4:b4"), "`a4:b4` is no part of positions of 4x4"),
            (&|header| single(header, "..o/oxo/xox x"), "is no part of positions of 4x4"),
            (&|header| header.subject.board = "0x0".to_owned(), "`0x0` is not a board size"),
            (&|header| header.subject.board = "4x4\n".to_owned(), "is not a board size"),
            (&|header| header.subject.top_left = "green".to_owned(), "`green` owns the top-left cell"),
            (&|header| header.subject.removals = Some(("no".to_owned(), "any".to_owned())), "`no`"),
            (&|header| header.subject.version = "0\x1b".to_owned(), "a version with '\\u{1b}'"),
        ];
        let of_no_position = [
            Knowledge { occupied: 0x1_0000, ..position },
            Knowledge { phi: 0, ..position },
            Knowledge { delta: u32::MAX, ..position },
        ];
        let unchanged: Change<'_> = &|_| ();
        let entries = of_no_position.map(|knowledge| (unchanged, knowledge, "entry 0 is of no position of 4x4"));
        for (change, knowledge, what) in
            changes.map(|(change, what)| (change, position, what)).into_iter().chain(entries)
        {
            let error = open(change, &knowledge).unwrap_err();
            assert!(matches!(&error, CheckpointError::Nonsense { .. }) && error.to_string().contains(what), "{error}");
        }
    }

    #[test]
    fn the_costliest_entries_are_kept() {
        let mut histogram = [0; 32];
        assert_eq!(worthwhile(&histogram), 8);
        histogram[3..10].fill(20 << 20);
        assert_eq!(worthwhile(&histogram), 1 << 8);
        histogram[9] = 1 << 40;
        assert_eq!(worthwhile(&histogram), 1 << 10);
    }
}
