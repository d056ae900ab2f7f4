//! `minimax` and `minimax-ab`: the same program without and with alpha-beta pruning.
//!
//! Othello: the table of `weights` for discs of both sides, and 50 points for having more moves
//! than the opponent. Gomoku: every five cells in a row that hold stones of one side only are worth
//! 1, 10, 100 or 1000 points for one to four stones; squares within two steps of a stone are tried,
//! from the centre outwards. Of equal moves the first is played.
//!
//! What they teach: looking ahead beats knowing better, and pruning buys looking ahead. At equal
//! depth both play the same move, which a test holds; `nodes` and `time_ms` of their `info` lines
//! show what pruning saves. By default `minimax-ab` looks further, in about the same time.

use games::{Board, Move, Square};
use protocol::{Bot, Info, Question, Start};

use crate::clock::Clock;
use crate::gomoku::{GomokuTree, Line, Program};
use crate::othello::OthelloTree;
use crate::search::{Method, Search, choose};

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
        match (self.method, board) {
            (Method::Minimax, Board::Othello(_)) => 4,
            (Method::AlphaBeta, Board::Othello(_)) => 6,
            (Method::Minimax, Board::Gomoku(_)) => 2,
            (Method::AlphaBeta, Board::Gomoku(_)) => 3,
        }
    }
}

impl Bot for Minimax {
    fn name(&self) -> &'static str {
        match self.method {
            Method::Minimax => "minimax",
            Method::AlphaBeta => "minimax-ab",
        }
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        self.clock = Clock::new(start);
        Ok(())
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
        }
    }
}

/// The evaluation for Gomoku: how far each five cells in a row have come.
#[derive(Debug)]
pub(crate) struct FiveCells;

impl FiveCells {
    /// Points of five cells by the stones of one side in them, where the other side has none.
    const WORTH: [i32; 6] = [0, 1, 10, 100, 1000, 0];
}

impl Program for FiveCells {
    const FIVE: [i32; 2] = [10_000_000, 10_000_000];

    fn line(line: Line) -> i32 {
        let last = (line.length() + 1).saturating_sub(5);
        (1..=last)
            .map(|begin| {
                let stones = |set: u32| (set >> begin & 31).count_ones() as usize;
                match (stones(line.own), stones(line.opponent)) {
                    (own, 0) => Self::WORTH[own],
                    (0, opponent) => -Self::WORTH[opponent],
                    _ => 0,
                }
            })
            .sum()
    }

    fn candidates(tree: &mut GomokuTree<FiveCells>) -> Vec<Square> {
        tree.neighbourhood(2)
    }
}
