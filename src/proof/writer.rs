//! Writing the file class by class.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::container::{PageSummer, Writer, put_bits};

use super::ProveError;
use super::checker::form::{Claim, Class, ClassRecord, Header, KIND};

/// A proof being written; nothing stands under its name until it is finished.
#[derive(Debug)]
pub(super) struct ProofWriter {
    writer: Writer,
    header: Header,
    pages: PageSummer,
    words: u64,
    buffer: Vec<u8>,
    path: PathBuf,
}

impl ProofWriter {
    /// Begins a file.
    pub(super) fn create(path: &Path, claim: &Claim, leaf_nodes: u64) -> Result<ProofWriter, ProveError> {
        // How long the body will be is not known: pages that serve boards of this many cells, up to 32 GiB or 512 GiB.
        let expected = if claim.size().cells() <= 49 { 0 } else { 1 << 39 };
        Ok(ProofWriter {
            writer: Writer::create(path, KIND)?,
            header: Header::new(claim, leaf_nodes),
            pages: PageSummer::new(expected),
            words: 0,
            buffer: Vec::new(),
            path: path.to_owned(),
        })
    }

    /// Where the bytes are until the file is complete.
    pub(super) fn temporary_path(&self) -> &Path {
        self.writer.temporary_path()
    }

    /// Adds a class: its numbers in ascending order below `placements`, and the number of the move at each. Classes come by
    /// falling number of stones, then of black stones; an empty one is left out.
    pub(super) fn class(
        &mut self,
        [black, white]: [u32; 2],
        placements: u64,
        numbers: &[u64],
        answers: &[u16],
    ) -> Result<(), ProveError> {
        let most = answers.iter().copied().max().unwrap_or(0);
        let record = ClassRecord {
            // Boards have at most 32 cells of a colour.
            black: black as u8,
            white: white as u8,
            count: numbers.len() as u64,
            answer_bits: (u16::BITS - most.leading_zeros()) as u8,
            first_word: self.words,
        };
        let Some(class) = Class::new(record, placements) else { return Ok(()) };
        let mut words = class.set.encode(numbers.iter().copied());
        let base = words.len() as u64 * 64;
        words.resize(class.words() as usize, 0);
        let width = u32::from(record.answer_bits);
        for (at, &answer) in (0..).zip(answers) {
            put_bits(&mut words, base + at * u64::from(width), width, answer.into());
        }
        self.words += words.len() as u64;
        self.header.positions += record.count;
        self.header.classes.push(record);
        for part in words.chunks(1 << 13) {
            self.buffer.clear();
            self.buffer.extend(part.iter().flat_map(|word| word.to_le_bytes()));
            self.pages.take(&self.buffer);
            self.writer.write_all(&self.buffer).map_err(ProveError::Body)?;
        }
        Ok(())
    }

    /// Completes the file; its entries and its bytes.
    pub(super) fn finish(self) -> Result<(u64, u64), ProveError> {
        let ProofWriter { writer, mut header, pages, path, .. } = self;
        header.pages = pages.finish();
        let positions = header.positions;
        writer.finish(&header)?;
        let there = std::fs::metadata(&path).map_err(ProveError::Body)?;
        Ok((positions, there.len()))
    }
}
