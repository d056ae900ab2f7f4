//! A running process: its pipes, its resource usage, its end; and groups of processes that end together.
//!
//! Nothing here blocks but [`Process::wait`] and [`Process::wait_for_end`], which have a deadline. Each wait covers the
//! process's output, its errors, its end and its input at once.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::heartbeat;
use crate::system::{self, ProcessTree, Running};
use crate::{Program, Reached, Refusal, StartError, Streams};

/// Schedulers give every ready process a core within this time, however many processes there are.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// [`answer`] gives up on a program that has not ended after this time.
const LONGEST_ANSWER: Duration = Duration::from_secs(20);
/// More arguments are refused. `bwrap`, which makes the strict box, takes 9,000, its own included, and its error would
/// count as the machine's.
const MOST_ARGUMENTS: usize = 1000;
/// What one process keeps open: three pipes, the handle that shows its end, its run delay; and in a box two pipes to its
/// keeper.
const OPEN_A_PROCESS: usize = 7;
/// What is open beside processes during work: a record with its log, tables that are written, and the other ends of the
/// pipes of processes that a few threads are starting.
const OPEN_BESIDE: usize = 16;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this status.
    Status(i32),
    /// The system ended it, for the reason with this number of the system's own.
    BySystem(i32),
}

/// The result of [`Process::wait`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one for each thing that was waited for"
)]
pub struct PollResult {
    /// The output can be read, or has ended.
    pub output: bool,
    /// The errors can be read, or have ended.
    pub errors: bool,
    /// The process has ended; call [`Process::end`].
    pub ended: bool,
    /// The input takes more.
    pub writable: bool,
}

/// The result of a read that does not block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadResult<T> {
    /// What the caller made of the bytes.
    Bytes(T),
    /// No bytes yet; or the pipe was closed before.
    Nothing,
    /// The other end closed the pipe, and all its bytes have been read. Returned once.
    End,
}

/// The result of a write that does not block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteResult {
    /// The number of bytes written.
    Bytes(usize),
    /// The pipe takes no byte at the moment.
    Full,
    /// The reader has closed the pipe, and the input is closed now.
    Closed,
}

/// How long a thread ran on its core and waited for it; zero where the system does not report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreTime {
    pub ran: Duration,
    /// The time for which the thread was ready to run and another thread had the core.
    pub waited: Duration,
}

/// The CPU time of a process and of the calling thread so far, and the time for which they waited for a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The first thread of the process.
    pub first: CoreTime,
    /// CPU time of the process itself; `None`: it has ended, or the system does not report it.
    pub cpu: Option<Duration>,
    /// CPU time of all that is or was in its box; `None`: it has no box, or nothing counts it.
    pub of_box: Option<Duration>,
    /// The calling thread.
    pub caller: CoreTime,
    /// How long the machine stood still.
    pub stalled: Duration,
}

/// Processes that can be killed together from any thread: a thread that waits for an answer then sees its process end.
///
/// A clone is the same group. The default is one group that all callers without another share.
#[derive(Clone, Debug)]
pub struct ProcessGroup(Arc<Mutex<Members>>);

#[derive(Debug, Default)]
struct Members {
    /// By [`ProcessTree::number`].
    running: BTreeMap<u64, ProcessTree>,
    /// No process may start any more.
    is_ended: bool,
}

impl ProcessGroup {
    pub fn new() -> ProcessGroup {
        ProcessGroup(Arc::default())
    }

    /// Returns the group of all builds of this process.
    pub fn of_builds() -> ProcessGroup {
        static BUILDS: LazyLock<ProcessGroup> = LazyLock::new(ProcessGroup::new);
        BUILDS.clone()
    }

    /// Kills every member with all that it has started; no other can start after that.
    pub fn kill_all(&self) {
        let mut members = self.members();
        members.is_ended = true;
        members.running.values().for_each(ProcessTree::kill);
    }

    /// Returns whether [`ProcessGroup::kill_all`] was called.
    pub fn is_ended(&self) -> bool {
        self.members().is_ended
    }

    fn add(&self, tree: ProcessTree) -> Result<(), StartError> {
        let mut members = self.members();
        if members.is_ended {
            return Err(StartError::GivenUp);
        }
        members.running.insert(tree.number(), tree);
        Ok(())
    }

    /// Must be called before the process is waited for: after that the system may give its number to another.
    fn remove(&self, tree: &ProcessTree) {
        self.members().running.remove(&tree.number());
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for ProcessGroup {
    fn default() -> ProcessGroup {
        static SHARED: LazyLock<ProcessGroup> = LazyLock::new(ProcessGroup::new);
        SHARED.clone()
    }
}

impl PartialEq for ProcessGroup {
    fn eq(&self, other: &ProcessGroup) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ProcessGroup {}

/// A process with its pipes. Dropping it kills it with all that it has started.
#[derive(Debug)]
pub struct Process {
    group: ProcessGroup,
    running: Running,
    exit: Option<Exit>,
    is_frozen: bool,
}

impl Process {
    /// Starts the program with these streams and no other open file of ours. It sees only the variables that `program`
    /// names, and ends when we do, however that happens.
    pub fn start(
        program: &Program,
        streams: Streams,
        group: &ProcessGroup,
    ) -> Result<Process, StartError> {
        if group.is_ended() {
            return Err(StartError::GivenUp);
        }
        let words = program.arguments.len();
        if words > MOST_ARGUMENTS {
            let why = format!("a command may have at most {MOST_ARGUMENTS} arguments, not {words}");
            let error = io::Error::new(io::ErrorKind::ArgumentListTooLong, why);
            return Err(StartError::Refused(Refusal::Other, error));
        }
        if let Some(sandbox) = &program.sandbox {
            system::ask_runtimes(sandbox, answer);
        }
        let running = Running::start(program, streams)?;
        let process = Process {
            group: group.clone(),
            running,
            exit: None,
            is_frozen: false,
        };
        // The group may have ended since the check above; dropping the process kills it, too.
        process.group.add(process.running.tree())?;
        Ok(process)
    }

    /// Returns the system's number of the first process.
    pub fn number(&self) -> u64 {
        self.running.tree().number()
    }

    /// Returns why the program was not started, where only the end of the process and its output show that: `said` is
    /// the beginning of its errors.
    pub fn refusal(&self, said: &str) -> Option<StartError> {
        if self.running.has_begun() {
            // The program itself may have written these errors.
            return None;
        }
        system::refusal(self.exit?, said).or_else(|| self.running.no_box(said))
    }

    /// Returns how it ended, once [`Process::end`] was called.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Returns whether its input is open, as far as we know.
    pub fn has_input(&self) -> bool {
        self.running.input.is_open()
    }

    /// Returns whether its output is open, as far as we know.
    pub fn has_output(&self) -> bool {
        self.running.output.is_open()
    }

    pub fn close_input(&mut self) {
        self.running.input.close();
    }

    /// Writes as much as its input takes now.
    pub fn write(&mut self, bytes: &[u8]) -> WriteResult {
        self.running.input.write(bytes)
    }

    /// Returns whether it has read all that was written.
    pub fn has_read_everything(&self) -> bool {
        self.running.input.is_empty()
    }

    /// Reads at most 16 KiB of its output, without waiting.
    pub fn read_output<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<ReadResult<T>> {
        self.running.output.read(take)
    }

    /// Reads at most 16 KiB of its errors, without waiting.
    pub fn read_errors<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<ReadResult<T>> {
        self.running.errors.read(take)
    }

    /// Appends all output that can be read now.
    pub(crate) fn read_all_output(&mut self, said: &mut Vec<u8>) {
        while let Ok(ReadResult::Bytes(())) =
            self.read_output(|bytes| said.extend_from_slice(bytes))
        {}
    }

    /// Waits from `now` until something can be read, the process has ended, its input takes more (if `writing`), or the
    /// time `until` has come.
    pub fn wait(
        &self,
        until: Option<Instant>,
        now: Instant,
        writing: bool,
    ) -> io::Result<PollResult> {
        let limit = until.map(|until| until.saturating_duration_since(now));
        self.running.wait(limit, self.exit.is_none(), writing)
    }

    /// Waits until it has ended or the time `until` has come, whatever it writes. Returns whether it has ended.
    pub fn wait_for_end(&self, until: Instant) -> io::Result<bool> {
        while self.exit.is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if self.running.wait_for_end(left)? {
                break;
            }
            if left.is_zero() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stops it and all that it has started until [`Process::thaw`]: its whole box; without a box, a process that has
    /// left its process group continues.
    pub fn freeze(&mut self) {
        if self.exit.is_none() && !self.is_frozen {
            self.is_frozen = true;
            self.running.freeze();
        }
    }

    /// Continues it, if it was frozen.
    pub fn thaw(&mut self) {
        if std::mem::take(&mut self.is_frozen) && self.exit.is_none() {
            self.running.thaw();
        }
    }

    /// Returns the CPU time so far: of all that is or was in its box where that is counted, else its own alone.
    /// `None` once it has ended.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.running.cpu_of_all().or_else(|| self.cpu_of_itself())
    }

    fn cpu_of_itself(&self) -> Option<Duration> {
        self.running.cpu_time()
    }

    /// Returns what it has used so far. A wait for its core that has not ended is not yet counted.
    pub fn usage(&self) -> Usage {
        Usage {
            first: self.running.core_time(),
            cpu: self.cpu_of_itself(),
            of_box: self.running.cpu_of_all(),
            caller: CoreTime {
                // The scheduler counts what a thread runs when it stops running.
                ran: system::thread_cpu_time(),
                waited: system::thread_core_time().waited,
            },
            stalled: heartbeat::stalled(),
        }
    }

    /// Returns [`Process::usage`] after a process that is ready to run has run, so that its wait counts, and after the
    /// next heartbeat, so that a stall that has just ended counts, too.
    pub fn usage_once_it_ran(&self) -> Usage {
        heartbeat::stalled_by_now();
        if self.is_ready() {
            let (start, until) = (self.cpu_of_itself(), Instant::now() + LONGEST_WAIT);
            while self.cpu_of_itself() == start && Instant::now() < until {
                if !matches!(
                    self.wait_for_end(Instant::now() + Duration::from_millis(1)),
                    Ok(false)
                ) {
                    break;
                }
            }
        }
        self.usage()
    }

    /// Returns whether it runs or waits for a core.
    pub fn is_ready(&self) -> bool {
        self.exit.is_none() && self.running.is_ready()
    }

    /// Returns whether it or a process that it started runs, or waits for a core or for a disk. Looks through all
    /// processes of the machine.
    pub fn is_at_work(&self) -> bool {
        self.exit.is_none() && self.running.is_at_work()
    }

    /// Returns the CPU time of all processes that it has started, in their whole lives. Looks through all processes of
    /// the machine.
    pub fn cpu_of_children(&self) -> Duration {
        self.running.cpu_of_children()
    }

    /// Returns [`Process::cpu_of_children`]; `None` where it has started some in a sandbox that nothing counts as a whole:
    /// they may have ended without a trace.
    pub fn cpu_of_others(&self) -> Option<Duration> {
        self.running.cpu_of_others()
    }

    /// Returns how many living processes it has started. Looks through all processes of the machine.
    pub fn children(&self) -> usize {
        self.running.children()
    }

    /// Returns the most memory it has had at a time, in KiB; `None` once it has ended.
    pub fn peak_memory_kib(&self) -> Option<u64> {
        self.running.peak_memory_kib()
    }

    /// Forgets which limits of its box it has reached, so that [`Process::reached`] explains only later faults.
    pub fn forget_reached(&self) {
        self.running.forget_reached();
    }

    /// Returns the limit of its box that it has reached since then, if any.
    pub fn reached(&self) -> Option<Reached> {
        self.running.reached()
    }

    /// Kills it, if it lives, with all that it has started, and returns how it ended. Its output can still be read.
    pub fn end(&mut self) -> io::Result<Exit> {
        if let Some(exit) = self.exit {
            return Ok(exit);
        }
        self.group.remove(&self.running.tree());
        let exit = self.running.end();
        self.exit = exit.as_ref().ok().copied();
        exit
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A destructor can report no error.
        let _ = self.end();
    }
}

/// Returns the output of a program; `None`: it does not start, or does not end in time.
pub(crate) fn answer(program: &Program) -> Option<String> {
    let mut process = Process::start(program, Streams::Report, &ProcessGroup::new()).ok()?;
    let (mut said, until) = (Vec::new(), Instant::now() + LONGEST_ANSWER);
    loop {
        let seen = process.wait(Some(until), Instant::now(), false).ok()?;
        process.read_all_output(&mut said);
        if seen.ended {
            return String::from_utf8(said).ok();
        }
        if Instant::now() >= until {
            return None;
        }
    }
}

/// Returns how many processes this program can run at the same time without running out of open files, at least two;
/// `None`: there is no limit.
///
/// The first call raises this program's limit to the highest that the system allows. Processes that are started later
/// get the limit there was before.
pub fn room_for_processes() -> Option<usize> {
    Some(room(system::most_open()?, system::open_now()))
}

fn room(limit: usize, open: usize) -> usize {
    (limit.saturating_sub(open + OPEN_BESIDE) / OPEN_A_PROCESS).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_files_limit_the_number_of_processes() {
        // 1024 is the limit of open files on most systems.
        assert_eq!(room(1024, 8), 142);
        assert_eq!(room(47, 10), 3);
        assert_eq!(room(3, 10), 2, "one game is tried whatever the limit");
    }
}
