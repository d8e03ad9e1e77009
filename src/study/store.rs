//! The file that a study adds its records to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::StudyError;
use super::record::Line;
use super::records::{Origin, Records, Tail};

/// A file of records, held by one study alone, with what stands in it.
///
/// A record is one write of a whole line at the end of the file, so a process that is killed leaves whole lines and at most
/// one torn one, which the next [`Store::open`] cuts off. The lock is advisory and ends with the process, however it ends.
pub struct Store {
    target: Target,
    path: PathBuf,
    records: Records,
    lines: usize,
    tail: Tail,
}

enum Target {
    /// A regular file: locked, read at first, synced now and then.
    File {
        file: File,
        /// Its length up to the last whole line.
        good: u64,
        synced: Instant,
    },
    /// A pipe or a device: written only.
    Stream(Box<dyn Write + Send>),
}

/// A power failure loses at most the records of this time.
const SYNC_EVERY: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the file, creates it if there is none, locks it and reads what stands in it. A torn last line is cut off, a
    /// missing last line feed added; [`Store::tail`] tells. Pipes and devices are only written to.
    ///
    /// # Errors
    /// When the file cannot be used, another study has it, or a line is no record or contradicts another; it is not changed
    /// then.
    pub fn open(path: &Path) -> Result<Store, StudyError> {
        let read = |source| StudyError::Read { path: path.to_owned(), source };
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            let stream = OpenOptions::new().append(true).open(path).map_err(read)?;
            return Ok(Store::stream(stream, path));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(read)?;
        lock(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(read)?;
        let (mut records, mut conflicts) = (Records::default(), Vec::new());
        let (tail, _) = records.read(path, &bytes, &mut conflicts)?;
        if let Some(conflict) = conflicts.pop() {
            return Err(StudyError::Conflict(Box::new(conflict)));
        }
        let write = |source| StudyError::Write { path: path.to_owned(), source };
        let mut good = bytes.len();
        match tail {
            Tail::Whole => {}
            Tail::Unended => {
                file.write_all(b"\n").map_err(write)?;
                good += 1;
            }
            Tail::Torn { good: whole, .. } => {
                file.set_len(whole as u64).map_err(write)?;
                good = whole;
            }
        }
        let lines = bytes[..good.min(bytes.len())].split_inclusive(|&byte| byte == b'\n').count();
        let target = Target::File { file, good: good as u64, synced: Instant::now() };
        Ok(Store { target, path: path.to_owned(), records, lines, tail })
    }

    /// A store that only writes, under a name for messages.
    pub fn stream(stream: impl Write + Send + 'static, name: impl Into<PathBuf>) -> Store {
        Store {
            target: Target::Stream(Box::new(stream)),
            path: name.into(),
            records: Records::default(),
            lines: 0,
            tail: Tail::Whole,
        }
    }

    /// What stands in the file now.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// How the file ended when it was opened.
    pub fn tail(&self) -> Tail {
        self.tail
    }

    /// Saves a record, unless it is there already.
    ///
    /// # Errors
    /// When it cannot be written, or contradicts one that is there.
    pub fn append(&mut self, line: Line) -> Result<(), StudyError> {
        let path = &self.path;
        let failed = |source| StudyError::Write { path: path.to_owned(), source };
        let text = line.to_text().map_err(|error| failed(error.into()))?;
        let bytes = format!("{text}\n").into_bytes();
        let origin = Origin::new(path, self.lines + 1);
        if !self.records.add(line, text, origin).map_err(StudyError::Conflict)? {
            return Ok(());
        }
        self.target.write(&bytes).map_err(failed)?;
        self.lines += 1;
        Ok(())
    }

    /// Makes sure that everything written is on the disk.
    ///
    /// # Errors
    /// When the system cannot do so.
    pub fn sync(&mut self) -> Result<(), StudyError> {
        let synced = match &mut self.target {
            Target::File { file, .. } => file.sync_data(),
            Target::Stream(stream) => stream.flush(),
        };
        synced.map_err(|source| StudyError::Write { path: self.path.clone(), source })
    }
}

impl Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Target::Stream(stream) => stream.write_all(bytes).and_then(|()| stream.flush()),
            Target::File { file, good, synced } => {
                if let Err(error) = file.write_all(bytes) {
                    // A part of the line may be there: without it the file is whole. If this fails too, the next
                    // opening repairs it.
                    let _ = file.set_len(*good);
                    return Err(error);
                }
                *good += bytes.len() as u64;
                if synced.elapsed() >= SYNC_EVERY {
                    file.sync_data()?;
                    *synced = Instant::now();
                }
                Ok(())
            }
        }
    }
}

fn lock(file: &File, path: &Path) -> Result<(), StudyError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => StudyError::Locked { path: path.to_owned() },
        TryLockError::Error(source) => StudyError::Read { path: path.to_owned(), source },
    })
}

/// Makes sure that no study writes the file, if there is one, as long as what is given back lives: for those who replace it.
///
/// # Errors
/// When a study has it.
pub fn check_unused(path: &Path) -> Result<Option<File>, StudyError> {
    if !std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    let file = File::open(path).map_err(|source| StudyError::Read { path: path.to_owned(), source })?;
    lock(&file, path)?;
    Ok(Some(file))
}
