//! The opponent: it plays what is proved where it can prove, and what looks best elsewhere.

use std::time::Duration;

use crate::board::Size;
use crate::konane::{Facts, Move, Ply, Position, Record, Side};
use crate::run::{Control, MemorySize};
use crate::search::{Engine, Solver, SolverError, SolverOptions};

use super::{Evaluation, Lookahead, Sight};

/// Why the opponent plays a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no other.
    Only,
    /// Stored facts say that it is best.
    Fact,
    /// A search has proved who wins.
    Proof,
    /// It looks best after so many plies, by so many hundredths of a move. A guess.
    Sight {
        /// Plies looked ahead.
        depth: u32,
        /// For the side that moves.
        score: i32,
    },
}

/// What the opponent plays, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The turn.
    pub ply: Ply,
    /// Who wins after it, where that is proved.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
    /// How long it took.
    pub time: Duration,
}

/// An opponent for one board and colouring; what it learns at one move it uses at the next ones.
pub struct Opponent {
    /// Boards too large for search have none.
    solver: Option<Solver>,
    lookahead: Lookahead,
    /// Parts of a hundred of the time that go to the proof before the look ahead.
    proof_share: u32,
}

impl Opponent {
    /// Expansions between two looks at the clock.
    const SLICE: u64 = 4096;
    /// As deep as anybody looks.
    const DEPTH: u32 = 60;
    /// Openings that are tried for a proof, at most, where a removal is to be chosen.
    const PROVED_OPENINGS: usize = 32;

    /// An opponent within this memory.
    ///
    /// # Errors
    /// When the memory is too small.
    pub fn new(size: Size, top_left: Side, memory: MemorySize) -> Result<Opponent, SolverError> {
        let half = MemorySize::from_bytes(memory.bytes() / 2);
        let solver = match size.cells() <= Solver::MAX_CELLS {
            false => None,
            true => {
                let table = half.min(Solver::useful_memory(size, size.cells()));
                // To touch a large table for the first time takes as long as a move; a game on a small board needs little.
                let table = if size.cells() <= 36 { table.min(MemorySize::from_bytes(16 << 20)) } else { table };
                let options = SolverOptions { engine: Engine::ProofNumber, memory: table, threads: 1 };
                Some(Solver::new(size, top_left, options).map_err(|error| match error {
                    SolverError::TooLittleMemory { size, needed, .. } => SolverError::TooLittleMemory {
                        size,
                        found: memory,
                        needed: MemorySize::from_bytes(needed.bytes() * 2),
                    },
                    error => error,
                })?)
            }
        };
        let table = MemorySize::from_bytes(memory.bytes() / 4).min(MemorySize::from_bytes(32 << 20));
        let lookahead = Lookahead::new(size, top_left, Evaluation::ENGINE, table);
        // Small boards are soon proved from the first move on; large ones never are before the middle of the game.
        let proof_share = match size.cells() {
            ..=36 => 85,
            37..=49 => 60,
            _ => 40,
        };
        Ok(Opponent { solver, lookahead, proof_share })
    }

    /// What to play in the time of the control; `None`: there is no choice left, the game is lost.
    ///
    /// Contract: the turn is legal. [`Thought::winner`] is proved; as long as a move is known to lose and another is not, it is
    /// not played.
    pub fn choose(
        &mut self,
        record: &Record,
        facts: Option<&dyn Facts>,
        time: Duration,
        control: &Control,
    ) -> Option<Thought> {
        let choices = record.choices();
        let thought = |ply, winner, reason| Some(Thought { ply, winner, reason, time: control.elapsed() });
        if let [ply] = choices[..] {
            return thought(ply, None, Reason::Only);
        }
        match record.position() {
            Some(position) => {
                let (mv, winner, reason) = self.choose_move(&position, facts, time, control)?;
                thought(Ply::Move(mv), winner, reason)
            }
            None => {
                let (ply, winner, reason) = self.choose_removal(record, &choices, facts, time, control)?;
                thought(ply, winner, reason)
            }
        }
    }

    fn choose_move(
        &mut self,
        position: &Position,
        facts: Option<&dyn Facts>,
        time: Duration,
        control: &Control,
    ) -> Option<(Move, Option<Side>, Reason)> {
        let turn = position.turn();
        let moves = position.moves();
        if let Some(fact) = facts.and_then(|facts| facts.fact(position))
            && let Some(best) = fact.best.or_else(|| by_facts(position, &moves, fact.winner, facts))
        {
            return Some((best, Some(fact.winner), Reason::Fact));
        }
        let mut winner = None;
        if let Some(solver) = &self.solver {
            let until = time * self.proof_share / 100;
            while winner.is_none() && control.elapsed() < until && control.stop_reason().is_none() {
                winner = solver.solve_within(position, Some(Self::SLICE), control).winner;
            }
            if winner.is_some()
                && let Some(&mv) = solver.line(position, control).moves.first()
            {
                return Some((mv, winner, Reason::Proof));
            }
        }
        let after = |mv: &Move| position.play(*mv).ok();
        let known = |mv: &Move| known(self.solver.as_ref(), facts, &after(mv)?);
        if let Some(mv) = moves.iter().find(|mv| known(mv) == Some(turn)) {
            return Some((*mv, Some(turn), Reason::Proof));
        }
        let open: Vec<Move> = moves.iter().copied().filter(|mv| known(mv) != Some(turn.other())).collect();
        let tried = if open.is_empty() { &moves } else { &open };
        let sight = self.lookahead.best(position, tried, Self::DEPTH, control);
        let Some(sight) = sight else {
            // Not even one ply was seen in time: the move that leaves the opponent the fewest.
            let replies = |mv: &&Move| after(mv).map_or(usize::MAX, |after| after.moves().len());
            let &mv = tried.iter().min_by_key(replies)?;
            return Some((mv, winner, Reason::Sight { depth: 0, score: 0 }));
        };
        // The moves that were left out are known to lose, so the best of the others says who wins.
        let seen = sight.winner(turn);
        let reason = Reason::Sight { depth: sight.depth, score: sight.score };
        Some((sight.mv, winner.or(seen), if seen.is_some() { Reason::Proof } else { reason }))
    }

    /// The removal whose worst answer is best.
    fn choose_removal(
        &mut self,
        record: &Record,
        choices: &[Ply],
        facts: Option<&dyn Facts>,
        time: Duration,
        control: &Control,
    ) -> Option<(Ply, Option<Side>, Reason)> {
        let turn = record.turn();
        // Each choice with the positions that the opponent may make of it.
        let mut rows: Vec<Row> = Vec::new();
        for &ply in choices {
            let mut after = record.clone();
            after.play(ply).ok()?;
            let positions = match after.position() {
                Some(position) => vec![position],
                None => {
                    let next = |reply| {
                        let mut after = after.clone();
                        after.play(reply).ok()?;
                        after.position()
                    };
                    after.choices().into_iter().filter_map(next).collect()
                }
            };
            let openings = positions.into_iter().map(|position| (position, None)).collect();
            rows.push(Row { ply, openings, score: i32::MIN });
        }
        let proof = |rows: &[Row]| {
            let won = rows.iter().find(|row| row.winner(turn) == Some(turn))?;
            Some((won.ply, Some(turn), Reason::Proof))
        };
        for (position, winner) in rows.iter_mut().flat_map(|row| &mut row.openings) {
            *winner = facts.and_then(|facts| facts.fact(position)).map(|fact| fact.winner);
        }
        let count = rows.iter().map(|row| row.openings.len()).sum::<usize>();
        if let Some(solver) = self.solver.as_ref().filter(|_| count <= Self::PROVED_OPENINGS) {
            let until = time * self.proof_share / 100;
            let mut budget = Self::SLICE;
            while proof(&rows).is_none()
                && control.elapsed() < until
                && control.stop_reason().is_none()
                && rows.iter().any(|row| row.winner(turn).is_none())
            {
                for (position, winner) in rows.iter_mut().flat_map(|row| &mut row.openings) {
                    if winner.is_none() && control.elapsed() < until {
                        *winner = solver.solve_within(position, Some(budget), control).winner;
                    }
                }
                budget = budget.saturating_mul(2);
            }
        }
        if let Some(found) = proof(&rows) {
            return Some(found);
        }
        let lost = rows.iter().all(|row| row.winner(turn).is_some());
        let mut best = (rows.iter().find(|row| row.winner(turn).is_none()).or(rows.first())?.ply, 0, 0);
        // One ply more at a time for all of them, as long as the time lasts.
        'deeper: for depth in 1..Self::DEPTH {
            for row in &mut rows {
                row.score = i32::MAX;
                for (position, _) in &row.openings {
                    let Some(sight) = self.lookahead.best(position, &position.moves(), depth, control) else {
                        break 'deeper;
                    };
                    if sight.depth < depth && sight.score.abs() < Sight::WON {
                        break 'deeper;
                    }
                    let score = if position.turn() == turn { sight.score } else { -sight.score };
                    row.score = row.score.min(score);
                }
            }
            let open = rows.iter().filter(|row| lost || row.winner(turn).is_none());
            if let Some(row) = open.max_by_key(|row| row.score) {
                best = (row.ply, row.score, depth);
            }
        }
        let (ply, score, depth) = best;
        Some((ply, lost.then_some(turn.other()), Reason::Sight { depth, score }))
    }
}

/// A removal and what may become of it, each with its winner where it is known.
struct Row {
    ply: Ply,
    openings: Vec<(Position, Option<Side>)>,
    score: i32,
}

impl Row {
    /// Who wins after the removal of `turn`.
    fn winner(&self, turn: Side) -> Option<Side> {
        let mut winners = self.openings.iter().map(|&(_, winner)| winner);
        if winners.clone().any(|winner| winner == Some(turn.other())) {
            return Some(turn.other());
        }
        winners.all(|winner| winner == Some(turn)).then_some(turn)
    }
}

/// Who wins a position, as far as anybody knows without a search.
fn known(solver: Option<&Solver>, facts: Option<&dyn Facts>, position: &Position) -> Option<Side> {
    if let Some(fact) = facts.and_then(|facts| facts.fact(position)) {
        return Some(fact.winner);
    }
    match solver?.numbers(position)? {
        (0, _) => Some(position.turn()),
        (_, 0) => Some(position.turn().other()),
        _ => None,
    }
}

/// The best move by the facts of the positions after it, where these know enough: the fastest win, the slowest loss.
fn by_facts(position: &Position, moves: &[Move], winner: Side, facts: Option<&dyn Facts>) -> Option<Move> {
    let wins = winner == position.turn();
    let plies = |mv: &&Move| {
        let fact = facts?.fact(&position.play(**mv).ok()?)?;
        let plies = i64::from(fact.remoteness.unwrap_or(0));
        (fact.winner == winner).then_some(if wins { -plies } else { plies })
    };
    moves.iter().filter(|mv| plies(mv).is_some()).max_by_key(plies).copied()
}

impl std::fmt::Debug for Opponent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opponent").field("solver", &self.solver).finish_non_exhaustive()
    }
}
