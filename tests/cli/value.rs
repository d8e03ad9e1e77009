//! `papamu value`.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use super::support::{answer, json, keys, program, refused, run, run_with_input};

#[test]
fn json_of_one_position() {
    let object = json(&["value", "..ox", "--format", "json"]);
    let promised = ["position", "value", "outcome", "mean", "temperature", "left_stop", "right_stop", "parts"];
    assert_eq!(keys(&object)[..promised.len()], promised);
    assert_eq!(object["position"], "..ox");
    assert_eq!(object["value"], "1");
    assert_eq!(object["outcome"], "L");
    assert_eq!((&object["mean"], &object["temperature"]), (&json!("1"), &json!("-1")));
    assert_eq!((&object["left_stop"], &object["right_stop"]), (&json!("1"), &json!("1")));
    assert_eq!(object["parts"], json!([{"cells": ["c1", "d1"], "value": "1"}]));
    assert_eq!(object["kind"], "number");
    let object = json(&["value", ".ox./o..x/....", "--format", "json"]);
    assert_eq!((&object["value"], &object["kind"], &object["outcome"]), (&json!("{1|-1}"), &json!("hot"), &json!("N")));
    assert_eq!(object["thermograph"], json!({"left": [["0", "1"], ["1", "0"]], "right": [["0", "-1"], ["1", "0"]]}));
    assert_eq!(object["options"].as_array().unwrap().len(), 2);
}

#[test]
fn text_of_one_position() {
    let text = answer(&["value", "..ox/..../ox.."]);
    for wanted in
        ["\nValue: 0\n", "\nOutcome: P (", "\n  A     1      c3 d3\n", "\n  B     -1     a1 b1\n", "thermograph at"]
    {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // The side to move makes no difference, whatever it is.
    assert_eq!(json(&["value", "..xo o", "--format", "json"])["value"], "-1");
    assert_eq!(json(&["value", "..xo x", "--format", "json"])["value"], "-1");
}

#[test]
fn wide_boards_and_csv() {
    let mut rows = vec![".".repeat(18); 18];
    rows[0] = "..ox.....xoxox....".to_owned();
    rows[17] = ".................o".to_owned();
    let text = answer(&["value", &rows.join("/"), "--format", "csv"]);
    assert!(text.starts_with("position,value,outcome,mean,temperature,left_stop,right_stop,seconds\n"), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn a_list_gives_one_object_a_line() {
    let said = run_with_input(&["value", "--positions", "-", "--format", "json"], b"..ox # one\n\n..xo o\n");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    let values: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values.iter().map(|value| &value["value"]).collect::<Vec<_>>(), ["1", "-1"]);
}

#[test]
fn pictures_and_kept_values() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, kept) = (folder.path().join("t.svg"), folder.path().join("values"));
    let (svg, kept) = (svg.to_str().unwrap(), kept.to_str().unwrap());
    let args = ["value", ".ox./o..x/....", "--svg", svg, "--values", kept, "--format", "csv"];
    for _ in 0..2 {
        assert!(answer(&args).contains("{1|-1}"));
        let picture = fs::read_to_string(svg).unwrap();
        assert!(
            picture.starts_with("<svg ") && picture.ends_with("</svg>\n") && picture.matches("<polyline").count() == 2
        );
    }
    fs::write(kept, "something else").unwrap();
    assert_eq!(run(&args).code, Some(1));
}

#[test]
fn bad_input_and_limits() {
    refused(&["value", "xx."], &["b1"]);
    refused(&["value", "x?"], &["?"]);
    refused(&["value"], &["POSITION"]);
    refused(&["value", "..ox", "--memory", "1"], &["--memory", "at least"]);
    let said = run(&["value", ".oxo/.xox/xoxo/oxox", "--node-limit", "5", "--format", "json"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(
        said.out.contains(r#""value":"unknown""#) && said.err.starts_with("note: stopped at the node limit"),
        "{said:?}"
    );
    let full = "..xoxo/oxoxox/xoxoxo/oxoxox/xoxoxo/oxoxox";
    let said = run(&["value", full, "--memory", "4MiB", "--format", "json"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains(r#""value":"unknown""#) && said.err.contains("memory"), "{said:?}");
}

#[test]
fn a_stop_tells_how_far_the_work_came() {
    let said = run(&["value", ".oxo/.xox/xoxo/oxox", "--node-limit", "5", "--format", "json"]);
    let object: Value = serde_json::from_str(&said.out).unwrap();
    let work = &object["work"];
    let by_stones: u64 = work["parts_by_stones"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(Some(by_stones), work["parts"].as_u64());
    assert!(work["canonical_forms"].as_u64() > Some(0) && work["bytes"].as_u64() > Some(0));
    assert!(said.err.contains(" parts, "), "{said:?}");
    assert!(json(&["value", "..ox", "--format", "json"])["work"].get("parts_by_stones").is_none());
}

/// Whoever is killed while the values are written leaves those that were there.
#[test]
fn a_kill_during_a_write_leaves_the_earlier_values() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("values");
    let name = kept.to_str().unwrap();
    answer(&["value", "..ox", "--values", name]);
    let before = fs::read(&kept).unwrap();
    // Large enough that the write takes a moment; the first file beside the old one is the new one growing.
    let mut child = program(&["value", ".oxox/.xoxo/xoxox/oxoxo", "--values", name]);
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() && fs::read_dir(folder.path()).unwrap().count() < 2 {}
    let _ = child.kill();
    let killed = child.wait().unwrap().code().is_none();
    let after = fs::read(&kept).unwrap();
    assert!(after == before || !killed || after.len() > before.len());
    // Whichever it is, it is whole.
    assert!(answer(&["value", "..ox", "--values", name, "--format", "csv"]).contains(",1,L,"));
}

#[test]
fn values_files_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("values");
    let name = kept.to_str().unwrap();
    answer(&["value", "..ox", "--values", name]);
    let good = fs::read(&kept).unwrap();
    // The version of the format stands in bytes 8 to 11.
    let mut newer = good.clone();
    newer[8] += 1;
    let cases: [(&[u8], &str); 4] = [
        (&newer, "version"),
        (&good[..good.len() - 1], "values"),
        (b"", "values"),
        (b"not a file of this program, but long enough to be one of its headers, with some more text", "values"),
    ];
    for (bytes, named) in cases {
        fs::write(&kept, bytes).unwrap();
        let said = run(&["value", "..ox", "--values", name]);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
        assert!(said.err.contains(named) && said.err.contains(name), "{said:?}");
        // A file that was not understood is not written over.
        assert_eq!(fs::read(&kept).unwrap(), bytes);
    }
}

#[test]
fn positions_that_are_none_are_refused_before_any_work() {
    for (text, named) in [("xoxo/xo", "row"), ("ox./.xo/oo.", "b1"), ("..ox z", "z"), ("", "")] {
        refused(&["value", text], &[named]);
    }
    let said = run_with_input(&["value", "--positions", "-", "--format", "json"], b"..ox\nxx.\n");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{said:?}");
    assert!(said.err.contains("b1") && said.err.contains('2'), "{said:?}");
}

#[test]
fn parts_without_values() {
    // Two fights that the closure cannot part, and a stone on its own.
    let wide = "xo........xo/............/............/............/............/.....x......";
    let object = json(&["value", wide, "--parts-only", "--format", "json"]);
    assert_eq!(object["parts"], json!([{"cells": ["a6", "b6"]}, {"cells": ["k6", "l6"]}]));
    assert_eq!(object["dead"], json!(["f1"]));
    let csv = answer(&["value", wide, "--parts-only", "--split", "counted", "--format", "csv"]);
    assert!(csv.starts_with("position,parts,largest,dead\n") && csv.ends_with(",2,2,1\n"), "{csv}");
    assert!(answer(&["value", wide, "--parts-only"]).contains("The parts"));
    refused(&["value", wide, "--parts-only", "--svg", "x.svg"], &["--svg"]);
    refused(&["value", wide, "--split", "wild"], &["--split", "wild"]);
}

#[test]
fn games_by_their_text() {
    let object = json(&["value", "--game", "{1|-1}", "--game", "^*", "--format", "json"]);
    assert_eq!((&object["game"], &object["value"]), (&json!("{1|-1} + ^*"), &json!("{1^*|-1^*}")));
    assert_eq!((&object["outcome"], &object["kind"], &object["mean"]), (&json!("N"), &json!("hot"), &json!("0")));
    assert_eq!((&object["temperature"], &object["reduced"]), (&json!("1"), &json!("{1|-1}")));
    assert_eq!(object["left_options"], json!(["1^*"]));
    assert_eq!((&object["left_stop"], &object["atomic_weight"]), (&json!("1"), &Value::Null));
    let object = json(&["value", "--game", "^^*", "--format", "json"]);
    assert_eq!(
        (&object["atomic_weight"], &object["reduced"], &object["birthday"]),
        (&json!("2"), &json!("0"), &json!(3))
    );
    // What is taken away again is nothing.
    assert_eq!(json(&["value", "--game", "-1/2", "--game", "1/2", "--format", "json"])["value"], "0");
    let text = answer(&["value", "--game", "{2|1}"]);
    for wanted in
        ["Value: {2|1}\n", "(Left wins, whoever starts)", "Mean 3/2, temperature 1/2", "Options of Right: 1\n"]
    {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let csv = answer(&["value", "--game", "*2", "--format", "csv"]);
    assert!(
        csv.starts_with("game,value,outcome,mean,temperature,left_stop,right_stop,seconds\n*2,*2,N,0,0,0,0,"),
        "{csv}"
    );
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("game.svg");
    answer(&["value", "--game", "{2|1}", "--svg", svg.to_str().unwrap()]);
    assert!(fs::read_to_string(svg).unwrap().contains("mean 3/2"));
}

#[test]
fn texts_that_are_no_games_are_refused() {
    for (text, wanted) in [
        ("{1|", "ends early"),
        ("{1|-1", "ends early"),
        ("x", "`x` at character 1"),
        ("1/3", "power of two"),
        ("", "ends early"),
        ("1 2", "`2` at character 3"),
    ] {
        refused(&["value", "--game", text], &["--game", wanted]);
    }
    refused(&["value", "--game", &"{".repeat(100_000)], &["--game", "braces"]);
    refused(&["value", "..ox", "--game", "1"], &["--game"]);
    // Nine different hot games, whose sum takes more work than is asked for the time.
    let games: Vec<_> = (1..10).map(|n| format!("{{{{{}|{n}}}|{{-{n}|-{}}}}}", 20 + n * n, 7 * n)).collect();
    let mut args = vec!["value", "--time-limit", "0s", "--format", "json"];
    args.extend(games.iter().flat_map(|game| ["--game", game]));
    let said = run(&args);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains(r#""value":"unknown""#) && said.err.contains("time limit"), "{said:?}");
}

/// A file is one thing to a command: what it reads or keeps is never written over by something else.
#[test]
fn files_that_are_used_otherwise_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (kept, search, table, records) = (name("values"), name("search"), name("table"), name("records"));
    answer(&["value", ".ox./o..x/....", "--values", &kept]);
    answer(&["solve", "4x4", "--checkpoint", &search]);
    answer(&["table", "build", "3x4", "-q", "-o", &table]);
    answer(&["study", "3x4", "-o", &records]);
    let list = name("list");
    fs::write(&list, "..ox\n").unwrap();
    let before = [&kept, &search, &table, &records].map(|name| fs::read(name).unwrap());
    for (args, option) in [
        (vec!["value", ".ox./o..x/....", "--values", &kept, "--svg", &kept], "--svg"),
        (vec!["value", ".ox./o..x/....", "--values", &kept, "-o", &kept], "--output"),
        (vec!["solve", "4x4", "--checkpoint", &search, "--svg", &search], "--svg"),
        (vec!["solve", "--position", ".ox./o..x/.... x", "--checkpoint", &search, "--svg", &search], "--svg"),
        (vec!["solve", "3x4", "--table", &table, "--svg", &table], "--svg"),
        (vec!["solve", "3x4", "--table", &table, "--checkpoint", &table], "--checkpoint"),
        (vec!["analyze", ".ox./o..x/.... x", "--table", &table, "--svg", &table], "--svg"),
        (vec!["study", "summary", &records, "-o", &records], "--output"),
        (vec!["value", "--positions", &list, "--parts-only", "-o", &list], "--output"),
    ] {
        refused(&args, &[option, "the same file is used otherwise"]);
    }
    assert_eq!(before, [&kept, &search, &table, &records].map(|name| fs::read(name).unwrap()));
}

#[test]
fn a_limit_leaves_what_it_could_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("values");
    let kept = kept.to_str().unwrap();
    answer(&["value", "..xoxo/oxoxox/xoxoxo/oxoxox", "--values", kept]);
    let before = fs::read(kept).unwrap();
    let said = run(&["value", "..ox", "--values", kept, "--memory", "3MiB", "--format", "csv"]);
    assert!(matches!(said.code, Some(0 | 3)) && said.out.contains("..ox,"), "{said:?}");
    assert!(said.err.contains("the rest of the file was not read"), "{said:?}");
    assert_eq!(fs::read(kept).unwrap(), before);
    refused(&["value", "..ox", "--values", "/nonexistent/values"], &["--values"]);
    refused(&["value", "--game", "1", "--node-limit", "5"], &["--node-limit"]);
}

/// Whatever row says `unknown` makes the exit code 3 and is counted, wherever in it the limit comes.
#[test]
fn fights_that_are_spread_wide_are_told_apart_without_being_asked() {
    let list = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/spread-20x20.txt");
    let found = json(&["value", "--positions", list, "--memory", "256MiB", "--format", "json"]);
    assert_eq!((&found["value"], found["parts"].as_array().unwrap().len()), (&json!("{^|{v|v2*}}"), 8));
    let parts = |args: &[&str]| {
        let args = [&["value", "--positions", list, "--parts-only", "--format", "csv"], args].concat();
        let row = answer(&args).lines().nth(1).unwrap().to_owned();
        row.split(',').nth(1).unwrap().to_owned()
    };
    assert_eq!((parts(&[]), parts(&["--split-limit", "20000"])), ("8".to_owned(), "1".to_owned()));
}

#[test]
fn what_a_sum_is_worth_may_be_unknown_and_who_wins_it_not() {
    let games: Vec<String> =
        (1..=24).flat_map(|i| ["--game".to_owned(), format!("{{{}|-{}}}", i * i, 2 * i)]).collect();
    let mut args = vec!["value", "--format", "json", "--memory", "4MiB"];
    args.extend(games.iter().map(String::as_str));
    let said = run(&args);
    assert_eq!(said.code, Some(3), "{}", said.err);
    let found: Value = serde_json::from_str(&said.out).unwrap();
    // The mean of a switch is the middle of its stops; the sum is far from zero, whoever starts.
    let middle: i32 = (1..=24).map(|i| i * i - 2 * i).sum();
    let mean = if middle % 2 == 0 { (middle / 2).to_string() } else { format!("{middle}/2") };
    assert!(found["value"] == "unknown");
    assert_eq!((&found["outcome"], &found["mean"]), (&json!("L"), &json!(mean)));
    // A well formed value that leaves the bounds of numbers is nobody's fault.
    for game in ["{2305843009213693952|}", "99999999999999999999"] {
        let said = run(&["value", "--game", game]);
        assert!(said.code == Some(3) && said.out.starts_with("Value: unknown\n"), "{said:?}");
        assert!(said.err.contains("a number is out of range"), "{said:?}");
    }
    refused(&["value", "--game", "{2305843009213693952|}", "--game", "{1"], &["--game `{1`", "ends early"]);
    let long = "{".repeat(1000);
    let said = run(&["value", "--game", &long]);
    assert!(said.code == Some(2) && said.err.len() < 300 && said.err.contains("more than 200 braces"), "{said:?}");
    refused(&["value", "xo.", "--svg", "-"], &["--svg -", "standard output"]);
    refused(&["value", "xo.", "--memory", "2621440"], &["--memory: expected at least", "found 2621440 bytes"]);
}

#[test]
fn no_unknown_value_passes_for_an_answer() {
    let list = ".oxo/.xox/xoxo/oxox\n".to_owned() + &".ox./o..x/....\n".repeat(50_000);
    for (time, format) in [("10ms", "csv"), ("40ms", "json"), ("70ms", "csv"), ("150ms", "csv")] {
        let args = ["value", "--positions", "-", "--format", format, "--split", "closure", "--time-limit", time];
        let said = run_with_input(&args, list.as_bytes());
        let unknown = said.out.lines().filter(|line| line.contains("unknown")).count();
        assert_eq!(said.code, Some(if unknown == 0 { 0 } else { 3 }), "{unknown} {}", said.err);
        assert!(
            unknown == 0 || said.err.contains(&format!(": {unknown} of 50001 positions not known")),
            "{}",
            said.err
        );
    }
}
