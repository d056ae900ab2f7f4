//! What shapes are worth, and how promising they look: the numbers that were fitted.
//!
//! A weights file has a line a number, `value cell 0126 35 22`: which table (`value` or `policy`);
//! whether for a class of `cell`s (four line shapes in ascending order, a hexadecimal digit each),
//! or, for classes that no game showed, a `line` or a `kind` to be added up; which one; and the
//! values for the side to move and for the other. `threats 01f 40` is for the threats that stand.
//! `docs/gomoku-training.md` says how the files are made.

use std::collections::HashMap;

use super::shape::{Kind, Shape};

/// Number of combinations of threats that the evaluation tells apart.
pub const THREATS: usize = 1024;

/// Engine units of one unit of log-odds.
pub const UNIT: i32 = 256;

/// The weights of all rules, fitted to games on 15×15 under freestyle.
const FREESTYLE: &str = include_str!("weights/freestyle.txt");

/// Table, part and number.
type Name = (&'static str, &'static str, u16);

/// A weights file, read.
pub struct Weights {
    values: HashMap<Name, [i16; 2]>,
}

impl Weights {
    /// The weights that are built in.
    pub fn built_in() -> Weights {
        Weights {
            values: FREESTYLE.lines().filter_map(read).collect(),
        }
    }

    /// The classes of cells that the file knows.
    pub fn classes(&self) -> impl Iterator<Item = u16> {
        let of_cells =
            |&(table, part, class): &Name| (table, part) == ("value", "cell") && class > 0;
        self.values
            .keys()
            .copied()
            .filter(of_cells)
            .map(|name| name.2)
    }

    /// What the file says of one part of one table.
    pub fn get(&self, table: &'static str, part: &'static str, number: u16) -> Option<[i16; 2]> {
        self.values.get(&(table, part, number)).copied()
    }

    /// What a cell of that shape is worth, or how promising a move there is, by `table`: to the
    /// side whose shape it is, to move or not.
    pub fn of_shape(&self, table: &'static str, shape: Shape) -> [i16; 2] {
        let mut lines = shape.lines();
        lines.sort_unstable();
        self.get(table, "cell", Shape::of(lines).0)
            .unwrap_or_else(|| {
                let kind = self
                    .get(table, "kind", Kind::of(shape, false) as u16)
                    .unwrap_or_default();
                lines.iter().fold(kind, |sum, &line| {
                    let line = self.get(table, "line", line as u16).unwrap_or_default();
                    [sum[0] + line[0], sum[1] + line[1]]
                })
            })
    }

    /// What a combination of threats is worth to the side to move.
    pub fn of_threats(&self, threats: u16) -> i16 {
        self.get("threats", "", threats)
            .map_or(0, |[value, _]| value)
    }
}

/// The name and the values of one line; `None` for a line that has none.
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
