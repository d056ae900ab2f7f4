//! The weights of shapes and threats.
//!
//! A line of a weights file, such as `value cell 0126 35 22`, has the table (`value` or `policy`), the part, a number,
//! and two values: for the side to move and for the other side. In the part `cell`, the number is a class of cells:
//! four line shapes in ascending order, with a hexadecimal digit for each. A class that is not in the file gets the
//! sum of the parts `line` and `kind`. `threats 01f 40` is the value of a combination of threats.
//! `docs/gomoku-training.md` describes how the files are made.

use std::collections::BTreeMap;

use super::shape::{Shape, ThreatKind};

/// The number of combinations of threats, as [`SearchBoard::threats`](super::SearchBoard::threats) numbers them.
pub const THREATS: usize = 1024;

/// The weights for all rules, fitted to freestyle games on 15×15.
const FREESTYLE: &str = include_str!("weights/freestyle.txt");

/// The values of a part, by number.
type Part = BTreeMap<u16, [i16; 2]>;

#[derive(Default)]
pub struct Table {
    pub cells: Part,
    pub lines: Part,
    pub kinds: Part,
}

#[derive(Default)]
pub struct Weights {
    pub value: Table,
    pub policy: Table,
    threats: BTreeMap<u16, i16>,
}

impl Weights {
    pub fn built_in() -> Weights {
        let mut weights = Weights::default();
        for line in FREESTYLE.lines() {
            weights.read(line);
        }
        weights
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |hexadecimal| u16::from_str_radix(hexadecimal, 16).ok();
        match *words {
            ["threats", which, value] => {
                self.threats.insert(number(which)?, value.parse().ok()?);
            }
            [table, part, which, own, other] => {
                let table = match table {
                    "value" => &mut self.value,
                    "policy" => &mut self.policy,
                    _ => return None,
                };
                let part = match part {
                    "cell" => &mut table.cells,
                    "line" => &mut table.lines,
                    "kind" => &mut table.kinds,
                    _ => return None,
                };
                part.insert(number(which)?, [own.parse().ok()?, other.parse().ok()?]);
            }
            _ => return None,
        }
        Some(())
    }

    pub fn of_threats(&self, threats: u16) -> i16 {
        self.threats.get(&threats).copied().unwrap_or(0)
    }
}

impl Table {
    /// Returns the two values of a shape: for the side to move, and for the other side.
    pub fn of_shape(&self, shape: Shape) -> [i16; 2] {
        let mut lines = shape.lines();
        lines.sort_unstable();
        if let Some(&values) = self.cells.get(&Shape::of(lines).0) {
            return values;
        }
        let get = |part: &Part, number| part.get(&number).copied().unwrap_or_default();
        let kind = get(&self.kinds, ThreatKind::of(shape, false) as u16);
        lines.iter().fold(kind, |sum, &line| {
            let line = get(&self.lines, line as u16);
            [sum[0] + line[0], sum[1] + line[1]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read() {
        let lines = FREESTYLE.lines().filter(|line| !line.starts_with('#'));
        let weights = Weights::built_in();
        let parts = |table: &Table| table.cells.len() + table.lines.len() + table.kinds.len();
        let read = parts(&weights.value) + parts(&weights.policy) + weights.threats.len();
        assert_eq!(read, lines.count());
    }
}
