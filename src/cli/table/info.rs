//! `papamu table info`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::tables::{Roots, TABLE_KIND, Table, winner};

use super::super::messages::Failure;
use super::super::options::{Format, OutputArgs};
use super::super::report::{csv_table, json_line};
use super::super::text::{self, thousands};
use super::super::{Console, Outcome};
use super::{failure, open};

/// What a table holds
///
/// Positions in all and by number of stones, who wins them, how long it takes, and the positions the table begins with. As CSV:
/// one row for each number of stones.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu table info 5x5.table
  papamu table info 5x5.table --format json")]
pub(in super::super) struct InfoArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

/// A position that the table begins with.
struct Root {
    name: String,
    winner: &'static str,
    remoteness: u8,
}

impl InfoArgs {
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let table = open(&self.file)?;
        let mut sink = self.output.open_apart([&*self.file])?;
        let roots = roots(&table)?;
        let bytes = match self.output.format {
            Format::Json => json(&table, &roots)?,
            Format::Csv => csv(&table),
            Format::Text => text(&table, &roots).into_bytes(),
        };
        sink.write(console, &bytes)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}

fn roots(table: &Table) -> Result<Vec<Root>, Failure> {
    let root = |(opening, position): (Option<crate::konane::Opening>, crate::konane::Position)| {
        let remoteness = table.remoteness(position.pack::<u64>().1).map_err(failure)?;
        let remoteness = remoteness.ok_or_else(|| super::missing(table, &position))?;
        let name = opening.map_or_else(|| position.to_string(), |opening| opening.to_string());
        Ok(Root { name, winner: winner(position.turn(), remoteness).name(), remoteness })
    };
    table.source().positions().into_iter().map(root).collect()
}

fn json(table: &Table, roots: &[Root]) -> Result<Vec<u8>, Failure> {
    let counts = table.counts();
    let layers: Vec<_> = table
        .layers()
        .into_iter()
        .map(|(stones, counts)| {
            json!({"stones": stones, "positions": counts.positions, "wins": counts.wins, "losses": counts.losses(),
                "longest": counts.longest()})
        })
        .collect();
    let roots: Vec<_> = roots
        .iter()
        .map(|root| json!({"name": root.name, "winner": root.winner, "remoteness": root.remoteness}))
        .collect();
    let rules = match table.source().roots() {
        Roots::Openings(rules, _) => json!(rules),
        Roots::Position(_) => json!({"top_left": table.source().top_left()}),
    };
    json_line(&json!({
        "game": "konane", "file": table.path().display().to_string(), "kind": TABLE_KIND.tag(),
        "board": table.source().size().to_string(), "rules": rules, "roots": roots, "positions": counts.positions,
        "wins": counts.wins, "losses": counts.losses(), "longest": counts.longest(),
        "remoteness": counts.remoteness, "layers": layers, "checksum": checksum(table), "bytes": table.file_len(),
        "version": table.version()
    }))
}

fn checksum(table: &Table) -> String {
    format!("{:032x}", table.checksum())
}

fn csv(table: &Table) -> Vec<u8> {
    let rows = table.layers().into_iter().map(|(stones, counts)| {
        let longest = counts.longest().map_or_else(String::new, |longest| longest.to_string());
        let numbers = [stones.into(), counts.positions, counts.wins, counts.losses()];
        numbers.iter().map(ToString::to_string).chain([longest]).collect()
    });
    csv_table(&["stones", "positions", "wins", "losses", "longest"], rows)
}

fn text(table: &Table, roots: &[Root]) -> String {
    let counts = table.counts();
    let source = table.source();
    let plies = |count: Option<u8>| count.map_or_else(String::new, text::plies);
    let mut text = format!("{}: {}\n\n", table.path().display(), source.describe());
    let bytes = table.file_len();
    text += &format!(
        "{} positions: the side to move wins {} and loses {}; the longest win takes {}\n",
        thousands(counts.positions),
        thousands(counts.wins),
        thousands(counts.losses()),
        plies(counts.longest()),
    );
    text += &format!(
        "{} bytes, {:.2} a position; checksum of the body {}; written by papamu {}\n\n",
        thousands(bytes),
        bytes as f64 / counts.positions.max(1) as f64,
        checksum(table),
        table.version()
    );
    let mut begins = text::Table::new(&["begins with", "winner", " plies"]);
    for root in roots {
        begins.row(vec![root.name.clone(), root.winner.to_owned(), root.remoteness.to_string()]);
    }
    text += &format!("{}\n", begins.text());
    let mut layers = text::Table::new(&[" stones", " positions", " won", " lost", " longest"]);
    for (stones, counts) in table.layers() {
        layers.row(vec![
            stones.to_string(),
            thousands(counts.positions),
            thousands(counts.wins),
            thousands(counts.losses()),
            counts.longest().map_or_else(String::new, |longest| longest.to_string()),
        ]);
    }
    text += &format!("{}\n", layers.text());
    let mut lengths = text::Table::new(&[" remoteness", " positions"]);
    for (value, &count) in counts.remoteness.iter().enumerate() {
        lengths.row(vec![value.to_string(), thousands(count)]);
    }
    text + &lengths.text()
}
