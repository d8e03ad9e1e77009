//! Help, version, completions, the manual, the benchmark; and the program called in this process.

use super::support::{answer, run};

const COMMANDS: [&str; 7] = ["solve", "study", "perft", "bench", "kota", "completions", "man"];

#[test]
fn without_arguments_the_help_is_an_error() {
    let said = run(&[]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("Usage: papamu <COMMAND>"), "{said:?}");
}

#[test]
fn help_is_a_result_and_has_examples() {
    for flag in ["-h", "--help"] {
        let text = answer(&[flag]);
        assert!(COMMANDS.iter().all(|command| text.contains(command)), "{text}");
        for command in COMMANDS {
            let text = answer(&[command, flag]);
            assert!(text.contains(&format!("Examples:\n  papamu {command}")), "{text}");
        }
    }
    let text = answer(&["solve", "--help"]);
    for option in ["--decide", "--opening", "--position", "--positions", "--turn", "--engine", "--memory", "--threads"]
    {
        assert!(text.contains(option), "{option}");
    }
}

#[test]
fn version_names_the_commit() {
    for flag in ["-V", "--version"] {
        assert_eq!(answer(&[flag]), format!("papamu {}\n", env!("PAPAMU_VERSION")));
    }
    assert!(env!("PAPAMU_VERSION").starts_with(env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = answer(&["completions", shell]);
        for word in ["papamu", "solve", "perft", "second-removal"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_manual_has_every_command_with_its_options() {
    let page = answer(&["man"]);
    assert!(page.contains(".TH papamu 1"), "{page}");
    for command in COMMANDS {
        assert!(page.contains(&format!(".SH \"PAPAMU {}\"", command.to_uppercase())), "{command}");
        assert!(answer(&["man", command]).contains(&format!(".TH papamu-{command} 1")), "{command}");
    }
    for part in ["MERGE", "SUMMARY"] {
        assert!(page.contains(&format!(".SH \"PAPAMU STUDY {part}\"")), "{part}");
    }
    for option in ["second\\-removal", "decide", "shard", "divide", "time\\-limit"] {
        assert!(page.contains(&format!("\\-\\-{option}")), "{option}");
    }
}

#[test]
fn bench_stops_at_a_limit() {
    let said = run(&["bench", "--node-limit", "100", "--format", "csv"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.starts_with("note: stopped at the node limit: "), "{said:?}");
    let rows: Vec<Vec<&str>> = said.out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["board", "opening", "winner", "nodes", "seconds"]);
    assert_eq!(rows[1][..2], ["4x4", "a4:b4"]);
    assert_eq!(rows[5][..3], ["6x6", "a6:b6", "unknown"]);
    let json = run(&["bench", "--node-limit", "100", "--format", "json", "--engine", "alpha-beta", "--quiet"]);
    let object: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(object["engine"], "alpha-beta");
    assert_eq!((object["stopped"].as_str(), json.err.as_str()), (Some("node-limit"), ""));
    let sum: u64 = object["positions"].as_array().unwrap().iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
    assert_eq!(object["nodes"].as_u64(), Some(sum));
    let text = run(&["bench", "--node-limit", "100"]).out;
    assert!(text.contains("\ntotal ") && text.contains("engine pn"), "{text}");
}

#[test]
fn the_program_can_be_called_in_process() {
    let call = |args: &[&str], stdout_is_terminal| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console =
            papamu::cli::Console { stdout: &mut out, stderr: &mut err, stdout_is_terminal, stderr_is_terminal: false };
        let code = papamu::cli::run(args.iter().map(Into::into), &mut console);
        (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    };
    let (code, out, err) = call(&["papamu", "solve", "4x4"], false);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("White wins 4x4"));
    assert_eq!(call(&["papamu", "solve", "6x"], false).0, 2);
    if std::env::var_os("NO_COLOR").is_none() {
        // On a terminal the letters are coloured as well.
        assert!(call(&["papamu", "solve", "4x4"], true).1.contains("  4  \u{1b}[1;33mW\u{1b}[0m o x o\n"));
    }
}
