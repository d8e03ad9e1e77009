//! Counting move sequences, the usual check of a move generator.

use crate::board::CellSet;

use super::{Field, Move, Packed};

/// Number of move sequences of exactly `depth` moves from a position, sides alternating. A side that cannot move ends
/// its sequences. Cost grows with the result of the next smaller depth; `None` when `stop` said so (asked at every node
/// two plies above the leaves).
pub fn perft<S: CellSet>(field: &Field<S>, packed: Packed<S>, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(u64::from(field.mobility(packed.occupied, packed.turn))),
        _ => {
            let mut total = Some(0u64);
            if depth == 2 && stop() {
                return None;
            }
            field.for_each_move(packed, |_, _, occupied| {
                total = total.and_then(|sum| Some(sum + perft(field, packed.after(occupied), depth - 1, stop)?));
            });
            total
        }
    }
}

/// [`perft`] by first move, in the order of [`Field::for_each_move`]. `depth` is at least 1.
pub fn perft_divide<S: CellSet>(
    field: &Field<S>,
    packed: Packed<S>,
    depth: u32,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<(Move, u64)>> {
    let mut rows = Some(Vec::new());
    field.for_each_move(packed, |from, to, occupied| {
        let mv = Move { from: field.size().cell(from), to: field.size().cell(to) };
        let count = perft(field, packed.after(occupied), depth.saturating_sub(1), stop);
        rows = rows.take().zip(count).map(|(mut rows, count)| {
            rows.push((mv, count));
            rows
        });
    });
    rows
}
