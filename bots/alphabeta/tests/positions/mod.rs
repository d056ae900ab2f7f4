//! Random Gomoku positions with something to find, always the same ones.

use std::ops::RangeInclusive;

use games::gomoku::{GomokuBoard, Rule};
use games::{Side, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Positions in which nobody makes five at once, either side to move, on boards of `sizes`.
pub struct Positions {
    rule: Rule,
    sizes: RangeInclusive<u8>,
    random: ChaCha8Rng,
}

impl Positions {
    /// The same ones for the same rule and sizes, without end.
    pub fn of(rule: Rule, sizes: RangeInclusive<u8>) -> Positions {
        Positions {
            rule,
            sizes,
            random: ChaCha8Rng::seed_from_u64(rule as u64),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }
}

impl Iterator for Positions {
    type Item = GomokuBoard;

    fn next(&mut self) -> Option<GomokuBoard> {
        let extra = self.below(self.sizes.len()) as u8;
        let size = self.sizes.start() + extra;
        let cells = usize::from(size).pow(2);
        let mut board = GomokuBoard::new(size, self.rule);
        for number in 0..cells / 6 + self.below(cells / 3) {
            let square = Square::from_index(self.below(cells), size);
            if board.stone(square).is_some() {
                continue;
            }
            board.set(square, Some(Side::BOTH[number % 2]));
            let wins = |side| board.empty_squares().any(|five| board.wins(five, side));
            if board.winner().is_some() || Side::BOTH.into_iter().any(wins) {
                board.set(square, None);
            }
        }
        Some(board.with_side_to_move(Side::BOTH[self.below(2)]))
    }
}
