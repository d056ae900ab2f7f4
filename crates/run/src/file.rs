//! The folder of a run, and its `run.toml`, with which the run can be repeated.

use message::{Message, message};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use std::{fs, io};

use host::{Stamp, join_words};
use referee::bot::{Identity, read_in_own, sha256, size};
use referee::problem;
use referee::record::SafeText;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use tournament::{BotFile, Catalogue, Problem, Tournament, TournamentFile, given};

use super::RunError;
use crate::report::tables;

const NAME: &str = "run.toml";
/// The longest `run.toml` in bytes. With 100,000 stages, it has about 10 MiB.
const LONGEST: u64 = 16 << 20;

#[derive(Debug, Deserialize, Serialize)]
pub struct RunFile {
    arena: String,
    /// The time at which the run began, in UTC.
    pub started: String,
    /// The folder to which paths in the tournament are relative.
    pub folder: PathBuf,
    machine: Machine,
    pub tournament: TournamentFile,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stages: Option<StagesFile>,
    /// Files and folders of runtimes that sandboxed bots could read, besides files of the system and of the bots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    open_to_bots: Vec<PathBuf>,
    /// If time limits are scaled by the machine's speed: the factor in each session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time_scales: Vec<f64>,
    #[serde(default)]
    bots: Vec<BotIdentity>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct StagesFile {
    /// The text of each file of stages, for `stages::read` of the package `arena`.
    pub texts: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Machine {
    processor: String,
    cores: usize,
    system: String,
}

#[derive(Debug, Deserialize, Serialize)]
struct BotIdentity {
    name: String,
    command: String,
    says_it_is: String,
    #[serde(default)]
    files: Vec<HashedFile>,
}

#[derive(Debug, Deserialize, Serialize)]
struct HashedFile {
    path: PathBuf,
    sha256: String,
}

fn open_to(tournament: &Tournament) -> Vec<PathBuf> {
    let launches = tournament.contestants.iter().map(|bot| &bot.launch);
    let sandboxes = launches.filter_map(|launch| launch.sandbox.as_ref());
    let open: BTreeSet<PathBuf> = sandboxes
        .flat_map(|sandbox| host::open_in(sandbox).readable)
        .collect();
    open.into_iter().collect()
}

impl RunFile {
    pub fn new(
        tournament: &Tournament,
        file: &TournamentFile,
        folder: &Path,
        identities: &[Identity],
    ) -> RunFile {
        let bots = tournament.contestants.iter().zip(identities);
        RunFile {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
            machine: Machine {
                processor: host::processor_name(),
                cores: std::thread::available_parallelism().map_or(1, usize::from),
                system: host::system_name(),
            },
            tournament: TournamentFile {
                name: given(Some(tournament.name.clone())),
                ..file.clone()
            },
            stages: None,
            open_to_bots: open_to(tournament),
            time_scales: Vec::new(),
            bots: bots
                .map(|(contestant, identity)| BotIdentity {
                    name: contestant.name.clone(),
                    command: contestant.launch.display(),
                    says_it_is: SafeText::from(
                        format!("{} {}", identity.name, identity.version).trim(),
                    )
                    .into(),
                    files: contestant.files().into_iter().filter_map(hashed).collect(),
                })
                .collect(),
        }
    }

    pub fn write(&self, run: &Path) -> Result<(), RunError> {
        let text = toml::to_string(self).map_err(|error| {
            RunError::system("run.toml cannot be written")(io::Error::other(error))
        })?;
        let head = "# Everything needed to repeat this run: arena resume, arena report.\n";
        let text = format!("{head}{text}");
        if text.len() as u64 > LONGEST {
            return Err(problem!("{NAME} would have more than {}", size(LONGEST))
                .help("play fewer stages in a run")
                .into());
        }
        // Only the user may read the file, because it has the seed.
        Ok(tables::replace_own(&run.join(NAME), text.as_bytes())?)
    }

    pub fn read(run: &Path) -> Result<RunFile, RunError> {
        let path = run.join(NAME);
        let text = read_in_own(run, NAME, LONGEST).map_err(|error| {
            problem!("there is no run in {}: {NAME}: {error}", run.display())
                .help("name the folder that the run printed, such as results/quick")
        })?;
        RunFile::parse(&text)
            .map_err(|error| problem!("{} is damaged: {}", path.display(), error.message()).into())
    }

    /// Returns the run for reading only. Bots that are not in the catalogue get their recorded names and commands. The
    /// files of these bots are not read, because they may have been moved or changed since.
    #[must_use]
    pub fn for_reading(mut self, catalogue: &Catalogue) -> RunFile {
        for (bot, played) in self.tournament.bot.iter_mut().zip(&self.bots) {
            let bot = bot.get_mut();
            let is_elsewhere = |uses: &Spanned<String>| catalogue.find(uses.get_ref()).is_none();
            if bot.uses.as_ref().is_some_and(is_elsewhere) {
                // In a tuning, the command must contain each parameter.
                let places = self.tournament.parameter.iter().filter_map(|parameter| {
                    let name = parameter.get_ref().name.as_ref()?;
                    Some(format!("{{{}}}", name.get_ref()))
                });
                let words = std::iter::once(played.command.clone()).chain(places);
                *bot = BotFile {
                    name: given(Some(played.name.clone())),
                    command: given(Some(words.collect())),
                    uses: None,
                    options: None,
                    protocol: None,
                    frame: None,
                    setup: None,
                    ..bot.clone()
                };
            }
        }
        self
    }

    pub fn parse(text: &str) -> Result<RunFile, toml::de::Error> {
        toml::from_str(text)
    }

    /// Returns a sentence for each bot whose command has changed since the run began, apart from the arena's path.
    pub fn changed_commands(&self, tournament: &Tournament, ours: &Path) -> Vec<Message> {
        let bots = tournament.contestants.iter().filter_map(|bot| {
            let name = &bot.name;
            let before = &self
                .bots
                .iter()
                .find(|played| played.name == *name)?
                .command;
            let (launch, now) = (&bot.launch, bot.launch.display());
            let words = now.strip_prefix(&join_words([&*launch.program.to_string_lossy()]));
            let is_same = match words.filter(|_| launch.program == ours) {
                Some(words) => before.ends_with(words),
                None => *before == now,
            };
            (!is_same).then(|| {
                message!(
                    "{name} was started with {before:?} when the run began, and now with {now:?}"
                )
            })
        });
        bots.collect()
    }

    /// Returns whether the first two bots have equal files with different names. If so, perhaps a build was forgotten.
    pub fn has_equal_builds(&self) -> bool {
        let [one, other, ..] = self.bots.as_slice() else {
            return false;
        };
        let files = || one.files.iter().zip(&other.files);
        one.files.len() == other.files.len()
            && files().all(|(one, other)| one.sha256 == other.sha256)
            && files().any(|(one, other)| one.path != other.path)
    }

    pub fn changed_files(&self) -> impl Iterator<Item = &Path> {
        let files = self.bots.iter().flat_map(|bot| &bot.files);
        let changed = |file: &&HashedFile| {
            hashed(file.path.clone()).is_none_or(|now| now.sha256 != file.sha256)
        };
        files.filter(changed).map(|file| file.path.as_path())
    }
}

/// Hashes a file. Caches the hash, because hashing the arena's own program for each built-in bot would take long.
fn hashed(path: PathBuf) -> Option<HashedFile> {
    static READ: Mutex<BTreeMap<PathBuf, (Stamp, String)>> = Mutex::new(BTreeMap::new());
    let now = Stamp::of(&path).ok()?;
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let sha256 = match read.get(&path) {
        Some((before, sha256)) if *before == now => sha256.clone(),
        _ => sha256(&path).ok()?,
    };
    if now.is_old() {
        read.insert(path.clone(), (now, sha256.clone()));
    }
    Some(HashedFile { path, sha256 })
}

/// A new folder for a run. Dropping the value deletes it unless it is kept: a run that cannot begin leaves no files.
#[derive(Debug)]
pub struct NewFolder {
    path: PathBuf,
    is_kept: bool,
}

impl NewFolder {
    fn at(path: PathBuf) -> NewFolder {
        let is_kept = false;
        NewFolder { path, is_kept }
    }

    pub fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        self.path.clone()
    }
}

impl Deref for NewFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            // The error that ended the run is reported, so an error here is ignored.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Creates the folder `out`, or if it is `None`, the first free one of `results/<name>`, `results/<name>-2` and so on.
pub fn create_folder(name: &str, out: Option<&Path>) -> Result<NewFolder, RunError> {
    if let Some(out) = out {
        if let Some(parent) = out.parent() {
            fs::create_dir_all(parent).map_err(|source| failed(parent, &source))?;
        }
        return match fs::create_dir(out) {
            Ok(()) => Ok(NewFolder::at(out.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(out).into()),
            Err(source) => Err(failed(out, &source)),
        };
    }
    free_folder(Path::new("results"), name)
}

pub fn free_folder(results: &Path, name: &str) -> Result<NewFolder, RunError> {
    fs::create_dir_all(results).map_err(|source| failed(results, &source))?;
    let first = std::iter::once(name.to_owned());
    let further = (2..).map(|number| format!("{name}-{number}"));
    for name in first.chain(further) {
        let folder = results.join(name);
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(NewFolder::at(folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(failed(&folder, &source)),
        }
    }
    unreachable!("there is always a next number")
}

pub fn exists(folder: &Path) -> Problem {
    problem!(
        "{} exists already, and a run does not overwrite files",
        folder.display()
    )
    .help(message!(
        "choose another --out, or continue with arena resume {}",
        folder.display()
    ))
}

fn failed(folder: &Path, source: &io::Error) -> RunError {
    problem!("cannot create the folder {}: {source}", folder.display())
        .help("choose another with --out")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_below_a_bound_is_read() {
        let refused = |run: &Path| match RunFile::read(run) {
            Err(RunError::Input(problem)) => problem.what,
            other => panic!("{other:?}"),
        };
        let run = tempfile::tempdir().expect("a folder");
        // No program writes to this pipe, so opening it would block forever.
        let pipe = run.path().join(NAME);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|made| made.success()) {
            let why = refused(run.path());
            assert!(
                why.to_string()
                    .ends_with("run.toml: it is not a regular file"),
                "{why}"
            );
            std::fs::remove_file(&pipe).expect("removed");
        }
        let file = std::fs::File::create(&pipe).expect("a file");
        file.set_len(LONGEST + 1).expect("a hole");
        let why = refused(run.path());
        assert!(
            why.to_string()
                .ends_with("run.toml: it has more than 16 MiB"),
            "{why}"
        );
    }
}
