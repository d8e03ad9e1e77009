//! Where results go: standard output, or a file that appears only when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

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
        /// Its name when it is complete.
        target: PathBuf,
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
        let Some(name) = output.filter(|name| *name != Path::new("-")) else { return Ok(Sink::Stdout) };
        let refused = |reason: &dyn std::fmt::Display| {
            Failure::usage(format_args!("--output {}", name.display()), format_args!("cannot write there: {reason}"))
        };
        let name = name.to_owned();
        // A link stays a link: what it points to is replaced.
        let target = fs::canonicalize(&name).unwrap_or_else(|_| name.clone());
        let existing = fs::metadata(&target).ok();
        if let Some(existing) = &existing {
            if existing.is_dir() {
                return Err(refused(&"it is a folder, expected the name of a file"));
            }
            // Renaming needs no right on the file itself, but replacing a protected file would be a surprise.
            let file = OpenOptions::new().append(true).open(&target).map_err(|error| refused(&error))?;
            if !existing.is_file() {
                return Ok(Sink::Special { file, name });
            }
        }
        if target.file_name().is_none() || name.as_os_str().to_string_lossy().ends_with('/') {
            return Err(refused(&"expected the name of a file"));
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = Builder::new();
        builder.prefix(".papamu-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Less the process's mask, as for any new file; the default of a temporary file is the owner alone.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder).map_err(|error| refused(&without_temporary_name(&error)))?;
        if let Some(existing) = existing {
            temporary.as_file().set_permissions(existing.permissions()).map_err(|error| refused(&error))?;
        }
        interrupt::remove_at_sudden_end(temporary.path());
        Ok(Sink::File { temporary, target, name })
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
                written.map_err(|error| Failure::write("to standard output", &error))
            }
            Sink::File { temporary, name, .. } => {
                temporary.write_all(bytes).map_err(|error| Failure::write(name.display(), &error))
            }
            Sink::Special { file, name } => {
                file.write_all(bytes).map_err(|error| Failure::write(name.display(), &error))
            }
        }
    }

    /// Completes the results: a file gets its name.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Stdout | Sink::Special { .. } => Ok(()),
            Sink::File { temporary, target, name } => {
                let synced = temporary.as_file().sync_all();
                synced.map_err(|error| Failure::write(name.display(), &error))?;
                match temporary.persist(&target) {
                    Ok(_) => Ok(()),
                    Err(error) => Err(Failure::write(name.display(), &error.error)),
                }
            }
        }
    }
}

/// The reason alone: the temporary name in the message would mean nothing to the person.
fn without_temporary_name(error: &io::Error) -> String {
    let source = error.get_ref().and_then(std::error::Error::source);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}
