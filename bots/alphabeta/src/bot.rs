//! The bot: the implementation of the protocol, with a searcher for each game.

use games::{Move, OpeningRule};
use protocol::{Bot, Info, Question, Start};

use crate::options::SearchLimits;
use crate::searcher::{SearchInfo, Searcher, Setup};
use crate::{gomoku, othello};

/// A new game gets a new searcher, so nothing carries over between games.
pub struct AlphaBeta {
    limits: SearchLimits,
    /// The depth that the arena requested. Ignored if the options or the level limit the depth or the nodes.
    asked_depth: Option<u32>,
    searcher: Option<Box<dyn Searcher>>,
}

impl AlphaBeta {
    pub(crate) fn new(limits: SearchLimits) -> AlphaBeta {
        AlphaBeta {
            limits,
            asked_depth: None,
            searcher: None,
        }
    }
}

impl Bot for AlphaBeta {
    fn name(&self) -> &'static str {
        "alphabeta"
    }

    fn openings(&self) -> &'static [OpeningRule] {
        &OpeningRule::ALL
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        // Frees the old table before the new one is allocated.
        self.searcher = None;
        let mut setup = Setup::new(&self.limits, start);
        if !setup.limits.are_fixed() {
            setup.limits.depth = self.asked_depth;
        }
        self.searcher = Some(match start.game.name() {
            "othello" => Box::new(othello::OthelloSearcher::new(setup)),
            "gomoku" => Box::new(gomoku::GomokuSearcher::new(setup)),
            other => return Err(format!("alphabeta does not play {other}")),
        });
        Ok(())
    }

    fn limit_depth(&mut self, plies: u32) {
        self.asked_depth = Some(plies.clamp(1, SearchLimits::MAX_DEPTH));
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let Some(searcher) = &mut self.searcher else {
            // Without a game, any legal move will do.
            return question
                .legal()
                .first()
                .map_or(Move::Pass, |&square| Move::Place(square));
        };
        searcher.choose(question, &mut |info| say(&message(info)))
    }
}

fn message(info: &SearchInfo) -> Info {
    Info {
        depth: Some(info.depth),
        score: Some(info.score),
        nodes: Some(info.nodes),
        time_ms: Some(info.time.as_millis() as u64),
        pv: info.line.iter().map(Move::to_string).collect(),
        ..Info::default()
    }
}
