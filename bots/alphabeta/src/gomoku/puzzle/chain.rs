//! Long wins by fours, by local search: a position is changed stone by stone, and a
//! change that does not make its shortest win by fours shorter is kept.
//!
//! White begins with two open threes far apart, so that black must win by fours or lose: an open
//! three of black's comes too late.

use games::gomoku::{GomokuBoard, Rule};
use games::{Side, Square};

use super::Vct;
use super::random::Random;
use super::scattered::{fits, scatter};
use crate::gomoku::VctLimits;
use crate::gomoku::shape::Kind;

/// What measuring one step may cost.
const NODES: u64 = 30_000;
/// Cells on which two open threes threaten an open four.
const PRESSING: u16 = 4;

/// A position made from a random one, number `number` of the run `seed`, in at most `steps`, and
/// the plies of its shortest win by fours; 0: none. Ends when they are `goal` or more.
pub fn chain(seed: u64, number: u64, steps: u32, goal: usize) -> (GomokuBoard, usize) {
    let mut random = Random::new(!seed, number);
    let mut board = GomokuBoard::new(15, Rule::Freestyle);
    for (column, row) in [(2, 1), (3, 1), (4, 1), (10, 13), (11, 13), (12, 13)] {
        board.set(Square::new(column, row), Some(Side::White));
    }
    let pairs = 22 + random.below(20) as u16;
    scatter(&mut board, pairs, &mut random, is_pressing);
    let mut best = length(&board);
    for _ in 0..steps {
        if best >= goal {
            break;
        }
        let mut changed = board.clone();
        for _ in 0..=random.below(2) {
            change(&mut changed, &mut random);
        }
        let found = length(&changed);
        if found >= best {
            (board, best) = (changed, found);
        }
    }
    (board, best)
}

/// Whether nobody has a five, and white's open threes stand.
fn is_pressing(board: &super::SearchBoard) -> bool {
    let [black, white] = [Side::Black.index(), Side::White.index()];
    board.count(black, Kind::Five) == 0
        && board.count(white, Kind::Five) == 0
        && board.count(white, Kind::OpenFour) >= PRESSING
}

/// Moves a stone elsewhere.
fn change(board: &mut GomokuBoard, random: &mut Random) {
    let mut from = random.square();
    while board.stone(from).is_none() {
        from = random.square();
    }
    let side = board.stone(from).unwrap_or(Side::Black);
    board.set(from, None);
    for _ in 0..50 {
        let to = random.square();
        if board.stone(to).is_none() && fits(board, to, side, is_pressing) {
            return;
        }
    }
    board.set(from, Some(side));
}

fn length(board: &GomokuBoard) -> usize {
    let mut fast = super::SearchBoard::from_rules(board);
    let limits = VctLimits {
        plies: Vct::PLIES,
        nodes: NODES,
    };
    let solved = Vct::by_fours().solve(&mut fast, limits);
    solved.map_or(0, |line| line.len())
}
