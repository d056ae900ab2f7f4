//! `random`: any legal move, each equally likely.
//!
//! The floor of every scale: a bot that does not beat it at once has a mistake, not a weakness. It
//! also reaches positions that no sensible game does, which finds the bugs that sensible games hide.

use games::Move;
use protocol::{Bot, Info, Question, Start};

use crate::draw::Draw;

/// Any legal move.
#[derive(Debug, Default)]
pub(crate) struct Random {
    seed: u64,
}

impl Bot for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        self.seed = start.seed;
        Ok(())
    }

    fn choose(&mut self, question: &Question, _say: &mut dyn FnMut(&Info)) -> Move {
        let mut draw = Draw::new(self.seed, question.moves.len());
        let square = draw.one_of(&question.legal());
        Move::Place(square.expect("a bot is only asked when it can move"))
    }
}
