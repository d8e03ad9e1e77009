//! Who wins: both engines against golden winners, against each other and against a plain search.

mod common;

use std::collections::{BTreeSet, HashMap, HashSet};

use common::{Random, any_removal, golden, opened, scattered, size};
use papamu::board::{CellSet, Size};
use papamu::konane::{Field, Opening, Packed, Position, Side};
use papamu::run::{Control, MemorySize};
use papamu::search::{Engine, Solver, SolverOptions};

fn solver(size: Size, top_left: Side, engine: Engine, mib: u64) -> Solver {
    let memory = MemorySize::from_bytes(mib << 20);
    Solver::new(size, top_left, SolverOptions { engine, memory, threads: 1 }).unwrap()
}

fn winner(solver: &Solver, position: &Position) -> Side {
    solver
        .solve(position, &Control::default())
        .winner
        .unwrap_or_else(|| panic!("{position}: no answer without a limit"))
}

/// The rules alone: whoever cannot move has lost. No table but a map of everything, no order, no bound.
fn plainly<S: CellSet>(field: &Field<S>, packed: Packed<S>, known: &mut HashMap<Packed<S>, bool>) -> bool {
    if let Some(&wins) = known.get(&packed) {
        return wins;
    }
    let mut children = Vec::new();
    field.for_each_move(packed, |_, _, occupied| children.push(packed.after(occupied)));
    let wins = children.into_iter().any(|child| !plainly(field, child, known));
    known.insert(packed, wins);
    wins
}

fn plain_winner<S: CellSet>(position: &Position, known: &mut HashMap<Packed<S>, bool>) -> Side {
    let (field, packed) = position.pack();
    if plainly(&field, packed, known) { position.turn() } else { position.turn().other() }
}

#[test]
fn golden_winners() {
    let mut solvers: HashMap<&str, Solver> = HashMap::new();
    let mut boards = HashSet::new();
    for (line, fields) in golden(include_str!("data/konane-openings.tsv")) {
        let (board, opening) = (fields[0], format!("{}:{}", fields[1], fields[2]));
        if cfg!(debug_assertions) && size(board).cells() > 25 {
            continue;
        }
        let engine = || solver(size(board), Side::Black, Engine::ProofNumber, 64);
        let found = winner(solvers.entry(board).or_insert_with(engine), &opened(board, &opening));
        assert_eq!(found.name(), fields[3], "{line}");
        boards.insert(board);
    }
    assert!(boards.len() >= if cfg!(debug_assertions) { 9 } else { 11 });
}

/// P. Norvig, "Mel's Konane Board" (2021): the corner pair and the centre pair of the square boards.
#[test]
fn norvigs_winners_by_both_engines() {
    for (board, openings, expected) in [
        ("4x4", ["a4:b4", "c2:b2"], Side::White),
        ("5x5", ["a5:b5", "c3:b3"], Side::Black),
        ("6x6", ["a6:b6", "d3:c3"], Side::White),
    ] {
        for engine in [Engine::ProofNumber, Engine::AlphaBeta] {
            if board == "6x6" && (cfg!(debug_assertions) || engine == Engine::AlphaBeta) {
                continue;
            }
            let solver = solver(size(board), Side::Black, engine, 64);
            for opening in openings {
                assert_eq!(winner(&solver, &opened(board, opening)), expected, "{board} {opening} {engine:?}");
            }
        }
    }
}

/// Every opening of every board with so many cells, in both colourings; up to 20 cells the plain search judges too.
fn engines_agree(cells: std::ops::RangeInclusive<usize>) -> usize {
    let mut compared = 0;
    let shapes =
        cells.flat_map(|cells| (1..=cells).filter(move |rows| cells % rows == 0).map(move |rows| (rows, cells)));
    for (rows, cells) in shapes {
        let size = Size::new(rows, cells / rows).unwrap();
        for top_left in Side::BOTH {
            let rules = any_removal(top_left);
            let openings: BTreeSet<Opening> =
                Opening::all(size, &rules).unwrap_or_default().iter().map(|opening| opening.canonical(size)).collect();
            let engines = [Engine::ProofNumber, Engine::AlphaBeta].map(|engine| solver(size, top_left, engine, 8));
            let mut known = HashMap::new();
            for opening in openings {
                let position = opening.position(size, &rules).unwrap();
                let [pn, alpha_beta] = engines.each_ref().map(|engine| winner(engine, &position));
                assert_eq!(pn, alpha_beta, "{size} {top_left} {opening}");
                if cells <= 20 {
                    assert_eq!(pn, plain_winner::<u64>(&position, &mut known), "{size} {top_left} {opening}");
                }
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn engines_agree_on_every_opening_to_25_cells() {
    assert_eq!(engines_agree(1..=25), 1742);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes long without optimisation")]
fn engines_agree_on_every_opening_to_30_cells() {
    assert_eq!(engines_agree(26..=30), 1044);
}

/// Not only positions that follow an opening: any stones, either side to move, one solver for all of a board.
#[test]
fn engines_agree_with_the_plain_search_on_scattered_stones() {
    let mut random = Random(5);
    for board in ["1x9", "3x3", "2x7", "4x4", "3x6", "4x5"] {
        for top_left in Side::BOTH {
            let engines =
                [Engine::ProofNumber, Engine::AlphaBeta].map(|engine| solver(size(board), top_left, engine, 8));
            let mut known = HashMap::new();
            for at in 0..200 {
                let turn = Side::BOTH[at % 2];
                let position = scattered(&mut random, size(board), top_left, turn, 2 + at % 6);
                let expected = plain_winner::<u64>(&position, &mut known);
                for engine in &engines {
                    assert_eq!(winner(engine, &position), expected, "{position}");
                }
            }
        }
    }
}

/// Boards of more than 64 cells: a crowd of stones somewhere on the board, nothing elsewhere.
#[test]
fn engines_agree_with_the_plain_search_on_two_words() {
    let mut random = Random(6);
    for board in ["5x13", "13x5", "1x66", "2x40", "9x14", "1x128", "128x1", "8x16"] {
        let (size, top_left) = (size(board), Side::White);
        let engines = [Engine::ProofNumber, Engine::AlphaBeta].map(|engine| solver(size, top_left, engine, 8));
        for at in 0..40 {
            let (top, left) = (random.below(size.rows()), random.below(size.cols()));
            let crowd = (0..size.cells()).filter(|index| {
                let (row, col) = (index / size.cols(), index % size.cols());
                (top..top + 4).contains(&row) && (left..left + 4).contains(&col) && random.below(4) > 0
            });
            let occupied = crowd.fold(0u128, |set, index| set | u128::single(index));
            let packed = Packed { occupied, turn: Side::BOTH[at % 2] };
            let position = Position::from_packed(&Field::new(size, top_left), packed);
            let expected = plain_winner::<u128>(&position, &mut HashMap::new());
            for engine in &engines {
                assert_eq!(winner(engine, &position), expected, "{position}");
            }
        }
    }
}

/// A line is legal, ends where somebody cannot move, and that is the loser.
#[test]
fn lines_lead_the_winner_home() {
    for (board, opening) in [("4x4", "a4:b4"), ("5x5", "c3:b3"), ("4x6", "a4:b4"), ("1x12", "c1:d1"), ("1x2", "a1:b1")]
    {
        for engine in [Engine::ProofNumber, Engine::AlphaBeta] {
            let solver = solver(size(board), Side::Black, engine, 8);
            let start = opened(board, opening);
            let expected = winner(&solver, &start);
            let line = solver.line(&start, &Control::default());
            let end = line.moves.iter().fold(start, |position, &mv| {
                assert_eq!(winner(&solver, &position), expected, "{position}");
                position.play(mv).unwrap()
            });
            assert_eq!((end.moves().len(), end.turn()), (0, expected.other()), "{board} {opening}");
        }
    }
}
