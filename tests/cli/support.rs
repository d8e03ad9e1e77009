//! Running the program and looking at what it says.

use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program, ready to run without the colours and sizes of the terminal of whoever runs the tests.
pub fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papamu"));
    command.args(args).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// What a run said.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        let text = |bytes| String::from_utf8(bytes).expect("output is text");
        Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs the program to its end.
pub fn run(args: &[&str]) -> Said {
    program(args).output().expect("the program starts").into()
}

/// The same with something on standard input.
pub fn run_with_input(args: &[&str], input: &[u8]) -> Said {
    let mut command = program(args);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the program ends").into()
}

/// Runs the program, expects everything answered and nothing on standard error, and gives standard output.
pub fn answer(args: &[&str]) -> String {
    let said = run(args);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{args:?}: {}", said.out);
    said.out
}

/// The same for one JSON object.
pub fn json(args: &[&str]) -> Value {
    let out = answer(args);
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(&out).expect("one JSON object")
}

/// Runs the program and expects it to refuse its input, naming all of these on standard error.
pub fn refused(args: &[&str], named: &[&str]) {
    check_refused(args, &run(args), named);
}

/// Expects that a run refused its input, naming all of these on standard error.
pub fn check_refused(args: &[&str], said: &Said, named: &[&str]) {
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}: {said:?}");
    assert!(said.err.starts_with("error: ") && said.err.ends_with('\n'), "{args:?}: {said:?}");
    assert!(!said.err.contains("panicked"), "{args:?}: {said:?}");
    for name in named {
        assert!(said.err.contains(name), "{args:?}: `{name}` is not in {:?}", said.err);
    }
}

/// Longer than anything takes that is waited for, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until this holds.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Starts the program with its output in pipes and waits until it hears signals: an earlier one would end it by default.
#[cfg(unix)]
pub fn listening(command: &mut Command) -> Child {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    match cfg!(target_os = "linux") {
        true => {
            let status = format!("/proc/{}/status", child.id());
            wait_until("the program hears signals", || {
                let text = std::fs::read_to_string(&status).expect("it runs");
                let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
                // Number 2, the interrupt, is bit 1.
                u64::from_str_radix(caught.trim(), 16).expect("a mask") & 2 != 0
            });
        }
        false => std::thread::sleep(Duration::from_secs(2)),
    }
    child
}

/// Sends a signal by its name.
#[cfg(unix)]
pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &id]).status().expect("kill runs").success());
}

/// Reads standard output of a running program until it ends with this.
pub fn read_until(child: &mut Child, end: &str) {
    let out = child.stdout.as_mut().expect("a pipe");
    let (mut read, mut byte) = (Vec::new(), [0]);
    while !read.ends_with(end.as_bytes()) {
        let more = out.read(&mut byte).expect("a pipe is read") == 1;
        assert!(more, "no {end:?} in {:?}", String::from_utf8_lossy(&read));
        read.push(byte[0]);
    }
}

/// The keys of an object in their order.
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}
