//! `papamu play` on a terminal of its own.

use std::ffi::CStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::support::{PATIENCE, program};

/// The program on a terminal, and the other end of the terminal.
struct Terminal {
    child: Child,
    keyboard: File,
}

impl Terminal {
    fn new(args: &[&str], folder: &Path) -> Terminal {
        // SAFETY: the calls are given what they ask for, and the descriptors they give belong to nobody else yet.
        let (keyboard, name) = unsafe {
            let fd = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
            assert!(fd >= 0 && libc::grantpt(fd) == 0 && libc::unlockpt(fd) == 0);
            let size = libc::winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
            assert_eq!(libc::ioctl(fd, libc::TIOCSWINSZ, &size), 0);
            let name = CStr::from_ptr(libc::ptsname(fd)).to_str().unwrap().to_owned();
            (File::from(OwnedFd::from_raw_fd(fd)), name)
        };
        let end = || Stdio::from(File::options().read(true).write(true).open(&name).unwrap());
        let mut command = program(args);
        command.env("TERM", "xterm").current_dir(folder).stdin(end()).stdout(end()).stderr(end());
        // SAFETY: both calls may be made between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        Terminal { child: command.spawn().unwrap(), keyboard }
    }

    /// Reads what is shown until this is among it.
    fn wait_for(&mut self, text: &str) -> String {
        let (mut shown, started) = (Vec::new(), Instant::now());
        let mut bytes = [0; 4096];
        loop {
            let mut asked = libc::pollfd { fd: self.keyboard.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one valid entry for the time of the call.
            let ready = unsafe { libc::poll(&mut asked, 1, 100) };
            if ready > 0 {
                let read = self.keyboard.read(&mut bytes).unwrap_or(0);
                shown.extend(&bytes[..read]);
            }
            let so_far = String::from_utf8_lossy(&shown);
            if so_far.contains(text) {
                return so_far.into_owned();
            }
            let end = so_far.len().saturating_sub(300);
            let last = so_far.get(end..).unwrap_or_default();
            assert!(started.elapsed() < PATIENCE, "no {text:?} before {last:?}");
        }
    }

    fn end(&mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(started.elapsed() < PATIENCE, "it goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

const GAME: [&str; 6] = ["play", "4x4", "--white", "human", "--memory", "128MiB"];

#[test]
fn a_game_is_played_on_the_whole_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::new(&GAME, folder.path());
    terminal.wait_for("\u{1b}[?1049h");
    // Only what changes is drawn again, so one waits for the numbers of the turns.
    terminal.keyboard.write_all(b"a4\ra3\rc\t\r").unwrap();
    terminal.wait_for("3.");
    terminal.keyboard.write_all(b"c3-a3\rb1\rc1-c3\r").unwrap();
    terminal.wait_for("6.");
    terminal.keyboard.write_all(b"\r").unwrap();
    // The screen is given back, and the game stays to be seen.
    terminal.wait_for("White wins after 6 plies: Black cannot move");
    assert_eq!(terminal.end(), Some(0));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_key_to_stop_and_a_lost_terminal_save_the_game() {
    for lost in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::new(&GAME, folder.path());
        terminal.wait_for("\u{1b}[?1049h");
        terminal.keyboard.write_all(b"a4\r").unwrap();
        terminal.wait_for("1.");
        if lost {
            let Terminal { child, keyboard } = terminal;
            drop(keyboard);
            let null = File::options().read(true).write(true).open("/dev/null").unwrap();
            terminal = Terminal { child, keyboard: null };
        } else {
            terminal.keyboard.write_all(b"\x03").unwrap();
            terminal.wait_for("note: the game is saved: go on with --load konane-4x4.game");
        }
        // Whichever sign of a lost terminal the program sees first.
        assert_eq!(terminal.end(), Some(3), "{lost}");
        assert_eq!(std::fs::read_to_string(folder.path().join("konane-4x4.game")).unwrap(), "4x4 a4\n");
    }
}
