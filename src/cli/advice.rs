//! The advice of `alphabeta` on a web page: the value of every square, an analysis of a game, a lesson on pruning.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use alphabeta::gomoku::lesson::GomokuMethod;
use alphabeta::gomoku::{SearchBoard, Worth as Found, matrix};
use alphabeta::othello::DISC;
use alphabeta::othello::analysis::Analyst;
use alphabeta::othello::evaluation::Weights;
use alphabeta::othello::lesson::OthelloMethod;
use alphabeta::search::TranspositionTable;
use games::{Board, Move, Rules};

use crate::analysis::{Analysis, GameMoves, NotAnalysed, Settings, analyse};
use crate::web::{Lesson, MethodNodes, SearchBranch, SquareWorth};

/// The depth of the search for each square, in plies.
const OTHELLO_DEPTH: i32 = 8;
/// The depth in Gomoku, in plies. It is less than in Othello, because up to two hundred points are searched.
const GOMOKU_DEPTH: i32 = 4;
const SOLVE_FROM: u32 = 14;
const HASH_MIB: usize = 16;

/// The settings of an analysis on a page. A game of Othello takes about half a minute.
pub const THOROUGH: Settings = Settings {
    depth: 10,
    solve_from: 18,
    nodes: 50_000,
    hash_mib: 64,
};

pub fn analysed(
    played: &GameMoves,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<Analysis, NotAnalysed> {
    analyse(played, &THOROUGH, tell)
}

/// Returns the squares that the search considers, best first.
pub fn advise(board: &Board) -> Vec<SquareWorth> {
    thread_local! {
        static ANALYST: RefCell<Analyst> = RefCell::new(Analyst::new(OTHELLO_DEPTH, SOLVE_FROM, HASH_MIB));
    }
    match board {
        _ if board.ending().is_some() => Vec::new(),
        Board::Othello(board) => ANALYST.with_borrow_mut(|analyst| {
            let moves = analyst.moves(board.position()).into_iter();
            let worth = moves.map(|one| SquareWorth {
                square: usize::from(one.played.0),
                rank: one.score,
                score: Some(one.score),
                forced: None,
            });
            worth.collect()
        }),
        Board::Gomoku(board) => {
            let found = matrix(board, GOMOKU_DEPTH).into_iter();
            let worth = found.map(|(square, found)| SquareWorth {
                square: square.index(board.size()),
                rank: found.rank() as f64,
                score: match found {
                    Found::Score(score) => Some(f64::from(score)),
                    _ => None,
                },
                forced: match found {
                    Found::Wins(plies) => Some(plies as i32),
                    Found::Loses(plies) => Some(-(plies as i32)),
                    Found::Score(_) => None,
                },
            });
            worth.collect()
        }
        Board::Other(..) => Vec::new(),
    }
}

const LESSON_DEPTH: i32 = 6;
/// A lesson's searches go no deeper once plain minimax has visited more nodes than this.
const MOST_NODES: u64 = 300_000;
/// The size of a lesson's tree: its depth in plies, and the most moves of each position.
const TREE_PLIES: usize = 3;
const TREE_MOVES: usize = 3;

/// Returns a lesson: the searches of `alphabeta compare` and a small tree; `None` at the end or at a forced pass.
pub fn teach(board: &Board) -> Option<Lesson> {
    if board.ending().is_some() || board.must_pass() {
        return None;
    }
    let methods = match board {
        Board::Othello(board) => {
            let (weights, table) = (Weights::trained(), OthelloMethod::table());
            let search = |method: OthelloMethod, depth| {
                table.clear();
                method.search(board.position(), &weights, depth, &table).1
            };
            let words = ["minimax", "alpha-beta", "ordering", "table", "everything"];
            node_counts(words.into_iter().zip(OthelloMethod::ALL), search)
        }
        Board::Gomoku(board) => {
            let mut board = SearchBoard::from_rules(board);
            let search = |method: GomokuMethod, depth| method.search(&mut board, depth).1;
            let words = ["minimax", "alpha-beta", "ordering"];
            node_counts(words.into_iter().zip(GomokuMethod::ALL), search)
        }
        Board::Other(..) => return None,
    };
    let mut tree = SearchBranch::default();
    grow(
        &mut tree,
        board,
        TREE_PLIES,
        [f64::NEG_INFINITY, f64::INFINITY],
        true,
    );
    follow(&mut tree, true);
    Some(Lesson { methods, tree })
}

/// Returns the number of nodes that each search visits at each depth. Ends after the first depth at which plain
/// minimax (the first search) visits more than [`MOST_NODES`].
fn node_counts<M: Copy>(
    methods: impl Iterator<Item = (&'static str, M)>,
    mut search: impl FnMut(M, i32) -> u64,
) -> Vec<MethodNodes> {
    let methods: Vec<_> = methods.collect();
    let empty = |&(method, _): &(&'static str, M)| MethodNodes {
        method,
        nodes: Vec::new(),
    };
    let mut counts: Vec<MethodNodes> = methods.iter().map(empty).collect();
    for depth in 1..=LESSON_DEPTH {
        for (count, &(_, method)) in counts.iter_mut().zip(&methods) {
            count.nodes.push(search(method, depth));
        }
        if counts[0]
            .nodes
            .last()
            .is_some_and(|&nodes| nodes > MOST_NODES)
        {
            break;
        }
    }
    counts
}

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
            .take(TREE_MOVES)
            .collect(),
        _ => board.legal_moves().into_iter().filter_map(after).collect(),
    };
    moves.sort_by(|(_, a), (_, b)| value(a).total_cmp(&value(b)));
    moves.truncate(TREE_MOVES);
    moves
}

/// Evaluates a position for its side to move, without a search: in discs, or in the engine's units.
fn value(board: &Board) -> f64 {
    match board {
        Board::Othello(board) => {
            // Plain minimax does not use the table.
            static UNUSED: LazyLock<Arc<TranspositionTable>> = LazyLock::new(OthelloMethod::table);
            let weights = Weights::trained();
            let score = OthelloMethod::Minimax.search(board.position(), &weights, 0, &UNUSED);
            f64::from(score.0) / f64::from(DISC)
        }
        Board::Gomoku(board) => {
            let mut board = SearchBoard::from_rules(board);
            f64::from(GomokuMethod::Minimax.search(&mut board, 0).0)
        }
        Board::Other(..) => 0.0,
    }
}

/// Runs alpha-beta and records the branches. `window` and the values are from the view of the side to move at the
/// root, which maximises.
fn grow(
    branch: &mut SearchBranch,
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
        let mut child = SearchBranch {
            played: played.to_string(),
            ..SearchBranch::default()
        };
        // If alpha is not below beta, the remaining moves are cut off: they cannot change the choice.
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

fn follow(branch: &mut SearchBranch, is_best: bool) {
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

    fn cut(branch: &SearchBranch) -> usize {
        usize::from(branch.value.is_none()) + branch.then.iter().map(cut).sum::<usize>()
    }

    #[test]
    fn cutting_branches_changes_no_value() {
        for moves in ["f5d6c3d3c4f4c5b3c2e3", "f5f6e6f4"] {
            let (_, board) = parse_transcript(Game::OTHELLO, moves).expect("legal");
            let lesson = teach(&board).expect("a lesson");
            assert_eq!(lesson.tree.value, Some(minimax(&board, TREE_PLIES, true)));
            assert!(cut(&lesson.tree) > 0, "{moves}");
            let last: Vec<u64> = lesson.methods.iter().map(|one| one.nodes[3]).collect();
            assert!(last[0] > last[1] && last[1] > last[2], "{last:?}");
        }
    }
}
