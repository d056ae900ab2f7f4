//! A process of our own: started in a group of its own, waited for in one `poll`.

use std::cell::Cell;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, RawPid, Signal};

use super::kernel::sandbox::{Boxed, Killer};
use super::kernel::{self, CpuClock, Life, RunDelay};
use super::pipe::Pipe;
use super::tag::{self, Tag};
use super::{ourselves, reaper, starter};
use crate::{CoreTime, Exit, News, Piece, Program, Reached, StartError, Streams, Written};

/// How long a box may take to end itself: what its processes do in the kernel may last, and would take the time of
/// the next game.
const ENDING: Duration = Duration::from_secs(60);
/// How long a group may be silent before it gets SIGCONT again, the first and the last time; the time doubles.
///
/// Linux stops a child that is forked while its group gets SIGSTOP, and forgets it if SIGCONT comes within the same
/// fork: `prepare_signal` drops a signal that is ignored before the signals for new processes are looked at.
const AGAIN: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(1)];

/// A process group, by its leader, or a box, by its first process.
#[derive(Clone, Debug)]
pub struct Group {
    leader: RawPid,
    boxed: Option<Killer>,
}

impl Group {
    fn plain(leader: Pid) -> Group {
        Group {
            leader: leader.as_raw_pid(),
            boxed: None,
        }
    }

    /// What it is known by while it lives.
    pub fn number(&self) -> u64 {
        u64::from(self.leader.unsigned_abs())
    }

    pub fn kill(&self) {
        match (&self.boxed, Pid::from_raw(self.leader)) {
            (Some(boxed), Some(leader)) => boxed.kill(leader),
            _ => self.signal(Signal::KILL),
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = Pid::from_raw(self.leader) {
            starter::signal(leader, signal);
        }
    }
}

/// A process that has been started and not been waited for.
#[derive(Debug)]
pub struct Running {
    child: Child,
    /// What it and all that it starts are known by.
    tag: Tag,
    life: Life,
    input: Pipe,
    output: Pipe,
    errors: Pipe,
    cpu: CpuClock,
    run_delay: RunDelay,
    /// Its box, if it has one; then the first process only waits for it.
    boxed: Option<Boxed>,
    /// Whether the program is ours and starts another for every turn.
    is_turn_by_turn: bool,
    /// The silence after which the group gets SIGCONT again, once it was frozen and is thawed.
    again: Cell<Option<Duration>>,
}

impl Running {
    pub fn start(program: &Program, streams: Streams) -> Result<Running, StartError> {
        let tag = Tag::new();
        if ourselves::helps() {
            reaper::engage();
        }
        let (boxed, mut command) = match &program.sandbox {
            None => (None, starter::command(&program.path)),
            Some(sandbox) => {
                let (boxed, command) = Boxed::make(sandbox, program)?;
                (Some(boxed), command)
            }
        };
        command
            .args(&program.arguments)
            .env_clear()
            .envs(
                program
                    .variables
                    .iter()
                    .filter_map(|name| Some((name, std::env::var_os(name)?))),
            )
            .envs(program.settings.iter().map(|(name, value)| (name, value)))
            .envs(boxed.iter().flat_map(Boxed::variables))
            .env(tag::NAME, tag.text());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let report = connect(&mut command, streams).map_err(StartError::Exhausted)?;
        let child = command.spawn().map_err(starter::why)?;
        // It holds the other end of a report, which would otherwise never end.
        drop(command);
        let mut running =
            Running::watch(child, tag, report, boxed).map_err(StartError::Exhausted)?;
        running.is_turn_by_turn = program.is_turn_by_turn();
        Ok(running)
    }

    /// The process with all that is needed to see and hear it.
    fn watch(
        mut child: Child,
        tag: Tag,
        report: Option<OwnedFd>,
        boxed: Option<Boxed>,
    ) -> io::Result<Running> {
        let pid = Pid::from_child(&child);
        let output = report.or_else(|| child.stdout.take().map(OwnedFd::from));
        let (input, errors) = (child.stdin.take(), child.stderr.take());
        let senses = || {
            let (input, errors) = (Pipe::new(input)?, Pipe::new(errors)?);
            Ok((Life::of(pid)?, input, Pipe::new(output)?, errors))
        };
        match senses() {
            Ok((life, input, output, errors)) => {
                reaper::begun(pid);
                Ok(Running {
                    child,
                    tag,
                    life,
                    input,
                    output,
                    errors,
                    cpu: CpuClock::of(pid),
                    run_delay: RunDelay::of(pid),
                    boxed,
                    is_turn_by_turn: false,
                    again: Cell::new(None),
                })
            }
            Err(error) => {
                // Nobody could see it end, so it does not begin.
                Group::plain(pid).kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub fn group(&self) -> Group {
        Group {
            boxed: self.boxed.as_ref().map(Boxed::killer),
            ..Group::plain(self.pid())
        }
    }

    pub fn has_input(&self) -> bool {
        self.input.is_open()
    }

    pub fn has_output(&self) -> bool {
        self.output.is_open()
    }

    pub fn close_input(&mut self) {
        self.input.close();
    }

    pub fn write(&mut self, bytes: &[u8]) -> Written {
        self.input.write(bytes)
    }

    pub fn has_read_everything(&self) -> bool {
        self.input.is_empty()
    }

    pub fn read_output<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        self.output.read(take)
    }

    pub fn read_errors<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        self.errors.read(take)
    }

    pub fn wait(&self, limit: Option<Duration>, lives: bool, writing: bool) -> io::Result<News> {
        let life = self.life.fd();
        let fds = [
            (self.output.fd(), PollFlags::IN),
            (self.errors.fd(), PollFlags::IN),
            (lives.then_some(life), PollFlags::IN),
            (self.input.fd().filter(|_| writing), PollFlags::OUT),
        ];
        // A descriptor that is gone is left out by asking for nothing of one that stays quiet.
        let mut polled = fds.map(|(fd, flags)| {
            let flags = if fd.is_some() {
                flags
            } else {
                PollFlags::empty()
            };
            PollFd::from_borrowed_fd(fd.unwrap_or(life), flags)
        });
        let count = if writing { 4 } else { 3 };
        let again = self.again.get();
        let limit = limit.into_iter().chain(again).min();
        match poll(&mut polled[..count], limit.map(timespec).as_ref()) {
            Ok(0) => self.thaw_again(limit),
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let seen = |index: usize| fds[index].0.is_some() && !polled[index].revents().is_empty();
        Ok(News {
            output: seen(0),
            errors: seen(1),
            ended: seen(2),
            writable: seen(3),
        })
    }

    pub fn wait_for_end(&self, limit: Duration) -> io::Result<bool> {
        let mut life = [PollFd::from_borrowed_fd(self.life.fd(), PollFlags::IN)];
        match poll(&mut life, Some(&timespec(limit))) {
            Ok(events) => Ok(events > 0),
            Err(Errno::INTR) => Ok(false),
            Err(errno) => Err(errno.into()),
        }
    }

    pub fn freeze(&self) {
        if let Some(boxed) = &self.boxed {
            boxed.set_frozen(true, self.pid());
        } else {
            self.group().signal(Signal::STOP);
            self.again.set(None);
        }
    }

    pub fn thaw(&self) {
        if let Some(boxed) = &self.boxed {
            boxed.set_frozen(false, self.pid());
        } else {
            self.group().signal(Signal::CONT);
            self.again.set(Some(AGAIN[0]));
        }
    }

    /// Sends SIGCONT again if the group was silent for long enough. A leader that is stopped has stopped itself: it has
    /// got the first one.
    fn thaw_again(&self, silent: Option<Duration>) {
        if let Some(again) = self.again.get().filter(|&again| silent == Some(again))
            && kernel::can_lose_signals(self.pid())
        {
            self.group().signal(Signal::CONT);
            self.again.set(Some((2 * again).min(AGAIN[1])));
        }
    }

    /// Of the program itself.
    pub fn cpu_time(&self) -> Option<Duration> {
        let own = match &self.boxed {
            None => self.cpu.read(),
            Some(boxed) => match boxed.inside(self.pid()) {
                Some(inside) => inside.cpu.read(),
                None => Some(Duration::ZERO),
            },
        };
        Some(own? + self.cpu_of_turn())
    }

    fn cpu_of_turn(&self) -> Duration {
        let of_turn = self.turn().and_then(|pid| CpuClock::of(pid).read());
        of_turn.unwrap_or_default()
    }

    /// Of all that it is and has started; `None`: nobody counts it.
    pub fn cpu_of_all(&self) -> Option<Duration> {
        self.boxed.as_ref()?.cpu_time()
    }

    pub fn core_time(&self) -> CoreTime {
        let own = match &self.boxed {
            None => self.run_delay.read(),
            Some(boxed) => {
                let inside = boxed.inside(self.pid());
                inside.map_or_else(CoreTime::default, |inside| inside.run_delay.read())
            }
        };
        let of_turn = self.turn().map(|pid| RunDelay::of(pid).read());
        let of_turn = of_turn.unwrap_or_default();
        CoreTime {
            ran: own.ran + of_turn.ran,
            waited: own.waited + of_turn.waited,
        }
    }

    /// The process that our program has started for this turn: it does the work, and ours waits for it.
    fn turn(&self) -> Option<Pid> {
        let ours = self.is_turn_by_turn.then(|| self.program());
        ours.and_then(kernel::child_of)
    }

    /// The program's own process; until a box is made, the one that makes it.
    fn program(&self) -> Pid {
        let inside = self
            .boxed
            .as_ref()
            .and_then(|boxed| boxed.inside(self.pid()));
        inside.map_or(self.pid(), |inside| inside.pid)
    }

    pub fn is_ready(&self) -> bool {
        kernel::is_ready(self.program()) || self.turn().is_some_and(kernel::is_ready)
    }

    pub fn is_at_work(&self) -> bool {
        match &self.boxed {
            Some(boxed) => boxed.is_at_work(self.pid()),
            None => kernel::is_group_at_work(self.pid()),
        }
    }

    pub fn cpu_of_children(&self) -> Duration {
        match &self.boxed {
            Some(boxed) => boxed.cpu_of_others(self.pid()),
            None => kernel::cpu_of_children(self.pid()).saturating_sub(self.cpu_of_turn()),
        }
    }

    pub fn cpu_of_others(&self) -> Option<Duration> {
        match &self.boxed {
            Some(boxed) if boxed.has_forked() => None,
            _ => Some(self.cpu_of_children()),
        }
    }

    pub fn children(&self) -> usize {
        if let Some(boxed) = &self.boxed {
            return boxed.others(self.pid());
        }
        let in_group = kernel::children_of(self.pid());
        in_group.max(kernel::count_tagged(&self.tag))
    }

    pub fn peak_memory_kib(&self) -> Option<u64> {
        kernel::peak_memory_kib(self.program())
    }

    /// Whether the program is known to have begun.
    pub fn has_begun(&self) -> bool {
        self.boxed.as_ref().is_some_and(Boxed::is_up)
    }

    /// Why no box was made, if none was; `said` is what came out of it.
    pub fn no_box(&self, said: &str) -> Option<StartError> {
        self.boxed.as_ref().filter(|_| !self.has_begun())?;
        let said = said.trim();
        let why = if said.is_empty() {
            "it ended without a word"
        } else {
            said
        };
        Some(StartError::NoBox(why.to_owned()))
    }

    pub fn forget_reached(&self) {
        self.boxed.iter().for_each(Boxed::forget_reached);
    }

    pub fn reached(&self) -> Option<Reached> {
        self.boxed.as_ref()?.reached()
    }

    /// Its children go first: once the leader is waited for, the group's number may be another's.
    pub fn end(&mut self) -> io::Result<Exit> {
        if self.boxed.is_some() {
            return self.end_box();
        }
        self.group().signal(Signal::KILL);
        let exit = self.child.wait().map(as_exit);
        reaper::ended(self.pid());
        // Those that have left its group.
        kernel::kill_tagged(&self.tag);
        exit
    }

    fn end_box(&mut self) -> io::Result<Exit> {
        let leader = self.pid();
        if let Some(boxed) = &self.boxed
            && !self.wait_for_end(Duration::ZERO)?
        {
            boxed.kill(leader);
            if !self.wait_for_end(ENDING)? {
                self.group().signal(Signal::KILL);
            }
        }
        let exit = self.child.wait().map(as_exit);
        let Some(boxed) = &self.boxed else {
            return exit;
        };
        boxed.clear();
        boxed.exit().map_or(exit, Ok)
    }
}

/// Gives the process its streams; the end of a report that is ours, if it is to write one.
fn connect(command: &mut Command, streams: Streams) -> io::Result<Option<OwnedFd>> {
    match streams {
        Streams::Dialogue => {
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            Ok(None)
        }
        Streams::Report => {
            let (ours, theirs) = io::pipe()?;
            command
                .stdin(Stdio::null())
                .stdout(theirs.try_clone()?)
                .stderr(theirs);
            Ok(Some(ours.into()))
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs() as i64,
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}

fn as_exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Status(code),
        (None, Some(signal)) => Exit::BySystem(signal),
        (None, None) => Exit::Status(status.into_raw()),
    }
}
