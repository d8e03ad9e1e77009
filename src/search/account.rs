//! The answer to one position as it grows.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::konane::{Position, Side};
use crate::run::{Control, Spending};

use super::{Answer, Solver};

/// What is known of one position and what that has cost, over several searches of it and while one of them runs.
#[derive(Debug, Default)]
pub struct Account {
    state: Mutex<State>,
    /// Nodes of the searches made for this account, the running one included.
    meter: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    /// With the nodes of earlier runs alone: those of this one are on the meter.
    answer: Answer,
    /// When the running search began.
    began: Option<Instant>,
}

impl Account {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what is known from elsewhere.
    pub fn add(&self, earlier: Answer) {
        self.state().answer.add(earlier);
    }

    /// What is known now, with all it has cost so far.
    pub fn answer(&self) -> Answer {
        let state = self.state();
        let mut answer = state.answer;
        let running = state.began.map(|began| began.elapsed()).unwrap_or_default();
        answer.add(Answer { winner: None, nodes: self.meter.load(Relaxed), time: running });
        answer
    }

    /// Searches the position with at most `budget` expansions (`None`: no such limit) and gives its winner if it is known then. One search at a time
    /// runs for an account.
    ///
    /// # Panics
    /// When the position is of another board or colouring than the solver's.
    pub fn solve(&self, solver: &Solver, position: &Position, budget: Option<u64>, control: &Control) -> Option<Side> {
        self.state().began = Some(Instant::now());
        let spending = Spending { control, budget, meter: Some(&self.meter) };
        let answer = solver.solve_spending(position, spending);
        let mut state = self.state();
        state.began = None;
        state.answer.add(Answer { nodes: 0, ..answer });
        state.answer.winner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::konane::{Opening, Rules};
    use crate::run::MemorySize;
    use crate::search::{Engine, SolverOptions};
    use std::time::Duration;

    #[test]
    fn it_tells_what_a_running_search_has_cost() {
        // Hours of work, which is stopped once something of it is seen.
        let (size, rules) = ("8x8".parse().unwrap(), Rules::default());
        let position = "d5:e5".parse::<Opening>().unwrap().position(size, &rules).unwrap();
        for (engine, threads) in [(Engine::ProofNumber, 1), (Engine::ProofNumber, 2), (Engine::AlphaBeta, 1)] {
            let options = SolverOptions { engine, memory: MemorySize::from_bytes(64 << 20), threads };
            let solver = Solver::new(size, rules.top_left, options).unwrap();
            let (account, control) = (Account::default(), Control::default());
            account.add(Answer { winner: None, nodes: 1_000_000_000, time: Duration::from_secs(1000) });
            let before = account.answer();
            std::thread::scope(|scope| {
                let search = scope.spawn(|| account.solve(&solver, &position, None, &control));
                let mut last = before;
                while last.nodes < before.nodes + 50_000 && !search.is_finished() {
                    let now = account.answer();
                    // Threads give back what they have claimed and not used.
                    assert!(now.nodes + 4096 > last.nodes && now.time >= last.time, "{now:?} {last:?}");
                    last = now;
                }
                assert_eq!((last.winner, search.is_finished()), (None, false));
                control.request_stop();
                assert_eq!(search.join().unwrap(), None);
            });
            let after = account.answer();
            assert_eq!(after.nodes - before.nodes, control.nodes());
            assert_eq!((account.state().answer.nodes, after.winner), (before.nodes, None));
        }
    }
}
