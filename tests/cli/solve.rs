//! `papamu solve RxC`.

use std::fs;

use serde_json::{Value, json};

use super::support::{PATIENCE, answer, json, keys, program, run};

#[test]
fn json_of_4x4() {
    let object = json(&["solve", "4x4", "--format", "json", "--threads", "1"]);
    let expected = ["game", "board", "rules", "winner", "removals", "openings", "threads", "version"];
    assert_eq!(keys(&object)[..8], expected);
    assert_eq!(keys(&object)[8..], ["engine", "nodes", "seconds", "stopped", "table_bytes", "table_fill"]);
    assert_eq!(object["game"], "konane");
    assert_eq!(object["board"], "4x4");
    assert_eq!(
        object["rules"],
        json!({"top_left": "black", "first_removal": "corner-or-centre", "second_removal": "adjacent"})
    );
    assert_eq!(object["winner"], "white");
    assert_eq!(
        object["removals"],
        json!([
            {"black": "a4", "winner": "white", "winning_replies": ["b4", "a3"]},
            {"black": "b3", "winner": "white", "winning_replies": ["c3", "b2"]},
            {"black": "c2", "winner": "white", "winning_replies": ["c3", "b2"]},
            {"black": "d1", "winner": "white", "winning_replies": ["d2", "c1"]},
        ])
    );
    assert_eq!(object["threads"], 1);
    assert_eq!(object["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&object["engine"], &object["stopped"]), (&json!("pn"), &Value::Null));
    let openings = object["openings"].as_array().unwrap();
    assert_eq!(openings.len(), 12);
    for row in openings {
        assert_eq!(keys(row), ["black", "white", "winner", "nodes", "seconds"]);
        assert!(row["nodes"].as_u64().unwrap() > 0 && row["seconds"].as_f64().unwrap() >= 0.0);
    }
    // Symmetric openings are searched once.
    assert_eq!(openings[0]["nodes"], openings[1]["nodes"]);
}

#[test]
fn json_of_5x5() {
    let object = json(&["solve", "5x5", "--format", "json"]);
    assert_eq!(object["winner"], "black");
    let removals = object["removals"].as_array().unwrap();
    let cells: Vec<_> = removals.iter().map(|row| row["black"].as_str().unwrap()).collect();
    assert_eq!(cells, ["a5", "e5", "c3", "a1", "e1"]);
    assert!(removals.iter().all(|row| row["winner"] == "black" && row["winning_replies"] == json!([])));
    assert_eq!(object["openings"].as_array().unwrap().len(), 12);
}

#[test]
fn rules_are_applied_and_named() {
    let args = ["--first-removal", "any", "--second-removal", "any", "--top-left", "white", "--format", "json"];
    let object = json(&[&["solve", "3x3"][..], &args].concat());
    assert_eq!(object["rules"], json!({"top_left": "white", "first_removal": "any", "second_removal": "any"}));
    // Four Black stones, five White ones.
    assert_eq!(object["removals"].as_array().unwrap().len(), 4);
    assert_eq!(object["openings"].as_array().unwrap().len(), 20);
    let removals = |rule| {
        let object = json(&["solve", "4x4", "--first-removal", rule, "--format", "json"]);
        let rows = object["removals"].as_array().unwrap().clone();
        rows.iter().map(|row| row["black"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(removals("corner"), ["a4", "d1"]);
    assert_eq!(removals("centre"), ["b3", "c2"]);
    assert_eq!(removals("any").len(), 8);
}

#[test]
fn one_opening_leaves_the_rest_unknown() {
    let args = ["solve", "4x4", "--opening", "b3:b4", "--opening", "a4:b4", "--format", "json"];
    let object = json(&args);
    let rows = object["openings"].as_array().unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (&row["black"], &row["white"], &row["winner"])).collect();
    assert_eq!(rows[0], (&json!("b3"), &json!("b4"), &json!("black")));
    assert_eq!(rows[1], (&json!("a4"), &json!("b4"), &json!("white")));
    let winner = |cell: &str| {
        let removals = object["removals"].as_array().unwrap();
        removals.iter().find(|row| row["black"] == cell).unwrap()["winner"].clone()
    };
    // One winning reply settles a4; one losing reply of four settles nothing.
    assert_eq!((winner("a4"), winner("b3")), (json!("white"), json!("unknown")));
    assert_eq!(object["winner"], "unknown");
}

#[test]
fn decide_answers_removals_and_game() {
    let object = json(&["solve", "4x4", "--decide", "--format", "json"]);
    assert_eq!(object["winner"], "white");
    assert!(object["removals"].as_array().unwrap().iter().all(|row| row["winner"] == "white"));
    assert_eq!(
        json(&["solve", "4x5", "--decide", "--format", "json"])["winner"],
        json(&["solve", "4x5", "--format", "json"])["winner"]
    );
}

#[test]
fn engines_agree() {
    let winners = |engine| {
        let object = json(&["solve", "4x4", "--first-removal", "any", "--engine", engine, "--format", "json"]);
        assert_eq!(object["engine"], engine);
        let rows = object["openings"].as_array().unwrap().clone();
        rows.iter().map(|row| row["winner"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(winners("pn"), winners("alpha-beta"));
}

#[test]
fn text_shows_diagram_tables_and_conclusion() {
    let text = answer(&["solve", "4x4"]);
    let diagram = "  4  W o x o\n  3  o W o x\n  2  x o W o\n  1  o x o W\n     a b c d\n";
    assert!(text.contains(diagram), "{text}");
    assert!(text.contains("B Black wins, W White wins, ? unknown"), "{text}");
    assert!(text.contains("  a4       white   b4, a3\n"), "{text}");
    assert!(text.contains("\n  b3:b4    black"), "{text}");
    assert!(text.contains(
        "\nWhite wins 4x4 (Black on the top-left cell, first removal corner-or-centre, second removal adjacent).\n"
    ));
    assert!(!text.contains('\u{1b}'), "colours on a pipe: {text:?}");
    let text = answer(&["solve", "3x3"]);
    assert!(text.contains("3x3 (Black on the top-left cell"), "{text}");
}

#[test]
fn text_of_the_smallest_boards() {
    let text = answer(&["solve", "1x1"]);
    assert!(text.contains("  1  B\n     a\n"), "{text}");
    assert!(text.contains("Black wins 1x1") && text.contains("by removing a1 first."), "{text}");
    let text = answer(&["solve", "1x2"]);
    assert!(text.contains("  1  W o\n     a b\n"), "{text}");
}

#[test]
fn csv_has_one_row_for_each_opening() {
    let text = answer(&["solve", "4x4", "--format", "csv"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let header = "board,top_left,first_removal,second_removal,black,white,winner,nodes,seconds";
    assert_eq!(rows[0].join(","), header);
    assert_eq!(rows.len(), 13);
    assert_eq!(rows[1][..7], ["4x4", "black", "corner-or-centre", "adjacent", "a4", "b4", "white"]);
    assert!(
        rows[1..].iter().all(|row| row.len() == 9 && row[7].parse::<u64>().is_ok() && row[8].parse::<f64>().is_ok())
    );
}

#[test]
fn the_node_limit_leaves_unknown_and_ends_with_3() {
    for format in ["text", "json", "csv"] {
        let said = run(&["solve", "7x7", "--node-limit", "1000", "--format", format]);
        assert_eq!(said.code, Some(3), "{said:?}");
        assert!(said.out.contains("unknown"), "{said:?}");
        assert!(said.err.starts_with("note: stopped at the node limit: "), "{said:?}");
    }
    let said = run(&["solve", "7x7", "--node-limit", "1000", "--format", "json", "--quiet"]);
    assert_eq!((said.code, said.err.as_str()), (Some(3), ""));
    let object: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&object["winner"], &object["stopped"]), (&json!("unknown"), &json!("node-limit")));
    assert!(object["nodes"].as_u64().unwrap() <= 1000);
}

#[test]
fn the_time_limit_ends_with_3() {
    let started = std::time::Instant::now();
    let said = run(&["solve", "8x8", "--time-limit", "300ms", "--format", "json", "--memory", "64MiB"]);
    assert!(started.elapsed() < PATIENCE);
    assert_eq!(said.code, Some(3), "{said:?}");
    let object: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&object["winner"], &object["stopped"]), (&json!("unknown"), &json!("time-limit")));
}

#[test]
fn output_goes_to_the_file_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answer.json");
    fs::write(&path, "old").unwrap();
    let name = path.to_string_lossy().into_owned();
    assert_eq!(answer(&["solve", "4x4", "--format", "json", "--output", &name]), "");
    let object: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(object["winner"], "white");
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    // A bare name means the current folder; what was proved is kept when a limit is reached.
    let status =
        program(&["solve", "7x7", "--node-limit", "10", "-o", "part", "-q"]).current_dir(folder.path()).status();
    assert_eq!(status.unwrap().code(), Some(3));
    assert!(fs::read_to_string(folder.path().join("part")).unwrap().contains("unknown"));
    assert!(answer(&["solve", "3x3", "-o", "-"]).contains("3x3"));
}

#[cfg(unix)]
#[test]
fn output_respects_links_rights_and_devices() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &link).unwrap();
    answer(&["solve", "3x3", "-o", &link.to_string_lossy()]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("3x3"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    answer(&["solve", "3x3", "-o", "/dev/null"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn the_picture_and_the_results_are_different_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x").to_string_lossy().into_owned();
    for args in [&["solve", "4x4"][..], &["solve", "--position", "..ox x"], &["analyze", "..ox x"], &["value", "..ox"]]
    {
        super::support::refused(&[args, &["--svg", &file, "-o", &file]].concat(), &["--svg", "another file"]);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
