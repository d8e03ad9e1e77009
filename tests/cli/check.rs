//! `papamu check`.

use super::support::{Said, answer, json, refused, run};

#[test]
fn every_source_agrees_on_small_boards() {
    for board in [&["4x4"][..], &["3x5", "--top-left", "white", "--first-removal", "any"], &["1x8"]] {
        let checked = json(&[&["check"], board, &["--format", "json"]].concat());
        assert_eq!(checked["agree"], true);
        let sources = checked["sources"].as_array().unwrap();
        assert_eq!(sources.len(), 7);
        assert!(sources.iter().all(|source| source["verdict"] == "agrees"), "{checked}");
    }
}

#[test]
fn what_is_left_out_is_named() {
    let text = answer(&["check", "4x7"]);
    assert!(text.contains("left out") && text.contains("28 cells; asked on boards of at most 25"), "{text}");
    let csv = answer(&["check", "4x4", "--format", "csv", "--threads", "1", "--memory", "64MiB"]);
    assert_eq!(csv.lines().next(), Some("source,verdict,what"));
    let Said { code, out, err } = run(&["check", "5x5", "--node-limit", "50"]);
    assert_eq!(code, Some(3), "{err}");
    assert!(out.contains("left out") && err.contains("stopped at the node limit: not every source was asked"), "{err}");
    refused(&["check", "5x5", "--top-left", "white"], &["--first-removal any"]);
    refused(&["check", "20x20"], &["search handles at most 128"]);
    refused(&["check"], &["<RxC>"]);
}

#[test]
fn a_board_without_openings_is_no_fault() {
    for board in ["1x1", "2x1"] {
        let checked = json(&["check", board, "--format", "json"]);
        assert_eq!(checked["agree"], true, "{checked}");
    }
}
