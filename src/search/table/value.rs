//! What an entry says of its position, in few bits.

use super::Found;
use crate::search::numbers::{NumberCode, Numbers};

/// Shares of `bits` bits between work and the two numbers: `(work, number)`.
fn shares(bits: u32) -> (u32, u32) {
    let work = if bits >= 25 { 5 } else { 3 };
    (work, ((bits - work) / 2).min(20))
}

/// Bits of a value: work, phi, delta from the top.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueCode {
    pub(super) bits: u32,
    work_bits: u32,
    number_bits: u32,
    number: NumberCode,
}

/// The fewest bits of a value: three of work and two numbers of eight.
pub(super) const LEAST_VALUE_BITS: u32 = 19;

impl ValueCode {
    pub(super) fn new(bits: u32) -> ValueCode {
        let (work_bits, number_bits) = shares(bits);
        ValueCode { bits: work_bits + 2 * number_bits, work_bits, number_bits, number: NumberCode::new(number_bits) }
    }

    /// Never 0: the numbers are not both 0.
    #[inline]
    pub(super) fn encode(self, numbers: Numbers, work: u64) -> u64 {
        let work = (u64::from(work.max(1).ilog2())).min(31) >> (5 - self.work_bits);
        let (phi, delta) = (self.number.encode(numbers.phi), self.number.encode(numbers.delta));
        (work << self.number_bits | u64::from(phi)) << self.number_bits | u64::from(delta)
    }

    #[inline]
    pub(super) fn numbers(self, value: u64) -> Numbers {
        let mask = (1 << self.number_bits) - 1;
        Numbers {
            phi: self.number.decode((value >> self.number_bits & mask) as u32),
            delta: self.number.decode((value & mask) as u32),
        }
    }

    #[inline]
    pub(super) fn work_code(self, value: u64) -> u64 {
        value >> (2 * self.number_bits) & ((1 << self.work_bits) - 1)
    }

    pub(super) fn found(self, value: u64) -> Found {
        Found { numbers: self.numbers(value), work: 1 << (self.work_code(value) << (5 - self.work_bits)) }
    }
}
