//! A thermograph for people: as a table and as a picture.

use crate::cgt::{Dyadic, GameError, Thermograph};

use super::text::Table;

/// The walls at every corner of either.
///
/// # Errors
/// [`GameError::Range`] where a wall at the corner of the other leaves the range.
pub(super) fn text(thermograph: &Thermograph) -> Result<String, GameError> {
    let mut times: Vec<Dyadic> =
        [&thermograph.left, &thermograph.right].iter().flat_map(|wall| wall.corners()).map(|corner| corner.0).collect();
    times.sort_unstable();
    times.dedup();
    let mut table = Table::new(&[" thermograph at", " left wall", " right wall"]);
    for &time in &times {
        let [left, right] = [&thermograph.left, &thermograph.right].map(|wall| wall.at(time));
        table.row(vec![time.to_string(), left?.to_string(), right?.to_string()]);
    }
    Ok(table.text())
}

/// The picture, as in the books: the values of Left to the left, temperature upwards, the mast on top.
pub(super) fn svg(thermograph: &Thermograph) -> String {
    const SIZE: f64 = 480.0;
    const MARGIN: f64 = 48.0;
    let number = |d: Dyadic| d.numerator() as f64 / 2_f64.powi(i32::from(d.exponent()));
    let corner = |&(time, value): &(Dyadic, Dyadic)| (number(time), number(value));
    let walls =
        [&thermograph.left, &thermograph.right].map(|wall| wall.corners().iter().map(corner).collect::<Vec<_>>());
    let (mean, temperature) = (number(thermograph.mean), number(thermograph.temperature).max(0.0));
    let values = || walls.iter().flatten().map(|&(_, value)| value).chain([mean]);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let top = (temperature * 1.25).max(1.0);
    // A number has no width of its own.
    let (low, high) = if high - low < 1e-9 { (mean - 1.0, mean + 1.0) } else { (low, high) };
    let scale = (SIZE - 2.0 * MARGIN) / (high - low).max(top);
    let x = |value: f64| MARGIN + (high - value) * scale;
    let y = |time: f64| SIZE - MARGIN - time * scale;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Thermograph: mean {}, temperature {}</title>\n\
         <rect width=\"{SIZE}\" height=\"{SIZE}\" fill=\"white\"/>\n\
         <line x1=\"{MARGIN}\" y1=\"{y0}\" x2=\"{x1}\" y2=\"{y0}\" stroke=\"#999\"/>\n",
        thermograph.mean,
        thermograph.temperature,
        y0 = y(0.0),
        x1 = SIZE - MARGIN,
    );
    for (wall, colour) in walls.iter().zip(["#1b6", "#c33"]) {
        let mut points: Vec<_> = wall.iter().map(|&(time, value)| format!("{:.2},{:.2}", x(value), y(time))).collect();
        points.push(format!("{:.2},{:.2}", x(mean), y(top)));
        svg += &format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n",
            points.join(" ")
        );
    }
    let mut label = |x: f64, y: f64, text: &str| {
        svg += &format!("<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"middle\">{text}</text>\n");
    };
    for wall in [&thermograph.left, &thermograph.right] {
        if let Some((_, stop)) = wall.corners().first() {
            label(x(number(*stop)), y(0.0) + 18.0, &stop.to_string());
        }
    }
    label(x(mean), y(top) - 8.0, &thermograph.mean.to_string());
    label(MARGIN / 2.0, y(temperature) + 4.0, &thermograph.temperature.to_string());
    svg + "</svg>\n"
}
