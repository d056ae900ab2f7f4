//! Stones scattered over the board.

use games::gomoku::{GomokuBoard, Rule};
use games::{Side, Square};

use super::is_quiet;
use super::random::Random;

/// Squares tried for the stones of one board: one on which nothing fits any more stays as it is.
const TRIES: u32 = 5000;

/// Board number `number` of the run `seed`: 24 to 110 stones, as many white as black, and neither
/// side threatens a five or an open four. Whether black wins is another question.
pub fn scattered(seed: u64, number: u64) -> GomokuBoard {
    let mut random = Random::new(seed, number);
    let pairs = 12 + random.below(44) as u16;
    let mut board = GomokuBoard::new(15, Rule::Freestyle);
    scatter(&mut board, pairs, &mut random, is_quiet);
    board
}

/// Adds stones until each side has `pairs` or no more fit, as many of one side as of the other.
pub(super) fn scatter(
    board: &mut GomokuBoard,
    pairs: u16,
    random: &mut Random,
    is_fit: fn(&super::SearchBoard) -> bool,
) {
    let mut last = None;
    for _ in 0..TRIES {
        let side = next_side(board);
        if side == Side::Black && games::Rules::counts(board)[0] >= pairs {
            return;
        }
        let square = random.square();
        if board.stone(square).is_none() && fits(board, square, side, is_fit) {
            last = Some(square);
        }
    }
    if next_side(board) == Side::White {
        board.set(last.expect("a stone was set"), None);
    }
}

/// Whoever has fewer stones; black if nobody has.
fn next_side(board: &GomokuBoard) -> Side {
    let [black, white] = games::Rules::counts(board);
    if white < black {
        Side::White
    } else {
        Side::Black
    }
}

/// Puts the stone down if nobody then has won and the position is fit.
pub(super) fn fits(
    board: &mut GomokuBoard,
    square: Square,
    side: Side,
    is_fit: fn(&super::SearchBoard) -> bool,
) -> bool {
    board.set(square, Some(side));
    let fits = !board.wins(square, side) && is_fit(&super::SearchBoard::from_rules(board));
    if !fits {
        board.set(square, None);
    }
    fits
}
