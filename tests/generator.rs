//! The bit-parallel jump generator against the reference twin, on every width of word and on boards of many shapes.

mod common;

use std::collections::BTreeMap;

use common::{Random, any_removal, scattered, size};
use papamu::board::{Cell, CellSet, Size, Wide};
use papamu::konane::reference::Reference;
use papamu::konane::{BATCH, Field, FirstRemoval, Move, Opening, Packed, Position, Rules, SecondRemoval, Side};

const SHAPES: &[&str] = &[
    "1x1", "1x2", "2x1", "1x3", "3x1", "2x2", "1x7", "7x1", "1x12", "1x31", "2x3", "3x2", "2x9", "9x2", "2x32", "32x2",
    "3x3", "3x4", "4x3", "3x7", "4x4", "4x5", "5x4", "5x5", "5x6", "6x5", "6x6", "6x7", "7x6", "7x7", "7x8", "3x21",
    "21x3", "8x8", "1x64", "64x1", "4x16", "16x4", "1x65", "65x1", "5x13", "13x5", "7x9", "9x7", "8x9", "9x8", "10x12",
    "12x10", "11x11", "2x64", "64x2", "1x128", "128x1", "1x129", "3x43", "43x3", "18x18", "20x20", "2x200", "200x2",
    "1x400", "400x1",
];

/// The moves of a position for one width, each with the position after it.
fn fast<S: CellSet>(position: &Position) -> BTreeMap<Move, Position> {
    let (field, packed) = position.pack::<S>();
    assert_eq!(Position::from_packed(&field, packed), *position);
    let mut found = BTreeMap::new();
    let mut order = Vec::new();
    field.for_each_move(packed, |from, to, occupied| {
        let mv = Move { from: position.size().cell(from), to: position.size().cell(to) };
        let after = Position::from_packed(&field, packed.after(occupied));
        assert_eq!(found.insert(mv, after), None, "{position}: {mv} comes twice");
        let across = position.size().cols() > from.abs_diff(to) && mv.from.row() == mv.to.row();
        order.push((!across, to < from, from, from.abs_diff(to)));
    });
    assert!(order.is_sorted(), "{position}: not in the order promised");
    for side in Side::BOTH {
        let turned = position.with_turn(side);
        let expected = if side == position.turn() { found.len() } else { turned.moves().len() };
        assert_eq!(field.mobility(packed.occupied, side) as usize, expected, "{turned}");
        assert_eq!(field.can_move(packed.occupied, side), expected > 0, "{turned}");
    }
    found
}

/// Checks one position in every way and gives its moves.
fn check(position: &Position) -> Vec<(Move, Position)> {
    let slow: BTreeMap<Move, Reference> = Reference::from_position(position).moves().into_iter().collect();
    let wide = fast::<Wide>(position);
    assert!(wide.keys().eq(slow.keys()), "{position}: {:?} against {:?}", wide.keys(), slow.keys());
    assert!(position.moves().iter().all(|mv| slow.contains_key(mv)) && position.moves().len() == slow.len());
    for (mv, after) in &wide {
        assert_eq!(Reference::from_position(after), slow[mv], "{position}: {mv}");
        assert_eq!(after.turn(), position.turn().other());
        assert_eq!(position.play(*mv).as_ref(), Ok(after), "{position}: {mv}");
    }
    if position.size().cells() <= 64 {
        assert_eq!(fast::<u64>(position), wide);
    }
    if position.size().cells() <= 128 {
        assert_eq!(fast::<u128>(position), wide);
    }
    wide.into_iter().collect()
}

fn random_opening(random: &mut Random, size: Size, top_left: Side) -> Option<Position> {
    let rules = Rules { second_removal: SecondRemoval::Any, ..any_removal(top_left) };
    let openings = Opening::all(size, &rules).ok().filter(|all| !all.is_empty())?;
    let opening = openings[random.below(openings.len())];
    let position = opening.position(size, &rules).unwrap();
    let twin = Reference::opening(size, top_left, [opening.black, opening.white]);
    assert_eq!(Reference::from_position(&position), twin);
    Some(position)
}

#[test]
fn random_games_on_boards_of_every_shape() {
    for (seed, shape) in (1..).zip(SHAPES) {
        let size = size(shape);
        let mut random = Random(seed);
        let games = if size.cells() <= 64 { 6 } else { 1 };
        for top_left in Side::BOTH {
            for _ in 0..games {
                let Some(mut position) = random_opening(&mut random, size, top_left) else { continue };
                loop {
                    let moves = check(&position);
                    if moves.is_empty() {
                        break;
                    }
                    position = moves[random.below(moves.len())].1;
                }
            }
        }
    }
}

#[test]
fn scattered_stones_on_boards_of_every_shape() {
    for (seed, shape) in (1..).zip(SHAPES) {
        let size = size(shape);
        let mut random = Random(seed << 32);
        for fill in 0..=8 {
            for top_left in Side::BOTH {
                for turn in Side::BOTH {
                    check(&scattered(&mut random, size, top_left, turn, fill));
                }
            }
        }
    }
}

/// Every set of stones, not a sample: edges and corners in every combination.
#[test]
fn every_position_of_the_smallest_boards() {
    for shape in ["1x1", "1x2", "1x7", "7x1", "2x4", "4x2", "3x3"] {
        let size = size(shape);
        for top_left in Side::BOTH {
            let field = Field::<u64>::new(size, top_left);
            for occupied in 0..1u64 << size.cells() {
                for turn in Side::BOTH {
                    check(&Position::from_packed(&field, Packed { occupied, turn }));
                }
            }
        }
    }
}

#[test]
fn play_refuses_every_pair_of_cells_that_is_no_move() {
    let outside: Vec<Cell> = ["a9", "z1", "aa26", "oj400", "f1", "a6"].map(|text| text.parse().unwrap()).to_vec();
    for (seed, shape) in (1..).zip(["1x1", "1x6", "6x1", "2x5", "5x2", "3x3", "4x4", "5x5"]) {
        let size = size(shape);
        let mut random = Random(seed);
        for fill in [1, 3, 4, 5, 6, 7, 7, 8] {
            for (top_left, turn) in [(Side::Black, Side::White), (Side::White, Side::White), (Side::White, Side::Black)]
            {
                let position = scattered(&mut random, size, top_left, turn, fill);
                let legal: BTreeMap<Move, Reference> =
                    Reference::from_position(&position).moves().into_iter().collect();
                let cells: Vec<Cell> = size.all_cells().chain(outside.iter().copied()).collect();
                for &from in &cells {
                    for &to in &cells {
                        let mv = Move { from, to };
                        match (position.play(mv), legal.get(&mv)) {
                            (Ok(after), Some(twin)) => assert_eq!(Reference::from_position(&after), *twin),
                            (Err(error), None) => assert!(error.to_string().starts_with(&mv.to_string())),
                            (played, _) => panic!("{position}: {mv}: {played:?}"),
                        }
                    }
                }
            }
        }
    }
}

fn batches<S: CellSet>(random: &mut Random, size: Size) {
    let field = Field::<S>::new(size, Side::White);
    for fill in 0..=8 {
        let mut one = || scattered(random, size, Side::White, Side::Black, fill).occupied().convert::<S>();
        let occupied: [S; BATCH] = std::array::from_fn(|_| one());
        for side in Side::BOTH {
            let singly = |side| occupied.map(|occupied| field.mobility(occupied, side));
            assert_eq!(field.mobilities(&occupied, side), (singly(side), singly(side.other())), "{size} {side}");
        }
    }
}

#[test]
fn counting_several_positions_at_once_is_counting_each() {
    let mut random = Random(13);
    for shape in SHAPES {
        let size = size(shape);
        batches::<Wide>(&mut random, size);
        if size.cells() <= 128 {
            batches::<u128>(&mut random, size);
        }
        if size.cells() <= 64 {
            batches::<u64>(&mut random, size);
        }
    }
}

/// The two sides are treated alike: exchanging who owns which stones exchanges the moves and nothing else.
#[test]
fn both_colourings_have_the_same_moves_for_exchanged_sides() {
    let mut random = Random(7);
    for shape in SHAPES {
        let size = size(shape);
        for fill in [4, 6, 7] {
            let position = scattered(&mut random, size, Side::Black, Side::Black, fill);
            let packed = Packed { occupied: position.occupied(), turn: Side::White };
            let exchanged = Position::from_packed(&Field::new(size, Side::White), packed);
            assert_eq!(position.moves(), exchanged.moves(), "{position}");
        }
    }
}

#[test]
fn first_removal_any_is_every_black_cell() {
    for shape in SHAPES {
        let size = size(shape);
        for top_left in Side::BOTH {
            let rules = Rules { first_removal: FirstRemoval::Any, top_left, second_removal: SecondRemoval::Any };
            let field = Field::<Wide>::new(size, top_left);
            let (black, white) = (field.cells_of(Side::Black), field.cells_of(Side::White));
            assert_eq!(black | white, field.all());
            assert!((black & white).is_empty());
            let Ok(all) = Opening::all(size, &rules) else {
                assert_eq!((shape, top_left), (&"1x1", Side::White));
                continue;
            };
            assert_eq!(all.len() as u32, black.count() * white.count());
        }
    }
}
