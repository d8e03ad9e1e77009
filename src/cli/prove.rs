//! `papamu prove`: a winning strategy as a file.

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::ThreadPoolBuilder;

use crate::board::Size;
use crate::konane::{Opening, Position, Side};
use crate::proof::{
    Claim, ClaimError, MAX_CELLS, MOST_LEAF_NODES, PROOF_KIND, ProveError, ProveOptions, Written, claim_game,
    claim_openings, claim_position, prove,
};
use crate::run::{Control, MemorySize, StopReason};
use crate::search::{Engine, OpeningsRequest, OpeningsRun, Solver, SolverOptions};
use crate::study::{CheckpointError, Keep, Kept};

use super::checkpoint::{self, KeepArgs};
use super::messages::{Failure, Messages};
use super::options::{
    LimitArgs, MemoryArgs, RulesArgs, ThreadArgs, apart, check_openings, whole, without_repeats, writable,
};
use super::progress::with_progress;
use super::solve::solver;
use super::text::{counted, thousands};
use super::{Console, Outcome, interrupt, positions};

/// Write a winning strategy to a file that `papamu verify` checks
///
/// For every position that can arise when the loser plays anything and the winner follows the file, the file has the
/// winner's move. What is proved: the whole game (all first removals, with a reply of White to each; or one first removal
/// of Black with all replies), openings, or a position. The same command writes the same bytes, whatever the number of
/// threads and the memory of the machine, as long as --memory is the same.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu prove 6x6 -o 6x6.proof
  papamu verify 6x6.proof
  papamu prove 7x7 --opening d4:c4 --first-removal any -o d4c4.proof
  papamu prove 7x7 --opening d4:c4 --leaf-nodes 100 -o small.proof
  papamu prove --position '.oxo/.xox/xoxo/oxox' --turn x -o position.proof
  papamu prove 7x8 --opening d4:e4 --memory 16GiB --checkpoint d4e4.search -o d4e4.proof")]
pub(super) struct ProveArgs {
    /// The board: rows x columns, such as 6x7.
    #[arg(value_name = "RxC", conflicts_with_all = ["position", "turn"])]
    size: Option<Size>,
    /// Prove this opening pair instead of the whole game; may be repeated for openings that have the same winner.
    #[arg(long, value_name = "BLACK:WHITE", conflicts_with = "position")]
    opening: Vec<Opening>,
    /// Prove this position.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["first_removal", "second_removal", "top_left"])]
    position: Option<String>,
    /// The side to move where the position does not say it: x (black) or o (white).
    #[arg(long, value_name = "SIDE")]
    turn: Option<Side>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Leave out every position that the plain depth-first search of the checker settles by visiting at most this many
    /// positions: a smaller file, a longer check. 0: the full strategy.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0, MOST_LEAF_NODES),
        allow_hyphen_values = true, help_heading = "Output")]
    leaf_nodes: u64,
    /// Search with all threads, not one: faster, but the strategy found may then differ from run to run.
    #[arg(long, help_heading = "Search")]
    share_search: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    keep: KeepArgs,
    /// Write the proof to this file, which appears when it is complete.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Show no progress and no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// What is to be proved.
enum Asked {
    /// `--position`.
    Position(Position),
    /// The openings of a board.
    Openings(OpeningsRun),
}

/// What became of it, and of the checkpoint of the search.
type Proved = (Result<(Claim, Result<Written, ProveError>), ClaimError>, Option<Kept>);

impl ProveArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let (asked, size, top_left) = self.asked()?;
        if size.cells() > MAX_CELLS {
            return Err(Failure::Usage(ProveError::TooLarge { size }.to_string()));
        }
        let pool = self.threads.pool()?;
        let threads = if self.share_search { pool.current_num_threads() } else { 1 };
        let search_pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let search_pool =
            search_pool.map_err(|error| Failure::Run(format!("cannot start {threads} threads: {error}")))?;
        let memory = self.memory.cap();
        let options = SolverOptions { engine: Engine::ProofNumber, memory: ProveOptions::table_share(memory), threads };
        let solver = solver(size, top_left, options)?;
        let left = memory.bytes().saturating_sub(solver.table_memory().bytes());
        let options = ProveOptions { leaf_nodes: self.leaf_nodes, memory: MemorySize::from_bytes(left) };
        apart("--output", Some(&self.output), self.keep.path())?;
        writable("--output", &self.output, PROOF_KIND)?;
        let control = self.limits.control();
        let show = console.stderr_is_terminal && !self.quiet;
        let ((proved, kept), trouble) = self.keep.keeping(
            |keep| {
                with_progress(show, &control, || -> Result<Proved, CheckpointError> {
                    let (claim, kept) = search_pool.install(|| asked.solve(&solver, keep, &control))?;
                    let began = |temporary: &Path| interrupt::remove_at_sudden_end(temporary);
                    let proved = claim.map(|claim| {
                        let written = pool.install(|| prove(&self.output, &claim, &solver, options, &control, &began));
                        (claim, written)
                    });
                    Ok((proved, kept))
                })
            },
            checkpoint::failure,
        )?;
        checkpoint::report(kept, trouble, console, self.quiet)?;
        let mut messages = Messages::new(console, self.quiet);
        let stopped = control.stop_reason().map_or("stopped", StopReason::phrase);
        match proved {
            Ok((claim, Ok(written))) => {
                messages.note(self.summary(&claim, written));
                Ok(Outcome::Complete)
            }
            Ok((claim, Err(ProveError::Stopped))) => {
                let (winner, root) = (claim.winner.title(), claim.root());
                messages.note(format_args!(
                    "{stopped}: {winner} wins {root}, but the proof is not complete; no file was written"
                ));
                Ok(Outcome::Unanswered)
            }
            Err(error @ ClaimError::Unknown { .. }) => {
                messages.note(format_args!("{stopped}: {error}; no file was written"));
                Ok(Outcome::Unanswered)
            }
            Ok((_, Err(error))) => Err(Failure::Run(error.to_string())),
            Err(error) => Err(Failure::Run(error.to_string())),
        }
    }

    fn asked(&self) -> Result<(Asked, Size, Side), Failure> {
        if let Some(text) = &self.position {
            let position = positions::one(text, self.turn)?;
            return Ok((Asked::Position(position), position.size(), position.top_left()));
        }
        let Some(size) = self.size else {
            let expected = "expected a board RxC, such as 6x6, or --position TEXT";
            return Err(Failure::Usage(expected.to_owned()));
        };
        let rules = self.rules.rules();
        check_openings(size, &rules, &self.opening)?;
        let (openings, decide) = (without_repeats(&self.opening), self.opening.is_empty());
        let run = OpeningsRun::new(OpeningsRequest { size, rules, openings, decide });
        let run = run.map_err(|error| Failure::Usage(error.to_string()))?;
        Ok((Asked::Openings(run), size, rules.top_left))
    }

    fn summary(&self, claim: &Claim, written: Written) -> String {
        let Written { positions, left_out, searched, bytes } = written;
        let mut text = format!(
            "{}: {} wins {}: {}, {}",
            self.output.display(),
            claim.winner.title(),
            claim.root(),
            counted(positions, "position"),
            counted(bytes, "byte")
        );
        if positions > 0 {
            text += &format!(" ({:.2} a position)", bytes as f64 / positions as f64);
        }
        if left_out > 0 {
            text += &format!(", {} left to the checker", thousands(left_out));
        }
        if searched > 0 {
            text += &format!(", {} searched again", thousands(searched));
        }
        text
    }
}

impl Asked {
    /// Solves it, and says what can be claimed.
    fn solve(
        &self,
        solver: &Solver,
        keep: Option<&Keep<'_>>,
        control: &Control,
    ) -> Result<(Result<Claim, ClaimError>, Option<Kept>), CheckpointError> {
        match self {
            Asked::Position(position) => {
                let (answer, kept) = match keep {
                    Some(keep) => {
                        keep.position(position, solver, control).map(|(answer, kept)| (answer, Some(kept)))?
                    }
                    None => (solver.solve(position, control), None),
                };
                Ok((claim_position(position, answer.winner), kept))
            }
            Asked::Openings(run) => {
                let kept = match keep {
                    Some(keep) => Some(keep.openings(run, solver, control, &|_, _| ())?),
                    None => {
                        run.search(solver, control, &|_, _| ());
                        None
                    }
                };
                let (request, answer) = (run.request(), run.answer());
                let claim = match request.openings.is_empty() {
                    true => claim_game(request.size, &request.rules, &answer),
                    false => claim_openings(request.size, &request.rules, &answer),
                };
                Ok((claim, kept))
            }
        }
    }
}
