//! Chance that can be repeated.

/// A generator of numbers (SplitMix64) that a seed determines. Good for games, not for secrets.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of the items; `None` where there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get((self.roll() % items.len().max(1) as u64) as usize)
    }
}
