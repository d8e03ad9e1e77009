//! What a position looks worth to somebody who cannot look to the end.

use crate::board::CellSet;
use crate::konane::{Field, Side};

/// Weights of what is counted, in hundredths of a move; own less the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Moves that there are now.
    pub mobility: i32,
    /// Stones that can move now.
    pub movable: i32,
    /// Stones that have a move the opponent cannot spoil with one move.
    pub safe: i32,
    /// Being the one to move.
    pub tempo: i32,
}

/// What is counted for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Moves.
    pub mobility: u32,
    /// Stones that can move.
    pub movable: u32,
    /// Stones with a move that stays.
    pub safe: u32,
}

impl Evaluation {
    /// The difference of the numbers of moves, and nothing else.
    pub const MOBILITY: Evaluation = Evaluation { mobility: 100, movable: 0, safe: 0, tempo: 0 };
    /// The one the engine plays with.
    pub const ENGINE: Evaluation = Evaluation { mobility: 40, movable: 60, safe: 100, tempo: 50 };

    /// The value of the position for the side to move, in hundredths of a move. A guess.
    #[inline]
    pub fn value<S: CellSet>(&self, field: &Field<S>, occupied: S, turn: Side) -> i32 {
        if self.movable == 0 && self.safe == 0 {
            let difference = field.mobility(occupied, turn) as i32 - field.mobility(occupied, turn.other()) as i32;
            return self.mobility * difference + self.tempo;
        }
        let [own, other] = counts(field, occupied, turn);
        let difference = |of: fn(&Counts) -> u32| of(&own) as i32 - of(&other) as i32;
        self.mobility * difference(|counts| counts.mobility)
            + self.movable * difference(|counts| counts.movable)
            + self.safe * difference(|counts| counts.safe)
            + self.tempo
    }
}

/// The counts of the side to move and of its opponent.
///
/// A move is spoilt by taking the stone that would make it, or by moving the stone that it would jump over. (The cell
/// where it lands is of the mover's colour: no stone of the opponent can go there.)
#[inline]
pub fn counts<S: CellSet>(field: &Field<S>, occupied: S, turn: Side) -> [Counts; 2] {
    let empty = field.all() & !occupied;
    let stones = [field.stones(occupied, turn), field.stones(occupied, turn.other())];
    let directions = field.directions();
    let mut jumpers = [[S::empty(); 4]; 2];
    // Stones that can move, and stones that can be taken, of each side.
    let (mut movable, mut taken) = ([S::empty(); 2], [S::empty(); 2]);
    let mut found = [Counts::default(); 2];
    for side in 0..2 {
        let (own, enemy) = (stones[side], stones[1 - side]);
        for (direction, jumpers) in directions.iter().zip(&mut jumpers[side]) {
            let springs = direction.jumps(field.all(), enemy, empty);
            *jumpers = own & springs;
            movable[side] |= *jumpers;
            let mut from = *jumpers;
            while !from.is_empty() {
                found[side].mobility += from.count();
                taken[1 - side] |= direction.ahead(from, 1);
                from = direction.ahead(from, 2) & springs;
            }
        }
    }
    for side in 0..2 {
        let safe = directions.iter().zip(&jumpers[side]).fold(S::empty(), |safe, (direction, &jumpers)| {
            safe | jumpers & !taken[side] & !direction.behind(movable[1 - side], 1)
        });
        found[side].movable = movable[side].count();
        found[side].safe = safe.count();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::konane::Position;

    fn of(text: &str) -> [Counts; 2] {
        let (field, packed) = text.parse::<Position>().unwrap().pack::<u64>();
        counts(&field, packed.occupied, packed.turn)
    }

    #[test]
    fn safe_moves_are_those_nobody_can_spoil() {
        let (one, none) = (Counts { mobility: 1, movable: 1, safe: 1 }, Counts::default());
        assert_eq!(of("xo. x"), [one, none]);
        assert_eq!(of("xo. o"), [none, one]);
        // Each can take the other.
        let unsafe_move = Counts { mobility: 1, movable: 1, safe: 0 };
        assert_eq!(of(".xo. x"), [unsafe_move, unsafe_move]);
        // The stone that could be jumped over can go away.
        let [black, white] = of("xo./.x./... x");
        assert_eq!((black.mobility, black.movable, black.safe), (1, 1, 0));
        // The stone that would jump can be taken.
        assert_eq!((white.mobility, white.movable, white.safe), (1, 1, 0));
        // Two jumps of one stone are two moves.
        assert_eq!(of("xo.o. x")[0], Counts { mobility: 2, movable: 1, safe: 1 });
    }

    #[test]
    fn the_moves_counted_are_the_moves() {
        for text in ["xoxox/oxoxo/x..ox/oxoxo/xoxox x", ".oxo/.xox/xoxo/oxox x", "x..o/.xox/xoxo/oxox o"] {
            let (field, packed) = text.parse::<Position>().unwrap().pack::<u128>();
            let found = counts(&field, packed.occupied, packed.turn).map(|counts| counts.mobility);
            let sides = [packed.turn, packed.turn.other()];
            assert_eq!(found, sides.map(|side| field.mobility(packed.occupied, side)), "{text}");
        }
    }
}
