//! Principal variation search: one node of the tree, from top to bottom by its headings.
//!
//! The techniques that need more than a few lines have files of their own: `pruning` has razoring,
//! reverse futility pruning, null move pruning and prob-cut, `late_moves` has late move pruning, cut
//! node reduction and late move reductions, `move_picker` the order of moves.

use super::move_picker::{MovePicker, Picked};
use super::node::Node;
use super::{Depth, INFINITE, Move, Score, Search, SearchPosition, Window};

/// Least depth at which the table is asked about the positions after the moves, before any is
/// searched (A. Plaat, "Research re: search & re-search", 1996: enhanced transposition cutoff).
const ENHANCED_CUTOFF: Depth = 4;

/// Least depth that internal iterative reduction takes a ply off.
const INTERNAL_REDUCTION: Depth = 5;

impl<P: SearchPosition> Search<P> {
    /// The score of the position within `window`, `depth` plies deep: exact inside the window,
    /// a bound outside. `ply` counts from the root. Without meaning once the search was stopped.
    pub fn node(&mut self, depth: Depth, window: Window, ply: usize) -> Score {
        self.clear_line(ply);
        self.frame(ply).static_score = None;
        self.nodes += 1;

        // The end of the game
        if ply > 0
            && let Some(score) = self.position.outcome(ply)
        {
            return score;
        }

        // Leaves
        if depth <= P::LEAF_DEPTH && (ply > 0 || depth <= 0) {
            let nodes = &mut self.nodes;
            return self.position.near_leaf(depth, window, ply, nodes);
        }
        if self.must_stop() {
            return window.alpha;
        }

        // Transposition table
        let key = self.position.key();
        let known = self.table.probe(key);
        if window.is_zero()
            && let Some(entry) = known
            && let Some(score) = entry.cutoff(
                self.position.draft(depth),
                Self::window_in_table(window, ply),
            )
        {
            return Self::score_from_table(score, ply);
        }

        // Endgame solver
        if ply > 0
            && let Some(score) = self
                .position
                .solve(depth, window, &self.table, &mut self.nodes)
        {
            return score;
        }

        // Razoring, reverse futility pruning, null move pruning, prob-cut
        let mut node = self.describe(depth, window, ply);
        Self::sharpen(&mut node, known);
        if ply > 0
            && let Some(score) = self.prune(&node)
        {
            return score;
        }

        // Internal iterative reduction: what the table does not know is probably not worth its depth
        let table_move = known.and_then(|entry| entry.best.some());
        if P::MARGINS.is_some() && table_move.is_none() && depth >= INTERNAL_REDUCTION {
            node.depth -= 1;
        }

        // Moves, best first
        let picker = self.pick_moves(node.depth, ply, table_move);
        if picker.all(&self.moves).is_empty() {
            return self.position.final_score(ply);
        }

        // Enhanced transposition cutoff
        if let Some(score) = self.enhanced_cutoff(&picker, &node) {
            picker.end(&mut self.moves);
            return score;
        }
        self.best_of_moves(picker, node, key)
    }

    /// Searches the moves of a node, and remembers the result.
    fn best_of_moves(&mut self, mut picker: MovePicker, mut node: Node, key: u64) -> Score {
        let Node {
            depth,
            window,
            ply,
            side,
            ..
        } = node;
        let mut best = (-INFINITE, Move::NONE);
        while let Some(picked) = picker.next(&mut self.moves) {
            // Late move pruning: of this move, and so of all quiet ones after it
            if self.is_pruned(&node, &picked, best.0) {
                let position = &self.position;
                picker.keep_only(&mut self.moves, |left| !position.is_quiet(left));
                continue;
            }

            let played = picked.played;
            self.position.play(played);
            let score = self.child(&node, &picked);
            self.position.undo(played);
            if self.stopped {
                picker.end(&mut self.moves);
                return best.0.max(window.alpha);
            }

            // Principal variation
            if score > best.0 {
                best = (score, played);
                if score > node.window.alpha {
                    node.window.alpha = score;
                    self.extend_line(ply, played);
                    if !window.fail_high(score) {
                        node.depth = Self::depth_once_raised(node.depth, score);
                    }
                }
            }

            // Beta cutoff: killers and history learn from it
            if window.fail_high(score) {
                self.killers.add(ply, played);
                self.history.reward(side, played, depth);
                for tried in picker.before_last(&self.moves) {
                    self.history.punish(side, tried.played, depth);
                }
                break;
            }
        }
        picker.end(&mut self.moves);

        // Transposition table
        let stored = Self::score_to_table(best.0, ply);
        self.table.store(
            key,
            self.position.draft(depth),
            Self::window_in_table(window, ply),
            stored,
            best.1,
        );
        best.0
    }

    /// The score of the position after the move just played: the first in the whole window, the
    /// others by a scout that asks only whether they are better, late ones less deeply; whoever is
    /// better than asked is searched again.
    fn child(&mut self, node: &Node, picked: &Picked) -> Score {
        let (window, ply) = (node.window, node.ply + 1);

        // Extensions, cut node reduction
        let depth = match self.position.extension(picked.played) {
            0 => node.depth - 1 - Self::cut_node_reduction(node),
            longer => node.depth - 1 + longer,
        };

        // The first move
        if picked.index == 0 {
            let cut = window.is_zero() && !node.cut;
            return -self.node_expected(cut, depth, window.flipped(), ply);
        }

        // Late move reductions
        let reduction = self.late_move_reduction(node, picked, depth);
        let cut = reduction > 0 || !node.cut;
        let mut score = -self.node_expected(cut, depth - reduction, window.scout(), ply);
        if reduction > 0 && score > window.alpha && !self.stopped {
            score = -self.node_expected(!node.cut, depth, window.scout(), ply);
        }

        // Principal variation search
        if score > window.alpha && !window.is_zero() && !window.fail_high(score) && !self.stopped {
            score = -self.node_expected(false, depth, window.flipped(), ply);
        }
        score
    }

    /// As [`Search::node`]; `cut` says whether a cutoff is expected there.
    fn node_expected(&mut self, cut: bool, depth: Depth, window: Window, ply: usize) -> Score {
        self.frame(ply).cut = cut;
        let score = self.node(depth, window, ply);
        self.frame(ply).cut = false;
        score
    }

    /// A cutoff by what the table knows of the positions one ply ahead.
    fn enhanced_cutoff(&self, picker: &MovePicker, node: &Node) -> Option<Score> {
        if node.depth < ENHANCED_CUTOFF || !node.window.is_zero() {
            return None;
        }
        let ply = node.ply + 1;
        let theirs = Self::window_in_table(node.window.flipped(), ply);
        let enough = self.position.draft(node.depth - 1);
        picker.all(&self.moves).iter().find_map(|candidate| {
            let key = self.position.key_after(candidate.played)?;
            let entry = self.table.probe(key)?;
            (entry.depth >= enough && theirs.fail_low(entry.upper))
                .then(|| -Self::score_from_table(entry.upper, ply))
        })
    }
}
