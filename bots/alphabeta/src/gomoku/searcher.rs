//! The Gomoku searcher: immediate moves, solvers and search under time control.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::Square;
use protocol::Question;

use super::analysis::line_by_threats;
use super::board::SearchBoard;
use super::cell::Cell;
use super::evaluation::{PROVEN, UNIT};
use super::opening::Opener;
use super::position::{DEEPEST, GomokuPosition, MARGINS};
use super::threat_search::any_answer;
use crate::level::Noise;
use crate::search::{Budget, Move, Report, Score, Search, TranspositionTable, deepen_on};
use crate::searcher::{SearchInfo, Searcher, Setup};

pub struct GomokuSearcher {
    setup: Setup,
    table: Arc<TranspositionTable>,
}

impl GomokuSearcher {
    pub fn new(setup: Setup) -> GomokuSearcher {
        // Builds the lookup tables here, before the clock starts.
        if let Some(rule) = games::gomoku::Rule::of(setup.game) {
            let board = SearchBoard::new(setup.game.size(), rule);
            GomokuPosition::with_evaluation(setup.limits.evaluation(), board);
        }
        let table = Arc::new(TranspositionTable::new(setup.hash_mib));
        GomokuSearcher { setup, table }
    }
}

impl Searcher for GomokuSearcher {
    fn choose(
        &mut self,
        question: &Question,
        progress: &mut dyn FnMut(&SearchInfo),
    ) -> games::Move {
        let games::Board::Gomoku(rules) = &question.board else {
            unreachable!("a Gomoku searcher gets only Gomoku boards");
        };
        if let Some(opening) = rules.opening() {
            let board = SearchBoard::from_rules(&rules.without_opening());
            let opener = Opener {
                evaluation: self.setup.limits.evaluation(),
                table: &self.table,
                budget: self.budget(question, &board),
                seed: self.setup.seed,
            };
            if let Some(chosen) = opener.choose(rules, opening) {
                return chosen;
            }
            let question = Question {
                board: games::Board::Gomoku(rules.without_opening()),
                ..question.clone()
            };
            return self.choose(&question, progress);
        }
        // The opening book comes before all searches, because its moves are from long searches of 500,000 nodes.
        if let Some(known) = self.setup.in_book(&question.board, 1) {
            progress(&known);
            return known.line[0];
        }
        if let Some(noise) = self.setup.noise(UNIT, CERTAIN) {
            return self.err(&noise, question, rules, progress);
        }
        if let Some(square) = forced(rules) {
            return games::Move::Place(square);
        }
        let began = Instant::now();
        let mut board = SearchBoard::from_rules(rules);
        let mut budget = self.budget(question, &board);
        let (line, score, nodes) = line_by_threats(&mut board, threat_nodes(&budget));
        if let Some(&first) = line.first() {
            progress(&SearchInfo {
                depth: line.len() as u32,
                score: score.into(),
                nodes,
                time: began.elapsed(),
                line: line
                    .iter()
                    .map(|cell| games::Move::Place(cell.square()))
                    .collect(),
            });
            return games::Move::Place(first.square());
        }
        budget.nodes = budget.nodes.map(|limit| limit.saturating_sub(nodes).max(1));
        let evaluation = self.setup.limits.evaluation();
        let margins = self.setup.limits.tuning.apply(MARGINS);
        let new = || {
            let position = GomokuPosition::with_evaluation(evaluation, board.clone());
            Search::new(position, Arc::clone(&self.table)).with_margins(margins)
        };
        let threads = self.setup.limits.threads;
        let report = deepen_on(threads, new, budget, DEEPEST, &mut |report| {
            progress(&info(report));
        });
        report.line.first().map_or_else(
            || games::Move::Place(any(rules)),
            |&played| notation(played),
        )
    }
}

impl GomokuSearcher {
    fn err(
        &self,
        noise: &Noise,
        question: &Question,
        rules: &games::gomoku::GomokuBoard,
        progress: &mut dyn FnMut(&SearchInfo),
    ) -> games::Move {
        let mut board = SearchBoard::from_rules(rules);
        let five = visible_five(&mut board).map(Cell::square);
        let square = five.unwrap_or_else(|| {
            let budget = self.budget(question, &board);
            let report = choose_with_noise(noise, &mut board, &self.table, budget);
            report.map_or_else(
                || any(rules),
                |report| {
                    progress(&info(&report));
                    Cell::from(report.line[0]).square()
                },
            )
        });
        games::Move::Place(square)
    }

    fn budget(&self, question: &Question, board: &SearchBoard) -> Budget {
        let moves_to_go = u32::from(board.empty().min(60)).div_ceil(3).max(8);
        let budget = self.setup.budget(question, moves_to_go);
        Budget {
            // Without a game clock, unused time is lost, so an iteration begins even if it probably cannot end.
            soft: if self.setup.game_clock {
                budget.soft
            } else {
                budget.hard
            },
            decided: Some(PROVEN),
            ..budget
        }
    }
}

/// Returns the node limit of the threat search before the main search: about a tenth of the time or node limit.
fn threat_nodes(budget: &Budget) -> u64 {
    const NODES_A_MS: u64 = 80;
    let of_time = budget
        .left()
        .map(|left| left.as_millis() as u64 * NODES_A_MS);
    let of_nodes = budget.nodes.map(|nodes| nodes / 10);
    let of_depth = budget.depth.map(|depth| 1 << depth.clamp(4, 16));
    [of_time, of_nodes, of_depth]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(100_000)
}

/// Returns a move that makes a five, or else the only candidate. With no candidate, returns any legal move; with
/// several candidates, `None`.
pub(super) fn forced(rules: &games::gomoku::GomokuBoard) -> Option<Square> {
    let mut board = SearchBoard::from_rules(rules);
    let mover = board.side_to_move().index();
    if let Some(five) = board.fives[mover].first() {
        return Some(five.square());
    }
    let candidates = board.candidates();
    let mut allowed = candidates.iter().filter(|&cell| board.is_allowed(cell));
    match (allowed.next(), allowed.next()) {
        (Some(only), None) => Some(only.square()),
        (Some(_), Some(_)) => None,
        // The position is lost, or no empty square is near a stone.
        (None, _) => Some(any(rules)),
    }
}

/// Returns a legal move, if possible to a square where the opponent could make a five or a four.
fn any(rules: &games::gomoku::GomokuBoard) -> Square {
    any_answer(&mut SearchBoard::from_rules(rules))
        .expect("a question has a legal move")
        .square()
}

fn info(report: &Report) -> SearchInfo {
    SearchInfo::of(report, 1, notation)
}

fn notation(played: Move) -> games::Move {
    games::Move::Place(Cell::from(played).square())
}

// --- Weaker levels ---
//
// Levels with noise always see fives. They add noise to the scores of other moves, and do not use the threat solvers.

/// The largest absolute value of a score before the noise is added.
const CERTAIN: Score = 12 * UNIT;

fn visible_five(board: &mut SearchBoard) -> Option<Cell> {
    let mover = board.side_to_move().index();
    let fives = [mover, mover ^ 1].map(|side| board.fives[side].first());
    let mut fives = fives.into_iter().flatten();
    fives.find(|&five| board.is_allowed(five))
}

/// Returns the best move after noise; `None` if no legal move is near a stone. The caller handles a [`visible_five`].
fn choose_with_noise(
    noise: &Noise,
    board: &mut SearchBoard,
    table: &Arc<TranspositionTable>,
    budget: Budget,
) -> Option<Report> {
    let moves: Vec<Move> = board
        .near_stones()
        .iter()
        .filter(|&cell| board.is_allowed(cell))
        .map(Move::from)
        .collect();
    noise.choose(board.empty().into(), moves, budget, |played, budget| {
        board.play(played.into());
        let report = after(board, table, budget);
        board.undo();
        report
    })
}

/// Searches the position after a move. The score is for the opponent, which is to move.
fn after(board: &mut SearchBoard, table: &Arc<TranspositionTable>, budget: Budget) -> Report {
    let at_a_glance = |score| Report {
        depth: 0,
        score,
        nodes: 1,
        time: Duration::ZERO,
        line: Vec::new(),
    };
    if let Some(score) = board.decided(1) {
        return at_a_glance(score);
    }
    let depth = budget.depth.unwrap_or(0);
    if depth < 1 || !budget.allows_iteration(0) {
        return at_a_glance(board.evaluate());
    }
    let position = GomokuPosition::new(board.clone()).without_solver();
    let mut search = Search::new(position, Arc::clone(table));
    let report = search.deepen(budget, depth, &mut |_| ());
    if report.depth == 0 {
        // The time ended before the search had a score.
        return at_a_glance(board.evaluate());
    }
    report
}

#[cfg(test)]
mod tests {
    use crate::gomoku::tests::drawn;
    use crate::search::Depth;

    use super::*;

    fn chosen(depth: Depth, log_odds: f64, seed: u64) -> (Move, Score) {
        let mut board = SearchBoard::from_rules(&drawn("fork"));
        let noise = Noise {
            depth,
            deviation: log_odds * f64::from(UNIT),
            most: CERTAIN,
            seed,
        };
        let table = Arc::new(TranspositionTable::new(1));
        let report = choose_with_noise(&noise, &mut board, &table, Budget::default());
        let report = report.expect("there are moves");
        (report.line[0], report.score)
    }

    #[test]
    fn no_error_plays_the_best_move() {
        let fork: Cell = "f2".parse::<games::Square>().expect("a square").into();
        for depth in 2..=3 {
            assert_eq!(chosen(depth, 0.0, 1).0, Move::from(fork));
        }
    }

    #[test]
    fn a_seed_makes_mistakes() {
        let (_, best) = chosen(2, 0.0, 1);
        let scores: Vec<_> = (0..20).map(|seed| chosen(2, 8.0, seed)).collect();
        assert!(scores.iter().any(|&(_, score)| score < best));
    }
}
