//! A game gone through: who had won it at each turn, and where that changed.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::konane::{Facts, Opening, Ply, Position, Record, Side};
use crate::run::Control;
use crate::search::Solver;

use super::Analyst;

/// What a turn did to the result, with best play from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player had a won game and keeps it.
    Kept,
    /// The player had a won game and gave it away.
    GaveAway,
    /// The player had a lost game.
    Lost,
    /// Not known.
    Unknown,
}

/// One turn of an annotated game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The turn.
    pub ply: Ply,
    /// Who played it.
    pub side: Side,
    /// Who wins after it with best play; `None`: not known.
    pub winner: Option<Side>,
    /// What it did.
    pub verdict: Verdict,
    /// Where the game was given away: the turns that are known to have kept it.
    pub kept_by: Vec<Ply>,
}

/// How a player did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Turns in won games that kept them.
    pub kept: usize,
    /// Turns that gave a won game away.
    pub gave_away: usize,
    /// Turns in lost games.
    pub lost: usize,
    /// Turns of which nothing is known.
    pub unknown: usize,
}

/// An annotated game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Who wins where the annotation begins; `None`: not known.
    pub start: Option<Side>,
    /// The number of the first turn annotated, counted from 1.
    pub first: usize,
    /// That turn and those after it.
    pub turns: Vec<Annotated>,
    /// Who wins where the record ends; `None`: not known.
    pub end: Option<Side>,
    /// Who resigned there, and what that did; see [`Annotation::resign`].
    pub resignation: Option<(Side, Verdict)>,
}

impl Annotation {
    /// Judges that this side, whose turn it was, resigned where the record ends: a won game is given away, a lost one lost.
    pub fn resign(&mut self, side: Side) {
        let verdict = match self.end {
            Some(winner) if winner == side => Verdict::GaveAway,
            Some(_) => Verdict::Lost,
            None => Verdict::Unknown,
        };
        self.resignation = Some((side, verdict));
    }

    /// How a side did; a resignation counts as a turn.
    pub fn summary(&self, side: Side) -> Summary {
        let turns = self.turns.iter().map(|row| (row.side, row.verdict)).chain(self.resignation);
        let count = |verdict| turns.clone().filter(|&row| row == (side, verdict)).count();
        Summary {
            kept: count(Verdict::Kept),
            gave_away: count(Verdict::GaveAway),
            lost: count(Verdict::Lost),
            unknown: count(Verdict::Unknown),
        }
    }

    /// Whether something is not known.
    pub fn is_complete(&self) -> bool {
        self.start.is_some() && self.turns.iter().all(|row| row.winner.is_some())
    }
}

/// Expansions for a position in the first round; each round doubles them.
const FIRST_BUDGET: u64 = 1 << 12;

/// Positions whose winners are wanted, each once.
#[derive(Default)]
struct Wanted {
    at: HashMap<Position, usize>,
    rows: Vec<(Position, Option<Side>)>,
}

impl Wanted {
    fn add(&mut self, position: Position, facts: Option<&dyn Facts>) -> usize {
        *self.at.entry(position).or_insert_with(|| {
            let known = match position.moves().is_empty() {
                true => Some(position.turn().other()),
                false => facts.and_then(|facts| facts.fact(&position)).map(|fact| fact.winner),
            };
            self.rows.push((position, known));
            self.rows.len() - 1
        })
    }

    /// Lets the solver try every open position once.
    fn round(&mut self, solver: &Solver, budget: u64, control: &Control) {
        self.rows.par_iter_mut().filter(|(_, winner)| winner.is_none()).for_each(|(position, winner)| {
            *winner = solver.solve_within(position, Some(budget), control).winner;
        });
    }
}

/// A point of the game: the position reached, or what may become of the removals so far.
#[derive(Clone, Debug)]
enum Point {
    Position(usize),
    /// After Black's removal: White takes the best of these.
    Replies(Vec<usize>),
    /// At the start: Black takes the best of these.
    Start(Vec<Vec<usize>>),
}

impl Analyst {
    /// Annotates a game from this turn on, counted from 1.
    ///
    /// Contract: winners are proved or absent; what the control stops is absent. A turn is said to have given the game away
    /// only if another is proved to have kept it.
    pub fn annotate(
        &mut self,
        record: &Record,
        from: usize,
        facts: Option<&dyn Facts>,
        control: &Control,
    ) -> Annotation {
        let mut plies = record.plies();
        let mut prefixes = vec![Record::new(record.size(), *record.rules())];
        for &ply in &plies {
            let mut next = prefixes[prefixes.len() - 1].clone();
            if next.play(ply).is_err() {
                break;
            }
            prefixes.push(next);
        }
        let skipped = from.saturating_sub(1).min(plies.len());
        prefixes.drain(..skipped);
        plies.drain(..skipped);
        let mut wanted = Wanted::default();
        let points: Vec<Point> = prefixes.iter().map(|prefix| point(prefix, &mut wanted, facts)).collect();
        let mut others: Vec<Option<Vec<(Ply, Point)>>> = vec![None; plies.len()];
        let mut budget = FIRST_BUDGET;
        loop {
            let winners = winners(&prefixes, &points, &wanted);
            // Where a won game was lost, what would have kept it is wanted too.
            let mut more = false;
            for at in 0..plies.len() {
                let turn = prefixes[at].turn();
                let given = winners[at + 1] == Some(turn.other()) && winners[at] == Some(turn);
                if !given || others[at].is_some() {
                    continue;
                }
                let mut found = Vec::new();
                for ply in prefixes[at].choices().into_iter().filter(|&ply| ply != plies[at]) {
                    let mut after = prefixes[at].clone();
                    if after.play(ply).is_ok() {
                        found.push((ply, point(&after, &mut wanted, facts)));
                    }
                }
                others[at] = Some(found);
                more = true;
            }
            let open = wanted.rows.iter().any(|(_, winner)| winner.is_none());
            if !open && !more || control.stop_reason().is_some() {
                break;
            }
            match self.solver() {
                Some(solver) => wanted.round(solver, budget, control),
                None => {
                    for at in 0..wanted.rows.len() {
                        if let (position, None) = wanted.rows[at] {
                            wanted.rows[at].1 = self.position(&position, facts, control).winner;
                        }
                    }
                    if !more {
                        break;
                    }
                }
            }
            budget = budget.saturating_mul(2);
        }
        let winners = winners(&prefixes, &points, &wanted);
        let turns = (0..plies.len()).map(|at| {
            let (side, winner) = (prefixes[at].turn(), winners[at + 1]);
            let kept_by: Vec<Ply> = match (&others[at], winner == Some(side.other())) {
                (Some(others), true) => {
                    let keeps = |(ply, point): &(Ply, Point)| (of(point, &wanted) == Some(side)).then_some(*ply);
                    others.iter().filter_map(keeps).collect()
                }
                _ => Vec::new(),
            };
            let verdict = match winner {
                Some(winner) if winner == side => Verdict::Kept,
                Some(_) if !kept_by.is_empty() => Verdict::GaveAway,
                _ if winners[at] == Some(side.other()) => Verdict::Lost,
                _ => Verdict::Unknown,
            };
            Annotated { ply: plies[at], side, winner, verdict, kept_by }
        });
        let (start, end) = (winners[0], winners[plies.len()]);
        Annotation { start, first: skipped + 1, turns: turns.collect(), end, resignation: None }
    }
}

fn point(record: &Record, wanted: &mut Wanted, facts: Option<&dyn Facts>) -> Point {
    let (size, rules) = (record.size(), record.rules());
    // Openings that are mirror images have one winner; one of them is enough.
    let mut replies = |black| -> Vec<usize> {
        let positions = Opening::after(size, rules, black).into_iter();
        let positions = positions.filter_map(|opening| opening.canonical(size).position(size, rules).ok());
        positions.map(|position| wanted.add(position, facts)).collect()
    };
    match (record.position(), record.plies().first()) {
        (None, Some(&Ply::Removal(black))) => Point::Replies(replies(black)),
        (None, _) => {
            let firsts = Opening::first_removals(size, rules).unwrap_or_default();
            Point::Start(firsts.into_iter().map(replies).collect())
        }
        (Some(position), _) => Point::Position(wanted.add(position, facts)),
    }
}

/// Who wins at a point, as far as it is known.
fn of(point: &Point, wanted: &Wanted) -> Option<Side> {
    let replies = |rows: &Vec<usize>| best(Side::White, rows.iter().map(|&at| wanted.rows[at].1));
    match point {
        Point::Position(at) => wanted.rows[*at].1,
        Point::Replies(rows) => replies(rows),
        Point::Start(firsts) => best(Side::Black, firsts.iter().map(replies)),
    }
}

/// Who wins where `side` chooses between results: it wins by one good choice and loses where all are bad.
fn best(side: Side, mut winners: impl Iterator<Item = Option<Side>> + Clone) -> Option<Side> {
    if winners.clone().any(|winner| winner == Some(side)) {
        return Some(side);
    }
    winners.all(|winner| winner.is_some()).then_some(side.other())
}

/// Who wins after each number of turns, as far as it is known.
fn winners(prefixes: &[Record], points: &[Point], wanted: &Wanted) -> Vec<Option<Side>> {
    let mut winners: Vec<Option<Side>> = points.iter().map(|point| of(point, wanted)).collect();
    for at in (0..winners.len().saturating_sub(1)).rev() {
        // Who can go to a won position has won.
        let turn = prefixes[at].turn();
        if winners[at].is_none() && winners[at + 1] == Some(turn) {
            winners[at] = Some(turn);
        }
    }
    winners
}
