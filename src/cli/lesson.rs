//! What pruning saves in a position: the searches of `alphabeta compare`, and a tree small enough to be
//! drawn.

use alphabeta::gomoku::SearchBoard;
use alphabeta::gomoku::lesson::Method as OfGomoku;
use alphabeta::othello::DISC;
use alphabeta::othello::evaluation::Weights;
use alphabeta::othello::lesson::Method as OfOthello;
use games::{Board, Move, Rules};

use std::sync::{Arc, LazyLock};

use alphabeta::search::TranspositionTable;

use crate::web::{Branch, Course, Lesson};

/// Plies of the deepest search, and the nodes of plain minimax after which none goes deeper.
const DEPTH: i32 = 6;
const MOST: u64 = 300_000;
/// The small tree: plies, and moves in a position.
const PLIES: usize = 3;
const MOVES: usize = 3;

/// The lesson of a position; `None` where the game has ended or there is no search.
pub fn teach(board: &Board) -> Option<Lesson> {
    if board.ending().is_some() || board.must_pass() {
        return None;
    }
    let methods = match board {
        Board::Othello(board) => {
            let (weights, table) = (Weights::trained(), OfOthello::table());
            let search = |method: OfOthello, depth| {
                table.clear();
                method.search(board.position(), &weights, depth, &table).1
            };
            let words = ["minimax", "alpha-beta", "ordering", "table", "everything"];
            courses(words.into_iter().zip(OfOthello::ALL), search)
        }
        Board::Gomoku(board) => {
            let mut board = SearchBoard::from_rules(board);
            let search = |method: OfGomoku, depth| method.search(&mut board, depth).1;
            let words = ["minimax", "alpha-beta", "ordering"];
            courses(words.into_iter().zip(OfGomoku::ALL), search)
        }
        Board::Other(..) => return None,
    };
    let mut tree = Branch::default();
    grow(
        &mut tree,
        board,
        PLIES,
        [f64::NEG_INFINITY, f64::INFINITY],
        true,
    );
    follow(&mut tree, true);
    Some(Lesson { methods, tree })
}

/// The nodes of each search, ply by ply, as long as plain minimax, the first of them, is not too slow.
fn courses<M: Copy>(
    methods: impl Iterator<Item = (&'static str, M)>,
    mut search: impl FnMut(M, i32) -> u64,
) -> Vec<Course> {
    let methods: Vec<_> = methods.collect();
    let course = |&(method, _): &(&'static str, M)| Course {
        method,
        nodes: Vec::new(),
    };
    let mut courses: Vec<Course> = methods.iter().map(course).collect();
    for depth in 1..=DEPTH {
        for (course, &(_, method)) in courses.iter_mut().zip(&methods) {
            course.nodes.push(search(method, depth));
        }
        if courses[0].nodes.last().is_some_and(|&nodes| nodes > MOST) {
            break;
        }
    }
    courses
}

/// The moves of a position that the tree has: the most promising for its mover.
fn promising(board: &Board) -> Vec<(Move, Board)> {
    if board.must_pass() {
        let mut next = board.clone();
        next.play(Move::Pass).expect("a forced pass is legal");
        return vec![(Move::Pass, next)];
    }
    let after = |played: Move| {
        let mut next = board.clone();
        next.play(played).ok()?;
        Some((played, next))
    };
    let mut moves: Vec<_> = match board {
        Board::Gomoku(gomoku) => alphabeta::gomoku::matrix(gomoku, 2)
            .into_iter()
            .filter_map(|(square, _)| after(Move::Place(square)))
            .take(MOVES)
            .collect(),
        _ => board.legal_moves().into_iter().filter_map(after).collect(),
    };
    moves.sort_by(|(_, a), (_, b)| value(a).total_cmp(&value(b)));
    moves.truncate(MOVES);
    moves
}

/// What a position is worth to its side to move, without looking ahead: discs, or the engine's units.
fn value(board: &Board) -> f64 {
    match board {
        Board::Othello(board) => {
            // Plain minimax looks nothing up.
            static UNUSED: LazyLock<Arc<TranspositionTable>> = LazyLock::new(OfOthello::table);
            let weights = Weights::trained();
            let score = OfOthello::Minimax.search(board.position(), &weights, 0, &UNUSED);
            f64::from(score.0) / f64::from(DISC)
        }
        Board::Gomoku(board) => {
            let mut board = SearchBoard::from_rules(board);
            f64::from(OfGomoku::Minimax.search(&mut board, 0).0)
        }
        Board::Other(..) => 0.0,
    }
}

/// Alpha-beta that keeps what it saw and what it cut: `window` and values are those of the root's side,
/// which maximises.
fn grow(
    branch: &mut Branch,
    board: &Board,
    plies: usize,
    window: [f64; 2],
    maximises: bool,
) -> f64 {
    let moves = if plies == 0 || board.ending().is_some() {
        Vec::new()
    } else {
        promising(board)
    };
    if moves.is_empty() {
        let value = if maximises {
            value(board)
        } else {
            -value(board)
        };
        branch.value = Some(value);
        return value;
    }
    let [mut alpha, mut beta] = window;
    let mut best = if maximises {
        f64::NEG_INFINITY
    } else {
        f64::INFINITY
    };
    for (played, next) in moves {
        let mut child = Branch {
            played: played.to_string(),
            ..Branch::default()
        };
        // What cannot change the choice any more is not looked at.
        if alpha < beta {
            let value = grow(&mut child, &next, plies - 1, [alpha, beta], !maximises);
            if maximises {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
        }
        branch.then.push(child);
    }
    branch.value = Some(best);
    best
}

/// Marks the line that both sides expect.
fn follow(branch: &mut Branch, is_best: bool) {
    branch.best = is_best;
    let (value, mut found) = (branch.value, false);
    for child in &mut branch.then {
        let is_next = is_best && !found && child.value.is_some() && child.value == value;
        found |= is_next;
        follow(child, is_next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, parse_transcript};

    /// The value of a tree by plain minimax, with nothing cut.
    fn minimax(board: &Board, plies: usize, maximises: bool) -> f64 {
        let moves = if plies == 0 {
            Vec::new()
        } else {
            promising(board)
        };
        let values = moves
            .iter()
            .map(|(_, next)| minimax(next, plies - 1, !maximises));
        match (moves.is_empty(), maximises) {
            (true, true) => value(board),
            (true, false) => -value(board),
            (false, true) => values.fold(f64::NEG_INFINITY, f64::max),
            (false, false) => values.fold(f64::INFINITY, f64::min),
        }
    }

    fn cut(branch: &Branch) -> usize {
        usize::from(branch.value.is_none()) + branch.then.iter().map(cut).sum::<usize>()
    }

    #[test]
    fn what_is_cut_off_changes_nothing() {
        for moves in ["f5d6c3d3c4f4c5b3c2e3", "f5f6e6f4"] {
            let (_, board) = parse_transcript(Game::OTHELLO, moves).expect("legal");
            let lesson = teach(&board).expect("a lesson");
            assert_eq!(lesson.tree.value, Some(minimax(&board, PLIES, true)));
            assert!(cut(&lesson.tree) > 0, "{moves}");
            // Each idea saves something.
            let last: Vec<u64> = lesson.methods.iter().map(|one| one.nodes[3]).collect();
            assert!(last[0] > last[1] && last[1] > last[2], "{last:?}");
        }
    }
}
