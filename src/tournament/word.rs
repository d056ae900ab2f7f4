//! The bot that one argument of a command line names.

use std::fs;
use std::path::{Path, PathBuf, is_separator};

use super::file::BotFile;
use super::numbers::given;
use referee::bot::{check_name, program_file, split_words};
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

/// The languages whose files must be built, by the endings of these, and whether `new-bot` knows it.
const SOURCES: [(&str, &str, Option<&str>); 11] = [
    ("c", "C", Some("c")),
    ("cc", "C++", Some("cpp")),
    ("cpp", "C++", Some("cpp")),
    ("cxx", "C++", Some("cpp")),
    ("java", "Java", Some("java")),
    ("rs", "Rust", Some("rust")),
    ("go", "Go", None),
    ("kt", "Kotlin", None),
    ("cs", "C#", None),
    ("hs", "Haskell", None),
    ("swift", "Swift", None),
];

/// Refuses a file of source text, which is not a program: made executable, a shell would read it.
pub fn not_source(path: &Path) -> Result<(), Problem> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    let Some((_, language, template)) = SOURCES.iter().find(|(known, ..)| *known == ending) else {
        return Ok(());
    };
    let problem = problem!("{} is {language} source, not a program", path.display());
    let by_hand = "a folder with a bot.toml that has build = [...] and command = [...]";
    Err(match template {
        Some(template) => problem.help(format!(
            "build it: arena new-bot --lang {template} NAME makes a folder that is built before it \
             plays; or put it into {by_hand}"
        )),
        None => problem.help(format!("build it: put it into {by_hand}")),
    })
}

/// The file that is the bot in a folder without `bot.toml`: the first of these that exists.
const MAIN_FILES: [&str; 4] = ["bot.py", "main.py", "bot.js", "main.js"];

/// The script that is the bot in a folder without `bot.toml`: one with a usual name, or the only one.
pub fn script_in(folder: &Path) -> Result<PathBuf, Problem> {
    let main = MAIN_FILES.map(|name| folder.join(name));
    if let Some(file) = main.into_iter().find(|file| file.is_file()) {
        return Ok(file);
    }
    let files = fs::read_dir(folder)
        .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let scripts = files.iter().filter(|path| is_script(path));
    match scripts.collect::<Vec<_>>().as_slice() {
        [script] => Ok((*script).clone()),
        others => {
            let names = MAIN_FILES.join(", ");
            if others.is_empty()
                && let Some(problem) = files.iter().find_map(|path| not_source(path).err())
            {
                return Err(problem);
            }
            Err(problem!(
                "the folder {} has no bot: neither bot.toml nor {names}",
                folder.display()
            )
            .help("write a bot.toml with command = [\"python3\", \"my_bot.py\"]"))
        }
    }
}

/// Whether this is a script that an interpreter runs.
pub fn is_script(path: &Path) -> bool {
    interpreter(path).is_some() && path.is_file()
}

/// The command that starts a program or a script. A program without a folder in its name is the one in
/// the current folder; it is not searched in `PATH`.
pub fn start_of_file(path: &str) -> Vec<String> {
    match interpreter(Path::new(path)) {
        Some(interpreter) => vec![interpreter.to_owned(), path.to_owned()],
        None if path.contains(is_separator) => vec![path.to_owned()],
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
        // `C:\\bots\\mine` has no options.
        let is_path = path.is_dir() || path.is_absolute();
        // The folder of a bot may have a name with spaces.
        let is_file = program_file(path).is_file();
        if what.contains(char::is_whitespace) && !is_file && !path.is_dir() {
            let words = split_words(what)
                .ok_or_else(|| problem!("{what:?} has a quote that does not end"))?;
            bot.command = given(Some(words));
        } else if is_file {
            not_source(path)?;
            bot.command = given(Some(start_of_file(what)));
            if bot.name.is_none() {
                bot.name = path.file_stem().and_then(|stem| placed(stem.to_str()?));
            }
        } else if bot.protocol.is_some() && !path.is_dir() {
            bot.command = given(Some(vec![what.to_owned()]));
        } else if let Some((uses, options)) = what.split_once(':').filter(|_| !is_path) {
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
