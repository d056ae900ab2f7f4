//! Parses and formats the argument of a command line that names a bot.

use host::join_words;
use message::message;
use referee::problem;
use std::path::{Path, PathBuf, is_separator};

use toml::Spanned;

use super::file_kind::stem;
use super::form::Form;
use super::numbers::given;
use super::tournament_file::BotFile;
pub use referee::bot::plain_name as plain;
use referee::bot::{check_name, program_file, split_words};
use referee::dialect::Protocol;
use referee::problem::Problem;

impl BotFile {
    /// Returns the `name` of the bot; if it has no name, its `use`; empty for a command without a name.
    pub fn written_name(&self) -> &str {
        let name = self.name.as_ref().or(self.uses.as_ref());
        name.map_or("", |name| name.get_ref())
    }

    /// Parses one argument of a command line: `greedy`, `minimax:depth=3`, a folder, a program, a script or source
    /// file, or a command such as `python3 bot.py`. A protocol may precede a command (`gtp:`), and the form of a course
    /// may precede a file (`ai-go:`). The argument may begin with a name for the bot (`NAME=`).
    pub fn from_word(word: &str) -> Result<BotFile, Problem> {
        if word.trim().is_empty() {
            return Err(
                Problem::new("a bot has no name").help("arena bots lists the built-in ones")
            );
        }
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
        let (frame, what) = match what.split_once(':') {
            Some((word, rest)) if Form::from_word(word).is_some() => (placed(word), rest),
            _ => (None, what),
        };
        let mut bot = BotFile {
            name,
            protocol,
            frame,
            ..BotFile::default()
        };
        let path = Path::new(what);
        // In a path such as `C:\bots\mine`, the colon does not begin options.
        let is_path = path.is_dir() || path.is_absolute();
        // A path may have spaces, so files are recognised before commands.
        let file = program_file(path);
        let is_file = file.is_file();
        if is_file {
            // A name with an extension is a file in the current folder. A name without an extension may be a built-in
            // bot, which is preferred: in a folder of hand-ins, a file with this name would be an untrusted program.
            let is_bare = !what.contains(is_separator) && path.extension().is_some();
            let shown = if path.is_file() {
                what.to_owned()
            } else {
                file.to_string_lossy().into_owned()
            };
            bot.uses = placed(&if is_bare { format!("./{shown}") } else { shown });
            if bot.name.is_none() {
                bot.name = placed(&plain(&stem(path)));
            }
        } else if what.contains(char::is_whitespace) && !path.is_dir() {
            let words = split_words(what)
                .ok_or_else(|| problem!("{what:?} has a quote that does not end"))?;
            bot.command = given(Some(words));
        } else if (bot.protocol.is_some() || bot.frame.is_some()) && !path.is_dir() {
            bot.command = given(Some(vec![what.to_owned()]));
        } else if let Some((uses, options)) = what.split_once(':').filter(|_| !is_path) {
            bot.uses = placed(uses);
            let mut table = toml::Table::new();
            for option in options.split(',') {
                let (key, value) = option.split_once('=').ok_or_else(|| {
                    problem!("option {option:?} of {uses} has no value")
                        .help(message!("write {uses}:{option}=3"))
                })?;
                table.insert(key.to_owned(), value.into());
            }
            bot.options = given(Some(table));
        } else {
            bot.uses = placed(what);
        }
        Ok(bot)
    }

    /// Returns an argument that names this bot, quoted for a shell. Relative paths are relative to `folder`.
    pub fn word(&self, folder: &Path) -> String {
        let is_elsewhere = |path: &PathBuf| folder != Path::new(".") && path.exists();
        let what = match (&self.uses, &self.command) {
            (Some(uses), _) => Some(folder.join(uses.get_ref()))
                .filter(is_elsewhere)
                .map_or(uses.get_ref().clone(), |path| path.display().to_string()),
            (None, Some(command)) => join_words(command.get_ref().iter().map(String::as_str)),
            (None, None) => String::new(),
        };
        let is_usual = |word: &str| self.uses.is_none() && word == Protocol::Arena.word();
        let prefixes = [&self.protocol, &self.frame].into_iter().flatten();
        let mut parts: Vec<String> = prefixes.map(|word| word.get_ref().clone()).collect();
        parts.retain(|word| !is_usual(word));
        parts.push(what);
        let options = self.options.iter().flat_map(Spanned::get_ref);
        let options: Vec<String> = options
            .map(|(key, value)| format!("{key}={}", option_text(value)))
            .collect();
        parts.extend(Some(options.join(",")).filter(|options| !options.is_empty()));
        join_words([&*parts.join(":")])
    }
}

pub fn option_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn plain_names_are_valid_in_files_and_tables() {
        for (written, name) in cases::<(String, String)>("plain-names") {
            assert_eq!(plain(&written), name, "{written:?}");
        }
    }
}
