//! Everything the program says of a game, compared with the slow statement of the rules and with itself.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::run::{Control, StopReason};

use super::analysis::Oracle;
use super::index::Index;
use super::reference::{Reference, Situation};
use super::{Kota, Move, Outcome, Position, Setup, Side, SolveError, Solver, Value};

/// One comparison: how many times it was made, and the first position where it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What was compared.
    pub what: &'static str,
    /// How many times.
    pub times: u64,
    /// The first fault by the number of its position.
    pub fault: Option<String>,
}

const CHECKS: [&str; 5] = [
    "number to position to number",
    "colours changed twice, and the same value with them changed",
    "moves, fast and slow",
    "moves back, from the position after each",
    "value, from the values of all moves by the slow rules",
];

/// Compares, for every `stride`-th number of the index: index, symmetry, moves, and the values that the oracle gives. Stops early
/// when the control says so, and then tells why.
///
/// # Errors
/// When N is too large to be numbered.
pub fn check(
    kota: &Kota,
    oracle: &dyn Oracle,
    stride: u64,
    control: &Control,
) -> Result<(Vec<Checked>, Option<StopReason>), SolveError> {
    Solver::memory(kota, false)?;
    let index = Index::new(kota);
    let reference = Reference::new(*kota.rules(), kota.n());
    let times: [AtomicU64; 5] = Default::default();
    let faults: Mutex<[Option<(u64, String)>; 5]> = Mutex::default();
    let count = index.len().div_ceil(stride);
    control.gauges.total.store(count, Relaxed);
    control.gauges.done.store(0, Relaxed);
    // Numbers by the handful, so that the counters are not fought for.
    let handful = 256;
    let stopped = (0..count.div_ceil(handful)).into_par_iter().find_map_any(|part| {
        if let Some(reason) = control.stop_reason() {
            return Some(reason);
        }
        let mut made = [0; 5];
        for at in part * handful..((part + 1) * handful).min(count) {
            let number = at * stride;
            let mut visit = Visit { kota, oracle, index: &index, reference: &reference, made: &mut made };
            if let Err((check, fault)) = visit.number(number) {
                let mut faults = faults.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if faults[check].as_ref().is_none_or(|(first, _)| number < *first) {
                    faults[check] = Some((number, fault));
                }
            }
        }
        control.gauges.done.fetch_add(handful, Relaxed);
        times.iter().zip(made).for_each(|(times, made)| _ = times.fetch_add(made, Relaxed));
        None
    });
    let faults = faults.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let checked = CHECKS.into_iter().zip(times).zip(faults).map(|((what, times), fault)| Checked {
        what,
        times: times.into_inner(),
        fault: fault.map(|(_, fault)| fault),
    });
    Ok((checked.collect(), stopped))
}

struct Visit<'a> {
    kota: &'a Kota,
    oracle: &'a dyn Oracle,
    index: &'a Index,
    reference: &'a Reference,
    made: &'a mut [u64; 5],
}

impl Visit<'_> {
    fn number(&mut self, number: u64) -> Result<(), (usize, String)> {
        let place = self.index.place_of(number);
        let position = self.index.position(place);
        self.made[0] += 1;
        let legal = self.kota.position(&position.setup()) == Ok(position);
        if !legal || self.index.place(&position) != Some(place) || self.index.number(place) != number {
            let found = self.index.place(&position);
            let found = found.map_or("none".to_owned(), |place| self.index.number(place).to_string());
            return Err((0, format!("number {number} is {position}, whose number is {found}")));
        }
        self.moves(&position)?;
        if self.index.weight() == 2 {
            self.made[1] += 1;
            let twin = self.index.swapped(&position);
            let same = self.oracle.value(&twin) == self.oracle.value(&position);
            if self.index.swapped(&twin) != position || !same || self.kota.position(&twin.setup()) != Ok(twin) {
                return Err((1, format!("{position} and {twin}")));
            }
            self.moves(&twin)?;
        }
        Ok(())
    }

    fn moves(&mut self, position: &Position) -> Result<(), (usize, String)> {
        let setup = position.setup();
        let situation = self.reference.situation(&setup);
        let slow = match &situation {
            Situation::Open(moves) => moves.clone(),
            Situation::Pass => vec![Move::Pass { side: position.turn() }],
            Situation::Won(_) | Situation::Drawn => Vec::new(),
        };
        let mut fast = self.kota.choices(position);
        fast.sort_unstable();
        self.made[2] += 1;
        let ended = matches!(situation, Situation::Won(_) | Situation::Drawn);
        if fast != slow || self.kota.ending(position).is_some() != ended {
            let text = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
            return Err((2, format!("{position}: fast [{}], slow [{}]", text(&fast), text(&slow))));
        }
        let mut best = match situation {
            Situation::Won(side) if side == position.turn() => Value { outcome: Outcome::Win, depth: Some(0) },
            Situation::Won(_) => Value { outcome: Outcome::Loss, depth: Some(0) },
            Situation::Drawn => Value { outcome: Outcome::Draw, depth: None },
            Situation::Open(_) | Situation::Pass => Value { outcome: Outcome::Loss, depth: Some(0) },
        };
        for mv in slow {
            let next = self.reference.after(&setup, mv);
            if let (Move::Go { stone, from, to }, false) = (mv, wins(&next, position.turn())) {
                self.made[3] += 1;
                // The same stone to move again can go back the same way.
                let back = Setup { turn: position.turn(), ..next.clone() };
                let back = self.kota.position(&back).map(|back| self.kota.moves(&back));
                let wanted = Move::Go { stone, from: to, to: from };
                if !back.is_ok_and(|moves| moves.contains(&wanted)) {
                    return Err((3, format!("{position}: {mv} and back")));
                }
            }
            let value = match wins(&next, position.turn()) {
                true => Value { outcome: Outcome::Loss, depth: Some(0) },
                false => {
                    let next = self.kota.position(&next).ok().and_then(|next| self.oracle.value(&next));
                    next.ok_or_else(|| (4, format!("{position}: no value after {mv}")))?
                }
            };
            best = better(best, Value { outcome: value.outcome.reversed(), depth: value.depth.map(|depth| depth + 1) });
        }
        self.made[4] += 1;
        match self.oracle.value(position) {
            Some(value) if value.outcome == best.outcome && (value.depth.is_none() || value.depth == best.depth) => {
                Ok(())
            }
            value => {
                let found = value.map_or("no value".to_owned(), |value| words(&value));
                Err((4, format!("{position}: {found}, but its moves lead to {}", words(&best))))
            }
        }
    }
}

/// A value for people: `loss in 12`.
fn words(value: &Value) -> String {
    let outcome = value.outcome.name();
    value.depth.map_or(outcome.to_owned(), |depth| format!("{outcome} in {depth}"))
}

/// Whether this side has a stone on the row it must reach.
fn wins(setup: &Setup, side: Side) -> bool {
    match side {
        Side::Red => setup.red.iter().any(|cell| usize::from(cell.row) == setup.red.len() - 1),
        Side::White => setup.white.iter().any(|cell| cell.row == 0),
    }
}

/// The better of two for the side to move: the outcome first, then the faster win or the slower loss.
fn better(a: Value, b: Value) -> Value {
    let rank = |value: Value| match value.outcome {
        Outcome::Win => (2, -i32::from(value.depth.unwrap_or(0))),
        Outcome::Draw => (1, 0),
        Outcome::Loss => (0, i32::from(value.depth.unwrap_or(0))),
    };
    if rank(b) > rank(a) { b } else { a }
}
