//! Minimax: every line to the full depth.
//!
//! Source: J. von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; C. Shannon, "Programming a
//! computer for playing chess", 1950.

use games::Move;

use super::{INFINITY, Search, Tree};

impl Search {
    /// The value of the position to its side to move, `depth` plies ahead; the best line goes to
    /// `line`. Means nothing once the search was stopped.
    pub(super) fn minimax<T: Tree>(
        &mut self,
        tree: &mut T,
        depth: u32,
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
            tree.play(played);
            reply.clear();
            let value = -self.minimax(tree, depth - 1, &mut reply);
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
        }
        best
    }
}
