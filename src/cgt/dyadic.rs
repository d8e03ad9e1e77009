//! Dyadic rationals: the numbers that short games can be.

use std::cmp::Ordering;
use std::fmt;

use super::GameError;

/// A number `numerator / 2^exponent` in lowest terms, exact. What would not fit is an error, never rounded.
///
/// ```
/// use papamu::cgt::Dyadic;
/// let three_quarters = Dyadic::new(6, 3)?;
/// assert_eq!((three_quarters.numerator(), three_quarters.exponent()), (3, 2));
/// assert_eq!(three_quarters.add(Dyadic::new(1, 2)?)?, Dyadic::integer(1)?);
/// assert_eq!(three_quarters.to_string(), "3/4");
/// # Ok::<(), papamu::cgt::GameError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i64,
    exponent: u8,
}

/// An end of an interval of numbers; `None` is infinity.
pub(super) type End = Option<(Dyadic, bool)>;

#[allow(clippy::should_implement_trait, reason = "the operators of the language cannot fail")]
impl Dyadic {
    /// Zero.
    pub const ZERO: Dyadic = Dyadic { numerator: 0, exponent: 0 };
    /// One.
    pub const ONE: Dyadic = Dyadic { numerator: 1, exponent: 0 };
    /// The greatest exponent of a denominator.
    pub const MAX_EXPONENT: u8 = 60;
    /// The greatest numerator; the least is its negative.
    pub const MAX_NUMERATOR: i64 = 1 << 61;

    /// `numerator / 2^exponent`, brought to lowest terms.
    ///
    /// # Errors
    /// When numerator or denominator is out of range.
    pub fn new(numerator: i64, exponent: u32) -> Result<Dyadic, GameError> {
        Dyadic::reduced(i128::from(numerator), exponent)
    }

    /// A whole number.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn integer(n: i64) -> Result<Dyadic, GameError> {
        Dyadic::reduced(n.into(), 0)
    }

    /// A number by its parts, which must be those of a number.
    pub(super) const fn in_lowest_terms(numerator: i64, exponent: u8) -> Dyadic {
        Dyadic { numerator, exponent }
    }

    fn reduced(numerator: i128, exponent: u32) -> Result<Dyadic, GameError> {
        let twos = if numerator == 0 { exponent } else { numerator.trailing_zeros().min(exponent) };
        let (numerator, exponent) = (if numerator == 0 { 0 } else { numerator >> twos }, exponent - twos);
        match (i64::try_from(numerator), u8::try_from(exponent)) {
            (Ok(numerator), Ok(exponent))
                if exponent <= Self::MAX_EXPONENT && numerator.unsigned_abs() <= Self::MAX_NUMERATOR.unsigned_abs() =>
            {
                Ok(Dyadic { numerator, exponent })
            }
            _ => Err(GameError::Range),
        }
    }

    /// The numerator in lowest terms.
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The logarithm of the denominator in lowest terms.
    pub const fn exponent(self) -> u8 {
        self.exponent
    }

    /// Whether this is a whole number.
    pub const fn is_integer(self) -> bool {
        self.exponent == 0
    }

    /// Whether this is zero.
    pub const fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The negative.
    pub const fn neg(self) -> Dyadic {
        Dyadic { numerator: -self.numerator, exponent: self.exponent }
    }

    /// The sum.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn add(self, other: Dyadic) -> Result<Dyadic, GameError> {
        let exponent = self.exponent.max(other.exponent);
        Dyadic::reduced(self.scaled(exponent) + other.scaled(exponent), exponent.into())
    }

    /// The difference.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn sub(self, other: Dyadic) -> Result<Dyadic, GameError> {
        self.add(other.neg())
    }

    /// Half of it.
    ///
    /// # Errors
    /// When the denominator is out of range.
    pub fn half(self) -> Result<Dyadic, GameError> {
        Dyadic::reduced(self.numerator.into(), u32::from(self.exponent) + 1)
    }

    /// The greatest whole number that is not greater.
    pub const fn floor(self) -> i64 {
        self.numerator >> self.exponent
    }

    /// The numerator over the denominator `2^exponent`, which is at least that of `self`. Below 2^122.
    fn scaled(self, exponent: u8) -> i128 {
        i128::from(self.numerator) << (exponent - self.exponent)
    }

    /// The simplest number between two ends: the one with the earliest birthday. An end belongs to the interval where its
    /// flag says so. `None` if nothing lies between.
    ///
    /// # Errors
    /// When the simplest number is out of range.
    pub(super) fn simplest(low: End, high: End) -> Result<Option<Dyadic>, GameError> {
        let above = |x: Dyadic| low.is_none_or(|(end, closed)| end < x || closed && end == x);
        let below = |x: Dyadic| high.is_none_or(|(end, closed)| x < end || closed && x == end);
        if let (Some((low, low_closed)), Some((high, high_closed))) = (low, high)
            && (high < low || high == low && !(low_closed && high_closed))
        {
            return Ok(None);
        }
        if above(Dyadic::ZERO) && below(Dyadic::ZERO) {
            return Ok(Some(Dyadic::ZERO));
        }
        if !below(Dyadic::ZERO) {
            // Everything is negative or zero: mirror.
            let mirror = |end: End| end.map(|(end, closed)| (end.neg(), closed));
            let found = Dyadic::simplest(mirror(high), mirror(low))?;
            return Ok(found.map(Dyadic::neg));
        }
        let Some((end, _)) = low else { return Ok(Some(Dyadic::ZERO)) };
        // Of positive numbers the least whole one, else the one with the least denominator.
        for exponent in 0..=u32::from(Self::MAX_EXPONENT) {
            let scaled = if exponent >= u32::from(end.exponent) {
                i128::from(end.numerator) << (exponent - u32::from(end.exponent))
            } else {
                i128::from(end.numerator) >> (u32::from(end.exponent) - exponent)
            };
            for candidate in [scaled, scaled + 1] {
                let Ok(x) = Dyadic::reduced(candidate, exponent) else { continue };
                if above(x) && below(x) {
                    return Ok(Some(x));
                }
            }
        }
        Err(GameError::Range)
    }

    /// The day on which the number is born: of `n + f` with the fraction f over 2^k it is n + k + 1.
    pub(super) fn birthday(self) -> u64 {
        let whole = (self.numerator.unsigned_abs()) >> self.exponent;
        if self.is_integer() { whole } else { whole + u64::from(self.exponent) + 1 }
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if self.exponent == other.exponent {
            return self.numerator.cmp(&other.numerator);
        }
        // Nearly always both whole parts differ.
        let (whole, others) = (self.floor(), other.floor());
        if whole != others {
            return whole.cmp(&others);
        }
        let exponent = self.exponent.max(other.exponent);
        self.scaled(exponent).cmp(&other.scaled(exponent))
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => f.pad(&self.numerator.to_string()),
            exponent => f.pad(&format!("{}/{}", self.numerator, 1_u64 << exponent)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(numerator: i64, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent).unwrap()
    }

    #[test]
    fn arithmetic_is_exact_or_an_error() {
        assert_eq!(d(4, 2), d(1, 0));
        assert_eq!(d(3, 2).add(d(1, 1)).unwrap(), d(5, 2));
        assert_eq!(d(-3, 1).floor(), -2);
        assert!(d(1, 60) < d(1, 59) && d(-1, 59) < d(-1, 60) && d(1 << 61, 0) > d(1, 60));
        assert_eq!(Dyadic::new(1, 61), Err(GameError::Range));
        assert_eq!(Dyadic::new(i64::MIN, 0), Err(GameError::Range));
        assert_eq!(d(1 << 61, 0).add(Dyadic::ONE), Err(GameError::Range));
        assert_eq!(d(1 << 61, 0).add(d(1, 60)), Err(GameError::Range));
        assert_eq!(d(1, 60).half(), Err(GameError::Range));
    }

    /// Winning Ways, chapter 2: the simplest number of an interval.
    #[test]
    fn simplest_numbers() {
        let open = |x: Dyadic| Some((x, false));
        let between = |low: End, high: End| Dyadic::simplest(low, high).unwrap();
        assert_eq!(between(None, None), Some(d(0, 0)));
        assert_eq!(between(open(d(0, 0)), open(d(1, 0))), Some(d(1, 1)));
        assert_eq!(between(open(d(5, 1)), open(d(17, 2))), Some(d(3, 0)));
        assert_eq!(between(open(d(1, 2)), open(d(1, 0))), Some(d(1, 1)));
        assert_eq!(between(open(d(-7, 1)), open(d(-1, 2))), Some(d(-1, 0)));
        assert_eq!(between(open(d(5, 3)), open(d(11, 4))), Some(d(21, 5)));
        assert_eq!(between(open(d(7, 0)), None), Some(d(8, 0)));
        assert_eq!(between(None, open(d(-7, 0))), Some(d(-8, 0)));
        assert_eq!(between(open(d(1, 0)), open(d(1, 0))), None);
        assert_eq!(between(Some((d(1, 0), true)), Some((d(1, 0), true))), Some(d(1, 0)));
        assert_eq!(between(Some((d(1, 2), true)), open(d(1, 1))), Some(d(1, 2)));
        assert_eq!(Dyadic::simplest(open(d(0, 0)), open(d(1, 60))), Err(GameError::Range));
    }
}
