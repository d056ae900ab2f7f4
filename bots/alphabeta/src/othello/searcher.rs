//! The Othello searcher: search and solver under time control.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::othello::{Kernel, Position, Task, squares, with_fastest};
use games::{Board, Square};
use protocol::Question;

use super::endgame::Solution;
use super::evaluation::Weights;
use super::exact_solver::aided;
use super::{DISC, OthelloPosition, PASS, prob_cut};
use crate::level::Noise;
use crate::search::{
    Budget, Depth, Move, Report, Score, Search, SearchPosition, TranspositionTable, deepen_on,
};
use crate::searcher::{SearchInfo, Searcher, Setup};

/// At full strength, the solver runs with at most this many empty squares, whatever the budget is.
const AT_ONCE: u32 = 10;

pub struct OthelloSearcher {
    setup: Setup,
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
}

impl OthelloSearcher {
    pub fn new(setup: Setup) -> OthelloSearcher {
        let table = Arc::new(TranspositionTable::new(setup.hash_mib));
        let weights = setup.limits.weights.clone();
        OthelloSearcher {
            setup,
            table,
            weights: weights.unwrap_or_else(Weights::trained),
        }
    }

    fn search(
        &self,
        position: Position,
        budget: Budget,
        progress: &mut dyn FnMut(&SearchInfo),
    ) -> Report {
        let empties = position.empties().count_ones();
        let new = || {
            let root = OthelloPosition::new(position, Arc::clone(&self.weights));
            Search::new(root, Arc::clone(&self.table))
        };
        let threads = self.setup.limits.threads;
        deepen_on(threads, new, budget, empties as Depth, &mut |report| {
            progress(&info(report));
        })
    }
}

/// Returns the number of own moves that still need time. The last moves need little, because they are solved at once.
fn moves_to_go(empties: u32) -> u32 {
    empties.saturating_sub(12).div_ceil(2).max(3)
}

fn can_solve(empties: u32, budget: &Budget) -> bool {
    let solvable = match (budget.depth, budget.nodes, budget.left()) {
        // With a depth limit, the bot solves up to 1.5 times as many empty squares as plies.
        (Some(depth), _, _) => depth as u32 + depth as u32 / 2,
        (None, Some(nodes), _) => affordable(nodes),
        (None, None, Some(left)) => affordable(nodes_in(left)),
        (None, None, None) => u32::MAX,
    };
    empties <= solvable.max(AT_ONCE)
}

/// Returns the most empty squares that `nodes` nodes usually solve: 16 for a million, one more for each doubling.
fn affordable(nodes: u64) -> u32 {
    (16 + (nodes / 1_000_000).checked_ilog2().unwrap_or(0))
        .saturating_sub((1_000_000 / nodes.max(1)).checked_ilog2().unwrap_or(0))
}

/// Returns a low estimate of the nodes that the solver searches in this time.
fn nodes_in(time: Duration) -> u64 {
    (time.as_secs_f64() * 12e6) as u64
}

impl Searcher for OthelloSearcher {
    fn choose(
        &mut self,
        question: &Question,
        progress: &mut dyn FnMut(&SearchInfo),
    ) -> games::Move {
        let Board::Othello(board) = &question.board else {
            unreachable!("an Othello searcher gets only Othello boards");
        };
        let began = Instant::now();
        let position = board.position();
        let moves = position.legal_moves();
        if moves.is_power_of_two() {
            return notation(Move(moves.trailing_zeros() as u16));
        }
        if let Some(known) = self.setup.in_book(&question.board, DISC) {
            progress(&known);
            return known.line[0];
        }
        let empties = position.empties().count_ones();
        let budget = self.setup.budget(question, moves_to_go(empties));
        if let Some(noise) = self.setup.noise(DISC, 64 * DISC) {
            let report = choose_with_noise(&noise, position, &self.weights, &self.table, budget);
            progress(&info(&report));
            return first(&report.line);
        }
        if !can_solve(empties, &budget) {
            let report = self.search(position, budget, progress);
            return first(&report.line);
        }

        // A search with half of the budget comes first: its score guides the solver, and its move is the fallback.
        let report = self.search(position, budget.halved(), progress);
        let solving = Solving {
            position,
            guess: report.score / DISC,
            table: Arc::clone(&self.table),
            weights: Arc::clone(&self.weights),
            budget: Budget {
                depth: None,
                nodes: budget
                    .nodes
                    .map(|nodes| nodes.saturating_sub(report.nodes).max(1)),
                ..budget
            },
        };
        let (solved, nodes) = with_fastest(solving);
        let Some(solution) = solved else {
            return first(&report.line);
        };
        let line = if solution.line.is_empty() {
            &report.line
        } else {
            &solution.line
        };
        progress(&SearchInfo {
            depth: empties,
            score: f64::from(solution.score),
            nodes: report.nodes + nodes,
            time: began.elapsed(),
            line: line.iter().map(|&played| notation(played)).collect(),
        });
        first(line)
    }
}

/// The task of solving an endgame: first for win, draw or loss, then for the score.
struct Solving {
    position: Position,
    guess: Score,
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
    budget: Budget,
}

impl Task for Solving {
    type Output = (Option<Solution>, u64);

    fn run<K: Kernel>(self, kernel: K) -> (Option<Solution>, u64) {
        let mut solver = aided(kernel, self.table, &self.weights, self.budget);
        let result = solver.solve_result(self.position);
        // In a lost position, the search for win, draw or loss does not find the best defence. The exact search does.
        let useful = result.filter(|result| result.score >= 0);
        let exact = if solver.is_stopped() {
            None
        } else {
            solver.solve(self.position, self.guess)
        };
        (exact.or(useful), solver.visited())
    }
}

fn first(line: &[Move]) -> games::Move {
    line.first()
        .map_or(games::Move::Pass, |&played| notation(played))
}

fn info(report: &Report) -> SearchInfo {
    SearchInfo::of(report, DISC, notation)
}

pub fn notation(played: Move) -> games::Move {
    if played == PASS {
        games::Move::Pass
    } else {
        games::Move::Place(Square::from_index(played.index(), 8))
    }
}

// Weaker levels search with evaluation noise and do not solve beyond their depth.

/// Returns the move with the best score after noise. The position must have a legal move.
fn choose_with_noise(
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

/// Searches the position after a move. The score is for the opponent, which is to move.
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
    fn twice_the_nodes_solve_one_square_more() {
        for (nodes, empties) in [
            (1, 0),
            (1000, 7),
            (500_000, 15),
            (1_000_000, 16),
            (2_000_000, 17),
            (1 << 40, 36),
        ] {
            assert_eq!(affordable(nodes), empties, "{nodes}");
        }
    }

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
            let report = choose_with_noise(&noise, position, &weights, &table, Budget::default());
            (report.line[0], report.score)
        };
        let (_, best) = choose(0.0, 1);
        let chosen: Vec<_> = (0..20).map(|seed| choose(20.0, seed)).collect();
        assert!(chosen.iter().all(|&(_, score)| score <= best));
        assert!(chosen.iter().any(|&(_, score)| score < best));
    }
}
