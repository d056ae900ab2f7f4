//! The content of a game file.

use std::time::Duration;

use crate::{Board, IllegalMove, Move, Rules, Side};

/// The content of a file about one game. Unknown fields are empty or `None`.
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
    /// The moves, Othello's forced passes included; legal from `start`.
    pub moves: Vec<SavedMove>,
    /// The players' names, black's first.
    pub players: [String; 2],
    /// The players' clocks, black's first.
    pub clocks: [Option<TimeControl>; 2],
    /// The result, if known.
    pub result: Option<GameResult>,
    /// The tournament; the place, if the format has no field for a tournament.
    pub event: String,
    /// The place; empty if unknown.
    pub site: String,
    /// The date in the notation of the file's format.
    pub date: String,
    /// A comment on the whole game.
    pub comment: String,
}

/// A half-move with its evaluation and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedMove {
    /// The move.
    pub played: Move,
    /// The mover's evaluation, from the mover's side and in the mover's units.
    pub evaluation: Option<f64>,
    /// The thinking time.
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

/// A player's time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The time for the whole game.
    pub main: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// On GGS, the time added once when the main time is used up; a player who needs it can at best draw.
    pub grace: Duration,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    /// `None` for a draw or a game without a winner.
    pub winner: Option<Side>,
    /// Othello: black's discs minus white's, as the file scores them.
    pub margin: Option<f64>,
    /// The reason.
    pub how: How,
}

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// The game ended by its rules, or for an unknown reason.
    Played,
    /// The loser resigned.
    Resigned,
    /// The loser exceeded the time.
    OutOfTime,
    /// The loser broke the rules or stopped answering.
    Forfeit,
    /// The players agreed on the score, or a referee set it.
    Agreed,
    /// The game does not count.
    Void,
}

impl SavedGame {
    /// Creates a game without moves or players.
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

    /// Returns the position after all moves. Panics if they are not legal from the start.
    pub fn board(&self) -> Board {
        let mut board = self.start.clone();
        for saved in &self.moves {
            board
                .play(saved.played)
                .expect("the moves of a saved game are legal");
        }
        board
    }

    /// Returns the moves without their evaluations and times.
    pub fn plies(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().map(|saved| saved.played)
    }

    /// Adds a legal move. This replays the whole game: for many moves, play on a board instead.
    pub fn push(&mut self, played: Move) -> Result<(), IllegalMove> {
        self.board().play(played)?;
        self.moves.push(played.into());
        Ok(())
    }
}
