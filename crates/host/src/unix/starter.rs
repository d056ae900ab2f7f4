//! How our own program, when we start it again, becomes another program.
//!
//! A process that [`SystemProcess`](super::SystemProcess) starts runs our own program first, which restricts itself and
//! then becomes the other program. Restricting between `fork` and `exec` would need a copy of our page tables for every
//! process; an additional `exec` is cheaper. The process keeps its number, pipes, folder and environment. It
//!
//! - is killed when the arena ends in any way (where the system cannot do that, the [reaper](super::reaper) does);
//! - has its own session: otherwise a bot could join process groups of our session and signal the arena's group;
//! - leaves no core dump;
//! - keeps no descriptors but its three standard streams.
//!
//! The descendants of the process do not end with us. The reaper finds them by their [`Tag`](super::reaper::Tag).

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, kill_process, kill_process_group, setrlimit, setsid,
};

use super::files;
use super::kernel::{die_with_parent, has_other_formats, own_program};
use crate::{Exit, Refusal, StartError};

pub const NOTHING: &str = "__nothing";
pub const BECOME: &str = "__become";
/// The exit status of our program if it cannot become the other program, and the word before the system's error number.
pub const REFUSED: i32 = 213;
const REFUSED_WORD: &str = "arena-cannot-become";
/// First bytes of programs: ELF, script with interpreter, Mach-O for each byte order and for several processors.
const FORMATS: [&[u8]; 5] = [
    b"\x7fELF",
    b"#!",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\xfe\xed\xfa\xcf",
];

/// A word that the program never sees, so that it cannot forge a refusal. Programs in sandboxes could see it in the
/// arguments of other processes, so a sandbox reports refusals by a pipe instead.
static SECRET: LazyLock<String> =
    LazyLock::new(|| format!("{:016x}", RandomState::new().hash_one(std::process::id())));
/// Whether this program calls [`take_role_if_asked`](super::take_role_if_asked). Tests and benchmarks do not, and start
/// processes directly.
static TAKES_ROLES: AtomicBool = AtomicBool::new(false);
static FIRST_LIMIT: OnceLock<Rlimit> = OnceLock::new();

pub fn allow_roles() {
    TAKES_ROLES.store(own_program().exists(), Ordering::Relaxed);
}

pub fn takes_roles() -> bool {
    TAKES_ROLES.load(Ordering::Relaxed)
}

/// Raises the limit of open files to the highest allowed, and returns it; `None`: there is no limit.
pub fn most_open() -> Option<usize> {
    let first = FIRST_LIMIT.get_or_init(|| getrlimit(Resource::Nofile));
    let raised = Rlimit {
        current: first.maximum,
        maximum: first.maximum,
    };
    let limit = if setrlimit(Resource::Nofile, raised).is_ok() {
        raised
    } else {
        *first
    };
    Some(usize::try_from(limit.current?).unwrap_or(usize::MAX))
}

pub fn limit_itself(memory_mib: u64, time: Duration) {
    let (memory, seconds) = (memory_mib << 20, time.as_secs());
    for (resource, current, maximum) in [
        (Resource::As, memory, memory),
        // The lower limit sends SIGXCPU. The upper one would send SIGKILL, which other processes send, too.
        (Resource::Cpu, seconds, seconds + 1),
        (Resource::Core, 0, 0),
    ] {
        let limit = Rlimit {
            current: Some(current),
            maximum: Some(maximum),
        };
        // macOS has no limit of address space.
        let _ = setrlimit(resource, limit);
    }
}

/// Returns whether the system sends this signal for an error of the process itself, and not for another process.
pub fn is_crash(signal: i32) -> bool {
    let own = [
        Signal::ABORT,
        Signal::BUS,
        Signal::FPE,
        Signal::ILL,
        Signal::SEGV,
        Signal::TRAP,
        Signal::XCPU,
    ];
    own.iter().any(|own| own.as_raw() == signal)
}

pub fn command(program: &Path) -> Command {
    if !takes_roles() {
        let mut command = Command::new(program);
        command.process_group(0);
        return command;
    }
    let mut command = role(BECOME);
    command.arg(&*SECRET).arg(program);
    command
}

/// Returns a command for our own program in this role, with the arguments of [`restrict`].
pub fn role(word: &str) -> Command {
    // `None`: the limit was not raised.
    let limit = FIRST_LIMIT.get().and_then(|first| first.current);
    let mut command = Command::new(own_program());
    command
        .arg(word)
        .arg(std::process::id().to_string())
        .arg(limit.map_or_else(String::new, |limit| limit.to_string()));
    command
}

pub fn refusal(exit: Exit, output: &str) -> Option<StartError> {
    let number = output
        .strip_prefix(REFUSED_WORD)
        .and_then(|rest| rest.trim_start().strip_prefix(SECRET.as_str()))
        .filter(|_| exit == Exit::Status(REFUSED))?;
    let error = io::Error::from_raw_os_error(number.trim().parse().ok()?);
    Some(why(error))
}

pub fn why(error: io::Error) -> StartError {
    let refusal = match Errno::from_io_error(&error) {
        Some(Errno::MFILE | Errno::NFILE | Errno::AGAIN | Errno::NOMEM) => {
            return StartError::Exhausted(error);
        }
        Some(Errno::NOENT | Errno::NOTDIR) => Refusal::NotFound,
        Some(Errno::ACCESS) => Refusal::NotAllowed,
        Some(Errno::NOEXEC) => Refusal::NotAProgram,
        _ => Refusal::Other,
    };
    StartError::Refused(refusal, error)
}

pub fn become_program(mut words: impl Iterator<Item = OsString>) -> ! {
    let (Some(parent), Some(limit), Some(secret), Some(program)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        exit(REFUSED);
    };
    let error = match restrict(&parent, &limit, Signal::KILL) {
        Ok(()) if is_unknown_format(&program) => Errno::NOEXEC.into(),
        Ok(()) => Command::new(program).args(words).exec(),
        Err(error) => error,
    };
    refuse(&secret.to_string_lossy(), &error)
}

fn refuse(secret: &str, error: &io::Error) -> ! {
    let number = error.raw_os_error().unwrap_or(0);
    eprintln!("{REFUSED_WORD} {secret} {number}");
    exit(REFUSED);
}

pub fn signal(leader: Pid, signal: Signal) {
    // A process that has not yet made its session has no process group of its own.
    if kill_process_group(leader, signal).is_err() {
        // Fails only if the process has ended.
        let _ = kill_process(leader, signal);
    }
}

/// Restricts this process: it ends with its parent, by the signal `end`, has its own session and leaves no core dump.
/// Its limit of open files is `limit` (if not empty), and its program gets only three descriptors.
pub fn restrict(parent: &OsStr, limit: &OsStr, end: Signal) -> io::Result<()> {
    die_with_parent(end)?;
    setsid()?;
    let now = rustix::process::getppid().map(|parent| parent.to_string());
    if now.as_deref().map(OsStr::new) != Some(parent) {
        // The parent ended before this process asked to end with it.
        exit(REFUSED);
    }
    prevent_dumps()?;
    if let Some(limit) = limit.to_str().and_then(|limit| limit.parse().ok()) {
        let raised = getrlimit(Resource::Nofile);
        let first = Rlimit {
            current: Some(limit),
            ..raised
        };
        setrlimit(Resource::Nofile, first)?;
    }
    close_fds::set_fds_cloexec(3, &[]);
    Ok(())
}

/// Prevents core dumps of this process. Where the system gives dumps to a program, which it starts as root on any core,
/// a limit of 0 bytes does not prevent that, but 1 byte does: see `RLIMIT_CORE` in core(5).
fn prevent_dumps() -> io::Result<()> {
    // A hard limit of 0 cannot be raised.
    let most = getrlimit(Resource::Core)
        .maximum
        .map_or(1, |most| most.min(1));
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    Ok(setrlimit(Resource::Core, limit)?)
}

/// Returns whether the system cannot execute this program file; false if it cannot be read, so that the system decides.
/// The C library hands such a file to `/bin/sh`, which succeeds for an empty file and runs C++ as commands.
pub fn is_unknown_format(program: &OsStr) -> bool {
    // Opens only regular files: opening a named pipe would block until it has a writer.
    let Some(path) = look_up(program).filter(|path| is_executable(path)) else {
        return false;
    };
    let mut begins = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut begins));
    read.is_ok() && !FORMATS.iter().any(|known| begins.starts_with(known)) && !has_other_formats()
}

fn look_up(program: &OsStr) -> Option<PathBuf> {
    if program.as_encoded_bytes().contains(&b'/') {
        return Some(PathBuf::from(program));
    }
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(program));
    places.find(|place| is_executable(place))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && files::may_run(path)
}
