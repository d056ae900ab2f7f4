//! The weights of shapes and threats.
//!
//! A line of a weights file, such as `value cell 0126 35 22`, has the table (`value` or `policy`), the part, a number,
//! and two values: for the side to move and for the other side. In the part `cell`, the number is a class of cells:
//! four line shapes in ascending order, with a hexadecimal digit for each. A class that is not in the file gets the
//! sum of the parts `line` and `kind`. `threats 01f 40` is the value of a combination of threats.
//! `docs/gomoku-training.md` describes how the files are made.

use std::collections::HashMap;

use super::shape::{Shape, ThreatKind};

/// The number of combinations of threats, as [`SearchBoard::threats`](super::SearchBoard::threats) numbers them.
pub const THREATS: usize = 1024;

/// The weights for all rules, fitted to freestyle games on 15×15.
const FREESTYLE: &str = include_str!("weights/freestyle.txt");

/// The table, the part and the number of a weight.
type Name = (&'static str, &'static str, u16);

pub struct Weights {
    values: HashMap<Name, [i16; 2]>,
}

impl Weights {
    pub fn built_in() -> Weights {
        Weights {
            values: FREESTYLE.lines().filter_map(read).collect(),
        }
    }

    pub fn classes(&self) -> impl Iterator<Item = u16> {
        let of_cells =
            |&(table, part, class): &Name| (table, part) == ("value", "cell") && class > 0;
        self.values
            .keys()
            .copied()
            .filter(of_cells)
            .map(|name| name.2)
    }

    pub fn get(&self, table: &'static str, part: &'static str, number: u16) -> Option<[i16; 2]> {
        self.values.get(&(table, part, number)).copied()
    }

    /// Returns the two values of a shape in `table`: for the side to move, and for the other side.
    pub fn of_shape(&self, table: &'static str, shape: Shape) -> [i16; 2] {
        let mut lines = shape.lines();
        lines.sort_unstable();
        self.get(table, "cell", Shape::of(lines).0)
            .unwrap_or_else(|| {
                let kind = self
                    .get(table, "kind", ThreatKind::of(shape, false) as u16)
                    .unwrap_or_default();
                lines.iter().fold(kind, |sum, &line| {
                    let line = self.get(table, "line", line as u16).unwrap_or_default();
                    [sum[0] + line[0], sum[1] + line[1]]
                })
            })
    }

    pub fn of_threats(&self, threats: u16) -> i16 {
        self.get("threats", "", threats)
            .map_or(0, |[value, _]| value)
    }
}

fn read(line: &'static str) -> Option<(Name, [i16; 2])> {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |hexadecimal| u16::from_str_radix(hexadecimal, 16).ok();
    match *words {
        ["threats", which, value] => {
            Some((("threats", "", number(which)?), [value.parse().ok()?, 0]))
        }
        [table, part, which, own, other] => Some((
            (table, part, number(which)?),
            [own.parse().ok()?, other.parse().ok()?],
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read() {
        let lines = FREESTYLE.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(Weights::built_in().values.len(), lines.count());
    }
}
