//! What is known of a sum, also where it cannot be added up: its mean, and who wins it by a search over the summands.

use std::collections::HashMap;

use super::{Dyadic, Game, GameError, Games, Nus, Outcome, Player};

/// What is known of a sum of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Its canonical form.
    pub value: Result<Game, GameError>,
    /// Who wins, which may be known where the value is not.
    pub outcome: Result<Outcome, GameError>,
    /// Its mean: the sum of the means.
    pub mean: Result<Dyadic, GameError>,
}

/// A search over sums of the same games.
struct SumSearch<'a> {
    games: &'a Games,
    known: HashMap<(Vec<Game>, Player), bool>,
    most: usize,
}

impl Games {
    /// Sums that [`Games::sum`] looks at for the outcome before it adds up, and after that has failed.
    const FEW_SUMS: usize = 10_000;
    const MANY_SUMS: usize = 1_000_000;

    /// The value, outcome and mean of a sum. What the value needs may be out of reach where the others are easy to find.
    pub fn sum(&self, games: &[Game]) -> Sum {
        let mean = games.iter().try_fold(Dyadic::ZERO, |sum, &game| sum.add(self.mean(game)?));
        // First, since adding up may use all the time and memory that there is.
        let quick = match games {
            [] | [_] => Err(GameError::Search { limit: 0 }),
            _ => self.sum_outcome(games, Self::FEW_SUMS),
        };
        let value = self.add_all(games);
        let outcome = quick.or_else(|_| match &value {
            Ok(value) => self.outcome(*value),
            Err(GameError::Interrupted) => Err(GameError::Interrupted),
            Err(_) => self.sum_outcome(games, Self::MANY_SUMS),
        });
        Sum { value, outcome, mean }
    }

    /// The sum of all; small games first, so that what cancels does so early.
    ///
    /// # Errors
    /// As [`Games::add`].
    pub fn add_all(&self, games: &[Game]) -> Result<Game, GameError> {
        let mut games = games.to_vec();
        games.sort_by_key(|&game| self.birthday(game));
        games.into_iter().try_fold(self.zero(), |sum, game| self.add(sum, game))
    }

    /// Who wins a sum, by playing it: numbers, ups and nimbers are added up, games that cancel are left out, and the stops
    /// of the summands bound the outcome before any move is tried. Useful where the canonical form of the sum would be too
    /// large.
    ///
    /// # Errors
    /// [`GameError::Search`] when more than `most` sums would have to be looked at; otherwise as [`Games::outcome`].
    pub fn sum_outcome(&self, sum: &[Game], most: usize) -> Result<Outcome, GameError> {
        let mut search = SumSearch { games: self, known: HashMap::new(), most };
        let mut first = |player: Player| {
            let wins = search.mover_wins(sum.to_vec(), player, 0)?;
            Ok::<_, GameError>(if wins { player } else { player.other() })
        };
        Ok(Outcome::from_winners(first(Player::Left)?, first(Player::Right)?))
    }
}

impl SumSearch<'_> {
    /// The summands that matter, in an order of storage: what is simple added up, what cancels left out.
    fn tidy(&self, sum: Vec<Game>) -> Result<Vec<Game>, GameError> {
        let (mut simple, mut rest) = (Nus::default(), Vec::with_capacity(sum.len()));
        for game in sum {
            match self.games.as_nus(game) {
                Some(nus) => simple = simple.add(nus)?,
                None => {
                    let negative = self.games.neg(game)?;
                    match rest.iter().position(|&other| other == negative) {
                        Some(at) => {
                            rest.swap_remove(at);
                        }
                        None => rest.push(game),
                    }
                }
            }
        }
        if simple != Nus::default() {
            rest.push(self.games.nus(simple)?);
        }
        rest.sort_unstable_by_key(|&game| self.games.storage_rank(game));
        Ok(rest)
    }

    /// Whether the player who moves first wins.
    fn mover_wins(&mut self, sum: Vec<Game>, mover: Player, depth: u32) -> Result<bool, GameError> {
        let games = self.games;
        games.tick(depth)?;
        let sum = self.tidy(sum)?;
        match *sum {
            [] => return Ok(false),
            [one] => return Ok(games.outcome(one)?.winner(mover) == mover),
            _ => {}
        }
        // The sum stops between the sum of the lower stops and that of the higher ones, whoever moves.
        let (mut low, mut high) = (Dyadic::ZERO, Dyadic::ZERO);
        for &game in &sum {
            low = low.add(games.right_stop(game))?;
            high = high.add(games.left_stop(game))?;
        }
        if low > Dyadic::ZERO || high < Dyadic::ZERO {
            return Ok((low > Dyadic::ZERO) == (mover == Player::Left));
        }
        let key = (sum, mover);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.known.len() >= self.most {
            return Err(GameError::Search { limit: self.most });
        }
        let sum = &key.0;
        // The hottest fight first; a number only if there is nothing else (number avoidance).
        let mut order: Vec<usize> = (0..sum.len()).filter(|&at| games.as_number(sum[at]).is_none()).collect();
        let mut heat = Vec::with_capacity(sum.len());
        for &game in sum {
            heat.push(games.left_stop(game).sub(games.right_stop(game))?);
        }
        order.sort_by(|&a, &b| heat[b].cmp(&heat[a]));
        let mut wins = false;
        'all: for at in order {
            for &option in games.options(sum[at], mover)?.iter() {
                let mut after = sum.clone();
                after[at] = option;
                if !self.mover_wins(after, mover.other(), depth + 1)? {
                    wins = true;
                    break 'all;
                }
            }
        }
        self.known.insert(key, wins);
        Ok(wins)
    }
}
