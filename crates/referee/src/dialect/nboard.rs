//! `NBoard`'s protocol, version 2, as engines of Othello such as `NTest` speak it.
//!
//! The whole game goes out before every question, as GGF, so that the engine need remember nothing.
//! `NBoard` tells engines a depth and no time; an engine may take what is left of its clock from the
//! game's `TI`. Lines that are not known are ignored on both sides. The protocol's page:
//! <https://github.com/weltyc/ntest/tree/master/instructions>.

use std::io::Write as _;
use std::time::Duration;

use games::formats::{SavedGame, SavedMove, TimeControl, ggf};
use games::{Game, Move};
use protocol::{Over, Start};

use super::language::{Dialect, Due, Heard, Protocol, Question, finite, fix};
use super::moves;
use crate::record::Thought;

/// The games that are played in it.
pub(super) const GAMES: [&str; 1] = ["othello"];
/// The depth where the set-up names none. `NBoard` sends one always, and engines wait for it.
const DEPTH: u32 = 12;

/// The dialogue with one engine.
#[derive(Debug)]
pub struct Nboard {
    setup: Vec<String>,
    /// The number of the last ping.
    pings: u64,
    asked: String,
    /// What it calls itself.
    name: String,
}

impl Nboard {
    /// A dialogue that has not begun.
    pub fn new(setup: &[String]) -> Nboard {
        Nboard {
            setup: setup.to_vec(),
            pings: 0,
            asked: String::new(),
            name: String::new(),
        }
    }
}

/// The game so far, with `left` on the clock, in whole seconds so that none is promised that is not
/// there.
fn set_game(moves: &[Move], left: Duration, out: &mut Vec<u8>) {
    let clock = TimeControl {
        main: Duration::from_secs(left.as_secs()),
        ..TimeControl::default()
    };
    let game = SavedGame {
        moves: moves.iter().copied().map(SavedMove::from).collect(),
        players: ["black", "white"].map(str::to_owned),
        clocks: [Some(clock); 2],
        event: "arena".to_owned(),
        ..SavedGame::new(Game::OTHELLO.start())
    };
    let ggf = ggf::write(&game).expect("GGF holds every game of Othello");
    // It ends with a newline.
    write!(out, "set game {ggf}").expect("memory takes all");
}

impl Dialect for Nboard {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        out.extend_from_slice(b"nboard 2\n");
        if !self.setup.iter().any(|line| line.starts_with("set depth")) {
            writeln!(out, "set depth {DEPTH}").expect("memory takes all");
        }
        for line in &self.setup {
            writeln!(out, "{line}").expect("memory takes all");
        }
        let time = start.game_time.or(start.move_time).unwrap_or_default();
        set_game(&[], time, out);
        self.pings += 1;
        self.asked = format!("ping {}", self.pings);
        writeln!(out, "{}", self.asked).expect("memory takes all");
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        set_game(
            question.moves,
            Duration::from_millis(question.left_ms[0]),
            out,
        );
        "go".clone_into(&mut self.asked);
        out.extend_from_slice(b"go\n");
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"quit\n");
    }

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        let said = String::from_utf8_lossy(line);
        let mut words = said.split_whitespace();
        match (words.next().unwrap_or_default(), due) {
            ("===", Due::Move) => moved(words.next().unwrap_or_default()),
            ("===", Due::Nothing) => Heard::Wrong("nothing was asked".to_owned()),
            ("set", _) if words.next() == Some("myname") => {
                self.name = words.collect::<Vec<_>>().join(" ");
                Heard::Nothing
            }
            ("pong", Due::Ready) if words.next() == Some(&self.pings.to_string()) => Heard::Ready {
                name: self.name.clone(),
                version: String::new(),
            },
            ("nodestats", Due::Move) => Heard::Thought(Thought {
                nodes: words.next().and_then(|count| count.parse().ok()),
                time: words.next().and_then(seconds),
                ..Thought::default()
            }),
            ("search", Due::Move) => searched(words),
            (_, Due::Ready) => match fix(line, Protocol::Nboard) {
                nothing if nothing.is_empty() => Heard::Nothing,
                fix => Heard::Wrong(format!("in answer to {:?}{fix}", self.asked)),
            },
            _ => Heard::Nothing,
        }
    }

    fn is_talkative(&self) -> bool {
        true
    }

    fn unanswered(&self) -> String {
        self.asked.clone()
    }
}

/// `search F5D6 +1.34 0 12`: the line expected, its score, nothing, the depth.
fn searched<'a>(mut words: impl Iterator<Item = &'a str>) -> Heard {
    let [pv, score, _, depth] = [(); 4].map(|()| words.next());
    Heard::Thought(Thought {
        depth: depth.and_then(|depth| depth.parse().ok()),
        score: score.and_then(finite),
        pv: pv.map(moves::read).unwrap_or_default(),
        ..Thought::default()
    })
}

/// `F5/2.40/0.31`: move, score, seconds. All but the move may be left out.
fn moved(text: &str) -> Heard {
    let mut parts = text.split('/');
    let square = parts.next().unwrap_or_default().to_ascii_lowercase();
    let played = match square.as_str() {
        "pa" | "pass" => "pass".to_owned(),
        _ => square,
    };
    Heard::Move {
        id: None,
        played,
        thought: Thought {
            score: parts.next().and_then(finite),
            time: parts.next().and_then(seconds),
            ..Thought::default()
        },
    }
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(finite(text)?).ok()
}
