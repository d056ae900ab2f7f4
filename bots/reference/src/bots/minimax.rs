//! `minimax` and `minimax-ab`: the same program without and with alpha-beta pruning.
//!
//! Othello: the table of `weights` for discs of both sides, and 50 points for having more moves
//! than the opponent. Gomoku: every five cells in a row that hold stones of one side only are worth
//! 1, 10, 100 or 1000 points for one to four stones; the empty squares beside stones are tried.
//! What looks best is tried first: the heaviest square in Othello, in Gomoku the stone that gains
//! most points (in the last ply, the square nearest the centre). Of equal moves the first is played.
//!
//! What they teach: looking ahead beats knowing better, and pruning buys looking ahead. At equal
//! depth both play the same move, which a test holds; `nodes` and `time_ms` of their `info` lines
//! show what pruning saves. By default `minimax-ab` looks further, in about the same time.

use games::{Board, Move, Square};
use protocol::{Info, Question, Start};

use crate::clock::Clock;
use crate::gomoku::{GomokuTree, Line, Program};
use crate::othello::OthelloTree;
use crate::search::{Method, Search, choose};
use crate::thinker::Thinker;

/// Minimax of a fixed depth.
#[derive(Debug)]
pub(crate) struct Minimax {
    method: Method,
    depth: Option<u32>,
    clock: Clock,
}

impl Minimax {
    pub(crate) fn new(method: Method, depth: Option<u32>) -> Minimax {
        Minimax {
            method,
            depth,
            clock: Clock::default(),
        }
    }

    /// Plies looked ahead where no option says otherwise.
    fn default_depth(&self, board: &Board) -> u32 {
        match (board, self.method) {
            (Board::Othello(_), Method::Minimax) => 4,
            (Board::Othello(_), Method::AlphaBeta) => 6,
            (_, Method::Minimax) => 2,
            (_, Method::AlphaBeta) => 4,
        }
    }
}

impl Thinker for Minimax {
    fn start(&mut self, start: &Start) {
        self.clock = Clock::new(start);
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let search = Search::new(self.method, self.clock.deadline(question));
        let depth = self.depth.unwrap_or(self.default_depth(&question.board));
        match &question.board {
            Board::Othello(board) => {
                choose(search, &mut OthelloTree::new(board), question, depth, say)
            }
            Board::Gomoku(board) => {
                let mut tree = GomokuTree::<FiveCells>::new(board);
                choose(search, &mut tree, question, depth, say)
            }
            Board::Other(..) => unreachable!("other games are refused at their start"),
        }
    }
}

/// The evaluation for Gomoku: how far each five cells in a row have come.
#[derive(Debug)]
pub(crate) struct FiveCells;

impl FiveCells {
    /// Points of five cells by the stones of one side in them, where the other side has none.
    const WORTH: [i32; 6] = [0, 1, 10, 100, 1000, 0];

    /// The same by the cells themselves: five bits of the bot's stones, then five of its opponent's.
    const WINDOWS: [i32; 32 * 32] = {
        let mut table = [0; 32 * 32];
        let mut window = 0u32;
        while window < 32 * 32 {
            let own = (window % 32).count_ones() as usize;
            let opponent = (window / 32).count_ones() as usize;
            table[window as usize] = match (own, opponent) {
                (own, 0) => Self::WORTH[own],
                (0, opponent) => -Self::WORTH[opponent],
                _ => 0,
            };
            window += 1;
        }
        table
    };
}

impl Program for FiveCells {
    const FIVE: [i32; 2] = [10_000_000, 10_000_000];

    fn line(line: Line) -> i32 {
        let windows = line.length().saturating_sub(4);
        (1..=windows)
            .map(|begin| {
                let own = line.own >> begin & 31;
                let opponent = line.opponent >> begin & 31;
                Self::WINDOWS[(own | opponent << 5) as usize]
            })
            .sum()
    }

    fn candidates(tree: &mut GomokuTree<FiveCells>, depth: u32) -> Vec<Square> {
        match depth {
            0 | 1 => tree.neighbourhood(1),
            _ => tree.best_first(1),
        }
    }
}
