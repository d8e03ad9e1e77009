//! Number-up-star forms: most values that occur are a number, some ups and a nimber.
//!
//! Their sums, comparisons and options have closed forms (Siegel, *Combinatorial Game Theory*, II.4; Winning Ways,
//! chapter 8), so that they need no trees of options.

use std::cmp::Ordering;

use super::{Dyadic, GameError};

/// `number + ups · ↑ + *star`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nus {
    /// The number.
    pub number: Dyadic,
    /// How many ups; negative for downs.
    pub ups: i32,
    /// The nimber.
    pub star: u32,
}

/// The options of one side of a [`Nus`]: `Nimbers` stands for all `number + *i` with `i` below `star`.
pub(super) enum NusOptions {
    None,
    One(Nus),
    Two(Nus, Nus),
    Nimbers(Dyadic, u32),
}

impl NusOptions {
    /// How many.
    pub(super) fn count(&self) -> usize {
        match self {
            NusOptions::None => 0,
            NusOptions::One(_) => 1,
            NusOptions::Two(..) => 2,
            NusOptions::Nimbers(_, star) => *star as usize,
        }
    }

    /// One of them, from 0.
    pub(super) fn get(&self, at: usize) -> Nus {
        match *self {
            // Nobody asks for one that is not there.
            NusOptions::None => Nus::default(),
            NusOptions::One(a) => a,
            NusOptions::Two(a, b) => {
                if at == 0 {
                    a
                } else {
                    b
                }
            }
            NusOptions::Nimbers(number, _) => Nus { number, ups: 0, star: at as u32 },
        }
    }
}

impl Nus {
    /// The greatest count of ups and the greatest nimber.
    pub const MAX_COUNT: u32 = 1 << 30;

    /// A number.
    pub const fn number(number: Dyadic) -> Nus {
        Nus { number, ups: 0, star: 0 }
    }

    /// Whether there are no ups and no star.
    pub const fn is_number(self) -> bool {
        self.ups == 0 && self.star == 0
    }

    /// The negative.
    pub const fn neg(self) -> Nus {
        Nus { number: self.number.neg(), ups: -self.ups, star: self.star }
    }

    /// The sum.
    pub(super) fn add(self, other: Nus) -> Result<Nus, GameError> {
        // Both counts are at most 2^30, so their sum fits before it is checked.
        let ups = self.ups + other.ups;
        if ups.unsigned_abs() > Self::MAX_COUNT {
            return Err(GameError::Range);
        }
        Ok(Nus { number: self.number.add(other.number)?, ups, star: self.star ^ other.star })
    }

    /// Whether `self <= other`: the difference is compared with zero. A number decides; with equal numbers n·↑ + *m is
    /// positive for n >= 2, and for n = 1 unless m = 1.
    pub(super) fn le(self, other: Nus) -> bool {
        match self.number.cmp(&other.number) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => {
                let (ups, star) = (other.ups - self.ups, other.star ^ self.star);
                ups > 1 || ups == 1 && star != 1 || ups == 0 && star == 0
            }
        }
    }

    /// The options of Left in the canonical form.
    pub(super) fn left(self) -> NusOptions {
        match (self.ups, self.star) {
            (0, 0) => match self.number {
                n if n.is_integer() && n.numerator() <= 0 => NusOptions::None,
                n if n.is_integer() => NusOptions::One(Nus::number(n.step(-1))),
                n => NusOptions::One(Nus::number(n.step(-1))),
            },
            (0, star) => NusOptions::Nimbers(self.number, star),
            // ↑* is {0,*|0}, the only one of the ups with two options.
            (1, 1) => NusOptions::Two(Nus::number(self.number), Nus { ups: 0, star: 1, ..self }),
            (ups, _) if ups > 0 => NusOptions::One(Nus::number(self.number)),
            (-1, 1) => NusOptions::One(Nus::number(self.number)),
            (ups, star) => NusOptions::One(Nus { number: self.number, ups: ups + 1, star: star ^ 1 }),
        }
    }

    /// The options of Right in the canonical form.
    pub(super) fn right(self) -> NusOptions {
        match self.neg().left() {
            NusOptions::None => NusOptions::None,
            NusOptions::One(a) => NusOptions::One(a.neg()),
            NusOptions::Two(a, b) => NusOptions::Two(a.neg(), b.neg()),
            NusOptions::Nimbers(number, star) => NusOptions::Nimbers(number.neg(), star),
        }
    }

    /// The birthday of the canonical form.
    pub(super) fn birthday(self) -> u64 {
        let (ups, star) = (self.ups.unsigned_abs(), self.star);
        let small = match ups {
            0 => u64::from(star),
            // n·↑ + *m = {0 | (n-1)·↑ + *(m^1)} down to one ↑, which is {0 | *(m^1)}, but {0,*|0} for m = 1.
            _ => {
                let last = star ^ ((ups - 1) & 1);
                u64::from(ups - 1) + if last == 1 { 2 } else { 1 + u64::from(last ^ 1) }
            }
        };
        self.number.birthday() + small
    }

    /// Whether a form that is no number can have so many options on each side.
    pub(super) fn has_so_many_options(left: usize, right: usize) -> bool {
        left == right || matches!((left, right), (1, 2) | (2, 1))
    }

    /// The form with these canonical options, if it is one of ours.
    pub(super) fn recognise(left: &[Nus], right: &[Nus]) -> Option<Nus> {
        Nus::recognise_up(left, right)
            .or_else(|| {
                let negated = |side: &[Nus]| side.iter().map(|option| option.neg()).collect::<Vec<_>>();
                Nus::recognise_up(&negated(right), &negated(left)).map(Nus::neg)
            })
            .or_else(|| Nus::recognise_star(left, right))
    }

    fn recognise_up(left: &[Nus], right: &[Nus]) -> Option<Nus> {
        let [to] = *right else { return None };
        let number = to.number;
        let same = |option: &Nus| option.number == number && option.ups == 0;
        match *left {
            [from] if from == Nus::number(number) && (to.ups > 0 || to.ups == 0 && to.star > 0) => {
                let ups = to.ups + 1;
                (ups.unsigned_abs() <= Self::MAX_COUNT).then_some(Nus { number, ups, star: to.star ^ 1 })
            }
            [a, b] if to.is_number() && same(&a) && same(&b) && (a.star.min(b.star), a.star.max(b.star)) == (0, 1) => {
                Some(Nus { number, ups: 1, star: 1 })
            }
            _ => None,
        }
    }

    fn recognise_star(left: &[Nus], right: &[Nus]) -> Option<Nus> {
        let number = left.first()?.number;
        let stars = |side: &[Nus]| {
            let mut stars: Vec<u32> = side.iter().map(|option| option.star).collect();
            stars.sort_unstable();
            let plain = side.iter().all(|option| option.number == number && option.ups == 0);
            plain && stars.iter().enumerate().all(|(at, &star)| at == star as usize)
        };
        (left.len() == right.len() && stars(left) && stars(right)).then_some(Nus {
            number,
            ups: 0,
            star: left.len() as u32,
        })
    }
}

impl Dyadic {
    /// The neighbour with the same denominator, towards zero where the number is whole; in range because the numerator of
    /// a fraction is odd and so never the last one.
    fn step(self, by: i64) -> Dyadic {
        Dyadic::new(self.numerator() + by, self.exponent().into()).unwrap_or(self)
    }
}
