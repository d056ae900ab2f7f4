//! The goals of a suite: the `[grade]` of a tournament file and the thresholds of its bots.

use toml::Spanned;

use super::Contestant;
use super::file::{BotFile, TournamentFile};
use crate::mark::{Hurdle, Scale};
use referee::problem::Problem;

/// More than half of the points, and by more than one game of twenty.
const DEFAULT_THRESHOLD: f64 = 0.55;
/// The default points for beating an opponent.
const DEFAULT_POINTS: f64 = 10.0;
/// The largest number of points.
const MOST_POINTS: f64 = 1e6;

impl TournamentFile {
    /// Whether it is a suite for grading.
    pub fn is_suite(&self) -> bool {
        let own = |bot: &Spanned<BotFile>| bot.get_ref().threshold.is_some();
        self.grade.is_some() || self.bot.iter().any(own)
    }

    /// The goals against `opponents`, which are the last bots of this file.
    pub fn scale(&self, opponents: &[Contestant]) -> Result<Scale, Problem> {
        let grade = self.grade.as_ref().map(|grade| grade.get_ref().clone());
        let grade = grade.unwrap_or_default();
        let threshold = number(
            grade.threshold.as_ref(),
            DEFAULT_THRESHOLD,
            1.0,
            "threshold",
        )?;
        let points = number(grade.points.as_ref(), DEFAULT_POINTS, MOST_POINTS, "points")?;
        let bots = &self.bot[self.bot.len() - opponents.len()..];
        let hurdles: Vec<Hurdle> = bots
            .iter()
            .zip(opponents)
            .map(|(bot, opponent)| {
                let bot = bot.get_ref();
                Ok(Hurdle {
                    opponent: opponent.name.clone(),
                    threshold: number(bot.threshold.as_ref(), threshold, 1.0, "threshold")?,
                    points: number(bot.points.as_ref(), points, MOST_POINTS, "points")?,
                })
            })
            .collect::<Result<_, Problem>>()?;
        let possible: f64 = hurdles.iter().map(|hurdle| hurdle.points).sum();
        let pass = number(grade.pass.as_ref(), possible, possible, "pass")?;
        Ok(Scale { hurdles, pass })
    }
}

fn number(
    value: Option<&Spanned<f64>>,
    default: f64,
    most: f64,
    key: &str,
) -> Result<f64, Problem> {
    let Some(value) = value else {
        return Ok(default);
    };
    let number = *value.get_ref();
    if (0.0..=most).contains(&number) {
        return Ok(number);
    }
    Err(problem!("{key} = {number} is out of range")
        .help(format!("choose 0 to {most}"))
        .at(value.span()))
}
