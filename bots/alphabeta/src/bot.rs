//! The border between the protocol and the games' players: messages in, moves out.

use games::Move;
use protocol::{Bot, Info, Question, Start};

use crate::options::Limits;
use crate::player::{Player, Setup, Thought};
use crate::{gomoku, othello};

/// The bot: it makes a player for each game, and so forgets everything between games.
pub struct AlphaBeta {
    limits: Limits,
    /// Plies that a manager asks for where the options set neither depth nor nodes.
    asked_depth: Option<u32>,
    player: Option<Box<dyn Player>>,
}

impl AlphaBeta {
    /// A bot that has not been told yet what is played.
    pub(crate) fn new(limits: Limits) -> AlphaBeta {
        AlphaBeta {
            limits,
            asked_depth: None,
            player: None,
        }
    }
}

impl Bot for AlphaBeta {
    fn name(&self) -> &'static str {
        "alphabeta"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        // The old table goes before the new one comes.
        self.player = None;
        let mut setup = Setup::new(&self.limits, start);
        if !setup.limits.are_fixed() {
            setup.limits.depth = self.asked_depth;
        }
        self.player = Some(match start.game.name() {
            "othello" => Box::new(othello::Player::new(setup)),
            "gomoku" => Box::new(gomoku::Player::new(setup)),
            other => return Err(format!("alphabeta does not play {other}")),
        });
        Ok(())
    }

    fn limit_depth(&mut self, plies: u32) {
        self.asked_depth = Some(plies.clamp(1, Limits::MAX_DEPTH));
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let Some(player) = &mut self.player else {
            // Nobody said what is played: any legal move will do.
            return question
                .legal()
                .first()
                .map_or(Move::Pass, |&square| Move::Place(square));
        };
        player.choose(question, &mut |thought| say(&info(thought)))
    }
}

/// A thought on the wire.
fn info(thought: &Thought) -> Info {
    Info {
        depth: Some(thought.depth),
        score: Some(thought.score),
        nodes: Some(thought.nodes),
        time_ms: Some(thought.time.as_millis() as u64),
        pv: thought.line.iter().map(Move::to_string).collect(),
        text: None,
    }
}
