//! Runs the command of a build, keeps its output, and bounds its use of the disk.
//!
//! The build's folder shows neither temporary files nor removed files that the build still holds open, so the free
//! space of the file systems counts, too. But other programs also change the free space. Whether the build took the
//! missing space is known only after its end, when the system frees the files that no folder shows.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use host::{Exit as HostExit, Process, ReadResult, Walk};

use super::BuildError;
use crate::bot::disk_share::free;
use crate::bot::{ArenaError, DiskShare, Exceeded, Failure, Launch, Quota, Tail, size};
use crate::record::{Exit, Fault};
use message::{Message, ToValue, message};

const PIPE_PIECES: usize = 8;

/// The time between two checks of the folder; it is longer after a check that takes long.
const LOOK: Duration = Duration::from_millis(500);
const LOOK_AT_DISK: Duration = Duration::from_millis(20);
/// The longest time that the system takes to free space after the end of a build.
const FREEING: Duration = Duration::from_secs(5);
/// The number of attempts at a build while other programs fill the disk.
const TRIES: usize = 3;

/// The exit status of the arena's own build script if the build tool does not start (`EX_UNAVAILABLE` of sysexits.h).
const UNAVAILABLE: i32 = 69;

#[derive(Debug)]
pub struct Growth {
    folder: PathBuf,
    before: BTreeMap<PathBuf, u64>,
    free: [u64; 2],
    share: DiskShare,
}

#[derive(Debug, thiserror::Error, message::Message)]
enum TooMuch {
    #[error("the build added {0} to its folder")]
    Exceeded(#[from] Exceeded),
    /// The build wrote too much to files that its folder does not show.
    #[error(
        "the build used more than {} of disk space outside its folder",
        size(Quota::BYTES)
    )]
    Hidden,
    #[error("the build left files that cannot be read: {0}")]
    Unreadable(io::Error),
}

impl Growth {
    pub fn of(folder: &Path, share: DiskShare) -> io::Result<Growth> {
        let entries = Walk::of(folder).map(|entry| entry.map(|(path, data)| (path, data.len())));
        Ok(Growth {
            folder: folder.to_owned(),
            before: entries.collect::<io::Result<_>>()?,
            free: free(folder),
            share,
        })
    }

    fn lost(&self) -> u64 {
        let now = free(&self.folder);
        let lost = self
            .free
            .iter()
            .zip(now)
            .map(|(before, now)| before.saturating_sub(now));
        lost.max().unwrap_or_default()
    }

    /// Returns the lost space, and why the build must end, if less is free than the hand-in must leave.
    fn low(&self) -> Option<Stopped> {
        let exceeded = self.share.check(free(&self.folder)).err()?;
        Some(Stopped::Full(self.lost(), exceeded.into()))
    }

    /// Fails if the build added more to the folder than a hand-in may have, or if the folder has an entry that cannot
    /// be read, such as a folder without read permission or a path that is too long. Ignores entries that disappear
    /// during the check. Returns the number of used bytes of the disk that the files in the folder do not explain.
    fn check(&self) -> Result<u64, TooMuch> {
        let (mut quota, mut unreadable) = (Quota::within(self.share, self.free), None);
        for entry in Walk::of(&self.folder) {
            match entry {
                Ok((path, data)) => match self.before.get(&path) {
                    None => quota.take(1, data.len())?,
                    Some(before) => quota.take(0, data.len().saturating_sub(*before))?,
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => unreadable = Some(error),
            }
        }
        quota.check_share()?;
        let added = Quota::BYTES - quota.bytes();
        let hidden = self.lost().saturating_sub(added);
        unreadable.map_or(Ok(hidden), |error| Err(TooMuch::Unreadable(error)))
    }

    fn remove(&self) {
        let mut walk = Walk::of(&self.folder);
        while let Some(entry) = walk.next() {
            let Ok((path, data)) = entry else {
                continue;
            };
            let before = self.before.get(&path);
            if before.is_none_or(|before| !data.is_dir() && data.len() > *before) {
                walk.leave_out();
                // If an entry cannot be removed, the next check of the hand-in reports it.
                let _ = host::remove_all(&self.folder.join(path));
            }
        }
    }
}

enum Stopped {
    Late,
    Grown(TooMuch),
    /// The number of used bytes of the disk that the files in the folder may not explain, and the build's excess if
    /// the build used them.
    Full(u64, TooMuch),
}

/// Runs the command by [`once`], and again if another program filled the disk.
pub fn run(launch: &Launch, limit: Duration, growth: Option<Growth>) -> Result<(), BuildError> {
    let Some(mut growth) = growth else {
        return once(launch, limit, None)?.ok_or_else(full);
    };
    for _ in 0..TRIES {
        if once(launch, limit, Some(&growth))?.is_some() {
            return Ok(());
        }
        growth.remove();
        growth.free = free(&growth.folder);
    }
    Err(full())
}

/// Runs the command, and then kills the processes that it left running: they could write into the folder during games.
/// Fails if the command fails, takes longer than `limit`, or adds too much to its folder. Returns `None` if the command
/// was stopped because another program filled the disk.
fn once(
    launch: &Launch,
    limit: Duration,
    growth: Option<&Growth>,
) -> Result<Option<()>, BuildError> {
    let folder = launch.folder.clone().unwrap_or_default();
    let failed = |why: Message, output: String| BuildError::Failed {
        why,
        command: format!("cd {} && {}", folder.display(), launch.display()),
        output,
    };
    let refused = |failure| match failure {
        Failure::Fault(Fault::StartFailed { why }) => failed(why, String::new()),
        Failure::Fault(fault) => failed(fault.to_message(), String::new()),
        Failure::Arena(error) => error.into(),
    };
    let mut process = launch.start_build().map_err(refused)?;
    let mut log = Tail::default();
    let stopped = listen(&mut process, &mut log, Instant::now() + limit, growth)?;
    let ended = process.end().map_err(ArenaError::Pipe)?;
    for _ in 0..PIPE_PIECES {
        read(&mut process, &mut log)?;
    }
    if launch.process_group.is_ended() {
        return Err(ArenaError::Aborted.into());
    }
    if let Some(error) = process.refusal(&log.text()) {
        return Err(refused(launch.refused(error)));
    }
    drop(process);
    let stopped = match (stopped, growth) {
        (Some(Stopped::Full(lost, excess)), Some(growth)) => Some(freed(lost, excess, growth)),
        // The folder may have grown since the last check.
        (None, Some(growth)) => growth.check().err().map(Stopped::Grown),
        (stopped, _) => stopped,
    };
    match (stopped, ended) {
        (Some(Stopped::Grown(refused)), _) => {
            growth.inspect(|growth| growth.remove());
            Err(match refused {
                TooMuch::Exceeded(share @ Exceeded::Share { .. }) => BuildError::NoRoom(share),
                refused => failed(refused.to_message(), log.text()),
            })
        }
        (Some(Stopped::Late), _) => {
            let limit = humane(limit);
            Err(failed(
                message!("the build did not end within {limit}"),
                log.text(),
            ))
        }
        (Some(Stopped::Full(..)), _) => Ok(None),
        (None, HostExit::Status(0)) => Ok(Some(())),
        (None, HostExit::Status(UNAVAILABLE)) if launch.has_frame() => {
            let log = log.text();
            let (what, why) = log.trim().split_once(": ").unwrap_or((&log, ""));
            Err(BuildError::System {
                what: what.to_owned(),
                source: io::Error::other(why),
            })
        }
        (None, ended) => Err(failed(Exit::from(ended).to_message(), log.text())),
    }
}

/// Decides whether the build filled the disk. If it did, the system frees the hidden space after the end of the build.
/// This takes a moment for the last processes and large files, and the system does not report when it is done.
fn freed(hidden: u64, excess: TooMuch, growth: &Growth) -> Stopped {
    let until = Instant::now() + FREEING;
    loop {
        match growth.check() {
            Err(refused) => return Stopped::Grown(refused),
            Ok(still) if still <= hidden / 2 => return Stopped::Grown(excess),
            Ok(still) if Instant::now() >= until => return Stopped::Full(still, excess),
            Ok(_) => std::thread::sleep(LOOK),
        }
    }
}

/// Reads the output until the process ends (`None`), the time is over, or the folder has grown too much.
fn listen(
    process: &mut Process,
    log: &mut Tail,
    until: Instant,
    growth: Option<&Growth>,
) -> Result<Option<Stopped>, ArenaError> {
    let mut look = Instant::now() + LOOK;
    loop {
        let now = Instant::now();
        let next = if growth.is_some() {
            until.min(now + LOOK_AT_DISK)
        } else {
            until
        };
        let wait = process.wait(Some(next), now, false);
        let news = wait.map_err(ArenaError::Pipe)?;
        if news.output {
            read(process, log)?;
        }
        if news.ended {
            return Ok(None);
        }
        if now >= until {
            return Ok(Some(Stopped::Late));
        }
        let Some(growth) = growth else { continue };
        // A look at the folder takes longer, and the build goes on writing.
        if let Some(low) = growth.low() {
            return Ok(Some(low));
        }
        if now >= look || growth.lost() > 2 * Quota::BYTES {
            let hidden = match growth.check() {
                Err(refused @ TooMuch::Exceeded(_)) => return Ok(Some(Stopped::Grown(refused))),
                // A folder that cannot be read now may be readable at the end.
                Err(_) => growth.lost(),
                Ok(hidden) => hidden,
            };
            if hidden > Quota::BYTES {
                return Ok(Some(Stopped::Full(hidden, TooMuch::Hidden)));
            }
            look = Instant::now() + LOOK.max(10 * now.elapsed());
        }
    }
}

fn read(process: &mut Process, log: &mut Tail) -> Result<(), ArenaError> {
    let read = process.read_output(|bytes| log.extend(bytes));
    read.map(|_: ReadResult<()>| ()).map_err(ArenaError::Pipe)
}

fn full() -> BuildError {
    BuildError::System {
        what: format!("another program filled the disk each of {TRIES} times"),
        source: io::ErrorKind::StorageFull.into(),
    }
}

fn humane(limit: Duration) -> Message {
    match limit.as_secs() {
        0 => message!("{} ms", limit.as_millis()),
        seconds if seconds.is_multiple_of(60) => message!("{} minutes", seconds / 60),
        _ => message!("{} s", limit.as_secs_f64()),
    }
}
