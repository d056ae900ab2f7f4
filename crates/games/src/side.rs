//! The two sides. Black moves first.

use std::fmt;
use std::ops::Not;

/// A colour, and the player of that colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Moves first; drawn `X`.
    Black,
    /// Moves second; drawn `O`.
    White,
}

impl Side {
    /// Both sides in order of play: black, white.
    pub const BOTH: [Side; 2] = [Side::Black, Side::White];

    /// Returns 0 for black, 1 for white.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the symbol of this side's discs or stones: `X` or `O`.
    pub const fn symbol(self) -> char {
        match self {
            Side::Black => 'X',
            Side::White => 'O',
        }
    }

    /// Returns the word in lower case: `black` or `white`.
    pub const fn word(self) -> &'static str {
        match self {
            Side::Black => "black",
            Side::White => "white",
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
