//! Reads a hand-in in a separate process with limits before the arena itself reads it.
//!
//! The arena unpacks a hand-in, looks for its main file, recognises its form and compares it with other hand-ins. A
//! hostile file could take all memory or the whole stack, and end a class or a league at every start. So another
//! process of this program first does the same work with limits of memory and time. If that process is killed or
//! crashes, only the hand-in is refused.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use host::{Exit, Process, ProcessGroup, Program, ReadResult, Streams, WriteResult};
use message::ToValue;
use referee::bot::DiskShare;
use referee::{problem, record};
use run::Stop;
use tournament::{Catalogue, Problem, TournamentFile};

use super::{HandIn, Snapshot, check_hand_in, likeness};

/// The first argument of the reading process.
const ROLE: &str = "--reads-a-hand-in";
const MEMORY_MIB: u64 = 2048;
const MEMORY: &str = "ARENA_READING_MIB";
const PROCESSOR_TIME: Duration = Duration::from_secs(60);
/// The longest time that the process may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);
/// The stack of the reading thread in bytes; a thread of the arena has at least twice as much.
const STACK: usize = 1 << 20;
/// The exit status of the process if the system refuses what it needs before it reads the hand-in.
const FAILED: i32 = 4;

#[derive(Debug, Default)]
pub struct Rehearsal {
    path: PathBuf,
    folder: PathBuf,
    /// The form that the grader chose; if empty, the arena recognises the form.
    frame: String,
    /// The tournament file of the suite or the league.
    conditions: String,
    /// The hand-in's share of the disk; if `None`, only the files of a build are checked.
    share: Option<DiskShare>,
}

impl Rehearsal {
    pub fn of_hand_in(
        snapshot: &Snapshot,
        frame: Option<&str>,
        file: &TournamentFile,
        folder: &Path,
        share: &DiskShare,
    ) -> Rehearsal {
        Rehearsal {
            path: snapshot.path().to_owned(),
            folder: folder.to_owned(),
            frame: frame.unwrap_or_default().to_owned(),
            conditions: toml::to_string(file).expect("a tournament file is TOML"),
            share: Some(*share),
        }
    }

    /// Returns the rehearsal for the files that a build left.
    pub fn of_outputs(folder: &Path) -> Rehearsal {
        Rehearsal {
            path: folder.to_owned(),
            ..Rehearsal::default()
        }
    }

    /// Returns the rehearsal that the arguments and standard input of this process ask for, if they ask for one.
    fn asked() -> Option<Rehearsal> {
        let mut words = std::env::args_os().skip(1);
        words.next().filter(|word| word == ROLE)?;
        let mut asked = Rehearsal {
            path: words.next()?.into(),
            folder: words.next()?.into(),
            frame: words.next()?.into_string().ok()?,
            share: serde_json::from_str(words.next()?.to_str()?).ok()?,
            conditions: String::new(),
        };
        std::io::stdin()
            .read_to_string(&mut asked.conditions)
            .ok()?;
        Some(asked)
    }

    /// Reads the hand-in in a separate process. After a normal exit, the arena reads the hand-in itself, and reports the
    /// errors that it finds. Blames the hand-in only for a crash, or for more time or memory than the limits allow.
    pub fn run(&self, stop: &Stop) -> Result<(), Problem> {
        // In unit tests, the program is the test runner, which has other arguments.
        if cfg!(test) {
            return Ok(());
        }
        let failed = |error: &dyn ToValue| {
            problem!("the process that reads the hand-in failed: {error}").of_machine()
        };
        let exit = self.end().map_err(|error| failed(&error))?;
        if stop.is_requested() || exit == Exit::Status(0) {
            return Ok(());
        }
        let (seconds, mib) = (PROCESSOR_TIME.as_secs(), memory_mib());
        // If the system does not give us that memory either, the process may have crashed although it kept its limit.
        let most = usize::try_from(mib << 20).unwrap_or(usize::MAX);
        if !exit.is_crash() || !is_free(most) {
            return Err(failed(&record::Exit::from(exit)));
        }
        Err(problem!(
            "the arena cannot read the hand-in within {seconds} s of processor time and {mib} MiB of memory"
        )
        .help("hand in fewer and smaller files"))
    }

    /// Runs the process, and returns its exit. Fails if it did not end in time, or could not begin to read.
    fn end(&self) -> io::Result<Exit> {
        let share = serde_json::to_string(&self.share)?;
        let words: [&OsStr; 5] = [
            ROLE.as_ref(),
            self.path.as_ref(),
            self.folder.as_ref(),
            self.frame.as_ref(),
            share.as_ref(),
        ];
        let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let program = Program {
            path: std::env::current_exe()?,
            arguments: words.map(OsStr::to_owned).into(),
            variables: variables.collect(),
            ..Program::default()
        };
        // A stop request kills the reading process in the same way as it kills builds.
        let started = Process::start(&program, Streams::Dialogue, &ProcessGroup::of_builds());
        let mut process = started.map_err(io::Error::other)?;
        let until = Instant::now() + PATIENCE;
        let mut rest = self.conditions.as_bytes();
        while !rest.is_empty() {
            match process.write(rest) {
                WriteResult::Bytes(count) => rest = &rest[count..],
                WriteResult::Full => {
                    let seen = process.wait(Some(until), Instant::now(), true)?;
                    if seen.ended || Instant::now() >= until {
                        break;
                    }
                }
                WriteResult::Closed => break,
            }
        }
        process.close_input();
        let has_ended = process.wait_for_end(until)?;
        let exit = process.end()?;
        if !has_ended {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        let errors = match process.read_errors(text)? {
            ReadResult::Bytes(errors) => errors,
            ReadResult::Nothing | ReadResult::End => String::new(),
        };
        match process.refusal(&errors) {
            Some(error) => Err(io::Error::other(error)),
            None if exit == Exit::Status(FAILED) => Err(io::Error::other(errors)),
            None => Ok(exit),
        }
    }

    fn read(&self, catalogue: &Catalogue) -> Result<(), Problem> {
        let stop = Stop::default();
        let Some(share) = &self.share else {
            return check_hand_in(&self.path, &stop);
        };
        let mut hand_in = HandIn::at(&Snapshot::made_at(self.path.clone()), share, &stop)?;
        hand_in.put_into(Some(self.frame.as_str()).filter(|frame| !frame.is_empty()));
        if let Some(path) = &hand_in.path {
            likeness::of(path, 1);
        }
        let mut file = TournamentFile::parse(&self.conditions)?;
        file.bot.insert(0, toml::Spanned::new(0..0, hand_in.bot));
        file.validate(catalogue, &self.folder).map(drop)
    }
}

fn memory_mib() -> u64 {
    let named = std::env::var(MEMORY).ok().and_then(|mib| mib.parse().ok());
    named.unwrap_or(MEMORY_MIB)
}

fn is_free(bytes: usize) -> bool {
    let mut memory: Vec<u8> = Vec::new();
    let is_free = memory.try_reserve_exact(bytes).is_ok();
    // Otherwise, the compiler may remove the unused allocation.
    std::hint::black_box(&memory);
    is_free
}

/// Reads a hand-in and exits, if this process was started for that. The exit status is 0 even if the hand-in cannot be
/// read: the arena will find the same problem, or panic in the same way, and report it.
pub fn take_role_if_asked(catalogue: impl FnOnce() -> io::Result<Catalogue>) {
    let Some(asked) = Rehearsal::asked() else {
        return;
    };
    let started = catalogue().and_then(|catalogue| {
        host::limit_itself(memory_mib(), PROCESSOR_TIME);
        let thread = thread::Builder::new().stack_size(STACK);
        thread.spawn(move || drop(asked.read(&catalogue)))
    });
    match started {
        Ok(thread) => drop(thread.join()),
        // The limit leaves no memory for the stack.
        Err(_) if !is_free(STACK) => std::process::abort(),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(FAILED);
        }
    }
    std::process::exit(0);
}
