//! Scattering numbers so that nothing is lost.

/// A bijection of the numbers below 2^`bits` that scatters them.
#[inline(always)]
pub(super) fn scramble(mut x: u64, bits: u32, mask: u64) -> u64 {
    let half = bits.div_ceil(2);
    x ^= x >> half;
    x = x.wrapping_mul(FIRST) & mask;
    x ^= x >> half;
    x = x.wrapping_mul(SECOND) & mask;
    x ^ x >> half
}

/// The number that [`scramble`] maps to `x`.
pub(super) fn unscramble(mut x: u64, bits: u32, mask: u64) -> u64 {
    // A shift by half the bits or more undoes itself.
    let half = bits.div_ceil(2);
    x ^= x >> half;
    x = x.wrapping_mul(inverse(SECOND)) & mask;
    x ^= x >> half;
    x = x.wrapping_mul(inverse(FIRST)) & mask;
    x ^ x >> half
}

pub(super) const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
pub(super) const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

/// The inverse of an odd number modulo 2^64, by Newton's method: each step doubles the right bits.
pub(super) const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}
