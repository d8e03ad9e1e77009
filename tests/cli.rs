//! The program as a person runs it: every command, every option, every refusal.

mod cli {
    mod bad_input;
    mod checkpoint;
    mod kota;
    mod other;
    mod perft;
    mod positions;
    mod process;
    mod proof;
    mod solve;
    mod study;
    pub mod support;
    mod table;
    mod value;
}
