//! `papamu solve`: who wins a board after every opening, or a position.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;

use crate::board::{Cell, CellSet, Size, Wide};
use crate::konane::{Field, Opening, Rules, Side};
use crate::run::StopReason;
use crate::search::{BoardAnswer, OpeningAnswer, OpeningsRequest, OpeningsRun, Solver, SolverError, SolverOptions};
use crate::study::Spent;

use super::checkpoint::{self, KeepArgs};
use super::facts::FactsArgs;
use super::messages::{Failure, Messages};
use super::options::{
    Format, LimitArgs, OutputArgs, RulesArgs, SearchArgs, ThreadArgs, apart, check_openings, engine_name,
    without_repeats,
};
use super::progress::with_progress;
use super::report::{BoardReport, Circumstances, Verdict, json_line};
use super::text::{self, Mark, Table, counted, thousands};
use super::{Console, Outcome, picture, positions};

/// Who wins a board after every opening, or a position
///
/// For a board: who wins after each opening pair that the rules allow, which removals win for Black, and White's best
/// replies. For a position: who wins, and a line of best play. Answers are exact; what a limit leaves open is "unknown".
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu solve 6x6
  papamu solve 5x5 --top-left white --first-removal any
  papamu solve 6x7 --decide --time-limit 10m --memory 4GiB
  papamu solve 6x6 --opening a6:b6 --opening c4:b4 --format json
  papamu solve --position '.oxo/.xox/xoxo/oxox' --turn x
  papamu solve --positions endgames.txt --format csv -o answers.csv
  papamu solve 6x6 --svg 6x6.svg
  papamu solve 7x8 --decide --memory 16GiB --checkpoint 7x8.search

A position is its rows from top to bottom separated by /, with x for Black, o for White and
. for empty, then optionally a blank and the side to move.")]
pub(super) struct SolveArgs {
    /// The board: rows x columns, such as 6x7.
    #[arg(value_name = "RxC", conflicts_with_all = ["position", "positions", "turn"])]
    size: Option<Size>,
    /// Solve this opening pair, the cells of Black's and White's removal, such as a6:b6; may be repeated.
    #[arg(long, value_name = "BLACK:WHITE", conflicts_with_all = ["position", "positions"])]
    opening: Vec<Opening>,
    /// Search only as much as decides each removal and the game: stop at White's first winning reply.
    #[arg(long, conflicts_with_all = ["position", "positions", "opening"])]
    decide: bool,
    /// Solve this position.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["positions", "first_removal", "second_removal", "top_left"])]
    position: Option<String>,
    /// Solve the positions of this file, one a line; `-` is standard input. Blank lines and what follows a # are skipped.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["first_removal", "second_removal", "top_left", "checkpoint"])]
    positions: Option<PathBuf>,
    /// The side to move where the position does not say it: x (black) or o (white).
    #[arg(long, value_name = "SIDE")]
    turn: Option<Side>,
    /// Draw the board with its removals by winner, or the position, into this file as SVG.
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
    keep: KeepArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl SolveArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let read = || [self.positions.as_deref(), self.facts.path()].into_iter().flatten();
        apart("--checkpoint", self.keep.path(), read())?;
        apart("--svg", self.svg.as_deref(), read().chain(self.keep.path()))?;
        self.output.check_apart(read().chain(self.keep.path()))?;
        let found = match (&self.position, &self.positions) {
            (Some(text), _) => positions::Asked::One(positions::one(text, self.turn)?),
            (None, Some(file)) => positions::Asked::List(positions::read(file, self.turn)?),
            (None, None) => return self.board(console),
        };
        let pool = self.threads.pool()?;
        let options = self.search.options(&pool);
        let asked = match &found {
            positions::Asked::One(position) => std::slice::from_ref(position),
            positions::Asked::List(positions) => positions,
        };
        let boards: Vec<_> = asked.iter().map(|position| (position.size(), position.top_left())).collect();
        let facts = self.facts.open(&boards)?;
        let (limits, keep, output, svg) = (self.limits, self.keep, self.output, self.svg);
        let run = positions::Run { options, facts, pool, limits, keep, output, svg };
        match found {
            positions::Asked::One(position) => run.solve_one(&position, console),
            positions::Asked::List(positions) => run.solve_list(&positions, console),
        }
    }

    fn board(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let Some(size) = self.size else {
            let expected = "expected a board RxC, such as 6x6, or --position TEXT, or --positions FILE";
            return Err(Failure::Usage(expected.to_owned()));
        };
        let rules = self.rules.rules();
        check_openings(size, &rules, &self.opening)?;
        let pool = self.threads.pool()?;
        let options = self.search.options(&pool);
        let facts = self.facts.open(&[(size, rules.top_left)])?;
        let solver = solver(size, rules.top_left, options)?;
        let mut sink = self.output.open()?;
        let svg = picture::open(self.svg.as_deref(), &sink)?;
        let control = self.limits.control();
        let request = OpeningsRequest { size, rules, openings: without_repeats(&self.opening), decide: self.decide };
        let show = self.output.progress(console);
        let run = OpeningsRun::new(request.clone()).map_err(|error| Failure::Usage(error.to_string()))?;
        if let Some(facts) = facts {
            run.ask(&*facts);
        }
        let (kept, trouble) = self.keep.keeping(
            |keep| {
                with_progress(show, &control, || {
                    pool.install(|| match keep {
                        Some(keep) => keep.openings(&run, &solver, &control, &|_, _| ()).map(Some),
                        None => {
                            run.search(&solver, &control, &|_, _| ());
                            Ok(None)
                        }
                    })
                })
            },
            checkpoint::failure,
        )?;
        let spent = kept.as_ref().map_or(Spent { nodes: control.nodes(), time: control.elapsed() }, |kept| kept.spent);
        let answer = run.answer();
        let complete = answer.is_complete(&request);
        let how = Circumstances {
            threads: pool.current_num_threads(),
            engine: options.engine,
            table: solver.table_memory(),
            table_fill: solver.table_fill_share(),
            nodes: spent.nodes,
            time: spent.time,
            stopped: control.stop_reason().filter(|_| !complete),
        };
        let report = BoardReport::new(size, rules, &answer, how);
        let bytes = match self.output.format {
            Format::Json => json_line(&report)?,
            Format::Csv => report.csv(),
            Format::Text => board_text(&request, &answer, how, self.output.colours(console, &sink)).into_bytes(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        picture::write(svg, console, || picture::removals(size, &rules, &answer))?;
        checkpoint::report(kept, trouble, console, self.output.quiet)?;
        if complete {
            return Ok(Outcome::Complete);
        }
        let open = answer.openings.iter().filter(|row| row.answer.winner.is_none()).count();
        Messages::new(console, self.output.quiet).note(format_args!(
            "{}: {open} of {} openings not known",
            how.stopped.map_or("ended", StopReason::phrase),
            answer.openings.len()
        ));
        Ok(Outcome::Unanswered)
    }
}

/// A solver, or what to do instead.
pub(super) fn solver(size: Size, top_left: Side, options: SolverOptions) -> Result<Solver, Failure> {
    Solver::new(size, top_left, options).map_err(|error| match error {
        SolverError::TooLarge { .. } => Failure::Usage(format!(
            "{error}; for larger boards there are `papamu analyze` and `papamu value` (up to {} cells)",
            Size::MAX_CELLS
        )),
        SolverError::TooLittleMemory { .. } | SolverError::OutOfMemory { .. } => Failure::usage("--memory", error),
    })
}

fn board_text(request: &OpeningsRequest, answer: &BoardAnswer, how: Circumstances, colours: bool) -> String {
    let (size, rules) = (request.size, &request.rules);
    let winners: HashMap<Cell, Option<Side>> = answer.removals.iter().map(|row| (row.black, row.winner)).collect();
    let black = Field::<Wide>::new(size, rules.top_left).cells_of(Side::Black);
    let mut text = format!("{size}: {}\n\n", text::rules(rules));
    text += &text::diagram(size, colours, |cell| match winners.get(&cell) {
        Some(&winner) => Mark::winner(winner),
        None => {
            let owner =
                if size.index(cell).is_some_and(|index| black.contains(index)) { Side::Black } else { Side::White };
            Mark::plain(owner.letter())
        }
    });
    let mark = |winner| Mark::winner(winner).text(colours);
    text += &format!(
        "\n  Black's first removal: {} Black wins, {} White wins, {} unknown; other stones: x Black, o White\n\n",
        mark(Some(Side::Black)),
        mark(Some(Side::White)),
        mark(None)
    );
    let mut table = Table::new(&["removal", "winner", "White's winning replies"]);
    for row in &answer.removals {
        let replies: Vec<_> = row.winning_replies.iter().map(Cell::to_string).collect();
        let replies = match (replies.is_empty(), row.winner) {
            (false, _) => replies.join(", "),
            (true, Some(_)) => "none".to_owned(),
            (true, None) => "unknown".to_owned(),
        };
        table.row(vec![row.black.to_string(), Verdict(row.winner).name().to_owned(), replies]);
    }
    text += &table.text();
    if !answer.openings.is_empty() {
        text += "\n";
        text += &openings_table(&answer.openings).text();
    }
    text += &format!("\n{}\n", conclusion(request, rules, answer, how.stopped));
    text += &format!(
        "{} in {:.3} s, threads {}, engine {}, table {:.1} % of {}\n",
        counted(how.nodes, "node"),
        how.time.as_secs_f64(),
        how.threads,
        engine_name(how.engine),
        100.0 * how.table_fill,
        how.table
    );
    text
}

fn openings_table(openings: &[OpeningAnswer]) -> Table {
    let mut table = Table::new(&["opening", "winner", " nodes", " seconds", "same as"]);
    for row in openings {
        let answer = &row.answer;
        let (nodes, seconds) = match answer.winner.is_none() && answer.nodes == 0 {
            true => ("-".to_owned(), "-".to_owned()),
            false => (thousands(answer.nodes), format!("{:.3}", answer.time.as_secs_f64())),
        };
        let same = if row.searched == row.opening { String::new() } else { row.searched.to_string() };
        table.row(vec![row.opening.to_string(), Verdict(answer.winner).name().to_owned(), nodes, seconds, same]);
    }
    table
}

fn conclusion(request: &OpeningsRequest, rules: &Rules, answer: &BoardAnswer, stopped: Option<StopReason>) -> String {
    let size = request.size;
    let rules = text::rules(rules);
    match (answer.winner, stopped) {
        (Some(Side::White), _) => format!("White wins {size} ({rules})."),
        (Some(Side::Black), _) => {
            let by: Vec<_> = answer.removals.iter().filter(|row| row.winner == Some(Side::Black)).collect();
            let by: Vec<_> = by.iter().map(|row| row.black.to_string()).collect();
            format!("Black wins {size} ({rules}) by removing {} first.", by.join(" or "))
        }
        (None, Some(reason)) => format!("Who wins {size} ({rules}) is unknown: {}.", reason.phrase()),
        (None, None) => {
            format!("Who wins {size} ({rules}) is unknown: the openings asked for do not decide the game.")
        }
    }
}
