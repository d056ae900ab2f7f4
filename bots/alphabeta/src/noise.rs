//! Evaluation noise, a handicap: weaker play that is still play.
//!
//! A person who is learning sees little and is often wrong about it. A shallow search alone plays
//! tactics too well for that, so the lower levels judge every move by a shallow search plus a seeded
//! random error. The same seed makes the same mistakes.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::search::{Budget, Depth, Move, Report, Score};

/// How a level errs.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Plies searched.
    pub depth: Depth,
    /// The standard deviation of the error, in the game's units.
    pub deviation: f64,
    /// No score looks better or worse than this: a large error hides it.
    pub most: Score,
    /// Of all errors of a game.
    pub seed: u64,
}

impl Noise {
    /// The move that looks best; `None` if there is none. `turn` tells the moves of a game apart;
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

/// A normally distributed number, nearly: twelve even ones added up. Libraries may draw others in
/// their next version; here a seed means the same game for good.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let even = |_| (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    (0..12).map(even).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
