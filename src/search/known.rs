//! Answers from stored facts where there are some, by search elsewhere.

use std::time::Instant;

use crate::konane::{Facts, Position, Side};
use crate::run::Control;

use super::{Answer, Line, Solver};

/// Who wins a position and a line of best play: what the facts say, or else what the solver finds within the control. An
/// answer from facts has no nodes.
///
/// Contract: the answer is proved, by the search or by whoever made the facts.
///
/// # Panics
/// When the position is of another board or colouring than the solver's.
pub fn answer(solver: &Solver, position: &Position, facts: Option<&dyn Facts>, control: &Control) -> (Answer, Line) {
    let started = Instant::now();
    let Some((facts, winner)) = facts.and_then(|facts| Some((facts, facts.fact(position)?.winner))) else {
        let answer = solver.solve(position, control);
        return (answer, answer.winner.map(|_| solver.line(position, control)).unwrap_or_default());
    };
    let line = known_line(position, winner, facts).unwrap_or_else(|| solver.line(position, control));
    (Answer { winner: Some(winner), nodes: 0, time: started.elapsed() }, line)
}

/// A line of best play as far as facts alone lead; `None` when they do not lead to the end.
fn known_line(position: &Position, winner: Side, facts: &dyn Facts) -> Option<Line> {
    let (mut line, mut position) = (Line::default(), *position);
    loop {
        let moves = position.moves();
        let Some(&first) = moves.first() else {
            line.complete = true;
            return Some(line);
        };
        let fact = facts.fact(&position).filter(|fact| fact.winner == winner)?;
        // Any move of the loser loses.
        let mv = fact.best.or((position.turn() != winner).then_some(first))?;
        line.moves.push(mv);
        position = position.play(mv).ok()?;
    }
}
