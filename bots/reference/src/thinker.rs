//! The interface of a way to choose moves.

use games::{Board, Move};
use protocol::{Info, Question, Start};

/// The way in which an opponent chooses its moves, for the games that it plays.
pub(crate) trait Thinker {
    fn start(&mut self, start: &Start);
    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move;
}

/// Returns the legal moves among `moves`, because trees ignore renju's fouls; if there is none, all legal moves.
pub(crate) fn allowed(mut moves: Vec<Move>, board: &Board) -> Vec<Move> {
    let legal = board.legal_moves();
    moves.retain(|played| legal.contains(played));
    if moves.is_empty() { legal } else { moves }
}
