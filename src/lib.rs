//! TODO
pub mod board;
pub mod konane;
pub mod run;
pub mod search;
