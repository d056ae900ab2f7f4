//! A game's units, for the techniques that prune by the static evaluation.

use super::types::Score;

/// What selective search needs to know of a game's units.
#[derive(Clone, Copy, Debug)]
pub struct Margins {
    /// Reverse futility pruning: what each ply left may take from the static evaluation.
    pub reverse_futility: Score,
    /// Razoring: what a move may add to the static evaluation, one ply and two from the leaves.
    pub razoring: [Score; 2],
    /// Cut node reduction: what each ply left may take from the static evaluation.
    pub cut_node: Score,
    /// One unit of log-odds in the scores by which moves are ordered.
    pub log_odds: i32,
}
