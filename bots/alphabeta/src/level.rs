//! Levels of strength, from beginner to full strength, and the noise that weakens the lower ones.

use games::Game;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::search::{Budget, Depth, Move, Report, Score};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    othello: Strength,
    gomoku: Strength,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The search depth in plies; `None`: as deep as the time allows.
    pub depth: Option<u32>,
    /// The standard deviation of the evaluation noise, in discs for Othello, in units of log-odds for Gomoku.
    pub noise: f64,
}

const fn strength(depth: u32, noise: f64) -> Strength {
    Strength {
        depth: Some(depth),
        noise,
    }
}

const STRONGEST: Strength = Strength {
    depth: None,
    noise: 0.0,
};

const OTHELLO: [Strength; 10] = [
    strength(1, 16.0),
    strength(2, 9.0),
    strength(3, 6.0),
    strength(4, 4.0),
    strength(5, 2.5),
    strength(6, 1.2),
    strength(6, 0.0),
    strength(8, 0.0),
    strength(12, 0.0),
    STRONGEST,
];

/// Levels 1 to 10. Levels with noise do not use the threat solvers.
const GOMOKU: [Strength; 10] = [
    strength(1, 3.2),
    strength(1, 1.3),
    strength(2, 1.3),
    strength(2, 0.7),
    strength(3, 0.7),
    strength(4, 0.55),
    strength(4, 0.0),
    strength(6, 0.0),
    strength(8, 0.0),
    STRONGEST,
];

impl Level {
    /// Parses 1 to 10, easy (2), medium (5) or hard (8).
    pub fn parse(text: &str) -> Option<Level> {
        let number = match text.to_ascii_lowercase().as_str() {
            "easy" => 2,
            "medium" => 5,
            "hard" => 8,
            text => text.parse::<usize>().ok()?,
        };
        let index = number.checked_sub(1)?;
        Some(Level {
            othello: *OTHELLO.get(index)?,
            gomoku: *GOMOKU.get(index)?,
        })
    }

    pub fn strength(self, game: Game) -> Strength {
        if game == Game::OTHELLO {
            self.othello
        } else {
            self.gomoku
        }
    }
}

// Even shallow searches play tactics too well for learners, so the lower levels add a random error to the scores.

#[derive(Clone, Copy, Debug)]
pub struct Noise {
    pub depth: Depth,
    /// The standard deviation of the error, in the game's units.
    pub deviation: f64,
    /// Scores are limited to the range from `-most` to `most` before the error is added.
    pub most: Score,
    pub seed: u64,
}

impl Noise {
    /// Returns the move with the best score after noise; `None` if `moves` is empty. `turn` numbers the moves of a
    /// game; `after` searches the position after a move within the rest of `budget`.
    pub fn choose(
        &self,
        turn: u64,
        moves: impl IntoIterator<Item = Move>,
        budget: Budget,
        mut after: impl FnMut(Move, Budget) -> Report,
    ) -> Option<Report> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(turn);
        let mut best: Option<(Score, Report)> = None;
        let mut nodes = 0;
        for played in moves {
            let left = Budget {
                depth: Some(self.depth - 1),
                nodes: budget.nodes.map(|limit| limit.saturating_sub(nodes).max(1)),
                ..budget
            };
            let mut report = after(played, left);
            nodes += report.nodes;
            report.score = -report.score;
            report.depth = self.depth;
            report.line.insert(0, played);
            let error = self.deviation * normal(&mut random);
            let seems = report.score.clamp(-self.most, self.most) + error as Score;
            if best.as_ref().is_none_or(|&(most, _)| seems > most) {
                best = Some((seems, report));
            }
        }
        best.map(|(_, report)| Report { nodes, ..report })
    }
}

/// Returns an approximately normal number. A library's function might change; this code does not.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let even = |_| (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    (0..12).map(even).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_numbers_and_names_and_rise() {
        for (name, number) in [("easy", "2"), ("medium", "5"), ("hard", "8"), ("Easy", "2")] {
            assert_eq!(Level::parse(name), Level::parse(number));
        }
        for nothing in ["0", "11", "-1", "brutal", ""] {
            assert_eq!(Level::parse(nothing), None, "{nothing}");
        }
        let stronger = |pair: &[Strength]| {
            let [low, high] = [pair[0], pair[1]];
            high.depth
                .is_none_or(|depth| depth >= low.depth.unwrap_or(61))
                && high.noise <= low.noise
                && high != low
        };
        for levels in [OTHELLO, GOMOKU] {
            assert!(levels.windows(2).all(stronger));
        }
    }

    #[test]
    fn errors_are_centred_on_0_and_as_wide_as_asked_for() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let errors: Vec<f64> = (0..4000).map(|_| normal(&mut random)).collect();
        let mean = errors.iter().sum::<f64>() / 4000.0;
        let variance = errors.iter().map(|error| error * error).sum::<f64>() / 4000.0;
        assert!(
            mean.abs() < 0.05 && (variance - 1.0).abs() < 0.1,
            "{mean} {variance}"
        );
    }
}
