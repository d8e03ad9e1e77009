//! Proofs of whole games: written, and checked by the rules alone.

mod common;

use std::path::Path;

use common::size;
use papamu::board::Size;
use papamu::konane::{Facts, Rules, Side};
use papamu::proof::{Proof, ProveOptions, Watch, check, claim_game, prove};
use papamu::run::{Control, MemorySize};
use papamu::search::{Engine, OpeningsRequest, Solver, SolverOptions, solve_openings};

/// Proves the game of a board and checks the proof; its winner and its positions.
fn proved(path: &Path, size: Size, rules: Rules, leaf_nodes: u64) -> (Side, u64) {
    let memory = MemorySize::from_bytes(16 << 20);
    let options = SolverOptions { engine: Engine::ProofNumber, memory, threads: 1 };
    let solver = Solver::new(size, rules.top_left, options).unwrap();
    let (control, request) = (Control::default(), OpeningsRequest { size, rules, openings: Vec::new(), decide: true });
    let answer = solve_openings(&solver, &request, &control, &|_, _| ()).unwrap();
    let claim = claim_game(size, &rules, &answer).unwrap();
    let written = prove(path, &claim, &solver, ProveOptions { leaf_nodes, memory }, &control, &|_| ()).unwrap();
    let checked = check(path, &Watch { progress: &|_, _| (), stop: &|| false });
    let checked = checked.unwrap_or_else(|error| panic!("{size} {rules:?}: {error}"));
    assert_eq!((&checked.claim, checked.positions, checked.leaf_nodes), (&claim, written.positions, leaf_nodes));
    assert_eq!(Some(claim.winner), answer.winner);
    let proof = Proof::open(path).unwrap();
    for opening in claim.openings() {
        let fact = proof.fact(&opening.position(size, &rules).unwrap()).unwrap();
        assert_eq!(fact.winner, claim.winner, "{size} {opening}");
    }
    (claim.winner, written.positions)
}

#[test]
fn whole_games_of_all_small_boards_are_proved_and_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let (mut games, mut won_by_black, mut positions) = (0, 0, 0);
    for rows in 1..=20 {
        for cols in 1..=20 / rows {
            for top_left in Side::BOTH {
                let (size, rules) = (Size::new(rows, cols).unwrap(), Rules { top_left, ..Rules::default() });
                if rules.first_removals(size).is_err() {
                    continue;
                }
                let (winner, full) = proved(&path, size, rules, 0);
                let (again, left) = proved(&path, size, rules, 20);
                assert!(winner == again && left <= full, "{size}");
                games += 1;
                won_by_black += u32::from(winner == Side::Black);
                positions += full;
            }
        }
    }
    assert!(games > 110 && won_by_black > 5 && won_by_black < games - 5 && positions > 500, "{games} {positions}");
}

#[test]
fn whole_games_under_other_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    for first in ["any", "corner", "centre"] {
        for second in ["adjacent", "any"] {
            for board in ["4x4", "3x5", "4x5"] {
                let (first_removal, second_removal) = (first.parse().unwrap(), second.parse().unwrap());
                let rules = Rules { top_left: Side::Black, first_removal, second_removal };
                if rules.first_removals(size(board)).is_ok() {
                    proved(&path, size(board), rules, 0);
                }
            }
        }
    }
}
