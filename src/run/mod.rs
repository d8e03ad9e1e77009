//! What any long work shares: limits, the request to stop, progress figures, memory sizes. Knows no game.

mod control;
mod memory;

pub use control::{Control, Gauges, Limits, StopReason};
pub use memory::{MemoryError, MemorySize};
