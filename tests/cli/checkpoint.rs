//! `--checkpoint` and `papamu checkpoint`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::support::{Said, answer, json, listening, program, refused, run, signal, wait_until};

fn file(folder: &tempfile::TempDir) -> String {
    folder.path().join("search").to_string_lossy().into_owned()
}

#[test]
fn a_search_goes_on_and_counts_all_its_parts() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    let solve = ["solve", "5x6", "--checkpoint", &file, "--threads", "1", "--format", "json"];
    let whole = json(&["solve", "5x6", "--threads", "1", "--format", "json"]);
    let stopped = run(&[&solve[..], &["--node-limit", "20000"]].concat());
    assert_eq!(stopped.code, Some(3), "{}", stopped.err);
    let shown = json(&["checkpoint", &file, "--format", "json"]);
    assert_eq!((&shown["kind"], &shown["nodes"]), (&"search".into(), &20_000.into()));
    assert!(shown["search"].as_str().unwrap().starts_with("the openings of 5x6 (first removal corner-or-centre"));
    let parts = shown["parts"].as_array().unwrap();
    let nodes: u64 = parts.iter().map(|part| part["nodes"].as_u64().unwrap()).sum();
    assert_eq!(nodes, 20_000);
    assert!(parts.iter().any(|part| part["winner"] == "unknown" && part["proof"].as_u64() > Some(0)));
    let done = json(&solve);
    assert_eq!((&done["winner"], &done["removals"]), (&whole["winner"], &whole["removals"]));
    let (total, uninterrupted) = (done["nodes"].as_u64().unwrap(), whole["nodes"].as_u64().unwrap());
    assert!(total > 20_000 && total * 10 <= uninterrupted * 13, "{total} against {uninterrupted}");
    let again = json(&solve);
    assert_eq!((&again["openings"], &again["nodes"]), (&done["openings"], &done["nodes"]));
    let text = answer(&["checkpoint", &file]);
    assert!(text.contains("no table: nothing is left to search") && text.contains("a5:b5"), "{text}");
    let csv = answer(&["checkpoint", &file, "--format", "csv"]);
    assert_eq!(csv.lines().next(), Some("part,winner,nodes,seconds,proof,disproof"));
}

#[test]
fn a_position_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    let position = ".oxoxo/.xoxox/xoxoxo/oxoxox/xoxoxo x";
    let solve = ["solve", "--position", position, "--checkpoint", &file, "--format", "json"];
    assert_eq!(run(&[&solve[..], &["--node-limit", "1000"]].concat()).code, Some(3));
    let done = json(&solve);
    assert_eq!(done["winner"], "white");
    assert!(done["nodes"].as_u64() > Some(1000));
}

#[test]
fn files_that_cannot_be_gone_on_from_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    answer(&["solve", "4x4", "--checkpoint", &file]);
    let before = fs::read(&file).unwrap();
    let failed = |args: &[&str], named: &str| {
        let Said { code, out, err } = run(args);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.starts_with("error: ") && err.contains(named), "{err}");
    };
    failed(&["solve", "4x5", "--checkpoint", &file], "not of the openings of 4x5");
    failed(&["solve", "4x4", "--first-removal", "any", "--checkpoint", &file], "first removal any");
    assert_eq!(fs::read(&file).unwrap(), before);
    fs::write(&file, &before[..before.len() - 1]).unwrap();
    failed(&["solve", "4x4", "--checkpoint", &file], "search");
    failed(&["checkpoint", &file], "search");
    fs::write(&file, "hello").unwrap();
    failed(&["solve", "4x4", "--checkpoint", &file], "search");
    failed(&["checkpoint", "no/such/file"], "no/such/file");
    refused(&["solve", "4x4", "--checkpoint", "no/such/folder/file"], &["--checkpoint", "no/such/folder"]);
    refused(&["solve", "4x4", "--checkpoint-every", "1s"], &["--checkpoint"]);
    refused(&["solve", "--positions", "-", "--checkpoint", &file], &["--checkpoint"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_checkpoint_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    for args in [&["checkpoint", &file][..], &["verify", &file], &["solve", "4x4", "--checkpoint", &file]] {
        let said = run(args);
        assert!(matches!(said.code, Some(1 | 2)) && said.err.contains("pipe"), "{said:?}");
    }
}

#[test]
fn one_file_is_not_used_for_two_things_however_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let within = |args: &[&str]| -> Said { program(args).current_dir(folder.path()).output().unwrap().into() };
    let count = || folder.path().read_dir().unwrap().count();
    for args in [
        &["solve", "4x4", "-o", "f", "--checkpoint", "./f"][..],
        &["study", "4x4", "-o", "f", "--checkpoint", "f"],
        &["study", "4x4", "-o", "./f", "--checkpoint", "f"],
    ] {
        let said = within(args);
        assert_eq!((said.code, said.out.as_str(), count()), (Some(2), "", 0), "{args:?}");
        assert!(said.err.contains("the same file is used otherwise"), "{said:?}");
    }
    // What cannot be done leaves no file.
    for (args, named) in [
        (&["solve", "4x4", "--svg", "f", "-o", "./f"][..], "expected another file than that of --output"),
        (&["study", "4x4", "5x6", "-o", "f", "--checkpoint", "g"], "2 are studied"),
        (&["study", "4x4", "-o", "f", "--checkpoint", "no/such/folder/g"], "no/such/folder"),
        (&["study", "4x4", "-o", "f", "--memory", "1"], "--memory"),
    ] {
        let said = within(args);
        assert_eq!((said.code, count()), (Some(2), 0), "{said:?}");
        assert!(said.err.contains(named), "{said:?}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("f", folder.path().join("link")).unwrap();
        let said = within(&["study", "4x4", "-o", "link", "--checkpoint", "f"]);
        assert_eq!((said.code, count()), (Some(2), 1), "{said:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_kill_at_any_moment_leaves_a_good_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    let args = ["solve", "7x7", "--checkpoint", &file, "--checkpoint-every", "1ms", "--memory", "16MiB"];
    let mut nodes = 0;
    for round in 0..6 {
        let mut child = program(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("a checkpoint", || fs::exists(&file).unwrap());
        std::thread::sleep(Duration::from_millis(100 + 37 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let shown = json(&["checkpoint", &file, "--format", "json"]);
        // Later files know of no less than earlier ones.
        assert!(shown["nodes"].as_u64() >= Some(nodes), "{shown}");
        nodes = shown["nodes"].as_u64().unwrap();
        // What the openings have cost is all of it, but for what was spent while it was looked up.
        let parts = shown["parts"].as_array().unwrap();
        let sum: u64 = parts.iter().map(|part| part["nodes"].as_u64().unwrap()).sum();
        assert!(sum <= nodes && nodes < 2 * sum, "{shown}");
        assert!(parts.iter().any(|part| part["proof"].as_u64() > Some(0)), "{shown}");
    }
    assert!(nodes > 0);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    let solve = ["solve", "7x7", "--checkpoint", &file, "--memory", "16MiB", "--node-limit", "30000"];
    assert_eq!(run(&solve).code, Some(3));
    let before = fs::read(&file).unwrap();
    // No file may grow past 4 KiB: writing fails as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 8; exec {} {}", env!("CARGO_BIN_EXE_papamu"), solve.join(" "));
    let said: Said = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap().into();
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("unknown") && said.err.contains("the checkpoint is not saved"), "{}", said.err);
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    let args = ["solve", "8x8", "--checkpoint", &file, "--memory", "64MiB", "--format", "json"];
    let child = listening(program(&args).args(["--checkpoint-every", "100ms"]));
    // A few saves later there is something to save.
    wait_until("a checkpoint with entries", || {
        fs::exists(&file).unwrap() && json(&["checkpoint", &file, "--format", "json"])["entries"].as_u64() > Some(0)
    });
    signal(&child, "INT");
    let said: Said = child.wait_with_output().unwrap().into();
    assert_eq!(said.code, Some(3), "{}", said.err);
    let solved: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let shown = json(&["checkpoint", &file, "--format", "json"]);
    assert_eq!((&solved["stopped"], &solved["nodes"]), (&"interrupted".into(), &shown["nodes"]));
    assert!(shown["entries"].as_u64() > Some(0));
}

/// Two searches on one file: the later one to save does not throw away what the other saved.
#[test]
fn a_checkpoint_that_another_program_wrote_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder);
    let solve = ["solve", "7x7", "--opening", "d4:c4", "--threads", "1", "--memory", "64MiB", "--checkpoint", &file];
    let slow = listening(program(&solve).args(["--checkpoint-every", "100ms"]));
    wait_until("a checkpoint", || fs::exists(&file).unwrap());
    // It is held while the other one works, and stopped as soon as it has seen that.
    signal(&slow, "STOP");
    assert_eq!(run(&[&solve[..], &["--node-limit", "1000"]].concat()).code, Some(3));
    let between = fs::read(&file).unwrap();
    for name in ["INT", "CONT"] {
        signal(&slow, name);
    }
    let said = slow.wait_with_output().unwrap();
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    assert!(String::from_utf8_lossy(&said.stderr).contains("written by another program meanwhile"), "{said:?}");
    assert!(String::from_utf8_lossy(&said.stdout).contains("unknown"), "{said:?}");
    assert_eq!(fs::read(&file).unwrap(), between);
}
