//! Reading a file by memory map.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use serde::de::DeserializeOwned;

use super::preamble::{LEN, Preamble, body_checksum, header_checksum};
use super::{ContainerError, Kind, Part, codec};

/// An open file: its header, and its body as memory that the system reads when it is looked at.
///
/// The file must not be changed or shortened while it is open. Files of this format are never changed in place, only
/// replaced as a whole, which does no harm to an open one.
#[derive(Debug)]
pub struct Container<H> {
    path: PathBuf,
    preamble: Preamble,
    header: H,
    file: File,
    map: Mmap,
}

impl<H: DeserializeOwned> Container<H> {
    /// Opens a file of this kind and checks all of it but the body.
    ///
    /// # Errors
    /// When it cannot be read, is none of ours, of another version or kind, too short or too long, or damaged outside its
    /// body.
    pub fn open(path: impl AsRef<Path>, kind: Kind) -> Result<Container<H>, ContainerError> {
        let path = path.as_ref();
        let refused = |error| ContainerError::read(path, error);
        let (file, preamble) = preamble(path)?;
        if preamble.kind != kind {
            return Err(ContainerError::OtherKind { path: path.to_owned(), expected: kind, found: preamble.kind });
        }
        let (expected, found) = (preamble.file_len(), file.metadata().map_err(refused)?.len());
        if found < expected {
            return Err(ContainerError::Truncated { path: path.to_owned(), expected, found });
        }
        if found > expected {
            return Err(ContainerError::TooLong { path: path.to_owned(), expected, found });
        }
        // SAFETY: the bytes are only read. That nobody changes the file meanwhile is a duty of the documentation above,
        // which every program that maps files has.
        let map = unsafe { Mmap::map(&file) }.map_err(refused)?;
        let header = map.get(LEN + preamble.body_len as usize..).unwrap_or_default();
        let wrong = |(expected, found)| ContainerError::Header { path: path.to_owned(), kind, expected, found };
        if header.len() > codec::MAX_LEN {
            let expected = format!("at most {} bytes of header", codec::MAX_LEN);
            return Err(wrong((expected, format!("{} bytes", header.len()))));
        }
        let (expected, found) = (preamble.header_checksum.into(), header_checksum(header).into());
        if expected != found {
            return Err(ContainerError::Damaged { path: path.to_owned(), part: Part::Header, expected, found });
        }
        let header = codec::decode(header).map_err(wrong)?;
        Ok(Container { path: path.to_owned(), preamble, header, file, map })
    }
}

impl Container<()> {
    /// The kind of a file, from its first bytes.
    ///
    /// # Errors
    /// When it cannot be read, is none of ours, of another version, or damaged there.
    pub fn kind_of(path: impl AsRef<Path>) -> Result<Kind, ContainerError> {
        preamble(path.as_ref()).map(|(_, preamble)| preamble.kind)
    }
}

impl<H> Container<H> {
    /// What the file says of itself.
    pub fn header(&self) -> &H {
        &self.header
    }

    /// What the file holds, aligned to 64 bytes.
    pub fn body(&self) -> &[u8] {
        // The lengths were compared with that of the file.
        &self.map[LEN..LEN + self.preamble.body_len as usize]
    }

    /// The body as a stream, read by ordinary calls: for reading a large one once without its pages counting as memory
    /// of the process.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_body(&self) -> io::Result<impl Read> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(LEN as u64))?;
        Ok(file.take(self.preamble.body_len))
    }

    /// The checksum of the body by what the file says; it is true after [`Container::verify`].
    pub fn checksum(&self) -> u128 {
        self.preamble.body_checksum
    }

    /// The name it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of the file in all.
    pub fn file_len(&self) -> u64 {
        self.preamble.file_len()
    }

    /// Reads the body and compares its checksum.
    ///
    /// # Errors
    /// When the body is damaged.
    pub fn verify(&self) -> Result<(), ContainerError> {
        let (expected, found) = (self.preamble.body_checksum, body_checksum(self.body()));
        match expected == found {
            true => Ok(()),
            false => Err(ContainerError::Damaged { path: self.path.clone(), part: Part::Body, expected, found }),
        }
    }
}

fn preamble(path: &Path) -> Result<(File, Preamble), ContainerError> {
    let refused = |error| ContainerError::read(path, error);
    // A pipe would make us wait forever, already when it is opened, and cannot be mapped.
    if !fs::metadata(path).map_err(refused)?.is_file() {
        return Err(refused(io::Error::other("expected a file, found a folder, a device or a pipe")));
    }
    let mut file = File::open(path).map_err(refused)?;
    let mut first = Vec::with_capacity(LEN);
    (&mut file).take(LEN as u64).read_to_end(&mut first).map_err(refused)?;
    let preamble = Preamble::read(path, &first)?;
    Ok((file, preamble))
}
