//! The rules a second time: slow, obvious, sharing nothing with the fast code but the small vocabulary types.
//!
//! One cell a byte, one direction at a time, exactly as a person plays. Tests compare the fast generator with it.

use crate::board::{Cell, Size};

use super::{Move, Position, Side};

/// A board as a table of characters `x`, `o`, `.`, rows from the top, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    rows: Vec<Vec<u8>>,
    turn: Side,
}

impl Reference {
    /// The board after both removals: chequered, `top_left` in the top-left corner, two holes, Black to jump.
    pub fn opening(size: Size, top_left: Side, holes: [Cell; 2]) -> Reference {
        let mut rows = vec![vec![b'.'; size.cols()]; size.rows()];
        for (row, line) in rows.iter_mut().enumerate() {
            for (col, letter) in line.iter_mut().enumerate() {
                let side = if (row + col) % 2 == 0 { top_left } else { top_left.other() };
                *letter = side.letter() as u8;
            }
        }
        for hole in holes {
            rows[size.rows() - 1 - hole.row()][hole.col()] = b'.';
        }
        Reference { rows, turn: Side::Black }
    }

    /// The stones of a position.
    pub fn from_position(position: &Position) -> Reference {
        let size = position.size();
        let letter = |row, col| position.stone(size.cell_at(row, col)).map_or(b'.', |side| side.letter() as u8);
        let rows = (0..size.rows()).map(|row| (0..size.cols()).map(|col| letter(row, col)).collect()).collect();
        Reference { rows, turn: position.turn() }
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Position text without the side to move.
    pub fn text(&self) -> String {
        let rows: Vec<_> = self.rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        rows.join("/")
    }

    fn at(&self, row: isize, col: isize) -> Option<u8> {
        let line = self.rows.get(usize::try_from(row).ok()?)?;
        line.get(usize::try_from(col).ok()?).copied()
    }

    /// Every move of the side to move with the board after it: stones row by row from the top left; left, right, up,
    /// down; shorter jumps first.
    pub fn moves(&self) -> Vec<(Move, Reference)> {
        let (own, enemy) = (self.turn.letter() as u8, self.turn.other().letter() as u8);
        let height = self.rows.len();
        let cell = |row: isize, col: isize| Cell::new(col as usize, height - 1 - row as usize);
        let mut found = Vec::new();
        for row in 0..self.rows.len() as isize {
            for col in 0..self.rows[0].len() as isize {
                if self.at(row, col) != Some(own) {
                    continue;
                }
                for (down, right) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
                    let mut after = self.clone();
                    after.turn = self.turn.other();
                    let (mut r, mut c) = (row, col);
                    while after.at(r + down, c + right) == Some(enemy)
                        && after.at(r + 2 * down, c + 2 * right) == Some(b'.')
                    {
                        after.rows[r as usize][c as usize] = b'.';
                        after.rows[(r + down) as usize][(c + right) as usize] = b'.';
                        (r, c) = (r + 2 * down, c + 2 * right);
                        after.rows[r as usize][c as usize] = own;
                        found.push((Move { from: cell(row, col), to: cell(r, c) }, after.clone()));
                    }
                }
            }
        }
        found
    }

    /// [`super::perft`], counted one move at a time; `None` when `stop` said so (asked at every board with moves to play).
    pub fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        match depth {
            0 => Some(1),
            _ if stop() => None,
            _ => self.moves().iter().map(|(_, after)| after.perft(depth - 1, stop)).sum(),
        }
    }
}
