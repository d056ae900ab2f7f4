//! A process of our own: started in a group of its own, waited for in one `poll`.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, RawPid, Signal, kill_process_group};

use super::linux::{self, CpuClock, Life, RunDelay};
use super::pipe::Pipe;
use super::tag::{self, Tag};
use super::{ourselves, reaper, starter};
use crate::{Exit, News, Piece, Program, StartError, Streams, Written};

/// A process group, by its leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group(RawPid);

impl Group {
    pub fn kill(self) {
        self.signal(Signal::KILL);
    }

    fn signal(self, signal: Signal) {
        if let Some(leader) = Pid::from_raw(self.0) {
            // Fails only where the whole group is gone already.
            let _ = kill_process_group(leader, signal);
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
}

impl Running {
    pub fn start(program: &Program, streams: Streams) -> Result<Running, StartError> {
        let tag = Tag::new();
        if ourselves::helps() {
            reaper::engage();
        }
        let mut command = starter::command(&program.path);
        command
            .args(&program.arguments)
            .env_clear()
            .envs(
                program
                    .variables
                    .iter()
                    .filter_map(|name| Some((name, std::env::var_os(name)?))),
            )
            .env(tag::NAME, tag.text())
            .process_group(0);
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let report = connect(&mut command, streams).map_err(StartError::Exhausted)?;
        let child = command.spawn().map_err(starter::why)?;
        // It holds the other end of a report, which would otherwise never end.
        drop(command);
        Running::watch(child, tag, report).map_err(StartError::Exhausted)
    }

    /// The process with all that is needed to see and hear it.
    fn watch(mut child: Child, tag: Tag, report: Option<OwnedFd>) -> io::Result<Running> {
        let pid = Pid::from_child(&child);
        let output = report.or_else(|| child.stdout.take().map(OwnedFd::from));
        let (input, errors) = (child.stdin.take(), child.stderr.take());
        let senses = || {
            let (input, errors) = (Pipe::new(input)?, Pipe::new(errors)?);
            Ok((Life::of(pid)?, input, Pipe::new(output)?, errors))
        };
        match senses() {
            Ok((life, input, output, errors)) => Ok(Running {
                child,
                tag,
                life,
                input,
                output,
                errors,
                cpu: CpuClock::of(pid),
                run_delay: RunDelay::of(pid),
            }),
            Err(error) => {
                // Nobody could see it end, so it does not begin.
                Group(pid.as_raw_pid()).kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub fn group(&self) -> Group {
        Group(self.pid().as_raw_pid())
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
        match poll(&mut polled[..count], limit.map(timespec).as_ref()) {
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
        self.group().signal(Signal::STOP);
    }

    pub fn thaw(&self) {
        self.group().signal(Signal::CONT);
    }

    pub fn cpu_time(&self) -> Option<Duration> {
        self.cpu.read()
    }

    pub fn waited(&self) -> Duration {
        self.run_delay.read()
    }

    pub fn is_ready(&self) -> bool {
        linux::is_ready(self.pid())
    }

    pub fn cpu_of_children(&self) -> Duration {
        linux::cpu_of_children(self.pid())
    }

    pub fn children(&self) -> usize {
        let in_group = linux::children_of(self.pid());
        in_group.max(linux::count_tagged(&self.tag))
    }

    pub fn peak_memory_kib(&self) -> Option<u64> {
        linux::peak_memory_kib(self.pid())
    }

    /// Its children go first: once the leader is waited for, the group's number may be another's.
    pub fn end(&mut self) -> io::Result<Exit> {
        self.group().kill();
        let exit = self.child.wait().map(as_exit);
        // Those that have left its group.
        linux::kill_tagged(&self.tag);
        exit
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
