//! `papamu perft`.

use serde_json::json;

use super::support::{PATIENCE, answer, json, keys, run};

fn counts(args: &[&str]) -> Vec<u64> {
    let object = json(&[&["perft", "--format", "json"][..], args].concat());
    let rows = object["depths"].as_array().unwrap();
    assert!(rows.iter().enumerate().all(|(at, row)| row["depth"] == at));
    rows.iter().map(|row| row["nodes"].as_u64().unwrap()).collect()
}

#[test]
fn counts_after_every_opening_and_after_some() {
    // Twelve pairs; after a corner one move, after the others one or two.
    assert_eq!(counts(&["4x4", "--depth", "3"]), [12, 16, 52, 120]);
    let one = counts(&["4x4", "--depth", "3", "--opening", "a4:a3"]);
    assert_eq!(one, counts(&["--position", ".oxo/.xox/xoxo/oxox", "--turn", "x", "--depth", "3"]));
    let both = counts(&["4x4", "--depth", "3", "--opening", "a4:a3", "--opening", "a4:b4"]);
    assert_eq!(both, one.iter().map(|count| 2 * count).collect::<Vec<_>>());
    assert_eq!(counts(&["4x4", "--depth", "0", "--first-removal", "any", "--second-removal", "any"]), [64]);
}

#[test]
fn the_slow_twin_agrees() {
    for args in
        [&["5x5", "--depth", "4"][..], &["3x7", "--first-removal", "any", "--depth", "4"], &["9x8", "--depth", "2"]]
    {
        assert_eq!(counts(args), counts(&[args, &["--reference"]].concat()), "{args:?}");
    }
    // One word, two words, wide.
    for position in ["xo.ox.xo", "xo.ox.xo/........"] {
        let rows = format!("{position}{}", "/........".repeat(14));
        let args = ["--position", &rows, "--turn", "x", "--depth", "4"];
        assert_eq!(counts(&args), counts(&[&args[..], &["--reference"]].concat()), "{rows}");
    }
    assert_eq!(counts(&["20x20", "--depth", "2"]), counts(&["20x20", "--depth", "2", "--reference"]));
}

#[test]
fn divide_adds_up() {
    let object = json(&["perft", "5x5", "--opening", "c3:c4", "--depth", "4", "--divide", "--format", "json"]);
    assert_eq!(keys(&object), ["game", "board", "rules", "roots", "depths", "divide", "stopped"]);
    let rows = object["divide"].as_array().unwrap();
    let sum: u64 = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
    assert_eq!(json!(sum), object["depths"][4]["nodes"]);
    assert_eq!(json!(rows.len()), object["depths"][1]["nodes"]);
    let csv = answer(&["perft", "5x5", "--opening", "c3:c4", "--depth", "4", "--divide", "--format", "csv"]);
    assert_eq!(csv.lines().count(), rows.len() + 1);
    let text = answer(&["perft", "5x5", "--opening", "c3:c4", "--depth", "1", "--divide", "--reference"]);
    for mv in ["a3-c3", "e3-c3", "c1-c3"] {
        assert!(text.contains(&format!("\n  {mv}      1\n")), "{text}");
    }
}

#[test]
fn text_and_csv() {
    let text = answer(&["perft", "4x4", "--depth", "2"]);
    assert!(text.starts_with(
        "4x4: Black on the top-left cell, first removal corner-or-centre, second removal adjacent; \
         positions after an opening: 12\n\n  depth  nodes  seconds\n      0     12    "
    ));
    let csv = answer(&["perft", "--position", "..ox", "--turn", "x", "--depth", "2", "--format", "csv"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["depth", "nodes", "seconds"]);
    let counts: Vec<_> = rows[1..].iter().map(|row| row[..2].join(" ")).collect();
    assert_eq!(counts, ["0 1", "1 1", "2 0"]);
}

#[test]
fn a_position_names_itself() {
    let object = json(&["perft", "--position", "..ox x", "--depth", "1", "--format", "json"]);
    assert_eq!(keys(&object), ["game", "position", "turn", "roots", "depths", "stopped"]);
    assert_eq!((&object["position"], &object["turn"]), (&json!("..ox"), &json!("x")));
}

#[test]
fn the_time_limit_leaves_unknown_and_ends_with_3() {
    let said = run(&["perft", "8x8", "--depth", "60", "--time-limit", "300ms", "--format", "json"]);
    assert_eq!(said.code, Some(3), "{}", said.err);
    // The first depth that is not counted, and no more of them.
    assert!(said.out.contains(r#""nodes":null,"#) && said.out.contains(r#""stopped":"time-limit""#), "{}", said.out);
    assert_eq!(said.out.matches("null").count(), 1, "{}", said.out);
    assert!(said.err.starts_with("note: stopped at the time limit: depths "), "{}", said.err);
    assert!(said.err.ends_with(" to 60 are not counted\n"), "{}", said.err);
    let said = run(&["perft", "8x8", "--depth", "60", "--time-limit", "100ms", "--quiet", "--format", "csv"]);
    assert_eq!((said.code, said.err.as_str()), (Some(3), ""));
    assert_eq!(said.out.matches(",unknown,").count(), 1, "{}", said.out);
    let text = run(&["perft", "8x8", "--depth", "60", "--time-limit", "100ms"]).out;
    assert!(text.matches("unknown").count() == 1 && text.ends_with("\nNot counted further: time-limit.\n"), "{text}");
}

#[test]
fn the_slow_twin_stops_within_a_first_move() {
    let args = ["perft", "8x8", "--opening", "a8:b8", "--depth", "40", "--reference", "--time-limit", "300ms"];
    let started = std::time::Instant::now();
    let said = run(&args);
    assert_eq!(said.code, Some(3), "{}", said.err);
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn an_opening_named_twice_counts_once() {
    let once = counts(&["4x4", "--depth", "3", "--opening", "a4:a3"]);
    assert_eq!(counts(&["4x4", "--depth", "3", "--opening", "a4:a3", "--opening", "a4:a3"]), once);
    let csv = answer(&["solve", "4x4", "--opening", "a4:a3", "--opening", "a4:a3", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 2, "{csv}");
}
