//! What a referee asks of a position: who is to move, what is legal, how the game ended.

use std::any::Any;
use std::fmt;

use crate::{Move, Side, Square};
use message::Message;

/// How a game ended by its own rules (not by a fault or a resignation). Each game has its own
/// reasons; [`Game::reasons`](crate::Game::reasons) lists them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reason(&'static str);

impl Reason {
    /// Every square is taken, or none may be played.
    pub const BOARD_FULL: Reason = Reason::new("board-full");

    /// The reason called `word` on the wire and in tables: lower case, dashes for spaces.
    pub const fn new(word: &'static str) -> Reason {
        Reason(word)
    }

    /// The word used on the wire and in tables.
    pub const fn word(self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The end of a game by its own rules: who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// `None`: drawn.
    pub winner: Option<Side>,
    /// How it ended.
    pub reason: Reason,
}

/// A move that the rules do not allow here; the position is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("{played} is not a legal move for {side}: {why}", why = Message::from(*.why))]
pub struct IllegalMove {
    /// What was tried.
    pub played: Move,
    /// Who tried it.
    pub side: Side,
    /// Which rule is broken, in words for its author.
    pub why: &'static str,
}

/// What a referee asks of a position. Legality and the end are the rules' business; clocks, faults
/// and who is playing are not known here.
pub trait Rules {
    /// Side of the board, at most [`MAX_SIZE`](crate::MAX_SIZE).
    fn size(&self) -> u8;
    /// Whose turn it is; once the game has ended, whose turn it would have been.
    fn side_to_move(&self) -> Side;
    /// Who has a disc or stone on `square`; `None` if it is empty or off the board.
    fn at(&self, square: Square) -> Option<Side>;
    /// The discs or stones of `side` in `row`, a bit a column, column a in bit 0.
    fn row(&self, row: u8, side: Side) -> u32 {
        let columns =
            (0..self.size()).filter(|&column| self.at(Square::new(column, row)) == Some(side));
        columns.fold(0, |bits, column| bits | 1 << column)
    }
    /// The squares that may be played, row by row. Empty when the game has ended or the side to
    /// move must pass. Renju's forbidden points are left out (see [`Rules::play`]).
    fn legal_squares(&self) -> Vec<Square>;
    /// Whether the game goes on and the side to move has nothing but a pass.
    fn must_pass(&self) -> bool {
        false
    }
    /// Plays one half-move. On an error nothing has changed.
    ///
    /// A renju point forbidden to black may be played, and loses: the result is `Ok` and
    /// [`Rules::ending`] says why.
    fn play(&mut self, played: Move) -> Result<(), IllegalMove>;
    /// Puts a move of an opening down, on the way to a position from which players play. Gomoku: no
    /// line is looked at on the way, and a pass leaves a colour a stone behind, so that any position
    /// can be given.
    fn give(&mut self, given: Move) -> Result<(), IllegalMove> {
        self.play(given)
    }
    /// How the game ended, if it has.
    fn ending(&self) -> Option<Ending>;
    /// Discs or stones of each side, black's first.
    fn counts(&self) -> [u16; 2] {
        Side::BOTH.map(|side| {
            let rows = (0..self.size()).map(|row| self.row(row, side).count_ones());
            rows.sum::<u32>() as u16
        })
    }
}

/// A position whose type is not known when this is compiled. Whatever implements [`Rules`], `Clone`
/// and `PartialEq` is one.
pub trait DynRules: Rules + Any + Send + Sync {
    /// A copy.
    fn boxed(&self) -> Box<dyn DynRules>;
    /// Whether `other` is of the same type and equal.
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
