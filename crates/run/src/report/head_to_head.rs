//! The results of a match of two bots, and the conclusions from them.

use message::number::signed;
use message::{Message, message};
use stats::{Elo, FEWEST_UNITS, Interval, Pentanomial, Sample, Score, Strength, Z_95, wilson};

use super::results::{MatchResults, ScoreResults};

/// The results of two bots, from the first bot's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pairing {
    /// The results of games, without those in which both failed.
    pub score: Score,
    pub pairs: Pentanomial,
    pub both_failed: u64,
    /// For a match that ends when its Elo difference is known: the difference, with an error that is valid at any time.
    pub at_every_look: Option<Elo>,
}

impl Pairing {
    /// Estimates the difference in strength; `None` without enough results. If there are complete pairs, only these
    /// count: the two games of a pair are not independent, so pairs and single games cannot share one model.
    pub fn strength(&self) -> Option<Strength> {
        let strength = match self.pairs.pairs() {
            0 => Strength::of(&self.score),
            _ => Strength::of(&self.pairs),
        }?;
        let elo = self.at_every_look.unwrap_or(strength.elo);
        Some(Strength { elo, ..strength })
    }

    /// Returns the 95 % interval of the win rate, computed from whole pairs. If there are too few pairs, or all have
    /// the same score, their spread is not known. Then this is Wilson's interval, computed from games.
    pub fn interval(&self) -> Interval {
        let has_spread = Strength::of(&self.pairs).is_some_and(|found| found.normalised.is_some());
        if !has_spread {
            return wilson(&self.score, Z_95);
        }
        let moments = self.pairs.moments();
        let reach = Z_95 * moments.standard_error();
        Interval {
            low: (moments.mean - reach).max(0.0),
            high: (moments.mean + reach).min(1.0),
        }
    }
}

impl MatchResults {
    pub fn text(&self) -> Vec<Message> {
        vec![self.score_text(), self.strength_text(), self.pairs_text()]
    }

    pub(super) fn score_text(&self) -> Message {
        let (one, two) = (&self.bot, &self.opponent);
        let ScoreResults {
            wins,
            draws,
            losses,
            ..
        } = self.score;
        message!("{one} against {two}: {wins}–{draws}–{losses} (won, drawn, lost)")
    }

    pub(super) fn strength_text(&self) -> Message {
        let (games, pairs) = (self.score.games, self.pairs.iter().sum::<u64>());
        let strength = self.elo.zip(self.elo_error_95).zip(self.los);
        let Some(((elo, error), los)) = strength else {
            return match pairs {
                0 => message!(
                    "no Elo, nElo or LOS from {games} {games|game|games}: at least {FEWEST_UNITS} are needed"
                ),
                _ => message!(
                    "no Elo, nElo or LOS from {pairs} {pairs|pair|pairs}: at least {FEWEST_UNITS} are needed"
                ),
            };
        };
        let figure = |(elo, error): (f64, f64)| format!("{} ± {error:.1}", signed(elo, 1));
        let normalised = match self.nelo.zip(self.nelo_error_95) {
            Some(nelo) => Message::quote(figure(nelo)),
            None => "– (all results are the same)".into(),
        };
        let elo = figure((elo, error));
        let (los, draws) = (100.0 * los, 100.0 * self.score.draw_rate);
        let strength =
            message!("Elo {elo} (95 %), nElo {normalised}, LOS {los:.1} %, draws {draws:.1} %");
        let note = match games - 2 * pairs {
            _ if pairs == 0 => "from games, as no pair is complete".into(),
            0 => return strength,
            alone => message!(
                "{alone} {alone|game of an incomplete pair is|games of incomplete pairs are} ignored"
            ),
        };
        Message::list([strength, note])
    }

    pub(super) fn pairs_text(&self) -> Message {
        let [ll, ld, wl, dd, wd, ww] = self.pairs;
        message!("pairs LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pairs: [u64; 6]) -> Message {
        let pairs = Pentanomial::from(pairs);
        let pairing = Pairing {
            score: pairs.score(),
            pairs,
            ..Pairing::default()
        };
        MatchResults::of(["new", "base"], &pairing).strength_text()
    }

    #[test]
    fn too_few_results_have_no_figures() {
        insta::assert_snapshot!(text([0, 0, 0, 0, 0, 1]), @"no Elo, nElo or LOS from 1 pair: at least 6 are needed");
        insta::assert_snapshot!(text([0, 0, 0, 0, 1, 1]), @"no Elo, nElo or LOS from 2 pairs: at least 6 are needed");
        insta::assert_snapshot!(text([0; 6]), @"no Elo, nElo or LOS from 0 games: at least 6 are needed");
        insta::assert_snapshot!(text([0, 0, 0, 0, 0, 10]), @"Elo +653.4 ± 417.8 (95 %), nElo – (all results are the same), LOS 99.9 %, draws 0.0 %");
    }
}
