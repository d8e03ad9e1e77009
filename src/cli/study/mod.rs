//! `papamu study`: many boards, resumable; and what is done with the records.

mod merge;
mod report;
mod summary;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use crate::konane::{FirstRemoval, SecondRemoval, Side};
use crate::run::StopReason;
use crate::search::SolverError;
use crate::study::{Boards, Colourings, Shard, SizeRange, Store, StudyError, StudyRequest, Tail, study, summaries};

use super::checkpoint::{self, KeepArgs};
use super::messages::{Failure, Messages};
use super::options::{Format, LimitArgs, SearchArgs, ThreadArgs, apart, whole};
use super::output::Sink;
use super::progress::with_progress;
use super::{Console, Outcome};

/// Solve the openings of many boards, one record in a file for each
///
/// Every opening that the rules allow is solved, symmetric ones once, and saved as one line of JSON as soon as it is solved.
/// The same command goes on from what the file holds, however the study before ended. Boards are taken one after another,
/// those with fewer cells first. Exchanging rows and columns keeps the top-left cell where it is, so RxC and CxR are the
/// same game: boards with more rows than columns are studied as their twins, unless --all-orientations is given.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  papamu study 3..6x3..6 -o boards.jsonl
  papamu study 3..8x3..8 --max-cells 48 --decide --time-limit 1h -o decided.jsonl
  papamu study 2..7x2..7 --first-removal any --shard 1/4 -o any-1.jsonl
  papamu study 7x8 --decide --memory 16GiB --checkpoint 7x8.search -o 7x8.jsonl
  papamu study merge any-1.jsonl any-2.jsonl any-3.jsonl any-4.jsonl -o any.jsonl
  papamu study summary any.jsonl"
)]
pub(super) struct StudyArgs {
    #[command(subcommand)]
    command: Option<StudyCommand>,
    /// Boards: rows x columns, each a number or a range with both ends, such as 3..7x3..7, 4x5 or 3..5x7.
    #[arg(value_name = "RANGE", required = true)]
    ranges: Vec<SizeRange>,
    /// Leave out boards of more cells.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, u64::MAX), allow_hyphen_values = true,
        help_heading = "Boards")]
    max_cells: Option<usize>,
    /// Leave out boards with a side shorter than this.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<usize>(0, u64::MAX),
        allow_hyphen_values = true, help_heading = "Boards")]
    min_side: usize,
    /// Keep boards with more rows than columns apart from their transposed twins.
    #[arg(long, help_heading = "Boards")]
    all_orientations: bool,
    /// Search only as much as decides each first removal: stop at White's first winning reply.
    #[arg(long)]
    decide: bool,
    /// Take every N-th unit from the I-th on: openings, with --decide first removals. The shards 1/N to N/N are the whole.
    #[arg(long, value_name = "I/N", default_value_t, allow_hyphen_values = true)]
    shard: Shard,
    /// Stones Black may remove first: corner-or-centre, any, corner or centre.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    first_removal: FirstRemoval,
    /// Stones White may remove second: adjacent (next to the hole) or any.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    second_removal: SecondRemoval,
    /// The owner of the top-left cell [default: both on boards with two odd sides, where it makes two different games;
    /// otherwise black, a reflection exchanges the two].
    #[arg(long, value_enum, value_name = "SIDE", help_heading = "Rules")]
    top_left: Option<TopLeft>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    keep: KeepArgs,
    /// The file of records, which is added to; `-` is standard output, where nothing can be gone on from.
    #[arg(short, long, value_name = "FILE", required = true, help_heading = "Output")]
    output: Option<PathBuf>,
    /// Form of the summary at the end (of all that the file holds).
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    format: Format,
    /// Show no progress and no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum StudyCommand {
    Merge(merge::MergeArgs),
    Summary(summary::SummaryArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TopLeft {
    #[value(alias = "x")]
    Black,
    #[value(alias = "o")]
    White,
    Both,
}

impl StudyArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        match self.command {
            Some(StudyCommand::Merge(args)) => args.run(console),
            Some(StudyCommand::Summary(args)) => args.run(console),
            None => self.study(console),
        }
    }

    fn study(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let boards = Boards {
            ranges: self.ranges,
            max_cells: self.max_cells,
            min_side: self.min_side,
            all_orientations: self.all_orientations,
            colourings: match self.top_left {
                None => Colourings::Different,
                Some(TopLeft::Black) => Colourings::One(Side::Black),
                Some(TopLeft::White) => Colourings::One(Side::White),
                Some(TopLeft::Both) => Colourings::Both,
            },
            first_removal: self.first_removal,
            second_removal: self.second_removal,
        };
        let boards = boards.select().map_err(|error| Failure::Usage(error.to_string()))?;
        let Some(path) = self.output else { return Err(Failure::Usage("expected --output FILE".to_owned())) };
        let to_stdout = path == Path::new("-");
        let pool = self.threads.pool()?;
        let options = self.search.options(&pool);
        let request = StudyRequest { boards, decide: self.decide, shard: self.shard, options };
        // Nothing is begun that could not be ended.
        apart("--checkpoint", self.keep.path(), [&*path])?;
        self.keep.check_writable()?;
        request.check(self.keep.path().is_some()).map_err(failure)?;
        let unchanged = |error: StudyError| match error {
            StudyError::BadLine { .. } | StudyError::Conflict(_) => {
                Failure::Run(format!("{error}; the file was not changed"))
            }
            error => failure(error),
        };
        let mut store = match to_stdout {
            // Records are written from any thread, which the console's stream does not allow.
            true => Store::stream(io::stdout(), "to standard output"),
            false => Store::open(&path).map_err(unchanged)?,
        };
        let mut messages = Messages::new(console, self.quiet);
        if let Some(note) = tail_note(&path, store.tail(), "was cut off: its opening is solved again") {
            messages.note(note);
        }
        let control = self.limits.control();
        let show = console.stderr_is_terminal && !self.quiet;
        let (outcome, trouble) = self.keep.keeping(
            |keep| with_progress(show, &control, || pool.install(|| study(&request, &mut store, &control, keep))),
            failure,
        )?;
        if !to_stdout {
            let bytes = report::Summary::new(&summaries(store.records()))?.bytes(self.format)?;
            Sink::stdout().write(console, &bytes)?;
        }
        checkpoint::report(None, trouble, console, self.quiet)?;
        let mut messages = Messages::new(console, self.quiet);
        if outcome.without_openings > 0 {
            messages.note(format_args!("boards without openings under these rules: {}", outcome.without_openings));
        }
        if outcome.left == 0 {
            return Ok(Outcome::Complete);
        }
        messages.note(format_args!(
            "{}: {} of {} {} not known{}",
            outcome.stopped.map_or("ended", StopReason::phrase),
            outcome.left,
            outcome.units,
            if self.decide { "first removals" } else { "openings" },
            if to_stdout { "" } else { "; the same command goes on from here" },
        ));
        Ok(Outcome::Unanswered)
    }
}

/// What to say of the end of a file, if anything.
fn tail_note(path: &Path, tail: Tail, torn: &str) -> Option<String> {
    match tail {
        Tail::Torn { line, .. } => {
            Some(format!("{}:{line}: the last line is a part of a record and {torn}", path.display()))
        }
        Tail::Whole | Tail::Unended => None,
    }
}

/// A failed study in the words of the command line.
fn failure(error: StudyError) -> Failure {
    match error {
        StudyError::Write { path, source } if source.kind() == io::ErrorKind::BrokenPipe => {
            Failure::write(path.display(), &source)
        }
        StudyError::Solver(error @ SolverError::TooLittleMemory { .. }) => Failure::usage("--memory", error),
        error @ StudyError::ManyBoards { .. } => Failure::usage("--checkpoint", error),
        StudyError::Solver(_) | StudyError::Read { .. } => Failure::Usage(error.to_string()),
        error => Failure::Run(error.to_string()),
    }
}
