//! `papamu annotate`: every option, every refusal.

use serde_json::{Value, json};

use super::support::{answer, json, keys, refused, run, run_with_input};

/// Black gives the game away at move 9.
const GAME: &str = "5x5 a5 a4 c5-a5 b3-b5 c3-c5 b1-b3 c1-c3 e4-c4 e1-c1 e2-c2";

#[test]
fn a_turn_that_gives_a_won_game_away_is_marked() {
    let text = answer(&["annotate", GAME]);
    assert!(text.contains("   9.  black  e1-c1  white   ?  d2-d4\n"), "{text}");
    for part in [
        "5x5: Black on the top-left cell, first removal corner-or-centre, second removal adjacent\n",
        "From the start Black wins with best play.\n",
        "gave it away once (9. e1-c1)",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let object = json(&["annotate", GAME, "--format", "json"]);
    assert_eq!(
        keys(&object)[..9],
        ["game", "board", "rules", "record", "result", "resigned", "winner", "moves", "players"]
    );
    assert_eq!((&object["record"], &object["winner"]), (&json!(GAME), &json!("black")));
    let row = json!({"ply": 9, "side": "black", "move": "e1-c1", "winner": "white", "verdict": "gave-away", "kept_by": ["d2-d4"]});
    assert_eq!(object["moves"][8], row);
    assert_eq!(object["players"]["black"]["gave_away"], json!(1));
    let last = json(&["annotate", GAME, "--from", "9", "--format", "json"]);
    assert_eq!((&last["moves"][0], last["moves"].as_array().unwrap().len()), (&row, 2));
    assert_eq!(last["winner"], "black");
    assert!(answer(&["annotate", GAME, "--from", "9"]).contains("From turn 9 on Black wins with best play.\n"));
    let csv = answer(&["annotate", GAME, "--format", "csv"]);
    assert!(csv.starts_with("game,ply,side,move,winner,verdict,kept_by\n1,1,black,a5,black,kept,\n"), "{csv}");
    assert!(csv.contains("\n1,9,black,e1-c1,white,gave-away,d2-d4\n"), "{csv}");
}

#[test]
fn several_games_come_from_a_file_or_standard_input() {
    let list = format!("# two games\n{GAME}\n4x4 a4 a3 resigns\n");
    let said = run_with_input(&["annotate", "--games", "-"], list.as_bytes());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.starts_with("Game 1: 5x5: ") && said.out.contains("\nGame 2: 4x4: "), "{}", said.out);
    assert!(said.out.contains("White has won: Black resigned.\n"), "{}", said.out);
    let said = run_with_input(&["annotate", "--games", "-", "--format", "json"], list.as_bytes());
    let last: Value = serde_json::from_str(said.out.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&last["result"], &last["resigned"]), (&json!("white"), &json!(true)));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games").to_string_lossy().into_owned();
    std::fs::write(&file, "a4 a3 c4-a4\nb4 b3\n").unwrap();
    let args = ["annotate", "--games", &file, "--board", "4x4", "--first-removal", "any"];
    refused(&args, &["line 2: move 1: b4 is a White cell"]);
    std::fs::write(&file, "a4 a3 c4-a4\nb3 b2\n").unwrap();
    assert!(answer(&args).contains("\nGame 2: 4x4: Black on the top-left cell, first removal any, "));
    let none = run_with_input(&["annotate", "--games", "-"], b"# none\n");
    assert_eq!((none.code, none.err.as_str()), (Some(0), "note: --games: there are no games\n"));
}

#[test]
fn a_limit_leaves_the_beginning_open() {
    let game = "8x8 d5 e5 d7-d5";
    let args = ["annotate", game, "--node-limit", "20000", "--threads", "1", "--memory", "256MiB", "--format", "json"];
    let said = run(&args);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert_eq!(said.err, "note: stopped at the node limit: 1 of 1 game not known throughout\n");
    let object: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&object["winner"], &object["stopped"]), (&json!("unknown"), &json!("node-limit")));
    assert_eq!((&object["moves"][2]["winner"], &object["moves"][2]["verdict"]), (&json!("unknown"), &json!("unknown")));
}

#[test]
fn a_broken_record_names_the_move() {
    refused(&["annotate"], &["GAME"]);
    refused(&["annotate", "4x4 a4 a3 c4-a4 c3-c5"], &["GAME: move 4: c3-c5: c5 is not on the board"]);
    refused(&["annotate", "4x4 a4 a3 c4-a4 c3-a1"], &["move 4", "even number of cells", "legal from c3: c3-a3"]);
    refused(&["annotate", "4x4 a4 a3 b1-b3"], &["move 3: b1-b3: b3 is not empty; no move of b1 is legal"]);
    refused(&["annotate", "4x4 a4 a3 resigns c4-a4"], &["`c4-a4` after `resigns`"]);
    refused(&["annotate", "4x4 top=white a4"], &["`top=white` is not a rule of the game"]);
    refused(&["annotate", "4x4 first-removal=some a4"], &["`some` is not a rule for the first removal"]);
    refused(&["annotate", "a4 a3"], &["the board is missing: expected RxC before the moves, or --board RxC"]);
    refused(&["annotate", "0x4 a4"], &["`0x4` is not a board size"]);
    refused(&["annotate", "5x5 top-left=white a5"], &["first-removal any"]);
    refused(&["annotate", "4x4 a4", "--from", "0"], &["--from", "expected a whole number from 1"]);
    refused(&["annotate", "4x4 a4 a3", "--from", "3"], &["--from 3: the game has 2 turns"]);
    refused(&["annotate", "4x4 a4", "--games", "x"], &["cannot be used with"]);
    refused(&["annotate", "--games", "no-such-file"], &["--games: cannot read no-such-file"]);
}

#[test]
fn to_resign_a_won_game_gives_it_away() {
    let game = "5x5 c3 b3 e3-c3 b5-b3 resigns";
    let text = answer(&["annotate", game]);
    assert!(
        text.contains("5.  black  resigns  white   ?") && text.contains("gave it away once (5. resigns)"),
        "{text}"
    );
    let report = json(&["annotate", game, "--format", "json"]);
    let last = report["moves"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["move"], &last["verdict"]), (&json!("resigns"), &json!("gave-away")));
    assert_eq!(report["players"]["black"]["gave_away"], 1);
    let csv = answer(&["annotate", game, "--format", "csv"]);
    assert!(csv.lines().last().unwrap().ends_with(",5,black,resigns,white,gave-away,"), "{csv}");
}
