//! A mark from games: which opponents a bot beats, and what that is worth.
//!
//! A [`Scale`] says what is to be reached, a [`Sheet`] counts games as they come and knows when an
//! opponent's verdict is settled, a [`Card`] is the outcome: all that a grader, a student or a
//! gradebook is told. Nothing here plays, prints or reads a clock.
//!
//! Two rules make a mark defensible. A verdict is that of all the games an opponent may be played:
//! play stops early only where the games left cannot change it. And a game that the arena or the
//! machine spoiled counts for nobody: where it could have changed a verdict, there is no mark.

mod card;
mod sheet;

pub use card::{Card, Row, State, points};
pub use sheet::Sheet;

/// What is to be reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The opponents, weakest first.
    pub hurdles: Vec<Hurdle>,
    /// Points with which the grade is passed.
    pub pass: f64,
}

/// An opponent to be beaten.
#[derive(Clone, Debug, PartialEq)]
pub struct Hurdle {
    /// Its name.
    pub opponent: String,
    /// The share of all points against it that beats it, 0 to 1; a draw is half a point.
    pub threshold: f64,
    /// What beating it is worth.
    pub points: f64,
}
