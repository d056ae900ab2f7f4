//! `mobility`: the table of `weights`, and the number of moves left to each side. Othello only.
//!
//! Plays the move after which its own discs weigh most, with 50 points for having more moves than
//! the opponent or −50 for having fewer. It looks one ply ahead. Ties are drawn.
//!
//! What it teaches: in Othello the aim of the middle game is not discs but choice.

use games::{Board, Square, othello};
use protocol::Question;

use crate::draw::Draw;
use crate::othello::{more_moves, weight};

/// The table and the number of moves, one ply ahead.
pub(crate) fn mobility(question: &Question, draw: &mut Draw) -> Square {
    let Board::Othello(board) = &question.board else {
        unreachable!("other games are refused at their start")
    };
    draw.best(&question.legal(), |square| worth(board, square))
}

/// Points of the position after the move, for the side that made it.
fn worth(board: &othello::OthelloBoard, square: Square) -> i32 {
    let after = board.position().play(square.index(othello::SIZE));
    weight(after.opponent) - more_moves(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, Rules, Side};

    /// After f5 black has e4, d5 and e5, worth 1 each, and f5, worth 2. Each side would then have
    /// three moves, so that there is no bonus.
    #[test]
    fn the_first_move_is_worth_its_discs() {
        let board = othello::OthelloBoard::START;
        assert_eq!(worth(&board, "f5".parse().expect("a square")), 5);
    }

    #[test]
    fn more_moves_than_the_opponent_are_worth_fifty() {
        let mut rows = vec!["........"; 8];
        rows[3] = "..OX....";
        rows[4] = "........";
        let game = Game::OTHELLO;
        let Board::Othello(board) = game.position(&rows, Side::Black).expect("it is a board")
        else {
            unreachable!()
        };
        assert_eq!(board.legal_squares(), ["b4".parse().expect("a square")]);
        // b4, c4 and d4 are worth 1 + 2 + 1; no side can move, so that there is no bonus.
        assert_eq!(worth(&board, board.legal_squares()[0]), 4);
    }
}
