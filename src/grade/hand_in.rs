//! A hand-in: a folder, a file, an archive, or any other word that names a bot.
//!
//! A student has written its files, and may still change them. So a hand-in is first copied ([`Snapshot`]); its check
//! ([`check`]), its hash, its build and its games use only the copy. Only regular files of the hand-in are read, within
//! the [`Quota`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::{CopyError, LinkRule, Walk};
use sha2::{Digest, Sha256};

use super::archive::{self, no_room};
use referee::bot::{
    DiskShare, Exceeded, Quota, add_entries, cache, cached, digits, is_generated_or_installed,
    is_junk, keep, new_entry, read_regular, size,
};
use referee::dialect::Protocol;
use referee::problem;
use run::Stop;
use tournament::form::{is_source, main_file};
use tournament::{
    BotFile, Problem, begins_as_program, ending, given, interpreter, not_document, not_source,
    plain, stem,
};

/// The most nested folders that each contain only one folder; also the most archives within archives.
const DEEPEST: usize = 3;

/// The largest file that is checked for being blank, in bytes.
const BLANK: u64 = 4096;

#[derive(Clone, Debug)]
pub struct HandIn {
    pub name: String,
    /// The file or folder; `None` for a built-in bot or a command.
    pub path: Option<PathBuf>,
    pub bot: BotFile,
}

/// A hand-in's copy in the user's cache. Nobody else can change it, and each sandbox can read it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    path: PathBuf,
    original: PathBuf,
}

impl HandIn {
    /// Finds the bot of a word that names no file or folder by itself.
    pub fn find(word: &str, share: &DiskShare, stop: &Stop) -> Result<HandIn, Problem> {
        let mut bot = BotFile::from_word(word)?;
        if bot.command.is_some() || bot.frame.is_some() {
            // Paths on a command line are relative to the current folder.
            bot.folder = given(Some(text(&absolute(Path::new(".")))?));
        }
        let mut path = None;
        if let Some(uses) = bot.uses.as_ref().filter(|_| bot.frame.is_some()) {
            let mut file = PathBuf::from(uses.get_ref());
            if file.is_file() {
                file = Snapshot::of(&file, LinkRule::Follow, share, stop)?.path;
                check(&file, stop)?;
                path = Some(file.clone());
            }
            (bot.uses, bot.folder) = (given(Some(text(&absolute(&file))?)), None);
        }
        let name = match (&bot.name, &bot.uses, &bot.command) {
            (Some(name), ..) | (None, Some(name), _) => name.get_ref().clone(),
            (None, None, Some(words)) => {
                let script = words.get_ref().iter().find(|word| word.contains('.'));
                let program = script.or(words.get_ref().first());
                program.map_or_else(String::new, |word| stem(Path::new(word)))
            }
            (None, None, None) => String::new(),
        };
        Ok(HandIn {
            name: plain(&name),
            path,
            bot,
        })
    }

    /// Finds the bot in a file, a folder or an archive. A problem explains how to fix it.
    pub fn at(snapshot: &Snapshot, share: &DiskShare, stop: &Stop) -> Result<HandIn, Problem> {
        let Snapshot { path, original } = snapshot;
        HandIn::in_copy(path, share, stop).map_err(|mut problem| {
            let [path, original] = [path, original].map(|path| path.display().to_string());
            problem.replace_path(&path, &original);
            problem
        })
    }

    fn in_copy(path: &Path, share: &DiskShare, stop: &Stop) -> Result<HandIn, Problem> {
        let name = HandIn::name_of(path);
        check(path, stop)?;
        let mut path = absolute(path);
        for _ in 0..=DEEPEST {
            // A folder or an archive may contain just an archive, perhaps beside a report.
            if path.is_dir()
                && let [only] = without_documents(&path)?.as_slice()
                && archive::ArchiveKind::of(only).is_some()
                && only.symlink_metadata().is_ok_and(|data| data.is_file())
            {
                path.clone_from(only);
            }
            if !path.is_file() || archive::ArchiveKind::of(&path).is_none() {
                break;
            }
            path = archive::unpacked(&path, share, stop)?;
            check(&path, stop)?;
        }
        let bot = if path.is_dir() {
            in_folder(&path)?
        } else {
            if begins_as_program(&path) && !host::is_program(&path) {
                // Browsers do not keep the permission to execute.
                host::let_execute(&path).map_err(|error| no_room(&path, &error))?;
            }
            // A single source is copied to be built.
            let mut quota = share.quota(&cache(""));
            let own = Path::new(path.file_name().unwrap_or_default());
            let bytes = path.metadata().map_or(0, |data| data.len());
            let taken = quota.take(1, bytes).and_then(|()| quota.check_share());
            taken.map_err(|exceeded| too_much(own, bytes, exceeded))?;
            BotFile {
                // Only this file is readable, since other files of the folder may belong to other students.
                readable: given(Some(vec![text(&path)?])),
                ..in_file(&path)?
            }
        };
        Ok(HandIn {
            name,
            path: Some(path),
            bot,
        })
    }

    /// Sets the frame or the protocol of a file to the grader's choice. Changes nothing for a folder with `bot.toml`.
    pub fn put_into(&mut self, frame: Option<&str>) {
        let is_file = self
            .bot
            .uses
            .as_ref()
            .is_some_and(|uses| Path::new(uses.get_ref()).is_file());
        if let Some(frame) = frame.filter(|_| is_file) {
            let is_protocol = Protocol::from_word(frame).is_some();
            let place = if is_protocol {
                &mut self.bot.protocol
            } else {
                &mut self.bot.frame
            };
            *place = given(Some(frame.to_owned()));
        }
    }

    /// Lists a folder sorted by name, without hidden files and files of file managers.
    pub fn all(folder: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
        paths.retain(|path| !is_junk(path));
        paths.sort();
        Ok(paths)
    }

    /// Returns the student's name for the hand-in: the file name without its ending.
    pub fn title(path: &Path) -> String {
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        if path.is_dir() {
            return name;
        }
        archive::bare_name(&name).unwrap_or_else(|| stem(path))
    }

    /// Returns the title as a name that is valid in tables, file names and tournaments.
    pub fn name_of(path: &Path) -> String {
        plain(&HandIn::title(path))
    }
}

fn in_folder(folder: &Path) -> Result<BotFile, Problem> {
    let mut folder = folder.to_owned();
    for _ in 0..DEEPEST {
        let entries = entries(&folder)?;
        match entries.as_slice() {
            // Python imports the modules of a package from the folder around it.
            [only] if only.is_dir() && !only.join("__init__.py").is_file() => {
                folder.clone_from(only);
            }
            _ => break,
        }
    }
    // A manifest that cannot be read is an error; the arena never ignores it.
    if folder.join("bot.toml").symlink_metadata().is_ok() {
        return Ok(BotFile {
            uses: given(Some(text(&folder)?)),
            ..BotFile::default()
        });
    }
    let main = main_file(&folder)?.path;
    not_blank(&main)?;
    Ok(BotFile {
        uses: given(Some(text(&main)?)),
        folder: given(Some(text(&folder)?)),
        ..BotFile::default()
    })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut entries = HandIn::all(folder)
        .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
    entries.retain(|path| !is_generated_or_installed(path));
    Ok(entries)
}

fn without_documents(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut entries = entries(folder)?;
    entries.retain(|path| path.is_dir() || not_document(path).is_ok());
    Ok(entries)
}

fn in_file(path: &Path) -> Result<BotFile, Problem> {
    not_document(path)?;
    let is_bot = interpreter(path).is_some()
        || is_source(path)
        || begins_as_program(path)
        || host::is_program(path);
    if !is_bot {
        not_source(path)?;
        return Err(not_a_bot(path));
    }
    Ok(BotFile {
        uses: given(Some(text(path)?)),
        ..BotFile::default()
    })
}

fn not_a_bot(path: &Path) -> Problem {
    let name = path.file_name().unwrap_or_default().display();
    match ending(path).as_str() {
        "rar" | "7z" | "xz" | "bz2" => {
            problem!("{name} is an archive of a kind that the arena cannot unpack")
                .help("pack it again as .zip or .tar.gz")
        }
        "exe" | "dll" | "class" | "pyc" | "o" | "jar" => problem!("{name} is a compiled file")
            .help("hand in its source, or a folder with bot.toml"),
        _ => problem!("the arena does not know this kind of file: {name}").help(
            "hand in a .py, .js, .c, .cpp, .java or .rs file, a .zip, or a folder with bot.toml",
        ),
    }
}

fn absolute(path: &Path) -> PathBuf {
    // Leaves out Windows's prefix for long paths, which many programs do not understand.
    dunce::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

fn text(path: &Path) -> Result<String, Problem> {
    named(path).map(str::to_owned)
}

impl Snapshot {
    /// Copies a hand-in. Without this, a student with an open file, or a program that synchronises the folder, could
    /// replace checked or hashed code before it plays, even by a link to the grader's files. Fails if the hand-in is at
    /// fault, if the machine fails, or if `stop` was requested.
    pub fn of(
        path: &Path,
        rule: LinkRule,
        share: &DiskShare,
        stop: &Stop,
    ) -> Result<Snapshot, Problem> {
        let whole = absolute(path);
        let own = Path::new(path.file_name().or(whole.file_name()).unwrap_or_default());
        let machine = |error: io::Error| no_room(own, &error);
        let named = digits(Sha256::new_with_prefix(path.as_os_str().as_encoded_bytes()));
        let new = cached("hand-ins", &named[..32]).and_then(|entry| new_entry(&entry));
        let new = new.map_err(machine)?;
        copy(path, rule, &new.path().join(own), share, stop)?;
        // Equal contents get the same path, so that the arena finds an earlier build again.
        let entries: io::Result<_> = Walk::of(new.path()).collect();
        let mut hash = Sha256::new_with_prefix(named);
        let is_stopped = || stop.is_requested();
        let hashed =
            entries.and_then(|entries| add_entries(&mut hash, new.path(), entries, &is_stopped));
        hashed.map_err(machine)?;
        let entry = cached("hand-ins", &digits(hash)[..32]).map_err(machine)?;
        keep(new, &entry).map_err(machine)?;
        Ok(Snapshot {
            path: entry.join(own),
            original: path.to_owned(),
        })
    }

    /// Returns the snapshot that was made at `path`.
    pub fn made_at(path: PathBuf) -> Snapshot {
        Snapshot {
            original: path.clone(),
            path,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Copies a hand-in, which its author may change meanwhile, to `to`. Fails if it has too many files or bytes.
pub fn copy(
    path: &Path,
    rule: LinkRule,
    to: &Path,
    share: &DiskShare,
    stop: &Stop,
) -> Result<(), Problem> {
    let own = Path::new(path.file_name().unwrap_or_default());
    let place = to.parent().and_then(|place| place.canonicalize().ok());
    if path
        .canonicalize()
        .ok()
        .zip(place)
        .is_some_and(|(from, to)| to.starts_with(from))
    {
        return Err(problem!(
            "{} contains the folder to which it would be copied",
            path.display()
        )
        .help("hand in the folder of the bot alone"));
    }
    let (mut quota, mut refused) = (share.quota(to), None);
    let copied = host::copy_untrusted(path, rule, to, |inner, bytes| {
        let taken = quota.take(1, bytes).and_then(|()| quota.check_share());
        let allowed = match taken {
            _ if stop.is_requested() => Err(Problem::new("interrupted")),
            Ok(()) => Ok(()),
            Err(exceeded) => Err(too_much(inner, bytes, exceeded)),
        };
        allowed.map_err(|problem| {
            refused = Some(problem);
            io::ErrorKind::QuotaExceeded.into()
        })
    });
    copied.map_err(|error| match error {
        CopyError::Destination(error) => no_room(own, &error),
        CopyError::Source(error) => refused.unwrap_or_else(|| unreadable(own, &error)),
    })
}

pub(super) fn unreadable(name: &Path, error: &io::Error) -> Problem {
    problem!("{} cannot be read: {error}", name.display()).help("remove it, or hand in a copy")
}

/// Checks the files of a hand-in: before reading them, and again after a build. A problem names the file. A link must
/// lead to a file of the hand-in. Names must be UTF-8, because commands are.
pub fn check(path: &Path, stop: &Stop) -> Result<(), Problem> {
    let own = path.file_name().map_or(path, Path::new);
    let data = fs::symlink_metadata(path).map_err(|error| unreadable(own, &error))?;
    named(own)?;
    let mut quota = Quota::WHOLE;
    if !data.is_dir() {
        regular(own, &data, &mut quota)?;
        host::open_regular(path).map_err(|error| unreadable(own, &error))?;
        return not_blank(path);
    }
    let root = fs::canonicalize(path).map_err(|error| unreadable(own, &error))?;
    for entry in Walk::of(path) {
        if stop.is_requested() {
            return Err(Problem::new("interrupted"));
        }
        let (inner, data) = entry.map_err(|error| unreadable(own, &error))?;
        named(&inner)?;
        if data.is_symlink() {
            within(&inner, &path.join(&inner), &root)?;
        } else if !data.is_dir() {
            regular(&inner, &data, &mut quota)?;
            host::open_regular(&path.join(&inner)).map_err(|error| unreadable(&inner, &error))?;
            continue;
        }
        quota
            .take(1, 0)
            .map_err(|exceeded| too_much(&inner, data.len(), exceeded))?;
    }
    Ok(())
}

/// Fails for a blank file, which must have been handed in by mistake.
fn not_blank(path: &Path) -> Result<(), Problem> {
    match read_regular(path, BLANK) {
        Ok(bytes) if bytes.trim_ascii().is_empty() => {
            let name = path.file_name().unwrap_or_default().display();
            Err(problem!("{name} is empty").help("hand in the bot itself"))
        }
        _ => Ok(()),
    }
}

fn named(path: &Path) -> Result<&str, Problem> {
    path.to_str().ok_or_else(|| {
        problem!("the name {} is not UTF-8", path.display())
            .help("give it a name of ordinary letters")
    })
}

/// Fails for a link to a file outside of the hand-in at `root`, since that file can change.
fn within(inner: &Path, whole: &Path, root: &Path) -> Result<(), Problem> {
    // The message does not reveal whether the target exists, since the target does not belong to the student.
    if fs::canonicalize(whole).is_ok_and(|target| target.starts_with(root)) {
        return Ok(());
    }
    let name = inner.display();
    Err(
        problem!("{name} is a link that leads nowhere, or out of the hand-in")
            .help("hand in the file itself"),
    )
}

fn regular(name: &Path, data: &fs::Metadata, quota: &mut Quota) -> Result<(), Problem> {
    if !data.is_file() {
        let shown = name.display();
        return Err(problem!("{shown} is a pipe or a device, not a file").help("remove it"));
    }
    let taken = quota.take(1, data.len());
    taken.map_err(|exceeded| too_much(name, data.len(), exceeded))
}

pub(super) fn too_much(name: &Path, bytes: u64, exceeded: Exceeded) -> Problem {
    match exceeded {
        Exceeded::Entries => problem!("the hand-in has {exceeded}")
            .help("leave out what the bot does not need, such as a virtual environment"),
        Exceeded::Bytes => problem!(
            "{name} has {has}: a hand-in may have {most} in all",
            name = name.display(),
            has = size(bytes),
            most = size(Quota::BYTES)
        )
        .help("leave out what the bot does not need"),
        Exceeded::Share { .. } => no_room(name, &exceeded),
    }
}
