//! A process in its job, with its pipes.

use std::io;
use std::mem;
use std::os::windows::io::{AsHandle, AsRawHandle, OwnedHandle};
use std::time::Duration;

use windows_sys::Win32::System::Threading::GetExitCodeProcess;

use super::job::{
    Job, ProcessTree, Suspended, exit_of_status, is_console, is_ready, peak_memory_kib,
    process_cpu_time,
};
use super::pipes::{Pipes, Reader, Writer, is_signalled, wait_for_any};
use super::{machine, starter};
use crate::sandbox::none::NOT_YET;
use crate::{CoreTime, Exit, PollResult, Program, Reached, StartError, Streams};

#[derive(Debug)]
pub struct SystemProcess {
    process: OwnedHandle,
    number: u32,
    job: Job,
    suspended: Suspended,
    pub input: Writer,
    pub output: Reader,
    pub errors: Reader,
}

impl SystemProcess {
    pub fn start(program: &Program, streams: Streams) -> Result<SystemProcess, StartError> {
        if program.sandbox.is_some() {
            return Err(StartError::NoBox(NOT_YET.to_owned()));
        }
        machine::prepare_for_processes();
        let (job, pipes) = Job::new()
            .and_then(|job| Ok((job, Pipes::new(streams)?)))
            .map_err(StartError::Exhausted)?;
        let started = starter::start(program, pipes.theirs(), &job).map_err(starter::why)?;
        let (input, output, errors) = pipes.into_ours();
        let output = Reader::new(Some(output)).map_err(StartError::Exhausted)?;
        let errors = Reader::new(errors).map_err(StartError::Exhausted)?;
        Ok(SystemProcess {
            process: started.process,
            number: started.number,
            job,
            suspended: Suspended::default(),
            input: Writer::new(input),
            output,
            errors,
        })
    }

    pub fn tree(&self) -> ProcessTree {
        self.job.tree()
    }

    pub fn wait(
        &self,
        limit: Option<Duration>,
        lives: bool,
        writing: bool,
    ) -> io::Result<PollResult> {
        let until_room = self.input.until_room();
        let writes = writing && self.input.is_open();
        let seen = [
            self.output.ready(),
            self.errors.ready(),
            lives.then(|| self.process.as_handle()),
            until_room.filter(|_| writes),
        ];
        let has_room = writes && until_room.is_none();
        let limit = if has_room {
            Some(Duration::ZERO)
        } else {
            limit
        };
        wait_for_any(&seen, limit)?;
        let [output, errors, ended, room] = seen.map(|it| it.is_some_and(is_signalled));
        Ok(PollResult {
            output,
            errors,
            ended,
            writable: has_room || room,
        })
    }

    pub fn wait_for_end(&self, limit: Duration) -> io::Result<bool> {
        let process = self.process.as_handle();
        wait_for_any(&[Some(process)], Some(limit))?;
        Ok(is_signalled(process))
    }

    pub fn freeze(&mut self) {
        self.suspended = Suspended::all_of(&self.job);
    }

    #[expect(clippy::unused_self, reason = "Linux has sandboxes")]
    pub fn settle(&self) {}

    pub fn thaw(&mut self) {
        mem::take(&mut self.suspended).resume();
    }

    fn lives(&self) -> bool {
        !is_signalled(self.process.as_handle())
    }

    pub fn cpu_time(&self) -> Option<Duration> {
        self.lives()
            .then(|| process_cpu_time(self.process.as_handle()))?
    }

    /// Counts all processes that are or were in the job. `None` once the process has ended.
    pub fn cpu_of_all(&self) -> Option<Duration> {
        self.lives().then(|| self.job.cpu_time())?
    }

    #[expect(clippy::unused_self, reason = "other systems have sandboxes")]
    pub fn has_begun(&self) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "other systems have sandboxes")]
    pub fn start_error(&self, _: &str) -> Option<StartError> {
        None
    }

    #[expect(clippy::unused_self, reason = "other systems have sandboxes")]
    pub fn forget_reached(&self) {}

    #[expect(clippy::unused_self, reason = "other systems have sandboxes")]
    pub fn reached(&self) -> Option<Reached> {
        None
    }

    #[expect(clippy::unused_self, reason = "other systems have sandboxes")]
    pub fn wait_until_up(&self) {}

    #[expect(clippy::unused_self, reason = "other systems know it of each process")]
    pub fn core_times(&self) -> [CoreTime; 2] {
        Default::default()
    }

    pub fn sleeps(&self) -> u64 {
        0
    }

    pub fn is_ready(&self) -> bool {
        is_ready(self.number)
    }

    pub fn is_at_work(&self) -> bool {
        self.job.members().into_iter().any(is_ready)
    }

    pub fn cpu_of_children(&self) -> Duration {
        let own = process_cpu_time(self.process.as_handle());
        let all = self.job.cpu_time().unwrap_or_default();
        all.saturating_sub(own.unwrap_or_default())
    }

    /// Not needed: the job also counts processes that have ended.
    #[expect(clippy::unnecessary_wraps, reason = "other systems may not know it")]
    pub fn has_forked(&self) -> bool {
        false
    }

    pub fn cpu_of_others(&self) -> Option<Duration> {
        Some(self.cpu_of_children())
    }

    pub fn children(&self) -> usize {
        let members = self.job.members().into_iter();
        let others = members.filter(|&number| number != self.number);
        others.filter(|&number| !is_console(number)).count()
    }

    pub fn peak_memory_kib(&self) -> Option<u64> {
        self.lives()
            .then(|| peak_memory_kib(self.process.as_handle()))?
    }

    pub fn end(&mut self) -> io::Result<Exit> {
        self.job.tree().kill();
        wait_for_any(&[Some(self.process.as_handle())], None)?;
        let mut status = 0;
        // SAFETY: the handle is open, and the status is ours.
        if unsafe { GetExitCodeProcess(self.process.as_raw_handle(), &raw mut status) } == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(exit_of_status(status))
    }
}
