//! Errors in files of games, and games that do not fit into a format.

use crate::othello::BadPosition;
use crate::{BadSquare, Game, IllegalMove, UnknownGame};
use message::Message;

/// A file that cannot be read. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("line {line}, column {column}: {fault}")]
pub struct BadFile {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The error.
    pub fault: Mistake,
}

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum Mistake {
    /// Unexpected text.
    #[error("found {found:?}: {wanted}", wanted = Message::from(*.wanted))]
    Found {
        /// The text found.
        found: String,
        /// The expected text, or the reason why the text found is wrong.
        wanted: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends here: {wanted}", wanted = Message::from(*.wanted))]
    End {
        /// The expected text.
        wanted: &'static str,
    },
    /// Text that is not a square.
    #[error("move {number}: {source}")]
    Square {
        /// The number of the move, from 1.
        number: usize,
        /// The error.
        source: BadSquare,
    },
    /// A move that the rules do not allow.
    #[error("move {number}: {source}")]
    Illegal {
        /// The number of the move, from 1, passes included.
        number: usize,
        /// The error.
        source: IllegalMove,
    },
    /// A move of the wrong side.
    #[error("move {number} is {side}'s, but it is the other side's turn")]
    Turn {
        /// The number of the move, from 1, passes included.
        number: usize,
        /// The side in the file.
        side: crate::Side,
    },
    /// An invalid start position.
    #[error(transparent)]
    Position(#[from] BadPosition),
    /// A game, rules or size that does not exist.
    #[error(transparent)]
    Game(#[from] UnknownGame),
}

/// The error for a game that a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum CannotHold {
    /// The format is for another game.
    #[error("{format} is not a format for {game}: use {instead}")]
    Game {
        /// The format.
        format: &'static str,
        /// The game.
        game: Game,
        /// Formats that can hold the game.
        instead: &'static str,
    },
    /// The format holds only games from the usual start.
    #[error("{format} holds only games from the usual start position: use {instead}")]
    Start {
        /// The format.
        format: &'static str,
        /// Formats that can hold the game.
        instead: &'static str,
    },
    /// The format cannot mark a game as void.
    #[error("{format} cannot record that a game does not count: leave the game out")]
    Void {
        /// The format.
        format: &'static str,
    },
}
