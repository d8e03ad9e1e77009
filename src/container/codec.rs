//! Headers as bytes, by `bincode`: the only file that names the crate.
//!
//! bincode is pinned to 2.0.1: version 3.0.0 is a tombstone, and the crate is unmaintained (RUSTSEC-2025-0141, no known
//! fault). `FORMAT.md` documents the layout we rely on, and a test pins it byte by byte, so another codec can take over.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest header. A reader refuses a longer one before it reads it, and no length in a damaged header makes it
/// allocate more.
pub(super) const MAX_LEN: usize = 16 << 20;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<MAX_LEN>> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<MAX_LEN>();

pub(super) fn encode(header: &impl Serialize) -> Result<Vec<u8>, String> {
    let bytes = bincode::serde::encode_to_vec(header, CONFIG).map_err(|error| error.to_string())?;
    match bytes.len() <= MAX_LEN {
        true => Ok(bytes),
        false => Err(format!("a header of {} bytes, at most {MAX_LEN} are allowed", bytes.len())),
    }
}

/// Reads a header that must take up all of the bytes.
pub(super) fn decode<H: DeserializeOwned>(bytes: &[u8]) -> Result<H, (String, String)> {
    let expected = || format!("{} bytes of header", bytes.len());
    let decoded = bincode::serde::decode_from_slice(bytes, CONFIG);
    let (header, used) = decoded.map_err(|_| (expected(), "other fields than a file of this kind has".to_owned()))?;
    match used == bytes.len() {
        true => Ok(header),
        false => Err((format!("{used} bytes of header"), format!("{} bytes", bytes.len()))),
    }
}
