//! Pictures of boards as SVG: a position, the removals of a solved board, an analysed position.
//!
//! Colours are those that colour-blind people tell apart (blue and orange of Okabe and Ito), and every mark has a shape or
//! a letter too, so that a picture in black and white says the same.

use std::fmt::Write;
use std::path::Path;

use crate::board::{Cell, CellSet, Size, Wide};
use crate::container::is_same_file;
use crate::konane::{Field, Ply, Position, Rules, Side};
use crate::play::Analysis;
use crate::search::BoardAnswer;

use super::Console;
use super::messages::Failure;
use super::output::Sink;

const STEP: f64 = 48.0;
const MARGIN: f64 = 36.0;
const TITLE: f64 = 30.0;
const LEGEND: f64 = 34.0;

const BLUE: &str = "#0072B2";
const ORANGE: &str = "#D55E00";
const GREY: &str = "#666666";

/// Opens the file of `--svg`, so that an unwritable one is known before the work begins. The results must go elsewhere.
pub(super) fn open(file: Option<&Path>, results: &Sink) -> Result<Option<Sink>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let svg = Sink::open_for("--svg", file)?;
    match (&svg, results) {
        (Sink::File { place, .. }, Sink::File { place: other, .. }) if is_same_file(place.target(), other.target()) => {
            Err(Failure::usage(format_args!("--svg {}", file.display()), "expected another file than that of --output"))
        }
        // Text and picture on one stream could not be told apart.
        (Sink::Stdout, Sink::Stdout) => {
            Err(Failure::usage("--svg -", "the results go to standard output: give a file, or --output FILE"))
        }
        _ => Ok(Some(svg)),
    }
}

/// Draws into the file of `--svg`, if there is one.
pub(super) fn write(
    svg: Option<Sink>,
    console: &mut Console<'_>,
    draw: impl FnOnce() -> String,
) -> Result<(), Failure> {
    let Some(mut sink) = svg else { return Ok(()) };
    sink.write(console, draw().as_bytes())?;
    sink.finish()
}

/// Who wins by the best move to a cell (or by the removal of the stone there); `None`: no move goes there.
pub(super) fn best_at(analysis: &Analysis, cell: Cell) -> Option<Option<Side>> {
    // Best first.
    let row = analysis.moves.iter().find(|row| match row.ply {
        Ply::Removal(removed) => removed == cell,
        Ply::Move(mv) => mv.to == cell,
    })?;
    Some(row.winner)
}

/// A badge of the legend: its sign, its colour, its meaning.
type Sign = (&'static str, &'static str, &'static str);

const WINNERS: [Sign; 3] = [("B", BLUE, "Black wins"), ("W", ORANGE, "White wins"), ("?", GREY, "unknown")];
const RESULTS: [Sign; 3] = [("+", BLUE, "wins"), ("−", ORANGE, "loses"), ("?", GREY, "unknown")];

/// Room for a badge of the legend and its words.
fn sign_width(words: &str) -> f64 {
    44.0 + 8.0 * words.chars().count() as f64
}

/// A board being drawn.
struct Board {
    size: Size,
    svg: String,
}

impl Board {
    /// `about` names the board and its rules for programs and readers of the file.
    fn new(size: Size, title: &str, about: &str, legend: &[Sign]) -> Board {
        let (width, height) = (size.cols() as f64 * STEP + 2.0 * MARGIN, size.rows() as f64 * STEP + 2.0 * MARGIN);
        // A narrow board must still have room for the words around it.
        let words = legend.iter().map(|&(_, _, words)| sign_width(words)).sum::<f64>();
        let full = width.max(title.chars().count() as f64 * 8.0 + 2.0 * MARGIN).max(words + 2.0 * MARGIN);
        let tall = height + TITLE + if legend.is_empty() { 0.0 } else { LEGEND };
        let mut board = Board {
            size,
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full} {tall}\" width=\"{full}\" height=\"{tall}\" \
                 font-family=\"sans-serif\" font-size=\"14\">\n<title>{title}</title>\n<desc>{about}</desc>\n\
                 <rect width=\"{full}\" height=\"{tall}\" fill=\"white\"/>\n"
            ),
        };
        board.words(MARGIN, 24.0, title);
        let (wide, high) = (size.cols() as f64 * STEP, size.rows() as f64 * STEP);
        board.element(format_args!(
            "<rect x=\"{MARGIN}\" y=\"{}\" width=\"{wide}\" height=\"{high}\" fill=\"#f4efe6\" stroke=\"#444\"/>",
            TITLE + MARGIN
        ));
        for row in 0..size.rows() {
            let (_, y) = board.centre(size.cell_at(row, 0));
            board.label(MARGIN / 2.0, y + 5.0, &(size.rows() - row).to_string());
        }
        for col in 0..size.cols() {
            let (x, _) = board.centre(size.cell_at(0, col));
            board.label(x, TITLE + height - MARGIN / 2.0 + 5.0, &Cell::column_letters(col));
        }
        board
    }

    fn element(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.svg, "{text}");
    }

    fn words(&mut self, x: f64, y: f64, text: &str) {
        self.element(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"));
    }

    fn label(&mut self, x: f64, y: f64, text: &str) {
        self.element(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#444\">{text}</text>"
        ));
    }

    fn centre(&self, cell: Cell) -> (f64, f64) {
        let row = self.size.rows() - 1 - cell.row();
        (MARGIN + (cell.col() as f64 + 0.5) * STEP, TITLE + MARGIN + (row as f64 + 0.5) * STEP)
    }

    fn stone(&mut self, cell: Cell, side: Option<Side>) {
        let (x, y) = self.centre(cell);
        let fill = match side {
            Some(Side::Black) => "#222",
            Some(Side::White) => "#fff",
            None => {
                return self.element(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#c8bfae\"/>"));
            }
        };
        let r = STEP * 0.38;
        self.element(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r:.1}\" fill=\"{fill}\" stroke=\"#222\" stroke-width=\"1.5\"/>"
        ));
    }

    fn stones(&mut self, position: &Position) {
        for cell in self.size.all_cells() {
            self.stone(cell, position.stone(cell));
        }
    }

    /// A badge with a sign at a place.
    fn badge(&mut self, (x, y): (f64, f64), sign: &str, colour: &str) {
        self.element(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"{colour}\" stroke=\"white\" stroke-width=\"1.5\"/>\
             <text x=\"{x}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"white\">{sign}</text>",
            y + 5.0
        ));
    }

    /// The meaning of the badges, below the board.
    fn legend(&mut self, signs: &[Sign]) {
        let y = TITLE + self.size.rows() as f64 * STEP + 2.0 * MARGIN + 8.0;
        let mut x = MARGIN + 11.0;
        for (sign, colour, words) in signs {
            self.badge((x, y), sign, colour);
            self.words(x + 18.0, y + 5.0, words);
            x += sign_width(words);
        }
    }

    fn finish(self) -> String {
        self.svg + "</svg>\n"
    }
}

/// A badge by the winner.
fn by_winner(winner: Option<Side>) -> (&'static str, &'static str) {
    let [black, white, unknown] = WINNERS.map(|(sign, colour, _)| (sign, colour));
    match winner {
        Some(Side::Black) => black,
        Some(Side::White) => white,
        None => unknown,
    }
}

/// A badge by the result for the side that moves.
fn by_result(winner: Option<Side>, turn: Side) -> (&'static str, &'static str) {
    let [wins, loses, unknown] = RESULTS.map(|(sign, colour, _)| (sign, colour));
    match winner {
        Some(side) if side == turn => wins,
        Some(_) => loses,
        None => unknown,
    }
}

/// What a picture of a position is of.
fn about(position: &Position) -> String {
    let top_left = position.top_left().title();
    format!("Kōnane {} with {top_left} on the top-left cell: {position}", position.size())
}

/// A position, and who wins it if that was asked.
pub(super) fn position(position: &Position, winner: Option<Option<Side>>) -> String {
    let turn = position.turn().title();
    let title = match winner {
        None => format!("{turn} to move"),
        Some(None) => format!("{turn} to move, who wins is unknown"),
        Some(Some(side)) => format!("{turn} to move, {} wins", side.title()),
    };
    let mut board = Board::new(position.size(), &title, &about(position), &[]);
    board.stones(position);
    board.finish()
}

/// A solved board: who wins after each first removal.
pub(super) fn removals(size: Size, rules: &Rules, answer: &BoardAnswer) -> String {
    let title = match answer.winner {
        Some(side) => format!("{size}: {} wins; after Black's first removal:", side.title()),
        None => format!("{size}: who wins is unknown; after Black's first removal:"),
    };
    let mut board = Board::new(size, &title, &format!("Kōnane {size}: {}", super::text::rules(rules)), &WINNERS);
    let black = Field::<Wide>::new(size, rules.top_left).cells_of(Side::Black);
    for (index, cell) in size.all_cells().enumerate() {
        board.stone(cell, Some(if black.contains(index) { Side::Black } else { Side::White }));
    }
    for row in &answer.removals {
        let (sign, colour) = by_winner(row.winner);
        board.badge(board.centre(row.black), sign, colour);
    }
    board.legend(&WINNERS);
    board.finish()
}

/// An analysed position: its moves as arrows, with what they are worth.
pub(super) fn analysis(analysis: &Analysis) -> String {
    let (position, turn) = (&analysis.position, analysis.position.turn());
    let title = match (analysis.winner, analysis.remoteness) {
        (Some(side), Some(plies)) => {
            format!("{} to move, {} wins in {}", turn.title(), side.title(), super::text::plies(plies))
        }
        (Some(side), None) => format!("{} to move, {} wins", turn.title(), side.title()),
        (None, _) => format!("{} to move, who wins is unknown", turn.title()),
    };
    let mut board = Board::new(position.size(), &title, &about(position), &RESULTS);
    board.stones(position);
    // Worst first, so that the best moves lie on top.
    for row in analysis.moves.iter().rev() {
        let Ply::Move(mv) = row.ply else { continue };
        let (_, colour) = by_result(row.winner, turn);
        let dashes = match row.winner {
            Some(side) if side == turn => "",
            Some(_) => " stroke-dasharray=\"9 5\"",
            None => " stroke-dasharray=\"2 5\"",
        };
        let ((x1, y1), (x2, y2)) = (board.centre(mv.from), board.centre(mv.to));
        board.element(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" stroke-width=\"5\" \
             stroke-linecap=\"round\"{dashes}/>"
        ));
        board.element(format_args!("<circle cx=\"{x1}\" cy=\"{y1}\" r=\"5\" fill=\"{colour}\" stroke=\"white\"/>"));
    }
    for cell in position.size().all_cells() {
        if let Some(winner) = best_at(analysis, cell) {
            let (sign, colour) = by_result(winner, turn);
            board.badge(board.centre(cell), sign, colour);
        }
    }
    board.legend(&RESULTS);
    board.finish()
}
