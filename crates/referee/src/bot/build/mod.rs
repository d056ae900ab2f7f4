//! Builds a bot from its sources before its first start, and again when they have changed, but never during games.
//!
//! **When.** After a build the arena notes the SHA-256 of every file in the bot's folder. Files that appeared or
//! changed during the build are its products; all other files are its sources. The bot is built again if the command, a
//! source or a product has changed, if a file is missing, or if there is a new file. The arena ignores hidden files and
//! files that tools leave behind, but the program itself must exist.
//!
//! **Where.** The build runs in the bot's folder, as its author would run it. The user's cache has a note and a lock
//! for each folder (`$XDG_CACHE_HOME/arena/builds`). So a build from another machine is not trusted, and two arenas do
//! not build in one folder at the same time.
//!
//! A hand-in is built in a copy of its folder. The copy is in the cache and is renewed before each build
//! ([`Build::in_copy`]). Otherwise a build could change the files of the next grading.
//!
//! **How.** The command is started like a bot: it sees a few environment variables, inherits no open file, and ends
//! with the arena, as do its descendants. Its time limit is ten minutes. The arena keeps the end of its output. In a
//! sandbox, the files that it writes are bounded like those of a hand-in ([`Growth`]).

mod command;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{ProcessGroup, Sandbox, Walk, program_file};
use message::{Message, message};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use self::command::Growth;
use super::files::{add_entries, digits, is_generated_or_installed, is_remade, sha256};
use super::{ArenaError, DiskShare, Exceeded, Launch, Quota, cache, cached, keep, new_entry};

const LIMIT: Duration = Duration::from_secs(600);

/// The maximum number and size of the files in a folder after a build; ignored files do not count.
const MOST_FILES: usize = 100_000;
const MOST_BYTES: u64 = 2 << 30;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    launch: Launch,
    /// The program that the build makes, relative to the bot's folder; `None` if the command names a program in `PATH`.
    program: Option<PathBuf>,
    notes: PathBuf,
    limit: Duration,
    /// The share of the disk; `None`: the growth of the folder is not bounded.
    share: Option<DiskShare>,
    /// The folder of the hand-in, if the build runs in a copy.
    original: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error, message::Message)]
pub enum BuildError {
    #[error("cannot be built: {why}")]
    Failed {
        why: Message,
        command: String,
        output: String,
    },
    #[error("cannot be built: {what}: {source}")]
    System { what: String, source: io::Error },
    #[error("cannot be built: {0}: make room, or name another folder in XDG_CACHE_HOME")]
    NoRoom(Exceeded),
    /// The machine had no process for the build, or the run is being stopped.
    #[error("cannot be built: {0}")]
    Arena(ArenaError),
}

impl From<ArenaError> for BuildError {
    fn from(error: ArenaError) -> BuildError {
        BuildError::Arena(error)
    }
}

type FileHashes = BTreeMap<PathBuf, String>;

#[derive(Debug, Deserialize, Serialize)]
struct BuildNote {
    folder: PathBuf,
    command: String,
    sources: FileHashes,
    products: FileHashes,
}

impl Build {
    pub(super) fn new(launch: Launch, program: &Path) -> Build {
        // A program without a slash is looked up in the `PATH`.
        let is_own = program.components().count() > 1;
        Build {
            launch: Launch {
                process_group: ProcessGroup::of_builds(),
                ..launch
            },
            program: is_own.then(|| program.to_owned()),
            notes: cache("builds"),
            limit: LIMIT,
            share: None,
            original: None,
        }
    }

    /// Moves the build to a copy of the bot's folder. The copy is made when the bot is built. Returns the folder and
    /// the copy; `None` if the arena itself made the folder, for a bot that is a single source file. Fails if the
    /// folder cannot be read, or the user's cache cannot be written to.
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

    /// Puts the build into a sandbox with these limits. The build may change only the bot's folder.
    pub fn enclose(&mut self, sandbox: &Sandbox) {
        self.share = Some(DiskShare::of(self.folder(), 1));
        self.launch.enclose_build(sandbox);
    }

    /// Bounds what the build and the copy for it may add to the cache, also outside a sandbox.
    pub fn allow(&mut self, share: DiskShare) {
        if self.folder().starts_with(cache("")) {
            self.share = Some(share);
        }
    }

    pub fn limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    pub fn display(&self) -> String {
        self.launch.display()
    }

    pub fn words(&self) -> Vec<String> {
        self.launch.words()
    }

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

    pub fn run(&self) -> Result<bool, BuildError> {
        let failed = |what: String| move |source| BuildError::System { what, source };
        // The notes show names of cache entries, which other users must not see.
        let noted = fs::create_dir_all(&self.notes).and_then(|()| host::unlist(&self.notes));
        noted.map_err(failed(format!(
            "no folder for notes: {}",
            self.notes.display()
        )))?;
        let path = self.note_path().with_extension("lock");
        let lock = host::own_file(&path)
            .and_then(|lock| lock.lock().map(|()| lock))
            .map_err(failed(format!("cannot lock {}", path.display())))?;
        // Another arena may have built while this one waited.
        let due = self.is_due();
        if due {
            let unreadable = || {
                |error: io::Error| BuildError::Failed {
                    why: message!("its folder cannot be read: {error}"),
                    command: self.launch.display(),
                    output: String::new(),
                }
            };
            if let Some(original) = &self.original {
                let quota = |share: DiskShare| share.quota(self.folder());
                let mut quota = self.share.map_or(Quota::WHOLE, quota);
                for data in own_entries(original).iter().flat_map(BTreeMap::values) {
                    // The fixed bound was checked for the hand-in itself.
                    let _ = quota.take(1, data.len());
                }
                quota.check_share().map_err(BuildError::NoRoom)?;
                self.copy(original).map_err(failed(format!(
                    "{} cannot be copied to {}",
                    original.display(),
                    self.folder().display()
                )))?;
            }
            // A build may write the same contents again, so the products of the last note count as products, too.
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
            let note = BuildNote {
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

    /// Runs the command. If a bounded build adds too much, removes its new files. If the command fails and the disk is
    /// full or read-only, the machine is at fault.
    fn make(&self) -> Result<(), BuildError> {
        let folder = self.folder();
        let cannot = |what: &str| {
            let what = format!("the folder {} cannot be {what}", folder.display());
            move |source| BuildError::System { what, source }
        };
        let growth = self
            .share
            .map(|share| Growth::of(folder, share))
            .transpose();
        let growth = growth.map_err(cannot("read"))?;
        let made = command::run(&self.launch, self.limit, growth);
        if let Err(BuildError::Failed { .. }) = made {
            // Tests whether the disk is full. Writes beside the copy, since a build may have made its copy read-only.
            let place = self.copied().and_then(Path::parent).unwrap_or(folder);
            let room = tempfile::tempfile_in(place).and_then(|mut file| {
                file.write_all(&vec![1; 1 << 16])?;
                file.sync_data()
            });
            room.map_err(cannot("written to"))?;
        }
        made
    }

    /// Returns the files from which the bot was built, for the hash of its version; empty before the first build.
    pub fn sources(&self) -> Vec<PathBuf> {
        let sources = self.note().map(|note| note.sources).unwrap_or_default();
        let folder = self.folder();
        sources.into_keys().map(|path| folder.join(path)).collect()
    }

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

    fn last_note(&self) -> Option<BuildNote> {
        let text = fs::read_to_string(self.note_path()).ok()?;
        let note: BuildNote = serde_json::from_str(&text).ok()?;
        (note.folder == self.folder()).then_some(note)
    }

    fn note(&self) -> Option<BuildNote> {
        self.last_note()
            .filter(|note| note.command == self.launch.display())
    }
}

/// Returns the files, folders and links of a bot, except those that tools recreate. A folder comes before its contents.
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

/// Returns every file in a folder with its hash. Fails if there are so many that hashing them would delay the run.
fn snapshot(folder: &Path) -> io::Result<FileHashes> {
    let (mut files, mut bytes) = (FileHashes::new(), 0);
    let mut walk = Walk::of(folder);
    while let Some((inner, data)) = walk.next().transpose()? {
        if is_generated_or_installed(&folder.join(&inner)) {
            walk.leave_out();
            continue;
        }
        let path = folder.join(&inner);
        // Skips links to folders, which may lead to a folder above.
        if !data.is_file() && (!data.is_symlink() || path.is_dir()) {
            continue;
        }
        bytes += data.len();
        if files.len() >= MOST_FILES || bytes > MOST_BYTES {
            let most = format!("it has more than {MOST_FILES} files, or more than 2 GiB");
            return Err(io::Error::other(most));
        }
        if inner.to_str().is_none() {
            let name = inner.to_string_lossy();
            return Err(io::Error::other(format!("{name:?} is not a name in UTF-8")));
        }
        // Hashes the text of a link: its target does not belong to the bot.
        let hash = if data.is_symlink() {
            let target = fs::read_link(&path)?;
            digits(Sha256::new_with_prefix(
                target.as_os_str().as_encoded_bytes(),
            ))
        } else {
            sha256(&path).map_err(|error| {
                let name = inner.to_string_lossy();
                io::Error::new(error.kind(), format!("{name:?}: {error}"))
            })?
        };
        files.insert(inner, hash);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::process::Command;
    use std::thread;
    use std::time::Instant;

    use super::*;

    fn copier() -> (tempfile::TempDir, Build) {
        copier_to("out", None)
    }

    /// Makes a build that copies `source` to `bot` in the folder `place`; `program` is its program, if known.
    fn copier_to(place: &str, program: Option<&str>) -> (tempfile::TempDir, Build) {
        let folder = tempfile::tempdir().expect("a folder");
        let notes = folder.path().join(".notes");
        fs::write(folder.path().join("source"), "one").expect("a file");
        let script = format!("echo made >> .log; mkdir -p {place}; cp source {place}/bot");
        let launch = Launch {
            program: "sh".into(),
            arguments: ["-c".into(), script.into()].into(),
            folder: Some(folder.path().to_owned()),
            ..Launch::default()
        };
        let program = program.map(PathBuf::from);
        let build = Build {
            launch,
            program,
            notes,
            limit: LIMIT,
            share: None,
            original: None,
        };
        (folder, build)
    }

    #[test]
    fn a_missing_program_is_built_again_in_any_folder() {
        let (folder, build) = copier_to("target", Some("./target/bot"));
        assert!(build.run().expect("a build"));
        assert!(!build.is_due(), "nothing has changed");
        fs::remove_dir_all(folder.path().join("target")).expect("as cargo clean does");
        assert!(build.run().expect("a build"));
        assert_eq!(times_made(folder.path()), 2);
    }

    fn times_made(folder: &Path) -> usize {
        let log = fs::read_to_string(folder.join(".log")).unwrap_or_default();
        log.lines().count()
    }

    #[test]
    fn each_change_makes_a_new_build() {
        let (folder, build) = copier();
        let path = |name: &str| folder.path().join(name);
        let put = |name: &str, text: &str| fs::write(path(name), text).expect("a file");
        assert!(build.is_due(), "never built");
        let changes: [(&str, &dyn Fn()); 6] = [
            ("never built", &|| {}),
            ("a source", &|| put("source", "two")),
            ("a new file", &|| put("header", "")),
            ("a product", &|| put("out/bot", "spoilt")),
            ("no product", &|| {
                fs::remove_file(path("out/bot")).expect("gone");
            }),
            ("no header", &|| {
                fs::remove_file(path("header")).expect("gone");
            }),
        ];
        for (number, (what, change)) in (1..).zip(changes) {
            change();
            assert!(build.run().expect("a build"), "{what}");
            assert!(!build.run().expect("a build"), "{what}: once is enough");
            assert_eq!(times_made(folder.path()), number, "{what}");
        }
        assert_eq!(build.sources(), [path("source")]);
        put(".editor", "hidden files are no sources");
        let link = Command::new("ln")
            .args(["-s", "."])
            .arg(path("loop"))
            .status();
        assert!(link.expect("ln is there").success());
        assert!(!build.run().expect("a build"), "nothing that counts");
        let mut other = build.clone();
        other.launch.arguments.push("word".into());
        assert!(other.is_due(), "another command");
    }

    #[test]
    fn many_at_once_build_once() {
        let (folder, build) = copier();
        let eight = NonZero::new(8).expect("not 0");
        let built = host::side_by_side(eight, &[&build; 8], |build| build.run()).expect("threads");
        let made = built.into_iter().map(|built| built.expect("a build"));
        assert_eq!(made.filter(|&was_due| was_due).count(), 1);
        assert_eq!(times_made(folder.path()), 1);
    }

    #[test]
    fn a_build_that_fails_says_why_and_is_tried_again() {
        let (_folder, mut build) = copier();
        build.launch.arguments[1] = "echo 'bot.c:3: no semicolon' >&2; sleep 600 & exit 7".into();
        for _ in 0..2 {
            let error = build.run().expect_err("it fails");
            assert_eq!(error.to_string(), "cannot be built: exit status 7");
            let BuildError::Failed { output, .. } = error else {
                panic!("{error:?}")
            };
            assert_eq!(output, "bot.c:3: no semicolon\n");
        }
        build.launch.program = "no-such-compiler".into();
        let error = build.run().expect_err("there is none").to_string();
        assert!(
            error.contains("there is no program no-such-compiler"),
            "{error}"
        );
    }

    fn that_runs(script: &str, limit: Duration) -> (tempfile::TempDir, Build) {
        let (folder, mut build) = copier();
        build.launch.arguments[1] = script.into();
        build.limit = limit;
        (folder, build)
    }

    fn failure(build: &Build) -> (String, String) {
        match build.run().expect_err("it fails") {
            BuildError::Failed { why, output, .. } => (why.to_string(), output),
            error => panic!("{error:?}"),
        }
    }

    /// Waits until the process that the build noted has ended. A zombie has no command line.
    fn its_child_ends(folder: &Path) {
        let child = fs::read_to_string(folder.join(".child")).expect("it was noted");
        let line = format!("/proc/{}/cmdline", child.trim());
        let began = Instant::now();
        while fs::read(&line).is_ok_and(|words| !words.is_empty()) {
            assert!(began.elapsed() < LIMIT / 10, "it lives");
            thread::yield_now();
        }
    }

    #[test]
    fn a_build_that_hangs_is_given_up_with_what_it_said() {
        let script = "echo compiling; sleep 600 & echo $! > .child; wait";
        let (folder, build) = that_runs(script, Duration::from_millis(700));
        let (why, output) = failure(&build);
        assert_eq!(why, "the build did not end within 700 ms");
        assert_eq!(output, "compiling\n");
        its_child_ends(folder.path());
    }

    #[test]
    fn a_strangers_build_is_bounded_and_its_files_are_removed_if_they_are_too_much() {
        let bytes = "the build added more than 1 GiB of files to its folder";
        let entries = "the build added more than 20000 files and folders to its folder";
        let deep =
            "n=aaaaaaaaaa; n=$n$n$n$n$n$n$n$n$n$n$n$n; for i in `seq 60`; do mkdir $n; cd $n; done";
        for (script, why) in [
            (
                "truncate -s 2G big; truncate -s 1M source; sleep 600",
                bytes,
            ),
            ("mkdir .a; truncate -s 2G .a/big", bytes),
            ("truncate -s 2G source", bytes),
            (
                "mkdir -p target/a; cd target/a; seq 20000 | xargs touch",
                entries,
            ),
            (deep, "the build left files that cannot be read: "),
            (&format!("truncate -s 2G big; {deep}"), bytes),
        ] {
            let (folder, mut build) = that_runs(script, LIMIT);
            build.share = Some(DiskShare::of(folder.path(), 1));
            fs::write(folder.path().join("other"), "kept").expect("a file");
            let (printed, _) = failure(&build);
            assert!(printed.starts_with(why), "{script}: {printed}");
            let kept = fs::read_dir(folder.path()).expect("a folder").flatten();
            let kept: Vec<_> = kept.map(|entry| entry.file_name()).collect();
            assert!(kept.iter().any(|name| name == "other"), "{kept:?}");
            let is_new = |name: &&std::ffi::OsString| *name != "other" && *name != ".notes";
            let new: Vec<_> = kept
                .iter()
                .filter(is_new)
                .filter(|name| *name != "source")
                .collect();
            assert!(new.is_empty(), "{script}: {new:?}");
        }
        let (_folder, build) = that_runs("truncate -s 2G big; rm big", LIMIT);
        assert!(build.run().expect("a build"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_build_on_a_full_disk_has_not_failed_by_itself() {
        let (folder, mut build) = that_runs("exit 1", LIMIT);
        assert_eq!(failure(&build).0, "exit status 1");
        build.launch.folder = Some("/proc/self".into());
        build.notes = folder.path().join(".notes");
        let error = build.make().expect_err("it fails");
        assert!(matches!(error, BuildError::System { .. }), "{error:?}");
        let printed = error.to_string();
        assert!(
            printed.contains("/proc/self cannot be written to"),
            "{printed}"
        );
    }

    #[test]
    fn a_build_that_floods_takes_no_memory_and_its_end_is_kept() {
        let script = "yes 0123456 | head -c 4000000; echo; echo the end; exit 3";
        let (_folder, build) = that_runs(script, LIMIT);
        let (why, output) = failure(&build);
        assert_eq!(why, "exit status 3");
        assert!(output.ends_with("\nthe end\n"));
        // `docs/protocol.md` states this size.
        assert_eq!(output.len(), 64 * 1024);
    }

    #[test]
    fn processes_that_a_build_leaves_running_are_killed() {
        let script = "cp source bot; setsid sh -c 'echo $$ > .child; exec sleep 600' & \
                      while ! [ -s .child ]; do :; done";
        let (folder, build) = that_runs(script, LIMIT);
        let began = Instant::now();
        assert!(build.run().expect("a build"));
        assert!(began.elapsed() < LIMIT, "not waited for");
        its_child_ends(folder.path());
    }

    #[test]
    fn a_build_sees_little_of_the_environment_and_has_no_input() {
        // Cargo sets this variable for every test; no build needs it.
        assert!(std::env::var_os("CARGO_PKG_NAME").is_some());
        let script = "env > .seen; cat > .heard; cp source bot";
        let (folder, build) = that_runs(script, LIMIT);
        assert!(build.run().expect("a build"));
        let seen = fs::read_to_string(folder.path().join(".seen")).expect("it was noted");
        assert!(seen.contains("PATH="), "{seen}");
        assert!(!seen.contains("CARGO_PKG_NAME"), "{seen}");
        let heard = fs::metadata(folder.path().join(".heard")).expect("a file");
        assert_eq!(heard.len(), 0);
    }

    #[test]
    fn a_build_of_work_that_was_given_up_does_not_begin() {
        let (folder, mut build) = copier();
        build.launch.process_group = host::ProcessGroup::new();
        build.launch.process_group.kill_all();
        let error = build.run().expect_err("it does not begin");
        assert!(
            matches!(error, BuildError::Arena(ArenaError::Aborted)),
            "{error:?}"
        );
        assert_eq!(times_made(folder.path()), 0);
    }

    #[test]
    fn a_refused_build_leaves_no_copy() {
        let (original, mut build) = that_runs("echo x > made; chmod 0 .; exit 1", LIMIT);
        let cache = tempfile::tempdir().expect("a folder");
        let copy = cache.path().join("copy");
        (build.launch.folder, build.original) = (Some(copy), Some(original.path().to_owned()));
        build.notes = original.path().join(".notes");
        assert_eq!(failure(&build).0, "exit status 1");
        let left = fs::read_dir(cache.path()).expect("a folder").count();
        assert_eq!(left, 0, "the copy is gone");
        assert!(!original.path().join("made").exists());
    }
}
