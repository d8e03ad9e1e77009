//! KOTA, the second game ("KOmşu TAş", neighbour stone), by Umut and Yeşim Uludağ (2011): hexagonal cells, numbered stones.
//!
//! # The game
//!
//! Red and White have N stones each, numbered 1 to N, on a board of N x N hexagons. Red's home is the bottom row, White's the
//! top row, each full at the start. In turn a side moves one of its stones, exactly as many steps as the number on it; a step
//! goes to an empty neighbouring cell, in any direction each time. Nothing is captured. After the move the stones of that side
//! must still be neighbours. Whoever ends a move on the row where the opponent was at home wins.
//!
//! Some points of the rule sheet can be read in more than one way; each is a field of [`Rules`], and the value of the game
//! depends on them.
//!
//! # Text
//!
//! * A cell: `c2`, the letter of its column from the left and the number of its row from the bottom ([`Cell`]).
//! * A stone: `R3`, `W11` ([`Stone`]).
//! * A move: `R3:c2-d4`; `R:pass` where a side has no move and passes ([`Move`]).
//! * A position: `R:a1,b1,c1 W:c3,b3,a3 red`, the cells of each side's stones in the order of their numbers, then the side to
//!   move ([`Setup`], [`Position`]).
//! * A reading of the rules: `flat-columns group simple pass point red` ([`Rules`]).

mod analysis;
mod cell;
mod check;
mod checkpoint;
pub mod drawing;
mod game;
mod graph;
mod grid;
mod index;
mod moves;
mod position;
mod record;
pub mod reference;
mod rules;
mod search;
mod side;
mod solver;
mod table;
mod transpose;

pub use analysis::{Analysis, Judged, Oracle, analyze, best_line, value_of};
pub use cell::{Cell, CellError, Stone, StoneError};
pub use check::{Checked, check};
pub use checkpoint::{CHECKPOINT_KIND, CheckpointError, CheckpointHeader};
pub use game::{Ending, Kota};
pub use moves::{Move, MoveError, MoveTextError};
pub use position::{Position, PositionError, Setup, SetupError};
pub use record::{Record, RecordError};
pub use rules::{Board, Layout, OwnStones, Path, Rules, RulesError, Stuck};
pub use search::{Found, search};
pub use side::{Side, SideError};
pub use solver::{Counts, Outcome, SolveError, Solver, Value};
pub use table::{TABLE_KIND, Table, TableError, TableHeader};

/// The fewest stones a side.
pub const MIN_N: usize = 2;
/// The most stones a side.
pub const MAX_N: usize = 11;

/// A number of stones that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("KOTA with {found} stones a side: expected {MIN_N} to {MAX_N}")]
pub struct SizeError {
    /// The number.
    pub found: usize,
}
