//! A whole position as the sum of its parts.

use crate::board::{Cell, CellSet, Wide};
use crate::cgt::{Dyadic, Game, GameError, Outcome, Player};
use crate::konane::{Move, Packed, Position, Side};

use super::part::{self, Placed};
use super::regions::{exact_regions, regions};
use super::values::{EndgameError, Values, player};

/// How hard to look for parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// By the closure of possible jumps.
    Closure,
    /// Each part of the closure again by the jumps that really occur, where looking at this many arrangements of its stones
    /// is enough to know them.
    Exact(usize),
}

impl Default for Split {
    fn default() -> Split {
        Split::Exact(20_000)
    }
}

/// A part of a position that plays for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionPart {
    /// The cells that take part, with or without a stone, in the order of the index.
    pub cells: Vec<Cell>,
    /// Those with a stone.
    pub stones: Vec<Cell>,
    /// The normal form; `None` when the part spreads over more than 128 cells.
    pub placed: Option<Placed>,
}

/// What is known of a position.
#[derive(Clone, Debug)]
pub struct PositionValue {
    /// The parts with their values.
    pub parts: Vec<(PositionPart, Result<Game, EndgameError>)>,
    /// Stones that can never move, be jumped over or get out of the way.
    pub dead: Vec<Cell>,
    /// The value: the sum of those of the parts.
    pub value: Result<Game, EndgameError>,
    /// Who wins, as far as it is known; it may be where the value is not.
    pub outcome: Option<Outcome>,
    /// The mean: the sum of those of the parts.
    pub mean: Result<Dyadic, EndgameError>,
}

/// The parts of a position and its dead stones.
pub fn parts(position: &Position, split: Split) -> (Vec<PositionPart>, Vec<Cell>) {
    match position.size().cells() {
        ..=64 => parts_of::<u64>(position, split),
        65..=128 => parts_of::<u128>(position, split),
        _ => parts_of::<Wide>(position, split),
    }
}

fn parts_of<S: CellSet>(position: &Position, split: Split) -> (Vec<PositionPart>, Vec<Cell>) {
    let (field, Packed { occupied, .. }) = position.pack::<S>();
    let mut found = Vec::new();
    let mut dead = occupied;
    for region in regions(&field, occupied, field.all()) {
        let finer: Option<Vec<S>> = match split {
            Split::Closure => None,
            Split::Exact(most) => exact_regions(&field, occupied & region, region, most),
        };
        match finer {
            Some(finer) => found.extend(finer),
            None => found.push(region),
        }
    }
    for region in &found {
        dead &= !*region;
    }
    let size = position.size();
    let part = |region: S| {
        let cells: Vec<_> =
            region.iter().map(|at| (at / size.cols(), at % size.cols(), occupied.contains(at))).collect();
        PositionPart {
            cells: region.iter().map(|at| size.cell(at)).collect(),
            stones: (occupied & region).iter().map(|at| size.cell(at)).collect(),
            placed: part::place(&cells, position.top_left() == Side::Black),
        }
    };
    (found.into_iter().map(part).collect(), dead.iter().map(|at| size.cell(at)).collect())
}

impl PositionPart {
    fn too_large(&self) -> EndgameError {
        let spread = |of: fn(&Cell) -> usize| {
            let numbers = self.cells.iter().map(of);
            numbers.clone().max().unwrap_or(0) - numbers.min().unwrap_or(0) + 1
        };
        EndgameError::PartTooLarge { rows: spread(|cell| cell.row()), cols: spread(|cell| cell.col()) }
    }
}

impl Values {
    /// The value of a position, with those of its parts. The side to move does not matter.
    pub fn position(&self, position: &Position, split: Split) -> PositionValue {
        let (parts, dead) = parts(position, split);
        let valued = |part: PositionPart| {
            let value = part.placed.map_or_else(|| Err(part.too_large()), |placed| self.value(placed));
            (part, value)
        };
        let parts: Vec<_> = parts.into_iter().map(valued).collect();
        let values: Result<Vec<Game>, EndgameError> = parts.iter().map(|(_, value)| value.clone()).collect();
        let value = values.clone().and_then(|values| self.sum_of(&values));
        let outcome = match (&value, &values) {
            (Ok(value), _) => self.games().outcome(*value).ok(),
            // A sum may be too large for one canonical form and yet easy to play.
            (Err(_), Ok(values)) => self.games().sum_outcome(values, Self::SUM_STATES).ok(),
            (Err(_), Err(_)) => None,
        };
        let mean = values.and_then(|values| {
            let means = values.iter().map(|&value| self.games().mean(value));
            means
                .into_iter()
                .try_fold(Dyadic::ZERO, |sum, mean| sum.add(mean?))
                .map_err(|error: GameError| error.into())
        });
        PositionValue { parts, dead, value, outcome, mean }
    }

    /// Arrangements of the parts that a search for the winner of a sum looks at.
    const SUM_STATES: usize = 1_000_000;

    /// The sum; small games first, so that what cancels does so early.
    fn sum_of(&self, values: &[Game]) -> Result<Game, EndgameError> {
        let mut values = values.to_vec();
        values.sort_by_key(|&value| self.games().birthday(value));
        let mut sum = self.games().zero();
        for value in values {
            sum = self.games().add(sum, value)?;
        }
        Ok(sum)
    }

    /// The moves of both sides with the values that they lead to.
    pub fn options(&self, position: &Position, split: Split) -> Vec<(Side, Move, Result<Game, EndgameError>)> {
        let mut found = Vec::new();
        for side in Side::BOTH {
            let before = position.with_turn(side);
            for mv in before.moves() {
                // The move comes from the list of legal ones.
                if let Ok(after) = before.play(mv) {
                    found.push((side, mv, self.position(&after, split).value));
                }
            }
        }
        found
    }
}

/// Who wins with this side to move.
pub fn winner(outcome: Outcome, turn: Side) -> Side {
    let wins: Player = outcome.winner(player(turn));
    if wins == player(turn) { turn } else { turn.other() }
}
