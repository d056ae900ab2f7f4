//! Positions of the engine's own games.

use games::gomoku::{GomokuBoard, Rule};
use games::{Move, Rules, Side};

use crate::gomoku::{self_play, winning_line};
use crate::options::Evaluation;

/// Positions visited a move: few, so that there are mistakes.
const NODES_A_MOVE: u64 = 800;
/// What looking for the first win costs at most.
const NODES_A_LOOK: u64 = 60_000;

/// The position of game `number` of the run `seed` in which black first had a win by force, if it
/// ever had: the game's stones so far, black to move.
pub fn natural(seed: u64, number: u64) -> Option<GomokuBoard> {
    let record = self_play::play(
        15,
        Rule::Freestyle,
        seed,
        number,
        NODES_A_MOVE,
        Evaluation::Patterns,
    );
    let mut board = GomokuBoard::new(15, Rule::Freestyle);
    for (ply, &played) in record.moves.iter().enumerate() {
        let counts = board.counts();
        let is_black = board.side_to_move() == Side::Black && counts[0] == counts[1];
        let is_worth_a_look = ply >= record.opening && ply >= 8 && is_black;
        if is_worth_a_look && winning_line(&board, NODES_A_LOOK).is_some() {
            return Some(board);
        }
        board.play(played).ok()?;
        debug_assert!(matches!(played, Move::Place(_)));
    }
    None
}
