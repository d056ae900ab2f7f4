//! The interface between a position and a referee: the side to move, the legal moves, the end.

use std::any::Any;
use std::fmt;

use crate::{Move, Side, Square};
use message::Message;

/// The reason why a game ended by its own rules, not by a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reason(&'static str);

impl Reason {
    /// Every square is taken, or the side to move has no legal square.
    pub const BOARD_FULL: Reason = Reason::new("board-full");

    /// Creates a reason from its word on the wire and in tables, in lower case with dashes for spaces.
    pub const fn new(word: &'static str) -> Reason {
        Reason(word)
    }

    /// Returns the word on the wire and in tables.
    pub const fn word(self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The end of a game by its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// `None` for a draw.
    pub winner: Option<Side>,
    /// The reason.
    pub reason: Reason,
}

/// The error for a move that the rules do not allow. The position is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("{played} is not a legal move for {side}: {why}", why = Message::from(*.why))]
pub struct IllegalMove {
    /// The move.
    pub played: Move,
    /// The side that tried it.
    pub side: Side,
    /// The rule that it breaks, in words for the bot's author.
    pub why: &'static str,
}

/// A position for a referee: legal moves and the end of the game, without clocks, faults or players.
pub trait Rules {
    /// Returns the number of rows and of columns, at most [`MAX_SIZE`](crate::MAX_SIZE).
    fn size(&self) -> u8;
    /// Returns the side to move, even after the end of the game.
    fn side_to_move(&self) -> Side;
    /// Returns the owner of the disc or stone on `square`; `None` if it is empty or off the board.
    fn at(&self, square: Square) -> Option<Side>;
    /// Returns the discs or stones of `side` in `row`, one bit per column, column a in bit 0.
    fn row(&self, row: u8, side: Side) -> u32 {
        let columns =
            (0..self.size()).filter(|&column| self.at(Square::new(column, row)) == Some(side));
        columns.fold(0, |bits, column| bits | 1 << column)
    }
    /// Returns the legal squares, row by row, without renju's forbidden points; empty at the end and before a pass.
    fn legal_squares(&self) -> Vec<Square>;
    /// Returns true if the game has not ended and the only legal move is a pass.
    fn must_pass(&self) -> bool {
        false
    }
    /// Plays one half-move. On an error the position is unchanged. A forbidden point of renju is no error: black loses.
    fn play(&mut self, played: Move) -> Result<(), IllegalMove>;
    /// Plays a move of a prepared opening. In Gomoku it may be a pass, never ends the game and ignores opening rules.
    fn give(&mut self, given: Move) -> Result<(), IllegalMove> {
        self.play(given)
    }
    /// Returns the end of the game; `None` while it is running.
    fn ending(&self) -> Option<Ending>;
    /// Returns the number of discs or stones of each side, black's first.
    fn counts(&self) -> [u16; 2] {
        Side::BOTH.map(|side| {
            let rows = (0..self.size()).map(|row| self.row(row, side).count_ones());
            rows.sum::<u32>() as u16
        })
    }
}

/// A position whose type is unknown at compile time.
pub trait DynRules: Rules + Any + Send + Sync {
    /// Clones the position.
    fn boxed(&self) -> Box<dyn DynRules>;
    /// Returns true if `other` has the same type and is equal.
    fn equals(&self, other: &dyn DynRules) -> bool;
}

impl<T: Rules + Clone + PartialEq + Any + Send + Sync> DynRules for T {
    fn boxed(&self) -> Box<dyn DynRules> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn DynRules) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }
}
