//! Arguments that the commands of KOTA share, and what they make of them.

use std::path::Path as FilePath;
use std::time::Duration;

use clap::Args;

use crate::container::ContainerError;
use crate::kota::{
    Board, CheckpointError, Kota, Layout, OwnStones, Path, Position, Rules, Setup, Side, SolveError, Solver, Stuck,
    Table, TableError,
};
use crate::run::{Control, MemorySize};

use super::super::Console;
use super::super::interrupt::remove_at_sudden_end;
use super::super::messages::{Failure, Messages};

/// The reading of the rules.
#[derive(Args, Clone, Copy, Debug)]
#[group(id = "kota-rules", multiple = true)]
pub(super) struct RulesArgs {
    /// The hexagons: flat-columns, rhombus or offset-rows.
    #[arg(long, value_name = "BOARD", default_value_t, help_heading = "Rules")]
    board: Board,
    /// What a side's stones must keep: group (connected) or each-has-neighbour.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    own_stones: OwnStones,
    /// How a stone goes its steps: simple (no cell twice) or walk.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    path: Path,
    /// A side without a legal move: pass, loss or draw.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    stuck: Stuck,
    /// The numbers at the start: point (each side sees the same) or mirror.
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Rules")]
    layout: Layout,
    /// Turn both rows of the start round.
    #[arg(long, help_heading = "Rules")]
    reversed: bool,
    /// Who moves first: red or white.
    #[arg(long, value_name = "SIDE", default_value_t = Side::Red, help_heading = "Rules")]
    start: Side,
}

impl RulesArgs {
    /// The rules chosen.
    pub(super) fn rules(self) -> Rules {
        let RulesArgs { board, own_stones, path, stuck, layout, reversed, start } = self;
        Rules { board, own_stones, path, stuck, layout, reversed, start }
    }

    /// The game of this size.
    pub(super) fn kota(self, n: usize) -> Result<Kota, Failure> {
        Kota::new(self.rules(), n).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The same where every position is to be solved.
    pub(super) fn solvable(self, n: usize) -> Result<Kota, Failure> {
        Solver::check_size(n).map_err(|error| Failure::Usage(error.to_string()))?;
        self.kota(n)
    }
}

/// The set-up that a person typed.
pub(super) fn setup(text: &str) -> Result<Setup, Failure> {
    text.parse().map_err(|error| Failure::usage("position", error))
}

/// The number of stones of a set-up: the larger of both sides, so that the other one is told what is missing.
pub(super) fn size(setup: &Setup) -> usize {
    setup.red.len().max(setup.white.len())
}

/// The position of a set-up that was typed at this place.
pub(super) fn position(kota: &Kota, place: &str, setup: &Setup) -> Result<Position, Failure> {
    kota.position(setup).map_err(|error| Failure::usage(place, error))
}

/// Tables up to this size are verified whenever they are opened, which takes next to no time.
const VERIFIED_BYTES: u64 = 256 << 20;

/// Opens a table of the command line; a small one that is damaged is refused.
pub(super) fn table(path: &FilePath) -> Result<Table, Failure> {
    let table = Table::open(path).map_err(failure)?;
    if table.file_len() <= VERIFIED_BYTES {
        table.verify().map_err(failure)?;
    }
    Ok(table)
}

/// What is wrong with a table: a file that is not there was typed wrongly, all else is a failed run.
pub(super) fn failure(error: TableError) -> Failure {
    match &error {
        TableError::Container(ContainerError::Read { .. }) => Failure::Usage(error.to_string()),
        _ => Failure::Run(error.to_string()),
    }
}

/// The same for a checkpoint.
pub(super) fn checkpoint_failure(error: CheckpointError) -> Failure {
    match &error {
        CheckpointError::Solve(error) => solve_failure(error),
        CheckpointError::Container(ContainerError::Read { .. }) => Failure::Usage(error.to_string()),
        _ => Failure::Run(error.to_string()),
    }
}

/// What cannot be solved was asked wrongly, unless it shows only on the way.
pub(super) fn solve_failure(error: &SolveError) -> Failure {
    match error {
        SolveError::TooDeep => Failure::Run(error.to_string()),
        _ => Failure::Usage(error.to_string()),
    }
}

/// A solver for a command that needs all values.
pub(super) fn ready(kota: &Kota, cap: MemorySize) -> Result<Solver, Failure> {
    Solver::new(kota, cap).map_err(|error| solve_failure(&error))
}

/// Runs it to the end, unless a limit stops it.
pub(super) fn finish(solver: &mut Solver, control: &Control) -> Result<(), Failure> {
    finish_and_keep(solver, control, None, 0.0)
}

/// Pause between two saves.
const SAVE_EVERY: Duration = Duration::from_secs(600);

/// The same; the work is saved in a checkpoint now and then and at the end. `before` are the seconds of earlier runs.
pub(super) fn finish_and_keep(
    solver: &mut Solver,
    control: &Control,
    checkpoint: Option<&FilePath>,
    before: f64,
) -> Result<(), Failure> {
    let was_finished = solver.is_finished();
    let mut saved = Duration::ZERO;
    let save = |solver: &Solver, path: &FilePath| {
        solver.save(path, before + control.elapsed().as_secs_f64(), &remove_at_sudden_end)
    };
    let done = solver.run::<CheckpointError>(control, |solver| match checkpoint {
        Some(path) if control.elapsed() - saved >= SAVE_EVERY => {
            saved = control.elapsed();
            save(solver, path)
        }
        _ => Ok(()),
    });
    done.and_then(|()| match checkpoint {
        Some(path) if !was_finished => save(solver, path),
        _ => Ok(()),
    })
    .map_err(checkpoint_failure)
}

/// Tells what the work will take where it is not next to nothing.
pub(super) fn state_memory(console: &mut Console<'_>, quiet: bool, solver: &Solver) {
    let held = solver.memory_held();
    if held.bytes() > 256 << 20 {
        let depths = if solver.has_depths() { "with" } else { "without" };
        Messages::new(console, quiet).note(format_args!(
            "{} positions, {held} of memory, {depths} the depth of each",
            super::super::text::thousands(solver.counts().positions)
        ));
    }
}
