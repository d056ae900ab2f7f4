//! The interface of a searcher: the settings of a game, the progress of a search, and the choice of a move.

use std::time::Duration;

use games::{Board, Game, Move};
use protocol::{Question, Start};

use crate::level::Noise;
use crate::options::SearchLimits;
use crate::search::{self, Budget, Depth, Report, Score, TimeAllowance};

#[derive(Clone, Debug)]
pub struct Setup {
    pub game: Game,
    pub limits: SearchLimits,
    /// The limit for one move: the smaller of the option's and the match's limit.
    pub move_time: Option<Duration>,
    pub game_clock: bool,
    pub increment: Duration,
    pub hash_mib: usize,
    pub seed: u64,
}

impl Setup {
    const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

    pub(crate) fn new(limits: &SearchLimits, start: &Start) -> Setup {
        let asked = limits.move_time;
        let move_time = match (asked, start.move_time) {
            (Some(own), Some(theirs)) => Some(own.min(theirs)),
            (own, theirs) => own.or(theirs),
        };
        // The table gets half of the allowed memory; code, weights and stacks need the rest.
        let allowed = start.memory_mib.map_or(usize::MAX, |mib| mib as usize / 2);
        Setup {
            game: start.game,
            limits: limits.of_game(start.game),
            move_time,
            game_clock: start.game_time.is_some(),
            increment: start.increment,
            hash_mib: limits.hash_mib.min(allowed),
            seed: start.seed,
        }
    }

    /// Returns the noise of the level, if any. One unit of [`Strength::noise`](crate::Strength::noise) is `units` units
    /// of the search's score. Scores are clamped to ± `most` before the noise is added.
    pub fn noise(&self, units: Score, most: Score) -> Option<Noise> {
        let limits = &self.limits;
        (limits.noise > 0.0).then(|| Noise {
            depth: limits.depth.unwrap_or(1) as Depth,
            deviation: limits.noise * f64::from(units),
            most,
            seed: self.seed,
        })
    }

    /// Returns the book's entry for `board`, if the book is in use. Divides its score by `units`.
    pub fn in_book(&self, board: &Board, units: Score) -> Option<SearchInfo> {
        let book = self.limits.book.as_ref()?;
        let entry = book.of(self.game).find(board)?;
        Some(SearchInfo {
            depth: 0,
            score: f64::from(entry.score) / f64::from(units),
            nodes: 0,
            time: Duration::ZERO,
            line: vec![Move::Place(entry.best)],
        })
    }

    /// Returns the budget for `question` if about `moves_to_go` own moves remain.
    pub fn budget(&self, question: &Question, moves_to_go: u32) -> Budget {
        let allowance = TimeAllowance {
            move_time: self.move_time,
            game_left: question.left.filter(|_| self.game_clock),
            increment: self.increment,
        };
        let moves_to_go = question
            .moves_to_go
            .map_or(moves_to_go, |period| period.min(moves_to_go));
        let mut plan = allowance.plan(moves_to_go);
        if plan.is_none() && !self.limits.are_fixed() {
            let allowance = TimeAllowance {
                move_time: Some(Setup::DEFAULT_MOVE_TIME),
                ..TimeAllowance::default()
            };
            plan = allowance.plan(moves_to_go);
        }
        Budget {
            depth: self.limits.depth.map(|depth| depth as Depth),
            nodes: self.limits.nodes,
            ..Budget::default()
        }
        .with_plan(plan, question.asked_at)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo {
    pub depth: u32,
    /// The score for the side to move: in discs for Othello, in the evaluation's units for Gomoku.
    pub score: f64,
    pub nodes: u64,
    pub time: Duration,
    pub line: Vec<Move>,
}

impl SearchInfo {
    /// Converts a report and its moves. Divides its score by `units`.
    pub fn of(report: &Report, units: Score, notation: fn(search::Move) -> Move) -> SearchInfo {
        SearchInfo {
            depth: report.depth as u32,
            score: f64::from(report.score) / f64::from(units),
            nodes: report.nodes,
            time: report.time,
            line: report.line.iter().map(|&played| notation(played)).collect(),
        }
    }
}

pub trait Searcher {
    fn choose(&mut self, question: &Question, progress: &mut dyn FnMut(&SearchInfo)) -> Move;
}
