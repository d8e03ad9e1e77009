//! Answers for positions of one board.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::board::{CellSet, Size};
use crate::konane::{Field, Move, Packed, Position, Side};
use crate::run::{Allowance, Control, MemorySize, Spending, Stopped};

use super::alpha_beta::AlphaBeta;
use super::numbers::{INFINITE, LARGEST, Numbers};
use super::pn::PnSearch;
use super::start::StartNumbers;
use super::table::{Found, SearchSet, Table, useful_bytes};
use super::team::Team;

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
    /// Threads that search one position together, at least 1. More than one are taken from the current rayon pool as
    /// they are idle there; the baseline always searches with one.
    pub threads: usize,
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
    #[error("a memory cap of {} is too small for {size}: at least {} is needed",
        found.apart(*needed).0, found.apart(*needed).1)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Who wins with best play; `None` when a limit was reached first.
    pub winner: Option<Side>,
    /// Positions expanded for this answer.
    pub nodes: u64,
    /// Wall time for this answer.
    pub time: Duration,
}

impl Answer {
    /// Adds a later part of the same search.
    pub fn add(&mut self, part: Answer) {
        self.winner = self.winner.or(part.winner);
        // Figures that a file gave may be anything.
        self.nodes = self.nodes.saturating_add(part.nodes);
        self.time = self.time.saturating_add(part.time);
    }
}

/// A line of best play; see [`Solver::line`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The moves from the position on.
    pub moves: Vec<Move>,
    /// Whether the line ends where a side cannot move. Otherwise the control stopped it, or the winner is not known.
    pub complete: bool,
    /// Positions expanded for the line, beyond the answer itself.
    pub nodes: u64,
}

/// What a solver knows of one position, free of how its table keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The cells that have a stone, by index.
    pub occupied: u128,
    /// The side to move.
    pub turn: Side,
    /// Effort that a proof of the mover's win still seems to take; 0: it is proved.
    pub phi: u32,
    /// Effort that a proof of the mover's loss still seems to take; 0: it is proved.
    pub delta: u32,
    /// Expansions that went into this, a power of two or more.
    pub work: u32,
}

impl Knowledge {
    /// Whether it can be of a board of this size, and is a pair of numbers.
    pub fn fits(&self, size: Size) -> bool {
        let open = |number: u32| (1..=LARGEST).contains(&number);
        let on_board =
            u32::try_from(size.cells()).is_ok_and(|cells| self.occupied.checked_shr(cells).unwrap_or(0) == 0);
        let solved = matches!((self.phi, self.delta), (0, INFINITE) | (INFINITE, 0));
        on_board && (solved || open(self.phi) && open(self.delta))
    }
}

/// Solves positions of one board and colouring; what one search learns, the next ones use.
pub struct Solver(Box<dyn Solve>);

/// What a solver does for one word type.
trait Solve: Send + Sync {
    fn solve(&self, position: &Position, spending: Spending<'_>) -> (Option<bool>, u64);
    fn line(&self, position: &Position, control: &Control) -> Line;
    fn table_bytes(&self) -> u64;
    fn table_fill(&self) -> (u64, u64);
    fn work_histogram(&self) -> [u64; 32];
    fn knowledge(&self, least_work: u32, each: &mut dyn FnMut(Knowledge) -> bool);
    fn learn(&self, knowledge: &Knowledge) -> bool;
    fn numbers(&self, position: &Position) -> Option<(u32, u32)>;
    fn known_win(&self, occupied: u128, turn: Side) -> Option<u128>;
    fn find_win(&self, occupied: u128, turn: Side, control: &Control) -> Result<Option<u128>, Stopped>;
}

struct Core<S: SearchSet> {
    field: Field<S>,
    table: S::Table,
    start: StartNumbers,
    engine: Engine,
    threads: usize,
}

impl<S: SearchSet> Core<S> {
    fn build(size: Size, top_left: Side, options: SolverOptions) -> Result<Box<dyn Solve>, SolverError> {
        let least = S::Table::least_bytes(size.cells());
        if options.memory.bytes() < least {
            let needed = MemorySize::from_bytes(least);
            return Err(SolverError::TooLittleMemory { size, found: options.memory, needed });
        }
        let bytes = options.memory.bytes().min(useful_bytes(size.cells()).max(least));
        let table = S::Table::new(size.cells(), bytes).ok_or(SolverError::OutOfMemory { wanted: options.memory })?;
        Ok(Box::new(Core {
            field: Field::<S>::new(size, top_left),
            table,
            start: StartNumbers::new(size.cells()),
            engine: options.engine,
            threads: options.threads,
        }))
    }

    /// The position for this core's word. The colouring of a position without stones is of no matter.
    fn pack(&self, position: &Position) -> Packed<S> {
        assert_eq!(position.size(), self.field.size(), "the solver is for another board");
        let (_, packed) = position.pack::<S>();
        assert!(
            packed.occupied.is_empty() || position.top_left() == self.field.top_left(),
            "the solver is for the other colouring"
        );
        packed
    }

    fn search(&self, packed: Packed<S>, spending: Spending<'_>) -> (Option<bool>, u64) {
        match self.engine {
            Engine::ProofNumber if self.threads > 1 => self.search_together(packed, spending),
            Engine::ProofNumber => self.pn(spending.allowance(), None).run(packed),
            Engine::AlphaBeta => AlphaBeta::<S>::new(&self.field, &self.table, spending.allowance()).run(packed),
        }
    }

    fn pn<'a>(&'a self, allowance: Allowance<'a>, team: Option<&'a Team>) -> PnSearch<'a, S> {
        PnSearch::new(&self.field, &self.table, &self.start, allowance, team)
    }

    /// One search on this thread, and as many more as threads of the pool are idle and allowed.
    fn search_together(&self, packed: Packed<S>, spending: Spending<'_>) -> (Option<bool>, u64) {
        let team = Team::new();
        let nodes = AtomicU64::new(0);
        let budget = spending.budget.map(|budget| budget.div_ceil(self.threads as u64));
        let share = Spending { budget, ..spending };
        let join = || {
            if team.result().is_none() {
                let (_, spent) = self.pn(share.allowance(), Some(&team)).run(packed);
                nodes.fetch_add(spent, Relaxed);
            }
        };
        rayon::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|_| join());
            }
            join();
        });
        (team.result(), nodes.into_inner())
    }
}

impl<S: SearchSet> Solve for Core<S> {
    fn solve(&self, position: &Position, spending: Spending<'_>) -> (Option<bool>, u64) {
        self.search(self.pack(position), spending)
    }

    fn line(&self, position: &Position, control: &Control) -> Line {
        let size = self.field.size();
        let mut line = Line::default();
        let mut packed = self.pack(position);
        // What the table has lost is searched again.
        let spending = Spending { control, budget: None, meter: None };
        let search = |packed, line: &mut Line| {
            let (wins, nodes) = self.search(packed, spending);
            line.nodes += nodes;
            wins
        };
        let Some(mut wins) = search(packed, &mut line) else { return line };
        loop {
            let mut children = Vec::new();
            self.field.for_each_move(packed, |from, to, occupied| {
                let child = packed.after(occupied);
                let found = self.table.probe(child, self.table.locate(child));
                let known = found.and_then(|found| Some((found.numbers.solved()?, found.work)));
                let known = if self.field.can_move(child.occupied, child.turn) { known } else { Some((false, 0)) };
                children.push((Move { from: size.cell(from), to: size.cell(to) }, child, known));
            });
            if children.is_empty() {
                line.complete = true;
                return line;
            }
            // The winner plays to any lost position, the one the table knows with least work where it knows one; the
            // loser to the one whose refutation took most.
            let chosen = if wins {
                let lost = |known: Option<(bool, u32)>| known.filter(|&(wins, _)| !wins).map(|(_, work)| work);
                children.sort_by_key(|&(_, _, known)| lost(known).unwrap_or(u32::MAX));
                // Unknown children must be searched until one is found lost: one of them is.
                children.into_iter().find(|&(_, child, known)| {
                    lost(known).is_some() || known.is_none() && search(child, &mut line) == Some(false)
                })
            } else {
                children.into_iter().max_by_key(|&(_, _, known)| known.map_or(0, |(_, work)| work + 1))
            };
            let Some((mv, child, _)) = chosen else { return line };
            line.moves.push(mv);
            (packed, wins) = (child, !wins);
        }
    }

    fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn table_fill(&self) -> (u64, u64) {
        self.table.fill()
    }

    fn work_histogram(&self) -> [u64; 32] {
        self.table.work_histogram()
    }

    fn knowledge(&self, least_work: u32, each: &mut dyn FnMut(Knowledge) -> bool) {
        self.table.for_each(least_work, &mut |packed, Found { numbers: Numbers { phi, delta }, work }| {
            each(Knowledge { occupied: packed.occupied.convert(), turn: packed.turn, phi, delta, work })
        });
    }

    fn learn(&self, knowledge: &Knowledge) -> bool {
        let &Knowledge { occupied, turn, phi, delta, work } = knowledge;
        let fits = knowledge.fits(self.field.size());
        if fits {
            let packed = Packed { occupied: CellSet::convert::<S>(occupied), turn };
            self.table.store(packed, self.table.locate(packed), Numbers { phi, delta }, u64::from(work));
        }
        fits
    }

    fn numbers(&self, position: &Position) -> Option<(u32, u32)> {
        let packed = self.pack(position);
        let found = self.table.probe(packed, self.table.locate(packed))?;
        Some((found.numbers.phi, found.numbers.delta))
    }

    fn known_win(&self, occupied: u128, turn: Side) -> Option<u128> {
        let packed = Packed { occupied: occupied.convert::<S>(), turn };
        self.field.for_each_move(packed, |_, _, occupied| {
            self.table.prefetch(self.table.locate(packed.after(occupied)));
        });
        // The work that refuting the reply took: 0 where there is none.
        let mut best: Option<(u32, S)> = None;
        self.field.for_each_move(packed, |_, _, occupied| {
            let child = packed.after(occupied);
            let work = match self.field.can_move(occupied, child.turn) {
                false => Some(0),
                true => {
                    let found = self.table.probe(child, self.table.locate(child));
                    found.filter(|found| found.numbers == Numbers::LOSS).map(|found| found.work)
                }
            };
            if let Some(work) = work
                && best.is_none_or(|(least, _)| work < least)
            {
                best = Some((work, occupied));
            }
        });
        best.map(|(_, occupied)| occupied.convert())
    }

    fn find_win(&self, occupied: u128, turn: Side, control: &Control) -> Result<Option<u128>, Stopped> {
        let packed = Packed { occupied: occupied.convert::<S>(), turn };
        if !self.pn(Allowance::new(control, None), None).run_anew(packed).ok_or(Stopped)? {
            return Ok(None);
        }
        if let Some(found) = self.known_win(occupied, turn) {
            return Ok(Some(found));
        }
        // The lost child has left the table again already.
        let mut children = Vec::new();
        self.field.for_each_move(packed, |_, _, occupied| children.push(packed.after(occupied)));
        for child in children {
            if !self.pn(Allowance::new(control, None), None).run(child).0.ok_or(Stopped)? {
                return Ok(Some(child.occupied.convert()));
            }
        }
        Ok(None)
    }
}

impl Solver {
    /// The largest board that search handles, in cells.
    pub const MAX_CELLS: usize = 128;

    /// A solver for boards of this size with `top_left` owning the top-left cell. Reserves the table; its pages are
    /// taken from the system only as the search fills them.
    ///
    /// # Errors
    /// When the board is too large or the memory too small.
    pub fn new(size: Size, top_left: Side, options: SolverOptions) -> Result<Solver, SolverError> {
        match size.cells() {
            0..=64 => Core::<u64>::build(size, top_left, options).map(Solver),
            65..=Self::MAX_CELLS => Core::<u128>::build(size, top_left, options).map(Solver),
            _ => Err(SolverError::TooLarge { size }),
        }
    }

    /// The memory that is of use for positions of at most this many stones on a board; a solver that gets more is only
    /// slower to start.
    pub fn useful_memory(size: Size, stones: usize) -> MemorySize {
        let least = match size.cells() {
            0..=64 => <u64 as SearchSet>::Table::least_bytes(size.cells()),
            _ => <u128 as SearchSet>::Table::least_bytes(size.cells()),
        };
        MemorySize::from_bytes(useful_bytes(stones).max(least))
    }

    /// Who wins the position. May be called from several threads at once.
    ///
    /// # Panics
    /// When the position is of another board or colouring than the solver's.
    pub fn solve(&self, position: &Position, control: &Control) -> Answer {
        self.solve_within(position, None, control)
    }

    /// [`Solver::solve`] with at most `budget` expansions. A later call goes on from what this one learned.
    ///
    /// # Panics
    /// As [`Solver::solve`].
    pub fn solve_within(&self, position: &Position, budget: Option<u64>, control: &Control) -> Answer {
        self.solve_spending(position, Spending { control, budget, meter: None })
    }

    /// [`Solver::solve_within`] that also tells a meter what it spends while it works.
    ///
    /// # Panics
    /// As [`Solver::solve`].
    pub fn solve_spending(&self, position: &Position, spending: Spending<'_>) -> Answer {
        let started = Instant::now();
        let (wins, nodes) = self.0.solve(position, spending);
        let turn = position.turn();
        Answer { winner: wins.map(|wins| if wins { turn } else { turn.other() }), nodes, time: started.elapsed() }
    }

    /// A line of best play from the position to the end: the winner's moves win, the loser's resist where the search had
    /// most work. Ends early where the control stops.
    ///
    /// # Panics
    /// When the position is of another board or colouring than the solver's.
    pub fn line(&self, position: &Position, control: &Control) -> Line {
        self.0.line(position, control)
    }

    /// The position after a winning move of `turn`, by its occupied cells, if the table knows one: the one whose proof took
    /// least. May be called from several threads at once; nothing is searched.
    pub fn known_win(&self, occupied: u128, turn: Side) -> Option<u128> {
        self.0.known_win(occupied, turn)
    }

    /// The position after a winning move of `turn`, by its occupied cells, found by a search by this thread alone; `None`:
    /// there is none. For positions that are known to be won, but of which the table has lost by what.
    ///
    /// # Errors
    /// When the control stops the search.
    pub fn find_win(&self, occupied: u128, turn: Side, control: &Control) -> Result<Option<u128>, Stopped> {
        self.0.find_win(occupied, turn, control)
    }

    /// Calls `each` with what the table knows of positions that took at least `least_work` expansions, until it says
    /// `false`. May run beside a search; what that finds meanwhile may come or not.
    pub fn knowledge(&self, least_work: u32, each: &mut dyn FnMut(Knowledge) -> bool) {
        self.0.knowledge(least_work, each);
    }

    /// Puts what another solver of the same board and colouring knew into the table. It is believed: proofs made with it
    /// are as good as its source. `false`, and nothing is done, unless it [`Knowledge::fits`] the board.
    pub fn learn(&self, knowledge: &Knowledge) -> bool {
        self.0.learn(knowledge)
    }

    /// How many positions the table knows by the work that went into them, estimated: entry i counts from 2^i expansions
    /// up to the next power of two.
    pub fn work_histogram(&self) -> [u64; 32] {
        self.0.work_histogram()
    }

    /// The proof and disproof numbers that the table has for a position, in the view of its side to move.
    ///
    /// # Panics
    /// As [`Solver::solve`].
    pub fn numbers(&self, position: &Position) -> Option<(u32, u32)> {
        self.0.numbers(position)
    }

    /// Bytes of the table.
    pub fn table_memory(&self) -> MemorySize {
        MemorySize::from_bytes(self.0.table_bytes())
    }

    /// Entries of the table in use and in all, estimated from a sample.
    pub fn table_fill(&self) -> (u64, u64) {
        self.0.table_fill()
    }

    /// The part of the table in use, 0 to 1, estimated from a sample.
    pub fn table_fill_share(&self) -> f64 {
        let (used, all) = self.table_fill();
        used as f64 / all.max(1) as f64
    }
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver").field("table_memory", &self.table_memory()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::konane::{FirstRemoval, Opening, Rules};

    #[test]
    fn both_tables_lead_to_the_same_answers() {
        for (text, top_left) in [("4x5", Side::Black), ("5x5", Side::White), ("3x7", Side::Black)] {
            let size: Size = text.parse().unwrap();
            let rules = Rules { top_left, first_removal: FirstRemoval::Any, ..Rules::default() };
            for engine in [Engine::ProofNumber, Engine::AlphaBeta] {
                let options = SolverOptions { engine, memory: MemorySize::from_bytes(1 << 20), threads: 1 };
                let small = Core::<u64>::build(size, top_left, options).unwrap();
                let wide = Core::<u128>::build(size, top_left, options).unwrap();
                for opening in Opening::all(size, &rules).unwrap() {
                    let position = opening.position(size, &rules).unwrap();
                    let [of_small, of_wide] = [&small, &wide].map(|core| {
                        core.solve(&position, Spending { control: &Control::default(), budget: None, meter: None }).0
                    });
                    assert!(of_small.is_some());
                    assert_eq!(of_small, of_wide, "{text} {opening}");
                }
            }
        }
    }

    #[test]
    fn a_budget_stops_and_the_next_call_goes_on() {
        let rules = Rules::default();
        let size: Size = "5x6".parse().unwrap();
        let position = "a5:b5".parse::<Opening>().unwrap().position(size, &rules).unwrap();
        let options =
            SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(8 << 20), threads: 1 };
        let control = Control::default();
        let whole = Solver::new(size, rules.top_left, options).unwrap().solve(&position, &control);
        let solver = Solver::new(size, rules.top_left, options).unwrap();
        let mut sum = Answer::default();
        let mut parts = 0;
        while sum.winner.is_none() {
            let part = solver.solve_within(&position, Some(2000), &control);
            assert!(part.nodes <= 2000);
            sum.add(part);
            parts += 1;
        }
        assert_eq!(sum.winner, whole.winner);
        assert!(parts > 3 && sum.nodes < whole.nodes * 13 / 10, "{parts} parts, {} and {}", sum.nodes, whole.nodes);
    }

    #[test]
    fn a_line_that_a_limit_cuts_says_so() {
        let rules = Rules::default();
        let size: Size = "5x6".parse().unwrap();
        let start = "a5:b5".parse::<Opening>().unwrap().position(size, &rules).unwrap();
        let options =
            SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(1 << 16), threads: 1 };
        let solver = Solver::new(size, rules.top_left, options).unwrap();
        let answer = solver.solve(&start, &Control::default());
        let whole = solver.line(&start, &Control::default());
        // The table is too small to remember the whole line.
        assert!(whole.complete && whole.nodes > 0);
        let solver = Solver::new(size, rules.top_left, options).unwrap();
        let control = Control::new(crate::run::Limits { nodes: Some(answer.nodes), time: None });
        assert_eq!(solver.solve(&start, &control).winner, answer.winner);
        let cut = solver.line(&start, &control);
        assert!(!cut.complete && cut.moves.len() < whole.moves.len() && cut.nodes == 0);
    }

    #[test]
    fn the_line_is_legal_and_ends_with_the_loser_unable_to_move() {
        let rules = Rules { first_removal: FirstRemoval::Any, ..Rules::default() };
        for (text, opening) in [("5x5", "a5:b5"), ("5x6", "b4:a4"), ("6x6", "c4:b4"), ("4x4", "a4:b4")] {
            let size: Size = text.parse().unwrap();
            let start = opening.parse::<Opening>().unwrap().position(size, &rules).unwrap();
            for engine in [Engine::ProofNumber, Engine::AlphaBeta] {
                let options = SolverOptions { engine, memory: MemorySize::from_bytes(1 << 20), threads: 1 };
                let solver = Solver::new(size, rules.top_left, options).unwrap();
                let control = Control::default();
                let winner = solver.solve(&start, &control).winner.unwrap();
                let line = solver.line(&start, &control);
                assert!(line.complete);
                let end = line.moves.iter().fold(start, |position, &mv| position.play(mv).unwrap());
                assert!(end.moves().is_empty() && end.turn() != winner, "{text} {opening}");
            }
        }
    }
}
