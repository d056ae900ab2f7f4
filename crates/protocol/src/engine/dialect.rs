//! What a protocol is to an engine: a line in, things to do out.

use std::time::Duration;

use games::{Board, Ending, Game, Move};

use crate::{Info, Start};

/// One protocol, seen from the engine. Nothing here knows the bot, a pipe or the time of day.
pub(super) trait Dialect {
    /// What to do about a line of the manager; it is trimmed and not empty.
    fn hear(&mut self, line: &str) -> Vec<Action>;

    /// What to tell of what the bot thinks while it is being asked.
    fn thought(&mut self, _info: &Info) -> Option<String> {
        None
    }

    /// The bot's answer to the last [`Action::Ask`].
    fn answer(&mut self, answer: &Answer) -> Vec<Action>;

    /// The bot does not play the game of the last [`Action::Start`] or [`Action::Ask`].
    fn refused(&mut self, why: &str) -> Vec<Action>;
}

/// A thing to do, in the order given.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// Write this line.
    Say(String),
    /// A new game: tell the bot now, so that getting ready is not thinking time.
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
pub(super) struct Ask {
    /// The terms of the game. Where they are not those of the last start, the bot is started anew.
    pub start: Start,
    /// The position; it has a legal move.
    pub board: Board,
    /// What was played, as far as the manager told.
    pub moves: Vec<Move>,
    /// What is left of the bot's game clock.
    pub left: Option<Duration>,
    /// What is left of the opponent's.
    pub opponent_left: Option<Duration>,
}

/// What the bot answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// Its move.
    pub played: Move,
    /// Its last thought about it.
    pub thought: Option<Info>,
    /// How long it took.
    pub used: Duration,
}

/// Who the bot is and what it plays, as protocols ask.
#[derive(Clone, Debug)]
pub(super) struct Introduction {
    pub name: String,
    pub version: String,
    /// What may be played, the usual game first.
    pub games: Vec<Game>,
}

/// Says this and no more.
pub(super) fn say(line: impl Into<String>) -> Vec<Action> {
    vec![Action::Say(line.into())]
}

/// Why no move can be asked for once a game has ended.
pub(super) fn over(ending: Ending) -> String {
    match ending.winner {
        Some(side) => format!(
            "the game is over: {side} has won ({})",
            ending.reason.word()
        ),
        None => "the game is over: drawn".to_owned(),
    }
}
