//! Prepared positions that a bot is examined with.

use crate::Move;

/// What a scene is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The game as it begins.
    Beginning,
    /// There is one legal move: an illegal answer shows what was meant by it.
    OneMove,
    /// A side has just had to pass.
    AfterPass,
    /// The game is played to its end.
    End,
    /// A square in the middle may not be played.
    Forbidden,
    /// A large board, nearly full: the longest line there is.
    LongLine,
    /// A small board.
    SmallBoard,
}

/// A position, and how many questions a bot is asked from there on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What it is for.
    pub theme: Theme,
    /// The moves that lead to it, forced passes included; legal, and not ending the game. The side
    /// that is to move after them is the bot's.
    pub moves: Vec<Move>,
    /// How many questions are asked at most.
    pub questions: u32,
}
