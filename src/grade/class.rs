//! A folder of hand-ins, several at a time, each in its own run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use super::grading::{Grading, Prepared};
use super::{HandIn, Suite, files};
use crate::mark::{Card, State};
use crate::report::grade::Entry;
use crate::run::{RunError, Stop};
use crate::tournament::{Catalogue, Problem, given};
use host::{Core, claim_cores, pin_to};
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
    /// The card of a hand-in that is not a bot.
    pub blank: Card,
    /// Hand-ins graded at a time.
    pub lanes: usize,
    /// Whether each of them is pinned to one core.
    pub pin: bool,
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

/// A hand-in that is ready to be graded, or is not a bot.
struct Ready<'a> {
    handed: &'a Handed,
    /// Its number among all.
    place: usize,
    prepared: Result<Prepared, Problem>,
}

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
        let mut ready = Vec::new();
        for (place, handed) in handed.iter().enumerate() {
            if self.stop.is_requested() {
                break;
            }
            let prepared = self.prepare(handed, &suite, &on)?;
            ready.push(Ready {
                handed,
                place,
                prepared,
            });
        }
        let lanes = self.lanes.clamp(1, handed.len());
        let cores = if self.pin {
            claim_cores(lanes)
        } else {
            Vec::new()
        };
        let waiting = Mutex::new(ready.into_iter());
        let entries = Mutex::new(Vec::new());
        let lane = |core| self.lane(core, &suite, &waiting, &entries, &on);
        thread::scope(|scope| {
            let lanes: Vec<_> = (0..lanes)
                .map(|number| {
                    let core = cores.get(number..=number).unwrap_or_default();
                    thread::Builder::new().spawn_scoped(scope, move || lane(core))
                })
                .collect();
            lanes.into_iter().try_for_each(|lane| match lane {
                Ok(lane) => lane.join().expect("a lane does not panic"),
                Err(source) => Err(RunError::system("the system refused to start a thread")(
                    source,
                )),
            })
        })?;
        let mut entries = entries.into_inner().expect("a lane does not panic");
        entries.sort_by_key(|(place, _): &(usize, Entry)| *place);
        Ok(entries.into_iter().map(|(_, entry)| entry).collect())
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

    /// Takes hand-ins one after the other.
    fn lane<'a>(
        &self,
        core: &[Core],
        suite: &Suite,
        waiting: &Mutex<impl Iterator<Item = Ready<'a>>>,
        entries: &Mutex<Vec<(usize, Entry)>>,
        on: &impl Fn(ClassEvent<'_>),
    ) -> Result<(), RunError> {
        // The workers of its runs inherit it.
        pin_to(core);
        while !self.stop.is_requested() {
            let Some(ready) = waiting.lock().expect("a lane does not panic").next() else {
                break;
            };
            let (handed, place) = (ready.handed, ready.place);
            on(ClassEvent::Begins(&handed.name));
            let (card, is_unchanged) = self.grade_one(handed, suite, ready.prepared)?;
            let entry = Entry {
                submission: handed.name.clone(),
                card,
                run: handed.run.display().to_string(),
                is_unchanged,
            };
            let mut entries = entries.lock().expect("a lane does not panic");
            on(ClassEvent::Graded {
                entry: &entry,
                done: entries.len() + 1,
            });
            entries.push((place, entry));
        }
        Ok(())
    }

    /// The card of a hand-in, and whether it comes from an earlier grading.
    fn grade_one(
        &self,
        handed: &Handed,
        suite: &Suite,
        prepared: Result<Prepared, Problem>,
    ) -> Result<(Card, bool), RunError> {
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(problem) => return Ok((self.unusable(handed, &problem)?, false)),
        };
        if let Some(earlier) = files::read(&handed.run) {
            let hashes = |card: &Card| (card.submission_sha256.clone(), card.suite_sha256.clone());
            if hashes(&earlier) != hashes(&prepared.grading.card) {
                self.move_away(&handed.run)?;
            } else if earlier.state == State::Graded {
                return Ok((earlier, true));
            }
        } else if handed.run.exists() {
            self.move_away(&handed.run)?;
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
        let mut card = self.blank.clone();
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
            .map_err(|error| Problem::new(format!("cannot read the folder {shown}: {error}")))?;
        if paths.is_empty() {
            return Err(Problem::new(format!("the folder {shown} has no hand-ins"))
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

fn create(folder: &Path) -> Result<(), RunError> {
    let what = format!("cannot create the folder {}", folder.display());
    fs::create_dir_all(folder).map_err(RunError::system(what))
}
