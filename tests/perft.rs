//! Numbers of move sequences against golden counts.

mod common;

use common::{golden, opened, position};
use papamu::board::{CellSet, Wide};
use papamu::konane::reference::Reference;
use papamu::konane::{PerftNode, Position, perft, perft_divide};

fn count<S: CellSet>(position: &Position, depth: u32) -> u64 {
    let (field, packed) = position.pack::<S>();
    let total = perft(&field, packed, depth, &|| false).unwrap();
    if depth > 0 {
        let rows = perft_divide(&field, packed, depth, &|| false).unwrap();
        assert_eq!(rows.iter().map(|(_, count)| count).sum::<u64>(), total, "{position}");
        assert!(rows.iter().map(|&(mv, _)| mv).eq(position.moves()), "{position}");
    }
    total
}

#[test]
fn golden_counts() {
    // The long lines take seconds without optimisation.
    let most = if cfg!(debug_assertions) { 300_000 } else { u64::MAX };
    let mut lines = 0;
    for (line, fields) in golden(include_str!("data/perft.tsv")) {
        let (position, depth) = (position(fields[0]), fields[1].parse().unwrap());
        let expected: u64 = fields[2].parse().unwrap();
        if expected > most {
            continue;
        }
        lines += 1;
        assert_eq!(count::<Wide>(&position, depth), expected, "{line}");
        if position.size().cells() <= 64 {
            assert_eq!(count::<u64>(&position, depth), expected, "{line}");
        }
        if position.size().cells() <= 128 {
            assert_eq!(count::<u128>(&position, depth), expected, "{line}");
        }
        // The source of the file, so that a wrong line cannot hide there.
        if expected <= 20_000 {
            assert_eq!(Reference::from_position(&position).perft(depth, &|| false), Some(expected), "{line}");
        }
    }
    assert!(lines >= 60, "only {lines} lines");
}

#[test]
fn a_count_stops_when_asked() {
    let (field, packed) = opened("6x6", "a6:a5").pack::<u64>();
    assert_eq!(perft(&field, packed, 5, &|| true), None);
    assert_eq!(perft_divide(&field, packed, 5, &|| true), None);
    assert_eq!(perft(&field, packed, 0, &|| true), Some(1));
    let position = opened("6x6", "a6:a5");
    for node in [PerftNode::new(&position, false), PerftNode::new(&position, true)] {
        assert_eq!((node.count(3, &|| false), node.count(3, &|| true)), (Some(10), None));
        // Asked within the count, not only before it.
        let asked = std::cell::Cell::new(0);
        let third = || {
            asked.set(asked.get() + 1);
            asked.get() == 3
        };
        assert_eq!(node.count(5, &third), None);
    }
}
