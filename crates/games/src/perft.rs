//! Counts the leaves of the game tree, to check the generation of moves. By the convention of Aart Bik's table, a pass
//! is a ply, and an ended game is one leaf at every greater depth.

use crate::{Board, Move, Rules, othello};

/// Returns the number of leaves of the tree `depth` plies below `board`.
pub fn perft(board: &Board, depth: u32) -> u64 {
    match board {
        Board::Othello(board) => othello::perft::perft(board.position(), depth),
        _ => any(board, depth),
    }
}

/// Returns the number of leaves below each legal move, `depth` plies (at least 1) below `board`.
pub fn perft_divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let below = |played| {
        let mut next = board.clone();
        next.play(played).expect("a legal move is legal");
        (played, perft(&next, depth.saturating_sub(1)))
    };
    board.legal_moves().into_iter().map(below).collect()
}

fn any(board: &Board, depth: u32) -> u64 {
    if depth == 0 || board.ending().is_some() {
        return 1;
    }
    if depth == 1 {
        // A running game without a legal square has one leaf, the pass.
        return board.legal_squares().len().max(1) as u64;
    }
    let after = |played| {
        let mut next = board.clone();
        next.play(played).expect("a legal move is legal");
        any(&next, depth - 1)
    };
    board.legal_moves().into_iter().map(after).sum()
}
