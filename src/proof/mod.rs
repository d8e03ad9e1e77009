//! Winning strategies on disk. (Being written.)

mod checker;
mod claim;
mod facts;
mod leaf;
mod prove;
mod writer;

use std::io;

use crate::board::Size;
use crate::container::ContainerError;
use crate::konane::{OpeningError, Side};
use crate::run::MemorySize;

pub use checker::form::{Claim, MAX_CELLS, MOST_LEAF_NODES, ProofError, Subject};
pub use checker::{CheckError, Checked, Watch, check};
pub use claim::{ClaimError, claim_game, claim_openings, claim_position};
pub use facts::Proof;
pub use prove::{ProveOptions, Written, prove};
pub use writer::check_writable;

/// Why a proof was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The file cannot be written.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The body cannot be written.
    #[error("cannot write the proof: {0}")]
    Body(io::Error),
    /// The board has more cells than a proof can have.
    #[error("{size} has {cells} cells: proofs are for boards of at most {MAX_CELLS}", cells = size.cells())]
    TooLarge {
        /// The board.
        size: Size,
    },
    /// More is asked of the checker than it does.
    #[error("{found} nodes left to the checker at a position: at most {MOST_LEAF_NODES} are allowed")]
    LeafNodes {
        /// The number.
        found: u64,
    },
    /// An opening of the claim is not legal.
    #[error(transparent)]
    Opening(OpeningError),
    /// The positions that wait for an answer take too much memory.
    #[error("the positions of the proof take more memory than there is beside the table: expected at most {}, needed {} \
        so far; give more --memory, or leave more to the checker with --leaf-nodes", cap.apart(*needed).0,
        cap.apart(*needed).1)]
    Memory {
        /// What is needed.
        needed: MemorySize,
        /// What there is.
        cap: MemorySize,
    },
    /// The claim is wrong: the search finds a position that is not won.
    #[error("{position}: expected a win of {winner}, found none; this is a fault of the program, please report it",
        winner = winner.title())]
    NotWon {
        /// The position.
        position: String,
        /// Who should win.
        winner: Side,
    },
    /// The control stopped the work.
    #[error("stopped before the proof was complete")]
    Stopped,
}
