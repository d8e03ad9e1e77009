//! Every move of a position judged, and lines of best play, from whatever knows the values of open positions.

use super::{Kota, Move, Outcome, Position, Solver, Table, Value};

/// Something that knows the values of open positions.
pub trait Oracle: Sync {
    /// The value of an open position for the side to move; `None` where it is not known.
    fn value(&self, position: &Position) -> Option<Value>;
}

impl Oracle for Solver {
    fn value(&self, position: &Position) -> Option<Value> {
        Solver::value(self, position)
    }
}

impl Oracle for Table {
    fn value(&self, position: &Position) -> Option<Value> {
        Table::value(self, position)
    }
}

/// A move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The move.
    pub mv: Move,
    /// The value of the position after it, for the side that makes the move; the depth counts the move.
    pub value: Option<Value>,
}

/// A position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// For the side to move.
    pub value: Option<Value>,
    /// Best first: wins by smallest depth, draws, moves not known, losses by largest depth.
    pub moves: Vec<Judged>,
}

/// The value of any position for the side to move: from its ending, or else from the oracle.
pub fn value_of(kota: &Kota, oracle: &dyn Oracle, position: &Position) -> Option<Value> {
    match kota.ending(position) {
        None => oracle.value(position),
        Some(ending) => Some(match ending.winner() {
            None => Value { outcome: Outcome::Draw, depth: None },
            // Who is to move when the game ends has lost.
            Some(winner) if winner == position.turn() => Value { outcome: Outcome::Win, depth: Some(0) },
            Some(_) => Value { outcome: Outcome::Loss, depth: Some(0) },
        }),
    }
}

/// Judges every move of a position.
pub fn analyze(kota: &Kota, oracle: &dyn Oracle, position: &Position) -> Analysis {
    let judged = |mv: Move| {
        let next = value_of(kota, oracle, &kota.play_unchecked(position, mv));
        let value =
            next.map(|next| Value { outcome: next.outcome.reversed(), depth: next.depth.map(|depth| depth + 1) });
        Judged { mv, value }
    };
    let mut moves: Vec<Judged> = kota.choices(position).into_iter().map(judged).collect();
    moves.sort_by_key(|judged| {
        let depth = |value: Value| i32::from(value.depth.unwrap_or(0));
        match judged.value {
            Some(value) if value.outcome == Outcome::Win => (0, depth(value)),
            Some(value) if value.outcome == Outcome::Draw => (1, 0),
            None => (2, 0),
            Some(value) => (3, -depth(value)),
        }
    });
    Analysis { value: value_of(kota, oracle, position), moves }
}

/// A line of best play: to its end where somebody wins, and else until a position comes up again or `most` moves are made.
pub fn best_line(kota: &Kota, oracle: &dyn Oracle, position: &Position, most: usize) -> Vec<Move> {
    let (mut position, mut line) = (*position, Vec::new());
    let mut seen = vec![position];
    loop {
        let analysis = analyze(kota, oracle, &position);
        let decided = analysis.value.is_some_and(|value| value.depth.is_some());
        let Some(best) = analysis.moves.first() else { return line };
        if !decided && line.len() >= most || best.value.is_none() {
            return line;
        }
        line.push(best.mv);
        position = kota.play_unchecked(&position, best.mv);
        if seen.contains(&position) {
            return line;
        }
        seen.push(position);
    }
}
