//! What a game tells the search: the seam between the two.

use super::{Search, Window};

/// A score for the side to move, in units of the game's own, within ±[`INFINITE`].
pub type Score = i32;

/// Plies left to search. Signed, so that reductions may overshoot into the leaf.
pub type Depth = i32;

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

    /// Plies added below a forced move that was just played.
    fn extension(&self, played: Move) -> Depth {
        let _ = played;
        0
    }

    /// Plies taken off below `played`, the move number `index` in order (from 0), for a first look;
    /// 0: late moves are not reduced.
    fn reduction(&self, played: Move, depth: Depth, index: usize) -> Depth {
        let _ = (played, depth, index);
        0
    }

    /// Whether the moves that are left need no search, `tried` having been searched in vain and the
    /// best of them having the score `best`: they come last in the order, and the position is
    /// `depth` plies from its leaves.
    fn is_enough(&self, tried: usize, depth: Depth, window: Window, best: Score) -> bool {
        let _ = (tried, depth, window, best);
        false
    }

    /// Plies taken off below a move that passes the turn, to see whether the position is so good
    /// that it stands even that; `None`: not tried here. To be refused right after another one.
    fn null_move_reduction(&self, depth: Depth) -> Option<Depth> {
        let _ = depth;
        None
    }

    /// Passes the turn for the null move, or takes that back.
    fn toggle_null_move(&mut self) {}

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
