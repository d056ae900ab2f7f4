//! Plays the moves of a file on a board as they are read.

use super::{Mistake, SavedMove};
use crate::{Board, Move, Rules, Side};

pub(super) struct Replay {
    pub(super) board: Board,
    pub(super) moves: Vec<SavedMove>,
}

impl Replay {
    pub(super) fn new(start: &Board) -> Replay {
        Replay {
            board: start.clone(),
            moves: Vec::new(),
        }
    }

    pub(super) fn next(&self) -> usize {
        self.moves.len() + 1
    }

    /// Plays the next move; `side` is its side in the file, if known. Adds omitted passes; drops passes after the end.
    pub(super) fn play(&mut self, side: Option<Side>, saved: SavedMove) -> Result<(), Mistake> {
        if saved.played == Move::Pass && self.board.ending().is_some() {
            return Ok(());
        }
        let other = match side {
            Some(side) => side != self.board.side_to_move(),
            None => saved.played != Move::Pass,
        };
        if other && self.board.must_pass() {
            self.board.play(Move::Pass).expect("a forced pass is legal");
            self.moves.push(Move::Pass.into());
        }
        let number = self.next();
        if let Some(side) = side.filter(|&side| side != self.board.side_to_move()) {
            return Err(Mistake::Turn { number, side });
        }
        self.board
            .play(saved.played)
            .map_err(|source| Mistake::Illegal { number, source })?;
        self.moves.push(saved);
        Ok(())
    }
}
