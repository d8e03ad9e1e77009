//! A table checked by the slow statement of the rules.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::konane::{Packed, Position, reference::Reference};
use crate::run::Control;

use super::{Best, Piece, Table, TableError};

/// What a check of every value found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeepCheck {
    /// Positions checked.
    pub positions: u64,
    /// The first wrong one in the order of the table, and why.
    pub fault: Option<String>,
    /// Whether the control stopped the check.
    pub stopped: bool,
}

/// Recomputes the value of every position from those of the positions that the reference rules lead to, and looks for the
/// positions that the table begins with. Works in the current rayon pool.
///
/// # Errors
/// When the file is damaged.
pub fn verify_deep(table: &Table, control: &Control) -> Result<DeepCheck, TableError> {
    let mut check = DeepCheck::default();
    for (opening, position) in table.source().positions() {
        if table.remoteness(position.pack::<u64>().1)?.is_none() {
            let name = opening.map_or_else(String::new, |opening| format!(" (after {opening})"));
            check.fault = Some(format!("{position}{name} is missing, with which the table begins"));
            return Ok(check);
        }
    }
    control.gauges.total.store(table.counts().positions, Relaxed);
    let pieces = table.pieces();
    for batch in pieces.chunks(16 * rayon::current_num_threads()) {
        if control.stop_reason().is_some() {
            check.stopped = true;
            break;
        }
        let checked = batch.par_iter().map(|&piece| check_piece(table, piece, control));
        for (positions, fault) in checked.collect::<Result<Vec<_>, TableError>>()? {
            check.positions += positions;
            check.fault = check.fault.or(fault);
        }
        if check.fault.is_some() {
            break;
        }
    }
    Ok(check)
}

/// Positions of a piece that are right, and what is wrong with the first that is not.
fn check_piece(table: &Table, piece: Piece, control: &Control) -> Result<(u64, Option<String>), TableError> {
    let (mut good, mut fault, mut broken) = (0, None, None);
    table.entries(piece, &mut |entry| {
        let position = table.position(entry);
        match expected(table, &position) {
            Ok(Ok(value)) if value == entry.remoteness => good += 1,
            Ok(Ok(value)) => {
                fault = Some(format!("{position}: expected remoteness {value}, found {}", entry.remoteness));
            }
            Ok(Err(reason)) => fault = Some(format!("{position}: {reason}")),
            Err(error) => broken = Some(error),
        }
        fault.is_none() && broken.is_none()
    })?;
    control.gauges.done.fetch_add(good, Relaxed);
    broken.map_or(Ok((good, fault)), Err)
}

/// The value by the values after each move of the reference; in words what is missing.
fn expected(table: &Table, position: &Position) -> Result<Result<u8, String>, TableError> {
    let mut best = Best::default();
    let cells = position.size().cells();
    for (mv, after) in Reference::from_position(position).moves() {
        let occupied = (0..cells).filter(|&index| after.stone(index).is_some()).fold(0, |set, index| set | 1 << index);
        let next = Packed { occupied, turn: after.turn() };
        match table.remoteness(next)? {
            Some(value) => best.add(value),
            None => {
                let (text, letter) = (after.text(), after.turn().letter());
                return Ok(Err(format!("{text} {letter} is missing, where {mv} leads")));
            }
        }
    }
    Ok(Ok(best.remoteness()))
}
