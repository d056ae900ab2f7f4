//! Runs the command of a build to its end and keeps its output.

use std::time::{Duration, Instant};

use host::{Exit as Ended, Piece, Process};

use super::error::BuildError;
use super::growth::{Growth, Refused};
use crate::bot::{ArenaError, Failure, Launch, Quota, Tail};
use crate::problem::without_numbers;
use crate::record::{Exit, Fault};

/// The number of reads that empty a pipe without a writer.
const PIPE_PIECES: usize = 8;

/// The time between two looks at what a build adds to its folder; a look that takes longer is followed by a longer time.
const LOOK: Duration = Duration::from_millis(500);
/// The time between two looks at the free space of the disk.
const LOOK_AT_DISK: Duration = Duration::from_millis(20);
/// How long the end of a build may take to free what it held.
const FREEING: Duration = Duration::from_secs(5);
/// The number of times that a build is tried while other programs fill the disk.
const TRIES: usize = 3;

/// Why a build was stopped.
enum Stopped {
    Late,
    Grown(Refused),
    /// The disk has lost this number of bytes that the folder does not show.
    Full(u64),
}

/// Runs the command as [`once`] does, and again if another program filled the disk at the same time.
pub(super) fn make(
    launch: &Launch,
    limit: Duration,
    growth: Option<Growth>,
) -> Result<(), BuildError> {
    let Some(mut growth) = growth else {
        return once(launch, limit, None)?.ok_or_else(full);
    };
    for _ in 0..TRIES {
        if once(launch, limit, Some(&growth))?.is_some() {
            return Ok(());
        }
        growth.remove();
        growth = growth.restarted();
    }
    Err(full())
}

/// Runs the command, which must succeed within `limit` and may not add too much to its folder.
///
/// Processes that it leaves running are ended too: they would write into the folder during games. Returns `None` if it
/// was stopped because another program filled the disk.
fn once(
    launch: &Launch,
    limit: Duration,
    growth: Option<&Growth>,
) -> Result<Option<()>, BuildError> {
    let folder = launch.folder.clone().unwrap_or_default();
    let failed = |why: String, output: String| BuildError::Failed {
        why,
        command: format!("cd {} && {}", folder.display(), launch.display()),
        output,
    };
    let refused = |failure| match failure {
        Failure::Fault(Fault::StartFailed { why }) => failed(why, String::new()),
        Failure::Fault(fault) => failed(fault.to_string(), String::new()),
        Failure::Arena(error) => error.into(),
    };
    let mut process = launch.start_build().map_err(refused)?;
    let mut said = Tail::default();
    let stopped = listen(&mut process, &mut said, Instant::now() + limit, growth)?;
    let ended = process.end().map_err(ArenaError::Pipe)?;
    for _ in 0..PIPE_PIECES {
        read(&mut process, &mut said)?;
    }
    if launch.crew.is_ended() {
        return Err(ArenaError::Aborted.into());
    }
    if let Some(error) = process.refusal(&said.text()) {
        return Err(refused(launch.refused(error)));
    }
    // Removes its temporary files.
    drop(process);
    let stopped = match (stopped, growth) {
        (Some(Stopped::Full(hidden)), Some(growth)) => Some(freed(hidden, growth)),
        // It may have grown since the last look.
        (None, Some(growth)) => growth.check().err().map(Stopped::Grown),
        (stopped, _) => stopped,
    };
    match (stopped, ended) {
        (Some(Stopped::Grown(refused)), _) => {
            growth.inspect(|growth| growth.remove());
            Err(failed(without_numbers(&refused.to_string()), said.text()))
        }
        (Some(Stopped::Late), _) => {
            let limit = humane(limit);
            Err(failed(
                format!("it had not ended after {limit}"),
                said.text(),
            ))
        }
        (Some(Stopped::Full(_)), _) => Ok(None),
        (None, Ended::Status(0)) => Ok(Some(())),
        (None, ended) => Err(failed(Exit::from(ended).to_string(), said.text())),
    }
}

/// Says what filled the disk: the build, if its end frees what no folder shows. The system needs a moment for that, for
/// the last processes of a sandbox and for large files, and tells nobody when it is done.
fn freed(hidden: u64, growth: &Growth) -> Stopped {
    let until = Instant::now() + FREEING;
    loop {
        match growth.check() {
            Err(refused) => return Stopped::Grown(refused),
            Ok(still) if still <= hidden / 2 => return Stopped::Grown(Refused::Hidden),
            Ok(still) if Instant::now() >= until => return Stopped::Full(still),
            Ok(_) => std::thread::sleep(LOOK),
        }
    }
}

/// Reads the output of the process until it ends, the time is over, or it has added too much. Returns why it
/// is to be stopped; `None`: it has ended.
fn listen(
    process: &mut Process,
    said: &mut Tail,
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
            read(process, said)?;
        }
        if news.ended {
            return Ok(None);
        }
        if now >= until {
            return Ok(Some(Stopped::Late));
        }
        let Some(growth) = growth else { continue };
        if now >= look || growth.lost() > 2 * Quota::BYTES {
            let hidden = match growth.check() {
                Err(refused @ Refused::Exceeded(_)) => return Ok(Some(Stopped::Grown(refused))),
                // A folder that is closed now may be open at the end.
                Err(_) => growth.lost(),
                Ok(hidden) => hidden,
            };
            if hidden > Quota::BYTES {
                return Ok(Some(Stopped::Full(hidden)));
            }
            look = Instant::now() + LOOK.max(10 * now.elapsed());
        }
    }
}

fn read(process: &mut Process, said: &mut Tail) -> Result<(), ArenaError> {
    let read = process.read_output(|bytes| said.extend(bytes));
    read.map(|_: Piece<()>| ()).map_err(ArenaError::Pipe)
}

/// Another program has filled the disk.
fn full() -> BuildError {
    BuildError::System {
        what: format!("another program filled the disk each of {TRIES} times"),
        source: std::io::ErrorKind::StorageFull.into(),
    }
}

fn humane(limit: Duration) -> String {
    match limit.as_secs() {
        0 => format!("{} ms", limit.as_millis()),
        seconds if seconds.is_multiple_of(60) => format!("{} minutes", seconds / 60),
        _ => format!("{} s", limit.as_secs_f64()),
    }
}
