//! A fixed list of positions whose node counts, searched on one thread, are the signature of the search.
//!
//! A change that should not change what is searched must not change the counts; one that should says the old and the new
//! total.

use crate::board::Size;
use crate::konane::{FirstRemoval, Opening, Rules, Side};
use crate::run::{Control, MemorySize};

use super::{Answer, Engine, Solver, SolverError, SolverOptions};

/// Bytes of the table, the same on every machine.
const MEMORY: MemorySize = MemorySize::from_bytes(64 << 20);

/// Board, opening and winner. Boards of every shape: square, long, two rows, odd and even.
const CASES: [(&str, &str, Side); 12] = [
    ("4x4", "a4:b4", Side::White),
    ("5x5", "a5:b5", Side::Black),
    ("5x5", "c3:b3", Side::Black),
    ("5x6", "a5:b5", Side::White),
    ("6x6", "a6:b6", Side::White),
    ("6x6", "d3:c3", Side::White),
    ("6x6", "c4:b4", Side::Black),
    ("3x9", "c3:d3", Side::White),
    ("2x12", "d1:d2", Side::White),
    ("4x7", "c2:d2", Side::White),
    ("6x7", "d3:d2", Side::Black),
    // More than 64 cells: the wide table.
    ("2x37", "e2:e1", Side::White),
];

/// One position of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchCase {
    /// The board.
    pub size: Size,
    /// The opening; Black owns the top-left cell.
    pub opening: Opening,
    /// Who wins, as is known.
    pub winner: Side,
}

/// Why a run of the list has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// There is no solver.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The search contradicts what is known.
    #[error("{} {}: the search says that {} wins, but {} does", case.size, case.opening, case.winner.other(), case.winner)]
    Wrong {
        /// The position.
        case: BenchCase,
    },
}

/// The rules that the list is played under.
pub fn bench_rules() -> Rules {
    Rules { first_removal: FirstRemoval::Any, ..Rules::default() }
}

/// The list.
pub fn bench_cases() -> Vec<BenchCase> {
    let case = |(size, opening, winner): (&str, &str, Side)| {
        Some(BenchCase { size: size.parse().ok()?, opening: opening.parse().ok()?, winner })
    };
    CASES.into_iter().filter_map(case).collect()
}

/// Searches the list and calls `each` with every result. Every position gets a new solver with a table of a fixed size, so
/// that its count depends neither on the machine nor on the others.
///
/// # Errors
/// When there is no solver, or an answer is not the known one.
pub fn bench(engine: Engine, control: &Control, each: &mut dyn FnMut(&BenchCase, Answer)) -> Result<(), BenchError> {
    let rules = bench_rules();
    for case in bench_cases() {
        // The test below shows that every opening is legal.
        let Ok(position) = case.opening.position(case.size, &rules) else { continue };
        let solver = Solver::new(case.size, rules.top_left, SolverOptions { engine, memory: MEMORY, threads: 1 })?;
        let answer = solver.solve(&position, control);
        if answer.winner == Some(case.winner.other()) {
            return Err(BenchError::Wrong { case });
        }
        each(&case, answer);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_read_and_legal() {
        let cases = bench_cases();
        assert_eq!(cases.len(), CASES.len());
        for case in cases {
            assert!(case.opening.position(case.size, &bench_rules()).is_ok(), "{} {}", case.size, case.opening);
        }
    }
}
