//! Many boards: which to study, the records of what is solved, and the files they stand in.
//!
//! [`Boards`] says which boards, [`Store`] is the file of records that a study adds to and goes on from,
//! [`study`] does the work, and [`Records`] joins what several studies found. The form of a record is in [`OpeningRecord`]
//! and nowhere else.
//!
//! ```
//! use papamu::konane::Side;
//! use papamu::run::{Control, MemorySize};
//! use papamu::search::{Engine, SolverOptions};
//! use papamu::study::{Boards, Shard, Store, StudyRequest, study, summaries};
//!
//! let boards = Boards { ranges: vec!["3..4x4".parse()?], ..Boards::default() }.select()?;
//! let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(1 << 20), threads: 1 };
//! let request = StudyRequest { boards, decide: false, shard: Shard::default(), options };
//! let mut store = Store::stream(Vec::new(), "memory");
//! let outcome = study(&request, &mut store, &Control::default(), None)?;
//! assert_eq!((outcome.units, outcome.left), (8, 0));
//! let boards = summaries(store.records());
//! assert!(boards.iter().all(|board| board.answer.winner == Some(Side::White)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One long search is kept on disk by [`Keep`]; the file is a [`Checkpoint`].

mod boards;
mod check;
mod checkpoint;
mod error;
mod keep;
mod plan;
mod record;
mod records;
mod store;
mod summary;
mod work;

pub use boards::{Board, Boards, BoardsError, Colourings, RangeError, RangeErrorKind, SizeRange};
pub use check::{CheckBoardError, CheckOptions, CheckVerdict, SourceCheck, check_board};
pub use checkpoint::{Checkpoint, CheckpointError, MOST_ENTRIES, Part, Spent, Subject};
pub use error::StudyError;
pub use keep::{Keep, Kept};
pub use plan::{Shard, ShardError};
pub use record::{Line, NoteKind, NoteRecord, OpeningRecord};
pub use records::{Conflict, Entry, Origin, Records, Tail};
pub use store::{Store, check_unused};
pub use summary::{BoardSummary, summaries};
pub use work::{StudyOutcome, StudyRequest, study};
