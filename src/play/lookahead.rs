//! Looking some plies ahead and judging what is there: iterative-deepening alpha-beta.
//!
//! What it says of a position is a guess, but for games that end within its sight.

use crate::board::{CellSet, Size, Wide};
use crate::konane::{Field, Move, Packed, Position, Side};
use crate::run::{Allowance, Control, MemorySize, Stopped};

use super::Evaluation;

/// The best move as far as the search saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The move.
    pub mv: Move,
    /// What it seems worth for the side that makes it, in hundredths of a move; from [`Sight::WON`] on, or down from its
    /// opposite: the end of the game was seen.
    pub score: i32,
    /// Plies that the search looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl Sight {
    /// Scores of this size are of games that end within sight.
    pub const WON: i32 = 1_000_000;

    /// Who wins, where the end was seen; the `mover` makes the move.
    ///
    /// Contract: `Some` is proved.
    pub fn winner(&self, mover: Side) -> Option<Side> {
        match self.score {
            Self::WON.. => Some(mover),
            ..=NOT_LOST => Some(mover.other()),
            _ => None,
        }
    }
}

const NOT_LOST: i32 = -Sight::WON;
/// The score of a game won at once; each ply later is worth one less.
const END: i32 = Sight::WON + 10_000;
const INFINITE: i32 = END + 1;

/// Looks ahead from positions of one board; what one search learns, the next ones use.
pub struct Lookahead(Box<dyn Look>);

/// What a [`Lookahead`] does for one word type.
trait Look: Send {
    fn best(&mut self, position: &Position, moves: &[Move], depth: u32, control: &Control) -> Option<Sight>;
}

impl std::fmt::Debug for Lookahead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lookahead").finish_non_exhaustive()
    }
}

impl Lookahead {
    /// A search for boards of this size with `top_left` owning the top-left cell, judging with this evaluation. Its table
    /// takes at most `memory`.
    pub fn new(size: Size, top_left: Side, evaluation: Evaluation, memory: MemorySize) -> Lookahead {
        Lookahead(match size.cells() {
            ..=64 => Core::<u64>::build(size, top_left, evaluation, memory),
            65..=128 => Core::<u128>::build(size, top_left, evaluation, memory),
            _ => Core::<Wide>::build(size, top_left, evaluation, memory),
        })
    }

    /// The best of these legal moves of the position, seen at most `depth` plies ahead (at least 1), one ply more at a
    /// time until the control stops. `None`: there is no move, or not even one ply was seen.
    ///
    /// Contract: the move is one of `moves`. The score is a guess but where [`Sight::winner`] says who wins.
    pub fn best(&mut self, position: &Position, moves: &[Move], depth: u32, control: &Control) -> Option<Sight> {
        self.0.best(position, moves, depth, control)
    }
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy, Debug)]
struct Entry<S> {
    key: Option<Packed<S>>,
    /// The cells occupied after the best move.
    best: S,
    score: i32,
    depth: u32,
    bound: Bound,
}

struct Core<S> {
    field: Field<S>,
    evaluation: Evaluation,
    table: Vec<Entry<S>>,
}

#[derive(Clone, Copy, Debug)]
struct Child<S> {
    packed: Packed<S>,
    rank: i32,
}

impl<S: CellSet> Core<S> {
    fn build(size: Size, top_left: Side, evaluation: Evaluation, memory: MemorySize) -> Box<dyn Look> {
        let entries = (memory.bytes() / size_of::<Entry<S>>() as u64).clamp(1 << 10, 1 << 20);
        let empty = Entry { key: None, best: S::empty(), score: 0, depth: 0, bound: Bound::Exact };
        let table = vec![empty; entries as usize];
        Box::new(Core { field: Field::new(size, top_left), evaluation, table })
    }
}

impl<S: CellSet> Look for Core<S> {
    fn best(&mut self, position: &Position, moves: &[Move], depth: u32, control: &Control) -> Option<Sight> {
        let mut children = Vec::new();
        for &mv in moves {
            let (_, packed) = position.play(mv).ok()?.pack::<S>();
            children.push((mv, packed));
        }
        let allowance = Allowance::new(control, None);
        let Core { field, evaluation, table } = self;
        let mut search = Search { field, evaluation: *evaluation, table, allowance, children: Vec::new() };
        let mut found: Option<Sight> = None;
        for depth in 1..=depth.max(1) {
            let mut best: Option<(Move, i32)> = None;
            for (at, &(mv, packed)) in children.iter().enumerate() {
                let alpha = best.map_or(-INFINITE, |(_, score)| score);
                let score = match alpha {
                    // The first move has the whole window, the others must show that they are better.
                    ..=NOT_LOST => search.visit(packed, depth - 1, -INFINITE, -alpha, 1),
                    _ => {
                        search.visit(packed, depth - 1, -alpha - 1, -alpha, 1).and_then(|score| match -score > alpha {
                            true => search.visit(packed, depth - 1, -INFINITE, -alpha, 1),
                            false => Ok(score),
                        })
                    }
                };
                let Ok(score) = score.map(|score| -score) else {
                    // A better move than the one of the last round is worth having, though others were not seen.
                    let nodes = search.allowance.nodes();
                    if let (Some((mv, score)), true) = (best, at > 0) {
                        found = Some(Sight { mv, score, depth, nodes });
                    }
                    return found.map(|found| Sight { nodes, ..found });
                };
                if best.is_none_or(|(_, best)| score > best) {
                    best = Some((mv, score));
                }
            }
            let (mv, score) = best?;
            found = Some(Sight { mv, score, depth, nodes: search.allowance.nodes() });
            if score.abs() >= Sight::WON {
                break;
            }
            // The best move first the next time.
            let at = children.iter().position(|&(other, _)| other == mv)?;
            children[..=at].rotate_right(1);
        }
        found
    }
}

struct Search<'a, S> {
    field: &'a Field<S>,
    evaluation: Evaluation,
    table: &'a mut [Entry<S>],
    allowance: Allowance<'a>,
    children: Vec<Child<S>>,
}

impl<S: CellSet> Search<'_, S> {
    /// The value of a position for its side to move, `ply` plies below the root, seen `depth` plies ahead.
    ///
    /// Contract: exact (of this depth) between `alpha` and `beta`, else a bound beyond them. Scores of at least
    /// [`Sight::WON`] either way are of games that were seen to the end with best play of the loser.
    fn visit(&mut self, packed: Packed<S>, depth: u32, alpha: i32, beta: i32, ply: i32) -> Result<i32, Stopped> {
        self.allowance.spend()?;
        let Packed { occupied, turn } = packed;
        if !self.field.can_move(occupied, turn) {
            return Ok(ply - END);
        }
        if depth == 0 {
            return Ok(self.evaluation.value(self.field, occupied, turn));
        }
        let slot = slot(self.table.len(), packed);
        let (mut alpha, mut beta, mut hint) = (alpha, beta, None);
        let entry = self.table[slot];
        if entry.key == Some(packed) {
            hint = Some(entry.best);
            let score = from_here(entry.score, ply);
            // A game seen to its end is the same however deep one looks.
            let deep = entry.depth >= depth;
            match entry.bound {
                Bound::Exact if deep || score.abs() >= Sight::WON => return Ok(score),
                Bound::AtLeast if deep || score >= Sight::WON => alpha = alpha.max(score),
                Bound::AtMost if deep || score <= NOT_LOST => beta = beta.min(score),
                Bound::Exact | Bound::AtLeast | Bound::AtMost => {}
            }
            if alpha >= beta {
                return Ok(score);
            }
        }
        let base = self.children.len();
        let (field, children) = (self.field, &mut self.children);
        field.for_each_move(packed, |_, _, after| {
            let rank = match hint == Some(after) {
                true => i32::MIN,
                false => field.mobility(after, turn.other()) as i32 * 2 - field.mobility(after, turn) as i32,
            };
            children.push(Child { packed: packed.after(after), rank });
        });
        self.children[base..].sort_unstable_by_key(|child| child.rank);
        let result = self.best_child(base, depth, alpha, beta, ply);
        self.children.truncate(base);
        let (score, best) = result?;
        let bound = match score {
            _ if score >= beta => Bound::AtLeast,
            _ if score <= alpha => Bound::AtMost,
            _ => Bound::Exact,
        };
        self.table[slot] = Entry { key: Some(packed), best, score: to_here(score, ply), depth, bound };
        Ok(score)
    }

    /// The best score among the children on the stack, and the cells occupied after that move.
    ///
    /// Contract: as [`Search::visit`]; there is a child.
    fn best_child(&mut self, base: usize, depth: u32, alpha: i32, beta: i32, ply: i32) -> Result<(i32, S), Stopped> {
        let (mut alpha, end) = (alpha, self.children.len());
        // An only move takes no depth: nothing is decided there.
        let below = if end - base == 1 { depth } else { depth - 1 };
        let (mut score, mut best) = (-INFINITE, S::empty());
        for at in base..end {
            let packed = self.children[at].packed;
            let mut found = match at == base {
                true => -self.visit(packed, below, -beta, -alpha, ply + 1)?,
                false => -self.visit(packed, below, -alpha - 1, -alpha, ply + 1)?,
            };
            if at > base && found > alpha && found < beta {
                found = -self.visit(packed, below, -beta, -alpha, ply + 1)?;
            }
            if found > score {
                (score, best) = (found, packed.occupied);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok((score, best))
    }
}

fn slot<S: CellSet>(length: usize, packed: Packed<S>) -> usize {
    let mixed = packed.occupied.mixed().rotate_left(u32::from(packed.turn == Side::White));
    ((u128::from(mixed) * length as u128) >> 64) as usize
}

/// Ends of games are kept in the table by their distance from the position, not from the root.
fn to_here(score: i32, ply: i32) -> i32 {
    match score {
        Sight::WON.. => score + ply,
        ..=NOT_LOST => score - ply,
        _ => score,
    }
}

fn from_here(score: i32, ply: i32) -> i32 {
    match score {
        Sight::WON.. => score - ply,
        ..=NOT_LOST => score + ply,
        _ => score,
    }
}
