//! A position as the side to move sees it, for searches.

use std::fmt;

use super::kernel;
use crate::{Side, Symmetry};

/// The number of rows and of columns.
pub const SIZE: u8 = 8;

/// Discs of the side to move and of its opponent, one bit per square (a1 is bit 0).
///
/// ```
/// use games::othello::Position;
///
/// let f5 = 4 * 8 + 5;
/// let position = Position::START.play(f5);
/// assert_eq!(
///     format!("{position:?}").lines().collect::<Vec<_>>(),
///     [
///         "  a b c d e f g h",
///         "1 . . . . . . . .", // X the side to move, here white
///         "2 . . . . . . . .", // O its opponent
///         "3 . . . . . . . .", // * where it may play
///         "4 . . . X O * . .",
///         "5 . . . O O O . .",
///         "6 . . . * . * . .",
///         "7 . . . . . . . .",
///         "8 . . . . . . . .",
///     ]
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Position {
    /// The position before the first move: black to play d3, c4, f5 or e6.
    pub const START: Position = Position {
        own: 0x0000_0008_1000_0000,
        opponent: 0x0000_0010_0800_0000,
    };

    /// Returns the squares with no disc, as a set of bits.
    pub const fn empties(self) -> u64 {
        !(self.own | self.opponent)
    }

    /// Returns the legal squares as a set of bits; empty before a pass or at the end of the game.
    #[inline]
    pub fn legal_moves(self) -> u64 {
        kernel::legal_moves(self.own, self.opponent)
    }

    /// Returns the discs that a disc on `square` (0–63) turns over, as a set of bits.
    #[inline]
    pub fn flips(self, square: usize) -> u64 {
        kernel::flips(self.own, self.opponent, square)
    }

    /// Returns the position after a legal disc on `square`, seen from the other side.
    #[inline]
    #[must_use]
    pub fn play(self, square: usize) -> Position {
        self.play_flips(square, self.flips(square))
    }

    /// Like [`Position::play`], but with known flips.
    #[inline]
    #[must_use]
    pub const fn play_flips(self, square: usize, flips: u64) -> Position {
        Position {
            own: self.opponent ^ flips,
            opponent: self.own ^ flips ^ (1 << square),
        }
    }

    /// Returns the same discs with the other side to move.
    #[inline]
    #[must_use]
    pub const fn pass(self) -> Position {
        Position {
            own: self.opponent,
            opponent: self.own,
        }
    }

    /// Returns this position turned and mirrored by `symmetry`.
    #[must_use]
    pub const fn turned(self, symmetry: Symmetry) -> Position {
        Position {
            own: symmetry.apply_to_bits(self.own),
            opponent: symmetry.apply_to_bits(self.opponent),
        }
    }

    /// Returns the smallest of the eight symmetric positions, and the symmetry that leads to it.
    pub fn canonical(self) -> (Position, Symmetry) {
        Symmetry::ALL
            .into_iter()
            .map(|symmetry| (self.turned(symmetry), symmetry))
            .min_by_key(|&(turned, _)| turned)
            .expect("there are eight symmetries")
    }

    /// Returns true if d4, e4, d5 and e5 have discs, as in every position that a game reaches.
    pub const fn has_centre(self) -> bool {
        self.empties() & 0x0000_0018_1800_0000 == 0
    }

    /// Returns true if neither side can move.
    #[inline]
    pub fn is_over(self) -> bool {
        self.legal_moves() == 0 && self.pass().legal_moves() == 0
    }

    /// Returns the own discs minus the opponent's, −64 to 64.
    #[inline]
    pub const fn disc_difference(self) -> i32 {
        self.own.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// Returns the result of a finished game in discs for the side to move. Empty squares count for the winner.
    pub const fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        let empties = self.empties().count_ones() as i32;
        difference + empties * difference.signum()
    }

    /// Formats the position for [`Position::parse`]; own discs have the colour `side`.
    pub fn format(self, side: Side) -> String {
        let symbol = |bit: u64| match bit {
            _ if self.own & bit != 0 => side.symbol(),
            _ if self.opponent & bit != 0 => (!side).symbol(),
            _ => '-',
        };
        let squares = (0..64).map(|square| symbol(1 << square));
        squares.chain([' ', side.symbol()]).collect()
    }

    /// Reads 64 squares from a1 row by row, `X` or `*` black, `O` white, `-` or `.` empty, then the side to move, as in
    /// the FFO test positions and OBF files. Ignores later text.
    pub fn parse(text: &str) -> Result<Position, BadPosition> {
        let mut symbols = text.chars().filter(|c| !c.is_whitespace());
        let (mut black, mut white) = (0u64, 0u64);
        for index in 0..64 {
            let Some(symbol) = symbols.next() else {
                return Err(BadPosition::Short { squares: index });
            };
            match side_of(symbol) {
                Some(Side::Black) => black |= 1 << index,
                Some(Side::White) => white |= 1 << index,
                None if matches!(symbol, '-' | '.') => {}
                None => return Err(BadPosition::Symbol { symbol, index }),
            }
        }
        let side = symbols.next();
        let (own, opponent) = match side.and_then(side_of) {
            Some(Side::Black) => (black, white),
            Some(Side::White) => (white, black),
            None => return Err(BadPosition::Side { side }),
        };
        Ok(Position { own, opponent })
    }
}

pub(super) fn side_of(symbol: char) -> Option<Side> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Side::Black),
        'O' | 'o' | '0' | 'W' | 'w' => Some(Side::White),
        _ => None,
    }
}

/// Text that is not an Othello position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadPosition {
    /// A symbol that is neither a disc nor an empty square.
    #[error("square {} holds {symbol:?}: write X, O or -", index + 1)]
    Symbol {
        /// The symbol.
        symbol: char,
        /// The number of squares before it, from a1 row by row.
        index: usize,
    },
    /// Fewer than 64 squares.
    #[error("expected 64 squares, found {squares}")]
    Short {
        /// The number of squares found.
        squares: usize,
    },
    /// No side to move after the squares.
    #[error(
        "expected the side to move, X or O, after the 64 squares{}",
        match side {
            Some(';') => ", not ';': is a square missing?".to_owned(),
            Some(side) => format!(", not {side:?}"),
            None => String::new(),
        }
    )]
    Side {
        /// The symbol found instead.
        side: Option<char>,
    },
}

/// Returns the squares of a set, in ascending order.
pub fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(square)
    })
}

/// Draws eight rows: `X` the side to move, `O` the opponent, `*` the legal moves.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.legal_moves();
        writeln!(f, "  a b c d e f g h")?;
        for row in 0..8 {
            write!(f, "{}", row + 1)?;
            for bit in (row * 8..row * 8 + 8).map(|index| 1u64 << index) {
                let symbol = match bit {
                    _ if self.own & bit != 0 => 'X',
                    _ if self.opponent & bit != 0 => 'O',
                    _ if moves & bit != 0 => '*',
                    _ => '.',
                };
                write!(f, " {symbol}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
