//! The rules a second time: slow, obvious, sharing nothing with the fast code but the small vocabulary types.
//!
//! One cell a byte, one direction at a time, exactly as a person plays. Tests compare the fast generator with it.

use std::ops::ControlFlow;

use crate::board::{Cell, Size};

use super::{FirstRemoval, Move, Position, SecondRemoval, Side};

/// A board as characters `x`, `o`, `.`, one row after the other from the top, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    rows: usize,
    cols: usize,
    cells: Vec<u8>,
    turn: Side,
}

const EMPTY: u8 = b'.';

impl Reference {
    /// The board of these stones, told by the index of their cells (row by row from the top left).
    pub fn new(size: Size, turn: Side, stone: impl Fn(usize) -> Option<Side>) -> Reference {
        let letter = |index| stone(index).map_or(EMPTY, |side| side.letter() as u8);
        Reference { rows: size.rows(), cols: size.cols(), cells: (0..size.cells()).map(letter).collect(), turn }
    }

    /// The full board before the removals: chequered, `top_left` in the top-left corner, Black to remove.
    pub fn full(size: Size, top_left: Side) -> Reference {
        Reference::new(size, Side::Black, |index| {
            let (row, col) = (index / size.cols(), index % size.cols());
            Some(if (row + col) % 2 == 0 { top_left } else { top_left.other() })
        })
    }

    /// The board after both removals: chequered, `top_left` in the top-left corner, two holes, Black to jump.
    pub fn opening(size: Size, top_left: Side, holes: [Cell; 2]) -> Reference {
        let mut board = Reference::full(size, top_left);
        for hole in holes {
            board.cells[(size.rows() - 1 - hole.row()) * size.cols() + hole.col()] = EMPTY;
        }
        board
    }

    /// The stones of a position.
    pub fn from_position(position: &Position) -> Reference {
        let size = position.size();
        Reference::new(size, position.turn(), |index| position.stone(size.cell(index)))
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The owner of the stone on the cell with this index; `None` where there is none.
    pub fn stone(&self, index: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.cells.get(index) == Some(&(side.letter() as u8)))
    }

    /// Position text without the side to move.
    pub fn text(&self) -> String {
        let rows: Vec<_> = self.cells.chunks(self.cols).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        rows.join("/")
    }

    /// Every move of the side to move with the board after it: stones row by row from the top left; left, right, up,
    /// down; shorter jumps first.
    pub fn moves(&self) -> Vec<(Move, Reference)> {
        let mut found = Vec::new();
        let _ = self.clone().each_move(&mut |mv, after| {
            found.push((mv, after.clone()));
            ControlFlow::Continue(())
        });
        found
    }

    /// Plays each of [`Reference::moves`] on this very board, shows it to `visit`, and takes it back; until `visit` breaks
    /// off, which is returned. `visit` must leave the board as it is given.
    pub fn each_move(&mut self, visit: &mut dyn FnMut(Move, &mut Reference) -> ControlFlow<()>) -> ControlFlow<()> {
        let (mover, other) = (self.turn, self.turn.other());
        let (own, enemy) = (mover.letter() as u8, other.letter() as u8);
        let (rows, cols) = (self.rows as isize, self.cols as isize);
        let inside = |row: isize, col: isize| (0..rows).contains(&row) && (0..cols).contains(&col);
        let at = |row: isize, col: isize| (row * cols + col) as usize;
        let cell = |row: isize, col: isize| Cell::new(col as usize, (rows - 1 - row) as usize);
        for row in 0..rows {
            for col in 0..cols {
                if self.cells[at(row, col)] != own {
                    continue;
                }
                for (down, right) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
                    let (mut r, mut c) = (row, col);
                    let mut flow = ControlFlow::Continue(());
                    while flow.is_continue()
                        && inside(r + 2 * down, c + 2 * right)
                        && self.cells[at(r + down, c + right)] == enemy
                        && self.cells[at(r + 2 * down, c + 2 * right)] == EMPTY
                    {
                        self.cells[at(r, c)] = EMPTY;
                        self.cells[at(r + down, c + right)] = EMPTY;
                        (r, c) = (r + 2 * down, c + 2 * right);
                        self.cells[at(r, c)] = own;
                        self.turn = other;
                        flow = visit(Move { from: cell(row, col), to: cell(r, c) }, self);
                    }
                    self.turn = mover;
                    while (r, c) != (row, col) {
                        self.cells[at(r, c)] = EMPTY;
                        self.cells[at(r - down, c - right)] = enemy;
                        (r, c) = (r - 2 * down, c - 2 * right);
                        self.cells[at(r, c)] = own;
                    }
                    flow?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The cells that Black may remove a stone from first, in the order of the board.
    pub fn first_removals(size: Size, top_left: Side, rule: FirstRemoval) -> Vec<Cell> {
        let full = Reference::full(size, top_left);
        let (rows, cols) = (size.rows(), size.cols());
        let mut found = Vec::new();
        for row in 0..rows {
            for col in 0..cols {
                let corner = (row == 0 || row == rows - 1) && (col == 0 || col == cols - 1);
                let middle = |at: usize, of: usize| at == (of - 1) / 2 || at == of / 2;
                let centre = middle(row, rows) && middle(col, cols);
                let allowed = match rule {
                    FirstRemoval::CornerOrCentre => corner || centre,
                    FirstRemoval::Any => true,
                    FirstRemoval::Corner => corner,
                    FirstRemoval::Centre => centre,
                };
                if allowed && full.stone(row * cols + col) == Some(Side::Black) {
                    found.push(size.cell_at(row, col));
                }
            }
        }
        found
    }

    /// The cells that White may remove a stone from once Black has removed the one on `first`, in the order of the board.
    pub fn second_removals(size: Size, top_left: Side, rule: SecondRemoval, first: Cell) -> Vec<Cell> {
        let full = Reference::full(size, top_left);
        let mut found = Vec::new();
        for (index, cell) in size.all_cells().enumerate() {
            let distance = cell.row().abs_diff(first.row()) + cell.col().abs_diff(first.col());
            let allowed = rule == SecondRemoval::Any || distance == 1;
            if allowed && full.stone(index) == Some(Side::White) {
                found.push(cell);
            }
        }
        found
    }

    /// What becomes of these cells when the board is reflected, and if it is square turned, so that no cell changes its
    /// colour; the cells themselves first.
    pub fn images<const N: usize>(size: Size, cells: [Cell; N]) -> Vec<[Cell; N]> {
        let (rows, cols) = (size.rows(), size.cols());
        let mut found = Vec::new();
        for swap in [false, true] {
            for upside_down in [false, true] {
                for mirrored in [false, true] {
                    let image = |row: usize, col: usize| {
                        let (row, col) = if swap { (col, row) } else { (row, col) };
                        let row = if upside_down { rows - 1 - row } else { row };
                        let col = if mirrored { cols - 1 - col } else { col };
                        (row, col)
                    };
                    let possible = !swap || rows == cols;
                    let keeps_colour = |row: usize, col: usize| {
                        let (to_row, to_col) = image(row, col);
                        (row + col) % 2 == (to_row + to_col) % 2
                    };
                    if possible && (0..rows).all(|row| (0..cols).all(|col| keeps_colour(row, col))) {
                        found.push(cells.map(|cell| {
                            let (row, col) = image(rows - 1 - cell.row(), cell.col());
                            size.cell_at(row, col)
                        }));
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
