//! The plain search that settles what a proof leaves out. Its order and its count are a part of the format.

use std::ops::ControlFlow;

use crate::konane::reference::Reference;

/// Whether the side to move wins; `None` when that takes more than `left` visits to positions.
///
/// The moves are tried in the order of [`Reference::moves`], up to the first that leaves the opponent lost. Every position
/// is counted as often as it is visited, the first one included. Nothing is remembered.
pub(in crate::proof) fn settle(board: &mut Reference, left: &mut u64) -> Option<bool> {
    *left = left.checked_sub(1)?;
    let mut wins = Some(false);
    let _ = board.each_move(&mut |_, after| match settle(after, left) {
        Some(true) => ControlFlow::Continue(()),
        Some(false) => {
            wins = Some(true);
            ControlFlow::Break(())
        }
        None => {
            wins = None;
            ControlFlow::Break(())
        }
    });
    wins
}
