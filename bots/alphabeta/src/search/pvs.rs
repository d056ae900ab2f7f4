//! Principal variation search: [`Search::node`] searches a node, `selectivity` prunes, `move_ordering` orders moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::move_ordering::{History, Killers, MovePicker, Picked};
use super::time::Budget;
use super::transposition_table::TranspositionTable;
use super::{
    Depth, INFINITE, Margins, Move, Score, ScoredMove, SearchPosition, TableEntry, Threat, Window,
};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    pub static_score: Option<Score>,
    /// Whether a cutoff is expected.
    pub cut: bool,
}

pub struct Search<P: SearchPosition> {
    pub position: P,
    pub nodes: u64,
    pub table: Arc<TranspositionTable>,
    pub(super) killers: Killers,
    pub(super) history: History,
    pub(super) moves: Vec<ScoredMove>,
    pub(super) frames: Vec<Frame>,
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) budget: Budget,
    margins: Option<Margins>,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) stopped: bool,
    next_poll: u64,
}

impl<P: SearchPosition> Search<P> {
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
            margins: P::MARGINS,
            stop: Arc::default(),
            stopped: false,
            next_poll: 0,
        }
    }

    #[must_use]
    pub fn with_margins(self, margins: Margins) -> Search<P> {
        let margins = Some(margins);
        Search { margins, ..self }
    }

    /// Returns the constants of selective search. For a game without them, the code that uses them is not compiled.
    #[inline]
    pub(super) fn margins(&self) -> Option<Margins> {
        P::MARGINS.and(self.margins)
    }

    pub(crate) fn begin(&mut self, budget: Budget) {
        self.budget = budget;
        self.nodes = 0;
        self.next_poll = Budget::POLL;
        self.stopped = false;
        self.killers.clear();
        self.moves.clear();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns whether the budget is spent or `stop` is set. Checks once in [`Budget::POLL`] nodes.
    pub fn must_stop(&mut self) -> bool {
        let limit = self.budget.nodes.unwrap_or(u64::MAX);
        if self.nodes >= self.next_poll.min(limit) && !self.stopped {
            self.next_poll = self.nodes + Budget::POLL;
            self.stopped = self.stop.load(Relaxed) || self.budget.is_spent(self.nodes);
        }
        self.stopped
    }
}

// --- The properties of a node ---

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub depth: Depth,
    pub window: Window,
    pub ply: usize,
    pub side: usize,
    pub threat: Threat,
    /// Whether a cutoff is expected.
    pub cut: bool,
    pub static_score: Option<Score>,
    /// Whether the static evaluation is better than two plies before.
    pub improving: bool,
}

impl<P: SearchPosition> Search<P> {
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        if ply >= self.frames.len() {
            self.frames.resize(ply + 1, Frame::default());
        }
        &mut self.frames[ply]
    }

    fn describe(&mut self, depth: Depth, window: Window, ply: usize) -> Node {
        let threat = self.position.threat();
        if P::MARGINS.is_some() && ply > 0 {
            self.note_static_score(threat, ply);
        }
        let Frame { static_score, cut } = self.frames[ply];
        let before = ply.checked_sub(2).map(|ply| self.frames[ply].static_score);
        Node {
            depth,
            window,
            ply,
            side: self.position.side(),
            threat,
            cut,
            static_score,
            improving: static_score
                .zip(before.flatten())
                .is_some_and(|(now, before)| now > before),
        }
    }

    /// Clamps the static evaluation to the table's bounds, because even a shallow search is more accurate.
    fn sharpen(node: &mut Node, known: Option<TableEntry>) {
        if node.threat == Threat::Forcing {
            return;
        }
        let Some((entry, score)) = known.zip(node.static_score) else {
            return;
        };
        let [lower, upper] =
            [entry.lower, entry.upper].map(|bound| Self::score_from_table(bound, node.ply));
        node.static_score = Some(score.max(lower).min(upper));
    }

    /// Converts a score of the search for the table: see [`SearchPosition::PROVEN`].
    fn score_to_table(score: Score, ply: usize) -> Score {
        score + Self::plies_of(score, ply)
    }

    fn score_from_table(score: Score, ply: usize) -> Score {
        score - Self::plies_of(score, ply)
    }

    fn plies_of(score: Score, ply: usize) -> Score {
        if score >= P::PROVEN {
            ply as Score
        } else if score <= -P::PROVEN {
            -(ply as Score)
        } else {
            0
        }
    }

    fn window_in_table(window: Window, ply: usize) -> Window {
        let alpha = Self::score_to_table(window.alpha, ply);
        Window::new(alpha, Self::score_to_table(window.beta, ply).max(alpha + 1))
    }
}

// --- The principal variation ---

impl<P: SearchPosition> Search<P> {
    pub(super) fn clear_line(&mut self, ply: usize) {
        if ply >= self.lines.len() {
            self.lines.resize_with(ply + 1, Vec::new);
        }
        self.lines[ply].clear();
    }

    pub(super) fn extend_line(&mut self, ply: usize, played: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(played);
        if let Some(rest) = lower.first() {
            line.extend_from_slice(rest);
        }
    }
}

// --- One node ---

/// Minimum depth of the enhanced transposition cutoff, which probes the table for the position after each move before
/// any move is searched (A. Plaat, "Research re: search & re-search", 1996).
const ENHANCED_CUTOFF: Depth = 4;

/// Minimum depth of internal iterative reduction.
const INTERNAL_REDUCTION: Depth = 5;

impl<P: SearchPosition> Search<P> {
    /// Returns the score: exact inside `window`, a bound outside, meaningless after a stop. `ply` counts from the root.
    pub fn node(&mut self, depth: Depth, window: Window, ply: usize) -> Score {
        self.clear_line(ply);
        self.frame(ply).static_score = None;
        self.nodes += 1;

        if ply > 0
            && let Some(score) = self.position.outcome(ply)
        {
            return score;
        }

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

        // Internal iterative reduction: a position that is not in the table is probably less important
        let table_move = known.and_then(|entry| entry.best.some());
        if P::MARGINS.is_some() && table_move.is_none() && depth >= INTERNAL_REDUCTION {
            node.depth -= 1;
        }

        let picker = self.pick_moves(node.depth, ply, table_move);
        if picker.all(&self.moves).is_empty() {
            return self.position.final_score(ply);
        }

        if let Some(score) = self.enhanced_cutoff(&picker, &node) {
            picker.end(&mut self.moves);
            return score;
        }
        self.best_of_moves(picker, node, key)
    }

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
            // Late move pruning of this move and all later quiet ones
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

    /// Returns the score after the move just played. The first move is searched in the whole window, the others in a
    /// zero window, and late moves less deeply. A move that is better than expected is searched again.
    fn child(&mut self, node: &Node, picked: &Picked) -> Score {
        let (window, ply) = (node.window, node.ply + 1);

        // Extensions, cut node reduction
        let depth = match self.position.extension(picked.played) {
            0 => node.depth - 1 - self.cut_node_reduction(node),
            longer => node.depth - 1 + longer,
        };

        if picked.index == 0 {
            let cut = window.is_zero() && !node.cut;
            return -self.node_expected(cut, depth, window.flipped(), ply);
        }

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

    /// Searches as [`Search::node`] does. `cut` is true if a cutoff is expected.
    fn node_expected(&mut self, cut: bool, depth: Depth, window: Window, ply: usize) -> Score {
        self.frame(ply).cut = cut;
        let score = self.node(depth, window, ply);
        self.frame(ply).cut = false;
        score
    }

    fn enhanced_cutoff(&self, picker: &MovePicker, node: &Node) -> Option<Score> {
        if node.depth < ENHANCED_CUTOFF || !node.window.is_zero() {
            return None;
        }
        let ply = node.ply + 1;
        let theirs = Self::window_in_table(node.window.flipped(), ply);
        let enough = self.position.draft(node.depth - 1);
        for candidate in picker.all(&self.moves) {
            if let Some(key) = self.position.key_after(candidate.played) {
                self.table.prefetch(key);
            }
        }
        picker.all(&self.moves).iter().find_map(|candidate| {
            let key = self.position.key_after(candidate.played)?;
            let entry = self.table.probe(key)?;
            (entry.depth >= enough && theirs.fail_low(entry.upper))
                .then(|| -Self::score_from_table(entry.upper, ply))
        })
    }
}
