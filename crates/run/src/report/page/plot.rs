//! Graphs as SVG text. Colours and dashes come from the style sheet, by class, so that they follow the theme.

use std::fmt::Write as _;

use askama::filters::{Escaper as _, Html};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// The size of a graph, and its margins (left, top, right, bottom).
const SIZE: [f64; 2] = [640.0, 240.0];
const MARGIN: [f64; 4] = [56.0, 10.0, 12.0, 36.0];
/// The number of styles of series in the style sheet.
pub(super) const STYLES: usize = 8;

/// Draws the series and their legend; empty if no series has two points.
pub fn lines(title: &str, across: &str, up: &str, series: &[Series]) -> String {
    match graph(title, across, up, series) {
        graph if graph.is_empty() => graph,
        graph => graph + &legend(series),
    }
}

/// Draws the series without a legend; empty if no series has two points.
pub(in crate::report) fn graph(title: &str, across: &str, up: &str, series: &[Series]) -> String {
    let drawn: Vec<(usize, &Series)> = (0..)
        .zip(series)
        .filter(|(_, series)| series.points.len() > 1)
        .collect();
    let points = || drawn.iter().flat_map(|(_, series)| &series.points);
    let (Some(x), Some(y)) = (
        Axis::of(points().map(|point| point.0)),
        Axis::of(points().map(|point| point.1)),
    ) else {
        return String::new();
    };
    let [width, height] = SIZE;
    let [left, top, right, bottom] = MARGIN;
    let at_x = |value| left + x.share(value) * (width - left - right);
    let at_y = |value| height - bottom - y.share(value) * (height - top - bottom);
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        escaped(title)
    );
    for tick in y.ticks() {
        let at = at_y(tick);
        let _ = write!(
            svg,
            "<path class=\"{}\" d=\"M{left} {at:.1}H{}\"/><text x=\"{}\" y=\"{:.1}\" class=\"end\">{}</text>",
            if tick == 0.0 { "zero" } else { "rule" },
            width - right,
            left - 6.0,
            at + 4.0,
            short(tick)
        );
    }
    for tick in x.ticks() {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" class=\"middle\">{}</text>",
            at_x(tick),
            height - bottom + 16.0,
            short(tick)
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{}\" y=\"{}\" class=\"end\">{}</text><text x=\"4\" y=\"{}\">{}</text>",
        width - right,
        height - 4.0,
        escaped(across),
        height - 4.0,
        escaped(up)
    );
    for (number, series) in drawn {
        let mut path = String::new();
        for (index, &(x, y)) in series.points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.1} {:.1}", at_x(x), at_y(y));
        }
        let _ = write!(
            svg,
            "<path class=\"line s{}\" d=\"{path}\"><title>{}</title></path>",
            number % STYLES,
            escaped(&series.name)
        );
    }
    svg + "</svg>"
}

fn legend(series: &[Series]) -> String {
    let mut list = "<ul class=\"legend\">".to_owned();
    for (number, series) in series.iter().enumerate() {
        if series.points.len() > 1 {
            let _ = write!(
                list,
                "<li><svg viewBox=\"0 0 28 8\" aria-hidden=\"true\"><path class=\"line s{}\" d=\"M0 4H28\"/></svg> <bdi>{}</bdi></li>",
                number % STYLES,
                escaped(&series.name)
            );
        }
    }
    list + "</ul>"
}

/// Draws a value with its interval. `scale` is the same for all rows of a table.
pub fn whisker(value: f64, [low, high]: [f64; 2], scale: Axis) -> String {
    const WIDTH: f64 = 160.0;
    let at = |value: f64| 4.0 + scale.share(value) * (WIDTH - 8.0);
    let zero = if scale.low < 0.0 && scale.high > 0.0 {
        format!("<path class=\"zero\" d=\"M{:.1} 0V18\"/>", at(0.0))
    } else {
        String::new()
    };
    format!(
        "<svg class=\"whisker\" viewBox=\"0 0 {WIDTH} 18\" aria-hidden=\"true\">{zero}\
         <path class=\"error\" d=\"M{low:.1} 4V14M{low:.1} 9H{high:.1}M{high:.1} 4V14\"/>\
         <circle cx=\"{value:.1}\" cy=\"9\" r=\"4\"/></svg>",
        low = at(low),
        high = at(high),
        value = at(value),
    )
}

#[derive(Clone, Copy, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let finite = values.filter(|value| value.is_finite());
        let [low, high] = finite.fold([f64::MAX, f64::MIN], |[low, high], value| {
            [low.min(value), high.max(value)]
        });
        match high - low {
            width if width > 0.0 => Some(Axis { low, high }),
            width if width < 0.0 => None,
            _ => Some(Axis {
                low: low - 1.0,
                high: high + 1.0,
            }),
        }
    }

    fn share(self, value: f64) -> f64 {
        (value.clamp(self.low, self.high) - self.low) / (self.high - self.low)
    }

    /// Returns about five round numbers for the axis.
    fn ticks(self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = power
            * match rough / power {
                ..1.5 => 1.0,
                1.5..3.5 => 2.0,
                3.5..7.5 => 5.0,
                _ => 10.0,
            };
        let first = (self.low / step).ceil();
        (0..12)
            .map(|index| (first + f64::from(index)) * step)
            .take_while(|&tick| tick <= self.high + step * 1e-6)
            // Adding 0 turns -0 into 0.
            .map(|tick| tick + 0.0)
            .collect()
    }
}

fn short(value: f64) -> String {
    if value.abs() >= 10_000.0 {
        return format!("{value:.0e}");
    }
    // Ticks are multiples of a round step, so further digits are only rounding errors.
    format!("{}", (value * 1e4).round() / 1e4)
}

pub(in crate::report) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    // Writing to a text cannot fail.
    let _ = Html.write_escaped_str(&mut safe, text);
    safe
}

pub(super) fn in_address(svg: &str) -> String {
    format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(svg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let ticks = |low, high| Axis { low, high }.ticks();
        assert_eq!(ticks(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-130.0, 70.0), [-100.0, -50.0, 0.0, 50.0]);
        assert!(Axis::of([f64::NAN].into_iter()).is_none());
        assert_eq!(ticks(0.0, 0.0123).len(), 7);
        let drawn = |low, high| whisker(low, [low, high], Axis { low, high });
        assert!(drawn(-1.0, 1.0).contains("zero") && !drawn(1.0, 2.0).contains("zero"));
    }

    #[test]
    fn a_name_cannot_leave_its_place() {
        let series = Series {
            name: "</title><script>\"'&".to_owned(),
            points: vec![(0.0, 1.0), (1.0, 2.0)],
        };
        let svg = lines("t\"", "x", "y", &[series]);
        assert!(!svg.contains("<script"), "{svg}");
        assert!(svg.contains("&#60;/title&#62;&#60;script&#62;&#34;&#39;&#38;"));
        assert_eq!(lines("empty", "x", "y", &[]), "");
    }
}
