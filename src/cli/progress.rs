//! The moving line on standard error while a command works.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::run::Control;

use super::text::thousands;

/// Work that ends sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);
const REFRESH: Duration = Duration::from_millis(100);

/// Does the work; where `show` says so, a second thread shows how far the control's figures are.
pub(super) fn with_progress<T>(show: bool, control: &Control, work: impl FnOnce() -> T) -> T {
    if !show {
        return work();
    }
    thread::scope(|scope| {
        // The channel carries nothing: it closes when the work is done, even by a panic.
        let (working, done) = channel::<()>();
        scope.spawn(move || {
            if done.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            while done.recv_timeout(REFRESH) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(line(control));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(working);
        result
    })
}

fn line(control: &Control) -> String {
    let gauge = &control.gauges;
    let (nodes, elapsed) = (control.nodes(), control.elapsed());
    let mut parts = Vec::new();
    let (all, all_done) = (gauge.all_total.load(Relaxed), gauge.all_done.load(Relaxed));
    if all > 0 {
        let left = all.saturating_sub(all_done);
        parts.push(format!("{} {} of {all}, {left} left", bar(all_done, all), all_done));
    }
    let layer = gauge.layer.load(Relaxed);
    if layer > 0 {
        parts.push(format!("layer of {layer} stones"));
    }
    if layer > 0 && gauge.total.load(Relaxed) == 0 {
        parts.push(format!("{} positions", thousands(gauge.done.load(Relaxed))));
    }
    if gauge.total.load(Relaxed) > 0 {
        parts.push(format!("solved {} of {}", gauge.done.load(Relaxed), gauge.total.load(Relaxed)));
    }
    let depth = gauge.depth.load(Relaxed);
    if depth > 0 {
        parts.push(format!("depth {depth}"));
    }
    if nodes > 0 {
        let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-9);
        parts.push(format!("{} nodes, {}/s", thousands(nodes), thousands(rate as u64)));
    }
    let slots = gauge.table_slots.load(Relaxed);
    if slots > 0 {
        parts.push(format!("table {:.1} %", 100.0 * gauge.table_used.load(Relaxed) as f64 / slots as f64));
    }
    let (proof, disproof) = (gauge.proof.load(Relaxed), gauge.disproof.load(Relaxed));
    if proof > 0 || disproof > 0 {
        parts.push(format!("proof {} disproof {}", thousands(proof), thousands(disproof)));
    }
    parts.push(humantime::format_duration(Duration::from_secs(elapsed.as_secs())).to_string());
    parts.join(" · ")
}

/// A bar as long as the part that is done.
fn bar(done: u64, total: u64) -> String {
    const WIDTH: usize = 20;
    let full = (done.min(total) as usize * WIDTH).checked_div(total as usize).unwrap_or(0);
    format!("[{}{}]", "#".repeat(full), "-".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Limits;

    #[test]
    fn the_line_shows_what_is_known() {
        let control = Control::new(Limits::default());
        assert_eq!(line(&control), "0s");
        control.gauges.total.store(8, Relaxed);
        control.gauges.done.store(3, Relaxed);
        control.gauges.table_slots.store(1000, Relaxed);
        control.gauges.table_used.store(125, Relaxed);
        control.gauges.proof.store(12_345, Relaxed);
        control.gauges.disproof.store(7, Relaxed);
        assert_eq!(line(&control), "solved 3 of 8 · table 12.5 % · proof 12,345 disproof 7 · 0s");
        control.gauges.all_total.store(40, Relaxed);
        control.gauges.all_done.store(10, Relaxed);
        assert!(line(&control).starts_with("[#####---------------] 10 of 40, 30 left · solved 3 of 8 · "));
        control.claim(1_234_567);
        assert!(line(&control).contains("1,234,567 nodes, "));
    }

    #[test]
    fn the_work_is_done_with_and_without_a_display() {
        let control = Control::new(Limits::default());
        assert_eq!(with_progress(false, &control, || 7), 7);
        assert_eq!(with_progress(true, &control, || 7), 7);
    }
}
