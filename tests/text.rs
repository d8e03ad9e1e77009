//! Everything that is read and printed: round trips, rejected texts with their reasons, and no panic on any input.

mod common;

use common::{any_removal, golden, size};
use papamu::board::{Cell, CellSet, Size, Wide};
use papamu::konane::{Field, FirstRemoval, Move, Opening, Packed, Position, Record, Rules, SecondRemoval, Setup, Side};
use papamu::run::MemorySize;
use papamu::search::Engine;
use proptest::prelude::*;

fn sizes() -> impl Strategy<Value = Size> {
    (1usize..=400)
        .prop_flat_map(|rows| (Just(rows), 1..=400 / rows))
        .prop_map(|(rows, cols)| Size::new(rows, cols).unwrap())
}

fn small_sizes() -> impl Strategy<Value = Size> {
    (1usize..=9, 1usize..=9).prop_map(|(rows, cols)| Size::new(rows, cols).unwrap())
}

fn sides() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Black), Just(Side::White)]
}

fn cells() -> impl Strategy<Value = Cell> {
    (sizes(), any_index()).prop_map(|(size, index)| size.cell(index % size.cells()))
}

fn any_index() -> impl Strategy<Value = usize> {
    0..usize::MAX
}

/// Positions with at least one stone: without one the text cannot tell the colouring.
fn positions(sizes: impl Strategy<Value = Size>) -> impl Strategy<Value = Position> {
    (sizes, sides(), sides(), any_index(), proptest::collection::vec(0..10u8, 400), 0..=10u8).prop_map(
        |(size, top_left, turn, one, dice, fill)| {
            let occupied = (0..size.cells())
                .filter(|&index| dice[index] < fill || index == one % size.cells())
                .fold(Wide::empty(), |set, index| set | Wide::single(index));
            Position::from_packed(&Field::new(size, top_left), Packed { occupied, turn })
        },
    )
}

fn records() -> impl Strategy<Value = Record> {
    let firsts = prop_oneof![Just(FirstRemoval::Any), Just(FirstRemoval::CornerOrCentre)];
    let seconds = prop_oneof![Just(SecondRemoval::Any), Just(SecondRemoval::Adjacent)];
    let dice = proptest::collection::vec(any_index(), 0..60);
    (small_sizes(), sides(), firsts, seconds, dice).prop_filter_map(
        "no first removal",
        |(size, top_left, first_removal, second_removal, dice)| {
            let rules = Rules { top_left, first_removal, second_removal };
            let firsts = Opening::first_removals(size, &rules).ok()?;
            let mut dice = dice.into_iter();
            let mut text = String::new();
            if let Some(roll) = dice.next() {
                let black = firsts[roll % firsts.len()];
                text = black.to_string();
                let replies = Opening::after(size, &rules, black);
                if let Some(roll) = dice.next().filter(|_| !replies.is_empty()) {
                    let opening = replies[roll % replies.len()];
                    text = format!("{black} {}", opening.white);
                    let mut position = opening.position(size, &rules).unwrap();
                    for roll in dice {
                        let moves = position.moves();
                        let Some(&mv) = moves.get(roll % moves.len().max(1)) else { break };
                        text = format!("{text} {mv}");
                        position = position.play(mv).unwrap();
                    }
                    let record = Record::parse(size, rules, &text).unwrap();
                    assert_eq!((record.position(), record.opening()), (Some(position), Some(opening)));
                }
            }
            let record = Record::parse(size, rules, &text).unwrap();
            assert_eq!(record.to_string(), text);
            Some(record)
        },
    )
}

/// Texts near enough to good ones to reach deep into the parsers.
fn near_texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[xo./| \n\r\t]{0,40}",
        "[xo.]{1,4}([/|\n][xo.]{1,4}){0,5}( [xo]| black| WHITE| x x)?",
        "[a-z]{0,4}[0-9]{0,4}[-:x][a-z]{0,4}[0-9]{0,4}",
        "[0-9]{0,22}[xX×][0-9]{0,22}",
        "([a-f][1-6]|[a-f][1-6]-[a-f][1-6]|[ \n-]){0,12}",
        "[0-9.]{0,22} ?[kKmMgGtTeE]?i?[bB]?",
        "\\PC{0,40}",
        any::<String>(),
        proptest::collection::vec(any::<u8>(), 0..60).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sizes_round_trip(size in sizes()) {
        prop_assert_eq!(size.to_string().parse::<Size>(), Ok(size));
    }

    #[test]
    fn cells_moves_and_openings_round_trip(a in cells(), b in cells()) {
        prop_assert_eq!(a.to_string().parse::<Cell>(), Ok(a));
        let mv = Move { from: a, to: b };
        prop_assert_eq!(mv.to_string().parse::<Move>(), Ok(mv));
        let opening = Opening { black: a, white: b };
        prop_assert_eq!(opening.to_string().parse::<Opening>(), Ok(opening));
    }

    #[test]
    fn indices_round_trip(size in sizes(), index in any_index()) {
        let index = index % size.cells();
        prop_assert_eq!(size.index(size.cell(index)), Some(index));
    }

    #[test]
    fn positions_round_trip(position in positions(sizes())) {
        let text = position.to_string();
        let parsed: Result<Position, _> = text.parse();
        prop_assert_eq!(parsed.as_ref(), Ok(&position));
        let board = position.board_text();
        prop_assert_eq!(&format!("{} {}", board, position.turn().letter()), &text);
        prop_assert_eq!(Position::parse(&board, Some(position.turn())), Ok(position));
        prop_assert_eq!(&position.setup().to_string(), &text);
        for turn in ["x", "X", "black", "Black"] {
            let black = Ok(position.with_turn(Side::Black));
            for (separator, before) in [("/", " "), ("|", "  "), ("\n", " "), ("\r\n", "\t"), ("  /  ", " ")] {
                let text = format!("\n {}{before}{turn}\n", board.replace('/', separator));
                prop_assert_eq!(Position::parse(&text, None), black.clone(), "{:?}", text);
            }
        }
        for (separator, turn) in [("\n", "white"), ("\r\n", "black")] {
            let text = format!("{}{separator}{turn}", board.replace('/', separator));
            prop_assert_eq!(Position::parse(&text, None), Ok(position.with_turn(turn.parse().unwrap())), "{:?}", text);
        }
        // The text and the caller may both name the side, if they agree.
        prop_assert_eq!(Position::parse(&text, Some(position.turn())), Ok(position));
        let message = Position::parse(&text, Some(position.turn().other())).unwrap_err().to_string();
        prop_assert!(message.contains(&format!("--turn says {}", position.turn().other())), "{}", message);
    }

    #[test]
    fn a_stone_on_the_wrong_colour_is_named(position in positions(sizes()), index in any_index()) {
        let mut setup = position.setup();
        let stones = setup.stones.iter().flatten().count();
        prop_assume!(stones >= 3);
        let taken: Vec<usize> = (0..setup.stones.len()).filter(|&index| setup.stones[index].is_some()).collect();
        let index = taken[index % taken.len()];
        setup.stones[index] = setup.stones[index].map(Side::other);
        let error = setup.position(None).unwrap_err();
        prop_assert_eq!(error.misplaced.len(), 1);
        prop_assert_eq!(error.misplaced[0].cell, position.size().cell(index));
        prop_assert_eq!(error.top_left, position.top_left());
        let cell = position.size().cell(index).to_string();
        prop_assert!(error.to_string().starts_with(&format!("{cell}: a ")), "{}", error);
    }

    #[test]
    fn records_round_trip(record in records()) {
        let again = Record::parse(record.size(), *record.rules(), &record.to_string());
        prop_assert_eq!(again.as_ref(), Ok(&record));
        let spaced = record.to_string().replace(' ', " \n\t");
        prop_assert_eq!(Record::parse(record.size(), *record.rules(), &spaced), Ok(record));
    }

    #[test]
    fn no_parser_panics(text in near_texts()) {
        let _ = text.parse::<Size>().map_err(|error| error.to_string());
        let _ = text.parse::<Cell>().map_err(|error| error.to_string());
        let _ = text.parse::<Move>().map_err(|error| error.to_string());
        let _ = text.parse::<Opening>().map_err(|error| error.to_string());
        let _ = text.parse::<Side>().map_err(|error| error.to_string());
        let _ = text.parse::<FirstRemoval>().map_err(|error| error.to_string());
        let _ = text.parse::<SecondRemoval>().map_err(|error| error.to_string());
        let _ = text.parse::<MemorySize>().map(|size| size.to_string()).map_err(|error| error.to_string());
        let _ = text.parse::<Engine>().map_err(|error| error.to_string());
        if let Ok(setup) = text.parse::<Setup>() {
            // What was read prints as something that reads the same.
            prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup.clone()));
            let _ = setup.position(None).map_err(|error| error.to_string());
        }
        for turn in [None, Some(Side::Black), Some(Side::White)] {
            if let Ok(position) = Position::parse(&text, turn) {
                let _ = position.moves();
            }
        }
        for board in ["1x1", "4x4", "1x400"] {
            let _ = Record::parse(size(board), any_removal(Side::Black), &text).map_err(|error| error.to_string());
        }
    }
}

#[test]
fn rejected_positions() {
    let mut lines = 0;
    for (line, fields) in golden(include_str!("data/rejected-positions.tsv")) {
        let text = fields[0].replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
        let message = text.parse::<Position>().expect_err(&line).to_string();
        assert!(message.contains(fields[1]), "{line}: {message}");
        lines += 1;
    }
    assert!(lines > 25);
}

#[test]
fn every_reason_is_given_at_once() {
    let message = Position::parse("xo/xo", None).unwrap_err().to_string();
    assert!(message.contains("a1: a Black stone") && message.contains("b1: a White stone"), "{message}");
    assert!(message.contains("the side to move is missing"), "{message}");
    let message = Position::parse("xo/ox/xx o", Some(Side::Black)).unwrap_err().to_string();
    assert!(message.contains("b1: a Black stone on a White cell"), "{message}");
    assert!(message.contains("white is to move, but --turn says black"), "{message}");
}

#[test]
fn a_long_list_of_wrong_stones_is_cut() {
    let rows: Vec<&str> =
        (0..20).map(|row| if row < 9 { "xoxoxoxoxoxoxoxoxoxo" } else { "oxoxoxoxoxoxoxoxoxox" }).collect();
    let message = Position::parse(&rows.join("/"), Some(Side::Black)).unwrap_err().to_string();
    assert!(message.len() < 700 && message.contains("and 172 more"), "{message}");
}

#[test]
fn both_colourings_are_positions() {
    for (text, top_left) in [
        ("xo/ox x", Side::Black),
        ("ox/xo x", Side::White),
        (".x/.. x", Side::White),
        (".o/.. x", Side::Black),
        (".. x", Side::Black),
        // One column: the last row is a row, not the side to move.
        ("x\no\nx white", Side::Black),
        ("x/ o o", Side::Black),
    ] {
        assert_eq!(text.parse::<Position>().unwrap().top_left(), top_left, "{text}");
    }
    // After rows longer than that it is the side.
    for text in ["xo/ox\nx", "xo\nox\nx\n", "xo/ox/x", "xo/ox/ x", "xo|ox | x", "xo\r\nox\r\nblack", "xo/ox/black"] {
        let position: Position = text.parse().unwrap();
        assert_eq!((position.to_string().as_str(), position.turn()), ("xo/ox x", Side::Black), "{text}");
    }
    assert_eq!("xo.\no".parse::<Position>().unwrap().to_string(), "xo. o");
    assert_eq!(Position::parse("x\no", Some(Side::Black)).unwrap().size(), size("2x1"));
    assert_eq!(Position::parse("x/ o", Some(Side::Black)).unwrap().size(), size("2x1"));
}

#[test]
fn errors_of_small_texts_say_what_was_expected() {
    for (message, parts) in [
        ("6".parse::<Size>().unwrap_err().to_string(), ["`6`", "ROWSxCOLUMNS"]),
        ("6x".parse::<Size>().unwrap_err().to_string(), ["`6x`", "6x7"]),
        ("0x5".parse::<Size>().unwrap_err().to_string(), ["`0x5`", "at least one row"]),
        ("100x100".parse::<Size>().unwrap_err().to_string(), ["100x100 has 10000 cells", "at most 400"]),
        ("21x20".parse::<Size>().unwrap_err().to_string(), ["21x20 has 420 cells", "at most 400"]),
        ("33".parse::<Cell>().unwrap_err().to_string(), ["`33`", "c3"]),
        ("c3c5".parse::<Move>().unwrap_err().to_string(), ["`c3c5`", "c3-c5"]),
        ("c3-55".parse::<Move>().unwrap_err().to_string(), ["`c3-55`", "`55` is not a cell"]),
        ("c3-c5-c7".parse::<Move>().unwrap_err().to_string(), ["`c3-c5-c7`", "`c5-c7` is not a cell"]),
        ("a6".parse::<Opening>().unwrap_err().to_string(), ["`a6`", "BLACK:WHITE"]),
        ("a6:66".parse::<Opening>().unwrap_err().to_string(), ["`a6:66`", "`66` is not a cell"]),
        ("red".parse::<Side>().unwrap_err().to_string(), ["`red`", "x, black, o or white"]),
    ] {
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn illegal_records_name_the_ply() {
    for (text, parts) in [
        ("b4", ["move 1", "b4 is a White cell"]),
        ("z9", ["move 1", "not on the 4x4 board"]),
        ("a4-a2", ["move 1", "a removal is one cell"]),
        ("a4 a2", ["move 2", "a2 is a Black cell"]),
        ("a4 d4", ["move 2", "--second-removal adjacent"]),
        ("a4 a3-a1", ["move 2", "a removal is one cell"]),
        ("a4 a3 c4", ["move 3", "FROM-TO"]),
        ("a4 a3 c4-c6", ["move 3", "c6 is not on the board"]),
        ("a4 a3 a4-a2", ["move 3", "a4 is empty"]),
        ("a4 a3 b4-d4", ["move 3", "the stone on b4 is not Black's"]),
        ("a4 a3 c4-c3", ["move 3", "even number of cells"]),
        ("a4 a3 c4-c4", ["move 3", "even number of cells"]),
        ("a4 a3 c4-b3", ["move 3", "even number of cells"]),
        ("a4 a3 b1-d3", ["move 3", "even number of cells"]),
        ("a4 a3 c4-c2", ["move 3", "c2 is not empty"]),
        ("a4 a3 c4-a4 b3-b1", ["move 4", "the stone on b3 is not White's"]),
        ("a4 a3 c4-a4 b2-d2", ["move 4", "d2 is not empty"]),
        ("a4 a3 c4-a4 d4-b4", ["move 4", "there is no Black stone on c4 to jump over"]),
        ("a4 a3 c4-a4 c3-c5", ["move 4", "c5 is not on the board"]),
    ] {
        let message = Record::parse(size("4x4"), Rules::default(), text).unwrap_err().to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{text}: {message}");
    }
    let empty = Record::parse(size("4x4"), Rules::default(), " \n").unwrap();
    assert_eq!((empty.to_string(), empty.position()), (String::new(), None));
}
