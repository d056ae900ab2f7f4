//! The last plies of a midgame search: alpha-beta with neither table nor list, since looking a
//! position up takes longer than evaluating it.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

use games::othello::{Kernel, Task};

use super::DISC;
use super::evaluation::Weights;
use super::state::State;
use crate::search::{Depth, Score, Window};

/// The order in which squares are tried: corners, edges, the middle, and last those beside corners.
const CLASSES: [u64; 4] = [
    0x8100_0000_0000_0081,
    0x3c00_8181_8181_003c,
    0x003c_7e7e_7e7e_3c00,
    0x42c3_0000_0000_c342,
];

/// A shallow search, as [`Search::node`](crate::search::Search::node), the position itself counted already.
///
/// It is compiled for the kernel that runs it, for the sake of the features more than of the moves.
pub struct Shallow<'a> {
    /// What leaves are worth.
    pub weights: &'a Weights,
    /// Positions visited.
    pub nodes: &'a mut u64,
    /// The position.
    pub state: &'a State,
    /// Plies left.
    pub depth: Depth,
    /// What matters.
    pub window: Window,
}

impl Task for Shallow<'_> {
    type Output = Score;

    fn run<K: Kernel>(self, kernel: K) -> Score {
        let (weights, nodes) = (self.weights, self.nodes);
        let mut plies = Plies {
            kernel,
            weights,
            nodes,
        };
        kernel.vectorize(
            #[inline(always)]
            || plies.score(self.state, self.depth, self.window),
        )
    }
}

struct Plies<'a, K> {
    kernel: K,
    weights: &'a Weights,
    nodes: &'a mut u64,
}

impl<K: Kernel> Plies<'_, K> {
    #[inline(always)]
    fn score(&mut self, state: &State, depth: Depth, window: Window) -> Score {
        if depth <= 0 {
            return state.leaf_score(self.weights);
        }
        self.best(state, depth, window)
    }

    /// The score of the best move.
    fn best(&mut self, state: &State, depth: Depth, window: Window) -> Score {
        let kernel = self.kernel;
        kernel.vectorize(
            #[inline(always)]
            || {
                let position = state.position;
                let moves = kernel.legal_moves(position.own, position.opponent);
                if moves == 0 {
                    if kernel.legal_moves(position.opponent, position.own) == 0 {
                        return position.final_score() * DISC;
                    }
                    *self.nodes += 1;
                    return -self.best(&state.pass(), depth, window.flipped());
                }
                let mut best = -crate::search::INFINITE;
                let mut open = window;
                for class in CLASSES {
                    let mut squares = moves & class;
                    while squares != 0 {
                        let square = squares.trailing_zeros() as usize;
                        squares &= squares - 1;
                        *self.nodes += 1;
                        let flips = kernel.flips(position.own, position.opponent, square);
                        let next = state.play_flips(square, flips);
                        let score = -self.score(&next, depth - 1, open.flipped());
                        best = best.max(score);
                        if window.fail_high(best) {
                            return best;
                        }
                        open = open.raised(best);
                    }
                }
                best
            },
        )
    }
}
