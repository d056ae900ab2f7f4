//! A running bot: its pipes, its deadlines, its end.
//!
//! All waiting is one `poll` over the bot's output, its standard error and its life, with a
//! deadline on the monotonic clock; nothing blocks otherwise, writing included. Several games go
//! through one process. What it does not do: know games, or share a thread with another bot.

mod aftermath;

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use nix::time::ClockId;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use protocol::{Over, Start};

use super::late::Late;
use super::live;
use super::run_delay::{self, RunDelay};
use super::{
    Allowance, ArenaError, Conversation, Event, Failure, Launch, Log, Reply, Step, Tail, helper,
};
use crate::dialect::{Dialect, Question};
use crate::record::{Exit, Fault};

pub use aftermath::Parting;

/// How long a bot may take to leave after `quit`.
pub const PARTING: Duration = Duration::from_millis(500);
/// A bot that answered faster than this will probably do so again.
const QUICK: Duration = Duration::from_micros(200);
/// Schedulers let everybody run within this, however many there are.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// One read; a pipe holds 64 KiB.
const PIECE: usize = 16 * 1024;
/// Reads that empty a pipe; a bot that has written more since is flooding, and its fault shows.
const PIPE_PIECES: usize = 8;

/// What a bot calls itself in `ready`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A process that speaks the protocol. Dropping it kills its whole process group.
#[derive(Debug)]
pub struct BotProcess {
    launch: Launch,
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
        let mut child = launch.start()?;
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
                    Err(self.launch.refused(error))
                }
                None => Err(unexpected(other)),
            },
        }
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

    /// The machine's share in a fault.
    fn excuse(&self, fault: &Fault) -> Option<ArenaError> {
        let (allowed, overrun) = match *fault {
            Fault::OutOfTime { used, allowed } => (allowed, used.saturating_sub(allowed)),
            // How late `ready` would have been is not known: who was kept from its core for half of
            // the time could have been done.
            Fault::HandshakeTimeout { allowed, .. } => (allowed, allowed / 2),
            _ => return None,
        };
        let cpu = self.cpu_time()?.saturating_sub(self.before.cpu?);
        if self.run_delay.is_ready() {
            self.let_run();
        }
        let now = self.usage();
        let late = Late {
            allowed,
            overrun,
            cpu,
            waited: now.waited.saturating_sub(self.before.waited),
            for_arena: now.arena.saturating_sub(self.before.arena),
            for_children: run_delay::cpu_of_children(Pid::from_child(&self.child)),
        };
        late.excused_by().map(ArenaError::Starved)
    }

    fn usage(&self) -> Usage {
        let arena = nix::time::clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID);
        Usage {
            waited: self.run_delay.read(),
            cpu: self.cpu_time(),
            arena: arena.map_or(Duration::ZERO, Duration::from),
        }
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

    /// Waits until a process that is ready to run has run, since only then its wait is counted.
    fn let_run(&self) {
        let (start, until) = (self.cpu_time(), Instant::now() + LONGEST_WAIT);
        while self.cpu_time() == start && Instant::now() < until {
            // Nothing is awaited but time, and the process's end.
            let mut life = [PollFd::new(&self.life, PollFlags::IN)];
            if poll(&mut life, Some(&timespec(Duration::from_millis(1)))) != Ok(0) {
                break;
            }
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

    /// CPU time of the process so far, its children not counted; `None` once it has ended.
    pub fn cpu_time(&self) -> Option<Duration> {
        let time = nix::time::clock_gettime(self.cpu_clock?).ok()?;
        Some(Duration::from(time))
    }

    /// The end of its standard error, what lies in the pipe included.
    pub fn drained_stderr(&mut self) -> String {
        // What cannot be read any more was not written for us.
        let _ = self.drain_errors();
        self.tail.text()
    }

    /// Says `quit` and closes the bot's input.
    pub fn say_quit(&mut self) {
        self.thaw();
        if self.input.is_some() {
            let mut message = Vec::new();
            self.conversation.dialect().quit(&mut message);
            self.tell(&message);
            self.input = None;
        }
    }

    /// Says `quit` if that has not been said, lets the bot leave until `until`, ends its whole
    /// process group. How it left; `None`: it had to be killed.
    pub fn quit(mut self, until: Instant) -> Option<Exit> {
        self.say_quit();
        while self.exit.is_none() && Instant::now() < until {
            // Its output is read on: a bot that is stuck in a write could not leave.
            if self.part(until).is_err() {
                break;
            }
        }
        self.exit
    }

    /// One wait for the bot to leave.
    fn part(&mut self, until: Instant) -> Result<(), Failure> {
        let news = self.wait_for_news(Some(until), Instant::now(), false)?;
        if news.output {
            self.collect()?;
        }
        if news.errors {
            self.read_errors()?;
        }
        if news.ended {
            self.see_exit()?;
        }
        Ok(())
    }

    /// Writes the message and lets the conversation take events until it comes to something.
    fn pump(&mut self) -> Result<Step, ArenaError> {
        let message = std::mem::take(&mut self.message);
        let result = self.exchange(&message);
        self.message = message;
        result
    }

    fn exchange(&mut self, message: &[u8]) -> Result<Step, ArenaError> {
        self.thaw();
        self.log.sent(message);
        let mut unwritten = message;
        let mut step = self.write(&mut unwritten);
        if self.is_quick && unwritten.is_empty() && matches!(step, Step::Wait(_)) {
            // A bot on our core that needs no time has answered by the time it is our turn again;
            // one that is not, or does, costs us this one call.
            rustix::thread::sched_yield();
            match self.read_output()? {
                // Nothing has come, so what was waited for still is.
                Step::Wait(None) => self.before = self.usage(),
                news => step = news,
            }
        }
        loop {
            let Step::Wait(until) = step else {
                return Ok(step);
            };
            let now = Instant::now();
            let news = self.wait_for_news(until, now, !unwritten.is_empty())?;
            step = Step::Wait(None);
            if news.writable {
                step = self.write(&mut unwritten);
            }
            if matches!(step, Step::Wait(_)) && news.output {
                step = self.read_output()?;
            }
            if news.errors {
                self.read_errors()?;
            }
            if matches!(step, Step::Wait(_)) && news.ended {
                step = self.see_exit()?;
            }
            if matches!(step, Step::Wait(_)) {
                step = self.conversation.on(Event::Tick, Instant::now());
            }
        }
    }

    /// Writes as much as the pipe takes.
    fn write(&mut self, unwritten: &mut &[u8]) -> Step {
        // A bot on our core may run before the call that wrote its question returns. So its clock
        // runs from before the call that wrote the last byte.
        let mut written_at = None;
        while let Some(pipe) = self.input.as_ref().filter(|_| !unwritten.is_empty()) {
            written_at = Some(Instant::now());
            match rustix::io::write(pipe, unwritten) {
                Ok(written) => *unwritten = &unwritten[written..],
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                // The bot closed its input. It may still answer; if not, it is out of time.
                Err(_) => self.input = None,
            }
        }
        if self.input.is_none() {
            *unwritten = &[];
        }
        if unwritten.is_empty() {
            let written_at = written_at.unwrap_or_else(Instant::now);
            self.conversation.on(Event::Written, written_at)
        } else {
            self.conversation.on(Event::Tick, Instant::now())
        }
    }

    /// Waits until something can be read or written, the process ends, or it is time.
    fn wait_for_news(
        &self,
        until: Option<Instant>,
        now: Instant,
        writing: bool,
    ) -> Result<News, ArenaError> {
        let timeout = until.map(|until| timespec(until.saturating_duration_since(now)));
        let life = self.exit.is_none().then(|| self.life.as_fd());
        let input = self.input.as_ref().filter(|_| writing).map(AsFd::as_fd);
        let fds = [
            (self.output.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (self.errors.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (life, PollFlags::IN),
            (input, PollFlags::OUT),
        ];
        // A descriptor that is gone is left out by asking for nothing of one that stays quiet.
        let mut polled = fds.map(|(fd, flags)| {
            PollFd::from_borrowed_fd(
                fd.unwrap_or(self.life.as_fd()),
                if fd.is_some() {
                    flags
                } else {
                    PollFlags::empty()
                },
            )
        });
        let count = if writing { 4 } else { 3 };
        match poll(&mut polled[..count], timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(ArenaError::Pipe(errno.into())),
        }
        let seen = |index: usize| fds[index].0.is_some() && !polled[index].revents().is_empty();
        Ok(News {
            output: seen(0),
            errors: seen(1),
            ended: seen(2),
            writable: seen(3),
        })
    }

    /// Takes in whatever has arrived, without waiting: before a question, and between games.
    fn collect(&mut self) -> Result<(), Failure> {
        for _ in 0..PIPE_PIECES {
            let Some(pipe) = &self.output else { break };
            match read_piece(pipe, |bytes| {
                self.log.received(bytes);
                self.conversation.on(Event::Output(bytes), Instant::now())
            })? {
                Piece::Bytes(Step::Fault(fault)) => return Err(fault.into()),
                Piece::Bytes(_) => {}
                Piece::Nothing => break,
                Piece::End => {
                    self.output = None;
                    self.conversation.on(Event::OutputClosed, Instant::now());
                }
            }
        }
        Ok(())
    }

    fn read_output(&mut self) -> Result<Step, ArenaError> {
        let Some(pipe) = &self.output else {
            return Ok(Step::Wait(None));
        };
        Ok(
            match read_piece(pipe, |bytes| {
                self.log.received(bytes);
                self.conversation.on(Event::Output(bytes), Instant::now())
            })? {
                Piece::Bytes(step) => step,
                Piece::Nothing => Step::Wait(None),
                Piece::End => {
                    self.output = None;
                    self.conversation.on(Event::OutputClosed, Instant::now())
                }
            },
        )
    }

    /// Kills whatever lives of the group and waits for its leader.
    fn end_group(&mut self) -> std::io::Result<ExitStatus> {
        let pid = Pid::from_child(&self.child);
        live::remove(pid);
        // Fails only where the whole group is gone already.
        let _ = kill_process_group(pid, Signal::KILL);
        self.child.wait()
    }

    /// Empties the pipe of its standard error.
    fn drain_errors(&mut self) -> Result<(), ArenaError> {
        (0..PIPE_PIECES).try_for_each(|_| self.read_errors())
    }

    fn read_errors(&mut self) -> Result<(), ArenaError> {
        let Some(pipe) = &self.errors else {
            return Ok(());
        };
        if let Piece::End = read_piece(pipe, |bytes| self.tail.extend(bytes))? {
            self.errors = None;
        }
        Ok(())
    }

    /// The process has ended: everything it wrote before counts, and then its end does.
    fn see_exit(&mut self) -> Result<Step, ArenaError> {
        // Its children go first: once the leader is waited for, the group's number may be another's.
        let exit = as_exit(self.end_group().map_err(ArenaError::Pipe)?);
        self.exit = Some(exit);
        self.drain_errors()?;
        for _ in 0..PIPE_PIECES {
            let Some(pipe) = &self.output else { break };
            match read_piece(pipe, |bytes| {
                self.log.received(bytes);
                self.conversation.on(Event::Output(bytes), Instant::now())
            })? {
                Piece::Bytes(Step::Wait(_)) => {}
                Piece::Bytes(step) => return Ok(step),
                Piece::Nothing | Piece::End => break,
            }
        }
        Ok(self.conversation.on(Event::Exited(exit), Instant::now()))
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        if self.exit.is_none() {
            let _ = self.end_group();
        }
    }
}

/// What a process has had of its core and has waited for it, and what our thread has had of its.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    waited: Duration,
    cpu: Option<Duration>,
    arena: Duration,
}

/// What `poll` found.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one for each descriptor that was polled"
)]
struct News {
    output: bool,
    errors: bool,
    ended: bool,
    writable: bool,
}

/// What a read brought.
enum Piece<T> {
    Bytes(T),
    Nothing,
    End,
}

/// One read without waiting.
fn read_piece<T>(pipe: &impl AsFd, take: impl FnOnce(&[u8]) -> T) -> Result<Piece<T>, ArenaError> {
    let mut buffer = [MaybeUninit::uninit(); PIECE];
    match rustix::io::read(pipe, &mut buffer) {
        Ok(([], _)) => Ok(Piece::End),
        Ok((bytes, _)) => Ok(Piece::Bytes(take(bytes))),
        Err(Errno::AGAIN | Errno::INTR) => Ok(Piece::Nothing),
        Err(errno) => Err(ArenaError::Pipe(errno.into())),
    }
}

fn unexpected(step: Step) -> Failure {
    match step {
        Step::Fault(fault) => fault.into(),
        Step::ArenaLate { by } => ArenaError::Stalled(by).into(),
        step => unreachable!("{step:?} answers another question"),
    }
}

fn as_exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Status(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Status(status.into_raw()),
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs() as i64,
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
