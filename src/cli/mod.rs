//! The command line: one file per command, each with its arguments, one call of the library and the printing.
//!
//! [`run`] is the whole program but for the process around it: it takes arguments and streams and gives the exit code, so
//! tests can call it. What the commands share is in a few helpers: `options` (arguments), `output` (where results go),
//! `report` (the shape of results for programs), `text` (the same for people), `progress` and `messages` (the only ways
//! to standard error), `interrupt` (Ctrl-C).
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | everything asked is answered |
//! | 1 | the run failed, for example on a full disk |
//! | 2 | wrong input; nothing was written |
//! | 3 | stopped at a limit or by Ctrl-C with something unanswered; what was proved is printed |

mod analyze;
mod annotate;
mod bench;
mod check;
mod checkpoint;
mod completions;
mod dialogue;
mod facts;
mod interrupt;
mod kota;
mod man;
mod messages;
mod options;
mod output;
mod perft;
mod picture;
mod play;
mod positions;
mod progress;
mod prove;
mod report;
mod solve;
mod study;
mod table;
mod text;
mod thermograph;
mod value;
mod verify;

use std::ffi::OsString;
use std::io::Write;

use clap::{CommandFactory, Parser, Subcommand};

use messages::{Failure, Messages};

/// The streams of a process and what is known of them.
pub struct Console<'a> {
    /// Results.
    pub stdout: &'a mut dyn Write,
    /// Errors and notes. Progress goes to the standard error of the process, and only where this is it.
    pub stderr: &'a mut dyn Write,
    /// Whether a person reads the results: then they may be coloured.
    pub stdout_is_terminal: bool,
    /// Whether a person reads the messages: then progress is shown.
    pub stderr_is_terminal: bool,
}

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything asked is answered.
    Complete,
    /// Something is not.
    Unanswered,
}

#[derive(Debug, Parser)]
#[command(
    name = "papamu",
    version = env!("PAPAMU_VERSION"),
    about = "Exact solver for Kōnane (Hawaiian checkers)",
    long_about = "Exact solver for Kōnane (Hawaiian checkers): who wins a board, which opening removal wins, and by which replies.",
    arg_required_else_help = true,
    subcommand_required = true,
    max_term_width = 110,
    after_help = "\
Examples:
  papamu solve 6x6                who wins 6x6, after every opening of the default rules
  papamu solve --position '.oxo/.xox/xoxo/oxox' --turn x
  papamu study 3..6x3..6 -o f.jsonl   many boards, resumable
  papamu prove 6x6 -o 6x6.proof   a winning strategy that `papamu verify` checks
  papamu analyze '.oxo/.xox/xoxo/oxox x'   every move judged
  papamu annotate '5x5 c3 b3 e3-c3 b5-b3'   a game gone through
  papamu play 8x8                 a game in the terminal
  papamu value '.ox./o..x/....'   what a position is worth: canonical form, temperature
  papamu table build 5x5 -o 5x5.table   every position with who wins and how soon
  papamu perft 6x6 --depth 4      move counts
  papamu bench                    fixed positions, one thread
  papamu kota solve 4             the second game

Exit codes:
  0  everything asked is answered
  1  the run failed
  2  wrong input
  3  stopped at a limit or by Ctrl-C with something unanswered"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(Box<solve::SolveArgs>),
    Study(Box<study::StudyArgs>),
    Prove(Box<prove::ProveArgs>),
    Verify(verify::VerifyArgs),
    Analyze(Box<analyze::AnalyzeArgs>),
    Annotate(Box<annotate::AnnotateArgs>),
    Play(Box<play::PlayArgs>),
    Value(Box<value::ValueArgs>),
    #[command(subcommand)]
    Table(table::TableCommand),
    Perft(perft::PerftArgs),
    Check(check::CheckArgs),
    Checkpoint(checkpoint::CheckpointArgs),
    Bench(bench::BenchArgs),
    Kota(kota::KotaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// The definition of the whole command line, for completions and the manual.
fn definition() -> clap::Command {
    Cli::command()
}

/// Runs the program with these arguments, the first being its name, and gives its exit code.
pub fn run(args: impl IntoIterator<Item = OsString>, console: &mut Console<'_>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let result = match Cli::try_parse_from(&args) {
        Ok(cli) => dispatch(cli.command, console),
        // The message quotes the arguments: said of what is safe to print, it is the same message.
        Err(error) => usage(&Cli::try_parse_from(args.iter().map(safe)).err().unwrap_or(error), console),
    };
    match result {
        Ok(Outcome::Complete) => 0,
        Ok(Outcome::Unanswered) => 3,
        Err(failure) => Messages::new(console, false).failure(&failure),
    }
}

/// An argument as it may be shown.
fn safe(arg: &OsString) -> OsString {
    arg.to_str().map_or_else(|| arg.clone(), |text| text::printable(text).into())
}

fn dispatch(command: Command, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    match command {
        Command::Solve(args) => args.run(console),
        Command::Study(args) => args.run(console),
        Command::Prove(args) => args.run(console),
        Command::Verify(args) => args.run(console),
        Command::Analyze(args) => args.run(console),
        Command::Annotate(args) => args.run(console),
        Command::Play(args) => args.run(console),
        Command::Value(args) => args.run(console),
        Command::Table(command) => command.run(console),
        Command::Perft(args) => args.run(console),
        Command::Check(args) => args.run(console),
        Command::Checkpoint(args) => args.run(console),
        Command::Bench(args) => args.run(console),
        Command::Kota(args) => args.run(console),
        Command::Completions(args) => args.run(console),
        Command::Man(args) => args.run(console),
    }
}

/// What clap answers by itself: help and version are results, the rest are errors.
fn usage(error: &clap::Error, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let coloured = |terminal: bool| match terminal && text::colours_wanted() {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    if error.use_stderr() {
        return Err(Failure::Rendered(coloured(console.stderr_is_terminal)));
    }
    let text = coloured(console.stdout_is_terminal);
    output::Sink::stdout().write(console, text.as_bytes())?;
    Ok(Outcome::Complete)
}
