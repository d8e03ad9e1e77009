//! A whole position as the sum of its parts.

use crate::board::{Cell, CellSet, Wide};
use crate::cgt::{Dyadic, Game, Outcome, Player, Sum};
use crate::konane::{Move, Packed, Position, Side};

use super::part::{self, Part, Placed};
use super::regions::{Test, exact_regions, regions};
use super::values::{EndgameError, Values, player};

/// How hard to look for parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// By the closure of possible jumps alone.
    Closure,
    /// The closure bounded by how many stones there are to capture, for groups of stones that are joined only where they may
    /// meet.
    Counted,
    /// Each part of that again by the jumps that really occur, for each group of stones for which looking at this many
    /// arrangements is enough to know them.
    Exact(usize),
    /// [`Split::Exact`] with as much as pays: [`Split::QUICK`] arrangements where the stones lie within 8x8 cells, which are
    /// valued quickly in one part too, and [`Split::PATIENT`] where they are spread wider.
    #[default]
    Fitting,
}

impl Split {
    /// A few milliseconds.
    pub const QUICK: usize = 20_000;
    /// A few tenths of a second where even that is not enough.
    pub const PATIENT: usize = 200_000;
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
        let most = match split {
            Split::Closure | Split::Counted => {
                found.push(region);
                continue;
            }
            Split::Exact(most) => most,
            Split::Fitting => match placed(position, region, occupied).part {
                Part::Small { .. } => Split::QUICK,
                Part::Large { .. } | Part::Wide { .. } => Split::PATIENT,
            },
        };
        found.extend(exact_regions(&field, occupied & region, region, most));
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
        match parts.iter().map(|(_, value)| value.clone()).collect::<Result<Vec<Game>, EndgameError>>() {
            Ok(values) => {
                let Sum { value, outcome, mean } = self.games().sum(&values);
                let (value, outcome) = (value.map_err(Into::into), outcome.map_err(Into::into));
                PositionValue { parts, dead, value, outcome, mean: mean.map_err(Into::into) }
            }
            Err(error) => {
                PositionValue { parts, dead, value: Err(error.clone()), outcome: Err(error.clone()), mean: Err(error) }
            }
        }
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
            rest.collect::<Result<Vec<_>, _>>().and_then(|rest| Ok(self.games().add_all(&rest)?))
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
