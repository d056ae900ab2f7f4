//! Wins, draws and losses of one bot against another.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use super::Sample;

/// The result of one game for the first bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The opponent won.
    Loss,
    /// A draw.
    Draw,
    /// The first bot won.
    Win,
}

impl Wdl {
    /// Returns the same game as seen by the opponent.
    #[must_use]
    pub fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// Returns the half points won: 0, 1 or 2.
    pub fn half_points(self) -> u64 {
        self as u64
    }
}

/// A tally of games, seen from the first bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// The number of games that the first bot won.
    pub wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of games that the first bot lost.
    pub losses: u64,
}

impl Score {
    /// Creates a tally in the standard order: wins, draws, losses.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Score {
        Score {
            wins,
            draws,
            losses,
        }
    }

    /// Adds one game.
    pub fn add(&mut self, outcome: Wdl) {
        match outcome {
            Wdl::Win => self.wins += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Loss => self.losses += 1,
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points won: a win is 1, a draw ½.
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// Returns the half points won.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Returns the points won per game, 0 to 1; ½ without a game.
    pub fn rate(&self) -> f64 {
        if self.games() == 0 {
            0.5
        } else {
            self.points() / self.games() as f64
        }
    }

    /// Returns the share of drawn games, 0 to 1; 0 without a game.
    pub fn draw_rate(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// Returns the same games as seen by the opponent.
    #[must_use]
    pub fn reversed(&self) -> Score {
        Score::new(self.losses, self.draws, self.wins)
    }
}

impl Sample<3> for Score {
    const GAMES_EACH: u32 = 1;

    fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        Score {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Score>>(scores: I) -> Score {
        scores.fold(Score::default(), Add::add)
    }
}

impl FromIterator<Wdl> for Score {
    fn from_iter<I: IntoIterator<Item = Wdl>>(outcomes: I) -> Score {
        let mut score = Score::default();
        for outcome in outcomes {
            Score::add(&mut score, outcome);
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_collect_and_scores_add_up() {
        use Wdl::{Draw, Loss, Win};
        let score: Score = [Win, Win, Draw, Loss, Win].into_iter().collect();
        assert_eq!(score, Score::new(3, 1, 1));
        assert_eq!(
            [score, score.reversed()].into_iter().sum::<Score>(),
            Score::new(4, 2, 4)
        );
    }
}
