//! Tests of both tables.

use std::collections::HashMap;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::konane::Side;

use super::bijection::{scramble, unscramble};
use super::value::LEAST_VALUE_BITS;
use super::*;

/// A fixed sequence of pseudo-random words.
fn words(mut seed: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        seed ^ seed >> 29
    })
}

#[test]
fn scrambling_is_a_bijection_of_the_numbers_of_any_width() {
    for bits in 1..=12 {
        let mask = (1 << bits) - 1;
        let mut images: Vec<u64> = (0..1 << bits).map(|x| scramble(x, bits, mask)).collect();
        assert!((0..1 << bits).all(|x| unscramble(images[x as usize], bits, mask) == x));
        images.sort_unstable();
        assert!(images.into_iter().eq(0..1 << bits), "{bits} bits");
    }
}

#[test]
fn every_position_of_a_small_board_has_a_place_of_its_own() {
    // 12 cells in tables of every number of buckets: place and tag together must tell all positions apart.
    for bytes in (64..64 * 300).step_by(64).chain([1 << 16, 1 << 18, 1 << 20]) {
        let table = WordTable::new(12, bytes).unwrap();
        let mut seen = HashMap::new();
        for occupied in 0..1 << 12 {
            for turn in Side::BOTH {
                let place = table.locate(Packed { occupied, turn });
                assert!(place.tag >> (64 - table.value.bits) == 0, "the tag must fit beside the value");
                assert_eq!(table.position(place), Packed { occupied, turn });
                let other = seen.insert((place.bucket, place.tag), (occupied, turn));
                assert_eq!(other, None, "{bytes} bytes");
            }
        }
    }
}

#[test]
fn places_on_large_boards_differ_where_positions_differ_little() {
    for cells in [49, 56, 63, 64] {
        let table = WordTable::new(cells, WordTable::least_bytes(cells)).unwrap();
        let mask = u64::MAX >> (64 - cells);
        for occupied in words(cells as u64).take(2000).map(|word| word & mask) {
            let place = |occupied, turn| {
                let place = table.locate(Packed { occupied, turn });
                (place.bucket, place.tag)
            };
            for turn in Side::BOTH {
                let packed = Packed { occupied, turn };
                assert_eq!(table.position(table.locate(packed)), packed);
            }
            let here = place(occupied, Side::Black);
            assert_ne!(here, place(occupied, Side::White));
            for cell in 0..cells {
                assert_ne!(here, place(occupied ^ 1 << cell, Side::Black));
            }
        }
    }
}

/// Writes many positions and demands that what comes back was written for that very position.
fn never_lies<S: CellSet, T: Table<S>>(table: &T, position: impl Fn(u64) -> Packed<S>, count: usize) {
    let mut kept = 0;
    // The numbers say which position they belong to, as far as the code is exact.
    let numbers = |word: u64| Numbers { phi: 1 + (word >> 7 & 7) as u32, delta: 1 + (word >> 11 & 7) as u32 };
    for word in words(5).take(count) {
        let packed = position(word);
        table.store(packed, table.locate(packed), numbers(word), word >> 13 & 0xfff);
    }
    for word in words(5).take(count) {
        let packed = position(word);
        if let Some(found) = table.probe(packed, table.locate(packed)) {
            assert_eq!(found.numbers, numbers(word));
            kept += 1;
        }
    }
    assert!(kept > count / 8, "{kept} of {count} kept");
    let mut listed = 0;
    table.for_each(16, &mut |packed, found| {
        let probed = table.probe(packed, table.locate(packed)).expect("what is listed is found");
        assert_eq!((probed.numbers, probed.work), (found.numbers, found.work));
        listed += 1;
        true
    });
    let counted: u64 = table.work_histogram()[4..].iter().sum();
    assert!(listed > 0 && counted.abs_diff(listed) < listed / 5, "{counted} {listed}");
    let (used, slots) = table.fill();
    assert!(used <= slots && used > 0);
}

#[test]
fn full_tables_forget_but_never_lie() {
    let turn = |word: u64| if word & 1 == 0 { Side::Black } else { Side::White };
    for cells in [36, 49, 64] {
        // The whole word shows in the position: 2^cells is far above the number of words.
        let mask = u64::MAX >> (64 - cells);
        let table = WordTable::new(cells, WordTable::least_bytes(cells).max(1 << 20)).unwrap();
        let count = (table.bytes() / 4).min(400_000) as usize;
        let seen: std::collections::HashSet<u64> = words(5).take(count).map(|word| word & mask).collect();
        let position = |word: u64| Packed { occupied: word & mask, turn: turn(word >> 5) };
        assert_eq!(seen.len(), count, "no position may come twice");
        never_lies(&table, position, count);
    }
    let table = WideTable::new(100, 1 << 20).unwrap();
    let position = |word: u64| Packed { occupied: u128::from(word) << 36 | u128::from(word >> 9), turn: turn(word) };
    never_lies(&table, position, 100_000);
}

/// Many threads write and read the same few buckets; whatever is found must have been written for that position.
fn never_lies_to_many<S: CellSet, T: Table<S>>(table: &T, position: impl Fn(u64) -> Packed<S> + Sync) {
    // The numbers are a function of the position, so every thread can tell a foreign or torn entry.
    let numbers = |key: u64| Numbers { phi: 1 + (key % 7) as u32, delta: 1 + (key % 5) as u32 };
    let found = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (position, found) = (&position, &found);
            scope.spawn(move || {
                for word in words(thread).take(ROUNDS) {
                    let (written, read) = (word % 997, (word >> 20) % 997);
                    let packed = position(written);
                    table.store(packed, table.locate(packed), numbers(written), word >> 40);
                    let packed = position(read);
                    if let Some(entry) = table.probe(packed, table.locate(packed)) {
                        assert_eq!(entry.numbers, numbers(read));
                        found.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert!(found.into_inner() > ROUNDS as u64 / 4);
}

/// Few enough for an interpreter that looks for data races.
const ROUNDS: usize = if cfg!(miri) { 300 } else { 200_000 };

#[test]
fn entries_are_whole_whatever_other_threads_do() {
    let spread = |key: u64| key.wrapping_mul(0x2545_f491_4f6c_dd1d);
    let table = WordTable::new(12, 64 * 40).unwrap();
    never_lies_to_many(&table, |key| Packed { occupied: key, turn: Side::Black });
    let table = WordTable::new(49, 1 << 16).unwrap();
    never_lies_to_many(&table, |key| Packed { occupied: spread(key) >> 15, turn: Side::White });
    let table = WideTable::new(100, 128 * 50).unwrap();
    never_lies_to_many(&table, |key| Packed { occupied: u128::from(spread(key)) << 30, turn: Side::Black });
}

#[test]
fn a_solved_entry_stays_solved_and_costly_entries_outlive_cheap_ones() {
    let table = WordTable::new(12, 64).unwrap();
    let packed = |occupied| Packed { occupied, turn: Side::Black };
    let store = |occupied, numbers, work| table.store(packed(occupied), table.locate(packed(occupied)), numbers, work);
    let probe = |occupied| table.probe(packed(occupied), table.locate(packed(occupied)));
    let open = Numbers { phi: 3, delta: 4 };
    store(7, Numbers::WIN, 1_000_000);
    store(7, open, 2_000_000);
    assert_eq!(probe(7).unwrap().numbers, Numbers::WIN);
    // One bucket of eight entries: of twenty more the cheap ones push each other out.
    for occupied in 100..120 {
        store(occupied, open, 1);
    }
    assert_eq!(probe(7).unwrap().numbers, Numbers::WIN);
    assert_eq!(probe(119).unwrap().numbers, open);
    assert!(probe(100).is_none());
}

#[test]
fn the_least_memory_leaves_room_for_a_value() {
    for cells in 1..=64 {
        let least = WordTable::least_bytes(cells);
        assert!(WordTable::new(cells, least).unwrap().value.bits >= LEAST_VALUE_BITS, "{cells} cells");
    }
    assert_eq!(WordTable::least_bytes(64), 64 << 20);
    assert_eq!(WordTable::least_bytes(49), 1 << 16);
}
