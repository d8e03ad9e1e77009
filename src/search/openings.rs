//! The openings of a board: which removal wins, and White's best replies.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use rayon::prelude::*;

use crate::board::{Cell, Size};
use crate::konane::{Opening, OpeningError, Rules, RulesError, Side};
use crate::run::Control;

use super::{Answer, Solver};

/// What is asked of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsRequest {
    /// The board.
    pub size: Size,
    /// The rules.
    pub rules: Rules,
    /// The openings asked for; empty: all that the rules allow.
    pub openings: Vec<Opening>,
    /// Search only as much as decides each removal and the game.
    pub decide: bool,
}

/// The answer for a board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardAnswer {
    /// Who wins the whole game, the removals being moves; `None`: not known.
    pub winner: Option<Side>,
    /// One row for each first removal the rules allow (with openings asked for: for each of theirs), in board order.
    pub removals: Vec<RemovalAnswer>,
    /// One row for each opening, symmetric ones included, in board order (those asked for: in the order asked).
    pub openings: Vec<OpeningAnswer>,
}

/// The answer for one first removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovalAnswer {
    /// The cell Black removes from.
    pub black: Cell,
    /// Who wins with White's best reply; `None`: not known.
    pub winner: Option<Side>,
    /// The replies known to win for White.
    pub winning_replies: Vec<Cell>,
}

/// The answer for one opening pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningAnswer {
    /// The pair.
    pub opening: Opening,
    /// The symmetric pair that was searched; its figures stand here.
    pub searched: Opening,
    /// The figures; nothing known and nothing spent where the search did not get to it.
    pub answer: Answer,
}

/// Solves what the request asks for, several openings at a time in the current rayon pool; symmetric openings once.
/// `solved` is called (from any thread) for each opening that was searched to the end. When the control stops, what is
/// not known stays `None`.
///
/// # Errors
/// When an opening asked for is not legal under the rules, or the rules leave no first removal.
pub fn solve_openings(
    solver: &Solver,
    request: &OpeningsRequest,
    control: &Control,
    solved: &(dyn Fn(Opening, Answer) + Sync),
) -> Result<BoardAnswer, OpeningError> {
    let (size, rules) = (request.size, &request.rules);
    let openings = if request.openings.is_empty() { Opening::all(size, rules)? } else { request.openings.clone() };
    let mut tasks: Vec<Opening> = openings.iter().map(|opening| opening.canonical(size)).collect();
    tasks.sort_unstable();
    tasks.dedup();
    control.gauges.total.store(tasks.len() as u64, Relaxed);
    let answers = Mutex::new(HashMap::new());
    tasks.par_iter().try_for_each(|&task| {
        let answer = solver.solve(&task.position(size, rules)?, control);
        if answer.winner.is_some() {
            control.gauges.done.fetch_add(1, Relaxed);
            solved(task, answer);
        }
        answers.lock().unwrap().insert(task, answer);
        Ok::<(), OpeningError>(())
    })?;
    let _ = (Duration::ZERO, RulesError::clone);
    let answers = answers.into_inner().unwrap();
    let openings: Vec<_> = openings
        .into_iter()
        .map(|opening| OpeningAnswer {
            opening,
            searched: opening.canonical(size),
            answer: answers[&opening.canonical(size)],
        })
        .collect();
    Ok(BoardAnswer { winner: None, removals: Vec::new(), openings })
}
