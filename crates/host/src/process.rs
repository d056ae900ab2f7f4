//! A running process with its pipes and its resource usage, and groups of processes that end together.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::heartbeat;
use crate::system::{self, ProcessTree, SystemProcess};
use crate::{Program, Reached, Refusal, StartError, Streams};

/// The longest wait for a ready process to run. Even on a busy machine, it gets a core within this time.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// [`answer`] gives up on a program that has not ended after this time.
const LONGEST_ANSWER: Duration = Duration::from_secs(20);
/// The most arguments of a program. `bwrap` accepts 9,000, its own included; more would look like a machine failure.
const MOST_ARGUMENTS: usize = 1000;
/// Open files per process: three pipes, the handle for its end, three files of its times, two for a supervisor, four of a
/// control group.
const OPEN_A_PROCESS: usize = 13;
/// Other open files: a record with its log, tables, and the other ends of pipes while processes start.
const OPEN_BESIDE: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Status(i32),
    /// The system ended the process. The number is the signal, or the system's code if a Windows error has no signal.
    BySystem(i32),
}

impl Exit {
    /// Returns whether the system ended the process for an error of its own, such as an invalid access, or because it used
    /// more than its CPU time. False if another process killed it, as a system without free memory does.
    pub fn is_crash(self) -> bool {
        matches!(self, Exit::BySystem(reason) if system::is_crash(reason))
    }
}

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
    /// The process has ended; call [`Process::end`] for its exit.
    pub ended: bool,
    pub writable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadResult<T> {
    Bytes(T),
    /// No bytes yet, or the pipe is closed.
    Nothing,
    /// The other end has closed the pipe, and all bytes have been read. Returned once.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteResult {
    Bytes(usize),
    Full,
    /// The reader has closed the pipe; the input is closed now.
    Closed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreTime {
    pub ran: Duration,
    /// The time for which the thread was ready to run and another thread had the core.
    pub waited: Duration,
}

/// CPU times and waits for a core so far. `caller` is the calling thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The process's first thread, and the first thread of the process that a program of ours has started for this turn.
    pub first: [CoreTime; 2],
    /// CPU time of the process itself; `None`: it has ended, or the system does not report it.
    pub cpu: Option<Duration>,
    /// CPU time of all processes that are or were in its sandbox; `None`: no sandbox, or the system does not count it.
    pub of_box: Option<Duration>,
    pub caller: CoreTime,
    pub stalled: Duration,
}

/// Processes that any thread can kill together; a waiting thread then sees its process end. A clone is the same group.
#[derive(Clone, Debug)]
pub struct ProcessGroup(Arc<Mutex<Members>>);

#[derive(Debug, Default)]
struct Members {
    /// The key is [`ProcessTree::number`].
    running: BTreeMap<u64, ProcessTree>,
    inner: Vec<ProcessGroup>,
    is_ended: bool,
}

impl ProcessGroup {
    pub fn new() -> ProcessGroup {
        ProcessGroup(Arc::default())
    }

    pub fn of_builds() -> ProcessGroup {
        static BUILDS: LazyLock<ProcessGroup> = LazyLock::new(ProcessGroup::new);
        BUILDS.clone()
    }

    /// Returns a new group inside this one: it can be killed alone, and is killed with this group.
    #[must_use]
    pub fn inner(&self) -> ProcessGroup {
        let inner = ProcessGroup::new();
        let mut members = self.members();
        inner.members().is_ended = members.is_ended;
        // Forgets the groups that nothing else holds.
        members
            .inner
            .retain(|known| Arc::strong_count(&known.0) > 1);
        members.inner.push(inner.clone());
        inner
    }

    /// Kills every member and its descendants. No process can start in the group after that.
    pub fn kill_all(&self) {
        let mut members = self.members();
        members.is_ended = true;
        members.running.values().for_each(ProcessTree::kill);
        members.inner.iter().for_each(ProcessGroup::kill_all);
    }

    pub fn is_ended(&self) -> bool {
        self.members().is_ended
    }

    fn add(&self, tree: ProcessTree) -> Result<(), StartError> {
        let mut members = self.members();
        if members.is_ended {
            return Err(StartError::GroupKilled);
        }
        members.running.insert(tree.number(), tree);
        Ok(())
    }

    /// Must be called before the process is waited for, because the system may reuse its number after that.
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

/// A process with its pipes. Dropping it kills it and all its descendants.
#[derive(Debug)]
pub struct Process {
    group: ProcessGroup,
    running: SystemProcess,
    exit: Option<Exit>,
    is_frozen: bool,
}

impl Process {
    /// Starts the program with these streams and no other open file of ours. The program sees only the environment
    /// variables that `program` names, and ends when this process ends in any way.
    pub fn start(
        program: &Program,
        streams: Streams,
        group: &ProcessGroup,
    ) -> Result<Process, StartError> {
        if group.is_ended() {
            return Err(StartError::GroupKilled);
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
        let running = SystemProcess::start(program, streams)?;
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

    pub fn number(&self) -> u64 {
        self.running.tree().number()
    }

    /// Returns why the program could not be started, according to its exit and the first bytes of its error output.
    pub fn refusal(&self, early_output: &str) -> Option<StartError> {
        if self.running.has_begun() {
            // The program itself may have written these errors.
            return None;
        }
        let exit = self.exit?;
        let start_error = self.running.start_error(early_output);
        start_error.or_else(|| system::refusal(exit, early_output))
    }

    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    pub fn has_input(&self) -> bool {
        self.running.input.is_open()
    }

    pub fn has_output(&self) -> bool {
        self.running.output.is_open()
    }

    pub fn close_input(&mut self) {
        self.running.input.close();
    }

    pub fn write(&mut self, bytes: &[u8]) -> WriteResult {
        self.running.input.write(bytes)
    }

    pub fn has_read_everything(&self) -> bool {
        self.running.input.is_empty()
    }

    /// Reads at most 16 KiB of the process's output without waiting.
    pub fn read_output<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<ReadResult<T>> {
        self.running.output.read(take)
    }

    pub fn read_errors<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<ReadResult<T>> {
        self.running.errors.read(take)
    }

    pub(crate) fn read_all_output(&mut self, text: &mut Vec<u8>) {
        while let Ok(ReadResult::Bytes(())) =
            self.read_output(|bytes| text.extend_from_slice(bytes))
        {}
    }

    /// Waits for output, the end of the process, space in its input (only if `writing`), or the time `until`.
    pub fn wait(
        &self,
        until: Option<Instant>,
        now: Instant,
        writing: bool,
    ) -> io::Result<PollResult> {
        let limit = until.map(|until| until.saturating_duration_since(now));
        self.running.wait(limit, self.exit.is_none(), writing)
    }

    /// Waits until the process has ended or until `until`, ignoring its output. Returns whether it has ended.
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

    /// Stops the process and its descendants until [`Process::thaw`]; without a sandbox, only its process group.
    pub fn freeze(&mut self) {
        if self.exit.is_none() && !self.is_frozen {
            self.is_frozen = true;
            self.running.freeze();
        }
    }

    /// Waits for work that a frozen sandbox left to the kernel, such as freeing memory: the kernel does it later, on the
    /// core that the opponent gets. Returns at once if the kernel worked little for the sandbox since the last call.
    pub fn settle(&self) {
        if self.is_frozen && self.exit.is_none() {
            self.running.settle();
        }
    }

    pub fn thaw(&mut self) {
        if std::mem::take(&mut self.is_frozen) && self.exit.is_none() {
            self.running.thaw();
        }
    }

    /// Returns the CPU time so far: of the sandbox if the system counts it, else of the process; `None` after its end.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.running.cpu_of_all().or_else(|| self.cpu_of_itself())
    }

    fn cpu_of_itself(&self) -> Option<Duration> {
        self.running.cpu_time()
    }

    /// Waits, for a few seconds at most, until it is known which process of its sandbox is the program. [`Process::usage`]
    /// is zero before that. Must be called while the process is not stopped.
    pub fn wait_until_up(&self) {
        self.running.wait_until_up();
    }

    /// Returns the usage so far. A wait for a core counts only after it has ended.
    pub fn usage(&self) -> Usage {
        Usage {
            first: self.running.core_times(),
            cpu: self.cpu_of_itself(),
            of_box: self.running.cpu_of_all(),
            caller: CoreTime {
                // The thread's clock is exact; the scheduler's count misses the run in progress.
                ran: system::thread_cpu_time(),
                waited: system::thread_core_time().waited,
            },
            stalled: heartbeat::stalled(),
        }
    }

    /// Waits for the next heartbeat and, if the process is ready, until it has run; then returns [`Process::usage`].
    /// The result thus includes a wait for a core or a stall that has just ended.
    pub fn usage_once_it_ran(&self) -> Usage {
        let sooner = self.usage().first;
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
        let now = self.usage();
        // A smaller count means that the process for this turn has just ended and its counts are lost.
        let first = std::array::from_fn(|at| {
            if now.first[at].ran < sooner[at].ran {
                sooner[at]
            } else {
                now.first[at]
            }
        });
        Usage { first, ..now }
    }

    /// Returns how often the first thread has given up its core voluntarily; 0 if the system does not count it.
    pub fn sleeps(&self) -> u64 {
        self.running.sleeps()
    }

    pub fn is_ready(&self) -> bool {
        self.exit.is_none() && self.running.is_ready()
    }

    /// Returns whether the process or a descendant runs, or waits for a core or a disk. Reads data of all processes.
    pub fn is_at_work(&self) -> bool {
        self.exit.is_none() && self.running.is_at_work()
    }

    /// Returns the CPU time of all its descendants over their lives. Reads the data of all processes of the machine.
    pub fn cpu_of_children(&self) -> Duration {
        self.running.cpu_of_children()
    }

    /// Returns [`Process::cpu_of_children`]; `None` if some children may have ended uncounted: the process has started
    /// other processes, and the system does not count the CPU time of its sandbox.
    pub fn cpu_of_others(&self) -> Option<Duration> {
        self.running.cpu_of_others()
    }

    /// Returns whether the process has forked in a sandbox that the system cannot count and stop as a whole.
    pub fn has_forked(&self) -> bool {
        self.running.has_forked()
    }

    /// Returns the number of its living descendants. Reads the data of all processes of the machine.
    pub fn children(&self) -> usize {
        self.running.children()
    }

    pub fn peak_memory_kib(&self) -> Option<u64> {
        self.running.peak_memory_kib()
    }

    /// Makes [`Process::reached`] ignore limits that were reached before, so that it explains only later faults.
    pub fn forget_reached(&self) {
        self.running.forget_reached();
    }

    /// Returns a limit of its sandbox that the process has reached since [`Process::forget_reached`].
    pub fn reached(&self) -> Option<Reached> {
        self.running.reached()
    }

    /// Kills the process, if it lives, and its descendants, and returns its exit. Its output can still be read.
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
        let _ = self.end();
    }
}

/// Runs a program and returns its output; `None` if it does not start, does not end in time, or does not write UTF-8.
pub(crate) fn answer(program: &Program) -> Option<String> {
    let mut process = Process::start(program, Streams::Report, &ProcessGroup::new()).ok()?;
    let (mut text, until) = (Vec::new(), Instant::now() + LONGEST_ANSWER);
    loop {
        let seen = process.wait(Some(until), Instant::now(), false).ok()?;
        process.read_all_output(&mut text);
        if seen.ended {
            return String::from_utf8(text).ok();
        }
        if Instant::now() >= until {
            return None;
        }
    }
}

/// Returns the number of processes that can run at once within the limit of open files, at least two; `None`: no limit.
/// The first call raises this program's limit to the highest allowed. Processes that start later get the former limit.
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
        assert_eq!(room(1024, 8), 76);
        assert_eq!(room(66, 10), 3);
        assert_eq!(room(3, 10), 2, "one game is tried whatever the limit");
    }
}
