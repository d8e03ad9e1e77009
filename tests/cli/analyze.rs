//! `papamu analyze`: every option, every refusal.

use serde_json::{Value, json};

use super::support::{answer, json, keys, refused, run, run_with_input};

const POSITION: &str = ".oxo/.xox/xoxo/oxox x";

#[test]
fn json_has_the_promised_keys() {
    let object = json(&["analyze", POSITION, "--format", "json"]);
    assert_eq!(keys(&object)[..6], ["game", "position", "turn", "winner", "remoteness", "moves"]);
    assert_eq!((&object["winner"], &object["remoteness"]), (&json!("white"), &json!(4)));
    let moves = json!([{"move": "c4-a4", "winner": "white", "remoteness": 4, "reply": "c3-a3", "guess": null}]);
    assert_eq!(object["moves"], moves);
    assert_eq!(object["line"], json!(["c4-a4", "c3-a3", "b1-b3", "c1-c3"]));
    assert_eq!(object["line_complete"], json!(true));
}

#[test]
fn a_position_may_be_given_in_several_ways() {
    let moves = |args: &[&str]| json(&[&["analyze", "--format", "json"], args].concat())["moves"].clone();
    let expected = moves(&[POSITION]);
    assert_eq!(moves(&[".oxo/.xox/xoxo/oxox", "--turn", "black"]), expected);
    assert_eq!(moves(&["--game", "4x4 a4 a3"]), expected);
    assert_eq!(moves(&["--board", "4x4", "--moves", "a4 a3"]), expected);
    let white = moves(&["--board", "4x4", "--top-left", "white", "--moves", "a1 a2"]);
    assert_eq!(white[0]["move"], "c1-a1");
    let any = json(&["analyze", "--game", "4x4 first-removal=any b3", "--format", "json"]);
    assert_eq!(any["turn"], "o");
    assert_eq!(any["moves"].as_array().unwrap().len(), 4);
    let start = json(&["analyze", "--board", "5x5", "--moves", "", "--format", "json"]);
    assert_eq!((&start["winner"], start["moves"].as_array().unwrap().len()), (&json!("black"), 5));
    assert_eq!(start["line_complete"], json!(true));
}

#[test]
fn text_marks_moves_by_letters_and_by_colours_only_on_a_terminal() {
    let text = answer(&["analyze", POSITION]);
    for part in [
        "  4  - o x o\n",
        "Best move to a cell: + wins, - loses, ? unknown",
        "White wins in 4 plies, Black (x) to move.",
        "  c4-a4  white       4  c3-a3\n",
        "Best line: c4-a4 c3-a3 b1-b3 c1-c3\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.contains('\u{1b}'), "{text}");
    let over = answer(&["analyze", "x.. o"]);
    assert!(over.contains("White cannot move: Black has won.\n"), "{over}");
}

#[test]
fn parts_are_named_with_their_values() {
    let object = json(&["analyze", "......ox/......../.xo..... x", "--format", "json"]);
    assert_eq!((&object["value"], object["parts"].as_array().unwrap().len()), (&json!("1*"), 2));
    let values: Vec<&Value> = object["parts"].as_array().unwrap().iter().map(|part| &part["value"]).collect();
    assert_eq!(values, [&json!("1"), &json!("*")]);
    let text = answer(&["analyze", "......ox/......../.xo..... x"]);
    assert!(text.contains("2 parts of their own, together worth 1*:\n"), "{text}");
}

#[test]
fn csv_has_a_row_for_each_move() {
    let csv = answer(&["analyze", "--board", "5x5", "--moves", "c3 b3", "--format", "csv"]);
    assert!(csv.starts_with("position,turn,move,winner,remoteness,reply\n"), "{csv}");
    assert!(csv.contains("xoxox/oxoxo/x..ox/oxoxo/xoxox,x,e3-c3,black,13,b5-b3\n"), "{csv}");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn lists_are_answered_line_by_line() {
    let list = format!("# two\n{POSITION}\n\n..ox x  # the second\n");
    let said = run_with_input(&["analyze", "--positions", "-", "--format", "json"], list.as_bytes());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let winners: Vec<Value> = said.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    assert_eq!(winners.iter().map(|object| &object["winner"]).collect::<Vec<_>>(), [&json!("white"), &json!("black")]);
    let said = run_with_input(&["analyze", "--positions", "-", "--turn", "o"], b"..ox\nx?\n");
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("standard input, line 2: `?` in row 1"), "{}", said.err);
}

#[test]
fn limits_leave_unknown_moves_with_a_guess_apart() {
    let args = ["analyze", "--game", "8x8 d5 e5", "--node-limit", "1000", "--threads", "1", "--memory", "256MiB"];
    let said = run(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(said.code, Some(3), "{said:?}");
    assert_eq!(said.err, "note: stopped at the node limit: who wins is not known of 3 moves\n");
    let object: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&object["winner"], &object["remoteness"]), (&json!("unknown"), &Value::Null));
    assert_eq!(object["stopped"], "node-limit");
    for row in object["moves"].as_array().unwrap() {
        assert_eq!(
            (&row["winner"], &row["remoteness"], &row["reply"]),
            (&json!("unknown"), &Value::Null, &Value::Null)
        );
        assert_eq!(keys(&row["guess"]), ["winner", "reply", "ahead", "depth"]);
    }
    let text = run(&args).out;
    assert!(text.contains("guess (not proved)") && text.contains("Who wins is unknown"), "{text}");
    assert!(run(&[&args[..], &["--quiet"]].concat()).err.is_empty());
}

#[test]
fn winners_only_does_not_ask_how_soon() {
    let object = json(&["analyze", POSITION, "--winners-only", "--format", "json"]);
    assert_eq!((&object["winner"], &object["moves"][0]["remoteness"]), (&json!("white"), &Value::Null));
    let args = ["analyze", "--board", "6x6", "--moves", "a6 b6", "--node-limit", "400000", "--threads", "1"];
    let said = run(&args);
    assert_eq!((said.code, said.err.lines().count()), (Some(3), 1), "{said:?}");
    assert!(said.err.contains("how soon the game ends is not known of 1 move\n"), "{}", said.err);
    assert!(said.out.contains("White wins, Black (x) to move."), "{}", said.out);
}

#[test]
fn pictures_say_it_with_signs_and_colours() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    answer(&["analyze", POSITION, "--svg", &file("analysis")]);
    answer(&["solve", "4x4", "--svg", &file("board"), "--quiet"]);
    answer(&["solve", "--position", POSITION, "--svg", &file("position")]);
    let picture = |name: &str| std::fs::read_to_string(file(name)).unwrap();
    for (name, title, signs) in [
        ("analysis", "Black to move, White wins in 4 plies", 4),
        ("board", "4x4: White wins; after Black&#39;s first removal:", 7),
        ("position", "Black to move, White wins", 0),
    ] {
        let svg = picture(name);
        let title = title.replace("&#39;", "'");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains(&format!("<title>{title}</title>")), "{svg}");
        assert!(svg.contains("<desc>Kōnane 4x4"), "{svg}");
        assert_eq!(svg.matches("font-weight=\"bold\"").count(), signs, "{svg}");
        // Stones of 14 places that are taken, or all 16.
        assert_eq!(svg.matches("stroke=\"#222\"").count(), if name == "board" { 16 } else { 14 }, "{svg}");
    }
}

#[test]
fn wrong_input_says_what_is_wrong() {
    refused(&["analyze"], &["expected a POSITION, or --game GAME, or --board RxC --moves MOVES, or --positions FILE"]);
    refused(&["analyze", "xx. x"], &["POSITION", "b1: a Black stone on a White cell"]);
    refused(&["analyze", "xo."], &["side to move is missing"]);
    refused(&["analyze", "--board", "4x4"], &["--moves"]);
    refused(&["analyze", "--moves", "a4"], &["--board"]);
    refused(&["analyze", "--game", "a4 a3"], &["--game", "the board is missing"]);
    refused(&["analyze", "--game", "4x4 a4 a3 c4-c2"], &["move 3: c4-c2: c2 is not empty; legal from c4: c4-a4"]);
    refused(&["analyze", "--board", "4x4", "--moves", "a4 c4"], &["--moves", "move 2: c4 is a Black cell"]);
    refused(&["analyze", "--board", "4x4", "--moves", "5x5 c3"], &["the game is on 5x5: expected 4x4"]);
    refused(&["analyze", POSITION, "--game", "4x4"], &["cannot be used with"]);
    refused(&["analyze", POSITION, "--memory", "1"], &["--memory", "too small"]);
    refused(&["analyze", POSITION, "--svg", "no/such/folder/x"], &["--svg no/such/folder/x", "cannot write there"]);
    refused(&["analyze", "--positions", "no-such-file"], &["--positions: cannot read no-such-file"]);
}
