//! A game as a file holds it.

use std::time::Duration;

use crate::{Board, IllegalMove, Move, Rules, Side};

/// What a file says of a game. What it does not say is empty or `None`.
///
/// ```
/// use games::{Game, formats::SavedGame};
///
/// let mut game = SavedGame::new(Game::OTHELLO.start());
/// for played in ["f5", "d6", "c3"] {
///     game.push(played.parse()?)?;
/// }
/// assert_eq!(game.board().to_string().lines().last(), Some("white to move"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SavedGame {
    /// The position before the first move, with its side to move.
    pub start: Board,
    /// What was played, Othello's forced passes included; legal from `start`.
    pub moves: Vec<SavedMove>,
    /// The players' names, black's first.
    pub players: [String; 2],
    /// The players' clocks, black's first.
    pub clocks: [Option<TimeControl>; 2],
    /// How it ended, if the file says so.
    pub result: Option<GameResult>,
    /// The tournament or place.
    pub event: String,
    /// Where it was played; empty if that is not known.
    pub site: String,
    /// When it was played, as the file has it: formats differ.
    pub date: String,
    /// A remark on the whole game.
    pub comment: String,
}

/// A half-move and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedMove {
    /// The move.
    pub played: Move,
    /// How the mover saw its game, from its own side, in its own units.
    pub evaluation: Option<f64>,
    /// How long it thought.
    pub time: Option<Duration>,
}

impl From<Move> for SavedMove {
    fn from(played: Move) -> SavedMove {
        SavedMove {
            played,
            evaluation: None,
            time: None,
        }
    }
}

/// The time a player has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// For the whole game.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// GGS: given once when the main time is used up; the game can then only be drawn at best.
    pub grace: Duration,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    /// `None`: drawn, or nobody won.
    pub winner: Option<Side>,
    /// Othello: black's discs less white's, as the file scores them.
    pub margin: Option<f64>,
    /// By what.
    pub how: How,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// The rules of the game, or the file does not say.
    Played,
    /// The loser gave up.
    Resigned,
    /// The loser's flag fell.
    OutOfTime,
    /// The loser broke the rules or did not go on.
    Forfeit,
    /// The players agreed on the score, or a referee set it.
    Agreed,
    /// The game does not count.
    Void,
}

impl SavedGame {
    /// A game of which only the start is known.
    pub fn new(start: Board) -> SavedGame {
        SavedGame {
            start,
            moves: Vec::new(),
            players: [String::new(), String::new()],
            clocks: [None; 2],
            result: None,
            event: String::new(),
            site: String::new(),
            date: String::new(),
            comment: String::new(),
        }
    }

    /// The position after all moves.
    ///
    /// # Panics
    /// When the moves are not legal from the start.
    pub fn board(&self) -> Board {
        let mut board = self.start.clone();
        for saved in &self.moves {
            board
                .play(saved.played)
                .expect("the moves of a saved game are legal");
        }
        board
    }

    /// The moves alone.
    pub fn plies(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().map(|saved| saved.played)
    }

    /// Adds a legal move. To read a whole game, play along on a board instead: this one sets it up
    /// from the start each time.
    pub fn push(&mut self, played: Move) -> Result<(), IllegalMove> {
        self.board().play(played)?;
        self.moves.push(played.into());
        Ok(())
    }
}
