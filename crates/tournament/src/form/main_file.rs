//! The main file of a folder without `bot.toml`.

use message::{ToValue as _, message};
use referee::problem;
use std::fs;
use std::path::{Path, PathBuf};

use referee::problem::Problem;

use super::project::{System, has_sources};
use super::recognise::{begins_program, begins_script, is_known, is_own, is_source, without_main};
use crate::bot_word::{begins_as_program, interpreter, not_source, startable, stem};

/// The usual names of main files, in lower case; the first existing one wins.
const MAIN_FILES: [&str; 5] = ["bot.py", "main.py", "bot.js", "main.js", "__main__.py"];

/// The depth to which inner folders are searched for a bot.
const DEEPEST: usize = 3;

/// Finds the main file in a folder without `bot.toml`, or in its only inner folder that has a bot. A file of a build
/// system, such as a Makefile, stands for what it builds.
///
/// A file that defines a player for a course is preferred to one with a usual name: in such folders, `main.py` is often
/// the course's own game.
pub fn main_file(folder: &Path) -> Result<PathBuf, Problem> {
    let main = found(folder, DEEPEST)?;
    // The sandbox opens the folder of this file. The author of the hand-in may have chosen it in package.json.
    let real = |path: &Path| path.canonicalize().ok();
    if let Some(main) = &main
        && !real(main)
            .zip(real(folder))
            .is_some_and(|(main, own)| main.starts_with(own))
    {
        let main = main.strip_prefix(folder).unwrap_or(main).display();
        return Err(problem!("the main file {main} is not in the folder")
            .help("name a file of the folder in package.json"));
    }
    main.ok_or_else(|| {
        let files = files(folder).unwrap_or_default();
        let not_built = files.iter().find_map(|path| not_source(path).err());
        let has_no_main = || {
            within(folder, DEEPEST)
                .iter()
                .find_map(|path| without_main(path))
        };
        not_built.or_else(has_no_main).unwrap_or_else(|| {
            let none = message!(
                "the folder {} has no bot: neither bot.toml nor {}",
                folder.display(),
                MAIN_FILES[..4]
            );
            let is_readme = |path: &&PathBuf| stem(path).eq_ignore_ascii_case("readme");
            let mut others = files.iter().filter(|path| !is_readme(path));
            match others.find_map(|path| startable(path).err()) {
                Some(refused) => Problem {
                    what: message!("{none}; {}", refused.what),
                    ..refused
                },
                None => Problem::new(none)
                    .help("write a bot.toml with command = [\"python3\", \"my_bot.py\"]"),
            }
        })
    })
}

fn found(folder: &Path, depth: usize) -> Result<Option<PathBuf>, Problem> {
    let main = at_top(folder)?;
    if main.is_some() || depth == 0 {
        return Ok(main);
    }
    let folders = entries(folder)?;
    let mut folders: Vec<PathBuf> = folders.into_iter().filter(|path| path.is_dir()).collect();
    // A bot in `src` is preferred to one in another folder, such as `bonus`.
    folders.sort_by_key(|path| !path.ends_with("src"));
    let mut mains = Vec::new();
    for inner in &folders {
        mains.extend(found(inner, depth - 1)?);
        if inner.ends_with("src") && !mains.is_empty() {
            break;
        }
    }
    match mains.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(only.clone())),
        _ => Err(several(folder, mains.iter())),
    }
}

fn at_top(folder: &Path) -> Result<Option<PathBuf>, Problem> {
    let files = files(folder)?;
    let all = |is: &dyn Fn(&Path) -> bool| -> Vec<&PathBuf> {
        files.iter().filter(|path| is(path)).collect()
    };
    let is_named = |path: &Path, name: &str| {
        path.file_name()
            .is_some_and(|own| own.eq_ignore_ascii_case(name))
    };
    let usual = MAIN_FILES.map(|name| files.iter().find(|path| is_named(path, name)));
    let of_package = package_main(folder);
    let usual = usual.into_iter().flatten().next().or(of_package.as_ref());
    let known = all(&is_known);
    if let Some(main) = usual.filter(|main| known.contains(main) || is_own(main)) {
        return Ok(Some(main.clone()));
    }
    if let Some(main) = obvious(&known) {
        return Ok(Some(main));
    }
    let system = System::in_folder(folder).filter(|_| known.is_empty() && has_sources(folder));
    if let Some(main) = system.or_else(|| usual.filter(|_| known.is_empty()).cloned()) {
        return Ok(Some(main));
    }
    let is_elsewhere =
        |path: &Path| cfg!(unix) && path.extension().is_some_and(|ending| ending == "exe");
    let is_engine = |path: &Path| {
        stem(path).starts_with("pbrain") && begins_as_program(path) && !is_elsewhere(path)
    };
    if let [engine] = all(&is_engine).as_slice() {
        return Ok(Some((*engine).clone()));
    }
    let sources = all(&|path| is_source(path) && begins_program(path));
    let scripts = match all(&begins_script) {
        none if none.is_empty() => all(&|path| interpreter(path).is_some()),
        begin => begin,
    };
    match (known.as_slice(), scripts.as_slice(), sources.as_slice()) {
        ([], [], [only]) | ([], [only], []) => Ok(Some((*only).clone())),
        // A build system may also build a program from other kinds of files.
        ([], [], []) => Ok(System::in_folder(folder)),
        ([], ..) => Err(several(folder, scripts.into_iter().chain(sources))),
        _ => match students(&known) {
            own if own.is_empty() => Err(several(folder, known.into_iter())),
            own => Err(several(folder, own.into_iter())),
        },
    }
}

fn package_main(folder: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(folder.join("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    let main = folder.join(package["main"].as_str()?);
    (main.is_file() && interpreter(&main) == Some("node")).then_some(main)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = fs::read_dir(folder)
        .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| !referee::bot::is_foreign(path));
    paths.sort();
    Ok(paths)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut files = entries(folder)?;
    files.retain(|path| path.is_file());
    Ok(files)
}

fn within(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let entries = entries(folder).unwrap_or_default();
    let (folders, mut files): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|path| path.is_dir());
    let inner = folders.iter().filter(|_| depth > 0);
    files.extend(inner.flat_map(|inner| within(inner, depth - 1)));
    files
}

/// The number of files that a message names.
const SHOWN: usize = 8;

fn several<'a>(folder: &Path, candidates: impl Iterator<Item = &'a PathBuf>) -> Problem {
    let name = |path: &PathBuf| {
        let inner = path.strip_prefix(folder).unwrap_or(path);
        inner.to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = candidates.map(name).collect();
    let first = folder.join(names.first().map_or("", String::as_str));
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let names = match more {
        0 => names.to_message(),
        _ => message!("{names} and {more} more"),
    };
    problem!(
        "the folder {} has several files that may be the bot: {}",
        folder.display(),
        names
    )
    .help(message!(
        "name the file, such as {}; or name one main.py, or write a bot.toml with command = [\"python3\", \"my_bot.py\"]",
        first.display()
    ))
}

/// Returns the files that did not come with the course, as human or random players do.
fn students<'a>(known: &[&'a PathBuf]) -> Vec<&'a PathBuf> {
    let given = [
        "human", "rand", "game", "main", "test", "example", "invalid", "partial", "infinite",
    ];
    let is_own = |path: &Path| !given.iter().any(|word| lower(path).contains(word));
    known.iter().copied().filter(|path| is_own(path)).collect()
}

fn lower(path: &Path) -> String {
    stem(path).to_lowercase()
}

/// Returns the student's own file; `None` if it is not clear.
fn obvious(known: &[&PathBuf]) -> Option<PathBuf> {
    let own = students(known);
    match (known, own.as_slice()) {
        ([only], _) | (_, [only]) => Some((*only).clone()),
        _ => {
            let only = |is: &dyn Fn(&str) -> bool| {
                let mut found = own.iter().filter(|path| is(&lower(path)));
                found.next().filter(|_| found.next().is_none())
            };
            let usual = ["aiplayer", "ai_player", "ai", "agent", "bot"];
            // At NTHU, other players whose file names begin with `player` come with the course.
            only(&|name| usual.contains(&name))
                .or_else(|| only(&|name| !name.starts_with("player")))
                .map(|path| (*path).clone())
        }
    }
}
