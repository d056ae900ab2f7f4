//! The protocols of bots: the arena's own and the standard ones of other programs.
//!
//! An [`EngineAdapter`] turns the arena's messages into the bytes of one protocol, and a line of that protocol into its
//! meaning ([`Heard`]). It uses no process, no pipe and no clock, so a transcript is enough to test it. Deadlines and
//! faults are in `bot::Conversation` and are the same for all protocols.
//!
//! Each protocol has a file: [`arena`] (JSON lines), [`botzone`], [`columbia`], [`gomocup`], [`gtp`], [`nboard`]. The
//! lines of foreign programs are in [`protocol::codec`]; [`thoughts`] parses their reports on thinking.

use std::fmt::{Debug, Display};
use std::io::Write as _;

use games::{Board, Move, Square};
use message::{Message, message};
use protocol::{Over, Start, codec};
use serde::{Deserialize, Serialize};

use crate::record::Thought;

mod arena;
mod botzone;
mod columbia;
mod gomocup;
mod gtp;
mod nboard;
mod thoughts;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The arena's own: JSON lines, `docs/protocol.md`.
    #[default]
    Arena,
    /// Engines for Gomoku: `START`, `TURN`, `BOARD`.
    Gomocup,
    /// The Go Text Protocol, version 2, for Othello and Gomoku.
    Gtp,
    /// Engines for Othello: `set game`, `go`.
    Nboard,
    /// Othello programs of the courses at Columbia and Toronto: a colour, then `SCORE` and the board.
    Columbia,
    /// Programs for botzone.org.cn: JSON, with a new process for each turn, unless the last process asked to be kept.
    Botzone,
    /// Programs for botzone.org.cn with the simplified interaction: numbers.
    #[serde(rename = "botzone-text")]
    BotzoneText,
}

impl Protocol {
    pub const ALL: [Protocol; 7] = [
        Protocol::Arena,
        Protocol::Gomocup,
        Protocol::Gtp,
        Protocol::Nboard,
        Protocol::Columbia,
        Protocol::Botzone,
        Protocol::BotzoneText,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            Protocol::Arena => "arena",
            Protocol::Gomocup => "gomocup",
            Protocol::Gtp => "gtp",
            Protocol::Nboard => "nboard",
            Protocol::Columbia => "columbia",
            Protocol::Botzone => "botzone",
            Protocol::BotzoneText => "botzone-text",
        }
    }

    pub(crate) const fn is_turn_by_turn(self) -> bool {
        matches!(self, Protocol::Botzone | Protocol::BotzoneText)
    }

    pub fn from_word(word: &str) -> Option<Protocol> {
        Protocol::ALL
            .into_iter()
            .find(|protocol| protocol.word() == word)
    }

    pub fn games(self) -> Vec<&'static str> {
        match self {
            Protocol::Arena | Protocol::Gtp => games::names(),
            Protocol::Gomocup => codec::gomocup::GAMES.to_vec(),
            Protocol::Nboard => codec::nboard::GAMES.to_vec(),
            Protocol::Columbia => columbia::GAMES.to_vec(),
            Protocol::Botzone | Protocol::BotzoneText => codec::botzone::GAMES.to_vec(),
        }
    }

    /// Returns an adapter for a new process. `setup`: lines in the protocol, sent before each game.
    pub fn adapter(self, setup: &[String]) -> Box<dyn EngineAdapter> {
        match self {
            Protocol::Arena => Box::new(arena::ArenaAdapter::new()),
            Protocol::Gomocup => Box::new(gomocup::GomocupAdapter::new(setup)),
            Protocol::Gtp => Box::new(gtp::GtpAdapter::new(setup)),
            Protocol::Nboard => Box::new(nboard::NboardAdapter::new(setup)),
            Protocol::Columbia => Box::new(columbia::ColumbiaAdapter::new(setup)),
            Protocol::Botzone => Box::new(botzone::BotzoneAdapter::new(false)),
            Protocol::BotzoneText => Box::new(botzone::BotzoneAdapter::new(true)),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub board: &'a Board,
    pub legal: &'a [Square],
    /// The moves since the start position that count: see [`games::Retraced`].
    pub moves: &'a [Move],
    /// The time left on both clocks, in ms, the bot's own first; 0: no limit.
    pub left_ms: [u64; 2],
    /// The number of moves, including this one, that the bot's time is for; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Ready,
    Move,
    Nothing,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Not the expected message; continue to read.
    Nothing,
    Ready {
        name: String,
        version: String,
    },
    Thought(Thought),
    Move {
        /// The number of the question, if the answer has one.
        id: Option<u64>,
        /// Text that [`Move`] parses (in an opening, several such words), `resign`, or else the bot's own text.
        played: String,
        thought: Thought,
    },
    /// Send these bytes; the bot's clock keeps running. Used if the bot lost or refused the question, or must get its
    /// next part. In a greeting, the bot may never answer these bytes.
    Again(Vec<u8>),
    /// The bot refuses something, perhaps not the question. If no answer follows in time, this is the error.
    Doubtful(Message),
    /// A message that is not allowed here, and the reason.
    Wrong(Message),
    /// The bot cannot continue. The reason, which has nothing to do with the game, is given.
    Unable(String),
}

/// Limits besides memory; `None`: no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceLimits {
    pub processes: Option<u64>,
    pub disk_mib: Option<u64>,
    /// The number of cores that the bot may run on.
    pub cores: Option<u64>,
}

/// One protocol in the dialogue with one process, which may last for many games. Messages to send are appended to
/// `out`, in whole lines.
pub trait EngineAdapter: Debug + Send {
    /// Sets the bot's limits, for a protocol that can send them.
    fn set_limits(&mut self, _: ResourceLimits) {}

    /// Begins a game; [`Heard::Ready`] is expected.
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>);

    /// Sends question number `id`; [`Heard::Move`] is expected.
    fn turn(&mut self, id: u64, question: &Question<'_>, out: &mut Vec<u8>);

    fn openings(&self) -> Vec<String> {
        Vec::new()
    }

    fn start_only(&self) -> bool {
        false
    }

    /// Ends the game; no answer is expected.
    fn over(&mut self, over: &Over, out: &mut Vec<u8>);

    fn quit(&self, out: &mut Vec<u8>);

    /// Parses a line, which is trimmed and not empty.
    fn hear(&mut self, line: &[u8], due: Due) -> Heard;

    /// Returns whether bots may write lines without a question, such as banners, which [`EngineAdapter::hear`] ignores.
    fn is_talkative(&self) -> bool;

    /// Returns the unanswered command for an error message: `START 15`. Empty if the expected message is enough.
    fn unanswered(&self) -> String;

    /// Returns whether a greeted bot can play even if it never answers the bytes of the last [`Heard::Again`].
    fn is_ready(&self) -> bool {
        false
    }

    /// Selects another style of greeting, such as another order of lines, and describes it. Style 1 is tried first.
    fn use_style(&mut self, _number: usize) -> Option<Message> {
        None
    }
}

/// Returns the protocol to which a line certainly belongs; `None` if the line may also be a banner.
pub fn protocol_of_line(line: &[u8]) -> Option<Protocol> {
    let has_word = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
    match line {
        [b'{', ..] if has_word(b"\"response\"") => Some(Protocol::Botzone),
        [b'{', rest @ ..] if rest.contains(&b'"') => Some(Protocol::Arena),
        [b'?', b' ' | b'0'..=b'9', ..] => Some(Protocol::Gtp),
        _ if line.starts_with(b"UNKNOWN") => Some(Protocol::Gomocup),
        _ => None,
    }
}

/// Returns how to fix a bot that answers in a protocol other than `spoken`.
fn fix(line: &[u8], spoken: Protocol) -> Option<Message> {
    let other = protocol_of_line(line).filter(|&other| other != spoken)?;
    let (other, spoken) = (other.word(), spoken.word());
    Some(message!(
        "this line looks like protocol = \"{other}\", but the arena used {spoken}; write \"{other}:\" in front of the command"
    ))
}

fn wrong(why: Message, line: &[u8], spoken: Protocol) -> Heard {
    Heard::Wrong(Message::list([why].into_iter().chain(fix(line, spoken))))
}

fn in_answer_to(asked: &str, line: &[u8], spoken: Protocol) -> Heard {
    wrong(message!("in answer to {asked:?}"), line, spoken)
}

fn send(out: &mut Vec<u8>, line: impl Display) {
    writeln!(out, "{line}").expect("memory takes all");
}

#[cfg(test)]
pub(crate) mod tests;
