//! What is told of any value, whether a position or a text gave it.

use serde::Serialize;

use crate::cgt::{Dyadic, Game, Games, Outcome, Thermograph};
use crate::endgame::EndgameError;
use crate::run::Control;

use super::super::report::csv_line;
use super::super::thermograph;

/// What stands where something is not known.
const UNKNOWN: &str = "unknown";

/// Takes down what is known and why the first thing is not. Whatever can be missing goes through here, so that no report
/// says `unknown` without a reason.
#[derive(Debug, Default)]
pub(super) struct Told {
    reason: Option<EndgameError>,
}

impl Told {
    /// What was found, if it was.
    pub(super) fn take<T>(&mut self, found: Result<T, impl Into<EndgameError>>) -> Option<T> {
        found
            .map_err(|error| {
                self.reason.get_or_insert(error.into());
            })
            .ok()
    }

    /// What was found as text.
    pub(super) fn text(&mut self, found: Result<impl ToString, impl Into<EndgameError>>) -> String {
        self.take(found).map_or_else(|| UNKNOWN.to_owned(), |found| found.to_string())
    }

    /// The text of a value.
    pub(super) fn value(&mut self, games: &Games, value: Result<Game, EndgameError>) -> String {
        self.text(value.and_then(|value| Ok(games.text(value)?)))
    }

    /// Why not everything is known.
    pub(super) fn reason(self) -> Option<EndgameError> {
        self.reason
    }
}

/// Why something is not known, in words: the limit that was reached, or else what went wrong.
pub(super) fn why(reason: &EndgameError, control: &Control) -> String {
    control.stop_reason().map_or_else(|| reason.to_string(), |stop| stop.phrase().to_owned())
}

/// The header of csv; `subject` names what is valued.
pub(super) fn csv_header(subject: &str) -> Vec<u8> {
    csv_line(&[subject, "value", "outcome", "mean", "temperature", "left_stop", "right_stop", "seconds"])
}

/// A value for people and scripts.
#[derive(Debug, Serialize)]
pub(super) struct Worth {
    value: String,
    outcome: String,
    mean: String,
    temperature: String,
    left_stop: String,
    right_stop: String,
    #[serde(skip)]
    kind: &'static str,
    #[serde(skip)]
    winner: Option<Outcome>,
    #[serde(skip)]
    walls: Option<Thermograph>,
}

/// Corners as temperature and value.
#[derive(Debug, Serialize)]
pub(super) struct Walls {
    left: Vec<[String; 2]>,
    right: Vec<[String; 2]>,
}

impl Worth {
    /// What there is to say of a value. The outcome and the mean may be known where it is not.
    pub(super) fn new(
        games: &Games,
        value: &Result<Game, EndgameError>,
        outcome: Result<Outcome, EndgameError>,
        mean: Result<Dyadic, EndgameError>,
        told: &mut Told,
    ) -> Worth {
        let known = || value.clone();
        let thermograph = told.take(known().and_then(|value| Ok(games.thermograph(value)?)));
        let winner = told.take(outcome);
        let letter = |outcome: Outcome| outcome.letter().to_string();
        Worth {
            value: told.value(games, known()),
            outcome: winner.map_or_else(|| UNKNOWN.to_owned(), letter),
            mean: told.text(mean),
            temperature: thermograph.as_ref().map_or_else(|| UNKNOWN.to_owned(), |found| found.temperature.to_string()),
            left_stop: told.text(known().map(|value| games.left_stop(value))),
            right_stop: told.text(known().map(|value| games.right_stop(value))),
            kind: told.take(known()).map_or(UNKNOWN, |value| kind(games, value)),
            winner,
            walls: thermograph,
        }
    }

    /// What sort of game it is.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// The thermograph, where the value is known.
    pub(super) fn walls(&self) -> Option<&Thermograph> {
        self.walls.as_ref()
    }

    /// The row of csv for what is valued.
    pub(super) fn csv(&self, subject: &str, seconds: f64) -> Vec<u8> {
        let Worth { value, outcome, mean, temperature, left_stop, right_stop, .. } = self;
        csv_line(&[subject, value, outcome, mean, temperature, left_stop, right_stop, &seconds.to_string()])
    }

    /// All but the thermograph, a line each. `names` are those of Left and Right.
    pub(super) fn lines(&self, names: [&str; 2]) -> String {
        let outcome = match self.winner {
            Some(outcome) => format!("{} ({})", self.outcome, words(outcome, names)),
            None => self.outcome.clone(),
        };
        let Worth { value, mean, temperature, left_stop, right_stop, kind, .. } = self;
        format!(
            "Value: {value}\nOutcome: {outcome}\nKind: {kind}\n\
             Mean {mean}, temperature {temperature}, left stop {left_stop}, right stop {right_stop}\n"
        )
    }

    /// The thermograph as text, after an empty line; nothing where it is not known.
    pub(super) fn thermograph(&self, told: &mut Told) -> String {
        let text = self.walls().and_then(|walls| told.take(thermograph::text(walls)));
        text.map_or_else(String::new, |text| format!("\n{text}"))
    }
}

impl Walls {
    pub(super) fn of(thermograph: &Thermograph) -> Walls {
        let corners = |corners: &[(Dyadic, Dyadic)]| {
            corners.iter().map(|(temperature, value)| [temperature.to_string(), value.to_string()]).collect()
        };
        Walls { left: corners(thermograph.left.corners()), right: corners(thermograph.right.corners()) }
    }
}

fn kind(games: &Games, value: Game) -> &'static str {
    match () {
        () if games.as_number(value).is_some() => "number",
        () if games.is_infinitesimal(value) => "infinitesimal",
        () if games.is_hot(value) => "hot",
        () => "number and infinitesimal",
    }
}

fn words(outcome: Outcome, [left, right]: [&str; 2]) -> String {
    match outcome {
        Outcome::Left => format!("{left} wins, whoever starts"),
        Outcome::Right => format!("{right} wins, whoever starts"),
        Outcome::Next => "the side that moves first wins".to_owned(),
        Outcome::Previous => "the side that moves second wins".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;
    use crate::cgt::GameError;

    /// Wherever a limit comes between two questions, what says `unknown` has a reason.
    #[test]
    fn no_unknown_without_a_reason() {
        let left = Arc::new(AtomicU32::new(u32::MAX));
        let asked = Arc::clone(&left);
        let (mut whole, mut cut) = (0, 0);
        // The interrupt is asked once in 1024 steps; each game starts elsewhere in them.
        for round in 0..600 {
            left.store(u32::MAX, Relaxed);
            let asked = Arc::clone(&asked);
            let stop = move || asked.fetch_sub(1, Relaxed) == 0;
            let games = Games::with_interrupt(1 << 22, stop);
            let game = games.parse("{{12|2,{1|*}}|{^^*|{-3|-9}},{{0|-4},-1*|-11}}").unwrap();
            left.store(0, Relaxed);
            for _ in 0..round {
                let _ = games.text(games.zero());
            }
            let mut told = Told::default();
            let worth = Worth::new(
                &games,
                &Ok(game),
                games.outcome(game).map_err(Into::into),
                games.mean(game).map_err(Into::into),
                &mut told,
            );
            let row = String::from_utf8(worth.csv("game", 0.0)).unwrap();
            let unknown = row.contains(UNKNOWN) || worth.walls().is_none();
            assert_eq!(unknown, told.reason().is_some(), "{worth:?}");
            if unknown { cut += 1 } else { whole += 1 }
        }
        assert!(whole > 0 && cut > 0, "{whole} {cut}");
    }

    #[test]
    fn a_value_too_long_for_a_text_is_no_answer() {
        let games = Games::new(1 << 22);
        let game = games.parse("{{12|2}|{-3|-9}}").unwrap();
        let long: Result<String, GameError> = games.text_within(game, 10);
        assert!(matches!(long, Err(GameError::LongText { limit: 10 })));
        let mut told = Told::default();
        assert_eq!(told.text(long), UNKNOWN);
        assert_eq!(told.reason(), Some(GameError::LongText { limit: 10 }.into()));
    }
}
