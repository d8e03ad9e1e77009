//! `papamu solve --position` and `--positions`.

use std::fs;

use serde_json::{Value, json};

use super::support::{answer, json, keys, run, run_with_input};

const POSITION: &str = ".oxo/.xox/xoxo/oxox";

/// Plays the line and gives who could not move at its end.
fn loser(position: &Value, turn: &str, line: &Value) -> papamu::konane::Side {
    let text = format!("{} {turn}", position.as_str().unwrap());
    let start: papamu::konane::Position = text.parse().unwrap();
    let end = line
        .as_array()
        .unwrap()
        .iter()
        .fold(start, |position, mv| position.play(mv.as_str().unwrap().parse().unwrap()).unwrap());
    assert!(end.moves().is_empty());
    end.turn()
}

#[test]
fn json_of_one_position() {
    let object = json(&["solve", "--position", POSITION, "--turn", "x", "--format", "json"]);
    assert_eq!(keys(&object), ["game", "position", "turn", "winner", "line", "nodes", "seconds", "line_complete"]);
    assert_eq!((&object["game"], &object["position"]), (&json!("konane"), &json!(POSITION)));
    assert_eq!((&object["turn"], &object["winner"]), (&json!("x"), &json!("white")));
    assert!(object["nodes"].as_u64().unwrap() > 0 && object["seconds"].is_number());
    assert_eq!(loser(&object["position"], "x", &object["line"]).name(), "black");
}

#[test]
fn the_side_to_move_may_stand_in_the_text_or_in_the_option() {
    for args in [
        &["--position", "..ox", "--turn", "black"][..],
        &["--position", "..ox x"],
        &["--position", "..ox x", "--turn", "x"],
    ] {
        let object = json(&[&["solve", "--format", "json"][..], args].concat());
        assert_eq!((&object["winner"], &object["line"]), (&json!("black"), &json!(["d1-b1"])));
    }
    // White cannot jump.
    let object = json(&["solve", "--format", "json", "--position", "..ox o"]);
    assert_eq!((&object["winner"], &object["line"]), (&json!("black"), &json!([])));
}

#[test]
fn text_of_one_position() {
    let text = answer(&["solve", "--position", POSITION, "--turn", "x"]);
    assert!(text.contains("  4  . o x o\n  3  . x o x\n  2  x o x o\n  1  o x o x\n     a b c d\n"), "{text}");
    assert!(text.contains("\nWhite wins, Black (x) to move.\nBest line: "), "{text}");
    let text = answer(&["solve", "--position", "..ox o"]);
    assert!(text.contains("Black wins, White (o) to move.\nWhite cannot move.\n"), "{text}");
}

#[test]
fn csv_of_one_position() {
    let text = answer(&["solve", "--position", "..ox x", "--format", "csv"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["position", "turn", "winner", "line", "nodes", "seconds"]);
    assert_eq!(rows[1][..4], ["..ox", "x", "black", "d1-b1"]);
    assert_eq!((rows.len(), rows[1].len()), (2, 6));
}

const LIST: &[u8] = b"\xef\xbb\xbf# a comment\n..ox x\r\n\n.oxo/.xox/xoxo/oxox  # another\nxo. o\n..xo x\n";

#[test]
fn a_list_gives_one_object_a_line_in_its_order() {
    for threads in ["1", "3"] {
        let args = ["solve", "--positions", "-", "--turn", "x", "--format", "json", "--threads", threads];
        let said = run_with_input(&args, &[LIST, b"# end"].concat());
        // Line 5 says `o` where --turn says `x`.
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{said:?}");
        assert!(said.err.contains("standard input, line 5"), "{said:?}");
        let list = String::from_utf8_lossy(LIST).replace("xo. o", "xo. x");
        let said = run_with_input(&args, list.as_bytes());
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
        let objects: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let winners: Vec<_> = objects.iter().map(|object| (&object["position"], &object["winner"])).collect();
        let expected = [("..ox", "black"), (POSITION, "white"), ("xo.", "black"), ("..xo", "white")];
        assert_eq!(winners.len(), expected.len());
        for (found, (position, winner)) in winners.into_iter().zip(expected) {
            assert_eq!(found, (&json!(position), &json!(winner)));
        }
    }
}

#[test]
fn many_positions_of_one_board_keep_their_order() {
    let mut list = String::new();
    let position: papamu::konane::Position = format!("{POSITION} x").parse().unwrap();
    let mut layer = vec![position];
    for _ in 0..4 {
        layer = layer.iter().flat_map(|at| at.moves().into_iter().map(|mv| at.play(mv).unwrap())).collect();
        list.extend(layer.iter().map(|at| format!("{at}\n")));
    }
    let said = run_with_input(&["solve", "--positions", "-", "--format", "csv", "--threads", "4"], list.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
    let found: Vec<String> =
        said.out.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(found, list.lines().collect::<Vec<_>>());
}

#[test]
fn a_list_from_a_file_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    fs::write(inside("list"), "..ox x\n..ox o\n").unwrap();
    assert_eq!(answer(&["solve", "--positions", &inside("list"), "--format", "csv", "-o", &inside("out")]), "");
    let text = fs::read_to_string(inside("out")).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains("\n..ox,x,black,d1-b1,") && text.contains("\n..ox,o,black,,"), "{text}");
}

#[test]
fn an_empty_list_has_an_empty_answer() {
    assert_eq!(answer(&["solve", "--positions", "-", "--format", "json"]), "");
    let header = "position,turn,winner,line,nodes,seconds\n";
    assert_eq!(answer(&["solve", "--positions", "-", "--format", "csv"]), header);
}

#[test]
fn what_a_limit_leaves_open_is_unknown() {
    let args = ["solve", "--positions", "-", "--format", "json", "--threads", "1", "--node-limit", "0"];
    let said = run_with_input(&args, format!("{POSITION} x\n{POSITION} o\n").as_bytes());
    assert_eq!(said.code, Some(3), "{said:?}");
    assert_eq!(said.out.matches(r#""winner":"unknown","line":[],"nodes":0"#).count(), 2, "{said:?}");
    assert_eq!(said.err, "note: stopped at the node limit: 2 of 2 positions not known\n");
    let said = run(&["solve", "--position", POSITION, "--turn", "x", "--time-limit", "0s"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains("Who wins is unknown, Black (x) to move."), "{said:?}");
}

#[test]
fn a_best_line_cut_short_by_a_limit_is_marked_and_counts_as_unanswered() {
    let position = ".oxoxo/.xoxox/xoxoxo/oxoxox/xoxoxo x";
    let solve = ["solve", "--position", position, "--threads", "1", "--memory", "64KiB"];
    let whole = json(&[&solve[..], &["--format", "json"]].concat());
    assert_eq!(whole["line_complete"], true);
    // The table is too small to remember the line, which takes nodes of its own; here one is missing.
    let limit = (whole["nodes"].as_u64().unwrap() - 1).to_string();
    let cut = run(&[&solve[..], &["--node-limit", &limit]].concat());
    assert!(cut.out.contains("White wins"), "{}", cut.out);
    assert_eq!(cut.code, Some(3), "{}", cut.out);
    assert!(cut.out.contains(" … (cut short)") && cut.err.contains("1 of 1 best lines cut short"), "{cut:?}");
}

#[test]
fn boards_in_turn_are_answered_in_the_order_of_the_list() {
    let list = "xo. x\nxo./ox. x\n".repeat(500);
    let said = run_with_input(&["solve", "--positions", "-", "--format", "csv"], list.as_bytes());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let rows: Vec<_> = said.out.lines().skip(1).collect();
    assert_eq!(rows.len(), 1000);
    assert!(rows.chunks(2).all(|pair| pair[0].starts_with("xo.,x,") && pair[1].starts_with("xo./ox.,x,")));
}
