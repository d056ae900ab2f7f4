//! Builds a bot from its sources: before its first start, and again when they have changed.
//!
//! **When.** After a build the arena notes the SHA-256 of every file in the bot's folder. Files that
//! appeared or changed while it ran are its products, all others its sources. The bot is built again
//! when the command, a source or a product has changed, when one is missing, and when there is a new
//! file. Hidden files and what tools leave behind are ignored; but the program itself must exist, in any
//! folder.
//!
//! **Where.** The build runs in the bot's folder, as its author would run it. The note and a lock
//! are in the user's cache (`$XDG_CACHE_HOME/arena/builds`), one pair per folder: a build from another
//! machine is not trusted, and two arenas do not build one folder at the same time.
//!
//! A hand-in stays as it was handed in: it is built in a copy of its folder in the cache, which is made anew before each
//! build ([`Build::in_copy`]). A build could otherwise change what the next grading reads.
//!
//! **How.** Its command is started as a bot is: it sees a few variables of the arena's environment,
//! inherits no open file, and ends with the arena, as does everything that it has started. It has ten
//! minutes, and the end of its output is kept. In a sandbox it may add as much as a hand-in may have ([`Growth`]).
//!
//! Bots are built before the first game, never during games.

mod error;
mod growth;
mod make;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::program_file;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use error::BuildError;

use host::{Crew, Sandbox, Walk};

use self::growth::Growth;
use super::leftovers::{is_foreign, is_remade};
use super::sha256::{add_entries, digits, sha256};
use super::{Launch, cache, cached, keep, new_entry};

/// A build that takes longer is ended, where nothing else is said.
const LIMIT: Duration = Duration::from_secs(600);

/// What a folder may hold when its bot has been built, but for what is ignored.
const MOST_FILES: usize = 100_000;
const MOST_BYTES: u64 = 2 << 30;

/// How a bot is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    launch: Launch,
    /// The program that it makes, from the bot's folder; `None` where the bot's command names none
    /// of its own.
    program: Option<PathBuf>,
    /// Where notes and locks lie.
    notes: PathBuf,
    /// The time limit.
    limit: Duration,
    /// Whether what it adds to the folder is bounded: it is a stranger's.
    is_bounded: bool,
    /// The folder of which that of the build is a copy.
    original: Option<PathBuf>,
}

/// A file's path from the folder, and its SHA-256.
type Files = BTreeMap<PathBuf, String>;

/// The note after a build.
#[derive(Debug, Deserialize, Serialize)]
struct Note {
    folder: PathBuf,
    command: String,
    sources: Files,
    products: Files,
}

impl Build {
    /// What makes the bot that is started with `program`.
    pub(super) fn new(launch: Launch, program: &Path) -> Build {
        // One without a slash is found in PATH.
        let is_own = program.components().count() > 1;
        Build {
            launch: Launch {
                crew: Crew::of_builds(),
                ..launch
            },
            program: is_own.then(|| program.to_owned()),
            notes: cache("builds"),
            limit: LIMIT,
            is_bounded: false,
            original: None,
        }
    }

    /// Moves the build to a copy of the bot's folder, which is filled when the bot is built. Returns the folder
    /// and the copy; `None` if the arena itself made the folder, for a single source.
    ///
    /// # Errors
    /// If the folder cannot be read, or the user's cache cannot be written to.
    pub fn in_copy(&mut self) -> io::Result<Option<(PathBuf, PathBuf)>> {
        let original = self.folder().to_owned();
        if original.starts_with(cache("sources")) {
            return Ok(None);
        }
        let mut hash = Sha256::new();
        hash.update(original.as_os_str().as_encoded_bytes());
        add_entries(&mut hash, &original, own_entries(&original)?, &|| false)?;
        let copy = cached("hand-ins", &digits(hash)[..32])?;
        self.launch.move_to(&original, &copy);
        self.original = Some(original.clone());
        Ok(Some((original, copy)))
    }

    /// Fills the copy anew.
    fn copy(&self, original: &Path) -> io::Result<()> {
        let copy = self.folder();
        let new = new_entry(copy)?;
        for (inner, data) in own_entries(original)? {
            let (from, to) = (original.join(&inner), new.path().join(&inner));
            if data.is_symlink() {
                host::copy_link(&from, &to)?;
            } else if data.is_dir() {
                fs::create_dir(&to)?;
            } else {
                fs::copy(&from, &to)?;
            }
        }
        if copy.exists() {
            host::remove_all(copy)?;
        }
        keep(new, copy)
    }

    /// Puts it into a box with these limits: it may change the bot's folder and nothing else.
    pub fn enclose(&mut self, sandbox: &Sandbox) {
        self.is_bounded = true;
        self.launch.enclose_build(sandbox);
    }

    /// Ends it where it takes longer.
    pub fn limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// The command as it would be typed in the bot's folder.
    pub fn display(&self) -> String {
        self.launch.display()
    }

    /// Whether the bot has to be built before it is started.
    pub fn is_due(&self) -> bool {
        let program = self.program.as_ref();
        if program.is_some_and(|program| !program_file(&self.folder().join(program)).exists()) {
            return true;
        }
        let now = snapshot(self.folder());
        self.note().zip(now.ok()).is_none_or(|(note, now)| {
            let mut known = note.sources;
            known.extend(note.products);
            now != known
        })
    }

    /// Builds the bot if that is due. Returns whether it was.
    pub fn run(&self) -> Result<bool, BuildError> {
        let failed = |what: String| move |source| BuildError::System { what, source };
        // The notes hold the names of cache entries.
        let noted = fs::create_dir_all(&self.notes).and_then(|()| host::unlist(&self.notes));
        noted.map_err(failed(format!(
            "no folder for notes: {}",
            self.notes.display()
        )))?;
        let path = self.note_path().with_extension("lock");
        let lock = host::own_file(&path)
            .and_then(|lock| lock.lock().map(|()| lock))
            .map_err(failed(format!("cannot lock {}", path.display())))?;
        // Another may have built while we waited.
        let due = self.is_due();
        if due {
            let unreadable = || {
                |error: io::Error| BuildError::Failed {
                    why: format!("its folder cannot be read: {error}"),
                    command: self.launch.display(),
                    output: String::new(),
                }
            };
            if let Some(original) = &self.original {
                self.copy(original).map_err(failed(format!(
                    "{} cannot be copied to {}",
                    original.display(),
                    self.folder().display()
                )))?;
            }
            // A product that comes out the same as the last time is one all the same.
            let earlier = self.last_note();
            let before = snapshot(self.folder()).map_err(unreadable())?;
            let made = self.make();
            if made.is_err() && self.original.is_some() {
                // The next build begins with a new copy.
                let _ = host::remove_all(self.folder());
            }
            made?;
            let after = snapshot(self.folder()).map_err(unreadable())?;
            let (sources, products) = after.into_iter().partition(|(path, hash)| {
                let was_made = earlier
                    .as_ref()
                    .is_some_and(|note| note.products.contains_key(path));
                before.get(path) == Some(hash) && !was_made
            });
            let note = Note {
                folder: self.folder().to_owned(),
                command: self.launch.display(),
                sources,
                products,
            };
            let text = serde_json::to_string_pretty(&note).map_err(io::Error::from);
            text.and_then(|text| fs::write(self.note_path(), text))
                .map_err(failed("the build cannot be noted".to_owned()))?;
        }
        drop(lock);
        Ok(due)
    }

    /// Runs the command. What a stranger's build adds to its folder is bounded, and is removed if it is too
    /// much; a folder that cannot be written to is the machine's fault.
    fn make(&self) -> Result<(), BuildError> {
        let folder = self.folder();
        let cannot = |what: &str| {
            let what = format!("the folder {} cannot be {what}", folder.display());
            move |source| BuildError::System { what, source }
        };
        let growth = self.is_bounded.then(|| Growth::of(folder)).transpose();
        let growth = growth.map_err(cannot("read"))?;
        let made = make::make(&self.launch, self.limit, growth);
        if let Err(BuildError::Failed { .. }) = made {
            // A command that failed on a full disk has not failed by itself.
            // Its own folder may be closed by the build itself.
            let place = self.copied().and_then(Path::parent).unwrap_or(folder);
            let room = tempfile::tempfile_in(place).and_then(|mut file| {
                file.write_all(&vec![1; 1 << 16])?;
                file.sync_data()
            });
            room.map_err(cannot("written to"))?;
        }
        made
    }

    /// The files from which the bot was made, for the hash that says which version played. Empty
    /// before the first build.
    pub fn sources(&self) -> Vec<PathBuf> {
        let sources = self.note().map(|note| note.sources).unwrap_or_default();
        let folder = self.folder();
        sources.into_keys().map(|path| folder.join(path)).collect()
    }

    /// The copy of a hand-in in which it is built.
    pub fn copied(&self) -> Option<&Path> {
        self.original.as_ref().map(|_| self.folder())
    }

    fn folder(&self) -> &Path {
        self.launch.folder.as_deref().unwrap_or(Path::new("."))
    }

    fn note_path(&self) -> PathBuf {
        let mut hash = Sha256::new();
        hash.update(self.folder().as_os_str().as_encoded_bytes());
        self.notes.join(format!("{}.json", &digits(hash)[..32]))
    }

    /// What was noted after the last build in this folder.
    fn last_note(&self) -> Option<Note> {
        let text = fs::read_to_string(self.note_path()).ok()?;
        let note: Note = serde_json::from_str(&text).ok()?;
        (note.folder == self.folder()).then_some(note)
    }

    /// The same, if it was this command that was run.
    fn note(&self) -> Option<Note> {
        self.last_note()
            .filter(|note| note.command == self.launch.display())
    }
}

/// The files, folders and links of a bot, a folder before what is in it; what tools make anew is none of them.
fn own_entries(folder: &Path) -> io::Result<BTreeMap<PathBuf, fs::Metadata>> {
    let (mut entries, mut walk) = (BTreeMap::new(), Walk::of(folder));
    while let Some((inner, data)) = walk.next().transpose()? {
        if is_remade(&folder.join(&inner)) {
            walk.leave_out();
        } else {
            entries.insert(inner, data);
        }
    }
    Ok(entries)
}

/// Every file in a folder with its hash; an error if there are too many, which would hold up everybody.
fn snapshot(folder: &Path) -> io::Result<Files> {
    let (mut files, mut bytes) = (Files::new(), 0);
    let mut walk = Walk::of(folder);
    while let Some((inner, data)) = walk.next().transpose()? {
        if is_foreign(&folder.join(&inner)) {
            walk.leave_out();
            continue;
        }
        let path = folder.join(&inner);
        // A link to a folder may lead back.
        if !data.is_file() && (!data.is_symlink() || path.is_dir()) {
            continue;
        }
        bytes += data.len();
        if files.len() >= MOST_FILES || bytes > MOST_BYTES {
            let most = format!("it has more than {MOST_FILES} files, or than 2 GiB");
            return Err(io::Error::other(most));
        }
        if inner.to_str().is_none() {
            let name = inner.to_string_lossy();
            return Err(io::Error::other(format!("{name:?} is not a name in UTF-8")));
        }
        // A link counts by its text: what it leads to is not the bot's.
        let hash = if data.is_symlink() {
            let target = fs::read_link(&path)?;
            digits(Sha256::new_with_prefix(
                target.as_os_str().as_encoded_bytes(),
            ))
        } else {
            sha256(&path).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", inner.display()))
            })?
        };
        files.insert(inner, hash);
    }
    Ok(files)
}

#[cfg(test)]
mod tests;
