//! What can go wrong in a study.

use std::io;
use std::path::PathBuf;

use crate::konane::OpeningError;
use crate::search::SolverError;

use super::{CheckpointError, Conflict};

/// Why a study or the reading of its records failed.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A file of records cannot be opened or read.
    #[error("cannot use {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A record cannot be saved. Those before it are.
    #[error("cannot write {path}: {source}; the records before this one are saved", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Another study writes the file.
    #[error("{path} is in use by another study: give each study (or shard) a file of its own and join them with \
        `papamu study merge`", path = path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A line that is no record of an opening.
    #[error("{path}:{line}: {reason}", path = path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Two records contradict each other.
    #[error(transparent)]
    Conflict(Box<Conflict>),
    /// There is no solver for a board.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The search cannot go on from its checkpoint, or is not saved there. Records are.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A checkpoint is of one board.
    #[error("a checkpoint is of one board, and {boards} are studied: study the board with the long searches alone")]
    ManyBoards {
        /// How many boards are studied.
        boards: usize,
    },
    /// An opening that the rules forbid.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}
