//! An exact solver for Kōnane (Hawaiian checkers): who wins a board or a position, by which removals and moves.
//!
//! # Overview
//!
//! Rooms from the bottom up; each uses only those above it in this list:
//!
//! * [`run`]: limits of a run, the request to stop, progress figures, memory sizes. Knows no game.
//! * [`container`]: files on disk: header, checksums, written whole or not at all. Knows no game.
//! * [`board`]: sizes, cells, sets of cells as machine words, symmetries. Knows no game.
//! * [`cgt`]: short games as mathematics: canonical forms, sums, order, thermographs. Knows no game of ours.
//! * [`konane`]: the rules. [`Position`](konane::Position) is a legal position, [`Opening`](konane::Opening) a pair of
//!   removals under some [`Rules`](konane::Rules); [`Field`](konane::Field) is the fast move generator and
//!   [`konane::reference`] the slow one that checks it.
//! * [`search`]: who wins. [`Solver`](search::Solver) answers for positions of one board,
//!   [`solve_openings`](search::solve_openings) for the openings of a board.
//! * [`endgame`]: positions split into independent parts, and the values of parts and positions.
//! * [`tables`]: complete tables of every position that can be reached, on disk: built, asked, searched, checked.
//! * [`proof`]: winning strategies on disk, written from a search and checked by the rules alone.
//! * [`study`]: many boards, one record for each solved opening in a file that an interrupted study goes on from.
//! * [`play`]: every move of a position judged, games annotated, the opponent.
//! * [`kota`]: KOTA, the second game: rules, exact solution of small boards, tables, a player.
//! * [`cli`]: the command line around it all.
//!
//! # Moves of a position
//!
//! ```
//! use papamu::konane::{Position, Side};
//!
//! // 5x5 after Black removed c3 and White b3; Black to move.
//! let position: Position = "xoxox/oxoxo/x..ox/oxoxo/xoxox x".parse()?;
//! let moves = position.moves();
//! assert_eq!(moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["e3-c3", "c5-c3", "c1-c3"]);
//! let next = position.play("e3-c3".parse()?)?;
//! assert_eq!((next.turn(), next.to_string().as_str()), (Side::White, "xoxox/oxoxo/x.x../oxoxo/xoxox o"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who wins a position
//!
//! ```
//! use papamu::konane::{Position, Side};
//! use papamu::run::{Control, MemorySize};
//! use papamu::search::{Engine, Solver, SolverOptions};
//!
//! let position: Position = ".oxo/.xox/xoxo/oxox x".parse()?;
//! let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(1 << 20), threads: 1 };
//! let solver = Solver::new(position.size(), position.top_left(), options)?;
//! let control = Control::default();
//! assert_eq!(solver.solve(&position, &control).winner, Some(Side::White));
//! // A line of best play ends where somebody cannot move: here Black, after an even number of moves.
//! let line = solver.line(&position, &control);
//! assert!(!line.moves.is_empty() && line.moves.len() % 2 == 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The openings of a board
//!
//! ```
//! use papamu::konane::{Rules, Side};
//! use papamu::run::{Control, MemorySize};
//! use papamu::search::{Engine, OpeningsRequest, Solver, SolverOptions, solve_openings};
//!
//! let (size, rules) = ("5x5".parse()?, Rules::default());
//! let options = SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(16 << 20), threads: 1 };
//! let solver = Solver::new(size, rules.top_left, options)?;
//! let request = OpeningsRequest { size, rules, openings: Vec::new(), decide: false };
//! let board = solve_openings(&solver, &request, &Control::default(), &|_, _| ())?;
//! // Black wins 5x5 by any removal that the rules allow: a corner or the centre.
//! assert_eq!(board.winner, Some(Side::Black));
//! assert_eq!(board.removals.len(), 5);
//! assert!(board.removals.iter().all(|removal| removal.winner == Some(Side::Black)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod cgt;
pub mod cli;
pub mod container;
pub mod endgame;
pub mod konane;
pub mod kota;
pub mod play;
pub mod proof;
pub mod run;
pub mod search;
pub mod study;
pub mod tables;

// The examples of the README are compiled and run with those of the documentation.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
