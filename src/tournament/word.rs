//! The bot that one argument of a command line names.

use std::path::Path;

use super::file::BotFile;
use super::numbers::given;
use referee::bot::check_name;
use referee::dialect::Protocol;
use referee::problem::Problem;

/// The name of a file without its ending.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// The folder of a file. The parent of a bare name is the empty path, which is not a folder.
pub fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|&parent| parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// The interpreter of a script; `None` for a program or an unknown kind of file.
pub fn interpreter(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "py" => Some("python3"),
        "js" => Some("node"),
        _ => None,
    }
}

/// The command that starts a program or a script. A program without a folder in its name is the one in
/// the current folder; it is not searched in `PATH`.
pub fn start_of_file(path: &str) -> Vec<String> {
    match interpreter(Path::new(path)) {
        Some(interpreter) => vec![interpreter.to_owned(), path.to_owned()],
        None if path.contains('/') => vec![path.to_owned()],
        None => vec![format!("./{path}")],
    }
}

impl BotFile {
    /// The bot that one argument of a command line names: `greedy`, `minimax:depth=3`, a folder with
    /// `bot.toml`, a program, a `.py` or `.js` file, or a whole command such as `python3 bot.py`;
    /// `gtp:` (or another protocol) before a command is its protocol; `NAME=` before everything
    /// is its name.
    pub fn from_word(word: &str) -> Result<BotFile, Problem> {
        let placed = |text: &str| given(Some(text.to_owned()));
        let (name, what) = match word.split_once('=') {
            Some((name, what)) if check_name(name).is_ok() && !name.contains(['/', ':']) => {
                (placed(name), what)
            }
            _ => (None, word),
        };
        let (protocol, what) = match what.split_once(':') {
            Some((word, rest)) if Protocol::from_word(word).is_some() => (placed(word), rest),
            _ => (None, what),
        };
        let mut bot = BotFile {
            name,
            protocol,
            ..BotFile::default()
        };
        let path = Path::new(what);
        if what.contains(char::is_whitespace) {
            let words = shlex::split(what)
                .ok_or_else(|| problem!("{what:?} has a quote that does not end"))?;
            bot.command = given(Some(words));
        } else if path.is_file() {
            bot.command = given(Some(start_of_file(what)));
            if bot.name.is_none() {
                bot.name = path.file_stem().and_then(|stem| placed(stem.to_str()?));
            }
        } else if bot.protocol.is_some() && !path.is_dir() {
            bot.command = given(Some(vec![what.to_owned()]));
        } else if let Some((uses, options)) = what.split_once(':') {
            bot.uses = placed(uses);
            let mut table = toml::Table::new();
            for option in options.split(',') {
                let (key, value) = option.split_once('=').ok_or_else(|| {
                    problem!("option {option:?} of {uses} has no value")
                        .help(format!("write {uses}:{option}=3"))
                })?;
                table.insert(key.to_owned(), value.into());
            }
            bot.options = given(Some(table));
        } else {
            bot.uses = placed(what);
        }
        Ok(bot)
    }
}
