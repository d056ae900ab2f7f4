//! What a game tells the search: the seam between the two.

use super::{Search, Window};

/// A score for the side to move, in units of the game's own, within ±[`INFINITE`].
pub type Score = i32;

/// Plies left to search. Signed, so that reductions may overshoot into the leaf.
pub type Depth = i32;

/// One iteration of a search: how deep it looks, and how carefully.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies from the root to the leaves.
    pub depth: Depth,
    /// From 0: the higher, the less is cut off on a guess. What it means is the game's business.
    pub care: u8,
}

/// More than any score; fits into the 16 bits that the transposition table has for it.
pub const INFINITE: Score = 32_000;

/// A move as the search sees it: a number below [`SearchPosition::MOVES`], usually the square's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u16);

impl Move {
    /// No move: what an empty slot of a table holds.
    pub const NONE: Move = Move(u16::MAX);

    /// The number, for tables.
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
    /// The move.
    pub played: Move,
    /// How promising it looks, in units of the game's own.
    pub score: i32,
}

/// What the search knows of moves when it asks for them; a game mixes it into its scores.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// Plies left to search below this position: a game may score with more care where it pays.
    pub depth: Depth,
    /// The move the transposition table remembers, which is searched first whatever its score.
    pub table: Option<Move>,
    /// Moves that cut off in sister positions.
    pub killers: [Move; 2],
    /// How often each move cut off anywhere, 0 to [`History::MAX`](super::History::MAX).
    pub history: &'a [i32],
}

/// What is remembered of one position of the line that is searched at the moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The static evaluation for the side to move there, where the game noted it.
    pub static_score: Option<Score>,
    /// Whether the position was expected to be cut off when it was reached.
    pub cut: bool,
}

/// A node whose moves are being searched, as the hooks of a game see it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Plies left.
    pub depth: Depth,
    /// What still matters.
    pub window: Window,
    /// Plies from the root.
    pub ply: usize,
    /// Whether a cutoff was expected here.
    pub cut: bool,
    /// The static evaluation, where the game noted it in the [`Frame`].
    pub static_score: Option<Score>,
    /// Whether that is better than it was for the same side two plies before.
    pub improving: bool,
}

/// A move of a [`Node`], and what speaks for looking at it less closely.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    /// The move.
    pub played: Move,
    /// Its place in the order, from 0.
    pub index: usize,
    /// Its [`History`](super::History).
    pub history: i32,
    /// By how much it looked less promising than the best, in the game's units.
    pub behind: i32,
    /// Whether it is a killer.
    pub killer: bool,
}

/// A position that can be searched, changed in place by [`play`](SearchPosition::play) and put back
/// by [`undo`](SearchPosition::undo).
///
/// The search is compiled once a game, so a hook that a game leaves alone costs nothing.
pub trait SearchPosition: Sized {
    /// One more than the largest number of a move (for Othello 65: the squares and the pass).
    const MOVES: usize;

    /// Plies that are left to [`near_leaf`](SearchPosition::near_leaf); more than 0 where a game can
    /// search its last plies faster than by table and list.
    const LEAF_DEPTH: Depth = 0;

    /// Least depth that is reduced by a ply where the table knows no move.
    const REDUCED_WITHOUT_TABLE: Depth = Depth::MAX;

    // --- The rules ---

    /// 0 or 1: whose turn it is.
    fn side(&self) -> usize;

    /// A hash of the stones and the side to move.
    fn key(&self) -> u64;

    /// Adds the moves worth searching to `list`, which may hold other positions' moves already.
    /// A forced pass is a move like any other. None at all means that the game is over.
    fn generate(&mut self, hints: &Hints<'_>, list: &mut Vec<ScoredMove>);

    /// Whether `played`, which a table remembers, may be played here: tables can be mistaken.
    fn is_legal(&self, played: Move) -> bool;

    /// Plays a legal move.
    fn play(&mut self, played: Move);

    /// Takes back `played`, which was the last move.
    fn undo(&mut self, played: Move);

    // --- Scores ---

    /// The static evaluation for the side to move.
    fn evaluate(&mut self) -> Score;

    /// The score of a game that the move just played has ended, `ply` plies below the root; `None`
    /// while it goes on. Asked at every position, so it must be cheap: where a game can only end
    /// for want of moves, leave it alone and answer [`final_score`](SearchPosition::final_score).
    fn outcome(&self, ply: usize) -> Option<Score> {
        let _ = ply;
        None
    }

    /// The score of a position in which `generate` found no move.
    fn final_score(&self, ply: usize) -> Score;

    // --- Hooks ---

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

    /// The [care](Iteration::care) of a search from here that has just begun.
    fn care(&self) -> u8 {
        0
    }

    /// Makes ready for an iteration of such care.
    fn set_care(&mut self, care: u8) {
        let _ = care;
    }

    /// What the table remembers as the worth of a search of `depth` plies, 0 to 255: more where the
    /// search was more careful.
    fn draft(&self, depth: Depth) -> Depth {
        depth
    }

    /// The score of a position with no depth left: the static evaluation, or a quiescence search.
    fn quiesce(search: &mut Search<Self>, window: Window, ply: usize) -> Score {
        let _ = (window, ply);
        search.position.evaluate()
    }

    /// As [`Search::node`] for a position at most [`LEAF_DEPTH`](SearchPosition::LEAF_DEPTH) plies
    /// from its leaves.
    fn near_leaf(search: &mut Search<Self>, depth: Depth, window: Window, ply: usize) -> Score {
        let _ = depth;
        Self::quiesce(search, window, ply)
    }

    /// A score that the game can tell without searching the moves (stability, prob-cut, a proven
    /// win by threats): outside `window`, or exact.
    fn prune(search: &mut Search<Self>, depth: Depth, window: Window, ply: usize) -> Option<Score> {
        let _ = (search, depth, window, ply);
        None
    }

    /// The hash of the position after `played`, where that is cheaper than playing it: lets the
    /// search look for a cutoff in the table before it tries any move.
    fn key_after(&self, played: Move) -> Option<u64> {
        let _ = played;
        None
    }

    /// Plies added below the move just played.
    fn extension(&self, node: &Node, late: &Late) -> Depth {
        let _ = (node, late);
        0
    }

    /// Plies taken off the `depth` left below the move just played, for a first look; 0: late moves
    /// are not reduced.
    fn reduction(&self, node: &Node, late: &Late, depth: Depth) -> Depth {
        let _ = (node, late, depth);
        0
    }

    /// Whether this move needs no search, the best of those before it having the score `best`.
    fn is_skipped(&self, node: &Node, late: &Late, best: Score) -> bool {
        let _ = (node, late, best);
        false
    }

    /// The depth for the other moves of a node once one has improved on its window.
    fn depth_after_improvement(depth: Depth, score: Score) -> Depth {
        let _ = score;
        depth
    }

    /// Scores that prove the end of the game are stored in the table relative to the position: this
    /// turns a score seen from the root into one seen from `ply` plies below.
    fn score_to_table(score: Score, ply: usize) -> Score {
        let _ = ply;
        score
    }

    /// The inverse of [`score_to_table`](SearchPosition::score_to_table).
    fn score_from_table(score: Score, ply: usize) -> Score {
        let _ = ply;
        score
    }
}
