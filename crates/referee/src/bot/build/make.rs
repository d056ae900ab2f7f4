//! Runs the command of a build to its end and keeps its output.

use std::time::{Duration, Instant};

use host::{Exit as Ended, Piece, Process};

use super::error::BuildError;
use crate::bot::{ArenaError, Failure, Launch, Tail};
use crate::record::{Exit, Fault};

/// The number of reads that empty a pipe without a writer.
const PIPE_PIECES: usize = 8;

/// Runs the command, which must succeed within `limit`.
///
/// Processes that it leaves running are ended too: they would write into the folder during games.
pub(super) fn make(launch: &Launch, limit: Duration) -> Result<(), BuildError> {
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
    let is_late = !listen(&mut process, &mut said, Instant::now() + limit)?;
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
    match ended {
        _ if is_late => {
            let limit = humane(limit);
            Err(failed(
                format!("it had not ended after {limit}"),
                said.text(),
            ))
        }
        Ended::Status(0) => Ok(()),
        ended => Err(failed(Exit::from(ended).to_string(), said.text())),
    }
}

/// Reads the output of the process until it ends or the time is over. Returns whether it has ended.
fn listen(process: &mut Process, said: &mut Tail, until: Instant) -> Result<bool, ArenaError> {
    loop {
        let now = Instant::now();
        let wait = process.wait(Some(until), now, false);
        let news = wait.map_err(ArenaError::Pipe)?;
        if news.output {
            read(process, said)?;
        }
        if news.ended {
            return Ok(true);
        }
        if now >= until {
            return Ok(false);
        }
    }
}

fn read(process: &mut Process, said: &mut Tail) -> Result<(), ArenaError> {
    let read = process.read_output(|bytes| said.extend(bytes));
    read.map(|_: Piece<()>| ()).map_err(ArenaError::Pipe)
}

fn humane(limit: Duration) -> String {
    match limit.as_secs() {
        0 => format!("{} ms", limit.as_millis()),
        seconds if seconds.is_multiple_of(60) => format!("{} minutes", seconds / 60),
        _ => format!("{} s", limit.as_secs_f64()),
    }
}
