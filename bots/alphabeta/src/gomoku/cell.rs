//! Numbered cells of the board, and sets of them.
//!
//! The board lies in a 32×32 field with a rim of at least five cells on every side. Five steps from any square stay
//! inside the field, so they need no test for the edge. A [`Cell`] is `32 · row + column` in the field.

use std::fmt;

use games::Square;

use crate::search::Move;

/// The number of cells between the edge of the field and the board: the reach of a line shape.
pub(super) const RIM: u8 = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    pub const COUNT: usize = 1024;

    /// The step from a cell to the next along each direction: right, down, down-right and up-right.
    const STEPS: [i16; 4] = [1, 32, 33, -31];

    pub const fn index(self) -> usize {
        (self.0 & 1023) as usize
    }

    pub(super) const fn from_index(index: usize) -> Cell {
        Cell((index & 1023) as u16)
    }

    /// Returns the cell `steps` away along a direction. This cell may be on the rim.
    pub(super) const fn step(self, direction: usize, steps: i16) -> Cell {
        Cell(self.0.wrapping_add_signed(Cell::STEPS[direction] * steps) & 1023)
    }

    /// Returns the row in the field; the board's first row is [`RIM`].
    const fn row(self) -> u16 {
        self.0 >> 5
    }

    const fn column(self) -> u16 {
        self.0 & 31
    }

    /// Returns the number (below 64) of the cell's line in a direction, and the cell's place on it (below 32).
    pub(super) const fn place(self, direction: usize) -> (usize, u32) {
        let (row, column) = (self.row(), self.column());
        let (line, place) = match direction {
            0 => (row, column),
            1 => (column, row),
            2 => (32 + row - column, column),
            _ => (row + column, column),
        };
        ((line & 63) as usize, place as u32)
    }

    pub fn square(self) -> Square {
        Square::new(self.column() as u8 - RIM, self.row() as u8 - RIM)
    }

    pub(super) const fn distance(self, other: Cell) -> u16 {
        let rows = self.row().abs_diff(other.row());
        let columns = self.column().abs_diff(other.column());
        if rows > columns { rows } else { columns }
    }
}

impl From<Square> for Cell {
    fn from(square: Square) -> Cell {
        Cell((u16::from(square.row() + RIM) << 5) | u16::from(square.column() + RIM))
    }
}

impl From<Move> for Cell {
    #[inline]
    fn from(played: Move) -> Cell {
        Cell::from_index(played.index())
    }
}

impl From<Cell> for Move {
    #[inline]
    fn from(cell: Cell) -> Move {
        Move(cell.index() as u16)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on_board = u16::from(RIM)..32;
        if on_board.contains(&self.row()) && on_board.contains(&self.column()) {
            self.square().fmt(f)
        } else {
            write!(f, "rim {}", self.0)
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellSet {
    words: [u64; 16],
}

impl CellSet {
    pub(super) const fn toggle(&mut self, cell: Cell) {
        self.words[cell.index() >> 6] ^= 1 << (cell.index() & 63);
    }

    pub(super) const fn insert(&mut self, cell: Cell) {
        self.words[cell.index() >> 6] |= 1 << (cell.index() & 63);
    }

    pub(super) fn intersect(&mut self, other: &CellSet) {
        for (word, theirs) in self.words.iter_mut().zip(&other.words) {
            *word &= theirs;
        }
    }

    pub(super) fn unite(&mut self, other: &CellSet) {
        for (word, theirs) in self.words.iter_mut().zip(&other.words) {
            *word |= theirs;
        }
    }

    /// Sets two rows of the field; row `2 · pair` is the low half of `rows`.
    pub(super) const fn set_rows(&mut self, pair: usize, rows: u64) {
        self.words[pair & 15] = rows;
    }

    pub(super) const fn contains(&self, cell: Cell) -> bool {
        self.words[cell.index() >> 6] >> (cell.index() & 63) & 1 != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words == [0; 16]
    }

    pub(super) fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    pub fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let words = self.words;
        words.into_iter().enumerate().flat_map(|(number, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    Cell::from_index(number << 6 | bit)
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_cells_are_two_names_of_one_thing() {
        for index in 0..22 * 22 {
            let square = Square::from_index(index, 22);
            assert_eq!(Cell::from(square).square(), square);
        }
    }

    #[test]
    fn a_step_moves_one_place_along_its_line() {
        for index in 0..22 * 22 {
            let cell = Cell::from(Square::from_index(index, 22));
            for direction in 0..4 {
                let (line, place) = cell.place(direction);
                for steps in -5..=5i16 {
                    let next = cell.step(direction, steps).place(direction);
                    assert_eq!(next, (line, place.wrapping_add_signed(steps.into())));
                }
            }
        }
    }
}
