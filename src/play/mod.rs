//! Playing and judging games: analysis of positions and whole games, the opponent, the reference opponents.
//!
//! What is proved and what is guessed never mix: [`Judged::winner`] and remoteness are exact or absent, a [`Guess`] stands
//! in a field of its own.

mod analysis;
mod annotation;
mod dice;
mod evaluation;
mod game;
mod lookahead;
mod opponent;
mod rival;

pub use analysis::{Analysis, Analyst, AnalystOptions, Guess, Judged, Whole};
pub use annotation::{Annotated, Annotation, Summary, Verdict};
pub use dice::Dice;
pub use evaluation::{Counts, Evaluation, counts};
pub use game::{Game, GameError};
pub use lookahead::{Lookahead, Sight};
pub use opponent::{Opponent, Reason, Thought};
pub use rival::Rival;
