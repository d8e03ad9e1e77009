//! Numbers of positions that have not been searched.

use super::numbers::{LARGEST, Numbers};

/// First estimates of proof and disproof numbers from mobility, tabulated.
///
/// With `m` moves for the side to move and `q` for its opponent, phi is `16 q (q/m)^e` and delta `16 m (m/q)^e`: a win looks
/// the harder the fewer moves one has against the opponent's. The exponent `e` was found by trial: between 1.25 and 2 the
/// differences are small, small boards like the lower end and large ones the upper.
#[derive(Debug)]
pub(super) struct StartNumbers(Box<[[Numbers; SIDE]; SIDE]>);

/// More moves than this count as this many.
const SIDE: usize = 64;

impl StartNumbers {
    /// The estimates for a board of this many cells.
    pub fn new(cells: usize) -> StartNumbers {
        let exponent: f64 = if cells <= 36 { 1.25 } else { 1.75 };
        let number = |own: usize, other: usize| {
            let (own, other) = (own.max(1) as f64, other as f64);
            let number = 16.0 * other * (other / own).powf(exponent);
            (number as u32).clamp(1, LARGEST)
        };
        let row = |m: usize| std::array::from_fn(|q| Numbers { phi: number(m, q), delta: number(q, m) });
        StartNumbers(Box::new(std::array::from_fn(row)))
    }

    /// The numbers for `mover` moves of the side to move, at least 1, and `opponent` moves of the other.
    #[inline(always)]
    pub fn numbers(&self, mover: u32, opponent: u32) -> Numbers {
        self.0[(mover as usize).min(SIDE - 1)][(opponent as usize).min(SIDE - 1)]
    }
}
