//! `weights`: the square that is worth most, by a table.
//!
//! Othello: corners 500, the squares beside them −25 and −45 ([`WEIGHTS`]). Gomoku: 0 at the rim,
//! one more each step inwards, 7 in the centre of a 15×15 board. Ties are drawn.
//!
//! The table knows nothing of what is on the board. In Othello that is already a beginner who was
//! told about corners; in Gomoku it is barely better than `random`, and shows that where the stones
//! are matters more than where the squares are.

use games::{Board, Square, othello};
use protocol::Question;

use crate::draw::Draw;
use crate::gomoku::centrality;
use crate::othello::WEIGHTS;

/// The heaviest square.
pub(crate) fn weights(question: &Question, draw: &mut Draw) -> Square {
    draw.best(&question.legal(), |square| match &question.board {
        Board::Othello(_) => WEIGHTS[square.index(othello::SIZE)],
        Board::Gomoku(board) => centrality(square, board.size()),
        Board::Other(..) => unreachable!("other games are refused at their start"),
    })
}
