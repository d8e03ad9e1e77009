//! Proof and disproof numbers, and their short codes in the table.

/// The two numbers of a position in the view of its side to move.
///
/// `phi` estimates the effort that proves a win of the side to move, `delta` the effort that proves its loss; `phi` 0 with
/// `delta` [`INFINITE`] is a proved win, the reverse a proved loss, anything else is open with both in `1..=`[`LARGEST`].
/// (Nagai's notation: at a node where the proof is sought `phi` is the proof number, at the others the disproof number.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub phi: u32,
    pub delta: u32,
}

/// No effort is enough.
pub(super) const INFINITE: u32 = u32::MAX;
/// The largest number of an open position; sums stop here. A search whose numbers have all grown to this is a plain
/// depth-first search: slower, still right.
pub(super) const LARGEST: u32 = 1 << 31;

impl Numbers {
    pub const WIN: Numbers = Numbers { phi: 0, delta: INFINITE };
    pub const LOSS: Numbers = Numbers { phi: INFINITE, delta: 0 };

    /// Whether the side to move is proved to win (`true`) or to lose (`false`).
    #[inline]
    pub fn solved(self) -> Option<bool> {
        if self.phi == 0 {
            Some(true)
        } else if self.delta == 0 {
            Some(false)
        } else {
            None
        }
    }
}

/// How numbers are written in few bits: floating point with five bits of exponent, rounded up.
///
/// Rounding up matters: a search returns once a number has reached its threshold, and what is stored must have reached
/// it too, or the caller would send the search back for nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberCode {
    mantissa: u32,
    infinite: u32,
}

impl NumberCode {
    /// A code of `bits` bits, 8 to 24.
    pub fn new(bits: u32) -> NumberCode {
        assert!((8..=24).contains(&bits));
        NumberCode { mantissa: bits - 5, infinite: (1 << bits) - 1 }
    }

    #[inline]
    pub fn encode(self, number: u32) -> u32 {
        if number == INFINITE {
            return self.infinite;
        }
        if number >> self.mantissa == 0 {
            return number;
        }
        let exponent = number.ilog2() - self.mantissa;
        // A carry out of the mantissa runs into the exponent, which is just the next power of two.
        let rounded = ((number - 1) >> exponent) + 1;
        ((exponent + 1) << self.mantissa) + rounded - (1 << self.mantissa)
    }

    #[inline]
    pub fn decode(self, code: u32) -> u32 {
        if code == self.infinite {
            return INFINITE;
        }
        let high = code >> self.mantissa;
        if high == 0 {
            return code;
        }
        let mantissa = (code & ((1 << self.mantissa) - 1)) | 1 << self.mantissa;
        mantissa << (high - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_up_by_less_than_a_step_and_keep_the_order() {
        for bits in [8, 10, 13, 24] {
            let code = NumberCode::new(bits);
            assert_eq!((code.encode(0), code.decode(code.encode(INFINITE))), (0, INFINITE));
            let mut numbers: Vec<u32> = (0..31).flat_map(|e| (0..40).map(move |i| (1 << e) + i)).collect();
            numbers.extend([LARGEST, LARGEST - 1, LARGEST / 3]);
            numbers.sort_unstable();
            let mut last = 0;
            for number in numbers.into_iter().filter(|&number| number <= LARGEST) {
                let stored = code.decode(code.encode(number));
                assert!(code.encode(number) < 1 << bits);
                assert!(stored >= number && stored - number <= number >> (bits - 5), "{number} -> {stored}");
                assert!(stored >= last && stored != INFINITE);
                assert_eq!(code.encode(stored), code.encode(number), "a stored number is its own code");
                last = stored;
            }
        }
    }
}
