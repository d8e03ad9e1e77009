//! A whole position as the sum of its parts.

use crate::board::{Cell, CellSet, Wide};
use crate::cgt::{Dyadic, Game, GameError, Outcome, Player};
use crate::konane::{Move, Packed, Position, Side};

use super::part::{self, Part, Placed};
use super::regions::{Test, exact_regions, regions};
use super::values::{EndgameError, Values, player};

/// How hard to look for parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// By the closure of possible jumps alone.
    Closure,
    /// The closure bounded by how many stones there are to capture, for groups of stones that are joined only where they may
    /// meet.
    Counted,
    /// Each part of that again by the jumps that really occur, for each group of stones for which looking at this many
    /// arrangements is enough to know them.
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
    /// The normal form.
    pub placed: Placed,
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
    /// Who wins, which may be known where the value is not.
    pub outcome: Result<Outcome, EndgameError>,
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
    let (mut rough, mut found, mut dead) = (Vec::new(), Vec::new(), occupied);
    let test = if split == Split::Closure { Test::Closure } else { Test::Grouped };
    regions(&field, occupied, field.all(), test, |region| rough.push(region));
    for region in rough {
        match split {
            Split::Closure | Split::Counted => found.push(region),
            Split::Exact(most) => found.extend(exact_regions(&field, occupied & region, region, most)),
        }
    }
    found.sort_unstable_by_key(|region: &S| region.first());
    for region in &found {
        dead &= !*region;
    }
    let size = position.size();
    let part = |region: S| PositionPart {
        cells: region.iter().map(|at| size.cell(at)).collect(),
        stones: (occupied & region).iter().map(|at| size.cell(at)).collect(),
        placed: placed(position, region, occupied),
    };
    (found.into_iter().map(part).collect(), dead.iter().map(|at| size.cell(at)).collect())
}

impl Values {
    /// The value of a position, with those of its parts. The side to move does not matter.
    pub fn position(&self, position: &Position, split: Split) -> PositionValue {
        let (parts, dead) = parts(position, split);
        let valued = |part: PositionPart| {
            let value = self.value(part.placed);
            (part, value)
        };
        let parts: Vec<_> = parts.into_iter().map(valued).collect();
        let values: Result<Vec<Game>, EndgameError> = parts.iter().map(|(_, value)| value.clone()).collect();
        let value = values.clone().and_then(|values| self.sum_of(&values));
        let outcome = match (&value, &values) {
            (Ok(value), _) => self.games().outcome(*value).map_err(Into::into),
            // A sum may be too large for one canonical form and yet easy to play.
            (Err(_), Ok(values)) => self.games().sum_outcome(values, Self::SUM_STATES).map_err(Into::into),
            (Err(error), Err(_)) => Err(error.clone()),
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

    /// The moves of both sides with the values that they lead to. `found` is what [`Values::position`] says of the position:
    /// a move changes one part, and what that falls into is known since the part was valued.
    pub fn options(&self, position: &Position, found: &PositionValue) -> Vec<(Side, Move, Result<Game, EndgameError>)> {
        match position.size().cells() {
            ..=64 => self.options_of::<u64>(position, found),
            65..=128 => self.options_of::<u128>(position, found),
            _ => self.options_of::<Wide>(position, found),
        }
    }

    fn options_of<S: CellSet>(
        &self,
        position: &Position,
        found: &PositionValue,
    ) -> Vec<(Side, Move, Result<Game, EndgameError>)> {
        let (field, _) = position.pack::<S>();
        let size = position.size();
        // For each part its cells and the sum of all others.
        let others = |part: usize| {
            let rest = found.parts.iter().enumerate().filter(|&(at, _)| at != part).map(|(_, part)| part.1.clone());
            rest.collect::<Result<Vec<_>, _>>().and_then(|rest| self.sum_of(&rest))
        };
        let cells = |part: &PositionPart| {
            let set = part.cells.iter().filter_map(|&cell| size.index(cell));
            set.fold(S::empty(), |set, at| set | S::single(at))
        };
        let parts: Vec<(S, _)> =
            found.parts.iter().enumerate().map(|(at, part)| (cells(&part.0), others(at))).collect();
        let value = |at: usize, after: &Position| {
            let (region, rest) = &parts[at];
            let (_, Packed { occupied, .. }) = after.pack::<S>();
            // As the workers split: then all is known.
            let test = match found.parts[at].0.placed.part {
                Part::Small { .. } => Test::Closure,
                Part::Large { .. } | Part::Wide { .. } => Test::Grouped,
            };
            let mut pieces = Vec::new();
            regions(&field, occupied & *region, *region, test, |piece| pieces.push(piece));
            let mut sum = rest.clone()?;
            for piece in pieces {
                let placed = placed(position, piece, occupied);
                sum = self.games().add(sum, self.value(placed)?)?;
            }
            Ok(sum)
        };
        let mut options = Vec::new();
        for side in Side::BOTH {
            let before = position.with_turn(side);
            for mv in before.moves() {
                // The move comes from the list of legal ones, and every move lies in a part.
                let part = size.index(mv.from).and_then(|from| parts.iter().position(|part| part.0.contains(from)));
                if let (Ok(after), Some(part)) = (before.play(mv), part) {
                    options.push((side, mv, value(part, &after)));
                }
            }
        }
        options
    }
}

/// The normal form of a part of a position by its cells and all stones.
fn placed<S: CellSet>(position: &Position, region: S, occupied: S) -> Placed {
    let cols = position.size().cols();
    let cells: Vec<_> = region.iter().map(|at| (at / cols, at % cols, occupied.contains(at))).collect();
    part::place(&cells, position.top_left() == Side::Black)
}

/// Who wins with this side to move.
pub fn winner(outcome: Outcome, turn: Side) -> Side {
    let wins: Player = outcome.winner(player(turn));
    if wins == player(turn) { turn } else { turn.other() }
}
