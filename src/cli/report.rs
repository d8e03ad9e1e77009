//! The shape of results for programs: the JSON objects and the rows of CSV.
//!
//! The names and the order of the keys are a promise; new keys may be added.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::board::Size;
use crate::konane::{Move, Position, Rules, Side};
use crate::run::{MemorySize, StopReason};
use crate::search::{Answer, BoardAnswer, Engine, Line};

use super::messages::Failure;
use super::options::engine_name;
use super::text;

/// The version as results name it.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A winner, or `unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict(pub(super) Option<Side>);

impl Verdict {
    /// `black`, `white` or `unknown`.
    pub(super) fn name(self) -> &'static str {
        self.0.map_or("unknown", Side::name)
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Seconds to the microsecond.
pub(super) fn seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

/// What `stopped` says.
pub(super) const fn stop_name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Requested => "interrupted",
        StopReason::Time => "time-limit",
        StopReason::Nodes => "node-limit",
    }
}

/// How a board was solved, as far as the answer itself does not tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    /// Worker threads.
    pub(super) threads: usize,
    /// Which search.
    pub(super) engine: Engine,
    /// Bytes of the table.
    pub(super) table: MemorySize,
    /// The part of the table in use, 0 to 1, estimated.
    pub(super) table_fill: f64,
    /// Nodes of the whole run.
    pub(super) nodes: u64,
    /// Wall time of the whole run.
    pub(super) time: Duration,
    /// Why the run ended early, if it did.
    pub(super) stopped: Option<StopReason>,
}

/// `solve RxC`.
#[derive(Debug, Serialize)]
pub(super) struct BoardReport {
    game: &'static str,
    board: String,
    rules: Rules,
    winner: Verdict,
    removals: Vec<RemovalReport>,
    openings: Vec<OpeningReport>,
    threads: usize,
    version: &'static str,
    engine: &'static str,
    nodes: u64,
    seconds: f64,
    stopped: Option<&'static str>,
    table_bytes: u64,
    table_fill: f64,
}

#[derive(Debug, Serialize)]
struct RemovalReport {
    black: String,
    winner: Verdict,
    winning_replies: Vec<String>,
}

#[derive(Debug, Serialize)]
struct OpeningReport {
    black: String,
    white: String,
    winner: Verdict,
    nodes: u64,
    seconds: f64,
}

impl BoardReport {
    /// The report of an answer.
    pub(super) fn new(size: Size, rules: Rules, answer: &BoardAnswer, how: Circumstances) -> BoardReport {
        let removals = answer.removals.iter().map(|removal| RemovalReport {
            black: removal.black.to_string(),
            winner: Verdict(removal.winner),
            winning_replies: removal.winning_replies.iter().map(ToString::to_string).collect(),
        });
        let openings = answer.openings.iter().map(|row| OpeningReport {
            black: row.opening.black.to_string(),
            white: row.opening.white.to_string(),
            winner: Verdict(row.answer.winner),
            nodes: row.answer.nodes,
            seconds: seconds(row.answer.time),
        });
        BoardReport {
            game: "konane",
            board: size.to_string(),
            rules,
            winner: Verdict(answer.winner),
            removals: removals.collect(),
            openings: openings.collect(),
            threads: how.threads,
            version: VERSION,
            engine: engine_name(how.engine),
            nodes: how.nodes,
            seconds: seconds(how.time),
            stopped: how.stopped.map(stop_name),
            table_bytes: how.table.bytes(),
            table_fill: (how.table_fill * 1e4).round() / 1e4,
        }
    }

    /// One row for each opening.
    pub(super) fn csv(&self) -> Vec<u8> {
        let header =
            ["board", "top_left", "first_removal", "second_removal", "black", "white", "winner", "nodes", "seconds"];
        let rows = self.openings.iter().map(|row| {
            vec![
                self.board.clone(),
                self.rules.top_left.to_string(),
                self.rules.first_removal.to_string(),
                self.rules.second_removal.to_string(),
                row.black.clone(),
                row.white.clone(),
                row.winner.name().to_owned(),
                row.nodes.to_string(),
                row.seconds.to_string(),
            ]
        });
        csv_table(&header, rows)
    }
}

/// One position of `solve --position` or `--positions`.
#[derive(Debug, Serialize)]
pub(super) struct PositionReport {
    game: &'static str,
    position: String,
    turn: char,
    winner: Verdict,
    line: Vec<Move>,
    nodes: u64,
    seconds: f64,
    line_complete: bool,
}

impl PositionReport {
    /// The header of [`PositionReport::csv_row`].
    pub(super) const CSV_HEADER: [&'static str; 6] = ["position", "turn", "winner", "line", "nodes", "seconds"];

    /// The report of an answer and a line of best play.
    pub(super) fn new(position: &Position, answer: Answer, line: Line) -> PositionReport {
        PositionReport {
            game: "konane",
            position: position.board_text(),
            turn: position.turn().letter(),
            winner: Verdict(answer.winner),
            line: line.moves,
            nodes: answer.nodes + line.nodes,
            seconds: seconds(answer.time),
            line_complete: line.complete,
        }
    }

    /// Whether the winner and the whole line are there.
    pub(super) fn is_complete(&self) -> bool {
        self.line_complete
    }

    /// Expansions for the answer and the line.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The line of best play, the moves separated by blanks.
    pub(super) fn line_text(&self) -> String {
        self.line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The report as a row of CSV.
    pub(super) fn csv_row(&self) -> Vec<u8> {
        let row = [
            self.position.clone(),
            self.turn.to_string(),
            self.winner.name().to_owned(),
            self.line_text(),
            self.nodes.to_string(),
            self.seconds.to_string(),
        ];
        csv_line(&row)
    }
}

/// A position with every move judged: `analyze` and `table probe`.
#[derive(Debug, Serialize)]
pub(super) struct MovesReport {
    position: String,
    turn: char,
    winner: Verdict,
    remoteness: Option<u32>,
    moves: Vec<MoveReport>,
}

/// One move of it; the remoteness counts from before the move.
#[derive(Debug, Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: Move,
    winner: Verdict,
    remoteness: Option<u32>,
}

impl MovesReport {
    /// The header of [`MovesReport::csv`].
    pub(super) const CSV_HEADER: [&'static str; 5] = ["position", "turn", "move", "winner", "remoteness"];

    /// The report of a position and its moves, best first, each with who wins and in how many plies where that is known.
    pub(super) fn new(
        position: &Position,
        (winner, remoteness): (Option<Side>, Option<u32>),
        moves: impl Iterator<Item = (Move, (Option<Side>, Option<u32>))>,
    ) -> MovesReport {
        let judged = |(mv, (winner, remoteness))| MoveReport { mv, winner: Verdict(winner), remoteness };
        MovesReport {
            position: position.board_text(),
            turn: position.turn().letter(),
            winner: Verdict(winner),
            remoteness,
            moves: moves.map(judged).collect(),
        }
    }

    /// One row for each move.
    pub(super) fn csv(&self) -> Vec<u8> {
        let plies = |remoteness: Option<u32>| remoteness.map_or_else(String::new, |remoteness| remoteness.to_string());
        if self.moves.is_empty() {
            // A row all the same: it says who has won.
            let (position, turn) = (self.position.clone(), self.turn.to_string());
            let winner = self.winner.name().to_owned();
            return csv_line(&[position, turn, String::new(), winner, plies(self.remoteness)]);
        }
        let rows = self.moves.iter().map(|row| {
            csv_line(&[
                self.position.clone(),
                self.turn.to_string(),
                row.mv.to_string(),
                row.winner.name().to_owned(),
                plies(row.remoteness),
            ])
        });
        rows.flatten().collect()
    }

    /// The moves as a table.
    pub(super) fn table(&self) -> String {
        let mut lines = text::Table::new(&["move", "winner", " plies"]);
        for row in &self.moves {
            let plies = row.remoteness.map_or_else(|| "?".to_owned(), |remoteness| remoteness.to_string());
            lines.row(vec![row.mv.to_string(), row.winner.name().to_owned(), plies]);
        }
        lines.text()
    }
}

/// One JSON object on a line of its own.
pub(super) fn json_line(object: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut bytes = serde_json::to_vec(object).map_err(|error| Failure::Run(format!("cannot write JSON: {error}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A header and rows of CSV.
pub(super) fn csv_table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    rows.fold(csv_line(header), |mut bytes, row| {
        bytes.extend(csv_line(&row));
        bytes
    })
}

/// One row of CSV, quoted where it must be.
pub(super) fn csv_line(fields: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Neither can fail: the writer has one record, and a vector takes everything.
    let _ = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}
