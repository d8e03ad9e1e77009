//! `papamu solve --position` and `--positions`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;
use std::thread;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::board::CellSet;
use crate::konane::{Facts, Position, Side};
use crate::run::{Control, StopReason};
use crate::search::{Answer, Solver, SolverOptions, answer};

use super::checkpoint::{self, KeepArgs};
use super::messages::{Failure, Messages};
use super::options::{Format, LimitArgs, OutputArgs};
use super::output::Sink;
use super::progress::with_progress;
use super::report::{PositionReport, csv_line, json_line};
use super::solve::solver;
use super::text::{self, counted};
use super::{Console, Outcome, picture};

/// What was asked for.
pub(super) enum Asked {
    /// One position, by `--position`.
    One(Position),
    /// A list, by `--positions`.
    List(Vec<Position>),
}

/// The position of `--position`.
pub(super) fn one(text: &str, turn: Option<Side>) -> Result<Position, Failure> {
    position(text, turn).map_err(|reason| Failure::usage("--position", reason))
}

/// The positions of a file, all of them checked.
pub(super) fn read(file: &Path, turn: Option<Side>) -> Result<Vec<Position>, Failure> {
    lines("--positions", file, |line| position(line, turn))
}

/// What the lines of the file of an option stand for; empty ones and what follows a # are skipped.
pub(super) fn lines<T>(option: &str, file: &Path, item: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
    Ok(placed_lines(option, file, item)?.into_iter().map(|(_, item)| item).collect())
}

/// The same, each with its file and line.
pub(super) fn placed_lines<T>(
    option: &str,
    file: &Path,
    item: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<(String, T)>, Failure> {
    let mut bytes = Vec::new();
    let (name, result) = match file == Path::new("-") {
        true => ("standard input".to_owned(), io::stdin().lock().read_to_end(&mut bytes).map(|_| ())),
        false => (file.display().to_string(), fs::read(file).map(|read| bytes = read)),
    };
    result.map_err(|error| Failure::usage(format_args!("{option}: cannot read {name}"), error))?;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let place = format!("{name}, line {number}");
        let refused = |reason: &dyn std::fmt::Display| Failure::usage(&place, reason);
        let line = std::str::from_utf8(line).map_err(|_| refused(&"not text (UTF-8 expected)"))?;
        // Some editors begin a file with a byte order mark.
        let line = line.trim_start_matches('\u{feff}');
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let item = item(line).map_err(|reason| refused(&reason))?;
            found.push((place, item));
        }
    }
    Ok(found)
}

fn position(text: &str, turn: Option<Side>) -> Result<Position, String> {
    let position = Position::parse(text, turn).map_err(|error| error.to_string())?;
    let (size, cells) = (position.size(), position.size().cells());
    match cells > Solver::MAX_CELLS {
        false => Ok(position),
        true => Err(format!(
            "{size} has {cells} cells: `solve` handles at most {}; for larger boards there are `papamu analyze` and \
             `papamu value`",
            Solver::MAX_CELLS
        )),
    }
}

/// How to solve positions.
pub(super) struct Run {
    /// The solver.
    pub(super) options: SolverOptions,
    /// What is known without it.
    pub(super) facts: Option<Box<dyn Facts>>,
    /// The threads.
    pub(super) pool: ThreadPool,
    /// The limits, of all positions together.
    pub(super) limits: LimitArgs,
    /// Where the search of a single position is kept.
    pub(super) keep: KeepArgs,
    /// Where the results go.
    pub(super) output: OutputArgs,
    /// Where a single position is drawn.
    pub(super) svg: Option<PathBuf>,
}

/// Positions of a list that are sorted by board at a time, so that each board needs its table once.
const WINDOW: usize = 10_000;

/// Results that wait until those before them are there.
#[derive(Default)]
struct InTurn {
    early: BTreeMap<usize, (PositionReport, Answer)>,
    next: usize,
}

/// What a limit left open.
#[derive(Clone, Copy, Debug, Default)]
struct Unanswered {
    /// Positions whose winner is not known.
    winners: u64,
    /// Lines that were cut short, of positions whose winner is known.
    lines: u64,
}

impl Unanswered {
    fn of(report: &PositionReport, answer: Answer) -> Unanswered {
        let known = answer.winner.is_some();
        Unanswered { winners: u64::from(!known), lines: u64::from(known && !report.is_complete()) }
    }
}

impl std::ops::AddAssign for Unanswered {
    fn add_assign(&mut self, other: Unanswered) {
        self.winners += other.winners;
        self.lines += other.lines;
    }
}

impl Run {
    /// Solves one position and prints it.
    pub(super) fn solve_one(&self, position: &Position, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let solver = self.solver(std::iter::once(position))?;
        let mut sink = self.output.open()?;
        let svg = picture::open(self.svg.as_deref(), &sink)?;
        let control = self.limits.control();
        let show = self.output.progress(console);
        let ((answer, line, kept), trouble) = self.keep.keeping(
            |keep| {
                with_progress(show, &control, || {
                    self.pool.install(|| {
                        let facts = self.facts.as_deref();
                        let known = facts.is_some_and(|facts| facts.fact(position).is_some());
                        let kept = keep.filter(|_| !known).map(|keep| keep.position(position, &solver, &control));
                        let (found, line) = answer(&solver, position, facts, &control);
                        // The kept search has the figures of all its parts.
                        let (found, kept) =
                            kept.transpose()?.map_or((found, None), |(answer, kept)| (answer, Some(kept)));
                        Ok((found, line, kept))
                    })
                })
            },
            checkpoint::failure,
        )?;
        let report = PositionReport::new(position, answer, line);
        let mut bytes = self.header();
        bytes.extend(self.bytes(position, &report, answer)?);
        sink.write(console, &bytes)?;
        picture::write(svg, console, || picture::position(position, Some(answer.winner)))?;
        let unanswered = Unanswered::of(&report, answer);
        let outcome = self.finish(sink, console, &control, unanswered, 1);
        checkpoint::report(kept, trouble, console, self.output.quiet)?;
        outcome
    }

    /// Solves the positions of a list and prints each in its turn.
    pub(super) fn solve_list(&self, positions: &[Position], console: &mut Console<'_>) -> Result<Outcome, Failure> {
        if positions.is_empty() {
            Messages::new(console, self.output.quiet).note("--positions: there are no positions");
        }
        // A cap too small for one of the boards must be known before anything is printed.
        let mut boards: Vec<_> = positions.iter().map(|position| (position.size(), position.top_left())).collect();
        boards.sort_unstable();
        boards.dedup();
        for (size, top_left) in boards {
            solver(size, top_left, self.options)?;
        }
        let mut sink = self.output.open()?;
        let control = self.limits.control();
        control.gauges.total.store(positions.len() as u64, Relaxed);
        // The list appears line by line as it is solved, which a progress line on the same terminal would spoil.
        let show = self.output.progress(console) && !(console.stdout_is_terminal && sink.is_stdout());
        let mut unanswered = Unanswered::default();
        let mut bytes = self.header();
        with_progress(show, &control, || {
            for window in positions.chunks(WINDOW) {
                let mut boards: BTreeMap<_, Vec<usize>> = BTreeMap::new();
                for (at, position) in window.iter().enumerate() {
                    boards.entry((position.size(), position.top_left())).or_default().push(at);
                }
                let mut turn = InTurn::default();
                for places in boards.into_values() {
                    self.solve_board(window, &places, &control, &mut turn, &mut |at, report, answer| {
                        unanswered += Unanswered::of(&report, answer);
                        bytes.extend(self.bytes(&window[at], &report, answer)?);
                        if self.output.format == Format::Text {
                            bytes.push(b'\n');
                        }
                        sink.write(console, &std::mem::take(&mut bytes))
                    })?;
                }
            }
            Ok(())
        })?;
        // An empty list has a header too.
        sink.write(console, &bytes)?;
        self.finish(sink, console, &control, unanswered, positions.len())
    }

    /// A solver for positions of one board, with no more memory than they can use.
    ///
    /// Before: there is one.
    fn solver<'a>(&self, board: impl Iterator<Item = &'a Position> + Clone) -> Result<Solver, Failure> {
        let Some((size, top_left)) = board.clone().next().map(|first| (first.size(), first.top_left())) else {
            return Err(Failure::Run("no positions".to_owned()));
        };
        let stones = board.map(|position| position.occupied().count()).max().unwrap_or(0);
        let useful = Solver::useful_memory(size, stones as usize);
        solver(size, top_left, SolverOptions { memory: self.options.memory.min(useful), ..self.options })
    }

    fn header(&self) -> Vec<u8> {
        if self.output.format == Format::Csv { csv_line(&PositionReport::CSV_HEADER) } else { Vec::new() }
    }

    fn finish(
        &self,
        sink: Sink,
        console: &mut Console<'_>,
        control: &Control,
        unanswered: Unanswered,
        total: usize,
    ) -> Result<Outcome, Failure> {
        sink.finish()?;
        let Unanswered { winners, lines } = unanswered;
        let what = match (winners, lines) {
            (0, 0) => return Ok(Outcome::Complete),
            (0, _) => format!("{lines} of {total} best lines cut short"),
            _ => format!("{winners} of {total} positions not known"),
        };
        let why = control.stop_reason().map_or("ended", StopReason::phrase);
        Messages::new(console, self.output.quiet).note(format_args!("{why}: {what}"));
        Ok(Outcome::Unanswered)
    }

    /// Solves positions of one board, several at once, and hands on what is next in the order of the window.
    fn solve_board(
        &self,
        window: &[Position],
        places: &[usize],
        control: &Control,
        turn: &mut InTurn,
        each: &mut dyn FnMut(usize, PositionReport, Answer) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let solver = &self.solver(places.iter().map(|&at| &window[at]))?;
        thread::scope(|scope| {
            let (send, receive) = channel();
            scope.spawn(move || {
                self.pool.install(|| {
                    // Bridged, threads take the positions in the order of the list, so results do not wait for long.
                    places.iter().par_bridge().for_each_with(send, |send, &at| {
                        let position = &window[at];
                        let (answer, line) = answer(solver, position, self.facts.as_deref(), control);
                        control.gauges.done.fetch_add(u64::from(answer.winner.is_some()), Relaxed);
                        // Nobody receives once printing has failed, and then nothing is lost.
                        let _ = send.send((at, PositionReport::new(position, answer, line), answer));
                    });
                });
            });
            let mut printed = Ok(());
            for (at, report, answer) in receive {
                turn.early.insert(at, (report, answer));
                while let Some((report, answer)) = turn.early.remove(&turn.next) {
                    printed = printed.and_then(|()| each(turn.next, report, answer));
                    turn.next += 1;
                }
                if printed.is_err() {
                    control.request_stop();
                }
            }
            printed
        })
    }

    fn bytes(&self, position: &Position, report: &PositionReport, answer: Answer) -> Result<Vec<u8>, Failure> {
        Ok(match self.output.format {
            Format::Json => json_line(report)?,
            Format::Csv => report.csv_row(),
            Format::Text => text(position, report, answer).into_bytes(),
        })
    }
}

fn text(position: &Position, report: &PositionReport, answer: Answer) -> String {
    let turn = position.turn();
    let mut text = format!("{position}\n\n{}\n", text::position(position));
    let winner = answer.winner.map_or("Who wins is unknown".to_owned(), |side| format!("{} wins", side.title()));
    text += &format!("{winner}, {} ({}) to move.\n", turn.title(), turn.letter());
    let line = report.line_text();
    match answer.winner {
        None => {}
        Some(_) if line.is_empty() && report.is_complete() => {
            text += &format!("{} cannot move.\n", turn.title());
        }
        Some(_) => {
            let cut = if report.is_complete() { "" } else { " … (cut short)" };
            text += &format!("Best line: {line}{cut}\n");
        }
    }
    text += &format!("{} in {:.3} s\n", counted(report.nodes(), "node"), answer.time.as_secs_f64());
    text
}
