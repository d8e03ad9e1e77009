//! Reduced canonical forms: the simplest game that differs by an infinitesimal only.

use std::collections::HashMap;

use super::games::Depth;
use super::{Dyadic, Game, GameError, Games};

impl Games {
    /// Whether `a >= b` up to an infinitesimal: the difference stops at no less than zero when Right moves first.
    fn roughly_ge(&self, a: Game, b: Game) -> Result<bool, GameError> {
        Ok(self.right_stop(self.sub(a, b)?) >= Dyadic::ZERO)
    }

    /// The reduced canonical form (J. P. Grossman and A. N. Siegel, "Reductions of partizan games", 2009): the number where
    /// the stops are equal; otherwise the options are reduced, then those left out that are dominated up to an
    /// infinitesimal, and those bypassed that are reversible up to one.
    ///
    /// # Errors
    /// When memory, depth or numbers leave their bounds.
    pub fn reduced(&self, game: Game) -> Result<Game, GameError> {
        self.reduced_at(game, &mut HashMap::new(), 0)
    }

    fn reduced_at(&self, game: Game, known: &mut HashMap<Game, Game>, depth: Depth) -> Result<Game, GameError> {
        if !self.is_hot(game) {
            return self.number(self.left_stop(game));
        }
        if let Some(&found) = known.get(&game) {
            return Ok(found);
        }
        self.tick(depth)?;
        let mut left = Vec::new();
        for &option in self.left_options(game)?.iter() {
            left.push(self.reduced_at(option, known, depth + 1)?);
        }
        let mut right = Vec::new();
        for &option in self.right_options(game)?.iter() {
            right.push(self.reduced_at(option, known, depth + 1)?);
        }
        let left = self.reduced_side(game, left, true)?;
        let right = self.reduced_side(game, right, false)?;
        let found = self.game(left, right)?;
        known.insert(game, found);
        Ok(found)
    }

    /// The options of one side of `game`, bypassed and without the dominated ones, both up to an infinitesimal.
    fn reduced_side(&self, game: Game, options: Vec<Game>, left: bool) -> Result<Vec<Game>, GameError> {
        let at_least = |better: Game, worse: Game| match left {
            true => self.roughly_ge(better, worse),
            false => self.roughly_ge(worse, better),
        };
        let (mut open, mut kept): (Vec<Game>, Vec<Game>) = (options, Vec::new());
        'next: while let Some(option) = open.pop() {
            let replies = if left { self.right_options(option)? } else { self.left_options(option)? };
            for &reply in replies.iter() {
                // A reply that is a number would end the fight; only hot ones are passed through.
                if self.is_hot(reply) && at_least(game, reply)? {
                    let instead = if left { self.left_options(reply)? } else { self.right_options(reply)? };
                    for &new in instead.iter() {
                        open.push(self.reduced(new)?);
                    }
                    continue 'next;
                }
            }
            if !kept.contains(&option) {
                kept.push(option);
            }
        }
        let mut best: Vec<Game> = Vec::new();
        'option: for option in kept {
            let mut at = 0;
            while at < best.len() {
                if at_least(best[at], option)? {
                    continue 'option;
                }
                if at_least(option, best[at])? {
                    best.swap_remove(at);
                } else {
                    at += 1;
                }
            }
            best.push(option);
        }
        Ok(best)
    }
}
