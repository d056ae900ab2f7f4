//! The interface between a game and the search: iterations, hints, margins, threats, and the trait that a game implements.

use std::sync::Arc;

use super::numbers::{Depth, Move, Score};
use super::transposition_table::TranspositionTable;
use super::window::Window;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    pub depth: Depth,
    /// The level of selectivity, from 0. Higher levels prune less; each game defines its levels.
    pub selectivity: u8,
}

#[derive(Clone, Copy, Debug)]
pub struct ScoredMove {
    pub played: Move,
    pub score: i32,
}

#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// Plies left to search. With more plies, a game may spend more effort on the order.
    pub depth: Depth,
    /// Moves that caused cutoffs in sibling positions.
    pub killers: [Move; 2],
    /// The history score of each move, within ±[`History::MAX`](super::History::MAX).
    pub history: &'a [i32],
    /// The value of [`Margins::promise`]; 0 if the game has no margins.
    pub promise: i32,
}

/// The opponent's threat that the board shows without a search, like check in chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threat {
    None,
    /// Most moves lose, so nothing is pruned by the static evaluation.
    Serious,
    /// The answer is forced. The position is not quiet, so it has no static evaluation.
    Forcing,
}

/// A shallow search that may replace a deep one (M. Buro's prob-cut).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbCut {
    pub depth: Depth,
    /// The required distance of the shallow score from the window.
    pub margin: Score,
}

/// A game's constants of selective search, in the game's units. [`Tuning`](crate::Tuning) has an option for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins {
    /// Reverse futility pruning: the largest expected loss of static evaluation per ply.
    pub reverse_futility: Score,
    /// Razoring: the largest expected gain of static evaluation, one ply from the leaves.
    pub razoring: Score,
    /// Razoring: the largest expected gain two plies from the leaves.
    pub razoring_far: Score,
    /// Cut node reduction: the largest expected loss of static evaluation per ply left.
    pub cut_node: Score,
    /// Null move pruning: the constant part of the reduction, in plies. Another part grows with the depth.
    pub null_move: Depth,
    /// Late move reductions, in percent of the product of the logarithms of depth and move number.
    pub late_moves: i32,
    /// The [`History`](super::History) score that is worth one ply.
    pub history: i32,
    /// Late move pruning, in percent of the usual number of moves to search.
    pub late_move_count: i32,
    /// Move ordering: the score of one unit of the game's own judgement of a move.
    pub promise: i32,
    /// One unit of log-odds in the scores for move ordering.
    pub log_odds: i32,
}

/// A position for the search, changed in place by [`play`](SearchPosition::play) and [`undo`](SearchPosition::undo).
/// The search is compiled for each game, so default methods cost nothing.
pub trait SearchPosition: Sized {
    /// The number of different moves (for Othello 65: the squares and the pass).
    const MOVES: usize;

    /// The half-width of the first aspiration window.
    const ASPIRATION: Score;

    /// The least absolute value of a score that proves the result. Such scores depend on the plies to the end of the
    /// game. The search counts these plies from the root, the table from the stored position.
    const PROVEN: Score = Score::MAX;

    /// The greatest depth of [`near_leaf`](SearchPosition::near_leaf); above 0 if the game has a faster search there.
    const LEAF_DEPTH: Depth = 0;

    /// The constants of selective search; `None` if the game prunes only by [`prob_cut`](SearchPosition::prob_cut).
    const MARGINS: Option<Margins> = None;

    /// Returns the side to move, 0 or 1.
    fn side(&self) -> usize;

    fn key(&self) -> u64;

    /// Appends the moves worth searching to `list`, which may already have moves of other positions. A forced pass is a
    /// move. If there is no move, the game is over.
    fn generate(&mut self, hints: &Hints<'_>, list: &mut Vec<ScoredMove>);

    fn play(&mut self, played: Move);

    /// Takes back `played`, which must be the last move.
    fn undo(&mut self, played: Move);

    /// Passes the turn, or takes a pass back. Needed only with [`MARGINS`](SearchPosition::MARGINS).
    fn null_move(&mut self) {
        unreachable!("this game has no null move");
    }

    fn evaluate(&mut self) -> Score;

    /// Returns the score of a decided game `ply` plies below the root. Must be fast: every searched position needs it.
    fn outcome(&self, ply: usize) -> Option<Score> {
        let _ = ply;
        None
    }

    fn final_score(&self, ply: usize) -> Score;

    /// Returns the score at depth 0: the static evaluation, or a quiescence search that adds its positions to `nodes`.
    fn quiesce(&mut self, window: Window, ply: usize, nodes: &mut u64) -> Score {
        let _ = (window, ply, nodes);
        self.evaluate()
    }

    /// Returns the score within `window` at most [`LEAF_DEPTH`](SearchPosition::LEAF_DEPTH) plies from the leaves.
    fn near_leaf(&mut self, depth: Depth, window: Window, ply: usize, nodes: &mut u64) -> Score {
        let _ = depth;
        self.quiesce(window, ply, nodes)
    }

    /// Returns the score within `window` if the game ends within `depth` and a solver is faster than the search.
    fn solve(
        &mut self,
        depth: Depth,
        window: Window,
        table: &Arc<TranspositionTable>,
        nodes: &mut u64,
    ) -> Option<Score> {
        let _ = (depth, window, table, nodes);
        None
    }

    /// Returns the iteration after `done`; `None` if none within `deepest` plies can change the result.
    fn next_iteration(&self, done: Iteration, deepest: Depth) -> Option<Iteration> {
        (done.depth < deepest).then(|| Iteration {
            depth: done.depth + 1,
            ..done
        })
    }

    /// Returns the window of an iteration that needs no exact score; `None`: an aspiration window.
    fn question(&self, iteration: Iteration) -> Option<Window> {
        let _ = iteration;
        None
    }

    fn selectivity(&self) -> u8 {
        0
    }

    fn set_selectivity(&mut self, selectivity: u8) {
        let _ = selectivity;
    }

    /// Returns the draft that the table stores for a search of `depth` plies: 0 to 255, larger with less selectivity.
    fn draft(&self, depth: Depth) -> Depth {
        depth
    }

    fn threat(&self) -> Threat {
        Threat::None
    }

    fn is_quiet(&self, played: Move) -> bool {
        let _ = played;
        true
    }

    /// Returns a shallow search that may replace a search of `depth` plies in a zero window.
    fn prob_cut(&self, depth: Depth) -> Option<ProbCut> {
        let _ = depth;
        None
    }

    /// Returns the number of plies to add below `played`, the last move.
    fn extension(&self, played: Move) -> Depth {
        let _ = played;
        0
    }

    /// Returns the hash after `played` if that is cheap. Then the search probes the table before it plays the move.
    fn key_after(&self, played: Move) -> Option<u64> {
        let _ = played;
        None
    }
}
