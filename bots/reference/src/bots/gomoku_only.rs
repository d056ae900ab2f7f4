//! What the Gomoku programs of course pages share: alpha-beta of a fixed depth over a value that is a
//! sum over lines. They differ in what a line is worth and which squares they try.

use std::marker::PhantomData;

use games::{Board, Move};
use protocol::{Bot, Info, Question, Start};

use super::{GOMOKU, refuse_unless};
use crate::clock::Clock;
use crate::gomoku::{GomokuTree, Program};
use crate::search::{Method, Search, choose};

/// A program that is an opponent of its own.
pub(crate) trait Opponent: Program {
    /// Its name.
    const NAME: &'static str;
    /// Plies looked ahead where no option says otherwise.
    const DEPTH: u32;
}

/// A bot that plays what its program finds best.
#[derive(Debug)]
pub(crate) struct GomokuOnly<P> {
    depth: u32,
    clock: Clock,
    program: PhantomData<P>,
}

impl<P: Opponent> GomokuOnly<P> {
    /// Looks `depth` plies ahead, or as many as the program does by itself.
    pub(crate) fn new(depth: Option<u32>) -> GomokuOnly<P> {
        GomokuOnly {
            depth: depth.unwrap_or(P::DEPTH),
            clock: Clock::default(),
            program: PhantomData,
        }
    }
}

impl<P: Opponent> Bot for GomokuOnly<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        refuse_unless(P::NAME, GOMOKU, start.game)?;
        self.clock = Clock::new(start);
        Ok(())
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let Board::Gomoku(board) = &question.board else {
            unreachable!("start has refused any other game")
        };
        let search = Search::new(Method::AlphaBeta, self.clock.deadline(question));
        let mut tree = GomokuTree::<P>::new(board);
        choose(search, &mut tree, question, self.depth, say)
    }
}
