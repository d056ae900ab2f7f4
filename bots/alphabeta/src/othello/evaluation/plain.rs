//! An evaluation without training: mobility, corners, frontier. The first generation of self-play
//! starts from it.

use games::othello::{Position, legal_moves};

use crate::othello::DISC;
use crate::search::Score;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// Every square beside one of `set`, in eight directions.
const fn neighbours(set: u64) -> u64 {
    let sides = (set & !H_FILE) << 1 | (set & !A_FILE) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// Squares next to a corner that is still empty.
const fn beside_empty_corners(empties: u64) -> u64 {
    neighbours(empties & CORNERS)
}

fn count(set: u64) -> Score {
    set.count_ones() as Score
}

/// Discs that the side to move may expect to win by, times [`DISC`].
pub fn evaluate(position: Position) -> Score {
    let Position { own, opponent } = position;
    let empties = position.empties();
    let mobility = count(legal_moves(own, opponent)) - count(legal_moves(opponent, own));
    let rim = neighbours(empties);
    let frontier = count(opponent & rim) - count(own & rim);
    let corners = count(own & CORNERS) - count(opponent & CORNERS);
    let risky = beside_empty_corners(empties);
    let risk = count(opponent & risky) - count(own & risky);
    let discs = (64 - count(empties)) / 16 * position.disc_difference();
    DISC * (3 * mobility + 2 * frontier + 24 * corners + 6 * risk + discs) / 4
}
