//! Results worth remembering, in tables of fixed size where a new one displaces an old one.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::Game;

/// Comparisons: one word holds both games and the answer, so it cannot be torn.
#[derive(Debug)]
pub(super) struct Comparisons(Box<[AtomicU64]>);

impl Comparisons {
    /// Bytes for a table of `2^bits` places.
    pub(super) const fn bytes(bits: u32) -> u64 {
        8 << bits
    }

    pub(super) fn new(bits: u32) -> Comparisons {
        Comparisons(touched(bits))
    }

    /// Ids stay below 2^31, so there is room for "in use" and the answer.
    fn word(a: Game, b: Game) -> u64 {
        u64::from(a.0) << 33 | u64::from(b.0) << 2 | 2
    }

    /// Whoever asks for a <= b asks for b <= a next: their places are neighbours, so that the second is at hand.
    fn place(&self, a: Game, b: Game) -> &AtomicU64 {
        let pair = u64::from(a.0.min(b.0)) << 32 | u64::from(a.0.max(b.0));
        let hash = (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & (self.0.len() - 1);
        &self.0[hash & !1 | usize::from(a.0 > b.0)]
    }

    pub(super) fn get(&self, a: Game, b: Game) -> Option<bool> {
        let word = Self::word(a, b);
        let found = self.place(a, b).load(Relaxed);
        (found & !1 == word).then_some(found & 1 == 1)
    }

    pub(super) fn set(&self, a: Game, b: Game, answer: bool) {
        self.place(a, b).store(Self::word(a, b) | u64::from(answer), Relaxed);
    }
}

/// Games with one option on each side, which are two in three of those that are asked for: one word holds both options and
/// the game, so it cannot be torn. Only the first two million games fit such a word; others are not remembered.
#[derive(Debug)]
pub(super) struct Switches(Box<[AtomicU64]>);

impl Switches {
    /// Bits for the number of a game.
    const BITS: u32 = 21;

    /// Bytes for a table of `2^bits` places.
    pub(super) const fn bytes(bits: u32) -> u64 {
        8 << bits
    }

    pub(super) fn new(bits: u32) -> Switches {
        Switches(touched(bits))
    }

    fn place(&self, left: Game, right: Game) -> &AtomicU64 {
        let pair = u64::from(left.0) << 32 | u64::from(right.0);
        &self.0[(pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & (self.0.len() - 1)]
    }

    /// Both options and "in use", if they fit.
    fn word(left: Game, right: Game) -> Option<u64> {
        let fits = (left.0 | right.0) >> Self::BITS == 0;
        fits.then_some((u64::from(left.0) << Self::BITS | u64::from(right.0)) << (Self::BITS + 1) | 1)
    }

    #[inline]
    pub(super) fn get(&self, left: Game, right: Game) -> Option<Game> {
        let differing = self.place(left, right).load(Relaxed) ^ Self::word(left, right)?;
        (differing >> (Self::BITS + 1) == 0 && differing & 1 == 0).then_some(Game((differing >> 1) as u32))
    }

    pub(super) fn set(&self, left: Game, right: Game, game: Game) {
        if let Some(word) = Self::word(left, right)
            && game.0 >> Self::BITS == 0
        {
            self.place(left, right).store(word | u64::from(game.0) << 1, Relaxed);
        }
    }
}

/// Words for a table of `2^bits` places. A page that is read before it is written is given twice, the second time with a word
/// to all cores; so each is written at once.
fn touched(bits: u32) -> Box<[AtomicU64]> {
    let words: Box<[AtomicU64]> = bytemuck::zeroed_slice_box(1 << bits);
    for page in words.chunks(512) {
        page[0].store(0, Relaxed);
    }
    words
}

/// Sums, under locks for a few places each.
#[derive(Debug)]
pub(super) struct Sums(Box<[Mutex<Places>]>);

/// Places of `(a, b, a + b)`; `a` is 0 where nothing stands, since nobody asks for 0 + b.
type Places = Box<[(u32, u32, u32)]>;

const SHARDS: usize = 64;

impl Sums {
    /// Bytes for a table of `2^bits` places.
    pub(super) const fn bytes(bits: u32) -> u64 {
        12 << bits
    }

    pub(super) fn new(bits: u32) -> Sums {
        let places = (1_usize << bits) / SHARDS;
        Sums((0..SHARDS).map(|_| Mutex::new(vec![(0, 0, 0); places.max(1)].into())).collect())
    }

    fn with<T>(&self, a: Game, b: Game, then: impl FnOnce(&mut (u32, u32, u32)) -> T) -> T {
        let hash = (u64::from(a.0) << 32 | u64::from(b.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut places = self.0[(hash >> 58) as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let at = (hash >> 20) as usize % places.len();
        then(&mut places[at])
    }

    pub(super) fn get(&self, a: Game, b: Game) -> Option<Game> {
        self.with(a, b, |place| ((place.0, place.1) == (a.0, b.0)).then_some(Game(place.2)))
    }

    pub(super) fn set(&self, a: Game, b: Game, sum: Game) {
        self.with(a, b, |place| *place = (a.0, b.0, sum.0));
    }
}
