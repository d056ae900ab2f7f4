//! `mobility`: the table of `weights`, and the number of moves left to each side. Othello only.
//!
//! Plays the move after which its own discs weigh most, with 50 points for having more moves than
//! the opponent or −50 for having fewer. It looks one ply ahead. Ties are drawn.
//!
//! What it teaches: in Othello the aim of the middle game is not discs but choice.

use games::{Board, Move, Square, othello};
use protocol::{Bot, Info, Question, Start};

use super::refuse_unless;
use crate::draw::Draw;
use crate::othello::{mobility, weight};

/// The table and the number of moves, one ply ahead.
#[derive(Debug, Default)]
pub(crate) struct Mobility {
    seed: u64,
}

impl Bot for Mobility {
    fn name(&self) -> &'static str {
        "mobility"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        refuse_unless("mobility", "othello", start.game)?;
        self.seed = start.seed;
        Ok(())
    }

    fn choose(&mut self, question: &Question, _say: &mut dyn FnMut(&Info)) -> Move {
        let Board::Othello(board) = &question.board else {
            unreachable!("start has refused any other game")
        };
        let mut draw = Draw::new(self.seed, question.moves.len());
        Move::Place(draw.best(&question.legal(), |square| worth(board, square)))
    }
}

/// Points of the position after the move, for the side that made it.
fn worth(board: &othello::Board, square: Square) -> i32 {
    let after = board.position().play(square.index(othello::SIZE));
    weight(after.opponent) - mobility(after)
}
