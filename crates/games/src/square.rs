//! Squares and moves, and their notation. A square is a column letter and a row number from the top: `a1` is top left,
//! `h8` bottom right on an 8×8 board.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::gomoku::Choice;

/// The longest side of any board: columns `a` to `v`, rows 1 to 22.
pub const MAX_SIZE: u8 = 22;

/// A square of a board of up to 22×22. Each board checks whether it has the square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    row: u8,
    column: u8,
}

impl Square {
    /// Returns the square in `column` (from the left) and `row` (from the top), from 0. Panics if either is 22 or more.
    pub const fn new(column: u8, row: u8) -> Square {
        assert!(
            column < MAX_SIZE && row < MAX_SIZE,
            "a board has at most 22 columns and rows"
        );
        Square { row, column }
    }

    /// Returns the number of columns to the left of this square.
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Returns the number of rows above this square.
    pub const fn row(self) -> u8 {
        self.row
    }

    /// Returns the index of this square on a board of `size`, row by row from `a1` = 0.
    pub const fn index(self, size: u8) -> usize {
        self.row as usize * size as usize + self.column as usize
    }

    /// Returns the square with this [`Square::index`] on a board of `size`.
    pub const fn from_index(index: usize, size: u8) -> Square {
        Square::new((index % size as usize) as u8, (index / size as usize) as u8)
    }

    /// Returns true if this square is on a board of `size`×`size`.
    pub const fn is_on(self, size: u8) -> bool {
        self.row < size && self.column < size
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.column))?;
        let number = self.row + 1;
        if number >= 10 {
            f.write_char(char::from(b'0' + number / 10))?;
        }
        f.write_char(char::from(b'0' + number % 10))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("{text:?} is not a square: write a column letter a–v and a row number 1–22, such as d3")]
pub struct BadSquare {
    /// The text.
    pub text: String,
}

impl FromStr for Square {
    type Err = BadSquare;

    /// Reads `d3` or `D3`.
    fn from_str(text: &str) -> Result<Square, BadSquare> {
        let bad = || BadSquare {
            text: text.to_owned(),
        };
        let (&letter, digits) = text.as_bytes().split_first().ok_or_else(bad)?;
        let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
        let row = match *digits {
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => (tens - b'0') * 10 + ones - b'0',
            [ones @ b'1'..=b'9'] => ones - b'0',
            _ => return Err(bad()),
        };
        if column >= MAX_SIZE || row > MAX_SIZE {
            return Err(bad());
        }
        Ok(Square::new(column, row - 1))
    }
}

/// One half-move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// Puts a disc or stone on a square.
    Place(Square),
    /// A pass, which is legal only if there is no other move; in Gomoku, only in a prepared opening.
    Pass,
    /// A choice in an opening of Gomoku.
    Choose(Choice),
}

impl Move {
    /// Returns the square played; `None` for a pass or a choice.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass | Move::Choose(_) => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pass"),
            Move::Choose(choice) => choice.fmt(f),
        }
    }
}

impl FromStr for Move {
    type Err = BadSquare;

    fn from_str(text: &str) -> Result<Move, BadSquare> {
        text.parse().map(Move::Place).or_else(|error| {
            if text.eq_ignore_ascii_case("pass") {
                return Ok(Move::Pass);
            }
            text.parse().map(Move::Choose).map_err(|()| error)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_read_back_as_it_was_written() {
        for index in 0..usize::from(MAX_SIZE) * usize::from(MAX_SIZE) {
            let square = Square::from_index(index, MAX_SIZE);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.index(MAX_SIZE), index);
        }
    }
}
