//! Principal variation search: one node of the tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{
    Budget, Depth, Frame, History, Killers, Late, Move, Node, Score, ScoredMove, SearchPosition,
    TranspositionTable, Window,
};

/// Least depth at which the table is asked about the positions after the moves, before any is
/// searched (A. Plaat, "Research re: search & re-search", 1996: enhanced transposition cutoff).
const LOOK_AHEAD_IN_TABLE: Depth = 4;

/// A search in progress, and what it has learned.
pub struct Search<P: SearchPosition> {
    /// The position searched at the moment.
    pub position: P,
    /// Positions visited since the last [`Search::deepen`].
    pub nodes: u64,
    /// What is known of positions seen before; shared between threads.
    pub table: Arc<TranspositionTable>,
    pub(super) killers: Killers,
    pub(super) history: History,
    /// The moves of all positions from the root to here, each position's in one piece at the end.
    pub(super) moves: Vec<ScoredMove>,
    /// What is known of the positions from the root to here, by ply.
    frames: Vec<Frame>,
    /// The principal variation found so far below each ply.
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) budget: Budget,
    /// Raised by whoever wants the search to stop.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) stopped: bool,
    next_poll: u64,
}

impl<P: SearchPosition> Search<P> {
    /// A search from `position` that keeps what it learns in `table`.
    pub fn new(position: P, table: Arc<TranspositionTable>) -> Search<P> {
        Search {
            position,
            nodes: 0,
            table,
            killers: Killers::default(),
            history: History::new(P::MOVES),
            moves: Vec::new(),
            frames: vec![Frame::default(); 4],
            lines: Vec::new(),
            budget: Budget::default(),
            stop: Arc::default(),
            stopped: false,
            next_poll: 0,
        }
    }

    /// Makes ready for a search from the position that is set, within `budget`.
    pub(super) fn begin(&mut self, budget: Budget) {
        self.budget = budget;
        self.nodes = 0;
        self.next_poll = Budget::POLL;
        self.stopped = false;
        self.killers.clear();
        self.moves.clear();
    }

    /// The score of the position within `window`, `depth` plies deep: exact inside the window,
    /// a bound outside. `ply` counts from the root. Without meaning once the search was stopped.
    pub fn node(&mut self, depth: Depth, window: Window, ply: usize) -> Score {
        self.clear_line(ply);
        self.frame(ply).static_score = None;
        self.nodes += 1;
        if let Some(score) = self.position.outcome(ply) {
            return score;
        }
        if depth <= P::LEAF_DEPTH && (ply > 0 || depth <= 0) {
            return P::near_leaf(self, depth, window, ply);
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
            return P::score_from_table(score, ply);
        }

        // What the game knows without searching
        if ply > 0
            && let Some(score) = P::prune(self, depth, window, ply)
        {
            return score;
        }

        // A position that the table does not know is probably not worth its depth
        let table_move = known.and_then(|entry| entry.best.some());
        let depth = if table_move.is_none() && depth >= P::REDUCED_WITHOUT_TABLE {
            depth - 1
        } else {
            depth
        };

        // The moves, best first
        let first = self.moves.len();
        self.generate(depth, ply, table_move);
        let score = if self.moves.len() == first {
            self.position.final_score(ply)
        } else if let Some(score) = self.cutoff_one_ply_ahead(first, depth, window, ply) {
            score
        } else {
            self.best_of_moves(first, depth, window, ply, key)
        };
        self.moves.truncate(first);
        score
    }

    /// Searches the moves listed from `first` on, and remembers the result.
    fn best_of_moves(
        &mut self,
        first: usize,
        depth: Depth,
        window: Window,
        ply: usize,
        key: u64,
    ) -> Score {
        let side = self.position.side();
        let mut node = self.describe(depth, window, ply);
        let mut best = (-super::INFINITE, Move::NONE);
        let mut most_promising = None;
        for index in first..self.moves.len() {
            let candidate = self.take_best(index);
            let late = Late {
                index: index - first,
                history: self.history.of(side)[candidate.played.index()],
                // The table's move has no place in the order of the others.
                behind: match most_promising {
                    Some(most) => most - candidate.score,
                    None => 0,
                },
                killer: self.killers.at(ply).contains(&candidate.played),
                played: candidate.played,
            };
            if candidate.score < i32::MAX && most_promising.is_none() {
                most_promising = Some(candidate.score);
            }
            if self.position.is_skipped(&node, &late, best.0) {
                continue;
            }
            self.position.play(late.played);
            let score = self.child(&node, &late);
            self.position.undo(late.played);
            if self.stopped {
                return best.0.max(window.alpha);
            }
            if score > best.0 {
                best = (score, late.played);
                if score > node.window.alpha {
                    node.window.alpha = score;
                    self.extend_line(ply, late.played);
                    if !window.fail_high(score) {
                        node.depth = P::depth_after_improvement(node.depth, score);
                    }
                }
            }
            if window.fail_high(score) {
                self.killers.add(ply, late.played);
                self.history.reward(side, late.played, depth);
                for tried in &self.moves[first..index] {
                    self.history.punish(side, tried.played, depth);
                }
                break;
            }
        }
        let stored = P::score_to_table(best.0, ply);
        self.table.store(
            key,
            self.position.draft(depth),
            Self::window_in_table(window, ply),
            stored,
            best.1,
        );
        best.0
    }

    /// What the hooks are told of a node.
    pub fn describe(&self, depth: Depth, window: Window, ply: usize) -> Node {
        let now = self.frames[ply].static_score;
        let before = ply
            .checked_sub(2)
            .and_then(|ply| self.frames[ply].static_score);
        Node {
            depth,
            window,
            ply,
            cut: self.frames[ply].cut,
            static_score: now,
            improving: match (now, before) {
                (Some(now), Some(before)) => now > before,
                _ => false,
            },
        }
    }

    /// The score of the position after the move just played: the first in the whole window, the
    /// others by a scout that asks only whether they are better, late ones less deeply; whoever is
    /// better than asked is searched again.
    fn child(&mut self, node: &Node, late: &Late) -> Score {
        let (window, ply) = (node.window, node.ply);
        let depth = node.depth - 1 + self.position.extension(node, late);
        if late.index == 0 {
            let cut = window.is_zero() && !node.cut;
            return -self.node_expected(cut, depth, window.flipped(), ply + 1);
        }
        let reduction = self.position.reduction(node, late, depth);
        let cut = reduction > 0 || !node.cut;
        let mut score = -self.node_expected(cut, depth - reduction, window.scout(), ply + 1);
        if reduction > 0 && score > window.alpha && !self.stopped {
            score = -self.node_expected(!node.cut, depth, window.scout(), ply + 1);
        }
        if score > window.alpha && !window.is_zero() && !window.fail_high(score) && !self.stopped {
            score = -self.node_expected(false, depth, window.flipped(), ply + 1);
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

    /// What is known of the position at `ply`.
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        if ply >= self.frames.len() {
            self.frames.resize(ply + 1, Frame::default());
        }
        &mut self.frames[ply]
    }

    /// A cutoff by what the table knows of the positions one ply ahead.
    fn cutoff_one_ply_ahead(
        &self,
        first: usize,
        depth: Depth,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        if depth < LOOK_AHEAD_IN_TABLE || !window.is_zero() {
            return None;
        }
        let theirs = Self::window_in_table(window.flipped(), ply + 1);
        let enough = self.position.draft(depth - 1);
        self.moves[first..].iter().find_map(|candidate| {
            let key = self.position.key_after(candidate.played)?;
            let entry = self.table.probe(key)?;
            (entry.depth >= enough && theirs.fail_low(entry.upper))
                .then(|| -P::score_from_table(entry.upper, ply + 1))
        })
    }

    // --- Odds and ends ---

    /// The window in the terms of scores in the table.
    fn window_in_table(window: Window, ply: usize) -> Window {
        let alpha = P::score_to_table(window.alpha, ply);
        Window::new(alpha, P::score_to_table(window.beta, ply).max(alpha + 1))
    }

    /// Whether the budget is spent; looks at the clock once in [`Budget::POLL`] nodes.
    pub fn must_stop(&mut self) -> bool {
        let limit = self.budget.nodes.unwrap_or(u64::MAX);
        if self.nodes >= self.next_poll.min(limit) && !self.stopped {
            self.next_poll = self.nodes + Budget::POLL;
            self.stopped = self.stop.load(Relaxed) || self.budget.is_spent(self.nodes);
        }
        self.stopped
    }
}
