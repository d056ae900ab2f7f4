//! What a game and the search exchange: scores, depths, moves, threats, and the trait that a game implements.
//! Nothing here knows the search itself.

use std::sync::Arc;

use super::transposition_table::TranspositionTable;
use super::window::Window;

/// A score for the side to move, in units of the game's own, within ±[`INFINITE`].
pub type Score = i32;

/// Plies left to search. Signed, so that reductions may overshoot into the leaf.
pub type Depth = i32;

/// More than any score; fits into the 16 bits that the transposition table has for it.
pub const INFINITE: Score = 32_000;

/// One iteration of a search: how deep it looks, and how selective it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies from the root to the leaves.
    pub depth: Depth,
    /// The level of selectivity, from 0: the higher, the less is cut off on a guess. What each level
    /// means is the game's business.
    pub selectivity: u8,
}

/// A move as the search sees it: a number below [`SearchPosition::MOVES`], usually the square's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u16);

impl Move {
    /// No move: what an empty slot of a table holds.
    pub const NONE: Move = Move(u16::MAX);

    /// Returns the number, for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `None` for [`Move::NONE`].
    #[inline]
    pub fn some(self) -> Option<Move> {
        (self != Move::NONE).then_some(self)
    }
}

/// A move with its place in the order: higher scores are searched first.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove {
    pub played: Move,
    /// How promising it looks, in units of the game's own.
    pub score: i32,
}

/// What the search knows of moves when it asks for them; a game mixes it into its scores.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// Plies left to search below this position: a game may score more exactly where it pays.
    pub depth: Depth,
    /// Moves that cut off in sister positions.
    pub killers: [Move; 2],
    /// How often each move cut off anywhere, 0 to [`History::MAX`](super::History::MAX).
    pub history: &'a [i32],
}

/// What the opponent threatens, as far as one look at the board tells: what other games call check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threat {
    /// Nothing that must be answered.
    None,
    /// Most moves lose: nothing is pruned on the strength of the static evaluation.
    Serious,
    /// The answer is forced, and the position does not stand still: it has no static evaluation.
    Forcing,
}

/// A shallow search that may stand for a deep one (M. Buro's prob-cut).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbCut {
    /// Plies of the shallow search.
    pub depth: Depth,
    /// How far outside the window its score has to be.
    pub margin: Score,
}

// A game's units, for the techniques that prune by the static evaluation.

/// A game's units, for the techniques that prune by the static evaluation.
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

// --- The position ---

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

    /// Returns a hash of the stones and the side to move.
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

    /// Returns the static evaluation for the side to move.
    fn evaluate(&mut self) -> Score;

    /// Returns the score of a game that is decided here, `ply` plies below the root; `None` while it goes on.
    /// Asked at every position but the root, so it must be cheap.
    fn outcome(&self, ply: usize) -> Option<Score> {
        let _ = ply;
        None
    }

    /// Returns the score of a position in which `generate` found no move.
    fn final_score(&self, ply: usize) -> Score;

    /// Returns the score of a position with no depth left: the static evaluation, or a quiescence search,
    /// which adds the positions it visits to `nodes`.
    fn quiesce(&mut self, window: Window, ply: usize, nodes: &mut u64) -> Score {
        let _ = (window, ply, nodes);
        self.evaluate()
    }

    /// Returns the score in `window` of a position at most [`LEAF_DEPTH`](SearchPosition::LEAF_DEPTH) plies
    /// from its leaves.
    fn near_leaf(&mut self, depth: Depth, window: Window, ply: usize, nodes: &mut u64) -> Score {
        let _ = depth;
        self.quiesce(window, ply, nodes)
    }

    /// Returns the score in `window` of a position whose end is within `depth`, where a solver finds it
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

    /// Returns the iteration after `done`; `None` where nothing is left to find out within `deepest` plies.
    fn next_iteration(&self, done: Iteration, deepest: Depth) -> Option<Iteration> {
        (done.depth < deepest).then(|| Iteration {
            depth: done.depth + 1,
            ..done
        })
    }

    /// Returns the window of an iteration that asks for less than the score, such as who wins; `None`: the
    /// score is asked for, in a window round the last one.
    fn question(&self, iteration: Iteration) -> Option<Window> {
        let _ = iteration;
        None
    }

    /// Returns the [selectivity](Iteration::selectivity) of a search from here that has just begun.
    fn selectivity(&self) -> u8 {
        0
    }

    /// Makes ready for an iteration of such selectivity.
    fn set_selectivity(&mut self, selectivity: u8) {
        let _ = selectivity;
    }

    /// Returns the draft that the table stores for a search of `depth` plies, 0 to 255: more where the
    /// search was less selective.
    fn draft(&self, depth: Depth) -> Depth {
        depth
    }

    // --- What selective search asks ---

    /// Returns the opponent's threat.
    fn threat(&self) -> Threat {
        Threat::None
    }

    /// Returns whether a legal move threatens nothing.
    fn is_quiet(&self, played: Move) -> bool {
        let _ = played;
        true
    }

    /// Returns the shallow search that may stand for one of `depth` plies in a zero window.
    fn prob_cut(&self, depth: Depth) -> Option<ProbCut> {
        let _ = depth;
        None
    }

    /// Returns the plies added below `played`, which has just been played.
    fn extension(&self, played: Move) -> Depth {
        let _ = played;
        0
    }

    /// Returns the hash of the position after `played`, where that is cheaper than playing it: lets the
    /// search look for a cutoff in the table before it tries any move.
    fn key_after(&self, played: Move) -> Option<u64> {
        let _ = played;
        None
    }
}
