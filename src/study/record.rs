//! The lines of a file of records. This is the only place that knows their form.
//!
//! A file is JSON Lines: one object a line, each line ended by a line feed. Two kinds of object:
//!
//! ```json
//! {"game":"konane","board":"6x6","rules":{"top_left":"black","first_removal":"any","second_removal":"adjacent"},"black":"a6","white":"b6","winner":"white","nodes":107633,"seconds":0.063,"threads":1,"memory":1073741824,"engine":"pn","version":"0.1.0 (0123456789ab)"}
//! {"game":"konane","board":"5x5","rules":{"top_left":"white","first_removal":"corner","second_removal":"adjacent"},"note":"no-first-removal","reason":"…","version":"0.1.0"}
//! ```
//!
//! An object with a `note` is about a board without openings. Keys that are not here are refused: a reader that passed over
//! them could take one game for another.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Size};
use crate::konane::{Opening, Rules, Side};
use crate::search::{Answer, Engine, SolverOptions};

use super::Board;

/// The version that new records name: of the program, with the commit it was built from.
pub(super) const VERSION: &str = env!("PAPAMU_VERSION");

/// One solved opening. Openings that a colour-keeping symmetry maps to each other have one record, that of the canonical one
/// ([`Opening::canonical`]); readers derive the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningRecord {
    game: Game,
    /// The board.
    #[serde(with = "text")]
    pub board: Size,
    /// The rules.
    pub rules: Rules,
    /// The cell Black removes from.
    #[serde(with = "text")]
    pub black: Cell,
    /// The cell White removes from.
    #[serde(with = "text")]
    pub white: Cell,
    /// Who wins with best play.
    pub winner: Side,
    /// Positions expanded for this opening.
    pub nodes: u64,
    /// Wall time of its search; openings are searched side by side.
    pub seconds: f64,
    /// Threads of the study.
    pub threads: usize,
    /// Cap of the transposition table in bytes.
    pub memory: u64,
    /// Which search.
    #[serde(with = "EngineWord")]
    pub engine: Engine,
    /// The version of the program.
    pub version: String,
}

/// A board without openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoteRecord {
    game: Game,
    /// The board.
    #[serde(with = "text")]
    pub board: Size,
    /// The rules.
    pub rules: Rules,
    /// Why there are none.
    pub note: NoteKind,
    /// The same in words.
    pub reason: String,
    /// The version of the program.
    pub version: String,
}

/// Why a board has no openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// The rules leave Black no first removal: there is no game.
    NoFirstRemoval,
    /// White has no stone to remove after any first removal, and has lost.
    NoSecondRemoval,
}

/// One line of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A solved opening.
    Opening(OpeningRecord),
    /// A board without openings.
    Note(NoteRecord),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Game {
    Konane,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Engine")]
enum EngineWord {
    #[serde(rename = "pn")]
    ProofNumber,
    #[serde(rename = "alpha-beta")]
    AlphaBeta,
}

impl OpeningRecord {
    /// How the line of every record begins.
    pub(super) const START: &'static str = r#"{"game":"konane","#;

    /// The record of an opening whose winner is known.
    pub fn new(board: Board, opening: Opening, winner: Side, answer: Answer, options: SolverOptions) -> OpeningRecord {
        OpeningRecord {
            game: Game::Konane,
            board: board.size,
            rules: board.rules,
            black: opening.black,
            white: opening.white,
            winner,
            nodes: answer.nodes,
            // To the microsecond, as everywhere.
            seconds: answer.time.as_micros() as f64 / 1e6,
            threads: options.threads,
            memory: options.memory.bytes(),
            engine: options.engine,
            version: VERSION.to_owned(),
        }
    }

    /// The opening as it was recorded.
    pub fn opening(&self) -> Opening {
        Opening { black: self.black, white: self.white }
    }

    /// The answer of the search.
    pub fn answer(&self) -> Answer {
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or_default();
        Answer { winner: Some(self.winner), nodes: self.nodes, time }
    }
}

impl NoteRecord {
    /// The note of a board without openings; `None` if it has some.
    pub fn of(board: Board) -> Option<NoteRecord> {
        let (note, reason) = match Opening::all(board.size, &board.rules) {
            Err(error) => (NoteKind::NoFirstRemoval, error.to_string()),
            Ok(openings) if openings.is_empty() => {
                (NoteKind::NoSecondRemoval, format!("White has no stone to remove on {} and has lost", board.size))
            }
            Ok(_) => return None,
        };
        Some(NoteRecord {
            game: Game::Konane,
            board: board.size,
            rules: board.rules,
            note,
            reason,
            version: VERSION.to_owned(),
        })
    }
}

impl Line {
    /// The board it is about.
    pub fn board(&self) -> Board {
        match self {
            Line::Opening(record) => Board { size: record.board, rules: record.rules },
            Line::Note(note) => Board { size: note.board, rules: note.rules },
        }
    }

    /// The text, without the line feed.
    ///
    /// # Errors
    /// Never for records made by this program: only a `seconds` that is not finite has no text.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        match self {
            Line::Opening(record) => serde_json::to_string(record),
            Line::Note(note) => serde_json::to_string(note),
        }
    }

    /// Reads a line and checks that the opening is legal under its rules, or that there is none as the note says.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Line, String> {
        let wrong = |error: serde_json::Error| format!("not a record of a study: {error}");
        let is_note = serde_json::from_str::<serde_json::Value>(text).map_err(wrong)?.get("note").is_some();
        if is_note {
            let note: NoteRecord = serde_json::from_str(text).map_err(wrong)?;
            let board = Board { size: note.board, rules: note.rules };
            return match NoteRecord::of(board).map(|true_note| true_note.note) {
                Some(kind) if kind == note.note => Ok(Line::Note(note)),
                Some(_) => {
                    Err(format!("the note on {} says otherwise than its rules why it has no openings", note.board))
                }
                None => Err(format!("a note says that {} has no openings under its rules: it has", note.board)),
            };
        }
        let record: OpeningRecord = serde_json::from_str(text).map_err(wrong)?;
        let legal = record.opening().position(record.board, &record.rules);
        legal.map_err(|error| format!("{} on {}: {error}", record.opening(), record.board))?;
        if !(record.seconds.is_finite() && record.seconds >= 0.0) {
            return Err(format!("`seconds` is {}, expected a time", record.seconds));
        }
        Ok(Line::Opening(record))
    }
}

/// Values that are written as the text people type.
mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = concat!(
        r#"{"game":"konane","board":"6x6","rules":{"top_left":"black","first_removal":"any","second_removal":"adjacent"},"#,
        r#""black":"a6","white":"b6","winner":"white","nodes":107633,"seconds":0.063,"threads":1,"memory":1073741824,"#,
        r#""engine":"pn","version":"0.1.0"}"#
    );
    const NOTE: &str = concat!(
        r#"{"game":"konane","board":"5x5","rules":{"top_left":"white","first_removal":"corner","second_removal":"any"},"#,
        r#""note":"no-first-removal","reason":"none","version":"0.1.0"}"#
    );

    #[test]
    fn lines_are_frozen() {
        for text in [LINE, NOTE] {
            assert_eq!(Line::parse(text).unwrap().to_text().unwrap(), text);
            assert!(text.starts_with(OpeningRecord::START));
        }
    }

    #[test]
    fn a_note_is_believed_only_where_it_is_true() {
        for (from, to, reason) in [
            ("5x5", "4x4", "a note says that 4x4 has no openings under its rules: it has"),
            ("\"top_left\":\"white\"", "\"top_left\":\"black\"", "it has"),
            ("no-first-removal", "no-second-removal", "says otherwise"),
        ] {
            let error = Line::parse(&NOTE.replace(from, to)).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        // Black removes the only stone there is.
        let alone = NOTE.replace("5x5", "1x1").replace("\"top_left\":\"white\"", "\"top_left\":\"black\"");
        assert!(Line::parse(&alone.replace("no-first", "no-second")).is_ok());
        assert!(Line::parse(&alone).is_err());
    }

    #[test]
    fn anything_else_is_refused_with_the_reason() {
        for (from, to, reason) in [
            ("konane", "kota", "unknown variant `kota`"),
            ("\"white\",\"nodes\"", "\"unknown\",\"nodes\"", "unknown variant `unknown`"),
            ("6x6", "0x6", "at least one row"),
            ("\"b6\"", "\"b7\"", "b7 is not on the 6x6 board"),
            ("\"b6\"", "\"a4\"", "a4 is a Black cell"),
            ("\"b6\"", "\"b4\"", "b4 may not be removed second"),
            ("\"any\"", "\"some\"", "unknown variant `some`"),
            ("\"nodes\":107633,", "", "missing field `nodes`"),
            ("\"nodes\"", "\"knots\"", "unknown field `knots`"),
            ("\"top_left\"", "\"passing\":true,\"top_left\"", "unknown field `passing`"),
            ("0.063", "-1.0", "`seconds` is -1"),
            ("}", "", "not a record of a study"),
        ] {
            assert!(LINE.contains(from), "{from}");
            let error = Line::parse(&LINE.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(reason), "{to}: {error}");
        }
        assert!(Line::parse("").is_err() && Line::parse("3").is_err() && Line::parse("[]").is_err());
        assert!(Line::parse(&NOTE.replace("no-first", "no-last")).unwrap_err().contains("no-last-removal"));
    }
}
