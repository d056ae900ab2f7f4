//! Five and six empty squares: no table and no scores, only parity.

use games::othello::{Kernel, Position};

use super::parity;
use super::solver::Solver;

/// Corners first, then the other squares; those beside corners last.
const CLASSES: [u64; 3] = [
    0x8100_0000_0000_0081,
    0x3c3c_ffff_ffff_3c3c,
    0x42c3_0000_0000_c342,
];

impl<K: Kernel> Solver<K> {
    /// As [`Solver::zero_window`].
    pub(super) fn shallow(&mut self, position: Position, empties: u32, alpha: i32) -> i32 {
        let kernel = self.kernel;
        kernel.vectorize(
            #[inline(always)]
            || {
                self.nodes += 1;
                if let Some(score) = Self::stability_cutoff(position, empties, alpha) {
                    return score;
                }
                let moves = kernel.legal_moves(position.own, position.opponent);
                if moves == 0 {
                    let passed = position.pass();
                    if kernel.legal_moves(passed.own, passed.opponent) == 0 {
                        return position.final_score();
                    }
                    return -self.shallow(passed, empties, -alpha - 1);
                }
                let odd = moves & parity::odd_squares(position.empties());
                let mut best = -64;
                for set in [odd, moves ^ odd] {
                    for class in CLASSES {
                        let mut squares = set & class;
                        while squares != 0 {
                            let square = squares.trailing_zeros() as usize;
                            squares &= squares - 1;
                            let flips = kernel.flips(position.own, position.opponent, square);
                            let next = position.play_flips(square, flips);
                            let score = -self.zero_window(next, empties - 1, -alpha - 1);
                            best = best.max(score);
                            if best > alpha {
                                return best;
                            }
                        }
                    }
                }
                best
            },
        )
    }
}
