//! Becoming a bot. The arena starts itself once more; that process restricts itself and then lets
//! the bot's program take its place.
//!
//! What it does in between cannot be done from outside, and doing it between `fork` and `exec`
//! would copy the arena's memory tables for every bot: this costs one more `exec` instead. The
//! process keeps its number, pipes, folder and environment. It
//!
//! - is killed when the arena is, however that ends: a bot that hangs outlives nobody;
//! - leaves no core dump;
//! - keeps no descriptor but its three standard streams, whatever the arena was started with.
//!
//! A sandbox is to be built here. Nothing of this reaches what the bot starts itself: that is found by
//! a [`mark`](super::mark).

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, exit};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Resource, Rlimit, Signal};

use super::mourner;
use crate::record::Exit;

/// First argument of the arena where it is to become a bot.
const WORD: &str = "__become";
/// The status with which the helper ends where the bot's program cannot be started, and the word
/// before the system's error number on its standard error.
const REFUSED: i32 = 213;
const REFUSED_WORD: &str = "arena-cannot-become";
/// The arena's own program, even where its file has been replaced since.
pub(super) const OURSELVES: &str = "/proc/self/exe";

/// Whether this program hands its command line to [`become_bot_if_asked`]: tests and benchmarks that
/// only link the library do not, and start bots directly.
static HELPS: AtomicBool = AtomicBool::new(false);

/// A word that the arena gives its helper and that a bot never sees: with it a refusal cannot be
/// forged.
static SECRET: LazyLock<String> =
    LazyLock::new(|| format!("{:016x}", RandomState::new().hash_one(std::process::id())));

/// To be called first in `main`. If this process was started to become a bot, it does, and this
/// never returns. Otherwise every bot is started through this program from now on.
pub fn become_bot_if_asked() {
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    if first.as_ref().is_some_and(|word| word == mourner::WORD) {
        mourner::mourn(std::env::args().nth(2).unwrap_or_default());
        exit(0);
    }
    if first.is_some_and(|word| word == WORD) {
        let error = become_bot(words);
        let secret = std::env::args().nth(2).unwrap_or_default();
        eprintln!(
            "{REFUSED_WORD} {secret} {}",
            error.raw_os_error().unwrap_or(0)
        );
        exit(REFUSED);
    }
    HELPS.store(Path::new(OURSELVES).exists(), Ordering::Relaxed);
}

/// A command that becomes `program`, which gets the arguments that are added to it.
pub(super) fn command(program: &Path) -> Command {
    if !HELPS.load(Ordering::Relaxed) {
        return Command::new(program);
    }
    mourner::engage();
    let mut command = Command::new(OURSELVES);
    command
        .arg(WORD)
        .arg(&*SECRET)
        .arg(std::process::id().to_string())
        .arg(program);
    command
}

/// The system's error, if a process that ended like this did so because the bot's program could not
/// be started.
pub(super) fn refusal(exit: Option<Exit>, stderr: &str) -> Option<io::Error> {
    let number = stderr
        .strip_prefix(REFUSED_WORD)
        .and_then(|rest| rest.trim_start().strip_prefix(SECRET.as_str()))
        .filter(|_| exit == Some(Exit::Status(REFUSED)))?;
    Some(io::Error::from_raw_os_error(number.trim().parse().ok()?))
}

/// Restricts this process and turns it into the program; returns only if that fails.
fn become_bot(mut words: impl Iterator<Item = OsString>) -> io::Error {
    let (Some(_secret), Some(arena), Some(program)) = (words.next(), words.next(), words.next())
    else {
        return io::ErrorKind::InvalidInput.into();
    };
    if let Err(error) = restrict(&arena) {
        return error;
    }
    Command::new(program).args(words).exec()
}

fn restrict(arena: &OsString) -> io::Result<()> {
    // The signal comes when the thread that started us ends. Workers end their bots before they end.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let parent = rustix::process::getppid().map(|parent| parent.to_string());
    if parent.as_deref().map(OsString::from).as_ref() != Some(arena) {
        // The arena was gone before the signal was ordered.
        exit(REFUSED);
    }
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::setrlimit(Resource::Core, none)?;
    // The list is read to its end before anything is closed: it has a descriptor itself.
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open.into_iter().filter(|&descriptor| descriptor > 2) {
        // That of the list itself is closed already.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}
