//! Levels of strength, from a beginner's to the program's own, and the noise by which the lower ones err.

use games::Game;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::search::{Budget, Depth, Move, Report, Score};

/// How strong a level plays: the same number in both games, by different means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    othello: Strength,
    gomoku: Strength,
}

/// What a level means in one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Plies searched; `None`: as many as there is time for.
    pub depth: Option<u32>,
    /// Evaluation noise, a handicap: the standard deviation of the error with which moves are
    /// judged, in discs in Othello, in units of log-odds in Gomoku.
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

/// From 1 to 10.
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

/// From 1 to 10. A level that errs does not ask the solvers of threats either.
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
    /// 1 to 10, easy (2), medium (5) or hard (8).
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

    /// Returns the level's strength in `game`.
    pub fn strength(self, game: Game) -> Strength {
        if game == Game::OTHELLO {
            self.othello
        } else {
            self.gomoku
        }
    }
}

// --- Evaluation noise ---
//
// A handicap: weaker play that is still play. A person who is learning sees little and is often wrong about
// it. A shallow search alone plays tactics too well for that, so the lower levels judge every move by a
// shallow search plus a seeded random error. The same seed makes the same mistakes.

/// How a level errs.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    pub depth: Depth,
    /// The standard deviation of the error, in the game's units.
    pub deviation: f64,
    /// No score looks better or worse than this: a large error hides it.
    pub most: Score,
    /// The seed of all errors of a game.
    pub seed: u64,
}

impl Noise {
    /// Returns the move that looks best; `None` if there is none. `turn` tells the moves of a game apart;
    /// `after` searches the position after a move within what is left of `budget`.
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

/// Returns a normally distributed number, nearly: twelve even ones added up. Libraries may draw others in
/// their next version; here a seed means the same game for good.
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
