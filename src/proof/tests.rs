//! Good proofs, and everything that can be wrong with one.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use serde::ser::SerializeTuple;

use super::checker::form::{ClassRecord, Header, KIND, ProofFile};
use super::checker::{leaf, numbers::Numbers};
use super::leaf::Ordered;
use super::*;
use crate::board::Size;
use crate::container::{PageSummer, Shifted, Writer, bits, put_bits};
use crate::konane::reference::Reference;
use crate::konane::{Facts, Field, FirstRemoval, Opening, Packed, Position, Ranking, Rules, SecondRemoval};
use crate::run::{Control, Limits};
use crate::search::{Engine, OpeningsRequest, Solver, SolverOptions, solve_openings};

const MIB: u64 = 1 << 20;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn solver(size: Size, top_left: Side, memory: u64) -> Solver {
    let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(memory), threads: 1 };
    Solver::new(size, top_left, options).unwrap()
}

/// Proves the game of a board (openings empty) or these openings.
fn prove_board(path: &Path, board: &str, rules: Rules, openings: &[&str], leaf_nodes: u64, memory: u64) -> Written {
    let size: Size = board.parse().unwrap();
    let solver = solver(size, rules.top_left, memory);
    let openings: Vec<Opening> = openings.iter().map(|text| text.parse().unwrap()).collect();
    let request = OpeningsRequest { size, rules, decide: openings.is_empty(), openings };
    // One thread: which winning openings are found first is not a matter of luck then.
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let answer = pool.install(|| solve_openings(&solver, &request, &Control::default(), &|_, _| ())).unwrap();
    let claim = match request.openings.is_empty() {
        true => claim_game(size, &rules, &answer).unwrap(),
        false => claim_openings(size, &rules, &answer).unwrap(),
    };
    let options = ProveOptions { leaf_nodes, memory: MemorySize::from_bytes(64 * MIB) };
    prove(path, &claim, &solver, options, &Control::default(), &|_| ()).unwrap()
}

fn verdict(path: &Path) -> Result<Checked, CheckError> {
    check(path, &Watch { progress: &|_, _| (), stop: &|| false })
}

/// Where and why a proof is wrong.
fn wrong(path: &Path) -> (String, String) {
    match verdict(path) {
        Err(CheckError::Wrong { place, reason }) => (place, reason),
        other => panic!("expected a wrong proof, found {other:?}"),
    }
}

/// A class as lists.
#[derive(Clone)]
struct DraftClass {
    stones: [u8; 2],
    numbers: Vec<u64>,
    answers: Vec<u64>,
}

/// A proof that may be changed and written again with right checksums.
#[derive(Clone)]
struct Draft {
    header: Header,
    classes: Vec<DraftClass>,
}

impl Draft {
    fn of(path: &Path) -> Draft {
        let file = ProofFile::open(path).unwrap();
        let words = file.container.body();
        let classes = file.classes.iter().map(|class| {
            let set = Shifted(words, class.record.first_word);
            let (mut numbers, mut answers) = (Vec::new(), Vec::new());
            let walked = class.set.for_each_in(&set, 0..class.set.samples(), &mut |place, number| {
                numbers.push(number);
                answers.push(class.answer(words, place).unwrap());
                true
            });
            walked.unwrap();
            DraftClass { stones: [class.record.black, class.record.white], numbers, answers }
        });
        Draft { header: file.container.header().clone(), classes: classes.collect() }
    }

    /// Writes it, the header being what `change` makes of the right one.
    fn write_changed(&self, path: &Path, change: &dyn Fn(&mut Header)) {
        let file: Size = self.header.board.parse().unwrap();
        let top_left = if self.header.top_left == "black" { Side::Black } else { Side::White };
        let numbers = Numbers::new(file, top_left);
        let mut header = Header { positions: 0, classes: Vec::new(), ..self.header.clone() };
        let mut body = Vec::new();
        for class in self.classes.iter().filter(|class| !class.numbers.is_empty()) {
            let [black, white] = class.stones;
            let most = class.answers.iter().max().unwrap();
            let record = ClassRecord {
                black,
                white,
                count: class.numbers.len() as u64,
                answer_bits: (64 - most.leading_zeros()) as u8,
                first_word: body.len() as u64,
            };
            let placements = numbers.placements(black.into(), white.into());
            let shape = checker::form::Class::new(record, placements).unwrap();
            let mut words = shape.set.encode(class.numbers.iter().copied());
            let base = words.len() as u64 * 64;
            words.resize(shape.words() as usize, 0);
            for (at, &answer) in (0..).zip(&class.answers) {
                put_bits(&mut words, base + at * u64::from(record.answer_bits), record.answer_bits.into(), answer);
                assert_eq!(
                    bits(&words[..], 0, base + at * u64::from(record.answer_bits), record.answer_bits.into()),
                    Ok(answer)
                );
            }
            header.positions += record.count;
            header.classes.push(record);
            body.extend(words);
        }
        let body: Vec<u8> = body.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
        write_file(path, header, &body, change);
    }

    fn write(&self, path: &Path) {
        self.write_changed(path, &|_| ());
    }

    /// The position of an entry.
    fn shown(&self, class: usize, at: usize) -> String {
        let size: Size = self.header.board.parse().unwrap();
        let winner = if self.header.winner == "black" { Side::Black } else { Side::White };
        let top_left = if self.header.top_left == "black" { Side::Black } else { Side::White };
        let DraftClass { stones: [black, white], numbers, .. } = &self.classes[class];
        let board = Numbers::new(size, top_left).board((*black).into(), (*white).into(), numbers[at], winner);
        format!("{} {}", board.text(), winner.letter())
    }
}

/// A file with this body and a header made right for it, then changed.
fn write_file(path: &Path, mut header: Header, body: &[u8], change: &dyn Fn(&mut Header)) {
    let mut summer = PageSummer::new(body.len() as u64);
    summer.take(body);
    header.pages = summer.finish();
    change(&mut header);
    let mut writer = Writer::create(path, KIND).unwrap();
    writer.write_all(body).unwrap();
    writer.finish(&header).unwrap();
}

/// The full strategy of 4x5 (White wins) or 5x5 (Black wins), after `openings` or of the whole game.
fn draft(folder: &Folder, board: &str, openings: &[&str]) -> (PathBuf, Draft) {
    let path = folder.path("good");
    prove_board(&path, board, Rules::default(), openings, 0, MIB);
    let checked = verdict(&path).unwrap();
    let draft = Draft::of(&path);
    assert_eq!(checked.positions, draft.classes.iter().map(|class| class.numbers.len() as u64).sum::<u64>());
    draft.write(&folder.path("again"));
    assert_eq!(fs::read(&path).unwrap(), fs::read(folder.path("again")).unwrap());
    (path, draft)
}

#[test]
fn an_edited_answer_is_refused_by_position() {
    let folder = Folder::new();
    for board in ["4x5", "5x5"] {
        let (_, good) = draft(&folder, board, &[]);
        let path = folder.path("edited");
        let (mut refused, mut held) = (0, 0);
        for class in 0..good.classes.len() {
            for at in 0..good.classes[class].numbers.len() {
                let shown = good.shown(class, at);
                let position: Position = shown.parse().unwrap();
                let moves = position.moves().len() as u64;
                for answer in (0..=moves).filter(|&answer| answer != good.classes[class].answers[at]) {
                    let mut edited = good.clone();
                    edited.classes[class].answers[at] = answer;
                    edited.write(&path);
                    match verdict(&path) {
                        // Another answer that wins by positions that are there is no fault.
                        Ok(_) => {
                            assert!(answer < moves);
                            held += 1;
                        }
                        Err(CheckError::Wrong { place, reason }) => {
                            assert_eq!(place, shown);
                            let expected = if answer == moves { "its answer is move" } else { "there is no answer of" };
                            assert!(reason.contains(expected), "{reason}");
                            refused += 1;
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
        assert!(refused > 15 && held < refused / 4, "{board}: {refused} refused, {held} held");
    }
}

#[test]
fn a_missing_answer_is_refused() {
    let folder = Folder::new();
    let (_, good) = draft(&folder, "5x5", &[]);
    let path = folder.path("edited");
    for class in 0..good.classes.len() {
        for at in 0..good.classes[class].numbers.len() {
            let mut edited = good.clone();
            edited.classes[class].numbers.remove(at);
            edited.classes[class].answers.remove(at);
            edited.write(&path);
            let (place, reason) = wrong(&path);
            let missing = good.shown(class, at);
            assert!(place == missing || reason.contains(&missing), "{place}: {reason}");
        }
    }
}

#[test]
fn a_wrong_root_and_a_win_for_the_loser_are_refused() {
    let folder = Folder::new();
    let path = folder.path("edited");
    let (_, good) = draft(&folder, "5x5", &[]);
    good.write_changed(&path, &|header| header.winner = "white".to_owned());
    assert!(wrong(&path).0.starts_with("Black's first removal"), "{:?}", wrong(&path));
    good.write_changed(&path, &|header| header.openings.clear());
    assert!(wrong(&path).1.contains("of no first removal"), "{:?}", wrong(&path));
    good.write_changed(&path, &|header| header.openings = vec!["a5:e1".to_owned()]);
    assert!(wrong(&path).1.contains("of no first removal"), "{:?}", wrong(&path));
    good.write_changed(&path, &|header| header.removals = Some(("corner".to_owned(), "adjacent".to_owned())));
    assert!(wrong(&path).1.contains("of no first removal"), "{:?}", wrong(&path));

    let (_, good) = draft(&folder, "5x6", &["c3:b3"]);
    good.write_changed(&path, &|header| header.winner = "black".to_owned());
    let (place, reason) = wrong(&path);
    assert_eq!(place, "xoxoxo/oxoxox/x..oxo/oxoxox/xoxoxo x");
    assert!(reason.contains("no answer of Black"), "{reason}");
    good.write_changed(&path, &|header| header.openings = vec!["a5:b5".to_owned()]);
    assert_eq!(wrong(&path).0, "..xoxo/oxoxox/xoxoxo/oxoxox/xoxoxo x");
    good.write_changed(&path, &|header| header.openings = vec!["c3:b3".to_owned(), "c3:c4".to_owned()]);
    assert_eq!(wrong(&path).0, "xoxoxo/ox.xox/xo.oxo/oxoxox/xoxoxo x");
    good.write_changed(&path, &|header| header.openings = vec!["c3:f3".to_owned()]);
    assert_eq!(
        wrong(&path),
        ("the opening c3:f3".to_owned(), "it is not legal under the rules in the header".to_owned())
    );
    // The game is more than one opening.
    good.write_changed(&path, &|header| header.claim = "game".to_owned());
    assert_eq!(wrong(&path), ("Black's first removal a5".to_owned(), "no opening listed answers it".to_owned()));

    let position: Position = "..xoxo/oxoxox/xoxoxo/oxoxox/xoxoxo x".parse().unwrap();
    good.write_changed(&path, &|header| {
        header.claim = "position".to_owned();
        header.removals = None;
        header.openings.clear();
        header.position = Some(position.to_string());
    });
    assert_eq!(wrong(&path).0, position.to_string());
}

#[test]
fn of_several_faults_the_first_is_named() {
    let folder = Folder::new();
    let (_, good) = draft(&folder, "5x6", &["c3:b3"]);
    let path = folder.path("edited");
    let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for first in [1, 3, 5] {
        let mut edited = good.clone();
        for class in first..edited.classes.len() {
            edited.classes[class].answers.fill(1000);
        }
        edited.write(&path);
        assert_eq!(pool.install(|| wrong(&path)).0, good.shown(first, 0));
    }
}

#[test]
fn each_field_of_the_header_is_checked() {
    let folder = Folder::new();
    let (_, good) = draft(&folder, "4x5", &[]);
    let path = folder.path("damaged");
    let text = |text: &str| text.to_owned();
    type Change<'a> = &'a dyn Fn(&mut Header);
    let refused = |field: &str, change: Change<'_>| {
        good.write_changed(&path, change);
        for error in [Proof::open(&path).map(|_| ()), ProofFile::open(&path).map(|_| ())] {
            match error {
                Err(ProofError::Header { field: found, .. }) => assert_eq!(found, field),
                other => panic!("{field}: {other:?}"),
            }
        }
        assert!(matches!(verdict(&path), Err(CheckError::Proof(_))));
    };
    refused("game", &|header| header.game = text("chess"));
    for board in ["", "5x5", "0x3", "9x9", "99999x9"] {
        good.write_changed(&path, &|header| header.board = text(board));
        // Sets of few positions may have the same shape on another board: then the checker finds out.
        assert!(verdict(&path).is_err() && (board == "5x5" || Proof::open(&path).is_err()), "{board}");
    }
    refused("board", &|header| header.board = text("4xx5"));
    refused("board", &|header| header.board = text("8x9"));
    refused("top_left", &|header| header.top_left = text("x"));
    refused("removals", &|header| header.removals = Some((text("all"), text("adjacent"))));
    refused("removals", &|header| header.removals = Some((text("any"), text("all"))));
    refused("claim", &|header| header.removals = None);
    refused("claim", &|header| header.claim = text("everything"));
    refused("claim", &|header| header.claim = text("position"));
    refused("claim", &|header| header.position = Some(text("..../.... x")));
    refused("openings", &|header| header.openings.push(text("a4")));
    refused("openings", &|header| header.openings.push(text("a4:b9")));
    let position = |header: &mut Header, position: &str| {
        (header.claim, header.removals, header.position) = (text("position"), None, Some(text(position)));
        header.openings.clear();
    };
    refused("position", &|header| position(header, "x.o"));
    refused("position", &|header| position(header, "x.x/... x"));
    refused("position", &|header| position(header, "o..../...../...../..... x"));
    refused("winner", &|header| header.winner = text("nobody"));
    refused("leaf_nodes", &|header| header.leaf_nodes = MOST_LEAF_NODES + 1);
    refused("positions", &|header| header.positions += 1);
    refused("classes", &|header| header.classes.clear());
    refused("classes", &|header| header.classes[0].black = 200);
    refused("classes", &|header| header.classes[0].white = 11);
    refused("classes", &|header| header.classes[0].count = 0);
    refused("classes", &|header| header.classes[0].count = u64::MAX);
    refused("classes", &|header| header.classes[0].answer_bits = 64);
    refused("classes", &|header| header.classes[1].first_word += 1);
    refused("classes", &|header| header.classes.swap(0, 1));
    refused("classes", &|header| {
        let twice = header.classes[0];
        header.classes.insert(0, twice);
    });
    refused("pages", &|header| header.pages.sums.push(7));
    refused("pages", &|header| header.pages.page_bits = 3);
    refused("pages", &|header| header.pages.page_bits = 255);
    // Sums that are wrong are found when a page is read; the checker does not need them.
    good.write_changed(&path, &|header| header.pages.sums[0] ^= 1);
    let proof = Proof::open(&path).unwrap();
    assert!(proof.for_each(&mut |_, _| true).is_err());
    // A file of another version of the program is as good.
    good.write_changed(&path, &|header| header.version = text("99.0.0"));
    assert!(verdict(&path).is_ok());
    // Fewer nodes for the checker than the writer counted on, and more than none.
    good.write_changed(&path, &|header| header.leaf_nodes = 5);
    assert!(verdict(&path).is_ok());
}

#[test]
fn damage_anywhere_is_refused_and_never_a_wrong_answer() {
    let folder = Folder::new();
    let path = folder.path("good");
    prove_board(&path, "5x5", Rules::default(), &[], 20, MIB);
    let good = Proof::open(&path).unwrap();
    let mut entries = Vec::new();
    good.for_each(&mut |position, answer| {
        entries.push((position, answer));
        true
    })
    .unwrap();
    assert!(entries.len() > 20 && entries.iter().all(|(_, answer)| answer.is_some()));
    let bytes = fs::read(&path).unwrap();
    let damaged = folder.path("damaged");
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut copy = bytes.clone();
            copy[at] ^= 1 << bit;
            fs::write(&damaged, &copy).unwrap();
            assert!(verdict(&damaged).is_err(), "byte {at} bit {bit}");
            if let Ok(proof) = Proof::open(&damaged) {
                for (position, answer) in &entries {
                    let fact = proof.fact(position);
                    assert!(fact.is_none_or(|fact| fact.best == *answer), "byte {at} bit {bit}: {position}");
                }
            }
        }
        fs::write(&damaged, &bytes[..at]).unwrap();
        assert!(verdict(&damaged).is_err() && Proof::open(&damaged).is_err(), "cut at {at}");
    }
}

#[test]
fn the_same_bytes_whatever_the_threads() {
    let folder = Folder::new();
    // With a table too small for the search, so that much is searched again.
    for (memory, leaf_nodes) in [(64 * MIB, 0), (MIB, 0), (MIB, 30)] {
        let mut files = Vec::new();
        for threads in [1, 2, 3] {
            let path = folder.path("file");
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let written = pool.install(|| prove_board(&path, "6x6", Rules::default(), &["c4:d4"], leaf_nodes, memory));
            assert_eq!(written.searched > 0, memory == MIB, "{written:?}");
            files.push(fs::read(&path).unwrap());
            if threads == 1 {
                assert_eq!(verdict(&path).unwrap().positions, written.positions);
            }
        }
        assert!(files.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn limits_leave_no_file() {
    let folder = Folder::new();
    let size: Size = "6x6".parse().unwrap();
    let solver = solver(size, Side::Black, MIB);
    let position = "c4:d4".parse::<Opening>().unwrap().position(size, &Rules::default()).unwrap();
    let answer = solver.solve(&position, &Control::default());
    let claim = claim_position(&position, answer.winner).unwrap();
    let proved = |memory, limits, leaf_nodes| {
        let options = ProveOptions { leaf_nodes, memory: MemorySize::from_bytes(memory) };
        prove(&folder.path("file"), &claim, &solver, options, &Control::new(limits), &|_| ())
    };
    let none = Limits::default();
    assert!(matches!(proved(100_000, none, 0), Err(ProveError::Memory { .. })));
    let few = Limits { nodes: Some(0), time: None };
    assert!(matches!(proved(MIB, few, 0), Err(ProveError::Stopped)));
    let at_once = Limits { nodes: None, time: Some(std::time::Duration::ZERO) };
    assert!(matches!(proved(MIB, at_once, 0), Err(ProveError::Stopped)));
    assert!(matches!(proved(MIB, none, MOST_LEAF_NODES + 1), Err(ProveError::LeafNodes { .. })));
    let wrong = Claim { winner: claim.winner.other(), ..claim.clone() };
    let options = ProveOptions { leaf_nodes: 0, memory: MemorySize::from_bytes(MIB) };
    let error = prove(&folder.path("file"), &wrong, &solver, options, &Control::default(), &|_| ()).unwrap_err();
    assert!(matches!(error, ProveError::NotWon { .. }), "{error}");
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 0);
    assert!(proved(8 * MIB, none, 0).is_ok() && verdict(&folder.path("file")).is_ok());
    // Somebody asks the checker to stop.
    let stopped = check(&folder.path("file"), &Watch { progress: &|_, _| (), stop: &|| true });
    assert!(matches!(stopped, Err(CheckError::Stopped)));
}

#[test]
fn facts_agree_with_the_search() {
    let folder = Folder::new();
    let rules = Rules { first_removal: FirstRemoval::Any, ..Rules::default() };
    for (board, openings, leaf_nodes) in
        [("5x5", &["c3:c4"][..], 0), ("5x5", &[], 12), ("4x6", &[], 5), ("5x6", &["c3:b3"], 0)]
    {
        let path = folder.path("file");
        prove_board(&path, board, rules, openings, leaf_nodes, 4 * MIB);
        let proof = Proof::open(&path).unwrap();
        let size = proof.claim().size();
        let solver = solver(size, Side::Black, 4 * MIB);
        let mut known = 0;
        let mut state = 7_u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as usize % below
        };
        let roots: Vec<Opening> = proof.claim().openings().to_vec();
        for round in 0..200 {
            let symmetries = crate::board::Symmetry::colour_keeping(size);
            let opening = roots[random(roots.len())];
            let mut position = opening.position(size, &rules).unwrap().map(symmetries[random(symmetries.len())]);
            loop {
                let fact = proof.fact(&position);
                let winner = solver.solve(&position, &Control::default()).winner;
                if let Some(fact) = fact {
                    known += 1;
                    assert_eq!(Some(fact.winner), winner, "{position}");
                    assert_eq!(fact.best.is_some(), fact.winner == position.turn());
                } else {
                    // Whoever follows the file never leaves it.
                    assert!(round % 2 == 1, "{position}");
                }
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let follow = fact.and_then(|fact| fact.best).filter(|_| round % 2 == 0);
                position = position.play(follow.unwrap_or_else(|| moves[random(moves.len())])).unwrap();
            }
        }
        assert!(known > 400, "{board}: {known}");
        let other: Position = "xo. x".parse().unwrap();
        assert_eq!(proof.fact(&other), None);
    }
}

#[test]
fn the_twins_of_removals_and_images_agree() {
    for board in ["1x1", "1x2", "2x2", "1x7", "3x3", "4x4", "3x4", "4x5", "5x5", "6x6", "7x8"] {
        let size: Size = board.parse().unwrap();
        for top_left in Side::BOTH {
            for first_removal in
                [FirstRemoval::CornerOrCentre, FirstRemoval::Any, FirstRemoval::Corner, FirstRemoval::Centre]
            {
                for second_removal in [SecondRemoval::Adjacent, SecondRemoval::Any] {
                    let rules = Rules { top_left, first_removal, second_removal };
                    let firsts = Reference::first_removals(size, top_left, first_removal);
                    assert_eq!(Opening::first_removals(size, &rules).unwrap_or_default(), firsts, "{board} {rules:?}");
                    for black in firsts {
                        let pairs = Opening::after(size, &rules, black);
                        let fast: Vec<_> = pairs.iter().map(|pair| pair.white).collect();
                        assert_eq!(fast, Reference::second_removals(size, top_left, second_removal, black));
                        for opening in pairs {
                            let images = Reference::images(size, [opening.black, opening.white]);
                            let of = |&[black, white]: &[_; 2]| Opening { black, white }.canonical(size);
                            assert_eq!(images[0], [opening.black, opening.white]);
                            assert!(images.iter().all(|image| of(image) == opening.canonical(size)));
                            let canonical = opening.canonical(size);
                            assert!(images.contains(&[canonical.black, canonical.white]));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_position_won_by_either_side_is_proved() {
    let folder = Folder::new();
    let path = folder.path("file");
    for (text, winner, positions) in [
        (".oxo/.xox/xoxo/oxox x", Side::White, None),
        ("xo. x", Side::Black, Some(1)),
        ("xo. o", Side::Black, Some(0)),
        ("... x", Side::White, Some(0)),
        (". o", Side::Black, Some(0)),
        ("xo../..o. o", Side::Black, Some(0)),
        ("x/o/. x", Side::Black, Some(1)),
    ] {
        let position: Position = text.parse().unwrap();
        let solver = solver(position.size(), position.top_left(), MIB);
        let answer = solver.solve(&position, &Control::default());
        for leaf_nodes in [0, 2, 1000] {
            let claim = claim_position(&position, answer.winner).unwrap();
            let options = ProveOptions { leaf_nodes, memory: MemorySize::from_bytes(MIB) };
            let written = prove(&path, &claim, &solver, options, &Control::default(), &|_| ()).unwrap();
            let checked = verdict(&path).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((checked.claim.winner, &checked.claim), (winner, &claim), "{text}");
            let expected = if leaf_nodes == 1000 { Some(0) } else { positions.filter(|_| leaf_nodes == 0) };
            assert!(expected.is_none_or(|expected| expected == written.positions), "{text}: {written:?}");
            let fact = Proof::open(&path).unwrap().fact(&position).unwrap();
            assert_eq!(fact.winner, winner);
        }
    }
}

fn boards() -> impl Strategy<Value = (Size, Side, u64, Side)> {
    let sizes = prop_oneof![Just("4x4"), Just("5x5"), Just("3x7"), Just("1x9"), Just("9x2"), Just("6x6"), Just("8x8")];
    let sides = || prop_oneof![Just(Side::Black), Just(Side::White)];
    (sizes, sides(), any::<u64>(), any::<u64>(), sides()).prop_map(|(size, top_left, first, second, turn)| {
        let size: Size = size.parse().unwrap();
        let field = Field::<u64>::new(size, top_left);
        // Two of three cells occupied.
        (size, top_left, (first | second & first.rotate_left(7)) & field.all(), turn)
    })
}

/// A header in bytes of its own.
struct Raw(Vec<u8>);

impl Serialize for Raw {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        self.0.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
        tuple.end()
    }
}

proptest! {
    #[test]
    fn the_twins_agree((size, top_left, occupied, turn) in boards(), nodes in 0_u64..400) {
        let field = Field::<u64>::new(size, top_left);
        let packed = Packed { occupied, turn };
        let position = Position::from_packed(&field, packed);
        let board = Reference::from_position(&position);
        let ordered = Ordered::new(&field);
        // The order of moves.
        let mut after = Vec::new();
        ordered.each(packed, |occupied| { after.push(occupied); true });
        let moves = board.moves();
        prop_assert_eq!(after.len(), moves.len());
        for (number, (&occupied, (_, slow))) in after.iter().zip(&moves).enumerate() {
            let fast = Position::from_packed(&field, packed.after(occupied));
            prop_assert_eq!(&Reference::from_position(&fast), slow);
            prop_assert_eq!(ordered.number(packed, occupied), Some(number as u16));
        }
        // The plain search, whose count decides what is left out.
        let fast = ordered.settle(packed, nodes);
        prop_assert_eq!(fast, leaf::settle(&board, nodes));
        if let Some(Some(after)) = ordered.winning(packed, nodes) {
            prop_assert_eq!(leaf::settle(&Reference::from_position(&Position::from_packed(&field, packed.after(after))), nodes), Some(false));
        }
        // The numbers.
        let (ranking, numbers) = (Ranking::new(&field), Numbers::new(size, top_left));
        let (black, white) = ranking.stones(occupied);
        prop_assert_eq!(numbers.stones(&board), [black as usize, white as usize]);
        prop_assert_eq!(numbers.placements(black as usize, white as usize), ranking.placements(black, white));
        prop_assert_eq!(numbers.number(&board), ranking.rank(occupied));
        prop_assert_eq!(numbers.board(black as usize, white as usize, ranking.rank(occupied), turn), board);
    }

    #[test]
    fn random_bodies_never_panic(words in proptest::collection::vec(any::<u64>(), 8..60), seed in any::<u64>(), shape in 0..4) {
        let folder = Folder::new();
        let (_, good) = draft(&folder, "4x5", &["a4:b4"]);
        let path = folder.path("random");
        good.write(&path);
        let file = ProofFile::open(&path).unwrap();
        let (header, mut body) = (file.container.header().clone(), file.container.body().to_vec());
        drop(file);
        for (at, &word) in words.iter().enumerate() {
            let place = (seed as usize).wrapping_mul(at * 2 + 1) % body.len();
            match shape {
                0 => body[place] = word as u8,
                1 => body[place] ^= 1 << (word % 8),
                2 if place + 8 <= body.len() => body[place / 8 * 8..][..8].copy_from_slice(&word.to_le_bytes()),
                _ => body[place] = 0,
            }
        }
        write_file(&path, header, &body, &|_| ());
        let _ = verdict(&path);
        let proof = Proof::open(&path).unwrap();
        let _ = proof.for_each(&mut |_, _| true);
        let _ = proof.fact(&"..xox/oxoxo/xoxox/oxoxo x".parse().unwrap());
    }

    #[test]
    fn random_headers_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0_usize..400, keep in any::<bool>()) {
        let folder = Folder::new();
        let path = folder.path("random");
        let (good, _) = draft(&folder, "4x5", &["a4:b4"]);
        let file = ProofFile::open(&good).unwrap();
        let body = file.container.body().to_vec();
        let all = fs::read(&good).unwrap();
        let mut header = if keep { all[64 + body.len()..].to_vec() } else { Vec::new() };
        header.truncate(at);
        header.extend(&bytes);
        let mut writer = Writer::create(&path, KIND).unwrap();
        writer.write_all(&body).unwrap();
        writer.finish(&Raw(header)).unwrap();
        prop_assert!(Proof::open(&path).is_err() && verdict(&path).is_err());
    }
}
