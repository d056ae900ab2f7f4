//! The last plies of a midgame search: alpha-beta with neither table nor list, since looking a
//! position up takes longer than evaluating it.

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

/// Shallow searches of one evaluation.
pub struct Shallow<'a> {
    /// What leaves are worth.
    pub weights: &'a Weights,
    /// Positions visited.
    pub nodes: &'a mut u64,
}

impl Shallow<'_> {
    /// As [`Search::node`](crate::search::Search::node), the position itself counted already.
    pub fn search(&mut self, state: &State, depth: Depth, window: Window) -> Score {
        if depth <= 0 {
            return state.leaf_score(self.weights);
        }
        let moves = state.position.legal_moves();
        if moves == 0 {
            if state.position.pass().legal_moves() == 0 {
                return state.position.final_score() * DISC;
            }
            *self.nodes += 1;
            return -self.search(&state.pass(), depth, window.flipped());
        }
        let mut best = -crate::search::INFINITE;
        let mut open = window;
        for class in CLASSES {
            let mut squares = moves & class;
            while squares != 0 {
                let square = squares.trailing_zeros() as usize;
                squares &= squares - 1;
                *self.nodes += 1;
                let score = -self.search(&state.play(square), depth - 1, open.flipped());
                best = best.max(score);
                if window.fail_high(best) {
                    return best;
                }
                open = open.raised(best);
            }
        }
        best
    }
}
