//! The plain search that settles what a proof leaves out. Its order and its count are a part of the format.

use std::ops::ControlFlow;

use crate::konane::reference::Reference;

/// Whether the side to move wins, if a plain search finds out by visiting at most `nodes` positions.
///
/// The moves are tried by the number of moves they leave the opponent, fewest first, and among equals in the order of
/// [`Reference::moves`]; up to the first that leaves the opponent lost. Every position is counted as often as it is
/// visited, the first one included. Nothing is remembered.
pub(in crate::proof) fn settle(board: &Reference, mut nodes: u64) -> Option<bool> {
    visit(&mut board.clone(), &mut nodes)
}

fn visit(board: &mut Reference, left: &mut u64) -> Option<bool> {
    *left = left.checked_sub(1)?;
    let mut after: Vec<(usize, Reference)> = Vec::new();
    let _ = board.each_move(&mut |_, next| {
        let mut replies = 0;
        let _ = next.each_move(&mut |_, _| {
            replies += 1;
            ControlFlow::Continue(())
        });
        after.push((replies, next.clone()));
        ControlFlow::Continue(())
    });
    // A stable sort: equals stay in order.
    after.sort_by_key(|&(replies, _)| replies);
    for (_, mut next) in after {
        if !visit(&mut next, left)? {
            return Some(true);
        }
    }
    Some(false)
}
