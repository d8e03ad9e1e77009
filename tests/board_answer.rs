//! What `solve_openings` says of removals and of the game, from what it knows of the openings.

mod common;

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use common::{any_removal, size};
use papamu::board::Cell;
use papamu::konane::{FirstRemoval, Opening, OpeningError, Rules, SecondRemoval, Side};
use papamu::run::{Control, Limits, MemorySize};
use papamu::search::{BoardAnswer, Engine, OpeningsRequest, Solver, SolverOptions, solve_openings};

fn solver(board: &str, rules: &Rules) -> Solver {
    let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(8 << 20), threads: 1 };
    Solver::new(size(board), rules.top_left, options).unwrap()
}

fn asked(texts: &[&str]) -> Vec<Opening> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn answer(board: &str, rules: Rules, openings: Vec<Opening>, decide: bool, nodes: Option<u64>) -> BoardAnswer {
    let request = OpeningsRequest { size: size(board), rules, openings, decide };
    let control = Control::new(Limits { nodes, time: None });
    solve_openings(&solver(board, &rules), &request, &control, &|_, _| {}).unwrap()
}

/// Who wins each opening, asked one by one.
fn winners(board: &str, rules: &Rules) -> HashMap<Opening, Side> {
    let solver = solver(board, rules);
    let one = |opening: Opening| {
        let position = opening.position(size(board), rules).unwrap();
        (opening, solver.solve(&position, &Control::default()).winner.unwrap())
    };
    Opening::all(size(board), rules).unwrap().into_iter().map(one).collect()
}

const BOARDS: &[(&str, Side)] = &[
    ("1x1", Side::Black),
    ("1x2", Side::Black),
    ("1x2", Side::White),
    ("2x2", Side::Black),
    ("1x7", Side::Black),
    ("3x3", Side::Black),
    ("3x3", Side::White),
    ("2x5", Side::White),
    ("3x4", Side::Black),
    ("4x4", Side::Black),
    ("4x5", Side::White),
    ("5x5", Side::Black),
    ("5x5", Side::White),
];

fn rule_sets(board: &str, top_left: Side) -> Vec<Rules> {
    let far = Rules { second_removal: SecondRemoval::Any, ..any_removal(top_left) };
    let default = Rules { top_left, ..Rules::default() };
    let sets = [default, any_removal(top_left), far];
    sets.into_iter().filter(|rules| Opening::all(size(board), rules).is_ok()).collect()
}

/// The answers for removals and game that follow from the winners of all openings.
fn check_whole(board: &str, rules: &Rules, answer: &BoardAnswer, winners: &HashMap<Opening, Side>, decide: bool) {
    let size = size(board);
    let firsts = Opening::first_removals(size, rules).unwrap();
    assert!(answer.removals.iter().map(|removal| removal.black).eq(firsts.iter().copied()), "{board} {rules:?}");
    for removal in &answer.removals {
        let white = |opening: &Opening| winners[opening] == Side::White;
        let replies = Opening::after(size, rules, removal.black).into_iter().filter(white);
        let winning: Vec<Cell> = replies.map(|opening| opening.white).collect();
        // No reply at all: White cannot remove and has lost.
        let expected = if winning.is_empty() { Side::Black } else { Side::White };
        assert_eq!(removal.winner, Some(expected), "{board} {rules:?} {}", removal.black);
        if decide {
            assert!(removal.winning_replies.iter().all(|cell| winning.contains(cell)));
            assert_eq!(removal.winning_replies.is_empty(), winning.is_empty());
        } else {
            assert_eq!(removal.winning_replies, winning, "{board} {rules:?} {}", removal.black);
        }
    }
    let black = answer.removals.iter().any(|removal| removal.winner == Some(Side::Black));
    assert_eq!(answer.winner, Some(if black { Side::Black } else { Side::White }), "{board} {rules:?}");
}

#[test]
fn every_opening_settles_removals_and_game() {
    for &(board, top_left) in BOARDS {
        for rules in rule_sets(board, top_left) {
            if size(board).cells() > 16 && rules.second_removal == SecondRemoval::Any {
                continue;
            }
            let winners = winners(board, &rules);
            let found = answer(board, rules, vec![], false, None);
            let all = Opening::all(size(board), &rules).unwrap();
            assert!(found.openings.iter().map(|row| row.opening).eq(all), "{board} {rules:?}");
            for row in &found.openings {
                assert_eq!(row.answer.winner, Some(winners[&row.opening]), "{board} {}", row.opening);
                assert_eq!(row.searched, row.opening.canonical(size(board)));
                let twin = found.openings.iter().find(|other| other.searched == row.searched).unwrap();
                assert_eq!(row.answer, twin.answer, "{board} {}: figures of the one that was searched", row.opening);
            }
            check_whole(board, &rules, &found, &winners, false);
            check_whole(board, &rules, &answer(board, rules, vec![], true, None), &winners, true);
        }
    }
}

#[test]
fn known_results() {
    let winner = |board: &str, rules: Rules| answer(board, rules, vec![], false, None).winner;
    // Black removes the only stone, White has none to remove.
    assert_eq!(winner("1x1", Rules::default()), Some(Side::Black));
    assert_eq!(answer("1x1", Rules::default(), vec![], true, None).winner, Some(Side::Black));
    // Both remove, Black cannot jump.
    assert_eq!(winner("1x2", Rules::default()), Some(Side::White));
    assert_eq!(winner("4x4", Rules::default()), Some(Side::White));
    assert_eq!(winner("5x5", Rules::default()), Some(Side::Black));
}

/// Each symmetric opening is searched once and told once.
#[test]
fn symmetric_openings_are_searched_once() {
    let rules = any_removal(Side::Black);
    let told = Mutex::new(Vec::new());
    let request = OpeningsRequest { size: size("5x5"), rules, openings: vec![], decide: false };
    let control = Control::default();
    let found = solve_openings(&solver("5x5", &rules), &request, &control, &|opening, answer| {
        assert!(answer.winner.is_some());
        told.lock().unwrap().push(opening);
    })
    .unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(told.len(), 6);
    let searched: HashSet<Opening> = found.openings.iter().map(|row| row.searched).collect();
    assert_eq!(told.into_iter().collect::<HashSet<_>>(), searched);
    let nodes: HashMap<Opening, u64> = found.openings.iter().map(|row| (row.searched, row.answer.nodes)).collect();
    assert_eq!(nodes.values().sum::<u64>(), control.nodes());
}

#[test]
fn what_the_asked_openings_do_not_settle_is_unknown() {
    for &(board, top_left) in BOARDS {
        for rules in rule_sets(board, top_left) {
            if size(board).cells() > 16 && rules.first_removal == FirstRemoval::Any {
                continue;
            }
            let winners = winners(board, &rules);
            let firsts = Opening::first_removals(size(board), &rules).unwrap();
            for opening in Opening::all(size(board), &rules).unwrap() {
                let found = answer(board, rules, vec![opening], false, None);
                assert_eq!(found.openings.len(), 1);
                assert_eq!(found.openings[0].answer.winner, Some(winners[&opening]), "{board} {opening}");
                let [row] = &found.removals[..] else { panic!("{board} {opening}: {:?}", found.removals) };
                assert_eq!(row.black, opening.black);
                // A symmetric opening has the same winner, so it may settle as much as the one asked for; nothing else.
                let canonical = opening.canonical(size(board));
                let settled = |other: &Opening| other.canonical(size(board)) == canonical;
                let replies = Opening::after(size(board), &rules, opening.black);
                match winners[&opening] {
                    Side::White => {
                        assert_eq!(row.winner, Some(Side::White));
                        assert!(row.winning_replies.contains(&opening.white));
                    }
                    Side::Black => {
                        assert!(row.winning_replies.is_empty());
                        if replies.len() == 1 {
                            assert_eq!(row.winner, Some(Side::Black), "{board} {opening}");
                        } else if !replies.iter().all(settled) {
                            assert_eq!(row.winner, None, "{board} {opening}");
                        }
                    }
                }
                let every_first_settled =
                    firsts.iter().all(|&first| Opening::after(size(board), &rules, first).iter().any(settled));
                match row.winner {
                    Some(Side::Black) => assert_eq!(found.winner, Some(Side::Black), "{board} {opening}"),
                    Some(Side::White) if firsts.len() == 1 => assert_eq!(found.winner, Some(Side::White)),
                    _ if !every_first_settled => assert_eq!(found.winner, None, "{board} {opening}"),
                    _ => assert_ne!(found.winner, Some(Side::Black), "{board} {opening}"),
                }
            }
        }
    }
}

#[test]
fn asked_openings_come_in_the_order_asked() {
    let found = answer("4x4", Rules::default(), asked(&["d1:c1", "a4:b4", "c2:b2", "a4:a3"]), false, None);
    let order: Vec<String> = found.openings.iter().map(|row| row.opening.to_string()).collect();
    assert_eq!(order, ["d1:c1", "a4:b4", "c2:b2", "a4:a3"]);
    let removals: Vec<String> = found.removals.iter().map(|row| row.black.to_string()).collect();
    assert_eq!(removals, ["a4", "c2", "d1"]);
    // These three are one by symmetry.
    assert_eq!(found.openings[0].answer, found.openings[1].answer);
    assert_eq!(found.openings[0].answer, found.openings[3].answer);
}

#[test]
fn an_illegal_opening_is_refused_before_anything_is_searched() {
    let rules = Rules::default();
    for (opening, first) in [("b4:a4", false), ("a2:b2", true), ("a4:d4", false), ("e9:a1", false)] {
        let request = OpeningsRequest { size: size("4x4"), rules, openings: asked(&["a4:b4", opening]), decide: false };
        let control = Control::default();
        let error = solve_openings(&solver("4x4", &rules), &request, &control, &|_, _| panic!("searched")).unwrap_err();
        assert_eq!(matches!(error, OpeningError::First { .. }), first, "{opening}: {error}");
        assert_eq!(control.nodes(), 0);
    }
    let white = Rules { top_left: Side::White, ..rules };
    let request = OpeningsRequest { size: size("5x5"), rules: white, openings: vec![], decide: false };
    let error = solve_openings(&solver("5x5", &white), &request, &Control::default(), &|_, _| {}).unwrap_err();
    assert!(error.to_string().contains("--first-removal any"), "{error}");
}

/// Whatever the limit: what is said is true, and nothing is made up.
#[test]
fn a_limit_leaves_unknown_what_was_not_proved() {
    let rules = any_removal(Side::Black);
    let winners = winners("5x5", &rules);
    let whole = answer("5x5", rules, vec![], false, None);
    for decide in [false, true] {
        let none = answer("5x5", rules, vec![], decide, Some(0));
        assert!(none.openings.iter().all(|row| row.answer.winner.is_none() && row.answer.nodes == 0));
        assert!(none.removals.iter().all(|row| row.winner.is_none() && row.winning_replies.is_empty()));
        assert_eq!(none.winner, None);
        for nodes in [1, 10, 100, 300, 1000, 3000] {
            let some = answer("5x5", rules, vec![], decide, Some(nodes));
            for row in &some.openings {
                assert!(row.answer.winner.is_none_or(|winner| winner == winners[&row.opening]), "{}", row.opening);
            }
            for (row, whole) in some.removals.iter().zip(&whole.removals) {
                assert!(row.winner.is_none() || row.winner == whole.winner, "{}", row.black);
                assert!(row.winning_replies.iter().all(|cell| whole.winning_replies.contains(cell)), "{}", row.black);
            }
            assert!(some.winner.is_none() || some.winner == whole.winner);
        }
    }
}
