//! The Go Text Protocol, version 2, as engines of Othello (`GRhino`, Quarry's) and Gomoku speak it.
//!
//! Commands are sent without numbers and all that a question needs at once; a line that begins
//! with `=` or `?` answers the first command that has no answer yet. What an engine may refuse
//! (`set_game`, the time, a pass that it makes by itself) is told and not insisted on.
//! The specification: <https://www.lysator.liu.se/~gunnar/gtp/>.

use std::collections::VecDeque;
use std::io::Write as _;
use std::time::Duration;

use games::{Move, Rules, Side};
use protocol::notation::gtp::Vertices;
use protocol::{Over, Start};

use super::language::{Dialect, Due, Heard, Protocol, Question, fix};
use crate::record::Thought;

/// The dialogue with one engine.
#[derive(Debug)]
pub struct Gtp {
    setup: Vec<String>,
    vertices: Vertices,
    you: Side,
    has_game_clock: bool,
    /// The half-moves that the engine knows of, its own included.
    known: Vec<Move>,
    /// Commands that have no answer yet, the first first.
    asked: VecDeque<Command>,
    name: String,
    version: String,
}

/// A command that was sent.
#[derive(Debug)]
struct Command {
    text: String,
    wish: Wish,
}

/// What an answer is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Name,
    Version,
    /// An engine that knows no other game need not know the command.
    Game,
    /// An engine may refuse it.
    Welcome,
    /// Without it there is no game.
    Needed,
    /// The last before a game.
    Ready,
    Move,
}

impl Gtp {
    /// A dialogue that has not begun.
    pub fn new(setup: &[String]) -> Gtp {
        Gtp {
            setup: setup.to_vec(),
            vertices: Vertices::default(),
            you: Side::Black,
            has_game_clock: false,
            known: Vec::new(),
            asked: VecDeque::new(),
            name: String::new(),
            version: String::new(),
        }
    }

    fn send(&mut self, wish: Wish, text: String, out: &mut Vec<u8>) {
        out.extend_from_slice(text.as_bytes());
        out.push(b'\n');
        self.asked.push_back(Command { text, wish });
    }

    /// An answer with `=` or `?`, its sign taken off.
    fn answered(&mut self, is_granted: bool, text: &str, line: &[u8]) -> Heard {
        let Some(Command {
            text: command,
            wish,
        }) = self.asked.pop_front()
        else {
            return Heard::Wrong("nothing was asked".to_owned());
        };
        let refused = || {
            Heard::Wrong(format!(
                "in answer to {command:?}{}",
                fix(line, Protocol::Gtp)
            ))
        };
        match (wish, is_granted) {
            (Wish::Name, true) => text.clone_into(&mut self.name),
            (Wish::Version, true) => text.clone_into(&mut self.version),
            (Wish::Game, false) if !is_unknown(text) => return refused(),
            (Wish::Needed | Wish::Ready | Wish::Move, false) => return refused(),
            (Wish::Ready, true) => {
                return Heard::Ready {
                    name: std::mem::take(&mut self.name),
                    version: std::mem::take(&mut self.version),
                };
            }
            (Wish::Move, true) => return self.moved(text),
            (Wish::Name | Wish::Version | Wish::Game | Wish::Welcome | Wish::Needed, _) => {}
        }
        Heard::Nothing
    }

    fn moved(&mut self, text: &str) -> Heard {
        let text = text.split_whitespace().next().unwrap_or_default();
        let played = match self.vertices.read(text) {
            Ok(played) => {
                self.known.push(played);
                played.to_string()
            }
            Err(_) if text.eq_ignore_ascii_case("resign") => "resign".to_owned(),
            Err(_) => text.to_owned(),
        };
        Heard::Move {
            id: None,
            played,
            thought: Thought::default(),
        }
    }
}

/// The words in which the specification has engines say that they do not know a command.
fn is_unknown(text: &str) -> bool {
    text.to_ascii_lowercase().contains("unknown command")
}

/// GTP knows whole seconds; less than one cannot be told.
fn seconds(time: Duration) -> u64 {
    time.as_secs().max(1)
}

impl Dialect for Gtp {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.vertices = Vertices::of(start.game);
        self.you = start.you;
        self.has_game_clock = start.game_time.is_some();
        self.known.clear();
        self.asked.clear();
        let game = start.game.title();
        self.send(Wish::Name, "name".to_owned(), out);
        self.send(Wish::Version, "version".to_owned(), out);
        self.send(Wish::Game, format!("set_game {game}"), out);
        for command in self.setup.clone() {
            self.send(Wish::Needed, command, out);
        }
        let size = start.game.size();
        self.send(Wish::Needed, format!("boardsize {size}"), out);
        let time = match (start.game_time, start.period_moves, start.move_time) {
            // So much time for so many moves, without any main time before.
            (Some(game), Some(moves), _) => {
                format!("0 {} {moves}", seconds(game))
            }
            (Some(game), None, _) => format!("{} 0 0", seconds(game)),
            (None, _, Some(a_move)) => format!("0 {} 1", seconds(a_move)),
            // The specification's way of saying that there is no limit.
            (None, _, None) => "0 1 0".to_owned(),
        };
        self.send(Wish::Welcome, format!("time_settings {time}"), out);
        self.send(Wish::Ready, "clear_board".to_owned(), out);
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let moves = question.moves;
        if !moves.starts_with(&self.known) {
            self.known.clear();
            self.send(Wish::Needed, "clear_board".to_owned(), out);
        }
        let sides = Side::BOTH.into_iter().cycle();
        let played = moves.iter().zip(sides).skip(self.known.len());
        for (&played, side) in played {
            // An engine that passes by itself where it must may not want to be told.
            let wish = match played {
                Move::Pass => Wish::Welcome,
                Move::Place(_) => Wish::Needed,
            };
            let vertex = self.vertices.write(played);
            self.send(wish, format!("play {} {vertex}", side.word()), out);
        }
        self.known.clear();
        self.known.extend_from_slice(moves);
        let to_move = question.board.side_to_move();
        let [own, other] = question.left_ms.map(Duration::from_millis);
        // Of the opponent's period nothing is told: its moves are not known here.
        let to_go = question.moves_to_go.unwrap_or(0);
        let clocks = [(to_move, own, to_go), (!to_move, other, 0)];
        let told = if to_go > 0 { 1 } else { 2 };
        for (side, left, to_go) in clocks.into_iter().take(told) {
            if self.has_game_clock && !left.is_zero() {
                let left = format!("time_left {} {} {to_go}", side.word(), seconds(left));
                self.send(Wish::Welcome, left, out);
            }
        }
        self.send(Wish::Move, format!("genmove {}", to_move.word()), out);
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, out: &mut Vec<u8>) {
        writeln!(out, "quit").expect("memory takes all");
    }

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        let said = String::from_utf8_lossy(line);
        let granted = match said.chars().next() {
            // A line of an NBoard engine is not an answer.
            Some('=') if !said.starts_with("==") => true,
            Some('?') => false,
            // More of an answer that has several lines, or a banner. JSON is neither.
            _ => match fix(line, Protocol::Gtp) {
                fix if due == Due::Ready && !fix.is_empty() => {
                    return Heard::Wrong(format!("in answer to {:?}{fix}", self.unanswered()));
                }
                _ => return Heard::Nothing,
            },
        };
        // An engine may number its answers, whether or not it was asked to.
        let text = said[1..].trim_start_matches(|c: char| c.is_ascii_digit());
        self.answered(granted, text.trim(), line)
    }

    fn is_talkative(&self) -> bool {
        true
    }

    fn unanswered(&self) -> String {
        let first = self.asked.front();
        first
            .map(|command| command.text.clone())
            .unwrap_or_default()
    }
}
