//! A running bot: its pipes, its deadlines, its end.
//!
//! All waiting is one `poll` over the bot's output, its standard error and its life, with a
//! deadline on the monotonic clock; nothing blocks otherwise, writing included. Several games go
//! through one process. What it does not do: know games, or share a thread with another bot.

mod aftermath;
mod ending;
mod exchange;
mod excuse;
mod reading;

use std::os::fd::OwnedFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use nix::time::ClockId;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use protocol::{Over, Start};

use self::exchange::timespec;
use self::excuse::Usage;
use super::live;
use super::mark::Mark;
use super::run_delay::RunDelay;
use super::{
    Allowance, ArenaError, Conversation, Event, Failure, Launch, Log, Reply, Step, Tail, helper,
};
use crate::dialect::{Dialect, Question};
use crate::record::{Exit, Fault};

pub use aftermath::Parting;
pub use ending::PARTING;

/// A bot that answered faster than this will probably do so again.
const QUICK: Duration = Duration::from_micros(200);

/// What a bot calls itself in `ready`.
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
    /// What it and all that it starts are known by.
    mark: Mark,
    child: Child,
    /// Becomes readable when the process ends.
    life: OwnedFd,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    errors: Option<ChildStderr>,
    exit: Option<Exit>,
    conversation: Conversation,
    /// What is being said; kept for its memory.
    message: Vec<u8>,
    cpu_clock: Option<ClockId>,
    run_delay: RunDelay,
    /// What it had used when it was asked or greeted, or when it turned out not to be quick.
    before: Usage,
    /// Whether its last answer came at once.
    is_quick: bool,
    /// When it may be spoken to again.
    rested: Option<Instant>,
    /// Whether the system did not start it.
    is_refused: bool,
    /// Whether its process group is stopped.
    is_frozen: bool,
    /// The exact lines of the current game.
    pub log: Log,
    /// The end of its standard error.
    pub tail: Tail,
}

impl BotProcess {
    /// Starts the process; it has not been greeted yet.
    pub fn start(launch: &Launch) -> Result<BotProcess, Failure> {
        BotProcess::start_speaking(launch, launch.protocol.dialect(&launch.setup))
    }

    /// The same, spoken to in a language of the caller's.
    pub fn start_speaking(
        launch: &Launch,
        dialect: Box<dyn Dialect>,
    ) -> Result<BotProcess, Failure> {
        let mark = Mark::new();
        let mut child = launch.start(&mark)?;
        let pid = Pid::from_child(&child);
        let life = pidfd_open(pid, PidfdFlags::empty());
        let clock = nix::unistd::Pid::from_raw(pid.as_raw_nonzero().get());
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let life = match life {
            Ok(life) => life,
            Err(errno) => {
                // Nobody could see it end, so it does not begin.
                let _ = kill_process_group(pid, Signal::KILL);
                let _ = child.wait();
                return Err(ArenaError::Spawn(errno.into()).into());
            }
        };
        let process = BotProcess {
            launch: launch.clone(),
            mark,
            child,
            life,
            input,
            output,
            errors,
            exit: None,
            conversation: Conversation::new(dialect),
            message: Vec::new(),
            cpu_clock: ClockId::pid_cpu_clock_id(clock).ok(),
            run_delay: RunDelay::of(pid),
            before: Usage::default(),
            is_quick: false,
            rested: None,
            is_refused: false,
            is_frozen: false,
            log: Log::default(),
            tail: Tail::default(),
        };
        live::add(pid)?;
        process.set_nonblocking().map_err(ArenaError::Pipe)?;
        Ok(process)
    }

    fn set_nonblocking(&self) -> std::io::Result<()> {
        if let Some(pipe) = &self.input {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        if let Some(pipe) = &self.output {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        if let Some(pipe) = &self.errors {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(())
    }

    /// Sends `hello` and waits for `ready`.
    pub fn greet(&mut self, start: &Start, allowed: Duration) -> Result<Identity, Failure> {
        self.log.clear();
        self.message.clear();
        self.conversation.dialect().hello(start, &mut self.message);
        self.conversation.greet(allowed, Instant::now());
        self.before = self.usage();
        match self.pump()? {
            Step::Ready { name, version } => Ok(Identity { name, version }),
            Step::Fault(fault @ Fault::HandshakeTimeout { .. }) => {
                Err(self.excuse(&fault).map_or(fault.into(), Failure::Arena))
            }
            other => match helper::refusal(self.exit, &self.tail.text()) {
                Some(error) => {
                    self.tail.clear();
                    self.is_refused = true;
                    Err(self.launch.refused(error))
                }
                None => Err(unexpected(other)),
            },
        }
    }

    /// Whether the system did not start the program, which shows when it is greeted.
    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Sends `turn` and waits for the answer.
    pub fn ask(&mut self, question: &Question<'_>, allowance: Allowance) -> Result<Reply, Failure> {
        self.rest()?;
        self.collect()?;
        let now = Instant::now();
        let step = match self.exit {
            // Its end was seen together with its last answer, which counted.
            Some(exit) => self.conversation.on(Event::Exited(exit), now),
            None => self.conversation.ask(allowance, now),
        };
        if let Step::Fault(fault) = step {
            return Err(fault.into());
        }
        self.message.clear();
        let id = self.conversation.id();
        let dialect = self.conversation.dialect();
        dialect.turn(id, question, &mut self.message);
        if !self.is_quick {
            self.before = self.usage();
        }
        match self.pump()? {
            Step::Answer(reply) => {
                self.is_quick = reply.used < QUICK;
                let breath = self.conversation.dialect().breath();
                self.rested = (!breath.is_zero()).then(|| Instant::now() + breath);
                Ok(reply)
            }
            Step::Fault(fault) => Err(self.excuse(&fault).map_or(fault.into(), Failure::Arena)),
            other => Err(unexpected(other)),
        }
    }

    /// Leaves it alone for as long as its language wants.
    fn rest(&mut self) -> Result<(), ArenaError> {
        let Some(until) = self.rested.take() else {
            return Ok(());
        };
        while Instant::now() < until && self.exit.is_none() {
            // Nothing is awaited but time, and the process's end.
            let left = timespec(until.saturating_duration_since(Instant::now()));
            let mut life = [PollFd::new(&self.life, PollFlags::IN)];
            match poll(&mut life, Some(&left)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => break,
                Err(errno) => return Err(ArenaError::Pipe(errno.into())),
            }
        }
        Ok(())
    }

    /// Whether its last answer, in this game or the one before, came at once.
    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// Stops its whole process group until it is spoken to again, so that neither it nor a child of
    /// it takes the core while its opponent thinks. A child in a group of its own goes on.
    pub fn freeze(&mut self) {
        if self.exit.is_none() && !self.is_frozen {
            self.is_frozen = true;
            // A group that is just about to end needs no stopping.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::STOP);
        }
    }

    fn thaw(&mut self) {
        if std::mem::take(&mut self.is_frozen) && self.exit.is_none() {
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::CONT);
        }
    }

    /// Says that the game has ended.
    pub fn tell_over(&mut self, over: &Over) {
        let mut message = Vec::new();
        self.conversation.dialect().over(over, &mut message);
        self.tell(&message);
    }

    /// Sends a message that has no answer. A bot that does not read it is found out when it is next
    /// asked.
    fn tell(&mut self, line: &[u8]) {
        self.thaw();
        if line.is_empty() {
            return;
        }
        self.log.sent(line);
        if let Some(pipe) = &self.input {
            // A pipe too full for one short line belongs to a bot that reads nothing; half a line
            // would garble the next message, so such a pipe is closed.
            if !matches!(rustix::io::write(pipe, line), Ok(written) if written == line.len()) {
                self.input = None;
            }
        }
    }

    /// Whether a further game can be played with this process: alive, all pipes open, and silent
    /// since its last answer.
    pub fn is_fit(&mut self) -> bool {
        self.collect().is_ok()
            && self.input.is_some()
            && self.output.is_some()
            && self.exit.is_none()
            && self.conversation.is_quiet()
    }

    /// The end of its standard error, what lies in the pipe included.
    pub fn drained_stderr(&mut self) -> String {
        // What cannot be read any more was not written for us.
        let _ = self.drain_errors();
        self.tail.text()
    }
}

fn unexpected(step: Step) -> Failure {
    match step {
        Step::Fault(fault) => fault.into(),
        Step::ArenaLate { by } => ArenaError::Stalled(by).into(),
        step => unreachable!("{step:?} answers another question"),
    }
}
