//! Wrong input: exit code 2, nothing on standard output, and a message that names what is wrong.

use super::support::{check_refused, program, refused, run, run_with_input};

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
    refused("/", &["the rows of the position are empty"]);
    refused(".oxo/.xox x x", &["`x` after the side to move `x`"]);
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
    refused("--threads", "0", &["whole number from 1 to 1024"]);
    refused("--threads", "many", &["many"]);
    refused("--memory", "lots", &["`lots` is not a memory size", "512MiB"]);
    refused("--time-limit", "10", &["`10` is not a time", "10s"]);
    refused("--node-limit", "few", &["few"]);
}

#[test]
fn negative_numbers() {
    for (option, value, expected) in [
        ("--time-limit", "-1s", "is not a time"),
        ("--node-limit", "-1", "a whole number from 0 to"),
        ("--threads", "-1", "a whole number from 1 to 1024"),
        ("--memory", "-1", "is not a memory size"),
        ("--memory", "-1MiB", "is not a memory size"),
    ] {
        refused(&["solve", "4x4", option, value], &[option, value, expected]);
        refused(&["solve", "4x4", &format!("{option}={value}")], &[option, value, expected]);
    }
    refused(&["solve", "4x4", "--checkpoint", "f", "--checkpoint-every", "-1s"], &["--checkpoint-every", "not a time"]);
    refused(&["perft", "4x4", "--depth", "-1"], &["--depth", "a whole number from 0 to 400"]);
    refused(&["perft", "4x4", "--depth", "1", "--time-limit", "-1s"], &["--time-limit", "is not a time"]);
    for option in ["--max-cells", "--min-side"] {
        refused(&["study", "4x4", "-o", "-", option, "-1"], &[option, "a whole number from 0"]);
    }
    refused(&["study", "4x4", "-o", "-", "--shard", "-1/2"], &["--shard", "`-1/2` is not a shard"]);
}

#[test]
fn whole_numbers() {
    for bad in ["x", "", "+1", "1.5", "99999999999999999999"] {
        refused(&["solve", "4x4", "--threads", bad], &["--threads", "a whole number from 1 to 1024"]);
        refused(&["solve", "4x4", "--node-limit", bad], &["--node-limit", "a whole number from 0 to"]);
        refused(&["perft", "4x4", "--depth", bad], &["--depth", "a whole number from 0 to 400"]);
    }
}

#[test]
fn conflicts_name_only_what_was_given() {
    let said = run(&["solve", "--position", "xo. x", "--top-left", "white"]);
    let args = ["solve"];
    check_refused(&args, &said, &["--position", "--top-left"]);
    assert!(!said.err.contains("--first-removal") && !said.err.contains("--second-removal"), "{}", said.err);
}

#[test]
fn sizes_out_of_reach_are_repeated_as_typed() {
    for size in ["99999999999999999999x2", "4294967296x4294967296"] {
        for args in [&["solve", size][..], &["perft", size, "--depth", "1"], &["study", size, "-o", "-"]] {
            let said = run(args);
            check_refused(args, &said, &[size]);
            assert!(!said.err.contains("18446744073709551615"), "{}", said.err);
        }
    }
}

#[test]
fn control_characters_are_shown_escaped() {
    let raw = "\u{1b}[31m6x6";
    for args in [
        &["solve", raw][..],
        &["solve", "4x4", "--opening", raw],
        &["solve", "4x4", "--memory", raw],
        &["solve", "--position", raw],
        &["solve", "4x4", "-o", &format!("/{raw}/x")],
        &["solve", "--positions", raw],
        &["study", raw, "-o", "-"],
        &["man", raw],
        &["solve", "4x4", &format!("--{raw}")],
        &[raw],
    ] {
        let said = run(args);
        check_refused(args, &said, &["\\u{1b}"]);
        assert!(!said.err.contains('\u{1b}'), "{args:?}: {:?}", said.err);
    }
    let said = run_with_input(&["solve", "--positions", "-"], format!("{raw} x\n").as_bytes());
    check_refused(&[], &said, &["\\u{1b}", "line 1"]);
}

#[test]
fn a_memory_cap_too_small_to_work_names_the_least() {
    refused(&["solve", "4x4", "--memory", "1"], &["--memory", "1 B", "4x4", "at least"]);
    refused(&["solve", "--position", "xo. x", "--memory", "1"], &["--memory", "1 B", "1x3", "at least"]);
    refused(&["solve", "10x10", "--memory", "18446744073709551615"], &["error: --memory: "]);
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
        let said = run(&[command, &["--output", &missing]].concat());
        assert!(!said.err.contains(".papamu-"), "{}", said.err);
        // Found at once: the name fits no file, though the folder takes the temporary one.
        refused(&["solve", "8x8", "-o", &inside(&"a".repeat(300))], &["--output", "cannot write there", "too long"]);
        refused(&[command, &["-o", &inside(".")]].concat(), &["--output", "it is a folder"]);
        refused(&[command, &["-o", &inside("new/")]].concat(), &["--output", "expected the name of a file"]);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_reads_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe").to_string_lossy().into_owned();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&["solve", "4x4", "-o", &pipe], &["--output", "a pipe that nobody reads"]);
    let args = ["study", "3x3", "-o", &pipe];
    let said = run(&args);
    assert!(said.code != Some(0) && said.err.contains("a pipe that nobody reads"), "{said:?}");
    // With a reader it is written to.
    let reader = std::process::Command::new("cat").arg(&pipe).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let said = loop {
        let said = run(&["solve", "--position", "..ox x", "--format", "csv", "-o", &pipe]);
        if said.code == Some(0) {
            break said;
        }
    };
    assert_eq!(said.err, "");
    assert!(String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap().contains("..ox,x,black,d1-b1,"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_even_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name);
    let text = |name: &str| inside(name).to_string_lossy().into_owned();
    std::os::unix::fs::symlink("nowhere.txt", inside("link")).unwrap();
    for _ in 0..2 {
        assert_eq!(run(&["solve", "4x4", "-o", &text("link")]).code, Some(0));
        assert!(inside("link").symlink_metadata().unwrap().is_symlink());
        assert!(std::fs::read_to_string(inside("nowhere.txt")).unwrap().contains("White wins 4x4"));
    }
    std::os::unix::fs::symlink("search", inside("kept")).unwrap();
    assert_eq!(run(&["solve", "4x4", "--checkpoint", &text("kept")]).code, Some(0));
    assert!(inside("kept").symlink_metadata().unwrap().is_symlink() && inside("search").is_file());
    std::os::unix::fs::symlink("circle", inside("circle")).unwrap();
    refused(&["solve", "4x4", "-o", &text("circle")], &["--output", "cannot write there"]);
    refused(&["solve", "8x8", "--checkpoint", &text(&"a".repeat(300))], &["--checkpoint", "too long"]);
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
    refused(&["solve"], &["RxC", "--position", "--positions"]);
    refused(&["perft", "--depth", "1"], &["RxC", "--position"]);
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
