//! `papamu table`.

use std::fs;

use super::support::{Said, answer, json, refused, run};

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Files {
        Files { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_string_lossy().into_owned()
    }

    /// The table of 4x4.
    fn table(&self) -> String {
        let path = self.path("4x4.table");
        answer(&["table", "build", "4x4", "-o", &path, "--quiet"]);
        path
    }
}

#[test]
fn build_says_what_it_made_and_leaves_nothing_else() {
    let files = Files::new();
    let path = files.path("table");
    let Said { code, out, err } = run(&["table", "build", "4x4", "-o", &path]);
    assert_eq!((code, out.as_str()), (Some(0), ""));
    assert!(err.starts_with("note: ") && err.contains("3,858 positions in 5,"), "{err}");
    assert_eq!(fs::read_dir(files.folder.path()).unwrap().count(), 1);
    let quiet = run(&["table", "build", "4x4", "-o", &path, "--quiet", "--threads", "1", "--memory", "64MiB"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (Some(0), "", ""));
    let one = files.path("one");
    answer(&["table", "build", "4x4", "--opening", "a4:b4", "-o", &one, "-q"]);
    assert_eq!(json(&["table", "info", &one, "--format", "json"])["roots"][0]["name"], "a4:b4");
    let position = files.path("position");
    answer(&["table", "build", "--position", "x.x/.../...", "--turn", "x", "-o", &position, "-q"]);
    let info = json(&["table", "info", &position, "--format", "json"]);
    assert_eq!((&info["positions"], &info["roots"][0]["winner"]), (&1.into(), &"white".into()));
}

#[test]
fn an_interrupted_build_goes_on() {
    let files = Files::new();
    let path = files.path("table");
    let build = ["table", "build", "5x5", "--opening", "a5:b5", "-o", &path];
    let Said { code, err, .. } = run(&[&build[..], &["--time-limit", "1ms"]].concat());
    assert_eq!(code, Some(3), "{err}");
    assert!(err.contains("stopped at the time limit: no table is written; the same command goes on from"), "{err}");
    assert!(!fs::exists(&path).unwrap() && fs::exists(format!("{path}.parts/source")).unwrap());
    let other = run(&["table", "build", "5x5", "-o", &path]);
    assert_eq!(other.code, Some(1));
    assert!(other.err.contains("expected the parts of 5x5") && other.err.contains("delete this one"), "{}", other.err);
    answer(&[&build[..], &["-q"]].concat());
    assert!(!fs::exists(format!("{path}.parts")).unwrap());
    assert_eq!(json(&["table", "info", &path, "--format", "json"])["positions"], 304_221);
    let elsewhere = files.path("layers");
    let Said { code, .. } = run(&[&build[..], &["--time-limit", "0s", "--parts", &elsewhere]].concat());
    assert_eq!((code, fs::exists(&elsewhere).unwrap()), (Some(3), true));
}

#[test]
fn info_counts() {
    let files = Files::new();
    let table = files.table();
    let info = json(&["table", "info", &table, "--format", "json"]);
    assert_eq!((&info["kind"], &info["board"], &info["positions"]), (&"table".into(), &"4x4".into(), &3858.into()));
    let wins = info["wins"].as_u64().unwrap();
    assert_eq!(wins + info["losses"].as_u64().unwrap(), 3858);
    let sum = |list: &serde_json::Value| list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&info["remoteness"]), 3858);
    assert_eq!(info["rules"]["first_removal"], "corner-or-centre");
    let text = answer(&["table", "info", &table]);
    assert!(text.contains("3,858 positions") && text.contains("a4:b4") && text.contains("checksum"), "{text}");
    let csv = answer(&["table", "info", &table, "--format", "csv"]);
    assert_eq!(csv.lines().next(), Some("stones,positions,wins,losses,longest"));
    let rows = csv.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse::<u64>().unwrap());
    assert_eq!(rows.sum::<u64>(), 3858);
}

#[test]
fn probe_judges_every_move() {
    let files = Files::new();
    let table = files.table();
    let position = ".oxo/.xox/xoxo/oxox x";
    let probe = json(&["table", "probe", &table, position, "--format", "json"]);
    assert_eq!(
        probe,
        serde_json::json!({"position": ".oxo/.xox/xoxo/oxox", "turn": "x", "winner": "white", "remoteness": 4,
            "moves": [{"move": "c4-a4", "winner": "white", "remoteness": 4}]})
    );
    let text = answer(&["table", "probe", &table, ".oxo/.xox/xoxo/oxox", "--turn", "black"]);
    assert!(text.contains("White wins in 4 plies, Black (x) to move.") && text.contains("Best line: c4-a4 "), "{text}");
    let list = files.path("list");
    fs::write(&list, format!("{position}\n# none\nx..o/.xox/xoxo/oxox o\n")).unwrap();
    let csv = answer(&["table", "probe", &table, "--positions", &list, "--format", "csv"]);
    assert_eq!(csv.lines().next(), Some("position,turn,move,winner,remoteness"));
    assert!(csv.lines().count() > 3, "{csv}");
    // Turned half round.
    let image = json(&["table", "probe", &table, "xoxo/oxox/xox./oxo. x", "--format", "json"]);
    assert_eq!((&image["winner"], &image["remoteness"]), (&"white".into(), &4.into()));
}

#[test]
fn find_and_export_give_rows() {
    let files = Files::new();
    let table = files.table();
    let longest = json(&["table", "find", &table, "--longest", "-n", "1", "--format", "json"]);
    assert_eq!(longest["remoteness"], 9);
    let csv =
        answer(&["table", "find", &table, "--winning-moves", "1", "--moves", "3..", "--turn", "o", "--format", "csv"]);
    assert_eq!(csv.lines().next(), Some("position,turn,winner,remoteness,stones,moves,winning_moves"));
    assert!(csv.lines().skip(1).all(|row| row.contains(",o,white,") && row.ends_with(",1")), "{csv}");
    assert_eq!(answer(&["table", "find", &table, "--stones", "15"]), "No such position.\n");
    let few = answer(&["table", "find", &table, "--winner", "x", "--remoteness", "2..4", "--stones", "..9"]);
    assert_eq!(few.lines().count(), 11, "{few}");
    let csv = answer(&["table", "export", &table]);
    assert!(csv.starts_with("# Konane 4x4 with black on the top-left cell, first removal corner-or-centre"), "{csv}");
    assert_eq!((csv.lines().nth(1), csv.lines().count()), (Some("position,turn,winner,remoteness,stones"), 3860));
    let lines = answer(&["table", "export", &table, "--format", "json"]);
    let rows: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["board"], &rows[0]["positions"], rows.len()), (&"4x4".into(), &3858.into(), 3859));
    assert!(rows[1..].iter().all(|row| row["remoteness"].is_u64() && row["turn"].is_string()));
    let packed = files.path("rows.zst");
    answer(&["table", "export", &table, "--zstd", "-o", &packed]);
    assert_eq!(zstd::decode_all(fs::File::open(&packed).unwrap()).unwrap(), csv.as_bytes());
    let stopped = run(&["table", "export", &table, "--time-limit", "0s", "-o", &files.path("none")]);
    assert_eq!((stopped.code, fs::exists(files.path("none")).unwrap()), (Some(3), false));
}

#[test]
fn verify_finds_damage() {
    let files = Files::new();
    let table = files.table();
    let verified = json(&["table", "verify", &table, "--deep", "--format", "json"]);
    assert_eq!((&verified["valid"], &verified["positions"]), (&true.into(), &3858.into()));
    assert!(answer(&["table", "verify", &table]).contains("the checksums fit"));
    assert!(answer(&["table", "verify", &table, "--deep"]).contains("every value is right: 3,858 positions"));
    assert_eq!(run(&["table", "verify", &table, "--deep", "--time-limit", "0s"]).code, Some(3));
    let mut bytes = fs::read(&table).unwrap();
    bytes[400] ^= 1;
    fs::write(&table, bytes).unwrap();
    for command in [&["verify"][..], &["export"], &["find"], &["probe", ".oxo/.xox/xoxo/oxox x"]] {
        let args = [&["table", command[0], &table][..], &command[1..]].concat();
        let Said { code, err, .. } = run(&args);
        assert!(code == Some(1) && err.contains("damaged: expected the checksum"), "{args:?} {err}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let files = Files::new();
    let (table, none) = (files.table(), files.path("none"));
    refused(&["table", "build", "9x9", "-o", &none], &["9x9 has 81 cells: a table holds boards of at most 64"]);
    refused(&["table", "build", "5x5", "--top-left", "white", "-o", &none], &["--first-removal any"]);
    refused(&["table", "build", "5x5", "--opening", "a5:e5", "-o", &none], &["e5"]);
    refused(&["table", "build", "5x5"], &["--output"]);
    refused(&["table", "build", "-o", &none], &["RxC"]);
    refused(&["table", "build", "--position", "xx", "-o", &none], &["--position"]);
    refused(&["table", "build", "--position", "x.", "-o", &none], &["--turn"]);
    refused(&["table", "build", "4x4", "-o", "/nowhere/table"], &["/nowhere"]);
    refused(&["table", "build", "4x4", "-o", &none, "--memory", "much"], &["much"]);
    refused(&["table", "info", &none], &["cannot read"]);
    refused(
        &["table", "probe", &table, "x.x/... x"],
        &["the table is of 4x4 with black on the top-left cell, not of 2x3"],
    );
    refused(&["table", "probe", &table, "xoxo/oxox/xoxo/oxox x"], &["is not in the table"]);
    refused(&["table", "probe", &table], &["POSITION"]);
    refused(&["table", "probe", &table, "xoo. x"], &["position"]);
    refused(&["table", "find", &table, "--stones", "9..3"], &["`9..3` is not a range"]);
    refused(&["table", "find", &table, "-n", "0"], &["expected a whole number"]);
    refused(
        &["table", "build", "4x4", "-o", &none, "--memory", "100KiB"],
        &["is too small: expected at least 4.0 MiB"],
    );
    let file = files.path("search");
    answer(&["solve", "4x4", "--checkpoint", &file]);
    let Said { code, err, .. } = run(&["table", "info", &file]);
    assert!(code == Some(1) && err.contains("expected a file of kind `table`, found `search`"), "{err}");
}

#[test]
fn answers_come_from_a_table_or_a_proof_at_once() {
    let files = Files::new();
    let (table, proof) = (files.table(), files.path("4x4.proof"));
    answer(&["prove", "4x4", "-o", &proof, "-q"]);
    let searched = json(&["solve", "4x4", "--format", "json"]);
    let known = json(&["solve", "4x4", "--table", &table, "--format", "json"]);
    assert_eq!((&known["removals"], &known["winner"]), (&searched["removals"], &searched["winner"]));
    assert_eq!(known["nodes"], 0);
    let position = ".oxo/.xox/xoxo/oxox x";
    for file in [&table, &proof] {
        let solved = json(&["solve", "--position", position, "--table", file, "--format", "json"]);
        assert_eq!((&solved["winner"], &solved["nodes"]), (&"white".into(), &0.into()), "{solved}");
        assert_eq!((solved["line"].as_array().unwrap().len(), &solved["line_complete"]), (4, &true.into()));
        let list = files.path("list");
        fs::write(&list, format!("{position}\n{position}\n")).unwrap();
        let rows = answer(&["solve", "--positions", &list, "--table", file, "--format", "csv"]);
        assert!(rows.lines().skip(1).all(|row| row.contains(",x,white,") && row.contains(",0,")), "{rows}");
        let analyzed = json(&["analyze", position, "--table", file, "--format", "json"]);
        assert_eq!((&analyzed["winner"], &analyzed["remoteness"]), (&"white".into(), &4.into()), "{analyzed}");
        let game = answer(&["play", "4x4", "--black", "random", "--white", "engine", "--plain", "--table", file]);
        assert!(game.contains("White wins"), "{game}");
        refused(&["solve", "5x5", "--table", file], &["expected a file of 5x5 with black", "found one of 4x4"]);
        refused(&["analyze", "x.x/... x", "--table", file], &["expected a file of 2x3"]);
        refused(&["play", "4x4", "--top-left", "white", "--table", file], &["4x4 with white on the top-left cell"]);
    }
    let probed = json(&["table", "probe", &table, position, "--format", "json"]);
    let analyzed = json(&["analyze", position, "--format", "json"]);
    for key in ["position", "turn", "winner", "remoteness"] {
        assert_eq!(probed[key], analyzed[key]);
    }
    assert_eq!(probed["moves"][0]["remoteness"], analyzed["moves"][0]["remoteness"]);
    refused(&["solve", "4x4", "--table", &files.path("none")], &["--table", "cannot read"]);
    let search = files.path("search");
    answer(&["solve", "4x4", "--checkpoint", &search]);
    let Said { code, err, .. } = run(&["solve", "4x4", "--table", &search]);
    assert!(code == Some(1) && err.contains("expected a table or a proof, found a file of kind `search`"), "{err}");
    fs::write(&search, "none of ours").unwrap();
    assert_eq!(run(&["solve", "4x4", "--table", &search]).code, Some(1));
}

#[test]
fn the_reader_in_another_language_says_the_same() {
    let files = Files::new();
    let table = files.table();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/read-papamu");
    let read = |args: &[&str]| -> serde_json::Value {
        let said = std::process::Command::new("python3").arg(script).args(args).output().expect("python3 starts");
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).unwrap()
    };
    let (found, info) = (read(&[&table]), json(&["table", "info", &table, "--format", "json"]));
    for key in ["board", "positions", "wins", "remoteness", "version"] {
        assert_eq!(found[key], info[key], "{key}");
    }
    let rows = answer(&["table", "export", &table]);
    for row in rows.lines().skip(2).step_by(97) {
        let fields: Vec<&str> = row.split(',').collect();
        let found = read(&[&table, &format!("{} {}", fields[0], fields[1])]);
        assert_eq!(
            (&found["winner"], found["remoteness"].to_string().as_str()),
            (&fields[2].into(), fields[3]),
            "{row}"
        );
    }
}

#[test]
fn what_is_read_is_never_written_over() {
    let files = Files::new();
    let (table, proof, list) = (files.table(), files.path("4x4.proof"), files.path("list"));
    answer(&["prove", "4x4", "-o", &proof, "-q"]);
    fs::write(&list, ".oxo/.xox/xoxo/oxox x\n").unwrap();
    let link = files.path("link");
    std::os::unix::fs::symlink(&table, &link).unwrap();
    let before = [fs::read(&table).unwrap(), fs::read(&proof).unwrap(), fs::read(&list).unwrap()];
    for args in [
        &["table", "export", &table, "-o", &table][..],
        &["table", "export", &table, "-o", &link],
        &["table", "info", &link, "-o", &table],
        &["table", "find", &table, "-o", &table],
        &["table", "verify", &table, "-o", &table],
        &["table", "probe", &table, "--positions", &list, "-o", &list],
        &["table", "probe", &table, "--positions", &list, "-o", &table],
        &["verify", &proof, "-o", &proof],
        &["solve", "4x4", "--table", &table, "-o", &table],
        &["solve", "--positions", &list, "-o", &list],
        &["analyze", "--positions", &list, "--table", &table, "-o", &list],
        &["annotate", "--games", &list, "-o", &list],
        &["value", "--positions", &list, "-o", &list],
        &["prove", "4x4", "-o", &proof, "--checkpoint", &proof],
    ] {
        refused(args, &["--output", "the same file is used otherwise"]);
    }
    assert!(before == [fs::read(&table).unwrap(), fs::read(&proof).unwrap(), fs::read(&list).unwrap()]);
    refused(&["play", "4x4", "--table", &table, "--save", &link], &["--save", "found a file of kind `table`"]);
    refused(&["table", "build", "4x4", "-o", "-"], &["expected the name of a file, found `-`"]);
    refused(&["prove", "4x4", "-o", "-"], &["expected the name of a file, found `-`"]);
}

#[test]
fn a_damaged_file_of_answers_is_no_reason_to_search() {
    let files = Files::new();
    let (table, proof) = (files.table(), files.path("4x4.proof"));
    answer(&["prove", "4x4", "-o", &proof, "-q"]);
    for file in [&table, &proof] {
        let mut bytes = fs::read(file).unwrap();
        bytes[70] ^= 8;
        fs::write(file, bytes).unwrap();
        for args in [&["solve", "4x4"][..], &["analyze", ".oxo/.xox/xoxo/oxox x"], &["play", "4x4", "--plain"]] {
            let Said { code, out, err } = run(&[args, &["--table", file]].concat());
            assert!((code, out.as_str()) == (Some(1), "") && err.contains("damaged"), "{args:?} {err}");
        }
    }
}

#[test]
fn a_whole_game_is_judged_by_its_proof() {
    let files = Files::new();
    let proof = files.path("6x6.proof");
    answer(&["prove", "6x6", "-o", &proof, "-q"]);
    let args = ["analyze", "--game", "6x6", "--winners-only", "--table", &proof, "--format", "json"];
    let judged = json(&args);
    assert_eq!(judged["winner"], "white");
    assert!(judged["moves"].as_array().unwrap().iter().all(|row| row["winner"] == "white"), "{judged}");
    // A position that nobody can move in has a row as well.
    let table = files.table();
    let csv = answer(&["table", "probe", &table, "x..o/.xox/xoxo/oxox o", "--format", "csv"]);
    assert!(csv.lines().count() > 1);
    let over = answer(&["table", "find", &table, "--remoteness", "0", "-n", "1", "--format", "csv"]);
    let fields: Vec<&str> = over.lines().nth(1).unwrap().split(',').collect();
    let position = format!("{} {}", fields[0], fields[1]);
    let row = answer(&["table", "probe", &table, &position, "--format", "csv"]);
    assert!(row.lines().nth(1).unwrap().ends_with(&format!(",,{},0", fields[2])), "{row}");
}
