//! What several test files share.

#![allow(dead_code, reason = "each test file uses a part")]

use papamu::board::{CellSet, Size, Wide};
use papamu::konane::{Field, Move, Opening, Packed, Position, Rules, Side};

/// A small random generator (splitmix64): the same numbers on every machine and with every version of any package.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

pub fn size(text: &str) -> Size {
    text.parse().unwrap()
}

pub fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// The position after an opening pair such as `a6:b6`, Black on the top-left cell, every removal being legal.
pub fn opened(board: &str, opening: &str) -> Position {
    let opening: Opening = opening.parse().unwrap();
    opening
        .position(size(board), &any_removal(Side::Black))
        .unwrap_or_else(|error| panic!("{board} {opening}: {error}"))
}

/// Rules under which every first removal and every neighbour as the second is legal.
pub fn any_removal(top_left: Side) -> Rules {
    Rules { top_left, first_removal: papamu::konane::FirstRemoval::Any, ..Rules::default() }
}

/// Any set of stones on a board, about `fill` of 8 cells taken.
pub fn scattered(random: &mut Random, size: Size, top_left: Side, turn: Side, fill: usize) -> Position {
    let occupied = (0..size.cells())
        .filter(|_| random.below(8) < fill)
        .fold(Wide::empty(), |set, index| set | Wide::single(index));
    Position::from_packed(&Field::new(size, top_left), Packed { occupied, turn })
}

/// The lines of a golden file, split at tabs, with what to call them in a message.
pub fn golden(text: &'static str) -> impl Iterator<Item = (String, Vec<&'static str>)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    lines.map(|(at, line)| (format!("line {}: {line}", at + 1), line.split('\t').collect()))
}
