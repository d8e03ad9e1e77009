//! What the program does with the process around it: closed pipes, full disks, signals.

use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

use super::support::{listening, program, signal, wait_until};

#[test]
fn a_closed_pipe_ends_quietly() {
    for args in [
        &["solve", "4x4"][..],
        &["solve", "--help"],
        &["man"],
        &["completions", "bash"],
        &["perft", "4x4", "--depth", "2"],
    ] {
        let mut child = program(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_stops_the_rest_of_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    // The second board would take hours.
    std::fs::write(&list, "..ox x\n.oxoxoxo/.xoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox x\n")
        .unwrap();
    let args = ["solve", "--memory", "64MiB", "--format", "json", "--positions", &list.to_string_lossy()];
    let mut child = program(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failed_run() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program(&["solve", "4x4"]).stdout(full()).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.starts_with("error: cannot write to standard output: "), "{err}");
    let output = program(&["solve", "4x4", "-o", "/dev/full"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write /dev/full: "));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_was_proved_and_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer").to_string_lossy().into_owned();
    let args = ["solve", "8x8", "--memory", "64MiB", "--format", "json", "-o", &file];
    let child = listening(&mut program(&args));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.starts_with("note: interrupted: "), "{err}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(r#""winner":"unknown""#) && text.contains(r#""stopped":"interrupted""#), "{text}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    // More answers than a pipe holds: the program waits for a reader that never reads, whatever it was asked.
    std::fs::write(&list, "..ox x\n".repeat(5000)).unwrap();
    let args = ["solve", "--memory", "64MiB", "--format", "json", "--positions", &list.to_string_lossy()];
    let mut child = listening(&mut program(&args));
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(child.try_wait().unwrap(), None, "one interrupt does not end it");
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_leaves_no_temporary_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("counts").to_string_lossy().into_owned();
    let args = ["perft", "8x8", "--opening", "a8:b8", "--depth", "40", "-o", &file];
    let child = listening(&mut program(&args));
    // So that it has begun to write.
    wait_until("a temporary file", || folder.path().read_dir().unwrap().count() > 0);
    // Both while it is held, so that it finds the second as soon as the first.
    for name in ["STOP", "INT", "TERM", "CONT"] {
        signal(&child, name);
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b""[..]));
    let left: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    // Rarely the work ends between the two signals; then the first one counts, and the answer is complete.
    let in_time = left == ["counts"];
    assert!(in_time || left.is_empty(), "{left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn results_for_a_closed_output_are_a_failed_run() {
    let shell = |redirected: &str| {
        let line = format!("exec \"$0\" solve 4x4 {redirected}");
        std::process::Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_papamu")]).output().unwrap()
    };
    let output = shell(">&-");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: cannot write to standard output: it is closed\n");
    assert_eq!(shell(">/dev/null").status.code(), Some(0));
    assert_eq!(shell("-o /dev/null >&-").status.code(), Some(0));
}
