//! The units of a study in their order, and the shards that share them out.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use crate::konane::{Opening, RulesError};

use super::Board;

/// A part of the units of a study: those whose number leaves the same rest. Text: `2/5`, the second of five.
///
/// ```
/// use papamu::study::Shard;
/// let shard: Shard = "2/5".parse()?;
/// assert!(shard.takes(1) && shard.takes(6) && !shard.takes(2));
/// # Ok::<(), papamu::study::ShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// A text that is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a shard: expected I/N with I from 1 to N, such as 2/5")]
pub struct ShardError {
    /// The text as it was given.
    pub found: String,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { index: 0, count: 1 }
    }
}

impl Shard {
    /// Whether the unit with this number, from 0, is in the shard.
    pub const fn takes(self, unit: usize) -> bool {
        unit % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<usize>().ok());
        let parse = || {
            let (index, count) = text.split_once('/')?;
            let (index, count) = (digits(index)??, digits(count)??);
            (1..=count).contains(&index).then(|| Shard { index: index - 1, count })
        };
        parse().ok_or_else(|| ShardError { found: text.to_owned() })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.index + 1, self.count))
    }
}

/// The units of one board in their order. Each is a list of canonical openings: one alone or, where only the winner of each
/// first removal is asked for, all replies to one removal.
///
/// The replies to symmetric removals are the same canonical openings, all with the same first cell, so no opening is in
/// two units.
pub(super) fn units(board: Board, decide: bool) -> Result<Vec<Vec<Opening>>, RulesError> {
    let mut seen = HashSet::new();
    let mut units: Vec<Vec<Opening>> = Vec::new();
    for opening in Opening::all(board.size, &board.rules)? {
        let opening = opening.canonical(board.size);
        if !seen.insert(opening) {
            continue;
        }
        match units.iter_mut().find(|unit| decide && unit[0].black == opening.black) {
            Some(unit) => unit.push(opening),
            None => units.push(vec![opening]),
        }
    }
    Ok(units)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::konane::{FirstRemoval, Rules, SecondRemoval, Side};

    #[test]
    fn shards_share_out_everything_once() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for unit in 0..30 {
            assert_eq!(shards.iter().filter(|shard| shard.takes(unit)).count(), 1);
        }
        assert!((0..5).all(|unit| Shard::default().takes(unit)));
        assert_eq!(shards[1].to_string(), "2/3");
        for bad in ["", "1", "0/3", "4/3", "1/0", "/", "1/", "-1/3", "1/3/5", "+1/3", "a/b"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn units_are_the_canonical_openings() {
        for text in ["1x1", "1x5", "3x4", "4x4", "5x5", "5x7", "6x6"] {
            for (top_left, second_removal) in [
                (Side::Black, SecondRemoval::Adjacent),
                (Side::White, SecondRemoval::Adjacent),
                (Side::Black, SecondRemoval::Any),
            ] {
                let rules = Rules { top_left, first_removal: FirstRemoval::Any, second_removal };
                let board = Board { size: text.parse().unwrap(), rules };
                let Ok(all) = Opening::all(board.size, &rules) else { continue };
                let canonical: HashSet<_> = all.iter().map(|opening| opening.canonical(board.size)).collect();
                for decide in [false, true] {
                    let units = units(board, decide).unwrap();
                    let flat: Vec<_> = units.iter().flatten().copied().collect();
                    assert_eq!(flat.len(), canonical.len(), "{text}");
                    assert!(flat.iter().all(|opening| canonical.contains(opening)));
                    let firsts: HashSet<_> = flat.iter().map(|opening| opening.black).collect();
                    assert_eq!(units.len(), if decide { firsts.len() } else { flat.len() });
                    // All replies to the removal are there.
                    for unit in units.iter().filter(|_| decide) {
                        let replies: HashSet<_> = Opening::after(board.size, &rules, unit[0].black)
                            .iter()
                            .map(|opening| opening.canonical(board.size))
                            .collect();
                        assert_eq!(replies, unit.iter().copied().collect(), "{text}");
                    }
                }
            }
        }
    }
}
