//! Thermographs: how the stops of a game move when every move costs a tax.
//!
//! Both walls are functions of the temperature t >= 0, piecewise linear with slopes -1, 0 and 1, so that every corner is
//! at dyadic coordinates (Winning Ways, chapter 6; Siegel, *Combinatorial Game Theory*, II.5).

use std::collections::HashMap;

use super::games::Depth;
use super::{Dyadic, Game, GameError, Games};

/// A piecewise linear function of the temperature from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trajectory {
    /// Temperature and value of the corners, the first at temperature 0, temperatures rising.
    points: Vec<(Dyadic, Dyadic)>,
    /// The slope after the last corner.
    slope: i8,
}

/// The two walls of a game and the mast in which they end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// The left wall: the stop after a move of Left, less the taxes.
    pub left: Trajectory,
    /// The right wall.
    pub right: Trajectory,
    /// The value of the mast.
    pub mean: Dyadic,
    /// Where the mast begins. Of a number it is below zero: -1 of an integer, else -1/2^k of one over 2^k.
    pub temperature: Dyadic,
}

impl Trajectory {
    fn constant(value: Dyadic) -> Trajectory {
        Trajectory { points: vec![(Dyadic::ZERO, value)], slope: 0 }
    }

    /// Temperature and value of the corners, the first at temperature 0.
    pub fn corners(&self) -> &[(Dyadic, Dyadic)] {
        &self.points
    }

    /// The value at a temperature of at least 0.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn at(&self, temperature: Dyadic) -> Result<Dyadic, GameError> {
        let after = self.points.partition_point(|&(t, _)| t <= temperature);
        let (t, value) = self.points[after.saturating_sub(1)];
        step(value, self.slope_after(after.saturating_sub(1)), temperature.sub(t)?)
    }

    fn slope_after(&self, at: usize) -> i8 {
        match self.points.get(at + 1) {
            None => self.slope,
            Some((_, next)) => match next.cmp(&self.points[at].1) {
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
            },
        }
    }

    /// The function plus `slope` times the temperature.
    fn tilted(&self, slope: i8) -> Result<Trajectory, GameError> {
        let points =
            self.points.iter().map(|&(t, value)| Ok((t, step(value, slope, t)?))).collect::<Result<_, GameError>>()?;
        Ok(Trajectory { points, slope: self.slope + slope })
    }

    /// The greater of two functions everywhere (the smaller one if `least`).
    fn envelope(&self, other: &Trajectory, least: bool) -> Result<Trajectory, GameError> {
        let mut times: Vec<Dyadic> = self.points.iter().chain(&other.points).map(|&(t, _)| t).collect();
        times.sort_unstable();
        times.dedup();
        let mut found = Trajectory { points: Vec::new(), slope: 0 };
        for (at, &from) in times.iter().enumerate() {
            let until = times.get(at + 1).copied();
            let (a, b) = (self.at(from)?, other.at(from)?);
            let (slope_a, slope_b) = (self.slope_at(from), other.slope_at(from));
            let first = (a < b) == least && a != b || a == b && (slope_a < slope_b) == least;
            found.push(from, if first { a } else { b }, if first { slope_a } else { slope_b });
            if let Some(t) = crossing(from, (a, slope_a), (b, slope_b))?
                && t > from
                && until.is_none_or(|until| t < until)
            {
                found.push(t, self.at(t)?, if first { slope_b } else { slope_a });
            }
        }
        Ok(found)
    }

    fn slope_at(&self, temperature: Dyadic) -> i8 {
        self.slope_after(self.points.partition_point(|&(t, _)| t <= temperature).saturating_sub(1))
    }

    /// Goes on from here with this slope.
    fn push(&mut self, t: Dyadic, value: Dyadic, slope: i8) {
        if self.points.is_empty() || self.slope != slope {
            self.points.push((t, value));
        }
        self.slope = slope;
    }

    /// The function up to a temperature, constant from there on.
    fn until(mut self, temperature: Dyadic, value: Dyadic) -> Trajectory {
        self.points.retain(|&(t, _)| t < temperature);
        if self.points.is_empty() {
            return Trajectory::constant(value);
        }
        let last = self.points.len() - 1;
        if self.points[last].1 != value {
            self.points.push((temperature, value));
        }
        self.slope = 0;
        self
    }
}

/// `value + slope * time`.
fn step(value: Dyadic, slope: i8, time: Dyadic) -> Result<Dyadic, GameError> {
    match slope {
        0 => Ok(value),
        1.. => (1..slope).try_fold(value.add(time)?, |sum, _| sum.add(time)),
        _ => (slope..-1).try_fold(value.sub(time)?, |sum, _| sum.sub(time)),
    }
}

/// Where two lines meet that have these values and slopes at `from`, if they do so later.
fn crossing(from: Dyadic, a: (Dyadic, i8), b: (Dyadic, i8)) -> Result<Option<Dyadic>, GameError> {
    let (gap, closing) = (a.0.sub(b.0)?, i32::from(b.1) - i32::from(a.1));
    let (gap, closing) = if gap < Dyadic::ZERO { (gap.neg(), -closing) } else { (gap, closing) };
    Ok(match closing {
        1 => Some(from.add(gap)?),
        2 => Some(from.add(gap.half()?)?),
        4 => Some(from.add(gap.half()?.half()?)?),
        _ => None,
    })
}

impl Games {
    /// The thermograph.
    ///
    /// # Errors
    /// When memory, depth or numbers leave their bounds.
    pub fn thermograph(&self, game: Game) -> Result<Thermograph, GameError> {
        self.thermograph_at(game, &mut HashMap::new(), 0)
    }

    /// The mean: what many copies of the game are worth each.
    ///
    /// # Errors
    /// As [`Games::thermograph`].
    pub fn mean(&self, game: Game) -> Result<Dyadic, GameError> {
        Ok(self.thermograph(game)?.mean)
    }

    /// The temperature: how much it is worth to move first.
    ///
    /// # Errors
    /// As [`Games::thermograph`].
    pub fn temperature(&self, game: Game) -> Result<Dyadic, GameError> {
        Ok(self.thermograph(game)?.temperature)
    }

    pub(super) fn thermograph_at(
        &self,
        game: Game,
        known: &mut HashMap<Game, Thermograph>,
        depth: Depth,
    ) -> Result<Thermograph, GameError> {
        if let Some(nus) = self.as_nus(game) {
            let mast = Trajectory::constant(nus.number);
            let temperature = match nus.is_number() {
                true => Dyadic::new(-1, nus.number.exponent().into())?,
                false => Dyadic::ZERO,
            };
            return Ok(Thermograph { left: mast.clone(), right: mast, mean: nus.number, temperature });
        }
        if let Some(found) = known.get(&game) {
            return Ok(found.clone());
        }
        self.tick(depth)?;
        let mut scaffolds = Vec::with_capacity(2);
        for (options, is_left) in [(self.left_options(game)?, true), (self.right_options(game)?, false)] {
            let mut best: Option<Trajectory> = None;
            for &option in options.iter() {
                let option = self.thermograph_at(option, known, depth + 1)?;
                let wall = if is_left { option.right } else { option.left };
                best = Some(match best {
                    None => wall,
                    Some(best) => best.envelope(&wall, !is_left)?,
                });
            }
            // A form that is no number has options on both sides.
            let best = best.unwrap_or_else(|| Trajectory::constant(Dyadic::ZERO));
            scaffolds.push(best.tilted(if is_left { -1 } else { 1 })?);
        }
        let (Some(right), Some(left)) = (scaffolds.pop(), scaffolds.pop()) else { return Err(GameError::Range) };
        let (temperature, mean) = meeting(&left, &right)?;
        let found = Thermograph {
            left: left.until(temperature, mean),
            right: right.until(temperature, mean),
            mean,
            temperature,
        };
        known.insert(game, found.clone());
        Ok(found)
    }
}

/// Where a left scaffold first meets a right one; it starts at least as high, never rises, and the other never falls, with
/// one of them moving at any time.
fn meeting(left: &Trajectory, right: &Trajectory) -> Result<(Dyadic, Dyadic), GameError> {
    let mut times: Vec<Dyadic> = left.points.iter().chain(&right.points).map(|&(t, _)| t).collect();
    times.sort_unstable();
    times.dedup();
    for (at, &from) in times.iter().enumerate() {
        let (a, b) = (left.at(from)?, right.at(from)?);
        if a <= b {
            return Ok((from, a));
        }
        if let Some(t) = crossing(from, (a, left.slope_at(from)), (b, right.slope_at(from)))?
            && times.get(at + 1).is_none_or(|&until| t <= until)
        {
            return Ok((t, left.at(t)?));
        }
    }
    Err(GameError::Range)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Dyadic {
        let games = Games::new(0);
        games.as_number(games.parse(text).unwrap()).unwrap()
    }

    /// Values, means and temperatures: Winning Ways, chapter 6; Siegel II.5; the nested ones by hand.
    #[test]
    fn means_and_temperatures() {
        let games = Games::new(0);
        for (text, mean, temperature) in [
            ("0", "0", "-1"),
            ("5", "5", "-1"),
            ("3/4", "3/4", "-1/4"),
            ("*", "0", "0"),
            ("^3*2", "0", "0"),
            ("1/2v", "1/2", "0"),
            ("{1|-1}", "0", "1"),
            ("{3|0}", "3/2", "3/2"),
            ("{2||0|-1}", "3/4", "5/4"),
            ("{4||2|0}", "5/2", "3/2"),
            ("{0||0|-2}", "0", "0"),
            ("{5|{2|0}}", "3", "2"),
            ("{{5|1}|{1|-5}}", "1", "-1"),
        ] {
            let found = games.thermograph(games.parse(text).unwrap()).unwrap();
            assert_eq!((found.mean, found.temperature), (d(mean), d(temperature)), "{text}");
        }
    }

    #[test]
    fn walls() {
        let games = Games::new(0);
        // {2 || 0 | -1}: the right option cools to -1/2 at temperature 1/2, and its left wall falls until then.
        let found = games.thermograph(games.parse("{2||0|-1}").unwrap()).unwrap();
        assert_eq!(found.left.corners(), [(d("0"), d("2")), (d("5/4"), d("3/4"))]);
        assert_eq!(found.right.corners(), [(d("0"), d("0")), (d("1/2"), d("0")), (d("5/4"), d("3/4"))]);
        assert_eq!(found.right.at(d("3/4")).unwrap(), d("1/4"));
        assert_eq!(found.right.at(d("7")).unwrap(), d("3/4"));
    }
}
