//! Numbers of positions that have not been searched.

use super::numbers::{LARGEST, Numbers};

/// First estimates of proof and disproof numbers from mobility, tabulated.
///
/// With `m` moves for the side to move and `q` for its opponent, phi is `16 q (q/m)^e` and delta `16 m (m/q)^e`: a win looks
/// the harder the fewer moves one has against the opponent's. The exponent was found by trial, see `results/`.
#[derive(Debug)]
pub(super) struct StartNumbers(Box<[[Numbers; SIDE]; SIDE]>);

/// More moves than this count as this many.
const SIDE: usize = 64;

impl StartNumbers {
    pub fn new() -> StartNumbers {
        let exponent: f64 = std::env::var("POW").map_or(2.0, |t| t.parse().unwrap());
        let number = |own: usize, other: usize| {
            let (own, other) = (own.max(1) as f64, other as f64);
            let number = 16.0 * other * (other / own).powf(exponent);
            (number as u32).clamp(1, LARGEST)
        };
        let row = |m: usize| std::array::from_fn(|q| Numbers { phi: number(m, q), delta: number(q, m) });
        let rows: Vec<[Numbers; SIDE]> = (0..SIDE).map(row).collect();
        StartNumbers(rows.try_into().unwrap())
    }

    /// The numbers for `mover` moves of the side to move, at least 1, and `opponent` moves of the other.
    #[inline(always)]
    pub fn numbers(&self, mover: u32, opponent: u32) -> Numbers {
        self.0[(mover as usize).min(SIDE - 1)][(opponent as usize).min(SIDE - 1)]
    }
}
