//! Who wins: proof-number search and the alpha-beta baseline over one transposition table.
//!
//! [`Solver`] is the way in: it owns the table of one board and answers for positions. [`solve_openings`] asks it for
//! the openings of a board, several at a time.

mod account;
mod alpha_beta;
mod bench;
mod known;
mod numbers;
mod openings;
mod pn;
mod remoteness;
mod solver;
mod start;
mod table;
mod team;

pub use account::Account;
pub use bench::{BenchCase, BenchError, bench, bench_cases, bench_rules};
pub use known::answer;
pub use openings::{BoardAnswer, OpeningAnswer, OpeningsRequest, OpeningsRun, RemovalAnswer, solve_openings};
pub use remoteness::{Helpers, Remoteness};
pub use solver::{Answer, Engine, EngineError, Knowledge, Line, Solver, SolverError, SolverOptions};
