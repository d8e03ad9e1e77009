//! `papamu study`, `study merge` and `study summary`.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json as value};

use super::support::{answer, json, keys, program, refused, run};

const MEMORY: [&str; 4] = ["--memory", "4MiB", "--threads", "1"];

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_string_lossy().into_owned()
}

fn study<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["study"], args, &MEMORY].concat()
}

fn lines(file: &str) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_record_has_everything_and_a_second_run_nothing_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "file");
    let text = answer(&study(&["3x4", "4x3", "-o", &file]));
    assert!(text.contains("  3x4    black     white   -                       5 of 5"), "{text}");
    assert!(text.contains("\n5 of 5 openings solved: 7 nodes, "), "{text}");
    let records = lines(&file);
    assert_eq!(records.len(), 5);
    let expected = [
        "game", "board", "rules", "black", "white", "winner", "nodes", "seconds", "threads", "memory", "engine",
        "version",
    ];
    assert_eq!(keys(&records[0]), expected);
    assert_eq!(keys(&records[0]["rules"]), ["top_left", "first_removal", "second_removal"]);
    assert_eq!((&records[0]["board"], &records[0]["threads"]), (&"3x4".into(), &1.into()));
    assert_eq!((&records[0]["memory"], &records[0]["engine"]), (&(4 << 20).into(), &"pn".into()));
    assert_eq!(records[0]["version"], env!("PAPAMU_VERSION"));
    let before = fs::read(&file).unwrap();
    assert_eq!(answer(&study(&["3x4", "-o", &file])), text);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn every_option_does_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let boards = |name: &str, args: &[&str]| -> Vec<String> {
        let file = path(&folder, name);
        let object = json(&study(&[args, &["-q", "--format", "json", "-o", &file]].concat()));
        let name = |board: &Value| format!("{} {}", board["board"].as_str().unwrap(), board["rules"]["top_left"]);
        object["boards"].as_array().unwrap().iter().map(name).map(|name| name.replace('"', "")).collect()
    };
    assert_eq!(boards("default", &["3x3..4"]), ["3x3 black", "3x3 white", "3x4 black"]);
    assert_eq!(boards("black", &["3x3..4", "--top-left", "black"]), ["3x3 black", "3x4 black"]);
    assert_eq!(boards("white", &["3x3..4", "--top-left", "white"]), ["3x3 white", "3x4 white"]);
    assert_eq!(boards("both", &["3x3..4", "--top-left", "both"]), ["3x3 black", "3x3 white", "3x4 black", "3x4 white"]);
    assert_eq!(boards("cells", &["2..4x2..4", "--max-cells", "6"]), ["2x2 black", "2x3 black"]);
    assert_eq!(boards("side", &["2..4x2..4", "--max-cells", "12", "--min-side", "3", "--top-left", "x"]).len(), 2);
    assert_eq!(boards("turned", &["2..3x2..3", "--all-orientations", "--top-left", "o"]).len(), 4);

    let rules = path(&folder, "rules");
    answer(&study(&[
        "3x4",
        "--first-removal",
        "any",
        "--second-removal",
        "any",
        "--engine",
        "alpha-beta",
        "-o",
        &rules,
    ]));
    let record = &lines(&rules)[0];
    assert_eq!((&record["rules"]["first_removal"], &record["rules"]["second_removal"]), (&"any".into(), &"any".into()));
    assert_eq!(record["engine"], "alpha-beta");

    let decided = path(&folder, "decided");
    answer(&study(&["4x6", "--decide", "-o", &decided]));
    assert_eq!(lines(&decided).len(), 3);

    let csv = answer(&study(&["3x4", "--format", "csv", "-o", &path(&folder, "csv")]));
    let rows: Vec<&str> = csv.lines().collect();
    let header = "board,top_left,first_removal,second_removal,game_winner,black,winner,winning_replies,known,replies";
    assert_eq!(rows[0], header);
    assert_eq!(rows[1], "3x4,black,corner-or-centre,adjacent,white,a3,white,b3 a2,2,2");
    assert_eq!(rows.len(), 4);

    let out = answer(&study(&["3x4", "-o", "-"]));
    assert_eq!(out.lines().count(), 5);
    assert!(out.lines().all(|line| line.starts_with(r#"{"game":"konane","board":"3x4","#)), "{out}");
}

#[test]
fn limits_end_a_study_with_3_and_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "file");
    let said = run(&study(&["5x6", "--node-limit", "2000", "-o", &file]));
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.starts_with("note: stopped at the node limit: "), "{said:?}");
    assert!(said.err.ends_with(" of 5 openings not known; the same command goes on from here\n"), "{said:?}");
    let known = lines(&file).len();
    assert!(known < 5);
    let said = run(&study(&["5x6", "--time-limit", "0s", "--decide", "-o", &file]));
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.starts_with("note: stopped at the time limit: ") && said.err.contains(" of 2 first removals "));
    assert_eq!(run(&study(&["5x6", "--time-limit", "0s", "--quiet", "-o", &file])).err, "");
    assert_eq!(lines(&file).len(), known);
    answer(&study(&["5x6", "-o", &file]));
    assert_eq!(lines(&file).len(), 5);
}

/// What a checkpoint knows of an opening, whoever made it, becomes a record; an opening begun goes on.
#[test]
fn a_study_goes_on_from_a_checkpoint_within_an_opening() {
    let folder = tempfile::tempdir().unwrap();
    let (file, kept) = (path(&folder, "boards"), path(&folder, "search"));
    let solved = json(&["solve", "5x6", "--opening", "a5:b5", "--checkpoint", &kept, "--format", "json", "-q"]);
    let begun = run(&study(&["5x6", "--checkpoint", &kept, "--node-limit", "1000", "-o", &file]));
    assert_eq!(begun.code, Some(3), "{begun:?}");
    let [record] = &lines(&file)[..] else { panic!("{}", fs::read_to_string(&file).unwrap()) };
    let opening = &solved["openings"][0];
    assert_eq!((&record["black"], &record["white"]), (&value!("a5"), &value!("b5")));
    assert_eq!((&record["winner"], &record["nodes"]), (&opening["winner"], &opening["nodes"]));
    // So many nodes are not enough for any opening: only with what was saved does the study come further.
    let small = ["study", "6x6", "--first-removal", "corner", "--threads", "1", "-q", "--memory", "64MiB"];
    let (file, kept) = (path(&folder, "6x6"), path(&folder, "6x6.search"));
    let mut runs = 0;
    loop {
        let said = run(&[&small[..], &["--checkpoint", &kept, "--node-limit", "100000", "-o", &file]].concat());
        runs += 1;
        match said.code {
            Some(0) => break,
            code => assert!(code == Some(3) && runs < 20, "{said:?}"),
        }
    }
    let whole = path(&folder, "whole");
    answer(&[&small[..], &["-o", &whole]].concat());
    let winners = |file: &str| lines(file).iter().map(|line| (line["white"].clone(), line["winner"].clone())).collect();
    let (mine, its): (Vec<_>, Vec<_>) = (winners(&file), winners(&whole));
    assert_eq!(mine.len(), its.len());
    assert!(mine.iter().all(|line| its.contains(line)), "{mine:?} {its:?}");
    let nodes = |file: &str| lines(file).iter().map(|line| line["nodes"].as_u64().unwrap()).sum::<u64>();
    assert!(
        runs > 1 && nodes(&file) > 100_000 && nodes(&file) * 10 < nodes(&whole) * 13,
        "{} {}",
        nodes(&file),
        nodes(&whole)
    );
    refused(&study(&["3..4x4", "--checkpoint", &kept, "-o", &file]), &["--checkpoint", "2 are studied"]);
    let said = run(&study(&["5x5", "--top-left", "black", "--checkpoint", &kept, "-o", &file]));
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("6x6") && said.err.contains("5x5"), "{said:?}");
}

#[test]
fn shards_merge_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, one, two, joined] = ["whole", "1", "2", "joined"].map(|name| path(&folder, name));
    answer(&study(&["3..4x4..5", "-o", &whole]));
    answer(&study(&["3..4x4..5", "--shard", "1/2", "-o", &one]));
    answer(&study(&["3..4x4..5", "--shard", "2/2", "-o", &two]));
    let holes = run(&["study", "merge", &one, "-o", &joined]);
    assert_eq!(holes.code, Some(3), "{holes:?}");
    assert!(
        holes.out.starts_with("9 records of 5 boards from 1 files, duplicates dropped: 0\n\n  board  openings missing")
    );
    assert_eq!(holes.err, "note: 8 openings missing on 5 boards\n");
    let report = json(&["study", "merge", &two, &one, &one, "-o", &joined, "--format", "json"]);
    assert_eq!(keys(&report), ["files", "records", "duplicates", "boards", "holes"]);
    assert_eq!((report["records"].as_u64(), report["duplicates"].as_u64()), (Some(17), Some(9)));
    assert_eq!(report["holes"].as_array().unwrap().len(), 0);
    let short = |file: &str| -> Vec<String> {
        let key = |line: &Value| format!("{} {} {} {}", line["board"], line["rules"], line["black"], line["winner"]);
        lines(file).iter().map(key).collect()
    };
    // One thread solves the openings of a board in the order of the file.
    assert_eq!(short(&joined), short(&whole));
    // The joined file can be one of those read, and a study finds nothing to do there.
    answer(&["study", "merge", &joined, &whole, "-o", &joined]);
    let before = fs::read(&joined).unwrap();
    answer(&study(&["3..4x4..5", "-o", &joined]));
    assert_eq!(fs::read(&joined).unwrap(), before);
}

#[test]
fn holes_of_decided_boards_are_undecided_removals() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["file", "out"].map(|name| path(&folder, name));
    answer(&study(&["4x6", "--decide", "-o", &file]));
    assert_eq!(run(&["study", "merge", &file, "-o", &out, "--quiet"]).code, Some(3));
    assert!(answer(&["study", "merge", &file, "-o", &out, "--decide"]).ends_with("\nno holes\n"));
    let first = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    fs::write(&file, first + "\n").unwrap();
    let said = run(&["study", "merge", &file, "-o", &out, "--decide"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("first removals not decided on 1 boards"), "{said:?}");
}

#[test]
fn a_conflict_shows_both_lines_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, out] = ["one", "two", "out"].map(|name| path(&folder, name));
    answer(&study(&["3x4", "-o", &one]));
    let text = fs::read_to_string(&one).unwrap();
    let turned = text.replace(r#""winner":"white""#, r#""winner":"black""#);
    fs::write(&two, &turned).unwrap();
    let said = run(&["study", "merge", &one, &two, "-o", &out]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
    let (first, second) = (text.lines().next().unwrap(), turned.lines().next().unwrap());
    for part in [&format!("{one}:1 and {two}:1 contradict each other"), first, second, "nothing was written"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    assert!(!Path::new(&out).exists());
    assert_eq!(run(&["study", "summary", &one, &two]).code, Some(1));
}

#[test]
fn a_summary_is_text_json_or_csv() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "file");
    answer(&study(&["5x5", "--top-left", "black", "-o", &file]));
    let object = json(&["study", "summary", &file, "--format", "json"]);
    assert_eq!(
        keys(&object),
        ["game", "boards", "openings", "known", "nodes", "seconds", "threads", "memory", "versions"]
    );
    let board = &object["boards"][0];
    assert_eq!((&board["winner"], &board["openings"], &board["known"]), (&"black".into(), &2.into(), &2.into()));
    assert_eq!(board["removals"].as_array().unwrap().len(), 5);
    let out = path(&folder, "out");
    assert_eq!(answer(&["study", "summary", &file, "--format", "csv", "-o", &out]), "");
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 6);
    assert!(answer(&["study", "summary", &file]).contains("a5 e5 c3 a1 e1"));
}

#[test]
fn wrong_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "file");
    for (range, named) in [
        ("5..3x4", "5..3 is empty"),
        ("0..3x3", "at least one row"),
        ("12x12", "144 cells"),
        ("3x999", "too long"),
        ("3by4", "ROWSxCOLUMNS"),
    ] {
        refused(&study(&[range, "-o", &file]), &[named]);
    }
    refused(&study(&["3x4", "--max-cells", "5", "-o", &file]), &["no board is left"]);
    for shard in ["3/2", "0/2", "2"] {
        refused(&study(&["3x4", "--shard", shard, "-o", &file]), &["is not a shard"]);
    }
    refused(&study(&["3x4", "--top-left", "green", "-o", &file]), &["green"]);
    refused(&study(&["3x4"]), &["--output"]);
    refused(&study(&["-o", &file]), &["RANGE"]);
    refused(&study(&["3x4", "-o", &path(&folder, "no/file")]), &["cannot use"]);
    refused(&study(&["3x4", "-o", &folder.path().to_string_lossy()]), &["cannot use"]);
    refused(&["study", "3x4", "--memory", "1", "-o", &file], &["--memory", "too small"]);
    for args in
        [&["study", "summary", &path(&folder, "none")][..], &["study", "merge", &path(&folder, "none"), "-o", "-"]]
    {
        let said = run(args);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
        assert!(said.err.contains("cannot use"), "{said:?}");
    }
    fs::write(&file, "").unwrap();
    assert_eq!(answer(&["study", "summary", &file]), "no opening is recorded\n");
    assert!(answer(&["study", "merge", &file, "-o", &file]).ends_with("\nno opening is recorded\n"));
    refused(&["study", "merge", &file], &["--output"]);
    fs::write(&file, "# not a record\n").unwrap();
    for args in [&study(&["3x4", "-o", &file])[..], &["study", "summary", &file], &["study", "merge", &file, "-o", "-"]]
    {
        let said = run(args);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
        assert!(said.err.contains(&format!("{file}:1: not a record of a study")), "{said:?}");
        assert_eq!(said.err.contains("the file was not changed"), args[1] == "3x4", "{said:?}");
    }
}

#[test]
fn torn_lines_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["file", "out"].map(|name| path(&folder, name));
    answer(&study(&["3x4", "-o", &file]));
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 30]).unwrap();
    let said = run(&["study", "merge", &file, "-o", &out]);
    assert!(said.err.contains(&format!("{file}:5: the last line is a part of a record and was passed over")));
    assert_eq!(said.code, Some(3), "{said:?}");
    let said = run(&study(&["3x4", "-o", &file]));
    assert!(said.err.contains(&format!("{file}:5: the last line is a part of a record and was cut off")), "{said:?}");
    assert_eq!((said.code, lines(&file).len()), (Some(0), 5));
}

#[cfg(unix)]
#[test]
fn a_killed_study_goes_on_and_a_running_one_keeps_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "file");
    // The last board would take hours.
    let args = ["study", "3..5x3..5", "8x8", "--memory", "64MiB", "--threads", "1", "-o", &file];
    let mut child = program(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let saved = || fs::read_to_string(&file).unwrap_or_default().lines().count();
    while saved() < 23 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let second = run(&args);
    assert_eq!(second.code, Some(1), "{second:?}");
    assert!(second.err.contains("in use by another study"), "{second:?}");
    assert_eq!(run(&["study", "merge", &file, "-o", &file]).code, Some(1));
    child.kill().unwrap();
    child.wait().unwrap();
    let said = run(&study(&["3..5x3..5", "-o", &file]));
    assert_eq!((said.code, lines(&file).len()), (Some(0), 23), "{said:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing_that_was_saved() {
    let said = run(&study(&["3x4", "-o", "/dev/full"]));
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.starts_with("error: cannot write /dev/full: "), "{said:?}");
    // A limit on the size of files acts like a disk that gets full in the middle of a line: 1024 bytes are three lines.
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "file");
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\"";
    let args = [&["-c", script, env!("CARGO_BIN_EXE_papamu")], &study(&["3x4", "-o", &file])[..]].concat();
    let output = std::process::Command::new("bash").args(args).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("the records before this one are saved"), "{err}");
    assert!((2..5).contains(&lines(&file).len()));
    answer(&study(&["3x4", "-o", &file]));
    assert_eq!(lines(&file).len(), 5);
}

#[test]
fn tables_are_made_by_a_script() {
    let folder = tempfile::tempdir().unwrap();
    let [file, summary] = ["file", "summary"].map(|name| path(&folder, name));
    answer(&study(&["3..5x3..5", "-q", "-o", &file]));
    answer(&["study", "summary", &file, "--format", "json", "-o", &summary]);
    let make = |name: &str| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/study-tables");
        let out = path(&folder, name);
        let args = [script, &summary, "-o", &out, "--date", "2026-12-31", "--commit", "0123abcd"];
        let status = std::process::Command::new("python3").args(args).status();
        // Without Python there is nothing to test.
        status.ok().map(|status| {
            assert!(status.success());
            ["tables.md", "boards.csv", "removals.csv"]
                .map(|name| fs::read_to_string(Path::new(&out).join(name)).unwrap())
        })
    };
    let Some(tables) = make("one") else { return };
    assert_eq!(Some(&tables), make("two").as_ref());
    assert!(tables[0].contains("| **5** | W | W | B |\n"), "{}", tables[0]);
    assert!(tables[0].contains("| commit | 0123abcd |\n") && tables[0].contains("| date | 2026-12-31 |\n"));
    assert!(tables[0].contains("| 5x5 | black | c3 | black | - |\n"));
    assert!(tables[1].contains("5x5,white,corner-or-centre,adjacent,unknown,0,0,0,0.0,,no-first-removal\n"));
    assert!(tables[2].contains("3x4,black,corner-or-centre,adjacent,a3,white,b3 a2,2,2\n"));
}
