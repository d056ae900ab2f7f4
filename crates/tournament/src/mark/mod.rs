//! A mark from games: which opponents a bot beats, and how many points that gives.
//!
//! A [`Scale`] is the goal. A [`Sheet`] counts games as they finish and knows when the verdict against
//! an opponent is decided. A [`Card`] is the outcome that a grader, a student or a gradebook sees.
//! Nothing here plays, prints or reads a clock.
//!
//! Two rules make a mark defensible. A verdict is the verdict of all games against an opponent: play
//! stops early only if the remaining games cannot change it. And a void game counts for nobody: if it
//! could have changed a verdict, there is no mark. Under a [`Certainty`] the number of games is open instead: play
//! goes on until the games show on which side of the threshold the bot stands.

mod card;
mod evidence;
mod sheet;

pub use card::{BORDERLINE, Card, Confirm, FirstFault, Row, State, percent, points};
pub use evidence::{Certainty, Pairs};
pub use sheet::Sheet;

/// The goal of a grading.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The opponents, weakest first.
    pub hurdles: Vec<Hurdle>,
    /// Points with which the grade is passed.
    pub pass: f64,
    /// How sure each verdict must be before play ends; `None`: it is that of a fixed number of games.
    pub confirm: Option<Certainty>,
}

/// An opponent to be beaten.
#[derive(Clone, Debug, PartialEq)]
pub struct Hurdle {
    /// Its name.
    pub opponent: String,
    /// The share of all points against it that beats it, 0 to 1; a draw is half a point.
    pub threshold: f64,
    /// Points for beating it.
    pub points: f64,
}
