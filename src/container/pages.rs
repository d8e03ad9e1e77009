//! Checksums of the pages of a body, so that what is read of a large file can be checked without reading all of it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::number_set::{Damaged, Words};

/// The checksums of all pages of a body; part of a header. A page has 2^`page_bits` bytes, the last one may be shorter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSums {
    /// Logarithm of the length of a page to base 2.
    pub page_bits: u8,
    /// XXH3-64 (seed 0) of each page in turn.
    pub sums: Vec<u64>,
}

impl PageSums {
    /// 64 KiB: checked in a few microseconds.
    const LEAST_BITS: u8 = 16;
    /// Headers are at most 16 MiB; the sums take a quarter of that at most.
    const MOST_SUMS: u64 = 1 << 19;

    /// The length of pages, as a logarithm, for a body of this length.
    pub fn page_bits(body_len: u64) -> u8 {
        let bits = (Self::LEAST_BITS..63).find(|&bits| body_len.div_ceil(1 << bits) <= Self::MOST_SUMS);
        bits.unwrap_or(63)
    }

    /// Whether these could be the sums of a body of this length.
    pub fn fits(&self, body_len: u64) -> bool {
        (Self::LEAST_BITS..64).contains(&self.page_bits)
            && self.sums.len() as u64 == body_len.div_ceil(1 << self.page_bits)
    }

    /// The number, sum and true sum of the first page of a body, which fits, that has another sum. Reads all of it.
    pub fn first_wrong(&self, body: &[u8]) -> Option<(usize, u64, u64)> {
        // Longer than any body there can be: one page.
        let page_len = 1_usize.checked_shl(u32::from(self.page_bits)).unwrap_or(usize::MAX);
        let pages = body.chunks(page_len).zip(&self.sums).enumerate();
        pages.map(|(at, (page, &sum))| (at, sum, XxHash3_64::oneshot(page))).find(|(_, sum, found)| sum != found)
    }
}

/// Takes the sums of a body as it is written.
#[derive(Debug)]
pub struct PageSummer {
    sums: PageSums,
    page: Vec<u8>,
}

impl PageSummer {
    /// For a body of this length.
    pub fn new(body_len: u64) -> PageSummer {
        let sums = PageSums { page_bits: PageSums::page_bits(body_len), sums: Vec::new() };
        PageSummer { sums, page: Vec::new() }
    }

    /// Takes the next bytes.
    pub fn take(&mut self, mut bytes: &[u8]) {
        let len = 1_usize << self.sums.page_bits;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(len - self.page.len()));
            self.page.extend_from_slice(now);
            if self.page.len() == len {
                self.close();
            }
            bytes = later;
        }
    }

    fn close(&mut self) {
        self.sums.sums.push(XxHash3_64::oneshot(&self.page));
        self.page.clear();
    }

    /// The sums of all.
    pub fn finish(mut self) -> PageSums {
        if !self.page.is_empty() {
            self.close();
        }
        self.sums
    }
}

/// A body whose pages are checked when they are first read.
#[derive(Debug)]
pub struct Pages<'a> {
    body: &'a [u8],
    sums: &'a PageSums,
    good: &'a PagesSeen,
}

/// Which pages of a body were found good.
#[derive(Debug)]
pub struct PagesSeen(Box<[AtomicU64]>);

impl PagesSeen {
    /// None of a body with these sums.
    pub fn new(sums: &PageSums) -> PagesSeen {
        PagesSeen((0..sums.sums.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }
}

impl<'a> Pages<'a> {
    /// The pages of a body that fits these sums.
    pub fn new(body: &'a [u8], sums: &'a PageSums, good: &'a PagesSeen) -> Pages<'a> {
        Pages { body, sums, good }
    }

    fn check(&self, page: usize) -> Result<(), Damaged> {
        let seen = self.good.0.get(page / 64).ok_or(Damaged)?;
        if seen.load(Relaxed) >> (page % 64) & 1 == 1 {
            return Ok(());
        }
        let start = page << self.sums.page_bits;
        let end = (start + (1 << self.sums.page_bits)).min(self.body.len());
        let bytes = self.body.get(start..end).ok_or(Damaged)?;
        if self.sums.sums.get(page) != Some(&XxHash3_64::oneshot(bytes)) {
            return Err(Damaged);
        }
        seen.fetch_or(1 << (page % 64), Relaxed);
        Ok(())
    }
}

/// The words of a body, each of a page that was checked.
impl Words for Pages<'_> {
    #[inline]
    fn word(&self, at: u64) -> Result<u64, Damaged> {
        let start = usize::try_from(at).ok().and_then(|at| at.checked_mul(8)).ok_or(Damaged)?;
        // A word never lies across two pages: their length is a multiple of eight.
        self.check(start >> self.sums.page_bits)?;
        self.body.word(at)
    }
}

/// Words from this word on.
#[derive(Debug)]
pub struct Shifted<'a, W: ?Sized>(pub &'a W, pub u64);

impl<W: Words + ?Sized> Words for Shifted<'_, W> {
    #[inline]
    fn word(&self, at: u64) -> Result<u64, Damaged> {
        self.0.word(self.1.checked_add(at).ok_or(Damaged)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_checked_when_they_are_read() {
        let mut body: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
        let mut summer = PageSummer::new(body.len() as u64);
        body.chunks(777).for_each(|chunk| summer.take(chunk));
        let sums = summer.finish();
        assert_eq!((sums.page_bits, sums.sums.len()), (16, 4));
        assert!(sums.fits(200_000) && !sums.fits(300_000));
        assert_eq!(sums.first_wrong(&body), None);
        body[70_000] ^= 1;
        assert_eq!(sums.first_wrong(&body), Some((1, sums.sums[1], XxHash3_64::oneshot(&body[65_536..131_072]))));
        let one = PageSums { page_bits: 63, sums: vec![XxHash3_64::oneshot(&body)] };
        assert!(one.fits(200_000) && one.first_wrong(&body).is_none());
        let seen = PagesSeen::new(&sums);
        let pages = Pages::new(&body, &sums, &seen);
        assert_eq!(pages.word(3), body[..].word(3));
        assert_eq!(pages.word(65_536 / 8), Err(Damaged));
        assert!(pages.word(131_072 / 8).is_ok() && pages.word(199_992 / 8).is_ok());
        assert_eq!(pages.word(200_000 / 8), Err(Damaged));
        assert_eq!(pages.word(u64::MAX), Err(Damaged));
    }

    #[test]
    fn pages_grow_with_the_body() {
        assert_eq!(PageSums::page_bits(0), 16);
        assert_eq!(PageSums::page_bits(1 << 35), 16);
        assert_eq!(PageSums::page_bits((1 << 35) + 1), 17);
        assert_eq!(PageSums::page_bits(1 << 40), 21);
    }
}
