//! Atomic weights: how many ups an all-small game is worth.

use std::collections::HashMap;

use super::games::Depth;
use super::{Dyadic, Game, GameError, Games};

impl Games {
    /// Whether in the game and everything that follows it either both sides can move or neither can.
    ///
    /// # Errors
    /// [`GameError::Memory`].
    pub fn is_all_small(&self, game: Game) -> Result<bool, GameError> {
        self.all_small_at(game, &mut HashMap::new(), 0)
    }

    fn all_small_at(&self, game: Game, known: &mut HashMap<Game, bool>, depth: Depth) -> Result<bool, GameError> {
        if let Some(nus) = self.as_nus(game) {
            return Ok(nus.number.is_zero());
        }
        if let Some(&found) = known.get(&game) {
            return Ok(found);
        }
        self.tick(depth)?;
        let mut all = true;
        for &option in self.left_options(game)?.iter().chain(self.right_options(game)?.iter()) {
            all = all && self.all_small_at(option, known, depth + 1)?;
        }
        known.insert(game, all);
        Ok(all)
    }

    /// The atomic weight of an all-small game, itself a game (Winning Ways, chapter 8; Siegel, *Combinatorial Game Theory*,
    /// II.7): {w - 2 | w' + 2} over the weights of the options, but where that is a whole number and a choice of whole
    /// numbers would do, comparison with a remote star chooses: 0, the greatest or the least of them.
    ///
    /// # Errors
    /// [`GameError::NotAllSmall`]; otherwise when memory, depth or numbers leave their bounds.
    pub fn atomic_weight(&self, game: Game) -> Result<Game, GameError> {
        if !self.is_all_small(game)? {
            return Err(GameError::NotAllSmall);
        }
        self.weight_at(game, &mut HashMap::new(), 0)
    }

    fn weight_at(&self, game: Game, known: &mut HashMap<Game, Game>, depth: Depth) -> Result<Game, GameError> {
        if let Some(nus) = self.as_nus(game) {
            return self.number(Dyadic::integer(nus.ups.into())?);
        }
        if let Some(&found) = known.get(&game) {
            return Ok(found);
        }
        self.tick(depth)?;
        let two = self.number(Dyadic::integer(2)?)?;
        let mut left = Vec::new();
        for &option in self.left_options(game)?.iter() {
            left.push(self.sub(self.weight_at(option, known, depth + 1)?, two)?);
        }
        let mut right = Vec::new();
        for &option in self.right_options(game)?.iter() {
            right.push(self.add(self.weight_at(option, known, depth + 1)?, two)?);
        }
        let mut weight = self.game(left.iter().copied(), right.iter().copied())?;
        if let Some(mut number) = self.as_number(weight).filter(|number| number.is_integer()) {
            // A star further than any that the game can reach.
            let remote = self.star(u32::try_from(self.birthday(game) + 1).map_or(1 << 29, u32::next_power_of_two))?;
            let (at_least, at_most) = (self.le(remote, game)?, self.le(game, remote)?);
            let fits = |number: Dyadic| -> Result<bool, GameError> {
                let n = self.number(number)?;
                for &option in &left {
                    if self.le(n, option)? {
                        return Ok(false);
                    }
                }
                for &option in &right {
                    if self.le(option, n)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            if at_least != at_most {
                let by = if at_least { Dyadic::ONE } else { Dyadic::ONE.neg() };
                while fits(number.add(by)?)? {
                    number = number.add(by)?;
                }
            } else if fits(Dyadic::ZERO)? {
                number = Dyadic::ZERO;
            }
            weight = self.number(number)?;
        }
        known.insert(game, weight);
        Ok(weight)
    }
}
