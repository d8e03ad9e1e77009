//! What any long work shares: limits, the request to stop, progress figures, memory sizes. Knows no game.

mod control;
mod memory;
mod pages;

pub use control::{Allowance, Control, Gauges, Limits, Spending, StopReason, Stopped};
pub use memory::{MemoryError, MemorySize};
pub use pages::{advise_huge_pages, prefetch_line};
