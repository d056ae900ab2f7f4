//! Opponents that do not search: `random`, `greedy`, `weights`, `mobility`.

use games::gomoku;
use games::{Board, Side, Square, othello};
use protocol::Question;

use crate::draw::Draw;
use crate::gomoku::centrality;
use crate::othello::{WEIGHTS, more_moves, weight};

// --- random ---
//
// Plays any legal move, each equally likely. Its games reach unusual positions, which reveal bugs of the other bot.

pub(crate) fn random(question: &Question, draw: &mut Draw) -> Square {
    let square = draw.one_of(&question.legal());
    square.expect("a question has a legal move")
}

// --- greedy ---
//
// Othello: plays the move with the most flips. Gomoku: plays the move that makes its longest line or blocks the
// opponent's longest line; if both are equally long, the bot prefers its own line. Other ties are broken at random.
//
// In Gomoku it plays like a fair beginner, because it completes and blocks fives. In Othello it is hardly better than
// `random`, because the number of discs in the midgame means nothing.

pub(crate) fn greedy(question: &Question, draw: &mut Draw) -> Square {
    draw.best(&question.legal(), |square| match &question.board {
        Board::Othello(board) => discs_turned(board, square),
        Board::Gomoku(board) => line_worth(board, square),
        Board::Other(..) => unreachable!("other games are refused at their start"),
    })
}

fn discs_turned(board: &othello::OthelloBoard, square: Square) -> u32 {
    let square = square.index(othello::SIZE);
    board.position().flips(square).count_ones()
}

/// Returns twice the length of the longest line that a stone on `square` makes or blocks, plus 1 if it makes the line.
pub(super) fn line_worth(board: &gomoku::GomokuBoard, square: Square) -> u32 {
    let own = games::Rules::side_to_move(board);
    let made = longest_line(board, square, own);
    let blocked = longest_line(board, square, !own);
    (2 * made + 1).max(2 * blocked)
}

/// Returns the length of the longest line of `side` with a stone on `square`; 0 for lines that are too long to win.
fn longest_line(board: &gomoku::GomokuBoard, square: Square, side: Side) -> u32 {
    let overline_wins = board.rule().five(side).or_more;
    gomoku::DIRECTIONS
        .into_iter()
        .map(|(right, down)| {
            1 + run(board, square, (right, down), side) + run(board, square, (-right, -down), side)
        })
        .filter(|&length| length <= 5 || overline_wins)
        .max()
        .unwrap_or(0)
}

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

// --- weights ---
//
// Plays the square with the highest value in a table. Othello: a corner is worth 500, a square beside it −25, or
// diagonally beside it −45 ([`WEIGHTS`]). Gomoku: a square at the edge is worth 0, and each step inwards is worth 1
// more. Ties are broken at random.
//
// The table ignores the position. In Othello, the bot plays like a beginner. In Gomoku, it hardly beats `random`.

pub(crate) fn weights(question: &Question, draw: &mut Draw) -> Square {
    draw.best(&question.legal(), |square| match &question.board {
        Board::Othello(_) => WEIGHTS[square.index(othello::SIZE)],
        Board::Gomoku(board) => centrality(square, board.size()),
        Board::Other(..) => unreachable!("other games are refused at their start"),
    })
}

// --- mobility ---
//
// Othello only. The value of a move is the sum of the table of `weights` over the bot's discs after the move, plus 50
// if the bot then has more moves than the opponent, or minus 50 if it has fewer. Ties are broken at random. This bot
// shows that mobility matters more than discs in the midgame.

pub(crate) fn mobility(question: &Question, draw: &mut Draw) -> Square {
    let Board::Othello(board) = &question.board else {
        unreachable!("other games are refused at their start")
    };
    draw.best(&question.legal(), |square| worth(board, square))
}

fn worth(board: &othello::OthelloBoard, square: Square) -> i32 {
    let after = board.position().play(square.index(othello::SIZE));
    weight(after.opponent) - more_moves(after)
}

#[cfg(test)]
mod tests {
    use games::{Game, Rules};

    use super::*;

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

    /// Black has e4, d5 and e5, worth 1 each, and f5, worth 2. Each side has three moves, so there is no bonus.
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
        // The discs on b4, c4 and d4 are worth 1 + 2 + 1. Neither side can move, so there is no bonus.
        assert_eq!(worth(&board, board.legal_squares()[0]), 4);
    }
}
