//! Becoming a program. Ours starts itself once more; that process restricts itself and then lets
//! the program take its place.
//!
//! What it does in between cannot be done from outside, and doing it between `fork` and `exec`
//! would copy our memory tables for every process: this costs one more `exec` instead. The
//! process keeps its number, pipes, folder and environment. It
//!
//! - is killed when we are, however that ends: a process that hangs outlives nobody (where the system
//!   cannot do that, the [reaper](super::reaper) does);
//! - has a session of its own: a bot can join each process group of its session, and with it get signals to the
//!   arena's group, or cause them;
//! - leaves no core dump;
//! - keeps no descriptor but its three standard streams, whatever we were started with.
//!
//! Nothing of this reaches what the process starts itself: that is found by its
//! [`Tag`](super::tag::Tag). Where more is asked for, it is done in `linux/sandbox`.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, exit};
use std::sync::LazyLock;

use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, kill_process, kill_process_group, setrlimit, setsid,
};

use super::format;
use super::kernel::die_with_parent;
use super::ourselves;
use crate::{Exit, Refusal, StartError};

/// First argument of our program where it is to become another.
pub const WORD: &str = "__become";
/// The status with which it ends where the other cannot be started, and the word before the system's
/// error number on its standard error.
pub const REFUSED: i32 = 213;
const REFUSED_WORD: &str = "arena-cannot-become";

/// A word that we give and that the program never sees: with it a refusal cannot be forged.
static SECRET: LazyLock<String> =
    LazyLock::new(|| format!("{:016x}", RandomState::new().hash_one(std::process::id())));

/// A command that becomes `program`, which gets the arguments that are added to it.
pub fn command(program: &Path) -> Command {
    if !ourselves::helps() {
        let mut command = Command::new(program);
        command.process_group(0);
        return command;
    }
    let mut command = role(WORD);
    command.arg(program);
    command
}

/// Our own program in this role, with what [`restrict`] has to know.
pub fn role(word: &str) -> Command {
    let mut command = Command::new(ourselves::program());
    command
        .arg(word)
        .arg(&*SECRET)
        .arg(std::process::id().to_string())
        .arg(ourselves::first_limit().map_or_else(String::new, |limit| limit.to_string()));
    command
}

/// Why the program was not started, if a process that ended like this, saying this, was no more than
/// a starter.
pub fn refusal(exit: Exit, said: &str) -> Option<StartError> {
    let number = said
        .strip_prefix(REFUSED_WORD)
        .and_then(|rest| rest.trim_start().strip_prefix(SECRET.as_str()))
        .filter(|_| exit == Exit::Status(REFUSED))?;
    let error = io::Error::from_raw_os_error(number.trim().parse().ok()?);
    Some(why(error))
}

/// Why the system did not start a program.
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

/// Restricts this process and turns it into the program that the words say.
pub fn become_program(mut words: impl Iterator<Item = OsString>) -> ! {
    let secret = words.next().unwrap_or_default();
    let (Some(parent), Some(limit), Some(program)) = (words.next(), words.next(), words.next())
    else {
        exit(REFUSED);
    };
    let error = match restrict(&parent, &limit, Signal::KILL) {
        Ok(()) if format::is_unknown(&program) => Errno::NOEXEC.into(),
        Ok(()) => Command::new(program).args(words).exec(),
        Err(error) => error,
    };
    refuse(&secret.to_string_lossy(), &error)
}

/// Ends this process, which cannot become a program.
pub fn refuse(secret: &str, error: &io::Error) -> ! {
    let number = error.raw_os_error().unwrap_or(0);
    eprintln!("{REFUSED_WORD} {secret} {number}");
    exit(REFUSED);
}

/// Signals a process that was started so, and its group.
pub fn signal(leader: Pid, signal: Signal) {
    // A process that has no session yet has no group of its own either.
    if kill_process_group(leader, signal).is_err() {
        // Fails only if the process has ended.
        let _ = kill_process(leader, signal);
    }
}

/// Ends with its parent, by this signal; has a session of its own; leaves no core; has no descriptor but three.
pub fn restrict(parent: &OsStr, limit: &OsStr, end: Signal) -> io::Result<()> {
    die_with_parent(end)?;
    setsid()?;
    let now = rustix::process::getppid().map(|parent| parent.to_string());
    if now.as_deref().map(OsStr::new) != Some(parent) {
        // It was gone before its death could be ours.
        exit(REFUSED);
    }
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none)?;
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
