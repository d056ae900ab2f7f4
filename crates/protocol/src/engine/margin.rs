//! By how much a game is won.

use games::{Board, Ending, Rules, Side};

/// Discs of Othello for black at its end, below 0 where white has won. The empty squares are the
/// winner's, as in tournaments and in `gtp-rhino`.
pub(super) fn discs_for_black(board: &Board, ending: Ending) -> i32 {
    let [black, white] = board.counts().map(i32::from);
    let empty = 64 - black - white;
    let winners = match ending.winner {
        Some(Side::Black) => empty,
        Some(Side::White) => -empty,
        None => 0,
    };
    black - white + winners
}
