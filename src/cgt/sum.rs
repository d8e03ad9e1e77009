//! Negatives, sums and differences.

use super::arena::Form;
use super::games::Depth;
use super::{Dyadic, Game, GameError, Games, Nus};

impl Games {
    /// The negative: the same game with the sides exchanged.
    ///
    /// # Errors
    /// [`GameError::Memory`].
    pub fn neg(&self, game: Game) -> Result<Game, GameError> {
        self.neg_at(game, 0)
    }

    fn neg_at(&self, game: Game, depth: Depth) -> Result<Game, GameError> {
        let node = self.arena.node(game);
        if let Some(known) = node.negative() {
            return Ok(known);
        }
        self.tick(depth)?;
        let negative = match &node.form {
            Form::Nus(nus) => self.nus(nus.neg())?,
            Form::Options { options, left } => {
                let (left, right) = options.split_at(*left as usize);
                let negate = |side: &[Game]| {
                    side.iter().map(|&option| self.neg_at(option, depth + 1)).collect::<Result<Vec<_>, _>>()
                };
                let stops = self.arena.stops(game);
                // The negative of a canonical form is canonical.
                self.intern(&mut negate(right)?, &mut negate(left)?, stops.right.neg(), stops.left.neg())?
            }
        };
        node.set_negative(negative);
        self.arena.node(negative).set_negative(game);
        Ok(negative)
    }

    /// The sum.
    ///
    /// # Errors
    /// When memory, depth or numbers leave their bounds.
    pub fn add(&self, a: Game, b: Game) -> Result<Game, GameError> {
        self.add_at(a, b, 0)
    }

    /// The difference `a - b`.
    ///
    /// # Errors
    /// When memory, depth or numbers leave their bounds.
    pub fn sub(&self, a: Game, b: Game) -> Result<Game, GameError> {
        self.add(a, self.neg(b)?)
    }

    fn add_at(&self, a: Game, b: Game, depth: Depth) -> Result<Game, GameError> {
        if a == self.zero() || b == self.zero() {
            return Ok(if a == self.zero() { b } else { a });
        }
        let (small_a, small_b) = (self.as_nus(a), self.as_nus(b));
        match (small_a, small_b) {
            (Some(x), Some(y)) => return self.nus(x.add(y)?),
            (Some(x), None) => return self.add_small(b, x, depth),
            (None, Some(y)) => return self.add_small(a, y, depth),
            (None, None) => {}
        }
        self.add_trees(a, b, depth)
    }

    /// The sum with a number, ups and a nimber: the number is kept apart, since it only shifts the stops.
    fn add_small(&self, game: Game, small: Nus, depth: Depth) -> Result<Game, GameError> {
        let rest = Nus { number: Dyadic::ZERO, ..small };
        let sum = if rest == Nus::default() { game } else { self.add_trees(game, self.nus(rest)?, depth)? };
        match (small.number.is_zero(), self.as_nus(sum)) {
            (true, _) => Ok(sum),
            (false, Some(nus)) => self.nus(nus.add(Nus::number(small.number))?),
            (false, None) => self.shifted(sum, small.number, depth),
        }
    }

    /// The sum with a number: each option of a game that is no number is shifted (the number translation theorem), and the
    /// form stays canonical.
    fn shifted(&self, game: Game, by: Dyadic, depth: Depth) -> Result<Game, GameError> {
        let node = self.arena.node(game);
        let Form::Options { options, left } = &node.form else {
            return match &node.form {
                Form::Nus(nus) => self.nus(nus.add(Nus::number(by))?),
                Form::Options { .. } => Ok(game),
            };
        };
        let number = self.number(by)?;
        if let Some(known) = self.sums.get(game, number) {
            return Ok(known);
        }
        self.tick(depth)?;
        let (left, right) = options.split_at(*left as usize);
        let shift = |side: &[Game]| {
            side.iter().map(|&option| self.shifted(option, by, depth + 1)).collect::<Result<Vec<_>, _>>()
        };
        let stops = self.arena.stops(game);
        let sum = self.intern(&mut shift(left)?, &mut shift(right)?, stops.left.add(by)?, stops.right.add(by)?)?;
        self.sums.set(game, number, sum);
        Ok(sum)
    }

    fn add_trees(&self, a: Game, b: Game, depth: Depth) -> Result<Game, GameError> {
        if self.arena.node(a).negative() == Some(b) {
            return Ok(self.zero());
        }
        let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        if let Some(known) = self.sums.get(a, b) {
            return Ok(known);
        }
        self.tick(depth)?;
        let both = |moves_a: &[Game], moves_b: &[Game]| -> Result<Vec<Game>, GameError> {
            let in_a = moves_a.iter().map(|&option| self.add_at(option, b, depth + 1));
            let in_b = moves_b.iter().map(|&option| self.add_at(a, option, depth + 1));
            in_a.chain(in_b).collect()
        };
        let mut left = both(&self.left_options(a)?, &self.left_options(b)?)?;
        let mut right = both(&self.right_options(a)?, &self.right_options(b)?)?;
        let sum = self.canonical(&mut left, &mut right, depth)?;
        self.sums.set(a, b, sum);
        Ok(sum)
    }
}
