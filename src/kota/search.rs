//! A player for boards beyond any table: alpha-beta with iterative deepening and an estimate of positions.

use crate::run::{Allowance, Control, Stopped};

use super::grid::each;
use super::{Kota, Move, Position, Record, Side, Stone, Stuck};

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move to make.
    pub mv: Move,
    /// The estimate for the side to move; [`Found::WIN`] less the plies for a forced win.
    pub score: i32,
    /// Plies searched in full.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl Found {
    /// More than any estimate.
    pub const WIN: i32 = 1_000_000;

    /// Plies to a forced win (positive) or loss (negative), if one was found.
    pub fn forced(&self) -> Option<i32> {
        let plies = Found::WIN - self.score.abs();
        (plies < 1000).then_some(if self.score > 0 { plies } else { -plies })
    }
}

/// Searches for the best move of a game that goes on, ever deeper, until a limit of the control or `deepest` plies.
///
/// The first two plies are always finished, whatever the limit, so there is always a sensible move. Positions that came up before
/// count as draws, since going round again leads there.
pub fn search(record: &Record, control: &Control, deepest: u32) -> Option<Found> {
    let kota = record.kota();
    let mut moves: Vec<(i32, Move)> = kota.choices(record.position()).into_iter().map(|mv| (0, mv)).collect();
    let mut best = Found { mv: moves.first()?.1, score: 0, depth: 0, nodes: 0 };
    if record.ending().is_some() {
        return None;
    }
    let unlimited = Control::default();
    for depth in 1..=deepest.max(1) {
        let control = if depth <= 2 { &unlimited } else { control };
        let mut search = Search { record, kota, allowance: Allowance::new(control, None), path: Vec::new() };
        let finished = search.root(&mut moves, depth);
        best.nodes += search.allowance.nodes();
        if finished.is_err() {
            break;
        }
        // The scores after the first are bounds, but a stable order by them is a good one for the next depth.
        moves.sort_by_key(|&(score, _)| -score);
        (best.score, best.mv) = moves[0];
        best.depth = depth;
        if best.forced().is_some() || moves.len() == 1 {
            break;
        }
    }
    Some(best)
}

struct Search<'a> {
    record: &'a Record,
    kota: &'a Kota,
    allowance: Allowance<'a>,
    path: Vec<Position>,
}

impl Search<'_> {
    fn root(&mut self, moves: &mut [(i32, Move)], depth: u32) -> Result<(), Stopped> {
        let position = *self.record.position();
        let mut alpha = -Found::WIN;
        for (score, mv) in moves {
            let next = self.kota.play_unchecked(&position, *mv);
            // A move that only equals the best so far gets a score below it, so that the first of equals stays first.
            let found = -self.score(&next, depth - 1, 1, -Found::WIN, -alpha)?;
            *score = if found > alpha { found } else { alpha.min(found) - 1 };
            alpha = alpha.max(found);
        }
        Ok(())
    }

    /// The score of a position for its side to move, exact within the window and a bound outside it.
    fn score(&mut self, position: &Position, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> Result<i32, Stopped> {
        self.allowance.spend()?;
        if self.kota.arrived(position).is_some() {
            return Ok(ply - Found::WIN);
        }
        if self.record.times(position) > 0 || self.path.contains(position) {
            return Ok(0);
        }
        if depth == 0 {
            return Ok(estimate(self.kota, position));
        }
        let mut steps = self.kota.steps(position);
        if steps.is_empty() {
            return match self.kota.rules().stuck {
                Stuck::Loss => Ok(ply - Found::WIN),
                Stuck::Draw => Ok(0),
                Stuck::Pass if self.kota.ending(position).is_some() => Ok(0),
                Stuck::Pass => Ok(-self.score(&position.flipped(), depth - 1, ply + 1, -beta, -alpha)?),
            };
        }
        // Nearer to the goal first: wins at once, and then what is most often best.
        let side = position.turn();
        steps.sort_by_key(|&(_, to)| rows_to_go(self.kota, side, to));
        let mut best = -Found::WIN;
        self.path.push(*position);
        for (stone, to) in steps {
            let score = self.score(&position.moved(stone, to), depth - 1, ply + 1, -beta, -alpha);
            let score = match score {
                Ok(score) => -score,
                Err(stopped) => {
                    self.path.pop();
                    return Err(stopped);
                }
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.path.pop();
        Ok(best)
    }
}

fn rows_to_go(kota: &Kota, side: Side, cell: usize) -> i32 {
    let row = (cell / kota.n()) as i32;
    match side {
        Side::Red => row,
        Side::White => kota.n() as i32 - 1 - row,
    }
}

/// An estimate for the side to move: how far the foremost stone and all stones together have come, how many stones could leave the
/// others without breaking the own-stones rule and have somewhere to go, and how many neighbours the stones have.
fn estimate(kota: &Kota, position: &Position) -> i32 {
    side_estimate(kota, position, position.turn()) - side_estimate(kota, position, position.turn().other())
}

fn side_estimate(kota: &Kota, position: &Position, side: Side) -> i32 {
    let (own, grid) = (position.set(side), kota.grid());
    let free = grid.all() & !(own | position.set(side.other()));
    let to_go = || position.stones(side).iter().map(|&cell| rows_to_go(kota, side, cell.into()));
    let foremost = to_go().min().unwrap_or(0);
    let mobile = (1..=position.n() as u8).filter(|&number| {
        let stone = Stone { side, number };
        let at = position.stones(side)[usize::from(stone.number) - 1];
        grid.joins(own & !(1 << at), kota.rules().own_stones) & free != 0
    });
    let links: i32 = each(own).map(|cell| (grid.around(cell) & own).count_ones() as i32).sum();
    -60 * foremost - 8 * to_go().sum::<i32>() + 5 * mobile.count() as i32 + links
}

#[cfg(test)]
mod tests {
    use super::super::{Outcome, Rules, SolveError, Solver, analyze};
    use super::*;
    use crate::run::MemorySize;

    #[test]
    fn forced_wins_are_found_as_the_table_says() {
        let rules = Rules { stuck: Stuck::Loss, ..Rules::default() };
        let kota = Kota::new(rules, 3).unwrap();
        let mut solver = Solver::new(&kota, MemorySize::from_bytes(1 << 28)).unwrap();
        solver.run::<SolveError>(&Control::default(), |_| Ok(())).unwrap();
        // The start wins in 5.
        let mut record = Record::new(kota.clone());
        for left in (1..=5).rev() {
            let found = search(&record, &Control::default(), 8).unwrap();
            let sign = if left % 2 == 1 { 1 } else { -1 };
            // A single move is made without thinking.
            let forced = (kota.choices(record.position()).len() > 1).then_some(sign * left);
            assert!(forced.is_none() || found.forced() == forced, "{left}: {found:?}");
            let analysis = analyze(&kota, &solver, record.position());
            let judged = analysis.moves.iter().find(|judged| judged.mv == found.mv).unwrap();
            assert_eq!(judged.value, analysis.value);
            assert_eq!(judged.value.unwrap().outcome == Outcome::Win, sign == 1);
            record.play(found.mv).unwrap();
        }
        assert!(record.ending().is_some() && search(&record, &Control::default(), 8).is_none());
    }

    #[test]
    fn eleven_is_playable() {
        let control = Control::new(crate::run::Limits { nodes: Some(2000), time: None });
        let mut record = Record::new(Kota::new(Rules::default(), 11).unwrap());
        for _ in 0..2 {
            let found = search(&record, &control, 2).unwrap();
            assert_eq!(found.depth, 2);
            record.play(found.mv).unwrap();
        }
    }
}
