//! Several threads on one position: the same answers for any number of them, within the memory given.

mod common;

use papamu::konane::{FirstRemoval, Opening, Position, Rules, Side};
use papamu::run::{Control, Limits, MemorySize};
use papamu::search::{Answer, Engine, Solver, SolverOptions};
use rayon::ThreadPoolBuilder;

/// The answer of a new solver with so many threads, in a pool of as many.
fn solve(position: &Position, threads: usize, memory: u64, control: &Control) -> Answer {
    let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(memory), threads };
    let solver = Solver::new(position.size(), position.top_left(), options).unwrap();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| solver.solve(position, control))
}

#[test]
fn any_number_of_threads_gives_the_same_answers() {
    let boards: &[(&str, Side)] = match cfg!(debug_assertions) {
        true => &[("4x4", Side::Black), ("3x5", Side::White)],
        false => &[("4x5", Side::Black), ("5x5", Side::Black), ("5x5", Side::White), ("3x7", Side::White)],
    };
    for &(board, top_left) in boards {
        let size = common::size(board);
        let rules = Rules { top_left, first_removal: FirstRemoval::Any, ..Rules::default() };
        for opening in Opening::all(size, &rules).unwrap() {
            let position = opening.position(size, &rules).unwrap();
            let [one, others @ ..] =
                [1, 2, 4, 8].map(|threads| solve(&position, threads, 1 << 20, &Control::default()).winner);
            assert!(one.is_some());
            assert_eq!(others, [one; 3], "{board} {opening}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute without optimisation")]
fn larger_boards_too_even_in_a_table_that_is_far_too_small() {
    for (board, opening, winner) in
        [("6x6", "a6:b6", Side::White), ("6x6", "c4:b4", Side::Black), ("5x7", "a5:b5", Side::Black)]
    {
        let position = common::opened(board, opening);
        for (threads, memory) in [(1, 1 << 16), (2, 1 << 16), (4, 1 << 20), (8, 64 << 20)] {
            let answer = solve(&position, threads, memory, &Control::default());
            assert_eq!(answer.winner, Some(winner), "{board} {opening}, {threads} threads, {memory} bytes");
        }
    }
}

#[test]
fn limits_hold_for_all_threads_together() {
    let position = common::opened("7x7", "d4:c4");
    let control = Control::new(Limits { nodes: Some(50_000), time: None });
    let answer = solve(&position, 4, 1 << 20, &control);
    assert_eq!((answer.winner, answer.nodes, control.nodes()), (None, 50_000, 50_000));
}
