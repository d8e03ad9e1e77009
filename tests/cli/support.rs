//! Running the program and looking at what it says.

use std::io::Write;
use std::process::{Command, Output, Stdio};

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

/// The keys of an object in their order.
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}
