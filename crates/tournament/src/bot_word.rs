//! Parses and formats the argument of a command line that names a bot.

use host::join_words;
use message::message;
use referee::problem;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf, is_separator};

use toml::Spanned;

use super::form::Form;
use super::numbers::given;
use super::tournament_file::BotFile;
pub use referee::bot::plain_name as plain;
use referee::bot::{check_name, program_file, split_words};
use referee::dialect::Protocol;
use referee::problem::Problem;

pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Returns the folder of a file. A file name alone has an empty path as its parent, so its folder is `.`.
pub fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|&parent| parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

pub fn interpreter(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "py" => Some("python3"),
        "js" => Some("node"),
        _ => None,
    }
}

/// Languages that the arena does not build: the ending of the files, and the name of the language.
const SOURCES: [(&str, &str); 2] = [("hs", "Haskell"), ("swift", "Swift")];

pub fn ending(path: &Path) -> String {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.unwrap_or_default().to_ascii_lowercase()
}

/// Returns whether a file begins like a script (`#!`) or like a program of Linux, Windows or macOS.
pub fn begins_as_program(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
    let begins = [
        b"#!".as_slice(),
        b"\x7fELF",
        b"MZ",
        b"\xcf\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
    ];
    read.is_ok() && begins.iter().any(|begin| start.starts_with(begin))
}

/// Fails for a document or picture that does not begin like a program. Permissions do not distinguish such a file from
/// a program, because some file systems let all files be executed.
pub fn not_document(path: &Path) -> Result<(), Problem> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let refused = match ending(path).as_str() {
        "ipynb" => problem!("{name} is a notebook, which cannot be started as a bot").help(
            "save it as a .py file (File, Save and Export as, Executable Script) and use that",
        ),
        "txt"
            if path
                .file_name()
                .is_some_and(|name| name == "CMakeLists.txt") =>
        {
            return Ok(());
        }
        "pdf" | "doc" | "docx" | "md" | "txt" | "html" | "csv" | "tex" | "odt" | "pages" => {
            problem!("{name} is a document, not a bot").help("use the program itself")
        }
        "png" | "jpg" | "jpeg" | "gif" | "mp4" | "mov" => {
            problem!("{name} is a picture, not a bot").help("use the program itself")
        }
        _ => return Ok(()),
    };
    if begins_as_program(path) {
        return Ok(());
    }
    Err(refused)
}

/// Fails for a file that cannot be started: source that the arena does not build, a document, an archive.
pub fn startable(path: &Path) -> Result<(), Problem> {
    not_source(path)?;
    not_document(path)?;
    not_archive(path)
}

fn not_archive(path: &Path) -> Result<(), Problem> {
    let shown = path.display();
    let refused = match ending(path).as_str() {
        "zip" | "tar" | "gz" | "tgz" | "rar" | "7z" | "xz" | "bz2" => {
            problem!("{shown} is an archive, not a bot").help(
                "unpack it and name what is in it; `arena grade` takes a .zip or .tar.gz by its path alone",
            )
        }
        "jar" => problem!("{shown} is not a program by itself")
            .help(message!("write the command that starts it: \"java -jar {shown}\"")),
        _ => return Ok(()),
    };
    if begins_as_program(path) {
        return Ok(());
    }
    Err(refused)
}

/// Fails for source that the arena does not build, and for a TOML file, which a shell might interpret as a script.
pub fn not_source(path: &Path) -> Result<(), Problem> {
    let ending = ending(path);
    if ending == "toml" && path.file_name().is_none_or(|name| name != "Cargo.toml") {
        let (shown, folder) = (path.display(), folder_of(path).display());
        return Err(problem!("{shown} is a text with settings, not a program").help(message!(
            "to play a tournament file, type arena run {shown}; to use a bot with a bot.toml, give its folder: {folder}"
        )));
    }
    let Some((_, language)) = SOURCES.iter().find(|(known, _)| *known == ending) else {
        return Ok(());
    };
    Err(
        problem!("{} is {language} source, not a program", path.display()).help(
            "build it: put it into a folder with a bot.toml that has build = [...] and command = [...]",
        ),
    )
}

pub fn is_script(path: &Path) -> bool {
    interpreter(path).is_some() && path.is_file()
}

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

    #[test]
    fn files_that_cannot_start_are_refused_by_their_kind() {
        let folder = tempfile::tempdir().expect("a folder");
        // Each case has a file's name, its first bytes, and the expected refusal, which is empty if the file can start.
        for (name, begin, refusal) in cases::<(String, String, String)>("startable") {
            let file = folder.path().join(&name);
            std::fs::write(&file, begin).expect("a file");
            match startable(&file) {
                Err(problem) if !refusal.is_empty() => {
                    assert!(
                        problem.what.to_string().contains(&refusal),
                        "{name}: {problem:?}"
                    );
                }
                found => assert!(found.is_ok() && refusal.is_empty(), "{name}: {found:?}"),
            }
        }
    }
}
