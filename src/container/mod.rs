//! One file format for everything the program keeps: a kind, a header, a body, checksums. Knows no game.
//!
//! `FORMAT.md` beside this file documents every byte.
//!
//! A file is written under a temporary name in the folder of its target and gets its name when it is complete, so a file
//! under the final name is always whole. It is opened by memory map: opening checks all but the body, so it is as fast for
//! a large file as for a small one; [`Container::verify`] checks the body as well.
//!
//! ```
//! use papamu::container::{Container, Kind, Writer};
//! use std::io::Write;
//!
//! const KIND: Kind = Kind::new("example");
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("file");
//! let mut writer = Writer::create(&path, KIND)?;
//! writer.write_all(b"as many bytes as you like")?;
//! // Last, so that it can count what went into the body.
//! writer.finish(&("four", 4_u32))?;
//!
//! let file = Container::<(String, u32)>::open(&path, KIND)?;
//! file.verify()?;
//! assert_eq!(file.header(), &("four".to_owned(), 4));
//! assert_eq!(file.body(), b"as many bytes as you like");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod codec;
mod error;
mod kind;
mod number_set;
mod pages;
mod place;
mod preamble;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{ContainerError, Part};
pub use kind::Kind;
pub use number_set::{Damaged, Encoder, NumberSet, Words, bits, put_bits};
pub use pages::{PageSummer, PageSums, Pages, PagesSeen, Shifted};
pub use place::{Place, is_same_file, open_special};
pub use reader::Container;
pub use writer::Writer;
