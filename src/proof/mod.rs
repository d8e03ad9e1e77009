//! Winning strategies on disk: written from the table of a search, checked by the rules alone.
//!
//! A proof is a set of positions in which the winner is to move, each with the winner's move, such that whatever the loser
//! plays leads to a position of the set again. [`prove()`] writes one, [`check`] checks one with [`crate::konane::reference`]
//! and nothing of the search, [`Proof`] answers from one.
//!
//! * `checker/`: reading the file, its header and its claim; the check. It uses none of the rest of this room, nor the
//!   fast move generator (`scripts/check-layers` sees to that).
//! * `claim`: what can be claimed of a board whose openings are solved.
//! * `prove`, `writer`: from the table to the file. `leaf`: the fast twin of the checker's plain search.
//! * `facts`: a proof as a source of answers.
//!
//! # Memory and limits
//!
//! Of the memory that `--memory` allows the table of the search takes three quarters at most, and less on small boards. The
//! rest is for the positions that wait for their answers (8 bytes each, those with fewer stones than the ones being
//! written): when they need more, the work ends with an error and without a file. What is written is not kept in memory.
//! Boards of up to 49 cells have proofs of up to 32 GiB, larger ones of up to 512 GiB: their pages are larger.
//!
//! # The format
//!
//! A file of the kind `proof` is a container as in `src/container/FORMAT.md`. `scripts/read-papamu` reads it in Python.
//!
//! ## Numbers
//!
//! The cells of the board have indices 0, 1, … row by row from the top left. A cell whose row and column add up to an even
//! number has the owner of the top-left cell, the others the other side. The cells that one side owns are numbered 0, 1, … by
//! themselves in the order of the index. A choice of k of them, c1 < c2 < … < ck, has the number
//! C(c1, 1) + C(c2, 2) + … + C(ck, k), where C(n, k) are binomial coefficients (C(n, k) = 0 for k > n). The number of a
//! position is `black number * C(cells of White, white stones) + white number`. It lies below
//! `C(cells of Black, black stones) * C(cells of White, white stones)`, the *universe* of its class: all positions with as
//! many stones of each side.
//!
//! The moves of a side are numbered 0, 1, … in this order: its stones by the index of their cells; of one stone first
//! those to the left, then to the right, up, down; of one direction the shorter ones first.
//!
//! ## Header
//!
//! In the layout of `FORMAT.md`, in this order:
//!
//! | field | type | what |
//! |---|---|---|
//! | game | text | `konane` |
//! | board | text | rows x columns: `6x7`; at most 64 cells |
//! | top_left | text | owner of the top-left cell: `black` or `white` |
//! | removals | optional pair of texts | rules of the first and second removal: `corner-or-centre`, `any`, `corner` or `centre`; `adjacent` or `any`. None for a position |
//! | claim | text | `game`, `openings` or `position` |
//! | openings | list of texts | openings proved, such as `a6:b6` (Black's removal, White's removal); none for a position |
//! | position | optional text | the position proved, with its side to move |
//! | winner | text | `black` or `white` |
//! | leaf_nodes | `u64` | nodes of the plain search below, at most 1,000,000 |
//! | positions | `u64` | entries in all |
//! | classes | list | see below |
//! | version | text | version of papamu that wrote the file |
//! | pages | `u8`, list of `u64` | logarithm of the length of a page to base 2; XXH3-64 (seed 0) of each page of the body, the last one may be shorter |
//!
//! A class in the list:
//!
//! | field | type | what |
//! |---|---|---|
//! | black, white | `u8`, `u8` | stones of each side |
//! | count | `u64` | positions, at least 1 |
//! | answer_bits | `u8` | width of an answer, 0 to 16 |
//! | first_word | `u64` | where it begins in the body, in words of 8 bytes |
//!
//! Classes come by falling number of stones in all, then of black stones, one behind the other without a gap.
//!
//! ## Body
//!
//! Words of 64 bits, little-endian. Bit number i of a row of words is bit i mod 64 (0 is the lowest) of word i / 64. A class
//! is first the set of the numbers of its positions, then their answers.
//!
//! The set, with `low_bits` = whole part of log2(universe / count), the division rounded down, and `buckets` =
//! ((universe - 1) >> `low_bits`) + 1 (the code of Elias and Fano):
//!
//! | words | what |
//! |---|---|
//! | buckets / 128, rounded up | samples, for looking numbers up: where in the row of buckets the buckets 0, 128, 256, … begin |
//! | (count + buckets) / 64, rounded up | the row of buckets: for each bucket in turn a 1 for every number in it, then a 0 |
//! | count * `low_bits` / 64, rounded up | the `low_bits` low bits of each number in turn |
//!
//! A number in bucket b with the low bits l is `b << low_bits | l`; numbers ascend. The answers follow in count *
//! `answer_bits` / 64 words, rounded up: for each number in turn the number of the winner's move, in `answer_bits` bits.
//!
//! ## What it proves
//!
//! A position with the winner to move is *answered* if it is in the set of its class, or if this plain search settles it
//! within `leaf_nodes` visits: a position without moves is lost; else the moves are tried by the number of moves they leave
//! the opponent, fewest first, among equals in their order, up to the first that leaves a lost position. Every position is
//! counted as often as it is visited, the first one included, and nothing is remembered. A position with the loser to move
//! is answered if all positions after its moves are. A file is a proof if
//!
//! * after the answer of every entry the position is answered (the answer being the number of a move),
//! * the first positions are: the position of the claim, or those after each of its openings,
//! * for the claim `game`, the openings listed are enough, where an opening counts as listed if a reflection, or on a square
//!   board also a rotation, that changes no cell's colour maps it to a listed one. White is the winner: to every first
//!   removal that the rules allow there is a reply that is listed. Black is the winner: there is a first removal that the
//!   rules allow all replies to which are listed (also if there is none).
//!
//! Every move takes a stone off the board, so there is no circle in this.

mod checker;
mod claim;
mod facts;
mod leaf;
mod prove;
#[cfg(test)]
mod tests;
mod writer;

use std::io;

use crate::board::Size;
use crate::container::ContainerError;
use crate::konane::{OpeningError, Side};
use crate::run::MemorySize;

pub use checker::form::{Claim, KIND as PROOF_KIND, MAX_CELLS, MOST_LEAF_NODES, ProofError, Subject};
pub use checker::{CheckError, Checked, Watch, check};
pub use claim::{ClaimError, claim_game, claim_openings, claim_position};
pub use facts::Proof;
pub use prove::{ProveOptions, Written, prove};

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
