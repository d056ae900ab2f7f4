//! How the lower levels play Othello: with evaluation noise, and nothing solved exactly.

use std::sync::Arc;
use std::time::Duration;

use games::othello::{Position, squares};

use super::evaluation::Weights;
use super::{DISC, OthelloPosition, prob_cut};
use crate::noise::Noise;
use crate::search::{Budget, Move, Report, Search, SearchPosition, TranspositionTable};

/// The move that looks best in a position that has one.
pub(super) fn choose(
    noise: &Noise,
    position: Position,
    weights: &Arc<Weights>,
    table: &Arc<TranspositionTable>,
    budget: Budget,
) -> Report {
    let moves = squares(position.legal_moves()).map(|square| Move(square as u16));
    let turn = position.empties().count_ones().into();
    let best = noise.choose(turn, moves, budget, |played, budget| {
        after(position.play(played.index()), weights, table, budget)
    });
    best.expect("a position with a move")
}

/// What the opponent sees after a move.
fn after(
    position: Position,
    weights: &Arc<Weights>,
    table: &Arc<TranspositionTable>,
    budget: Budget,
) -> Report {
    let mut root = OthelloPosition::new(position, Arc::clone(weights));
    root.set_selectivity(prob_cut::EXACT);
    let depth = budget.depth.unwrap_or(0);
    if depth >= 1 && !position.is_over() {
        let mut search = Search::new(root, Arc::clone(table));
        return search.deepen(budget, depth, &mut |_| ());
    }
    let score = if position.is_over() {
        position.final_score() * DISC
    } else {
        root.evaluate()
    };
    Report {
        depth: 0,
        score,
        nodes: 1,
        time: Duration::ZERO,
        line: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_mistakes_and_no_error_plays_the_best_move() {
        let table = Arc::new(TranspositionTable::new(1));
        let position = Position::START.play(37).play(43);
        let choose = |discs, seed| {
            let noise = Noise {
                depth: 3,
                deviation: discs * f64::from(DISC),
                most: 64 * DISC,
                seed,
            };
            let weights = Weights::trained();
            let report = choose(&noise, position, &weights, &table, Budget::default());
            (report.line[0], report.score)
        };
        let (_, best) = choose(0.0, 1);
        let chosen: Vec<_> = (0..20).map(|seed| choose(20.0, seed)).collect();
        assert!(chosen.iter().all(|&(_, score)| score <= best));
        assert!(chosen.iter().any(|&(_, score)| score < best));
    }
}
