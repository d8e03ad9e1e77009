//! The game of Kōnane: set-up, positions, jumps, opening rules, notation, move counts.
//!
//! * [`Setup`] is what a person typed, [`Position`] a legal position of the jumping phase; [`Setup::position`] is the
//!   only door from one to the other.
//! * [`Rules`] and [`Opening`] cover the removal phase, [`Record`] a whole game.
//! * [`Field`] generates jumps with whole-board bit operations for one width of machine word; search works on it.
//! * [`mod@reference`] states the rules a second time, slowly and obviously; it exists to check the rest.

mod facts;
mod field;
mod moves;
mod opening;
mod perft;
mod position;
mod ranking;
mod record;
pub mod reference;
mod rules;
mod setup;
mod side;

pub use facts::{Fact, Facts};
pub use field::{BATCH, Direction, Field, Lane, Packed};
pub use moves::{Move, MoveError, MoveTextError};
pub use opening::{Opening, OpeningError, OpeningTextError, OpeningTextKind};
pub use perft::{PerftNode, perft, perft_divide};
pub use position::{Position, PositionError};
pub use ranking::Ranking;
pub use record::{Ply, PlyError, Record, RecordError};
pub use rules::{FirstRemoval, Rules, RulesError, SecondRemoval};
pub use setup::{Misplaced, Setup, SetupError, SetupTextError};
pub use side::{Side, SideError};
