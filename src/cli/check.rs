//! `papamu check`: everything the program can say of a board, compared.

use clap::Args;
use serde_json::json;

use crate::board::Size;
use crate::study::CheckVerdict as Verdict;
use crate::study::{CheckOptions, SourceCheck, check_board};

use super::messages::{Failure, Messages};
use super::options::{Format, LimitArgs, MemoryArgs, OutputArgs, RulesArgs, ThreadArgs};
use super::progress::with_progress;
use super::report::{VERSION, csv_table, json_line};
use super::text::{self, Table};
use super::{Console, Outcome};

/// Compare everything the program can say of a board
///
/// Solves every opening by proof-number search, and asks the other sources the same: the baseline search, the slow statement of
/// the rules, a table of all positions, a strategy proof, values. A source is left out on boards that are too large for it. A
/// difference is a fault of the program: please report it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu check 4x4
  papamu check 5x5 --first-removal any --format json

Exit codes: 0 no difference; 1 a difference was found; 3 stopped before the end.")]
pub(super) struct CheckArgs {
    /// The board: rows x columns, such as 5x5.
    #[arg(value_name = "RxC")]
    size: Size,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl CheckArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let rules = self.rules.rules();
        rules.first_removals(self.size).map_err(|error| Failure::Usage(error.to_string()))?;
        let mut sink = self.output.open()?;
        let pool = self.threads.pool()?;
        let folder = tempfile::tempdir().map_err(|error| Failure::Run(format!("no temporary folder: {error}")))?;
        let control = self.limits.control();
        let options =
            CheckOptions { memory: self.memory.cap(), threads: pool.current_num_threads(), folder: folder.path() };
        let work = || pool.install(|| check_board(self.size, &rules, options, &control, &mut |_| ()));
        let checks = with_progress(self.output.progress(console), &control, work);
        let checks = checks.map_err(|error| Failure::Usage(error.to_string()))?;
        let rows = checks.iter().map(|SourceCheck { source, verdict }| {
            let (word, more) = words(verdict);
            vec![(*source).to_owned(), word.to_owned(), more.to_owned()]
        });
        let bytes = match self.output.format {
            Format::Json => {
                let sources: Vec<_> =
                    rows.map(|row| json!({"source": row[0], "verdict": row[1], "what": row[2]})).collect();
                json_line(&json!({"game": "konane", "board": self.size.to_string(), "rules": rules,
                    "agree": !checks.iter().any(differs), "sources": sources, "version": VERSION}))?
            }
            Format::Csv => csv_table(&["source", "verdict", "what"], rows),
            Format::Text => {
                let mut table = Table::new(&["source", "verdict", "what"]);
                rows.for_each(|row| table.row(row));
                format!("{}: {}\n\n{}", self.size, text::rules(&rules), table.text()).into_bytes()
            }
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        if let Some(check) = checks.iter().find(|check| differs(check)) {
            let what = words(&check.verdict).1;
            return Err(Failure::Run(format!("{}: {what}: this is a fault of papamu, please report it", check.source)));
        }
        match control.stop_reason() {
            None => Ok(Outcome::Complete),
            Some(why) => {
                let note = format!("{}: not every source was asked", why.phrase());
                Messages::new(console, self.output.quiet).note(note);
                Ok(Outcome::Unanswered)
            }
        }
    }
}

fn differs(check: &SourceCheck) -> bool {
    matches!(check.verdict, Verdict::Differs { .. })
}

fn words(verdict: &Verdict) -> (&'static str, &str) {
    match verdict {
        Verdict::Agrees { compared } => ("agrees", compared),
        Verdict::Differs { what } => ("differs", what),
        Verdict::LeftOut { why } => ("left out", why),
    }
}
