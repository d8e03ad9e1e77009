//! `papamu value`.

use std::fs;

use serde_json::{Value, json};

use super::support::{answer, json, keys, refused, run, run_with_input};

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
