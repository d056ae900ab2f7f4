//! The goals of a suite: the `[grade]` of a tournament file and the thresholds of its bots.

use games::Scoring;
use message::message;
use referee::problem;
use toml::Spanned;

use super::Contestant;
use super::numbers::{given, span, within};
use super::tournament_file::{BotFile, GradeFile, TournamentFile};
use super::validate::DEFAULT_GAMES;
use crate::mark::{Accuracy, Certainty, Hurdle, Scale};
use referee::problem::Problem;

/// In a match of twenty games, a bot needs one point more than half of the points.
const DEFAULT_THRESHOLD: f64 = 0.55;
const DEFAULT_POINTS: f64 = 10.0;
const MOST_POINTS: f64 = 1e6;
/// With `confirm`: the default of `confirm_games` as a multiple of `games`.
const PLAYED_ON: i64 = 20;
/// A lower level would be no evidence; with a higher level, play would not end.
const LEVELS: std::ops::RangeInclusive<f64> = 0.5..=0.9999;

impl TournamentFile {
    pub fn is_suite(&self) -> bool {
        let own = |bot: &Spanned<BotFile>| bot.get_ref().threshold.is_some();
        self.grade.is_some() || self.bot.iter().any(own)
    }

    /// Returns whether the file is for hand-ins, which are untrusted bots with equal resources.
    pub fn has_hand_ins(&self) -> bool {
        self.is_suite() || self.hand_ins.as_ref().is_some_and(|has| *has.get_ref())
    }

    /// With `confirm`, raises `games` to the largest number that may be played, so that the schedule is long enough.
    pub fn play_on(&mut self) {
        let Some(grade) = self.grade.as_ref().map(Spanned::get_ref) else {
            return;
        };
        if grade.confirm.is_some() {
            let games = self.games.as_ref().map(|games| *games.get_ref());
            let games = games.unwrap_or(DEFAULT_GAMES);
            let most = grade.confirm_games.as_ref().map(|most| *most.get_ref());
            let most = most.unwrap_or_else(|| games.saturating_mul(PLAYED_ON));
            self.games = given(Some(games.max(most)));
        }
    }

    /// Validates the goals of the suite. `opponents` are the last bots of this file. Openings repeat after `lap` pairs.
    pub fn scale(&self, opponents: &[Contestant], lap: u64) -> Result<Scale, Problem> {
        let grade = self.grade.as_ref().map(|grade| grade.get_ref().clone());
        let grade = grade.unwrap_or_default();
        let threshold = within(
            grade.threshold.as_ref(),
            DEFAULT_THRESHOLD,
            0.0..=1.0,
            "threshold",
        )?;
        let points = within(
            grade.points.as_ref(),
            DEFAULT_POINTS,
            0.0..=MOST_POINTS,
            "points",
        )?;
        let bots = &self.bot[self.bot.len() - opponents.len()..];
        let hurdles: Vec<Hurdle> = bots
            .iter()
            .zip(opponents)
            .map(|(bot, opponent)| {
                let bot = bot.get_ref();
                Ok(Hurdle {
                    opponent: opponent.name.clone(),
                    threshold: within(bot.threshold.as_ref(), threshold, 0.0..=1.0, "threshold")?,
                    points: within(bot.points.as_ref(), points, 0.0..=MOST_POINTS, "points")?,
                })
            })
            .collect::<Result<_, Problem>>()?;
        let possible: f64 = hurdles.iter().map(|hurdle| hurdle.points).sum();
        let accuracy = self.accuracy(&grade)?;
        let all = possible + accuracy.as_ref().map_or(0.0, |accuracy| accuracy.points);
        let pass = within(grade.pass.as_ref(), possible, 0.0..=all, "pass")?;
        let confirm = match &grade.confirm {
            None => None,
            Some(level) if LEVELS.contains(level.get_ref()) => Some(Certainty {
                level: *level.get_ref(),
                lap,
            }),
            Some(level) => {
                let (least, most) = (LEVELS.start(), LEVELS.end());
                return Err(problem!("confirm = {} is out of range", level.get_ref())
                    .help(message!(
                        "choose the chance that a verdict is right, {least} to {most}, such as 0.95"
                    ))
                    .at(level.span()));
            }
        };
        let most = grade.confirm_games.as_ref();
        let games = within(most, DEFAULT_GAMES, 2..=100_000_000, "confirm_games")?;
        if games % 2 == 1 {
            return Err(
                problem!("confirm_games = {games} is odd, but games are played in pairs")
                    .help(message!("write {} or {}", games - 1, games + 1))
                    .at(span(most)),
            );
        }
        Ok(Scale {
            hurdles,
            pass,
            confirm,
            accuracy,
        })
    }

    fn accuracy(&self, grade: &GradeFile) -> Result<Option<Accuracy>, Problem> {
        let Some(points) = &grade.accuracy else {
            return Ok(None);
        };
        let points = within(Some(points), 0.0, 0.0..=MOST_POINTS, "accuracy")?;
        let in_discs = self.game()?.scoring() == Scoring::Discs;
        let usual = if in_discs { 7.0 } else { 45.0 };
        let full = within(grade.loss_full.as_ref(), 1.0, 0.0..=50.0, "loss_full")?;
        let none = within(grade.loss_none.as_ref(), usual, 0.1..=100.0, "loss_none")?;
        if full >= none {
            let at = grade.loss_full.as_ref().or(grade.loss_none.as_ref());
            return Err(
                problem!("loss_full = {full} is not below loss_none = {none}")
                    .help("a smaller loss earns more points")
                    .at(span(at)),
            );
        }
        Ok(Some(Accuracy {
            points,
            full,
            none,
            in_discs,
            loss: None,
            error_95: None,
            games: 0,
        }))
    }
}
