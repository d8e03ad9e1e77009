//! Searches that are interrupted and go on from disk.

mod common;

use std::fs;
use std::path::Path;
use std::time::Duration;

use papamu::board::Size;
use papamu::konane::{FirstRemoval, Opening, Rules, Side};
use papamu::run::{Control, Limits, MemorySize};
use papamu::search::{Answer, Engine, OpeningsRequest, OpeningsRun, Solver, SolverOptions};
use papamu::study::{Checkpoint, CheckpointError, Keep, Kept, Subject};

const SIZE: &str = "6x6";
const OPENING: &str = "d3:c3";

fn request(openings: &[&str]) -> OpeningsRequest {
    let openings = openings.iter().map(|text| text.parse().unwrap()).collect();
    OpeningsRequest { size: common::size(SIZE), rules: Rules::default(), openings, decide: false }
}

fn solver(threads: usize, memory: u64) -> Solver {
    let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(memory), threads };
    Solver::new(common::size(SIZE), Side::Black, options).unwrap()
}

/// One run of a kept search, with everything new but the file.
fn part(path: &Path, openings: &[&str], nodes: Option<u64>, threads: usize, memory: u64) -> (Answer, u64, Kept) {
    let control = Control::new(Limits { nodes, time: None });
    let run = OpeningsRun::new(request(openings)).unwrap();
    let keep = Keep { path, every: Duration::from_secs(60), began: &|_| (), failed: &|error| panic!("{error}") };
    let kept = keep.openings(&run, &solver(threads, memory), &control, &|_, _| ()).unwrap();
    (run.parts()[0].2, control.nodes(), kept)
}

#[test]
fn an_interrupted_search_goes_on_with_other_threads_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let whole = solver(1, 16 << 20).solve(&common::opened(SIZE, OPENING), &Control::default());
    for (threads, memory, other_threads, other_memory) in
        [(1, 16 << 20, 1, 16 << 20), (1, 16 << 20, 2, 4 << 20), (2, 4 << 20, 1, 32 << 20)]
    {
        let path = folder.path().join("search");
        let (first, first_nodes, kept) = part(&path, &[OPENING], Some(whole.nodes / 2), threads, memory);
        assert_eq!((first.winner, first.nodes, kept.saved.is_ok()), (None, whole.nodes / 2, true));
        assert_eq!(kept.spent.nodes, first_nodes);
        let (second, second_nodes, kept) = part(&path, &[OPENING], None, other_threads, other_memory);
        assert_eq!(second.winner, whole.winner);
        // The figures of the second run are those of both parts.
        assert_eq!((second.nodes, kept.spent.nodes), (first_nodes + second_nodes, first_nodes + second_nodes));
        assert!(second.time > first.time && kept.spent.time >= first.time);
        // So small a search takes up to twice as many nodes by two threads, as they happen to run.
        let (most, most_second) = if threads == 1 && other_threads == 1 { (13, 8) } else { (30, 25) };
        assert!(second.nodes * 10 <= whole.nodes * most, "{} against {}", second.nodes, whole.nodes);
        assert!(second_nodes * 10 <= whole.nodes * most_second, "{second_nodes} against {}", whole.nodes);
        // A third run finds everything done.
        let (third, third_nodes, _) = part(&path, &[OPENING], None, 1, 1 << 20);
        assert_eq!((third, third_nodes), (second, 0));
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn answers_to_other_openings_are_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    let (c4, ..) = part(&path, &["a6:b6"], None, 1, 16 << 20);
    let (d3, ..) = part(&path, &[OPENING], Some(1000), 1, 16 << 20);
    assert_eq!((c4.winner, d3.winner), (Some(Side::White), None));
    let checkpoint = Checkpoint::open(&path).unwrap();
    let names: Vec<_> = checkpoint.parts().iter().map(|part| (part.name.as_str(), part.answer.winner)).collect();
    // Openings go by their canonical image.
    assert_eq!(names, [("c4:d4", None), ("a6:b6", Some(Side::White))]);
    assert!(checkpoint.parts()[0].numbers.is_some_and(|(proof, disproof)| proof > 1 && disproof > 1));
}

#[test]
fn a_position_is_kept_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    let position = common::opened(SIZE, "c4:b4");
    let keep = Keep { path: &path, every: Duration::from_secs(60), began: &|_| (), failed: &|_| () };
    let stopped = Control::new(Limits { nodes: Some(20_000), time: None });
    let (first, _) = keep.position(&position, &solver(1, 16 << 20), &stopped).unwrap();
    let (second, kept) = keep.position(&position, &solver(1, 16 << 20), &Control::default()).unwrap();
    assert_eq!((first.winner, first.nodes, second.winner), (None, 20_000, Some(Side::Black)));
    assert!(kept.saved.is_ok() && second.nodes > 20_000);
}

#[test]
fn another_subject_is_refused_and_the_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    part(&path, &[OPENING], Some(5000), 1, 4 << 20);
    let before = fs::read(&path).unwrap();
    let size: Size = common::size(SIZE);
    let rules = Rules::default();
    let others = [
        Subject::board(common::size("6x7"), &rules),
        Subject::board(size, &Rules { top_left: Side::White, ..rules }),
        Subject::board(size, &Rules { first_removal: FirstRemoval::Any, ..rules }),
        Subject::position(&OPENING.parse::<Opening>().unwrap().position(size, &rules).unwrap()),
    ];
    for other in others {
        let error = Checkpoint::resume(&path, &other).unwrap_err();
        assert!(matches!(error, CheckpointError::OtherSubject { .. }), "{error}");
        assert!(error.to_string().contains(&other.describe()), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(Checkpoint::resume(&path, &Subject::board(size, &rules)).unwrap().is_some());
    assert!(Checkpoint::resume(&folder.path().join("none"), &Subject::board(size, &rules)).unwrap().is_none());
}

#[test]
fn damage_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    part(&path, &[OPENING], Some(400), 1, 4 << 20);
    let good = fs::read(&path).unwrap();
    let (entries, _) = Checkpoint::open(&path).unwrap().entries();
    assert!(entries > 10 && good.len() < 20_000, "{entries} entries, {} bytes", good.len());
    let damaged = folder.path().join("damaged");
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&damaged, &bytes).unwrap();
        assert!(Checkpoint::open(&damaged).is_err(), "byte {at}");
        fs::write(&damaged, &good[..at]).unwrap();
        assert!(Checkpoint::open(&damaged).is_err(), "cut at {at}");
    }
}

#[test]
fn saves_on_the_way_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    let run = OpeningsRun::new(request(&[OPENING])).unwrap();
    let keep =
        Keep { path: &path, every: Duration::from_millis(1), began: &|_| (), failed: &|error| panic!("{error}") };
    std::thread::scope(|scope| {
        let search = scope.spawn(|| keep.openings(&run, &solver(2, 4 << 20), &Control::default(), &|_, _| ()).unwrap());
        let mut seen = 0;
        loop {
            let ended = search.is_finished();
            if path.exists() {
                Checkpoint::open(&path).expect("a file under the name is whole");
                seen += 1;
            }
            if ended {
                break;
            }
        }
        assert!(seen > 0);
    });
    assert_eq!(Checkpoint::open(&path).unwrap().parts()[0].answer.winner, Some(Side::White));
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}
