//! The file that a program's name means, and what has to be started for it.
//!
//! Names have no ending here: `bot` is `bot.exe`, `bot.bat` or, which the system itself does not
//! know, `bot.py`. Python goes by several names: `python3` is one on other systems, but here it is
//! mostly `python`, or the launcher `py`; and a fresh system has a `python3` that only offers to
//! install it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// Endings of programs, the preferred first.
const PROGRAMS: [&str; 4] = ["exe", "com", "bat", "cmd"];
/// That of scripts which are started with Python.
const PYTHON: &str = "py";
/// Names of Python, the preferred first, and what the launcher is told.
const PYTHONS: [(&str, Option<&str>); 3] =
    [("python", None), ("python3", None), ("py", Some("-3"))];
/// The folder with what only offers to install a program, or starts it if that was done.
const OFFERS: &str = "WindowsApps";

/// What is to be started.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// A program or a batch file.
    pub file: PathBuf,
    /// Its first arguments.
    pub first: Vec<OsString>,
}

/// Whether a file of this name is a program.
pub fn is_program_name(path: &Path) -> bool {
    PROGRAMS.iter().any(|ending| has_ending(path, ending))
}

/// Whether it is a batch file, which is a program only for the shell.
pub fn is_batch(path: &Path) -> bool {
    has_ending(path, "bat") || has_ending(path, "cmd")
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// What is to be started for `program`, a path from `folder`, or a name that is looked for in `PATH`.
pub fn find(program: &Path, folder: Option<&Path>) -> io::Result<Found> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = env::split_paths(&path).collect();
    find_among(program, folder, &places)
}

fn find_among(program: &Path, folder: Option<&Path>, places: &[PathBuf]) -> io::Result<Found> {
    let file = if program.components().count() > 1 {
        let program = folder.map_or_else(|| program.to_owned(), |folder| folder.join(program));
        // Its folder becomes another's, so it is told from the root.
        first_file(&std::path::absolute(program)?)
    } else if let Some(words) = python(program, places) {
        return Ok(words);
    } else {
        in_places(program.as_os_str(), places).next()
    };
    let file = file.ok_or(io::ErrorKind::NotFound)?;
    if !has_ending(&file, PYTHON) {
        return Ok(Found {
            file,
            first: Vec::new(),
        });
    }
    let mut python = python(Path::new("python"), places).ok_or_else(|| {
        let why = "there is no python and no py in the PATH";
        io::Error::new(io::ErrorKind::NotFound, why)
    })?;
    python.first.push(file.into());
    Ok(python)
}

/// Python, if that is meant: under the name that was given, or else under another.
fn python(name: &Path, places: &[PathBuf]) -> Option<Found> {
    let stem = if has_ending(name, "exe") {
        name.file_stem()?
    } else {
        name.as_os_str()
    };
    let is_meant = |(known, _): &&(&str, _)| stem.eq_ignore_ascii_case(known);
    let given = PYTHONS.iter().find(is_meant)?;
    // Who says `py` says himself what it is told.
    let names = [(given.0, None)].into_iter().chain(PYTHONS);
    let all = names.flat_map(|(name, first)| {
        in_places(OsStr::new(name), places).map(move |file| Found {
            file,
            first: first.into_iter().map(OsString::from).collect(),
        })
    });
    let (offers, installed): (Vec<_>, Vec<_>) = all.partition(|found| is_offer(&found.file));
    installed.into_iter().chain(offers).next()
}

fn is_offer(file: &Path) -> bool {
    file.components()
        .any(|part| part.as_os_str().eq_ignore_ascii_case(OFFERS))
}

/// The files of this name, with an ending that makes them programs, in these folders.
fn in_places<'a>(name: &'a OsStr, places: &'a [PathBuf]) -> impl Iterator<Item = PathBuf> + 'a {
    places
        .iter()
        .filter_map(move |place| first_file(&place.join(name)).filter(|file| file.is_absolute()))
        .filter(|file| is_program_name(file) || has_ending(file, PYTHON))
}

/// The file itself where its ending is that of a program, else one with such an ending, else itself.
pub fn first_file(path: &Path) -> Option<PathBuf> {
    let is_whole = is_program_name(path) || has_ending(path, PYTHON);
    let with = |ending| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(".");
        longer.push(ending);
        PathBuf::from(longer)
    };
    let longer = PROGRAMS.into_iter().chain([PYTHON]).map(with);
    let longer = longer.filter(|_| !is_whole);
    longer.chain([path.to_owned()]).find(|file| is_there(file))
}

/// What only offers to install a program is a link that cannot be followed.
fn is_there(file: &Path) -> bool {
    file.symlink_metadata().is_ok_and(|data| !data.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        folder
    }

    /// The files and first arguments, from the folder.
    fn found(program: &str, files: &[&str], places: &[&str]) -> Option<Vec<String>> {
        let folder = folder(files);
        let places: Vec<_> = places.iter().map(|at| folder.path().join(at)).collect();
        let found = find_among(Path::new(program), Some(folder.path()), &places).ok()?;
        let short = |word: OsString| {
            let word = PathBuf::from(word);
            let word = word.strip_prefix(folder.path()).unwrap_or(&word).to_owned();
            word.to_string_lossy().replace('\\', "/")
        };
        let words = std::iter::once(found.file.into_os_string()).chain(found.first);
        Some(words.map(short).collect())
    }

    #[test]
    fn a_name_without_an_ending_gets_one() {
        let files = ["bot", "bot.bat", "bot.exe", "own/tool.cmd", "own/text"];
        for (program, file) in [
            ("./bot", Some("bot.exe")),
            ("./bot.bat", Some("bot.bat")),
            ("bot", None),
            ("tool", Some("own/tool.cmd")),
            ("text", None),
            ("./own/text", Some("own/text")),
            ("./nothing", None),
        ] {
            let file = file.map(|file| vec![file.to_owned()]);
            assert_eq!(found(program, &files, &["own"]), file, "{program}");
        }
    }

    #[test]
    fn python_is_found_by_any_of_its_names() {
        let offer = "WindowsApps/python3.exe";
        let places = ["WindowsApps", "a", "b"];
        for (program, files, words) in [
            ("python3", vec![offer, "a/python.exe"], vec!["a/python.exe"]),
            ("python3", vec![offer, "a/py.exe"], vec!["a/py.exe", "-3"]),
            ("python3", vec![offer], vec![offer]),
            (
                "python3",
                vec!["a/python.exe", "b/python3.exe"],
                vec!["b/python3.exe"],
            ),
            ("py", vec!["a/python.exe", "b/py.exe"], vec!["b/py.exe"]),
            (
                "./x",
                vec!["x.py", "a/py.exe"],
                vec!["a/py.exe", "-3", "x.py"],
            ),
        ] {
            let words = words.into_iter().map(str::to_owned).collect();
            assert_eq!(
                found(program, &files, &places),
                Some(words),
                "{program} {files:?}"
            );
        }
        assert_eq!(found("./x.py", &["x.py"], &places), None);
    }
}
