//! Weaker play that is still play: every move is judged as the program judges it, plus an error.
//!
//! A person who is learning sees little and is often wrong about it. A shallow search alone plays
//! tactics too well for that, so the lower levels also err: by a seeded random amount, as wide as the
//! level says. Nothing is solved exactly. The same seed makes the same mistakes.

use std::sync::Arc;
use std::time::Duration;

use games::othello::{Position, squares};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::evaluation::Weights;
use super::{DISC, OthelloPosition, prob_cut};
use crate::normal::normal;
use crate::search::{
    Budget, Depth, Move, Report, Score, Search, SearchPosition, TranspositionTable,
};

/// How a level misjudges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misjudging {
    /// Plies searched.
    pub depth: Depth,
    /// The standard deviation of the error, in discs.
    pub discs: f64,
    /// Of all errors of a game.
    pub seed: u64,
}

impl Misjudging {
    /// The move that looks best in a position that has one; `budget` is for the clock.
    pub fn choose(
        &self,
        position: Position,
        weights: &Arc<Weights>,
        table: &Arc<TranspositionTable>,
        budget: Budget,
    ) -> Report {
        // The number of discs tells the moves of a game apart.
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(position.empties().count_ones().into());
        let mut best: Option<(Score, Report)> = None;
        let mut nodes = 0;
        for square in squares(position.legal_moves()) {
            let mut report = self.judge(position.play(square), weights, table, budget);
            nodes += report.nodes;
            report.score = -report.score;
            report.depth = self.depth;
            report.line.insert(0, Move(square as u16));
            let error = self.discs * f64::from(DISC) * normal(&mut random);
            let seems = report.score + error as Score;
            if best.as_ref().is_none_or(|&(most, _)| seems > most) {
                best = Some((seems, report));
            }
        }
        let (_, report) = best.expect("a position with a move");
        Report { nodes, ..report }
    }

    /// What the opponent sees after a move.
    fn judge(
        &self,
        position: Position,
        weights: &Arc<Weights>,
        table: &Arc<TranspositionTable>,
        budget: Budget,
    ) -> Report {
        let mut root = OthelloPosition::new(position, Arc::clone(weights));
        root.set_selectivity(prob_cut::EXACT);
        let mut search = Search::new(root, Arc::clone(table));
        let deeper = self.depth - 1;
        if deeper < 1 || position.is_over() {
            let score = if position.is_over() {
                position.final_score() * DISC
            } else {
                search.position.evaluate()
            };
            return Report {
                depth: 0,
                score,
                nodes: 1,
                time: Duration::ZERO,
                line: Vec::new(),
            };
        }
        let budget = Budget {
            depth: Some(deeper),
            ..budget
        };
        search.deepen(budget, deeper, &mut |_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_mistakes_and_no_error_plays_the_best_move() {
        let table = Arc::new(TranspositionTable::new(1));
        let position = Position::START.play(37).play(43);
        let choose = |discs, seed| {
            let misjudging = Misjudging {
                depth: 3,
                discs,
                seed,
            };
            let report =
                misjudging.choose(position, &Weights::trained(), &table, Budget::default());
            (report.line[0], report.score)
        };
        let (_, best) = choose(0.0, 1);
        let chosen: Vec<_> = (0..20).map(|seed| choose(20.0, seed)).collect();
        assert!(chosen.iter().all(|&(_, score)| score <= best));
        assert!(chosen.iter().any(|&(_, score)| score < best));
        let again: Vec<_> = (0..20).map(|seed| choose(20.0, seed)).collect();
        assert_eq!(chosen, again);
    }
}
