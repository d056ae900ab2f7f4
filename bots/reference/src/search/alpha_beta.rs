//! Alpha-beta: minimax that leaves out what cannot change its result.
//!
//! Once one reply refutes a move, it does not matter how badly the other replies would refute it.
//! With the best move first, depth *d* of *b* moves costs about b^(d/2) positions instead of b^d.
//!
//! Source: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975.

use games::Move;

use super::{INFINITY, Search, Tree, Window};

impl Search {
    /// As [`Search::minimax`] inside `window`; outside it, only on which side of it the value lies.
    pub(super) fn alpha_beta<T: Tree>(
        &mut self,
        tree: &mut T,
        depth: u32,
        window: Window,
        line: &mut Vec<Move>,
    ) -> i32 {
        if self.enter() {
            return 0;
        }
        if let Some(value) = tree.ended() {
            return value;
        }
        if depth == 0 {
            return tree.evaluate();
        }
        let mut best = -INFINITY;
        let mut reply = Vec::new();
        for played in tree.moves(depth) {
            let child = Window {
                alpha: -window.beta,
                beta: -window.alpha.max(best),
            };
            tree.play(played);
            reply.clear();
            let value = -self.alpha_beta(tree, depth - 1, child, &mut reply);
            tree.undo();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                line.clear();
                line.push(played);
                line.append(&mut reply);
            }
            if best >= window.beta {
                break;
            }
        }
        best
    }
}
