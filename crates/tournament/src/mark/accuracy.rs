use message::{Message, message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::points;

/// The points for accurate moves: all points for a mean loss of `full` or less, none for `none` or more, and in
/// proportion between the two. A loss is in discs if discs decide the game, else in percent of the chance of winning.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Accuracy {
    /// The largest number of points.
    pub points: f64,
    /// The largest mean loss that earns all points.
    pub full: f64,
    /// The least mean loss that earns no points.
    pub none: f64,
    /// Whether losses are in discs.
    pub in_discs: bool,
    /// The mean loss of a move, in which each opponent has the same weight; null if it is not judged yet.
    pub loss: Option<f64>,
    /// The half-width of its 95 % interval; null with too few games.
    pub error_95: Option<f64>,
    /// The number of judged games.
    pub games: usize,
}

impl Accuracy {
    fn worth(&self, loss: f64) -> f64 {
        self.points * ((self.none - loss) / (self.none - self.full)).clamp(0.0, 1.0)
    }

    pub fn earned(&self) -> f64 {
        self.loss.map_or(0.0, |loss| self.worth(loss))
    }

    /// Returns the points for both ends of the interval of the loss, the lower points first.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let (loss, error) = self.loss.zip(self.error_95)?;
        Some([loss + error, loss - error].map(|loss| self.worth(loss)))
    }

    pub fn is_judged(&self) -> bool {
        self.loss.is_some()
    }

    /// Returns the loss with its error and its unit, such as `2.13 ± 0.20 discs lost per move in 24 games`.
    pub fn loss_text(&self) -> Message {
        let Some(loss) = self.loss else {
            return "not judged yet".into();
        };
        let error = self
            .error_95
            .map_or(String::new(), |error| format!(" ± {error:.2}"));
        let (loss, games) = (format!("{loss:.2}{error}"), self.games);
        if self.in_discs {
            message!("{loss} discs lost per move in {games} {games|game|games}")
        } else {
            message!(
                "{loss} % of the chance of winning lost per move in {games} {games|game|games}"
            )
        }
    }

    /// Returns the points, their interval and the reason for them, in one line.
    pub fn headline(&self) -> Message {
        let (earned, most, why) = (points(self.earned()), points(self.points), self.loss_text());
        match self.interval().map(|ends| ends.map(points)) {
            Some([low, high]) => message!(
                "accuracy: {earned} of {most} points (95 % interval: {low} to {high}): {why}"
            ),
            None => message!("accuracy: {earned} of {most} points: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_in_proportion_between_the_two_losses() {
        type Row = (Option<f64>, f64, Option<f64>, Option<f64>);
        let scale = Accuracy {
            points: 10.0,
            full: 1.0,
            none: 6.0,
            in_discs: true,
            loss: None,
            error_95: Some(0.5),
            games: 8,
        };
        for (loss, earned, least, most) in cases::cases::<Row>("accuracies") {
            let judged = Accuracy {
                loss,
                ..scale.clone()
            };
            let ends = least.zip(most).map(<[f64; 2]>::from);
            assert_eq!(
                (judged.earned(), judged.interval()),
                (earned, ends),
                "{loss:?}"
            );
        }
    }
}
