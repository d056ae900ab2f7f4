//! The three rules: which lines win, and which moves are forbidden to black.

use crate::{Reason, Side};

/// The smallest board.
pub const MIN_SIZE: u8 = 5;
/// The largest board.
pub const MAX_SIZE: u8 = crate::MAX_SIZE;

/// The lines that win, and the moves that are forbidden to black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win; six or more do not.
    Standard,
    /// Black wins with exactly five and may make no overline, double four or double three; white wins with five or
    /// more.
    Renju,
}

impl Rule {
    /// All rules, in the order of their indices.
    pub const ALL: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

    /// Returns true if six or more in a row do not win for `side`.
    pub const fn wants_exactly_five(self, side: Side) -> bool {
        match self {
            Rule::Freestyle => false,
            Rule::Standard => true,
            Rule::Renju => matches!(side, Side::Black),
        }
    }
}

impl Reason {
    /// Gomoku: a winning line.
    pub const FIVE: Reason = Reason::new("five");
    /// Renju: black made two open threes at once.
    pub const DOUBLE_THREE: Reason = Reason::new("double-three");
    /// Renju: black made two fours at once.
    pub const DOUBLE_FOUR: Reason = Reason::new("double-four");
    /// Renju: black made a line of six or more.
    pub const OVERLINE: Reason = Reason::new("overline");
}
