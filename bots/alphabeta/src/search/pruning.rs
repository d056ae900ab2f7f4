//! Cutoffs before any move is searched. Each is a guess that a deeper search would find the same.
//!
//! The numbers of this file and of `late_moves` were chosen by matches of Gomoku at fixed nodes, all
//! together: 100 games at 15,000 nodes a move against a search without most of them, +71 =2 −27
//! (`docs/gomoku-training.md`). Othello prunes by prob-cut alone: its own numbers are in `prob_cut`.

use super::node::Node;
use super::{Depth, Margins, ProbCut, Score, Search, SearchPosition, Threat, Window};

/// Least depth at which the turn is given away.
const NULL_MOVE: Depth = 3;

/// Plies that a null move takes off: three, and a quarter of what is left.
const fn null_move_reduction(depth: Depth) -> Depth {
    3 + depth / 4
}

impl<P: SearchPosition> Search<P> {
    /// Notes the static evaluation of a position of a game that has [`Margins`]. Where the answer to
    /// a threat is forced it is that of the position before: nothing stands still here.
    pub(super) fn note_static_score(&mut self, threat: Threat, ply: usize) {
        let score = if threat == Threat::Forcing {
            self.frame(ply - 1).static_score.map(|score| -score)
        } else {
            Some(self.position.evaluate())
        };
        self.frame(ply).static_score = score;
    }

    /// The score of a node of a zero window that is good or bad enough to need no search.
    pub(super) fn prune(&mut self, node: &Node) -> Option<Score> {
        if !node.window.is_zero() {
            return None;
        }
        if let Some(margins) = P::MARGINS
            && let Some(score) = node.static_score
            && node.threat != Threat::Forcing
        {
            return self
                .razor(node, &margins, score)
                .or_else(|| reverse_futility::<P>(node, &margins, score))
                .or_else(|| self.null_move(node, score));
        }
        let shallow = self.position.prob_cut(node.depth)?;
        self.prob_cut(node, shallow)
    }

    /// Razoring: near the leaves, so far below the window that a quiet move will not do, only what a
    /// quiescence search finds is looked for.
    fn razor(&mut self, node: &Node, margins: &Margins, score: Score) -> Option<Score> {
        let margin = margins.razoring.get(node.depth as usize - 1)?;
        let hopeless = node.window.fail_low(score + margin);
        hopeless.then(|| {
            self.position
                .quiesce(node.window, node.ply, &mut self.nodes)
        })
    }

    /// Null move pruning: gives the turn away. Where even that is good enough, a move will be; only
    /// in zugzwang it would not.
    fn null_move(&mut self, node: &Node, score: Score) -> Option<Score> {
        let Node { depth, window, .. } = *node;
        if node.threat != Threat::None || depth < NULL_MOVE || !window.fail_high(score) {
            return None;
        }
        self.position.null_move();
        let score = -self.node(
            depth - null_move_reduction(depth),
            window.flipped(),
            node.ply + 1,
        );
        self.position.null_move();
        (window.fail_high(score) && score < P::PROVEN).then_some(score)
    }

    /// Prob-cut: a shallow search that lands far outside the window makes the deep one needless. It
    /// is made only on the side where its answer is likely to be yes, and is cut in the same way.
    fn prob_cut(&mut self, node: &Node, shallow: ProbCut) -> Option<Score> {
        let Node { window, ply, .. } = *node;
        if self.position.evaluate() >= window.beta {
            let bound = window.beta + shallow.margin;
            let score = self.node(shallow.depth, Window::zero(bound - 1), ply);
            (score >= bound).then_some(window.beta)
        } else {
            let bound = window.alpha - shallow.margin;
            let score = self.node(shallow.depth, Window::zero(bound), ply);
            (score <= bound).then_some(window.alpha)
        }
    }
}

/// Reverse futility pruning: so far above the window the opponent will not catch up in the plies
/// left. It has one ply less for that where the side to move is improving.
fn reverse_futility<P: SearchPosition>(
    node: &Node,
    margins: &Margins,
    score: Score,
) -> Option<Score> {
    let plies = node.depth - Depth::from(node.improving);
    let safe = node
        .window
        .fail_high(score - margins.reverse_futility * plies);
    let unproven = score.abs() < P::PROVEN && node.window.beta > -P::PROVEN;
    (safe && unproven).then_some(score)
}
