//! KOTA against its slow twin, and against itself with more threads, less memory, interruptions, files.

use std::fs;

use papamu::kota::{
    Board, CheckpointError, Kota, OwnStones, Path, Rules, SolveError, Solver, Stuck, Table, check, reference,
};
use papamu::run::{Control, Limits, MemorySize};
use rayon::ThreadPoolBuilder;

const MEMORY: MemorySize = MemorySize::from_bytes(1 << 30);

fn finished(kota: &Kota) -> Solver {
    let mut solver = Solver::new(kota, MEMORY).unwrap();
    solver.run::<SolveError>(&Control::default(), |_| Ok(())).unwrap();
    solver
}

/// Every reading that the values depend on.
fn readings() -> impl Iterator<Item = Rules> {
    Board::ALL.iter().flat_map(|&board| {
        OwnStones::ALL.iter().flat_map(move |&own_stones| {
            Path::ALL.iter().flat_map(move |&path| {
                Stuck::ALL.iter().map(move |&stuck| Rules { board, own_stones, path, stuck, ..Rules::default() })
            })
        })
    })
}

fn check_all(kota: &Kota, stride: u64) {
    let solver = finished(kota);
    let (checked, stopped) = check(kota, &solver, stride, &Control::default()).unwrap();
    assert_eq!(stopped, None);
    for check in checked {
        assert_eq!(check.fault, None, "{} {}: {}", kota.n(), kota.rules(), check.what);
        assert!(
            check.times > 0
                || check.what.contains("colours") && kota.rules().board == Board::FlatColumns
                || kota.n() == 2
        );
    }
}

#[test]
fn two_and_three_under_every_reading() {
    for rules in readings() {
        for n in [2, 3] {
            check_all(&Kota::new(rules, n).unwrap(), 1);
        }
    }
}

#[test]
fn samples_of_four_under_every_reading() {
    let stride = if cfg!(debug_assertions) { 30_011 } else { 1_009 };
    for rules in readings() {
        check_all(&Kota::new(rules, 4).unwrap(), stride);
    }
}

/// Random games, up to the largest board.
#[test]
fn fast_and_slow_moves_agree_in_games() {
    let mut seed = 20_110_701_u64;
    for rules in readings() {
        // Trying every path of eleven steps takes the slow twin too long, except where few cells are empty.
        for n in [5, 6] {
            let kota = Kota::new(rules, n).unwrap();
            let slow = reference::Reference::new(rules, n);
            let mut position = kota.start();
            for _ in 0..6 {
                let mut moves = kota.moves(&position);
                moves.sort_unstable();
                let expected = match slow.situation(&position.setup()) {
                    reference::Situation::Open(moves) => moves,
                    _ => Vec::new(),
                };
                assert_eq!(moves, expected, "{rules}: {position}");
                let choices = kota.choices(&position);
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let Some(&mv) = choices.get((seed >> 33) as usize % choices.len().max(1)) else { break };
                position = kota.play(&position, mv).unwrap();
            }
        }
    }
}

#[test]
fn tables_are_the_same_whatever_the_threads_and_hold_what_the_solver_knows() {
    let folder = tempfile::tempdir().unwrap();
    for rules in [Rules::default(), Rules { board: Board::Rhombus, stuck: Stuck::Loss, ..Rules::default() }] {
        for n in [3, 4] {
            let kota = Kota::new(rules, n).unwrap();
            let mut files = Vec::new();
            for threads in [1, 2, 3] {
                let path = folder.path().join(format!("table-{threads}"));
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| Table::write(&finished(&kota), &path, &Control::default(), &|_| ())).unwrap();
                files.push(fs::read(&path).unwrap());
            }
            assert!(files.windows(2).all(|pair| pair[0] == pair[1]), "{n} {rules}");
            let table = Table::open(&folder.path().join("table-1")).unwrap();
            table.verify().unwrap();
            let solver = finished(&kota);
            assert_eq!(table.counts(), solver.counts());
            assert!(table.rows().step_by(97).all(|(position, value)| solver.value(&position) == Some(value)));
        }
    }
}

/// Stopped at every depth and in the middle of depths, saved, loaded, gone on with: the same in the end.
#[test]
fn an_interrupted_solver_comes_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    for rules in [Rules::default(), Rules { board: Board::Rhombus, stuck: Stuck::Loss, ..Rules::default() }] {
        let kota = Kota::new(rules, 4).unwrap();
        let whole = finished(&kota);
        let mut solver = Solver::new(&kota, MEMORY).unwrap();
        for round in 1.. {
            let micros = if cfg!(debug_assertions) { 1500 } else { 400 };
            let time = std::time::Duration::from_micros(round * micros);
            let control = Control::new(Limits { nodes: None, time: Some(time) });
            solver.run::<SolveError>(&control, |_| Ok(())).unwrap();
            if solver.is_finished() {
                break;
            }
            solver.save(&path, 1.5, &|_| ()).unwrap();
            let (resumed, seconds) = Solver::resume(&kota, &path, MEMORY).unwrap();
            assert_eq!((seconds, resumed.counts()), (1.5, solver.counts()));
            solver = resumed;
        }
        assert_eq!(solver.counts(), whole.counts());
        let table = |solver: &Solver, name: &str| {
            Table::write(solver, &folder.path().join(name), &Control::default(), &|_| ()).unwrap();
            fs::read(folder.path().join(name)).unwrap()
        };
        assert!(table(&solver, "a") == table(&whole, "b"), "{rules}");
    }
}

#[test]
fn without_depths_outcomes_are_the_same() {
    let kota = Kota::new(Rules::default(), 4).unwrap();
    let whole = finished(&kota);
    let mut solver = Solver::with_depths(&kota, false, MEMORY).unwrap();
    assert!(solver.memory_held() < whole.memory_held());
    solver.run::<SolveError>(&Control::default(), |_| Ok(())).unwrap();
    assert_eq!(solver.counts(), whole.counts());
    let value = solver.value(&kota.start()).unwrap();
    assert_eq!((value.outcome, value.depth), (whole.value(&kota.start()).unwrap().outcome, None));
}

#[test]
fn what_cannot_be_solved_says_what_it_would_take() {
    let kota = |n| Kota::new(Rules::default(), n).unwrap();
    let error = Solver::new(&kota(4), MemorySize::from_bytes(1000)).unwrap_err().to_string();
    assert!(error.starts_with("N = 4 needs ") && error.contains("give --memory "), "{error}");
    for (n, words) in [(6, "2 TiB"), (11, "bytes")] {
        let error = Solver::new(&kota(n), MEMORY).unwrap_err().to_string();
        assert!(error.contains(&format!("N = {n} would need about")) && error.contains(words), "{error}");
    }
}

#[test]
fn checkpoints_of_other_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let kota = Kota::new(Rules::default(), 3).unwrap();
    Solver::new(&kota, MEMORY).unwrap().save(&path, 0.0, &|_| ()).unwrap();
    let other = Kota::new(Rules { stuck: Stuck::Loss, ..Rules::default() }, 3).unwrap();
    for other in [other, Kota::new(Rules::default(), 4).unwrap()] {
        let error = Solver::resume(&other, &path, MEMORY).unwrap_err();
        assert!(matches!(error, CheckpointError::OtherGame { .. }), "{error}");
    }
    assert!(Table::open(&path).unwrap_err().to_string().contains("expected a file of kind `kota`, found `kota-ckp`"));
}
