//! A process in its own process group, with its pipes.

use std::cell::Cell;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, RawPid, Signal};

use super::kernel::sandbox::{Killer, SandboxHandle};
use super::kernel::{self, CpuClock, Life, RunDelay};
use super::reaper::{self, Tag};
use super::starter;
use crate::{
    CoreTime, Exit, PollResult, Program, Reached, ReadResult, StartError, Streams, WriteResult,
};

/// The longest wait for a box to end. It is long, because a process that still ran would slow down the next game.
const ENDING: Duration = Duration::from_secs(60);
/// A thawed group gets SIGCONT again after 20 ms without output. Each repeat doubles this time, up to one second.
///
/// If a child is forked while its group gets SIGSTOP, Linux stops the child, but does not continue it if SIGCONT comes
/// during the same fork. The kernel's `prepare_signal` drops an ignored signal before marking it for forks in progress.
const AGAIN: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(1)];
/// The most bytes of one read; a pipe holds 64 KiB.
const READ: usize = 16 * 1024;

#[derive(Debug)]
pub struct Pipe(Option<OwnedFd>);

impl Pipe {
    fn new(end: Option<impl Into<OwnedFd>>) -> io::Result<Pipe> {
        let end = end.map(Into::into);
        if let Some(end) = &end {
            rustix::io::ioctl_fionbio(end, true)?;
        }
        Ok(Pipe(end))
    }

    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub fn close(&mut self) {
        self.0 = None;
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.0.as_ref().map(AsFd::as_fd)
    }

    pub fn is_empty(&self) -> bool {
        let end = self.0.as_ref();
        end.is_none_or(|end| rustix::io::ioctl_fionread(end) == Ok(0))
    }

    pub fn write(&mut self, bytes: &[u8]) -> WriteResult {
        let Some(end) = &self.0 else {
            return WriteResult::Closed;
        };
        match rustix::io::write(end, bytes) {
            Ok(written) => WriteResult::Bytes(written),
            Err(Errno::AGAIN) => WriteResult::Full,
            Err(Errno::INTR) => WriteResult::Bytes(0),
            Err(_) => {
                self.close();
                WriteResult::Closed
            }
        }
    }

    pub fn read<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<ReadResult<T>> {
        let Some(end) = &self.0 else {
            return Ok(ReadResult::Nothing);
        };
        let mut buffer = [MaybeUninit::uninit(); READ];
        match rustix::io::read(end, &mut buffer) {
            Ok(([], _)) => {
                self.close();
                Ok(ReadResult::End)
            }
            Ok((bytes, _)) => Ok(ReadResult::Bytes(take(bytes))),
            Err(Errno::AGAIN | Errno::INTR) => Ok(ReadResult::Nothing),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// A process with its descendants. It is the leader of a process group, or the first process of a box.
#[derive(Clone, Debug)]
pub struct ProcessTree {
    leader: RawPid,
    boxed: Option<Killer>,
}

impl ProcessTree {
    fn plain(leader: Pid) -> ProcessTree {
        ProcessTree {
            leader: leader.as_raw_pid(),
            boxed: None,
        }
    }

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

#[derive(Debug)]
pub struct SystemProcess {
    child: Child,
    tag: Tag,
    life: Life,
    pub input: Pipe,
    pub output: Pipe,
    pub errors: Pipe,
    cpu: CpuClock,
    run_delay: RunDelay,
    /// The program's box, if it has one. Then `child` is the first process of the box, which waits for the program.
    boxed: Option<SandboxHandle>,
    is_turn_by_turn: bool,
    again: Cell<Option<Duration>>,
}

impl SystemProcess {
    pub fn start(program: &Program, streams: Streams) -> Result<SystemProcess, StartError> {
        let tag = Tag::new();
        if starter::takes_roles() {
            reaper::engage();
        }
        let (boxed, mut command) = match &program.sandbox {
            None => (None, starter::command(&program.path)),
            Some(sandbox) => {
                let (boxed, command) = SandboxHandle::make(sandbox, program)?;
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
            .envs(boxed.iter().flat_map(SandboxHandle::variables))
            .env(reaper::TAG_VARIABLE, tag.text());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let report = connect(&mut command, streams).map_err(StartError::Exhausted)?;
        let child = command.spawn().map_err(starter::why)?;
        // The command holds the other end of the report's pipe; the pipe ends only if both processes close that end.
        drop(command);
        let mut running =
            SystemProcess::watch(child, tag, report, boxed).map_err(StartError::Exhausted)?;
        running.is_turn_by_turn = program.is_turn_by_turn;
        Ok(running)
    }

    fn watch(
        mut child: Child,
        tag: Tag,
        report: Option<OwnedFd>,
        boxed: Option<SandboxHandle>,
    ) -> io::Result<SystemProcess> {
        let pid = Pid::from_child(&child);
        let output = report.or_else(|| child.stdout.take().map(OwnedFd::from));
        let (input, errors) = (child.stdin.take(), child.stderr.take());
        let opened = || {
            let (input, errors) = (Pipe::new(input)?, Pipe::new(errors)?);
            Ok((Life::of(pid)?, input, Pipe::new(output)?, errors))
        };
        match opened() {
            Ok((life, input, output, errors)) => {
                reaper::begun(pid);
                Ok(SystemProcess {
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
                // A process whose end cannot be noticed must not run.
                ProcessTree::plain(pid).kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub fn tree(&self) -> ProcessTree {
        ProcessTree {
            boxed: self.boxed.as_ref().map(SandboxHandle::killer),
            ..ProcessTree::plain(self.pid())
        }
    }

    pub fn wait(
        &self,
        limit: Option<Duration>,
        lives: bool,
        writing: bool,
    ) -> io::Result<PollResult> {
        let life = self.life.fd();
        let fds = [
            (self.output.fd(), PollFlags::IN),
            (self.errors.fd(), PollFlags::IN),
            (lives.then_some(life), PollFlags::IN),
            (self.input.fd().filter(|_| writing), PollFlags::OUT),
        ];
        // Polls `life`, which is always open, in place of a closed descriptor, and requests no event for it.
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
        Ok(PollResult {
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
            self.tree().signal(Signal::STOP);
            self.again.set(None);
        }
    }

    /// Waits until the kernel has done what it does later for a frozen sandbox.
    pub fn settle(&self) {
        if let Some(boxed) = &self.boxed {
            boxed.settle(self.pid());
        }
    }

    pub fn thaw(&self) {
        if let Some(boxed) = &self.boxed {
            boxed.set_frozen(false, self.pid());
        } else {
            self.tree().signal(Signal::CONT);
            self.again.set(Some(AGAIN[0]));
        }
    }

    /// Sends SIGCONT again to a silent group, unless its leader got the first signal and has stopped itself since.
    fn thaw_again(&self, silent: Option<Duration>) {
        if let Some(again) = self.again.get().filter(|&again| silent == Some(again))
            && kernel::can_lose_signals(self.pid())
        {
            self.tree().signal(Signal::CONT);
            self.again.set(Some((2 * again).min(AGAIN[1])));
        }
    }

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

    pub fn cpu_of_all(&self) -> Option<Duration> {
        self.boxed.as_ref()?.cpu_time()
    }

    pub fn wait_until_up(&self) {
        self.boxed.iter().for_each(SandboxHandle::wait_until_up);
    }

    pub fn core_times(&self) -> [CoreTime; 2] {
        let own = match &self.boxed {
            None => self.run_delay.read(),
            Some(boxed) => {
                let inside = boxed.inside(self.pid());
                inside.map_or_else(CoreTime::default, |inside| inside.run_delay.read())
            }
        };
        let of_turn = self.turn().map(|pid| RunDelay::of(pid).read());
        [own, of_turn.unwrap_or_default()]
    }

    pub fn sleeps(&self) -> u64 {
        kernel::sleeps(self.turn().unwrap_or_else(|| self.program()))
    }

    /// Returns the process that our own program has started for this turn. Our program waits while that process works.
    fn turn(&self) -> Option<Pid> {
        let ours = self.is_turn_by_turn.then(|| self.program());
        ours.and_then(kernel::child_of)
    }

    /// Returns the program's process; until its box is made, the process that makes the box.
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

    pub fn has_forked(&self) -> bool {
        self.boxed.as_ref().is_some_and(SandboxHandle::has_forked)
    }

    pub fn cpu_of_others(&self) -> Option<Duration> {
        let boxed = self.boxed.as_ref();
        let has_forked = boxed.is_some_and(|boxed| boxed.has_forked_by_now(self.pid()));
        (!has_forked).then(|| self.cpu_of_children())
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

    pub fn has_begun(&self) -> bool {
        self.boxed.as_ref().is_some_and(SandboxHandle::is_up)
    }

    /// Returns the error if the program did not begin. `early_output` is the output of the process that made the sandbox.
    pub fn start_error(&self, early_output: &str) -> Option<StartError> {
        let boxed = self.boxed.as_ref().filter(|_| !self.has_begun())?;
        if let Some(refusal) = boxed.refusal() {
            return Some(refusal);
        }
        let early_output = early_output.trim();
        let why = if early_output.is_empty() {
            "it ended without output"
        } else {
            early_output
        };
        Some(StartError::NoBox(why.to_owned()))
    }

    pub fn forget_reached(&self) {
        self.boxed.iter().for_each(SandboxHandle::forget_reached);
    }

    pub fn reached(&self) -> Option<Reached> {
        self.boxed.as_ref()?.reached()
    }

    /// Kills the group before it waits for the leader, since the group's number may be reused after the wait.
    pub fn end(&mut self) -> io::Result<Exit> {
        if self.boxed.is_some() {
            return self.end_box();
        }
        self.tree().signal(Signal::KILL);
        let exit = self.child.wait().map(as_exit);
        reaper::ended(self.pid());
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
                self.tree().signal(Signal::KILL);
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
