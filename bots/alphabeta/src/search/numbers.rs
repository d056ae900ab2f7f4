//! The numbers of a search: scores, depths and moves.

/// A score for the side to move, in the game's units, within ±[`INFINITE`].
pub type Score = i32;

/// Plies left to search. Reductions may make it negative.
pub type Depth = i32;

/// Larger than any score; fits in the 16 bits of the transposition table.
pub const INFINITE: Score = 32_000;

/// A move in the search: a number below [`SearchPosition::MOVES`](super::SearchPosition::MOVES), usually the number of
/// the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u16);

impl Move {
    /// No move, as in a table entry without a best move.
    pub const NONE: Move = Move(u16::MAX);

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub fn some(self) -> Option<Move> {
        (self != Move::NONE).then_some(self)
    }
}
