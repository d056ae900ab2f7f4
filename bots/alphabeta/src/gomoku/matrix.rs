//! What every candidate square is worth: for a person who wants to see what the engine sees.

use std::sync::Arc;

use games::Square;

use super::DEEPEST;
use super::board::SearchBoard;
use super::cell::Cell;
use super::evaluation::{PROVEN, WIN};
use super::position::GomokuPosition;
use super::shape::Kind;
use super::vct::{Vct, VctLimits};
use crate::search::{Budget, Depth, Score, Search, TranspositionTable};

/// What a move is worth to the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// The opponent then wins by force, so many plies after this position.
    Loses(u32),
    /// Engine units: 256 are one unit of log-odds.
    Score(Score),
    /// It wins by force in so many plies, itself counted.
    Wins(u32),
}

impl Worth {
    /// What a score of the search says.
    pub fn of(score: Score) -> Worth {
        match WIN - score.abs() {
            plies if score >= PROVEN => Worth::Wins(plies as u32),
            plies if score <= -PROVEN => Worth::Loses(plies as u32),
            _ => Worth::Score(score),
        }
    }

    /// For putting the best first: a quick win before a slow one, a slow loss before a quick one.
    pub const fn rank(self) -> i64 {
        match self {
            Worth::Wins(plies) => 1_000_000 - plies as i64,
            Worth::Score(score) => score as i64,
            Worth::Loses(plies) => plies as i64 - 1_000_000,
        }
    }
}

/// Plies of the longest win by threats that is looked for behind a candidate.
const THREATS: u32 = 41;
/// Positions visited for each of them.
const NODES: u64 = 100_000;

/// Every square that the engine considers, the best first, each searched `depth` plies deep with
/// the solver of threats beside. Always the same for the same position.
pub fn matrix(rules: &games::gomoku::GomokuBoard, depth: Depth) -> Vec<(Square, Worth)> {
    let mut board = SearchBoard::from_rules(rules);
    let mover = board.side_to_move().index();
    let mut cells = board.candidates();
    cells.unite(&board.fives[mover]);
    cells.unite(&board.fours[mover]);
    let cells: Vec<Cell> = cells
        .iter()
        .filter(|&cell| board.is_allowed(cell))
        .collect();
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
            let by_threats = (is_won && kind >= Kind::Three && kind < Kind::Five)
                .then(|| wins_in(&mut vct, &mut board, cell))
                .flatten();
            let worth = by_threats.unwrap_or_else(|| after(&mut board, cell, depth, &table));
            (cell.square(), worth)
        })
        .collect();
    worths.sort_by_key(|(_, worth)| -worth.rank());
    worths
}

/// The shortest win by threats that begins with `first`.
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

/// What the search sees behind a move.
fn after(
    board: &mut SearchBoard,
    cell: Cell,
    depth: Depth,
    table: &Arc<TranspositionTable>,
) -> Worth {
    let mover = board.side_to_move().index();
    if board.kind(cell, mover) == Kind::Five {
        return Worth::Wins(1);
    }
    board.play(cell);
    let score = board.decided(1).unwrap_or_else(|| {
        let mut search = Search::new(GomokuPosition::new(board.clone()), Arc::clone(table));
        let depth = (depth - 1).max(1);
        let report = search.deepen(Budget::of_depth(depth), DEEPEST, &mut |_| {});
        // A proven score counts from the position after the move.
        report.score - report.score.signum() * Score::from(report.score.abs() >= PROVEN)
    });
    board.undo();
    Worth::of(-score)
}
