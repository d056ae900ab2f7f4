//! The values that a game and the search exchange: scores, depths, moves, threats.

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
