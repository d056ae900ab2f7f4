//! `weights`: the square that is worth most, by a table.
//!
//! Othello: corners 500, the squares beside them −25 and −45 ([`WEIGHTS`]). Gomoku: 0 at the rim,
//! one more each step inwards, 7 in the centre of a 15×15 board. Ties are drawn.
//!
//! The table knows nothing of what is on the board. In Othello that is already a beginner who was
//! told about corners; in Gomoku it is barely better than `random`, and shows that where the stones
//! are matters more than where the squares are.

use games::{Board, Move, Square, othello};
use protocol::{Bot, Info, Question, Start};

use super::{BOTH, refuse_unless};
use crate::draw::Draw;
use crate::gomoku::centrality;
use crate::othello::WEIGHTS;

/// The heaviest square.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    seed: u64,
}

impl Bot for Weights {
    fn name(&self) -> &'static str {
        "weights"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        self.seed = start.seed;
        refuse_unless(self.name(), BOTH, start.game)
    }

    fn choose(&mut self, question: &Question, _say: &mut dyn FnMut(&Info)) -> Move {
        let mut draw = Draw::new(self.seed, question.moves.len());
        let weight = |square: Square| match &question.board {
            Board::Othello(_) => WEIGHTS[square.index(othello::SIZE)],
            Board::Gomoku(board) => centrality(square, board.size()),
            Board::Other(..) => unreachable!("other games are refused at their start"),
        };
        Move::Place(draw.best(&question.legal(), weight))
    }
}
