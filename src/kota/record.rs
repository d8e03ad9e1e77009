//! A game from its start, move by move.

use std::collections::HashMap;
use std::fmt;

use super::{Ending, Kota, Move, MoveError, MoveTextError, Position, Rules, RulesError, SizeError};

/// A game: the moves from the start. A position that comes up for the third time draws it.
///
/// Text: a first line with the size and the reading of the rules, then the moves, separated by blanks or line breaks; what
/// follows a `#` is skipped.
///
/// ```
/// use papamu::kota::Record;
///
/// let record: Record = "kota 3 flat-columns group simple pass point red\nR1:a1-b2 W1:c3-c2".parse()?;
/// assert_eq!(record.moves().len(), 2);
/// assert_eq!(record.to_string(), "kota 3 flat-columns group simple pass point red\nR1:a1-b2 W1:c3-c2\n");
/// # Ok::<(), papamu::kota::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    kota: Kota,
    positions: Vec<Position>,
    moves: Vec<Move>,
    seen: HashMap<Position, u8>,
}

/// A text that is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The first line.
    #[error("expected a first line such as `kota 4 {}`, found `{found}`", Rules::default())]
    FirstLine {
        /// The line.
        found: String,
    },
    /// The size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A word that is no move.
    #[error("move {number}: {source}")]
    Text {
        /// Which, from 1.
        number: usize,
        /// What is wrong.
        source: MoveTextError,
    },
    /// A move that is not legal.
    #[error("move {number}: {source}")]
    Move {
        /// Which, from 1.
        number: usize,
        /// What is wrong.
        source: MoveError,
    },
}

impl Record {
    /// How often a position must come up to draw the game.
    pub const REPETITIONS: u8 = 3;

    /// A game that begins.
    pub fn new(kota: Kota) -> Record {
        let start = kota.start();
        Record { kota, positions: vec![start], moves: Vec::new(), seen: HashMap::from([(start, 1)]) }
    }

    /// The game's rules and size.
    pub fn kota(&self) -> &Kota {
        &self.kota
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        // There is always the start.
        &self.positions[self.positions.len() - 1]
    }

    /// How often a position has come up.
    pub fn times(&self, position: &Position) -> u8 {
        self.seen.get(position).copied().unwrap_or(0)
    }

    /// How the game ended; `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        let repeated = self.times(self.position()) >= Record::REPETITIONS;
        self.kota.ending(self.position()).or(repeated.then_some(Ending::Repetition))
    }

    /// Makes a move.
    ///
    /// # Errors
    /// When it is not legal or the game is over; the record is then as before.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        if self.ending().is_some() {
            return Err(MoveError::GameOver { mv });
        }
        let next = self.kota.play(self.position(), mv)?;
        self.positions.push(next);
        self.moves.push(mv);
        *self.seen.entry(next).or_insert(0) += 1;
        Ok(())
    }

    /// Takes the last move back; `false` at the start.
    pub fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        if let Some(count) = self.positions.pop().and_then(|last| self.seen.get_mut(&last)) {
            *count -= 1;
        }
        true
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kota {} {}", self.kota.n(), self.kota.rules())?;
        for line in self.moves.chunks(8) {
            writeln!(f, "{}", line.iter().map(Move::to_string).collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut lines = lines.filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let wrong = || RecordError::FirstLine { found: first.to_owned() };
        let (size, rules) = first.strip_prefix("kota ").and_then(|rest| rest.split_once(' ')).ok_or_else(wrong)?;
        let mut record = Record::new(Kota::new(rules.parse()?, size.parse().map_err(|_| wrong())?)?);
        for (number, word) in (1..).zip(lines.flat_map(str::split_whitespace)) {
            let mv = word.parse().map_err(|source| RecordError::Text { number, source })?;
            record.play(mv).map_err(|source| RecordError::Move { number, source })?;
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_occurrence_draws() {
        let mut record = Record::new(Kota::new(Rules::default(), 3).unwrap());
        let there_and_back = ["R1:a1-b2", "W1:c3-c2", "R1:b2-a1", "W1:c2-c3"];
        for mv in there_and_back.iter().chain(&there_and_back) {
            assert_eq!(record.ending(), None);
            record.play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!((record.times(record.position()), record.ending()), (3, Some(Ending::Repetition)));
        let error = record.play("R1:a1-b2".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "R1:a1-b2: the game is over");
        assert!(record.undo());
        assert_eq!((record.ending(), record.moves().len()), (None, 7));
        let again: Record = record.to_string().parse().unwrap();
        assert_eq!((again.moves(), again.to_string()), (record.moves(), record.to_string()));
        while record.undo() {}
        assert_eq!(record.times(record.position()), 1);
    }

    #[test]
    fn wrong_games_say_where() {
        let said = |text: &str| text.parse::<Record>().expect_err(text).to_string();
        assert!(said("").contains("expected a first line such as `kota 4 flat-columns"));
        assert!(said("kota 3").contains("first line"));
        assert!(said("kota 99 flat-columns group simple pass point red").contains("expected 2 to 11"));
        assert!(said("kota 3 flat-columns group simple stay point red").contains("`stay` is not a reading of `stuck`"));
        let rules = "kota 3 flat-columns group simple pass point red # the default";
        assert!(said(&format!("{rules}\nR1:a1-b2 and")).contains("move 2: `and` is not a move"));
        assert!(said(&format!("{rules}\nR1:a1-b2\n\nR1:b2-a1")).contains("move 2: R1:b2-a1: it is White's turn"));
    }
}
