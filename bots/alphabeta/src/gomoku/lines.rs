//! The stones of a board along its lines: what is seen from a cell is cut out of one number.

use super::cell::Cell;
use super::pattern::{HalfCodes, REACH};

/// For each direction and line the stones of black and of white; the rim is set in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines([[[u32; 2]; 64]; 4]);

impl Lines {
    /// A field without a board: all of it is rim.
    pub const fn blocked() -> Lines {
        Lines([[[u32::MAX; 2]; 64]; 4])
    }

    /// Writes one cell: whether black has a stone there, and whether white has.
    pub fn set(&mut self, cell: Cell, of_side: [bool; 2]) {
        for direction in 0..4 {
            let (line, place) = cell.place(direction);
            for (bits, set) in self.0[direction][line].iter_mut().zip(of_side) {
                *bits = *bits & !(1 << place) | u32::from(set) << place;
            }
        }
    }

    /// Whether no stone is on this cell; false on the rim.
    #[inline]
    pub const fn is_empty(&self, cell: Cell) -> bool {
        let (line, place) = cell.place(0);
        let [black, white] = self.0[0][line];
        (black | white) >> place & 1 == 0
    }

    /// Whether `side` has a stone on this cell of the board.
    #[inline]
    pub const fn has_stone(&self, cell: Cell, side: usize) -> bool {
        let (line, place) = cell.place(0);
        let [own, other] = [self.0[0][line][side & 1], self.0[0][line][side & 1 ^ 1]];
        (own & !other) >> place & 1 != 0
    }

    /// Black's and white's bits of one row of the field, the rim set in both.
    pub const fn row(&self, row: usize) -> [u32; 2] {
        self.0[0][row & 63]
    }

    /// What is seen from a cell along one direction: the indices of black and of white into tables of
    /// [`KEYS`](super::pattern::KEYS) entries.
    #[inline]
    pub const fn keys(&self, halves: &HalfCodes, cell: Cell, direction: usize) -> [usize; 2] {
        let (line, place) = cell.place(direction);
        let [black, white] = self.0[direction][line];
        halves.keys(black, white, place)
    }

    /// The empty cells that see `cell` along one direction, itself too if it is empty, each with what it sees
    /// there (see [`Lines::keys`]).
    #[inline]
    pub fn in_reach<'a>(
        &self,
        halves: &'a HalfCodes,
        cell: Cell,
        direction: usize,
    ) -> impl Iterator<Item = (Cell, [usize; 2])> + use<'a> {
        let (line, place) = cell.place(direction);
        let [black, white] = self.0[direction][line];
        let first = place - REACH;
        let reach = (1u32 << (2 * REACH + 1)) - 1;
        let mut empty = !(black | white) >> first & reach;
        std::iter::from_fn(move || {
            (empty != 0).then(|| {
                let at = empty.trailing_zeros();
                empty &= empty - 1;
                let near = cell.step(direction, at as i16 - REACH as i16);
                (near, halves.keys(black, white, first + at))
            })
        })
    }
}
