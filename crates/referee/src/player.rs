//! The players of a game: a process, a script, a person.

use std::time::Duration;

use games::{Board, Move, Square};
use protocol::{Over, Start};

use crate::bot::{Allowance, Answer, BotProcess, Failure, Hold, Identity, Launch};
use crate::dialect::Question;
use crate::record::Fault;

/// The time to start and send `ready`. It is not move time.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// One side of a game. Every call may fail through the player's fault or the arena's.
pub trait Player {
    /// A game begins.
    fn start(&mut self, start: &Start) -> Result<(), Failure>;
    /// The move for a position with at least one legal square.
    ///
    /// # Errors
    /// [`ArenaError::Aborted`](crate::bot::ArenaError::Aborted) if the wait for a person was
    /// cancelled.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure>;
    /// The game has ended.
    fn over(&mut self, over: &Over);
    /// The same player as a user of processor time; `None` for a person or a script.
    fn computing(&mut self) -> Option<&mut dyn Computing> {
        None
    }
}

/// A player that takes processor time, which the referee divides fairly and measures.
pub trait Computing {
    /// Whether it may take a while for its next move: not if its last answer, in whatever game, came
    /// at once.
    fn thinks(&self) -> bool;
    /// The other player thinks: this one gets no processor until it is spoken to again.
    fn pause(&mut self);
    /// CPU time used so far; `None`: not known.
    fn cpu_time(&self) -> Option<Duration>;
}

/// A position in which a player is to move.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The position.
    pub board: &'a Board,
    /// The legal moves.
    pub legal: &'a [Square],
    /// Every move since the start position.
    pub moves: &'a [Move],
    /// The time for it.
    pub allowance: Allowance,
    /// The time left on both clocks, in ms, the player's own first; 0: no limit.
    pub left_ms: [u64; 2],
    /// The player's moves that its time is for, this one included; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Stops the opponent: a process does so before the arena waits for its answer.
    pub hold_opponent: Hold<'a>,
}

/// A bot process as a player. The process is started when its first game starts, so that a bot
/// that does not start is at fault in that game.
#[derive(Debug)]
pub struct ProcessPlayer {
    launch: Launch,
    process: Option<BotProcess>,
    /// Whether the process has played before and has not been greeted since.
    used: bool,
    /// Whether such a process turned out to have left, so that a fresh one plays.
    replaced: bool,
}

impl ProcessPlayer {
    /// A player whose process has not been started.
    pub fn new(launch: Launch) -> ProcessPlayer {
        ProcessPlayer {
            launch,
            process: None,
            used: false,
            replaced: false,
        }
    }

    /// The same with a process that has played already.
    #[must_use]
    pub fn with_process(self, process: BotProcess) -> ProcessPlayer {
        ProcessPlayer {
            process: Some(process),
            used: true,
            ..self
        }
    }

    /// The process, once it has been started.
    pub fn process(&mut self) -> Option<&mut BotProcess> {
        self.process.as_mut()
    }

    /// Gives the process away.
    pub fn into_process(self) -> Option<BotProcess> {
        self.process
    }

    /// Whether a process that had played before was found to have left, and was replaced.
    pub fn was_replaced(&self) -> bool {
        self.replaced
    }

    /// Starts the process if need be and greets it.
    ///
    /// The exit of a process after its game may show only when it is greeted for the next one. That
    /// is not a failure to start; a new process plays.
    pub fn introduce(&mut self, start: &Start) -> Result<Identity, Failure> {
        if let (Some(process), true) = (&mut self.process, std::mem::take(&mut self.used)) {
            match process.greet(start, HANDSHAKE) {
                // What it wrote after its last game may arrive only now, too.
                Err(Failure::Fault(fault)) if !matches!(fault, Fault::HandshakeTimeout { .. }) => {
                    self.process = None;
                    self.replaced = true;
                }
                result => return result,
            }
        }
        let process = match &mut self.process {
            Some(process) => process,
            None => self.process.insert(BotProcess::start(&self.launch)?),
        };
        process.greet(start, HANDSHAKE)
    }
}

impl Player for ProcessPlayer {
    fn start(&mut self, start: &Start) -> Result<(), Failure> {
        self.introduce(start).map(|_| ())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let process = self
            .process
            .as_mut()
            .expect("a player is started before it is asked");
        let question = Question {
            board: turn.board,
            legal: turn.legal,
            moves: turn.moves,
            left_ms: turn.left_ms,
            moves_to_go: turn.moves_to_go,
        };
        process.ask(&question, turn.allowance, turn.hold_opponent)
    }

    fn over(&mut self, over: &Over) {
        if let Some(process) = &mut self.process {
            process.tell_over(over);
        }
    }

    fn computing(&mut self) -> Option<&mut dyn Computing> {
        Some(self)
    }
}

impl Computing for ProcessPlayer {
    fn thinks(&self) -> bool {
        !self.process.as_ref().is_some_and(BotProcess::is_quick)
    }

    fn pause(&mut self) {
        if let Some(process) = &mut self.process {
            process.freeze();
        }
    }

    fn cpu_time(&self) -> Option<Duration> {
        self.process.as_ref()?.cpu_time()
    }
}
