//! What can be wrong with a file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::Kind;

/// The part of a file that a checksum covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first 64 bytes.
    Preamble,
    /// What the file says of itself.
    Header,
    /// What the file holds.
    Body,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Part::Preamble => "preamble",
            Part::Header => "header",
            Part::Body => "body",
        })
    }
}

/// A file that cannot be read as what it should be, or cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file, by its final name.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file does not begin as ours do.
    #[error("{}: not a file of this program: expected it to begin with {expected}, found {found}; give a file that \
        papamu wrote", path.display())]
    NotAContainer {
        /// The file.
        path: PathBuf,
        /// The first bytes of every file of ours.
        expected: String,
        /// The first bytes of this one.
        found: String,
    },
    /// The file has another version of the format.
    #[error("{}: expected format version {expected}, found {found}; {}", path.display(),
        if found > expected { "use the papamu that wrote it or a newer one than this, or make the file again with this one" }
        else { "make the file again" })]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version that this program reads and writes.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The file is whole, but of another kind.
    #[error("{}: expected a file of kind `{expected}`, found `{found}`; give another file, or use the command for \
        files of this kind", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The kind that was asked for.
        expected: Kind,
        /// The kind of the file.
        found: Kind,
    },
    /// The file ends too early.
    #[error("{}: truncated: expected {expected} bytes, found {found}; copy it again from where it came, or make it again",
        path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length by what it says itself.
        expected: u64,
        /// Its length.
        found: u64,
    },
    /// The file goes on after its end.
    #[error("{}: longer than it says: expected {expected} bytes, found {found}; copy it again from where it came, or \
        make it again", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Its length by what it says itself.
        expected: u64,
        /// Its length.
        found: u64,
    },
    /// A checksum does not fit.
    #[error("{}: damaged: expected the checksum {expected:x} of its {part}, found {found:x}; copy it again from where it \
        came, or make it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damage is (or in the checksum itself).
        part: Part,
        /// The checksum by what the file says itself.
        expected: u128,
        /// The checksum of its bytes.
        found: u128,
    },
    /// The header is whole, but it is not the header that was expected.
    #[error("{}: the header of this `{kind}` file cannot be read: expected {expected}, found {found}; make the file again \
        with this version", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// The kind of the file.
        kind: Kind,
        /// What was expected.
        expected: String,
        /// What is there instead.
        found: String,
    },
}

impl ContainerError {
    pub(super) fn read(path: &Path, source: io::Error) -> ContainerError {
        ContainerError::Read { path: path.to_owned(), source }
    }

    pub(super) fn write(path: &Path, source: io::Error) -> ContainerError {
        ContainerError::Write { path: path.to_owned(), source }
    }

    /// The file that the error is about.
    pub fn path(&self) -> &Path {
        match self {
            ContainerError::Read { path, .. }
            | ContainerError::Write { path, .. }
            | ContainerError::NotAContainer { path, .. }
            | ContainerError::OtherVersion { path, .. }
            | ContainerError::OtherKind { path, .. }
            | ContainerError::Truncated { path, .. }
            | ContainerError::TooLong { path, .. }
            | ContainerError::Damaged { path, .. }
            | ContainerError::Header { path, .. } => path,
        }
    }
}
