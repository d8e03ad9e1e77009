//! `papamu verify`: whether a proof holds, by the rules alone.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use clap::Args;
use serde::Serialize;

use crate::container::ContainerError;
use crate::konane::Side;
use crate::proof::{CheckError, Checked, ProofError, Watch, check};
use crate::run::StopReason;

use super::messages::{Failure, Messages};
use super::options::{Format, OutputArgs, ThreadArgs, TimeArgs};
use super::progress::with_progress;
use super::report::{csv_line, json_line};
use super::text::{self, counted};
use super::{Console, Outcome};

/// Check a winning strategy with the rules alone
///
/// The checker shares nothing with the search but the words for boards and moves: it has its own, slow and obvious, rules.
/// It checks that the file is undamaged, that its first positions are those of what it claims, that every answer is a legal
/// move, and that every move of the loser is answered. Of a bad proof it names the first bad position and the reason.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu prove 6x6 -o 6x6.proof
  papamu verify 6x6.proof
  papamu verify 6x6.proof --format json

Exit codes: 0 the proof holds; 1 it does not, or the file is damaged or of another kind; 3 stopped before the end.")]
pub(super) struct VerifyArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Serialize)]
struct Report {
    file: String,
    kind: &'static str,
    valid: bool,
    board: Option<String>,
    top_left: Option<Side>,
    root: Option<String>,
    winner: Option<Side>,
    positions: Option<u64>,
    leaf_nodes: Option<u64>,
    bytes: Option<u64>,
    /// The first bad position.
    position: Option<String>,
    reason: Option<String>,
}

impl VerifyArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let pool = self.threads.pool()?;
        let mut sink = self.output.open_apart([&*self.file])?;
        let control = self.time.control();
        let watch = Watch {
            progress: &|all, done| {
                control.gauges.all_total.store(all, Relaxed);
                control.gauges.all_done.fetch_max(done, Relaxed);
            },
            stop: &|| control.stop_reason().is_some(),
        };
        let show = self.output.progress(console);
        let checked = with_progress(show, &control, || pool.install(|| check(&self.file, &watch)));
        if let Err(CheckError::Stopped) = checked {
            let stopped = control.stop_reason().map_or("stopped", StopReason::phrase);
            let note = format_args!("{stopped}: not all of {} was checked", self.file.display());
            Messages::new(console, self.output.quiet).note(note);
            return Ok(Outcome::Unanswered);
        }
        // A file that cannot be read as a proof is an error and no result.
        if let Err(CheckError::Proof(ProofError::Container(error @ ContainerError::Read { .. }))) = &checked {
            return Err(Failure::Usage(error.to_string()));
        }
        if let Err(CheckError::Proof(error)) = &checked {
            return Err(Failure::Run(error.to_string()));
        }
        let report = self.report(&checked);
        let bytes = match (self.output.format, &checked) {
            (Format::Json, _) => json_line(&report)?,
            (Format::Csv, _) => csv(&report),
            (Format::Text, Ok(checked)) => self.text(checked).into_bytes(),
            (Format::Text, Err(_)) => Vec::new(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        match checked {
            Ok(_) => Ok(Outcome::Complete),
            Err(error) => Err(Failure::Run(format!("{}: {error}", self.file.display()))),
        }
    }

    fn report(&self, checked: &Result<Checked, CheckError>) -> Report {
        let good = checked.as_ref().ok();
        let (position, reason) = match checked {
            Err(CheckError::Wrong { place, reason }) => (Some(place.clone()), Some(reason.clone())),
            _ => (None, None),
        };
        Report {
            file: self.file.display().to_string(),
            kind: "proof",
            valid: good.is_some(),
            board: good.map(|good| good.claim.size().to_string()),
            top_left: good.map(|good| good.claim.top_left()),
            root: good.map(|good| good.claim.root()),
            winner: good.map(|good| good.claim.winner),
            positions: good.map(|good| good.positions),
            leaf_nodes: good.map(|good| good.leaf_nodes),
            bytes: good.map(|good| good.file_len),
            position,
            reason,
        }
    }

    fn text(&self, checked: &Checked) -> String {
        let claim = &checked.claim;
        let mut text = format!("{}: a proof that holds\n", text::printable(&self.file.display().to_string()));
        let rules = match claim.rules() {
            Some(rules) => text::rules(rules),
            None => format!("{} on the top-left cell", claim.top_left().title()),
        };
        text += &format!("{}: {rules}\n", claim.size());
        text += &format!("{} wins {}\n", claim.winner.title(), claim.root());
        if claim.rules().is_some() {
            let openings: Vec<_> = claim.openings().iter().map(ToString::to_string).collect();
            text += &format!("openings answered: {}, and their images\n", openings.join(", "));
        }
        text += &format!("{} checked, {}\n", counted(checked.positions, "position"), counted(checked.file_len, "byte"));
        if checked.leaf_nodes > 0 {
            text += &format!("what is left out was settled within {} each\n", counted(checked.leaf_nodes, "node"));
        }
        text
    }
}

const HEADER: [&str; 8] = ["file", "kind", "valid", "board", "winner", "positions", "position", "reason"];

fn csv(report: &Report) -> Vec<u8> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut bytes = csv_line(&HEADER);
    bytes.extend(csv_line(&[
        report.file.as_str(),
        report.kind,
        if report.valid { "true" } else { "false" },
        &text(&report.board),
        report.winner.map_or("", Side::name),
        &report.positions.map_or(String::new(), |positions| positions.to_string()),
        &text(&report.position),
        &text(&report.reason),
    ]));
    bytes
}
