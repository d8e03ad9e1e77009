//! The partial order of games.

use super::games::Depth;
use super::{Game, GameError, Games};

/// How two games stand to each other. The order is partial, which is why games do not implement `PartialOrd`: a game that
/// is not less may well be not greater either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The first is less: worse for Left.
    Less,
    /// The same value.
    Equal,
    /// The first is greater: better for Left.
    Greater,
    /// Neither is at least the other: who moves first wins their difference.
    Confused,
}

/// A player of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Whose advantages are positive.
    Left,
    /// The other one.
    Right,
}

impl Player {
    /// The opponent.
    pub const fn other(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

/// Who wins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Left, whoever starts: the game is positive.
    Left,
    /// Right, whoever starts: the game is negative.
    Right,
    /// Who starts: the game is confused with zero.
    Next,
    /// Who does not start: the game is zero.
    Previous,
}

impl Outcome {
    /// `L`, `R`, `N` or `P`.
    pub const fn letter(self) -> char {
        match self {
            Outcome::Left => 'L',
            Outcome::Right => 'R',
            Outcome::Next => 'N',
            Outcome::Previous => 'P',
        }
    }

    /// The outcome when these players win by moving first as Left and as Right.
    pub const fn from_winners(left_first: Player, right_first: Player) -> Outcome {
        match (left_first, right_first) {
            (Player::Left, Player::Left) => Outcome::Left,
            (Player::Right, Player::Right) => Outcome::Right,
            (Player::Left, Player::Right) => Outcome::Next,
            (Player::Right, Player::Left) => Outcome::Previous,
        }
    }

    /// Who wins when `first` moves first.
    pub fn winner(self, first: Player) -> Player {
        match self {
            Outcome::Left => Player::Left,
            Outcome::Right => Player::Right,
            Outcome::Next => first,
            Outcome::Previous => first.other(),
        }
    }
}

impl Games {
    /// Whether `a <= b`.
    ///
    /// # Errors
    /// When memory or depth leave their bounds.
    pub fn le(&self, a: Game, b: Game) -> Result<bool, GameError> {
        self.le_at(a, b, 0)
    }

    /// How `a` stands to `b`.
    ///
    /// # Errors
    /// When memory or depth leave their bounds.
    pub fn compare(&self, a: Game, b: Game) -> Result<Comparison, GameError> {
        Ok(match (self.le(a, b)?, self.le(b, a)?) {
            (true, true) => Comparison::Equal,
            (true, false) => Comparison::Less,
            (false, true) => Comparison::Greater,
            (false, false) => Comparison::Confused,
        })
    }

    /// a <= b unless some option of Left of a is at least b, or some option of Right of b is at most a (Conway, *On Numbers
    /// and Games*). The stops decide most cases: a < b if a stops below b whoever starts, and a <= b only if it does so
    /// with either side starting.
    pub(super) fn le_at(&self, a: Game, b: Game, depth: Depth) -> Result<bool, GameError> {
        if a == b {
            return Ok(true);
        }
        let (x, y) = (self.arena.stops(a), self.arena.stops(b));
        if x.left < y.right {
            return Ok(true);
        }
        if x.left > y.left || x.right > y.right {
            return Ok(false);
        }
        let (small_a, small_b) = (self.as_nus(a), self.as_nus(b));
        if let (Some(a), Some(b)) = (small_a, small_b) {
            return Ok(a.le(b));
        }
        if let Some(known) = self.comparisons.get(a, b) {
            return Ok(known);
        }
        self.tick(depth)?;
        // One of them is no number, so that moves in the other need no look if it is one (number avoidance).
        let mut answer = true;
        if !small_a.is_some_and(|nus| nus.is_number()) {
            for &option in self.left_options(a)?.iter() {
                if self.le_at(b, option, depth + 1)? {
                    answer = false;
                    break;
                }
            }
        }
        if answer && !small_b.is_some_and(|nus| nus.is_number()) {
            for &option in self.right_options(b)?.iter() {
                if self.le_at(option, a, depth + 1)? {
                    answer = false;
                    break;
                }
            }
        }
        self.comparisons.set(a, b, answer);
        Ok(answer)
    }
}
