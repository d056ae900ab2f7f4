//! The rules: which rows win, and which moves are forbidden to black.

use crate::{Reason, Side};

/// The smallest board.
pub const MIN_SIZE: u8 = 5;
/// The largest board.
pub const MAX_SIZE: u8 = crate::MAX_SIZE;

/// The rows that win, and the moves that are forbidden to black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win; six or more do not.
    Standard,
    /// Black wins with exactly five, and loses by overline, double four or double three. White wins with five or more.
    Renju,
    /// Five or more in a row win, except five with an opponent's stone at both ends. The board's edge is not a stone.
    Caro,
}

/// The rows of stones that win for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Five {
    /// Six or more in a row win too.
    pub or_more: bool,
    /// Five in a row win even with an opponent's stone at both ends.
    pub closed: bool,
}

impl Five {
    /// Returns true if a row of `length` stones wins; `is_closed` returns whether both ends have an opponent's stone.
    #[inline]
    pub fn wins(self, length: u32, is_closed: impl FnOnce() -> bool) -> bool {
        match length {
            0..=4 => false,
            5 => self.closed || !is_closed(),
            _ => self.or_more,
        }
    }
}

impl Rule {
    /// All rules, in the order of their indices.
    pub const ALL: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro];

    /// Returns the rows that win for `side`.
    pub const fn five(self, side: Side) -> Five {
        Five {
            or_more: match self {
                Rule::Freestyle | Rule::Caro => true,
                Rule::Standard => false,
                Rule::Renju => matches!(side, Side::White),
            },
            closed: !matches!(self, Rule::Caro),
        }
    }

    /// Returns true if some points are forbidden to `side`.
    pub const fn forbids(self, side: Side) -> bool {
        matches!((self, side), (Rule::Renju, Side::Black))
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
