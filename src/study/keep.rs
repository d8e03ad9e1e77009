//! Searches that keep a checkpoint: they go on from it, and save it now and then and at the end.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::konane::{Opening, Position};
use crate::run::Control;
use crate::search::{Account, Answer, OpeningsRun, Solver};

use super::checkpoint::{Checkpoint, CheckpointError, Part, Spent, Subject};

/// Where and how often to save.
pub struct Keep<'a> {
    /// The file.
    pub path: &'a Path,
    /// Pause between the end of one save and the beginning of the next.
    pub every: Duration,
    /// Told the temporary name of each file begun.
    pub began: &'a (dyn Fn(&Path) + Sync),
    /// Told when a save on the way fails; the search goes on, and what was saved before is still there.
    pub failed: &'a (dyn Fn(&CheckpointError) + Sync),
}

/// How a kept search ended.
#[derive(Debug)]
pub struct Kept {
    /// What the search has cost, the runs before this one included.
    pub spent: Spent,
    /// Whether what is known now is on the disk.
    pub saved: Result<(), CheckpointError>,
}

/// What tells whether somebody else has written a file: its length and when it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp(u64, Option<SystemTime>);

impl Stamp {
    /// The stamp of a file; `None` where there is none.
    fn of(path: &Path) -> Option<Stamp> {
        path.metadata().ok().map(|data| Stamp(data.len(), data.modified().ok()))
    }
}

impl Keep<'_> {
    /// Runs [`OpeningsRun::search`], going on from the checkpoint where there is one. `solved` is also told of what the
    /// checkpoint knew.
    ///
    /// # Errors
    /// When there is a file that this search cannot go on from; nothing was searched then.
    pub fn openings(
        &self,
        run: &OpeningsRun,
        solver: &Solver,
        control: &Control,
        solved: &(dyn Fn(Opening, Answer) + Sync),
    ) -> Result<Kept, CheckpointError> {
        let subject = Subject::board(run.request().size, &run.request().rules);
        let mut others = Vec::new();
        let earlier = self.resume(&subject, solver, &mut |part| {
            let known = part.name.parse::<Opening>().is_ok_and(|opening| run.resume(opening, part.answer));
            if !known {
                // Of another choice of openings: nothing to do with it now, but it is not lost.
                others.push(part.clone());
            }
        })?;
        for (opening, _, answer) in run.parts().into_iter().filter(|(_, _, answer)| answer.winner.is_some()) {
            solved(opening, answer);
        }
        let parts = || {
            let part = |(opening, position, answer): (Opening, Position, Answer)| Part {
                name: opening.to_string(),
                answer,
                numbers: solver.numbers(&position),
            };
            run.parts().into_iter().map(part).chain(others.iter().cloned()).collect()
        };
        let work = || run.search(solver, control, solved);
        Ok(self.run(&subject, earlier, solver, control, &parts, work))
    }

    /// Solves one position, going on from the checkpoint where there is one.
    ///
    /// # Errors
    /// When there is a file that this search cannot go on from; nothing was searched then.
    pub fn position(
        &self,
        position: &Position,
        solver: &Solver,
        control: &Control,
    ) -> Result<(Answer, Kept), CheckpointError> {
        let subject = Subject::position(position);
        let name = position.to_string();
        let account = Account::default();
        let mut others = Vec::new();
        let earlier = self.resume(&subject, solver, &mut |part| match part.name == name {
            true => account.add(part.answer),
            false => others.push(part.clone()),
        })?;
        let parts = || {
            let part = Part { name: name.clone(), answer: account.answer(), numbers: solver.numbers(position) };
            std::iter::once(part).chain(others.iter().cloned()).collect()
        };
        let kept = self.run(&subject, earlier, solver, control, &parts, || {
            if account.answer().winner.is_none() {
                account.solve(solver, position, None, control);
            }
        });
        Ok((account.answer(), kept))
    }

    /// Gives each part of the file, and the entries to the solver; what the search has cost so far, and the file's stamp.
    fn resume(
        &self,
        subject: &Subject,
        solver: &Solver,
        each: &mut dyn FnMut(&Part),
    ) -> Result<(Spent, Option<Stamp>), CheckpointError> {
        // Before the file is read: what is written after that is somebody else's.
        let stamp = Stamp::of(self.path);
        let Some(checkpoint) = Checkpoint::resume(self.path, subject)? else { return Ok((Spent::default(), stamp)) };
        checkpoint.parts().iter().for_each(each);
        checkpoint.teach(solver)?;
        Ok((checkpoint.spent(), stamp))
    }

    fn run(
        &self,
        subject: &Subject,
        (earlier, stamp): (Spent, Option<Stamp>),
        solver: &Solver,
        control: &Control,
        parts: &(dyn Fn() -> Vec<Part> + Sync),
        work: impl FnOnce(),
    ) -> Kept {
        let spent = || Spent {
            nodes: earlier.nodes.saturating_add(control.nodes()),
            time: earlier.time.saturating_add(control.elapsed()),
        };
        let stamp = Mutex::new(stamp);
        let save = || {
            let mut stamp = stamp.lock().unwrap_or_else(PoisonError::into_inner);
            if Stamp::of(self.path) != *stamp {
                return Err(CheckpointError::Foreign { path: self.path.to_owned() });
            }
            Checkpoint::save(self.path, subject, parts(), spent(), solver, self.began)?;
            *stamp = Stamp::of(self.path);
            Ok(())
        };
        thread::scope(|scope| {
            // The channel carries nothing: it closes when the work is done, even by a panic.
            let (working, done) = channel::<()>();
            scope.spawn(move || {
                while done.recv_timeout(self.every) == Err(RecvTimeoutError::Timeout) {
                    if let Err(error) = save() {
                        (self.failed)(&error);
                    }
                }
            });
            work();
            drop(working);
        });
        Kept { spent: spent(), saved: save() }
    }
}
