//! Complete tables: every position that can be reached, with who wins and how soon, in a file.
//!
//! [`build`] makes a table layer by layer: first down from the most stones, which positions there are; then up from the
//! fewest, what each is worth. [`Table`] answers for positions, lists them ([`find`], [`export`]) and is checked by
//! [`verify_deep`] with the reference rules.
//!
//! # The file
//!
//! A container (`src/container/FORMAT.md`) of kind `table`. Its header has, in order:
//!
//! | field | type | what |
//! |---|---|---|
//! | game | text | `konane` |
//! | version | text | the version of the program that wrote it |
//! | board | text | `5x6`: rows, columns |
//! | top left | text | `black` or `white`: who owns the top-left cell |
//! | removals | optional pair of texts | the rules of the first and second removal (`corner-or-centre`, `adjacent`); none for the table of one position |
//! | openings | list of texts | the removals it begins with, `a5:b5`, in the order of the board; empty for one position |
//! | position | optional text | the one position it begins with, with its side to move |
//! | classes | list | see below |
//! | page bits | `u8` | a page has 2^this bytes |
//! | page sums | list of `u64` | XXH3-64 (seed 0) of each page of the body |
//!
//! A class is all positions of the table with as many black and as many white stones and one side to move; classes with
//! more stones come first, then those with more black ones, then Black to move. Each has, in order:
//!
//! | field | type | what |
//! |---|---|---|
//! | black, white | `u32`, `u32` | stones |
//! | white to move | `bool` | otherwise Black |
//! | count | `u64` | positions |
//! | base | `u64` | the first word (of 8 bytes) of the class in the body |
//! | remoteness | list of `u64` | how many positions have remoteness 0, 1, 2, … |
//!
//! The body holds for each class in turn, in words of 64 bits: its placements, a set of numbers laid out as
//! `container::NumberSet` tells, `count` of them below the number of placements (both as `konane::Ranking` tells); then the
//! remoteness of each, in the order of the set, in as many bits as the largest one of the class needs (b bits for values
//! below 2^b, the first in the lowest bits of the first word; none where all are 0), filled up to a word. The side to move
//! wins where the remoteness is odd.

mod build;
mod class;
mod collect;
mod error;
mod export;
mod find;
mod parts;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod verify;

pub use build::{BuildOptions, build};
pub use class::Class;
pub use error::TableError;
pub use export::{Export, export};
pub use find::{Found, Query, Span, find};
pub use source::{Roots, Source, SourceError};
pub use table::{Counts, Entry, KIND as TABLE_KIND, Piece, Probe, Table, winner};
pub use value::Best;
pub use verify::{DeepCheck, verify_deep};
