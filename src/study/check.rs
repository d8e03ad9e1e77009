//! Everything the program can say of a board, from every source it has, compared.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::board::Size;
use crate::endgame::{Split, Values, winner as winner_of};
use crate::konane::{Facts, Opening, OpeningError, Position, Rules, Side, perft, reference::Reference};
use crate::proof::{self, Proof, ProveOptions, Watch, claim_game, prove};
use crate::run::{Control, MemorySize};
use crate::search::{BoardAnswer, Engine, OpeningsRequest, Solver, SolverError, SolverOptions, solve_openings};
use crate::tables::{BuildOptions, Source, Table, build, verify_deep, winner};

/// How a board is checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'a> {
    /// The most memory for one source at a time.
    pub memory: MemorySize,
    /// Threads that search one position together.
    pub threads: usize,
    /// A folder for the table and the proof.
    pub folder: &'a Path,
}

/// One source compared with the proof-number search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceCheck {
    /// What was asked, as a phrase.
    pub source: &'static str,
    /// What came of it.
    pub verdict: CheckVerdict,
}

/// What came of asking a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// It says the same of all that was asked.
    Agrees {
        /// What was compared.
        compared: String,
    },
    /// It says something else.
    Differs {
        /// The first difference.
        what: String,
    },
    /// It was not asked, or gave no answer.
    LeftOut {
        /// Why.
        why: String,
    },
}

/// Why a board cannot be checked at all.
#[derive(Debug, thiserror::Error)]
pub enum CheckBoardError {
    /// No search for it.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// No openings.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

/// Boards that are small enough for sources whose work grows fastest, in cells.
const SLOW_CELLS: usize = 16;
const VALUE_CELLS: usize = 16;
const TABLE_CELLS: usize = 25;
const BASELINE_CELLS: usize = 30;
/// Positions of a table that are also searched.
const SAMPLE: u64 = 3000;
/// Move counts are compared as far as this many moves of the slow rules.
const MOVES: u64 = 200_000;

/// Solves every opening of the rules by proof-number search and compares what the other sources say: the baseline search, the
/// slow rules (move counts, and on small boards who wins), a table of all positions, a strategy proof, values. `each` is given
/// each source as it is done. Works in the current rayon pool.
///
/// A source is left out where the board is too large for it, or the control stops it; what was asked is exact all the same.
///
/// # Errors
/// When there is no search for the board or no opening.
pub fn check_board(
    size: Size,
    rules: &Rules,
    options: CheckOptions<'_>,
    control: &Arc<Control>,
    each: &mut dyn FnMut(&SourceCheck),
) -> Result<Vec<SourceCheck>, CheckBoardError> {
    let check = Check { size, rules, options, control };
    let solver = check.solver(Engine::ProofNumber)?;
    let request = OpeningsRequest { size, rules: *rules, openings: Vec::new(), decide: false };
    let answer = solve_openings(&solver, &request, control, &|_, _| ())?;
    let mut done = Vec::new();
    let mut add = |source, verdict| {
        let row = SourceCheck { source, verdict };
        each(&row);
        done.push(row);
    };
    let openings: Vec<(Opening, Position, Side)> = answer
        .openings
        .iter()
        .filter_map(|row| Some((row.opening, row.opening.position(size, rules).ok()?, row.answer.winner?)))
        .collect();
    let all = openings.len() == answer.openings.len();
    let searched = format!("{} of {} openings solved", openings.len(), answer.openings.len());
    add(
        "proof-number search",
        match all {
            true => CheckVerdict::Agrees { compared: searched },
            false => CheckVerdict::LeftOut { why: format!("stopped: {searched}") },
        },
    );
    add("move counts of the slow rules", check.moves(&openings));
    add("alpha-beta search", check.baseline(&openings)?);
    add("slow rules, who wins", check.slow(&openings));
    add("table", check.table(&openings, &solver));
    add("proof", check.proof(&answer, &openings, &solver));
    add("values", check.values(&openings));
    Ok(done)
}

struct Check<'a> {
    size: Size,
    rules: &'a Rules,
    options: CheckOptions<'a>,
    control: &'a Arc<Control>,
}

type Solved = [(Opening, Position, Side)];

impl Check<'_> {
    fn solver(&self, engine: Engine) -> Result<Solver, SolverError> {
        let CheckOptions { memory, threads, .. } = self.options;
        Solver::new(self.size, self.rules.top_left, SolverOptions { engine, memory, threads })
    }

    /// Why a source is not asked: too many cells, or the control stopped.
    fn left_out(&self, most: usize) -> Option<CheckVerdict> {
        let cells = self.size.cells();
        if cells > most {
            return Some(CheckVerdict::LeftOut { why: format!("{cells} cells; asked on boards of at most {most}") });
        }
        self.stopped()
    }

    fn stopped(&self) -> Option<CheckVerdict> {
        self.control.stop_reason().map(|why| CheckVerdict::LeftOut { why: why.phrase().to_owned() })
    }

    /// Compares who wins each opening; `says` gives `None` where the source does not know.
    fn openings(&self, solved: &Solved, says: &mut dyn FnMut(&Position, Opening) -> Option<Side>) -> CheckVerdict {
        for (opening, position, expected) in solved {
            match says(position, *opening) {
                Some(found) if found == *expected => {}
                Some(found) => {
                    return CheckVerdict::Differs { what: format!("{opening}: expected {expected}, found {found}") };
                }
                None => {
                    let why = format!("{opening} is not known");
                    return self.stopped().unwrap_or(CheckVerdict::Differs { what: why });
                }
            }
        }
        CheckVerdict::Agrees { compared: format!("who wins {} openings", solved.len()) }
    }

    fn moves(&self, solved: &Solved) -> CheckVerdict {
        let mut counted = 0;
        for (opening, position, _) in solved {
            let reference = Reference::from_position(position);
            let budget = MOVES / solved.len().max(1) as u64;
            for depth in 1.. {
                if let Some(stopped) = self.stopped() {
                    return stopped;
                }
                let fast = match self.size.cells() {
                    ..=64 => count_fast::<u64>(position, depth),
                    _ => count_fast::<u128>(position, depth),
                };
                let slow = reference.perft(depth, &|| false).unwrap_or(0);
                if fast != slow {
                    let what = format!("{opening}, depth {depth}: expected {slow} moves, found {fast}");
                    return CheckVerdict::Differs { what };
                }
                counted += slow;
                if slow == 0 || slow > budget / 8 {
                    break;
                }
            }
        }
        CheckVerdict::Agrees { compared: format!("{counted} sequences of moves") }
    }

    fn baseline(&self, solved: &Solved) -> Result<CheckVerdict, SolverError> {
        if let Some(left_out) = self.left_out(BASELINE_CELLS) {
            return Ok(left_out);
        }
        let solver = self.solver(Engine::AlphaBeta)?;
        Ok(self.openings(solved, &mut |position, _| solver.solve(position, self.control).winner))
    }

    fn slow(&self, solved: &Solved) -> CheckVerdict {
        if let Some(left_out) = self.left_out(SLOW_CELLS) {
            return left_out;
        }
        let mut known = HashMap::new();
        self.openings(solved, &mut |position, _| {
            let wins = slow_winner(Reference::from_position(position), &mut known);
            Some(if wins { position.turn() } else { position.turn().other() })
        })
    }

    fn table(&self, solved: &Solved, solver: &Solver) -> CheckVerdict {
        if let Some(left_out) = self.left_out(TABLE_CELLS) {
            return left_out;
        }
        if solved.is_empty() {
            return CheckVerdict::LeftOut { why: "there is no opening".to_owned() };
        }
        match self.table_or(solved, solver) {
            Ok(verdict) => verdict,
            Err(what) => self.stopped().unwrap_or(CheckVerdict::Differs { what }),
        }
    }

    fn table_or(&self, solved: &Solved, solver: &Solver) -> Result<CheckVerdict, String> {
        fn words(error: impl std::fmt::Display) -> String {
            error.to_string()
        }
        let path = self.options.folder.join("table");
        let options = BuildOptions { memory: self.options.memory, parts: BuildOptions::parts_of(&path) };
        let source = Source::openings(self.size, *self.rules, &[]).map_err(words)?;
        build(&source, &path, &options, self.control, &|_| ()).map_err(words)?;
        let table = Table::open(&path).map_err(words)?;
        let verdict = self.openings(solved, &mut |position, _| table.fact(position).map(|fact| fact.winner));
        if !matches!(verdict, CheckVerdict::Agrees { .. }) {
            return Ok(verdict);
        }
        let deep = verify_deep(&table, self.control).map_err(words)?;
        if let Some(what) = deep.fault {
            return Ok(CheckVerdict::Differs { what });
        }
        let positions = table.counts().positions;
        let (step, mut at, mut sample) = ((positions / SAMPLE).max(1), 0, Vec::new());
        for piece in table.pieces() {
            let each = &mut |entry| {
                if at % step == 0 {
                    sample.push(entry);
                }
                at += 1;
                true
            };
            table.entries(piece, each).map_err(words)?;
        }
        let wrong = sample.par_iter().find_map_first(|&entry| {
            let position = table.position(entry);
            let found = winner(position.turn(), entry.remoteness);
            let expected = solver.solve(&position, self.control).winner;
            (expected.is_some() && expected != Some(found)).then(|| format!("{position}: found {found}"))
        });
        Ok(match wrong {
            Some(what) => CheckVerdict::Differs { what },
            None if deep.stopped || self.stopped().is_some() => {
                CheckVerdict::LeftOut { why: "stopped before the end".to_owned() }
            }
            None => CheckVerdict::Agrees {
                compared: format!(
                    "who wins {} openings, {positions} positions with the slow rules, {} with the search",
                    solved.len(),
                    sample.len()
                ),
            },
        })
    }

    fn proof(&self, answer: &BoardAnswer, solved: &Solved, solver: &Solver) -> CheckVerdict {
        if let Some(left_out) = self.left_out(proof::MAX_CELLS) {
            return left_out;
        }
        let path = self.options.folder.join("proof");
        let options = ProveOptions { leaf_nodes: 0, memory: self.options.memory };
        let claim = match claim_game(self.size, self.rules, answer) {
            Ok(claim) => claim,
            Err(error) => return self.stopped().unwrap_or(CheckVerdict::LeftOut { why: error.to_string() }),
        };
        if let Err(error) = prove(&path, &claim, solver, options, self.control, &|_| ()) {
            return self.stopped().unwrap_or(CheckVerdict::Differs { what: error.to_string() });
        }
        let watch = Watch { progress: &|_, _| (), stop: &|| self.control.stop_reason().is_some() };
        let checked = match proof::check(&path, &watch) {
            Ok(checked) => checked,
            Err(error) => return self.stopped().unwrap_or(CheckVerdict::Differs { what: error.to_string() }),
        };
        if Some(checked.claim.winner) != answer.winner {
            return CheckVerdict::Differs { what: format!("the proof is of a win for {}", checked.claim.winner) };
        }
        let facts = match Proof::open(&path) {
            Ok(proof) => proof,
            Err(error) => return CheckVerdict::Differs { what: error.to_string() },
        };
        // A proof knows the openings that its winner allows.
        let (mut known, mut compared) = (Vec::new(), 0);
        for row in solved {
            known.extend(facts.fact(&row.1).map(|_| *row));
        }
        let verdict = self.openings(&known, &mut |position, _| {
            compared += 1;
            facts.fact(position).map(|fact| fact.winner)
        });
        match verdict {
            CheckVerdict::Agrees { .. } => CheckVerdict::Agrees {
                compared: format!(
                    "who wins the game, {compared} openings; {} answers with the slow rules",
                    checked.positions
                ),
            },
            verdict => verdict,
        }
    }

    fn values(&self, solved: &Solved) -> CheckVerdict {
        if let Some(left_out) = self.left_out(VALUE_CELLS) {
            return left_out;
        }
        let values = Values::new(self.options.memory, self.options.threads, Arc::clone(self.control));
        self.openings(solved, &mut |position, _| {
            let outcome = values.position(position, Split::default()).outcome;
            outcome.ok().map(|outcome| winner_of(outcome, position.turn()))
        })
    }
}

fn count_fast<S: crate::board::CellSet>(position: &Position, depth: u32) -> u64 {
    let (field, packed) = position.pack::<S>();
    perft(&field, packed, depth, &|| false).unwrap_or(0)
}

/// Whether the side to move wins, by the slow rules and nothing else.
fn slow_winner(board: Reference, known: &mut HashMap<Reference, bool>) -> bool {
    if let Some(&wins) = known.get(&board) {
        return wins;
    }
    let wins = board.moves().into_iter().any(|(_, after)| !slow_winner(after, known));
    known.insert(board, wins);
    wins
}
