//! Everything that is said on standard error, but for the moving progress line.

use std::fmt::Display;
use std::io;
use std::io::Write;

use crate::run::{Control, StopReason};

use super::text::printable;
use super::{Console, Outcome};

/// Why a command gave no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The person asked for something impossible.
    Usage(String),
    /// The same, found and worded by clap.
    Rendered(String),
    /// Something went wrong on the way.
    Run(String),
    /// The terminal was hung up. The system tells that by a signal too, so it counts as one.
    LostTerminal,
    /// Nobody reads the results any more, which is no fault.
    BrokenPipe,
}

impl Failure {
    /// Wrong input: what it is about, and what is wrong with it.
    pub(super) fn usage(place: impl Display, reason: impl Display) -> Failure {
        Failure::Usage(format!("{place}: {reason}"))
    }

    /// A failed write.
    pub(super) fn write(place: impl Display, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Run(format!("cannot write {place}: {error}")),
        }
    }
}

/// The end of a command that a limit or a person stopped; `rest` is what it leaves open.
pub(super) fn stopped(console: &mut Console<'_>, quiet: bool, control: &Control, rest: &str) -> Outcome {
    let why = control.stop_reason().map_or("ended", StopReason::phrase);
    Messages::new(console, quiet).note(format_args!("{why}: {rest}"));
    Outcome::Unanswered
}

/// The way to standard error.
pub(super) struct Messages<'a> {
    stderr: &'a mut dyn Write,
    quiet: bool,
}

impl<'a> Messages<'a> {
    /// Messages to this console; `quiet` leaves out what is not an error.
    pub(super) fn new(console: &'a mut Console<'_>, quiet: bool) -> Messages<'a> {
        Messages { stderr: console.stderr, quiet }
    }

    /// Something the person should know.
    pub(super) fn note(&mut self, text: impl Display) {
        if !self.quiet {
            self.say(&format!("note: {}\n", printable(&text.to_string())));
        }
    }

    /// Reports the end of a command that failed and gives its exit code.
    pub(super) fn failure(&mut self, failure: &Failure) -> u8 {
        match failure {
            Failure::Usage(reason) => {
                self.say(&format!("error: {}\n", printable(reason)));
                2
            }
            Failure::Rendered(text) => {
                self.say(text);
                2
            }
            Failure::Run(reason) => {
                self.say(&format!("error: {}\n", printable(reason)));
                1
            }
            Failure::LostTerminal => {
                self.say("error: the terminal is lost\n");
                3
            }
            Failure::BrokenPipe => 0,
        }
    }

    fn say(&mut self, text: &str) {
        // When standard error is closed there is nobody left to tell.
        let _ = self.stderr.write_all(text.as_bytes()).and_then(|()| self.stderr.flush());
    }
}
