//! Where runtimes and compilers have their files, beside the system's own folders: what a bot in a box has
//! to see so that Python, Node or Java start.

use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Variables that name such places, one or several.
const NAMED: [&str; 5] = [
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "JAVA_HOME",
    "PYTHONPATH",
    "NODE_PATH",
];
/// Those of compilers, with where they are in the home if the variable is not set.
const OF_COMPILERS: [(&str, &str); 4] = [
    ("CARGO_HOME", ".cargo"),
    ("RUSTUP_HOME", ".rustup"),
    ("GOROOT", ""),
    ("GOPATH", "go"),
];
/// How long a chain of links may be.
const MOST_LINKS: usize = 40;

/// The places of whatever the `PATH` leads to, and of what variables name. `program` opens places of its
/// own only if it is found in the `PATH`, or `is_trusted`: who wrote a `bot.toml` could name anything.
pub fn of_runtimes(program: &Path, is_trusted: bool) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut places: Vec<PathBuf> = folders.iter().map(|folder| around(folder)).collect();
    let program = if program.components().count() > 1 {
        is_trusted.then(|| program.to_owned())
    } else {
        let found = folders.iter().map(|folder| folder.join(program));
        found.into_iter().find(|file| file.is_file())
    };
    places.extend(program.into_iter().flat_map(links));
    for name in NAMED {
        let value = std::env::var_os(name).unwrap_or_default();
        places.extend(std::env::split_paths(&value));
    }
    places.extend(home().map(|home| home.join(".local/lib")));
    whole(places)
}

/// The places of compilers.
pub fn of_compilers() -> Vec<PathBuf> {
    whole(homes_of_compilers().map(|(_, place)| place).collect())
}

/// The variables that say where they are, for a program whose home is another.
pub fn homes() -> Vec<(&'static str, OsString)> {
    let mut homes: Vec<_> = homes_of_compilers()
        .map(|(name, place)| (name, place.into_os_string()))
        .collect();
    if let Some(local) = home().map(|home| home.join(".local"))
        && local.join("lib").is_dir()
    {
        homes.push(("PYTHONUSERBASE", local.into_os_string()));
    }
    homes
}

/// Files in such places that are nobody else's business.
pub fn secrets() -> Vec<PathBuf> {
    let files = ["credentials", "credentials.toml"];
    let cargo = homes_of_compilers().find(|(name, _)| *name == "CARGO_HOME");
    let files = cargo
        .into_iter()
        .flat_map(|(_, place)| files.map(|file| place.join(file)));
    files.filter(|file| file.exists()).collect()
}

fn homes_of_compilers() -> impl Iterator<Item = (&'static str, PathBuf)> {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    OF_COMPILERS.into_iter().filter_map(move |(name, usual)| {
        let usual = || Some(home()?.join(Some(usual).filter(|usual| !usual.is_empty())?));
        let place = named(name).map(PathBuf::from).or_else(usual)?;
        place.is_dir().then_some((name, place))
    })
}

/// A program's file, and the place around it, for it and for each file that it is a link to.
fn links(program: PathBuf) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let mut next = Some(program);
    while let Some(file) = next.take().filter(|_| places.len() < 2 * MOST_LINKS) {
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        next = fs::read_link(&file).ok().map(|target| folder.join(target));
        if is_of_programs(&folder) {
            places.push(around(&folder));
        }
        places.push(file);
    }
    places
}

fn is_of_programs(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    ["bin", "sbin", "shims"].iter().any(|known| name == *known)
}

/// Programs in `X/bin` have their libraries in `X`, unless `X` is somebody's home.
fn around(folder: &Path) -> PathBuf {
    let parent = folder.parent().filter(|_| is_of_programs(folder));
    let is_home = |parent: &Path| {
        home().is_some_and(|home| home.starts_with(parent) || parent == home.join(".local"))
    };
    parent
        .filter(|parent| !is_home(parent))
        .unwrap_or(folder)
        .to_owned()
}

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME")
        .filter(|home| !home.is_empty())
        .map(PathBuf::from)
}

/// There, none in another, and none that holds the whole machine or the home, whatever links and dots
/// there are in its name. A link is there under both of its names.
fn whole(places: Vec<PathBuf>) -> Vec<PathBuf> {
    let home = home().and_then(|home| home.canonicalize().ok());
    let holds_all =
        |place: &Path| place.parent().is_none() || home.iter().any(|home| home.starts_with(place));
    let names = |place: PathBuf| {
        let real = place.canonicalize().ok().filter(|real| !holds_all(real));
        let is_plain =
            |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
        let plain = real.is_some() && place.components().all(is_plain) && !holds_all(&place);
        real.into_iter().chain(plain.then_some(place))
    };
    let mut places: Vec<PathBuf> = places.into_iter().flat_map(names).collect();
    places.sort();
    // What is in a place comes with it.
    places.dedup_by(|inner, outer| inner.starts_with(outer));
    places
}
