//! Simple players to measure the engine against.

use crate::board::CellSet;
use crate::board::Wide;
use crate::konane::{Field, Packed, Ply, Position, Record};

use super::{Dice, Evaluation};

/// A simple player. Removals are made by chance; so is the choice among moves that look equally good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// Any legal move.
    Random,
    /// The move after which the opponent has the fewest jumps.
    OnePly,
    /// The best move of a search of four plies whose measure is own jumps less the opponent's.
    FourPlies,
}

const END: i32 = 1_000_000;

impl Rival {
    /// The turn it plays; `None`: it has lost.
    pub fn choose(self, record: &Record, dice: &mut Dice) -> Option<Ply> {
        let choices = record.choices();
        let Some(position) = record.position() else { return dice.pick(&choices).copied() };
        let depth = match self {
            Rival::Random => return dice.pick(&choices).copied(),
            Rival::OnePly => None,
            Rival::FourPlies => Some(4),
        };
        let worth = |position: &Position| match position.size().cells() {
            ..=64 => worth::<u64>(position, depth),
            65..=128 => worth::<u128>(position, depth),
            _ => worth::<Wide>(position, depth),
        };
        let mut best: Vec<Ply> = Vec::new();
        let mut least = i32::MAX;
        for &choice in &choices {
            let Ply::Move(mv) = choice else { continue };
            let Ok(after) = position.play(mv) else { continue };
            let worth = worth(&after);
            if worth < least {
                best.clear();
                least = worth;
            }
            if worth == least {
                best.push(choice);
            }
        }
        dice.pick(&best).copied()
    }
}

/// What a position reached is worth to the opponent, who is to move there.
fn worth<S: CellSet>(position: &Position, depth: Option<u32>) -> i32 {
    let (field, packed) = position.pack::<S>();
    match depth {
        None => field.mobility(packed.occupied, packed.turn) as i32,
        Some(depth) => search(&field, packed, depth - 1, -END, END),
    }
}

/// Plain alpha-beta.
///
/// Contract: the exact value of this depth between `alpha` and `beta`, else a bound beyond them.
fn search<S: CellSet>(field: &Field<S>, packed: Packed<S>, depth: u32, alpha: i32, beta: i32) -> i32 {
    if !field.can_move(packed.occupied, packed.turn) {
        // A late loss is better than an early one.
        return -END / 2 - depth as i32;
    }
    if depth == 0 {
        return Evaluation::MOBILITY.value(field, packed.occupied, packed.turn);
    }
    let (mut alpha, mut best) = (alpha, -END);
    field.for_each_move(packed, |_, _, occupied| {
        if alpha < beta {
            best = best.max(-search(field, packed.after(occupied), depth - 1, -beta, -alpha));
            alpha = alpha.max(best);
        }
    });
    best
}
