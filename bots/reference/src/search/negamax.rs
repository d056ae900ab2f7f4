//! Minimax: every line to the full depth. And alpha-beta: minimax that leaves out what cannot change
//! its result.
//!
//! Once one reply refutes a move, it does not matter how badly the other replies would refute it.
//! With the best move first, depth *d* of *b* moves costs about b^(d/2) positions instead of b^d.
//!
//! Sources: J. von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; C. Shannon, "Programming a
//! computer for playing chess", 1950; D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975.

use games::Move;

use super::{INFINITY, Method, Search, Tree, Window};

impl Search {
    /// The value of the position to its side to move, `depth` plies ahead; the best line goes to
    /// `line`. Alpha-beta tells of a value outside `window` only on which side of it the value lies.
    /// Means nothing once the search was stopped.
    pub(super) fn negamax<T: Tree>(
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
            let value = -self.negamax(tree, depth - 1, child, &mut reply);
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
            if self.method == Method::AlphaBeta && best >= window.beta {
                break;
            }
        }
        best
    }
}
