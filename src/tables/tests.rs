//! Tables against the slow rules, and everything that can be wrong with their files.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use proptest::prelude::*;

use crate::container::{Container, PageSummer, Writer};
use crate::konane::{FirstRemoval, Packed, Position, Rules, Side, reference::Reference};
use crate::run::{Control, MemorySize};

use super::table::{ClassEntry, Header, KIND};
use super::*;

fn options(folder: &Path, bytes: u64) -> BuildOptions {
    BuildOptions { memory: MemorySize::from_bytes(bytes), parts: folder.join("parts") }
}

fn built(source: &Source, path: &Path) -> Table {
    let options = options(path.parent().unwrap(), 1 << 30);
    build(source, path, &options, &Control::default(), &|_| ()).unwrap();
    Table::open(path).unwrap()
}

fn all(board: &str, top_left: Side) -> Source {
    let rules = Rules { top_left, first_removal: FirstRemoval::Any, ..Rules::default() };
    Source::openings(board.parse().unwrap(), rules, &[]).unwrap()
}

/// The remoteness of a board and of all that can be reached from it, by the slow rules.
fn slow(board: Reference, known: &mut HashMap<Reference, u8>) -> u8 {
    if let Some(&value) = known.get(&board) {
        return value;
    }
    let after: Vec<u8> = board.moves().into_iter().map(|(_, after)| slow(after, known)).collect();
    let win = after.iter().filter(|&value| value % 2 == 0).min();
    let value = win.or(after.iter().max()).map_or(0, |value| value + 1);
    known.insert(board, value);
    value
}

/// Every position of the table with its value.
fn entries(table: &Table) -> Vec<Entry> {
    let mut entries = Vec::new();
    for piece in table.pieces() {
        table
            .entries(piece, &mut |entry| {
                entries.push(entry);
                true
            })
            .unwrap();
    }
    entries
}

#[test]
fn a_table_has_what_the_slow_rules_reach_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let position: Position = "x.x.x/.xo../xox.x o".parse().unwrap();
    let sources = [
        all("4x4", Side::Black),
        all("3x4", Side::White),
        all("1x9", Side::Black),
        all("2x5", Side::White),
        all("3x5", Side::White),
        all("1x2", Side::Black),
        Source::position(position).unwrap(),
        Source::position(".../... x".parse().unwrap()).unwrap(),
    ];
    for source in sources {
        let table = built(&source, &path);
        let mut known = HashMap::new();
        for (_, root) in source.positions() {
            slow(Reference::from_position(&root), &mut known);
        }
        let entries = entries(&table);
        assert_eq!((entries.len(), entries.len() as u64), (known.len(), table.counts().positions));
        for &entry in &entries {
            let position = table.position(entry);
            let value = known[&Reference::from_position(&position)];
            assert_eq!((entry.remoteness, table.remoteness(entry.packed).unwrap()), (value, Some(value)), "{position}");
            let probe = table.probe(&position).unwrap().unwrap();
            assert_eq!((probe.remoteness, probe.moves.len()), (value, position.moves().len()));
            assert_eq!(probe.moves.first().map_or(0, |&(_, value)| value), value, "the best move comes first");
        }
        let counts = table.counts();
        assert_eq!(counts.wins, known.values().filter(|&value| value % 2 == 1).count() as u64);
        assert_eq!(counts.longest(), known.values().max().copied());
        assert_eq!(table.layers().iter().map(|(_, counts)| counts.positions).sum::<u64>(), counts.positions);
        let deep = verify_deep(&table, &Control::default()).unwrap();
        assert_eq!(deep, DeepCheck { positions: counts.positions, fault: None, stopped: false });
    }
}

#[test]
fn images_of_positions_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::openings("4x4".parse().unwrap(), Rules::default(), &["a4:b4".parse().unwrap()]).unwrap();
    let table = built(&source, &folder.path().join("table"));
    let probe = |opening: &str| {
        let opening: crate::konane::Opening = opening.parse().unwrap();
        table.probe(&opening.position("4x4".parse().unwrap(), &Rules::default()).unwrap()).unwrap()
    };
    let (direct, image) = (probe("a4:b4").unwrap(), probe("d1:c1").unwrap());
    assert_eq!(direct.remoteness, image.remoteness);
    assert_eq!((direct.moves[0].0.to_string(), image.moves[0].0.to_string()), ("a2-a4".into(), "d3-d1".into()));
    assert_eq!(probe("b3:b4"), None);
    let other = table.probe(&"....x/o.... x".parse().unwrap());
    assert!(matches!(other, Err(TableError::OtherBoard { .. })));
}

#[test]
fn the_same_bytes_for_any_memory_threads_and_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let source = all("3x6", Side::Black);
    let path = folder.path().join("table");
    built(&source, &path);
    let bytes = fs::read(&path).unwrap();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let options = options(folder.path(), 2 << 20);
        pool.install(|| build(&source, &path, &options, &Control::default(), &|_| ())).unwrap();
        assert!(fs::read(&path).unwrap() == bytes, "{threads} threads");
    }
    fs::remove_file(&path).unwrap();
    let options = options(folder.path(), 1 << 30);
    let (mut stops, mut damage) = (0, true);
    // Stopped again and again once a layer more is done, and with a layer damaged on the way.
    for allowed in (1..).step_by(3) {
        let control = Control::default();
        let over = std::sync::atomic::AtomicBool::new(false);
        let result = std::thread::scope(|scope| {
            let (control, over) = (&control, &over);
            scope.spawn(move || {
                while !over.load(Relaxed) && control.gauges.all_done.load(Relaxed) < allowed {
                    std::thread::yield_now();
                }
                control.request_stop();
            });
            let result = build(&source, &path, &options, control, &|_| ());
            over.store(true, Relaxed);
            result
        });
        match result {
            Ok(()) => break,
            Err(TableError::Stopped(_)) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(!path.exists());
        let layer = options.parts.join("places-13");
        if damage && layer.exists() {
            let mut bytes = fs::read(&layer).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            fs::write(&layer, bytes).unwrap();
            damage = false;
        }
        assert!(allowed < 1000, "it must come to an end");
    }
    assert!(stops > 2, "{stops}");
    assert!(fs::read(&path).unwrap() == bytes);
    assert!(!options.parts.exists());
}

#[test]
fn parts_belong_to_one_table_and_one_build() {
    let folder = tempfile::tempdir().unwrap();
    let (path, options) = (folder.path().join("table"), options(folder.path(), 1 << 30));
    let stopped = Control::default();
    stopped.request_stop();
    let build = |source: &Source, control: &Control| build(source, &path, &options, control, &|_| ());
    assert!(matches!(build(&all("3x4", Side::Black), &stopped), Err(TableError::Stopped(_))));
    let error = build(&all("3x4", Side::White), &Control::default()).unwrap_err();
    assert!(error.to_string().contains("expected the parts of 3x4 with white"), "{error}");
    let held = parts::Parts::open(&options.parts, &all("3x4", Side::Black)).unwrap();
    assert!(matches!(build(&all("3x4", Side::Black), &Control::default()), Err(TableError::InUse { .. })));
    drop(held);
    fs::write(options.parts.join("notes"), "mine").unwrap();
    build(&all("3x4", Side::Black), &Control::default()).unwrap();
    // What is not ours stays.
    assert_eq!(fs::read_dir(&options.parts).unwrap().count(), 1);
    let little = BuildOptions { memory: MemorySize::from_bytes(1 << 10), ..options.clone() };
    let error = super::build(&all("3x4", Side::Black), &path, &little, &Control::default(), &|_| ()).unwrap_err();
    assert!(matches!(error, TableError::TooLittleMemory { .. }), "{error}");
}

/// Writes a table again with a changed body and header, under right checksums.
fn reseal(table: &Path, to: &Path, change: &dyn Fn(&mut Header), body: &dyn Fn(&mut Vec<u8>)) {
    let file = Container::<Header>::open(table, KIND).unwrap();
    let (mut header, mut bytes) = (file.header().clone(), file.body().to_vec());
    body(&mut bytes);
    let mut summer = PageSummer::new(bytes.len() as u64);
    summer.take(&bytes);
    header.pages = summer.finish();
    change(&mut header);
    let mut writer = Writer::create(to, KIND).unwrap();
    writer.write_all(&bytes).unwrap();
    writer.finish(&header).unwrap();
}

#[test]
fn headers_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good"), folder.path().join("bad"));
    built(&all("3x4", Side::Black), &good);
    let refused = |change: &dyn Fn(&mut Header), named: &str| {
        reseal(&good, &bad, change, &|_| ());
        match Table::open(&bad) {
            Ok(_) => panic!("not refused: {named}"),
            Err(error) => assert!(error.to_string().contains(named), "{named}: {error}"),
        }
    };
    refused(&|header| header.game = "chess".into(), "the game: expected konane, found chess");
    refused(&|header| header.source.board = "4x3".into(), "the positions it begins with");
    refused(&|header| header.source.board = "999x999".into(), "at most");
    refused(&|header| header.source.board = "9x9".into(), "at most 64");
    refused(&|header| header.source.board = "a".into(), "not a board size");
    refused(&|header| header.source.top_left = "white".into(), "cell");
    refused(&|header| header.source.top_left = "Black".into(), "another spelling");
    refused(&|header| header.source.removals = None, "neither openings nor a position");
    refused(&|header| header.source.removals = Some(("all".into(), "adjacent".into())), "not a rule");
    refused(&|header| header.source.openings = Vec::new(), "neither openings nor a position");
    refused(&|header| header.source.openings.reverse(), "another spelling");
    refused(&|header| header.source.openings[0] = "a1:a1".into(), "cell");
    refused(&|header| header.source.position = Some("x".into()), "neither openings nor a position");
    refused(&|header| header.classes.clear(), "length of the body");
    refused(&|header| header.classes.swap(0, 1), "where a class begins");
    refused(&|header| header.classes[1].black += 1, "order of the classes");
    refused(&|header| header.classes[1].white = 60, "");
    refused(&|header| header.classes[0].count += 1, "counts");
    refused(&|header| header.classes[0].count = u64::MAX, "counts");
    refused(&|header| header.classes[2].base += 1, "where a class begins");
    refused(&|header| header.classes[2].remoteness.push(0), "counts");
    refused(&|header| header.classes[2].remoteness = vec![u64::MAX, 2], "counts");
    refused(&|header| header.pages.page_bits = 200, "checksums of pages");
    refused(&|header| header.pages.page_bits = 0, "checksums of pages");
    refused(&|header| header.pages.sums.push(0), "checksums of pages");
    let huge = |header: &mut Header| {
        let entry = ClassEntry::new(Class { black: 6, white: 3, turn: Side::Black }, 1 << 61, 0, vec![1 << 61]);
        header.classes = vec![entry];
    };
    refused(&huge, "a class");
    // A page checksum that is wrong, or another version's text, opens; the former is damage when it is read.
    reseal(&good, &bad, &|header| header.version = "9.9".into(), &|_| ());
    assert_eq!(Table::open(&bad).unwrap().version(), "9.9");
    reseal(&good, &bad, &|header| header.pages.sums[0] ^= 1, &|_| ());
    let table = Table::open(&bad).unwrap();
    assert!(matches!(table.probe(&table.source().positions()[0].1), Err(TableError::Damaged { .. })));
    let error = table.verify_bytes().unwrap_err().to_string();
    assert!(error.contains("checksums of pages") && error.contains("for page 0"), "{error}");
}

#[test]
fn a_wrong_value_or_a_missing_position_is_found_by_the_deep_check() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good"), folder.path().join("bad"));
    let table = built(&all("3x4", Side::Black), &good);
    let length = fs::metadata(&good).unwrap().len() as usize;
    let mut caught = 0;
    for at in (0..length - 64).step_by(5) {
        let edit = |bytes: &mut Vec<u8>| {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << (at % 8);
            }
        };
        reseal(&good, &bad, &|_| (), &edit);
        let same = Container::<Header>::open(&bad, KIND).unwrap().body() == table_body(&good);
        let Ok(table) = Table::open(&bad) else { continue };
        match verify_deep(&table, &Control::default()) {
            Ok(check) if check.fault.is_none() => {
                // Bits that fill up a word say nothing.
                assert!(same || entries(&table) == entries(&Table::open(&good).unwrap()), "byte {at}");
            }
            _ => caught += 1,
        }
    }
    assert!(caught > 50, "{caught}");
    // Another side to move for a whole class.
    reseal(&good, &bad, &|header| header.classes[3].white_to_move ^= true, &|_| ());
    let check = Table::open(&bad).and_then(|table| verify_deep(&table, &Control::default()));
    assert!(check.map_or(true, |check| check.fault.is_some()));
    drop(table);
}

fn table_body(path: &Path) -> Vec<u8> {
    Container::<Header>::open(path, KIND).unwrap().body().to_vec()
}

#[test]
fn flipped_bits_and_cuts_never_become_answers() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bad) = (folder.path().join("table"), folder.path().join("bad"));
    let table = built(&all("3x3", Side::Black), &path);
    let known: HashMap<Packed<u64>, u8> = entries(&table).iter().map(|e| (e.packed, e.remoteness)).collect();
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&bad, &flipped).unwrap();
        let opened = Table::open(&bad);
        assert!(opened.as_ref().map_or(true, |table| table.verify_bytes().is_err()), "byte {at}");
        if let Ok(table) = opened {
            for (&packed, &value) in &known {
                let answer = table.remoteness(packed);
                assert!(answer.is_err() || answer.as_ref().ok() == Some(&Some(value)), "byte {at}: {answer:?}");
            }
        }
        fs::write(&bad, &bytes[..at]).unwrap();
        assert!(Table::open(&bad).is_err(), "cut at {at}");
    }
    let mut longer = bytes;
    longer.push(0);
    fs::write(&bad, longer).unwrap();
    assert!(Table::open(&bad).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_are_read_or_refused(noise in proptest::collection::vec(any::<u8>(), 0..600), keep in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let (path, bad) = (folder.path().join("table"), folder.path().join("bad"));
        let good = built(&all("3x3", Side::Black), &path);
        fs::write(&bad, &noise).unwrap();
        prop_assert!(Table::open(&bad).is_err());
        // Noise as the body under right checksums.
        let body = |bytes: &mut Vec<u8>| {
            for (byte, noise) in bytes.iter_mut().zip(noise.iter().cycle()) {
                *byte = if keep { *byte ^ (noise & 1) } else { *noise };
            }
        };
        reseal(&path, &bad, &|_| (), &body);
        let table = Table::open(&bad).unwrap();
        for (_, position) in good.source().positions() {
            let _ = table.probe(&position);
        }
        for piece in table.pieces() {
            let mut count = 0_u64;
            let _ = table.entries(piece, &mut |_| { count += 1; true });
            prop_assert!(count <= table.counts().positions);
        }
        let _ = verify_deep(&table, &Control::default());
    }
}

#[test]
fn positions_are_found_by_property() {
    let folder = tempfile::tempdir().unwrap();
    let table = built(&all("4x4", Side::Black), &folder.path().join("table"));
    let everything = entries(&table);
    let query = Query { limit: usize::MAX, ..Query::default() };
    let found = |query: &Query| find(&table, query, &Control::default()).unwrap().0;
    assert_eq!(found(&query).iter().map(|found| found.entry).collect::<Vec<_>>(), everything);
    let wanted = Query {
        turn: Some(Side::White),
        winner: Some(Side::White),
        stones: Some(5..=12),
        remoteness: Some(3..=u32::MAX),
        moves: Some(3..=9),
        winning_moves: Some(1..=1),
        ..query
    };
    let expected: Vec<Entry> = everything
        .iter()
        .copied()
        .filter(|entry| {
            let probe = table.probe(&table.position(*entry)).unwrap().unwrap();
            let wins = probe.moves.iter().filter(|(_, value)| value % 2 == 1).count();
            entry.packed.turn == Side::White
                && entry.remoteness % 2 == 1
                && (5..=12).contains(&entry.packed.occupied.count_ones())
                && entry.remoteness >= 3
                && (3..=9).contains(&probe.moves.len())
                && wins == 1
        })
        .collect();
    assert!(expected.len() > 10);
    assert_eq!(found(&wanted).iter().map(|found| found.entry).collect::<Vec<_>>(), expected);
    assert_eq!(found(&Query { limit: 3, ..wanted }).iter().map(|found| found.entry).collect::<Vec<_>>(), expected[..3]);
    let longest = found(&Query { longest: true, limit: 5, ..Query::default() });
    let mut values: Vec<u8> = everything.iter().map(|entry| entry.remoteness).collect();
    values.sort_unstable_by_key(|&value| std::cmp::Reverse(value));
    assert_eq!(longest.iter().map(|found| found.entry.remoteness).collect::<Vec<_>>(), values[..5]);
    assert_eq!(found(&Query { limit: 0, ..Query::default() }), []);
}

#[test]
fn rows_say_what_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let table = built(&all("3x4", Side::White), &folder.path().join("table"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut text = Vec::new();
    let row = |row: &Export, bytes: &mut Vec<u8>| {
        let Export { position, turn, winner, remoteness, stones } = row;
        writeln!(bytes, "{position} {turn} {winner} {remoteness} {stones}").unwrap();
    };
    export::<TableError>(&table, &pool, &Control::default(), &row, &mut |bytes| {
        text.extend_from_slice(bytes);
        Ok(())
    })
    .unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count() as u64, table.counts().positions);
    for (line, entry) in text.lines().zip(entries(&table)) {
        let position = table.position(entry);
        let winner = if entry.remoteness % 2 == 1 { position.turn() } else { position.turn().other() };
        let stones = entry.packed.occupied.count_ones();
        assert_eq!(line, format!("{position} {winner} {} {stones}", entry.remoteness));
    }
}
