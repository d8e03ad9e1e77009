//! Cooling: the game in which every move costs a tax.

use std::collections::HashMap;

use super::games::Depth;
use super::thermograph::Thermograph;
use super::{Dyadic, Game, GameError, Games};

/// What is known of the followers of one game while it is cooled.
#[derive(Default)]
struct Known {
    cooled: HashMap<Game, Game>,
    thermographs: HashMap<Game, Thermograph>,
}

impl Games {
    /// The game cooled by a temperature of at least 0: every move of either side costs that much, until the game is worth
    /// no more than its mean (Siegel, *Combinatorial Game Theory*, II.5).
    ///
    /// # Errors
    /// [`GameError::Temperature`] below 0; otherwise when memory, depth or numbers leave their bounds.
    pub fn cool(&self, game: Game, temperature: Dyadic) -> Result<Game, GameError> {
        if temperature < Dyadic::ZERO {
            return Err(GameError::Temperature { found: temperature });
        }
        if temperature.is_zero() {
            return Ok(game);
        }
        let tax = self.number(temperature)?;
        self.cool_at(game, temperature, tax, &mut Known::default(), 0)
    }

    fn cool_at(
        &self,
        game: Game,
        temperature: Dyadic,
        tax: Game,
        known: &mut Known,
        depth: Depth,
    ) -> Result<Game, GameError> {
        if self.as_number(game).is_some() {
            return Ok(game);
        }
        if let Some(&found) = known.cooled.get(&game) {
            return Ok(found);
        }
        self.tick(depth)?;
        let thermograph = self.thermograph_at(game, &mut known.thermographs, depth)?;
        let cooled = if temperature > thermograph.temperature {
            self.number(thermograph.mean)?
        } else {
            let mut left = Vec::new();
            for &option in self.left_options(game)?.iter() {
                left.push(self.sub(self.cool_at(option, temperature, tax, known, depth + 1)?, tax)?);
            }
            let mut right = Vec::new();
            for &option in self.right_options(game)?.iter() {
                right.push(self.add(self.cool_at(option, temperature, tax, known, depth + 1)?, tax)?);
            }
            self.game(left, right)?
        };
        known.cooled.insert(game, cooled);
        Ok(cooled)
    }
}
