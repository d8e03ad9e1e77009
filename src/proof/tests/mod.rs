//! Good proofs; everything that can be wrong with one is in `falsified`, the twins are in `twins`.

mod falsified;
mod twins;

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
