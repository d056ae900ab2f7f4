//! A game to be gone through, and how thoroughly.

use games::{Board, Move, Rules};

/// How thorough it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Othello: plies searched before the end is solved.
    pub depth: i32,
    /// Othello: empty squares after a move from which on it is judged exactly.
    pub solve_from: u32,
    /// Gomoku: positions visited for each move.
    pub nodes: u64,
    /// MiB that a transposition table may grow to.
    pub hash_mib: usize,
}

impl Settings {
    /// A look at a game in a fraction of a second.
    pub const QUICK: Settings = Settings {
        depth: 6,
        solve_from: 14,
        nodes: 5_000,
        hash_mib: 16,
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            depth: 14,
            solve_from: 20,
            nodes: 200_000,
            hash_mib: 64,
        }
    }
}

/// A game to be gone through.
#[derive(Clone, Debug)]
pub struct Played {
    /// The position before the first move.
    pub start: Board,
    /// All moves, forced passes included.
    pub moves: Vec<Move>,
    /// How many of the moves were given, as an opening: nobody chose them.
    pub given: usize,
}

/// Why a game cannot be gone through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnalysed {
    /// There is no search for this game.
    #[error("there is no analysis of {game}")]
    Game {
        /// Its name.
        game: &'static str,
    },
    /// Nobody chose a move.
    #[error("no move was played in this game")]
    NoMove,
    /// The record is damaged.
    #[error("half-move {ply} cannot be played: {why}")]
    Illegal {
        /// Counted from 1.
        ply: usize,
        /// The reason.
        why: String,
    },
}

impl Played {
    /// The positions before each move, and the last one.
    pub(super) fn boards(&self) -> Result<Vec<Board>, NotAnalysed> {
        let mut board = self.start.clone();
        let mut boards = vec![board.clone()];
        for (ply, &played) in self.moves.iter().enumerate() {
            let put = if ply < self.given {
                Board::give
            } else {
                Board::play
            };
            put(&mut board, played).map_err(|error| NotAnalysed::Illegal {
                ply: ply + 1,
                why: error.to_string(),
            })?;
            boards.push(board.clone());
        }
        Ok(boards)
    }

    /// The position before half-move `ply`, counted from 0; the last one is that after all moves.
    pub fn position(&self, ply: usize) -> Result<Option<Board>, NotAnalysed> {
        Ok(self.boards()?.into_iter().nth(ply))
    }
}
