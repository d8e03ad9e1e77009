//! Value text: reading and printing.
//!
//! Printed is one form for each value: a number `3/4`, then `^` (up) or `v` (down) with its count if that is not 1, then `*`
//! or `*2`; other games as `{L|R}` with the options of a side separated by commas, simple ones first. Read are these, and
//! from the literature and CGSuite: blanks, `||` and longer bars in place of inner braces, `^^` and `vv`, `↑`, `↓`, `±x` and
//! `+-x` for {x|-x}, `+_x` and `-_x` and `Tiny(x)`, `Miny(x)` for {0||0|-x} and its negative.

use std::cmp::Ordering;

use super::{Dyadic, Game, GameError, Games, Nus};

/// Why a text is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueTextError {
    /// Something else was expected at a place.
    #[error("`{found}` at character {at} of the value: expected {expected}")]
    Unexpected {
        /// What stands there.
        found: String,
        /// Where, from 1.
        at: usize,
        /// What could stand there.
        expected: &'static str,
    },
    /// The text ends too early.
    #[error("the value ends early: expected {expected}")]
    End {
        /// What is missing.
        expected: &'static str,
    },
    /// More braces inside each other than can be read.
    #[error("the value has more than {limit} braces inside each other, at character {at}")]
    TooDeep {
        /// The greatest depth.
        limit: usize,
        /// Where, from 1.
        at: usize,
    },
    /// A denominator that is no power of two.
    #[error("`{found}` at character {at} is not the denominator of a value: expected a power of two up to 2^60")]
    Denominator {
        /// The number.
        found: String,
        /// Where, from 1.
        at: usize,
    },
    /// The value is well formed but cannot be built.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<ValueTextError> for GameError {
    /// For callers who read texts of their own: what is wrong with the text itself becomes [`GameError::Text`].
    fn from(error: ValueTextError) -> GameError {
        match error {
            ValueTextError::Game(error) => error,
            other => GameError::Text(Box::new(other)),
        }
    }
}

impl Games {
    /// Braces inside each other that can be read.
    pub const MAX_BRACES: usize = 200;
    /// Characters that [`Games::text`] prints at most.
    pub const MAX_TEXT: u64 = 1 << 20;

    /// The value of a text.
    ///
    /// # Errors
    /// When the text is no value, or one that leaves the bounds of memory, depth or numbers.
    pub fn parse(&self, text: &str) -> Result<Game, ValueTextError> {
        let mut parser = Parser { games: self, chars: text.chars().collect(), at: 0, braces: 0 };
        let game = parser.value()?;
        parser.skip_blanks();
        match parser.peek() {
            None => Ok(game),
            Some(_) => Err(parser.unexpected("the end of the value")),
        }
    }

    /// The text of a value.
    ///
    /// # Errors
    /// [`GameError::LongText`] when it would be longer than [`Games::MAX_TEXT`]; [`GameError::Memory`].
    pub fn text(&self, game: Game) -> Result<String, GameError> {
        self.text_within(game, Self::MAX_TEXT)
    }

    /// The text of a value, if it has at most this many characters.
    ///
    /// # Errors
    /// [`GameError::LongText`] when it is longer.
    pub fn text_within(&self, game: Game, limit: u64) -> Result<String, GameError> {
        let mut text = String::new();
        self.write(game, &mut text, limit, 0)?;
        Ok(text)
    }

    fn write(&self, game: Game, text: &mut String, limit: u64, depth: u32) -> Result<(), GameError> {
        self.tick(depth)?;
        if text.len() as u64 > limit {
            return Err(GameError::LongText { limit });
        }
        if let Some(nus) = self.as_nus(game) {
            text.push_str(&nus.to_string());
            return Ok(());
        }
        text.push('{');
        for (side, options) in [self.left_options(game)?, self.right_options(game)?].iter().enumerate() {
            if side == 1 {
                text.push('|');
            }
            let mut options = options.to_vec();
            self.sort_for_text(&mut options);
            for (at, &option) in options.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                self.write(option, text, limit, depth + 1)?;
            }
        }
        text.push('}');
        if text.len() as u64 > limit {
            return Err(GameError::LongText { limit });
        }
        Ok(())
    }

    /// Sorts games as [`Games::text`] prints them: an order that depends on the games alone and says nothing about who is
    /// better.
    pub fn sort_for_text(&self, games: &mut [Game]) {
        games.sort_by(|&a, &b| self.text_order(a, b));
    }

    /// A total order that depends on the games alone, for printing and nothing else: simple forms first.
    fn text_order(&self, a: Game, b: Game) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        match (self.as_nus(a), self.as_nus(b)) {
            (Some(a), Some(b)) => {
                let key = |nus: Nus| (nus.number, nus.ups.unsigned_abs(), nus.ups < 0, nus.star);
                key(a).cmp(&key(b))
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => {
                let stops = |game| (self.birthday(game), self.left_stop(game), self.right_stop(game));
                stops(a).cmp(&stops(b)).then_with(|| {
                    for (a, b) in
                        [(self.left_options(a), self.left_options(b)), (self.right_options(a), self.right_options(b))]
                    {
                        // The options of forms that are no simple ones are stored, so asking cannot fail.
                        let (Ok(a), Ok(b)) = (a, b) else { return Ordering::Equal };
                        let (mut a, mut b) = (a.to_vec(), b.to_vec());
                        self.sort_for_text(&mut a);
                        self.sort_for_text(&mut b);
                        let unequal = a.iter().zip(&b).find(|(x, y)| x != y);
                        let order = unequal.map_or(a.len().cmp(&b.len()), |(&x, &y)| self.text_order(x, y));
                        if order != Ordering::Equal {
                            return order;
                        }
                    }
                    Ordering::Equal
                })
            }
        }
    }
}

impl std::fmt::Display for Nus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        if !self.number.is_zero() || self.is_number() {
            text += &self.number.to_string();
        }
        let count = |n: u32| if n == 1 { String::new() } else { n.to_string() };
        if self.ups != 0 {
            text.push(if self.ups > 0 { '^' } else { 'v' });
            text += &count(self.ups.unsigned_abs());
        }
        if self.star > 0 {
            text.push('*');
            text += &count(self.star);
        }
        f.pad(&text)
    }
}

struct Parser<'a> {
    games: &'a Games,
    chars: Vec<char>,
    at: usize,
    braces: usize,
}

/// A piece of what stands in braces: the games of one comma list, and how many bars follow it.
type Piece = (Vec<Game>, usize);

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let found = wanted.chars().enumerate().all(|(n, c)| self.chars.get(self.at + n) == Some(&c));
        if found {
            self.at += wanted.chars().count();
        }
        found
    }

    fn unexpected(&self, expected: &'static str) -> ValueTextError {
        match self.peek() {
            Some(found) => ValueTextError::Unexpected { found: found.to_string(), at: self.at + 1, expected },
            None => ValueTextError::End { expected },
        }
    }

    fn value(&mut self) -> Result<Game, ValueTextError> {
        self.skip_blanks();
        let games = self.games;
        if self.braces >= Games::MAX_BRACES {
            return Err(ValueTextError::TooDeep { limit: Games::MAX_BRACES, at: self.at + 1 });
        }
        self.braces += 1;
        let game = if self.eat("{") {
            self.braced()?
        } else if self.eat("±") || self.eat("+-") {
            let game = self.value()?;
            games.game([game], [games.neg(game)?])?
        } else if self.eat("+_") {
            self.tiny()?
        } else if self.eat("-_") {
            games.neg(self.tiny()?)?
        } else if self.eat("Tiny") || self.eat("tiny") {
            self.tiny()?
        } else if self.eat("Miny") || self.eat("miny") {
            games.neg(self.tiny()?)?
        } else if self.eat("(") {
            let game = self.value()?;
            self.skip_blanks();
            if !self.eat(")") {
                return Err(self.unexpected("`)`"));
            }
            game
        } else {
            self.simple()?
        };
        self.braces -= 1;
        Ok(game)
    }

    /// {0 || 0 | -x}.
    fn tiny(&mut self) -> Result<Game, ValueTextError> {
        let (games, game) = (self.games, self.value()?);
        let threat = games.game([games.zero()], [games.neg(game)?])?;
        Ok(games.game([games.zero()], [threat])?)
    }

    /// A number, ups and a star, of which at least one is there.
    fn simple(&mut self) -> Result<Game, ValueTextError> {
        const WANTED: &str = "a number, ^, v, * or {";
        let start = self.at;
        let mut nus = Nus::default();
        if self.peek().is_some_and(|c| c == '-' || c == '+' || c.is_ascii_digit()) {
            nus.number = self.number()?;
        }
        let (first, ups) = (self.at, self.peek());
        if let Some(c @ ('^' | '↑' | 'v' | '↓')) = ups {
            let mut count = 0;
            while self.peek() == Some(c) {
                (self.at, count) = (self.at + 1, count + 1);
            }
            if count == 1 && self.peek().is_some_and(|c| c.is_ascii_digit()) {
                count = self.count()?;
            }
            let count = i32::try_from(count).map_err(|_| GameError::Range)?;
            nus.ups = if matches!(c, '^' | '↑') { count } else { -count };
        }
        if self.eat("*") {
            nus.star = 1;
            if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                nus.star = u32::try_from(self.count()?).map_err(|_| GameError::Range)?;
            }
        } else if self.at == first && first == start {
            return Err(self.unexpected(WANTED));
        }
        Ok(self.games.nus(nus)?)
    }

    fn count(&mut self) -> Result<i64, ValueTextError> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if start == self.at {
            return Err(self.unexpected("a digit"));
        }
        let digits: String = self.chars[start..self.at].iter().collect();
        Ok(digits.parse().map_err(|_| GameError::Range)?)
    }

    fn number(&mut self) -> Result<Dyadic, ValueTextError> {
        let negative = self.peek() == Some('-');
        if negative || self.peek() == Some('+') {
            self.at += 1;
        }
        let numerator = self.count()?;
        let mut exponent = 0;
        if self.eat("/") {
            let at = self.at + 1;
            let denominator = match self.count() {
                Err(ValueTextError::Game(_)) => 0,
                other => other?,
            };
            if denominator <= 0 || denominator & (denominator - 1) != 0 {
                let found = self.chars[at - 1..self.at].iter().collect();
                return Err(ValueTextError::Denominator { found, at });
            }
            exponent = denominator.trailing_zeros();
        }
        Ok(Dyadic::new(if negative { -numerator } else { numerator }, exponent)?)
    }

    /// What stands between braces, the opening one having been read.
    fn braced(&mut self) -> Result<Game, ValueTextError> {
        let mut pieces: Vec<Piece> = Vec::new();
        loop {
            let games = self.list()?;
            let bars = self.bars();
            pieces.push((games, bars));
            if bars > 0 {
                continue;
            }
            if self.eat("}") {
                break;
            }
            return Err(self.unexpected("`,`, `|` or `}`"));
        }
        if pieces.len() < 2 {
            self.at -= 1;
            return Err(self.unexpected("`|`"));
        }
        self.build(&pieces)
    }

    fn bars(&mut self) -> usize {
        self.skip_blanks();
        let start = self.at;
        while self.eat("|") {}
        self.at - start
    }

    fn list(&mut self) -> Result<Vec<Game>, ValueTextError> {
        let mut games = Vec::new();
        loop {
            self.skip_blanks();
            if games.is_empty() && matches!(self.peek(), Some('|' | '}')) {
                return Ok(games);
            }
            games.push(self.value()?);
            self.skip_blanks();
            if !self.eat(",") {
                return Ok(games);
            }
        }
    }

    /// The game of pieces with bars between them: the longest bars part it first, and of equal ones the first.
    fn build(&mut self, pieces: &[Piece]) -> Result<Game, ValueTextError> {
        let between = &pieces[..pieces.len() - 1];
        let longest = between.iter().map(|&(_, bars)| bars).max().unwrap_or(0);
        let at = between.iter().position(|&(_, bars)| bars == longest).unwrap_or(0);
        if between.iter().filter(|&&(_, bars)| bars == longest).count() > 1 {
            return Err(ValueTextError::Unexpected {
                found: "|".repeat(longest),
                at: self.at,
                expected: "one longest run of bars in each pair of braces",
            });
        }
        let mut side = |pieces: &[Piece]| match pieces {
            [(games, _)] => Ok(games.clone()),
            more => self.build(more).map(|game| vec![game]),
        };
        let (left, right) = (side(&pieces[..=at])?, side(&pieces[at + 1..])?);
        Ok(self.games.game(left, right)?)
    }
}
