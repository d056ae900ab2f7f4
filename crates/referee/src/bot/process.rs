//! A running bot: its pipes, its deadlines, its end.
//!
//! All waiting is for the bot's output, its standard error and its life at once, with a deadline on
//! the monotonic clock; nothing blocks otherwise, writing included. Several games go through one
//! process. What it does not do: know games, call the system, or share a thread with another bot.

mod aftermath;
mod ending;
mod exchange;
mod excuse;
mod reading;

use std::time::{Duration, Instant};

use host::{Process, TemporaryFolder, Usage, Written};
use protocol::{Over, Start};

use super::late::Late;
use super::{Allowance, Answer, Conversation, Event, Failure, Hold, Launch, Log, Step, Tail};
use crate::dialect::{EngineAdapter, Question};
use crate::record::Fault;

pub use aftermath::Parting;
pub use ending::PARTING;

/// An answer that took longer may have been thought out by a child of the bot.
const LONG: Duration = Duration::from_millis(50);
/// A bot that answered faster than this will probably do so again.
const QUICK: Duration = Duration::from_micros(200);

/// The name and version that a bot gives in `ready`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A process that speaks the protocol. Dropping it kills it with all that it has
/// started.
#[derive(Debug)]
pub struct BotProcess {
    launch: Launch,
    process: Process,
    conversation: Conversation,
    /// What is being said; kept for its memory.
    message: Vec<u8>,
    /// What it had used when it was asked or greeted, or when it turned out not to be quick.
    before: Usage,
    /// Before the first byte of the last message was written.
    asked_at: Instant,
    /// CPU time of other processes that it had started when it was first ready, where that is not counted
    /// with its own: a wrapper that started it has used that, or the turns before this one.
    of_others: Duration,
    /// What was counted when it was last looked at while its answer was late.
    seen: Option<Late>,
    /// CPU time of its children, where that is not counted with its own, as far as it was looked up.
    of_children: Duration,
    /// Whether its last answer came at once.
    is_quick: bool,
    /// Whether it was greeted before.
    has_played: bool,
    /// Whether the system did not start it.
    is_refused: bool,
    /// The folder that was made for this process alone.
    _kept: Option<TemporaryFolder>,
    /// The exact lines of the current game.
    pub log: Log,
    /// The end of its standard error.
    pub tail: Tail,
}

impl BotProcess {
    /// Starts the process; it has not been greeted yet.
    pub fn start(launch: &Launch) -> Result<BotProcess, Failure> {
        BotProcess::start_speaking(launch, launch.protocol.adapter(&launch.setup))
    }

    /// The same, with an adapter from the caller.
    pub fn start_speaking(
        launch: &Launch,
        mut adapter: Box<dyn EngineAdapter>,
    ) -> Result<BotProcess, Failure> {
        adapter.set_limits(launch.limits());
        let mut launch = launch.clone();
        let kept = launch.keep_for_now()?;
        Ok(BotProcess {
            process: launch.start()?,
            launch,
            _kept: kept,
            conversation: Conversation::new(adapter),
            message: Vec::new(),
            before: Usage::default(),
            asked_at: Instant::now(),
            of_others: Duration::ZERO,
            seen: None,
            of_children: Duration::ZERO,
            is_quick: false,
            has_played: false,
            is_refused: false,
            log: Log::default(),
            tail: Tail::default(),
        })
    }

    /// Sends `hello` and waits for `ready`.
    pub fn greet(&mut self, start: &Start, allowed: Duration) -> Result<Identity, Failure> {
        self.log.clear();
        self.message.clear();
        self.conversation.adapter().hello(start, &mut self.message);
        let is_new = !std::mem::replace(&mut self.has_played, true);
        if !is_new {
            self.process.forget_reached();
        }
        self.conversation.greet(allowed, Instant::now());
        self.before = self.process.usage();
        match self.pump(Hold::NONE)? {
            Step::Ready { name, version } => {
                if is_new && self.before.of_box.is_none() {
                    self.of_others = self.process.cpu_of_others().unwrap_or_default();
                }
                Ok(Identity { name, version })
            }
            // The machine's share was looked at while it was waited for.
            Step::Overdue(fault) => {
                self.conversation.end();
                Err(self.cause(fault).into())
            }
            Step::Fault(fault @ Fault::HandshakeTimeout { .. }) => Err(self.judge(fault)),
            other => match self.process.refusal(&self.tail.text()) {
                Some(error) => {
                    self.tail.clear();
                    self.is_refused = true;
                    Err(self.launch.refused(error))
                }
                None => Err(self.unexpected(other)),
            },
        }
    }

    /// Whether the system did not start the program, which shows when it is greeted.
    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Sends `turn` and waits for the answer.
    pub fn ask(
        &mut self,
        question: &Question<'_>,
        allowance: Allowance,
        hold: Hold<'_>,
    ) -> Result<Answer, Failure> {
        self.collect()?;
        let now = Instant::now();
        let step = match self.exit() {
            // Its end was seen together with its last answer, which counted.
            Some(exit) => self.conversation.on(Event::Exited(exit), now),
            None => self.conversation.ask(allowance, now),
        };
        if let Step::Fault(fault) = step {
            return Err(self.cause(fault).into());
        }
        self.message.clear();
        let id = self.conversation.id();
        let adapter = self.conversation.adapter();
        adapter.turn(id, question, &mut self.message);
        if !self.is_quick {
            self.before = self.process.usage();
            if self.launch.protocol.is_turn_by_turn() && self.before.of_box.is_none() {
                self.of_others = self.process.cpu_of_others().unwrap_or_default();
            }
        }
        let step = match self.pump(hold)? {
            Step::Late(answer, fault) => Step::Answer(self.excused(answer, fault)?),
            step => step,
        };
        match step {
            Step::Answer(answer) => {
                self.is_quick = answer.used < QUICK;
                if answer.used > LONG {
                    self.look_at_children(answer.used);
                }
                Ok(answer)
            }
            // The machine's share was looked at while it was waited for.
            Step::Overdue(fault) => Err(self.cause(fault).into()),
            Step::Fault(fault) => Err(self.judge(fault)),
            other => Err(self.unexpected(other)),
        }
    }

    /// Looks up what its children have used, if it has not used most of this time itself. All processes of the
    /// machine are gone through, so this is not done for a quick answer.
    fn look_at_children(&mut self, used: Duration) {
        let now = self.process.usage();
        let own = now.cpu.zip(self.before.cpu);
        let own = own.map_or(used, |(now, before)| now.saturating_sub(before));
        if now.of_box.is_none() && 2 * own < used {
            self.of_children = self.of_children.max(self.process.cpu_of_children());
        }
    }

    /// Whether its last answer, in this game or the one before, came at once.
    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// Stops it and what it has started beside it until it is spoken to again, so that neither takes
    /// the core while its opponent thinks.
    pub fn freeze(&mut self) {
        self.process.freeze();
    }

    /// Sends that the game has ended.
    pub fn tell_over(&mut self, over: &Over) {
        let mut message = Vec::new();
        self.conversation.adapter().over(over, &mut message);
        self.tell(&message);
    }

    /// Sends a message that has no answer. A bot that does not read it is found out when it is next
    /// asked.
    fn tell(&mut self, line: &[u8]) {
        self.process.thaw();
        if line.is_empty() {
            return;
        }
        self.log.sent(line);
        // A pipe too full for one short line belongs to a bot that reads nothing; half a line would
        // garble the next message, so such a pipe is closed.
        if self.process.write(line) != Written::Bytes(line.len()) {
            self.process.close_input();
        }
    }

    /// Whether a further game can be played with this process: alive, all pipes open, and silent
    /// since its last answer.
    pub fn is_fit(&mut self) -> bool {
        self.collect().is_ok()
            && self.process.has_input()
            && self.process.has_output()
            && self.process.exit().is_none()
            && self.conversation.is_quiet()
    }

    /// The end of its standard error, what lies in the pipe included.
    pub fn drained_stderr(&mut self) -> String {
        // What cannot be read any more was not written for us.
        let _ = self.drain_errors();
        self.tail.text()
    }

    fn unexpected(&self, step: Step) -> Failure {
        match step {
            Step::Fault(fault) => self.cause(fault).into(),
            step => unreachable!("{step:?} answers another question"),
        }
    }
}
