//! A hand-in: a folder, a file, or any other name of a bot.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tournament::{
    BotFile, Problem, given, is_script, not_source, script_in, start_of_file, stem,
};
use referee::bot::is_plain;

/// A bot to be graded.
#[derive(Clone, Debug)]
pub struct HandIn {
    /// Its name in tables and file names.
    pub name: String,
    /// The file or folder of the hand-in; `None` for a built-in bot and for a command.
    pub path: Option<PathBuf>,
    /// How to start it.
    pub bot: BotFile,
}

impl HandIn {
    /// The bot that an argument names: a path, or any bot of `arena match`.
    pub fn find(word: &str) -> Result<HandIn, Problem> {
        if Path::new(word).exists() {
            return HandIn::at(Path::new(word));
        }
        let mut bot = BotFile::from_word(word)?;
        if bot.command.is_some() {
            // Paths on the command line are relative to the current folder.
            bot.folder = given(Some(text(&absolute(Path::new(".")))));
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
            path: None,
            bot,
        })
    }

    /// The bot in a file or folder.
    pub fn at(path: &Path) -> Result<HandIn, Problem> {
        let path = absolute(path);
        let bot = if path.is_dir() {
            in_folder(&path)?
        } else {
            not_source(&path)?;
            BotFile {
                // What lies beside it is somebody else's.
                readable: given(Some(vec![text(&path)])),
                ..in_file(&path)
            }
        };
        Ok(HandIn {
            name: HandIn::name_of(&path),
            path: Some(path),
            bot,
        })
    }

    /// Everything in a folder that may be a hand-in, sorted by name. Hidden files and
    /// files that are not bots, such as a list of students, are skipped.
    pub fn all(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let hidden = path
                .file_name()
                .is_none_or(|name| name.to_string_lossy().starts_with(['.', '_']));
            if !hidden && (path.is_dir() || is_script(&path) || host::is_program(&path)) {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// The name that the student gave the hand-in at `path`.
    pub fn title(path: &Path) -> String {
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        } else {
            stem(path)
        }
    }

    /// The same, made valid for tables, file names and tournaments.
    pub fn name_of(path: &Path) -> String {
        plain(&HandIn::title(path))
    }
}

fn in_folder(folder: &Path) -> Result<BotFile, Problem> {
    if folder.join("bot.toml").is_file() {
        return Ok(BotFile {
            uses: given(Some(text(folder))),
            ..BotFile::default()
        });
    }
    Ok(in_file(&script_in(folder)?))
}

fn in_file(path: &Path) -> BotFile {
    BotFile {
        command: given(Some(start_of_file(&text(path)))),
        folder: given(path.parent().map(text)),
        ..BotFile::default()
    }
}

fn absolute(path: &Path) -> PathBuf {
    // Without the prefix that Windows gives long paths, and that many programs do not know.
    dunce::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A name that is valid in tables, file names and tournaments.
fn plain(name: &str) -> String {
    let plain = |c: char| if is_plain(c) { c } else { '-' };
    let name: String = name.chars().map(plain).take(50).collect();
    let name = name.trim_start_matches(['.', '-']);
    if name.is_empty() { "bot" } else { name }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fit_for_files_and_tables() {
        for (written, name) in [
            ("my_bot", "my_bot"),
            ("Ada Lovelace (4711)", "Ada-Lovelace--4711-"),
            ("../x", "x"),
            ("minimax:depth=3", "minimax-depth-3"),
            ("", "bot"),
        ] {
            assert_eq!(plain(written), name, "{written:?}");
        }
    }
}
