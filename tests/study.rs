//! Studies: their boards, their files, and that nothing is lost or made up on the way.

use std::fs;
use std::path::{Path, PathBuf};

use papamu::board::Size;
use papamu::konane::{FirstRemoval, Opening, SecondRemoval, Side};
use papamu::run::{Control, Limits, MemorySize, StopReason};
use papamu::search::{Engine, OpeningsRequest, Solver, SolverOptions, solve_openings};
use papamu::study::{
    Board, Boards, BoardsError, Colourings, NoteKind, RangeErrorKind, Records, Shard, SizeRange, Store, StudyError,
    StudyOutcome, StudyRequest, Tail, check_unused, study, summaries,
};

const OPTIONS: SolverOptions =
    SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(4 << 20), threads: 1 };

fn boards(ranges: &[&str], first_removal: FirstRemoval) -> Vec<Board> {
    let ranges = ranges.iter().map(|text| text.parse().unwrap()).collect();
    Boards { ranges, first_removal, ..Boards::default() }.select().unwrap()
}

fn request(ranges: &[&str]) -> StudyRequest {
    let boards = boards(ranges, FirstRemoval::CornerOrCentre);
    StudyRequest { boards, decide: false, shard: Shard::default(), options: OPTIONS }
}

fn run(request: &StudyRequest, path: &Path, nodes: Option<u64>) -> StudyOutcome {
    let mut store = Store::open(path).unwrap();
    study(request, &mut store, &Control::new(Limits { nodes, time: None }), None).unwrap()
}

fn read(path: &Path) -> Records {
    let mut records = Records::default();
    let (tail, _) = records.read(path, &fs::read(path).unwrap(), &mut Vec::new()).unwrap();
    assert_eq!(tail, Tail::Whole);
    records
}

/// What a file says, without how long it took.
fn winners(path: &Path) -> Vec<(Board, Opening, Side)> {
    let records = read(path);
    let of = |board| records.openings(board).map(move |entry| (board, entry.record.opening(), entry.record.winner));
    records.boards().flat_map(of).collect()
}

fn folder() -> (tempfile::TempDir, impl Fn(&str) -> PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name))
}

#[test]
fn ranges_name_boards_once_and_smaller_ones_first() {
    let names = |boards: &Boards| -> Vec<String> {
        let selected = boards.select().unwrap();
        selected.iter().map(|board| format!("{} {}", board.size, board.rules.top_left.letter())).collect()
    };
    let ranges = |texts: &[&str]| -> Vec<SizeRange> { texts.iter().map(|text| text.parse().unwrap()).collect() };
    let some = Boards { ranges: ranges(&["2..3x2..4", "3x2", "3x5"]), ..Boards::default() };
    assert_eq!(names(&some), ["2x2 x", "2x3 x", "2x4 x", "3x3 x", "3x3 o", "3x4 x", "3x5 x", "3x5 o"]);
    let turned = Boards { ranges: ranges(&["2..3x2..3"]), all_orientations: true, ..Boards::default() };
    assert_eq!(names(&turned), ["2x2 x", "2x3 x", "3x2 x", "3x3 x", "3x3 o"]);
    let small = Boards { ranges: ranges(&["1..9x1..9"]), max_cells: Some(8), min_side: 2, ..some };
    assert_eq!(names(&small), ["2x2 x", "2x3 x", "2x4 x"]);
    let both = Boards { ranges: ranges(&["2x2", "3x3"]), colourings: Colourings::Both, ..Boards::default() };
    assert_eq!(names(&both), ["2x2 x", "2x2 o", "3x3 x", "3x3 o"]);
    let white = Boards { colourings: Colourings::One(Side::White), ..both };
    assert_eq!(names(&white), ["2x2 o", "3x3 o"]);
    let limited = Boards { ranges: ranges(&["3x300"]), max_cells: Some(10), ..Boards::default() };
    assert_eq!(limited.select(), Err(BoardsError::Empty { found: 1 }));
    let large = Boards { ranges: ranges(&["2x3", "11..12x12"]), ..Boards::default() };
    assert_eq!(large.select(), Err(BoardsError::TooLarge { rows: 11, cols: 12 }));
    assert_eq!(Boards::default().select(), Err(BoardsError::Empty { found: 0 }));
}

#[test]
fn bad_ranges_are_named() {
    let kind = |text: &str| text.parse::<SizeRange>().unwrap_err().kind;
    assert_eq!(kind("5..3x4"), RangeErrorKind::Backwards { low: 5, high: 3 });
    assert_eq!(kind("0..3x3"), RangeErrorKind::Zero);
    assert_eq!(kind("3x0"), RangeErrorKind::Zero);
    assert_eq!(kind("3x401"), RangeErrorKind::TooLong);
    assert_eq!(kind("99999999999999999999999x1"), RangeErrorKind::TooLong);
    for bad in ["", "x", "3", "3x", "3..x4", "..3x4", "3...4x4", "3-4x4", "3..4..5x4", "-1x4", " 3x4", "3x4x5", "axb"] {
        assert_eq!(kind(bad), RangeErrorKind::Malformed, "{bad}");
    }
}

#[test]
fn an_interrupted_study_ends_as_an_uninterrupted_one() {
    let (_keep, path) = folder();
    let request = request(&["3..5x3..6"]);
    let whole = run(&request, &path("whole"), None);
    assert_eq!((whole.units, whole.known, whole.left, whole.without_openings), (37, 0, 0, 2));
    let mut known = 0;
    let mut parts = 0;
    for nodes in (1..).map(|part| part * 4000) {
        let before = fs::read(path("parts")).unwrap_or_default();
        let part = run(&request, &path("parts"), Some(nodes));
        assert_eq!((part.units, part.known), (37, known));
        assert_eq!(part.stopped, (part.left > 0).then_some(StopReason::Nodes));
        assert!(fs::read(path("parts")).unwrap().starts_with(&before));
        known = part.units - part.left;
        parts += 1;
        if part.left == 0 {
            break;
        }
    }
    assert!(parts > 3, "{parts} parts");
    assert_eq!(winners(&path("parts")), winners(&path("whole")));
    // What is complete is left alone.
    let before = fs::read(path("parts")).unwrap();
    assert_eq!(run(&request, &path("parts"), None).known, 37);
    assert_eq!(fs::read(path("parts")).unwrap(), before);
}

#[test]
fn shards_together_are_the_whole() {
    let (_keep, path) = folder();
    for decide in [false, true] {
        let whole = StudyRequest { decide, ..request(&["3..5x3..5", "4x6"]) };
        let units = run(&whole, &path(&format!("whole-{decide}")), None).units;
        let mut joined = Records::default();
        let mut sum = 0;
        for shard in ["1/3", "2/3", "3/3"] {
            let name = path(&format!("{}-{decide}", &shard[..1]));
            let outcome = run(&StudyRequest { shard: shard.parse().unwrap(), ..whole.clone() }, &name, None);
            assert!(outcome.units.abs_diff(units / 3) <= 1 && outcome.left == 0, "{outcome:?}");
            sum += outcome.units;
            joined.read(&name, &fs::read(&name).unwrap(), &mut Vec::new()).unwrap();
        }
        assert_eq!(sum, units);
        fs::write(path("joined"), joined.to_text()).unwrap();
        assert_eq!(run(&whole, &path("joined"), Some(0)).left, 0);
        if !decide {
            assert_eq!(winners(&path("joined")), winners(&path("whole-false")));
        }
    }
}

#[test]
fn deciding_agrees_with_solving_everything() {
    let (_keep, path) = folder();
    let all = request(&["3..5x3..5", "4x6"]);
    let decide = StudyRequest { decide: true, ..all.clone() };
    run(&all, &path("all"), None);
    let outcome = run(&decide, &path("decided"), None);
    // First removals up to symmetry.
    assert_eq!((outcome.units, outcome.left), (14, 0));
    let (all, decided) = (read(&path("all")), read(&path("decided")));
    assert!(decided.len() < all.len());
    for (all, decided) in summaries(&all).iter().zip(summaries(&decided)) {
        assert_eq!((all.board, all.answer.winner), (decided.board, decided.answer.winner));
        assert!(decided.is_decided());
        let winner = |summary: &papamu::study::BoardSummary| -> Vec<_> {
            summary.answer.removals.iter().map(|removal| (removal.black, removal.winner)).collect()
        };
        assert_eq!(winner(all), winner(&decided));
    }
    // The rest of a decided board is solved on top of it.
    let size: Size = "4x6".parse().unwrap();
    let board = Board { size, rules: decide.boards[0].rules };
    assert_eq!((decided.openings(board).count(), all.openings(board).count()), (3, 6));
    assert_eq!(run(&request(&["4x6"]), &path("decided"), None).known, 3);
    assert_eq!(read(&path("decided")).openings(board).count(), 6);
}

#[test]
fn summaries_hold_the_symmetric_images() {
    let (_keep, path) = folder();
    let boards = boards(&["3..5x4..5", "4x6"], FirstRemoval::Any);
    let request = StudyRequest { boards, decide: false, shard: Shard::default(), options: OPTIONS };
    run(&request, &path("any"), None);
    let found = summaries(&read(&path("any")));
    assert_eq!(found.len(), request.boards.len());
    for (summary, &board) in found.iter().zip(&request.boards) {
        assert_eq!((summary.board, summary.missing.len()), (board, 0));
        let solver = Solver::new(board.size, board.rules.top_left, OPTIONS).unwrap();
        let asked = OpeningsRequest { size: board.size, rules: board.rules, openings: Vec::new(), decide: false };
        let direct = solve_openings(&solver, &asked, &Control::default(), &|_, _| ()).unwrap();
        assert_eq!(summary.answer.removals, direct.removals);
        assert_eq!(summary.answer.winner, direct.winner);
        let short = |answer: &papamu::search::BoardAnswer| -> Vec<_> {
            answer.openings.iter().map(|row| (row.opening, row.searched, row.answer.winner)).collect()
        };
        assert_eq!(short(&summary.answer), short(&direct));
    }
}

#[test]
fn a_torn_last_line_is_cut_off_wherever_it_was_torn() {
    let (_keep, path) = folder();
    run(&request(&["3x4", "4x4"]), &path("file"), None);
    let whole = fs::read(path("file")).unwrap();
    let start = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    for cut in start + 1..whole.len() {
        fs::write(path("torn"), &whole[..cut]).unwrap();
        let store = Store::open(&path("torn")).unwrap();
        if cut == whole.len() - 1 {
            assert_eq!((store.tail(), store.records().len()), (Tail::Unended, 8));
            assert_eq!(fs::read(path("torn")).unwrap(), whole);
        } else {
            assert_eq!((store.tail(), store.records().len()), (Tail::Torn { line: 8, good: start }, 7), "{cut}");
            assert_eq!(fs::read(path("torn")).unwrap(), whole[..start]);
        }
    }
    // The study then solves it again.
    fs::write(path("torn"), &whole[..whole.len() - 9]).unwrap();
    let outcome = run(&request(&["3x4", "4x4"]), &path("torn"), None);
    assert_eq!((outcome.units, outcome.known, outcome.left), (8, 7, 0));
    assert_eq!(winners(&path("torn")), winners(&path("file")));
}

#[test]
fn foreign_lines_are_refused_and_left_alone() {
    let (_keep, path) = folder();
    run(&request(&["3x4"]), &path("file"), None);
    let good = fs::read_to_string(path("file")).unwrap();
    let first = good.lines().next().unwrap();
    for (text, line) in [
        (format!("{good}# done\n"), 6),
        (format!("{good}# done"), 6),
        (format!("notes\n{good}"), 1),
        (format!("{first}\n\n{good}"), 2),
        (format!("{}\n{good}", &first[..40]), 1),
        (format!("{first}\n{}\n", first.replace("\"nodes\"", "\"knots\"")), 2),
        (format!("{}\n", first.replace("a3", "c9")), 1),
        ("{\"game\":\"kota\"}\n".to_owned(), 1),
    ] {
        fs::write(path("foreign"), &text).unwrap();
        match Store::open(&path("foreign")) {
            Err(StudyError::BadLine { line: found, path: name, .. }) => {
                assert_eq!((found, name), (line, path("foreign")), "{text}");
            }
            other => panic!("{text}: {:?}", other.err()),
        }
        assert_eq!(fs::read_to_string(path("foreign")).unwrap(), text);
    }
}

#[test]
fn contradicting_lines_are_a_conflict() {
    let (_keep, path) = folder();
    run(&request(&["3x4"]), &path("file"), None);
    let good = fs::read_to_string(path("file")).unwrap();
    let first = good.lines().next().unwrap();
    let turned = match first.contains("\"winner\":\"white\"") {
        true => first.replace("\"winner\":\"white\"", "\"winner\":\"black\""),
        false => first.replace("\"winner\":\"black\"", "\"winner\":\"white\""),
    };
    fs::write(path("both"), format!("{good}{turned}\n")).unwrap();
    let Err(StudyError::Conflict(conflict)) = Store::open(&path("both")) else { panic!("a conflict") };
    assert_eq!((conflict.first.line, conflict.second.line), (1, 6));
    assert_eq!((conflict.first_text.as_str(), conflict.second_text), (first, turned.clone()));
    // The image under a symmetry is the same opening.
    let mut records = Records::default();
    let mut conflicts = Vec::new();
    let image = turned.replace("\"black\":\"a3\",\"white\":\"b3\"", "\"black\":\"a1\",\"white\":\"b1\"");
    let text = format!("{good}{good}{image}\n");
    let (tail, repeated) = records.read(&path("both"), text.as_bytes(), &mut conflicts).unwrap();
    assert_eq!((tail, repeated, records.len()), (Tail::Whole, 5, 5));
    assert_eq!(conflicts.len(), 1);
    assert_eq!(records.to_text(), read(&path("file")).to_text());
}

#[test]
fn one_file_holds_records_of_several_rule_sets() {
    let (_keep, path) = folder();
    run(&request(&["3x4"]), &path("file"), None);
    for (first_removal, second_removal, units) in [
        (FirstRemoval::Any, SecondRemoval::Adjacent, 10),
        (FirstRemoval::Corner, SecondRemoval::Any, 6),
        (FirstRemoval::Centre, SecondRemoval::Adjacent, 3),
    ] {
        let ranges = vec!["3x4".parse().unwrap()];
        let boards = Boards { ranges, first_removal, second_removal, ..Boards::default() }.select().unwrap();
        let outcome = run(&StudyRequest { boards, ..request(&["3x4"]) }, &path("file"), None);
        assert_eq!((outcome.units, outcome.known, outcome.left), (units, 0, 0), "{first_removal}");
    }
    assert_eq!(read(&path("file")).boards().count(), 4);
}

#[test]
fn two_studies_do_not_share_a_file() {
    let (_keep, path) = folder();
    let first = Store::open(&path("file")).unwrap();
    assert!(matches!(Store::open(&path("file")), Err(StudyError::Locked { path: name }) if name == path("file")));
    assert!(matches!(check_unused(&path("file")), Err(StudyError::Locked { .. })));
    drop(first);
    assert!(check_unused(&path("file")).unwrap().is_some());
    assert!(check_unused(&path("none")).unwrap().is_none());
    assert!(Store::open(&path("file")).is_ok());
}

#[test]
fn boards_without_openings_are_noted_once() {
    let (_keep, path) = folder();
    for _ in 0..2 {
        let outcome = run(&request(&["1x1", "5x5"]), &path("file"), None);
        assert_eq!((outcome.units, outcome.left, outcome.without_openings), (2, 0, 3));
    }
    let found = summaries(&read(&path("file")));
    let short: Vec<_> = found
        .iter()
        .map(|board| {
            let note = board.note.as_ref().map(|note| note.note);
            (board.board.size.to_string(), board.board.rules.top_left, board.answer.winner, note)
        })
        .collect();
    assert_eq!(
        short,
        [
            // Black removes the only stone and White has none to remove.
            ("1x1".to_owned(), Side::Black, Some(Side::Black), Some(NoteKind::NoSecondRemoval)),
            ("1x1".to_owned(), Side::White, None, Some(NoteKind::NoFirstRemoval)),
            ("5x5".to_owned(), Side::Black, Some(Side::Black), None),
            ("5x5".to_owned(), Side::White, None, Some(NoteKind::NoFirstRemoval)),
        ]
    );
}

/// Takes this many bytes, then is full.
struct Disk(usize);

impl std::io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_ends_the_study() {
    let mut store = Store::stream(Disk(700), "disk");
    let control = Control::default();
    let error = study(&request(&["4x5"]), &mut store, &control, None).unwrap_err();
    assert!(matches!(error, StudyError::Write { ref path, .. } if path == Path::new("disk")), "{error}");
    assert!(error.to_string().contains("the records before this one are saved"));
}
