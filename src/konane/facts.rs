//! What is known of positions without a search: whoever asks knows nothing of files.

use super::{Move, Position, Side};

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Who wins with best play.
    pub winner: Side,
    /// Plies to the end, the winner as fast and the loser as slow as possible, where that is known.
    pub remoteness: Option<u32>,
    /// A best move; `None` where the side to move cannot move, or only who wins is known.
    pub best: Option<Move>,
}

/// Solved positions, kept in a table or a proof for example.
///
/// Contract: every fact is proved. A position may be unknown, whatever is known of others.
pub trait Facts: Send + Sync {
    /// What is known of the position; `None`: nothing.
    fn fact(&self, position: &Position) -> Option<Fact>;
}
