//! What games in the terminal share: reading what is typed without being deaf to Ctrl-C, and keeping the game at its end.

use std::fs;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::container::Container;
use crate::run::{Control, StopReason};

use super::messages::{Failure, Messages};
use super::output::Sink;
use super::{Console, Outcome};

/// Why a game ended here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Somebody has won, or as many plies as asked for are played.
    Over,
    /// A person had enough.
    Quit,
    /// Ctrl-C, or a lost terminal.
    Interrupted,
}

/// Between two looks whether somebody wants to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// Lines of standard input; read by a thread of its own, so that waiting for one is no obstacle to stopping.
#[derive(Debug, Default)]
pub(super) struct Input(Option<Typing>);

#[derive(Debug)]
struct Typing {
    lines: Receiver<io::Result<String>>,
    /// A terminal that is gone looks like the end of input, and no longer like a terminal.
    on_terminal: bool,
}

impl Input {
    /// The next line, or why there is none.
    pub(super) fn line(&mut self, control: &Control) -> Result<String, Ended> {
        let typing = self.0.get_or_insert_with(|| {
            let (send, lines) = channel();
            let on_terminal = io::stdin().is_terminal();
            thread::spawn(move || {
                for line in io::stdin().lock().lines() {
                    if send.send(line).is_err() {
                        break;
                    }
                }
            });
            Typing { lines, on_terminal }
        });
        loop {
            if is_interrupted(control) {
                return Err(Ended::Interrupted);
            }
            match typing.lines.recv_timeout(PATIENCE) {
                Ok(Ok(line)) => return Ok(line),
                Ok(Err(_)) => return Err(Ended::Interrupted),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if typing.on_terminal => return Err(Ended::Interrupted),
                // The signal of a lost terminal may come a little after the end of input.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(if is_interrupted(control) { Ended::Interrupted } else { Ended::Quit });
                }
            }
        }
    }
}

/// Whether somebody asked the program to stop.
pub(super) fn is_interrupted(control: &Control) -> bool {
    control.stop_reason() == Some(StopReason::Requested)
}

/// The text of the file of an option or an order.
pub(super) fn read(option: &str, path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::usage(format_args!("{option}: cannot read {}", path.display()), error))
}

/// Makes sure that the game can be saved at its end.
pub(super) fn check_save(save: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = save else { return Ok(()) };
    no_container("--save", path)?;
    match Sink::open_for("--save", path)? {
        Sink::Stdout => Err(Failure::usage("--save", "expected the name of a file, found `-`")),
        _ => Ok(()),
    }
}

/// Refuses to write a game over hours of work, such as the table that the game is played from.
fn no_container(option: &str, path: &Path) -> Result<(), Failure> {
    let Ok(kind) = Container::kind_of(path) else { return Ok(()) };
    let reason = format_args!("expected a game or no file, found a file of kind `{kind}`: give another name");
    Err(Failure::usage(format_args!("{option} {}", path.display()), reason))
}

/// Writes a game into a file, which then holds it alone.
pub(super) fn save(option: &str, path: &Path, game: &str) -> Result<(), Failure> {
    no_container(option, path)?;
    let mut sink = Sink::open_for(option, path)?;
    sink.write_file(game.as_bytes())?;
    sink.finish()
}

/// A game at its end.
pub(super) struct Kept<'a> {
    /// Where `--save` wants it.
    pub(super) save: Option<&'a Path>,
    /// The beginning of the name of a file of our own, such as `konane-8x8`.
    pub(super) stem: String,
    /// The game as a file holds it.
    pub(super) text: String,
    /// Whether something was played and nobody has won.
    pub(super) goes_on: bool,
    /// Whether notes are left out.
    pub(super) quiet: bool,
}

impl Kept<'_> {
    /// Keeps the game, however it ended.
    pub(super) fn finish(self, ended: Result<Ended, Failure>, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let lost = !matches!(ended, Ok(Ended::Over | Ended::Quit));
        let path = match self.save {
            Some(path) => Some(path.to_owned()),
            None => (self.goes_on && lost).then(|| free_name(&self.stem)),
        };
        if let Some(path) = &path {
            save("--save", path, &self.text)?;
            if lost {
                let path = path.display();
                Messages::new(console, self.quiet).note(format_args!("the game is saved: go on with --load {path}"));
            }
        }
        match ended? {
            Ended::Over | Ended::Quit => Ok(Outcome::Complete),
            Ended::Interrupted => Ok(Outcome::Unanswered),
        }
    }
}

/// A file that is not there yet.
fn free_name(stem: &str) -> PathBuf {
    let name = |number: usize| match number {
        1 => PathBuf::from(format!("{stem}.game")),
        _ => PathBuf::from(format!("{stem}-{number}.game")),
    };
    (1..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(1))
}
