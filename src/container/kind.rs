//! What a file is: a short tag in its first bytes.

use std::fmt;

/// The kind of a file: 1 to 8 lower-case ASCII letters, digits or hyphens.
///
/// A kind is one layout of header and body. When a layout changes, so does its kind (`table`, `table-2`), so that no
/// program reads one for the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind([u8; Kind::MAX_LEN]);

impl Kind {
    /// The longest tag.
    pub const MAX_LEN: usize = 8;

    /// The kind with this tag.
    ///
    /// # Panics
    /// If the tag is not as described at [`Kind`]; in a constant that is an error of compilation.
    pub const fn new(tag: &str) -> Kind {
        let tag = tag.as_bytes();
        assert!(!tag.is_empty() && tag.len() <= Kind::MAX_LEN, "a kind has 1 to 8 characters");
        let mut bytes = [0; Kind::MAX_LEN];
        let mut at = 0;
        while at < tag.len() {
            assert!(is_tag_byte(tag[at]), "a kind has lower-case letters, digits and hyphens");
            bytes[at] = tag[at];
            at += 1;
        }
        Kind(bytes)
    }

    /// The tag.
    pub fn tag(&self) -> &str {
        let len = self.0.iter().position(|&byte| byte == 0).unwrap_or(Kind::MAX_LEN);
        // Both constructors let ASCII only pass.
        std::str::from_utf8(&self.0[..len]).unwrap_or_default()
    }

    /// As it stands in a file: the tag, filled up with zeros.
    pub(super) const fn bytes(self) -> [u8; Kind::MAX_LEN] {
        self.0
    }

    /// From a file; `None` if the bytes are no tag.
    pub(super) fn from_bytes(bytes: [u8; Kind::MAX_LEN]) -> Option<Kind> {
        let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(Kind::MAX_LEN);
        let good =
            len > 0 && bytes[..len].iter().all(|&byte| is_tag_byte(byte)) && bytes[len..].iter().all(|&b| b == 0);
        good.then_some(Kind(bytes))
    }
}

const fn is_tag_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.tag())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kind({})", self.tag())
    }
}
