//! What a game tells the search: the seam between the two. Nothing here knows the search itself.

use std::sync::Arc;

use super::margins::Margins;
use super::table::TranspositionTable;
use super::types::{Depth, Hints, Iteration, Move, ProbCut, Score, ScoredMove, Threat};
use super::window::Window;

/// A position that can be searched, changed in place by [`play`](SearchPosition::play) and put back
/// by [`undo`](SearchPosition::undo).
///
/// The search is compiled once a game, so a hook that a game leaves alone costs nothing.
pub trait SearchPosition: Sized {
    /// One more than the largest number of a move (for Othello 65: the squares and the pass).
    const MOVES: usize;

    /// Half of the first aspiration window.
    const ASPIRATION: Score;

    /// Scores beyond ± this prove the end of the game: they count the plies to it, from the root in
    /// the search and from the position in the table.
    const PROVEN: Score = Score::MAX;

    /// Plies that are left to [`near_leaf`](SearchPosition::near_leaf); more than 0 where a game can
    /// search its last plies faster than by table and list.
    const LEAF_DEPTH: Depth = 0;

    /// What selective search needs to know of the game's units; `None` where a game prunes by
    /// [`prob_cut`](SearchPosition::prob_cut) alone.
    const MARGINS: Option<Margins> = None;

    // --- The rules ---

    /// 0 or 1: whose turn it is.
    fn side(&self) -> usize;

    /// A hash of the stones and the side to move.
    fn key(&self) -> u64;

    /// Adds the moves worth searching to `list`, which may hold other positions' moves already.
    /// A forced pass is a move like any other. None at all means that the game is over.
    fn generate(&mut self, hints: &Hints<'_>, list: &mut Vec<ScoredMove>);

    /// Plays a legal move.
    fn play(&mut self, played: Move);

    /// Takes back `played`, which was the last move.
    fn undo(&mut self, played: Move);

    /// Gives the turn away, or takes that back. Needed only with [`MARGINS`](SearchPosition::MARGINS).
    fn null_move(&mut self) {
        unreachable!("this game has no null move");
    }

    // --- Scores ---

    /// The static evaluation for the side to move.
    fn evaluate(&mut self) -> Score;

    /// The score of a game that is decided here, `ply` plies below the root; `None` while it goes on.
    /// Asked at every position but the root, so it must be cheap.
    fn outcome(&self, ply: usize) -> Option<Score> {
        let _ = ply;
        None
    }

    /// The score of a position in which `generate` found no move.
    fn final_score(&self, ply: usize) -> Score;

    /// The score of a position with no depth left: the static evaluation, or a quiescence search,
    /// which adds the positions it visits to `nodes`.
    fn quiesce(&mut self, window: Window, ply: usize, nodes: &mut u64) -> Score {
        let _ = (window, ply, nodes);
        self.evaluate()
    }

    /// The score in `window` of a position at most [`LEAF_DEPTH`](SearchPosition::LEAF_DEPTH) plies
    /// from its leaves.
    fn near_leaf(&mut self, depth: Depth, window: Window, ply: usize, nodes: &mut u64) -> Score {
        let _ = depth;
        self.quiesce(window, ply, nodes)
    }

    /// The score in `window` of a position whose end is within `depth`, where a solver finds it
    /// faster than the search.
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

    // --- Iterations ---

    /// The iteration after `done`; `None` where nothing is left to find out within `deepest` plies.
    fn next_iteration(&self, done: Iteration, deepest: Depth) -> Option<Iteration> {
        (done.depth < deepest).then(|| Iteration {
            depth: done.depth + 1,
            ..done
        })
    }

    /// The window of an iteration that asks for less than the score, such as who wins; `None`: the
    /// score is asked for, in a window round the last one.
    fn question(&self, iteration: Iteration) -> Option<Window> {
        let _ = iteration;
        None
    }

    /// The [selectivity](Iteration::selectivity) of a search from here that has just begun.
    fn selectivity(&self) -> u8 {
        0
    }

    /// Makes ready for an iteration of such selectivity.
    fn set_selectivity(&mut self, selectivity: u8) {
        let _ = selectivity;
    }

    /// What the table remembers as the worth of a search of `depth` plies, 0 to 255: more where the
    /// search was less selective.
    fn draft(&self, depth: Depth) -> Depth {
        depth
    }

    // --- What selective search asks ---

    /// What the opponent threatens.
    fn threat(&self) -> Threat {
        Threat::None
    }

    /// Whether a legal move threatens nothing.
    fn is_quiet(&self, played: Move) -> bool {
        let _ = played;
        true
    }

    /// The shallow search that may stand for one of `depth` plies in a zero window.
    fn prob_cut(&self, depth: Depth) -> Option<ProbCut> {
        let _ = depth;
        None
    }

    /// Plies added below `played`, which has just been played.
    fn extension(&self, played: Move) -> Depth {
        let _ = played;
        0
    }

    /// The hash of the position after `played`, where that is cheaper than playing it: lets the
    /// search look for a cutoff in the table before it tries any move.
    fn key_after(&self, played: Move) -> Option<u64> {
        let _ = played;
        None
    }
}
