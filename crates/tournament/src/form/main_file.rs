//! The main file of a folder without `bot.toml`.

use referee::problem;
use std::fs;
use std::path::{Path, PathBuf};

use referee::problem::Problem;

use super::recognise::{begins_program, is_known, is_source, without_main};
use crate::bot_word::{interpreter, not_source, stem};

/// The usual names of main files, the first existing one wins.
const MAIN_FILES: [&str; 4] = ["bot.py", "main.py", "bot.js", "main.js"];

/// Finds the main file in a folder without `bot.toml`.
///
/// A file that defines a player for a course is preferred to one with a usual name: in such folders, `main.py` is often
/// the course's own game.
pub fn main_file(folder: &Path) -> Result<PathBuf, Problem> {
    let entries = fs::read_dir(folder)
        .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| !referee::bot::is_foreign(path) && path.is_file());
    files.sort();
    let usual = MAIN_FILES.map(|name| folder.join(name));
    let usual = usual.iter().find(|file| file.is_file());
    let all = |is: &dyn Fn(&Path) -> bool| -> Vec<&PathBuf> {
        files.iter().filter(|path| is(path)).collect()
    };
    let known = all(&is_known);
    if let Some(main) = usual.filter(|main| known.is_empty() || known.contains(main)) {
        return Ok(main.clone());
    }
    if let Some(main) = obvious(&known).or(usual.cloned()) {
        return Ok(main);
    }
    let sources = all(&|path| is_source(path) && begins_program(path));
    let scripts = all(&|path| interpreter(path).is_some());
    match (known.as_slice(), scripts.as_slice(), sources.as_slice()) {
        (_, [], [only]) | ([], [only], []) => Ok((*only).clone()),
        ([], [], []) => {
            let not_built = files.iter().find_map(|path| not_source(path).err());
            let has_no_main = || files.iter().find_map(|path| without_main(path));
            Err(not_built.or_else(has_no_main).unwrap_or_else(|| {
                problem!(
                    "the folder {} has no bot: neither bot.toml nor {}",
                    folder.display(),
                    MAIN_FILES.join(", ")
                )
                .help("write a bot.toml with command = [\"python3\", \"my_bot.py\"]")
            }))
        }
        _ => {
            let candidates = if known.is_empty() { &scripts } else { &known };
            let candidates = candidates.iter().chain(&sources);
            let names: Vec<String> = candidates
                .map(|path| {
                    path.file_name()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned()
                })
                .collect();
            Err(problem!(
                "the folder {} has several files that may be the bot: {}",
                folder.display(),
                names.join(", ")
            )
            .help(
                "name one main.py, or write a bot.toml with command = [\"python3\", \"my_bot.py\"]",
            ))
        }
    }
}

/// Returns the student's own file, not a human or random player that came with the course.
fn obvious(known: &[&PathBuf]) -> Option<PathBuf> {
    let lower = |path: &Path| stem(path).to_lowercase();
    let given = ["human", "random", "game", "main", "test", "example"];
    let is_own = |path: &&&PathBuf| !given.iter().any(|word| lower(path).contains(word));
    let own: Vec<&PathBuf> = known.iter().copied().filter(|path| is_own(&path)).collect();
    match (known, own.as_slice()) {
        ([only], _) | (_, [only]) => Some((*only).clone()),
        _ => {
            let mut usual = own.into_iter().filter(|path| {
                ["aiplayer", "ai_player", "ai", "agent", "bot"].contains(&lower(path).as_str())
            });
            usual.next().filter(|_| usual.next().is_none()).cloned()
        }
    }
}
