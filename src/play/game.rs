//! A game as it is played and kept: on one line, with its board and rules.

use std::fmt;

use crate::board::{Size, SizeError};
use crate::konane::{
    FirstRemoval, Ply, PlyError, Record, RecordError, Rules, RulesError, SecondRemoval, Side, SideError,
};

/// A record and how it ended. Text: the board, those rules that are not the default, the turns, and `resigns` where the
/// side to move gave up:
///
/// ```
/// use papamu::play::Game;
/// let text = "4x4 top-left=white first-removal=any b4 a4 d4-b4 resigns";
/// let game = Game::parse(text, None, Default::default())?;
/// assert_eq!(game.to_string(), text);
/// assert_eq!(game.winner(), Some(papamu::konane::Side::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    record: Record,
    resigned: bool,
}

/// Why a text is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The first word looks like a board and is none.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Nobody says on which board.
    #[error("the board is missing: expected RxC before the moves, or --board RxC")]
    NoBoard,
    /// The text says one board and the caller another.
    #[error("the game is on {found}: expected {expected}")]
    OtherBoard {
        /// The board of the caller.
        expected: Size,
        /// The board of the text.
        found: Size,
    },
    /// A word with `=` is no rule.
    #[error("`{found}` is not a rule of the game: expected top-left=, first-removal= or second-removal=")]
    Rule {
        /// The word.
        found: String,
    },
    /// A removal rule has an unknown value, or the rules leave no removal.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The owner of the top-left cell is no side.
    #[error(transparent)]
    Side(#[from] SideError),
    /// A turn is not well written or not legal.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The game goes on after its end.
    #[error("`{found}` after `resigns`: expected the end of the game")]
    AfterTheEnd {
        /// What follows.
        found: String,
    },
}

impl Game {
    /// A game with nothing played.
    ///
    /// # Errors
    /// When the rules leave Black no removal.
    pub fn new(size: Size, rules: Rules) -> Result<Game, RulesError> {
        rules.first_removals(size)?;
        Ok(Game { record: Record::new(size, rules), resigned: false })
    }

    /// Reads a game. `size` is the board of a text that names none; a text that names one must name this one. `rules` are
    /// those that the text does not change.
    ///
    /// # Errors
    /// The first word that is wrong.
    pub fn parse(text: &str, size: Option<Size>, rules: Rules) -> Result<Game, GameError> {
        let mut words = text.split_whitespace().peekable();
        let named = words.next_if(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
        let size = match (named.map(str::parse::<Size>).transpose()?, size) {
            (Some(found), Some(expected)) if found != expected => {
                return Err(GameError::OtherBoard { expected, found });
            }
            (found, expected) => found.or(expected).ok_or(GameError::NoBoard)?,
        };
        let mut rules = rules;
        while let Some(word) = words.next_if(|word| word.contains('=')) {
            match word.split_once('=') {
                Some(("top-left", value)) => rules.top_left = value.parse()?,
                Some(("first-removal", value)) => rules.first_removal = value.parse()?,
                Some(("second-removal", value)) => rules.second_removal = value.parse()?,
                _ => return Err(GameError::Rule { found: word.to_owned() }),
            }
        }
        let mut game = Game::new(size, rules)?;
        for (ply, word) in (1..).zip(words) {
            if game.resigned {
                return Err(GameError::AfterTheEnd { found: word.to_owned() });
            }
            match word {
                "resigns" => game.resigned = true,
                _ => {
                    let turn = game.record.read(word);
                    turn.and_then(|turn| game.record.play(turn)).map_err(|source| RecordError { ply, source })?;
                }
            }
        }
        Ok(game)
    }

    /// The turns so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Plays a turn.
    ///
    /// # Errors
    /// Which rule it breaks; nothing is changed then.
    pub fn play(&mut self, ply: Ply) -> Result<(), PlyError> {
        self.record.play(ply)
    }

    /// The side to move gives up.
    pub fn resign(&mut self) {
        self.resigned = true;
    }

    /// Takes back the last turn, or the giving up; `false` where nothing is played.
    pub fn undo(&mut self) -> bool {
        std::mem::take(&mut self.resigned) || self.record.undo().is_some()
    }

    /// Whether the side to move gave up.
    pub fn is_resigned(&self) -> bool {
        self.resigned
    }

    /// Who has won; `None`: the game goes on.
    pub fn winner(&self) -> Option<Side> {
        let over = self.resigned || self.record.choices().is_empty();
        over.then(|| self.record.turn().other())
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, rules) = (self.record.size(), self.record.rules());
        let mut words = vec![size.to_string()];
        if rules.top_left != Side::Black {
            words.push(format!("top-left={}", rules.top_left));
        }
        if rules.first_removal != FirstRemoval::default() {
            words.push(format!("first-removal={}", rules.first_removal));
        }
        if rules.second_removal != SecondRemoval::default() {
            words.push(format!("second-removal={}", rules.second_removal));
        }
        words.extend(self.record.plies().iter().map(Ply::to_string));
        if self.resigned {
            words.push("resigns".to_owned());
        }
        f.pad(&words.join(" "))
    }
}
