//! Engines for Gomoku with Gomocup's protocol, as Piskvork and c-gomoku-cli use it.
//!
//! `START` is sent first and alone, as Gomocup's own manager does: many engines crash on an `INFO` or `ABOUT` before
//! their board exists. Limits, rule and `ABOUT` follow the engine's `OK`. The answer to `ABOUT` shows that the engine
//! has read the limits and the rule, before its clock runs. If the greeting fails, it is repeated without `ABOUT`, then
//! in the order of older managers, and then by `START` alone: see [`GreetingStyle`]. The stones of an opening are sent as a
//! `BOARD`, every later stone as a `TURN`.
//!
//! In swap2, the engine gets `SWAP2BOARD` with all stones, and no other stones until the opening has ended. Its answer
//! may become several words of the arena's protocol: three stones, or `stay` and the fourth stone. A line names only
//! the square of a stone. If an engine refuses lines without an owner, as Rapfi does, each line also names the stone's
//! owner, as in a `BOARD`.
//!
//! An engine may discard input that arrives while it finishes its last answer. Rapfi discards single words. So the
//! first line must be one that may be lost: `INFO time_left` before a question, `INFO game_type` before a further game.
//! The engine may answer the rest of that line with `ERROR` or `UNKNOWN`, which is not a fault. If such an answer shows
//! that a question lost its first word, the question is sent again, once.

use std::fmt::Display;
use std::io::Write as _;
use std::time::Duration;

use games::gomoku::{Opening, OpeningRule, Rule};
use games::{Move, Rules, Side, Square};
use message::Message;
use protocol::codec::gomocup::{
    About, DONE, GomocupCommand, InfoKey, NO_LIMIT, Reply, Stone, StoneOwner, parse_square,
    rule_number, write_square,
};
use protocol::{Over, Start};

use super::{Due, EngineAdapter, Heard, Protocol, Question, fix, in_answer_to, thoughts};
use crate::record::Thought;

/// The order and the line end of a greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GreetingStyle {
    /// `START`, then `INFO` and `ABOUT`; LF, on Windows CR LF.
    StartFirst,
    /// The same without `ABOUT`.
    WithoutAbout,
    /// `INFO`, then `START`, never `ABOUT`; CR LF, on Windows LF.
    InfoFirst,
    /// `START` alone, and no `INFO` in the game either; LF, on Windows CR LF.
    StartAlone,
}

#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is known of an engine: each is a fact of its own"
)]
pub struct GomocupAdapter {
    style: GreetingStyle,
    setup: Vec<String>,
    /// The lines that follow `OK`.
    settings: Vec<u8>,
    /// Whether `settings` has been sent and the greeting has not ended yet.
    is_settling: bool,
    is_known: bool,
    has_been_ready: bool,
    /// Whether the game has a time limit. The time left is sent with every question, other limits only once.
    has_game_clock: bool,
    you: Side,
    /// The engine's current colour while the arena asks it for its part of an opening; `None` otherwise.
    opening: Option<Side>,
    placed: Vec<Move>,
    /// Whether the engine expects the owner of each stone in `placed`.
    wants_owners: bool,
    /// After a refusal: the number of further refusals to expect, one for each further stone without an owner.
    refusals: Option<usize>,
    /// The stones that the engine knows, its own included.
    known: Vec<Move>,
    about: About,
    /// Whether the engine has refused a line in a greeting; its later refusals are then ignored.
    complains: bool,
    restarting: bool,
    /// The lines of the last command that expects an answer.
    asked: Vec<u8>,
    /// Whether the lines in `asked` were sent twice.
    repeated: bool,
    /// Whether the engine has moved in this game, so that it may still have been busy when the question came.
    has_moved: bool,
    /// The time left on the engine's clock in ms, as sent before the question.
    left: i64,
}

impl GomocupAdapter {
    pub fn new(setup: &[String]) -> GomocupAdapter {
        GomocupAdapter {
            style: GreetingStyle::StartFirst,
            settings: Vec::new(),
            is_settling: false,
            is_known: false,
            has_been_ready: false,
            setup: setup.to_vec(),
            has_game_clock: false,
            you: Side::Black,
            opening: None,
            placed: Vec::new(),
            wants_owners: false,
            refusals: None,
            known: Vec::new(),
            about: About::default(),
            complains: false,
            restarting: false,
            asked: Vec::new(),
            repeated: false,
            has_moved: false,
            left: 0,
        }
    }

    fn asks(&mut self, out: &[u8], from: usize) {
        self.asked.clear();
        self.asked.extend_from_slice(&out[from..]);
        self.repeated = false;
    }

    fn line(&self, out: &mut Vec<u8>, text: impl Display) {
        let is_usual = self.style != GreetingStyle::InfoFirst;
        let end = if is_usual == cfg!(windows) {
            "\r\n"
        } else {
            "\n"
        };
        write!(out, "{text}{end}").expect("memory takes all");
    }

    fn info(&self, start: &Start, out: &mut Vec<u8>) {
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        if let Some(mib) = start.memory_mib {
            self.line(
                out,
                GomocupCommand::Info(InfoKey::MaxMemory, (mib << 20) as i64),
            );
        }
        let game = start.game_time.map_or(0, ms);
        self.line(out, GomocupCommand::Info(InfoKey::TimeoutMatch, game));
        // 0 would mean "as fast as you can".
        let turn = start.move_time.or(start.game_time).map_or(NO_LIMIT, ms);
        self.line(out, GomocupCommand::Info(InfoKey::TimeoutTurn, turn));
        if !start.increment.is_zero() {
            let increment = format!("time_increment {}", ms(start.increment));
            self.line(out, GomocupCommand::OtherInfo(increment));
        }
        let rule = Rule::of(start.game).unwrap_or(Rule::Freestyle);
        self.line(out, GomocupCommand::Info(InfoKey::Rule, rule_number(rule)));
        for command in &self.setup {
            self.line(out, command);
        }
    }

    fn board(&self, moves: &[Move], out: &mut Vec<u8>) {
        self.line(out, GomocupCommand::Board);
        self.stones(moves, self.you, out);
    }

    fn stones(&self, moves: &[Move], you: Side, out: &mut Vec<u8>) {
        for (&played, side) in moves.iter().zip(Side::BOTH.into_iter().cycle()) {
            if let Move::Place(square) = played {
                let owner = if side == you {
                    StoneOwner::Own
                } else {
                    StoneOwner::Opponent
                };
                self.line(out, Stone { square, owner });
            }
        }
        self.line(out, DONE);
    }

    fn ask_in_opening(&self, decider: Side, out: &mut Vec<u8>) {
        self.line(out, GomocupCommand::Swap2Board);
        if self.wants_owners {
            self.stones(&self.placed, decider, out);
            return;
        }
        for square in self.placed.iter().filter_map(|played| played.square()) {
            self.line(out, write_square(square));
        }
        self.line(out, DONE);
    }

    /// Handles `ERROR` in an opening. An engine that expects owners refuses each stone and then sees an empty board.
    fn not_opened(&mut self, decider: Side) -> Option<Heard> {
        if let Some(left) = &mut self.refusals {
            *left = left.checked_sub(1)?;
            return Some(Heard::Nothing);
        }
        if self.placed.is_empty() || std::mem::replace(&mut self.wants_owners, true) {
            return None;
        }
        self.refusals = Some(self.placed.len() - 1);
        let mut again = Vec::new();
        self.ask_in_opening(decider, &mut again);
        self.asks(&again, 0);
        Some(Heard::Again(again))
    }

    fn refused(&self, text: &[u8]) -> Heard {
        in_answer_to(&self.unanswered(), text, Protocol::Gomocup)
    }

    fn ready(&mut self) -> Heard {
        self.is_settling = false;
        Heard::Ready {
            name: self.about.name.clone(),
            version: self.about.version.clone(),
        }
    }

    fn not_ready(&mut self, text: &[u8]) -> Heard {
        let reply_text = String::from_utf8_lossy(text);
        let refusal = Reply::parse(&reply_text);
        let is_refusal = matches!(refusal, Some(Reply::Error(_) | Reply::Unknown(_)));
        if let Some(about) = About::parse(&reply_text).filter(|_| !is_refusal) {
            self.about = about;
            return if self.is_settling {
                self.ready()
            } else {
                Heard::Nothing
            };
        }
        if self.is_settling {
            if is_refusal && names(&reply_text, "ABOUT") {
                return self.ready();
            }
            self.complains |= is_refusal;
            return Heard::Nothing;
        }
        let asked_only_start = self.style != GreetingStyle::InfoFirst && !self.has_been_ready;
        if matches!(refusal, Some(Reply::Error(_))) {
            if asked_only_start {
                return self.refused(text);
            }
            if let Some(heard) = self.not_understood(&reply_text) {
                return heard;
            }
        }
        self.complains |= is_refusal;
        // Ignores a banner. Refuses a line of another protocol, because no OK will follow it.
        match fix(text, Protocol::Gomocup) {
            Some(_) if !is_refusal => self.refused(text),
            _ => Heard::Nothing,
        }
    }

    /// Returns whether an engine refuses the `INFO time_left` before a question, which is not a fault.
    fn is_about_time(&self, reply_text: &str) -> bool {
        let left = self.left.to_string();
        ["INFO", "TIME_LEFT", &left]
            .iter()
            .any(|word| names(reply_text, word))
    }

    /// Handles a refusal of the last command. `None`: the engine refuses something else.
    fn not_understood(&mut self, reply_text: &str) -> Option<Heard> {
        let asked = String::from_utf8_lossy(&self.asked);
        let mut words = asked.split_whitespace();
        let refuses = |word: Option<&str>| word.is_some_and(|word| names(reply_text, word));
        if refuses(words.next()) {
            return Some(self.refused(reply_text.as_bytes()));
        }
        // If the engine lost a command's first word, it refuses the last word. Then sends the command again, once.
        if !refuses(words.next_back()) {
            return None;
        }
        Some(if std::mem::replace(&mut self.repeated, true) {
            self.refused(reply_text.as_bytes())
        } else {
            Heard::Again(self.asked.clone())
        })
    }

    fn not_moved(&mut self, text: &[u8]) -> Heard {
        let reply_text = String::from_utf8_lossy(text);
        if let Some(heard) = self.not_understood(&reply_text) {
            return heard;
        }
        let is_error = matches!(Reply::parse(&reply_text), Some(Reply::Error(_)));
        if let Some(decider) = self.opening.filter(|_| is_error)
            && let Some(heard) = self.not_opened(decider)
        {
            return heard;
        }
        if self.complains {
            Heard::Nothing
        } else {
            match self.refused(text) {
                Heard::Wrong(why) if self.has_moved || self.is_settling => Heard::Doubtful(why),
                refused => refused,
            }
        }
    }

    /// Returns the arena's words for an answer to `SWAP2BOARD`. By the rules of Gomocup, an engine that answers one
    /// square chooses white and plays there, and an engine that answers `SWAP` chooses black.
    fn opened(&mut self, decider: Side, reply: &Reply) -> Option<Heard> {
        let words = match reply {
            Reply::Swap if decider == Side::White => "swap".to_owned(),
            Reply::Swap => "stay".to_owned(),
            Reply::Move { square, rest } => {
                let named = |text: &str| {
                    let square = parse_square(text, games::MAX_SIZE);
                    square.map_or_else(|_| text.to_owned(), |square| square.to_string())
                };
                let squares = rest.split_whitespace().map(named);
                let first = square
                    .as_ref()
                    .map_or_else(String::clone, Square::to_string);
                let squares: Vec<String> = std::iter::once(first).chain(squares).collect();
                if squares.len() == 3 && self.refusals.take().is_some() {
                    return Some(Heard::Nothing);
                }
                let before = match (squares.len(), decider) {
                    (1, Side::White) => "stay ",
                    (1, Side::Black) => "swap ",
                    (2, Side::White) => "two-more ",
                    _ => "",
                };
                format!("{before}{}", squares.join(" "))
            }
            _ => return None,
        };
        self.opening = None;
        self.has_moved = true;
        Some(Heard::Move {
            id: None,
            played: words,
            thought: Thought::default(),
        })
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

fn names(reply_text: &str, word: &str) -> bool {
    reply_text
        .split(|c: char| c.is_whitespace() || "\"'`:;.()[]".contains(c))
        .any(|named| named.eq_ignore_ascii_case(word))
}

impl EngineAdapter for GomocupAdapter {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.you = start.you;
        self.opening = None;
        self.known.clear();
        self.restarting = false;
        self.has_moved = false;
        self.has_game_clock = start.game_time.is_some();
        self.is_settling = false;
        // This line may be lost. A new engine does not get it, because it has no board yet.
        let is_known = std::mem::replace(&mut self.is_known, true);
        if is_known && self.style != GreetingStyle::StartAlone
            || self.style == GreetingStyle::InfoFirst
        {
            self.line(out, GomocupCommand::OtherInfo("game_type 1".to_owned()));
        }
        self.settings.clear();
        if self.style == GreetingStyle::InfoFirst {
            self.info(start, out);
        } else if self.style != GreetingStyle::StartAlone {
            let mut settings = std::mem::take(&mut self.settings);
            self.info(start, &mut settings);
            if self.style == GreetingStyle::StartFirst {
                self.line(&mut settings, GomocupCommand::About);
            }
            self.settings = settings;
        }
        let from = out.len();
        self.line(out, GomocupCommand::Start(start.game.size().into()));
        self.asks(out, from);
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let moves = question.moves;
        self.left = if self.has_game_clock {
            i64::try_from(question.left_ms[0]).unwrap_or(i64::MAX)
        } else {
            NO_LIMIT
        };
        if self.style != GreetingStyle::StartAlone {
            self.line(out, GomocupCommand::Info(InfoKey::TimeLeft, self.left));
        }
        let mut from = out.len();
        self.opening = question.board.opening().map(Opening::decider);
        if let Some(decider) = self.opening {
            self.refusals = None;
            self.placed = moves.to_vec();
            self.ask_in_opening(decider, out);
            self.asks(out, from);
            return;
        }
        self.you = question.board.side_to_move();
        let unknown = moves.strip_prefix(self.known.as_slice());
        match (unknown, self.known.is_empty()) {
            (Some([]), true) => self.line(out, GomocupCommand::Begin),
            (Some([Move::Place(square)]), _) => self.line(out, GomocupCommand::Turn(*square)),
            (_, known_nothing) => {
                if !known_nothing {
                    self.line(out, GomocupCommand::Restart);
                    self.restarting = true;
                    from = out.len();
                }
                if moves.is_empty() {
                    self.line(out, GomocupCommand::Begin);
                } else {
                    self.board(moves, out);
                }
            }
        }
        self.asks(out, from);
        self.known.clear();
        self.known.extend_from_slice(moves);
    }

    /// Returns swap2 for every engine: only the probe before a run shows whether the engine answers `SWAP2BOARD`.
    fn openings(&self) -> Vec<String> {
        vec![OpeningRule::Swap2.name().to_owned()]
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, out: &mut Vec<u8>) {
        self.line(out, GomocupCommand::End);
    }

    fn hear(&mut self, text: &[u8], due: Due) -> Heard {
        let reply_text = String::from_utf8_lossy(text);
        let reply = Reply::parse(&reply_text);
        if let (Some(reply), Some(decider), Due::Move) = (&reply, self.opening, due)
            && let Some(heard) = self.opened(decider, reply)
        {
            return heard;
        }
        match (reply, due) {
            (Some(Reply::Message(text)), _) => match thoughts::read(&text) {
                nothing if nothing == Thought::default() => Heard::Nothing,
                thought => Heard::Thought(thought),
            },
            (Some(Reply::Ok), Due::Ready) => {
                self.has_been_ready = true;
                if self.settings.is_empty() {
                    return self.ready();
                }
                self.is_settling = true;
                Heard::Again(std::mem::take(&mut self.settings))
            }
            (Some(Reply::Ok), _) if self.restarting => {
                self.restarting = false;
                Heard::Nothing
            }
            (Some(Reply::Error(_) | Reply::Unknown(_)), Due::Move)
                if self.is_about_time(&reply_text) =>
            {
                Heard::Nothing
            }
            (Some(Reply::Unknown(_)), _) if self.restarting => Heard::Wrong(
                "in answer to \"RESTART\", which is needed to set up another position".into(),
            ),
            (Some(Reply::Error(_) | Reply::Unknown(_)), Due::Move) => self.not_moved(text),
            (_, Due::Ready) => self.not_ready(text),
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
        let asked = String::from_utf8_lossy(&self.asked);
        asked.lines().next().unwrap_or_default().to_owned()
    }

    fn is_ready(&self) -> bool {
        self.is_settling
    }

    fn use_style(&mut self, number: usize) -> Option<Message> {
        let (style, about) = match number {
            1 => (
                GreetingStyle::WithoutAbout,
                "the arena does not send ABOUT, because this engine fails to start with it",
            ),
            2 if cfg!(windows) => (
                GreetingStyle::InfoFirst,
                "the arena sends INFO before START, with line ends of Linux, because this engine fails to start if START \
                 comes first",
            ),
            2 => (
                GreetingStyle::InfoFirst,
                "the arena sends INFO before START, with line ends of Windows, because this engine fails to start if START \
                 comes first",
            ),
            3 => (
                GreetingStyle::StartAlone,
                "the arena does not send INFO, because this engine fails to start with it; so the engine knows neither its \
                 time nor the rules",
            ),
            _ => return None,
        };
        self.style = style;
        Some(about.into())
    }
}
