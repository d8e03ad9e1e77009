//! A table as rows of text.

use std::sync::atomic::Ordering::Relaxed;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::konane::Side;
use crate::run::Control;

use super::table::winner;
use super::{Entry, Table, TableError};

/// One row of an export.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Export {
    /// The stones, rows from the top.
    pub position: String,
    /// The side to move, `x` or `o`.
    pub turn: char,
    /// Who wins.
    pub winner: Side,
    /// Plies to the end.
    pub remoteness: u8,
    /// Stones of both sides.
    pub stones: u32,
}

impl Export {
    fn new(table: &Table, entry: Entry) -> Export {
        let position = table.position(entry);
        Export {
            position: position.board_text(),
            turn: position.turn().letter(),
            winner: winner(position.turn(), entry.remoteness),
            remoteness: entry.remoteness,
            stones: entry.packed.occupied.count_ones(),
        }
    }
}

/// Hands on every position of a table, in the order of the table, as bytes that `row` makes (in parallel, in the
/// pool). Nothing is kept: memory does not grow with the table.
///
/// # Errors
/// When the file is damaged, the control says stop, or `out` fails.
pub fn export<E: From<TableError>>(
    table: &Table,
    pool: &ThreadPool,
    control: &Control,
    row: &(dyn Fn(&Export, &mut Vec<u8>) + Sync),
    out: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let pieces = table.pieces();
    control.gauges.total.store(table.counts().positions, Relaxed);
    for batch in pieces.chunks(4 * pool.current_num_threads()) {
        if let Some(reason) = control.stop_reason() {
            return Err(TableError::Stopped(reason).into());
        }
        let texts = batch.par_iter().map(|&piece| {
            let (mut text, mut rows) = (Vec::new(), 0);
            table.entries(piece, &mut |entry| {
                row(&Export::new(table, entry), &mut text);
                rows += 1;
                true
            })?;
            Ok((text, rows))
        });
        for (text, rows) in pool.install(|| texts.collect::<Result<Vec<_>, TableError>>())? {
            out(&text)?;
            control.gauges.done.fetch_add(rows, Relaxed);
        }
    }
    Ok(())
}
