//! Where canonical forms live: each is stored once, and a number names it.
//!
//! Nodes lie in chunks that never move, so that reading one takes no lock. A hash table in shards, each under its own
//! lock, finds the node of a form; it stores the numbers of nodes only and compares the forms themselves, so two forms
//! never share a number, whatever their hashes.

use std::hash::{Hash, Hasher};
use std::mem::size_of;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{Dyadic, Game, GameError, Nus};

/// A canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A number, ups and a nimber; its options are computed when asked for.
    Nus(Nus),
    /// Anything else: options in the order of their ids, those of Left first.
    Options { options: Box<[Game]>, left: u32 },
}

/// A form and what is asked of it most.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) form: Form,
    pub(super) birthday: u64,
    /// Options of a number, ups and a nimber, once somebody asked for them.
    pub(super) made: OnceLock<Made>,
    /// The negative plus one, 0 while unknown.
    negative: AtomicU32,
}

/// A few options, those of Left first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Made {
    pub(super) options: [Game; Made::MOST],
    pub(super) count: u8,
    pub(super) left: u8,
}

impl Made {
    /// Numbers, ups and `*` have no more options than this on both sides together.
    pub(super) const MOST: usize = 3;
}

/// The stops of a form: where play by either side first ends up at a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stops {
    pub(super) left: Dyadic,
    pub(super) right: Dyadic,
}

/// Nodes that never move. The stops, which decide most comparisons, lie apart and close together, so that those of many forms
/// stay in the cache.
#[derive(Debug)]
struct Chunk {
    nodes: Box<[OnceLock<Node>]>,
    /// Numerators and exponents, written before the node is there.
    stops: Box<[[AtomicU64; 3]]>,
}

impl Chunk {
    const BYTES: u64 = (CHUNK * (size_of::<OnceLock<Node>>() + size_of::<[AtomicU64; 3]>())) as u64;

    fn new() -> Chunk {
        let nodes = (0..CHUNK).map(|_| OnceLock::new()).collect();
        Chunk { nodes, stops: bytemuck::zeroed_slice_box(CHUNK) }
    }
}

/// All nodes, with a bound on their memory.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Box<[OnceLock<Chunk>]>,
    shards: Box<[Mutex<Shard>]>,
    next: AtomicU32,
    used: AtomicU64,
    limit: u64,
}

/// An open hash table of node numbers plus one; 0 is a free place. At most three quarters are in use.
#[derive(Debug, Default)]
struct Shard {
    places: Vec<u32>,
    used: usize,
}

/// Multiplication and rotation: the keys are small numbers of our own making.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    fn write_i64(&mut self, word: i64) {
        self.write_u64(word as u64);
    }
    fn write_i32(&mut self, word: i32) {
        self.write_u64(word as u64);
    }
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

fn hash_nus(nus: &Nus) -> u64 {
    let mut mixer = Mixer::default();
    nus.hash(&mut mixer);
    mixer.finish()
}

fn hash_options(options: &[Game], left: u32) -> u64 {
    let mut mixer = Mixer(u64::from(left) << 32 | options.len() as u64);
    for option in options {
        mixer.write_u32(option.0);
    }
    mixer.finish()
}

fn hash(form: &Form) -> u64 {
    match form {
        Form::Nus(nus) => hash_nus(nus),
        Form::Options { options, left } => hash_options(options, *left),
    }
}

const CHUNK: usize = 1 << 12;
const SHARDS: usize = 64;

impl Arena {
    /// The least bound: one chunk of nodes and their index.
    pub(super) const LEAST: u64 = Chunk::BYTES + 64 * CHUNK as u64;

    /// An arena of at most `limit` bytes, which is raised to the least that works.
    pub(super) fn new(limit: u64) -> Arena {
        let limit = limit.max(Self::LEAST);
        let chunks = (limit / Chunk::BYTES + 1).min((1_u64 << 31) / CHUNK as u64) as usize;
        let empty = (chunks * size_of::<OnceLock<Chunk>>()) as u64;
        Arena {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            next: AtomicU32::new(0),
            used: AtomicU64::new(empty),
            limit,
        }
    }

    /// How many forms there are.
    pub(super) fn len(&self) -> usize {
        self.next.load(Relaxed) as usize
    }

    /// Bytes in use.
    pub(super) fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Takes memory out of the bound.
    pub(super) fn charge(&self, bytes: u64) -> Result<(), GameError> {
        let before = self.used.fetch_add(bytes, Relaxed);
        if before.saturating_add(bytes) > self.limit {
            self.used.fetch_sub(bytes, Relaxed);
            return Err(GameError::Memory { limit: self.limit });
        }
        Ok(())
    }

    /// The node of a game of this arena.
    ///
    /// # Panics
    /// When the game is of another arena that has more games.
    #[inline]
    pub(super) fn node(&self, game: Game) -> &Node {
        let at = game.0 as usize;
        self.chunks[at / CHUNK].get().and_then(|chunk| chunk.nodes[at % CHUNK].get()).expect("a game of these games")
    }

    /// The stops of a game of this arena.
    ///
    /// # Panics
    /// As [`Arena::node`].
    #[inline]
    pub(super) fn stops(&self, game: Game) -> Stops {
        let at = game.0 as usize;
        let chunk = self.chunks[at / CHUNK].get().expect("a game of these games");
        let [left, right, exponents] = chunk.stops[at % CHUNK].each_ref().map(|word| word.load(Relaxed));
        Stops {
            left: Dyadic::in_lowest_terms(left as i64, exponents as u8),
            right: Dyadic::in_lowest_terms(right as i64, (exponents >> 8) as u8),
        }
    }

    /// The number of a form of numbers, ups and a nimber, which is stored if it is new.
    pub(super) fn intern_nus(&self, nus: Nus) -> Result<Game, GameError> {
        let hash = hash_nus(&nus);
        let mut shard = self.shard(hash);
        match shard.find(self, hash, |form| matches!(form, Form::Nus(other) if *other == nus)) {
            Some(game) => Ok(game),
            None => {
                let stops = Stops { left: nus.number, right: nus.number };
                self.add(&mut shard, hash, 0, stops, || Node::new(Form::Nus(nus), nus.birthday()))
            }
        }
    }

    /// The number of a form by its options, the first `left` of them Left's; it is stored if it is new.
    pub(super) fn intern_options(
        &self,
        all: &[Game],
        left: u32,
        stops: Stops,
        birthday: impl FnOnce() -> u64,
    ) -> Result<Game, GameError> {
        let hash = hash_options(all, left);
        let mut shard = self.shard(hash);
        let same =
            |form: &Form| matches!(form, Form::Options { options, left: its } if **options == *all && *its == left);
        match shard.find(self, hash, same) {
            Some(game) => Ok(game),
            None => {
                let bytes = size_of_val(all) as u64;
                let build = || Node::new(Form::Options { options: all.into(), left }, birthday());
                self.add(&mut shard, hash, bytes, stops, build)
            }
        }
    }

    /// Stores a new form, which takes this many bytes beyond its node.
    fn add(
        &self,
        shard: &mut Shard,
        hash: u64,
        bytes: u64,
        stops: Stops,
        build: impl FnOnce() -> Node,
    ) -> Result<Game, GameError> {
        // Everything that can fail comes before anything changes.
        shard.grow(self)?;
        self.charge(bytes)?;
        self.place(self.next.load(Relaxed))?;
        let at = self.next.fetch_add(1, Relaxed);
        // Another thread may have taken the place looked at; then the next chunk may have to be begun after all.
        self.place(at)?;
        let chunk = self.chunks[at as usize / CHUNK].get().expect("the chunk was begun above");
        let exponents = u64::from(stops.left.exponent()) | u64::from(stops.right.exponent()) << 8;
        let words = [stops.left.numerator() as u64, stops.right.numerator() as u64, exponents];
        for (place, word) in chunk.stops[at as usize % CHUNK].iter().zip(words) {
            place.store(word, Relaxed);
        }
        let fresh = chunk.nodes[at as usize % CHUNK].set(build());
        debug_assert!(fresh.is_ok());
        shard.insert(hash, at);
        Ok(Game(at))
    }

    /// Makes sure that the chunk of this node exists.
    fn place(&self, at: u32) -> Result<(), GameError> {
        let memory = GameError::Memory { limit: self.limit };
        let chunk = self.chunks.get(at as usize / CHUNK).ok_or(memory)?;
        if chunk.get().is_none() {
            self.charge(Chunk::BYTES)?;
            if chunk.set(Chunk::new()).is_err() {
                self.used.fetch_sub(Chunk::BYTES, Relaxed);
            }
        }
        Ok(())
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        // The low bits choose the place within the shard.
        self.shards[(hash >> 58) as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shard {
    fn find(&self, arena: &Arena, hash: u64, is: impl Fn(&Form) -> bool) -> Option<Game> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        while self.places[at] != 0 {
            let game = Game(self.places[at] - 1);
            if is(&arena.node(game).form) {
                return Some(game);
            }
            at = (at + 1) & mask;
        }
        None
    }

    fn insert(&mut self, hash: u64, number: u32) {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != 0 {
            at = (at + 1) & mask;
        }
        self.places[at] = number + 1;
        self.used += 1;
    }

    fn grow(&mut self, arena: &Arena) -> Result<(), GameError> {
        if (self.used + 1) * 4 <= self.places.len() * 3 {
            return Ok(());
        }
        let len = (self.places.len() * 2).max(16);
        arena.charge(((len - self.places.len()) * size_of::<u32>()) as u64)?;
        let old = std::mem::replace(&mut self.places, vec![0; len]);
        self.used = 0;
        for number in old.into_iter().filter(|&number| number != 0) {
            self.insert(hash(&arena.node(Game(number - 1)).form), number - 1);
        }
        Ok(())
    }
}

impl Node {
    fn new(form: Form, birthday: u64) -> Node {
        Node { form, birthday, made: OnceLock::new(), negative: AtomicU32::new(0) }
    }

    /// The negative, once it is known.
    pub(super) fn negative(&self) -> Option<Game> {
        self.negative.load(Acquire).checked_sub(1).map(Game)
    }

    /// Remembers the negative.
    pub(super) fn set_negative(&self, game: Game) {
        self.negative.store(game.0 + 1, Release);
    }
}
