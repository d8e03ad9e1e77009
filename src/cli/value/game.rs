//! `papamu value --game`: games by their text, without a board.

use std::sync::Arc;
use std::time::Instant;

use serde::{Serialize, Serializer};

use crate::cgt::{Game, GameError, Games, Outcome as GameOutcome, Player, Thermograph, ValueTextError};
use crate::run::{Control, MemorySize, StopReason};

use super::super::messages::{Failure, Messages};
use super::super::options::Format;
use super::super::output::Sink;
use super::super::report::{csv_line, json_line, seconds};
use super::super::text::short;
use super::super::{Console, Outcome, picture, thermograph};
use super::{CSV_HEADER, UNKNOWN, ValueArgs, Walls, kind};

#[derive(Debug, Serialize)]
struct GameReport {
    game: String,
    value: String,
    #[serde(serialize_with = "letter")]
    outcome: GameOutcome,
    mean: String,
    temperature: String,
    left_stop: String,
    right_stop: String,
    kind: &'static str,
    /// The depth of the canonical form.
    birthday: u64,
    /// Of an all-small game.
    atomic_weight: Option<String>,
    /// The reduced canonical form: the simplest game that differs by an infinitesimal.
    reduced: String,
    thermograph: Walls,
    left_options: Vec<String>,
    right_options: Vec<String>,
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
    let found = read(&args.game, &games)?.and_then(|game| report(&args.game, game, &games));
    let (mut report, walls) = match found {
        Ok(found) => found,
        Err(error) => return unknown(args, console, sink, &error, &control),
    };
    report.seconds = seconds(started.elapsed());
    write(&mut sink, console, args.output.format, &report, &walls)?;
    sink.finish()?;
    if let Some(mut svg) = svg {
        svg.write(console, thermograph::svg(&walls).as_bytes())?;
        svg.finish()?;
    }
    Ok(Outcome::Complete)
}

/// The sum of the games. What is no text of a value is the user's fault, what leaves a bound is nobody's.
fn read(texts: &[String], games: &Games) -> Result<Result<Game, GameError>, Failure> {
    let mut sum = Ok(games.zero());
    for text in texts {
        match games.parse(text) {
            Ok(game) => sum = sum.and_then(|sum| games.add(sum, game)),
            Err(ValueTextError::Game(error @ (GameError::Memory { .. } | GameError::Interrupted))) => sum = Err(error),
            Err(error) => return Err(Failure::usage("--game", format_args!("`{text}`: {error}"))),
        }
    }
    Ok(sum)
}

fn report(texts: &[String], game: Game, games: &Games) -> Result<(GameReport, Thermograph), GameError> {
    let thermograph = games.thermograph(game)?;
    let mut options = [Player::Left, Player::Right].map(|player| games.options(game, player).map(|all| all.to_vec()));
    for side in options.iter_mut().flatten() {
        games.sort_for_text(side);
    }
    let texts_of = |side: Result<Vec<Game>, GameError>| {
        side?.into_iter().map(|option| games.text(option)).collect::<Result<Vec<_>, _>>()
    };
    let [left, right] = options;
    let weight = match games.is_all_small(game)? {
        true => Some(games.text(games.atomic_weight(game)?)?),
        false => None,
    };
    let report = GameReport {
        game: texts.join(" + "),
        value: games.text(game)?,
        outcome: games.outcome(game)?,
        mean: thermograph.mean.to_string(),
        temperature: thermograph.temperature.to_string(),
        left_stop: games.left_stop(game).to_string(),
        right_stop: games.right_stop(game).to_string(),
        kind: kind(games, game),
        birthday: games.birthday(game),
        atomic_weight: weight,
        reduced: games.text(games.reduced(game)?)?,
        thermograph: Walls::of(&thermograph),
        left_options: texts_of(left)?,
        right_options: texts_of(right)?,
        seconds: 0.0,
    };
    Ok((report, thermograph))
}

fn write(
    sink: &mut Sink,
    console: &mut Console<'_>,
    format: Format,
    report: &GameReport,
    walls: &Thermograph,
) -> Result<(), Failure> {
    let bytes = match format {
        Format::Json => json_line(report)?,
        Format::Csv => {
            let (outcome, time) = (report.outcome.letter().to_string(), report.seconds.to_string());
            let row = [&report.game, &report.value, &outcome, &report.mean, &report.temperature];
            let row = [&row[..], &[&report.left_stop, &report.right_stop, &time]].concat();
            [csv_line(&header()), csv_line(&row)].concat()
        }
        Format::Text => report.text(walls).into_bytes(),
    };
    sink.write(console, &bytes)
}

/// The columns of positions, the first of which is the game here.
fn header() -> Vec<&'static str> {
    std::iter::once("game").chain(CSV_HEADER[1..].iter().copied()).collect()
}

/// Says that the value is not known.
fn unknown(
    args: &ValueArgs,
    console: &mut Console<'_>,
    mut sink: Sink,
    error: &GameError,
    control: &Control,
) -> Result<Outcome, Failure> {
    let game = args.game.join(" + ");
    let bytes = match args.output.format {
        Format::Json => json_line(&serde_json::json!({ "game": game, "value": UNKNOWN }))?,
        Format::Csv => {
            let row: Vec<_> = std::iter::once(game.as_str()).chain([UNKNOWN; 6]).chain([""]).collect();
            [csv_line(&header()), csv_line(&row)].concat()
        }
        Format::Text => format!("Value: {UNKNOWN}\n").into_bytes(),
    };
    sink.write(console, &bytes)?;
    sink.finish()?;
    let why = control.stop_reason().map_or_else(|| error.to_string(), |reason: StopReason| reason.phrase().to_owned());
    Messages::new(console, args.output.quiet).note(format!("{why}: the value is not known"));
    Ok(Outcome::Unanswered)
}

impl GameReport {
    fn text(&self, walls: &Thermograph) -> String {
        let mut text = format!("Value: {}\n", self.value);
        text += &format!("Outcome: {} ({})\n", self.outcome.letter(), outcome_words(self.outcome));
        text += &format!("Kind: {}, birthday {}\n", self.kind, self.birthday);
        text += &format!("Mean {}, temperature {}, ", self.mean, self.temperature);
        text += &format!("left stop {}, right stop {}\n", self.left_stop, self.right_stop);
        text += &format!("Reduced canonical form: {}\n", short(&self.reduced));
        if let Some(weight) = &self.atomic_weight {
            text += &format!("Atomic weight: {}\n", short(weight));
        }
        for (side, options) in [("Left", &self.left_options), ("Right", &self.right_options)] {
            let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
            text += &format!("Options of {side}: {options}\n");
        }
        text + &format!("\n{}", thermograph::text(walls))
    }
}

fn letter<S: Serializer>(outcome: &GameOutcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(outcome.letter())
}

fn outcome_words(outcome: GameOutcome) -> &'static str {
    match outcome {
        GameOutcome::Left => "Left wins, whoever starts",
        GameOutcome::Right => "Right wins, whoever starts",
        GameOutcome::Next => "the player who moves first wins",
        GameOutcome::Previous => "the player who moves second wins",
    }
}
