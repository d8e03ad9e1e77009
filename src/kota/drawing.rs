//! Boards as pictures: characters for a terminal, and SVG.

use std::fmt::Write;

use super::{Board, Cell, Position, Side};

/// A board in characters: each cell is a stone's letter and number, or a dot; neighbours on slanted lines are half a cell off, as
/// on the board. With `colours`, Red's stones are red and White's bold.
pub fn text(board: Board, position: &Position, colours: bool) -> String {
    let n = position.n();
    let label = |cell: Cell| position.stone_at(cell).map_or("·".to_owned(), |stone| stone.to_string());
    // A cell takes this many columns, and a half cell half of it.
    let wide = if n >= 10 { 6 } else { 4 };
    // Each line is a list of (column, what stands there, whose).
    let mut lines: Vec<Vec<(usize, String, Option<Side>)>> = Vec::new();
    let margin = if n >= 10 { 4 } else { 3 };
    for down in 0..n {
        let row = (n - 1 - down) as u8;
        let number = |text: &mut Vec<_>| text.push((margin - 2, format!("{:>1$}", row + 1, margin - 2), None));
        let cells = (0..n as u8).map(|col| {
            let cell = Cell { col, row };
            (usize::from(col), label(cell), position.stone_at(cell).map(|stone| stone.side))
        });
        match board {
            Board::FlatColumns => {
                let (mut upper, mut lower) = (Vec::new(), Vec::new());
                number(&mut upper);
                for (col, text, side) in cells {
                    (if col % 2 == 0 { &mut upper } else { &mut lower }).push((
                        margin + col * wide * 3 / 4,
                        text,
                        side,
                    ));
                }
                lines.extend([upper, lower]);
            }
            Board::Rhombus | Board::OffsetRows => {
                let shift = if board == Board::Rhombus { down * wide / 2 } else { down % 2 * wide / 2 };
                let mut line = Vec::new();
                number(&mut line);
                line.extend(cells.map(|(col, text, side)| (margin + shift + col * wide, text, side)));
                lines.push(line);
            }
        }
    }
    let shift = if board == Board::Rhombus { (n - 1) * wide / 2 } else { 0 };
    let step = if board == Board::FlatColumns { wide * 3 / 4 } else { wide };
    let letters = (0..n).map(|col| (margin + shift + col * step, char::from(b'a' + col as u8).to_string(), None));
    lines.push(letters.collect());
    let mut drawing = String::new();
    for line in lines {
        let mut at = 0;
        for (column, text, side) in line {
            let start = if side.is_none() && column < margin { 0 } else { column };
            drawing.push_str(&" ".repeat(start.saturating_sub(at)));
            at = start.max(at) + text.chars().count();
            match side {
                Some(Side::Red) if colours => _ = write!(drawing, "\u{1b}[1;31m{text}\u{1b}[0m"),
                Some(Side::White) if colours => _ = write!(drawing, "\u{1b}[1m{text}\u{1b}[0m"),
                _ => drawing.push_str(&text),
            }
        }
        drawing.push('\n');
    }
    drawing
}

/// A board as a picture in SVG, with the names of the cells as tooltips.
pub fn svg(board: Board, position: &Position) -> String {
    let n = position.n();
    let (radius, slant) = (30.0, 0.75_f64.sqrt());
    let apart = radius * 2.0 * slant;
    let half = |number: usize| (number % 2) as f64 / 2.0;
    let centre = |col: usize, down: usize| {
        let (x, y) = (col as f64, down as f64);
        match board {
            Board::FlatColumns => (x * slant, y + half(col)),
            Board::Rhombus => (x + y / 2.0, y * slant),
            Board::OffsetRows => (x + half(down), y * slant),
        }
    };
    let last = (n - 1) as f64;
    let (right, bottom) = match board {
        Board::FlatColumns => (last * slant, last + 0.5),
        Board::Rhombus => (last * 1.5, last * slant),
        Board::OffsetRows => (last + 0.5, last * slant),
    };
    let border = radius + 10.0;
    let (width, height) = (right * apart + 2.0 * border, bottom * apart + 2.0 * border);
    let turn = if board == Board::FlatColumns { 0.0 } else { 30.0 };
    let corners = |x: f64, y: f64| {
        let corner = |at: u32| {
            let angle = (f64::from(at) * 60.0 + turn).to_radians();
            format!("{:.1},{:.1}", x + radius * angle.cos(), y + radius * angle.sin())
        };
        (0..6).map(corner).collect::<Vec<_>>().join(" ")
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"18\" text-anchor=\"middle\">\n<title>{position}</title>\n<desc>KOTA {n}, board {board}</desc>\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/>\n"
    );
    for down in 0..n {
        for col in 0..n {
            let cell = Cell { col: col as u8, row: (n - 1 - down) as u8 };
            let (x, y) = centre(col, down);
            let (x, y) = (x * apart + border, y * apart + border);
            let fill = match down {
                0 => "#dde6f2",
                _ if down == n - 1 => "#f2dddd",
                _ => "#f6f2e4",
            };
            let _ = writeln!(
                svg,
                "<g><title>{cell}</title><polygon points=\"{}\" fill=\"{fill}\" stroke=\"#777\"/>",
                corners(x, y)
            );
            if let Some(stone) = position.stone_at(cell) {
                let (fill, ink) = if stone.side == Side::Red { ("#c22", "#fff") } else { ("#fff", "#000") };
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"18\" fill=\"{fill}\" stroke=\"#000\"/><text x=\"{x:.1}\" \
                     y=\"{:.1}\" fill=\"{ink}\">{}</text>",
                    y + 6.5,
                    stone.number
                );
            }
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9\" fill=\"#777\">{cell}</text>",
                y + radius * 0.82
            );
            svg.push_str("</g>\n");
        }
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::super::{Kota, Rules};
    use super::*;

    fn start(board: Board, n: usize) -> Position {
        Kota::new(Rules { board, ..Rules::default() }, n).unwrap().start()
    }

    #[test]
    fn boards_look_like_this() {
        let drawn = |board| text(board, &start(board, 3), false);
        assert_eq!(
            drawn(Board::FlatColumns),
            "3  W3    W1\n      W2\n2  ·     ·\n      ·\n1  R1    R3\n      R2\n   a  b  c\n"
        );
        assert_eq!(drawn(Board::Rhombus), "3  W3  W2  W1\n2    ·   ·   ·\n1      R1  R2  R3\n       a   b   c\n");
        assert_eq!(drawn(Board::OffsetRows), "3  W3  W2  W1\n2    ·   ·   ·\n1  R1  R2  R3\n   a   b   c\n");
        assert!(text(Board::Rhombus, &start(Board::Rhombus, 3), true).contains("\u{1b}[1;31mR1\u{1b}[0m  "));
    }

    #[test]
    fn pictures_have_every_cell_and_stone() {
        for &board in Board::ALL {
            let svg = svg(board, &start(board, 11));
            assert_eq!((svg.matches("<polygon").count(), svg.matches("<circle").count()), (121, 22));
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("<title>k11</title>"));
        }
    }
}
