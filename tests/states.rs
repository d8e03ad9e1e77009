//! Numbers of positions that a whole search meets, published by others or recomputed: one wrong move anywhere in a
//! million positions changes them.

mod common;

use std::collections::HashSet;

use common::opened;
use papamu::konane::{Field, Packed, Position, Side};

/// Occupied cells and side to move in one word; boards to 63 cells.
fn key(packed: Packed<u64>) -> u64 {
    packed.occupied << 1 | u64::from(packed.turn == Side::White)
}

/// A memoised search that tries moves in Norvig's order and stops at the first winning one.
struct Memoised {
    field: Field<u64>,
    won: HashSet<u64>,
    lost: HashSet<u64>,
}

impl Memoised {
    /// Starts row by row from the top left; left, right, up, down; shorter jumps first.
    fn children(&self, packed: Packed<u64>) -> Vec<Packed<u64>> {
        let cols = self.field.size().cols();
        let mut moves = Vec::new();
        self.field.for_each_move(packed, |from, to, occupied| {
            let direction = match (from / cols == to / cols, to < from) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            moves.push((from, direction, from.abs_diff(to), packed.after(occupied)));
        });
        moves.sort_unstable_by_key(|&(from, direction, length, _)| (from, direction, length));
        moves.into_iter().map(|(.., child)| child).collect()
    }

    fn wins(&mut self, packed: Packed<u64>) -> bool {
        let key = key(packed);
        if self.won.contains(&key) {
            return true;
        }
        if self.lost.contains(&key) {
            return false;
        }
        let wins = self.children(packed).into_iter().any(|child| !self.wins(child));
        if wins {
            self.won.insert(key)
        } else {
            self.lost.insert(key)
        };
        wins
    }
}

/// Who wins, and how many (position, side to move) the search has met.
fn visited(position: &Position) -> (Side, usize) {
    let (field, packed) = position.pack();
    let mut search = Memoised { field, won: HashSet::new(), lost: HashSet::new() };
    let winner = if search.wins(packed) { packed.turn } else { packed.turn.other() };
    (winner, search.won.len() + search.lost.len())
}

/// Every position that can follow the roots, counted once; `turns` says who may move next in a position.
fn reachable(roots: &[Position], next: fn(Side) -> &'static [Side]) -> usize {
    let (field, _) = roots[0].pack::<u64>();
    // A move takes at least one stone off, so by falling number of stones every position is complete when its turn comes.
    let mut levels = vec![HashSet::new(); field.size().cells() + 1];
    for root in roots {
        let (_, packed) = root.pack::<u64>();
        levels[packed.occupied.count_ones() as usize].insert(packed);
    }
    let mut total = 0;
    while let Some(level) = levels.pop() {
        total += level.len();
        for packed in level {
            for &turn in next(packed.turn) {
                field.for_each_move(Packed { turn, ..packed }, |_, _, occupied| {
                    // Where both sides may move the side is no part of the position.
                    let turn = if next(turn).len() == 2 { Side::Black } else { turn.other() };
                    levels[occupied.count_ones() as usize].insert(Packed { occupied, turn });
                });
            }
        }
    }
    total
}

fn either(_: Side) -> &'static [Side] {
    &Side::BOTH
}

fn alternating(turn: Side) -> &'static [Side] {
    if turn == Side::Black { &Side::BOTH[..1] } else { &Side::BOTH[1..] }
}

/// P. Norvig, "Mel's Konane Board" (2021).
#[test]
#[cfg_attr(debug_assertions, ignore = "ten million positions: takes long without optimisation")]
fn norvigs_memoised_search_of_6x6_visits_10_071_659() {
    assert_eq!(visited(&opened("6x6", "a6:b6")), (Side::White, 10_071_659));
}

/// Recomputed by independent programs.
#[test]
fn positions_when_either_side_may_move() {
    for (board, opening, expected) in [("4x4", "a4:b4", 1_560), ("4x4", "c2:b2", 1_322)] {
        assert_eq!(reachable(&[opened(board, opening)], either), expected, "{board} {opening}");
    }
    if !cfg!(debug_assertions) {
        for (board, opening, expected) in [("5x5", "a5:b5", 803_477), ("5x5", "c3:b3", 755_447)] {
            assert_eq!(reachable(&[opened(board, opening)], either), expected, "{board} {opening}");
        }
    }
}

/// Recomputed by independent programs.
#[test]
fn positions_when_the_sides_alternate() {
    for (board, opening, expected) in [("5x5", "a5:b5", 304_221), ("5x5", "c3:b3", 456_486)] {
        assert_eq!(reachable(&[opened(board, opening)], alternating), expected, "{board} {opening}");
    }
}

/// Recomputed by independent programs.
#[test]
#[ignore = "thirty-two million positions: takes long and several hundred megabytes"]
fn positions_of_5x6_when_the_sides_alternate() {
    let roots = ["a5:b5", "a5:a4"].map(|opening| opened("5x6", opening));
    assert_eq!(reachable(&roots, alternating), 32_567_704);
}
