//! Engines for Othello with `NBoard`'s protocol, such as `NTest`.
//!
//! The whole game is sent as GGF before every question, so the engine needs no memory of it. `NBoard` sends a depth and
//! no time; an engine may read the time left from the game's `TI`. Both sides ignore unknown lines.

use std::time::Duration;

use games::formats::{SavedGame, SavedMove, TimeControl, ggf};
use games::{Game, Move};
use protocol::codec::nboard::{NboardCommand, Reply};
use protocol::{Over, Start};

use super::{Due, EngineAdapter, Heard, Protocol, Question, fix, in_answer_to, send, thoughts};
use crate::record::Thought;

/// The depth if the set-up has none. `NBoard` always sends a depth, and engines wait for it.
const DEPTH: u32 = 12;

#[derive(Debug)]
pub struct NboardAdapter {
    setup: Vec<String>,
    pings: u64,
    asked: String,
    name: String,
}

impl NboardAdapter {
    pub fn new(setup: &[String]) -> NboardAdapter {
        NboardAdapter {
            setup: setup.to_vec(),
            pings: 0,
            asked: String::new(),
            name: String::new(),
        }
    }
}

/// Sends the game so far, with `left` on the clock, in whole seconds, rounded down.
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
    send(out, NboardCommand::SetGame(ggf.trim_end().to_owned()));
}

impl EngineAdapter for NboardAdapter {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        send(out, NboardCommand::Nboard);
        if !self.setup.iter().any(|line| line.starts_with("set depth")) {
            send(out, NboardCommand::SetDepth(DEPTH));
        }
        for line in &self.setup {
            send(out, line);
        }
        let time = start.game_time.or(start.move_time).unwrap_or_default();
        set_game(&[], time, out);
        self.pings += 1;
        self.asked = NboardCommand::Ping(self.pings.to_string()).to_string();
        send(out, &self.asked);
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        set_game(
            question.moves,
            Duration::from_millis(question.left_ms[0]),
            out,
        );
        self.asked = NboardCommand::Go.to_string();
        send(out, &self.asked);
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, out: &mut Vec<u8>) {
        send(out, NboardCommand::Quit);
    }

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        match (Reply::parse(&String::from_utf8_lossy(line)), due) {
            (Some(Reply::Move(played)), Due::Move) => {
                let text = played.text.to_ascii_lowercase();
                Heard::Move {
                    id: None,
                    played: if text == "pa" {
                        "pass".to_owned()
                    } else {
                        text
                    },
                    thought: Thought {
                        score: played.evaluation,
                        time: played.time,
                        ..Thought::default()
                    },
                }
            }
            (Some(Reply::Move(_)), Due::Nothing) => Heard::Wrong("nothing was asked".into()),
            (Some(Reply::SetMyName(name)), _) => {
                self.name = name;
                Heard::Nothing
            }
            (Some(Reply::Pong(number)), Due::Ready) if number == self.pings.to_string() => {
                Heard::Ready {
                    name: self.name.clone(),
                    version: String::new(),
                }
            }
            (Some(Reply::NodeStats { nodes, time }), Due::Move) => Heard::Thought(Thought {
                nodes,
                time,
                ..Thought::default()
            }),
            (
                Some(Reply::Search {
                    line,
                    evaluation,
                    depth,
                }),
                Due::Move,
            ) => Heard::Thought(Thought {
                depth,
                score: evaluation,
                pv: thoughts::moves(&line),
                ..Thought::default()
            }),
            (_, Due::Ready) if fix(line, Protocol::Nboard).is_some() => {
                in_answer_to(&self.asked, line, Protocol::Nboard)
            }
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
