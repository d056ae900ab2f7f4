//! A rehearsal: what the arena reads of a hand-in outside a sandbox, a process with limits reads first.
//!
//! The arena unpacks a hand-in, looks for its main file, recognises its form and compares it with others. A stranger has
//! written all that, and one file that takes all memory or the whole stack would end a class or a league, at each start
//! again. So a process of this program does the same before, with limits of memory and of time. If it does not end by
//! itself, the hand-in is refused, and only its own row is affected.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use referee::problem;
use run::Stop;
use serde::{Deserialize, Serialize};
use tournament::{Catalogue, Problem, TournamentFile};

use super::{HandIn, check_hand_in, likeness};

/// The first argument of the process.
const ROLE: &str = "--reads-a-hand-in";
const MEMORY_MIB: u64 = 2048;
const PROCESSOR_TIME: Duration = Duration::from_secs(60);
/// The longest time for a rehearsal on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);
/// In bytes; a thread of the arena has at least twice as much.
const STACK: usize = 1 << 20;
const LOOK: Duration = Duration::from_millis(3);

/// What is read.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rehearsal {
    path: PathBuf,
    /// The tournament file of the suite or the league, and its folder; `None`: the files of a build are only checked.
    conditions: Option<(String, PathBuf)>,
    /// The form that the grader chose.
    frame: Option<String>,
}

impl Rehearsal {
    /// Of a hand-in in a suite or a league.
    pub fn of_hand_in(
        path: &Path,
        frame: Option<&str>,
        file: &TournamentFile,
        folder: &Path,
    ) -> Rehearsal {
        let text = toml::to_string(file).expect("a tournament file is TOML");
        Rehearsal {
            path: path.to_owned(),
            conditions: Some((text, folder.to_owned())),
            frame: frame.map(str::to_owned),
        }
    }

    /// Of what a build left.
    pub fn of_outputs(folder: &Path) -> Rehearsal {
        Rehearsal {
            path: folder.to_owned(),
            conditions: None,
            frame: None,
        }
    }

    /// Lets a process read the hand-in. Fails if the process had to be stopped, or was by its limits. Any other end, an
    /// error included, is left to the arena, which now does the same.
    pub fn hold(&self, stop: &Stop) -> Result<(), Problem> {
        // In unit tests, this program has other arguments.
        if cfg!(test) {
            return Ok(());
        }
        let machine = |error: std::io::Error| {
            problem!("no process can read the hand-in: {error}").of_machine()
        };
        let mut child = Command::new(std::env::current_exe().map_err(machine)?)
            .arg(ROLE)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(machine)?;
        if let Some(mut input) = child.stdin.take() {
            let text = serde_json::to_vec(self).expect("paths and texts");
            // If it has ended already, its status says more.
            let _ = input.write_all(&text);
        }
        let ended = end(&mut child, stop).map_err(machine)?;
        if stop.is_requested() || ended.is_some_and(|status| ended_by_itself(status)) {
            return Ok(());
        }
        let (seconds, mib) = (PROCESSOR_TIME.as_secs(), MEMORY_MIB);
        Err(problem!(
            "the arena cannot read the hand-in within {seconds} s of processor time and {mib} MiB of memory"
        )
        .help("hand in fewer and smaller files"))
    }

    fn read(&self, catalogue: &Catalogue) -> Result<(), Problem> {
        let stop = Stop::default();
        let Some((text, folder)) = &self.conditions else {
            return check_hand_in(&self.path, &stop);
        };
        let mut hand_in = HandIn::at(&self.path, &stop)?;
        hand_in.put_into(self.frame.as_deref());
        if let Some(path) = &hand_in.path {
            likeness::of(path, 1);
        }
        let mut file = TournamentFile::parse(text)?;
        file.bot.insert(0, toml::Spanned::new(0..0, hand_in.bot));
        file.validate(catalogue, folder).map(drop)
    }
}

/// Waits for the end of the process; kills it after `PATIENCE` or if a stop is requested, and returns `None` then.
fn end(child: &mut Child, stop: &Stop) -> std::io::Result<Option<ExitStatus>> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until && !stop.is_requested() {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(LOOK);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// Returns whether it returned from `main` or panicked. On Windows, a failure of the system is a negative status.
fn ended_by_itself(status: ExitStatus) -> bool {
    status.code().is_some_and(|code| code >= 0)
}

/// Reads a hand-in and ends, if this process was started for that.
pub fn take_role_if_asked(catalogue: impl FnOnce() -> Option<Catalogue>) {
    if std::env::args_os().nth(1).is_none_or(|word| word != ROLE) {
        return;
    }
    host::limit_itself(MEMORY_MIB, PROCESSOR_TIME);
    let asked: Option<Rehearsal> = serde_json::from_reader(std::io::stdin()).ok();
    if let Some((asked, catalogue)) = asked.zip(catalogue()) {
        // The arena finds the same problem, and reports it.
        let read = move || drop(asked.read(&catalogue));
        let thread = thread::Builder::new().stack_size(STACK).spawn(read);
        let _ = thread.map(thread::JoinHandle::join);
    }
    std::process::exit(0);
}
