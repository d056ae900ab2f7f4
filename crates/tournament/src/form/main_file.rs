//! The main file of a folder without `bot.toml`.

use message::{Message, ToValue as _, message};
use referee::problem;
use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use referee::bot::read_regular;
use referee::problem::Problem;

use super::build_system::{System, builds_brain, has_sources};
use super::recognise::{
    begins_script, has_words, is_known, is_own, is_source, speaks_in, without_main,
};
use super::source::begins_program;
use crate::file_kind::{begins_as_program, interpreter, not_source, startable, stem};

/// The usual names of main files, in lower case. If a folder has several, the first in this list is taken.
const MAIN_FILES: [&str; 5] = ["bot.py", "main.py", "bot.js", "main.js", "__main__.py"];

/// Inner folders are searched for a bot to this depth.
const DEEPEST: usize = 3;

/// The evidence that a file is the bot of its folder, surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    /// The file defines a player for a course, speaks a protocol, or belongs to a build system.
    Player,
    Name,
    /// The file is a whole program: it has more than definitions.
    Begin,
}

#[derive(Debug)]
struct Candidates {
    sign: Sign,
    files: Vec<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct MainFile {
    pub path: PathBuf,
    /// All files that may be the bot, as paths relative to the folder; empty if there is only one.
    pub chosen_from: Vec<PathBuf>,
}

/// Finds the main file in or below a folder without `bot.toml`. If the bot must be built, this is a file like Makefile.
///
/// A file that defines a player for a course, even in an inner folder, is preferred to a file such as `main.py`, which
/// is often the course's own game. Of several players, takes one with a name such as `agent`, else the largest file. Of
/// several programs, takes the only one with words of a protocol.
pub fn main_file(folder: &Path) -> Result<MainFile, Problem> {
    let mut found = candidates(folder, DEEPEST)?.ok_or_else(|| nothing_in(folder))?;
    let speaks = |path: &PathBuf| begins(path) && has_words(path);
    let speaking = || found.files.iter().filter(|path| speaks(path)).count();
    if found.sign == Sign::Begin && speaking() == 1 {
        // Files without words of a protocol are usually tests or other programs.
        found.sign = Sign::Player;
        found.files.sort_by_key(|path| !speaks(path));
    }
    let name = |path: &PathBuf| path.strip_prefix(folder).unwrap_or(path).to_owned();
    // package.json may name any file. But a bot in a sandbox can read only its folder, so its main file must be there.
    let own = folder.canonicalize().ok();
    let is_within = |path: &PathBuf| {
        let real = path.canonicalize().ok().zip(own.as_ref());
        real.is_some_and(|(real, own)| real.starts_with(own))
    };
    if let Some(main) = found.files.iter().find(|path| !is_within(path)) {
        let main = name(main);
        return Err(problem!("the main file {main} is not in the folder")
            .help("name a file of the folder in package.json"));
    }
    let mut chosen_from: Vec<PathBuf> = found.files.iter().map(name).collect();
    match (found.sign, found.files.as_slice()) {
        (_, [_]) => chosen_from.clear(),
        (Sign::Player, _) => {}
        _ => return Err(several(folder, chosen_from)),
    }
    let path = found.files.into_iter().next();
    Ok(MainFile {
        path: path.expect("candidates have a file"),
        chosen_from,
    })
}

fn nothing_in(folder: &Path) -> Problem {
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
}

/// Returns the files with the surest sign; among equal signs, prefers the folder's own files to inner ones.
fn candidates(folder: &Path, depth: usize) -> Result<Option<Candidates>, Problem> {
    let top = at_top(folder)?;
    let is_sure = |found: &Candidates| found.sign == Sign::Player;
    let mut folders = entries(folder)?;
    // A folder that contains only one folder does not count: a Java package is a chain of such folders.
    let has_one_folder = matches!(&folders[..], [only] if only.is_dir());
    let depth = depth + usize::from(has_one_folder);
    if depth == 0 || top.as_ref().is_some_and(is_sure) {
        return Ok(top);
    }
    folders.retain(|path| path.is_dir());
    // A bot in `src` is preferred to one in another folder, such as `bonus`.
    folders.sort_by_key(|path| !path.ends_with("src"));
    let mut best = top;
    let mut is_of_inner = false;
    for inner in &folders {
        let Some(found) = candidates(inner, depth - 1)? else {
            continue;
        };
        match &mut best {
            Some(best) if best.sign < found.sign || best.sign == found.sign && !is_of_inner => {}
            Some(best) if best.sign == found.sign => best.files.extend(found.files),
            best => {
                *best = Some(found);
                is_of_inner = true;
            }
        }
        if inner.ends_with("src") && best.is_some() {
            break;
        }
    }
    if let Some(best) = &mut best {
        likeliest_first(&mut best.files);
    }
    Ok(best)
}

fn at_top(folder: &Path) -> Result<Option<Candidates>, Problem> {
    let files = files(folder)?;
    let all = |is: &dyn Fn(&Path) -> bool| -> Vec<PathBuf> {
        files.iter().filter(|path| is(path)).cloned().collect()
    };
    let some = |sign, files| Ok(Some(Candidates { sign, files }));
    let is_named = |path: &Path, name: &str| {
        path.file_name()
            .is_some_and(|own| own.eq_ignore_ascii_case(name))
    };
    let usual = MAIN_FILES.map(|name| files.iter().find(|path| is_named(path, name)));
    let of_package = package_main(folder);
    let usual = usual.into_iter().flatten().next().or(of_package.as_ref());
    let system = System::in_folder(folder);
    // A file without an ending may be a program from an earlier build.
    let is_built = |path: &Path| system.is_some() && path.extension().is_none();
    let known = all(&|path| !is_built(path) && is_known(path));
    if let Some(main) = usual.filter(|main| known.contains(main) || is_own(main)) {
        return some(Sign::Player, vec![main.clone()]);
    }
    if !known.is_empty() {
        return some(Sign::Player, students(known));
    }
    let builds = |system: &PathBuf| has_sources(folder) || builds_brain(system);
    if let Some(system) = system.clone().filter(builds) {
        return some(Sign::Player, vec![system]);
    }
    if let Some(main) = usual {
        let sign = if speaks_in(main, folder) {
            Sign::Player
        } else {
            Sign::Name
        };
        return some(sign, vec![main.clone()]);
    }
    let is_elsewhere =
        |path: &Path| cfg!(unix) && path.extension().is_some_and(|ending| ending == "exe");
    let is_engine = |path: &Path| {
        stem(path).starts_with("pbrain") && begins_as_program(path) && !is_elsewhere(path)
    };
    let engines = all(&is_engine);
    if engines.len() == 1 {
        return some(Sign::Player, engines);
    }
    let mut programs = all(&begins);
    if programs.is_empty() {
        programs = all(&|path| interpreter(path).is_some());
    }
    // Without any program, the build system may build one from files of other kinds.
    if programs.is_empty() {
        programs.extend(system);
    }
    Ok((!programs.is_empty()).then_some(Candidates {
        sign: Sign::Begin,
        files: programs,
    }))
}

/// Returns whether a file is a program, not only a part of one.
fn begins(path: &Path) -> bool {
    begins_script(path) || is_source(path) && begins_program(path)
}

fn package_main(folder: &Path) -> Option<PathBuf> {
    #[derive(serde::Deserialize)]
    struct Package {
        main: String,
    }
    let text = read_regular(&folder.join("package.json"), 1 << 20).ok()?;
    let package: Package = serde_json::from_slice(&text).ok()?;
    let main = folder.join(package.main);
    (main.is_file() && interpreter(&main) == Some("node")).then_some(main)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = fs::read_dir(folder)
        .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| !referee::bot::is_generated_or_installed(path));
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

const SHOWN: usize = 8;

fn several(folder: &Path, names: Vec<PathBuf>) -> Problem {
    let names = shown(names);
    problem!(
        "the folder {} has several files that may be the bot: {}",
        folder.display(),
        names
    )
    .help(
        "write a bot.toml with command = [...], and with build = [...] if the program must be built; or, if the bot is a \
         Python file, rename it to main.py",
    )
}

fn shown(mut names: Vec<PathBuf>) -> Message {
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    match more {
        0 => names.to_message(),
        _ => message!("{names} and {more} more"),
    }
}

impl MainFile {
    /// Describes the choice of `file` from several files; `None` if there was no choice.
    pub fn choice(&self, file: &Path) -> Option<Message> {
        let file = file.file_name()?.display();
        let names = self.chosen_from.clone();
        (!names.is_empty()).then(|| message!("{file}, chosen from {}", shown(names)))
    }
}

/// Returns the players, likeliest first. Leaves out files that look like the course's own, unless none would remain.
fn students(mut known: Vec<PathBuf>) -> Vec<PathBuf> {
    let given = [
        "human", "rand", "game", "main", "test", "example", "invalid", "partial", "infinite",
        "template", "backup", "dum", "greedy",
    ];
    let is_own = |path: &PathBuf| !given.iter().any(|word| lower(path).contains(word));
    // At NTHU, files whose names begin with `player` come with the course.
    let is_no_player = |path: &PathBuf| is_own(path) && !lower(path).starts_with("player");
    for is in [&is_no_player as &dyn Fn(&PathBuf) -> bool, &is_own] {
        if known.iter().any(is) {
            known.retain(is);
            break;
        }
    }
    likeliest_first(&mut known);
    known
}

fn likeliest_first(files: &mut [PathBuf]) {
    let usual = ["aiplayer", "ai_player", "ai", "agent", "bot"];
    files.sort_by_key(|path| {
        let size = fs::metadata(path).map_or(0, |data| data.len());
        (!usual.contains(&&*lower(path)), Reverse(size))
    });
}

fn lower(path: &Path) -> String {
    stem(path).to_lowercase()
}
