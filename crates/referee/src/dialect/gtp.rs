//! The Go Text Protocol, version 2, for engines of Othello (`GRhino`, Quarry) and Gomoku.
//!
//! Commands are sent without numbers, and all commands of a question at once. A line that begins with `=` or `?`
//! answers the oldest unanswered command. Engines may refuse `set_game`, the time, or a pass that they make themselves.

use std::collections::VecDeque;
use std::time::Duration;

use games::{Move, Rules, Side};
use protocol::codec::gtp::{GtpCommand, RESIGN, Response, Vertices};
use protocol::{Over, Start};

use super::{Due, EngineAdapter, Heard, Protocol, Question, fix, in_answer_to, send};
use crate::record::Thought;

#[derive(Debug)]
pub struct GtpAdapter {
    setup: Vec<String>,
    vertices: Vertices,
    you: Side,
    has_game_clock: bool,
    /// The half-moves that the engine knows, its own included.
    known: Vec<Move>,
    /// Unanswered commands, in the order in which they were sent.
    asked: VecDeque<SentCommand>,
    name: String,
    version: String,
}

#[derive(Debug)]
struct SentCommand {
    text: String,
    wish: Wish,
}

/// The role of a command, which decides what its answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Name,
    Version,
    /// `set_game`, which an engine that plays only one game need not know.
    Game,
    /// A command that the engine may refuse.
    Welcome,
    /// A command without which no game is possible.
    Needed,
    /// The last command before a game.
    Ready,
    Move,
}

impl GtpAdapter {
    pub fn new(setup: &[String]) -> GtpAdapter {
        GtpAdapter {
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

    fn send(&mut self, wish: Wish, command: &GtpCommand, out: &mut Vec<u8>) {
        self.send_text(wish, command.write(self.vertices), out);
    }

    fn send_text(&mut self, wish: Wish, text: String, out: &mut Vec<u8>) {
        send(out, &text);
        self.asked.push_back(SentCommand { text, wish });
    }

    fn answered(&mut self, response: Response, line: &[u8]) -> Heard {
        let Some(asked) = self.asked.pop_front() else {
            return Heard::Wrong("nothing was asked".into());
        };
        match (asked.wish, response.text) {
            (Wish::Name, Ok(text)) => self.name = text,
            (Wish::Version, Ok(text)) => self.version = text,
            // The specification's error for an unknown command.
            (Wish::Game, Err(why)) if why.to_ascii_lowercase().contains("unknown command") => {}
            (Wish::Game | Wish::Needed | Wish::Ready | Wish::Move, Err(_)) => {
                return in_answer_to(&asked.text, line, Protocol::Gtp);
            }
            (Wish::Ready, Ok(_)) => {
                return Heard::Ready {
                    name: std::mem::take(&mut self.name),
                    version: std::mem::take(&mut self.version),
                };
            }
            (Wish::Move, Ok(text)) => return self.moved(&text),
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
            Err(_) if text.eq_ignore_ascii_case(RESIGN) => RESIGN.to_owned(),
            Err(_) => text.to_owned(),
        };
        Heard::Move {
            id: None,
            played,
            thought: Thought::default(),
        }
    }
}

/// Rounds down to whole seconds, at least one: GTP has no fractions.
fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs().max(1))
}

impl EngineAdapter for GtpAdapter {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.vertices = Vertices::of(start.game);
        self.you = start.you;
        self.has_game_clock = start.game_time.is_some();
        self.known.clear();
        self.asked.clear();
        let game = start.game.title().to_owned();
        self.send(Wish::Name, &GtpCommand::Name, out);
        self.send(Wish::Version, &GtpCommand::Version, out);
        self.send(Wish::Game, &GtpCommand::SetGame(game), out);
        for command in self.setup.clone() {
            self.send_text(Wish::Needed, command, out);
        }
        let size = GtpCommand::BoardSize(start.game.size().into());
        self.send(Wish::Needed, &size, out);
        let (main, period, moves) = match (start.game_time, start.period_moves, start.move_time) {
            // A number of moves in a period, without main time.
            (Some(game), Some(moves), _) => (Duration::ZERO, whole_seconds(game), moves),
            (Some(game), None, _) => (whole_seconds(game), Duration::ZERO, 0),
            (None, _, Some(a_move)) => (Duration::ZERO, whole_seconds(a_move), 1),
            // The specification's form for no limit.
            (None, _, None) => (Duration::ZERO, Duration::from_secs(1), 0),
        };
        let time = GtpCommand::TimeSettings {
            main,
            period,
            moves,
        };
        self.send(Wish::Welcome, &time, out);
        self.send(Wish::Ready, &GtpCommand::ClearBoard, out);
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let moves = question.moves;
        if !moves.starts_with(&self.known) {
            self.known.clear();
            self.send(Wish::Needed, &GtpCommand::ClearBoard, out);
        }
        let sides = Side::BOTH.into_iter().cycle();
        let played = moves.iter().zip(sides).skip(self.known.len());
        for (&played, side) in played {
            // An engine may have passed already; then it refuses this command.
            let wish = match played {
                Move::Pass | Move::Choose(_) => Wish::Welcome,
                Move::Place(_) => Wish::Needed,
            };
            self.send(wish, &GtpCommand::Play(side, played), out);
        }
        self.known.clear();
        self.known.extend_from_slice(moves);
        let to_move = question.board.side_to_move();
        let [own, other] = question.left_ms.map(Duration::from_millis);
        // If there are periods, the opponent's time is not sent: the number of its moves left is unknown here.
        let to_go = question.moves_to_go.unwrap_or(0);
        let clocks = [(to_move, own, to_go), (!to_move, other, 0)];
        let sent = if to_go > 0 { 1 } else { 2 };
        for (side, left, moves) in clocks.into_iter().take(sent) {
            if self.has_game_clock && !left.is_zero() {
                let time = whole_seconds(left);
                let left = GtpCommand::TimeLeft { side, time, moves };
                self.send(Wish::Welcome, &left, out);
            }
        }
        self.send(Wish::Move, &GtpCommand::GenMove(to_move), out);
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, out: &mut Vec<u8>) {
        send(out, GtpCommand::Quit.write(self.vertices));
    }

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        match Response::parse(&String::from_utf8_lossy(line)) {
            Some(response) => self.answered(response, line),
            // Other lines belong to a response or a banner, unless they are of another protocol.
            None if due == Due::Ready && fix(line, Protocol::Gtp).is_some() => {
                in_answer_to(&self.unanswered(), line, Protocol::Gtp)
            }
            None => Heard::Nothing,
        }
    }

    fn is_talkative(&self) -> bool {
        true
    }

    fn unanswered(&self) -> String {
        let first = self.asked.front();
        first.map_or_else(String::new, |asked| asked.text.clone())
    }
}
