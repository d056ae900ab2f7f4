//! The arena's side of a sandbox: makes it, reads its supervisor's reports, measures, stops and kills it.

use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::{Process, Stat};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, RawPid, Signal};

use super::super::super::reaper::{self, Tag};
use super::super::super::starter;
use super::super::disks::wait_for_disks;
use super::super::machine::cores_of;
use super::super::processes::{
    Life, cpu_of, cpu_of_reaped, descendants, is_at_work, is_ready, of_ticks,
};
use super::super::{CpuClock, RunDelay};
use super::cgroup::{Cgroup, ENDING, Refusals};
use super::hierarchies::processes_of;
use super::runtimes::{self, Runtimes};
use super::users::{self, own_user};
use super::{ENTER, Plan, mounts, supervisor};
use crate::{Exit, Program, Reached, Sandbox, StartError, TemporaryFolder, Tier};

/// The longest wait for a report of the supervisor.
const REPORTING: Duration = Duration::from_secs(3);
/// A box that used less CPU time than this in a turn has begun few reads.
const MUCH_TO_READ: Duration = Duration::from_micros(100);
/// If the kernel worked less than this for a box in a turn, what it left to do later is not waited for. Kernels that
/// count by samples see this time in two samples or more.
const MUCH_IN_KERNEL: Duration = Duration::from_millis(8);
/// The least and the most time that the kernel gets then. It can leave work until its next tick, in up to 10 ms.
const LATER: RangeInclusive<Duration> = Duration::from_millis(20)..=Duration::from_secs(2);
/// Cargo's home in the folder for temporary files.
const CARGO: &str = ".cargo";

/// A sandbox. The value lives from before the start of its program until after the program's end.
#[derive(Debug)]
pub struct SandboxHandle {
    sandbox: Sandbox,
    runtimes: Arc<Runtimes>,
    cgroup: Option<Arc<Cgroup>>,
    private: Option<TemporaryFolder>,
    control: File,
    status: RefCell<Reports>,
    program: OnceCell<Inside>,
    /// The folder of a build, and whether its files must be given back to root.
    borrowed: Option<(PathBuf, bool)>,
    /// How often the box had reached its limits when the game began.
    refused_before: Cell<Refusals>,
    /// Why the arena has killed the box.
    unstopped: Cell<Option<Reached>>,
    seeks_forks: bool,
    /// The CPU time of the box at the last [`SandboxHandle::settle`].
    settled_at: Cell<Duration>,
    /// The kernel's part of it, when it was last read.
    kernel_time: Cell<Duration>,
}

impl Drop for SandboxHandle {
    fn drop(&mut self) {
        if let Some((folder, is_given)) = &self.borrowed {
            if *is_given {
                users::take_back(folder);
            }
            users::close(folder);
        }
    }
}

#[derive(Debug)]
struct Reports {
    pipe: File,
    said: Vec<u8>,
    /// Whether the supervisor has stopped the box since the last call of [`SandboxHandle::stop`].
    has_stopped: bool,
    has_ended: bool,
    /// The other ends of both pipes, until the supervisor has opened them.
    others: Option<[OwnedFd; 2]>,
}

#[derive(Debug)]
pub struct Inside {
    pub pid: Pid,
    pub cpu: CpuClock,
    pub run_delay: RunDelay,
}

struct Ended {
    exit: Exit,
    left: usize,
    peak_kib: u64,
}

#[derive(Clone, Debug)]
pub struct Killer {
    cgroup: Option<Arc<Cgroup>>,
    signal: Signal,
}

impl Killer {
    pub fn kill(&self, leader: Pid) {
        match &self.cgroup {
            Some(cgroup) => {
                cgroup.kill();
                // A process that has just been started has not entered the group yet.
                starter::signal(leader, Signal::KILL);
            }
            None => starter::signal(leader, self.signal),
        }
    }
}

impl SandboxHandle {
    /// Makes the cgroup, pipes and folder of the box, and a command that makes the box and starts the program in it.
    /// The caller adds the program's arguments.
    pub fn make(
        sandbox: &Sandbox,
        program: &Program,
    ) -> Result<(SandboxHandle, Command), StartError> {
        if !starter::takes_roles() {
            return Err(StartError::NoBox(
                "this program cannot start itself again".into(),
            ));
        }
        let no_box = |error: io::Error| StartError::NoBox(error.to_string());
        let runtimes = Runtimes::of(sandbox);
        let path = runtimes::path_of(program, &runtimes)?;
        let ourselves = std::env::current_exe().map_err(no_box)?;
        let cgroup = Cgroup::make(sandbox).map(Arc::new);
        let private = match sandbox.tier {
            Tier::Strict => None,
            Tier::Standard => Some(private(cgroup.as_deref()).map_err(no_box)?),
        };
        let (their_control, control) =
            pipe_with(PipeFlags::CLOEXEC).map_err(|error| StartError::Exhausted(error.into()))?;
        let (status, their_status) =
            pipe_with(PipeFlags::CLOEXEC).map_err(|error| StartError::Exhausted(error.into()))?;
        rustix::io::ioctl_fionbio(&status, true).map_err(|error| no_box(error.into()))?;
        let ours = |end: &OwnedFd| {
            PathBuf::from(format!(
                "/proc/{}/fd/{}",
                std::process::id(),
                end.as_raw_fd()
            ))
        };
        let limits_each = !cgroup.as_ref().is_some_and(|cgroup| cgroup.limits_all());
        let counts_cpu = cgroup.as_deref().is_some_and(Cgroup::counts_cpu);
        let mut joins = cgroup
            .as_ref()
            .map_or_else(Vec::new, |cgroup| cgroup.joins());
        let mut held = cgroup.as_ref().and_then(|cgroup| cgroup.held());
        if sandbox.tier == Tier::Strict {
            // The supervisor of a strict box may be stopped with it: the kernel ends such a box when the arena ends.
            // That of a standard box must keep running to notice the arena's end while the program is stopped.
            joins.extend(held.take().map(processes_of));
        }
        let user = own_user(sandbox, &path, &runtimes).ok();
        let mut sandbox = sandbox.clone();
        sandbox.readable.extend(runtimes.readable.iter().cloned());
        if let Some((home, packages)) = runtimes::packages(&sandbox, &program.path) {
            sandbox.readable.extend(packages);
            if let Some(private) = &private {
                let own = private.path().join(CARGO);
                std::fs::create_dir(&own)
                    .and_then(|()| symlink(home.join("registry"), own.join("registry")))
                    .map_err(no_box)?;
            }
        }
        // With our program, a bot could play as a built-in bot.
        if !runtimes::is_named(&ourselves, &sandbox) {
            sandbox.hidden.push(ourselves.clone());
        }
        let built = sandbox.writable.first().filter(|_| sandbox.builds);
        let borrowed = built.map(|folder| (folder.clone(), user.is_some()));
        if let Some(user) = user {
            let private = private.iter().map(TemporaryFolder::path);
            let folders = private.chain(sandbox.writable.iter().map(PathBuf::as_path));
            folders.for_each(|folder| users::give(folder, user));
        }
        let seeks_forks = !counts_cpu && !sandbox.builds;
        let plan = Plan {
            sandbox: sandbox.clone(),
            limits_each,
            seeks_forks,
            counts_watches: user.is_none(),
            cores: cores_of_arena(),
            joins,
            held,
            user,
            control: ours(&their_control),
            status: ours(&their_status),
            private: private.as_ref().map(|folder| folder.path().to_owned()),
            folder: program.folder.clone(),
            ourselves,
        };
        let mut command = starter::role(ENTER);
        command.args(plan.words()).arg(path);
        let refusals = refusals(cgroup.as_deref());
        let boxed = SandboxHandle {
            sandbox,
            runtimes,
            cgroup,
            private,
            control: control.into(),
            status: RefCell::new(Reports {
                pipe: status.into(),
                said: Vec::new(),
                has_stopped: false,
                has_ended: false,
                others: Some([their_control, their_status]),
            }),
            program: OnceCell::new(),
            borrowed,
            refused_before: Cell::new(refusals),
            unstopped: Cell::default(),
            seeks_forks,
            settled_at: Cell::default(),
            kernel_time: Cell::default(),
        };
        Ok((boxed, command))
    }

    pub fn variables(&self) -> Vec<(&'static str, OsString)> {
        let (home, temporary) = match &self.private {
            Some(folder) => (folder.path(), folder.path()),
            None => (Path::new(mounts::HOME), Path::new("/tmp")),
        };
        let mut variables = vec![
            ("HOME", home.into()),
            ("TMPDIR", temporary.into()),
            ("JAVA_TOOL_OPTIONS", self.java_options(temporary)),
        ];
        if self.sandbox.runtimes {
            variables.extend(runtimes::variables());
            // Cargo fails if it may not read its settings, so it gets another home. A strict box has no such settings.
            let cargo = self
                .private
                .as_ref()
                .map(|folder| folder.path().join(CARGO));
            variables.extend(cargo.map(|home| ("CARGO_HOME", home.into_os_string())));
            let path = std::env::join_paths(&self.runtimes.path);
            variables.extend(path.map(|path| ("PATH", path)));
        }
        variables
    }

    fn java_options(&self, temporary: &Path) -> OsString {
        // Java would lock a file for its performance counters, which the arena does not need. It ignores TMPDIR.
        let mut options = OsString::from("-XX:-UsePerfData -Djava.io.tmpdir=");
        options.push(temporary);
        if let Some(mib) = self.sandbox.memory_mib {
            // Java's default heap is a quarter of the memory. Options in the bot's own command override this.
            options.push(format!(" -Xmx{}m", mib * 6 / 10));
        }
        options
    }

    pub fn killer(&self) -> Killer {
        Killer {
            cgroup: self.cgroup.clone(),
            signal: match self.sandbox.tier {
                Tier::Strict => Signal::KILL,
                Tier::Standard => Signal::TERM,
            },
        }
    }

    /// Waits until the supervisor has reported that the program has begun. On a busy machine, the program may run, and
    /// even answer, before its supervisor runs again.
    pub fn wait_until_up(&self) {
        let until = Instant::now() + REPORTING;
        while !self.is_up() {
            let left = until.saturating_duration_since(Instant::now());
            let reports = self.status.borrow();
            if left.is_zero() || reports.has_ended {
                return;
            }
            let mut pipe = [PollFd::new(&reports.pipe, PollFlags::IN)];
            let _ = poll(&mut pipe, Timespec::try_from(left).ok().as_ref());
        }
    }

    pub fn is_up(&self) -> bool {
        self.reports().starts_with(b"up\n")
    }

    pub fn refusal(&self) -> Option<StartError> {
        let said = self.reports();
        let said = std::str::from_utf8(&said).ok()?;
        let number = said
            .strip_prefix(supervisor::REFUSED)?
            .trim()
            .parse()
            .ok()?;
        Some(starter::why(io::Error::from_raw_os_error(number)))
    }

    fn reports(&self) -> std::cell::Ref<'_, [u8]> {
        let mut reports = self.status.borrow_mut();
        let mut buffer = [0; 256];
        while let Ok(length) = reports.pipe.read(&mut buffer) {
            if length == 0 {
                reports.has_ended = reports.others.is_none();
                break;
            }
            let (stopped, said): (Vec<u8>, Vec<u8>) = buffer[..length]
                .iter()
                .partition(|&&byte| byte == supervisor::STOPPED);
            reports.has_stopped |= !stopped.is_empty();
            reports.said.extend(said);
            reports.others = None;
        }
        drop(reports);
        std::cell::Ref::map(self.status.borrow(), |reports| reports.said.as_slice())
    }

    /// Returns the program; `None` until it has begun. `first` is the process that was started for the box.
    pub fn inside(&self, first: Pid) -> Option<&Inside> {
        if self.program.get().is_none() && self.is_up() {
            let pid = self.find_program(first)?;
            let _ = self.program.set(Inside {
                pid,
                cpu: CpuClock::of(pid),
                run_delay: RunDelay::of(pid),
            });
        }
        self.program.get()
    }

    fn find_program(&self, first: Pid) -> Option<Pid> {
        let processes = self.processes(first);
        let first = first.as_raw_pid();
        let supervisor = match self.sandbox.tier {
            Tier::Standard => first,
            Tier::Strict => processes.iter().find(|stat| stat.ppid == first)?.pid,
        };
        let children = processes.iter().filter(|stat| stat.ppid == supervisor);
        let eldest = children.min_by_key(|stat| (stat.starttime, stat.pid))?;
        Pid::from_raw(eldest.pid)
    }

    fn processes(&self, first: Pid) -> Vec<Stat> {
        let Some(cgroup) = &self.cgroup else {
            return descendants(first);
        };
        let stat = |pid: RawPid| Process::new(pid).and_then(|process| process.stat()).ok();
        cgroup.processes().into_iter().filter_map(stat).collect()
    }

    /// Returns the number of living processes besides the program; after the program's end, how many it left.
    pub fn others(&self, first: Pid) -> usize {
        if let Some(ended) = self.ended() {
            return ended.left;
        }
        let own = match self.sandbox.tier {
            Tier::Strict => 3,
            Tier::Standard => 2,
        };
        let living = self.processes(first);
        let living = living
            .iter()
            .filter(|stat| !matches!(stat.state, 'Z' | 'X'));
        living.count().saturating_sub(own)
    }

    pub fn is_at_work(&self, first: Pid) -> bool {
        let processes = self.processes(first).into_iter();
        processes.map(|stat| stat.pid).any(is_at_work)
    }

    pub fn cpu_time(&self) -> Option<Duration> {
        self.cgroup.as_ref()?.cpu_time()
    }

    /// Returns the CPU time of all processes of the box except the program and the supervisor. Counts living processes
    /// and those whose parent has waited for them; the kernel shows no others.
    pub fn cpu_of_others(&self, first: Pid) -> Duration {
        let program = self.inside(first).map(|inside| inside.pid.as_raw_pid());
        let processes = descendants(first);
        let inside = processes.iter().find(|stat| Some(stat.pid) == program);
        let supervisor = inside.map(|stat| stat.ppid);
        let others = processes
            .iter()
            .filter(|stat| Some(stat.pid) != program && Some(stat.pid) != supervisor);
        others
            .map(cpu_of)
            .chain(processes.iter().map(cpu_of_reaped))
            .sum()
    }

    /// Returns whether the supervisor has seen another process of the program. The supervisor looks only if no cgroup
    /// counts the CPU time of the box, and not during a build.
    pub fn has_forked(&self) -> bool {
        if !self.seeks_forks {
            return false;
        }
        let said = self.reports();
        said.split(|&byte| byte == b'\n')
            .any(|line| line == supervisor::FORKED.as_bytes())
    }

    /// Like [`has_forked`](Self::has_forked), but also looks for processes that have begun since the supervisor looked,
    /// and for traces of ended processes. Reads the data of all processes of the machine.
    pub fn has_forked_by_now(&self, first: Pid) -> bool {
        if !self.seeks_forks {
            return false;
        }
        if self.has_forked() {
            return true;
        }
        let Some(program) = self.inside(first).map(|inside| inside.pid.as_raw_pid()) else {
            return false;
        };
        let processes = descendants(first);
        let own = processes.iter().find(|stat| stat.pid == program);
        let supervisor = own.map_or(first.as_raw_pid(), |own| own.ppid);
        // When the program waits for a child, the kernel adds the child's page faults to this count of the program.
        let has_left_traces = |stat: &Stat| stat.cminflt > 0;
        own.is_some_and(has_left_traces)
            || processes
                .iter()
                .any(|stat| stat.ppid == program || stat.ppid == supervisor && stat.pid != program)
    }

    /// Stops or continues the whole box. Blocks until every process is stopped, because the opponent may start to think
    /// then. A process may be in a call that the kernel does not interrupt. Kills a box that takes too long, and waits for
    /// its end: until then, its processes would take time from the opponent.
    pub fn set_frozen(&self, frozen: bool, first: Pid) {
        let stopped = match &self.cgroup {
            Some(cgroup) if cgroup.freezes() => cgroup.set_frozen(frozen),
            _ if frozen => self.stop(first),
            _ => {
                // Fails if the supervisor, and the box with it, has ended.
                let _ = (&self.control).write_all(&[supervisor::CONTINUE]);
                Ok(())
            }
        };
        if let Err(unstopped) = stopped {
            self.unstopped.set(Some(unstopped));
            let processes = self.processes(first).into_iter();
            let processes = processes.filter_map(|stat| Pid::from_raw(stat.pid));
            let lives: Vec<Life> = processes.filter_map(|pid| Life::of(pid).ok()).collect();
            self.kill(first);
            let until = Instant::now() + ENDING;
            for life in lives {
                let left = until.saturating_duration_since(Instant::now());
                let mut life = [PollFd::from_borrowed_fd(life.fd(), PollFlags::IN)];
                let _ = poll(&mut life, Timespec::try_from(left).ok().as_ref());
            }
            self.clear();
        }
    }

    /// Waits until the kernel has done what it does later for a box that is stopped now, such as freeing the tables of
    /// its memory. It does this on the box's core, which the opponent gets. What is left takes less time than the calls
    /// that caused it, so the kernel gets as much time as it had worked for the box in the turn, if that was much. Reads
    /// that a process has begun go on without it, too, and the opponent's reads would wait for them.
    pub fn settle(&self, first: Pid) {
        let all = self.cpu_time();
        let used = all.map(|all| all.saturating_sub(self.settled_at.replace(all)));
        if used.is_some_and(|used| used < MUCH_TO_READ) {
            return;
        }
        wait_for_disks(*LATER.end());
        if used.is_some_and(|used| used < MUCH_IN_KERNEL) {
            return;
        }
        let of_group = self.cgroup.as_ref().and_then(|cgroup| cgroup.kernel_time());
        let Some(now) = of_group.or_else(|| self.kernel_time_of_program(first)) else {
            return;
        };
        let worked = now.saturating_sub(self.kernel_time.replace(now));
        if worked >= MUCH_IN_KERNEL {
            // The kernel frees memory only once no core can still use it.
            #[expect(unsafe_code, reason = "no library has this call")]
            // SAFETY: the call has no pointers.
            let _ =
                unsafe { libc::syscall(libc::SYS_membarrier, libc::MEMBARRIER_CMD_GLOBAL, 0, 0) };
            thread::sleep(worked.clamp(*LATER.start(), *LATER.end()));
        }
    }

    /// Returns the time that the kernel has worked for the program and for the children that it has waited for.
    fn kernel_time_of_program(&self, first: Pid) -> Option<Duration> {
        let program = Process::new(self.inside(first)?.pid.as_raw_pid()).ok()?;
        let stat = program.stat().ok()?;
        Some(of_ticks(stat.stime + stat.cstime.max(0) as u64))
    }

    /// Makes the supervisor stop the box. Returns [`Reached::Unstopped`] if a process is neither stopped nor ended in
    /// time. Only the CPU time of a program without other processes is known.
    fn stop(&self, first: Pid) -> Result<(), Reached> {
        if (&self.control).write_all(&[supervisor::STOP]).is_err() || !self.is_up() {
            return Ok(());
        }
        let program = self.inside(first).filter(|_| !self.has_forked());
        let used = || program.and_then(|program| program.cpu.read());
        let (began, before) = (Instant::now(), used());
        let until = began + REPORTING;
        loop {
            drop(self.reports());
            let mut reports = self.status.borrow_mut();
            if std::mem::take(&mut reports.has_stopped) || reports.has_ended {
                return Ok(());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let waited = began.elapsed();
                let used = used().zip(before);
                let is_idle =
                    used.is_some_and(|(now, before)| now.saturating_sub(before) < waited / 2);
                return Err(Reached::Unstopped {
                    waited,
                    of_machine: is_idle && program.is_some_and(|program| is_ready(program.pid)),
                });
            }
            let mut pipe = [PollFd::new(&reports.pipe, PollFlags::IN)];
            let _ = poll(&mut pipe, Timespec::try_from(left).ok().as_ref());
        }
    }

    /// Kills the whole box. Without a cgroup, the kernel ends a strict box, and the supervisor ends a standard one.
    pub fn kill(&self, first: Pid) {
        self.killer().kill(first);
    }

    /// Kills the remaining processes, frees what they left in the kernel, and waits for their reads. Must be called
    /// after the end of the first process of the box.
    pub fn clear(&self) {
        if let Some(cgroup) = &self.cgroup {
            cgroup.end();
        }
        wait_for_disks(*LATER.end());
    }

    fn ended(&self) -> Option<Ended> {
        let said = self.reports();
        let text = std::str::from_utf8(&said).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("end "))?;
        let mut words = line.split(' ');
        let how = words.next()?;
        let number = words.next()?.parse().ok()?;
        Some(Ended {
            exit: match how {
                "signal" => Exit::BySystem(number),
                _ => Exit::Status(number),
            },
            left: words.next()?.parse().ok()?,
            peak_kib: words.next()?.parse().ok()?,
        })
    }

    pub fn exit(&self) -> Option<Exit> {
        self.ended().map(|ended| ended.exit)
    }

    pub fn forget_reached(&self) {
        self.refused_before.set(refusals(self.cgroup.as_deref()));
    }

    pub fn reached(&self) -> Option<Reached> {
        let is_status = |exit| matches!(exit, Exit::Status(_));
        if let Some(unstopped) = self.unstopped.get()
            && !self.exit().is_some_and(is_status)
        {
            return Some(unstopped);
        }
        let cgroup = self.cgroup.as_ref();
        let counted = cgroup.and_then(|cgroup| cgroup.reached(self.refused_before.get()));
        let counted = counted.or_else(|| self.at_its_limit());
        counted.or_else(|| {
            self.is_killed_for_machine()
                .then_some(Reached::MemoryOfMachine)
        })
    }

    /// Returns whether the program was killed while the kernel killed processes for memory that no group counts.
    fn is_killed_for_machine(&self) -> bool {
        let is_killed = self.exit() == Some(Exit::BySystem(Signal::KILL.as_raw()));
        let counts = |cgroup: &Arc<Cgroup>| cgroup.counts_memory();
        is_killed
            && !self.cgroup.as_ref().is_some_and(counts)
            && Refusals::of_machine().has_more_killed(self.refused_before.get())
    }

    /// Returns the memory limit of each process if one has used at least 90% of it and so most likely lacked memory.
    fn at_its_limit(&self) -> Option<Reached> {
        let limit_mib = self.sandbox.memory_mib?;
        let limits = |cgroup: &Arc<Cgroup>| cgroup.limits_all();
        if self.cgroup.as_ref().is_some_and(limits) {
            return None;
        }
        let peak_mib = self.ended()?.peak_kib / 1024;
        (peak_mib * 10 >= limit_mib * 9).then_some(Reached::Memory {
            limit_mib,
            peak_mib,
        })
    }
}

fn refusals(cgroup: Option<&Cgroup>) -> Refusals {
    cgroup.map_or_else(Refusals::of_machine, Cgroup::refusals)
}

/// Returns the cores of this process's first thread, which is never pinned, separated by commas.
fn cores_of_arena() -> String {
    let cores = cores_of(Some(rustix::process::getpid()));
    let words: Vec<String> = cores.iter().map(usize::to_string).collect();
    words.join(",")
}

/// Makes a folder for temporary files: in memory if a cgroup counts them as memory of the box, otherwise on disk.
fn private(cgroup: Option<&Cgroup>) -> io::Result<TemporaryFolder> {
    let prefix = reaper::folder_prefix(&Tag::of_all());
    let folder = |place| TemporaryFolder::new(&prefix, place);
    let counted = cgroup.is_some_and(Cgroup::limits_all);
    let in_memory = counted.then(|| folder(Some(Path::new("/dev/shm"))).ok());
    in_memory.flatten().map_or_else(|| folder(None), Ok)
}
