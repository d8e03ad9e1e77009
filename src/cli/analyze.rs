//! `papamu analyze`: every legal move of a position judged.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use rayon::ThreadPool;
use serde::Serialize;

use crate::board::{Cell, Size};
use crate::endgame::PositionPart;
use crate::konane::{Facts, Ply, Position, Record, Side};
use crate::play::{Analysis, Analyst, AnalystOptions, Game, Guess, Judged, Whole};
use crate::run::{Control, StopReason};
use crate::search::{SolverError, SolverOptions};

use super::facts::FactsArgs;
use super::messages::{Failure, Messages};
use super::options::{Format, LimitArgs, OutputArgs, RulesArgs, SearchArgs, ThreadArgs, apart};
use super::progress::with_progress;
use super::report::{Verdict, csv_line, json_line, seconds, stop_name};
use super::text::{self, BLUE, GREY, Mark, ORANGE, Table, counted};
use super::{Console, Outcome, picture, positions};

/// Judge every move of a position: who wins, how soon, what to answer
///
/// Best moves first: wins by the fewest plies, then what is not known, then losses by the most. Plies count to the end of the
/// game, the move included, the winner hurrying and the loser delaying. Answers are exact; what a limit leaves open is
/// "unknown", with a guess apart from it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu analyze '.oxo/.xox/xoxo/oxox x'
  papamu analyze --game '6x6 a6 b6 a4-a6'
  papamu analyze --board 6x6 --moves 'a6 b6'
  papamu analyze --board 5x5 --moves ''             the removals themselves
  papamu analyze --positions endgames.txt --format json --time-limit 1m
  papamu analyze '.oxo/.xox/xoxo/oxox x' --svg moves.svg

A position is its rows from top to bottom separated by /, with x for Black, o for White and
. for empty, then optionally a blank and the side to move.")]
pub(super) struct AnalyzeArgs {
    /// The position.
    #[arg(value_name = "POSITION", conflicts_with_all = ["game", "board", "positions"])]
    position: Option<String>,
    /// Analyse where this game has come to: its board, its rules where they are not those of the options, its moves.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["board", "positions"])]
    game: Option<String>,
    /// The board of --moves.
    #[arg(long, value_name = "RxC", requires = "moves", conflicts_with = "positions")]
    board: Option<Size>,
    /// Analyse where these removals and moves lead to on the board of --board.
    #[arg(long, value_name = "MOVES", requires = "board", allow_hyphen_values = true)]
    moves: Option<String>,
    /// Analyse the positions of this file, one a line; `-` is standard input. Blank lines and what follows a # are skipped.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// The side to move where the position does not say it: x (black) or o (white).
    #[arg(long, value_name = "SIDE", conflicts_with_all = ["game", "board"])]
    turn: Option<Side>,
    /// Find out who wins and not how soon, which may take much longer.
    #[arg(long, help_heading = "Search")]
    winners_only: bool,
    /// Draw the analysed position into this file as SVG.
    #[arg(long, value_name = "FILE", conflicts_with = "positions", help_heading = "Output")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    facts: FactsArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Something to analyse.
enum Subject {
    Position(Position),
    Game(Box<Record>),
}

impl Subject {
    fn board(&self) -> Position {
        match self {
            Subject::Position(position) => *position,
            Subject::Game(record) => record.board(),
        }
    }
}

impl AnalyzeArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let subjects = self.subjects()?;
        let pool = self.threads.pool()?;
        let options = self.search.options(&pool);
        // A cap too small must be known before anything is written.
        for subject in &subjects {
            self.analyst(&subject.board(), options)?;
        }
        let boards: Vec<_> = subjects.iter().map(|one| (one.board().size(), one.board().top_left())).collect();
        let facts = self.facts.open(&boards)?;
        let used = || self.positions.as_deref().into_iter().chain(self.facts.path());
        apart("--svg", self.svg.as_deref(), used())?;
        let mut sink = self.output.open_apart(used())?;
        let svg = picture::open(self.svg.as_deref(), &sink)?;
        let control = self.limits.control();
        let show = self.output.progress(console) && !(subjects.len() > 1 && console.stdout_is_terminal);
        let colours = self.output.colours(console, &sink);
        if self.output.format == Format::Csv {
            sink.write(console, &csv_line(&CSV_HEADER))?;
        }
        let (mut winners, mut distances, mut picture) = (0, 0, None);
        let mut analyst: Option<(Size, Side, Analyst)> = None;
        for subject in &subjects {
            let board = subject.board();
            let key = (board.size(), board.top_left());
            let mut ready = match analyst.take() {
                Some((size, top_left, ready)) if (size, top_left) == key => ready,
                _ => self.analyst(&board, options)?,
            };
            let started = Instant::now();
            let analysis =
                with_progress(show, &control, || analyze(subject, &mut ready, &pool, facts.as_deref(), &control));
            let (open, unmeasured) = analysis.open();
            winners += open;
            distances += if self.measures(subject) { unmeasured } else { 0 };
            let report = Report::new(&analysis, started.elapsed(), control.stop_reason().filter(|_| open > 0));
            let bytes = match self.output.format {
                Format::Json => json_line(&report)?,
                Format::Csv => report.csv(),
                Format::Text => {
                    let mut text = report.text(&analysis, colours);
                    if subjects.len() > 1 {
                        text.push('\n');
                    }
                    text.into_bytes()
                }
            };
            sink.write(console, &bytes)?;
            picture = Some(picture::analysis(&analysis));
            analyst = Some((key.0, key.1, ready));
        }
        sink.finish()?;
        picture::write(svg, console, || picture.unwrap_or_default())?;
        let what = match (winners, distances) {
            (0, 0) => return Ok(Outcome::Complete),
            (0, _) => format!("how soon the game ends is not known of {}", counted(distances, "move")),
            _ => format!("who wins is not known of {}", counted(winners, "move")),
        };
        let why = control.stop_reason().map_or("ended", StopReason::phrase);
        Messages::new(console, self.output.quiet).note(format_args!("{why}: {what}"));
        Ok(Outcome::Unanswered)
    }

    fn subjects(&self) -> Result<Vec<Subject>, Failure> {
        let rules = self.rules.rules();
        let game = |place: &str, text: &str, size| {
            let game = Game::parse(text, size, rules).map_err(|error| Failure::usage(place, error))?;
            Ok(vec![Subject::Game(Box::new(game.record().clone()))])
        };
        let parse = |text: &str| Position::parse(text, self.turn).map_err(|error| error.to_string());
        match (&self.position, &self.game, &self.moves, &self.positions) {
            (Some(text), ..) => {
                let position = parse(text).map_err(|reason| Failure::usage("POSITION", reason))?;
                Ok(vec![Subject::Position(position)])
            }
            (_, Some(text), ..) => game("--game", text, None),
            (_, _, Some(text), _) => game("--moves", text, self.board),
            (_, _, _, Some(file)) => positions::lines("--positions", file, |line| parse(line).map(Subject::Position)),
            _ => {
                let expected = "expected a POSITION, or --game GAME, or --board RxC --moves MOVES, or --positions FILE";
                Err(Failure::Usage(expected.to_owned()))
            }
        }
    }

    /// Whether remoteness is asked for: of a first removal there is none.
    fn measures(&self, subject: &Subject) -> bool {
        let first = matches!(subject, Subject::Game(record) if record.plies().is_empty());
        !self.winners_only && !first
    }

    fn analyst(&self, board: &Position, options: SolverOptions) -> Result<Analyst, Failure> {
        analyst(board.size(), board.top_left(), AnalystOptions { solver: options, remoteness: !self.winners_only })
    }
}

/// An analyst, or what to do instead.
pub(super) fn analyst(size: Size, top_left: Side, options: AnalystOptions) -> Result<Analyst, Failure> {
    Analyst::new(size, top_left, options).map_err(|error| match error {
        SolverError::TooLarge { .. } => Failure::Usage(error.to_string()),
        SolverError::TooLittleMemory { .. } | SolverError::OutOfMemory { .. } => Failure::usage("--memory", error),
    })
}

fn analyze(
    subject: &Subject,
    analyst: &mut Analyst,
    pool: &ThreadPool,
    facts: Option<&dyn Facts>,
    control: &Arc<Control>,
) -> Analysis {
    pool.install(|| match subject {
        Subject::Position(position) => analyst.position(position, facts, control),
        Subject::Game(record) => analyst.record(record, facts, control),
    })
}

#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    position: String,
    turn: char,
    winner: Verdict,
    remoteness: Option<u32>,
    moves: Vec<MoveRow>,
    line: Vec<String>,
    line_complete: bool,
    parts: Option<Vec<PartRow>>,
    value: Option<String>,
    nodes: u64,
    seconds: f64,
    stopped: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    mv: String,
    winner: Verdict,
    remoteness: Option<u32>,
    reply: Option<String>,
    guess: Option<GuessRow>,
}

/// Not proved.
#[derive(Debug, Serialize)]
struct GuessRow {
    winner: Side,
    reply: Option<String>,
    /// In moves, for the side that makes the move.
    ahead: f64,
    depth: u32,
}

#[derive(Debug, Serialize)]
struct PartRow {
    cells: Vec<String>,
    value: Option<String>,
}

const CSV_HEADER: [&str; 6] = ["position", "turn", "move", "winner", "remoteness", "reply"];

fn text_of(ply: Option<Ply>) -> Option<String> {
    ply.map(|ply| ply.to_string())
}

impl Report {
    fn new(analysis: &Analysis, time: Duration, stopped: Option<StopReason>) -> Report {
        let guess = |guess: &Guess| GuessRow {
            winner: guess.winner,
            reply: guess.reply.map(|mv| mv.to_string()),
            ahead: f64::from(guess.score) / 100.0,
            depth: guess.depth,
        };
        let row = |row: &Judged| MoveRow {
            mv: row.ply.to_string(),
            winner: Verdict(row.winner),
            remoteness: row.remoteness,
            reply: text_of(row.reply),
            guess: row.guess.as_ref().map(guess),
        };
        let part = |whole: &Whole| {
            let row = |(part, value): &(PositionPart, Option<String>)| PartRow {
                cells: part.stones.iter().map(Cell::to_string).collect(),
                value: value.clone(),
            };
            whole.parts.iter().map(row).collect()
        };
        Report {
            game: "konane",
            position: analysis.position.board_text(),
            turn: analysis.position.turn().letter(),
            winner: Verdict(analysis.winner),
            remoteness: analysis.remoteness,
            moves: analysis.moves.iter().map(row).collect(),
            line: analysis.line.iter().map(Ply::to_string).collect(),
            line_complete: analysis.line_complete,
            parts: analysis.whole.as_ref().map(part),
            value: analysis.whole.as_ref().and_then(|whole| whole.value.clone()),
            nodes: analysis.nodes,
            seconds: seconds(time),
            stopped: stopped.map(stop_name),
        }
    }

    fn csv(&self) -> Vec<u8> {
        let rows = self.moves.iter().map(|row| {
            csv_line(&[
                self.position.clone(),
                self.turn.to_string(),
                row.mv.clone(),
                row.winner.name().to_owned(),
                row.remoteness.map_or(String::new(), |plies| plies.to_string()),
                row.reply.clone().unwrap_or_default(),
            ])
        });
        rows.flatten().collect()
    }

    fn text(&self, analysis: &Analysis, colours: bool) -> String {
        let mut text = format!("{} {}\n\n{}", self.position, self.turn, diagram(analysis, colours));
        text += &sentence(analysis);
        if !self.moves.is_empty() {
            text += &format!("\n{}", moves_table(analysis).text());
        }
        if !self.line.is_empty() {
            let cut = if self.line_complete { "" } else { " … (cut short)" };
            text += &format!("\nBest line: {}{cut}\n", self.line.join(" "));
        }
        if let (Some(parts), Some(whole)) = (&self.parts, &analysis.whole) {
            text += &format!("\n{} of their own", counted(parts.len(), "part"));
            text += &match &self.value {
                Some(value) => format!(", together worth {}:\n\n", text::short(value)),
                None => ", what they are worth together is unknown:\n\n".to_owned(),
            };
            let mut table = Table::new(&["value", "stones"]);
            for row in parts {
                let value = row.value.as_deref().map_or("unknown".to_owned(), text::short);
                table.row(vec![value, row.cells.join(" ")]);
            }
            text += &table.text();
            if !whole.dead.is_empty() {
                let dead: Vec<_> = whole.dead.iter().map(Cell::to_string).collect();
                text += &format!("  Stones that take no part: {}\n", dead.join(" "));
            }
        }
        text += &format!("\n{} in {:.3} s\n", counted(self.nodes, "node"), self.seconds);
        text
    }
}

/// Who wins, and how soon.
fn sentence(analysis: &Analysis) -> String {
    let turn = analysis.position.turn();
    let to_move = format!("{} ({}) to move", turn.title(), turn.letter());
    match (analysis.winner, analysis.remoteness) {
        (Some(side), _) if analysis.moves.is_empty() => {
            format!("{} cannot move: {} has won.\n", turn.title(), side.title())
        }
        (Some(side), Some(plies)) => format!("{} wins in {}, {to_move}.\n", side.title(), text::plies(plies)),
        (Some(side), None) => format!("{} wins, {to_move}.\n", side.title()),
        (None, _) => format!("Who wins is unknown, {to_move}.\n"),
    }
}

/// The moves as a table, guesses in a column of their own.
pub(super) fn moves_table(analysis: &Analysis) -> Table {
    let guessed = analysis.moves.iter().any(|row| row.guess.is_some());
    let headings = ["move", "winner", " plies", "reply", "guess (not proved)"];
    let mut table = Table::new(&headings[..if guessed { 5 } else { 4 }]);
    for row in &analysis.moves {
        let plies = row.remoteness.map_or("-".to_owned(), |plies| plies.to_string());
        let reply = text_of(row.reply).unwrap_or_else(|| "-".to_owned());
        let mut fields = vec![row.ply.to_string(), Verdict(row.winner).name().to_owned(), plies, reply];
        if guessed {
            fields.push(row.guess.as_ref().map_or(String::new(), |guess| self::guess(guess, analysis.position.turn())));
        }
        table.row(fields);
    }
    table
}

/// A guess in words, with its reason.
pub(super) fn guess(guess: &Guess, mover: Side) -> String {
    let side = if guess.score >= 0 { mover } else { mover.other() };
    let reply = guess.reply.map_or(String::new(), |mv| format!(" {mv}"));
    let ahead = f64::from(guess.score.abs()) / 100.0;
    format!("{}:{reply}, {} {ahead:.1} moves ahead after {}", guess.winner, side.title(), text::plies(guess.depth))
}

/// The stones, with what their moves are worth.
fn diagram(analysis: &Analysis, colours: bool) -> String {
    let position = &analysis.position;
    let turn = position.turn();
    let mark = |cell: Cell| match (picture::best_at(analysis, cell), position.stone(cell)) {
        (None, stone) => Mark::plain(stone.map_or('.', Side::letter)),
        (Some(winner), _) => match winner {
            None => Mark { letter: '?', style: Some(GREY) },
            Some(side) if side == turn => Mark { letter: '+', style: Some(BLUE) },
            Some(_) => Mark { letter: '-', style: Some(ORANGE) },
        },
    };
    let drawn = text::diagram(position.size(), colours, mark);
    let sign = |letter, style| Mark { letter, style: Some(style) }.text(colours);
    let what = match analysis.moves.first().map(|row| row.ply) {
        None => return format!("{drawn}\n"),
        Some(Ply::Move(_)) => "Best move to a cell",
        Some(Ply::Removal(_)) => "Removal of a stone",
    };
    let key = format!("{} wins, {} loses, {} unknown", sign('+', BLUE), sign('-', ORANGE), sign('?', GREY));
    format!("{drawn}\n  {what}: {key}\n\n")
}
