//! A running process: its pipes, what it has used, its end.
//!
//! Nothing here blocks but [`Process::wait`] and [`Process::wait_for_end`], which have a deadline:
//! all waiting is for the process's output, its errors, its life and its input at once.

use std::io;
use std::time::{Duration, Instant};

use crate::heartbeat;
use crate::system::{self, Running};
use crate::{
    CoreTime, Crew, Exit, News, Piece, Program, Reached, Refusal, StartError, Streams, Usage,
    Written,
};

/// Schedulers let everybody run within this, however many there are.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// A program that is asked something answers within this, or not at all.
const LONGEST_ANSWER: Duration = Duration::from_secs(20);

/// A process with its pipes. Dropping it kills it with all that it has started.
#[derive(Debug)]
pub struct Process {
    crew: Crew,
    running: Running,
    exit: Option<Exit>,
    is_frozen: bool,
}

/// More arguments are refused. `bwrap`, which makes the strict box, takes 9,000, its own included, and its error would
/// count as the machine's.
const MOST_ARGUMENTS: usize = 1000;

impl Process {
    /// Starts the program with these streams and nothing else of ours that is open. It sees the
    /// variables that it names, and ends when we do, however that happens.
    pub fn start(program: &Program, streams: Streams, crew: &Crew) -> Result<Process, StartError> {
        if crew.is_ended() {
            return Err(StartError::GivenUp);
        }
        let words = program.arguments.len();
        if words > MOST_ARGUMENTS {
            let why = format!("a command may have at most {MOST_ARGUMENTS} arguments, not {words}");
            let error = io::Error::new(io::ErrorKind::ArgumentListTooLong, why);
            return Err(StartError::Refused(Refusal::Other, error));
        }
        if let Some(sandbox) = &program.sandbox {
            system::ask_runtimes(sandbox, answer);
        }
        let running = Running::start(program, streams)?;
        let process = Process {
            crew: crew.clone(),
            running,
            exit: None,
            is_frozen: false,
        };
        // It may have been ended meanwhile; then so is the process.
        crew.add(process.running.group())?;
        Ok(process)
    }

    /// The system's number of its first process.
    pub fn number(&self) -> u64 {
        self.running.group().number()
    }

    /// Why the program was not started, where that is known only by how the process ended and by
    /// what came out of it: `said` is the beginning of its errors.
    pub fn refusal(&self, said: &str) -> Option<StartError> {
        if self.running.has_begun() {
            // It may know our word by now.
            return None;
        }
        system::refusal(self.exit?, said).or_else(|| self.running.no_box(said))
    }

    /// How it ended, once [`Process::end`] was called.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Whether its input is open, as far as we know.
    pub fn has_input(&self) -> bool {
        self.running.has_input()
    }

    /// Whether its output is open, as far as we know.
    pub fn has_output(&self) -> bool {
        self.running.has_output()
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.running.close_input();
    }

    /// Writes as much as its input takes now.
    pub fn write(&mut self, bytes: &[u8]) -> Written {
        self.running.write(bytes)
    }

    /// Whether it has read all that was written.
    pub fn has_read_everything(&self) -> bool {
        self.running.has_read_everything()
    }

    /// One read of at most 16 KiB of its output, without waiting.
    pub fn read_output<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        self.running.read_output(take)
    }

    /// One read of at most 16 KiB of its errors, without waiting.
    pub fn read_errors<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        self.running.read_errors(take)
    }

    /// Waits from `now` until something can be read, it has ended, its input takes more if we are
    /// `writing`, or it is time.
    pub fn wait(&self, until: Option<Instant>, now: Instant, writing: bool) -> io::Result<News> {
        let limit = until.map(|until| until.saturating_duration_since(now));
        self.running.wait(limit, self.exit.is_none(), writing)
    }

    /// Waits until it has ended or it is time, whatever it writes. Whether it has ended.
    pub fn wait_for_end(&self, until: Instant) -> io::Result<bool> {
        while self.exit.is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if self.running.wait_for_end(left)? {
                break;
            }
            if left.is_zero() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stops it and all that it started beside it until [`Process::thaw`]: its whole box; without one,
    /// what has left its group goes on.
    pub fn freeze(&mut self) {
        if self.exit.is_none() && !self.is_frozen {
            self.is_frozen = true;
            self.running.freeze();
        }
    }

    /// Lets it go on, if it was frozen.
    pub fn thaw(&mut self) {
        if std::mem::take(&mut self.is_frozen) && self.exit.is_none() {
            self.running.thaw();
        }
    }

    /// CPU time so far: of all that is or was in its box where that is counted, else its own alone.
    /// `None` once it has ended.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.running.cpu_of_all().or_else(|| self.cpu_of_itself())
    }

    fn cpu_of_itself(&self) -> Option<Duration> {
        self.running.cpu_time()
    }

    /// What it has used so far. A wait for its core that still goes on is not yet counted.
    pub fn usage(&self) -> Usage {
        Usage {
            first: self.running.core_time(),
            cpu: self.cpu_of_itself(),
            of_box: self.running.cpu_of_all(),
            caller: CoreTime {
                // The scheduler counts what a thread runs when it stops running.
                ran: system::thread_cpu_time(),
                waited: system::thread_core_time().waited,
            },
            stalled: heartbeat::stalled(),
        }
    }

    /// The same, but a process that is ready to run is let run first, so that its wait counts, and a stall
    /// that has just ended counts, too.
    pub fn usage_once_it_ran(&self) -> Usage {
        heartbeat::stalled_by_now();
        if self.is_ready() {
            let (start, until) = (self.cpu_of_itself(), Instant::now() + LONGEST_WAIT);
            while self.cpu_of_itself() == start && Instant::now() < until {
                if !matches!(
                    self.wait_for_end(Instant::now() + Duration::from_millis(1)),
                    Ok(false)
                ) {
                    break;
                }
            }
        }
        self.usage()
    }

    /// Whether it runs or waits for a core.
    pub fn is_ready(&self) -> bool {
        self.exit.is_none() && self.running.is_ready()
    }

    /// Whether it or a process that it started runs, or waits for a core or for a disk. Looks through all processes
    /// of the machine.
    pub fn is_at_work(&self) -> bool {
        self.exit.is_none() && self.running.is_at_work()
    }

    /// CPU time that all processes which it started beside it have used in their lives. Looks through
    /// all processes of the machine.
    pub fn cpu_of_children(&self) -> Duration {
        self.running.cpu_of_children()
    }

    /// The same; `None` where it has started some in a sandbox that nothing counts as a whole: they may have
    /// ended without a trace.
    pub fn cpu_of_others(&self) -> Option<Duration> {
        self.running.cpu_of_others()
    }

    /// How many processes that it started live. Looks through all processes of the machine.
    pub fn children(&self) -> usize {
        self.running.children()
    }

    /// The most memory it has had at a time, in KiB; `None` once it has ended.
    pub fn peak_memory_kib(&self) -> Option<u64> {
        self.running.peak_memory_kib()
    }

    /// Forgets which limits of its box it has reached: what it does from now on explains its faults.
    pub fn forget_reached(&self) {
        self.running.forget_reached();
    }

    /// The limit of its box that it has reached since then, if any.
    pub fn reached(&self) -> Option<Reached> {
        self.running.reached()
    }

    /// Kills it, if it lives, with all that it has started, and says how it ended. What it wrote can
    /// still be read.
    pub fn end(&mut self) -> io::Result<Exit> {
        if let Some(exit) = self.exit {
            return Ok(exit);
        }
        self.crew.remove(&self.running.group());
        let exit = self.running.end();
        self.exit = exit.as_ref().ok().copied();
        exit
    }
}

/// Returns the output of a program; `None`: it does not start, or does not end in time.
pub(crate) fn answer(program: &Program) -> Option<String> {
    let mut process = Process::start(program, Streams::Report, &Crew::new()).ok()?;
    let (mut said, until) = (Vec::new(), Instant::now() + LONGEST_ANSWER);
    loop {
        let news = process.wait(Some(until), Instant::now(), false).ok()?;
        while let Ok(Piece::Bytes(())) = process.read_output(|bytes| said.extend_from_slice(bytes))
        {
        }
        if news.ended {
            return String::from_utf8(said).ok();
        }
        if Instant::now() >= until {
            return None;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nobody is left who could be told.
        let _ = self.end();
    }
}
