//! Wrong input: exit code 2, nothing on standard output, and a message that names what is wrong.

use super::support::{check_refused, program, refused, run_with_input};

#[test]
fn sizes() {
    for command in ["solve", "perft"] {
        let refused = |size, named: &[&str]| {
            let args: &[&str] = if command == "perft" { &["perft", size, "--depth", "1"] } else { &["solve", size] };
            refused(args, named);
        };
        refused("0x5", &["`0x5` is not a board size", "at least one row"]);
        refused("6", &["`6` is not a board size", "ROWSxCOLUMNS"]);
        refused("6x", &["`6x` is not a board size"]);
        refused("100x100", &["10000 cells", "at most 400"]);
        refused("", &["not a board size"]);
    }
}

#[test]
fn boards_too_large_for_search_name_what_takes_them() {
    refused(&["solve", "12x12"], &["144 cells", "128", "analyze", "value"]);
    let row = format!("{}x", "xo".repeat(64));
    refused(&["solve", "--position", &row, "--turn", "x"], &["129 cells", "128", "analyze", "value"]);
}

#[test]
fn positions() {
    let refused = |text: &str, named: &[&str]| {
        refused(&["solve", "--position", text, "--turn", "x"], &[&["--position"], named].concat());
        refused(&["perft", "--position", text, "--turn", "x", "--depth", "1"], &[&["--position"], named].concat());
    };
    refused("xx./.../...", &["b3: a Black stone on a White cell"]);
    refused("x./...", &["row 2 from the top has 3 cells", "expected 2"]);
    refused("x?./.../...", &["`?` in row 1 from the top, column 2"]);
    refused("", &["position is empty"]);
    refused("xo. maybe", &["`maybe`", "side to move"]);
    refused("xo. o", &["the position says that white is to move", "--turn says black"]);
}

#[test]
fn a_position_without_a_side_to_move() {
    refused(&["solve", "--position", "xo."], &["side to move is missing", "--turn"]);
    refused(&["solve", "--position", "xo.", "--turn", "z"], &["`z` is not a side", "--turn"]);
}

#[test]
fn openings_say_which_rule_they_break() {
    for opening in [
        ("a6:c6", "c6 is a Black cell"),
        ("a5:b5", "a5 is a White cell"),
        ("c6:b6", "c6 may not be removed first under --first-removal corner-or-centre: legal here: a6, c4, d3, f1"),
        ("a6:d6", "d6 may not be removed second under --second-removal adjacent after a6: legal here: b6, a5"),
        ("a7:b7", "a7 is not on the 6x6 board"),
        ("a6", "expected BLACK:WHITE"),
        ("a6:6b", "`6b` is not a cell"),
    ] {
        refused(&["solve", "6x6", "--opening", opening.0], &["--opening", opening.0, opening.1]);
        refused(&["perft", "6x6", "--depth", "1", "--opening", opening.0], &["--opening", opening.0, opening.1]);
    }
}

#[test]
fn rules_without_a_first_removal() {
    let named = ["5x5", "no corner or centre cell", "White on the top-left cell", "--first-removal any"];
    refused(&["solve", "5x5", "--top-left", "white"], &named);
    refused(&["solve", "5x5", "--top-left", "white", "--opening", "b1:a1"], &named);
    refused(&["perft", "5x5", "--top-left", "white", "--depth", "2"], &named);
}

#[test]
fn words_of_options() {
    let refused = |option, word, named: &[&str]| refused(&["solve", "4x4", option, word], &[&[option], named].concat());
    refused("--first-removal", "middle", &["`middle`", "corner-or-centre, any, corner or centre"]);
    refused("--second-removal", "corner", &["`corner`", "adjacent or any"]);
    refused("--top-left", "red", &["`red` is not a side"]);
    refused("--engine", "magic", &["`magic`", "pn or alpha-beta"]);
    refused("--format", "xml", &["xml", "text, json, csv"]);
    refused("--threads", "0", &["0 is not in 1..=1024"]);
    refused("--threads", "many", &["many"]);
    refused("--memory", "lots", &["`lots` is not a memory size", "512MiB"]);
    refused("--time-limit", "10", &["`10` is not a time", "10s"]);
    refused("--node-limit", "few", &["few"]);
}

#[test]
fn negative_numbers() {
    for option in ["--time-limit=-1s", "--node-limit=-1", "--threads=-1", "--memory=-1"] {
        refused(&["solve", "4x4", option], &[option.split('=').next().unwrap(), "-1"]);
    }
}

#[test]
fn a_memory_cap_too_small_to_work_names_the_least() {
    refused(&["solve", "4x4", "--memory", "1"], &["--memory", "1 B", "4x4", "at least"]);
    refused(&["solve", "--position", "xo. x", "--memory", "1"], &["--memory", "1 B", "1x3", "at least"]);
}

#[test]
fn output_files_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for command in
        [&["solve", "4x4"][..], &["solve", "--position", "xo. x"], &["perft", "4x4", "--depth", "1"], &["bench"]]
    {
        let missing = inside("no/such/folder");
        refused(&[command, &["--output", &missing]].concat(), &["--output", &missing, "No such file"]);
        refused(&[command, &["-o", &inside(".")]].concat(), &["--output", "it is a folder"]);
        refused(&[command, &["-o", &inside("new/")]].concat(), &["--output", "expected the name of a file"]);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_refused_command_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers").to_string_lossy().into_owned();
    refused(&["solve", "6x6", "--opening", "a6:c6", "-o", &file], &["c6"]);
    refused(&["solve", "6x6", "--memory", "1", "-o", &file], &["memory"]);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn options_that_do_not_go_together() {
    for args in [
        "solve 4x4 --position xo. --turn x",
        "solve 4x4 --positions -",
        "solve 4x4 --turn x",
        "solve --position xo. --positions - --turn x",
        "solve --position xo. --turn x --first-removal any",
        "solve --position xo. --turn x --second-removal any",
        "solve --position xo. --turn x --top-left white",
        "solve --positions - --top-left white",
        "solve --position xo. --turn x --decide",
        "solve --position xo. --turn x --opening a1:b1",
        "solve 4x4 --decide --opening a4:b4",
        "perft 4x4 --position xo. --turn x --depth 1",
        "perft 4x4 --turn x --depth 1",
        "perft --position xo. --turn x --depth 1 --opening a1:b1",
        "perft --position xo. --turn x --depth 1 --top-left white",
    ] {
        refused(&args.split(' ').collect::<Vec<_>>(), &["cannot be used with"]);
    }
}

#[test]
fn what_must_be_given() {
    refused(&["solve"], &["RxC"]);
    refused(&["solve", "--turn", "x"], &["RxC"]);
    refused(&["perft", "4x4"], &["--depth"]);
    refused(&["perft", "4x4", "--depth", "x"], &["--depth"]);
    refused(&["perft", "4x4", "--depth", "401"], &["--depth", "401"]);
    refused(&["completions"], &["SHELL"]);
}

#[test]
fn divide_wants_one_position_and_a_move() {
    refused(&["perft", "4x4", "--depth", "2", "--divide"], &["--divide", "12 positions"]);
    refused(&["perft", "4x4", "--depth", "0", "--divide", "--opening", "a4:b4"], &["--divide", "depth 0"]);
}

#[test]
fn unknown_words() {
    refused(&["frobnicate"], &["frobnicate"]);
    refused(&["solve", "6x6", "--frmat", "json"], &["--frmat", "--format"]);
    refused(&["completions", "ksh"], &["ksh", "bash"]);
    refused(&["man", "nothing"], &["`nothing` is not a command", "solve"]);
}

#[test]
fn a_bad_line_is_refused_by_its_number_before_anything_is_solved() {
    let args = ["solve", "--positions", "-", "--format", "json"];
    let said = run_with_input(&args, b"# two good ones\nxo. x\n\n.ox x\nxx. x\n");
    check_refused(&args, &said, &["standard input, line 5", "b1: a Black stone on a White cell"]);
    let said = run_with_input(&args, b"xo.\n");
    check_refused(&args, &said, &["standard input, line 1", "side to move is missing"]);
    let said = run_with_input(&args, b"xo. x\n\xff\xfe x\n");
    check_refused(&args, &said, &["standard input, line 2", "UTF-8"]);
    let long = format!("xo. x\n{}x x\n", "xo".repeat(64));
    let said = run_with_input(&args, long.as_bytes());
    check_refused(&args, &said, &["standard input, line 2", "129 cells", "analyze", "value"]);
}

#[test]
fn a_positions_file_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none").to_string_lossy().into_owned();
    refused(&["solve", "--positions", &path], &["--positions", &path, "No such file"]);
    let path = folder.path().to_string_lossy().into_owned();
    refused(&["solve", "--positions", &path], &["--positions", &path]);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let bytes = OsStr::from_bytes(b"\xff\xfe4x4");
    for before in [&["solve"][..], &["solve", "--position"], &["solve", "4x4", "--opening"], &[], &["man"]] {
        let said = program(before).arg(bytes).output().unwrap().into();
        check_refused(before, &said, &[]);
    }
}
