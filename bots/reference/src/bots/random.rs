//! `random`: any legal move, each equally likely.
//!
//! The floor of every scale: a bot that does not beat it at once has a mistake, not a weakness. It
//! also reaches positions that no sensible game does, which finds the bugs that sensible games hide.

use games::Square;
use protocol::Question;

use crate::draw::Draw;

/// Any legal move.
pub(crate) fn random(question: &Question, draw: &mut Draw) -> Square {
    let square = draw.one_of(&question.legal());
    square.expect("a bot is only asked when it can move")
}
