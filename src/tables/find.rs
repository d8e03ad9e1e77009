//! Positions of a table by property: a source of puzzles.

use std::ops::RangeInclusive;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::konane::Side;
use crate::run::Control;

use super::table::winner;
use super::{Entry, Piece, Table, TableError};

/// Numbers from one to another, both included.
pub type Span = RangeInclusive<u32>;

/// What a position must be; where nothing is said, anything will do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The side to move.
    pub turn: Option<Side>,
    /// Who wins.
    pub winner: Option<Side>,
    /// Stones of both sides.
    pub stones: Option<Span>,
    /// Plies to the end.
    pub remoteness: Option<Span>,
    /// Legal moves.
    pub moves: Option<Span>,
    /// Moves that win.
    pub winning_moves: Option<Span>,
    /// The largest remoteness first instead of the order of the table.
    pub longest: bool,
    /// How many positions are wanted at most.
    pub limit: usize,
}

/// A position that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The position.
    pub entry: Entry,
    /// Its moves.
    pub moves: u32,
    /// Those that win.
    pub winning_moves: u32,
}

impl Query {
    fn fits_piece(&self, table: &Table, piece: Piece) -> bool {
        let Some((stones, turn)) = table.kind_of(piece) else { return false };
        self.turn.is_none_or(|wanted| wanted == turn)
            && self.stones.as_ref().is_none_or(|span| span.contains(&stones))
            && self.remoteness.as_ref().is_none_or(|span| *span.start() <= u32::from(table.longest_in(piece)))
    }

    fn fits_value(&self, entry: Entry) -> bool {
        self.winner.is_none_or(|wanted| wanted == winner(entry.packed.turn, entry.remoteness))
            && self.remoteness.as_ref().is_none_or(|span| span.contains(&entry.remoteness.into()))
    }

    fn fits_moves(&self, found: &Found) -> bool {
        self.moves.as_ref().is_none_or(|span| span.contains(&found.moves))
            && self.winning_moves.as_ref().is_none_or(|span| span.contains(&found.winning_moves))
    }
}

/// The first positions that fit, in the order asked for, the same for any number of threads. Works in the current rayon
/// pool. Ends early where the control stops; what was found by then is returned, and `true` if nothing can be missing.
///
/// Reads the classes that can have such positions, all of them where fewer than the limit fit or the longest are wanted.
///
/// # Errors
/// When the file is damaged.
pub fn find(table: &Table, query: &Query, control: &Control) -> Result<(Vec<Found>, bool), TableError> {
    let mut pieces: Vec<Piece> = table.pieces();
    pieces.retain(|&piece| query.fits_piece(table, piece));
    control.gauges.total.store(pieces.len() as u64, Relaxed);
    // Pieces are taken in order, so once enough were found in those before, the rest need not be looked at.
    let mut found: Vec<Found> = Vec::new();
    if query.limit == 0 {
        return Ok((found, true));
    }
    let batch = 16 * rayon::current_num_threads();
    for pieces in pieces.chunks(batch) {
        if control.stop_reason().is_some() {
            return Ok((found, false));
        }
        let here = pieces.par_iter().map(|&piece| {
            let mut here = Vec::new();
            let mut fault = None;
            table.entries(piece, &mut |entry| {
                if query.fits_value(entry) {
                    match judged(table, entry) {
                        Ok(found) if query.fits_moves(&found) => here.push(found),
                        Ok(_) => {}
                        Err(error) => fault = Some(error),
                    }
                }
                fault.is_none() && (query.longest || here.len() < query.limit)
            })?;
            control.gauges.done.fetch_add(1, Relaxed);
            keep_longest(&mut here, query);
            fault.map_or(Ok(here), Err)
        });
        for here in here.collect::<Result<Vec<_>, TableError>>()? {
            found.extend(here);
        }
        keep_longest(&mut found, query);
        if !query.longest && found.len() >= query.limit {
            break;
        }
    }
    found.truncate(query.limit);
    Ok((found, true))
}

fn keep_longest(found: &mut Vec<Found>, query: &Query) {
    if query.longest {
        found.sort_by_key(|found| std::cmp::Reverse(found.entry.remoteness));
        found.truncate(query.limit);
    }
}

/// The position with its moves counted.
fn judged(table: &Table, entry: Entry) -> Result<Found, TableError> {
    let mut after = Vec::new();
    table.field().for_each_move(entry.packed, |_, _, occupied| after.push(entry.packed.after(occupied)));
    let mut winning_moves = 0;
    for &packed in &after {
        // A win of the side that moves now is a loss of the next.
        winning_moves += u32::from(table.remoteness(packed)?.is_some_and(|value| value % 2 == 0));
    }
    Ok(Found { entry, moves: after.len() as u32, winning_moves })
}
