//! The program as a person runs it: every command, every option, every refusal.

mod cli {
    mod analyze;
    mod annotate;
    mod bad_input;
    mod check;
    mod checkpoint;
    mod kota;
    mod other;
    mod perft;
    mod play;
    mod positions;
    mod process;
    mod proof;
    mod solve;
    mod study;
    pub mod support;
    mod table;
    #[cfg(target_os = "linux")]
    mod terminal;
    mod value;
}
