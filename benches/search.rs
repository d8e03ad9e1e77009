//! Whole searches by both engines, and the table by what it answers.
//!
//! Every measurement asserts the winner. `cargo test` runs each once; the long ones only in a build with optimisation.

use divan::Bencher;
use papamu::konane::{FirstRemoval, Opening, Position, Rules, Side};
use papamu::run::{Control, MemorySize};
use papamu::search::{Engine, OpeningsRequest, Solver, SolverOptions, solve_openings};

fn main() {
    divan::main();
}

const ENGINES: [&str; 2] = ["pn", "alpha-beta"];

fn rules() -> Rules {
    Rules { first_removal: FirstRemoval::Any, ..Rules::default() }
}

fn opened(board: &str, opening: &str) -> Position {
    let opening: Opening = opening.parse().expect("an opening");
    opening.position(board.parse().expect("a size"), &rules()).expect("a legal opening")
}

/// A solver with an empty table.
fn solver(position: &Position, engine: &str, mebibytes: u64) -> Solver {
    let engine: Engine = engine.parse().expect("an engine");
    let options = SolverOptions { engine, memory: MemorySize::from_bytes(mebibytes << 20), threads: 1 };
    Solver::new(position.size(), position.top_left(), options).expect("a table")
}

/// One search from an empty table. The solver is made outside the time measured, but its pages come into being inside.
fn solve(bencher: Bencher<'_, '_>, board: &str, opening: &str, engine: &str, mebibytes: u64, winner: Side) {
    let position = opened(board, opening);
    bencher
        .with_inputs(|| solver(&position, engine, mebibytes))
        .bench_local_refs(|solver| assert_eq!(solver.solve(&position, &Control::default()).winner, Some(winner)));
}

#[divan::bench(args = ENGINES, sample_count = 5, sample_size = 1)]
fn solve_5x6_a5_b5(bencher: Bencher<'_, '_>, engine: &str) {
    solve(bencher, "5x6", "a5:b5", engine, 64, Side::White);
}

#[divan::bench(args = ENGINES, sample_count = 3, sample_size = 1, ignore = cfg!(debug_assertions))]
fn solve_6x6_a6_b6(bencher: Bencher<'_, '_>, engine: &str) {
    solve(bencher, "6x6", "a6:b6", engine, 256, Side::White);
}

/// A table that holds a small part of what the search meets, up to one that holds all.
#[divan::bench(args = [1, 4, 64], sample_count = 3, sample_size = 1, ignore = cfg!(debug_assertions))]
fn solve_6x6_a6_b6_in_mebibytes(bencher: Bencher<'_, '_>, mebibytes: u64) {
    solve(bencher, "6x6", "a6:b6", "pn", mebibytes, Side::White);
}

/// All openings of a board in the pool of threads.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn openings_of_5x6(bencher: Bencher<'_, '_>) {
    let size = "5x6".parse().expect("a size");
    let request = OpeningsRequest { size, rules: Rules::default(), openings: Vec::new(), decide: false };
    let position = opened("5x6", "a5:b5");
    bencher.with_inputs(|| solver(&position, "pn", 64)).bench_local_refs(|solver| {
        let board = solve_openings(solver, &request, &Control::default(), &|_, _| ()).expect("legal openings");
        assert_eq!(board.winner, Some(Side::White));
    });
}

/// One answer that is in the table already: a search that consists of a single look.
#[divan::bench(args = [64, 1024])]
fn look_up_a_solved_position(bencher: Bencher<'_, '_>, mebibytes: u64) {
    let position = opened("5x6", "a5:b5");
    let (solver, control) = (solver(&position, "pn", mebibytes), Control::default());
    assert_eq!(solver.solve(&position, &control).winner, Some(Side::White));
    bencher.bench_local(|| {
        let answer = solver.solve(&position, &control);
        assert_eq!((answer.winner, answer.nodes), (Some(Side::White), 0));
    });
}

/// A line of best play out of a warm table: many looks, few searches.
#[divan::bench]
fn line_from_a_warm_table(bencher: Bencher<'_, '_>) {
    let position = opened("5x6", "a5:b5");
    let (solver, control) = (solver(&position, "pn", 64), Control::default());
    solver.solve(&position, &control);
    bencher.bench_local(|| {
        // White wins and Black is to move, so Black runs out of moves after an even number of them.
        let line = solver.line(&position, &control);
        assert!(line.complete && !line.moves.is_empty() && line.moves.len().is_multiple_of(2));
    });
}
