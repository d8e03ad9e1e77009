//! Counting move sequences, the usual check of a move generator.

use crate::board::{CellSet, Wide};

use super::reference::Reference;
use super::{Field, Move, Packed, Position};

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

/// A position to count from with one of the two statements of the rules.
#[derive(Clone, Debug)]
pub enum PerftNode {
    /// By the fast generator, with the narrowest word that has room for the board.
    Fast(Position),
    /// By the slow second statement of the rules.
    Slow(Reference),
}

impl PerftNode {
    /// This position, counted with the second statement of the rules where `reference` says so.
    pub fn new(position: &Position, reference: bool) -> PerftNode {
        match reference {
            true => PerftNode::Slow(Reference::from_position(position)),
            false => PerftNode::Fast(*position),
        }
    }

    /// Every first move with what follows it, to count one by one.
    pub fn moves(&self) -> Vec<(Move, PerftNode)> {
        match self {
            PerftNode::Slow(board) => {
                board.moves().into_iter().map(|(mv, after)| (mv, PerftNode::Slow(after))).collect()
            }
            PerftNode::Fast(position) => {
                let after = |mv| Some((mv, PerftNode::Fast(position.play(mv).ok()?)));
                position.moves().into_iter().filter_map(after).collect()
            }
        }
    }

    /// Number of move sequences of exactly `depth` moves; `None` when `stop` said so.
    ///
    /// The count of one position is far below 2^64: a computer that counts a thousand million a second would need five
    /// hundred years to get there. Only sums over positions need more.
    pub fn count(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        fn fast<S: CellSet>(position: &Position, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
            let (field, packed) = position.pack::<S>();
            perft(&field, packed, depth, stop)
        }
        match self {
            PerftNode::Slow(board) => board.perft(depth, stop),
            PerftNode::Fast(position) => match position.size().cells() {
                ..=64 => fast::<u64>(position, depth, stop),
                65..=128 => fast::<u128>(position, depth, stop),
                _ => fast::<Wide>(position, depth, stop),
            },
        }
    }
}
