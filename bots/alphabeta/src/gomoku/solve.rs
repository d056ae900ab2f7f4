//! Is a position a proven win, and by which line?

use games::{Rules, Square};

use super::board::SearchBoard;
use super::cell::Cell;
use super::evaluation::win_in;
use super::prover::Prover;
use super::vcf::{Vcf, VcfLimits};
use super::vct::{Vct, VctLimits};
use crate::search::Score;

/// The line by which the side to move wins by force, if the solvers find one while they visit at
/// most about `nodes` positions: both sides' moves, the defender holding out as long as it can
/// against this attack, the winning five last.
///
/// First fours alone are tried, as deep as they go, then fours and open threes with ever more
/// plies. The win is proven; no win by threats is shorter unless the nodes ran out. `None` proves
/// nothing.
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

/// The line that wins for the side to move by threats; or the one in which it loses as late as it
/// can, if a four or an open three stands and every answer loses to threats: whoever has not seen it
/// all may still go wrong. Empty if the solvers find neither. Its score, and the positions visited.
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

/// What looking for a shorter win than one by fours may cost.
const SHORTER: u64 = 500_000;

/// As [`winning_line`], empty if there is none; and how many positions were visited.
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

/// A win by fours, however long; empty if none was found. And how many positions were visited.
fn win_by_fours(board: &mut SearchBoard, nodes: u64) -> (Vec<Cell>, u64) {
    // Long chains fail in more positions than leaves of a search do.
    let mut vcf = Vcf::remembering((nodes / 4).clamp(1 << 16, 1 << 20) as usize);
    let fours = Vcf::FOURS;
    let line = vcf.solve(board, VcfLimits { fours, nodes }).to_vec();
    (line, vcf.nodes)
}

/// As [`winning_line`], but also a win whose moves are quiet, as [`Prover`] finds it, where the
/// solvers of threats find none within about half of the nodes. Such a win need not be the
/// shortest.
pub fn forced_win(rules: &games::gomoku::GomokuBoard, nodes: u64) -> Option<Vec<Square>> {
    if rules.ending().is_some() {
        return None;
    }
    let line = forced_win_of(&mut SearchBoard::from_rules(rules), nodes);
    (!line.is_empty()).then(|| line.into_iter().map(Cell::square).collect())
}

fn forced_win_of(board: &mut SearchBoard, nodes: u64) -> Vec<Cell> {
    // Some quiet wins are found sooner than it is known that there is none by threats.
    let (line, visited) = winning_line_of(board, nodes / 16);
    if !line.is_empty() {
        return line;
    }
    let mut prover = Prover::new();
    let found = prover.solve(board, nodes / 16).unwrap_or_default();
    if !found.is_empty() {
        return found;
    }
    // All threats were tried if nodes are left.
    if visited >= nodes / 16 {
        let (line, _) = winning_line_of(board, nodes / 2);
        if !line.is_empty() {
            return line;
        }
    }
    prover.solve(board, nodes * 3 / 16).unwrap_or_default()
}
