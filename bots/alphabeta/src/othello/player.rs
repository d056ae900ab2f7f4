//! A player of Othello: the search, tied to a clock.

use std::sync::Arc;

use games::{Board, Square};
use protocol::Question;

use super::evaluation::Weights;
use super::{DISC, OthelloPosition, PASS};
use crate::player::{Setup, Thought};
use crate::search::{Move, Report, Score, Search, TranspositionTable};

/// Half of the first aspiration window.
pub(super) const ASPIRATION: Score = 2 * DISC;

/// Plays one game of Othello.
pub struct Player {
    setup: Setup,
    table: Arc<TranspositionTable>,
}

impl Player {
    /// Ready for the first move.
    pub fn new(setup: Setup) -> Player {
        let table = Arc::new(TranspositionTable::new(setup.hash_mib));
        Player { setup, table }
    }
}

impl crate::player::Player for Player {
    fn choose(&mut self, question: &Question, tell: &mut dyn FnMut(&Thought)) -> games::Move {
        let Board::Othello(board) = &question.board else {
            unreachable!("the game was chosen at its start");
        };
        let position = board.position();
        let empties = position.empties().count_ones();
        let budget = self.setup.budget(question, empties.div_ceil(2));
        let mut search = Search::new(
            OthelloPosition::new(position, Weights::trained()),
            Arc::clone(&self.table),
        );
        let report = search.deepen(budget, empties as i32, ASPIRATION, &mut |report| {
            tell(&thought(report));
        });
        report
            .line
            .first()
            .map_or(games::Move::Pass, |&played| notation(played))
    }
}

/// What the search found, in words that a person reads.
fn thought(report: &Report) -> Thought {
    Thought {
        depth: report.depth as u32,
        score: f64::from(report.score) / f64::from(DISC),
        nodes: report.nodes,
        time: report.time,
        line: report.line.iter().map(|&played| notation(played)).collect(),
    }
}

/// A move in the terms of the rules.
pub fn notation(played: Move) -> games::Move {
    if played == PASS {
        games::Move::Pass
    } else {
        games::Move::Place(Square::from_index(played.index(), 8))
    }
}
