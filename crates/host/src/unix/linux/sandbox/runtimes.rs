//! Runtimes and compilers outside the system's folders; each reports where it is installed.
//!
//! If `X/bin` is in the `PATH`, `X` may still contain anything, such as a course with all its hand-ins. So each program
//! of [`KNOWN`] that the `PATH` has outside the system's folders is asked once, in a sandbox, for the files that it
//! needs, and bots see only these. Only the user's own programs are asked, never a program of a hand-in.
//!
//! Bots see only public files of a tool. [`KNOWN`] names the runtimes and compilers, whose libraries any program may
//! load. [`PACKAGES`] names the packages that a tool has downloaded; only a build that starts this tool sees them.
//! Settings, keys, and packages that may be private stay hidden.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::mounts::{SYSTEM, is_there_anyway};
use crate::{Program, Refusal, Sandbox, StartError, Tier};

struct Known {
    name: &'static str,
    /// The names of programs of this kind, without a version.
    kind: &'static [&'static str],
    question: &'static [&'static str],
    /// The text before a path in a line of the program's answer.
    mark: &'static str,
    builds: bool,
}

const PYTHON: &str = "
import os, site, sys, sysconfig
paths = sysconfig.get_paths()
program = os.path.realpath(sys.executable)
needed = [sys.executable, program, os.path.join(sys.prefix, 'pyvenv.cfg')]
names = [os.path.join(os.path.dirname(sys.executable), name) for name in ('python', 'python3')]
needed += [name for name in names if os.path.realpath(name) == program]
needed += [paths[name] for name in ('stdlib', 'platstdlib', 'purelib', 'platlib')]
needed += [os.path.join(place, name) for place in (sys.prefix, sys.base_prefix) for name in ('lib', 'lib64')]
needed += site.getsitepackages() + [site.getusersitepackages()]
print('\\n'.join('needs: ' + place for place in needed))
";
const NODE: &str = "
const path = require('path')
console.log('needs: ' + process.execPath)
console.log('needs: ' + path.resolve(process.execPath, '../../lib'))
";

const KNOWN: [Known; 5] = [
    Known {
        name: "python3",
        kind: &["python", "pypy"],
        question: &["-B", "-c", PYTHON],
        mark: "needs: ",
        builds: false,
    },
    Known {
        name: "node",
        kind: &["node", "nodejs"],
        question: &["-e", NODE],
        mark: "needs: ",
        builds: false,
    },
    Known {
        name: "java",
        kind: &["java"],
        question: &["-XshowSettings:properties", "-version"],
        mark: "java.home = ",
        builds: false,
    },
    Known {
        name: "rustc",
        kind: &["rustc"],
        question: &["--print", "sysroot"],
        mark: "",
        builds: true,
    },
    Known {
        name: "go",
        kind: &["go"],
        // Not GOMODCACHE: it has public and private modules. A build can use the modules in its `vendor` folder.
        question: &["env", "GOROOT"],
        mark: "",
        builds: true,
    },
];

/// Variables that name folders of runtimes, each with its default, a folder in the user's home.
const HOMES: [(&str, &str); 5] = [
    ("CARGO_HOME", ".cargo"),
    ("RUSTUP_HOME", ".rustup"),
    ("PYENV_ROOT", ".pyenv"),
    ("PYTHONUSERBASE", ".local"),
    ("GOPATH", "go"),
];
struct Packages {
    tool: &'static str,
    /// A name in [`HOMES`].
    home: &'static str,
    /// The folders in the home that contain one folder for each registry.
    folders: &'static [&'static str],
    /// The beginning of the name of the public registry's folder. The rest is a hash.
    registry: &'static str,
}

/// Cargo needs the index, the archives and the sources of crates.io to build without a network. Its home also has
/// `config.toml`, which may contain tokens and passwords, and the packages of other registries and repositories.
const PACKAGES: [Packages; 1] = [Packages {
    tool: "cargo",
    home: "CARGO_HOME",
    folders: &["registry/index", "registry/cache", "registry/src"],
    registry: "index.crates.io-",
}];
const MOST_LINKS: usize = 40;

#[derive(Clone, Debug, Default)]
pub struct Runtimes {
    pub readable: Vec<PathBuf>,
    pub path: Vec<PathBuf>,
}

static FOUND: Mutex<BTreeMap<Key, Arc<Runtimes>>> = Mutex::new(BTreeMap::new());
static ANSWERED: Mutex<BTreeMap<(PathBuf, Tier), Vec<PathBuf>>> = Mutex::new(BTreeMap::new());

/// A tier, whether the sandbox builds a bot, and the programs that the user named.
type Key = (Tier, bool, Vec<PathBuf>);

/// Runs a program and returns its output; `None`: it does not start, or does not end in time.
pub type ProgramRunner = fn(&Program) -> Option<String>;

fn key(sandbox: &Sandbox) -> Key {
    (sandbox.tier, sandbox.builds, sandbox.programs.clone())
}

impl Runtimes {
    /// Returns the files of the programs that have been [asked](Runtimes::ask) for this sandbox: runtimes, programs
    /// that the user named and, for a build, compilers.
    pub fn of(sandbox: &Sandbox) -> Arc<Runtimes> {
        if !sandbox.runtimes {
            return Arc::default();
        }
        let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        found.get(&key(sandbox)).cloned().unwrap_or_default()
    }

    pub fn ask(sandbox: &Sandbox, answer: ProgramRunner) -> Arc<Runtimes> {
        if !sandbox.runtimes {
            return Arc::default();
        }
        // Other threads wait for this lock, since they need the same answers.
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let runtimes = found
            .entry(key(sandbox))
            .or_insert_with(|| Arc::new(Runtimes::found(sandbox, answer)));
        runtimes.clone()
    }

    fn found(sandbox: &Sandbox, answer: ProgramRunner) -> Runtimes {
        let mut all = Runtimes::default();
        let known = KNOWN.iter().filter(|known| sandbox.builds || !known.builds);
        let usual = known.filter_map(|known| Some((Some(known), in_path(known.name.as_ref())?)));
        let named = sandbox.programs.iter().filter_map(|program| {
            let known = KNOWN.iter().find(|known| known.is_kind_of(program));
            Some((known, in_path(program)?))
        });
        for (known, program) in usual
            .chain(named)
            .filter(|(_, program)| is_elsewhere(program))
        {
            let places = known.map_or_else(Vec::new, |known| {
                known.places(&program, sandbox.tier, answer)
            });
            let mut folders = places.iter().map(|place| {
                if place.is_file() {
                    place.parent().unwrap_or(place).to_owned()
                } else {
                    place.join("bin")
                }
            });
            all.path.extend(folders.find(|folder| folder.is_dir()));
            if places.is_empty() {
                all.readable.extend(links(&program));
            }
            all.readable.extend(places);
        }
        all.readable
            .retain(|place| place.exists() && !is_there_anyway(place) && !holds_home(place));
        all.readable.sort();
        // If a folder is readable, so are its contents.
        all.readable
            .dedup_by(|inner, outer| inner.starts_with(outer));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let of_system = std::env::split_paths(&path).filter(|folder| !is_elsewhere(folder));
        all.path.extend(of_system);
        all
    }

    pub fn find(&self, name: &Path) -> Option<PathBuf> {
        let mut files = self.path.iter().map(|folder| folder.join(name));
        let found = files.find(|file| crate::is_program(file));
        let is_named = |file: &&PathBuf| file.ends_with(name) && crate::is_program(file);
        found.or_else(|| self.readable.iter().find(is_named).cloned())
    }
}

impl Known {
    fn is_kind_of(&self, program: &Path) -> bool {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let kind = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        self.kind.contains(&kind)
    }

    fn places(&self, program: &Path, tier: Tier, answer: ProgramRunner) -> Vec<PathBuf> {
        let mut answered = ANSWERED.lock().unwrap_or_else(PoisonError::into_inner);
        let places = answered
            .entry((program.to_owned(), tier))
            .or_insert_with(|| self.ask(program, tier, answer));
        places.clone()
    }

    fn ask(&self, program: &Path, tier: Tier, answer: ProgramRunner) -> Vec<PathBuf> {
        let around = links(program).into_iter().flat_map(|file| {
            let around = file.parent().and_then(Path::parent).map(Path::to_owned);
            [Some(file), around]
        });
        let sandbox = Sandbox {
            // Allows all folders in which the program may be installed, since only that program runs here.
            readable: around
                .flatten()
                .chain(homes().map(|(_, home)| home))
                .filter(|place| !holds_home(place))
                .collect(),
            runtimes: false,
            ..Sandbox::new(tier)
        };
        let question = Program {
            path: program.to_owned(),
            arguments: self.question.iter().map(OsString::from).collect(),
            folder: Some("/".into()),
            variables: ["PATH", "PYENV_VERSION"].map(str::to_owned).into(),
            settings: variables(),
            sandbox: Some(sandbox),
            is_turn_by_turn: false,
        };
        let said = answer(&question).unwrap_or_default();
        let lines = said.lines().filter_map(|line| {
            let place = line.trim().strip_prefix(self.mark)?;
            place.starts_with('/').then(|| PathBuf::from(place))
        });
        lines.collect()
    }
}

/// Returns the packages that a build with this program sees, and the home of its tool.
pub fn packages(sandbox: &Sandbox, program: &Path) -> Option<(PathBuf, Vec<PathBuf>)> {
    let mut known = PACKAGES
        .iter()
        .filter(|_| sandbox.builds && sandbox.runtimes);
    let known = known.find(|packages| program.ends_with(packages.tool))?;
    let (_, home) = homes().find(|(name, _)| *name == known.home)?;
    let places = known.in_home(&home);
    Some((home, places))
}

impl Packages {
    fn in_home(&self, home: &Path) -> Vec<PathBuf> {
        let is_public = |place: &PathBuf| {
            let name = place.file_name().and_then(|name| name.to_str());
            let hash = name.and_then(|name| name.strip_prefix(self.registry));
            // The folder of another registry may begin with the same name, but then more than a hash follows.
            hash.is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        };
        let folders = self.folders.iter().map(|folder| home.join(folder));
        let entries = folders.filter_map(|folder| fs::read_dir(folder).ok());
        let places = entries.flatten().flatten().map(|entry| entry.path());
        places.filter(is_public).collect()
    }
}

/// Returns the variables for folders of runtimes and compilers, for a program whose home is not the user's home.
pub fn variables() -> Vec<(&'static str, OsString)> {
    homes()
        .map(|(name, home)| (name, home.into_os_string()))
        .collect()
}

fn homes() -> impl Iterator<Item = (&'static str, PathBuf)> {
    HOMES.into_iter().filter_map(|(name, usual)| {
        let named = std::env::var_os(name).filter(|value| !value.is_empty());
        let place = match named {
            Some(place) => PathBuf::from(place),
            None => home()?.join(usual),
        };
        place.is_dir().then_some((name, place))
    })
}

fn home() -> Option<&'static Path> {
    static HOME: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty())?;
        PathBuf::from(home).canonicalize().ok()
    });
    HOME.as_deref()
}

/// Returns whether `place` contains the user's home. For a `lib` folder, checks the folder above it instead.
fn holds_home(place: &Path) -> bool {
    let real = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    let is_lib = ["lib", "lib64"].iter().any(|lib| real.ends_with(lib));
    let whole = if is_lib { real.parent() } else { None }.unwrap_or(&real);
    real.parent().is_none() || home().is_some_and(|home| home.starts_with(whole))
}

/// Returns whether the place is outside the system's folders, or a link to the outside. Both kinds occur: the Python of
/// a virtual environment may be a link into the system's folders, and the system's Python a link to a file outside.
fn is_elsewhere(place: &Path) -> bool {
    let is_system = |place: &Path| SYSTEM.iter().any(|folder| place.starts_with(folder));
    !is_system(place) || !place.canonicalize().is_ok_and(|real| is_system(&real))
}

fn in_path(program: &Path) -> Option<PathBuf> {
    if program.is_absolute() {
        return Some(program.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut files = folders.map(|folder| folder.join(program));
    files.find(|file| crate::is_program(file))
}

/// Returns whether the user of the arena named this program for the sandbox.
pub fn is_named(program: &Path, sandbox: &Sandbox) -> bool {
    let named = sandbox.programs.iter().filter_map(|named| in_path(named));
    let mut named = named.chain(sandbox.readable.iter().cloned());
    named.any(|named| named.canonicalize().is_ok_and(|real| real == program))
}

fn links(program: &Path) -> Vec<PathBuf> {
    let mut files = vec![program.to_owned()];
    while let Some(last) = files.last().filter(|_| files.len() < MOST_LINKS) {
        let Ok(target) = fs::read_link(last) else {
            break;
        };
        let folder = last.parent().unwrap_or(Path::new("/"));
        files.push(folder.join(target));
    }
    files
}

/// Returns the path of the program. Must be called before the box is made: inside it, a missing program in a folder
/// that cannot be read looks like a forbidden one.
pub fn path_of(program: &Program, runtimes: &Runtimes) -> Result<PathBuf, StartError> {
    let not_found = || {
        let error = io::Error::from_raw_os_error(libc::ENOENT);
        StartError::Refused(Refusal::NotFound, error)
    };
    let path = &program.path;
    if path.components().count() > 1 || path.is_absolute() {
        let folder = program.folder.clone().unwrap_or_default();
        return std::path::absolute(folder.join(path)).map_err(|_| not_found());
    }
    runtimes.find(path).ok_or_else(not_found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_packages_of_the_public_registry_are_opened() {
        let home = tempfile::tempdir().expect("a folder");
        for place in [
            "git/checkouts/index.crates.io-1949cf8c6b5b557f",
            "registry/index/index.crates.io-1949cf8c6b5b557f",
            "registry/src/index.crates.io-1949cf8c6b5b557f",
            "registry/src/index.crates.io-course.example-0123456789abcdef",
            "registry/src/crates.course.example-0123456789abcdef",
        ] {
            fs::create_dir_all(home.path().join(place)).expect("a folder");
        }
        let opened = PACKAGES[0].in_home(home.path());
        let expected = ["index", "src"].map(|kind| {
            let registry = home.path().join("registry").join(kind);
            registry.join("index.crates.io-1949cf8c6b5b557f")
        });
        assert_eq!(opened, expected);
    }
}
