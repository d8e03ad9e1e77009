//! The first 64 bytes of a file.
//!
//! ```text
//!  0  magic (8)   8  version (4)  12  header length (4)
//! 16  kind (8)   24  body length (8)
//! 32  body checksum (16)
//! 48  header checksum (8)         56  preamble checksum (8)
//! ```
//!
//! Numbers are little-endian. The file itself is preamble, body, header: with the header last, it can count what went into
//! the body, and the body is aligned to 64 bytes. See also `FORMAT.md`.

use std::path::Path;

use twox_hash::{XxHash3_64, XxHash3_128};

use super::{ContainerError, Kind, Part};

/// Not text and with a line feed, so that a transfer that changes line ends is noticed, as in PNG.
pub(super) const MAGIC: [u8; 8] = *b"\x89PAPAMU\n";
pub(super) const VERSION: u32 = 1;
pub(super) const LEN: usize = 64;

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Preamble {
    pub(super) kind: Kind,
    pub(super) header_len: u32,
    pub(super) body_len: u64,
    pub(super) body_checksum: u128,
    pub(super) header_checksum: u64,
}

impl Preamble {
    /// The length of the whole file. Of a damaged file it may be absurd, but it does not overflow.
    pub(super) fn file_len(&self) -> u64 {
        self.body_len.saturating_add(LEN as u64 + u64::from(self.header_len))
    }

    pub(super) fn to_bytes(self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.header_len.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.kind.bytes());
        bytes[24..32].copy_from_slice(&self.body_len.to_le_bytes());
        bytes[32..48].copy_from_slice(&self.body_checksum.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.header_checksum.to_le_bytes());
        let checksum = XxHash3_64::oneshot(&bytes[..56]);
        bytes[56..64].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the first bytes of a file, of which there may be fewer than [`LEN`] if the file is shorter.
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Preamble, ContainerError> {
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if start.is_empty() || !MAGIC.starts_with(start) {
            return Err(ContainerError::NotAContainer {
                path: path.to_owned(),
                expected: shown(&MAGIC),
                found: if start.is_empty() { "an empty file".to_owned() } else { shown(start) },
            });
        }
        let whole: &[u8; LEN] = bytes.first_chunk().ok_or_else(|| ContainerError::Truncated {
            path: path.to_owned(),
            expected: LEN as u64,
            found: bytes.len() as u64,
        })?;
        // Before the checksum: another version may have it elsewhere.
        let version = u32::from_le_bytes(field(whole, 8));
        if version != VERSION {
            return Err(ContainerError::OtherVersion { path: path.to_owned(), expected: VERSION, found: version });
        }
        let (expected, found) = (u64::from_le_bytes(field(whole, 56)), XxHash3_64::oneshot(&whole[..56]));
        let damaged = || ContainerError::Damaged {
            path: path.to_owned(),
            part: Part::Preamble,
            expected: expected.into(),
            found: found.into(),
        };
        if expected != found {
            return Err(damaged());
        }
        Ok(Preamble {
            kind: Kind::from_bytes(field(whole, 16)).ok_or_else(damaged)?,
            header_len: u32::from_le_bytes(field(whole, 12)),
            body_len: u64::from_le_bytes(field(whole, 24)),
            body_checksum: u128::from_le_bytes(field(whole, 32)),
            header_checksum: u64::from_le_bytes(field(whole, 48)),
        })
    }
}

fn field<const N: usize>(bytes: &[u8; LEN], at: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&bytes[at..at + N]);
    field
}

fn shown(bytes: &[u8]) -> String {
    format!("`{}`", bytes.escape_ascii())
}

pub(super) fn header_checksum(header: &[u8]) -> u64 {
    XxHash3_64::oneshot(header)
}

pub(super) fn body_checksum(body: &[u8]) -> u128 {
    XxHash3_128::oneshot(body)
}
