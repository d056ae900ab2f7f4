//! The rules of Gomoku: five in a row on boards of 5 to 22, under three rules.
//!
//! A [`Board`] holds stones by square and notices the end of the game as a move is played.
//! Renju's forbidden points are in [`renju`]. Nothing here searches or evaluates.
//!
//! Start with [`Board::new`] and [`Rules::play`](crate::Rules::play).

mod board;
mod lines;
pub mod renju;

pub use board::Board;
pub use lines::DIRECTIONS;

use crate::{Game, Side, UnknownGame};

/// The smallest board.
pub const MIN_SIZE: u8 = 5;
/// The largest board.
pub const MAX_SIZE: u8 = crate::MAX_SIZE;

/// Which lines win, and what black may not play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win; six or more are nothing.
    Standard,
    /// Black wins with exactly five and may make no overline, double four or double three;
    /// white wins with five or more.
    Renju,
}

impl Rule {
    /// All rules, in the order of their names' fame.
    pub const ALL: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

    /// Whether six or more in a row are no win for `side`.
    pub const fn wants_exactly_five(self, side: Side) -> bool {
        match self {
            Rule::Freestyle => false,
            Rule::Standard => true,
            Rule::Renju => matches!(side, Side::Black),
        }
    }

    /// The word used in tournament files and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
        }
    }
}

/// Gomoku with the named rules (freestyle) and size (15), checked.
pub(crate) fn game(rules: Option<&str>, size: Option<i64>) -> Result<Game, UnknownGame> {
    let rules = rules.unwrap_or(Rule::Freestyle.name());
    let Some(rule) = Rule::ALL.into_iter().find(|rule| rule.name() == rules) else {
        let known = "freestyle, standard and renju";
        return Err(UnknownGame::Rules {
            game: "gomoku",
            rules: rules.to_owned(),
            known,
        });
    };
    let size = size.unwrap_or(15);
    match u8::try_from(size) {
        Ok(size @ MIN_SIZE..=MAX_SIZE) => Ok(Game::Gomoku { size, rule }),
        _ => Err(UnknownGame::Size {
            game: "gomoku",
            size,
            known: "choose 5 to 22",
        }),
    }
}
