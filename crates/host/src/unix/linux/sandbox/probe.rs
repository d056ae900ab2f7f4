//! Tries out which sandboxes a machine supports and what a program in a sandbox can do, for `arena sandbox`.
//!
//! [`look`] makes a box of each tier. [`probe`] starts our own program in a sandbox with small limits, next to another
//! process (the victim) and a folder outside. The program tries each of [`ATTEMPTS`] in a new process. The arena itself
//! checks what only it can see, such as whether a process is left. An attempt that was not tried never counts as
//! prevented.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use message::{Message, ToValue as _, message, without_numbers};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};

use super::{hierarchies, landlock, seccomp, users};
use crate::system::starter::NOTHING;
use crate::{
    Exit, Lack, Look, Outcome, Probed, Process, ProcessGroup, Program, ReadResult, Sandbox,
    StartError, Streams, TemporaryFolder, Tier,
};

pub const WORD: &str = "__probe";
pub const VICTIM: &str = "__victim";

const MEMORY_MIB: u64 = 64;
const PROCESSES: u64 = 24;
const DISK_MIB: u64 = 16;
/// The longest run of a probe or a box. Attempts that are not reported by then count as not tried.
const LONGEST: Duration = Duration::from_secs(20);
/// `PTRACE_SEIZE`, `RWF_NOWAIT` and the number of the system call `cachestat`, which `libc` lacks on some systems.
const SEIZE: i64 = 0x4206;
const NO_WAIT: i64 = 8;
const CACHESTAT: i64 = 451;
/// The most CPU time that a program may use while it is stopped.
const STOPPED: Duration = Duration::from_millis(60);
const ENDING: Duration = Duration::from_secs(2);
/// The CPU time that the probe hides in a process whose parent does not wait for it.
const HIDDEN: Duration = Duration::from_millis(60);

pub fn look() -> Look {
    let landlock = landlock::version();
    let keeps_signals = landlock.as_ref().is_some_and(|(_, keeps)| *keeps);
    let lack = |what: &'static str, fix: &'static str| {
        Some(Lack {
            what: what.into(),
            fix: fix.into(),
        })
    };
    let no_standard = if landlock.is_none() {
        lack(
            "the kernel has no Landlock",
            "use Linux 5.13 or newer, with landlock in the kernel's list lsm=",
        )
    } else if !seccomp::is_supported() {
        lack(
            "the kernel has no seccomp filters for this processor",
            "use Linux with CONFIG_SECCOMP_FILTER on x86-64, ARM64 or RISC-V",
        )
    } else {
        tried(Tier::Standard).err().map(|what| Lack {
            what,
            fix: "check that the folder for temporary files can be written to".into(),
        })
    };
    let no_strict = match &no_standard {
        Some(lack) => Some(lack.clone()),
        None => tried(Tier::Strict).err().map(|what| Lack {
            fix: how_to_get_namespaces(&what),
            what,
        }),
    };
    let missing = hierarchies::missing();
    let (mut made_of, mut best) = (Vec::new(), Tier::Standard);
    if no_strict.is_none() {
        best = Tier::Strict;
        made_of.push("namespaces".to_owned());
    }
    made_of.extend(landlock.map(|(version, _)| format!("Landlock {version}")));
    if seccomp::is_supported() {
        made_of.push("seccomp".to_owned());
    }
    let all = ["memory", "processes", "CPU time", "stopping"];
    let counted: Vec<_> = all
        .into_iter()
        .filter(|what| !missing.contains(what))
        .collect();
    if !counted.is_empty() {
        made_of.push("cgroups".to_owned());
    }
    if users::can_change(best) {
        made_of.push("own users".to_owned());
    }
    let missing = missing.into_iter().map(Message::from);
    let missing = missing.reduce(|all, next| message!("{all}, {next}"));
    let not_counted = missing.map(|what| Lack {
        what: message!("no cgroup can be made for {what}"),
        fix: "start the arena as root, or with systemd-run --user --scope -p Delegate=yes arena …"
            .into(),
    });
    Look {
        no_strict,
        no_standard,
        keeps_signals,
        counted,
        not_counted,
        made_of,
    }
}

/// Runs a program in a box of this tier. The error is its output, or how it ended.
fn tried(tier: Tier) -> Result<(), Message> {
    // A machine may lack any other program, so our own program runs.
    let ourselves = std::env::current_exe().map_err(|error| error.to_message())?;
    let program = Program {
        path: ourselves.clone(),
        arguments: vec![NOTHING.into()],
        folder: Some("/".into()),
        variables: vec!["PATH".to_owned()],
        sandbox: Some(Sandbox {
            readable: vec![ourselves],
            runtimes: false,
            ..Sandbox::new(tier)
        }),
        ..Program::default()
    };
    let process = Process::start(&program, Streams::Report, &ProcessGroup::new());
    let mut process = process?;
    let ended = process.wait_for_end(Instant::now() + LONGEST);
    let exit = process.end();
    let mut said = Vec::new();
    process.read_all_output(&mut said);
    match (ended, exit) {
        (Ok(true), Ok(Exit::Status(0))) => Ok(()),
        (Ok(true), _) if !said.is_empty() => Err(reported(String::from_utf8_lossy(&said).trim())),
        (Ok(true), Ok(exit)) => Err(message!("a program in the sandbox ended with {exit:?}")),
        _ => Err("a program in the sandbox did not end".into()),
    }
}

/// Returns the message that `bwrap`, or our program before it, wrote when it could not make the box.
fn reported(text: &str) -> Message {
    match text.split_once("cannot start bwrap: ") {
        Some((_, error)) => {
            let error = Message::whole(without_numbers(error));
            message!("cannot start bwrap: {error}")
        }
        None => Message::quote(text),
    }
}

fn how_to_get_namespaces(what: &Message) -> Message {
    let is_off = |file: &str, value: &str| {
        fs::read_to_string(format!("/proc/sys/{file}")).is_ok_and(|text| text.trim() == value)
    };
    if what.to_string().contains("cannot start bwrap") {
        return "install bubblewrap: apt-get install bubblewrap".into();
    }
    if is_off("user/max_user_namespaces", "0") {
        return "sysctl -w user.max_user_namespaces=10000".into();
    }
    if is_off("kernel/unprivileged_userns_clone", "0") {
        return "sysctl -w kernel.unprivileged_userns_clone=1".into();
    }
    if is_off("kernel/apparmor_restrict_unprivileged_userns", "1") {
        return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for \
                bwrap with the rule userns"
            .into();
    }
    "in a container, allow user namespaces: docker run --security-opt seccomp=unconfined \
     --security-opt apparmor=unconfined --security-opt systempaths=unconfined"
        .into()
}

struct World {
    victim: i32,
    /// A folder that is closed to the probe, with the file `secret`.
    outside: PathBuf,
    /// The probe's own folder, which it may read.
    own: PathBuf,
    /// A folder that outlives the sandbox, and to which the probe may write.
    kept: PathBuf,
}

/// An action in words, and the function that tries it and returns whether it succeeded.
type Attempt = (&'static str, fn(&World) -> bool);

const ATTEMPTS: &[Attempt] = &[
    (
        "read or change other bots' files, the results, your files",
        |world| {
            let secret = world.outside.join("secret");
            File::open(&secret).is_ok()
                || File::options().append(true).open(&secret).is_ok()
                || File::create(world.outside.join("written")).is_ok()
                || fs::read_dir(&world.outside).is_ok()
        },
    ),
    ("change its own files", |world| {
        File::create(world.own.join("written")).is_ok()
    }),
    ("find out whether a guessed file exists", |world| {
        let error = fs::symlink_metadata(world.outside.join("secret")).err();
        error.is_none_or(|error| error.kind() != io::ErrorKind::NotFound)
    }),
    (
        "see the names of other processes, and which connections and locks the machine has",
        |world| {
            let has_lines = |path: &str, least: usize| {
                fs::read_to_string(path).is_ok_and(|text| text.lines().count() >= least)
            };
            read(world.of_victim("cmdline"))
                || has_lines("/proc/net/unix", 2)
                || has_lines("/proc/locks", 1)
        },
    ),
    (
        "read the memory or environment of other processes, trace them",
        |world| {
            read(world.of_victim("environ"))
                || File::open(world.of_victim("mem")).is_ok()
                || call(libc::SYS_ptrace, [SEIZE, world.victim.into(), 0, 0, 0])
                || reaches(
                    libc::SYS_process_vm_readv,
                    [world.victim.into(), 0, 0, 0, 0],
                )
        },
    ),
    ("send signals to the arena or to other bots", |world| {
        let victim = i64::from(world.victim);
        // A signal without effect on a running process.
        let signal = i64::from(libc::SIGCONT);
        let file = File::open("/dev/null").ok();
        let owns = file.is_some_and(|file| fcntl(file.as_raw_fd(), libc::F_SETOWN, victim));
        owns || call(libc::SYS_kill, [victim, signal, 0, 0, 0])
            || call(libc::SYS_tgkill, [victim, victim, signal, 0, 0])
            || call(libc::SYS_setpgid, [0, victim, 0, 0, 0])
    }),
    (
        "change priorities, limits or cores, its own or others'",
        |world| {
            let mut cores = [0_u64; 16];
            cores[0] = 1;
            let (own, cores) = (0, cores.as_ptr() as i64);
            let none = [0_i32; 1].as_ptr() as i64;
            // For the program itself, `setpriority` succeeds without effect, but not for its group.
            let (process, group) = (libc::PRIO_PROCESS.into(), libc::PRIO_PGRP.into());
            let both = [(own, group), (world.victim.into(), process)];
            both.into_iter().any(|(process, which)| {
                call(libc::SYS_setpriority, [which, process, 0, 0, 0])
                    || call(libc::SYS_sched_setaffinity, [process, 128, cores, 0, 0])
                    || call(
                        libc::SYS_sched_setscheduler,
                        [process, libc::SCHED_IDLE.into(), none, 0, 0],
                    )
            }) || call(
                libc::SYS_prlimit64,
                [world.victim.into(), libc::RLIMIT_NOFILE.into(), 0, cores, 0],
            )
        },
    ),
    ("delay others that open files which it can read", |_| {
        let open = || File::open("/etc/passwd").or_else(|_| File::open("/bin/sh"));
        let (Ok(file), Ok(again)) = (open(), open()) else {
            return false;
        };
        let locks = |file: &File| {
            let how = libc::LOCK_EX | libc::LOCK_NB;
            call(
                libc::SYS_flock,
                [file.as_raw_fd().into(), how.into(), 0, 0, 0],
            )
        };
        let read = i64::from(libc::F_RDLCK);
        // A lock that has no effect on others is harmless.
        fcntl(file.as_raw_fd(), libc::F_SETLEASE, read) || locks(&file) && !locks(&again)
    }),
    ("use the network, or sockets of the machine", |_| {
        let families = 1..=45;
        let kinds = [libc::SOCK_STREAM, libc::SOCK_DGRAM, libc::SOCK_RAW];
        let mut pair = [0_i32; 2];
        let pair = pair.as_mut_ptr() as i64;
        let datagrams = [libc::AF_UNIX.into(), libc::SOCK_DGRAM.into(), 0, pair, 0];
        families.into_iter().any(|family| {
            kinds
                .iter()
                .any(|&kind| call(libc::SYS_socket, [family, kind.into(), 0, 0, 0]))
        }) || call(libc::SYS_socketpair, datagrams)
    }),
    (
        "gain rights: set-user-id programs, namespaces, io_uring, keys, bpf",
        |_| {
            let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
            let has = |line: &str| status.lines().any(|text| text.replace('\t', "") == line);
            let may_gain = !has("NoNewPrivs:1") || !has("CapEff:0000000000000000");
            may_gain
                || call(libc::SYS_unshare, [libc::CLONE_NEWUSER.into(), 0, 0, 0, 0])
                || [
                    libc::SYS_io_uring_setup,
                    libc::SYS_add_key,
                    libc::SYS_keyctl,
                    libc::SYS_bpf,
                    libc::SYS_perf_event_open,
                    libc::SYS_userfaultfd,
                    libc::SYS_mount,
                    libc::SYS_setns,
                    libc::SYS_clone3,
                ]
                .into_iter()
                .any(|number| reaches(number, [-1, 0, 0, 0, 0]))
        },
    ),
    (
        "take memory without end, shared or in many processes",
        |_| {
            // Each of two processes takes three quarters of the limit for both together.
            let half = || {
                let mut memory = vec![0_u8; (MEMORY_MIB as usize * 3 / 4) << 20];
                memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
                thread::sleep(Duration::from_millis(300));
                std::hint::black_box(&memory).len() > 1
            };
            let children = [child(half), child(half)];
            children.into_iter().all(ended_well)
        },
    ),
    ("start processes without end", |_| {
        let wait = || {
            thread::sleep(Duration::from_secs(2));
            true
        };
        let children: Vec<_> = (0..2 * PROCESSES).map(|_| child(wait)).collect();
        let started = children.iter().flatten().count();
        for &pid in children.iter().flatten() {
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
        started as u64 > PROCESSES
    }),
    ("use up the real-time signals of other bots", |world| {
        // The kernel counts waiting signals per user, and other bots may have the same user.
        let other = fs::metadata(world.of_victim("")).ok();
        let shares = other.is_some_and(|other| other.uid() == nix::unistd::getuid().as_raw());
        let signal = libc::SIGRTMIN();
        let mut information = [0_i32; 32];
        (information[0], information[2]) = (signal, libc::SI_QUEUE);
        let (own, place) = (std::process::id().into(), information.as_ptr() as i64);
        let waits = || {
            let arguments = [own, signal.into(), place, 0, 0];
            call(libc::SYS_rt_sigqueueinfo, arguments)
        };
        let blocked = nix::sys::signal::SigSet::all().thread_block();
        shares && blocked.is_ok() && (0..1000).all(|_| waits())
    }),
    ("fill the disk", |_| {
        let folder = std::env::temp_dir();
        fills(&folder) || fills(Path::new("/dev/shm"))
    }),
    (
        "fill the disk through a folder that stays (keep_folder; a grade has none)",
        |world| fills(&world.kept),
    ),
    (
        "remember something from game to game by access times of files",
        |world| {
            let file = world.own.join("old");
            let accessed = || fs::metadata(&file).map_or(0, |data| data.atime());
            let before = accessed();
            read(file.clone()) && accessed() != before
        },
    ),
    (
        "remember something from game to game in what the kernel counts of the machine",
        // The kernel also counts the inode numbers of pipes for the whole machine.
        |_| {
            let pipe = io::pipe().and_then(|(end, _)| Ok(rustix::fs::fstat(end)?.st_ino));
            pipe.is_ok_and(|number| number > 1) || read("/proc/vmstat".into())
        },
    ),
    (
        "learn which system files are in memory, or remove them from it",
        |_| {
            let Ok(file) = File::open("/bin/sh") else {
                return false;
            };
            let fd = i64::from(file.as_raw_fd());
            let mut byte = [0_u8; 1];
            let slice = libc::iovec {
                iov_base: byte.as_mut_ptr().cast(),
                iov_len: 1,
            };
            let slices = (&raw const slice) as i64;
            let read = raw(libc::SYS_preadv2, [fd, slices, 1, 0, 0], NO_WAIT);
            read.is_none_or(|error| error == libc::EAGAIN)
                || call(
                    libc::SYS_fadvise64,
                    [fd, 0, 0, libc::POSIX_FADV_DONTNEED.into(), 0],
                )
                || reaches(libc::SYS_mincore, [0, 4096, 0, 0, 0])
                || reaches(CACHESTAT, [fd, 0, 0, 0, 0])
        },
    ),
    (
        "learn from page faults and read times which system files were read before",
        // A program can measure the time for reading a file.
        |_| read("/bin/sh".into()),
    ),
    (
        "slow down games at the same time (-j 2) that read the same disk",
        // Nothing limits how much a program reads.
        |_| read("/bin/sh".into()),
    ),
];

const STAYS: &str = "leave processes running";
const LEAVES: &str = "leave files in /tmp, /dev/shm or its home for its next game";
const COMPUTES: &str = "compute while its opponent thinks";
const HIDES: &str = "hide CPU time in children";

impl World {
    fn of_victim(&self, name: &str) -> PathBuf {
        format!("/proc/{}/{name}", self.victim).into()
    }
}

fn read(path: PathBuf) -> bool {
    File::open(path).is_ok_and(|mut file| file.read(&mut [0]).is_ok_and(|count| count > 0))
}

fn fills(folder: &Path) -> bool {
    let mib = vec![1_u8; 1 << 20];
    let files: Vec<PathBuf> = (0..5)
        .map(|number| folder.join(format!("fill-{number}")))
        .collect();
    let written = files.iter().all(|path| {
        File::create(path).is_ok_and(|file| {
            (0..DISK_MIB).all(|number| file.write_all_at(&mib, number << 20).is_ok())
        })
    });
    for path in files {
        let _ = fs::remove_file(path);
    }
    written
}

fn raw(number: i64, first: [i64; 5], last: i64) -> Option<i32> {
    #[expect(unsafe_code, reason = "no library calls what a sandbox forbids")]
    // SAFETY: the arguments are numbers, null, or pointers to memory that outlives the call.
    let result = unsafe {
        libc::syscall(
            number, first[0], first[1], first[2], first[3], first[4], last,
        )
    };
    (result < 0).then(|| io::Error::last_os_error().raw_os_error().unwrap_or(0))
}

fn call(number: i64, arguments: [i64; 5]) -> bool {
    raw(number, arguments, 0).is_none()
}

/// Returns whether the call reaches the kernel's code instead of being refused.
fn reaches(number: i64, arguments: [i64; 5]) -> bool {
    let refused = [libc::EPERM, libc::ENOSYS, libc::EACCES];
    raw(number, arguments, 0).is_none_or(|error| !refused.contains(&error))
}

fn fcntl(fd: RawFd, command: i32, argument: i64) -> bool {
    call(libc::SYS_fcntl, [fd.into(), command.into(), argument, 0, 0])
}

/// Starts a process that exits with 0 if the attempt succeeds; `None`: the system refuses the process.
fn child(attempt: impl FnOnce() -> bool) -> Option<Pid> {
    #[expect(unsafe_code, reason = "attempts may end their process")]
    // SAFETY: the probe has one thread.
    match unsafe { fork() }.ok()? {
        ForkResult::Parent { child } => Some(child),
        ForkResult::Child => exit(i32::from(!attempt())),
    }
}

fn ended_well(child: Option<Pid>) -> bool {
    child.is_some_and(|child| matches!(waitpid(child, None), Ok(WaitStatus::Exited(_, 0))))
}

pub fn try_all(mut words: impl Iterator<Item = OsString>) -> ! {
    let mut path = || PathBuf::from(words.next().unwrap_or_default());
    let (outside, own, kept) = (path(), path(), path());
    let mut number = || path().to_string_lossy().parse().unwrap_or(0);
    let (victim, first) = (number(), number() as usize);
    let world = World {
        victim,
        outside,
        own,
        kept,
    };
    let mut out = io::stdout();
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let places = ["/tmp".into(), "/dev/shm".into(), home, std::env::temp_dir()];
    // The name differs for each arena, so that no arena takes another's files for its own.
    let folder = world.outside.parent().and_then(Path::file_name);
    let name = format!("{}-left", folder.unwrap_or_default().to_string_lossy());
    let left = places.map(|place| place.join(&name));
    let _ = writeln!(out, "{LEAVES}\t{}", left.iter().any(|file| file.exists()));
    for file in left {
        let _ = File::create(file);
    }
    for (what, attempt) in ATTEMPTS.iter().skip(first) {
        // If the attempt ends the whole box, this line shows which attempt it was.
        let _ = writeln!(out, "{what}");
        let can = ended_well(child(|| attempt(&world)));
        let _ = writeln!(out, "{what}\t{can}");
    }
    // The first child ends before its own child, so that no parent waits for the inner child.
    let hidden = child(|| {
        child(|| {
            while crate::thread_cpu_time() < HIDDEN {}
            true
        });
        true
    });
    ended_well(hidden);
    // This process keeps our output open while it lives.
    child(|| {
        let _ = nix::unistd::setsid();
        thread::sleep(LONGEST);
        true
    });
    let _ = writeln!(out, "done\ttrue");
    let until = Instant::now() + LONGEST;
    while Instant::now() < until {
        std::hint::spin_loop();
    }
    exit(0)
}

pub fn be_victim() -> ! {
    let _ = io::stdin().read(&mut [0]);
    exit(0)
}

pub fn probe(tier: Tier) -> Result<Vec<Probed>, StartError> {
    let failed = |error: io::Error| StartError::NoBox(error.to_string());
    let ourselves = std::env::current_exe().map_err(failed)?;
    let place = TemporaryFolder::new("arena-probe-", None).map_err(failed)?;
    let [outside, own, kept] = ["outside", "own", "kept"].map(|name| place.path().join(name));
    let make = || {
        // The probe tests the sandbox, not the permissions of files.
        fs::set_permissions(place.path(), Permissions::from_mode(0o755))?;
        [&outside, &own, &kept]
            .into_iter()
            .try_for_each(fs::create_dir)?;
        fs::set_permissions(&outside, Permissions::from_mode(0o777))?;
        fs::write(outside.join("secret"), "secret")?;
        fs::set_permissions(outside.join("secret"), Permissions::from_mode(0o666))?;
        let old = File::create(own.join("old"))?;
        (&old).write_all(b"old")?;
        old.set_times(FileTimes::new().set_accessed(SystemTime::UNIX_EPOCH))
    };
    make().map_err(failed)?;
    let group = ProcessGroup::new();
    let program = Program {
        path: ourselves.clone(),
        folder: Some("/".into()),
        ..Program::default()
    };
    let victim = Program {
        arguments: vec![VICTIM.into()],
        ..program.clone()
    };
    let victim = Process::start(&victim, Streams::Dialogue, &group)?;
    let number = victim.number().to_string();
    let program = Program {
        arguments: vec![
            WORD.into(),
            outside.into(),
            own.clone().into(),
            kept.clone().into(),
            number.into(),
        ],
        variables: vec!["PATH".to_owned()],
        sandbox: Some(Sandbox {
            readable: vec![ourselves, own],
            writable: vec![kept],
            runtimes: false,
            memory_mib: Some(MEMORY_MIB),
            processes: Some(PROCESSES),
            disk_mib: Some(DISK_MIB),
            ..Sandbox::new(tier)
        }),
        ..program
    };
    let (mut first, mut begun) = (Vec::new(), 0);
    while begun < ATTEMPTS.len() {
        let tried = run(&program, begun, &group)?;
        begun = tried.next;
        first.extend(tried.found);
    }
    let second = run(&program, ATTEMPTS.len(), &group)?.found;
    drop(victim);
    let rows = ATTEMPTS.iter().map(|(what, _)| *what);
    let rows = rows.chain([STAYS, LEAVES, COMPUTES, HIDES]);
    // The second probe looks for traces of the first.
    let outcome = |what: &str| {
        let both = [&first, &second].into_iter().flatten();
        let of_it = both.filter(|(name, _)| name == what).map(|(_, can)| *can);
        match of_it.reduce(|one, two| one || two) {
            None => Outcome::NotTried,
            Some(true) => Outcome::Open,
            Some(false) => Outcome::Held,
        }
    };
    Ok(rows
        .map(|what| Probed {
            what,
            outcome: outcome(what),
        })
        .collect())
}

struct Tried {
    found: Vec<(String, bool)>,
    next: usize,
}

/// Runs the probe from attempt `first` on, until it has tried all or an attempt has ended it.
fn run(program: &Program, first: usize, group: &ProcessGroup) -> Result<Tried, StartError> {
    let exhausted = StartError::Exhausted;
    let mut program = program.clone();
    program.arguments.push(first.to_string().into());
    let mut process = Process::start(&program, Streams::Report, group)?;
    let (mut said, until) = (Vec::new(), Instant::now() + LONGEST);
    let is_done = |said: &[u8]| said.ends_with(b"done\ttrue\n");
    while !is_done(&said) && Instant::now() < until {
        let seen = process
            .wait(Some(until), Instant::now(), false)
            .map_err(exhausted)?;
        process.read_all_output(&mut said);
        if seen.ended {
            break;
        }
    }
    let text = String::from_utf8_lossy(&said).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let mut tried: Vec<(String, bool)> = lines
        .map(|(what, can)| (what.to_owned(), can == "true"))
        .collect();
    if !is_done(&said) {
        let mut begun = text.lines().filter(|line| !line.contains('\t'));
        let last = begun.next_back().unwrap_or_default();
        let _ = process.end();
        if process.reached().is_some() && tried.iter().all(|(what, _)| what != last) {
            // The kernel killed the probe for using more than its sandbox allows.
            tried.push((last.to_owned(), false));
        }
        return Ok(Tried {
            found: tried,
            next: first + begun.count() + 1,
        });
    }
    // The probe now uses CPU time. It is stopped like a bot whose opponent thinks.
    process.freeze();
    let before = process.cpu_time();
    thread::sleep(3 * STOPPED);
    let while_stopped = process
        .cpu_time()
        .zip(before)
        .map(|(now, before)| now.saturating_sub(before));
    process.thaw();
    tried.extend(while_stopped.map(|used| (COMPUTES.to_owned(), used > STOPPED)));
    tried.push((HIDES.to_owned(), !is_counted(&process)));
    let _ = process.end();
    let until = Instant::now() + ENDING;
    let mut ends = false;
    while !ends && Instant::now() < until {
        let _ = process.wait(Some(until), Instant::now(), false);
        ends = matches!(process.read_output(|_| ()), Ok(ReadResult::End));
    }
    tried.push((STAYS.to_owned(), !ends));
    Ok(Tried {
        found: tried,
        next: ATTEMPTS.len(),
    })
}

/// Waits until the probe has used its hidden CPU time, and returns whether that time is counted.
fn is_counted(process: &Process) -> bool {
    let until = Instant::now() + LONGEST;
    while Instant::now() < until {
        let usage = process.usage();
        let Some((of_box, own)) = usage.of_box.zip(usage.cpu) else {
            return false;
        };
        if of_box.saturating_sub(own) >= HIDDEN {
            return true;
        }
        thread::sleep(HIDDEN);
    }
    false
}
