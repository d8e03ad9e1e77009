//! Every move of a position judged: who wins after it, how soon, and what to answer.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::board::{Cell, CellSet, Size};
use crate::endgame::{PositionPart, Split, Values, parts, winner};
use crate::konane::{Facts, Move, Ply, Position, Record, Side};
use crate::run::{Control, Limits, MemorySize};
use crate::search::{Helpers, Remoteness, Solver, SolverError, SolverOptions};

use super::{Evaluation, Lookahead, Sight};

/// A move of an analysed position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The move, or the removal.
    pub ply: Ply,
    /// Who wins after it; `None`: not known.
    pub winner: Option<Side>,
    /// Plies to the end of the game, this one included, the winner hurrying and the loser delaying.
    pub remoteness: Option<u32>,
    /// A best answer where it is known; `None` also where there is none.
    pub reply: Option<Ply>,
    /// What the move looks worth where nobody knows.
    pub guess: Option<Guess>,
}

/// What a move looks worth. Not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// Who seems to win.
    pub winner: Side,
    /// By how much, in hundredths of a move, for the side that makes the move.
    pub score: i32,
    /// Plies looked ahead.
    pub depth: u32,
    /// The answer that looks best.
    pub reply: Option<Move>,
}

/// Independent parts of a position and what they are worth together.
#[derive(Debug)]
pub struct Whole {
    /// The parts, each with the text of its value; `None`: not known.
    pub parts: Vec<(PositionPart, Option<String>)>,
    /// Stones that take part in nothing.
    pub dead: Vec<Cell>,
    /// The text of the value of the whole.
    pub value: Option<String>,
}

/// An analysed position.
#[derive(Debug)]
pub struct Analysis {
    /// The stones and the side to move; in the removal phase, those on the board.
    pub position: Position,
    /// Who wins with best play; `None`: not known.
    pub winner: Option<Side>,
    /// Plies to the end; see [`Judged::remoteness`].
    pub remoteness: Option<u32>,
    /// Every legal move, best first: wins by smallest remoteness, then what is not known, then losses by largest.
    pub moves: Vec<Judged>,
    /// A line of best play, as far as it is known.
    pub line: Vec<Ply>,
    /// Whether the line goes to the end of the game.
    pub line_complete: bool,
    /// Where the position falls into parts, these.
    pub whole: Option<Whole>,
    /// Positions expanded.
    pub nodes: u64,
}

impl Analysis {
    /// Moves whose winner is not known, and moves whose winner is known but not the remoteness.
    pub fn open(&self) -> (usize, usize) {
        let count = |which: fn(&&Judged) -> bool| self.moves.iter().filter(which).count();
        (count(|row| row.winner.is_none()), count(|row| row.winner.is_some() && row.remoteness.is_none()))
    }
}

/// How to analyse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalystOptions {
    /// The search for winners; its memory is for everything.
    pub solver: SolverOptions,
    /// Whether remoteness is wanted.
    pub remoteness: bool,
}

/// Analyses positions of one board and colouring; what one analysis learns, the next ones use.
pub struct Analyst {
    /// Boards too large for search have none.
    searches: Option<(Solver, Remoteness)>,
    lookahead: Lookahead,
    options: AnalystOptions,
    memory: MemorySize,
}

/// A move on its way to be judged.
struct Open {
    judged: Judged,
    position: Position,
    /// The game does not end in fewer plies after the move than this.
    at_least: u32,
}

impl Analyst {
    /// Expansions for a move in the first round; each round doubles them.
    const FIRST_BUDGET: u64 = 1 << 10;
    /// How far and how long the guess of a move looks.
    const GUESS_DEPTH: u32 = 6;
    const GUESS_NODES: u64 = 50_000;
    /// Parts valued at most for the values of a position that falls apart.
    const PART_NODES: u64 = 50_000;
    /// The least memory of a search where its own part of the whole would be less.
    const LEAST: u64 = 1 << 20;

    /// An analyst for positions of this size with `top_left` owning the top-left cell.
    ///
    /// # Errors
    /// When the memory is too small.
    pub fn new(size: Size, top_left: Side, options: AnalystOptions) -> Result<Analyst, SolverError> {
        let memory = options.solver.memory;
        let share = |part: u64| MemorySize::from_bytes((memory.bytes() / part).max(Self::LEAST.min(memory.bytes())));
        let searches = match size.cells() <= Solver::MAX_CELLS {
            false => None,
            true => {
                let memory = share(2).min(Solver::useful_memory(size, size.cells()));
                let solver = Solver::new(size, top_left, SolverOptions { memory, ..options.solver });
                // The cap named in an error is the one that was given.
                let solver = solver.map_err(|error| match error {
                    SolverError::TooLittleMemory { size, needed, .. } => SolverError::TooLittleMemory {
                        size,
                        found: options.solver.memory,
                        needed: MemorySize::from_bytes(needed.bytes() * 2),
                    },
                    error => error,
                })?;
                Some((solver, Remoteness::new(size, top_left, share(4))?))
            }
        };
        let table = share(8).min(MemorySize::from_bytes(16 << 20));
        let lookahead = Lookahead::new(size, top_left, Evaluation::ENGINE, table);
        Ok(Analyst { searches, lookahead, options, memory: share(8) })
    }

    /// The solver, where the board is not too large for one.
    pub fn solver(&self) -> Option<&Solver> {
        self.searches.as_ref().map(|(solver, _)| solver)
    }

    /// Judges every move of the position.
    ///
    /// Contract: winners and remoteness are exact or absent. What the control stops is absent.
    pub fn position(&mut self, position: &Position, facts: Option<&dyn Facts>, control: &Control) -> Analysis {
        let next = |mv: Move| Some((Ply::Move(mv), position.play(mv).ok()?));
        let children = position.moves().into_iter().filter_map(next).collect();
        self.judge(position, children, self.options.remoteness, facts, control)
    }

    /// Judges every move, or every removal, at this point of a game.
    ///
    /// Contract: as [`Analyst::position`]. The first removal is judged by White's best reply, without remoteness.
    pub fn record(&mut self, record: &Record, facts: Option<&dyn Facts>, control: &Control) -> Analysis {
        if let Some(position) = record.position() {
            return self.position(&position, facts, control);
        }
        let next = |ply: Ply| {
            let mut after = record.clone();
            after.play(ply).ok()?;
            Some((ply, after))
        };
        let after: Vec<(Ply, Record)> = record.choices().into_iter().filter_map(next).collect();
        let reached = |(ply, after): &(Ply, Record)| Some((*ply, after.position()?));
        let children: Vec<(Ply, Position)> = after.iter().filter_map(reached).collect();
        if children.len() == after.len() {
            return self.judge(&record.board(), children, self.options.remoteness, facts, control);
        }
        self.first_removal(record, after, facts, control)
    }

    /// Black's removals, each by the best of White's.
    fn first_removal(
        &mut self,
        record: &Record,
        after: Vec<(Ply, Record)>,
        facts: Option<&dyn Facts>,
        control: &Control,
    ) -> Analysis {
        let mut analysis = Analysis::empty(record.board());
        for (ply, after) in after {
            let next = |reply: Ply| {
                let mut after = after.clone();
                after.play(reply).ok()?;
                Some((reply, after.position()?))
            };
            let children: Vec<(Ply, Position)> = after.choices().into_iter().filter_map(next).collect();
            // One reply that is known to win decides the removal; White removes second.
            let wins = |position: &Position| {
                facts.and_then(|facts| facts.fact(position)).is_some_and(|fact| fact.winner == Side::White)
            };
            if let Some(&(reply, _)) = children.iter().find(|(_, position)| wins(position)) {
                let (winner, reply) = (Some(Side::White), Some(reply));
                analysis.moves.push(Judged { ply, winner, remoteness: None, reply, guess: None });
                continue;
            }
            let found = self.judge(&after.board(), children, false, facts, control);
            analysis.nodes += found.nodes;
            let best = found.moves.first();
            let guess = best.and_then(|row| row.guess.clone());
            let guess = guess.map(|guess| Guess { score: -guess.score, reply: None, ..guess });
            let reply = best.filter(|_| found.winner.is_some()).map(|row| row.ply);
            analysis.moves.push(Judged { ply, winner: found.winner, remoteness: None, reply, guess });
        }
        analysis.conclude();
        let best = analysis.moves.first().filter(|_| analysis.winner.is_some());
        analysis.line = best.map_or(Vec::new(), |row| std::iter::once(row.ply).chain(row.reply).collect());
        let start = analysis.line.iter().try_fold(record.clone(), |mut record, &ply| {
            record.play(ply).ok()?;
            Some(record)
        });
        if let (Some(start), Some((solver, _))) = (start.and_then(|start| start.position()), &self.searches) {
            let line = solver.line(&start, control);
            analysis.line_complete = line.complete;
            analysis.line.extend(line.moves.into_iter().map(Ply::Move));
        }
        analysis
    }

    /// Judges moves to these positions.
    fn judge(
        &mut self,
        position: &Position,
        children: Vec<(Ply, Position)>,
        remoteness: bool,
        facts: Option<&dyn Facts>,
        control: &Control,
    ) -> Analysis {
        let before = control.nodes();
        let mut analysis = Analysis::empty(*position);
        let mut open: Vec<Open> = children
            .into_iter()
            .map(|(ply, position)| Open {
                judged: Judged { ply, winner: None, remoteness: None, reply: None, guess: None },
                position,
                at_least: 0,
            })
            .collect();
        let gauge = &control.gauges;
        gauge.total.store(open.len() as u64, Relaxed);
        for row in &mut open {
            row.ask(facts);
        }
        let removing = open.iter().any(|row| matches!(row.judged.ply, Ply::Removal(_)));
        if !removing {
            analysis.whole = self.parts(position, &mut open, control);
        }
        if let Some((solver, distances)) = &mut self.searches {
            find_winners(solver, &mut open, control);
            let helpers = Helpers { solver: Some(solver), facts };
            if remoteness {
                measure(distances, &mut open, helpers, control);
            }
            for row in &mut open {
                row.find_reply(solver, distances, helpers, control);
            }
            analysis.remoteness = conclude_remoteness(&open, position.turn());
        }
        // A board without a move is lost at once.
        if open.is_empty() {
            analysis.remoteness = Some(0);
        }
        for row in open.iter_mut().filter(|row| row.judged.winner.is_none()) {
            row.judged.guess = self.guess(&row.position);
        }
        analysis.moves = open.iter().map(|row| row.judged.clone()).collect();
        analysis.conclude();
        self.best_line(&mut analysis, &open, facts, control);
        analysis.nodes = control.nodes() - before;
        analysis
    }

    /// The parts of a position that falls apart, and who wins by their values. Boards too large for search are valued in any
    /// case.
    fn parts(&self, position: &Position, open: &mut [Open], control: &Control) -> Option<Whole> {
        let (found, dead) = parts(position, Split::default());
        if found.len() < 2 && self.searches.is_some() || control.stop_reason().is_some() {
            return None;
        }
        if self.memory.bytes() < Values::LEAST_MEMORY.bytes() {
            let parts = found.into_iter().map(|part| (part, None)).collect();
            return Some(Whole { parts, dead, value: None });
        }
        // Values are bounded by their own count, so that they leave time for the search.
        let own = Arc::new(Control::new(Limits { nodes: Some(Self::PART_NODES), time: None }));
        let values = Values::new(self.memory, self.options.solver.threads, own);
        let whole = values.position(position, Split::default());
        if whole.outcome.is_ok() {
            for row in open.iter_mut().filter(|row| row.judged.winner.is_none()) {
                let outcome = values.position(&row.position, Split::default()).outcome;
                row.judged.winner = outcome.ok().map(|outcome| winner(outcome, row.position.turn()));
            }
        }
        let games = values.games();
        let text = |value| games.text(value).ok();
        let value = whole.value.ok().and_then(text);
        let parts = whole.parts.into_iter().map(|(part, value)| (part, value.ok().and_then(text))).collect();
        Some(Whole { parts, dead: whole.dead, value })
    }

    /// What a move to this position looks worth. Takes a fixed number of positions, whatever the limits.
    fn guess(&mut self, position: &Position) -> Option<Guess> {
        let control = Control::new(Limits { nodes: Some(Self::GUESS_NODES), time: None });
        let sight = self.lookahead.best(position, &position.moves(), Self::GUESS_DEPTH, &control)?;
        let ahead = sight.score > 0;
        let winner = if ahead { position.turn() } else { position.turn().other() };
        let score = (-sight.score).clamp(-Sight::WON, Sight::WON);
        Some(Guess { winner, score, depth: sight.depth, reply: Some(sight.mv) })
    }

    fn best_line(&mut self, analysis: &mut Analysis, open: &[Open], facts: Option<&dyn Facts>, control: &Control) {
        let Some(winner) = analysis.winner else { return };
        let Some(best) = analysis.moves.first() else {
            analysis.line_complete = true;
            return;
        };
        let Some(next) = open.iter().find(|row| row.judged.ply == best.ply).map(|row| row.position) else { return };
        analysis.line.push(best.ply);
        let Some((solver, distances)) = &mut self.searches else { return };
        let helpers = Helpers { solver: Some(solver), facts };
        match best.remoteness {
            Some(plies) => {
                let line = distances.line(&next, winner, plies - 1, helpers, control);
                analysis.line_complete = line.len() as u32 == plies - 1;
                analysis.line.extend(line.into_iter().map(Ply::Move));
            }
            None => {
                let line = solver.line(&next, control);
                analysis.line_complete = line.complete;
                analysis.line.extend(line.moves.into_iter().map(Ply::Move));
            }
        }
    }
}

impl std::fmt::Debug for Analyst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyst").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Analysis {
    fn empty(position: Position) -> Analysis {
        Analysis {
            position,
            winner: None,
            remoteness: None,
            moves: Vec::new(),
            line: Vec::new(),
            line_complete: false,
            whole: None,
            nodes: 0,
        }
    }

    /// Sorts the moves and says who wins.
    fn conclude(&mut self) {
        let turn = self.position.turn();
        self.moves.sort_by_key(|row| match row.winner {
            Some(winner) if winner == turn => (0, i64::from(row.remoteness.unwrap_or(u32::MAX))),
            None => (1, -i64::from(row.guess.as_ref().map_or(i32::MIN, |guess| guess.score))),
            Some(_) => (2, row.remoteness.map_or(1, |plies| -i64::from(plies))),
        });
        self.winner = match self.moves.first() {
            None => Some(turn.other()),
            // Best first: what is not known stands before what is lost.
            Some(best) => best.winner,
        };
    }
}

impl Open {
    /// What stored facts say of the move.
    fn ask(&mut self, facts: Option<&dyn Facts>) {
        let Some(fact) = facts.and_then(|facts| facts.fact(&self.position)) else { return };
        self.judged.winner = Some(fact.winner);
        self.judged.remoteness = fact.remoteness.map(|plies| plies + 1);
        self.judged.reply = fact.best.map(Ply::Move);
    }

    fn find_reply(&mut self, solver: &Solver, distances: &mut Remoteness, helpers: Helpers<'_>, control: &Control) {
        let Some(winner) = self.judged.winner.filter(|_| self.judged.reply.is_none()) else { return };
        let reply = match self.judged.remoteness {
            Some(plies) => distances.line(&self.position, winner, plies - 1, helpers, control).first().copied(),
            None => solver.line(&self.position, control).moves.first().copied(),
        };
        self.judged.reply = reply.map(Ply::Move);
    }
}

/// Finds the winners, in rounds that go deeper and deeper, so that easy moves do not wait for hard ones.
fn find_winners(solver: &Solver, open: &mut [Open], control: &Control) {
    let mut budget = Analyst::FIRST_BUDGET;
    let solved = |open: &[Open]| open.iter().filter(|row| row.judged.winner.is_some()).count();
    while solved(open) < open.len() && control.stop_reason().is_none() {
        open.par_iter_mut().filter(|row| row.judged.winner.is_none()).for_each(|row| {
            row.judged.winner = solver.solve_within(&row.position, Some(budget), control).winner;
        });
        control.gauges.done.store(solved(open) as u64, Relaxed);
        budget = budget.saturating_mul(2);
    }
}

/// Finds the remoteness of moves with a known winner, for all of them one number of plies after the other.
fn measure(distances: &mut Remoteness, open: &mut [Open], helpers: Helpers<'_>, control: &Control) {
    // Every move takes a stone.
    let most = open.iter().map(|row| row.position.occupied().count()).max().unwrap_or(0);
    for plies in 0..=most {
        for row in open.iter_mut() {
            let (Some(winner), None) = (row.judged.winner, row.judged.remoteness) else { continue };
            // The last ply is the winner's.
            if plies % 2 != u32::from(row.position.turn() == winner) {
                continue;
            }
            match distances.wins_within(&row.position, winner, plies, helpers, control) {
                Some(true) => row.judged.remoteness = Some(plies + 1),
                Some(false) => row.at_least = plies + 2,
                None => return,
            }
        }
        if open.iter().all(|row| row.judged.winner.is_none() || row.judged.remoteness.is_some()) {
            return;
        }
    }
}

/// The remoteness of the position before the moves, where those that are known leave no doubt.
fn conclude_remoteness(open: &[Open], turn: Side) -> Option<u32> {
    let wins: Vec<&Open> = open.iter().filter(|row| row.judged.winner != Some(turn.other())).collect();
    if wins.is_empty() {
        return open.iter().map(|row| row.judged.remoteness).max_by_key(|plies| plies.unwrap_or(u32::MAX)).flatten();
    }
    let best = wins.iter().filter_map(|row| row.judged.remoteness).min()?;
    let none_sooner = wins.iter().all(|row| row.judged.remoteness.is_some() || row.at_least + 1 >= best);
    none_sooner.then_some(best)
}
