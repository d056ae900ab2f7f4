//! What the Gomoku programs of course pages share: alpha-beta of a fixed depth over a value that is a
//! sum over lines. They differ in what a line is worth and which squares they try.

use std::marker::PhantomData;

use games::{Board, Move};
use protocol::{Info, Question, Start};

use crate::clock::Clock;
use crate::gomoku::{GomokuTree, Program};
use crate::search::{Method, Search, choose};
use crate::thinker::Thinker;

/// A bot that plays what its program finds best.
#[derive(Debug)]
pub(crate) struct GomokuOnly<P> {
    depth: u32,
    clock: Clock,
    program: PhantomData<P>,
}

impl<P> GomokuOnly<P> {
    /// Looks `depth` plies ahead.
    pub(crate) fn new(depth: u32) -> GomokuOnly<P> {
        GomokuOnly {
            depth,
            clock: Clock::default(),
            program: PhantomData,
        }
    }
}

impl<P: Program> Thinker for GomokuOnly<P> {
    fn start(&mut self, start: &Start) {
        self.clock = Clock::new(start);
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let Board::Gomoku(board) = &question.board else {
            unreachable!("other games are refused at their start")
        };
        let search = Search::new(Method::AlphaBeta, self.clock.deadline(question));
        let mut tree = GomokuTree::<P>::new(board);
        choose(search, &mut tree, question, self.depth, say)
    }
}
