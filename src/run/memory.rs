//! Sizes of memory as people write them.

use std::fmt;
use std::str::FromStr;

use bytesize::ByteSize;

/// A number of bytes. Text: `4GiB`, `512MiB`, `2GB`, or a bare number of bytes.
///
/// ```
/// use papamu::run::MemorySize;
/// let size: MemorySize = "64MiB".parse()?;
/// assert_eq!(size.bytes(), 64 << 20);
/// assert_eq!(size.to_string(), "64.0 MiB");
/// # Ok::<(), papamu::run::MemoryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemorySize(u64);

/// A text that is not a size of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a memory size: expected a number of bytes or a number with a unit, such as 512MiB or 4GiB")]
pub struct MemoryError {
    /// The text as it was given.
    pub found: String,
}

impl MemorySize {
    /// This many bytes.
    pub const fn from_bytes(bytes: u64) -> MemorySize {
        MemorySize(bytes)
    }

    /// The number of bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// Two sizes as texts that differ where the sizes do: in bytes where the rounded figures would be the same.
    pub fn apart(self, other: MemorySize) -> (String, String) {
        let texts = (self.to_string(), other.to_string());
        match texts.0 == texts.1 && self != other {
            true => (format!("{} bytes", self.0), format!("{} bytes", other.0)),
            false => texts,
        }
    }

    /// Half of the memory that is free now, at most 4 GiB: what a search may use if nobody says otherwise. 1 GiB where
    /// the system does not tell.
    pub fn default_cap() -> MemorySize {
        let available = sysinfo::System::new().map_or(0, |mut system| {
            system.refresh_memory();
            system.cgroup_limits().map_or(system.available_memory(), |limits| limits.free_memory)
        });
        let half = if available == 0 { 1 << 30 } else { available / 2 };
        MemorySize(half.min(4 << 30))
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&ByteSize::b(self.0).display().iec().to_string())
    }
}

impl FromStr for MemorySize {
    type Err = MemoryError;

    fn from_str(text: &str) -> Result<MemorySize, MemoryError> {
        let size: Result<ByteSize, _> = text.parse();
        size.map(|size| MemorySize(size.as_u64())).map_err(|_| MemoryError { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_bare_numbers() {
        let bytes = |text: &str| text.parse::<MemorySize>().map(MemorySize::bytes);
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("1"), Ok(1));
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(bytes("0.5 KiB"), Ok(512));
        for bad in ["", "GiB", "4 elephants", "-1", "4GiBs", "∞"] {
            assert_eq!(bytes(bad), Err(MemoryError { found: bad.to_owned() }));
        }
        let apart = |a, b| MemorySize(a).apart(MemorySize(b));
        assert_eq!(apart(1 << 20, 2 << 20), ("1.0 MiB".to_owned(), "2.0 MiB".to_owned()));
        assert_eq!(apart(1 << 20, (1 << 20) + 1), ("1048576 bytes".to_owned(), "1048577 bytes".to_owned()));
        assert!(MemorySize::default_cap().bytes() <= 4 << 30);
    }
}
