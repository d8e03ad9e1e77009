//! Short partizan games as mathematics: canonical forms, their sums and order, thermographs. Knows no board.
//!
//! [`Games`] is a collection in which every game is in canonical form and stored once, so that equal games are the same
//! [`Game`], a number. Several threads may work in one collection. Its memory is bounded, and numbers are exact: whatever
//! does not fit is a [`GameError`], never a wrong value.
//!
//! | what | where |
//! |---|---|
//! | build | [`Games::game`], [`Games::number`], [`Games::up`], [`Games::star`], [`Games::parse`] |
//! | add | [`Games::add`], [`Games::neg`], [`Games::sub`] |
//! | compare | [`Games::le`], [`Games::compare`], [`Games::outcome`], [`Games::sum_outcome`] |
//! | look at | [`Games::left_options`], [`Games::right_options`], [`Games::as_nus`], [`Games::birthday`], [`Games::text`] |
//! | heat | [`Games::left_stop`], [`Games::right_stop`], [`Games::thermograph`], [`Games::mean`], [`Games::temperature`], [`Games::cool`] |
//! | infinitesimals | [`Games::is_all_small`], [`Games::atomic_weight`], [`Games::reduced`] |
//!
//! Value text, as [`Games::text`] prints it: a number `3/4`, then `^` (up) or `v` (down) with its count if that is not 1, then
//! `*` or `*2`; other games as `{L|R}`, the options of a side separated by commas. [`Games::parse`] reads these and what is
//! usual in print: blanks, `||` and longer bars in place of inner braces, `^^` and `vv`, `↑` and `↓`, `±x`, `+_x` and
//! `-_x`. What is printed is read back as the same game.
//!
//! [`Games::new`] takes the most bytes that all forms together may use. The call that would exceed them fails with
//! [`GameError::Memory`], and every game known before is as good as it was. [`Games::with_interrupt`] lets another thread or
//! a clock end long work.
//!
//! The theory is that of J. H. Conway, *On Numbers and Games*; E. Berlekamp, J. H. Conway and R. Guy, *Winning Ways*;
//! A. N. Siegel, *Combinatorial Game Theory* (2013).
//!
//! ```
//! use papamu::cgt::{Dyadic, Games};
//!
//! let games = Games::new(16 << 20);
//! let game = games.parse("{2||0|-1}")?;
//! assert_eq!(games.mean(game)?, Dyadic::new(3, 2)?);
//! assert_eq!(games.temperature(game)?.to_string(), "5/4");
//! assert_eq!(games.text(games.cool(game, Dyadic::ONE)?)?, "{1|1/2}");
//! assert_eq!(games.text(games.atomic_weight(games.parse("{^|v*}")?)?)?, "0");
//! # Ok::<(), papamu::cgt::GameError>(())
//! ```

mod arena;
mod atomic;
mod canonical;
mod compare;
mod cooling;
mod dyadic;
mod error;
mod games;
mod memo;
mod nus;
mod play;
mod reduced;
mod sum;
#[cfg(test)]
mod tests;
mod text;
mod thermograph;

pub use compare::{Comparison, Outcome, Player};
pub use dyadic::Dyadic;
pub use error::GameError;
pub use games::{Game, Games, Options};
pub use nus::Nus;
pub use play::Sum;
pub use text::ValueTextError;
pub use thermograph::{Thermograph, Trajectory};
