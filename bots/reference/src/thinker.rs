//! How opponents think, apart from what the catalogue says of them.

use games::{Board, Move, Square};
use protocol::{Info, Question, Start};

use crate::draw::Draw;

/// The idea of an opponent. It is only asked about games that the opponent plays.
pub(crate) trait Thinker {
    /// A game begins.
    fn start(&mut self, start: &Start);
    /// The move to play; `say` sends what it thinks.
    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move;
}

/// Chooses at sight, by the question and chance alone.
pub(crate) struct AtSight {
    seed: u64,
    choice: fn(&Question, &mut Draw) -> Square,
}

impl AtSight {
    pub(crate) fn new(choice: fn(&Question, &mut Draw) -> Square) -> AtSight {
        AtSight { seed: 0, choice }
    }
}

impl Thinker for AtSight {
    fn start(&mut self, start: &Start) {
        self.seed = start.seed;
    }

    fn choose(&mut self, question: &Question, _say: &mut dyn FnMut(&Info)) -> Move {
        let mut draw = Draw::new(self.seed, question.moves.len());
        Move::Place((self.choice)(question, &mut draw))
    }
}

/// Those of `moves` that the rules allow (no tree here knows renju's forbidden points); all legal
/// moves where none of them is left.
pub(crate) fn allowed(mut moves: Vec<Move>, board: &Board) -> Vec<Move> {
    let legal = board.legal_moves();
    moves.retain(|played| legal.contains(played));
    if moves.is_empty() { legal } else { moves }
}
