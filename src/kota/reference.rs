//! The rules a second time, slowly, as a person applies them: to check the fast move generator with.
//!
//! Shares only the vocabulary with the rest (cells, stones, set-ups, the names of the readings): cells touch where the
//! centres of their hexagons are near, paths are tried step by step, stones are looked for in lists.

use super::{Board, Cell, Move, OwnStones, Path, Rules, Setup, Side, Stone, Stuck};

/// The game by the slow statement of its rules.
#[derive(Clone, Debug)]
pub struct Reference {
    rules: Rules,
    n: u8,
    /// The neighbours of the cell in column c and row r at r * n + c.
    touching: Vec<Vec<Cell>>,
}

/// What a set-up is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Situation {
    /// The side to move has these moves, in order.
    Open(Vec<Move>),
    /// The side to move must pass.
    Pass,
    /// Over, and won by this side.
    Won(Side),
    /// Over, and drawn.
    Drawn,
}

impl Reference {
    /// The game under these rules with N stones a side.
    pub fn new(rules: Rules, n: usize) -> Reference {
        let n = n as u8;
        let cells: Vec<Cell> = (0..n).flat_map(|row| (0..n).map(move |col| Cell { col, row })).collect();
        let near = |a: &Cell| cells.iter().copied().filter(|b| touch(rules.board, n, *a, *b)).collect();
        Reference { rules, n, touching: cells.iter().map(near).collect() }
    }

    fn neighbours(&self, cell: Cell) -> &[Cell] {
        &self.touching[usize::from(cell.row) * usize::from(self.n) + usize::from(cell.col)]
    }

    /// What the side to move can do.
    pub fn situation(&self, setup: &Setup) -> Situation {
        for (side, cells, goal) in [(Side::Red, &setup.red, self.n - 1), (Side::White, &setup.white, 0)] {
            if cells.iter().any(|cell| cell.row == goal) {
                return Situation::Won(side);
            }
        }
        let moves = self.moves(setup);
        if !moves.is_empty() {
            return Situation::Open(moves);
        }
        match self.rules.stuck {
            Stuck::Loss => Situation::Won(setup.turn.other()),
            Stuck::Draw => Situation::Drawn,
            Stuck::Pass => {
                let other = Setup { turn: setup.turn.other(), ..setup.clone() };
                if self.moves(&other).is_empty() { Situation::Drawn } else { Situation::Pass }
            }
        }
    }

    /// The moves of the stones of the side to move, in order, as long as nobody has won.
    fn moves(&self, setup: &Setup) -> Vec<Move> {
        let own = if setup.turn == Side::Red { &setup.red } else { &setup.white };
        let mut moves = Vec::new();
        for (at, &from) in own.iter().enumerate() {
            let number = at as u8 + 1;
            let mut ends = Vec::new();
            self.go(setup, from, number, &mut vec![from], &mut ends);
            ends.sort_unstable();
            ends.dedup();
            for to in ends {
                let mut after = own.clone();
                after[at] = to;
                if to != from && self.own_stones_hold(&after) {
                    moves.push(Move::Go { stone: Stone { side: setup.turn, number }, from, to });
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    /// Takes every next step of a way whose cells so far are `way`.
    fn go(&self, setup: &Setup, start: Cell, steps: u8, way: &mut Vec<Cell>, ends: &mut Vec<Cell>) {
        let Some(&at) = way.last() else { return };
        if steps == 0 {
            ends.push(at);
            return;
        }
        for &next in self.neighbours(at) {
            // The moving stone has left its cell, so that one is empty.
            let empty = next == start || !(setup.red.contains(&next) || setup.white.contains(&next));
            let allowed = match self.rules.path {
                Path::Simple => !way.contains(&next),
                Path::Walk => true,
            };
            if empty && allowed {
                way.push(next);
                self.go(setup, start, steps - 1, way, ends);
                way.pop();
            }
        }
    }

    fn own_stones_hold(&self, stones: &[Cell]) -> bool {
        match self.rules.own_stones {
            OwnStones::EachHasNeighbour => {
                stones.len() == 1
                    || stones.iter().all(|&stone| self.neighbours(stone).iter().any(|cell| stones.contains(cell)))
            }
            OwnStones::Group => {
                let mut group = vec![stones[0]];
                let mut at = 0;
                while at < group.len() {
                    for &cell in self.neighbours(group[at]) {
                        if stones.contains(&cell) && !group.contains(&cell) {
                            group.push(cell);
                        }
                    }
                    at += 1;
                }
                group.len() == stones.len()
            }
        }
    }

    /// The set-up after a move of [`Reference::situation`], or after a pass.
    pub fn after(&self, setup: &Setup, mv: Move) -> Setup {
        let mut next = Setup { turn: setup.turn.other(), ..setup.clone() };
        if let Move::Go { stone, to, .. } = mv {
            let list = if stone.side == Side::Red { &mut next.red } else { &mut next.white };
            list[usize::from(stone.number) - 1] = to;
        }
        next
    }
}

/// Whether two hexagons share an edge: their centres are as near as centres can be.
fn touch(board: Board, n: u8, a: Cell, b: Cell) -> bool {
    let apart = |(x, y): (f64, f64), (u, v): (f64, f64)| ((x - u).powi(2) + (y - v).powi(2)).sqrt();
    (apart(centre(board, n, a), centre(board, n, b)) - 1.0).abs() < 0.01
}

/// The centre of a hexagon, neighbours being 1 apart; y grows downwards.
fn centre(board: Board, n: u8, cell: Cell) -> (f64, f64) {
    let (col, down) = (f64::from(cell.col), f64::from(n - 1 - cell.row));
    let odd = |number: f64| number % 2.0;
    let slant = 0.75_f64.sqrt();
    match board {
        Board::FlatColumns => (col * slant, down + odd(col) / 2.0),
        Board::Rhombus => (col + down / 2.0, down * slant),
        Board::OffsetRows => (col + odd(down) / 2.0, down * slant),
    }
}
