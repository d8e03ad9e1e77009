//! Ctrl-C: the first asks the work to stop, the second ends the process at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

use crate::run::Control;

// One process has one handler; it finds what runs now here.
static RUNNING: Mutex<Weak<Control>> = Mutex::new(Weak::new());
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);
static ASKED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// Lets Ctrl-C, and a request of the system to end, stop this work.
pub(super) fn watch(control: &Arc<Control>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(control);
    HANDLER.call_once(|| {
        // Without a handler Ctrl-C ends the process as it always does, which is better than not to work at all.
        let _ = ctrlc::set_handler(on_signal);
    });
}

/// Names a file that must not stay behind if the process ends at once.
pub(super) fn remove_at_sudden_end(path: &Path) {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.to_owned());
}

fn on_signal() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
    match running {
        Some(control) if !ASKED.swap(true, Relaxed) => control.request_stop(),
        _ => {
            if let Some(path) = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).take() {
                let _ = fs::remove_file(path);
            }
            std::process::exit(3);
        }
    }
}
