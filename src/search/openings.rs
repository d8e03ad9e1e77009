//! The openings of a board: which removal wins, and White's best replies.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::board::{Cell, Size};
use crate::konane::{Facts, Opening, OpeningError, Position, Rules, RulesError, Side};
use crate::run::Control;

use super::{Account, Answer, Solver};

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

impl BoardAnswer {
    /// What the answers known for some openings say of a whole board; `answer_of` is asked for the canonical image of each
    /// opening.
    ///
    /// # Errors
    /// When the rules leave no first removal.
    pub fn from_known(
        size: Size,
        rules: &Rules,
        answer_of: &dyn Fn(Opening) -> Answer,
    ) -> Result<BoardAnswer, RulesError> {
        let row = |opening: Opening| {
            let searched = opening.canonical(size);
            OpeningAnswer { opening, searched, answer: answer_of(searched) }
        };
        let openings: Vec<OpeningAnswer> = Opening::all(size, rules)?.into_iter().map(row).collect();
        let winner_of = |opening: Opening| answer_of(opening.canonical(size)).winner;
        let firsts = Opening::first_removals(size, rules)?;
        let removals: Vec<_> = firsts.into_iter().map(|black| removal(size, rules, black, &winner_of)).collect();
        Ok(BoardAnswer { winner: game_winner(&removals), removals, openings })
    }

    /// Whether everything the request asks for is known: every opening, or with `decide` every removal and the game.
    pub fn is_complete(&self, request: &OpeningsRequest) -> bool {
        if request.decide {
            return self.winner.is_some() && self.removals.iter().all(|removal| removal.winner.is_some());
        }
        self.openings.iter().all(|opening| opening.answer.winner.is_some())
    }
}

/// The state of one opening that must be searched, shared by all its symmetric images.
struct Task {
    opening: Opening,
    position: Position,
    account: Account,
}

/// The search of a board's openings: what is asked, and what is known so far.
pub struct OpeningsRun {
    request: OpeningsRequest,
    /// The openings asked for, in the order of the answer.
    asked: Vec<Opening>,
    tasks: Vec<Task>,
    task_of: HashMap<Opening, usize>,
}

/// Solves what the request asks for, several openings at a time in the current rayon pool; symmetric openings once.
/// `solved` is called (from any thread) for each opening whose winner was found. When the control stops, what is not
/// known stays `None`.
///
/// # Errors
/// When an opening asked for is not legal under the rules, or the rules leave no first removal.
pub fn solve_openings(
    solver: &Solver,
    request: &OpeningsRequest,
    control: &Control,
    solved: &(dyn Fn(Opening, Answer) + Sync),
) -> Result<BoardAnswer, OpeningError> {
    let run = OpeningsRun::new(request.clone())?;
    run.search(solver, control, solved);
    Ok(run.answer())
}

impl OpeningsRun {
    /// A run with nothing known.
    ///
    /// # Errors
    /// When an opening asked for is not legal under the rules, or the rules leave no first removal.
    pub fn new(request: OpeningsRequest) -> Result<OpeningsRun, OpeningError> {
        let (size, rules) = (request.size, &request.rules);
        let all = Opening::all(size, rules)?;
        let asked = if request.openings.is_empty() { all } else { request.openings.clone() };
        let mut tasks: Vec<Task> = Vec::new();
        let mut task_of: HashMap<Opening, usize> = HashMap::new();
        for opening in &asked {
            // The opening itself must be legal, not only its image.
            opening.position(size, rules)?;
            let canonical = opening.canonical(size);
            if let Entry::Vacant(place) = task_of.entry(canonical) {
                place.insert(tasks.len());
                let position = canonical.position(size, rules)?;
                tasks.push(Task { opening: canonical, position, account: Account::default() });
            }
        }
        Ok(OpeningsRun { request, asked, tasks, task_of })
    }

    /// What is asked.
    pub fn request(&self) -> &OpeningsRequest {
        &self.request
    }

    /// Adds what an earlier run found out about an opening; `false` if it is none that this run must search.
    pub fn resume(&self, opening: Opening, earlier: Answer) -> bool {
        let task = self.task_of.get(&opening).map(|&index| &self.tasks[index]);
        task.inspect(|task| task.add(earlier)).is_some()
    }

    /// Takes over what stored facts know of the openings.
    pub fn ask(&self, facts: &dyn Facts) {
        for task in &self.tasks {
            if let Some(fact) = facts.fact(&task.position) {
                task.add(Answer { winner: Some(fact.winner), ..Answer::default() });
            }
        }
    }

    /// Every opening that must be searched, with its position and what is known. May be called while the search runs.
    pub fn parts(&self) -> Vec<(Opening, Position, Answer)> {
        self.tasks.iter().map(|task| (task.opening, task.position, task.answer())).collect()
    }

    /// Searches until everything asked for is known or the control stops, several openings at a time in the current
    /// rayon pool. `solved` is called (from any thread) for each opening whose winner was found.
    ///
    /// With `decide`, the replies to one removal are searched side by side, each with a budget that doubles: the same
    /// removal can cost several times more or less by which winning reply is looked at.
    pub fn search(&self, solver: &Solver, control: &Control, solved: &(dyn Fn(Opening, Answer) + Sync)) {
        let gauges = &control.gauges;
        let search = |task: &Task, budget: Option<u64>| {
            let winner = task.account.solve(solver, &task.position, budget, control);
            if winner.is_some() {
                solved(task.opening, task.answer());
            }
            winner
        };
        if self.request.decide {
            let groups = groups(&self.asked, |opening| self.task_of[&opening.canonical(self.request.size)]);
            gauges.total.store(groups.len() as u64, Relaxed);
            groups.par_iter().for_each(|group| {
                let group: Vec<&Task> = group.iter().map(|&index| &self.tasks[index]).collect();
                decide(&group, control, &search);
                gauges.done.fetch_add(1, Relaxed);
            });
        } else {
            gauges.total.store(self.tasks.len() as u64, Relaxed);
            self.tasks.par_iter().for_each(|task| {
                if task.answer().winner.is_none() && control.stop_reason().is_none() {
                    search(task, None);
                }
                gauges.done.fetch_add(1, Relaxed);
            });
        }
    }

    /// What is known.
    pub fn answer(&self) -> BoardAnswer {
        let (size, rules) = (self.request.size, &self.request.rules);
        let answer_of = |opening: Opening| {
            let task = self.task_of.get(&opening.canonical(size)).map(|&index| &self.tasks[index]);
            task.map_or(Answer::default(), Task::answer)
        };
        let row = |opening| OpeningAnswer { opening, searched: opening.canonical(size), answer: answer_of(opening) };
        let openings = self.asked.iter().map(|&opening| row(opening)).collect();
        let winner_of = |opening: Opening| answer_of(opening).winner;
        // The request was found to be legal when the run began.
        let firsts = Opening::first_removals(size, rules).unwrap_or_default();
        let rows: Vec<_> = firsts.into_iter().map(|black| removal(size, rules, black, &winner_of)).collect();
        let winner = game_winner(&rows);
        let everything = self.request.openings.is_empty();
        let is_asked = |row: &RemovalAnswer| everything || self.asked.iter().any(|pair| pair.black == row.black);
        let removals = rows.into_iter().filter(is_asked).collect();
        BoardAnswer { winner, removals, openings }
    }
}

/// The tasks of each first removal, without repetition: symmetric removals have the same tasks.
fn groups(asked: &[Opening], task_of: impl Fn(&Opening) -> usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Cell, Vec<usize>)> = Vec::new();
    for opening in asked {
        let task = task_of(opening);
        match groups.iter_mut().find(|(black, _)| *black == opening.black) {
            Some((_, tasks)) => tasks.push(task),
            None => groups.push((opening.black, vec![task])),
        }
    }
    let mut groups: Vec<Vec<usize>> = groups
        .into_iter()
        .map(|(_, mut tasks)| {
            tasks.sort_unstable();
            tasks.dedup();
            tasks
        })
        .collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// Searches the replies to one removal in turn until one is won by White or all are lost.
fn decide(group: &[&Task], control: &Control, search: &(dyn Fn(&Task, Option<u64>) -> Option<Side> + Sync)) {
    let mut budget = FIRST_BUDGET;
    loop {
        let open: Vec<&&Task> = group.iter().filter(|task| task.answer().winner.is_none()).collect();
        if open.is_empty() || group.iter().any(|task| task.answer().winner == Some(Side::White)) {
            return;
        }
        for task in open {
            if control.stop_reason().is_some() || search(task, Some(budget)) == Some(Side::White) {
                return;
            }
        }
        budget = budget.saturating_mul(2);
    }
}

/// Expansions given to each reply in the first round of [`decide`].
const FIRST_BUDGET: u64 = 1 << 14;

impl Task {
    fn answer(&self) -> Answer {
        self.account.answer()
    }

    fn add(&self, part: Answer) {
        self.account.add(part);
    }
}

/// What is known of a removal from what is known of the openings.
fn removal(size: Size, rules: &Rules, black: Cell, winner_of: &dyn Fn(Opening) -> Option<Side>) -> RemovalAnswer {
    let replies = Opening::after(size, rules, black);
    let winners: Vec<Option<Side>> = replies.iter().map(|&opening| winner_of(opening)).collect();
    let winning_replies: Vec<Cell> = replies
        .iter()
        .zip(&winners)
        .filter(|&(_, &winner)| winner == Some(Side::White))
        .map(|(opening, _)| opening.white)
        .collect();
    let winner = if !winning_replies.is_empty() {
        Some(Side::White)
    } else {
        // Without any reply White cannot remove and has lost.
        winners.iter().all(|&winner| winner == Some(Side::Black)).then_some(Side::Black)
    };
    RemovalAnswer { black, winner, winning_replies }
}

/// The result of the game from the results of all first removals.
fn game_winner(removals: &[RemovalAnswer]) -> Option<Side> {
    if removals.iter().any(|removal| removal.winner == Some(Side::Black)) {
        return Some(Side::Black);
    }
    removals.iter().all(|removal| removal.winner == Some(Side::White)).then_some(Side::White)
}
