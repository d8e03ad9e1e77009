//! The shape of KOTA's results for programs, and the words for people.
//!
//! The names and the order of the keys are a promise; new keys may be added.

use serde::{Serialize, Serializer};

use crate::kota::{Analysis, Judged, Kota, Move, Outcome, Position, Rules, Side, Value};

use super::super::text::{self, Table};

/// An outcome and a depth as results name them; `None` is unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known(pub(super) Option<Value>);

impl Known {
    /// `win`, `draw`, `loss` or `unknown`.
    pub(super) fn outcome(self) -> &'static str {
        self.0.map_or("unknown", |value| value.outcome.name())
    }

    /// The depth, where there is one.
    pub(super) fn depth(self) -> Option<u16> {
        self.0.and_then(|value| value.depth)
    }

    /// For people: `win in 5`.
    pub(super) fn text(self) -> String {
        match self.depth() {
            Some(depth) => format!("{} in {depth}", self.outcome()),
            None => self.outcome().to_owned(),
        }
    }

    /// For people, with the side: `Red wins in 5 plies`.
    pub(super) fn sentence(self, turn: Side) -> String {
        let plies = match self.depth() {
            None => String::new(),
            Some(depth) => format!(" in {}", text::plies(depth)),
        };
        match self.0.map(|value| value.outcome) {
            None => "Unknown".to_owned(),
            Some(Outcome::Draw) => "Draw".to_owned(),
            Some(Outcome::Win) => format!("{} wins{plies}", turn.title()),
            Some(Outcome::Loss) => format!("{} wins{plies}", turn.other().title()),
        }
    }
}

impl Serialize for Known {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StartReport { outcome: self.outcome(), depth: self.depth() }.serialize(serializer)
    }
}

#[derive(Serialize)]
struct StartReport {
    outcome: &'static str,
    depth: Option<u16>,
}

/// A reading of the rules in words.
pub(super) fn rules(rules: &Rules) -> String {
    format!(
        "board {}, own stones {}, path {}, stuck {}, layout {}{}, {} starts",
        rules.board,
        rules.own_stones,
        rules.path,
        rules.stuck,
        rules.layout,
        if rules.reversed { " reversed" } else { "" },
        rules.start.title()
    )
}

/// Moves separated by blanks.
pub(super) fn line(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// `kota analyze` and `kota table probe`.
#[derive(Debug, Serialize)]
pub(super) struct PositionReport {
    game: &'static str,
    n: usize,
    rules: Rules,
    position: String,
    turn: Side,
    outcome: &'static str,
    depth: Option<u16>,
    moves: Vec<MoveReport>,
    line: Vec<Move>,
}

#[derive(Debug, Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: Move,
    outcome: &'static str,
    depth: Option<u16>,
}

impl PositionReport {
    /// The report of an analysed position and a line of best play.
    pub(super) fn new(kota: &Kota, position: &Position, analysis: &Analysis, line: Vec<Move>) -> PositionReport {
        let moves = analysis.moves.iter().map(|&Judged { mv, value }| MoveReport {
            mv,
            outcome: Known(value).outcome(),
            depth: Known(value).depth(),
        });
        PositionReport {
            game: "kota",
            n: kota.n(),
            rules: *kota.rules(),
            position: position.to_string(),
            turn: position.turn(),
            outcome: Known(analysis.value).outcome(),
            depth: Known(analysis.value).depth(),
            moves: moves.collect(),
            line,
        }
    }

    /// The header of [`PositionReport::csv`].
    pub(super) const CSV_HEADER: [&'static str; 6] = ["n", "rules", "position", "move", "outcome", "depth"];

    /// One row for each move.
    pub(super) fn csv(&self) -> Vec<u8> {
        let rows = self.moves.iter().map(|row| {
            let depth = row.depth.map_or(String::new(), |depth| depth.to_string());
            let fixed = [self.n.to_string(), self.rules.to_string(), self.position.clone()];
            super::super::report::csv_line(&[&fixed[..], &[row.mv.to_string(), row.outcome.to_owned(), depth]].concat())
        });
        rows.flatten().collect()
    }
}

/// The moves of a position, judged for the side that makes them.
pub(super) fn moves_table(analysis: &Analysis) -> String {
    let mut table = Table::new(&["move", "for the mover"]);
    for judged in &analysis.moves {
        table.row(vec![judged.mv.to_string(), Known(judged.value).text()]);
    }
    table.text()
}
