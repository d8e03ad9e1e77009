//! The game under one reading at one size: its start, its moves, its end.

use super::cell::check_size;
use super::grid::{Cells, Grid, each};
use super::position::place;
use super::{
    Cell, Layout, MAX_N, Move, MoveError, OwnStones, Path, Position, PositionError, Rules, Setup, Side, SizeError,
    Stone, Stuck,
};

/// The game under one reading of the rules at one size.
///
/// ```
/// use papamu::kota::{Kota, Rules};
///
/// let kota = Kota::new(Rules::default(), 3)?;
/// let start = kota.start();
/// assert_eq!(start.to_string(), "R:a1,b1,c1 W:c3,b3,a3 red");
/// let moves: Vec<String> = kota.moves(&start).iter().map(ToString::to_string).collect();
/// assert_eq!(moves, ["R1:a1-b2", "R3:c1-a2"]);
/// let next = kota.play(&start, "R1:a1-b2".parse()?)?;
/// assert_eq!(next.to_string(), "R:b2,b1,c1 W:c3,b3,a3 white");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kota {
    rules: Rules,
    grid: Grid,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A stone of this side reached the row that the other guarded.
    Goal(Side),
    /// The other side had no legal move and loses by that; this side wins.
    Blocked(Side),
    /// Drawn, because the side to move has no legal move.
    Stuck,
    /// Drawn, because neither side has a legal move.
    BothStuck,
    /// Drawn, because the position came up for the third time. Only a game record knows this.
    Repetition,
}

impl Ending {
    /// Who won; `None` for a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            Ending::Goal(side) | Ending::Blocked(side) => Some(side),
            Ending::Stuck | Ending::BothStuck | Ending::Repetition => None,
        }
    }

    /// The ending as a phrase: `Red wins: a stone reached the far row`.
    pub fn phrase(self) -> String {
        match self {
            Ending::Goal(side) => format!("{} wins: a stone reached the far row", side.title()),
            Ending::Blocked(side) => format!("{} wins: {} has no legal move", side.title(), side.other().title()),
            Ending::Stuck => "drawn: the side to move has no legal move".to_owned(),
            Ending::BothStuck => "drawn: neither side has a legal move".to_owned(),
            Ending::Repetition => "drawn: the position came up for the third time".to_owned(),
        }
    }
}

impl Kota {
    /// The game with N stones a side on NxN hexagons.
    ///
    /// # Errors
    /// When N is not from 2 to 11.
    pub fn new(rules: Rules, n: usize) -> Result<Kota, SizeError> {
        check_size(n)?;
        Ok(Kota { rules, grid: Grid::new(rules.board, n) })
    }

    /// The reading of the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Stones a side, and rows and columns of the board.
    pub fn n(&self) -> usize {
        self.grid.n()
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The position at the start.
    pub fn start(&self) -> Position {
        let n = self.n();
        let rising = |row: usize, rising: bool| {
            let mut cells = [0; MAX_N];
            for (at, cell) in cells[..n].iter_mut().enumerate() {
                *cell = (row * n + if rising { at } else { n - 1 - at }) as u8;
            }
            cells
        };
        let reversed = self.rules.reversed;
        let white = match self.rules.layout {
            Layout::Point => reversed,
            Layout::Mirror => !reversed,
        };
        Position { n: n as u8, turn: self.rules.start, cells: [rising(n - 1, !reversed), rising(0, white)] }
    }

    /// The position of a set-up.
    ///
    /// # Errors
    /// When it is none: see [`PositionError`].
    pub fn position(&self, setup: &Setup) -> Result<Position, PositionError> {
        let position = place(setup, self.n())?;
        for side in Side::ALL {
            let stones = self.apart(&position, side);
            if !stones.is_empty() {
                return Err(PositionError::OwnStones { side, rule: self.rules.own_stones, stones });
            }
        }
        let turn = position.turn;
        let arrived = |side: Side| each(position.set(side) & self.goal(side)).next();
        // The side that did not move last cannot have arrived, and with both there the first one had ended the game.
        let early = arrived(turn).or_else(|| arrived(turn).and(arrived(turn.other())));
        match early.and_then(|cell| position.stone_on(cell)) {
            Some(stone) => Err(PositionError::Over { stone, turn }),
            None => Ok(position),
        }
    }

    /// The stones of a side that break the own-stones rule.
    fn apart(&self, position: &Position, side: Side) -> Vec<Stone> {
        let set = position.set(side);
        if self.grid.own_stones_hold(set, self.rules.own_stones) {
            return Vec::new();
        }
        let apart = match self.rules.own_stones {
            OwnStones::EachHasNeighbour => {
                each(set).filter(|&cell| self.grid.around(cell) & set == 0).fold(0, |apart, cell| apart | 1 << cell)
            }
            OwnStones::Group => {
                let groups = each(set).map(|cell| self.grid.group(set, cell));
                set & !groups.max_by_key(|group| group.count_ones()).unwrap_or(0)
            }
        };
        let mut stones: Vec<Stone> = each(apart).filter_map(|cell| position.stone_on(cell)).collect();
        stones.sort_unstable();
        stones
    }

    /// The row that a side must reach.
    pub(super) fn goal(&self, side: Side) -> Cells {
        match side {
            Side::Red => self.grid.top_row(),
            Side::White => self.grid.bottom_row(),
        }
    }

    /// The cells where a stone may end its move.
    pub(super) fn ends(&self, position: &Position, stone: Stone) -> Cells {
        let own = position.set(stone.side);
        let from = usize::from(position.stones(stone.side)[usize::from(stone.number) - 1]);
        let free = self.grid.all() & !(own | position.set(stone.side.other()));
        let wanted = self.grid.joins(own & !(1 << from), self.rules.own_stones) & free;
        // Most stones may not move at all without leaving the others.
        if wanted == 0 { 0 } else { self.reached(free, from, wanted, stone.number.into()) }
    }

    /// The cells among those wanted that a stone reaches in exactly so many steps.
    fn reached(&self, free: Cells, from: usize, wanted: Cells, steps: usize) -> Cells {
        match self.rules.path {
            // The stone has left its cell, so a walk may come by there again.
            Path::Walk => self.grid.walks(free | 1 << from, from, steps)[steps] & wanted,
            Path::Simple => {
                let likely = self.grid.walks(free, from, steps)[steps] & wanted;
                let reached = each(likely).filter(|&to| self.grid.has_simple_path(free, from, to, steps));
                reached.fold(0, |reached, to| reached | 1 << to)
            }
        }
    }

    /// Every way in which the side to move may move a stone, by number and then by the index of the end. Empty where it has
    /// none, and where the game is over.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.arrived(position).is_none() {
            for (stone, to) in self.steps(position) {
                moves.push(self.walk(position, stone, to));
            }
        }
        moves
    }

    /// The same as stones and indices, whether or not the game is over.
    pub(super) fn steps(&self, position: &Position) -> Vec<(Stone, usize)> {
        let mut steps = Vec::new();
        for number in 1..=position.n {
            let stone = Stone { side: position.turn, number };
            steps.extend(each(self.ends(position, stone)).map(|to| (stone, to)));
        }
        steps
    }

    pub(super) fn walk(&self, position: &Position, stone: Stone, to: usize) -> Move {
        let n = self.n();
        let from = position.stones(stone.side)[usize::from(stone.number) - 1].into();
        Move::Go { stone, from: Cell::from_index(from, n), to: Cell::from_index(to, n) }
    }

    /// The moves that a side to move chooses from: those of its stones, or the pass where it has none and may go on.
    pub fn choices(&self, position: &Position) -> Vec<Move> {
        let moves = self.moves(position);
        if moves.is_empty() && self.ending(position).is_none() {
            return vec![Move::Pass { side: position.turn }];
        }
        moves
    }

    /// The side that has a stone on the row it must reach.
    pub(super) fn arrived(&self, position: &Position) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| position.set(side) & self.goal(side) != 0)
    }

    fn can_move(&self, position: &Position) -> bool {
        (1..=position.n).any(|number| self.ends(position, Stone { side: position.turn, number }) != 0)
    }

    /// How the game ended in this position; `None` where it goes on.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if let Some(side) = self.arrived(position) {
            return Some(Ending::Goal(side));
        }
        if self.can_move(position) {
            return None;
        }
        match self.rules.stuck {
            Stuck::Loss => Some(Ending::Blocked(position.turn.other())),
            Stuck::Draw => Some(Ending::Stuck),
            Stuck::Pass => (!self.can_move(&position.flipped())).then_some(Ending::BothStuck),
        }
    }

    /// The position after a legal move.
    ///
    /// # Errors
    /// When the move is not legal: see [`MoveError`].
    pub fn play(&self, position: &Position, mv: Move) -> Result<Position, MoveError> {
        if self.ending(position).is_some() {
            return Err(MoveError::GameOver { mv });
        }
        if mv.side() != position.turn {
            return Err(MoveError::Turn { mv, turn: position.turn });
        }
        let n = self.n();
        let Move::Go { stone, from, to } = mv else {
            return match self.moves(position).first() {
                Some(&example) => Err(MoveError::Pass { mv, example }),
                None => Ok(position.flipped()),
            };
        };
        let at = position.cell(stone).ok_or(MoveError::NoStone { mv, n })?;
        if at != from {
            return Err(MoveError::From { mv, at });
        }
        let to = to.index(n).ok_or(MoveError::OffBoard { mv, n })?;
        if from.index(n) == Some(to) {
            return Err(MoveError::Nowhere { mv });
        }
        if let Some(by) = position.stone_on(to) {
            return Err(MoveError::Occupied { mv, by });
        }
        let next = position.moved(stone, to);
        if self.ends(position, stone) >> to & 1 == 1 {
            return Ok(next);
        }
        let stones = self.apart(&next, stone.side);
        match stones.is_empty() {
            false => Err(MoveError::OwnStones { mv, rule: self.rules.own_stones, stones }),
            true => Err(MoveError::Steps { mv, steps: stone.number, path: self.rules.path }),
        }
    }

    /// The position after a move that is known to be legal.
    pub(super) fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        match mv {
            Move::Go { stone, to, .. } => to.index(self.n()).map_or(*position, |to| position.moved(stone, to)),
            Move::Pass { .. } => position.flipped(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    fn kota(board: Board, n: usize) -> Kota {
        Kota::new(Rules { board, ..Rules::default() }, n).unwrap()
    }

    #[test]
    fn first_moves_of_eleven() {
        let kota = kota(Board::Rhombus, 11);
        let moves = kota.moves(&kota.start());
        let count =
            |wanted| moves.iter().filter(|mv| matches!(mv, Move::Go { stone, .. } if stone.number == wanted)).count();
        assert_eq!((moves.len(), count(1), count(11)), (11, 1, 10));
    }

    /// Red 1, White 11, Red 2, White 10: the opening of the rule sheet, by the reading that makes it possible.
    #[test]
    fn the_opening_of_the_rule_sheet() {
        let versions = |board, own_stones| {
            let kota = Kota::new(Rules { board, own_stones, ..Rules::default() }, 11).unwrap();
            let mut positions = vec![kota.start()];
            for number in [1, 11, 2, 10] {
                let next = |position: &Position| {
                    let stone = Stone { side: position.turn, number };
                    each(kota.ends(position, stone)).map(|to| position.moved(stone, to)).collect::<Vec<_>>()
                };
                positions = positions.iter().flat_map(next).collect();
            }
            positions.len()
        };
        assert_eq!(versions(Board::Rhombus, OwnStones::Group), 0);
        assert_eq!(versions(Board::OffsetRows, OwnStones::Group), 0);
        assert_eq!(versions(Board::FlatColumns, OwnStones::Group), 91);
        assert_eq!(versions(Board::FlatColumns, OwnStones::EachHasNeighbour), 95);
    }

    #[test]
    fn two_is_full() {
        let kota = kota(Board::FlatColumns, 2);
        assert_eq!((kota.moves(&kota.start()), kota.ending(&kota.start())), (vec![], Some(Ending::BothStuck)));
    }

    #[test]
    fn wrong_positions_and_moves_say_why() {
        let kota = kota(Board::FlatColumns, 3);
        let said = |text: &str| match text.parse::<Setup>() {
            Ok(setup) => kota.position(&setup).expect_err(text).to_string(),
            Err(error) => error.to_string(),
        };
        for (text, reason) in [
            ("R:a1,b1 W:c3,b3,a3 red", "R3 is missing: Red has 2 stones and White 3"),
            ("R:a1,b1,c1,c2 W:c3,b3,a3 red", "R4 is too many"),
            ("R:a1,b1,c1 W:c3,b3,a4 red", "W3: a4 is not on the 3x3 board (a1 to c3)"),
            ("R:a1,b1,c1 W:c3,b3,b1 red", "R2 and W3 are both on b1"),
            ("R:a1,b1,c2 W:c3,b3,a3 red", "own-stones rule `group`: R3 is apart from the others of Red"),
            ("R:a1,c1,c2 W:c3,b3,a3 red", "own-stones rule `group`: R1 is apart"),
            ("R:a1,b1,c1 W:c3,b3,a3", "expected a position such as"),
            ("R:a1,b1,c1 W:c3,b3,a3 blue", "`blue` is not a side"),
            ("R:a1,,c1 W:c3,b3,a3 red", "stone R2: `` is not a cell"),
            ("R:b2,a2,a3 W:c3,b3,c2 red", "R3 stands on the row it had to reach"),
        ] {
            assert!(said(text).contains(reason), "{text}: {}", said(text));
        }
        let refused = |text: &str| kota.play(&kota.start(), text.parse().unwrap()).expect_err(text).to_string();
        for (text, reason) in [
            ("W1:c3-c2", "it is Red's turn"),
            ("R:pass", "no passing while there is a legal move, such as R1:a1-b2"),
            ("R4:a1-a2", "there is no stone R4, the numbers are 1 to 3"),
            ("R1:b1-b2", "the stone is on a1"),
            ("R1:a1-a4", "it ends off the 3x3 board"),
            ("R1:a1-a1", "another cell than it began"),
            ("R1:a1-b1", "R2 is there"),
            ("R1:a1-c2", "no way of exactly 1 steps along empty cells (path `simple`: no cell twice)"),
            ("R3:c1-c2", "own-stones rule `group`: afterwards R3 would be apart"),
        ] {
            assert!(refused(text).contains(reason), "{text}: {}", refused(text));
        }
    }
}
