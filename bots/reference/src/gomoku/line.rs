//! One row, column or diagonal, as sets of bits.

/// A line seen from one side. Bit 0 is the edge before the line, bits 1 to `length` are its cells,
/// and all bits after them are edge again; so a shift never needs a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Stones of the side that looks.
    pub(crate) own: u32,
    /// Stones of the other side.
    pub(crate) opponent: u32,
    /// The edge.
    pub(crate) edge: u32,
}

impl Line {
    /// The edge of a line of `length` cells, at most 22.
    pub(crate) const fn edge(length: u32) -> u32 {
        1 | (u32::MAX << (length + 1))
    }

    /// The line seen from the other side.
    pub(crate) const fn reversed(self) -> Line {
        Line {
            own: self.opponent,
            opponent: self.own,
            edge: self.edge,
        }
    }

    /// Cells where no stone of the side that looks can stand: the opponent's, and the edge.
    pub(crate) const fn blocked(self) -> u32 {
        self.opponent | self.edge
    }

    /// Cells without a stone.
    pub(crate) const fn empty(self) -> u32 {
        !(self.own | self.opponent | self.edge)
    }

    /// Empty cells that make five in a row or more.
    #[inline]
    pub(crate) const fn completions(self) -> u32 {
        let own = self.own;
        let pair = own & own >> 1;
        // Four of the five cells from a bit on, by which one is missing: `_xxxx`, `x_xxx` and so on.
        let triple = pair & own >> 2;
        let cells = (own >> 1 & pair >> 2 & own >> 4)
            | (own & triple >> 2) << 1
            | (pair & pair >> 3) << 2
            | (triple & own >> 4) << 3
            | (pair & pair >> 2) << 4;
        cells & self.empty()
    }

    /// How many cells the line has.
    pub(crate) const fn length(self) -> u32 {
        (self.edge >> 1).trailing_zeros()
    }
}

#[cfg(test)]
impl Line {
    /// Reads a line: `x` own, `o` opponent, `_` empty.
    pub(crate) fn parse(text: &str) -> Line {
        let cells_with = |symbol| {
            text.chars()
                .enumerate()
                .filter(|&(_, cell)| cell == symbol)
                .fold(0, |set, (cell, _)| set | 2 << cell)
        };
        Line {
            own: cells_with('x'),
            opponent: cells_with('o'),
            edge: Line::edge(text.len() as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_completion_makes_five_of_a_window(text in "[xo_]{1,22}") {
            let line = Line::parse(&text);
            for (index, cell) in text.char_indices() {
                let completed = format!("{}x{}", &text[..index], &text[index + 1..]);
                let five = completed
                    .match_indices('x')
                    .any(|(from, _)| completed[from..].starts_with("xxxxx") && (from..from + 5).contains(&index));
                let found = line.completions() >> (index + 1) & 1 == 1;
                prop_assert_eq!(found, cell == '_' && five, "{} of {}", index, text);
            }
        }
    }
}
