//! `papamu play`: every option, every order, every refusal.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;

use super::support::{PATIENCE, answer, json, keys, listening, program, read_until, refused, run_with_input, signal};

/// Two people play what is typed.
fn two(board: &str, typed: &str) -> String {
    let args = ["play", board, "--white", "human", "--plain", "--think", "50ms", "--memory", "128MiB"];
    let said = run_with_input(&args, typed.as_bytes());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    said.out
}

#[test]
fn two_people_play_in_lines() {
    assert_eq!(two("4x4", "a4\na3\nc4-a4\n"), "1. a4\n2. a3\n3. c4-a4\nstopped after 3 plies\n");
    let whole = "a4\na3\nc4-a4\nc3-a3\nb1-b3\nc1-c3\n";
    assert!(two("4x4", whole).ends_with("6. c1-c3\nWhite wins after 6 plies: Black cannot move\n"));
}

#[test]
fn moves_are_typed_whole_by_their_beginning_or_by_number() {
    assert!(two("4x4", "a4\na3\nc4\n").contains("3. c4-a4\n"));
    assert!(two("4x4", "1\n2\n1\n").contains("1. a4\n2. a3\n3. c4-a4\n"));
    let out = two("5x5", "c3\nb3\nc\n9\nmoves\n");
    assert!(out.contains("error: `c` may be c5-c3 or c1-c3\n"), "{out}");
    assert!(out.contains("error: there is no move 9: expected 1 to 3\n"), "{out}");
    assert!(out.contains("1: e3-c3  2: c5-c3  3: c1-c3\n"), "{out}");
}

#[test]
fn an_illegal_move_names_the_rule_and_what_would_be_legal() {
    let out = two("4x4", "b4\na3-a1\na4\na2\na3\nc4-c2\nb1-b3\nd4-b4\nnonsense\n");
    for part in [
        "error: b4 is a White cell: Black removes an own stone",
        "error: a removal is one cell: `a3-a1` is not a cell",
        "error: a2 is a Black cell",
        "error: c4-c2: c2 is not empty; legal from c4: c4-a4\n",
        "error: b1-b3: b3 is not empty; no move of b1 is legal\n",
        "error: d4-b4: the stone on d4 is not Black's, who is to move; legal moves: c4-a4\n",
        "error: `nonsense` is not a move: expected FROM-TO, such as c3-c5; `help` tells what can be typed\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(out.ends_with("stopped after 2 plies\n"), "{out}");
}

#[test]
fn orders_show_undo_hint_and_resign() {
    let out = two("4x4", "board\nthreats\na4\nundo\nundo\na4\na3\nthreats\nhint\nhelp\nundo\nb4\nresign\n");
    for part in [
        "xoxo/oxox/xoxo/oxox x\n",
        "there are no jumps before both removals\n",
        "back to ply 0\n",
        "error: nothing to take back\n",
        "White threatens c3-a3 takes b3, a1-a3 takes a2\n",
        "c4-a4 (the only move, 0.00 s)\n",
        "undo: take back",
        "back to ply 1\n",
        "Black resigns\nWhite wins after 2 plies: Black resigned\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let out = two("5x5", "c3\nb3\ne3-c3\nhint\nthreats\n");
    assert!(out.contains("(proved: Black wins, 0.0") && out.contains("Black threatens "), "{out}");
}

#[test]
fn a_game_is_saved_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (game, end) = (file("game"), file("end"));
    let args = ["play", "4x4", "--white", "human", "--plain", "--first-removal", "any", "--save", &end];
    let said = run_with_input(&args, format!("a4\na3\nsave {game}\nsave no/such/folder/x\nsave\nquit\n").as_bytes());
    assert_eq!(said.code, Some(0));
    assert!(
        said.out.contains(&format!("saved {game}\n")) && said.out.contains("error: expected `save FILE`"),
        "{said:?}"
    );
    assert!(said.out.contains("error: save no/such/folder/x: cannot write there"), "{said:?}");
    let text = "4x4 first-removal=any a4 a3\n";
    assert_eq!(
        (std::fs::read_to_string(&game).unwrap(), std::fs::read_to_string(&end).unwrap()),
        (text.into(), text.into())
    );
    let said = run_with_input(&["play", "--load", &game, "--white", "human", "--plain"], b"c4-a4\n");
    assert_eq!(said.out, "3. c4-a4\nstopped after 3 plies\n");
    // A saved game is one that can be annotated.
    assert!(answer(&["annotate", "--games", &game]).contains("first removal any"));
    let out = two("4x4", &format!("load {game}\nload no-such-file\n"));
    assert!(out.contains("start with --load\n") && out.contains("cannot read no-such-file"), "{out}");
    let out = two("4x4", &format!("a4\nsave {game}\na3\nload {game}\nmoves\n"));
    assert!(out.contains(&format!("loaded {game}\n1: b4  2: a3\n")), "{out}");
    std::fs::write(&game, "4x4 a4\n4x4 a4 a3\n").unwrap();
    refused(&["play", "--load", &game], &["expected one game, found 2"]);
    std::fs::write(&game, "4x4 a4 a4\n").unwrap();
    refused(&["play", "--load", &game], &["line 1: move 2: a4 is a Black cell"]);
}

#[test]
fn engines_play_to_the_end() {
    for (board, black, white) in [
        ("4x4", "engine", "engine"),
        ("5x6", "engine", "one-ply"),
        ("6x6", "four-ply", "random"),
        ("9x9", "engine", "random"),
    ] {
        let args = [
            "play", board, "--black", black, "--white", white, "--think", "10ms", "--memory", "128MiB", "--format",
            "json",
        ];
        let object = json(&args);
        assert_eq!(keys(&object), ["game", "record", "winner", "resigned", "plies", "players", "seconds", "version"],);
        assert!(object["winner"].is_string() && object["resigned"] == json!(false), "{object}");
        assert_eq!(object["players"], json!([black, white]));
        let record = object["record"].as_str().unwrap();
        assert_eq!(object["plies"].as_u64().unwrap() as usize, record.split(' ').count() - 1);
        if board == "4x4" {
            let found = json(&["annotate", record, "--format", "json"]);
            assert_eq!((&found["result"], &found["winner"]), (&object["winner"], &object["winner"]));
        }
    }
}

#[test]
fn chance_is_repeated_by_its_seed_and_a_game_stops_where_it_is_told() {
    let game = |seed: &str| {
        let args =
            ["play", "8x8", "--black", "random", "--white", "one-ply", "--seed", seed, "--plies", "9", "--plain"];
        answer(&args)
    };
    assert_eq!(game("5"), game("5"));
    assert_ne!(game("5"), game("6"));
    assert!(game("5").ends_with("stopped after 9 plies\n"));
}

#[test]
fn a_game_begins_after_given_moves_at_a_level() {
    let args = ["play", "4x4", "--moves", "a4 a3", "--black", "engine", "--level", "quick", "--plies", "3"];
    let out = answer(&args);
    assert!(out.starts_with("4x4: Black on the top-left cell, "), "{out}");
    assert!(out.contains("Black (x): engine, 200ms a move; White (o): engine, 200ms a move\n"), "{out}");
    assert!(out.contains("3. c4-a4  (the only move, 0.00 s)\n\n  4  x . . o\n"), "{out}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_the_game_while_a_person_or_the_engine_thinks() {
    for (name, player, board) in [("INT", "human", "4x4"), ("HUP", "human", "4x4"), ("TERM", "engine", "8x8")] {
        let folder = tempfile::tempdir().unwrap();
        let args = ["play", board, "--black", player, "--think", "1h", "--plain"];
        let moves: &[&str] = if player == "engine" { &["--moves", "d5 e5"] } else { &["--white", "human"] };
        let mut command = program(&[&args[..], moves].concat());
        let mut child = listening(command.current_dir(folder.path()).stdin(Stdio::piped()));
        let mut input = child.stdin.take().unwrap();
        if player == "human" {
            input.write_all(b"a4\na3\n").unwrap();
            read_until(&mut child, "\n2. a3\n");
        }
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{name} {err}");
        let file = format!("konane-{board}.game");
        assert_eq!(err, format!("note: the game is saved: go on with --load {file}\n"), "{name}");
        let saved = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert_eq!(saved, if board == "8x8" { "8x8 d5 e5\n" } else { "4x4 a4 a3\n" }, "{name}");
        drop(input);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_takes_no_more_text_saves_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "4x4", "--white", "human", "--plain"];
    let mut child = program(&args)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"a4\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("the game is saved") && err.contains("cannot write to standard output"), "{err}");
    assert_eq!(std::fs::read_to_string(folder.path().join("konane-4x4.game")).unwrap(), "4x4 a4\n");
}

#[test]
fn wrong_input_says_what_is_wrong() {
    refused(&["play"], &["RxC"]);
    refused(&["play", "0x4"], &["`0x4` is not a board size"]);
    refused(&["play", "4x4", "--black", "nobody"], &["human, engine, random, one-ply, four-ply"]);
    refused(&["play", "4x4", "--level", "slow"], &["blitz, quick, normal, strong, patient"]);
    refused(&["play", "4x4", "--think", "1"], &["--think", "expected a number with a unit"]);
    refused(&["play", "4x4", "--level", "quick", "--think", "1s"], &["cannot be used with"]);
    refused(
        &["play", "4x4", "--moves", "a4 a3 c4-c2"],
        &["--moves: move 3: c4-c2: c2 is not empty; legal from c4: c4-a4"],
    );
    refused(&["play", "4x4", "--save", "no/such/folder/x"], &["--save no/such/folder/x: cannot write there"]);
    refused(&["play", "4x4", "--save", "-"], &["--save: expected the name of a file"]);
    refused(&["play", "4x4", "--load", "x"], &["cannot be used with"]);
    refused(&["play", "--load", "no-such-file"], &["--load: cannot read no-such-file"]);
    refused(&["play", "5x5", "--top-left", "white"], &["5x5", "--first-removal any"]);
    refused(&["play", "4x4", "--memory", "1"], &["--memory", "too small"]);
    refused(&["play", "4x4", "--format", "csv"], &["text, json"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_heard_while_a_removal_is_thought_about() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "8x8", "--black", "engine", "--think", "1h", "--plain", "--quiet"];
    let child = listening(program(&args).current_dir(folder.path()));
    // So that it thinks.
    std::thread::sleep(Duration::from_millis(500));
    let started = std::time::Instant::now();
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(3), &b""[..]));
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn errors_name_what_was_typed() {
    let out = two("4x4", "a4\na3\na4\nb4\na2\nj9\n");
    for part in
        ["a4 is empty;", "b4 has a stone of White;", "a2 has a stone that cannot move;", "j9 is not on the board;"]
    {
        assert!(out.contains(&format!("error: {part} `moves`")), "{out}");
    }
    let out = two("4x4", "load no-such-file\n");
    assert!(out.contains("error: load: cannot read no-such-file"), "{out}");
    refused(&["play", "6x6", "--memory", "1"], &["--memory", "a memory cap of 1 B"]);
}
