//! What may be wrong with a file of games, and why a game may not fit into a format.

use crate::othello::BadPosition;
use crate::{BadSquare, Game, IllegalMove, UnknownGame};
use message::Message;

/// A file that cannot be read. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("line {line}, column {column}: {fault}")]
pub struct BadFile {
    /// Which line.
    pub line: usize,
    /// Where in the line.
    pub column: usize,
    /// What is wrong there.
    pub fault: Mistake,
}

/// What is wrong at a place in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum Mistake {
    /// Something else is expected here.
    #[error("found {found:?}: {wanted}", wanted = Message::from(*.wanted))]
    Found {
        /// What stands there.
        found: String,
        /// What to write instead.
        wanted: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends here: {wanted}", wanted = Message::from(*.wanted))]
    End {
        /// What is missing.
        wanted: &'static str,
    },
    /// Text that is not a square.
    #[error("move {number}: {source}")]
    Square {
        /// Which move, counted from 1.
        number: usize,
        /// What is wrong with it.
        source: BadSquare,
    },
    /// A move that the rules do not allow.
    #[error("move {number}: {source}")]
    Illegal {
        /// Which move, counted from 1, passes included.
        number: usize,
        /// What is wrong with it.
        source: IllegalMove,
    },
    /// A move of the side that is not to move.
    #[error("move {number} is {side}'s, but it is the other side's turn")]
    Turn {
        /// Which move, counted from 1, passes included.
        number: usize,
        /// Who is said to move.
        side: crate::Side,
    },
    /// A start that is not a position.
    #[error(transparent)]
    Position(#[from] BadPosition),
    /// A game, rules or size that does not exist.
    #[error(transparent)]
    Game(#[from] UnknownGame),
}

/// A game that a format has no way to write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum CannotHold {
    /// The format is another game's.
    #[error("{format} is not a format for {game}: use {instead}")]
    Game {
        /// The format.
        format: &'static str,
        /// The game.
        game: Game,
        /// Formats that hold it.
        instead: &'static str,
    },
    /// The format holds only games from the usual start.
    #[error("{format} holds only games from the usual start position: use {instead}")]
    Start {
        /// The format.
        format: &'static str,
        /// Formats that hold it.
        instead: &'static str,
    },
    /// The format has no way to say that a game does not count.
    #[error("{format} cannot say that a game does not count: leave it out")]
    Void {
        /// The format.
        format: &'static str,
    },
}
