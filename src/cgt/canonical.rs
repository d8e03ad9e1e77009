//! The canonical form of a game by its options.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::arena::{Mixer, Stops};
use super::games::Depth;
use super::{Dyadic, Game, GameError, Games, Nus};

/// A game by options that need not be canonical, and what was found about it.
struct Raw<'a> {
    left: &'a [Game],
    right: &'a [Game],
    left_stop: Dyadic,
    right_stop: Dyadic,
    known: HashMap<(Game, bool), bool, BuildHasherDefault<Mixer>>,
}

impl Games {
    /// The canonical form of the game with these options: dominated options are left out and reversible ones bypassed
    /// (Siegel, *Combinatorial Game Theory*, II.2), after a look at the stops, which tell numbers from the rest.
    pub(super) fn canonical(
        &self,
        left: &mut Vec<Game>,
        right: &mut Vec<Game>,
        depth: Depth,
    ) -> Result<Game, GameError> {
        self.tick(depth)?;
        let left_stop = self.best(left, true, depth)?;
        let right_stop = self.best(right, false, depth)?;
        let switch = match (&**left, &**right) {
            (&[left], &[right]) => Some((left, right)),
            _ => None,
        };
        if let Some(known) = switch.and_then(|(left, right)| self.switches.get(left, right)) {
            return Ok(known);
        }
        let game = self.by_best(left, right, left_stop, right_stop, depth)?;
        if let Some((left, right)) = switch {
            self.switches.set(left, right, game);
        }
        Ok(game)
    }

    /// The canonical form by options of which none is dominated, and the stops that they reach.
    fn by_best(
        &self,
        left: &mut Vec<Game>,
        right: &mut Vec<Game>,
        left_stop: Option<Dyadic>,
        right_stop: Option<Dyadic>,
        depth: Depth,
    ) -> Result<Game, GameError> {
        if let Some(number) = self.simplest_fit(left, right, left_stop, right_stop, depth)? {
            return self.number(number);
        }
        // Without options on a side the game would be a number.
        let (Some(left_stop), Some(right_stop)) = (left_stop, right_stop) else { return Ok(self.zero()) };
        let raw = Raw { left, right, left_stop, right_stop, known: HashMap::default() };
        let (new_left, new_right) = self.bypassed(raw, depth)?;
        if let Some(new) = new_left {
            *left = new;
        }
        if let Some(new) = new_right {
            *right = new;
        }
        self.intern(left, right, left_stop, right_stop)
    }

    /// Stores a form that is canonical and no number.
    pub(super) fn intern(
        &self,
        left: &mut Vec<Game>,
        right: &mut Vec<Game>,
        left_stop: Dyadic,
        right_stop: Dyadic,
    ) -> Result<Game, GameError> {
        if left_stop == right_stop && Nus::has_so_many_options(left.len(), right.len()) {
            let plain = |side: &[Game]| side.iter().map(|&option| self.as_nus(option)).collect::<Option<Vec<_>>>();
            if let (Some(left), Some(right)) = (plain(left), plain(right))
                && let Some(nus) = Nus::recognise(&left, &right)
            {
                return self.nus(nus);
            }
        }
        left.sort_unstable_by_key(|option| option.0);
        right.sort_unstable_by_key(|option| option.0);
        let count = left.len() as u32;
        left.append(right);
        let stops = Stops { left: left_stop, right: right_stop };
        let birthday = || left.iter().map(|&option| self.birthday(option)).max().unwrap_or(0) + 1;
        self.arena.intern_options(left, count, stops, birthday)
    }

    /// Leaves out the dominated options of one side. The stop that the side reaches by its move, if it has one.
    fn best(&self, options: &mut Vec<Game>, left: bool, depth: Depth) -> Result<Option<Dyadic>, GameError> {
        let stop = match left {
            true => options.iter().map(|&option| self.right_stop(option)).max(),
            false => options.iter().map(|&option| self.left_stop(option)).min(),
        };
        let Some(bar) = stop.filter(|_| options.len() > 1) else { return Ok(stop) };
        // An option that stops below another one, whoever starts, is dominated by it.
        match left {
            true => options.retain(|&option| self.left_stop(option) >= bar),
            false => options.retain(|&option| self.right_stop(option) <= bar),
        }
        options.sort_unstable_by_key(|option| option.0);
        options.dedup();
        if options.len() < 2 {
            return Ok(stop);
        }
        // The best so far stand in front.
        let mut count = 0;
        'next: for next in 0..options.len() {
            let option = options[next];
            let mut at = 0;
            while at < count {
                let (worse, better) = if left { (option, options[at]) } else { (options[at], option) };
                if self.le_at(worse, better, depth)? {
                    continue 'next;
                }
                if self.le_at(better, worse, depth)? {
                    count -= 1;
                    options[at] = options[count];
                } else {
                    at += 1;
                }
            }
            options[count] = option;
            count += 1;
        }
        options.truncate(count);
        Ok(stop)
    }

    /// The number that the game with these options is, if it is one: the simplest that no option of Left reaches and that
    /// reaches no option of Right. Options whose stop lies elsewhere are decided by their stop.
    fn simplest_fit(
        &self,
        left: &[Game],
        right: &[Game],
        left_stop: Option<Dyadic>,
        right_stop: Option<Dyadic>,
        depth: Depth,
    ) -> Result<Option<Dyadic>, GameError> {
        if let (Some(left), Some(right)) = (left_stop, right_stop)
            && left > right
        {
            return Ok(None);
        }
        let mut low = None;
        if let Some(stop) = left_stop {
            let mut closed = true;
            for &option in left.iter().filter(|&&option| self.right_stop(option) == stop) {
                closed = closed
                    && !match self.as_nus(option) {
                        Some(nus) => Nus::number(stop).le(nus),
                        None => self.le_at(self.number(stop)?, option, depth)?,
                    };
            }
            low = Some((stop, closed));
        }
        let mut high = None;
        if let Some(stop) = right_stop {
            let mut closed = true;
            for &option in right.iter().filter(|&&option| self.left_stop(option) == stop) {
                closed = closed
                    && !match self.as_nus(option) {
                        Some(nus) => nus.le(Nus::number(stop)),
                        None => self.le_at(option, self.number(stop)?, depth)?,
                    };
            }
            high = Some((stop, closed));
        }
        Dyadic::simplest(low, high)
    }

    /// The options of both sides with the reversible ones bypassed and the dominated ones left out; `None` for a side that
    /// had no reversible option.
    #[allow(clippy::type_complexity, reason = "two sides, each changed or not")]
    fn bypassed(&self, mut raw: Raw<'_>, depth: Depth) -> Result<(Option<Vec<Game>>, Option<Vec<Game>>), GameError> {
        let mut sides = [None, None];
        for (side, is_left) in sides.iter_mut().zip([true, false]) {
            let original = if is_left { raw.left } else { raw.right };
            // Most sides have no reversible option; then nothing is copied.
            let mut first = 0;
            while first < original.len() && self.reversing(original[first], is_left, &mut raw, depth)?.is_none() {
                first += 1;
            }
            if first == original.len() {
                continue;
            }
            let (mut kept, mut open) = (original[..first].to_vec(), original[first..].to_vec());
            while let Some(option) = open.pop() {
                match self.reversing(option, is_left, &mut raw, depth)? {
                    Some(reply) => {
                        let instead = if is_left { self.left_options(reply)? } else { self.right_options(reply)? };
                        open.extend(instead.iter().filter(|game| !kept.contains(*game)));
                        open.sort_unstable_by_key(|game| game.0);
                        open.dedup();
                    }
                    None if kept.contains(&option) => {}
                    None => kept.push(option),
                }
            }
            self.best(&mut kept, is_left, depth)?;
            *side = Some(kept);
        }
        let [left, right] = sides;
        Ok((left, right))
    }

    /// The reply through which an option of one side is reversible, if there is one.
    fn reversing(
        &self,
        option: Game,
        is_left: bool,
        raw: &mut Raw<'_>,
        depth: Depth,
    ) -> Result<Option<Game>, GameError> {
        let replies = if is_left { self.right_options(option)? } else { self.left_options(option)? };
        for &reply in replies.iter() {
            let reverses = match is_left {
                true => self.game_le_raw(reply, raw, depth)?,
                false => self.raw_le_game(raw, reply, depth)?,
            };
            if reverses {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }

    /// Whether `game <= raw`, raw being no number.
    fn game_le_raw(&self, game: Game, raw: &mut Raw<'_>, depth: Depth) -> Result<bool, GameError> {
        let stops = self.arena.stops(game);
        if stops.left < raw.right_stop {
            return Ok(true);
        }
        if stops.left > raw.left_stop || stops.right > raw.right_stop {
            return Ok(false);
        }
        if let Some(&known) = raw.known.get(&(game, true)) {
            return Ok(known);
        }
        self.tick(depth)?;
        let mut answer = true;
        for &option in raw.right {
            if self.le_at(option, game, depth + 1)? {
                answer = false;
                break;
            }
        }
        // Moves in a number need no look where the other game is none (the number avoidance theorem).
        if answer && self.as_number(game).is_none() {
            for &option in self.left_options(game)?.iter() {
                if self.raw_le_game(raw, option, depth + 1)? {
                    answer = false;
                    break;
                }
            }
        }
        raw.known.insert((game, true), answer);
        Ok(answer)
    }

    /// Whether `raw <= game`, raw being no number.
    fn raw_le_game(&self, raw: &mut Raw<'_>, game: Game, depth: Depth) -> Result<bool, GameError> {
        let stops = self.arena.stops(game);
        if raw.left_stop < stops.right {
            return Ok(true);
        }
        if raw.left_stop > stops.left || raw.right_stop > stops.right {
            return Ok(false);
        }
        if let Some(&known) = raw.known.get(&(game, false)) {
            return Ok(known);
        }
        self.tick(depth)?;
        let mut answer = true;
        for &option in raw.left {
            if self.le_at(game, option, depth + 1)? {
                answer = false;
                break;
            }
        }
        if answer && self.as_number(game).is_none() {
            for &option in self.right_options(game)?.iter() {
                if self.game_le_raw(option, raw, depth + 1)? {
                    answer = false;
                    break;
                }
            }
        }
        raw.known.insert((game, false), answer);
        Ok(answer)
    }
}
