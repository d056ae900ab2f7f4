//! Prepared positions that test a bot.

use crate::Move;

/// The purpose of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The first moves of a game.
    Beginning,
    /// A position with one legal move: an illegal answer shows how the bot misread the board.
    OneMove,
    /// The position after a forced pass.
    AfterPass,
    /// A game that is played to its end.
    End,
    /// A position in which a central square is forbidden.
    Forbidden,
    /// A large, nearly full board: the longest line of the protocol.
    LongLine,
    /// A small board.
    SmallBoard,
    /// An opening under an opening rule.
    Opening,
}

/// A position from which a bot is asked for a few moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The purpose.
    pub theme: Theme,
    /// The legal moves that lead to the position, forced passes included. The bot is to move there.
    pub moves: Vec<Move>,
    /// The maximum number of moves that the bot is asked for.
    pub questions: u32,
}
