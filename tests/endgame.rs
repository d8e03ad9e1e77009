//! Values of positions against the search, against golden data, and against their own parts.

mod common;

use std::sync::Arc;

use common::{Random, golden, opened, scattered, size};
use papamu::board::{CellSet, Size, Wide};
use papamu::cgt::{Game, Games};
use papamu::endgame::{Split, Values, parts, player, winner};
use papamu::konane::{Field, Packed, Position, Side};
use papamu::run::{Control, MemorySize};
use papamu::search::{Engine, Solver, SolverOptions};

fn values() -> Values {
    Values::new(MemorySize::from_bytes(256 << 20), 1, Arc::new(Control::default()))
}

fn position(text: &str) -> Position {
    Position::parse(text, Some(Side::Black)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value(values: &Values, position: &Position) -> Game {
    values.position(position, Split::default()).value.unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// The value by the rules of the game and of canonical forms alone: no parts, no walls, no symmetry.
fn plain_value(games: &Games, position: &Position) -> Game {
    let [left, right] = Side::BOTH.map(|side| {
        let before = position.with_turn(side);
        let after = |mv| plain_value(games, &before.play(mv).unwrap());
        before.moves().into_iter().map(after).collect::<Vec<_>>()
    });
    games.game(left, right).unwrap()
}

fn boards(size: Size) -> impl Iterator<Item = Position> {
    let stones = move |bits: u64| (0..size.cells()).filter(move |at| bits >> at & 1 == 1);
    (0..1_u64 << size.cells()).map(move |bits| {
        let occupied = stones(bits).fold(Wide::empty(), |set, at| set | Wide::single(at));
        Position::from_packed(&Field::new(size, Side::Black), Packed { occupied, turn: Side::Black })
    })
}

#[test]
fn golden_values() {
    let values = values();
    for (line, fields) in golden(include_str!("data/konane-values.tsv")) {
        let found = value(&values, &position(fields[0]));
        assert_eq!(found, values.games().parse(fields[1]).unwrap(), "{line}");
        assert_eq!(values.games().text(found).unwrap(), fields[1], "{line}");
    }
}

#[test]
fn every_small_position_has_the_value_of_its_plain_tree_however_it_is_split() {
    let values = values();
    for board in ["1x9", "2x5", "3x3", "3x4"] {
        for position in boards(size(board)) {
            let expected = plain_value(values.games(), &position);
            for split in [Split::Closure, Split::Counted, Split::Exact(10_000)] {
                let found = values.position(&position, split);
                assert_eq!(found.value, Ok(expected), "{position} {split:?}");
            }
        }
    }
}

#[test]
fn random_positions_have_the_value_of_their_plain_tree() {
    let (values, mut random) = (values(), Random(11));
    for board in ["4x5", "5x5", "3x9", "1x20"] {
        for _ in 0..6 {
            let top_left = Side::BOTH[random.below(2)];
            let fill = 2 + usize::from(board == "4x5");
            let position = scattered(&mut random, size(board), top_left, Side::Black, fill);
            assert_eq!(value(&values, &position), plain_value(values.games(), &position), "{position}");
        }
    }
}

/// Splitting preserves every option: after any sequence of moves every legal move has all its cells in one part.
#[test]
fn every_move_that_ever_occurs_stays_in_one_part() {
    let mut random = Random(5);
    for round in 0..400 {
        let board = size(["5x6", "8x8", "9x11", "18x18"][round % 4]);
        let fill = 1 + random.below(4);
        let mut at = scattered(&mut random, board, Side::Black, Side::Black, fill);
        for split in [Split::Closure, Split::Counted, Split::Exact(2_000)] {
            let start = at;
            let (found, dead) = parts(&start, split);
            for _ in 0..30 {
                // The sides need not take turns: in a sum a part may see several moves of one side.
                let moves: Vec<_> = Side::BOTH.into_iter().flat_map(|side| at.with_turn(side).moves()).collect();
                for mv in &moves {
                    let line = |cell: &papamu::board::Cell| {
                        let between = |a: usize, b: usize, x: usize| a.min(b) <= x && x <= a.max(b);
                        between(mv.from.col(), mv.to.col(), cell.col())
                            && between(mv.from.row(), mv.to.row(), cell.row())
                    };
                    let length = mv.from.col().abs_diff(mv.to.col()) + mv.from.row().abs_diff(mv.to.row()) + 1;
                    let touched: Vec<_> = found.iter().filter(|part| part.cells.iter().any(line)).collect();
                    assert_eq!(touched.len(), 1, "{start} {mv}");
                    assert_eq!(touched[0].cells.iter().filter(|cell| line(cell)).count(), length, "{start} {mv}");
                    assert!(!dead.iter().any(line), "{start} {mv}");
                }
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                let side = at.stone(mv.from).unwrap();
                at = at.with_turn(side).play(mv).unwrap();
            }
            at = start;
        }
    }
}

#[test]
fn options_have_the_values_of_the_positions_after_them() {
    let (values, mut random) = (values(), Random(21));
    for board in ["4x4", "5x5", "9x9", "12x12"] {
        for _ in 0..20 {
            let fill = if board.len() == 3 { 4 - usize::from(board == "9x9") * 3 } else { 1 };
            let position = scattered(&mut random, size(board), Side::White, Side::Black, fill);
            let found = values.position(&position, Split::default());
            let options = values.options(&position, &found);
            let moves = |side| position.with_turn(side).moves();
            assert_eq!(options.len(), moves(Side::Black).len() + moves(Side::White).len());
            for (side, mv, value) in options {
                let after = position.with_turn(side).play(mv).unwrap();
                assert_eq!(value, values.position(&after, Split::default()).value, "{position} {mv}");
            }
        }
    }
}

/// Fights of 8 to 10 stones that never meet, on a board of 18x18: shapes are thrown on the board, and stay where all fights
/// remain parts of their own.
fn separate_fights(random: &mut Random, wanted: usize) -> Position {
    let board = size("18x18");
    let field = Field::<Wide>::new(board, Side::Black);
    let at = |occupied: Wide| Position::from_packed(&field, Packed { occupied, turn: Side::Black });
    let fights = |occupied: Wide| {
        let (found, dead) = parts(&at(occupied), Split::Exact(800));
        let good = dead.is_empty() && found.iter().all(|part| (8..=10).contains(&part.stones.len()));
        good.then(|| (found.len(), found.iter().map(|part| part.cells.len()).sum::<usize>()))
    };
    let (mut occupied, mut count) = (Wide::empty(), 0);
    while count < wanted {
        let (height, width) = [(2, 5), (5, 2), (3, 4), (4, 3), (1, 10), (10, 1)][random.below(6)];
        let (top, left) = (random.below(19 - height), random.below(19 - width));
        let mut cells: Vec<usize> = (0..height * width).collect();
        let stones = 8 + random.below(3);
        while cells.len() > stones {
            cells.swap_remove(random.below(cells.len()));
        }
        let fight = cells
            .iter()
            .fold(Wide::empty(), |set, &cell| set | Wide::single((top + cell / width) * 18 + left + cell % width));
        // Fights that need little room, so that there is some for the others.
        if (fight & occupied).is_empty()
            && matches!(fights(fight), Some((1, ..=20)))
            && fights(occupied | fight).is_some_and(|(found, _)| found == count + 1)
        {
            (occupied, count) = (occupied | fight, count + 1);
        }
    }
    at(occupied)
}

/// The sum of the values that the parts of a position have alone on an empty board; each must be what it is among the others.
fn sum_of_fights_alone(values: &Values, position: &Position) -> Game {
    let found = values.position(position, Split::default());
    let mut sum = values.games().zero();
    for (part, its_value) in &found.parts {
        let field = Field::<Wide>::new(position.size(), position.top_left());
        let index = |cell: &papamu::board::Cell| position.size().index(*cell).unwrap();
        let occupied = part.stones.iter().fold(Wide::empty(), |set, cell| set | Wide::single(index(cell)));
        let alone = Position::from_packed(&field, Packed { occupied, turn: Side::Black });
        // Valued by the plain closure, which knows nothing of what the finer tests claim.
        let alone_value = value_of_closure(values, &alone);
        assert_eq!(Ok(alone_value), *its_value, "{alone}");
        sum = values.games().add(sum, alone_value).unwrap();
    }
    sum
}

fn value_of_closure(values: &Values, position: &Position) -> Game {
    values.position(position, Split::Closure).value.unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// Twelve fights of 8 to 10 stones on one board of 18x18, each line with the values of the fights in the order of their
/// first cells from the top.
#[test]
fn twelve_fights_on_a_wide_board() {
    for (line, fields) in golden(include_str!("data/twelve-fights.tsv")) {
        let (values, position) = (values(), position(fields[0]));
        let found = values.position(&position, Split::default());
        assert_eq!(found.parts.len(), 12, "{line}");
        assert!(found.dead.is_empty(), "{line}");
        assert!(found.parts.iter().all(|(part, _)| (8..=10).contains(&part.stones.len())), "{line}");
        let text = |game| values.games().text(game).unwrap();
        assert_eq!(text(found.value.clone().unwrap()), fields[1], "{line}");
        assert_eq!(found.outcome.unwrap().letter().to_string(), fields[2], "{line}");
        let each: Vec<_> = found.parts.iter().map(|(_, value)| text(value.clone().unwrap())).collect();
        assert_eq!(each.join(" "), fields[3], "{line}");
        assert_eq!(found.value, Ok(sum_of_fights_alone(&values, &position)), "{line}");
    }
}

#[test]
fn fights_on_a_wide_board_are_parts_of_their_own() {
    let mut random = Random(12);
    for _ in 0..3 {
        let position = separate_fights(&mut random, 8);
        let values = values();
        let found = values.position(&position, Split::default());
        assert_eq!(found.parts.len(), 8, "{position}");
        assert_eq!(parts(&position, Split::Closure).0.len(), 1, "{position}");
        assert!(found.outcome.is_ok(), "{position}");
        assert_eq!(found.value, Ok(sum_of_fights_alone(&values, &position)));
    }
}

/// A part may be spread over the whole of a wide board.
#[test]
fn parts_spread_over_many_cells_have_values() {
    let (values, mut random) = (values(), Random(77));
    // Two fights at either end of long rows and columns, with stones to reach each other on the way.
    let mut wide = 0;
    for _ in 0..3000 {
        let position = scattered(&mut random, size("18x18"), Side::Black, Side::Black, 1);
        let stones: Vec<usize> = position.occupied().iter().collect();
        let few = stones.iter().filter(|_| random.below(3) == 0).take(11);
        let occupied = few.fold(Wide::empty(), |set, &at| set | Wide::single(at));
        let field = Field::<Wide>::new(position.size(), Side::Black);
        let position = Position::from_packed(&field, Packed { occupied, turn: Side::Black });
        wide += usize::from(position.moves().len() > 1);
        let found = values.position(&position, Split::Closure);
        let finer = values.position(&position, Split::default());
        assert_eq!(found.value, finer.value, "{position}");
    }
    assert!(wide > 0);
    let row = Position::parse(&format!("xoxo{}xoxo", ".".repeat(150)), Some(Side::Black)).unwrap();
    let found = values.position(&row, Split::Closure);
    assert_eq!(found.value, Ok(plain_value(values.games(), &row)));
}

#[test]
fn the_outcome_of_a_value_is_the_winner_of_the_search() {
    let (values, mut random) = (values(), Random(3));
    let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(1 << 20), threads: 1 };
    let check = |position: &Position, solver: &Solver| {
        let found = values.position(position, Split::default());
        let outcome = found.outcome.unwrap_or_else(|_| panic!("{position}: {:?}", found.value));
        for turn in Side::BOTH {
            let answer = solver.solve(&position.with_turn(turn), &Control::default());
            assert_eq!(answer.winner, Some(winner(outcome, turn)), "{position} {turn}");
        }
    };
    for board in ["3x3", "2x5"] {
        let solver = Solver::new(size(board), Side::Black, options).unwrap();
        boards(size(board)).for_each(|position| check(&position, &solver));
    }
    for board in ["4x4", "4x5"] {
        let solver = Solver::new(size(board), Side::Black, options).unwrap();
        for _ in 0..60 {
            check(&scattered(&mut random, size(board), Side::Black, Side::Black, 5), &solver);
        }
    }
}

#[test]
fn a_sum_may_be_played_without_adding_it_up() {
    let (values, mut random) = (values(), Random(8));
    for _ in 0..60 {
        let position = scattered(&mut random, size("10x10"), Side::Black, Side::Black, 1);
        let found = values.position(&position, Split::default());
        let sum: Vec<Game> = found.parts.iter().map(|(_, value)| *value.as_ref().unwrap()).collect();
        let played = values.games().sum_outcome(&sum, 100_000).unwrap();
        assert_eq!(Ok(played), found.outcome, "{position}");
    }
}

#[test]
fn threads_agree_and_full_boards_have_values() {
    let position = opened("4x5", "a4:b4");
    let alone = values();
    let text = alone.games().text(value(&alone, &position)).unwrap();
    let many = Values::new(MemorySize::from_bytes(256 << 20), 3, Arc::new(Control::default()));
    assert_eq!(many.games().text(value(&many, &position)).unwrap(), text);
}

#[test]
fn values_are_kept_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values");
    let (first, position) = (values(), opened("4x4", "a4:b4"));
    let wide = Position::parse("..xoxox..oxoxox...xo....", Some(Side::Black)).unwrap();
    let texts = [&position, &wide].map(|position| first.games().text(value(&first, position)).unwrap());
    first.save(&file).unwrap();
    let second = values();
    second.load(&file).unwrap();
    assert_eq!(second.len(), first.len());
    assert_eq!([&position, &wide].map(|position| second.games().text(value(&second, position)).unwrap()), texts);
    // The bytes depend on what is known alone.
    let again = folder.path().join("again");
    second.save(&again).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(&again).unwrap());
    let mut damaged = std::fs::read(&file).unwrap();
    damaged[100] ^= 1;
    std::fs::write(&again, damaged).unwrap();
    assert!(values().load(&again).is_err());
    // Every flipped bit and every shorter file is noticed, and nothing is taken over from it.
    let good = std::fs::read(&file).unwrap();
    for at in (0..good.len()).step_by(good.len() / 97 + 1) {
        let mut damaged = good.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&again, &damaged).unwrap();
        let third = values();
        assert!(third.load(&again).is_err(), "byte {at}");
        assert!(third.is_empty());
        std::fs::write(&again, &good[..at]).unwrap();
        assert!(third.load(&again).is_err(), "{at} bytes");
    }
}

/// Parts of every kind of word come back from a file.
#[test]
fn wide_parts_are_kept_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (file, first) = (folder.path().join("values"), values());
    let row = Position::parse(&format!("xoxo{}xoxo", ".".repeat(140)), Some(Side::Black)).unwrap();
    first.position(&row, Split::Closure).value.unwrap();
    first.save(&file).unwrap();
    let second = values();
    second.load(&file).unwrap();
    assert_eq!(second.len(), first.len());
    let again = folder.path().join("again");
    second.save(&again).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(&again).unwrap());
}

#[test]
fn limits_give_errors_and_lose_nothing() {
    let small = Values::new(Values::LEAST_MEMORY, 1, Arc::new(Control::default()));
    let known = value(&small, &position("..ox"));
    assert!(small.position(&opened("6x6", "a6:b6"), Split::Closure).value.is_err());
    assert_eq!(value(&small, &position("..ox")), known);
    let control = Arc::new(Control::default());
    let stopped = Values::new(MemorySize::from_bytes(64 << 20), 1, Arc::clone(&control));
    control.request_stop();
    assert!(stopped.position(&opened("5x5", "a5:b5"), Split::Closure).value.is_err());
}

#[test]
fn left_is_black() {
    assert_eq!(player(Side::Black), papamu::cgt::Player::Left);
    let values = values();
    assert_eq!(value(&values, &position("..ox")), values.games().parse("1").unwrap());
    assert_eq!(value(&values, &position("..xo")), values.games().parse("-1").unwrap());
}
