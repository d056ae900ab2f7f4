//! Who can play a game: a process, a script, later a person.

use std::time::Duration;

use games::{Board, Move, Square};
use protocol::{Hello, Over, Start, ToBot, TurnEncoder};

use crate::bot::{Allowance, BotProcess, Failure};

/// Time to start up and say `ready`. It is not move time.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// One side of a game. Every call may fail through the player's fault or the arena's.
pub trait Player {
    /// A game begins.
    fn start(&mut self, start: &Start) -> Result<(), Failure>;
    /// The move for a position with at least one legal square.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure>;
    /// The game has ended.
    fn over(&mut self, over: &Over);
    /// CPU time used so far; `None`: not known.
    fn cpu_time(&self) -> Option<Duration>;
}

/// A position in which a player is to move.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The position.
    pub board: &'a Board,
    /// What may be played.
    pub legal: &'a [Square],
    /// Every move since the start position.
    pub moves: &'a [Move],
    /// The time for it.
    pub allowance: Allowance,
    /// What both clocks show, in ms, the player's own first; 0: no limit.
    pub left_ms: [u64; 2],
}

/// What a player answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move as written.
    pub played: String,
    /// From question to answer.
    pub used: Duration,
    /// The last depth told.
    pub depth: Option<u32>,
    /// The last score told.
    pub score: Option<f64>,
    /// The last count of nodes told.
    pub nodes: Option<u64>,
}

/// A bot process as a player.
#[derive(Debug)]
pub struct ProcessPlayer {
    process: BotProcess,
    encoder: TurnEncoder,
}

impl ProcessPlayer {
    /// A started process, which has not been greeted.
    pub fn new(process: BotProcess) -> ProcessPlayer {
        ProcessPlayer {
            process,
            encoder: TurnEncoder::new(),
        }
    }

    /// The process itself.
    pub fn process(&mut self) -> &mut BotProcess {
        &mut self.process
    }

    /// Gives the process back.
    pub fn into_process(self) -> BotProcess {
        self.process
    }
}

impl Player for ProcessPlayer {
    fn start(&mut self, start: &Start) -> Result<(), Failure> {
        let hello = line(&ToBot::Hello(Hello::from(start)));
        self.process.greet(&hello, HANDSHAKE).map(|_| ())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let id = self.process.next_id();
        let line = self
            .encoder
            .encode(id, turn.board, turn.legal, turn.moves, turn.left_ms);
        let reply = self.process.ask(line, turn.allowance)?;
        let (played, used) = (reply.played, reply.used);
        Ok(Answer {
            played,
            used,
            depth: reply.depth,
            score: reply.score,
            nodes: reply.nodes,
        })
    }

    fn over(&mut self, over: &Over) {
        self.process.tell(&line(&ToBot::Over(over.clone())));
    }

    fn cpu_time(&self) -> Option<Duration> {
        self.process.cpu_time()
    }
}

fn line(message: &ToBot) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("a message is always JSON");
    line.push(b'\n');
    line
}
