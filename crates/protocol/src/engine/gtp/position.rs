//! Whose turn it is where the controller says who plays.

use games::{Board, Game, Move, Rules, Side};

/// A position, and the moves that led to it.
#[derive(Clone)]
pub(super) struct Position {
    pub board: Board,
    pub moves: Vec<Move>,
}

impl Position {
    /// Before the first move.
    pub(super) fn start(game: Game) -> Position {
        Position {
            board: game.start(),
            moves: Vec::new(),
        }
    }

    /// The position with `side` to move; `None` where it is the other's turn.
    pub(super) fn with(&self, side: Side) -> Option<Position> {
        if self.board.side_to_move() == side || self.board.ending().is_some() {
            return Some(self.clone());
        }
        let game = self.board.game();
        if game.family().has_passes() {
            return self.board.must_pass().then(|| self.after(Move::Pass))?;
        }
        Some(Position {
            board: game.with_stones(&self.board.stones(), side),
            moves: self.moves.clone(),
        })
    }

    /// The position after a move; `None` where it is illegal.
    pub(super) fn after(&self, played: Move) -> Option<Position> {
        if played == Move::Pass && !self.board.game().family().has_passes() {
            // GTP lets everybody pass.
            return self.with(!self.board.side_to_move());
        }
        let mut next = self.clone();
        next.board.play(played).ok()?;
        next.moves.push(played);
        Some(next)
    }
}
