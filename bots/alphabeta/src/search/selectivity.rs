//! Selective search: pruning before the moves (razoring, reverse futility pruning, null move pruning, prob-cut), and
//! pruning and reduction of moves (late move pruning, cut node reduction, late move reductions).
//!
//! The constants were tuned by matches of Gomoku with fixed nodes. At 15,000 nodes a move, the search won 71, drew 2
//! and lost 27 of 100 games against a search without most of these techniques (`docs/gomoku-training.md`). Othello
//! prunes only by prob-cut, with the constants in `othello::prob_cut`.

use std::sync::LazyLock;

use super::move_ordering::Picked;
use super::pvs::Node;
use super::{Depth, Margins, ProbCut, Score, Search, SearchPosition, Threat, Window};

/// Minimum depth of null move pruning.
const NULL_MOVE: Depth = 3;

impl<P: SearchPosition> Search<P> {
    /// Stores the static evaluation. A position with a forced answer is not quiet: it gets its parent's value, negated.
    pub(super) fn note_static_score(&mut self, threat: Threat, ply: usize) {
        let score = if threat == Threat::Forcing {
            self.frame(ply - 1).static_score.map(|score| -score)
        } else {
            Some(self.position.evaluate())
        };
        self.frame(ply).static_score = score;
    }

    /// Returns a score if the node is so far outside its zero window that it needs no search.
    pub(super) fn prune(&mut self, node: &Node) -> Option<Score> {
        if !node.window.is_zero() {
            return None;
        }
        if let Some(margins) = self.margins()
            && let Some(score) = node.static_score
            && node.threat != Threat::Forcing
        {
            return self
                .razor(node, &margins, score)
                .or_else(|| reverse_futility::<P>(node, &margins, score))
                .or_else(|| self.null_move(node, &margins, score));
        }
        let shallow = self.position.prob_cut(node.depth)?;
        self.prob_cut(node, shallow)
    }

    /// Razoring: near the leaves, runs only quiescence if no quiet move is expected to reach the window.
    fn razor(&mut self, node: &Node, margins: &Margins, score: Score) -> Option<Score> {
        let margin = match node.depth {
            1 => margins.razoring,
            2 => margins.razoring_far,
            _ => return None,
        };
        let hopeless = node.window.fail_low(score + margin);
        hopeless.then(|| {
            self.position
                .quiesce(node.window, node.ply, &mut self.nodes)
        })
    }

    /// Null move pruning: passes the turn. If the score still fails high, the best move would too, except in zugzwang.
    fn null_move(&mut self, node: &Node, margins: &Margins, score: Score) -> Option<Score> {
        let Node { depth, window, .. } = *node;
        if node.threat != Threat::None || depth < NULL_MOVE || !window.fail_high(score) {
            return None;
        }
        self.position.null_move();
        let score = -self.node(
            depth - margins.null_move - depth / 4,
            window.flipped(),
            node.ply + 1,
        );
        self.position.null_move();
        (window.fail_high(score) && score < P::PROVEN).then_some(score)
    }

    /// Prob-cut: skips the deep search if a shallow score is far outside the window. Tries the likelier side only.
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

/// Reverse futility pruning: if the score is far enough above the window, the opponent is not expected to catch up in
/// the remaining plies. If the side to move is improving, one ply less is counted.
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

// A move late in the order is unlikely to be the best. So late moves are searched less deeply or skipped; a reduced
// move that is better than expected is searched again. Threats are reduced less and never skipped.

/// Late move pruning: with d plies left, searches ⌊3 + d^1.32⌋ moves; half if the side to move is not improving.
const PRUNING_COUNT: [usize; 33] = [
    3, 4, 5, 7, 9, 11, 13, 16, 18, 21, 23, 26, 29, 32, 35, 38, 41, 45, 48, 51, 55, 58, 62, 65, 69,
    73, 76, 80, 84, 88, 92, 96, 100,
];

/// The number of first moves that late move pruning never skips.
const ALWAYS: usize = 2;

/// The fixed-point unit of reductions. With integers, every machine searches the same tree.
const PLY: i64 = 1 << 24;

/// Natural logarithms of small numbers, in [`PLY`]s; 0 for 0.
static LN: LazyLock<[i64; 128]> = LazyLock::new(|| {
    // The last digits of the system's logarithm differ between machines; those of `libm` do not.
    std::array::from_fn(|number| libm::round(libm::log(number.max(1) as f64) * PLY as f64) as i64)
});

/// The depths at which the other moves are searched one ply less deeply once a move has raised alpha.
const RAISED: std::ops::Range<Depth> = 3..12;

impl<P: SearchPosition> Search<P> {
    /// Late move pruning: returns whether to skip the picked move. Only quiet moves are skipped. `best` is the best
    /// score so far. After a skipped move, all later quiet moves are skipped: `MovePicker::keep_only` relies on this.
    pub(super) fn is_pruned(&self, node: &Node, picked: &Picked, best: Score) -> bool {
        P::MARGINS.is_some()
            && node.ply > 0
            && picked.index >= ALWAYS
            && best > -P::PROVEN
            && node.threat == Threat::None
            && picked.index >= self.pruning_count(node)
            && self.position.is_quiet(picked.played)
    }

    fn pruning_count(&self, node: &Node) -> usize {
        let moves = PRUNING_COUNT[(node.depth as usize).min(PRUNING_COUNT.len() - 1)];
        let percent = self
            .margins()
            .map_or(100, |margins| margins.late_move_count);
        let moves = moves * percent as usize / 100;
        if node.improving { moves } else { moves / 2 }
    }

    /// Cut node reduction: one ply if a cutoff is expected and the static evaluation is above the window by a margin.
    pub(super) fn cut_node_reduction(&self, node: &Node) -> Depth {
        let Some((margins, score)) = self.margins().zip(node.static_score) else {
            return 0;
        };
        let margin = margins.cut_node * node.depth;
        let likely = node.cut && node.window.is_zero() && node.window.fail_high(score - margin);
        Depth::from(likely)
    }

    /// Late move reductions: returns the plies to reduce, which grow with the logarithms of depth and move number.
    pub(super) fn late_move_reduction(&self, node: &Node, picked: &Picked, depth: Depth) -> Depth {
        let Some(margins) = self.margins() else {
            return 0;
        };
        if node.depth < 2 || depth < 2 || picked.index == 0 {
            return 0;
        }
        let mut plies = ln(node.depth as usize) * ln(picked.index + 1) / PLY;
        plies = plies * i64::from(margins.late_moves) / 100;
        if node.window.is_zero() {
            if !node.improving && plies > PLY {
                plies += PLY;
            }
            if node.cut && !self.killers.at(node.ply).contains(&picked.played) {
                plies += 6 * PLY / 5;
            }
        } else {
            plies -= PLY / 2;
        }
        // The move: its distance from the most promising one, and its history
        let behind = i64::from(picked.behind) * PLY / i64::from(margins.log_odds);
        plies += (behind - PLY).clamp(-PLY / 2, 2 * PLY) / 2;
        let history = self.history.of(node.side)[picked.played.index()];
        plies -= i64::from(history) * PLY / i64::from(margins.history);
        if self.position.threat() > Threat::None {
            plies -= 2 * PLY;
        }
        ((plies + PLY / 2).div_euclid(PLY) as Depth).clamp(0, depth - 1)
    }

    /// Returns the depth for the remaining moves of a node after a move raised alpha to `score`.
    pub(super) fn depth_once_raised(depth: Depth, score: Score) -> Depth {
        let reduced = P::MARGINS.is_some() && RAISED.contains(&depth) && score.abs() < P::PROVEN;
        depth - Depth::from(reduced)
    }
}

fn ln(number: usize) -> i64 {
    LN[number.min(LN.len() - 1)]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{LN_2, LN_10};

    use super::*;

    #[test]
    fn the_tables_are_those_of_their_formulas() {
        for (depth, &moves) in PRUNING_COUNT.iter().enumerate() {
            assert_eq!(moves, 3 + (depth as f64).powf(1.32) as usize, "{depth}");
        }
        for (number, expected) in [
            (0, 0.0),
            (1, 0.0),
            (2, LN_2),
            (10, LN_10),
            (100, 2.0 * LN_10),
        ] {
            let found = ln(number) as f64 / PLY as f64;
            assert!((found - expected).abs() < 1e-6, "{number}: {found}");
        }
        assert_eq!(ln(500), ln(127), "the last number stands for all larger");
    }
}
