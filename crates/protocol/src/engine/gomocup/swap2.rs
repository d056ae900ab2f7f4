//! The opening by swap2: one side puts three stones, the other chooses its colour or adds to them.
//!
//! What the bot's own search says decides: white is to move, and whoever chooses takes the side that
//! the score favours. A bot that says no score keeps white. Two more stones are never asked for.

use games::{Board, Game, Move, Rules, Square};

use super::super::dialect::Answer;

/// What a choice rests on.
pub(super) enum Choice {
    /// Nothing has been put yet: put these.
    Open(String),
    /// White to move in this position: stay white, or swap.
    Judge(Board, Vec<Move>),
}

/// What `SWAP2BOARD` with `squares` asks for.
pub(super) fn choice(game: Game, squares: &[Square]) -> Result<Choice, String> {
    if squares.is_empty() {
        let opening = opening(game.size()).map(crate::notation::gomocup::write);
        return Ok(Choice::Open(opening.join(" ")));
    }
    if ![3, 5].contains(&squares.len()) {
        let count = squares.len();
        return Err(format!("SWAP2BOARD with {count} stones: it has 0, 3 or 5"));
    }
    let mut board = game.start();
    let moves: Vec<_> = squares.iter().copied().map(Move::Place).collect();
    for &played in &moves {
        board.play(played).map_err(|bad| bad.to_string())?;
    }
    Ok(Choice::Judge(board, moves))
}

/// Stay with white and play, or swap.
pub(super) fn decide(answer: &Answer) -> String {
    let score = answer.thought.as_ref().and_then(|thought| thought.score);
    match answer.played.square() {
        Some(square) if score.is_none_or(|score| score >= 0.0) => {
            crate::notation::gomocup::write(square)
        }
        _ => "SWAP".to_owned(),
    }
}

/// Black, white, black. Of sixteen such openings this is the one that `alphabeta` finds most even on
/// 15×15 by the rule of exactly five: +4 for white at depth 10 and −18 at depth 15, where others have up
/// to 539.
fn opening(size: u8) -> [Square; 3] {
    let middle = size / 2;
    let third = Square::new((middle + 3).min(size - 1), middle - 2);
    [
        Square::new(middle, middle),
        Square::new(middle + 1, middle + 1),
        third,
    ]
}
