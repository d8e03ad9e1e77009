//! The `papamu` program; everything it does is in [`papamu::cli`].

use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;

use papamu::cli::{Console, run};

fn main() -> ExitCode {
    let mut results: Box<dyn Write> = if closed::stdout() { Box::new(Closed) } else { Box::new(stdout()) };
    let mut console = Console {
        stdout_is_terminal: stdout().is_terminal(),
        stderr_is_terminal: stderr().is_terminal(),
        stdout: &mut results,
        stderr: &mut stderr(),
    };
    ExitCode::from(run(std::env::args_os(), &mut console))
}

/// A standard output that nobody gave: what is written to it is lost, which must not go unnoticed.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("it is closed"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the process began without a standard output. The standard library puts `/dev/null` in its place before `main`,
/// so this is found out earlier still.
#[cfg(target_os = "linux")]
mod closed {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    // SAFETY: the section is a list of functions of this type that run before `main`; this one needs nothing of the
    // standard library to be ready.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: asking for the flags of a descriptor changes nothing, whether it is open or not.
        CLOSED.store(unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1, Relaxed);
    }

    pub(super) fn stdout() -> bool {
        CLOSED.load(Relaxed)
    }
}

#[cfg(not(target_os = "linux"))]
mod closed {
    pub(super) fn stdout() -> bool {
        false
    }
}
