//! `greedy`: what looks like most right now.
//!
//! Othello: the move that turns over the most discs. Gomoku: the move that makes the longest line
//! of its own or blocks the longest of the opponent's; of two equals, its own. Ties are drawn.
//!
//! The first program that everyone writes. In Gomoku it is a fair beginner, as it completes and
//! blocks fives; in Othello it is hardly better than `random`, which teaches that discs in the
//! middle of the game are worth nothing.

use games::gomoku::{self, Rule};
use games::{Board, Side, Square, othello};
use protocol::Question;

use crate::draw::Draw;

/// The most discs or the longest line.
pub(crate) fn greedy(question: &Question, draw: &mut Draw) -> Square {
    draw.best(&question.legal(), |square| match &question.board {
        Board::Othello(board) => discs_turned(board, square),
        Board::Gomoku(board) => line_worth(board, square),
        Board::Other(..) => unreachable!("other games are refused at their start"),
    })
}

/// How many discs a move turns over.
fn discs_turned(board: &othello::OthelloBoard, square: Square) -> u32 {
    let square = square.index(othello::SIZE);
    board.position().flips(square).count_ones()
}

/// Twice the longest line that a stone on `square` makes or blocks, and one more if it is its own.
pub(super) fn line_worth(board: &gomoku::GomokuBoard, square: Square) -> u32 {
    let own = games::Rules::side_to_move(board);
    let made = longest_line(board, square, own);
    let blocked = longest_line(board, square, !own);
    (2 * made + 1).max(2 * blocked)
}

/// Length of the longest line that `side` would have through the empty `square`. A line too long
/// to win counts as none.
fn longest_line(board: &gomoku::GomokuBoard, square: Square, side: Side) -> u32 {
    let overline_wins = match board.rule() {
        Rule::Freestyle => true,
        Rule::Standard => false,
        Rule::Renju => side == Side::White,
    };
    gomoku::DIRECTIONS
        .into_iter()
        .map(|(right, down)| {
            1 + run(board, square, (right, down), side) + run(board, square, (-right, -down), side)
        })
        .filter(|&length| length <= 5 || overline_wins)
        .max()
        .unwrap_or(0)
}

/// Stones of `side` in a row from beside `square` on.
fn run(board: &gomoku::GomokuBoard, square: Square, (right, down): (i8, i8), side: Side) -> u32 {
    let mut length = 0;
    let (mut column, mut row) = (square.column(), square.row());
    loop {
        let next = column
            .checked_add_signed(right)
            .zip(row.checked_add_signed(down));
        let Some((next_column, next_row)) =
            next.filter(|&(column, row)| column < board.size() && row < board.size())
        else {
            return length;
        };
        if board.stone(Square::new(next_column, next_row)) != Some(side) {
            return length;
        }
        (column, row) = (next_column, next_row);
        length += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;

    #[test]
    fn discs_are_counted_as_they_turn() {
        let game = Game::OTHELLO;
        let mut rows = vec!["........"; 8];
        rows[0] = ".OOX....";
        rows[1] = "O.......";
        rows[2] = "X.......";
        let Board::Othello(board) = game.position(&rows, Side::Black).expect("it is a board")
        else {
            unreachable!()
        };
        assert_eq!(discs_turned(&board, Square::new(0, 0)), 3);
    }
}
