//! A hand-in: a folder, a file, an archive, or any other name of a bot.

use referee::problem;
use std::fs;
use std::path::{Path, PathBuf};

use super::archive;
use super::limits::{self, named, not_blank};
use super::snapshot::snapshot;
use referee::bot::{is_foreign, is_junk};
use referee::dialect::Protocol;
use run::Stop;
use tournament::form::{is_source, main_file};
use tournament::{
    BotFile, Problem, ending, given, interpreter, not_document, not_source, plain, stem,
};

/// Archives often hold one folder, and that folder another one.
const DEEPEST: usize = 3;

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
    pub fn find(word: &str, stop: &Stop) -> Result<HandIn, Problem> {
        if Path::new(word).exists() {
            return HandIn::at(Path::new(word), stop);
        }
        let mut bot = BotFile::from_word(word)?;
        if bot.command.is_some() || bot.frame.is_some() {
            // Paths on the command line are relative to the current folder.
            bot.folder = given(Some(text(&absolute(Path::new(".")))?));
        }
        let mut path = None;
        if let Some(uses) = bot.uses.as_ref().filter(|_| bot.frame.is_some()) {
            let mut file = PathBuf::from(uses.get_ref());
            if file.is_file() {
                file = absolute(&settled(&file, stop)?);
                path = Some(file.clone());
            }
            (bot.uses, bot.folder) = (given(Some(text(&absolute(&file))?)), None);
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
            path,
            bot,
        })
    }

    /// The bot in a file, a folder or an archive. A problem says why there is none, and what to do.
    pub fn at(path: &Path, stop: &Stop) -> Result<HandIn, Problem> {
        let name = HandIn::name_of(path);
        let settled = settled(path, stop)?;
        let path = settled.as_path();
        let data = fs::metadata(path).map_err(|error| {
            problem!("{} cannot be read: {error}", path.display())
                .help("a link must lead to a file or folder: hand in the file itself")
        })?;
        let mut path = absolute(path);
        if data.is_file() && archive::Kind::of(&path).is_some() {
            path = archive::unpacked(&path, stop)?;
            limits::check(&path, stop)?;
        }
        let bot = if path.is_dir() {
            in_folder(&path)?
        } else if data.is_file() {
            BotFile {
                // What lies beside it is somebody else's.
                readable: given(Some(vec![text(&path)?])),
                ..in_file(&path)?
            }
        } else {
            let shown = path.display();
            return Err(problem!("{shown} is a pipe or a device, not a file").help("remove it"));
        };
        Ok(HandIn {
            name,
            path: Some(path),
            bot,
        })
    }

    /// Puts a file into the frame that somebody named, or says its protocol. A folder with `bot.toml` stays as its author wrote it.
    pub fn put_into(&mut self, frame: Option<&str>) {
        let is_file = self
            .bot
            .uses
            .as_ref()
            .is_some_and(|uses| Path::new(uses.get_ref()).is_file());
        if let Some(frame) = frame.filter(|_| is_file) {
            let is_protocol = Protocol::from_word(frame).is_some();
            let place = if is_protocol {
                &mut self.bot.protocol
            } else {
                &mut self.bot.frame
            };
            *place = given(Some(frame.to_owned()));
        }
    }

    /// Everything in a folder, sorted by name, but hidden files and what systems leave behind.
    pub fn all(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<PathBuf> = entries.collect::<std::io::Result<_>>()?;
        paths.retain(|path| !is_junk(path));
        paths.sort();
        Ok(paths)
    }

    /// The name that the student gave the hand-in at `path`: without the ending of a file.
    pub fn title(path: &Path) -> String {
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        if path.is_dir() {
            return name;
        }
        archive::bare_name(&name).unwrap_or_else(|| stem(path))
    }

    /// The same, made valid for tables, file names and tournaments.
    pub fn name_of(path: &Path) -> String {
        plain(&HandIn::title(path))
    }
}

/// The path at which the hand-in stays as it is. Nothing is opened, unpacked or built before it has been looked over.
fn settled(path: &Path, stop: &Stop) -> Result<PathBuf, Problem> {
    let path = snapshot(path, stop)?;
    limits::check(&path, stop)?;
    Ok(path)
}

fn in_folder(folder: &Path) -> Result<BotFile, Problem> {
    let mut folder = folder.to_owned();
    for _ in 0..DEEPEST {
        let entries = entries(&folder)?;
        match entries.as_slice() {
            [only] if only.is_dir() => folder.clone_from(only),
            _ => break,
        }
    }
    // Whatever it is: a manifest that cannot be read is told of, not passed by.
    if folder.join("bot.toml").symlink_metadata().is_ok() {
        return Ok(BotFile {
            uses: given(Some(text(&folder)?)),
            ..BotFile::default()
        });
    }
    let main = main_file(&folder)?;
    not_blank(&main)?;
    Ok(BotFile {
        uses: given(Some(text(&main)?)),
        folder: given(Some(text(&folder)?)),
        ..BotFile::default()
    })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut entries = HandIn::all(folder)
        .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
    entries.retain(|path| !is_foreign(path));
    Ok(entries)
}

fn in_file(path: &Path) -> Result<BotFile, Problem> {
    not_document(path)?;
    let is_bot = interpreter(path).is_some() || is_source(path) || host::is_program(path);
    if !is_bot {
        not_source(path)?;
        return Err(not_a_bot(path));
    }
    Ok(BotFile {
        uses: given(Some(text(path)?)),
        ..BotFile::default()
    })
}

/// Why a file is no bot, and what to hand in instead.
fn not_a_bot(path: &Path) -> Problem {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match ending(path).as_str() {
        "rar" | "7z" | "xz" | "bz2" => {
            problem!("{name} is an archive of a kind that is not unpacked")
                .help("pack it again as .zip or .tar.gz")
        }
        "exe" | "dll" | "class" | "pyc" | "o" | "jar" => problem!("{name} is a compiled file")
            .help("hand in its source, or a folder with bot.toml"),
        _ => problem!("{name} is of a kind that is not known here").help(
            "hand in a .py, .js, .c, .cpp, .java or .rs file, a .zip, or a folder with bot.toml",
        ),
    }
}

fn absolute(path: &Path) -> PathBuf {
    // Without the prefix that Windows gives long paths, and that many programs do not know.
    dunce::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

fn text(path: &Path) -> Result<String, Problem> {
    named(path).map(str::to_owned)
}
