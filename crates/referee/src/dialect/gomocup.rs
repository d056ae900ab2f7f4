//! Engines for Gomoku with Gomocup's protocol, as Piskvork and c-gomoku-cli use it.
//!
//! Limits and rule are sent before `START`: an engine may make its tables at `START`, before its clock runs. The stones
//! of an opening are sent as a `BOARD`, every later stone as a `TURN`.
//!
//! An engine may discard its input while it finishes its last answer, as Rapfi does word by word. So the first line
//! must be one that may be lost: `INFO time_left` before a question, `INFO game_type` before a game. The engine answers
//! the rest of it with `ERROR` or `UNKNOWN`, which is not a fault. If such an answer shows that a question lost its
//! first word, the question is sent again, once.

use std::fmt::Display;
use std::io::Write as _;
use std::time::Duration;

use games::gomoku::Rule;
use games::{Move, Side, Square};
use protocol::codec::gomocup::{
    About, Command, DONE, InfoKey, NO_LIMIT, Owner, Reply, Stone, rule_number,
};
use protocol::{Over, Start};

use super::{Due, EngineAdapter, Heard, Protocol, Question, fix, in_answer_to, thoughts};
use crate::record::Thought;

#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is known of an engine: each is a fact of its own"
)]
pub struct GomocupAdapter {
    setup: Vec<String>,
    /// Only the rest of this limit is sent with every question; the other limits are sent once.
    has_game_clock: bool,
    you: Side,
    /// The stones that the engine knows, its own included.
    known: Vec<Move>,
    about: About,
    /// Whether it has answered `ABOUT` since its last greeting.
    introduced: bool,
    /// Whether it refuses unknown lines of the set-up.
    complains: bool,
    restarting: bool,
    /// The lines of the last command that has an answer.
    asked: Vec<u8>,
    /// Whether they were sent twice.
    repeated: bool,
    /// Whether it has moved in this game, so that it may still have been busy when the question came.
    has_moved: bool,
    /// The time left on its clock in ms, as sent before the question.
    left: i64,
}

impl GomocupAdapter {
    pub fn new(setup: &[String]) -> GomocupAdapter {
        GomocupAdapter {
            setup: setup.to_vec(),
            has_game_clock: false,
            you: Side::Black,
            known: Vec::new(),
            about: About::default(),
            introduced: false,
            complains: false,
            restarting: false,
            asked: Vec::new(),
            repeated: false,
            has_moved: false,
            left: 0,
        }
    }

    /// Records the bytes of `out` after `from` as the command that has an answer.
    fn asks(&mut self, out: &[u8], from: usize) {
        self.asked.clear();
        self.asked.extend_from_slice(&out[from..]);
        self.repeated = false;
    }

    fn board(&self, moves: &[Move], out: &mut Vec<u8>) {
        line(out, Command::Board);
        for (&played, side) in moves.iter().zip(Side::BOTH.into_iter().cycle()) {
            if let Move::Place(square) = played {
                let is_own = side == self.you;
                let owner = if is_own { Owner::Own } else { Owner::Opponent };
                line(out, Stone { square, owner });
            }
        }
        line(out, DONE);
    }

    fn refused(&self, text: &[u8]) -> Heard {
        in_answer_to(&self.unanswered(), text, Protocol::Gomocup)
    }

    /// Handles `ERROR` or `UNKNOWN` during the set-up.
    fn not_ready(&mut self, text: &[u8]) -> Heard {
        let said = String::from_utf8_lossy(text);
        // It answers in order: before its answer to `ABOUT`, it has not reached `START`.
        if said.starts_with("ERROR") && (self.introduced || names(&said, "START")) {
            return self.refused(text);
        }
        self.complains = true;
        Heard::Nothing
    }

    /// Returns whether a refusal is of the time before the question, which is no fault.
    fn is_about_time(&self, said: &str) -> bool {
        let left = self.left.to_string();
        ["INFO", "TIME_LEFT", &left]
            .iter()
            .any(|word| names(said, word))
    }

    /// Handles `ERROR` or `UNKNOWN` in the place of a move.
    fn not_moved(&mut self, text: &[u8]) -> Heard {
        let said = String::from_utf8_lossy(text);
        let asked = String::from_utf8_lossy(&self.asked);
        let mut words = asked.split_whitespace();
        let keyword = words.next().unwrap_or_default();
        if names(&said, keyword) {
            return self.refused(text);
        }
        // An engine that lost the first word of a question refuses the last.
        if words.next_back().is_some_and(|last| names(&said, last)) {
            if std::mem::replace(&mut self.repeated, true) {
                return self.refused(text);
            }
            return Heard::Again(self.asked.clone());
        }
        if self.complains {
            Heard::Nothing
        } else {
            match self.refused(text) {
                Heard::Wrong(why) if self.has_moved => Heard::Doubtful(why),
                refused => refused,
            }
        }
    }

    fn moved(&mut self, square: Result<Square, String>) -> Heard {
        self.has_moved = true;
        let played = square.map(|square| {
            self.known.push(Move::Place(square));
            square.to_string()
        });
        Heard::Move {
            id: None,
            played: played.unwrap_or_else(|text| text),
            thought: Thought::default(),
        }
    }
}

/// Returns whether a refusal names this word, in any case.
fn names(said: &str, word: &str) -> bool {
    said.split(|c: char| c.is_whitespace() || "\"'`:;.()[]".contains(c))
        .any(|named| named.eq_ignore_ascii_case(word))
}

/// Appends a line, with the line end of the protocol's own manager.
fn line(out: &mut Vec<u8>, text: impl Display) {
    write!(out, "{text}\r\n").expect("memory takes all");
}

impl EngineAdapter for GomocupAdapter {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.you = start.you;
        self.known.clear();
        self.restarting = false;
        self.has_moved = false;
        self.introduced = false;
        self.has_game_clock = start.game_time.is_some();
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let info = |out: &mut Vec<u8>, key, number| line(out, Command::Info(key, number));
        line(out, Command::OtherInfo("game_type 1".to_owned()));
        if let Some(mib) = start.memory_mib {
            info(out, InfoKey::MaxMemory, (mib << 20) as i64);
        }
        info(out, InfoKey::TimeoutMatch, start.game_time.map_or(0, ms));
        // 0 would mean "as fast as you can".
        let turn = start.move_time.or(start.game_time).map_or(NO_LIMIT, ms);
        info(out, InfoKey::TimeoutTurn, turn);
        if !start.increment.is_zero() {
            let increment = format!("time_increment {}", ms(start.increment));
            line(out, Command::OtherInfo(increment));
        }
        let rule = Rule::of(start.game).unwrap_or(Rule::Freestyle);
        info(out, InfoKey::Rule, rule_number(rule));
        for command in &self.setup {
            line(out, command);
        }
        line(out, Command::About);
        let from = out.len();
        line(out, Command::Start(start.game.size().into()));
        self.asks(out, from);
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let moves = question.moves;
        self.left = if self.has_game_clock {
            i64::try_from(question.left_ms[0]).unwrap_or(i64::MAX)
        } else {
            NO_LIMIT
        };
        line(out, Command::Info(InfoKey::TimeLeft, self.left));
        let mut from = out.len();
        let unknown = moves.strip_prefix(self.known.as_slice());
        match (unknown, self.known.is_empty()) {
            (Some([]), true) => line(out, Command::Begin),
            (Some([Move::Place(square)]), _) => line(out, Command::Turn(*square)),
            (_, known_nothing) => {
                if !known_nothing {
                    line(out, Command::Restart);
                    self.restarting = true;
                    from = out.len();
                }
                if moves.is_empty() {
                    line(out, Command::Begin);
                } else {
                    self.board(moves, out);
                }
            }
        }
        self.asks(out, from);
        self.known.clear();
        self.known.extend_from_slice(moves);
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, out: &mut Vec<u8>) {
        line(out, Command::End);
    }

    fn hear(&mut self, text: &[u8], due: Due) -> Heard {
        let said = String::from_utf8_lossy(text);
        match (Reply::parse(&said), due) {
            (Some(Reply::Message(text)), _) => match thoughts::read(&text) {
                nothing if nothing == Thought::default() => Heard::Nothing,
                thought => Heard::Thought(thought),
            },
            (Some(Reply::Ok), Due::Ready) => Heard::Ready {
                name: self.about.name.clone(),
                version: self.about.version.clone(),
            },
            (Some(Reply::Ok), _) if self.restarting => {
                self.restarting = false;
                Heard::Nothing
            }
            (Some(Reply::Error(_) | Reply::Unknown(_)), Due::Move) if self.is_about_time(&said) => {
                Heard::Nothing
            }
            (Some(Reply::Unknown(_)), _) if self.restarting => Heard::Wrong(
                "in answer to \"RESTART\", which is needed to set up another position".into(),
            ),
            (Some(Reply::Error(_) | Reply::Unknown(_)), Due::Ready) => self.not_ready(text),
            (Some(Reply::Error(_) | Reply::Unknown(_)), Due::Move) => self.not_moved(text),
            (_, Due::Ready) => {
                if let Some(about) = About::parse(&said) {
                    self.about = about;
                    self.introduced = true;
                    return Heard::Nothing;
                }
                // A banner is tolerated; a line of another protocol is never followed by an OK.
                match fix(text, Protocol::Gomocup) {
                    None => Heard::Nothing,
                    Some(_) => self.refused(text),
                }
            }
            (Some(Reply::Move { square, .. }), Due::Move) => self.moved(square),
            (Some(Reply::Move { rest, .. }), Due::Nothing) if rest.is_empty() => {
                Heard::Wrong("nothing was asked".into())
            }
            _ => Heard::Nothing,
        }
    }

    fn is_talkative(&self) -> bool {
        true
    }

    fn unanswered(&self) -> String {
        let first = self.asked.split(|&byte| byte == b'\r').next();
        String::from_utf8_lossy(first.unwrap_or_default()).into_owned()
    }
}
