//! Arguments that several commands share.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::board::Size;
use crate::container::{Kind, Writer, is_same_file};
use crate::konane::{FirstRemoval, Opening, Rules, SecondRemoval, Side};
use crate::run::{Control, Limits, MemorySize};
use crate::search::{Engine, SolverOptions};

use super::messages::Failure;
use super::output::Sink;
use super::{Console, interrupt, text};

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: objects with named values, one a line.
    Json,
    /// For spreadsheets: rows under a header.
    Csv,
}

/// The options of the rules.
#[derive(Args, Clone, Copy, Debug)]
#[group(id = "rules", multiple = true)]
pub(super) struct RulesArgs {
    /// Stones Black may remove first: corner-or-centre, any, corner or centre.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    first_removal: FirstRemoval,
    /// Stones White may remove second: adjacent (next to the hole) or any.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    second_removal: SecondRemoval,
    /// The owner of the top-left cell: black or white.
    #[arg(long, value_name = "SIDE", default_value_t = Side::Black, help_heading = "Rules")]
    top_left: Side,
}

impl RulesArgs {
    /// The rules chosen.
    pub(super) fn rules(self) -> Rules {
        Rules { top_left: self.top_left, first_removal: self.first_removal, second_removal: self.second_removal }
    }
}

/// Where results go, and how.
#[derive(Args, Clone, Debug)]
pub(super) struct OutputArgs {
    /// Form of the results.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    pub(super) format: Format,
    /// Write the results to this file, which appears when they are complete; `-` is standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Show no progress and no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,
}

impl OutputArgs {
    /// Opens the place of the results.
    pub(super) fn open(&self) -> Result<Sink, Failure> {
        Sink::open(self.output.as_deref())
    }

    /// The same where these files are read: none of them may be written over.
    pub(super) fn open_apart<'a>(&self, read: impl IntoIterator<Item = &'a Path>) -> Result<Sink, Failure> {
        self.check_apart(read)?;
        self.open()
    }

    /// Makes sure that the file of the results is none of those that are read.
    pub(super) fn check_apart<'a>(&self, read: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
        apart("--output", self.output.as_deref(), read)
    }

    /// Whether text for this sink may be coloured.
    pub(super) fn colours(&self, console: &Console<'_>, sink: &Sink) -> bool {
        console.stdout_is_terminal && sink.is_stdout() && text::colours_wanted()
    }

    /// Whether progress is shown.
    pub(super) fn progress(&self, console: &Console<'_>) -> bool {
        console.stderr_is_terminal && !self.quiet
    }
}

/// How many threads.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct ThreadArgs {
    /// Threads to work with [default: one for each core].
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, 1024), allow_hyphen_values = true,
        help_heading = "Limits")]
    threads: Option<u16>,
}

impl ThreadArgs {
    /// The threads, apart from any other pool of the process.
    pub(super) fn pool(self) -> Result<ThreadPool, Failure> {
        let threads = self.threads.map_or_else(|| available_parallelism().map_or(1, Into::into), usize::from);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Failure::Run(format!("cannot start {threads} threads: {error}")))
    }
}

/// When to stop.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct LimitArgs {
    /// Stop after this time, such as 500ms, 10s, 10m or 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true, help_heading = "Limits")]
    time_limit: Option<Duration>,
    /// Stop after this many positions were expanded, by all threads together.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX), allow_hyphen_values = true,
        help_heading = "Limits")]
    node_limit: Option<u64>,
}

impl LimitArgs {
    /// The control of the work, which Ctrl-C stops; its time begins now.
    pub(super) fn control(self) -> Arc<Control> {
        let control = Arc::new(Control::new(Limits { nodes: self.node_limit, time: self.time_limit }));
        interrupt::watch(&control);
        control
    }
}

/// The same for work that has no nodes to count.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct TimeArgs {
    /// Stop after this time, such as 500ms, 10s, 10m or 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true, help_heading = "Limits")]
    time_limit: Option<Duration>,
}

impl TimeArgs {
    /// The control of the work, which Ctrl-C stops; its time begins now.
    pub(super) fn control(self) -> Arc<Control> {
        LimitArgs { time_limit: self.time_limit, node_limit: None }.control()
    }
}

/// How much memory.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct MemoryArgs {
    /// The most memory to use, such as 512MiB or 8GiB; a bare number is bytes [default: half of the free memory, at most
    /// 4GiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Limits")]
    memory: Option<MemorySize>,
}

impl MemoryArgs {
    /// The cap.
    pub(super) fn cap(self) -> MemorySize {
        self.memory.unwrap_or_else(MemorySize::default_cap)
    }
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| {
        format!("`{text}` is not a time: expected a number with a unit, such as 500ms, 10s, 10m or 1h ({error})")
    })
}

/// Makes sure that a file to write, if there is one, is none of those that are read.
pub(super) fn apart<'a>(
    option: &str,
    written: Option<&Path>,
    read: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let Some(written) = written else { return Ok(()) };
    match read.into_iter().any(|read| is_same_file(read, written)) && !written.is_dir() && written != Path::new("-") {
        true => Err(Failure::usage(
            format_args!("{option} {}", written.display()),
            "the same file is used otherwise by this command: give another name",
        )),
        false => Ok(()),
    }
}

/// Makes sure that a file of this kind can be written before the work for it begins.
pub(super) fn writable(option: &str, path: &Path, kind: Kind) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage(
            option,
            "expected the name of a file, found `-`: files of this kind are not streamed",
        ));
    }
    Writer::create(path, kind).map(drop).map_err(|error| Failure::usage(option, error))
}

/// Reads whole numbers of this range.
pub(super) fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && (least..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// Makes sure that the rules leave a first removal, and that each opening of `--opening` is legal.
pub(super) fn check_openings(size: Size, rules: &Rules, openings: &[Opening]) -> Result<(), Failure> {
    rules.first_removals(size).map_err(|error| Failure::Usage(error.to_string()))?;
    for opening in openings {
        let legal = opening.position(size, rules);
        legal.map_err(|error| Failure::usage(format_args!("--opening {opening}"), error))?;
    }
    Ok(())
}

/// The openings asked for, each once, where it is named first.
pub(super) fn without_repeats(openings: &[Opening]) -> Vec<Opening> {
    let mut seen = HashSet::new();
    openings.iter().copied().filter(|opening| seen.insert(*opening)).collect()
}

/// Which search, with how much memory.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct SearchArgs {
    /// The search: pn (proof-number search) or alpha-beta (the baseline to compare with).
    #[arg(long, value_name = "ENGINE", default_value = "pn", help_heading = "Search")]
    engine: Engine,
    /// Memory for the table of the search, such as 512MiB or 4GiB; a bare number is bytes [default: half of the free
    /// memory, at most 4GiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Limits")]
    memory: Option<MemorySize>,
}

impl SearchArgs {
    /// The options of a solver that works in this pool.
    pub(super) fn options(self, pool: &ThreadPool) -> SolverOptions {
        SolverOptions {
            engine: self.engine,
            memory: self.memory.unwrap_or_else(MemorySize::default_cap),
            threads: pool.current_num_threads(),
        }
    }
}

/// The word of an engine, as `--engine` reads it.
pub(super) const fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::ProofNumber => "pn",
        Engine::AlphaBeta => "alpha-beta",
    }
}
