//! Gomocup's protocol, as Piskvork and c-gomoku-cli speak it to engines of Gomoku.
//!
//! Limits and rule go out before `START`, so that an engine that makes its tables at `START` knows
//! them and no table is made while its clock runs. The stones of an opening go out as a `BOARD`,
//! every later stone as a `TURN`. The protocol's page:
//! <https://plastovicka.github.io/protocl2en.htm>.

use std::io::Write as _;
use std::time::Duration;

use games::{Game, Move, Side, gomoku::Rule};
use protocol::notation::gomocup::{read, write};
use protocol::{Over, Start};

use super::{Dialect, Due, Heard, Protocol, Question, Thoughts, mend, thoughts};

/// The games that are played in it.
pub(super) const GAMES: [&str; 1] = ["gomoku"];
/// What an engine is told where there is no limit, in ms.
const NO_LIMIT: u64 = i32::MAX as u64;

/// The talk with one engine.
#[derive(Debug)]
pub struct Gomocup {
    setup: Vec<String>,
    /// The rest of the game's limits is told once; this one with every question.
    has_game_clock: bool,
    you: Side,
    /// The stones that the engine knows of, its own included.
    known: Vec<Move>,
    /// What it said to `ABOUT`; asked once a process.
    about: Option<[String; 2]>,
    /// Whether the answer to a `RESTART` stands out.
    restarting: bool,
    /// The last command that has an answer.
    asked: String,
}

impl Gomocup {
    /// A talk that has not begun.
    pub fn new(setup: &[String]) -> Gomocup {
        Gomocup {
            setup: setup.to_vec(),
            has_game_clock: false,
            you: Side::Black,
            known: Vec::new(),
            about: None,
            restarting: false,
            asked: String::new(),
        }
    }

    fn ask(&mut self, command: &str, out: &mut Vec<u8>) {
        command.clone_into(&mut self.asked);
        line(out, format_args!("{command}"));
    }

    /// The whole position, in the order in which it was played.
    fn board(&mut self, moves: &[Move], out: &mut Vec<u8>) {
        self.ask("BOARD", out);
        for (&played, side) in moves.iter().zip(Side::BOTH.into_iter().cycle()) {
            if let Move::Place(square) = played {
                let whose = if side == self.you { 1 } else { 2 };
                line(out, format_args!("{},{whose}", write(square)));
            }
        }
        line(out, format_args!("DONE"));
    }

    /// An answer that ends the talk, and what it answers.
    fn refused(&self, text: &[u8]) -> Heard {
        Heard::Wrong(format!(
            "in answer to {:?}{}",
            self.asked,
            mend(text, Protocol::Gomocup)
        ))
    }

    fn moved(&mut self, text: &str) -> Heard {
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
            thoughts: Thoughts::default(),
        }
    }
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
        self.has_game_clock = start.game_time.is_some();
        let ms = |time: Duration| time.as_millis() as u64;
        if self.about.is_none() {
            self.about = Some([String::new(), String::new()]);
            line(out, format_args!("ABOUT"));
        }
        if let Some(mib) = start.memory_mib {
            line(out, format_args!("INFO max_memory {}", mib << 20));
        }
        let game_time = start.game_time.map_or(0, ms);
        // Here 0 would be "as fast as you can".
        let turn = start.move_time.or(start.game_time).map_or(NO_LIMIT, ms);
        line(out, format_args!("INFO timeout_match {game_time}"));
        line(out, format_args!("INFO timeout_turn {turn}"));
        if !start.increment.is_zero() {
            let increment = ms(start.increment);
            line(out, format_args!("INFO time_increment {increment}"));
        }
        line(out, format_args!("INFO game_type 1"));
        line(out, format_args!("INFO rule {}", rule(start.game)));
        for command in &self.setup {
            line(out, format_args!("{command}"));
        }
        self.ask(&format!("START {}", start.game.size()), out);
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let moves = question.moves;
        let left = if self.has_game_clock {
            question.left_ms[0]
        } else {
            NO_LIMIT
        };
        line(out, format_args!("INFO time_left {left}"));
        let news = moves.strip_prefix(self.known.as_slice());
        match (news, self.known.is_empty()) {
            (Some([]), true) => self.ask("BEGIN", out),
            (Some([Move::Place(square)]), _) => {
                self.ask(&format!("TURN {}", write(*square)), out);
            }
            (_, known_nothing) => {
                if !known_nothing {
                    line(out, format_args!("RESTART"));
                    self.restarting = true;
                }
                if moves.is_empty() {
                    self.ask("BEGIN", out);
                } else {
                    self.board(moves, out);
                }
            }
        }
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
                nothing if nothing == Thoughts::default() => Heard::Nothing,
                thoughts => Heard::Thoughts(thoughts),
            },
            ("OK", Due::Ready) => {
                let [name, version] = self.about.clone().unwrap_or_default();
                Heard::Ready { name, version }
            }
            ("OK", _) if self.restarting => {
                self.restarting = false;
                Heard::Nothing
            }
            ("UNKNOWN", _) if self.restarting => Heard::Wrong(
                "in answer to \"RESTART\", which is needed to set up another position".to_owned(),
            ),
            ("ERROR", Due::Ready | Due::Move) => self.refused(text),
            (_, Due::Ready) => {
                if let Some(about) = read_about(&said) {
                    self.about = Some(about);
                    return Heard::Nothing;
                }
                // A banner is borne; what belongs to another protocol will never become an OK.
                match mend(text, Protocol::Gomocup) {
                    nothing if nothing.is_empty() => Heard::Nothing,
                    _ => self.refused(text),
                }
            }
            _ if !is_coordinates(&said) => Heard::Nothing,
            (_, Due::Move) => self.moved(&said),
            (_, Due::Nothing) => Heard::Wrong("nothing was asked".to_owned()),
        }
    }

    fn is_talkative(&self) -> bool {
        true
    }

    /// Rapfi writes its move and only then, in the same thread, notes that it thinks no more; what
    /// another of its threads reads before that is thrown away.
    fn breath(&self) -> Duration {
        Duration::from_millis(5)
    }

    fn unanswered(&self) -> String {
        self.asked.clone()
    }
}

/// Whether a line is two numbers, be there such a square or not. Anything else that an engine writes
/// is chatter: `PentaZen` writes its depth as a byte, and so a newline at depth 10.
fn is_coordinates(text: &str) -> bool {
    let number = |text: &str| text.trim().parse::<i64>().is_ok();
    text.split_once(',')
        .is_some_and(|(column, row)| number(column) && number(row))
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

#[cfg(test)]
mod tests;
