//! Positions and moves, as people write them.

use games::othello::{self, obf};
use games::{Board, Game, parse_transcript};

use super::failure::Failure;
use crate::othello::notation;
use crate::search::Move;

/// The board after a transcript such as `f5d6c3`, or the one that 64 squares and a side draw.
pub fn board(text: &str) -> Result<othello::OthelloBoard, Failure> {
    if obf::looks_like(text) {
        let problems = obf::read(text).map_err(Failure::input)?;
        return Ok(problems[0].board);
    }
    match parse_transcript(Game::OTHELLO, text) {
        Ok((_, Board::Othello(board))) => Ok(board),
        Ok(_) => unreachable!("the transcript is Othello's"),
        Err(error) => Err(Failure::input(error)),
    }
}

/// The same in any game: 64 squares draw a position of Othello alone.
pub fn of_game(game: Game, text: &str) -> Result<Board, Failure> {
    if game == Game::OTHELLO {
        return board(text).map(Board::Othello);
    }
    let (_, board) = parse_transcript(game, text).map_err(Failure::input)?;
    Ok(board)
}

/// Moves as people write them, with spaces between.
pub fn line(moves: &[Move]) -> String {
    let words = moves.iter().map(|&played| notation(played).to_string());
    words.collect::<Vec<_>>().join(" ")
}
