//! Endgames: positions as sums of parts that never touch, and the values of the parts.
//!
//! [`parts`] splits a position; [`Values`] knows the values of parts, each in one form for all its places, reflections and
//! exchanges of colours, and adds them up to the value of a position. Boards may have up to 400 cells: each part is valued
//! on a machine word of its own.
//!
//! ```
//! use std::sync::Arc;
//! use papamu::endgame::{Split, Values};
//! use papamu::konane::{Position, Side};
//! use papamu::run::{Control, MemorySize};
//!
//! let values = Values::new(MemorySize::from_bytes(64 << 20), 1, Arc::new(Control::default()));
//! let position = Position::parse("......ox/......../.xo.....", Some(Side::Black))?;
//! let found = values.position(&position, Split::default());
//! let text = |game| values.games().text(game);
//! assert_eq!(found.parts.len(), 2);
//! assert_eq!(text(found.parts[0].1.clone()?)?, "1");
//! assert_eq!(text(found.parts[1].1.clone()?)?, "*");
//! assert_eq!(text(found.value?)?, "1*");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod keep;
mod part;
mod position;
mod regions;
mod table;
mod values;
mod words;
mod worker;

pub use keep::KeepError;
pub use part::{Part, Placed};
pub use position::{PositionPart, PositionValue, Split, parts, winner};
pub use values::{EndgameError, Values, player};
