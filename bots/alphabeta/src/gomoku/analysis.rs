//! Analysis of positions: forced wins with their lines, the value of every candidate, and the search's move.

use std::sync::Arc;

use games::{Rules, Square};

use super::board::SearchBoard;
use super::cell::Cell;
use super::evaluation::{PROVEN, UNIT, WIN, win_in};
use super::position::{DEEPEST, GomokuPosition};
use super::proof_number::Prover;
use super::shape::ThreatKind;
use super::threat_search::{Vcf, VcfLimits, Vct, VctLimits};
use crate::options::Evaluation;
use crate::search::{Budget, Depth, Score, Search, TranspositionTable};

/// Returns a line by which the side to move wins by force, if the solvers find one within about `nodes` positions. The
/// line has the moves of both sides, the winning five last; the defender resists as long as possible.
///
/// Tries fours alone at any depth, then fours and open threes in an increasing number of plies. A returned win is
/// proven, and is the shortest by threats unless the nodes ran out. `None` proves nothing.
///
/// ```
/// use alphabeta::gomoku::winning_line;
/// use games::{Board, Game, Side};
///
/// let rows = ["......", ".XXX..", ".OO...", "....O.", "......", "......"];
/// let Ok(Board::Gomoku(board)) = Game::new("gomoku", None, Some(6))?.position(&rows, Side::Black)
/// else { unreachable!() };
/// assert_eq!(winning_line(&board, 1000).map(|line| line.len()), Some(3));
/// # Ok::<(), games::UnknownGame>(())
/// ```
pub fn winning_line(rules: &games::gomoku::GomokuBoard, nodes: u64) -> Option<Vec<Square>> {
    if rules.ending().is_some() {
        return None;
    }
    let (line, _) = winning_line_of(&mut SearchBoard::from_rules(rules), nodes);
    (!line.is_empty()).then(|| line.into_iter().map(Cell::square).collect())
}

/// Returns a line, its score and the number of positions visited. The line is a win of the side to move by threats. If
/// that side instead faces a four or an open three and every answer loses to threats, the line is the longest defence,
/// because the opponent may overlook the win. If the solvers find neither, the line is empty and the score meaningless.
pub(super) fn line_by_threats(board: &mut SearchBoard, nodes: u64) -> (Vec<Cell>, Score, u64) {
    let (line, visited) = winning_line_of(board, nodes);
    if !line.is_empty() {
        let score = win_in(line.len());
        return (line, score, visited);
    }
    let (line, more) = losing_line_of(board, nodes / 2);
    let score = -win_in(line.len());
    (line, score, visited + more)
}

fn losing_line_of(board: &mut SearchBoard, nodes: u64) -> (Vec<Cell>, u64) {
    if !board.is_pressed() {
        return (Vec::new(), 0);
    }
    let mut vct = Vct::new();
    let plies = Vct::PLIES;
    let line = vct.hold_out(board, VctLimits { plies, nodes });
    (line.unwrap_or_default(), vct.nodes)
}

/// The node limit of the search for a win that is shorter than a known win by fours.
const SHORTER: u64 = 500_000;

fn winning_line_of(board: &mut SearchBoard, nodes: u64) -> (Vec<Cell>, u64) {
    let (by_fours, visited) = win_by_fours(board, nodes / 4);
    let mut vct = Vct::new();
    let left = nodes.saturating_sub(visited);
    let shorter = match by_fours.len() as u32 {
        0 => VctLimits {
            plies: Vct::PLIES,
            nodes: left,
        },
        plies => VctLimits {
            plies: plies.saturating_sub(2),
            nodes: left.min(SHORTER),
        },
    };
    let line = vct.solve(board, shorter).unwrap_or_default();
    let nodes = visited + vct.nodes;
    (if line.is_empty() { by_fours } else { line }, nodes)
}

fn win_by_fours(board: &mut SearchBoard, nodes: u64) -> (Vec<Cell>, u64) {
    // A search for long chains has more failures to store than the searches at the leaves of the main search.
    let mut vcf = Vcf::remembering((nodes / 4).clamp(1 << 16, 1 << 20) as usize);
    let fours = Vcf::FOURS;
    let line = vcf.solve(board, VcfLimits { fours, nodes }).to_vec();
    (line, vcf.nodes)
}

/// Returns a win as [`winning_line`] does, or one by quiet moves, found by [`Prover`]. It need not be the shortest win.
pub fn forced_win(rules: &games::gomoku::GomokuBoard, nodes: u64) -> Option<Vec<Square>> {
    if rules.ending().is_some() {
        return None;
    }
    let line = forced_win_of(&mut SearchBoard::from_rules(rules), nodes);
    (!line.is_empty()).then(|| line.into_iter().map(Cell::square).collect())
}

fn forced_win_of(board: &mut SearchBoard, nodes: u64) -> Vec<Cell> {
    // Proving that there is no win by threats can take longer than finding a quiet win.
    let (line, visited) = winning_line_of(board, nodes / 16);
    if !line.is_empty() {
        return line;
    }
    let mut prover = Prover::new();
    let found = prover.solve(board, nodes / 16).unwrap_or_default();
    if !found.is_empty() {
        return found;
    }
    // If the first search did not use all its nodes, it has already tried all threats.
    if visited >= nodes / 16 {
        let (line, _) = winning_line_of(board, nodes / 2);
        if !line.is_empty() {
            return line;
        }
    }
    prover.solve(board, nodes * 3 / 16).unwrap_or_default()
}

/// The value of a move for the side that makes it. The numbers are plies to the end, including the move itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    Loses(u32),
    /// Engine units: 256 are one unit of log-odds.
    Score(Score),
    Wins(u32),
}

impl Worth {
    pub fn of(score: Score) -> Worth {
        match WIN - score.abs() {
            plies if score >= PROVEN => Worth::Wins(plies as u32),
            plies if score <= -PROVEN => Worth::Loses(plies as u32),
            _ => Worth::Score(score),
        }
    }

    /// Returns a sort key, larger for better moves: quick wins, slow wins, scores, slow losses, quick losses.
    pub const fn rank(self) -> i64 {
        match self {
            Worth::Wins(plies) => 1_000_000 - plies as i64,
            Worth::Score(score) => score as i64,
            Worth::Loses(plies) => plies as i64 - 1_000_000,
        }
    }
}

const THREATS: u32 = 41;
/// The node limit of a search for a win with a given first move. The search for any win has five times this limit.
const NODES: u64 = 100_000;

/// Returns every move that may be good, best first. A search of `depth` plies and the threat solver score the moves.
pub fn matrix(rules: &games::gomoku::GomokuBoard, depth: Depth) -> Vec<(Square, Worth)> {
    let mut board = SearchBoard::from_rules(rules);
    let mover = board.side_to_move().index();
    let cells = worth_a_look(&mut board);
    let table = Arc::new(TranspositionTable::new(16));
    let mut vct = Vct::new();
    let limits = VctLimits {
        plies: THREATS,
        nodes: 5 * NODES,
    };
    let is_won = vct
        .solve(&mut board, limits)
        .is_ok_and(|line| !line.is_empty());
    let mut worths: Vec<(Square, Worth)> = cells
        .into_iter()
        .map(|cell| {
            let kind = board.kind(cell, mover);
            let by_threats = (is_won && kind >= ThreatKind::Three && kind < ThreatKind::Five)
                .then(|| wins_in(&mut vct, &mut board, cell))
                .flatten();
            let worth = by_threats.unwrap_or_else(|| after(&mut board, cell, depth, &table));
            (cell.square(), worth)
        })
        .collect();
    worths.sort_by_key(|(_, worth)| -worth.rank());
    worths
}

/// Returns the legal moves that may be good: the candidates, fives and fours.
fn worth_a_look(board: &mut SearchBoard) -> Vec<Cell> {
    let mover = board.side_to_move().index();
    let mut cells = board.candidates();
    cells.unite(&board.fives[mover]);
    cells.unite(&board.fours[mover]);
    cells
        .iter()
        .filter(|&cell| board.is_allowed(cell))
        .collect()
}

fn wins_in(vct: &mut Vct, board: &mut SearchBoard, first: Cell) -> Option<Worth> {
    let limits = |plies| VctLimits {
        plies,
        nodes: NODES,
    };
    (1..=THREATS)
        .step_by(2)
        .find(|&plies| vct.wins_with(board, first, limits(plies)))
        .map(Worth::Wins)
}

fn after(
    board: &mut SearchBoard,
    cell: Cell,
    depth: Depth,
    table: &Arc<TranspositionTable>,
) -> Worth {
    let mover = board.side_to_move().index();
    if board.kind(cell, mover) == ThreatKind::Five {
        return Worth::Wins(1);
    }
    board.play(cell);
    let score = board.decided(1).unwrap_or_else(|| {
        let mut search = Search::new(GomokuPosition::new(board.clone()), Arc::clone(table));
        let depth = (depth - 1).max(1);
        let report = search.deepen(Budget::of_depth(depth), DEEPEST, &mut |_| {});
        // A proven score counts plies from the position after the move, so the move itself is one ply more.
        report.score - report.score.signum() * Score::from(report.score.abs() >= PROVEN)
    });
    board.undo();
    Worth::of(-score)
}

pub struct Analyst {
    nodes: u64,
    evaluation: Evaluation,
    table: Arc<TranspositionTable>,
}

impl Analyst {
    /// Creates an analyst with the pattern evaluation. Its searches and proofs visit about `nodes` positions each.
    pub fn new(nodes: u64, hash_mib: usize) -> Analyst {
        Analyst::with_evaluation(Evaluation::Patterns, nodes, hash_mib)
    }

    pub fn with_evaluation(evaluation: Evaluation, nodes: u64, hash_mib: usize) -> Analyst {
        let table = Arc::new(TranspositionTable::new(hash_mib));
        Analyst {
            nodes,
            evaluation,
            table,
        }
    }

    pub fn win(&self, rules: &games::gomoku::GomokuBoard) -> Option<Vec<Square>> {
        forced_win(rules, self.nodes)
    }

    /// Returns the search's score for the side to move, and its line. The game must not be over.
    pub fn search(&self, rules: &games::gomoku::GomokuBoard) -> (Worth, Vec<Square>) {
        let board = SearchBoard::from_rules(rules);
        let position = GomokuPosition::with_evaluation(self.evaluation, board);
        let mut search = Search::new(position, Arc::clone(&self.table));
        let budget = Budget {
            nodes: Some(self.nodes),
            decided: Some(PROVEN),
            ..Budget::default()
        };
        let report = search.deepen(budget, DEEPEST, &mut |_| ());
        let cells = report.line.iter();
        let line = cells.map(|&played| Cell::from(played).square());
        (Worth::of(report.score), line.collect())
    }

    /// Returns the first move after which the opponent has no known win; `None` if all moves lose. Tries `hoped` first,
    /// then the other candidates, the most promising first. Skips the move `lost`.
    pub fn defence(
        &self,
        rules: &games::gomoku::GomokuBoard,
        hoped: Option<Square>,
        lost: Option<Square>,
    ) -> Option<Square> {
        let mut board = SearchBoard::from_rules(rules);
        let mover = board.side_to_move().index();
        let mut cells = worth_a_look(&mut board);
        cells.sort_by_key(|&cell| -board.promise(cell, mover));
        let others = cells.into_iter().map(Cell::square);
        let mut squares = hoped.into_iter().chain(others);
        squares.find(|&square| {
            if Some(square) == lost {
                return false;
            }
            let mut after = rules.clone();
            let is_played = games::Rules::play(&mut after, games::Move::Place(square)).is_ok();
            is_played && self.win(&after).is_none()
        })
    }
}

impl Worth {
    /// Returns the expected result of the side to move, 0 to 1; a draw counts 0.5.
    pub fn chance(self) -> f64 {
        match self {
            Worth::Wins(_) => 1.0,
            Worth::Loses(_) => 0.0,
            Worth::Score(score) => 1.0 / (1.0 + libm::exp(-f64::from(score) / f64::from(UNIT))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_odds_are_chances() {
        // One unit of log-odds is a chance of 73 %.
        assert!((Worth::Score(UNIT).chance() - 0.731).abs() < 1e-3);
        assert!((Worth::Score(0).chance() - 0.5).abs() < 1e-9);
    }
}
