//! A study at work.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use crate::konane::{Opening, Side};
use crate::run::{Control, StopReason};
use crate::search::{Answer, OpeningsRequest, OpeningsRun, Solver, SolverOptions};

use super::plan::{Shard, units};
use super::record::{Line, NoteRecord, OpeningRecord};
use super::{Board, Keep, Records, Store, StudyError};

/// What a study is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyRequest {
    /// The boards, in the order of work.
    pub boards: Vec<Board>,
    /// Search only as much as decides each first removal. A unit is then a removal with all replies, otherwise an opening.
    pub decide: bool,
    /// Which of the units.
    pub shard: Shard,
    /// How to search; each board has a table of its own.
    pub options: SolverOptions,
}

/// How far a study came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyOutcome {
    /// Units of this study, or of its shard.
    pub units: usize,
    /// Units that were known when it began.
    pub known: usize,
    /// Units that are not known now.
    pub left: usize,
    /// Boards without openings.
    pub without_openings: usize,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
}

/// The units of a board that belong to the study.
struct Part {
    board: Board,
    units: Vec<Vec<Opening>>,
    note: Option<NoteRecord>,
}

impl StudyRequest {
    /// Whether the study can be made; with `kept`, as one whose search is kept.
    ///
    /// # Errors
    /// When there is no solver for a board, or several boards are to be kept.
    pub fn check(&self, kept: bool) -> Result<(), StudyError> {
        if kept && self.boards.len() != 1 {
            return Err(StudyError::ManyBoards { boards: self.boards.len() });
        }
        // A table is only reserved here, which costs nothing.
        for part in parts(self).iter().filter(|part| !part.units.is_empty()) {
            Solver::new(part.board.size, part.board.rules.top_left, self.options)?;
        }
        Ok(())
    }
}

/// Solves what the store does not know yet, board after board, several openings at a time in the current rayon pool, and
/// saves each opening as it is solved. When the control stops, the store keeps what was solved; the same call goes on from
/// there, and from the middle of an opening if the study is of one board whose search is kept. `control.gauges` tell how far
/// the present board (`done`) and the whole study (`all_done`) are.
///
/// # Errors
/// When the request does not pass its check (before anything is searched), or a record cannot be saved: the study then ends,
/// and the records before it are safe. When the checkpoint is of no use.
pub fn study(
    request: &StudyRequest,
    store: &mut Store,
    control: &Control,
    keep: Option<&Keep<'_>>,
) -> Result<StudyOutcome, StudyError> {
    request.check(keep.is_some())?;
    let parts = parts(request);
    let done = |records: &Records| parts.iter().map(|part| part.count_done(records)).sum::<usize>();
    let units: usize = parts.iter().map(|part| part.units.len()).sum();
    let known = done(store.records());
    let gauges = &control.gauges;
    gauges.all_total.store(units as u64, Relaxed);
    gauges.all_done.store(known as u64, Relaxed);
    for part in &parts {
        if let Some(note) = &part.note {
            store.append(Line::Note(note.clone()))?;
        }
    }
    for part in &parts {
        if control.stop_reason().is_none() && part.count_done(store.records()) < part.units.len() {
            part.solve(request, store, control, keep)?;
        }
    }
    store.sync()?;
    let left = units - done(store.records());
    Ok(StudyOutcome {
        units,
        known,
        left,
        without_openings: parts.iter().filter(|part| part.note.is_some()).count(),
        stopped: control.stop_reason().filter(|_| left > 0),
    })
}

/// The boards with those of their units that the shard takes. The numbers of units run through all boards and do not
/// depend on what is known, so that every shard counts alike.
fn parts(request: &StudyRequest) -> Vec<Part> {
    let mut number = 0;
    let part = |&board: &Board| {
        // The rules of a board with a note leave none.
        let mut units = units(board, request.decide).unwrap_or_default();
        units.retain(|_| {
            number += 1;
            request.shard.takes(number - 1)
        });
        Part { board, units, note: NoteRecord::of(board) }
    };
    request.boards.iter().map(part).collect()
}

/// What is shared by the threads that save records.
struct Desk<'a> {
    store: &'a mut Store,
    failure: Option<StudyError>,
}

impl Part {
    fn count_done(&self, records: &Records) -> usize {
        self.units.iter().filter(|unit| is_done(records, self.board, unit)).count()
    }

    fn solve(
        &self,
        request: &StudyRequest,
        store: &mut Store,
        control: &Control,
        keep: Option<&Keep<'_>>,
    ) -> Result<(), StudyError> {
        let Board { size, rules } = self.board;
        let open = self.units.iter().filter(|unit| !is_done(store.records(), self.board, unit));
        let unit_of: HashMap<Opening, &Vec<Opening>> =
            open.clone().flat_map(|unit| unit.iter().map(move |&opening| (opening, unit))).collect();
        let unknown = |opening: &Opening| store.records().winner(self.board, *opening).is_none();
        let openings: Vec<Opening> = open.flatten().copied().filter(unknown).collect();
        // No openings would mean all of them.
        if openings.is_empty() {
            return Ok(());
        }
        let gauges = &control.gauges;
        gauges.done.store(0, Relaxed);
        let solver = Solver::new(size, rules.top_left, request.options)?;
        let desk = Mutex::new(Desk { store, failure: None });
        let solved = |opening: Opening, answer: Answer| {
            let Some(winner) = answer.winner else { return };
            let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
            let unit = unit_of.get(&opening);
            let was_done = unit.is_some_and(|unit| is_done(desk.store.records(), self.board, unit));
            let record = OpeningRecord::new(self.board, opening, winner, answer, request.options);
            if let Err(error) = desk.store.append(Line::Opening(record)) {
                desk.failure.get_or_insert(error);
                control.request_stop();
                return;
            }
            if !was_done && unit.is_some_and(|unit| is_done(desk.store.records(), self.board, unit)) {
                gauges.all_done.fetch_add(1, Relaxed);
            }
        };
        let run = OpeningsRun::new(OpeningsRequest { size, rules, openings, decide: request.decide })?;
        let saved = match keep {
            Some(keep) => keep.openings(&run, &solver, control, &solved)?.saved,
            None => {
                run.search(&solver, control, &solved);
                Ok(())
            }
        };
        let desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        desk.failure.map_or(Ok(()), Err)?;
        Ok(saved?)
    }
}

/// Whether a unit is answered: its first removal, where it has all replies to it, and otherwise its only opening.
fn is_done(records: &Records, board: Board, unit: &[Opening]) -> bool {
    let winner = |opening: &Opening| records.winner(board, *opening);
    unit.iter().any(|opening| winner(opening) == Some(Side::White))
        || unit.iter().all(|opening| winner(opening).is_some())
}
