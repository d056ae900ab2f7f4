//! What every language of bots has in common: its name, what it says and what it hears.

use std::fmt::Debug;

use games::{Board, Move, Square};
use protocol::{Over, Start};
use serde::{Deserialize, Serialize};

use crate::record::Thought;

/// A language, by the word that a manifest, a tournament file and a command line use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The arena's own: JSON lines, `docs/protocol.md`.
    #[default]
    Arena,
    /// Gomoku engines: `START`, `TURN`, `BOARD`.
    Gomocup,
    /// The Go Text Protocol, version 2, as engines of Othello and Gomoku speak it.
    Gtp,
    /// Othello engines: `set game`, `go`.
    Nboard,
}

impl Protocol {
    /// All of them, the arena's own first.
    pub const ALL: [Protocol; 4] = [
        Protocol::Arena,
        Protocol::Gomocup,
        Protocol::Gtp,
        Protocol::Nboard,
    ];

    /// The word used for it everywhere.
    pub const fn word(self) -> &'static str {
        match self {
            Protocol::Arena => "arena",
            Protocol::Gomocup => "gomocup",
            Protocol::Gtp => "gtp",
            Protocol::Nboard => "nboard",
        }
    }

    /// The language called `word`.
    pub fn from_word(word: &str) -> Option<Protocol> {
        Protocol::ALL
            .into_iter()
            .find(|protocol| protocol.word() == word)
    }
}

/// A position in which a bot is to move, and what the clocks show.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position.
    pub board: &'a Board,
    /// What may be played.
    pub legal: &'a [Square],
    /// Every move since the start position.
    pub moves: &'a [Move],
    /// What both clocks show, in ms, the bot's own first; 0: no limit.
    pub left_ms: [u64; 2],
}

/// What the arena waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// That the bot is ready for its game.
    Ready,
    /// Its move.
    Move,
    /// Nothing: what comes now was not asked for.
    Nothing,
}

/// What a line means.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Nothing that was waited for; read on.
    Nothing,
    /// The bot is ready.
    Ready {
        /// What it calls itself.
        name: String,
        /// Its version.
        version: String,
    },
    /// It tells of its thinking.
    Thought(Thought),
    /// It has moved.
    Move {
        /// The number of the question, where the answer names one.
        id: Option<u64>,
        /// As [`Move`] reads it, or `resign`; otherwise as the bot wrote it.
        played: String,
        /// What it told with its move.
        thought: Thought,
    },
    /// It lost the question: these bytes are to be sent while its clock goes on.
    Again(Vec<u8>),
    /// It refuses something, and perhaps not the question: its answer is waited for, and this is
    /// what is wrong if none comes.
    Doubtful(String),
    /// What may not be said here, and why.
    Wrong(String),
}

/// One language in the course of a talk with one process, which may last for many games.
///
/// What is to be sent is added to `out`, whole lines at a time.
pub trait Dialect: Debug + Send {
    /// A game begins, and [`Heard::Ready`] is due.
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>);

    /// Question number `id`; [`Heard::Move`] is due.
    fn turn(&mut self, id: u64, question: &Question<'_>, out: &mut Vec<u8>);

    /// The game has ended; nothing is due.
    fn over(&mut self, over: &Over, out: &mut Vec<u8>);

    /// The bot is to leave.
    fn quit(&self, out: &mut Vec<u8>);

    /// Understands a line, which is trimmed and not empty.
    fn hear(&mut self, line: &[u8], due: Due) -> Heard;

    /// Whether bots may write when nobody has asked them, as engines do that think aloud and greet
    /// with banners. [`Dialect::hear`] then says which lines are no answers.
    fn is_talkative(&self) -> bool;

    /// What was sent that waits for its answer, for the message that none came: `START 15`. Empty:
    /// the language's name for it says enough.
    fn unanswered(&self) -> String;
}

/// The language that a line belongs to beyond doubt, if there is one: banners can be anything.
pub fn looks_like(line: &[u8]) -> Option<Protocol> {
    match line {
        [b'{', rest @ ..] if rest.contains(&b'"') => Some(Protocol::Arena),
        [b'?', b' ' | b'0'..=b'9', ..] => Some(Protocol::Gtp),
        _ if line.starts_with(b"UNKNOWN") => Some(Protocol::Gomocup),
        _ => None,
    }
}

/// A score as an engine wrote it. What is no number is not told: `nan` and `inf` are none.
pub(super) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|score: &f64| score.is_finite())
}

/// How to fix a bot that answers in another language than `spoken`; empty where it does not.
pub(super) fn fix(line: &[u8], spoken: Protocol) -> String {
    match looks_like(line).filter(|&other| other != spoken) {
        Some(other) => format!(
            "; that looks like protocol = \"{0}\", and it was spoken to in {1}: put {0}: before the \
             command",
            other.word(),
            spoken.word()
        ),
        None => String::new(),
    }
}
