//! Gomocup's protocol, as Piskvork and c-gomoku-cli use it with engines of Gomoku.
//!
//! Limits and rule go out before `START`, so that an engine that makes its tables at `START` knows
//! them and no table is made while its clock runs. The stones of an opening go out as a `BOARD`,
//! every later stone as a `TURN`. The protocol's page:
//! <https://plastovicka.github.io/protocl2en.htm>.
//!
//! An engine may discard what it reads while it finishes its last answer, as Rapfi does word by word.
//! So the first line may be lost: `INFO time_left` before a question, `INFO game_type` before a game.
//! The engine answers the rest of it with `ERROR` or `UNKNOWN`, which is not a fault. If such an
//! answer shows that a question lost its first word, the question is sent again, once.

use std::io::Write as _;
use std::time::Duration;

use games::{Game, Move, Side, gomoku::Rule};
use protocol::notation::gomocup::{read, write};
use protocol::{Over, Start};

use super::language::{Dialect, Due, Heard, Protocol, Question, fix};
use super::thoughts;
use crate::record::Thought;

/// The games that are played in it.
pub(super) const GAMES: [&str; 1] = ["gomoku"];
/// What an engine is told where there is no limit, in ms.
const NO_LIMIT: u64 = i32::MAX as u64;

/// The dialogue with one engine.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is known of an engine: each is a fact of its own"
)]
pub struct Gomocup {
    setup: Vec<String>,
    /// The rest of the game's limits is told once; this one with every question.
    has_game_clock: bool,
    you: Side,
    /// The stones that the engine knows of, its own included.
    known: Vec<Move>,
    /// What it last said to `ABOUT`.
    about: [String; 2],
    /// Whether it has answered `ABOUT` since it was last greeted.
    introduced: bool,
    /// Whether it refuses lines of the setting-up that it does not know.
    complains: bool,
    /// Whether the answer to a `RESTART` stands out.
    restarting: bool,
    /// The lines of the last command that has an answer.
    asked: Vec<u8>,
    /// Whether they were sent twice.
    repeated: bool,
    /// Whether it has moved in this game, and may have been at it when the question came.
    has_moved: bool,
    /// What was told before the question: what is left on its clock, in ms.
    left: u64,
}

impl Gomocup {
    /// A dialogue that has not begun.
    pub fn new(setup: &[String]) -> Gomocup {
        Gomocup {
            setup: setup.to_vec(),
            has_game_clock: false,
            you: Side::Black,
            known: Vec::new(),
            about: Default::default(),
            introduced: false,
            complains: false,
            restarting: false,
            asked: Vec::new(),
            repeated: false,
            has_moved: false,
            left: 0,
        }
    }

    /// What was added to `out` since it was `from` bytes long has an answer.
    fn asks(&mut self, out: &[u8], from: usize) {
        self.asked.clear();
        self.asked.extend_from_slice(&out[from..]);
        self.repeated = false;
    }

    /// The whole position, in the order in which it was played.
    fn board(&self, moves: &[Move], out: &mut Vec<u8>) {
        line(out, format_args!("BOARD"));
        for (&played, side) in moves.iter().zip(Side::BOTH.into_iter().cycle()) {
            if let Move::Place(square) = played {
                let whose = if side == self.you { 1 } else { 2 };
                line(out, format_args!("{},{whose}", write(square)));
            }
        }
        line(out, format_args!("DONE"));
    }

    /// Why an answer ends the talk: what it answers.
    fn refused(&self, text: &[u8]) -> String {
        format!(
            "in answer to {:?}{}",
            self.unanswered(),
            fix(text, Protocol::Gomocup)
        )
    }

    /// `ERROR` or `UNKNOWN` while it is to get ready.
    fn not_ready(&mut self, text: &[u8]) -> Heard {
        let said = String::from_utf8_lossy(text);
        // It answers in order: before it has said who it is, it has not come to `START`.
        if said.starts_with("ERROR") && (self.introduced || names(&said, "START")) {
            return Heard::Wrong(self.refused(text));
        }
        self.complains = true;
        Heard::Nothing
    }

    /// Whether a refusal is of what was told before the question, and so of no account.
    fn is_of_the_time(&self, said: &str) -> bool {
        let left = self.left.to_string();
        ["INFO", "TIME_LEFT", &left]
            .iter()
            .any(|word| names(said, word))
    }

    /// `ERROR` or `UNKNOWN` in the place of a move.
    fn not_moved(&mut self, text: &[u8]) -> Heard {
        let said = String::from_utf8_lossy(text);
        let asked = String::from_utf8_lossy(&self.asked);
        let mut words = asked.split_whitespace();
        let keyword = words.next().unwrap_or_default();
        if names(&said, keyword) {
            return Heard::Wrong(self.refused(text));
        }
        // The last word of a question is refused where the first was lost.
        if words.next_back().is_some_and(|last| names(&said, last)) {
            if std::mem::replace(&mut self.repeated, true) {
                return Heard::Wrong(self.refused(text));
            }
            return Heard::Again(self.asked.clone());
        }
        if self.complains {
            Heard::Nothing
        } else if self.has_moved {
            Heard::Doubtful(self.refused(text))
        } else {
            Heard::Wrong(self.refused(text))
        }
    }

    fn moved(&mut self, text: &str) -> Heard {
        self.has_moved = true;
        let played = match read(text) {
            Ok(square) => {
                self.known.push(Move::Place(square));
                square.to_string()
            }
            Err(_) => text.to_owned(),
        };
        Heard::Move {
            id: None,
            played,
            thought: Thought::default(),
        }
    }
}

/// Whether a refusal names a word of what it refuses, in whatever case.
fn names(said: &str, word: &str) -> bool {
    said.split(|c: char| c.is_whitespace() || "\"'`:;.()[]".contains(c))
        .any(|named| named.eq_ignore_ascii_case(word))
}

/// Lines end as the protocol's own manager ends them.
fn line(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    write!(out, "{text}\r\n").expect("memory takes all");
}

fn rule(game: Game) -> u8 {
    match Rule::of(game) {
        Some(Rule::Freestyle) | None => 0,
        Some(Rule::Standard) => 1,
        Some(Rule::Renju) => 4,
    }
}

impl Dialect for Gomocup {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.you = start.you;
        self.known.clear();
        self.restarting = false;
        self.has_moved = false;
        self.introduced = false;
        self.has_game_clock = start.game_time.is_some();
        let ms = |time: Duration| time.as_millis() as u64;
        let game_time = start.game_time.map_or(0, ms);
        // Here 0 would be "as fast as you can".
        let turn = start.move_time.or(start.game_time).map_or(NO_LIMIT, ms);
        line(out, format_args!("INFO game_type 1"));
        if let Some(mib) = start.memory_mib {
            line(out, format_args!("INFO max_memory {}", mib << 20));
        }
        line(out, format_args!("INFO timeout_match {game_time}"));
        line(out, format_args!("INFO timeout_turn {turn}"));
        if !start.increment.is_zero() {
            let increment = ms(start.increment);
            line(out, format_args!("INFO time_increment {increment}"));
        }
        line(out, format_args!("INFO rule {}", rule(start.game)));
        for command in &self.setup {
            line(out, format_args!("{command}"));
        }
        line(out, format_args!("ABOUT"));
        let from = out.len();
        line(out, format_args!("START {}", start.game.size()));
        self.asks(out, from);
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let moves = question.moves;
        self.left = if self.has_game_clock {
            question.left_ms[0]
        } else {
            NO_LIMIT
        };
        line(out, format_args!("INFO time_left {}", self.left));
        let mut from = out.len();
        let news = moves.strip_prefix(self.known.as_slice());
        match (news, self.known.is_empty()) {
            (Some([]), true) => line(out, format_args!("BEGIN")),
            (Some([Move::Place(square)]), _) => {
                line(out, format_args!("TURN {}", write(*square)));
            }
            (_, known_nothing) => {
                if !known_nothing {
                    line(out, format_args!("RESTART"));
                    self.restarting = true;
                    from = out.len();
                }
                if moves.is_empty() {
                    line(out, format_args!("BEGIN"));
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
        line(out, format_args!("END"));
    }

    fn hear(&mut self, text: &[u8], due: Due) -> Heard {
        let said = String::from_utf8_lossy(text);
        let (word, rest) = said.split_at(said.find(char::is_whitespace).unwrap_or(said.len()));
        match (word.to_ascii_uppercase().as_str(), due) {
            ("MESSAGE" | "DEBUG", _) => match thoughts::read(rest) {
                nothing if nothing == Thought::default() => Heard::Nothing,
                thought => Heard::Thought(thought),
            },
            ("OK", Due::Ready) => {
                let [name, version] = self.about.clone();
                Heard::Ready { name, version }
            }
            ("OK", _) if self.restarting => {
                self.restarting = false;
                Heard::Nothing
            }
            ("ERROR" | "UNKNOWN", Due::Move) if self.is_of_the_time(&said) => Heard::Nothing,
            ("UNKNOWN", _) if self.restarting => Heard::Wrong(
                "in answer to \"RESTART\", which is needed to set up another position".to_owned(),
            ),
            ("ERROR" | "UNKNOWN", Due::Ready) => self.not_ready(text),
            ("ERROR" | "UNKNOWN", Due::Move) => self.not_moved(text),
            (_, Due::Ready) => {
                if let Some(about) = read_about(&said) {
                    self.about = about;
                    self.introduced = true;
                    return Heard::Nothing;
                }
                // A banner is tolerated; a line of another protocol will never become an OK.
                match fix(text, Protocol::Gomocup) {
                    nothing if nothing.is_empty() => Heard::Nothing,
                    _ => Heard::Wrong(self.refused(text)),
                }
            }
            (_, Due::Move) if leading_square(&said).is_some() => {
                let square = leading_square(&said).unwrap_or_default().to_owned();
                self.moved(&square)
            }
            _ if !is_coordinates(&said) => Heard::Nothing,
            (_, Due::Move) => self.moved(&said),
            (_, Due::Nothing) => Heard::Wrong("nothing was asked".to_owned()),
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

/// Whether a line is two numbers, be there such a square or not. Anything else that an engine writes
/// is chatter: `PentaZen` writes its depth as a byte, and so a newline at depth 10.
fn is_coordinates(text: &str) -> bool {
    let number = |text: &str| text.trim().parse::<i64>().is_ok();
    text.split_once(',')
        .is_some_and(|(column, row)| number(column) && number(row))
}

/// The square at the start of a line that goes on after a blank: `10,7<tab>Value: 3925`. Numbers that are
/// on no board are not a square: `1,204 nodes` is chatter.
fn leading_square(text: &str) -> Option<&str> {
    let end = text.find(char::is_whitespace)?;
    let (square, _) = text.split_at(end);
    let (column, row) = square.split_once(',')?;
    let is_on_board = |number: &str| {
        number.len() <= 2
            && number
                .parse()
                .is_ok_and(|number: u8| number < games::MAX_SIZE)
    };
    (is_on_board(column) && is_on_board(row)).then_some(square)
}

/// Name and version in `name="Carbon", version="1.0", author="…"`.
fn read_about(text: &str) -> Option<[String; 2]> {
    let value = |key: &str| {
        let (_, after) = text.split_once(key)?;
        let after = after.trim_start().strip_prefix('=')?.trim_start();
        let end = match after.strip_prefix('"') {
            Some(quoted) => return quoted.split_once('"').map(|(value, _)| value.to_owned()),
            None => after.find([',', ' ']).unwrap_or(after.len()),
        };
        Some(after[..end].to_owned())
    };
    let name = value("name")?;
    Some([name, value("version").unwrap_or_default()])
}
