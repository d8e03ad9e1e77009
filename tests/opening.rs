//! The removal phase: which openings the rules allow, and which of them are the same.

mod common;

use std::collections::BTreeMap;

use common::{any_removal, size};
use papamu::board::{Cell, Symmetry};
use papamu::konane::{FirstRemoval, Opening, Rules, SecondRemoval, Side};

fn rules(top_left: Side, first_removal: FirstRemoval) -> Rules {
    Rules { top_left, first_removal, second_removal: SecondRemoval::Adjacent }
}

fn firsts(board: &str, rules: &Rules) -> String {
    match Opening::first_removals(size(board), rules) {
        Ok(cells) => cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" "),
        Err(error) => error.to_string(),
    }
}

fn refusal(board: &str, rules: &Rules, opening: &str) -> String {
    opening.parse::<Opening>().unwrap().position(size(board), rules).unwrap_err().to_string()
}

fn orbits(board: &str, rules: &Rules) -> BTreeMap<Opening, usize> {
    let mut orbits = BTreeMap::new();
    for opening in Opening::all(size(board), rules).unwrap() {
        *orbits.entry(opening.canonical(size(board))).or_insert(0) += 1;
    }
    orbits
}

#[test]
fn first_removals_of_each_rule() {
    use FirstRemoval::{Any, Centre, Corner, CornerOrCentre};
    use Side::{Black, White};
    for (board, top_left, first, expected) in [
        ("8x8", Black, CornerOrCentre, "a8 d5 e4 h1"),
        ("8x8", White, CornerOrCentre, "h8 e5 d4 a1"),
        ("8x8", Black, Corner, "a8 h1"),
        ("8x8", Black, Centre, "d5 e4"),
        ("6x6", Black, CornerOrCentre, "a6 c4 d3 f1"),
        ("5x5", Black, CornerOrCentre, "a5 e5 c3 a1 e1"),
        ("5x5", Black, Centre, "c3"),
        ("7x7", Black, CornerOrCentre, "a7 g7 d4 a1 g1"),
        ("7x7", White, Any, "b7 d7 f7 a6 c6 e6 g6 b5 d5 f5 a4 c4 e4 g4 b3 d3 f3 a2 c2 e2 g2 b1 d1 f1"),
        ("3x3", White, Any, "b3 a2 c2 b1"),
        // Rows 2 and 3 of 6 and column 3 of 7: one of the two centre cells is Black's.
        ("6x7", Black, CornerOrCentre, "a6 g6 d3"),
        ("6x7", White, CornerOrCentre, "d4 a1 g1"),
        ("7x6", Black, CornerOrCentre, "a7 d4 a1"),
        ("5x6", Black, CornerOrCentre, "a5 c3 a1"),
        // Where corner and centre are the same cells, each is named once.
        ("2x2", Black, CornerOrCentre, "a2 b1"),
        ("2x2", White, Any, "b2 a1"),
        ("1x2", Black, CornerOrCentre, "a1"),
        ("1x2", White, CornerOrCentre, "b1"),
        ("2x1", White, Centre, "a1"),
        ("1x1", Black, CornerOrCentre, "a1"),
        ("1x5", Black, CornerOrCentre, "a1 c1 e1"),
        ("1x5", White, Any, "b1 d1"),
        ("1x7", White, CornerOrCentre, "d1"),
        ("1x4", Black, CornerOrCentre, "a1 c1"),
    ] {
        assert_eq!(firsts(board, &rules(top_left, first)), expected, "{board} {top_left} {first}");
    }
}

#[test]
fn rules_that_leave_no_first_removal_say_why_and_what_to_do() {
    use FirstRemoval::{Any, Centre, Corner, CornerOrCentre};
    for (board, first, place) in [
        ("5x5", CornerOrCentre, "corner or centre"),
        ("5x5", Corner, "corner"),
        ("5x5", Centre, "centre"),
        ("3x7", Corner, "corner"),
        ("1x5", CornerOrCentre, "corner or centre"),
    ] {
        let message = firsts(board, &rules(Side::White, first));
        let expected = format!("Black owns no {place} cell of {board} with White on the top-left cell");
        assert!(message.starts_with(&expected), "{message}");
        assert!(message.ends_with("use --first-removal any"), "{message}");
    }
    // No rule helps where Black owns nothing.
    for first in [CornerOrCentre, Any, Corner, Centre] {
        let message = firsts("1x1", &rules(Side::White, first));
        assert!(message.contains("1x1") && message.ends_with("use --top-left black"), "{message}");
    }
    // The centre of 3x5 is Black's here, its corners are not.
    assert_eq!(firsts("3x5", &rules(Side::White, CornerOrCentre)), "c2");
}

#[test]
fn second_removals() {
    let rules = Rules::default();
    let after = |board: &str, rules: &Rules, black: &str| {
        let replies = Opening::after(size(board), rules, black.parse().unwrap());
        replies.iter().map(|opening| opening.white.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(after("8x8", &rules, "a8"), "b8 a7");
    assert_eq!(after("8x8", &rules, "d5"), "d6 c5 e5 d4");
    assert_eq!(after("5x5", &rules, "e1"), "e2 d1");
    assert_eq!(after("1x2", &rules, "a1"), "b1");
    assert_eq!(after("1x1", &rules, "a1"), "");
    assert_eq!(after("1x5", &rules, "c1"), "b1 d1");
    let any = Rules { second_removal: SecondRemoval::Any, ..rules };
    assert_eq!(after("2x3", &any, "a2"), "b2 a1 c1");
    assert_eq!(after("8x8", &any, "a8").split(' ').count(), 32);
    assert_eq!(after("1x1", &any, "a1"), "");
    assert_eq!(Opening::all(size("1x1"), &rules), Ok(vec![]));
    assert_eq!(Opening::all(size("6x6"), &any_removal(Side::Black)).unwrap().len(), 60);
}

#[test]
fn illegal_openings_name_the_cell_the_rule_and_what_is_legal() {
    let default = Rules::default();
    let white = rules(Side::White, FirstRemoval::CornerOrCentre);
    for (board, rules, opening, parts) in [
        ("6x6", default, "g1:a1", vec!["g1", "not on the 6x6 board"]),
        ("6x6", default, "a6:a7", vec!["a7", "not on the 6x6 board"]),
        ("6x6", default, "b6:a6", vec!["b6 is a White cell", "Black removes", "Black on the top-left"]),
        ("6x6", default, "a6:c6", vec!["c6 is a Black cell", "White removes"]),
        ("6x6", default, "a6:a6", vec!["a6 is a Black cell", "White removes"]),
        ("6x6", default, "b5:b6", vec!["b5", "--first-removal corner-or-centre", "a6, c4, d3, f1"]),
        ("6x6", default, "a6:b1", vec!["b1 is a Black cell"]),
        ("6x6", default, "a6:d6", vec!["d6", "--second-removal adjacent", "after a6", "b6, a5"]),
        ("6x6", white, "a6:b6", vec!["a6 is a White cell", "White on the top-left"]),
        ("5x5", white, "b5:a5", vec!["5x5", "--first-removal any"]),
        ("1x1", default, "a1:b1", vec!["b1", "not on the 1x1 board"]),
        ("1x1", default, "a1:a1", vec!["a1 is a Black cell"]),
    ] {
        let message = refusal(board, &rules, opening);
        assert!(parts.iter().all(|part| message.contains(part)), "{board} {opening}: {message}");
    }
}

#[test]
fn the_position_after_an_opening_has_two_holes_and_black_to_jump() {
    let open = |board: &str, rules: &Rules, opening: &str| {
        opening.parse::<Opening>().unwrap().position(size(board), rules).unwrap().to_string()
    };
    assert_eq!(open("4x4", &Rules::default(), "a4:a3"), ".oxo/.xox/xoxo/oxox x");
    assert_eq!(open("3x3", &any_removal(Side::White), "b3:a3"), "..o/xox/oxo x");
    assert_eq!(open("1x2", &Rules::default(), "a1:b1"), ".. x");
    let far = Rules { second_removal: SecondRemoval::Any, ..Rules::default() };
    assert_eq!(open("2x3", &far, "a2:c1"), ".ox/ox. x");
}

#[test]
fn canonical_openings_stand_for_their_orbits() {
    for board in
        ["1x1", "1x2", "1x6", "1x7", "2x2", "2x5", "3x3", "4x4", "4x5", "5x4", "5x5", "5x7", "6x6", "6x8", "20x20"]
    {
        let size = size(board);
        for top_left in Side::BOTH {
            for second_removal in [SecondRemoval::Adjacent, SecondRemoval::Any] {
                if size.cells() > 100 && second_removal == SecondRemoval::Any {
                    continue;
                }
                let rules = Rules { second_removal, ..any_removal(top_left) };
                let all = Opening::all(size, &rules).unwrap_or_default();
                for opening in &all {
                    let canonical = opening.canonical(size);
                    assert_eq!(canonical.canonical(size), canonical, "{board} {opening}");
                    assert!(size.index(canonical.black) <= size.index(opening.black), "{board} {opening}");
                    for symmetry in Symmetry::colour_keeping(size) {
                        let image = |cell: Cell| size.cell(symmetry.map(size, size.index(cell).unwrap()));
                        let mapped = Opening { black: image(opening.black), white: image(opening.white) };
                        assert_eq!(mapped.canonical(size), canonical, "{board} {opening}");
                        assert!(all.contains(&mapped), "{board} {opening} maps to the illegal {mapped}");
                        let positions = [opening, &mapped].map(|opening| opening.position(size, &rules).unwrap());
                        assert_eq!(positions[0].map(symmetry), positions[1], "{board} {opening}");
                    }
                }
            }
        }
    }
    // Off the board there is nothing to map.
    let outside: Opening = "z1:z2".parse().unwrap();
    assert_eq!(outside.canonical(size("6x6")), outside);
}

#[test]
fn numbers_of_openings_that_differ() {
    let default = Rules::default();
    for (board, rules, openings, different) in [
        // a6 and f1 have two replies each, c4 and d3 four; half turn and both diagonals keep the colours.
        ("6x6", default, 12, 3),
        ("8x8", default, 12, 3),
        ("6x6", any_removal(Side::Black), 60, 15),
        // Five cells in the corners and the centre; all eight symmetries keep the colours.
        ("5x5", default, 12, 2),
        ("5x5", any_removal(Side::Black), 40, 6),
        ("5x5", any_removal(Side::White), 40, 6),
        // Mirroring left and right is the one symmetry left.
        ("6x7", default, 8, 5),
        ("1x7", default, 2, 1),
        ("1x1", default, 0, 0),
        ("2x2", default, 4, 1),
    ] {
        let orbits = orbits(board, &rules);
        assert_eq!((orbits.values().sum::<usize>(), orbits.len()), (openings, different), "{board} {rules:?}");
    }
}

#[test]
fn rule_words_round_trip() {
    for word in ["corner-or-centre", "any", "corner", "centre"] {
        assert_eq!(word.parse::<FirstRemoval>().unwrap().to_string(), word);
    }
    for word in ["adjacent", "any"] {
        assert_eq!(word.parse::<SecondRemoval>().unwrap().to_string(), word);
    }
    assert_eq!("center".parse(), Ok(FirstRemoval::Centre));
    let message = "middle".parse::<FirstRemoval>().unwrap_err().to_string();
    assert!(message.contains("`middle`") && message.contains("corner-or-centre, any, corner or centre"), "{message}");
    let message = "near".parse::<SecondRemoval>().unwrap_err().to_string();
    assert!(message.contains("`near`") && message.contains("adjacent or any"), "{message}");
}
