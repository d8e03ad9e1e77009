//! `papamu table export`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::tables::{Export, Roots, Table, TableError, export};

use super::super::messages::{Failure, stopped};
use super::super::options::{Format, OutputArgs, ThreadArgs, TimeArgs};
use super::super::output::Sink;
use super::super::progress::with_progress;
use super::super::report::{csv_line, json_line};
use super::super::{Console, Outcome};
use super::{failure, open};

/// Write every position of a table as text
///
/// As CSV (the default): a line that begins with # and names the board and the rules, a line with the names of the columns, then
/// a row for each position. As JSON: an object that names the board and the rules, then one for each position, one a line.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu table export 5x5.table -o 5x5.csv
  papamu table export 5x5.table --format json --zstd -o 5x5.jsonl.zst

In Python:
  pandas.read_csv('5x5.csv', comment='#')
  pandas.read_json('5x5.jsonl', lines=True).iloc[1:]")]
pub(in super::super) struct ExportArgs {
    /// The table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Compress the output (Zstandard); `zstd -d` and pandas read it.
    #[arg(long, help_heading = "Output")]
    zstd: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    limits: TimeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// The way of the bytes: through a compressor or not.
enum Out {
    Plain(Vec<u8>),
    Zstd(zstd::Encoder<'static, Vec<u8>>),
}

/// Bytes that are gathered before they are written.
const CHUNK: usize = 1 << 16;

impl Out {
    fn new(compress: bool) -> io::Result<Out> {
        Ok(if compress { Out::Zstd(zstd::Encoder::new(Vec::new(), 0)?) } else { Out::Plain(Vec::new()) })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Out::Plain(buffer) => buffer.write_all(bytes),
            Out::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    /// What is ready to be written, once it is worth it.
    fn ready(&mut self) -> Vec<u8> {
        let buffer = match self {
            Out::Plain(buffer) => buffer,
            Out::Zstd(encoder) => encoder.get_mut(),
        };
        if buffer.len() < CHUNK { Vec::new() } else { std::mem::take(buffer) }
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Out::Plain(buffer) => Ok(buffer),
            Out::Zstd(encoder) => encoder.finish(),
        }
    }
}

/// Why the rows ended.
enum Ended {
    Table(TableError),
    Failure(Failure),
}

impl From<TableError> for Ended {
    fn from(error: TableError) -> Ended {
        Ended::Table(error)
    }
}

impl ExportArgs {
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let table = open(&self.file)?;
        let mut sink = self.output.open_apart([&*self.file])?;
        let pool = self.threads.pool()?;
        let control = self.limits.control();
        let json = self.output.format == Format::Json;
        let row = move |row: &Export, bytes: &mut Vec<u8>| {
            // Neither a vector nor a row of plain fields can fail.
            if json {
                let _ = serde_json::to_writer(&mut *bytes, row);
                bytes.push(b'\n');
            } else {
                let Export { position, turn, winner, remoteness, stones } = row;
                let _ = writeln!(bytes, "{position},{turn},{winner},{remoteness},{stones}");
            }
        };
        let broken = |error: io::Error| Failure::Run(format!("cannot compress: {error}"));
        let mut out = Out::new(self.zstd).map_err(broken)?;
        out.write(&head(&table, json)?).map_err(broken)?;
        let show = self.output.progress(console) && !(console.stdout_is_terminal && sink.is_stdout());
        let ended = with_progress(show, &control, || {
            // Printing is the calling thread's part.
            let mut each = |bytes: &[u8]| {
                out.write(bytes).map_err(broken)?;
                put(console, &mut sink, &out.ready())
            };
            export(&table, &pool, &control, &row, &mut |bytes| each(bytes).map_err(Ended::Failure))
        });
        match ended {
            Ok(()) => {}
            Err(Ended::Failure(failure)) => return Err(failure),
            // A part of a table would be taken for all of it: a file does not appear.
            Err(Ended::Table(TableError::Stopped(_))) => {
                return Ok(stopped(console, self.output.quiet, &control, "not everything is written"));
            }
            Err(Ended::Table(error)) => return Err(failure(error)),
        }
        put(console, &mut sink, &out.finish().map_err(broken)?)?;
        sink.finish()?;
        Ok(Outcome::Complete)
    }
}

fn put(console: &mut Console<'_>, sink: &mut Sink, bytes: &[u8]) -> Result<(), Failure> {
    if bytes.is_empty() { Ok(()) } else { sink.write(console, bytes) }
}

/// What comes before the rows.
fn head(table: &Table, json: bool) -> Result<Vec<u8>, Failure> {
    let source = table.source();
    if json {
        let (rules, openings) = match source.roots() {
            Roots::Openings(rules, openings) => (json!(rules), openings.iter().map(ToString::to_string).collect()),
            Roots::Position(_) => (json!({"top_left": source.top_left()}), Vec::new()),
        };
        let positions = table.counts().positions;
        return json_line(&json!({"game": "konane", "board": source.size().to_string(), "rules": rules,
            "openings": openings, "positions": positions, "version": table.version()}));
    }
    let mut bytes = format!("# Konane {}; {} positions\n", source.describe(), table.counts().positions).into_bytes();
    bytes.extend(csv_line(&["position", "turn", "winner", "remoteness", "stones"]));
    Ok(bytes)
}
