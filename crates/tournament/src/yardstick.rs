//! Bots of known ratings (a yardstick), against which the first bot plays until its own rating is known.
//!
//! The first phase is a pair of games against every bot of known rating. In each later phase, the first bot plays the
//! bots nearest to it in strength, because these games carry the most information about its rating: with an expected
//! score p, Fisher's information is p·(1 − p). Ratings and errors are those of [`Ratings::with_anchors`]. The end of
//! the run depends on the number of games and the expected scores, and hardly on the results. So the interval is as
//! good as after a fixed number of games.

use super::format::{Field, History, Pairings};
use stats::{Meeting, Rating, Ratings};

/// The number of opponents in each later phase. There are several, because a bot is not equally strong against all.
const OPPONENTS: usize = 3;
/// The number of pairs against each opponent in each later phase.
const PAIRS: u64 = 4;

#[derive(Clone, Debug, PartialEq)]
pub struct Yardstick {
    ratings: Vec<f64>,
    /// The half-width of the 95 % interval that ends the run, in Elo.
    until: f64,
}

impl Yardstick {
    pub fn new(ratings: Vec<f64>, until: f64) -> Yardstick {
        Yardstick { ratings, until }
    }

    pub fn until(&self) -> f64 {
        self.until
    }

    /// Returns the next phase; `None` if the rating is known, or if `field.rounds` pairs are not enough for another
    /// phase. The pairings do not depend on `field.rounds`, so a run can be resumed with more games.
    pub(super) fn next(&self, field: Field, history: &History) -> Option<Pairings> {
        let mut known: Vec<[usize; 2]> = (1..field.bots).map(|bot| [0, bot]).collect();
        let [first, later @ ..] = history else {
            return Some(Pairings::new(known, 1));
        };
        let found = self.rating(history);
        let scores = history.iter().flatten().map(|met| met.pairs.score());
        let points = scores.fold([0, 0], |sum, score| {
            [sum[0] + score.half_points(), sum[1] + score.games() * 2]
        });
        // If the bot won all games or lost all games, only a bound of its rating is known.
        let is_bound = points[0] == 0 || points[0] == points[1];
        if !is_bound && found.error_95 <= self.until {
            return None;
        }
        known.sort_by(|[_, one], [_, other]| {
            let distance = |bot: &usize| (self.ratings[bot - 1] - found.elo).abs();
            distance(one).total_cmp(&distance(other))
        });
        known.truncate(OPPONENTS);
        let later: usize = later.iter().map(Vec::len).sum();
        let pairs = first.len() as u64 + PAIRS * (later + known.len()) as u64;
        (pairs <= field.rounds).then(|| Pairings::new(known, PAIRS))
    }

    fn rating(&self, history: &History) -> Rating {
        let meetings = history.iter().flatten().map(|met| Meeting {
            bots: met.bots,
            score: met.pairs.score(),
            pairs: met.pairs,
        });
        let anchors: Vec<(usize, f64)> = (1..).zip(self.ratings.iter().copied()).collect();
        let players = anchors.len() + 1;
        Ratings::with_anchors(&meetings.collect::<Vec<_>>(), players, &anchors).bots[0]
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Meeting as Met;
    use super::*;
    use crate::Draw;
    use stats::Wdl;

    /// Plays a bot of strength `elo` against a yardstick. Returns its rating and the number of games.
    fn rated(yardstick: &Yardstick, elo: f64, most: u64, draw: &mut Draw) -> (Rating, u64) {
        let field = Field {
            bots: yardstick.ratings.len() + 1,
            rounds: most / 2,
        };
        let (mut history, mut games) = (Vec::new(), 0);
        while let Some(pairings) = yardstick.next(field, &history) {
            let meeting = |&[one, other]: &[usize; 2]| {
                let lead = elo - yardstick.ratings[other - 1];
                let score = 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
                let mut game = || {
                    let chance = draw.below(1 << 53) as f64 / (1u64 << 53) as f64;
                    if chance < score { Wdl::Win } else { Wdl::Loss }
                };
                Met {
                    bots: [one, other],
                    pairs: (0..pairings.rounds).map(|_| (game(), game())).collect(),
                    ..Met::default()
                }
            };
            games += pairings.bots.len() as u64 * 2 * pairings.rounds;
            history.push(pairings.bots.iter().map(meeting).collect());
        }
        (yardstick.rating(&history), games)
    }

    /// Rates 1,000 bots whose strengths are from far below the middle of the yardstick to far above it. At 95 %, 50
    /// misses are expected, with a standard deviation of 7. The limits are four standard deviations away.
    #[test]
    fn nineteen_of_twenty_intervals_hold_the_strength() {
        let yardstick = Yardstick::new((0..10).map(|step| 200.0 * f64::from(step)).collect(), 50.0);
        let mut draw = Draw::new(5, 5);
        let (mut missed, mut games) = (0, 0);
        for bot in 0..1000 {
            let elo = 1.8 * f64::from(bot);
            let (found, played) = rated(&yardstick, elo, 2000, &mut draw);
            assert!(found.error_95 <= 50.0, "{elo}: {found:?}");
            missed += u32::from((found.elo - elo).abs() > found.error_95);
            games += played;
        }
        assert!((22..=78).contains(&missed), "{missed} of 1000");
        // With even opponents, 1.96 · 173.7 · 2 / √n = 50 gives n = 185 games.
        assert!((185_000..280_000).contains(&games), "{games} for 1000 bots");
    }

    #[test]
    fn a_bot_that_always_wins_ends_with_the_most_games() {
        let yardstick = Yardstick::new(vec![0.0, 400.0], 50.0);
        let (found, games) = rated(&yardstick, 1e9, 100, &mut Draw::new(1, 1));
        assert!(
            (games, found.elo > 400.0) == (100, true),
            "{games} {found:?}"
        );
    }
}
