//! Running the command of a build to its end, and listening to what it says.

use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::BuildError;
use crate::bot::{ArenaError, Failure, Launch, Tail, live};
use crate::record::{Exit, Fault};

/// A build that takes longer hangs.
const LIMIT: Duration = Duration::from_mins(10);
/// For the last words of a build whose processes have ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Runs the command, which is to end well.
pub(super) fn make(launch: &Launch) -> Result<(), BuildError> {
    let folder = launch.folder.clone().unwrap_or_default();
    let failed = |why: String, output: String| BuildError::Failed {
        why,
        command: format!("cd {} && {}", folder.display(), launch.display()),
        output,
    };
    let (mut said, mouth) = io::pipe().map_err(ArenaError::Pipe)?;
    let mut command = Command::new(launch.resolved_program());
    command
        .args(&launch.arguments)
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(mouth.try_clone().map_err(ArenaError::Pipe)?)
        .stderr(mouth)
        .process_group(0);
    let child = command
        .spawn()
        .map_err(|error| match launch.refused(error) {
            Failure::Fault(Fault::StartFailed { why }) => failed(why, String::new()),
            Failure::Fault(fault) => failed(fault.to_string(), String::new()),
            Failure::Arena(error) => error.into(),
        })?;
    // It holds our ends of the pipe, which would otherwise never end.
    drop(command);
    let (sender, output) = channel();
    thread::spawn(move || {
        let mut tail = Tail::default();
        let mut piece = [0; 1 << 12];
        while let Ok(length @ 1..) = said.read(&mut piece) {
            tail.extend(&piece[..length]);
        }
        // Nobody listens any more where something that the build left behind lives on.
        let _ = sender.send(tail.text());
    });
    let status = end_of(child)?;
    if status.success() {
        return Ok(());
    }
    let output = output.recv_timeout(LAST_WORDS).unwrap_or_default();
    let exit = match status.code() {
        Some(code) => Exit::Status(code).to_string(),
        None if status.signal() == Some(Signal::KILL.as_raw()) => {
            format!(
                "killed, by the system or after {} minutes",
                LIMIT.as_secs() / 60
            )
        }
        None => Exit::Signal(status.signal().unwrap_or_default()).to_string(),
    };
    Err(failed(exit, output))
}

/// Waits for the end of a process and of all that it left running, which would otherwise write into
/// the folder while its bot plays.
fn end_of(mut child: Child) -> Result<ExitStatus, ArenaError> {
    let group = Pid::from_child(&child);
    let given_up = live::add(group).err();
    if given_up.is_none() {
        wait(group);
    }
    // The process is waited for only after this, so that its number is still its own.
    let _ = kill_process_group(group, Signal::KILL);
    live::remove(group);
    let status = child.wait().map_err(ArenaError::Spawn)?;
    given_up.map_or(Ok(status), Err)
}

/// Until the process has ended, but not longer than a build may take.
fn wait(process: Pid) {
    let limit = Timespec::try_from(LIMIT).ok();
    let life: Result<OwnedFd, _> = pidfd_open(process, PidfdFlags::empty());
    if let Ok(life) = life {
        let _ = poll(&mut [PollFd::new(&life, PollFlags::IN)], limit.as_ref());
    }
}
