//! What can be claimed of a board once its openings are solved.

use crate::board::{Cell, Size};
use crate::konane::{Opening, Position, Rules, Side};
use crate::search::{BoardAnswer, OpeningAnswer, RemovalAnswer};

use super::checker::form::{Claim, Subject};

/// Why nothing can be claimed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// Something is not known.
    #[error("who wins {what} is not known")]
    Unknown {
        /// Which opening, or the board.
        what: String,
    },
    /// A proof has one winner.
    #[error("White wins {white} and Black wins {black}: a proof has one winner, prove each by itself")]
    TwoWinners {
        /// An opening that White wins.
        white: Opening,
        /// An opening that Black wins.
        black: Opening,
    },
}

/// The claim of the whole game: for White one winning reply to each first removal, for Black one first removal with all
/// replies; of several those that were searched with least effort.
///
/// # Errors
/// When the winner is not known.
pub fn claim_game(size: Size, rules: &Rules, answer: &BoardAnswer) -> Result<Claim, ClaimError> {
    let winner = answer.winner.ok_or_else(|| ClaimError::Unknown { what: size.to_string() })?;
    let rows = |black: Cell| answer.openings.iter().filter(move |row| row.opening.black == black);
    let mut openings = Vec::new();
    match winner {
        Side::White => {
            for removal in &answer.removals {
                let winning = |row: &&OpeningAnswer| row.answer.winner == Some(Side::White);
                let reply = rows(removal.black).filter(winning).min_by_key(|row| row.answer.nodes);
                openings.extend(reply.map(|row| row.searched));
            }
        }
        Side::Black => {
            let won = |removal: &&RemovalAnswer| removal.winner == Some(Side::Black);
            let effort = |removal: &&RemovalAnswer| rows(removal.black).map(|row| row.answer.nodes).sum::<u64>();
            let removal = answer.removals.iter().filter(won).min_by_key(effort);
            openings.extend(removal.into_iter().flat_map(|removal| rows(removal.black)).map(|row| row.searched));
        }
    }
    Ok(Claim { winner, subject: Subject::Game { size, rules: *rules, openings: tidy(openings) } })
}

/// The claim of a position that was solved.
///
/// # Errors
/// When the winner is not known.
pub fn claim_position(position: &Position, winner: Option<Side>) -> Result<Claim, ClaimError> {
    let winner = winner.ok_or_else(|| ClaimError::Unknown { what: "the position".to_owned() })?;
    Ok(Claim { winner, subject: Subject::Position(*position) })
}

/// The claim of the openings that were asked for.
///
/// # Errors
/// When one is not known, or not all have the same winner.
pub fn claim_openings(size: Size, rules: &Rules, answer: &BoardAnswer) -> Result<Claim, ClaimError> {
    if let Some(open) = answer.openings.iter().find(|row| row.answer.winner.is_none()) {
        return Err(ClaimError::Unknown { what: open.opening.to_string() });
    }
    let won = |side| answer.openings.iter().find(|row| row.answer.winner == Some(side)).map(|row| row.opening);
    let winner = match (won(Side::Black), won(Side::White)) {
        (Some(black), Some(white)) => return Err(ClaimError::TwoWinners { white, black }),
        (Some(_), None) => Side::Black,
        _ => Side::White,
    };
    // As they were asked for: the file is to say what the person said.
    let openings = answer.openings.iter().map(|row| row.opening).collect();
    Ok(Claim { winner, subject: Subject::Openings { size, rules: *rules, openings } })
}

/// Each once, in a fixed order.
fn tidy(mut openings: Vec<Opening>) -> Vec<Opening> {
    openings.sort_unstable();
    openings.dedup();
    openings
}
