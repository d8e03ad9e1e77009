//! Writing a file that appears under its name only when it is complete.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;
use twox_hash::XxHash3_128;

use super::place::Place;
use super::preamble::{LEN, Preamble, header_checksum};
use super::{ContainerError, Kind, codec};

/// A file being written: what is written to it is the body, of any length.
///
/// Until [`Writer::finish`] nothing stands under the final name (or what stood there before); a writer that is dropped
/// leaves nothing behind.
#[derive(Debug)]
pub struct Writer {
    body: BufWriter<Body>,
    kind: Kind,
    path: PathBuf,
    place: Place,
}

impl Writer {
    /// Few system calls, and stretches long enough for the checksum to run at full speed.
    const BUFFER: usize = 1 << 18;

    /// Begins a file. An existing one is replaced at the end; a link stays a link to what is replaced.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create(path: impl AsRef<Path>, kind: Kind) -> Result<Writer, ContainerError> {
        let path = path.as_ref();
        let refused = |error| ContainerError::write(path, error);
        let place = Place::find(path).map_err(refused)?;
        if place.is_special() {
            return Err(refused(io::Error::other("it is a device or a pipe, expected the name of a file")));
        }
        let file = place.temporary().map_err(refused)?;
        let mut body = Body { file, hasher: XxHash3_128::new(), len: 0 };
        body.file.write_all(&[0; LEN]).map_err(refused)?;
        Ok(Writer { body: BufWriter::with_capacity(Self::BUFFER, body), kind, path: path.to_owned(), place })
    }

    /// Where the bytes are until the file is complete; for whoever must remove it when the process ends at once.
    pub fn temporary_path(&self) -> &Path {
        self.body.get_ref().file.path()
    }

    /// Bytes of the body so far.
    pub fn body_len(&self) -> u64 {
        self.body.get_ref().len + self.body.buffer().len() as u64
    }

    /// Completes the file: adds the header, makes sure that everything is on the disk, and gives the file its name.
    ///
    /// # Errors
    /// When that fails; then nothing is left behind, and what stood under the name before still does.
    pub fn finish(self, header: &impl Serialize) -> Result<(), ContainerError> {
        let Writer { body, kind, path, place } = self;
        let refused = |error| ContainerError::write(&path, error);
        let Body { mut file, hasher, len } = body.into_inner().map_err(|error| refused(error.into_error()))?;
        let header = codec::encode(header).map_err(|reason| refused(io::Error::other(reason)))?;
        let preamble = Preamble {
            kind,
            // The codec keeps headers far below 4 GiB.
            header_len: header.len() as u32,
            body_len: len,
            body_checksum: hasher.finish_128(),
            header_checksum: header_checksum(&header),
        };
        file.write_all(&header).map_err(refused)?;
        file.seek(SeekFrom::Start(0)).map_err(refused)?;
        file.write_all(&preamble.to_bytes()).map_err(refused)?;
        // Before the name: after a crash there must not be a name without its bytes.
        file.as_file().sync_all().map_err(refused)?;
        file.persist(place.target()).map_err(|error| refused(error.error))?;
        // The name itself is safe once the folder is written. Not every system can do that, and the file is whole anyway.
        let _ = File::open(place.folder()).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.body.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.body.flush()
    }
}

struct Body {
    file: NamedTempFile,
    hasher: XxHash3_128,
    len: u64,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("file", &self.file).field("len", &self.len).finish_non_exhaustive()
    }
}

impl Write for Body {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.write(&bytes[..written]);
        self.len += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
