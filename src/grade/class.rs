//! A folder of hand-ins, several at a time, each in its own run.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use super::grading::{Grading, Prepared};
use super::{HandIn, Suite, files};
use crate::mark::{Card, State};
use crate::report::grade::Entry;
use crate::run::{RunError, Stop};
use crate::tournament::{Catalogue, Problem, given};
use host::{claim_cores, pin_to};
use referee::bot::{Build, Identity};

/// The folder for old grades of hand-ins that have changed.
const EARLIER: &str = "earlier";

/// The conditions for all hand-ins of a class.
pub struct Class<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The built-in bots.
    pub catalogue: &'a Catalogue,
    /// The identities of the opponents.
    pub opponents: &'a [Identity],
    /// The folder of the class, with one run per hand-in.
    pub out: &'a Path,
    /// The grading of a bot that is there, before its first game.
    pub example: &'a Grading,
    /// Hand-ins graded at a time.
    pub lanes: usize,
    /// Stops all of them.
    pub stop: &'a Stop,
}

/// The events of a class while it is graded.
#[derive(Debug)]
pub enum ClassEvent<'a> {
    /// The number of hand-ins.
    Found(usize),
    /// A bot is being built, before the first game of the class.
    Builds(&'a str),
    /// A hand-in's games begin.
    Begins(&'a str),
    /// A hand-in has been graded.
    Graded {
        /// Its row.
        entry: &'a Entry,
        /// How many have been graded, this one included.
        done: usize,
    },
}

/// A hand-in's name and folders.
struct Handed {
    /// The name of its file or folder.
    name: String,
    path: PathBuf,
    /// The folder of its run.
    run: PathBuf,
}

/// A hand-in, and its bot that is ready to be graded, if it is one.
type Ready<'a> = (&'a Handed, Result<Prepared, Problem>);

impl Class<'_> {
    /// Grades everything in `folder`. A broken hand-in also gets a row.
    ///
    /// All bots are built before the first game, so that no game shares its core with a compiler.
    pub fn grade(
        &self,
        folder: &Path,
        on: impl Fn(ClassEvent<'_>) + Sync,
    ) -> Result<Vec<Entry>, RunError> {
        let handed = self.handed_in(folder)?;
        on(ClassEvent::Found(handed.len()));
        let mut suite = self.suite.clone();
        suite.file.concurrency = given(Some(1));
        let mut ready: Vec<Ready<'_>> = Vec::new();
        for handed in &handed {
            if self.stop.is_requested() {
                break;
            }
            ready.push((handed, self.prepare(handed, &suite, &on)?));
        }
        let lanes = self.lanes.clamp(1, handed.len());
        let cores = Mutex::new(if self.example.tournament.pin {
            claim_cores(lanes)
        } else {
            Vec::new()
        });
        // How many are graded, and whether one could not be.
        let progress = Mutex::new((0, false));
        let grade = |(handed, prepared): &Ready<'_>| -> Result<Option<Entry>, RunError> {
            if self.stop.is_requested() || locked(&progress).1 {
                return Ok(None);
            }
            // The workers of its run inherit the core.
            let core = locked(&cores).pop();
            pin_to(core.as_slice());
            on(ClassEvent::Begins(&handed.name));
            let graded = self.grade_one(handed, &suite, prepared.as_ref());
            locked(&cores).extend(core);
            let mut progress = locked(&progress);
            let (card, is_unchanged) = graded.inspect_err(|_| progress.1 = true)?;
            let entry = Entry {
                submission: handed.name.clone(),
                card,
                run: handed.run.display().to_string(),
                is_unchanged,
            };
            progress.0 += 1;
            on(ClassEvent::Graded {
                entry: &entry,
                done: progress.0,
            });
            Ok(Some(entry))
        };
        let lanes = NonZero::new(lanes).expect("at least 1");
        let entries = host::side_by_side(lanes, &ready, grade)
            .map_err(RunError::system("the system refused to start a thread"))?;
        entries.into_iter().filter_map(Result::transpose).collect()
    }

    /// Finds the bot, builds it, and hashes the hand-in; `Err` inside: it is not a bot.
    fn prepare(
        &self,
        handed: &Handed,
        suite: &Suite,
        on: &impl Fn(ClassEvent<'_>),
    ) -> Result<Result<Prepared, Problem>, RunError> {
        let found = HandIn::at(&handed.path).and_then(|hand_in| {
            let grading = Grading::new(suite, &hand_in, self.catalogue)?;
            Ok((hand_in, grading))
        });
        let (hand_in, grading) = match found {
            Ok(found) => found,
            Err(problem) => return Ok(Err(problem)),
        };
        let build = grading.tournament.contestants[0].build.as_ref();
        if build.is_some_and(Build::is_due) {
            on(ClassEvent::Builds(&handed.name));
        }
        grading.prepared(suite, &hand_in).map(Ok)
    }

    /// The card of a hand-in, and whether it comes from an earlier grading.
    fn grade_one(
        &self,
        handed: &Handed,
        suite: &Suite,
        prepared: Result<&Prepared, &Problem>,
    ) -> Result<(Card, bool), RunError> {
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(problem) => return Ok((self.unusable(handed, problem)?, false)),
        };
        let now = &prepared.grading.card;
        let is_same = |earlier: &Card| {
            earlier.submission_sha256 == now.submission_sha256
                && earlier.suite_sha256 == now.suite_sha256
        };
        match files::read(&handed.run).filter(is_same) {
            Some(earlier) if earlier.state == State::Graded => return Ok((earlier, true)),
            None if handed.run.exists() => self.move_away(&handed.run)?,
            _ => {}
        }
        create(&handed.run)?;
        let card = prepared.grade(suite, self.opponents, &handed.run, self.stop, None)?;
        Ok((card, false))
    }

    /// The card of something that is not a bot.
    fn unusable(&self, handed: &Handed, problem: &Problem) -> Result<Card, RunError> {
        if handed.run.join("arena.db").exists() {
            self.move_away(&handed.run)?;
        }
        create(&handed.run)?;
        let mut card = self.example.card.clone();
        card.bot.clone_from(&handed.name);
        card.state = State::Unusable {
            why: problem.what.clone(),
            stderr: problem.help.clone().unwrap_or_default(),
        };
        files::write(&handed.run, &card)?;
        Ok(card)
    }

    /// The hand-ins, each with its own run folder.
    fn handed_in(&self, folder: &Path) -> Result<Vec<Handed>, RunError> {
        let shown = folder.display();
        let paths = HandIn::all(folder)
            .map_err(|error| problem!("cannot read the folder {shown}: {error}"))?;
        if paths.is_empty() {
            return Err(problem!("the folder {shown} has no hand-ins")
                .help("each hand-in is a folder with bot.toml, bot.py or main.py, or a .py or .js file")
                .into());
        }
        let mut handed: Vec<Handed> = Vec::new();
        for path in paths {
            let (name, plain) = (HandIn::title(&path), HandIn::name_of(&path));
            let is_free = |run: &PathBuf| handed.iter().all(|other| other.run != *run);
            let first = std::iter::once(self.out.join(&plain));
            let further = (2..).map(|number| self.out.join(format!("{plain}-{number}")));
            let run = first.chain(further).find(is_free);
            handed.push(Handed {
                name,
                path,
                run: run.expect("there is always a next number"),
            });
        }
        Ok(handed)
    }

    /// Keeps the old run of a hand-in that has changed, as evidence of its mark.
    fn move_away(&self, run: &Path) -> Result<(), RunError> {
        let folder = self.out.join(EARLIER);
        create(&folder)?;
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        let free = (1..u32::MAX)
            .map(|number| folder.join(format!("{name}-{number}")))
            .find(|path| !path.exists())
            .expect("there is always a next number");
        let what = format!("cannot move the old run {}", run.display());
        fs::rename(run, &free).map_err(RunError::system(what))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("a lane does not panic")
}

fn create(folder: &Path) -> Result<(), RunError> {
    let what = format!("cannot create the folder {}", folder.display());
    fs::create_dir_all(folder).map_err(RunError::system(what))
}
