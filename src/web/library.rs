//! The runs of a folder. A run is followed while a page uses it.
//!
//! A thread per followed run reads the run's record into an [`Index`], and updates the index until no page has used
//! the run for some time. A run is found by its name in the list of the folder, never by a path. A hand-in of a class
//! is found by the name of its class, a slash, and its name in the list of the class.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard, Weak};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;
use tokio::sync::watch;

use super::hub::Hub;
use super::index::Index;
use super::{lock, read, write};
use crate::grade::files::GRADE;
use crate::grade::{CLASS_LIST, ClassList};
use run::RunFile;
use run::store::{Store, StoreError};
use tournament::Catalogue;

/// The most runs in memory. The least recently used one is dropped.
const KEPT: usize = 6;
const LOOK: Duration = Duration::from_millis(200);
/// The time for which a run is followed after a page has last used it.
const FOLLOWED: Duration = Duration::from_secs(60);
/// The most runs in the list: the most recently written ones.
const LISTED: usize = 500;

#[derive(Debug)]
pub struct Library {
    place: PathBuf,
    alone: bool,
    /// Whether pages hide the names of hand-ins. If so, a grade is shown only on a page of its class.
    pub is_anonymous: bool,
    catalogue: Arc<Catalogue>,
    hub: Option<Arc<Hub>>,
    kept: Mutex<BTreeMap<String, Arc<Followed>>>,
}

#[derive(Clone, Debug)]
pub struct Listed {
    pub id: String,
    pub folder: PathBuf,
    pub written: SystemTime,
    pub is_class: bool,
}

impl Listed {
    pub fn is_played(&self) -> bool {
        let lock = || host::open_regular(&ClassList::lock(&self.folder));
        Store::is_locked(&self.folder)
            || self.is_class && lock().is_ok_and(|lock| host::is_locked(&lock))
    }
}

impl Library {
    /// Opens the runs and classes in `place`, or `place` itself if it is one. `hub` has the run that this server plays.
    pub fn new(
        place: &Path,
        is_anonymous: bool,
        catalogue: Arc<Catalogue>,
        hub: Option<Arc<Hub>>,
    ) -> Library {
        Library {
            place: place.to_owned(),
            alone: is_run(place) || is_class(place),
            is_anonymous,
            catalogue,
            hub,
            kept: Mutex::default(),
        }
    }

    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Returns the folder of a run or class in the form that a user writes in a command.
    pub fn shown(&self, id: &str) -> PathBuf {
        if self.alone {
            self.place.clone()
        } else {
            self.place.join(id)
        }
    }

    /// Lists the runs and classes, most recently written first.
    pub fn list(&self) -> Vec<Listed> {
        let mut runs: Vec<Listed> = if self.alone {
            listed(&self.place).into_iter().collect()
        } else {
            let entries = fs::read_dir(&self.place).into_iter().flatten().flatten();
            let folders = entries.map(|entry| entry.path());
            let runs = folders.filter(|folder| is_run(folder) || is_class(folder));
            runs.filter_map(|folder| listed(&folder)).collect()
        };
        runs.retain(|run| !self.is_anonymous || run.is_class || !is_grade(&run.folder));
        runs.sort_by(|a, b| b.written.cmp(&a.written).then_with(|| a.id.cmp(&b.id)));
        runs.truncate(LISTED);
        runs
    }

    pub fn get(&self, id: &str) -> Option<Arc<Followed>> {
        let known = lock(&self.kept).get(id).map(Arc::clone);
        // Holds no lock here, so other pages need not wait.
        let opened = match known {
            Some(known) => known,
            None => Arc::new(self.open(id)?),
        };
        let mut kept = lock(&self.kept);
        let followed = Arc::clone(kept.entry(id.to_owned()).or_insert(opened));
        followed.follow();
        while kept.len() > KEPT {
            let oldest = kept.iter().min_by_key(|(_, run)| lock(&run.looks).last);
            let oldest = oldest.map(|(id, _)| id.clone());
            oldest.and_then(|id| kept.remove(&id));
        }
        Some(followed)
    }

    fn folder(&self, id: &str) -> Option<PathBuf> {
        if let Some((class, key)) = id.split_once('/') {
            let (folder, list) = self.class(class).filter(|_| !self.is_anonymous)?;
            let mut hand_ins = list.hand_ins.iter();
            let hand_in = hand_ins.find(|hand_in| hand_in.key == key)?;
            return Some(ClassList::run(&folder, hand_in));
        }
        let mut runs = self.list().into_iter();
        runs.find(|run| run.id == id && !run.is_class)
            .map(|run| run.folder)
    }

    pub fn class(&self, id: &str) -> Option<(PathBuf, ClassList)> {
        let mut runs = self.list().into_iter();
        let folder = runs.find(|run| run.id == id && run.is_class)?.folder;
        let list = ClassList::read(&folder)?;
        Some((folder, list))
    }

    fn open(&self, id: &str) -> Option<Followed> {
        let folder = self.folder(id)?;
        Some(Followed {
            id: id.to_owned(),
            file: RunFile::read(&folder).ok(),
            index: RwLock::new(Index::new(&folder, &self.catalogue)),
            folder,
            hub: self.hub.clone().filter(|hub| hub.run == id),
            changed: watch::Sender::new(Progress::default()),
            looks: Mutex::new(Looks {
                last: Instant::now(),
                is_followed: false,
            }),
        })
    }
}

fn is_run(folder: &Path) -> bool {
    let files = ["run.toml", "arena.db", GRADE];
    files.iter().any(|name| folder.join(name).is_file())
}

fn is_grade(run: &Path) -> bool {
    run.join(GRADE).is_file()
}

fn is_class(folder: &Path) -> bool {
    folder.join(CLASS_LIST).is_file()
}

fn listed(folder: &Path) -> Option<Listed> {
    // A name that is not UTF-8 cannot be shown or put into an address unchanged.
    let whole = fs::canonicalize(folder).ok()?;
    let id = whole.file_name()?.to_str()?.to_owned();
    let list = is_class(folder).then(|| ClassList::read(folder)).flatten();
    let hand_ins = list.iter().flat_map(|list| &list.hand_ins);
    let folders = hand_ins.map(|hand_in| ClassList::run(folder, hand_in));
    let folders = folders.chain([folder.to_owned()]);
    let written = folders.filter_map(|folder| written(&folder)).max()?;
    Some(Listed {
        id,
        folder: folder.to_owned(),
        written,
        is_class: list.is_some(),
    })
}

/// Returns the time of the last change of a run or of the list of a class.
pub fn written(folder: &Path) -> Option<SystemTime> {
    let files = ["arena.db-wal", "arena.db", "run.toml", GRADE, CLASS_LIST];
    // Reading a record creates an empty log beside it, which does not count as a change.
    let written = |name: &&str| {
        let data = folder.join(name).metadata().ok()?;
        data.modified().ok().filter(|_| data.len() > 0)
    };
    files.iter().filter_map(written).max()
}

#[derive(Debug)]
pub struct Followed {
    pub id: String,
    pub folder: PathBuf,
    /// The run's file; `None` if it cannot be read.
    pub file: Option<RunFile>,
    index: RwLock<Index>,
    hub: Option<Arc<Hub>>,
    changed: watch::Sender<Progress>,
    looks: Mutex<Looks>,
}

/// The time of the last use, and whether a thread follows the record. One lock protects both fields, so a use cannot
/// come between a thread's decision to end and its end.
#[derive(Debug)]
struct Looks {
    last: Instant,
    is_followed: bool,
}

impl Looks {
    /// Records a use. Returns whether a thread must be started.
    fn look(&mut self, now: Instant) -> bool {
        self.last = now;
        !std::mem::replace(&mut self.is_followed, true)
    }

    /// Returns whether the thread must end, because no page has used the run for a while.
    fn has_ended(&mut self, now: Instant) -> bool {
        self.is_followed = now.saturating_duration_since(self.last) < FOLLOWED;
        !self.is_followed
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    pub version: u64,
    /// Whether the whole record has been read, or reading has failed.
    pub complete: bool,
    pub error: Option<String>,
    #[serde(rename = "here")]
    pub is_here: bool,
    /// Whether this arena or another one plays the run's games.
    #[serde(rename = "played")]
    pub is_played: bool,
}

impl Followed {
    pub fn index(&self) -> RwLockReadGuard<'_, Index> {
        read(&self.index)
    }

    pub fn progress(&self) -> Progress {
        self.changed.borrow().clone()
    }

    pub fn is_here(&self) -> bool {
        self.hub.as_ref().is_some_and(|hub| !hub.is_over())
    }

    pub fn changes(&self) -> watch::Receiver<Progress> {
        self.changed.subscribe()
    }

    pub async fn read_for(&self, most: Duration) {
        let mut changes = self.changes();
        let is_read = changes.wait_for(|now| now.complete || now.error.is_some());
        let _ = tokio::time::timeout(most, is_read).await;
    }

    /// Follows the record in a thread, unless a thread already does.
    fn follow(self: &Arc<Self>) {
        if !lock(&self.looks).look(Instant::now()) {
            return;
        }
        let run = Arc::downgrade(self);
        let started = thread::Builder::new()
            .name("follows a record".to_owned())
            .spawn(move || follow(&run));
        if let Err(error) = started {
            lock(&self.looks).is_followed = false;
            self.tell(true, Some(format!("cannot start a thread: {error}")));
        }
    }

    fn tell(&self, complete: bool, error: Option<String>) {
        let now = Progress {
            version: self.index().version,
            complete,
            error,
            is_here: self.is_here(),
            is_played: self.is_here() || Store::is_locked(&self.folder),
        };
        self.changed.send_if_modified(|before| {
            let is_new = *before != now;
            *before = now;
            is_new
        });
    }

    /// Returns whether the thread that follows the record must end.
    fn is_left(&self) -> bool {
        let mut looks = lock(&self.looks);
        let now = Instant::now();
        if self.changed.receiver_count() > 0 {
            looks.last = now;
        }
        looks.has_ended(now)
    }
}

fn follow(run: &Weak<Followed>) {
    let mut reader = RecordReader::default();
    while let Some(run) = run.upgrade() {
        if run.is_left() {
            return;
        }
        let more = match reader.look(&run) {
            Ok(more) => {
                run.tell(!more, None);
                more
            }
            Err(error) => {
                // The record may have been deleted, or may become readable later.
                reader = RecordReader::default();
                run.tell(true, Some(error));
                false
            }
        };
        drop(run);
        if !more {
            thread::sleep(LOOK);
        }
    }
}

/// An open record, and how much of it was read completely.
#[derive(Default)]
struct RecordReader {
    store: Option<Store>,
    read: Option<i64>,
}

impl RecordReader {
    fn look(&mut self, run: &Followed) -> Result<bool, String> {
        if !run.folder.join("arena.db").is_file() {
            // Perhaps no game has been saved yet.
            let is_there = is_run(&run.folder);
            let gone = || format!("the run {} has been deleted", run.id);
            return is_there.then_some(false).ok_or_else(gone);
        }
        let failed = |error: StoreError| error.to_string();
        if self.store.is_none() {
            self.store = Some(Store::read(&run.folder).map_err(failed)?);
        }
        let store = self.store.as_ref().expect("it was opened");
        let state = store.state().map_err(failed)?;
        if self.read == Some(state) {
            return Ok(false);
        }
        let new = run.index().new_games(store).map_err(failed)?;
        let more = new.more;
        write(&run.index).take(&new);
        self.read = (!more).then_some(state);
        Ok(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_after_the_thread_has_ended_starts_another() {
        let now = Instant::now();
        let mut looks = Looks {
            last: now,
            is_followed: false,
        };
        assert!(looks.look(now) && !looks.look(now), "one thread");
        let late = now + FOLLOWED;
        assert!(!looks.look(late) && !looks.has_ended(late), "it goes on");
        assert!(looks.has_ended(late + FOLLOWED));
        assert!(looks.look(late + FOLLOWED));
    }

    #[test]
    fn a_run_that_is_only_looked_at_was_not_written_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("it is written");
            fs::File::options().write(true).open(path).expect("a file")
        };
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        for name in ["run.toml", "arena.db"] {
            let file = made(name, "something");
            file.set_modified(long_ago).expect("a time");
        }
        let written = || listed(folder.path()).expect("a run").written;
        made("arena.db-wal", "");
        assert_eq!(written(), long_ago);
        made("arena.db-wal", "a game");
        assert!(written() > long_ago);
    }
}
