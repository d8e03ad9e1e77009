//! `papamu table build`.

use std::path::PathBuf;

use clap::Args;

use crate::board::Size;
use crate::konane::{Opening, Position, Side};
use crate::tables::{BuildOptions, Source, TableError, build};

use super::super::messages::{Failure, Messages};
use super::super::options::{MemoryArgs, RulesArgs, ThreadArgs, TimeArgs, writable};
use super::super::progress::with_progress;
use super::super::text::thousands;
use super::super::{Console, Outcome, interrupt};
use super::{failure, open};

/// Build the table of every position that can be reached
///
/// Of each position, with the side to move, the table knows who wins and in how many plies. It begins with the positions after
/// both removals (all openings of the rules, or those named), or with one position. Layers that are done are kept beside the
/// file, so that the same command goes on after an interruption; what does not fit the memory goes there as well. The same command gives the same bytes for any number of
/// threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu table build 5x5 -o 5x5.table
  papamu table build 5x6 --opening a5:b5 --opening a5:a4 -o 5x6-corner.table --memory 4GiB
  papamu table build --position '.oxo./.xox./xo.ox/ox.xo x' -o endgame.table")]
pub(in super::super) struct BuildArgs {
    /// The board: rows x columns, such as 5x6; at most 64 cells.
    #[arg(value_name = "RxC", required_unless_present = "position", conflicts_with = "position")]
    size: Option<Size>,
    /// Begin with this opening pair, such as a5:b5; may be repeated.
    #[arg(long, value_name = "BLACK:WHITE", conflicts_with = "position")]
    opening: Vec<Opening>,
    /// Begin with this position.
    #[arg(long, value_name = "TEXT", conflicts_with = "rules")]
    position: Option<String>,
    /// The side to move where the position does not say it: x (black) or o (white).
    #[arg(long, value_name = "SIDE", requires = "position")]
    turn: Option<Side>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Keep the layers that are done in this folder until the table is complete [default: the name of the file with
    /// .parts].
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    parts: Option<PathBuf>,
    /// Show no progress and no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: TimeArgs,
}

impl BuildArgs {
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let source = self.source()?;
        writable("--output", &self.output, crate::tables::TABLE_KIND)?;
        let options = BuildOptions {
            memory: self.memory.cap(),
            parts: self.parts.unwrap_or_else(|| BuildOptions::parts_of(&self.output)),
        };
        if options.memory < BuildOptions::LEAST_MEMORY {
            let (found, least) = options.memory.apart(BuildOptions::LEAST_MEMORY);
            return Err(Failure::usage("--memory", format_args!("{found} is too small: expected at least {least}")));
        }
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let began = |temporary: &std::path::Path| interrupt::remove_at_sudden_end(temporary);
        let work = || pool.install(|| build(&source, &self.output, &options, &control, &began));
        match with_progress(console.stderr_is_terminal && !self.quiet, &control, work) {
            Ok(()) => {}
            Err(TableError::Stopped(why)) => {
                let parts = options.parts.display();
                let note = format!("{}: no table is written; the same command goes on from {parts}", why.phrase());
                Messages::new(console, self.quiet).note(note);
                return Ok(Outcome::Unanswered);
            }
            Err(error) => return Err(failure(error)),
        }
        let table = open(&self.output)?;
        let (positions, bytes) = (table.counts().positions, table.file_len());
        Messages::new(console, self.quiet).note(format_args!(
            "{}: {} positions in {} bytes, {:.2} bytes each, {:.1} s",
            self.output.display(),
            thousands(positions),
            thousands(bytes),
            bytes as f64 / positions as f64,
            control.elapsed().as_secs_f64()
        ));
        Ok(Outcome::Complete)
    }

    fn source(&self) -> Result<Source, Failure> {
        let source = match (&self.position, self.size) {
            (Some(text), _) => {
                let position = Position::parse(text, self.turn);
                Source::position(position.map_err(|error| Failure::usage("--position", error))?)
            }
            (None, Some(size)) => Source::openings(size, self.rules.rules(), &self.opening),
            (None, None) => return Err(Failure::Usage("expected a board or a position".to_owned())),
        };
        source.map_err(|error| Failure::Usage(error.to_string()))
    }
}
