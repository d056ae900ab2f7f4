//! The supervisor: the first process in a box. It starts the program, stops or kills the box, and reports to the arena.
//!
//! The arena commands the supervisor through a pipe: one letter stops the box, and another continues it. The pipe ends
//! when the arena ends; the supervisor then ends the box. No process in the box can signal the supervisor: in a strict
//! box it is process 1, and in a standard box [`landlock`] or [`seccomp`] prevents it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio, exit};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, Signal as Number};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use procfs::process::Process;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::FileType;
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Signal, WaitOptions, set_child_subreaper, set_dumpable_behavior,
};

use super::super::super::starter;
use super::super::processes::{descendants, forked_by, signal_descendants};
use super::super::{die_with_parent, pin_to};
use super::cgroup::set_frozen;
use super::hierarchies::processes_of;
use super::limits;
use super::watches::Watches;
use super::{Plan, landlock, mounts, seccomp};
use crate::{Tier, turns};

pub const WORD: &str = "__supervise";
pub const STOP: u8 = b'S';
pub const CONTINUE: u8 = b'G';
pub const STOPPED: u8 = 6;
const STOPPING: Duration = Duration::from_secs(2);
pub const FORKED: &str = "forked";
pub const REFUSED: &str = "refused ";

pub struct Supervisor {
    pub plan: Plan,
    pub control: File,
    pub status: File,
    pub streams: [OwnedFd; 3],
}

struct End {
    status: ExitStatus,
    /// The number of processes that were left when the program ended.
    left: usize,
}

impl Supervisor {
    pub fn supervise(self, program: &OsString, arguments: &[OsString]) -> ! {
        let Supervisor {
            plan,
            control,
            mut status,
            streams,
        } = self;
        let begun = clear_words().and_then(|()| begin(&plan, streams, program, arguments));
        let (child, mut watch) = match begun {
            Ok(begun) => begun,
            Err(error) => {
                let _ = writeln!(status, "{REFUSED}{}", error.raw_os_error().unwrap_or(0));
                exit(starter::REFUSED);
            }
        };
        // From here on, every failure is the program's fault.
        let _ = status.write_all(b"up\n");
        if plan.seeks_forks {
            // On the bot's core, this process would compete with the bot's processes, and stop them late.
            pin_to(plan.cores.split(',').filter_map(|core| core.parse().ok()));
        }
        let end = watch.wait(&child, control, &mut status);
        let peak = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss());
        let (how, number) = match end.status.signal() {
            Some(signal) => ("signal", signal),
            None => ("status", end.status.code().unwrap_or_default()),
        };
        let _ = writeln!(status, "end {how} {number} {} {peak}", end.left);
        if let Some(private) = &plan.private {
            // If the arena was killed, it cannot remove the folder.
            let _ = crate::remove_all(private);
        }
        exit(end.status.code().unwrap_or(128 + number));
    }
}

struct Watch {
    signals: SignalFd,
    /// Whether one `kill` reaches the whole box and nothing else.
    reaches_all: bool,
    /// The control group of all processes but the supervisor.
    held: Option<PathBuf>,
    /// `None` if the supervisor need not count the watches, or if the kernel lacks the filter that this needs.
    watches: Option<Watches>,
    others: Others,
    is_stopped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// The supervisor does not look.
    NotSought,
    NotSeen,
    Seen,
}

/// Clears the arguments and the environment that the system shows of this process. The arguments name the arena's
/// folders and control groups, and every process of the box can read them. The environment has the tag by which the
/// reaper finds processes to kill, but the supervisor must live until it has ended its box.
fn clear_words() -> io::Result<()> {
    for (name, value) in std::env::vars_os() {
        #[expect(
            unsafe_code,
            reason = "copies the variables out of the memory that is cleared"
        )]
        // SAFETY: this process has no other thread yet.
        unsafe {
            std::env::set_var(name, value);
        }
    }
    let own = procfs::process::Process::myself().and_then(|process| process.stat());
    let own = own.map_err(io::Error::other)?;
    let memory = File::options().write(true).open("/proc/self/mem")?;
    for (from, to) in [(own.arg_start, own.arg_end), (own.env_start, own.env_end)] {
        let (Some(from), Some(to)) = (from, to) else {
            return Err(io::Error::other(
                "the system does not report where the arguments are",
            ));
        };
        memory.write_all_at(&vec![0; to.saturating_sub(from) as usize], from)?;
    }
    Ok(())
}

fn begin(
    plan: &Plan,
    [input, output, errors]: [OwnedFd; 3],
    program: &OsString,
    words: &[OsString],
) -> io::Result<(Child, Watch)> {
    let is_by_turns = Path::new(program) == plan.ourselves
        && words.first().is_some_and(|word| word == turns::WORD);
    let mut mask = SigSet::empty();
    mask.add(Number::SIGCHLD);
    mask.add(Number::SIGTERM);
    mask.thread_block()?;
    let signals = SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC)?;
    set_child_subreaper(Some(rustix::process::getpid()))?;
    let is_strict = plan.sandbox.tier == Tier::Strict;
    if is_strict {
        mounts::close_mounts(plan)?;
    }
    let keeps_signals = landlock::close_signals()?;
    let rules = landlock::rules(plan)?;
    let filters = seccomp::filters;
    let mut command = Command::new(program);
    command
        .args(words)
        .stdin(Stdio::from(input))
        .stdout(Stdio::from(output))
        .stderr(Stdio::from(errors));
    let watches = plan.counts_watches.then(Watches::listen);
    let own = plan.clone();
    let mut rules = Some(rules);
    // Our program is not executed again to serve turns: a bot that could execute it could play as a built-in bot.
    let by_turns = is_by_turns.then(|| words[1..].to_vec());
    let mut restrict = move || {
        // The supervisor has blocked signals, and the program would inherit that.
        SigSet::empty().thread_set_mask()?;
        if let Some(held) = &own.held {
            fs::write(processes_of(held), "0")?;
        }
        // In a session of its own, the program cannot name the arena's process group or terminal.
        rustix::process::setsid()?;
        if !is_strict || own.user.is_some() {
            drop_capabilities();
        }
        limits::set(&own)?;
        if let Some(user) = own.user {
            become_user(user)?;
        }
        // Must come after the change of the user, because that change would undo this call.
        die_with_parent(Signal::KILL)?;
        if by_turns.is_some() {
            // The programs that this process starts have its user and its Landlock domain. They could read its memory,
            // which has the built-in bots and the path of the results.
            set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        }
        let filters = filters(&own, keeps_signals)?;
        landlock::enter(rules.take().ok_or(Errno::INVAL)?)?;
        seccomp::enter(&filters)?;
        if let Some(program) = &by_turns {
            // Closing these descriptors shows the arena that the program has begun.
            #[expect(
                unsafe_code,
                reason = "the supervisor's descriptors are not the program's"
            )]
            // SAFETY: this process never returns to code that owns a descriptor.
            unsafe {
                close_fds::close_open_fds(3, &[]);
            }
            turns::serve(program.clone());
        }
        Ok(())
    };
    // An error of `restrict` is the machine's fault, for example if the kernel accepts no more filters. It is reported as
    // `EAGAIN`, which is never the error of a program that cannot be executed.
    let become_it = move || restrict().map_err(|_: io::Error| Errno::AGAIN.into());
    #[expect(
        unsafe_code,
        reason = "the code that restricts a process must run in it"
    )]
    // SAFETY: no other thread could hold a lock at the fork, so the child may allocate before it becomes the program.
    unsafe {
        command.pre_exec(become_it);
    }
    if !is_by_turns && starter::is_unknown_format(program) {
        return Err(Errno::NOEXEC.into());
    }
    let child = command.spawn()?;
    let watch = Watch {
        signals,
        // In a strict box this is process 1, and it sees no process outside the box.
        reaches_all: keeps_signals || rustix::process::getpid().is_init(),
        held: plan.held.clone(),
        watches: watches.and_then(Result::ok),
        others: if plan.seeks_forks {
            Others::NotSeen
        } else {
            Others::NotSought
        },
        is_stopped: false,
    };
    Ok((child, watch))
}

fn drop_capabilities() {
    use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};
    for capability in CapabilitySet::all().iter() {
        // Fails if this process is not root and has no capabilities.
        let _ = remove_capability_from_bounding_set(capability);
    }
}

fn become_user(user: u32) -> io::Result<()> {
    nix::unistd::setgroups(&[])?;
    let group = nix::unistd::Gid::from_raw(user);
    // As their owner, the program can reopen the pipes (`echo text >/dev/stderr`). Other streams keep their owner.
    for stream in [
        rustix::stdio::stdin(),
        rustix::stdio::stdout(),
        rustix::stdio::stderr(),
    ] {
        if FileType::from_raw_mode(rustix::fs::fstat(stream)?.st_mode) == FileType::Fifo {
            std::os::unix::fs::fchown(stream, Some(user), Some(user))?;
        }
    }
    nix::unistd::setresgid(group, group, group)?;
    let user = nix::unistd::Uid::from_raw(user);
    Ok(nix::unistd::setresuid(user, user, user)?)
}

impl Watch {
    /// Reaps processes and obeys the arena until the program ends or the arena ends the box; then kills the box.
    fn wait(&mut self, child: &Child, mut control: File, status: &mut File) -> End {
        let program = child.id() as i32;
        let mut ended = None;
        let mut next_look = Instant::now() + pause();
        while ended.is_none() {
            let watches = self.watches.as_ref().map(AsFd::as_fd);
            let fds = [Some(self.signals.as_fd()), Some(control.as_fd()), watches];
            let polled = fds.into_iter().flatten();
            let mut polled: Vec<_> = polled
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
                .collect();
            let seeks = self.others == Others::NotSeen && !self.is_stopped;
            let left = next_look.saturating_duration_since(Instant::now());
            let until = Timespec::try_from(left).ok().filter(|_| seeks);
            if poll(&mut polled, until.as_ref()).is_err() {
                continue;
            }
            let seen = |number: usize| {
                polled
                    .get(number)
                    .is_some_and(|fd| !fd.revents().is_empty())
            };
            let [signal, order, watch] = [0, 1, 2].map(seen);
            if let Some(watches) = self.watches.as_mut().filter(|_| watch) {
                watches.answer();
            }
            // The program can cause events. They must neither delay a look nor cause additional looks.
            if seeks && Instant::now() >= next_look {
                self.seek_forks(program, status);
                next_look = Instant::now() + pause();
            }
            if order {
                let mut letter = [0];
                match control.read(&mut letter) {
                    Ok(1) if letter[0] == STOP => self.stop(program, status),
                    Ok(1) => {
                        self.is_stopped = false;
                        self.signal(Signal::CONT);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    _ => break,
                }
            }
            if signal
                && let Ok(Some(signal)) = self.signals.read_signal()
                && signal.ssi_signo == Number::SIGTERM as u32
            {
                break;
            }
            let mut has_reaped_others = false;
            reap(&mut |pid, status| {
                if pid == program {
                    ended = Some(status);
                } else {
                    has_reaped_others = true;
                }
            });
            if has_reaped_others {
                self.report_fork(status);
            }
        }
        let left = self.end_all(&mut |pid, status| {
            if pid == program {
                ended.get_or_insert(status);
            }
        });
        End {
            status: ended.unwrap_or(ExitStatus::from_raw(Number::SIGKILL as i32)),
            left,
        }
    }

    fn report_fork(&mut self, status: &mut File) {
        if self.others == Others::NotSeen {
            self.others = Others::Seen;
            let _ = writeln!(status, "{FORKED}");
        }
    }

    /// Looks for other processes of the program: its children, and those that lost their parent and are children of
    /// this process. Every other process of the box descends from one of these.
    fn seek_forks(&mut self, program: i32, status: &mut File) {
        let parents = [program, rustix::process::getpid().as_raw_pid()];
        let lists: io::Result<Vec<_>> = parents.into_iter().map(forked_by).collect();
        // If the kernel has no lists of children, the arena must assume that the program has started a process.
        let is_alone =
            lists.is_ok_and(|lists| lists.into_iter().flatten().all(|child| child == program));
        if !is_alone {
            self.report_fork(status);
        }
    }

    /// Stops the box, and reports when all of it is stopped. A call that the kernel does not interrupt may take long.
    ///
    /// Repeats the signal: when the parent of a process group ends, the kernel continues the stopped members of the
    /// group, and these can continue others. A process may be continued between its own check and the check of the last
    /// process, so two checks in a row must find all stopped. A program without other processes needs one check.
    fn stop(&mut self, program: i32, status: &mut File) {
        let until = Instant::now() + STOPPING;
        let mut looks = 0;
        while looks < if self.others == Others::NotSeen { 1 } else { 2 } {
            self.signal(Signal::STOP);
            if self.are_all_stopped(program, status) {
                looks += 1;
                continue;
            }
            looks = 0;
            if Instant::now() > until {
                // The arena kills a sandbox whose supervisor does not report.
                return;
            }
            thread::sleep(Duration::from_micros(50));
        }
        self.is_stopped = true;
        let _ = status.write_all(&[STOPPED]);
    }

    fn are_all_stopped(&mut self, program: i32, status: &mut File) -> bool {
        if self.others == Others::NotSeen {
            // A stopped program starts nothing, so all processes that it has started exist by now.
            let is_stopped = is_stopped(program);
            self.seek_forks(program, status);
            return is_stopped && self.others == Others::NotSeen;
        }
        let processes = descendants(rustix::process::getpid());
        processes.iter().all(|stat| is_stopped(stat.pid))
    }

    fn signal(&self, signal: Signal) {
        if self.reaches_all {
            // Reaches all processes of the box except this one. Fails if there is none.
            let _ = nix::sys::signal::kill(
                nix::unistd::Pid::from_raw(-1),
                Number::try_from(signal.as_raw()).ok(),
            );
        } else {
            signal_descendants(rustix::process::getpid(), signal);
        }
    }

    fn end_all(&self, on: &mut impl FnMut(i32, ExitStatus)) -> usize {
        let mut count = 0;
        loop {
            self.signal(Signal::KILL);
            if let Some(held) = &self.held {
                // In version 1 of control groups, a frozen process cannot die.
                let _ = set_frozen(held, false);
            }
            match rustix::process::wait(WaitOptions::empty()) {
                Ok(Some((pid, status))) => {
                    count += 1;
                    on(pid.as_raw_pid(), ExitStatus::from_raw(status.as_raw()));
                }
                Ok(None) | Err(Errno::INTR) => {}
                Err(_) => return count,
            }
        }
    }
}

fn is_stopped(process: i32) -> bool {
    let tasks = Process::new(process).and_then(|process| process.tasks());
    let stats = tasks.into_iter().flatten().flatten();
    stats
        .filter_map(|task| task.stat().ok())
        .all(|stat| match stat.state {
            'T' | 't' | 'Z' | 'X' => true,
            'D' => waits_for_child(process, stat.pid),
            _ => false,
        })
}

/// Returns whether the thread has started a process that shares its memory until it executes a program (`vfork`), and
/// waits for this. If the child is stopped first, the thread waits on, and runs again only after the child.
fn waits_for_child(process: i32, thread: i32) -> bool {
    let call = fs::read_to_string(format!("/proc/{process}/task/{thread}/syscall"));
    let call = call
        .ok()
        .and_then(|call| call.split(' ').next()?.parse().ok());
    call.is_some_and(|call: libc::c_long| STARTS.contains(&call))
}

/// The calls that start a process.
const STARTS: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_clone,
    libc::SYS_clone3,
];

/// Returns a random time between two looks for other processes. Its distribution is exponential with a mean of 5 ms, so
/// the time since the last look tells a program nothing about the next look.
fn pause() -> Duration {
    // The keys come from the system's random generator, and no program of the box can read them.
    let bits = RandomState::new().hash_one(0) >> 11;
    let chance = (bits as f64 + 0.5) / (1u64 << 53) as f64;
    Duration::from_millis(5).mul_f64(-chance.ln())
}

fn reap(on: &mut impl FnMut(i32, ExitStatus)) {
    while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
        on(pid.as_raw_pid(), ExitStatus::from_raw(status.as_raw()));
    }
}

pub fn supervise_in_namespaces(mut words: impl Iterator<Item = OsString>) -> ! {
    let numbers = words.next().unwrap_or_default();
    let numbers = numbers.to_string_lossy();
    let mut numbers = numbers.split(',').map(str::parse);
    let mut number = || numbers.next()?.ok();
    let numbers = [(); 5].map(|()| number());
    let [
        Some(input),
        Some(output),
        Some(errors),
        Some(control),
        Some(status),
    ] = numbers
    else {
        exit(starter::REFUSED);
    };
    let Some((plan, program)) = Plan::read(&mut words).zip(words.next()) else {
        exit(starter::REFUSED);
    };
    let supervisor = Supervisor {
        control: passed(control).into(),
        status: passed(status).into(),
        streams: [input, output, errors].map(passed),
        plan,
    };
    supervisor.supervise(&program, &words.collect::<Vec<_>>())
}

fn passed(number: RawFd) -> OwnedFd {
    #[expect(unsafe_code, reason = "a number of a command line has no owner yet")]
    // SAFETY: the process that started this one left the descriptor open under this number, and nothing else takes it.
    let fd = unsafe { OwnedFd::from_raw_fd(number) };
    // The program must have only its three streams.
    let _ = rustix::io::fcntl_setfd(&fd, rustix::io::FdFlags::CLOEXEC);
    fd
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that knows when the last look was must not know when the next one comes. With an exponential
    /// distribution, 1/e of all pauses are longer than 5 ms, and 1/e of these are longer than 10 ms.
    #[test]
    fn the_next_look_is_as_near_as_ever() {
        const PAUSES: u32 = 20_000;
        let pauses: Vec<_> = (0..PAUSES).map(|_| pause().as_secs_f64() * 1e3).collect();
        let longer = |than: f64| pauses.iter().filter(|&&pause| pause > than).count() as f64;
        let (one, two, all) = (longer(5.0), longer(10.0), f64::from(PAUSES));
        let expected = (-1f64).exp();
        // The tolerance is five standard errors.
        let near = |share: f64, of: f64| {
            (share - expected).abs() < 5.0 * (expected * (1.0 - expected) / of).sqrt()
        };
        assert!(near(one / all, all), "{one} of {all}");
        assert!(near(two / one, one), "{two} of {one}");
    }
}
