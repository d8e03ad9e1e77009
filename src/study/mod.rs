//! Long searches: keeping one on disk and going on from there.

mod checkpoint;
mod keep;

pub use checkpoint::{Checkpoint, CheckpointError, MOST_ENTRIES, Part, Spent, Subject};
pub use keep::{Keep, Kept};
