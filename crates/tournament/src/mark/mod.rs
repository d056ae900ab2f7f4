//! A mark from games: the opponents that a bot beats, and the points for them.
//!
//! A [`Scale`] defines the goal. A [`Sheet`] counts games when they finish, and shows when a verdict is decided. A
//! [`Card`] is the result. This module plays no games, prints nothing and reads no clock.
//!
//! Play against an opponent stops early only if the remaining games cannot change the verdict. With points for
//! [`Accuracy`], all games are played, because each game measures the accuracy. A void game counts for neither bot: if
//! it could have changed a verdict, there is no mark. With a [`Certainty`], the number of games is not fixed: play
//! continues until the verdict is certain.

mod accuracy;
mod card;
mod evidence;
mod sheet;

pub use accuracy::Accuracy;
pub use card::{
    BORDERLINE, Card, Confirm, FirstFault, GradeState, OpponentResult, percent, points,
};
pub use evidence::{Certainty, Pairs};
pub use sheet::Sheet;

#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    pub hurdles: Vec<Hurdle>,
    pub pass: f64,
    /// The certainty at which play ends; `None` if the number of games is fixed.
    pub confirm: Option<Certainty>,
    /// The points for accurate moves, not judged yet; `None` if only results count.
    pub accuracy: Option<Accuracy>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hurdle {
    pub opponent: String,
    /// The share of the points, from 0 to 1, with which the opponent is beaten; a draw is half a point.
    pub threshold: f64,
    pub points: f64,
}
