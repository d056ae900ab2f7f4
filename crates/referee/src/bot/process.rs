//! A running bot: its pipes, its questions, its end.
//!
//! Each wait ends when the bot has written output or errors, when there is space for a write, when the bot has ended,
//! or at a deadline on the monotonic clock. Nothing else blocks, not even a write. One process may play several games.
//!
//! See [`BotProcess::ask`]: [`pump`](BotProcess::pump) passes events to the [`Conversation`] until it returns a result.

mod greeting;

use std::thread;
use std::time::{Duration, Instant};

use host::{PollResult, Process, Reached, ReadResult, TemporaryFolder, WriteResult};
use protocol::Over;

use super::deadline::{AnswerTimer, MOMENT, Overdue};
use super::{Allowance, Answer, ArenaError, Conversation, Event, Failure, Launch, Log, Step, Tail};
use crate::dialect::{EngineAdapter, Question};
use crate::record::{Exit, Fault};

/// The time that a bot has to exit after `quit`.
pub const PARTING: Duration = Duration::from_millis(500);

/// An answer that takes longer than this may come from a child process of the bot.
const LONG: Duration = Duration::from_millis(50);
/// After an answer faster than this, the next answer is expected to be as fast.
const QUICK: Duration = Duration::from_micros(200);
/// The CPU time that an idle process may use, for a runtime's own threads.
const NOTHING: Duration = Duration::from_millis(3);
/// The number of reads that empty a full pipe. The limit keeps a bot that writes without end from blocking the arena.
const PIPE_PIECES: usize = 8;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    pub name: String,
    pub version: String,
    pub openings: Vec<String>,
    /// Whether the bot's games must begin at the start position.
    pub start_only: bool,
}

/// Stops a bot's opponent until the opponent's next question.
#[derive(Clone, Copy)]
pub struct Hold<'a>(pub &'a dyn Fn());

impl Hold<'_> {
    pub const NONE: Hold<'static> = Hold(&|| {});
}

impl std::fmt::Debug for Hold<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hold")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// `None`: the bot did not exit.
    pub exit: Option<Exit>,
    pub children: usize,
}

impl From<host::Exit> for Exit {
    fn from(exit: host::Exit) -> Exit {
        match exit {
            host::Exit::Status(status) => Exit::Status(status),
            host::Exit::BySystem(reason) => Exit::Signal(reason),
        }
    }
}

/// A process that speaks a bot protocol. Dropping it kills it and its descendants.
#[derive(Debug)]
pub struct BotProcess {
    launch: Launch,
    process: Process,
    conversation: Conversation,
    timer: AnswerTimer,
    message: Vec<u8>,
    /// The last known CPU time of the bot's children, if the system does not count it with the bot's own.
    of_children: Duration,
    is_quick: bool,
    /// If the bot has started other processes: the time of its last answer, and the machine's stalls until then.
    answered: Option<(Instant, Duration)>,
    /// The time from the last answer until all the bot's other processes were stopped. It is charged to the next move.
    overtime: Duration,
    has_played: bool,
    is_refused: bool,
    /// A folder for this process alone; it is removed with the process.
    kept: Option<TemporaryFolder>,
    pub log: Log,
    pub tail: Tail,
}

impl BotProcess {
    pub fn start(launch: &Launch) -> Result<BotProcess, Failure> {
        BotProcess::start_speaking(launch, launch.protocol.adapter(&launch.setup))
    }

    pub fn start_speaking(
        launch: &Launch,
        mut adapter: Box<dyn EngineAdapter>,
    ) -> Result<BotProcess, Failure> {
        adapter.set_limits(launch.limits());
        if let Some(number) = launch.known_greeting.number() {
            adapter.use_style(number);
        }
        let mut launch = launch.clone();
        let kept = launch.keep_for_now()?;
        Ok(BotProcess {
            process: launch.start()?,
            launch,
            kept,
            conversation: Conversation::new(adapter),
            timer: AnswerTimer::new(),
            message: Vec::new(),
            of_children: Duration::ZERO,
            is_quick: false,
            answered: None,
            overtime: Duration::ZERO,
            has_played: false,
            is_refused: false,
            log: Log::default(),
            tail: Tail::default(),
        })
    }

    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    pub fn ask(
        &mut self,
        question: &Question<'_>,
        allowance: Allowance,
        hold: Hold<'_>,
    ) -> Result<Answer, Failure> {
        self.collect()?;
        let now = Instant::now();
        let step = match self.exit() {
            // The exit was read together with the bot's last answer, and that answer counted.
            Some(exit) => self.conversation.on(Event::Exited(exit), now),
            None => self.conversation.ask(allowance, now),
        };
        if let Step::Fault(fault) = step {
            return Err(self.cause(fault));
        }
        self.message.clear();
        let id = self.conversation.id();
        let adapter = self.conversation.adapter();
        adapter.turn(id, question, &mut self.message);
        if !self.is_quick {
            self.timer.note_usage(&self.process);
            if self.launch.is_turn_by_turn() {
                self.timer.note_usage_of_others(&self.process);
            }
        }
        let answer = match self.pump(hold)? {
            Step::Answer(answer) => answer,
            Step::Late(answer, fault) => self.excused(answer, fault)?,
            // `pump` has looked for an excuse and found none.
            Step::Overdue(fault) => return Err(self.cause(fault)),
            Step::Fault(fault) => return Err(self.judge(fault)),
            other => return Err(self.unexpected(other)),
        };
        // The CPU time of other processes is unknown, so a bot with such processes could not get back the time that its
        // opponent took. A bot that is not quick needs none back: its opponent is stopped before each question.
        let has_forked = self.process.has_forked();
        self.is_quick = answer.used < QUICK && !has_forked;
        self.answered = has_forked.then(|| (Instant::now(), host::stalled()));
        if answer.used > LONG {
            self.look_at_children(answer.used);
        }
        Ok(answer)
    }

    /// Returns how long others kept the bot from answering; `None` if this does not excuse `used` beyond `allowed`.
    pub fn excuse(&self, used: Duration, allowed: Duration) -> Option<Duration> {
        let fault = Fault::OutOfTime { used, allowed };
        match self.timer.excuse(&self.process, &fault)? {
            ArenaError::Starved(kept) | ArenaError::Stalled(kept) => Some(kept),
            _ => None,
        }
    }

    pub fn wait_longer(&mut self, longer: Duration) -> Result<Answer, Failure> {
        self.message.clear();
        self.conversation.postpone(longer);
        match self.pump(Hold::NONE)? {
            Step::Answer(answer) | Step::Late(answer, _) => Ok(answer),
            Step::Overdue(fault) | Step::Fault(fault) => Err(self.cause(fault)),
            other => Err(self.unexpected(other)),
        }
    }

    /// Reads the CPU time of the bot's children, unless the bot itself computed for most of `used`. This reads the data
    /// of all processes of the machine, which takes too long after a quick answer.
    fn look_at_children(&mut self, used: Duration) {
        let now = self.process.usage();
        let own = now.cpu.zip(self.timer.before.cpu);
        let own = own.map_or(used, |(now, before)| now.saturating_sub(before));
        if now.of_box.is_none() && 2 * own < used {
            self.of_children = self.of_children.max(self.process.cpu_of_children());
        }
    }

    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// Stops the bot and its descendants until the next message to it: they must not use the opponent's core.
    pub fn freeze(&mut self) {
        self.process.freeze();
        if let Some((since, stalled)) = self.answered.take() {
            let stalled = host::stalled().saturating_sub(stalled);
            let overtime = since.elapsed().saturating_sub(stalled);
            self.overtime = if overtime < MOMENT {
                Duration::ZERO
            } else {
                overtime
            };
        }
        self.process.settle();
    }

    /// Charges CPU time that the bot used outside its turns to its next move, in a sandbox.
    pub fn charge(&mut self, idle: Duration) {
        if self.launch.sandbox.is_some() {
            self.overtime = self.overtime.max(idle);
        }
    }

    /// Returns whether the bot runs and had started processes that can only be stopped one by one at its last answer.
    pub fn has_other_processes(&self) -> bool {
        self.answered.is_some()
    }

    pub fn send_over(&mut self, over: &Over) {
        let mut message = Vec::new();
        self.conversation.adapter().over(over, &mut message);
        self.send(&message);
    }

    /// Sends a message that has no answer. If the bot does not read it, the next question fails.
    fn send(&mut self, line: &[u8]) {
        self.process.thaw();
        if line.is_empty() {
            return;
        }
        self.log.sent(line);
        // If the pipe has no room for a short line, the bot reads nothing. A partial line would garble the next one.
        if self.process.write(line) != WriteResult::Bytes(line.len()) {
            self.process.close_input();
        }
    }

    /// Returns why this process cannot play another game; `None`: it runs, its pipes are open, and it has been silent.
    pub fn why_unfit(&mut self) -> Option<Fault> {
        let is_collected = self.collect().is_ok();
        if let Some(status) = self.process.exit() {
            return Some(Fault::Crashed {
                status: status.into(),
            });
        }
        let is_open = is_collected && self.process.has_input() && self.process.has_output();
        let unasked = self.conversation.unasked();
        unasked.or((!is_open).then_some(Fault::ClosedOutput))
    }

    pub fn send_quit(&mut self) {
        self.process.thaw();
        if self.process.has_input() {
            let mut message = Vec::new();
            self.conversation.adapter().quit(&mut message);
            self.send(&message);
            self.process.close_input();
        }
    }

    /// Sends `quit` once, waits for the exit until `until`, and then kills the bot. Returns the exit; `None`: killed.
    pub fn quit(mut self, until: Instant) -> Option<Exit> {
        self.send_quit();
        while self.exit().is_none() && Instant::now() < until {
            // Reads the bot's output: a bot that is blocked in a write could not exit.
            if self.wait_for_exit(until).is_err() {
                break;
            }
        }
        self.exit()
    }
}

impl BotProcess {
    fn cause(&self, fault: Fault) -> Failure {
        let may_be_caused = matches!(
            fault,
            Fault::StartFailed { .. }
                | Fault::HandshakeTimeout { .. }
                | Fault::OutOfTime { .. }
                | Fault::Crashed { .. }
                | Fault::ClosedOutput
        );
        let fault = match self.process.reached().filter(|_| may_be_caused) {
            Some(Reached::Memory {
                limit_mib,
                peak_mib,
            }) => Fault::OutOfMemory {
                limit_mib,
                peak_mib,
            },
            Some(Reached::MemoryOfMachine) => return ArenaError::NoMemory.into(),
            Some(Reached::Processes { limit }) => Fault::TooManyProcesses { limit },
            Some(Reached::Unstopped { waited, of_machine }) => {
                if of_machine {
                    return ArenaError::Starved(waited).into();
                }
                Fault::NotStopped { waited }
            }
            None => fault,
        };
        fault.into()
    }

    fn judge(&self, fault: Fault) -> Failure {
        match self.cause(fault) {
            Failure::Fault(fault) => {
                let excuse = self.timer.excuse(&self.process, &fault);
                excuse.map_or(fault.into(), Failure::Arena)
            }
            failure @ Failure::Arena(_) => failure,
        }
    }

    /// Accepts a late answer if others kept the bot or the arena from running for as long as the answer was late.
    fn excused(&self, answer: Answer, fault: Fault) -> Result<Answer, Failure> {
        match self.judge(fault) {
            Failure::Arena(ArenaError::Starved(kept) | ArenaError::Stalled(kept)) => Ok(Answer {
                used: answer.used.saturating_sub(kept),
                is_excused: true,
                ..answer
            }),
            failure => Err(failure),
        }
    }

    fn unexpected(&self, step: Step) -> Failure {
        match step {
            Step::Fault(fault) => self.cause(fault),
            step => unreachable!("{step:?} answers another question"),
        }
    }
}

/// Observation of a bot, mainly for `arena check`: its silence, its exit, its use of the machine.
impl BotProcess {
    pub fn exit(&self) -> Option<Exit> {
        self.process.exit().map(Exit::from)
    }

    pub fn write_line(&mut self, line: &[u8]) {
        self.send(line);
    }

    pub fn close_input(&mut self) {
        self.process.close_input();
    }

    pub fn unread(&self) -> &[u8] {
        self.conversation.unread()
    }

    pub fn has_read_everything(&self) -> bool {
        self.process.has_read_everything()
    }

    pub fn listen(&mut self, until: Instant) -> Result<(), ArenaError> {
        while self.exit().is_none() && Instant::now() < until {
            match self.wait_for_exit(until) {
                Err(Failure::Arena(error)) => return Err(error),
                // The caller finds the fault in the output.
                Ok(()) | Err(Failure::Fault(_)) => {}
            }
        }
        Ok(())
    }

    /// Returns whether the bot neither computes nor waits for a core or a disk for `span`. Its children count, too: the
    /// bot may think in a child process. On a busy machine, a process may wait for a core for longer than `span`.
    pub fn is_idle(&mut self, span: Duration) -> Result<bool, ArenaError> {
        let before = self.work();
        let was_at_work = self.process.is_at_work();
        self.listen(Instant::now() + span)?;
        let used = self.work().saturating_sub(before);
        Ok(!was_at_work && !self.process.is_at_work() && used < NOTHING)
    }

    pub fn work(&self) -> Duration {
        self.process.cpu_time().unwrap_or_default() + self.process.cpu_of_children()
    }

    pub fn leave(&mut self, until: Instant) -> Result<Parting, ArenaError> {
        let mut children = 0;
        while self.exit().is_none() && Instant::now() < until {
            let news = self.wait(Some(until), Instant::now(), false)?;
            if news.output
                && let Err(Failure::Arena(error)) = self.collect()
            {
                return Err(error);
            }
            if news.errors {
                self.read_errors()?;
            }
            if news.ended {
                // Counts the children now: `see_exit` kills them.
                children = self.process.children();
                self.see_exit()?;
            }
        }
        Ok(Parting {
            exit: self.exit(),
            children,
        })
    }

    /// Returns the CPU time so far, with the children's if the bot thought in a child. `None` once the bot has ended.
    pub fn cpu_time(&self) -> Option<Duration> {
        Some(self.process.cpu_time()? + self.of_children)
    }

    pub fn peak_memory_kib(&self) -> Option<u64> {
        self.process.peak_memory_kib()
    }

    /// Returns the end of the bot's standard error, including unread text in the pipe.
    pub fn drained_stderr(&mut self) -> String {
        // A pipe that cannot be read has no text left.
        let _ = self.drain_errors();
        self.tail.text()
    }
}

impl BotProcess {
    /// Writes the message, and passes events to the conversation until it returns a result. If the conversation sends
    /// more bytes, appends them to the message. Stops the opponent before the first wait.
    fn pump(&mut self, hold: Hold<'_>) -> Result<Step, ArenaError> {
        // The timer must begin before the bot continues: the bot's processes may then keep the arena from running.
        self.timer.begin(std::mem::take(&mut self.overtime));
        self.process.thaw();
        self.log.sent(&self.message);
        let mut written = 0;
        let mut step = self.write(&mut written);
        if self.is_quick && matches!(step, Step::Wait(_)) && written == self.message.len() {
            // When this returns, a quick bot on our core has answered. For other bots, it costs one system call.
            thread::yield_now();
            self.look_for_answer(&mut step)?;
            // Without control groups, a supervisor on another core had to continue the bot, so it answers later.
            let now = Instant::now();
            if matches!(step, Step::Wait(_)) && self.wait(Some(now + QUICK), now, false)?.output {
                self.look_for_answer(&mut step)?;
            }
        }
        if matches!(step, Step::Wait(_) | Step::Write(_)) {
            hold.0();
            let free = self.timer.forgive(&self.process);
            let wait = self.conversation.postpone(free);
            if matches!(step, Step::Wait(_)) {
                step = wait;
            }
            if self.is_quick {
                self.timer.note_usage(&self.process);
            }
        }
        loop {
            let until = match step {
                Step::Wait(until) => until,
                Step::Overdue(fault) => match self.timer.overdue(&self.process, &fault) {
                    Overdue::NoExcuse => return Ok(Step::Overdue(fault)),
                    Overdue::GivenUp => return Ok(Step::Fault(fault)),
                    Overdue::LookAgain(at) => Some(at),
                },
                Step::Write(bytes) => {
                    self.log.sent(&bytes);
                    self.message.extend(bytes);
                    step = self.write(&mut written);
                    continue;
                }
                step => return Ok(step),
            };
            let now = Instant::now();
            let news = self.wait(until, now, written < self.message.len())?;
            step = Step::Wait(None);
            if news.writable {
                step = self.write(&mut written);
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

    fn look_for_answer(&mut self, step: &mut Step) -> Result<(), ArenaError> {
        match self.read_output()? {
            Step::Wait(None) => {}
            news => *step = news,
        }
        Ok(())
    }

    fn write(&mut self, written: &mut usize) -> Step {
        while *written < self.message.len() {
            match self.process.write(&self.message[*written..]) {
                WriteResult::Bytes(bytes) => *written += bytes,
                WriteResult::Full => break,
                // The bot has closed its input. It may still answer; otherwise it runs out of time.
                WriteResult::Closed => *written = self.message.len(),
            }
        }
        if *written == self.message.len() {
            // Uses the time before the write: a bot on our core may run before the call returns, and a bot may fill or
            // shrink the pipe so that the arena has to wait.
            self.conversation.on(Event::Written, self.timer.asked_at())
        } else {
            self.conversation.on(Event::Tick, Instant::now())
        }
    }

    /// Waits from `now` until something can be read or written, the process ends, or `until` is reached.
    fn wait(
        &self,
        until: Option<Instant>,
        now: Instant,
        writing: bool,
    ) -> Result<PollResult, ArenaError> {
        let news = self.process.wait(until, now, writing);
        news.map_err(ArenaError::Pipe)
    }

    fn wait_for_exit(&mut self, until: Instant) -> Result<(), Failure> {
        let news = self.wait(Some(until), Instant::now(), false)?;
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

    fn collect(&mut self) -> Result<(), Failure> {
        for _ in 0..PIPE_PIECES {
            match self.hear()? {
                ReadResult::Bytes(Step::Fault(fault)) => return Err(fault.into()),
                ReadResult::Bytes(_) => {}
                ReadResult::Nothing => break,
                ReadResult::End => {
                    self.see_closed();
                    break;
                }
            }
        }
        Ok(())
    }

    fn read_output(&mut self) -> Result<Step, ArenaError> {
        Ok(match self.hear()? {
            ReadResult::Bytes(step) => step,
            ReadResult::Nothing => Step::Wait(None),
            ReadResult::End => self.see_closed(),
        })
    }

    fn hear(&mut self) -> Result<ReadResult<Step>, ArenaError> {
        let piece = self.process.read_output(|bytes| {
            self.log.received(bytes);
            self.conversation.on(Event::Output(bytes), Instant::now())
        });
        piece.map_err(ArenaError::Pipe)
    }

    fn see_closed(&mut self) -> Step {
        self.conversation.on(Event::OutputClosed, Instant::now())
    }

    /// Ends the descendants of the exited process. Passes the remaining output and then the exit to the conversation.
    fn see_exit(&mut self) -> Result<Step, ArenaError> {
        let exit = Exit::from(self.process.end().map_err(ArenaError::Pipe)?);
        self.drain_errors()?;
        for _ in 0..PIPE_PIECES {
            match self.hear()? {
                ReadResult::Bytes(Step::Wait(_)) => {}
                ReadResult::Bytes(step) => return Ok(step),
                ReadResult::Nothing | ReadResult::End => break,
            }
        }
        Ok(self.conversation.on(Event::Exited(exit), Instant::now()))
    }

    fn drain_errors(&mut self) -> Result<(), ArenaError> {
        (0..PIPE_PIECES).try_for_each(|_| self.read_errors())
    }

    fn read_errors(&mut self) -> Result<(), ArenaError> {
        let read = self.process.read_errors(|bytes| self.tail.extend(bytes));
        read.map(drop).map_err(ArenaError::Pipe)
    }
}
