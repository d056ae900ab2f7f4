//! `arena grade --all`: a folder of submissions, side by side, each in a run of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::files;
use super::play::Grading;
use super::submission::Submission;
use super::suite::Suite;
use crate::cli::CliError;
use crate::cli::play::STOP;
use crate::grade::{Card, State};
use crate::report::ClassProgress;
use crate::report::grade::{Entry, headline};
use crate::tournament::{Catalogue, Problem, given};
use host::{Core, claim_cores, pin_to};
use referee::bot::Identity;
use referee::record::harmless;

/// Where grades of submissions that have changed since are moved to.
const EARLIER: &str = "earlier";

/// What all submissions of a class are graded with.
pub struct Class<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The bots of the house.
    pub catalogue: &'a Catalogue,
    /// What the opponents call themselves.
    pub opponents: &'a [Identity],
    /// The folder of the class: a run a submission.
    pub out: &'a Path,
    /// The card of a submission that is not even a bot.
    pub blank: Card,
    /// Submissions at a time.
    pub lanes: usize,
    /// Whether each of them keeps to one core.
    pub pin: bool,
}

/// A submission's name and place.
struct Handed {
    /// The name of its file or folder.
    name: String,
    path: PathBuf,
    /// The folder of its run.
    run: PathBuf,
}

impl Class<'_> {
    /// Grades everything in `folder`. A submission that is broken is a row like any other.
    pub fn grade(&self, folder: &Path) -> Result<Vec<Entry>, CliError> {
        let handed = self.handed_in(folder)?;
        say!(
            "{}: {} submissions, each against {} opponents, kept in {}",
            self.suite.name,
            handed.len(),
            self.opponents.len(),
            self.out.display()
        );
        let progress = ClassProgress::new(handed.len());
        let next = AtomicUsize::new(0);
        let entries = Mutex::new(Vec::new());
        let lanes = self.lanes.clamp(1, handed.len());
        let cores = if self.pin {
            claim_cores(lanes)
        } else {
            Vec::new()
        };
        thread::scope(|scope| {
            let lanes: Vec<_> = (0..lanes)
                .map(|lane| {
                    let core = cores.get(lane..=lane).unwrap_or_default();
                    let (handed, next, entries) = (&handed, &next, &entries);
                    let progress = &progress;
                    scope.spawn(move || self.lane(core, handed, next, entries, progress))
                })
                .collect();
            lanes
                .into_iter()
                .try_for_each(|lane| lane.join().expect("a lane does not panic"))
        })?;
        progress.finish();
        let mut entries = entries.into_inner().unwrap_or_else(PoisonError::into_inner);
        entries.sort_by_key(|(place, _): &(usize, Entry)| *place);
        Ok(entries.into_iter().map(|(_, entry)| entry).collect())
    }

    /// Takes submissions one after the other.
    fn lane(
        &self,
        core: &[Core],
        handed: &[Handed],
        next: &AtomicUsize,
        entries: &Mutex<Vec<(usize, Entry)>>,
        progress: &ClassProgress,
    ) -> Result<(), CliError> {
        // The workers of its runs inherit it.
        pin_to(core);
        while !STOP.is_requested() {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(handed_in) = handed.get(place) else {
                break;
            };
            progress.begin(&handed_in.name);
            let (card, is_unchanged) = self.grade_one(handed_in)?;
            let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
            let line = format!(
                "[{}/{}] {}: {}{}",
                entries.len() + 1,
                handed.len(),
                handed_in.name,
                harmless(&headline(&card)),
                if is_unchanged { " (unchanged)" } else { "" },
            );
            progress.end(&handed_in.name, &line);
            let entry = Entry {
                submission: handed_in.name.clone(),
                card,
                run: handed_in.run.display().to_string(),
                is_unchanged,
            };
            entries.push((place, entry));
        }
        Ok(())
    }

    /// The card of a submission, and whether it is that of an earlier grading.
    fn grade_one(&self, handed: &Handed) -> Result<(Card, bool), CliError> {
        let mut suite = self.suite.clone();
        suite.file.concurrency = given(Some(1));
        let found = Submission::at(&handed.path).and_then(|submission| {
            let grading = Grading::new(&suite, &submission, self.catalogue)?;
            Ok((submission, grading))
        });
        let (submission, grading) = match found {
            Ok(found) => found,
            Err(problem) => return Ok((self.unusable(handed, &problem)?, false)),
        };
        let grading = grading.hashed(&suite, &submission)?;
        if let Some(earlier) = files::read(&handed.run) {
            let hashes = |card: &Card| (card.submission_sha256.clone(), card.suite_sha256.clone());
            if hashes(&earlier) != hashes(&grading.card) {
                self.move_away(&handed.run)?;
            } else if earlier.state == State::Graded {
                return Ok((earlier, true));
            }
        } else if handed.run.exists() {
            self.move_away(&handed.run)?;
        }
        create(&handed.run)?;
        let card = grading.grade(&suite, self.opponents, &handed.run, None)?;
        Ok((card, false))
    }

    /// The card of something that is no bot.
    fn unusable(&self, handed: &Handed, problem: &Problem) -> Result<Card, CliError> {
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

    /// What was handed in, each with a folder of its own.
    fn handed_in(&self, folder: &Path) -> Result<Vec<Handed>, CliError> {
        let shown = folder.display();
        let paths = Submission::all(folder)
            .map_err(|error| Problem::new(format!("cannot look into {shown}: {error}")))?;
        if paths.is_empty() {
            return Err(Problem::new(format!("nothing was handed in in {shown}"))
                .help("each submission is a folder with bot.toml, bot.py or main.py, or a .py or .js file")
                .into());
        }
        let mut handed: Vec<Handed> = Vec::new();
        for path in paths {
            let (name, plain) = (Submission::title(&path), Submission::name_of(&path));
            let is_free = |run: &PathBuf| handed.iter().all(|other| other.run != *run);
            let first = std::iter::once(self.out.join(&plain));
            let further = (2..).map(|number| self.out.join(format!("{plain}-{number}")));
            let run = first.chain(further).find(is_free);
            handed.push(Handed {
                name,
                path,
                run: run.expect("there is always a further number"),
            });
        }
        Ok(handed)
    }

    /// Keeps the run of a submission that has changed since, as evidence of what it was worth.
    fn move_away(&self, run: &Path) -> Result<(), CliError> {
        let folder = self.out.join(EARLIER);
        create(&folder)?;
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        let free = (1..u32::MAX)
            .map(|number| folder.join(format!("{name}-{number}")))
            .find(|path| !path.exists())
            .expect("there is always a further number");
        fs::rename(run, &free).map_err(|source| CliError::System {
            what: format!("cannot move {} away", run.display()),
            source,
        })
    }
}

fn create(folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(|source| CliError::System {
        what: format!("cannot create the folder {}", folder.display()),
        source,
    })
}
