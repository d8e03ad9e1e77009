//! Where results go: standard output, or a file that appears only when it is complete.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::container::{Place, open_special};

use super::Console;
use super::interrupt;
use super::messages::Failure;

/// The place of the results of one command.
#[derive(Debug)]
pub(super) enum Sink {
    /// Standard output of the console.
    Stdout,
    /// A new file under a temporary name beside its target.
    File {
        /// The file being written.
        temporary: NamedTempFile,
        /// Where it stands when it is complete.
        place: Box<Place>,
        /// The name as the person gave it.
        name: PathBuf,
    },
    /// A device or a pipe, which cannot be replaced by renaming.
    Special {
        /// The open device.
        file: File,
        /// The name as the person gave it.
        name: PathBuf,
    },
}

impl Sink {
    /// Standard output.
    pub(super) fn stdout() -> Sink {
        Sink::Stdout
    }

    /// Opens the file of `--output` (`-` is standard output), so that an unwritable one is known before the work begins.
    pub(super) fn open(output: Option<&Path>) -> Result<Sink, Failure> {
        output.map_or(Ok(Sink::Stdout), |name| Sink::open_for("--output", name))
    }

    /// Opens the file of an option; `-` is standard output.
    pub(super) fn open_for(option: &str, name: &Path) -> Result<Sink, Failure> {
        if name == Path::new("-") {
            return Ok(Sink::Stdout);
        }
        let refused = |reason: &dyn std::fmt::Display| {
            Failure::usage(format_args!("{option} {}", name.display()), format_args!("cannot write there: {reason}"))
        };
        let name = name.to_owned();
        let place = Place::find(&name).map_err(|error| refused(&error))?;
        if place.is_special() {
            let file = open_special(place.target()).map_err(|error| refused(&error))?;
            return Ok(Sink::Special { file, name });
        }
        let temporary = place.temporary().map_err(|error| refused(&error))?;
        interrupt::remove_at_sudden_end(temporary.path());
        Ok(Sink::File { temporary, place: Box::new(place), name })
    }

    /// Whether results go to the console's standard output.
    pub(super) fn is_stdout(&self) -> bool {
        matches!(self, Sink::Stdout)
    }

    /// Writes a part of the results.
    pub(super) fn write(&mut self, console: &mut Console<'_>, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Sink::Stdout => {
                let written = console.stdout.write_all(bytes).and_then(|()| console.stdout.flush());
                written.map_err(|error| match console.stdout_is_terminal {
                    true => Failure::LostTerminal,
                    false => Failure::write("to standard output", &error),
                })
            }
            Sink::File { .. } | Sink::Special { .. } => self.write_file(bytes),
        }
    }

    /// Writes a part of what only a file may hold.
    pub(super) fn write_file(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let (file, name): (&mut dyn Write, _) = match self {
            Sink::Stdout => return Err(Failure::Usage("expected the name of a file, found `-`".to_owned())),
            Sink::File { temporary, name, .. } => (temporary, name),
            Sink::Special { file, name } => (file, name),
        };
        file.write_all(bytes).map_err(|error| Failure::write(name.display(), &error))
    }

    /// Completes the results: a file gets its name.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Stdout | Sink::Special { .. } => Ok(()),
            Sink::File { temporary, place, name } => {
                let synced = temporary.as_file().sync_all();
                synced.map_err(|error| Failure::write(name.display(), &error))?;
                match temporary.persist(place.target()) {
                    Ok(_) => Ok(()),
                    Err(error) => Err(Failure::write(name.display(), &error.error)),
                }
            }
        }
    }
}
