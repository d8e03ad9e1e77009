//! Where a file is to stand: found and tried before any work begins.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// The place of a file to write. A link stays a link: the place is where it points, whether something stands there or not.
#[derive(Debug)]
pub struct Place {
    target: PathBuf,
    existing: Option<Metadata>,
}

impl Place {
    /// As many as systems follow.
    const MOST_LINKS: usize = 40;

    /// The place of this name.
    ///
    /// # Errors
    /// When no file can stand there, or a file there must not be written.
    pub fn find(name: &Path) -> io::Result<Place> {
        if name.file_name().is_none() || name.as_os_str().to_string_lossy().ends_with('/') {
            return match fs::metadata(name) {
                Ok(there) if there.is_dir() => Err(a_folder()),
                _ => Err(io::Error::other("expected the name of a file")),
            };
        }
        let mut target = name.to_owned();
        let mut links = 0;
        // Asking for the name tells of one that is too long as well, which making the temporary file beside it does not.
        while let Some(there) = if_there(fs::symlink_metadata(&target))? {
            if !there.is_symlink() {
                break;
            }
            links += 1;
            if links > Place::MOST_LINKS {
                return Err(io::Error::other("it is a link that leads in a circle"));
            }
            let to = fs::read_link(&target)?;
            // Some links of the system, such as those of open pipes, say nothing that could be followed by name.
            if if_there(fs::metadata(&target))?.is_some_and(|there| !there.is_file() && !there.is_dir()) {
                break;
            }
            target = folder(&target).join(to);
        }
        let existing = if_there(fs::metadata(&target))?;
        match &existing {
            Some(there) if there.is_dir() => return Err(a_folder()),
            // Renaming needs no right on the file itself, but replacing a protected file would be a surprise.
            Some(there) if there.is_file() => drop(OpenOptions::new().append(true).open(&target)?),
            _ => {}
        }
        Ok(Place { target, existing })
    }

    /// Whether a device or a pipe stands there, which cannot be replaced by renaming.
    pub fn is_special(&self) -> bool {
        self.existing.as_ref().is_some_and(|existing| !existing.is_file())
    }

    /// The name to give to the complete file.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The folder of the file.
    pub fn folder(&self) -> &Path {
        folder(&self.target)
    }

    /// A new file beside the target, with the permissions of what it is to replace.
    ///
    /// # Errors
    /// When the folder takes none.
    pub fn temporary(&self) -> io::Result<NamedTempFile> {
        let mut builder = Builder::new();
        builder.prefix(".papamu-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Less the process's mask, as for any new file; the default of a temporary file is the owner alone.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(self.folder()).map_err(|error| {
            // The temporary name in the message would mean nothing to the person; most often the folder is what is wrong.
            fs::metadata(self.folder()).err().unwrap_or_else(|| error.kind().into())
        })?;
        if let Some(existing) = &self.existing {
            file.as_file().set_permissions(existing.permissions())?;
        }
        Ok(file)
    }
}

/// Opens a device or a pipe to write to it, without waiting for somebody to read.
///
/// # Errors
/// When it cannot be written to, or is a pipe that nobody reads.
pub fn open_special(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        if fs::metadata(path)?.file_type().is_fifo() {
            let probe = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path);
            let probe = probe.map_err(|error| match error.raw_os_error() {
                Some(libc::ENXIO) => io::Error::other("it is a pipe that nobody reads; start the reader first"),
                _ => error,
            })?;
            // While the probe is open there is a reader, so that this does not wait; writing to it may.
            let file = OpenOptions::new().append(true).open(path);
            drop(probe);
            return file;
        }
    }
    OpenOptions::new().append(true).open(path)
}

fn if_there(metadata: io::Result<Metadata>) -> io::Result<Option<Metadata>> {
    match metadata {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether two names are of one file, or would be once it is there.
pub fn is_same_file(first: &Path, second: &Path) -> bool {
    let real = |name: &Path| {
        fs::canonicalize(name).ok().or_else(|| {
            let place = Place::find(name).ok()?;
            Some(fs::canonicalize(place.folder()).ok()?.join(place.target().file_name()?))
        })
    };
    first == second || real(first).is_some_and(|first| real(second) == Some(first))
}

fn a_folder() -> io::Error {
    io::Error::other("it is a folder, expected the name of a file")
}

fn folder(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
