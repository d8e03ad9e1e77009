//! Positions with as many stones of each side and one side to move.

use std::cmp::Reverse;

use crate::board::Size;
use crate::konane::{Packed, Ranking, Side};

/// All positions of a board with as many black and as many white stones and one side to move. A move leads from one class
/// to another with fewer stones, so classes are worked on one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// Black stones.
    pub black: u32,
    /// White stones.
    pub white: u32,
    /// The side to move.
    pub turn: Side,
}

impl Class {
    /// The class of a position.
    pub fn of(ranking: &Ranking, packed: Packed<u64>) -> Class {
        let (black, white) = ranking.stones(packed.occupied);
        Class { black, white, turn: packed.turn }
    }

    /// Stones of both sides.
    pub fn stones(self) -> u32 {
        self.black + self.white
    }

    /// The class after a move that jumps over this many stones; `None` when there are not so many.
    pub fn after(self, jumps: u32) -> Option<Class> {
        let turn = self.turn.other();
        Some(match self.turn {
            Side::Black => Class { white: self.white.checked_sub(jumps)?, turn, ..self },
            Side::White => Class { black: self.black.checked_sub(jumps)?, turn, ..self },
        })
    }

    /// The class from which such a move leads here.
    pub fn before(self, jumps: u32) -> Class {
        let turn = self.turn.other();
        match turn {
            Side::Black => Class { white: self.white + jumps, turn, ..self },
            Side::White => Class { black: self.black + jumps, turn, ..self },
        }
    }

    /// The order in a file: more stones first, then more black ones, then Black to move.
    pub fn order(self) -> impl Ord {
        (Reverse(self.stones()), Reverse(self.black), self.turn)
    }

    /// The most stones that one move can jump on a board.
    pub fn most_jumps(size: Size) -> u32 {
        (size.rows().max(size.cols()) as u32 - 1) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_leads_to_the_class_it_came_from() {
        let class = Class { black: 7, white: 5, turn: Side::Black };
        let next = Class { black: 7, white: 3, turn: Side::White };
        assert_eq!((class.after(2), next.before(2)), (Some(next), class));
        assert_eq!(class.after(6), None);
        assert_eq!(next.after(1), Some(Class { black: 6, white: 3, turn: Side::Black }));
        assert!(class.order() < next.order());
        assert_eq!(Class::most_jumps("5x6".parse().unwrap()), 2);
        assert_eq!(Class::most_jumps("2x1".parse().unwrap()), 0);
    }
}
