//! `papamu value --game`: games by their text, without a board.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use crate::cgt::{Game, GameError, Games, Player, Sum, ValueTextError};
use crate::endgame::EndgameError;
use crate::run::MemorySize;

use super::super::messages::{Failure, Messages};
use super::super::options::Format;
use super::super::report::{json_line, seconds};
use super::super::text::short;
use super::super::{Console, Outcome, picture, thermograph};
use super::ValueArgs;
use super::worth::{Told, Walls, Worth, csv_header, why};

#[derive(Debug, Serialize)]
struct GameReport {
    game: String,
    #[serde(flatten)]
    worth: Worth,
    kind: &'static str,
    /// The depth of the canonical form.
    birthday: Option<u64>,
    /// Of an all-small game.
    atomic_weight: Option<String>,
    /// The reduced canonical form: the simplest game that differs by an infinitesimal.
    reduced: String,
    thermograph: Option<Walls>,
    left_options: Option<Vec<String>>,
    right_options: Option<Vec<String>>,
    seconds: f64,
}

/// Values the sum of the games that were given.
pub(super) fn run(args: &ValueArgs, console: &mut Console<'_>, memory: MemorySize) -> Result<Outcome, Failure> {
    let control = args.limits.control();
    let mut sink = args.output.open()?;
    let svg = picture::open(args.svg.as_deref(), &sink)?;
    let stop = Arc::clone(&control);
    let games = Games::with_interrupt(memory.bytes(), move || stop.stop_reason().is_some());
    let started = Instant::now();
    let mut told = Told::default();
    let sum = match read(&args.game, &games)? {
        Ok(summands) => games.sum(&summands),
        Err(error) => Sum { value: Err(error.clone()), outcome: Err(error.clone()), mean: Err(error) },
    };
    let mut report = GameReport::new(args.game.join(" + "), sum, &games, &mut told);
    report.seconds = seconds(started.elapsed());
    let bytes = match args.output.format {
        Format::Json => json_line(&report)?,
        Format::Csv => [csv_header("game"), report.worth.csv(&report.game, report.seconds)].concat(),
        Format::Text => report.text(&mut told).into_bytes(),
    };
    sink.write(console, &bytes)?;
    sink.finish()?;
    if let Some(reason) = told.reason() {
        let why = why(&reason, &control);
        Messages::new(console, args.output.quiet).note(format!("{why}: not everything is known of the value"));
        return Ok(Outcome::Unanswered);
    }
    if let (Some(mut svg), Some(walls)) = (svg, report.worth.walls()) {
        svg.write(console, thermograph::svg(walls).as_bytes())?;
        svg.finish()?;
    }
    Ok(Outcome::Complete)
}

/// The games. What is no text of a value is the user's fault, what leaves a bound is nobody's.
fn read(texts: &[String], games: &Games) -> Result<Result<Vec<Game>, GameError>, Failure> {
    let mut found = Ok(Vec::new());
    for text in texts {
        match (games.parse(text), &mut found) {
            (Ok(game), Ok(found)) => found.push(game),
            (Err(ValueTextError::Game(error)), Ok(_)) => found = Err(error),
            // The first reason is told; the other texts must be good all the same.
            (Ok(_) | Err(ValueTextError::Game(_)), Err(_)) => {}
            (Err(error), _) => return Err(Failure::usage(format_args!("--game `{}`", short(text)), error)),
        }
    }
    Ok(found)
}

impl GameReport {
    fn new(game: String, sum: Sum, games: &Games, told: &mut Told) -> GameReport {
        let value: Result<Game, EndgameError> = sum.value.map_err(Into::into);
        let known = || value.clone();
        let worth = Worth::new(games, &value, sum.outcome.map_err(Into::into), sum.mean.map_err(Into::into), told);
        let mut options = |player| {
            let mut all = told.take(known().and_then(|value| Ok(games.options(value, player)?)))?.to_vec();
            games.sort_for_text(&mut all);
            Some(all.into_iter().map(|option| told.value(games, Ok(option))).collect())
        };
        let [left_options, right_options] = [Player::Left, Player::Right].map(&mut options);
        let all_small = told.take(known().and_then(|value| Ok(games.is_all_small(value)?)));
        let weight = || known().and_then(|value| Ok(games.atomic_weight(value)?));
        GameReport {
            game,
            kind: worth.kind(),
            thermograph: worth.walls().map(Walls::of),
            worth,
            birthday: known().ok().map(|value| games.birthday(value)),
            atomic_weight: (all_small == Some(true)).then(|| told.value(games, weight())),
            reduced: told.value(games, known().and_then(|value| Ok(games.reduced(value)?))),
            left_options,
            right_options,
            seconds: 0.0,
        }
    }

    fn text(&self, told: &mut Told) -> String {
        let mut text = self.worth.lines(["Left", "Right"]);
        if let Some(birthday) = self.birthday {
            text += &format!("Birthday: {birthday}\n");
        }
        text += &format!("Reduced canonical form: {}\n", short(&self.reduced));
        if let Some(weight) = &self.atomic_weight {
            text += &format!("Atomic weight: {}\n", short(weight));
        }
        for (side, options) in [("Left", &self.left_options), ("Right", &self.right_options)] {
            let options = match options.as_deref() {
                None => continue,
                Some([]) => "none".to_owned(),
                Some(options) => options.iter().map(|option| short(option)).collect::<Vec<_>>().join(", "),
            };
            text += &format!("Options of {side}: {options}\n");
        }
        text + &self.worth.thermograph(told)
    }
}
