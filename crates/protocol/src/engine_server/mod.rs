//! Our bots as engines in other programs: Gomocup, GTP, `NBoard`, Botzone.
//!
//! Each protocol is an [`EngineServer`], a pure state machine: the input is a line; the output is lines to write, games
//! to start and questions for the bot. [`Conversation`] owns the bot and the server and runs the actions; [`speak`]
//! connects them to pipes. Reading order: `setting` (the options), this file, `conversation`, then any protocol.

use std::fmt;
use std::time::Duration;

use games::{Board, Ending, Game, Move, OpeningRule};

use crate::{Info, Start};

mod botzone;
mod conversation;
mod gomocup;
mod gtp;
mod nboard;
mod setting;

pub use conversation::{Conversation, NotSpoken, speak};
pub use setting::{BadSetting, EngineProtocol, Setting};

/// The engine's side of one protocol, without access to the bot, to pipes or to the time.
trait EngineServer {
    /// Handles a line of the manager, trimmed and not empty.
    fn on_line(&mut self, line: &str) -> Vec<Action>;

    /// Returns the line that reports `info` to the manager during a search.
    fn on_thought(&mut self, _info: &Info) -> Option<String> {
        None
    }

    fn on_answer(&mut self, answer: &Answer) -> Vec<Action>;

    fn on_refusal(&mut self, why: &str) -> Vec<Action>;
}

/// A step for the conversation; steps run in order.
#[derive(Clone, Debug, PartialEq)]
enum Action {
    Say(String),
    /// Start a new game now, so that its setup is not thinking time.
    Start(Start),
    Ask(Box<Ask>),
    /// Limit the search to this depth in plies from the next game on.
    Depth(u32),
    Quit,
}

#[derive(Clone, Debug, PartialEq)]
struct Ask {
    /// The terms of the game. If they differ from those of the last start, the bot starts again.
    start: Start,
    board: Board,
    /// The moves so far, if the manager sent them.
    moves: Vec<Move>,
    /// The time left on the bot's game clock.
    left: Option<Duration>,
    opponent_left: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq)]
struct Answer {
    played: Move,
    thought: Option<Info>,
    used: Duration,
}

#[derive(Clone, Debug)]
struct Introduction {
    name: String,
    version: String,
    /// The playable games, the default first.
    games: Vec<Game>,
    openings: &'static [OpeningRule],
}

fn say(line: impl fmt::Display) -> Vec<Action> {
    vec![Action::Say(line.to_string())]
}

fn over(ending: Ending) -> String {
    match ending.winner {
        Some(side) => format!(
            "the game is over: {side} has won ({})",
            ending.reason.word()
        ),
        None => "the game is over: drawn".to_owned(),
    }
}
