//! The collection of games, and what every form knows of itself.

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::arena::{Arena, Form, Made, Node};
use super::memo::{Comparisons, Sums, Switches};
use super::{Dyadic, GameError, Nus, Outcome, Player};

/// A short game in canonical form, by its number in the [`Games`] that made it. Within one collection equal games have
/// equal numbers; across collections numbers mean nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Game(pub(super) u32);

impl Game {
    /// The number, for tables of games.
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// The game of a number that [`Game::number`] gave.
    pub(crate) const fn from_number(number: u32) -> Game {
        Game(number)
    }
}

/// A collection of short games, each in its canonical form and stored once.
///
/// May be shared by threads. Memory has a bound: what would exceed it is [`GameError::Memory`], and everything known
/// before stays good.
///
/// ```
/// use papamu::cgt::{Comparison, Games, Outcome};
///
/// let games = Games::new(16 << 20);
/// let (zero, star) = (games.zero(), games.star(1)?);
/// let up = games.game([zero], [star])?;
/// assert_eq!(up, games.parse("^")?);
/// assert_eq!(games.compare(up, zero)?, Comparison::Greater);
/// assert_eq!(games.compare(up, star)?, Comparison::Confused);
/// // Two ups and a star, and the switch {1|-1} added to itself.
/// assert_eq!(games.text(games.add(games.add(up, up)?, star)?)?, "^2*");
/// let switch = games.parse("{1|-1}")?;
/// assert_eq!(games.add(switch, switch)?, zero);
/// assert_eq!(games.outcome(switch)?, Outcome::Next);
/// # Ok::<(), papamu::cgt::GameError>(())
/// ```
pub struct Games {
    pub(super) arena: Arena,
    pub(super) comparisons: Comparisons,
    pub(super) sums: Sums,
    pub(super) switches: Switches,
    stopped: AtomicBool,
    interrupt: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").field("len", &self.len()).field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

/// The options of one side of a game.
#[derive(Clone, Debug)]
pub struct Options<'a>(Few<'a>);

#[derive(Clone, Debug)]
enum Few<'a> {
    Stored(&'a [Game]),
    Many(Vec<Game>),
}

impl Deref for Options<'_> {
    type Target = [Game];

    fn deref(&self) -> &[Game] {
        match &self.0 {
            Few::Stored(games) => games,
            Few::Many(games) => games,
        }
    }
}

thread_local! {
    /// Calls of [`Games::tick`] by this thread, whatever the collection.
    static TICKS: Cell<u32> = const { Cell::new(0) };
}

/// How deep a recursion is.
pub(super) type Depth = u32;

impl Games {
    /// Games with more moves in a row than this are refused; their comparison would need too much stack.
    pub const MAX_DEPTH: u32 = 500;
    /// The logarithm of the most places in a table of comparisons or sums.
    const MOST_BITS: u32 = 17;
    /// The least memory: what is asked for below is raised to it.
    pub const LEAST_BYTES: u64 = Arena::LEAST + Comparisons::bytes(8) + Sums::bytes(8) + Switches::bytes(8);

    /// An empty collection that takes at most `bytes` of memory ([`Games::LEAST_BYTES`] if that is more).
    pub fn new(bytes: u64) -> Games {
        Games::build(bytes, None)
    }

    /// The same, with a question asked from time to time: work ends with [`GameError::Interrupted`] when its answer is
    /// yes.
    pub fn with_interrupt(bytes: u64, interrupt: impl Fn() -> bool + Send + Sync + 'static) -> Games {
        Games::build(bytes, Some(Box::new(interrupt)))
    }

    fn build(bytes: u64, interrupt: Option<Box<dyn Fn() -> bool + Send + Sync>>) -> Games {
        // At most an eighth of the memory for each table, as far as they are useful: more would leave the cache.
        let bits = (bytes / 128).clamp(1 << 8, 1 << Self::MOST_BITS).ilog2();
        let tables = Comparisons::bytes(bits) + Sums::bytes(bits) + Switches::bytes(bits);
        let games = Games {
            arena: Arena::new(bytes.saturating_sub(tables)),
            comparisons: Comparisons::new(bits),
            sums: Sums::new(bits),
            switches: Switches::new(bits),
            stopped: AtomicBool::new(false),
            interrupt,
        };
        // The first game; every arena has room for it.
        let zero = games.nus(Nus::default());
        debug_assert_eq!(zero, Ok(Game(0)));
        games
    }

    /// How many canonical forms are stored.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// Never: every collection has zero.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory in use, the fixed tables not counted.
    pub fn bytes(&self) -> u64 {
        self.arena.used()
    }

    /// The game without moves.
    pub fn zero(&self) -> Game {
        Game(0)
    }

    /// A number.
    ///
    /// # Errors
    /// [`GameError::Memory`].
    pub fn number(&self, number: Dyadic) -> Result<Game, GameError> {
        self.nus(Nus::number(number))
    }

    /// The nimber `*n`.
    ///
    /// # Errors
    /// [`GameError::Memory`], or [`GameError::Range`] past [`Nus::MAX_COUNT`].
    pub fn star(&self, n: u32) -> Result<Game, GameError> {
        self.nus(Nus { star: n, ..Nus::default() })
    }

    /// `n` ups, or downs where `n` is negative.
    ///
    /// # Errors
    /// [`GameError::Memory`], or [`GameError::Range`] past [`Nus::MAX_COUNT`].
    pub fn up(&self, n: i32) -> Result<Game, GameError> {
        self.nus(Nus { ups: n, ..Nus::default() })
    }

    /// A number, ups and a nimber.
    ///
    /// # Errors
    /// [`GameError::Memory`], or [`GameError::Range`] past [`Nus::MAX_COUNT`].
    pub fn nus(&self, nus: Nus) -> Result<Game, GameError> {
        if nus.ups.unsigned_abs() > Nus::MAX_COUNT || nus.star >= Nus::MAX_COUNT {
            return Err(GameError::Range);
        }
        self.arena.intern_nus(nus)
    }

    /// The number-up-star form of a game that has one.
    pub fn as_nus(&self, game: Game) -> Option<Nus> {
        match self.arena.node(game).form {
            Form::Nus(nus) => Some(nus),
            Form::Options { .. } => None,
        }
    }

    /// The number that a game is, if it is one.
    pub fn as_number(&self, game: Game) -> Option<Dyadic> {
        self.as_nus(game).filter(|nus| nus.is_number()).map(|nus| nus.number)
    }

    /// The game with these options, in canonical form.
    ///
    /// # Errors
    /// When memory, depth or numbers leave their bounds.
    pub fn game(
        &self,
        left: impl IntoIterator<Item = Game>,
        right: impl IntoIterator<Item = Game>,
    ) -> Result<Game, GameError> {
        self.game_of(&mut left.into_iter().collect(), &mut right.into_iter().collect())
    }

    /// [`Games::game`] on vectors that can be used again; what is in them afterwards means nothing.
    ///
    /// # Errors
    /// As [`Games::game`].
    pub(crate) fn game_of(&self, left: &mut Vec<Game>, right: &mut Vec<Game>) -> Result<Game, GameError> {
        self.canonical(left, right, 0)
    }

    /// The options of Left in the canonical form.
    ///
    /// # Errors
    /// [`GameError::Memory`]: options of numbers, ups and nimbers are made when asked for.
    pub fn left_options(&self, game: Game) -> Result<Options<'_>, GameError> {
        self.side(game, Player::Left)
    }

    /// The options of Right in the canonical form.
    ///
    /// # Errors
    /// [`GameError::Memory`]: options of numbers, ups and nimbers are made when asked for.
    pub fn right_options(&self, game: Game) -> Result<Options<'_>, GameError> {
        self.side(game, Player::Right)
    }

    #[inline]
    fn side(&self, game: Game, player: Player) -> Result<Options<'_>, GameError> {
        let node = self.arena.node(game);
        let (options, left) = match (&node.form, node.made.get()) {
            (Form::Options { options, left }, _) => (&**options, *left),
            (Form::Nus(_), Some(made)) => (&made.options[..made.count.into()], made.left.into()),
            (Form::Nus(nus), None) => return self.make(node, *nus, player),
        };
        Ok(Options(Few::Stored(match player {
            Player::Left => &options[..left as usize],
            Player::Right => &options[left as usize..],
        })))
    }

    /// The options of a number, ups and a nimber, remembered if they are few.
    #[cold]
    fn make<'a>(&'a self, node: &'a Node, nus: Nus, player: Player) -> Result<Options<'a>, GameError> {
        let (left, right) = (nus.left(), nus.right());
        if left.count() + right.count() <= Made::MOST {
            let mut made = Made::default();
            for (options, is_left) in [(left, true), (right, false)] {
                for at in 0..options.count() {
                    made.options[usize::from(made.count)] = self.nus(options.get(at))?;
                    made.count += 1;
                    made.left += u8::from(is_left);
                }
            }
            let made = node.made.get_or_init(|| made);
            let (count, left) = (made.count.into(), made.left.into());
            return Ok(Options(Few::Stored(match player {
                Player::Left => &made.options[..left],
                Player::Right => &made.options[left..count],
            })));
        }
        let options = if player == Player::Left { left } else { right };
        let options = (0..options.count()).map(|at| self.nus(options.get(at)));
        Ok(Options(Few::Many(options.collect::<Result<_, _>>()?)))
    }

    /// The options of a player in the canonical form.
    ///
    /// # Errors
    /// As [`Games::left_options`].
    pub fn options(&self, game: Game, player: Player) -> Result<Options<'_>, GameError> {
        match player {
            Player::Left => self.left_options(game),
            Player::Right => self.right_options(game),
        }
    }

    /// Where the game stops when Left moves first and both stop at numbers.
    pub fn left_stop(&self, game: Game) -> Dyadic {
        self.arena.stops(game).left
    }

    /// Where the game stops when Right moves first and both stop at numbers.
    pub fn right_stop(&self, game: Game) -> Dyadic {
        self.arena.stops(game).right
    }

    /// The depth of the canonical form.
    pub fn birthday(&self, game: Game) -> u64 {
        self.arena.node(game).birthday
    }

    /// A place of the game in an order of storage: the options of a stored form come before it. The order says nothing about
    /// values.
    pub fn storage_rank(&self, game: Game) -> u32 {
        game.0
    }

    /// Whether the game lies between all negative and all positive numbers.
    pub fn is_infinitesimal(&self, game: Game) -> bool {
        let stops = self.arena.stops(game);
        stops.left.is_zero() && stops.right.is_zero()
    }

    /// Whether both sides gain by moving first: the left stop is above the right one.
    pub fn is_hot(&self, game: Game) -> bool {
        let stops = self.arena.stops(game);
        stops.left > stops.right
    }

    /// Who wins.
    ///
    /// # Errors
    /// When memory or depth leave their bounds.
    pub fn outcome(&self, game: Game) -> Result<Outcome, GameError> {
        let (at_most, at_least) = (self.le(game, self.zero())?, self.le(self.zero(), game)?);
        Ok(match (at_most, at_least) {
            (true, true) => Outcome::Previous,
            (true, false) => Outcome::Right,
            (false, true) => Outcome::Left,
            (false, false) => Outcome::Next,
        })
    }

    /// Asks the interrupt once in a while, and refuses what is too deep.
    pub(super) fn tick(&self, depth: Depth) -> Result<(), GameError> {
        if depth > Self::MAX_DEPTH {
            return Err(GameError::Depth { limit: Self::MAX_DEPTH });
        }
        if let Some(interrupt) = &self.interrupt {
            // Each thread counts for itself: one counter for all would be carried between the cores all the time.
            let ticks = TICKS.get().wrapping_add(1);
            TICKS.set(ticks);
            if ticks.is_multiple_of(1024) && interrupt() {
                self.stopped.store(true, Relaxed);
            }
            if self.stopped.load(Relaxed) {
                return Err(GameError::Interrupted);
            }
        }
        Ok(())
    }
}
