//! `papamu kota`: every command, every option, every refusal.

use std::fs;

use serde_json::{Value, json};

use super::support::{
    PATIENCE, answer, json, keys, listening, program, read_until, refused, run, run_with_input, signal,
};

const START: &str = "R:a1,b1,c1 W:c3,b3,a3 red";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_string_lossy().into_owned()
    }

    /// A table of three stones a side under the default rules.
    fn table(&self) -> String {
        let file = self.file("table");
        answer(&["kota", "table", "build", "3", "-o", &file, "--quiet"]);
        file
    }
}

/// What a run says that may print notes.
fn said(args: &[&str], code: i32) -> (String, String) {
    let said = run(args);
    assert_eq!(said.code, Some(code), "{args:?}: {said:?}");
    (said.out, said.err)
}

#[test]
fn solve_names_the_reading_and_counts() {
    let object = json(&["kota", "solve", "4", "--format", "json"]);
    assert_eq!(
        keys(&object)[..9],
        ["game", "n", "rules", "start", "open_positions", "wins", "losses", "draws", "deepest"]
    );
    let rules = json!({"board": "flat-columns", "own_stones": "group", "path": "simple", "stuck": "pass", "layout": "point",
        "reversed": false, "start": "red"});
    assert_eq!(keys(&object["rules"]), keys(&rules));
    assert_eq!((&object["rules"], &object["game"], &object["n"]), (&rules, &json!("kota"), &json!(4)));
    assert_eq!(object["start"], json!({"outcome": "draw", "depth": null}));
    let counts = ["open_positions", "wins", "losses", "draws", "deepest"].map(|key| object[key].as_u64().unwrap());
    assert_eq!(counts, [4_406_400, 1_227_316, 686_516, 2_492_568, 85]);
}

#[test]
fn every_option_changes_the_reading() {
    let options = "--board rhombus --own-stones each-has-neighbour --path walk --stuck loss --layout mirror --reversed --start white";
    let args: Vec<&str> = "kota solve 3 --format json".split(' ').chain(options.split(' ')).collect();
    let object = json(&args);
    let rules = json!({"board": "rhombus", "own_stones": "each-has-neighbour", "path": "walk", "stuck": "loss",
        "layout": "mirror", "reversed": true, "start": "white"});
    assert_eq!(object["rules"], rules);
    assert_eq!(object["position"], "R:c1,b1,a1 W:c3,b3,a3 white");
    let text = answer(&["kota", "solve", "3", "--board", "rhombus", "--stuck", "loss"]);
    assert!(
        text.starts_with(
            "KOTA 3: board rhombus, own stones group, path simple, stuck loss, layout point, Red starts\n"
        )
    );
    assert!(text.contains("Start: Red wins in 1 ply, Red to move.\nBest line: "), "{text}");
    let csv = answer(&["kota", "solve", "3", "--stuck", "loss", "--format", "csv"]);
    assert!(csv.contains("\n3,flat-columns group simple loss point red,win,5,4608,"), "{csv}");
}

#[test]
fn solve_stops_and_goes_on() {
    let folder = Folder::new();
    let (checkpoint, whole) = (folder.file("checkpoint"), ["kota", "solve", "4", "--format", "json"]);
    let args = [&whole[..], &["--checkpoint", &checkpoint]].concat();
    let (out, err) = said(&[&args[..], &["--time-limit", "1ms"]].concat(), 3);
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["stopped"], "time-limit");
    assert_eq!(object["start"], json!({"outcome": "unknown", "depth": null}));
    assert_eq!((&object["draws"], &object["wins"]), (&Value::Null, &Value::Null));
    assert!(err.starts_with("note: stopped at the time limit: ") && err.contains("go on with --checkpoint"), "{err}");
    let (on, at_once) = (json(&args), json(&whole));
    for key in ["start", "wins", "losses", "draws", "deepest", "line"] {
        assert_eq!(on[key], at_once[key], "{key}");
    }
    // Finished work is answered from the file.
    assert_eq!(json(&args)["wins"], at_once["wins"]);
    let (_, err) = said(&[&args[..], &["--stuck", "loss"]].concat(), 1);
    assert!(
        err.contains("a checkpoint of another game") && err.contains("found 4 flat-columns group simple pass"),
        "{err}"
    );
    fs::write(&checkpoint, "something else").unwrap();
    assert!(said(&args, 1).1.contains("not a file of this program"));
}

#[test]
fn sizes_out_of_range_say_what_they_would_need() {
    for command in [&["kota", "solve", "6"][..], &["kota", "check", "6"], &["kota", "table", "build", "6", "-o", "x"]] {
        refused(command, &["N = 2 to 5", "N = 6 would need about 2 TiB"]);
    }
    refused(&["kota", "solve", "99"], &["N = 99 would need about 10^", "bytes"]);
    refused(&["kota", "solve", "1"], &["expected 2 to 11"]);
    refused(&["kota", "solve", "x"], &["'x'", "<N>"]);
    refused(&["kota", "play", "12"], &["KOTA with 12 stones a side: expected 2 to 11"]);
    refused(&["kota", "solve", "4", "--memory", "1MiB"], &["N = 4 needs", "allowed are 1.0 MiB", "--memory"]);
    let six = "R:a1,b1,c1,d1,e1,f1 W:f6,e6,d6,c6,b6,a6 red";
    refused(&["kota", "analyze", six], &["N = 6 would need"]);
}

#[test]
fn wrong_readings_and_positions_say_why() {
    for (option, word, known) in [
        ("--board", "square", "flat-columns or rhombus or offset-rows"),
        ("--own-stones", "some", "group or each-has-neighbour"),
        ("--path", "jump", "simple or walk"),
        ("--stuck", "win", "pass or loss or draw"),
        ("--layout", "odd", "point or mirror"),
        ("--start", "black", "red (r) or white (w)"),
    ] {
        refused(&["kota", "solve", "3", option, word], &[option, word, known]);
    }
    let folder = Folder::new();
    let table = folder.table();
    for (text, named) in [
        ("R:a1,b1,c1 W:c3,b3,b1 red", "R2 and W3 are both on b1"),
        ("R:a1,b1 W:c3,b3,a3 red", "R3 is missing"),
        ("R:a1,b1,c1 W:c3,b3,a9 red", "a9 is not on the 3x3 board"),
        ("R:a1,b1,c2 W:c3,b3,a3 red", "own-stones rule `group`: R3 is apart"),
        ("R:a1,b1,c1 W:c3,b3,a3", "expected a position such as"),
        ("nonsense", "expected a position such as"),
    ] {
        refused(&["kota", "analyze", text], &["position: ", named]);
        refused(&["kota", "show", text], &[named]);
        refused(&["kota", "table", "probe", &table, text], &[named]);
    }
    refused(&["kota", "analyze", START, "--table", &table, "--stuck", "loss"], &["cannot be used with"]);
    refused(&["kota", "table", "probe", &table, "R:a1,b1 W:b2,a2 red"], &["R3 is missing"]);
    refused(&["kota", "check", "4", "--table", &table], &["expected N = 4, found N = 3"]);
    refused(&["kota", "play", "4", "--table", &table], &["expected N = 4", "found N = 3"]);
    refused(&["kota", "table", "info", &folder.file("none")], &["cannot read", "No such file"]);
    refused(&["kota", "table", "build", "3", "-o", &folder.file("no/where")], &["--output", "No such file"]);
}

#[test]
fn analyze_judges_every_move() {
    let args = ["kota", "analyze", START, "--stuck", "loss"];
    let object = json(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(keys(&object)[..8], ["game", "n", "rules", "position", "turn", "outcome", "depth", "moves"]);
    assert_eq!((&object["outcome"], &object["depth"], &object["turn"]), (&json!("win"), &json!(5), &json!("red")));
    assert_eq!(
        object["moves"],
        json!([{"move": "R3:c1-a2", "outcome": "win", "depth": 5}, {"move": "R1:a1-b2", "outcome": "draw", "depth": null}])
    );
    assert_eq!(object["line"].as_array().unwrap().len(), 5);
    let text = answer(&args);
    assert!(text.contains("Red wins in 5 plies, Red to move.") && text.contains("R3:c1-a2  win in 5"), "{text}");
    assert!(answer(&[&args[..], &["--format", "csv"]].concat()).contains(",R1:a1-b2,draw,\n"));
    let over = answer(&["kota", "analyze", "R:b2,a2,a3 W:c3,b3,c2 white"]);
    assert!(over.ends_with("The game is over: Red wins: a stone reached the far row.\n"), "{over}");
}

#[test]
fn tables_answer_as_the_solver_does() {
    let folder = Folder::new();
    let table = folder.table();
    let solved = json(&["kota", "analyze", START, "--format", "json"]);
    assert_eq!(json(&["kota", "table", "probe", &table, START, "--format", "json"]), solved);
    assert_eq!(json(&["kota", "analyze", START, "--table", &table, "--format", "json"]), solved);
    let info = json(&["kota", "table", "info", &table, "--format", "json"]);
    assert_eq!((&info["open_positions"], &info["kind"]), (&json!(4608), &json!("kota")));
    assert!(answer(&["kota", "table", "info", &table]).contains("flat-columns group simple pass point red"));
    for deep in [&[][..], &["--deep"]] {
        let args = [&["kota", "table", "verify", &table, "--format", "json"], deep].concat();
        let object = json(&args);
        assert_eq!((&object["valid"], &object["positions"]), (&json!(true), &json!(4608)));
    }
    let csv = answer(&["kota", "table", "export", &table]);
    assert!(csv.starts_with("# kota 3 flat-columns group simple pass point red (papamu "), "{csv}");
    assert_eq!((csv.lines().count(), csv.lines().nth(1)), (4610, Some("position,turn,outcome,depth")));
    let lines = answer(&["kota", "table", "export", &table, "--format", "jsonl"]);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows.len(), rows[0]["rules"]["stuck"].as_str()), (4609, Some("pass")));
    let (_, note) = said(&["kota", "table", "build", "3", "-o", &table, "--no-depths"], 0);
    assert!(note.contains("4,608 positions in"), "{note}");
    assert_eq!(json(&["kota", "table", "info", &table, "--format", "json"])["depths"], false);
}

#[test]
fn damaged_tables_fail_and_say_how() {
    let folder = Folder::new();
    let table = folder.table();
    let good = fs::read(&table).unwrap();
    // In the preamble, in the body, in the header at the end.
    for (at, word) in [(20, "preamble"), (100, "body"), (good.len() - 1, "header")] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        fs::write(&table, bytes).unwrap();
        let (out, err) = said(&["kota", "table", "verify", &table], 1);
        assert!(out.is_empty() && err.contains("damaged") && err.contains(word), "{at}: {err}");
    }
    fs::write(&table, &good[..good.len() / 2]).unwrap();
    for command in [&["kota", "table", "info", &table][..], &["kota", "analyze", START, "--table", &table]] {
        assert!(said(command, 1).1.contains("truncated"));
    }
    let checkpoint = folder.file("checkpoint");
    answer(&["kota", "solve", "3", "--checkpoint", &checkpoint]);
    assert!(
        said(&["kota", "table", "info", &checkpoint], 1).1.contains("expected a file of kind `kota`, found `kota-ckp`")
    );
}

/// A wrong value under right checksums is found by comparing it with the values of its moves.
#[test]
fn a_wrong_value_is_found_by_its_position() {
    use papamu::container::{Container, Writer};
    use papamu::kota::{TABLE_KIND, TableHeader};
    use std::io::Write;
    let folder = Folder::new();
    let table = folder.table();
    let (mut body, header) = {
        let file = Container::<TableHeader>::open(&table, TABLE_KIND).unwrap();
        (file.body().to_vec(), file.header().clone())
    };
    // The depth of some win: counts stay as they are.
    let first = body.len() - 4608;
    let at = (0..4608).find(|at| body[at / 4] >> (2 * (at % 4)) & 3 == 1).unwrap();
    body[first + at] += 3;
    let mut writer = Writer::create(&table, TABLE_KIND).unwrap();
    writer.write_all(&body).unwrap();
    writer.finish(&header).unwrap();
    answer(&["kota", "table", "verify", &table]);
    let (_, err) = said(&["kota", "table", "verify", &table, "--deep"], 1);
    assert!(err.contains("R:") && err.contains("its moves lead to"), "{err}");
}

#[test]
fn check_compares_everything() {
    let object = json(&["kota", "check", "3", "--board", "rhombus", "--format", "json"]);
    assert_eq!(object["good"], true);
    assert!(object["checks"].as_array().unwrap().iter().all(|check| check["times"].as_u64() > Some(1000)), "{object}");
    let text = answer(&["kota", "check", "4", "--every", "5003"]);
    assert!(text.contains("moves, fast and slow") && text.contains("good"), "{text}");
    let (_, err) = said(&["kota", "check", "4", "--time-limit", "1ms"], 3);
    assert!(err.starts_with("note: stopped at the time limit"), "{err}");
}

#[test]
fn show_draws() {
    let text = answer(&["kota", "show", "3", "--board", "rhombus"]);
    assert!(text.contains("\n3  W3  W2  W1\n2    ·   ·   ·\n1      R1  R2  R3\n       a   b   c\n"), "{text}");
    assert!(answer(&["kota", "show", START, "--svg"]).starts_with("<svg "));
    assert_eq!(json(&["kota", "show", START, "--format", "json"])["moves"], json!(["R1:a1-b2", "R3:c1-a2"]));
}

#[test]
fn a_game_from_standard_input() {
    let folder = Folder::new();
    let game = folder.file("game");
    let input = format!(
        "moves\nR1:a1-a2\nW1:c3-c2\na1-b2\nundo\nundo\nwhat\nR1:a1-b2\nboard\nhint\nhelp\nload {game}\nsave {game}\nload {game}\nquit\n"
    );
    let args = ["kota", "play", "3", "--plain"];
    let said = run_with_input(&args, input.as_bytes());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    for words in [
        "R1:a1-b2 R3:c1-a2\n",
        "error: R1:a1-a2: own-stones rule `group`",
        "error: W1:c3-c2: it is Red's turn",
        "1. R1:a1-b2\n2. W",
        "back to ply 0\n",
        "error: nothing to take back",
        "error: `what` is not a move",
        "for the mover",
        "No such file",
        "saved ",
        "loaded ",
        "stopped after 2 plies",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let saved = fs::read_to_string(&game).unwrap();
    assert!(saved.starts_with("kota 3 flat-columns group simple pass point red\nR1:a1-b2 W"), "{saved}");
    let again = run_with_input(&["kota", "play", "--load", &game, "--plain"], b"undo\n");
    assert!(again.out.contains("back to ply 0"), "{again:?}");
    fs::write(&game, "kota 3 flat-columns group simple pass point red\nR1:a1-c2\n").unwrap();
    refused(&["kota", "play", "--load", &game], &["move 1: R1:a1-c2: there is no way of exactly 1 steps"]);
}

#[test]
fn engines_play_to_the_end() {
    let both = ["--red", "engine", "--white", "engine", "--plain"];
    // A perfect Red wins in the five plies that the solver tells.
    let out = answer(&[&["kota", "play", "3", "--stuck", "loss"], &both[..]].concat());
    assert!(out.contains("\nRed wins: ") && out.ends_with(" after 5 plies\n"), "{out}");
    let folder = Folder::new();
    let game = folder.file("game");
    answer(&[&["kota", "play", "3", "--save", &game], &both[..]].concat());
    assert!(fs::read_to_string(&game).unwrap().starts_with("kota 3 "));
    // Larger boards are searched.
    let out = answer(&[&["kota", "play", "6", "--think", "1ms", "--depth", "1", "--plies", "6"], &both[..]].concat());
    assert!(out.ends_with("stopped after 6 plies\n"), "{out}");
}

#[test]
fn the_third_occurrence_draws() {
    let input = "R1:a1-b2\nW1:c3-c2\nR1:b2-a1\nW1:c2-c3\n".repeat(2);
    let said = run_with_input(&["kota", "play", "3", "--white", "human", "--plain"], input.as_bytes());
    assert!(
        said.out.ends_with("8. W1:c2-c3\ndrawn: the position came up for the third time after 8 plies\n"),
        "{said:?}"
    );
}

#[test]
fn help_has_examples() {
    for command in
        ["solve", "analyze", "show", "play", "check", "table build", "table info", "table probe", "table verify"]
    {
        let words: Vec<&str> = command.split(' ').collect();
        let text = answer(&[&["kota"], &words[..], &["--help"]].concat());
        assert!(text.contains(&format!("Examples:\n  papamu kota {command}")), "{text}");
    }
    assert!(answer(&["man"]).contains(".SH \"PAPAMU KOTA TABLE BUILD\""));
}

#[test]
fn lists_of_positions_are_analysed_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let (list, table) = (folder.path().join("list"), folder.path().join("table"));
    let (list, table) = (list.to_str().unwrap(), table.to_str().unwrap());
    let two = "R:a1,b1 W:b2,a2 white";
    fs::write(list, format!("{START}\n\n{two} # smaller\n{START}\n")).unwrap();
    let one = |position: &str| answer(&["kota", "analyze", position, "--format", "json"]);
    let expected = one(START) + &one(two) + &one(START);
    assert_eq!(answer(&["kota", "analyze", "--positions", list, "--format", "json"]), expected);
    let csv = answer(&["kota", "analyze", "--positions", list, "--format", "csv"]);
    assert_eq!(csv.matches("n,rules,position,move,outcome,depth").count(), 1);
    assert!(answer(&["kota", "analyze", "--positions", list]).matches("KOTA 3: ").count() == 2);
    answer(&["kota", "table", "build", "3", "-o", table, "-q"]);
    refused(&["kota", "table", "probe", table, "--positions", list], &["line 3: R3 is missing"]);
    fs::write(list, START).unwrap();
    let probed = answer(&["kota", "table", "probe", table, "--positions", list, "--format", "json"]);
    assert_eq!(probed, one(START));
    fs::write(list, "R:a1 W:zz red").unwrap();
    refused(&["kota", "analyze", "--positions", list], &["line 1"]);
    refused(&["kota", "analyze", START, "--positions", list], &["cannot be used with"]);
}

#[cfg(unix)]
#[test]
fn a_signal_saves_the_game_while_a_person_or_the_engine_thinks() {
    use std::io::Write;
    for (name, player, given) in [("INT", "human", None), ("HUP", "human", Some("mine")), ("TERM", "engine", None)] {
        let folder = tempfile::tempdir().unwrap();
        let mut args = vec!["kota", "play", "6", "--white", player, "--plain", "--think", "1h", "--depth", "100"];
        args.extend(given.iter().flat_map(|file| ["--save", file]));
        let mut child = listening(program(&args).current_dir(folder.path()).stdin(std::process::Stdio::piped()));
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"R1:a1-b2\n").unwrap();
        read_until(&mut child, "\n1. R1:a1-b2\n");
        let started = std::time::Instant::now();
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{name} {err}");
        assert!(started.elapsed() < PATIENCE, "{name}");
        let file = given.unwrap_or("kota-6.game");
        assert_eq!(err, format!("note: the game is saved: go on with --load {file}\n"), "{name}");
        let saved = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(saved.ends_with("\nR1:a1-b2\n"), "{name} {saved}");
        drop(input);
    }
}

#[test]
fn a_damaged_table_is_not_believed_by_any_command() {
    let folder = Folder::new();
    let table = folder.table();
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&table, bytes).unwrap();
    let position = "R:a1,b1,c1 W:c3,b3,a3 red";
    for args in [
        &["kota", "table", "probe", &table, position][..],
        &["kota", "analyze", position, "--table", &table],
        &["kota", "play", "3", "--table", &table],
        &["kota", "check", "3", "--table", &table],
    ] {
        said(args, 1);
    }
}

#[test]
fn files_that_are_read_are_not_written_over() {
    let folder = Folder::new();
    let table = folder.table();
    let [list, kept] = ["list", "kept"].map(|name| folder.file(name));
    fs::write(&list, "R:a1,b1,c1 W:c3,b3,a3 red\n").unwrap();
    run(&["kota", "solve", "4", "--checkpoint", &kept, "--time-limit", "1ms"]);
    let before = [&table, &list, &kept].map(|file| fs::read(file).unwrap());
    for args in [
        &["kota", "solve", "4", "--checkpoint", &kept, "-o", &kept][..],
        &["kota", "analyze", "--positions", &list, "-o", &list],
        &["kota", "analyze", "--positions", &list, "--table", &table, "-o", &table],
        &["kota", "check", "3", "--table", &table, "-o", &table],
        &["kota", "table", "build", "4", "--checkpoint", &kept, "-o", &kept],
        &["kota", "table", "info", &table, "-o", &table],
        &["kota", "table", "verify", &table, "-o", &table],
        &["kota", "table", "export", &table, "-o", &table],
    ] {
        refused(args, &["--output", "the same file is used otherwise"]);
    }
    refused(&["kota", "play", "3", "--table", &table, "--save", &table], &["--save", "found a file of kind"]);
    let typed = format!("save {table}\nsave {kept}\nquit\n");
    let said = run_with_input(&["kota", "play", "3", "--white", "human", "--plain"], typed.as_bytes());
    assert_eq!(said.out.matches("expected a game or no file, found a file of kind").count(), 2, "{said:?}");
    assert_eq!(before, [&table, &list, &kept].map(|file| fs::read(file).unwrap()));
}

#[test]
fn play_names_options_and_legal_moves() {
    refused(&["kota", "play", "3", "--save", "no/such/folder/x"], &["--save no/such/folder/x"]);
    refused(&["kota", "play", "--load", "no-such-file"], &["--load: cannot read no-such-file"]);
    let typed = b"load no-such-file\nR1:a1-c2\nR2:b1-b2\n";
    let said = run_with_input(&["kota", "play", "3", "--white", "human", "--plain", "-q"], typed);
    assert!(said.out.contains("error: load: cannot read no-such-file"), "{said:?}");
    assert!(said.out.contains("; legal from R1: R1:a1-b2\n"), "{said:?}");
    assert!(said.out.contains("; no move of R2 is legal\n"), "{said:?}");
}

#[test]
fn what_is_wrong_with_a_position_of_a_list_names_its_line() {
    let list = b"R:a1,b1,c1 W:c3,b3,a3 red\nR:a1,b1,c1 W:c3,b3,a1 red\n";
    let folder = Folder::new();
    let table = folder.table();
    for args in [&["kota", "analyze", "--positions", "-"][..], &["kota", "table", "probe", &table, "--positions", "-"]]
    {
        let said = run_with_input(args, list);
        assert_eq!(said.code, Some(2));
        assert!(said.err.starts_with("error: standard input, line 2: R1 and W3 are both on a1"), "{said:?}");
    }
}
