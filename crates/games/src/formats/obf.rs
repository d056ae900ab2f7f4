//! The positions of a game as [OBF](crate::othello::obf), one line each.

use std::fmt::Write as _;

use super::{CannotHold, SavedGame};
use crate::othello::obf::{ObfPosition, ScoredMove};
use crate::{Board, Rules};

/// Writes a line for each move that has a thinking time: the position before the move, and the move.
pub fn write(game: &SavedGame) -> Result<String, CannotHold> {
    let mut board = game.start.clone();
    let mut text = String::new();
    for (ply, saved) in (1..).zip(&game.moves) {
        let Board::Othello(position) = board else {
            return Err(CannotHold::Game {
                format: "OBF",
                game: board.game(),
                instead: "sgf, psq or transcript",
            });
        };
        if saved.time.is_some() {
            let position = ObfPosition {
                name: format!("{}, half-move {ply}", game.comment),
                board: position,
                moves: vec![ScoredMove {
                    played: saved.played,
                    score: None,
                }],
            };
            writeln!(text, "{position}").expect("writing to a string cannot fail");
        }
        board
            .play(saved.played)
            .expect("a saved game has legal moves");
    }
    Ok(text)
}
