//! A mark from games: the opponents that a bot beats, and the points for them.
//!
//! A [`Scale`] is the goal. A [`Sheet`] counts games as they finish, and shows when a verdict is decided. A [`Card`] is
//! the result. Nothing here plays, prints or reads a clock.
//!
//! Two rules make a mark defensible. Stopping early never changes a verdict: play against an opponent stops early only
//! if the remaining games cannot change the verdict. With points for [`Accuracy`], all games are played, because each
//! measures it. A void game counts for neither bot: if it could have changed a verdict, there is no mark. With a
//! [`Certainty`], the number of games is open: play continues until the verdict is certain.

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
    /// The opponents, weakest first.
    pub hurdles: Vec<Hurdle>,
    pub pass: f64,
    /// The certainty that ends play; `None`: the number of games is fixed.
    pub confirm: Option<Certainty>,
    /// The points for accurate moves, not judged yet; `None`: only results count.
    pub accuracy: Option<Accuracy>,
}

/// An opponent to be beaten.
#[derive(Clone, Debug, PartialEq)]
pub struct Hurdle {
    pub opponent: String,
    /// The opponent is beaten with at least this share of the points, 0 to 1; a draw is half a point.
    pub threshold: f64,
    pub points: f64,
}
