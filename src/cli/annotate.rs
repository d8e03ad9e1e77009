//! `papamu annotate`: a game gone through, every turn judged.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use crate::board::Size;
use crate::konane::{Ply, Rules, Side};
use crate::play::{AnalystOptions, Annotated, Annotation, Game, Summary, Verdict as Did};
use crate::run::StopReason;

use super::analyze::analyst;
use super::messages::{Failure, Messages};
use super::options::{Format, LimitArgs, OutputArgs, RulesArgs, SearchArgs, ThreadArgs, whole};
use super::progress::with_progress;
use super::report::{Verdict, csv_line, json_line, seconds, stop_name};
use super::text::{self, ORANGE, Table, counted};
use super::{Console, Outcome, positions};

/// Go through a game: who had won it at each turn, and where it was given away
///
/// A ? marks a turn that gave a won game away, with the turns that would have kept it. Answers are exact; what a limit leaves
/// open is "unknown". Games are analysed from their ends, so a limit leaves the first turns open, not the last ones.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu annotate '5x5 c3 b3 e3-c3 b5-b3'
  papamu annotate --board 5x5 'c3 b3 e3-c3 b5-b3'
  papamu annotate --games played.txt --format json
  papamu annotate --games - --time-limit 1m <game
  papamu annotate --from 20 --games played.txt

A game is its board, rules that are not the default (top-left=white first-removal=any
second-removal=any), the removals and the moves, and perhaps `resigns`, all on one line: what
`papamu play` saves.")]
pub(super) struct AnnotateArgs {
    /// The game.
    #[arg(
        value_name = "GAME",
        required_unless_present = "games",
        conflicts_with = "games",
        allow_hyphen_values = true
    )]
    game: Option<String>,
    /// Annotate the games of this file, one a line; `-` is standard input. Blank lines and what follows a # are skipped.
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// The board of games that name none.
    #[arg(long, value_name = "RxC")]
    board: Option<Size>,
    /// Begin with this turn, counted from 1; what was before may take longest.
    #[arg(long, value_name = "PLY", default_value_t = 1, value_parser = whole::<usize>(1, 1000),
        allow_hyphen_values = true)]
    from: usize,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl AnnotateArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        self.output.check_apart(self.games.as_deref())?;
        let rules = self.rules.rules();
        let parse = |text: &str| Game::parse(text, self.board, rules).map_err(|error| error.to_string());
        let games = match (&self.game, &self.games) {
            (Some(text), _) => vec![parse(text).map_err(|reason| Failure::usage("GAME", reason))?],
            (None, Some(file)) => positions::lines("--games", file, parse)?,
            (None, None) => Vec::new(),
        };
        for (number, game) in (1..).zip(&games) {
            let plies = game.record().plies().len();
            if self.from > plies.max(1) {
                let which = if self.games.is_some() { format!("game {number}") } else { "the game".to_owned() };
                let has = format!("{which} has {}", counted(plies, "turn"));
                return Err(Failure::usage(format_args!("--from {}", self.from), has));
            }
        }
        let pool = self.threads.pool()?;
        let options = AnalystOptions { solver: self.search.options(&pool), remoteness: false };
        for game in &games {
            analyst(game.record().size(), game.record().rules().top_left, options)?;
        }
        let mut sink = self.output.open()?;
        let control = self.limits.control();
        let show = self.output.progress(console) && !(games.len() > 1 && console.stdout_is_terminal);
        let colours = self.output.colours(console, &sink);
        if self.output.format == Format::Csv {
            sink.write(console, &csv_line(&CSV_HEADER))?;
        }
        let mut open = 0;
        for (number, game) in (1..).zip(&games) {
            let record = game.record();
            let mut analyst = analyst(record.size(), record.rules().top_left, options)?;
            let started = Instant::now();
            let annotate = || pool.install(|| analyst.annotate(record, self.from, None, &control));
            let mut found = with_progress(show, &control, annotate);
            if game.is_resigned() {
                found.resign(record.turn());
            }
            open += usize::from(!found.is_complete());
            let stopped = control.stop_reason().filter(|_| !found.is_complete());
            let report = Report::new(game, &found, started.elapsed(), stopped);
            let bytes = match self.output.format {
                Format::Json => json_line(&report)?,
                Format::Csv => report.csv(number),
                Format::Text => {
                    let heading = if games.len() > 1 { format!("Game {number}: ") } else { String::new() };
                    let end = if number < games.len() { "\n" } else { "" };
                    format!("{heading}{}{end}", text(game, &found, colours)).into_bytes()
                }
            };
            sink.write(console, &bytes)?;
        }
        sink.finish()?;
        if games.is_empty() {
            Messages::new(console, self.output.quiet).note("--games: there are no games");
        }
        if open == 0 {
            return Ok(Outcome::Complete);
        }
        let why = control.stop_reason().map_or("ended", StopReason::phrase);
        let note = format!("{why}: {open} of {} not known throughout", counted(games.len(), "game"));
        Messages::new(console, self.output.quiet).note(note);
        Ok(Outcome::Unanswered)
    }
}

#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    board: String,
    rules: Rules,
    record: String,
    /// Who has won, by the record.
    result: Option<Side>,
    resigned: bool,
    /// Who wins with best play from where the annotation begins.
    winner: Verdict,
    moves: Vec<Row>,
    players: Players,
    seconds: f64,
    stopped: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Row {
    ply: usize,
    side: Side,
    #[serde(rename = "move")]
    mv: String,
    winner: Verdict,
    verdict: &'static str,
    kept_by: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Players {
    black: Player,
    white: Player,
}

#[derive(Debug, Serialize)]
struct Player {
    kept: usize,
    gave_away: usize,
    lost: usize,
    unknown: usize,
}

impl Player {
    fn new(Summary { kept, gave_away, lost, unknown }: Summary) -> Player {
        Player { kept, gave_away, lost, unknown }
    }
}

const fn verdict_name(verdict: Did) -> &'static str {
    match verdict {
        Did::Kept => "kept",
        Did::GaveAway => "gave-away",
        Did::Lost => "lost",
        Did::Unknown => "unknown",
    }
}

fn texts(plies: &[Ply]) -> Vec<String> {
    plies.iter().map(Ply::to_string).collect()
}

/// What stands for a resignation among the moves.
const RESIGNS: &str = "resigns";

const CSV_HEADER: [&str; 7] = ["game", "ply", "side", "move", "winner", "verdict", "kept_by"];

impl Report {
    fn new(game: &Game, found: &Annotation, time: Duration, stopped: Option<StopReason>) -> Report {
        let row = |(ply, row): (usize, &Annotated)| Row {
            ply,
            side: row.side,
            mv: row.ply.to_string(),
            winner: Verdict(row.winner),
            verdict: verdict_name(row.verdict),
            kept_by: texts(&row.kept_by),
        };
        let resignation = found.resignation.map(|(side, verdict)| Row {
            ply: found.first + found.turns.len(),
            side,
            mv: RESIGNS.to_owned(),
            winner: Verdict(Some(side.other())),
            verdict: verdict_name(verdict),
            kept_by: Vec::new(),
        });
        Report {
            game: "konane",
            board: game.record().size().to_string(),
            rules: *game.record().rules(),
            record: game.to_string(),
            result: game.winner(),
            resigned: game.is_resigned(),
            winner: Verdict(found.start),
            moves: (found.first..).zip(&found.turns).map(row).chain(resignation).collect(),
            players: Players {
                black: Player::new(found.summary(Side::Black)),
                white: Player::new(found.summary(Side::White)),
            },
            seconds: seconds(time),
            stopped: stopped.map(stop_name),
        }
    }

    fn csv(&self, number: usize) -> Vec<u8> {
        let rows = self.moves.iter().map(|row| {
            csv_line(&[
                number.to_string(),
                row.ply.to_string(),
                row.side.name().to_owned(),
                row.mv.clone(),
                row.winner.name().to_owned(),
                row.verdict.to_owned(),
                row.kept_by.join(" "),
            ])
        });
        rows.flatten().collect()
    }
}

fn text(game: &Game, found: &Annotation, colours: bool) -> String {
    let record = game.record();
    let mut text = format!("{}: {}\n\n", record.size(), text::rules(record.rules()));
    let mut table = Table::new(&[" ply", "side", "move", "winner", "", "would have kept the win"]);
    for (ply, row) in (found.first..).zip(&found.turns) {
        let mark = match row.verdict {
            Did::GaveAway => "?".to_owned(),
            Did::Kept | Did::Lost | Did::Unknown => String::new(),
        };
        table.row(vec![
            format!("{ply}."),
            row.side.name().to_owned(),
            row.ply.to_string(),
            Verdict(row.winner).name().to_owned(),
            mark,
            texts(&row.kept_by).join(" "),
        ]);
    }
    if let Some((side, verdict)) = found.resignation {
        let mark = if verdict == Did::GaveAway { "?" } else { "" };
        let ply = format!("{}.", found.first + found.turns.len());
        let winner = side.other().name().to_owned();
        table.row(vec![ply, side.name().to_owned(), RESIGNS.to_owned(), winner, mark.to_owned(), String::new()]);
    }
    for line in table.text().lines() {
        // The turns that matter stand out on a terminal.
        text += &match colours && line.contains("  ?  ") {
            true => format!("\u{1b}[{ORANGE}m{line}\u{1b}[0m\n"),
            false => format!("{line}\n"),
        };
    }
    text += &match (game.winner(), game.is_resigned()) {
        (Some(side), true) => format!("\n{} has won: {} resigned.\n", side.title(), side.other().title()),
        (Some(side), false) => format!("\n{} has won.\n", side.title()),
        (None, _) => format!("\nThe game is not over, {} to move.\n", record.turn().title()),
    };
    let place = if found.first == 1 { "the start".to_owned() } else { format!("turn {} on", found.first) };
    text += &match found.start {
        Some(side) => format!("From {place} {} wins with best play.\n", side.title()),
        None => format!("Who wins from {place} with best play is unknown.\n"),
    };
    for side in Side::BOTH {
        text += &summary(side, found);
    }
    text
}

/// What a player did, in a sentence.
fn summary(side: Side, found: &Annotation) -> String {
    let Summary { kept, gave_away, lost, unknown } = found.summary(side);
    let gave: Vec<_> = (found.first..)
        .zip(&found.turns)
        .filter(|(_, row)| row.side == side && row.verdict == Did::GaveAway)
        .map(|(ply, row)| format!("{ply}. {}", row.ply))
        .chain(
            found
                .resignation
                .filter(|&resigned| resigned == (side, Did::GaveAway))
                .map(|_| format!("{}. {RESIGNS}", found.first + found.turns.len())),
        )
        .collect();
    let mut parts = vec![format!("kept a won game {}", times(kept)), format!("gave it away {}", times(gave_away))];
    if !gave.is_empty() {
        parts[1] += &format!(" ({})", gave.join(", "));
    }
    if lost > 0 {
        parts.push(format!("had a lost game {}", times(lost)));
    }
    if unknown > 0 {
        parts.push(format!("unknown {}", times(unknown)));
    }
    format!("{}: {}.\n", side.title(), parts.join(", "))
}

fn times(number: usize) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}
