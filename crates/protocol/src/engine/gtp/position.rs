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
        match &self.board {
            Board::Othello(_) if self.board.must_pass() => self.after(Move::Pass),
            Board::Othello(_) => None,
            Board::Gomoku(board) => Some(Position {
                board: Board::Gomoku(board.clone().with_side_to_move(side)),
                moves: self.moves.clone(),
            }),
        }
    }

    /// The position after a move; `None` where it is illegal.
    pub(super) fn after(&self, played: Move) -> Option<Position> {
        let mut next = self.clone();
        if let (Board::Gomoku(board), Move::Pass) = (&next.board, played) {
            // GTP lets everybody pass.
            let side = !board.side_to_move();
            next.board = Board::Gomoku(board.clone().with_side_to_move(side));
            return Some(next);
        }
        next.board.play(played).ok()?;
        next.moves.push(played);
        Some(next)
    }
}
