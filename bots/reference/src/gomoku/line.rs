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
