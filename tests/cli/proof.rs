//! `papamu prove` and `papamu verify`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::support::{Said, answer, json as json_of, keys, listening, program, refused, run, signal};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_string_lossy().into_owned()
    }

    fn count(&self) -> usize {
        self.0.path().read_dir().unwrap().count()
    }
}

/// Runs `prove`, which must succeed, and gives its note.
fn proved(args: &[&str]) -> String {
    let Said { code, out, err } = run(&[&["prove"], args].concat());
    assert_eq!((code, out.as_str()), (Some(0), ""), "{args:?}: {err}");
    err
}

fn failed(args: &[&str], named: &[&str]) {
    let Said { code, out, err } = run(args);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{args:?}: {err}");
    assert!(err.starts_with("error: ") && !err.contains("panicked"), "{args:?}: {err}");
    assert!(named.iter().all(|name| err.contains(name)), "{named:?} in {err}");
}

#[test]
fn a_game_is_proved_and_verified() {
    let folder = Folder::new();
    let file = folder.file("proof");
    let note = proved(&["5x5", "-o", &file]);
    assert!(note.starts_with("note: ") && note.contains("Black wins the whole game: 237 positions, "), "{note}");
    assert!(note.contains(" a position)"), "{note}");
    let text = answer(&["verify", &file]);
    for line in
        ["a proof that holds", "5x5: Black on the top-left cell", "Black wins the whole game", "237 positions checked"]
    {
        assert!(text.contains(line), "{text}");
    }
    let report = json_of(&["verify", &file, "--format", "json", "--threads", "1"]);
    assert_eq!(&keys(&report)[..4], ["file", "kind", "valid", "board"]);
    let expected = json!({"file": file, "kind": "proof", "valid": true, "board": "5x5", "winner": "black", "positions": 237,
        "root": "the whole game", "top_left": "black", "leaf_nodes": 0, "bytes": fs::metadata(&file).unwrap().len(),
        "position": null, "reason": null});
    assert_eq!(report, expected);
    let csv = answer(&["verify", &file, "--format", "csv"]);
    assert_eq!(csv.lines().next(), Some("file,kind,valid,board,winner,positions,position,reason"));
    assert!(csv.lines().nth(1).unwrap().ends_with(",proof,true,5x5,black,237,,"), "{csv}");
    assert_eq!(proved(&["5x5", "-o", &file, "--quiet"]), "");
}

#[test]
fn openings_positions_and_rules() {
    let folder = Folder::new();
    let file = folder.file("proof");
    let verified = |root: &str, winner: &str| {
        let report = json_of(&["verify", &file, "--format", "json"]);
        assert_eq!((&report["root"], &report["winner"]), (&root.into(), &winner.into()));
        report
    };
    proved(&["5x6", "--opening", "c3:b3", "-o", &file]);
    verified("c3:b3", "white");
    proved(&["5x6", "--opening", "c3:b3", "--opening", "a5:b5", "--opening", "c3:b3", "-o", &file]);
    verified("c3:b3 and a5:b5", "white");
    proved(&["5x5", "--top-left", "white", "--first-removal", "any", "--second-removal", "any", "-o", &file]);
    assert_eq!(verified("the whole game", "white")["top_left"], "white");
    proved(&["--position", ".oxo/.xox/xoxo/oxox", "--turn", "x", "-o", &file]);
    verified(".oxo/.xox/xoxo/oxox x", "white");
    let full = proved(&["6x6", "-o", &file]);
    let bytes = fs::metadata(&file).unwrap().len();
    let left = proved(&["6x6", "--leaf-nodes", "30", "-o", &file]);
    assert!(!full.contains("left to the checker") && left.contains("left to the checker"), "{full}{left}");
    assert!(fs::metadata(&file).unwrap().len() * 4 < bytes);
    assert_eq!(verified("the whole game", "white")["leaf_nodes"], 30);
    proved(&["5x6", "--share-search", "--threads", "2", "-o", &file]);
    verified("the whole game", "white");
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let folder = Folder::new();
    let (file, kept) = (folder.file("proof"), folder.file("search"));
    let args = ["prove", "6x6", "-o", &file, "--checkpoint", &kept];
    let said = run(&[&args[..], &["--node-limit", "50000"]].concat());
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{}", said.err);
    assert!(said.err.contains("node limit") && said.err.contains("no file was written"), "{}", said.err);
    assert!(fs::exists(&kept).unwrap() && !fs::exists(&file).unwrap());
    let said = run(&args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(json_of(&["verify", &file, "--format", "json"])["winner"], "white");
}

#[test]
fn what_cannot_be_proved_is_refused() {
    let folder = Folder::new();
    let file = folder.file("proof");
    refused(&["prove", "4x4"], &["--output"]);
    refused(&["prove", "-o", &file], &["RxC", "--position"]);
    refused(&["prove", "9x9", "-o", &file], &["81 cells", "at most 64"]);
    refused(&["prove", "99x99", "-o", &file], &["99x99"]);
    refused(&["prove", "4x4", "--opening", "a1:b1", "-o", &file], &["--opening a1:b1"]);
    refused(&["prove", "4x4", "--position", "xo.", "-o", &file], &["--position"]);
    refused(&["prove", "--position", "xo.", "-o", &file], &["--position", "side to move"]);
    refused(&["prove", "--position", "xx. x", "-o", &file], &["--position"]);
    refused(&["prove", "4x4", "--turn", "x", "-o", &file], &["--turn"]);
    refused(&["prove", "5x5", "--top-left", "white", "-o", &file], &["--first-removal any"]);
    refused(&["prove", "4x4", "--leaf-nodes", "1000001", "-o", &file], &["1000001", "1000000"]);
    refused(&["prove", "4x4", "--memory", "10", "-o", &file], &["--memory"]);
    refused(&["prove", "4x4", "--threads", "0", "-o", &file], &["--threads"]);
    refused(&["prove", "4x4", "-o", "no/such/folder/file"], &["--output", "no/such/folder"]);
    refused(&["prove", "4x4", "-o", &folder.file("")], &["--output"]);
    refused(&["prove", "4x4", "--checkpoint", "no/such/folder/file", "-o", &file], &["--checkpoint"]);
    failed(
        &["prove", "5x6", "--opening", "c3:b3", "--opening", "c3:c4", "-o", &file],
        &["White wins c3:b3", "Black wins c3:c4"],
    );
    failed(&["prove", "6x6", "--memory", "1400kB", "-o", &file], &["--memory", "--leaf-nodes"]);
    let said = run(&["prove", "6x6", "--time-limit", "0ms", "-o", &file]);
    assert_eq!(said.code, Some(3), "{}", said.err);
    assert_eq!(folder.count(), 0);
}

#[test]
fn files_that_are_no_good_proof_fail() {
    let folder = Folder::new();
    let file = folder.file("proof");
    proved(&["4x5", "-o", &file]);
    let good = fs::read(&file).unwrap();
    refused(&["verify", "no/such/file"], &["no/such/file"]);
    refused(&["verify", &folder.file("")], &["folder"]);
    for (bytes, named) in [
        (&good[..good.len() / 2], "truncated"),
        (&good[..10], "truncated"),
        (b"hello".as_slice(), "not a file of this program"),
        (b"", "an empty file"),
        (&[&good[..], b"x"].concat(), "longer than it says"),
    ] {
        fs::write(&file, bytes).unwrap();
        failed(&["verify", &file], &[named]);
        failed(&["verify", &file, "--format", "json"], &[named]);
    }
    let mut damaged = good;
    damaged[64] ^= 1;
    fs::write(&file, &damaged).unwrap();
    failed(&["verify", &file], &["damaged", "body"]);
    answer(&["solve", "4x4", "--checkpoint", &file.replace("proof", "search")]);
    failed(&["verify", &folder.file("search")], &["expected a file of kind `proof`, found `search`"]);
    let said = run(&["verify", &file, "--threads", "x"]);
    assert_eq!(said.code, Some(2));
}

#[cfg(unix)]
#[test]
fn an_interrupt_or_a_kill_leaves_no_file() {
    let folder = Folder::new();
    let file = folder.file("proof");
    let args = ["prove", "7x7", "--memory", "256MiB", "-o", &file];
    let child = listening(&mut program(&args));
    signal(&child, "INT");
    let said: Said = child.wait_with_output().unwrap().into();
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{}", said.err);
    assert!(said.err.contains("interrupted") && said.err.contains("no file was written"), "{}", said.err);
    assert_eq!(folder.count(), 0);
    // While it is written, there is a temporary file and nothing under the name.
    let args = ["prove", "6x7", "--opening", "c3:d3", "--first-removal", "any", "--memory", "256MiB", "-o", &file];
    for wait in [300, 1500, 3000] {
        let mut child = program(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        assert!(!fs::exists(&file).unwrap() || ended.success());
        let _ = fs::remove_file(&file);
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = Folder::new();
    let file = folder.file("proof");
    fs::write(&file, "before").unwrap();
    // No file may grow past 4 KiB: writing fails as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 8; exec {} prove 6x6 -o {file}", env!("CARGO_BIN_EXE_papamu"));
    let said: Said = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap().into();
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{}", said.err);
    assert!(said.err.contains("cannot write"), "{}", said.err);
    assert_eq!(fs::read(&file).unwrap(), b"before");
    assert_eq!(folder.count(), 1);
}

/// What the reader in Python prints.
fn python(args: &[&str]) -> Value {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/read-papamu");
    let output =
        Command::new("python3").arg(script).args(args).stdin(Stdio::null()).output().expect("Python 3 is there");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn the_reader_in_python_agrees() {
    use papamu::konane::Facts;
    let folder = Folder::new();
    let file = folder.file("proof");
    for args in [&["5x5"][..], &["5x6", "--opening", "c3:b3"], &["--position", "xoxo/ox.x/x..o x"], &["1x7"]] {
        proved(&[args, &["-o", &file]].concat());
        let report = json_of(&["verify", &file, "--format", "json"]);
        let about = python(&[&file]);
        for key in ["kind", "board", "top_left", "winner", "positions", "leaf_nodes"] {
            assert_eq!(about[key], report[key], "{args:?} {key}");
        }
        let proof = papamu::proof::Proof::open(&file).unwrap();
        let mut entries = Vec::new();
        let each = &mut |position: papamu::konane::Position, answer: Option<papamu::konane::Move>| {
            entries.push((position, answer));
            true
        };
        proof.for_each(each).unwrap();
        assert_eq!(about["positions"], entries.len());
        let step = entries.len() / 12 + 1;
        for (position, answer) in entries.iter().step_by(step) {
            let found = python(&[&file, &position.to_string()]);
            let best = answer.map(|mv| mv.to_string());
            assert_eq!((&found["best"], &found["winner"]), (&json!(best), &about["winner"]), "{position}");
            let after = position.play(answer.unwrap()).unwrap();
            assert_eq!(python(&[&file, &after.to_string()])["winner"], about["winner"]);
            assert!(proof.fact(&after).is_some());
        }
    }
}
