//! A bot of ours as an engine in other people's programs: Gomocup, GTP, `NBoard`, Botzone.
//!
//! Each protocol is an [`EngineServer`], a pure state machine: a line in; lines to write, games to start and
//! questions for the bot out. [`Conversation`] has the bot beside the server and carries out its actions;
//! [`speak`] ties both to pipes. Only `conversation` reads a clock. The lines are those of
//! [`codec`](crate::codec).
//!
//! Reading order: `setting` (what a person may choose), this file, `conversation`, then any of `gomocup`, `gtp`,
//! `nboard`, `botzone`.

use std::fmt;
use std::time::Duration;

use games::{Board, Ending, Game, Move};

use crate::{Info, Start};

mod botzone;
mod conversation;
mod gomocup;
mod gtp;
mod nboard;
mod setting;

pub use conversation::{Conversation, NotSpoken, speak};
pub use setting::{BadSetting, EngineProtocol, Setting};

/// One protocol, seen from the engine. Nothing here knows the bot, a pipe or the time of day.
trait EngineServer {
    /// What to do about a line of the manager; it is trimmed and not empty.
    fn on_line(&mut self, line: &str) -> Vec<Action>;

    /// The line that reports a thought of the bot while it is being asked.
    fn on_thought(&mut self, _info: &Info) -> Option<String> {
        None
    }

    /// The bot has answered the last [`Action::Ask`].
    fn on_answer(&mut self, answer: &Answer) -> Vec<Action>;

    /// The bot does not play the game of the last [`Action::Start`] or [`Action::Ask`].
    fn on_refusal(&mut self, why: &str) -> Vec<Action>;
}

/// A thing to do, in the order given.
#[derive(Clone, Debug, PartialEq)]
enum Action {
    /// Write this line.
    Say(String),
    /// Start a new game now, so that getting ready is not thinking time.
    Start(Start),
    /// Ask the bot for a move.
    Ask(Box<Ask>),
    /// From the next game on the bot is to search so many plies.
    Depth(u32),
    /// The manager is done with this process.
    Quit,
}

/// A question for the bot.
#[derive(Clone, Debug, PartialEq)]
struct Ask {
    /// The terms of the game. Where they are not those of the last start, the bot is started anew.
    start: Start,
    /// The position; it has a legal move.
    board: Board,
    /// What was played, as far as the manager told.
    moves: Vec<Move>,
    /// What is left of the bot's game clock.
    left: Option<Duration>,
    opponent_left: Option<Duration>,
}

/// The bot's answer.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    played: Move,
    /// The last thought about it.
    thought: Option<Info>,
    used: Duration,
}

impl Answer {
    fn score(&self) -> Option<f64> {
        self.thought.as_ref()?.score
    }
}

/// The bot and what it plays, as protocols ask.
#[derive(Clone, Debug)]
struct Introduction {
    name: String,
    version: String,
    /// What may be played, the usual game first.
    games: Vec<Game>,
}

/// Writes this line and does no more.
fn say(line: impl fmt::Display) -> Vec<Action> {
    vec![Action::Say(line.to_string())]
}

/// Why no move can be asked for once a game has ended.
fn over(ending: Ending) -> String {
    match ending.winner {
        Some(side) => format!(
            "the game is over: {side} has won ({})",
            ending.reason.word()
        ),
        None => "the game is over: drawn".to_owned(),
    }
}
