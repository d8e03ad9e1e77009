//! Results for people: diagrams, tables, numbers.

use std::fmt::Display;

use crate::board::{Cell, Size};
use crate::konane::{Position, Rules, Side};

/// Whether the person has not switched colours off (<https://no-color.org>).
pub(super) fn colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A number with its digits in groups: `1,234,567`.
pub(super) fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 node`, `1,234 nodes`.
pub(super) fn counted(number: impl Display, thing: &str) -> String {
    let number = thousands(number);
    let end = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{end}")
}

/// A number of plies: `1 ply`, `7 plies`.
pub(super) fn plies(number: impl Display) -> String {
    let number = number.to_string();
    if number == "1" { "1 ply".to_owned() } else { format!("{number} plies") }
}

/// The longest value shown to people; longer ones would help nobody.
const SHOWN: usize = 120;

/// A value for people: a text that is too long is only described.
pub(super) fn short(value: &str) -> String {
    let length = value.chars().count();
    if length <= SHOWN { value.to_owned() } else { format!("({length} characters, see --format json)") }
}

/// Text from outside, safe to print: control characters, and those that turn the direction of writing, are escaped.
pub(super) fn printable(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                safe.extend(letter.escape_unicode());
            }
            _ if letter.is_control() => safe.extend(letter.escape_debug()),
            _ => safe.push(letter),
        }
    }
    safe
}

/// [`printable`] text of several lines.
pub(super) fn printable_lines(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => format!("{}\n", printable(line)),
            None => printable(line),
        })
        .collect()
}

/// The rules in words, as results name them.
pub(super) fn rules(rules: &Rules) -> String {
    format!(
        "{} on the top-left cell, first removal {}, second removal {}",
        rules.top_left.title(),
        rules.first_removal,
        rules.second_removal
    )
}

/// A mark in a diagram: a letter that says everything, and a colour that says it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The letter.
    pub(super) letter: char,
    /// The number of an ANSI style; `None`: plain.
    pub(super) style: Option<&'static str>,
}

/// Styles that colour-blind people tell apart too.
pub(super) const BLUE: &str = "1;34";
/// See [`BLUE`]; the yellow of terminals is the orange of most colour schemes.
pub(super) const ORANGE: &str = "1;33";
/// See [`BLUE`].
pub(super) const GREY: &str = "2";

impl Mark {
    /// A mark without colour.
    pub(super) const fn plain(letter: char) -> Mark {
        Mark { letter, style: None }
    }

    /// Who wins by a removal: `B`, `W` or `?`.
    pub(super) const fn winner(winner: Option<Side>) -> Mark {
        match winner {
            Some(Side::Black) => Mark { letter: 'B', style: Some(BLUE) },
            Some(Side::White) => Mark { letter: 'W', style: Some(ORANGE) },
            None => Mark { letter: '?', style: Some(GREY) },
        }
    }

    /// The mark as text.
    pub(super) fn text(self, colours: bool) -> String {
        match self.style {
            Some(style) if colours => format!("\u{1b}[{style}m{}\u{1b}[0m", self.letter),
            _ => self.letter.to_string(),
        }
    }
}

/// A board with the numbers of its rows at the left and the letters of its columns below.
pub(super) fn diagram(size: Size, colours: bool, mark: impl Fn(Cell) -> Mark) -> String {
    let wide = Cell::column_letters(size.cols() - 1).len();
    let margin = size.rows().to_string().len();
    let mut text = String::new();
    for row in 0..size.rows() {
        text.push_str(&format!("  {:>margin$} ", size.rows() - row));
        for col in 0..size.cols() {
            text.push_str(&" ".repeat(wide));
            text.push_str(&mark(size.cell_at(row, col)).text(colours));
        }
        text.push('\n');
    }
    text.push_str(&" ".repeat(margin + 3));
    for col in 0..size.cols() {
        text.push_str(&format!(" {:>wide$}", Cell::column_letters(col)));
    }
    text.push('\n');
    text
}

/// The stones of a position as a diagram.
pub(super) fn position(position: &Position) -> String {
    diagram(position.size(), false, |cell| Mark::plain(position.stone(cell).map_or('.', Side::letter)))
}

/// A table whose columns are as wide as they must be.
#[derive(Clone, Debug)]
pub(super) struct Table {
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings; a heading that begins with a blank is of a column of numbers, which is set to the
    /// right.
    pub(super) fn new(headings: &[&str]) -> Table {
        Table {
            right: headings.iter().map(|heading| heading.starts_with(' ')).collect(),
            rows: vec![headings.iter().map(|heading| heading.trim().to_owned()).collect()],
        }
    }

    /// Adds a row, which has as many fields as there are headings.
    pub(super) fn row(&mut self, fields: Vec<String>) {
        self.rows.push(fields);
    }

    /// The table as lines, each two blanks in from the left.
    pub(super) fn text(&self) -> String {
        let width = |col: usize| self.rows.iter().map(|row| row[col].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let fields = row.iter().zip(&widths).zip(&self.right).map(|((field, width), right)| match right {
                true => format!("  {field:>width$}"),
                false => format!("  {field:<width$}"),
            });
            format!("{}\n", fields.collect::<String>().trim_end())
        };
        self.rows.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567")]
        {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn diagrams_have_coordinates_and_colours_only_on_demand() {
        let size: Size = "2x3".parse().unwrap();
        let mark = |cell: Cell| match cell.to_string().as_str() {
            "a2" => Mark::winner(Some(Side::White)),
            _ => Mark::plain('.'),
        };
        assert_eq!(diagram(size, false, mark), "  2  W . .\n  1  . . .\n     a b c\n");
        assert!(diagram(size, true, mark).starts_with("  2  \u{1b}[1;33mW\u{1b}[0m . .\n"));
    }

    #[test]
    fn tables_align() {
        let mut table = Table::new(&["move", " count"]);
        table.row(vec!["a1-a3".to_owned(), "5".to_owned()]);
        assert_eq!(table.text(), "  move   count\n  a1-a3      5\n");
    }
}
