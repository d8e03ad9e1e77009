//! The `papamu` program; everything it does is in [`papamu::cli`].

use std::io::{IsTerminal, stderr, stdout};
use std::process::ExitCode;

use papamu::cli::{Console, run};

fn main() -> ExitCode {
    let mut console = Console {
        stdout_is_terminal: stdout().is_terminal(),
        stderr_is_terminal: stderr().is_terminal(),
        stdout: &mut stdout(),
        stderr: &mut stderr(),
    };
    ExitCode::from(run(std::env::args_os(), &mut console))
}
