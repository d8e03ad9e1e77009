//! TODO
pub mod board;
pub mod cli;
pub mod konane;
pub mod run;
pub mod search;
