//! How much of a hand-in is read: only regular files of its own, and not without end.

use referee::problem;
use std::fs;
use std::io;
use std::path::Path;

use host::Walk;
use referee::bot::{Exceeded, Quota, read_regular, size};
use run::Stop;
use tournament::Problem;

/// A longer file is not looked through for blanks, in bytes.
const BLANK: u64 = 4096;

/// The machine's fault that there is no copy of the hand-in called `name`.
pub(super) fn no_room(name: &Path, error: &io::Error) -> Problem {
    let name = name.display();
    problem!("the user's cache has no place for the files of {name}: {error}")
        .help("make room, or name another folder in XDG_CACHE_HOME")
        .of_machine()
}

pub(super) fn unreadable(name: &Path, error: &io::Error) -> Problem {
    problem!("{} cannot be read: {error}", name.display()).help("remove it, or hand in a copy")
}

/// Looks over a hand-in before anything of it is read, and again when it has been built. A problem names the file.
///
/// A link counts as its target, which must be a part of the hand-in; only the hand-in itself may be a link
/// out. A name that is no text would be lost in a command.
pub fn check(path: &Path, stop: &Stop) -> Result<(), Problem> {
    let shown = |name: &Path| name.display().to_string();
    let data = fs::metadata(path).map_err(|error| nowhere(&shown(path), &error))?;
    let own = path.file_name().map_or(path, Path::new);
    named(own)?;
    let mut quota = Quota::WHOLE;
    if !data.is_dir() {
        regular(own, &data, &mut quota)?;
        // It may be a link itself.
        fs::File::open(path).map_err(|error| unreadable(own, &error))?;
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

/// Refuses a file with nothing in it: handed in by mistake.
pub(super) fn not_blank(path: &Path) -> Result<(), Problem> {
    match read_regular(path, BLANK) {
        Ok(bytes) if bytes.trim_ascii().is_empty() => {
            let name = path.file_name().unwrap_or_default().display();
            Err(problem!("{name} is empty").help("hand in the bot itself"))
        }
        _ => Ok(()),
    }
}

/// Refuses a name that is not text.
pub(super) fn named(path: &Path) -> Result<&str, Problem> {
    path.to_str().ok_or_else(|| {
        problem!("the name {} is not UTF-8", path.display())
            .help("give it a name of ordinary letters")
    })
}

/// Refuses a link out of the hand-in at `root`: its target can change, and belongs to no hand-in.
fn within(inner: &Path, whole: &Path, root: &Path) -> Result<(), Problem> {
    // Whether there is something is not told: it is not the student's.
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
        let name = name.display();
        return Err(problem!("{name} is a pipe or a device, not a file").help("remove it"));
    }
    let taken = quota.take(1, data.len());
    taken.map_err(|exceeded| too_much(name, data.len(), exceeded))
}

pub(super) fn too_much(name: &Path, bytes: u64, exceeded: Exceeded) -> Problem {
    match exceeded {
        Exceeded::Entries => problem!("it has {exceeded}")
            .help("leave out what the bot does not need, such as a virtual environment"),
        Exceeded::Bytes => problem!(
            "{} has {}: a hand-in may have {} in all",
            name.display(),
            size(bytes),
            size(Quota::BYTES)
        )
        .help("leave out what the bot does not need"),
    }
}

fn nowhere(name: &str, error: &io::Error) -> Problem {
    problem!("{name} is a link that leads nowhere: {error}").help("remove it")
}
