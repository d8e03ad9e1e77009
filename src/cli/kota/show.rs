//! `papamu kota show`: a board as a drawing.

use clap::Args;

use crate::kota::drawing;

use super::super::options::{Format, OutputArgs};
use super::super::report::{csv_table, json_line};
use super::options::{RulesArgs, position, setup, size};
use super::report::{line, rules};
use super::{Console, Failure, Outcome};

/// A position as a drawing, with its moves
///
/// Shows the start with N stones a side, or a position, for a terminal or as SVG.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota show 11
  papamu kota show 'R:a1,b1,c1 W:c3,b3,a3 red' --board rhombus
  papamu kota show 11 --svg -o kota.svg")]
pub(super) struct ShowArgs {
    /// Stones a side, 2 to 11, for the start; or a position.
    #[arg(value_name = "N|POSITION")]
    what: String,
    /// Write SVG.
    #[arg(long, conflicts_with = "format")]
    svg: bool,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl ShowArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let (kota, position) = match self.what.parse::<usize>() {
            Ok(n) => {
                let kota = self.rules.kota(n)?;
                let start = kota.start();
                (kota, start)
            }
            Err(_) => {
                let setup = setup(&self.what)?;
                let kota = self.rules.kota(size(&setup))?;
                let position = position(&kota, "position", &setup)?;
                (kota, position)
            }
        };
        let mut sink = self.output.open()?;
        let moves = kota.choices(&position);
        let board = kota.rules().board;
        let bytes = if self.svg {
            drawing::svg(board, &position).into_bytes()
        } else {
            match self.output.format {
                Format::Json => json_line(&serde_json::json!({
                    "game": "kota", "n": kota.n(), "rules": kota.rules(), "position": position.to_string(),
                    "turn": position.turn(), "moves": moves
                }))?,
                Format::Csv => csv_table(&["move"], moves.iter().map(|mv| vec![mv.to_string()])),
                Format::Text => {
                    let drawn = drawing::text(board, &position, self.output.colours(console, &sink));
                    let next = match kota.ending(&position) {
                        Some(ending) => format!("The game is over: {}.", ending.phrase()),
                        None => format!("{} moves, {} to move: {}", moves.len(), position.turn(), line(&moves)),
                    };
                    format!("KOTA {}: {}\n{position}\n\n{drawn}\n{next}\n", kota.n(), rules(kota.rules())).into_bytes()
                }
            }
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}
