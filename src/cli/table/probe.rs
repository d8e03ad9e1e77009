//! `papamu table probe`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::konane::{Position, Side};
use crate::tables::{Probe, Table, winner};

use super::super::messages::Failure;
use super::super::options::{Format, OutputArgs};
use super::super::report::{MovesReport, csv_line, json_line};
use super::super::{Console, Outcome, positions, text};
use super::{failure, missing, open};

/// A position and all its moves, from a table
///
/// Who wins, in how many plies (the winner as fast and the loser as slow as possible), and the same for every move, best first;
/// plies count from the position before the move. A position that is the image of one in the table, by a symmetry of the board
/// that keeps the colours, is answered as well.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu table build 4x4 -o 4x4.table
  papamu table probe 4x4.table '.oxo/.xox/xoxo/oxox x'
  papamu table probe 4x4.table --positions list.txt --format json")]
pub(in super::super) struct ProbeArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The position: rows from the top separated by /, x Black, o White, . empty, then the side to move.
    #[arg(value_name = "POSITION", required_unless_present = "positions", conflicts_with = "positions")]
    position: Option<String>,
    /// Look up the positions of this file, one a line; `-` is standard input; what follows a # is skipped.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// The side to move where a position does not say it: x (black) or o (white).
    #[arg(long, value_name = "SIDE")]
    turn: Option<Side>,
    #[command(flatten)]
    output: OutputArgs,
}

impl ProbeArgs {
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let read = |text: &str| Position::parse(text, self.turn).map_err(|error| error.to_string());
        let asked = match (&self.position, &self.positions) {
            (Some(text), _) => vec![read(text).map_err(|reason| Failure::usage("position", reason))?],
            (None, Some(file)) => positions::lines("--positions", Path::new(file), read)?,
            (None, None) => Vec::new(),
        };
        let table = open(&self.file)?;
        // All of them are looked up before anything is printed.
        let probes = asked.iter().map(|position| {
            let probe = table.probe(position).map_err(failure)?;
            probe.ok_or_else(|| missing(&table, position))
        });
        let probes = probes.collect::<Result<Vec<Probe>, Failure>>()?;
        let mut sink = self.output.open_apart(std::iter::once(&*self.file).chain(self.positions.as_deref()))?;
        if self.output.format == Format::Csv {
            sink.write(console, &csv_line(&MovesReport::CSV_HEADER))?;
        }
        for (at, (position, probe)) in asked.iter().zip(&probes).enumerate() {
            let report = report(position, probe);
            let bytes = match self.output.format {
                Format::Json => json_line(&report)?,
                Format::Csv => report.csv(),
                Format::Text => {
                    let apart = if at == 0 { "" } else { "\n" };
                    (apart.to_owned() + &text(&table, position, probe, &report)).into_bytes()
                }
            };
            sink.write(console, &bytes)?;
        }
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}

fn report(position: &Position, probe: &Probe) -> MovesReport {
    let turn = position.turn();
    let value = |remoteness| (Some(winner(turn, remoteness)), Some(u32::from(remoteness)));
    let moves = probe.moves.iter().map(|&(mv, remoteness)| (mv, value(remoteness)));
    MovesReport::new(position, value(probe.remoteness), moves)
}

fn text(table: &Table, position: &Position, probe: &Probe, report: &MovesReport) -> String {
    let turn = position.turn();
    let mut text = format!("{position}\n\n{}\n", text::position(position));
    let plies = text::plies(probe.remoteness);
    text += &format!(
        "{} wins in {plies}, {} ({}) to move.\n",
        winner(turn, probe.remoteness).title(),
        turn.title(),
        turn.letter()
    );
    if let Some(line) = line(table, position, probe) {
        text += &format!("Best line: {line}\n");
    }
    if !probe.moves.is_empty() {
        text += &format!("\n{}", report.table());
    }
    text
}

/// Best play from the position to the end.
fn line(table: &Table, position: &Position, probe: &Probe) -> Option<String> {
    let (mut moves, mut position, mut best) = (Vec::new(), *position, probe.moves.first().copied());
    while let Some((mv, _)) = best {
        moves.push(mv.to_string());
        position = position.play(mv).ok()?;
        best = table.probe(&position).ok()??.moves.first().copied();
    }
    (!moves.is_empty()).then(|| moves.join(" "))
}
