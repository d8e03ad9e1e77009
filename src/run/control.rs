//! Limits of a run, the request to stop, and figures that a display may read while it goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How far a run may go. The default is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Positions expanded, by all threads together.
    pub nodes: Option<u64>,
    /// Wall time from the creation of the [`Control`].
    pub time: Option<Duration>,
}

/// Why a run stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Somebody asked, by Ctrl-C for example.
    Requested,
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
}

impl StopReason {
    /// The reason as a phrase: `stopped at the time limit`.
    pub const fn phrase(self) -> &'static str {
        match self {
            StopReason::Requested => "interrupted",
            StopReason::Time => "stopped at the time limit",
            StopReason::Nodes => "stopped at the node limit",
        }
    }
}

/// Figures for a progress display; written by the work, read by anybody, exact only at the end.
#[derive(Debug, Default)]
pub struct Gauges {
    /// Units of work finished (openings, positions, …).
    pub done: AtomicU64,
    /// Units of work in all; 0 while unknown.
    pub total: AtomicU64,
    /// Plies that work by depth has come to; 0 where there is no such thing.
    pub depth: AtomicU64,
    /// Stones of the layer that work by layers is at; 0 where there is no such thing.
    pub layer: AtomicU64,
    /// Units finished of a work of several parts, of which `done` counts the present one.
    pub all_done: AtomicU64,
    /// Units of all parts; 0 where the work is one part.
    pub all_total: AtomicU64,
    /// Proof number of the root searched last; 0 while unknown.
    pub proof: AtomicU64,
    /// Disproof number of the root searched last; 0 while unknown.
    pub disproof: AtomicU64,
    /// Entries of the transposition table in use.
    pub table_used: AtomicU64,
    /// Entries of the transposition table in all.
    pub table_slots: AtomicU64,
}

/// Shared by every thread of one run.
#[derive(Debug)]
pub struct Control {
    limits: Limits,
    started: Instant,
    stop: Arc<AtomicBool>,
    /// A claim found nothing left. It stays so even if nodes come back later: whoever was refused has given up.
    used_up: AtomicBool,
    claimed: AtomicU64,
    /// Figures for a display.
    pub gauges: Gauges,
}

impl Default for Control {
    fn default() -> Control {
        Control::new(Limits::default())
    }
}

impl Control {
    /// The control of a run that starts now.
    pub fn new(limits: Limits) -> Control {
        Control {
            limits,
            started: Instant::now(),
            stop: Arc::default(),
            used_up: AtomicBool::new(false),
            claimed: AtomicU64::new(0),
            gauges: Gauges::default(),
        }
    }

    /// The control of a part of this run that starts now, with limits of its own. A request to stop either of them stops both.
    pub fn part(&self, limits: Limits) -> Control {
        Control { stop: Arc::clone(&self.stop), ..Control::new(limits) }
    }

    /// Asks the run to stop soon. May be called from any thread, any number of times.
    pub fn request_stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Nodes used so far, unused parts of what threads hold included.
    pub fn nodes(&self) -> u64 {
        self.claimed.load(Relaxed)
    }

    /// Takes up to `want` nodes out of the limit; less near the limit, 0 when the run must stop. What is not used must be
    /// given back with [`Control::refund`].
    pub fn claim(&self, want: u64) -> u64 {
        if self.must_stop() {
            return 0;
        }
        let before = self.claimed.fetch_add(want, Relaxed);
        let granted = self.limits.nodes.map_or(want, |limit| limit.saturating_sub(before).min(want));
        if granted < want {
            self.refund(want - granted);
            self.used_up.fetch_or(granted == 0, Relaxed);
        }
        granted
    }

    /// Gives back claimed nodes that were not used.
    pub fn refund(&self, unused: u64) {
        self.claimed.fetch_sub(unused, Relaxed);
    }

    fn must_stop(&self) -> bool {
        self.stop.load(Relaxed)
            || self.used_up.load(Relaxed)
            || self.limits.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Whether the run must stop, and why. The node limit counts as reached once every node of it is claimed, or somebody
    /// was refused one.
    pub fn stop_reason(&self) -> Option<StopReason> {
        if self.stop.load(Relaxed) {
            Some(StopReason::Requested)
        } else if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            Some(StopReason::Time)
        } else if self.used_up.load(Relaxed) || self.limits.nodes.is_some_and(|limit| self.nodes() >= limit) {
            Some(StopReason::Nodes)
        } else {
            None
        }
    }
}

/// What a search may spend, and where it tells what it has spent.
#[derive(Clone, Copy, Debug)]
pub struct Spending<'a> {
    /// Whose nodes these are.
    pub control: &'a Control,
    /// The most nodes of each thread; `None`: no limit but the control's.
    pub budget: Option<u64>,
    /// Counts like [`Control::nodes`], but for this search alone.
    pub meter: Option<&'a AtomicU64>,
}

impl<'a> Spending<'a> {
    /// The share of one thread.
    pub fn allowance(self) -> Allowance<'a> {
        Allowance { meter: self.meter, ..Allowance::new(self.control, self.budget) }
    }
}

/// One thread's share of the nodes of a run, with a budget of its own.
#[derive(Debug)]
pub struct Allowance<'a> {
    control: &'a Control,
    meter: Option<&'a AtomicU64>,
    nodes: u64,
    granted: u64,
    budget: u64,
}

/// The run must stop, or the budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<'a> Allowance<'a> {
    /// Nodes are claimed by the handful, so that threads seldom meet.
    const HANDFUL: u64 = 1024;

    /// At most `budget` nodes (`None`: no limit but the control's).
    pub fn new(control: &'a Control, budget: Option<u64>) -> Allowance<'a> {
        Allowance { control, meter: None, nodes: 0, granted: 0, budget: budget.unwrap_or(u64::MAX) }
    }

    /// The control of the run.
    pub fn control(&self) -> &'a Control {
        self.control
    }

    /// Nodes spent so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Spends one node.
    ///
    /// # Errors
    /// When there is none left; it is then not counted.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Stopped> {
        if self.granted == 0 {
            self.granted = self.control.claim(Self::HANDFUL.min(self.budget));
            self.budget -= self.granted;
            if let Some(meter) = self.meter {
                meter.fetch_add(self.granted, Relaxed);
            }
            if self.granted == 0 {
                return Err(Stopped);
            }
        }
        self.granted -= 1;
        self.nodes += 1;
        Ok(())
    }
}

impl Drop for Allowance<'_> {
    fn drop(&mut self) {
        self.control.refund(self.granted);
        if let Some(meter) = self.meter {
            meter.fetch_sub(self.granted, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_node_limit_is_exact_whoever_claims() {
        let control = Control::new(Limits { nodes: Some(1000), time: None });
        assert_eq!(control.claim(600), 600);
        assert_eq!(control.claim(600), 400);
        control.refund(10);
        assert_eq!((control.claim(600), control.stop_reason()), (10, Some(StopReason::Nodes)));
        assert_eq!(control.claim(600), 0);
        control.refund(10);
        assert_eq!((control.claim(600), control.stop_reason()), (0, Some(StopReason::Nodes)));
    }

    #[test]
    fn an_allowance_keeps_to_its_budget_and_gives_back_the_rest() {
        let control = Control::new(Limits { nodes: Some(5000), time: None });
        let mut first = Allowance::new(&control, Some(1500));
        while first.spend().is_ok() {}
        assert_eq!((first.nodes(), control.nodes()), (1500, 1500));
        let mut second = Allowance::new(&control, None);
        assert_eq!(second.spend(), Ok(()));
        let meter = AtomicU64::new(7);
        let spending = Spending { control: &control, budget: Some(2000), meter: Some(&meter) };
        let mut third = spending.allowance();
        assert_eq!((third.spend(), third.spend()), (Ok(()), Ok(())));
        assert_eq!(meter.load(Relaxed), 7 + Allowance::HANDFUL);
        drop((first, second, third));
        assert_eq!((control.nodes(), meter.into_inner()), (1503, 9));
    }

    #[test]
    fn a_request_reaches_the_whole_and_its_parts() {
        let whole = Control::default();
        let (first, second) = (whole.part(Limits { nodes: Some(0), time: None }), whole.part(Limits::default()));
        assert_eq!((first.stop_reason(), whole.stop_reason()), (Some(StopReason::Nodes), None));
        second.request_stop();
        for control in [&whole, &first, &second, &whole.part(Limits::default())] {
            assert_eq!(control.stop_reason(), Some(StopReason::Requested));
        }
    }

    #[test]
    fn a_request_and_a_past_deadline_stop() {
        let control = Control::default();
        assert_eq!((control.claim(5), control.stop_reason()), (5, None));
        control.request_stop();
        assert_eq!((control.claim(5), control.stop_reason()), (0, Some(StopReason::Requested)));
        let control = Control::new(Limits { time: Some(Duration::ZERO), nodes: None });
        assert_eq!((control.claim(5), control.stop_reason()), (0, Some(StopReason::Time)));
    }
}
