//! The border between the protocol and the games' searchers: messages in, moves out.

use games::Move;
use protocol::{Bot, Info, Question, Start};

use crate::options::SearchLimits;
use crate::searcher::{SearchInfo, Searcher, Setup};
use crate::{gomoku, othello};

/// The bot: it makes a searcher for each game, and so forgets everything between games.
pub struct AlphaBeta {
    limits: SearchLimits,
    /// Plies that a manager asks for where the options set neither depth nor nodes.
    asked_depth: Option<u32>,
    searcher: Option<Box<dyn Searcher>>,
}

impl AlphaBeta {
    /// A bot that has not been told yet what is played.
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

    fn start(&mut self, start: &Start) -> Result<(), String> {
        // The old table goes before the new one comes.
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
            // Nobody said what is played: any legal move will do.
            return question
                .legal()
                .first()
                .map_or(Move::Pass, |&square| Move::Place(square));
        };
        searcher.choose(question, &mut |info| say(&message(info)))
    }
}

/// What a search found as the protocol says it.
fn message(info: &SearchInfo) -> Info {
    Info {
        depth: Some(info.depth),
        score: Some(info.score),
        nodes: Some(info.nodes),
        time_ms: Some(info.time.as_millis() as u64),
        pv: info.line.iter().map(Move::to_string).collect(),
        text: None,
    }
}
