//! A bot that takes part: what to start, under which name and limits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use games::Game;

use super::catalogue::Catalogue;
use super::file::{BotFile, Problem};
use crate::bot::{Launch, Manifest, Restart};
use crate::referee::Limits;

/// A bot of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// What it is called; unique in the tournament, whatever the case of its letters.
    pub name: String,
    /// What to start.
    pub launch: Launch,
    /// Whether it gets a fresh process for each game.
    pub restart: Restart,
    /// The limits it plays under.
    pub limits: Limits,
}

/// Where bots are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The bots of the house.
    pub catalogue: &'a Catalogue,
    /// The folder relative paths are meant from: that of the tournament file.
    pub folder: &'a Path,
}

/// What a bot is, before its name and limits are known.
struct Found {
    name: String,
    launch: Launch,
    restart: Restart,
}

/// Options of a bot of the catalogue, as its command line takes them.
type Options = Vec<(String, String)>;

impl Contestant {
    /// Finds the bot that a `[[bot]]` describes.
    pub(super) fn find(
        bot: &BotFile,
        game: Game,
        limits: Limits,
        places: Places<'_>,
    ) -> Result<Contestant, Problem> {
        let options = options(bot)?;
        let mut found = match (&bot.uses, &bot.command) {
            (Some(uses), None) => found_by_name(uses.get_ref(), &options, game, places)
                .map_err(|problem| problem.at(uses.span()))?,
            (None, Some(command)) => found_by_command(bot, command.get_ref(), places)
                .map_err(|problem| problem.at(command.span()))?,
            (Some(uses), Some(_)) => {
                return Err(
                    Problem::new("a bot has either `use` or `command`, not both").at(uses.span()),
                );
            }
            (None, None) => {
                return Err(Problem::new("this bot has neither `use` nor `command`")
                    .help("write use = \"greedy\" or command = [\"python3\", \"my_bot.py\"]"));
            }
        };
        if let Some(name) = &bot.name {
            found.name.clone_from(name.get_ref());
        }
        let at = bot
            .name
            .as_ref()
            .or(bot.uses.as_ref())
            .map(toml::Spanned::span);
        check_name(&found.name).map_err(|problem| problem.at(at.unwrap_or_default()))?;
        if let Some(restart) = &bot.restart {
            found.restart = match restart.get_ref().as_str() {
                "always" => Restart::Always,
                "never" => Restart::Never,
                other => {
                    return Err(Problem::new(format!("unknown restart {other:?}"))
                        .help("there are \"always\" and \"never\"")
                        .at(restart.span()));
                }
            };
        }
        Ok(Contestant {
            name: found.name,
            launch: found.launch,
            restart: found.restart,
            limits,
        })
    }
}

impl BotFile {
    /// The bot that one word of a command line names: `greedy`, `minimax:depth=3`, a folder with
    /// `bot.toml`, a program, a `.py` or `.js` file, or a whole command such as `python3 bot.py`;
    /// `NAME=` before it gives it a name.
    pub fn from_word(word: &str) -> Result<BotFile, Problem> {
        let placed = |text: &str| Some(toml::Spanned::new(0..0, text.to_owned()));
        let command = |words: Vec<String>| Some(toml::Spanned::new(0..0, words));
        let (name, what) = match word.split_once('=') {
            Some((name, what)) if check_name(name).is_ok() && !name.contains(['/', ':']) => {
                (placed(name), what)
            }
            _ => (None, word),
        };
        let mut bot = BotFile {
            name,
            ..BotFile::default()
        };
        let path = Path::new(what);
        if what.contains(char::is_whitespace) {
            let words = shlex::split(what)
                .ok_or_else(|| Problem::new(format!("{what:?} has a quote that does not end")))?;
            bot.command = command(words);
        } else if path.is_file() {
            let interpreter = match path.extension().and_then(|extension| extension.to_str()) {
                Some("py") => Some("python3"),
                Some("js") => Some("node"),
                _ => None,
            };
            let words = interpreter
                .into_iter()
                .chain([what])
                .map(str::to_owned)
                .collect();
            bot.command = command(words);
            if bot.name.is_none() {
                bot.name = path
                    .file_stem()
                    .and_then(|stem| stem.to_str())
                    .and_then(placed);
            }
        } else if let Some((uses, options)) = what.split_once(':') {
            bot.uses = placed(uses);
            let mut table = toml::Table::new();
            for option in options.split(',') {
                let (key, value) = option.split_once('=').ok_or_else(|| {
                    Problem::new(format!("option {option:?} of {uses} has no value"))
                        .help(format!("write {uses}:{option}=3"))
                })?;
                table.insert(key.to_owned(), value.into());
            }
            bot.options = Some(toml::Spanned::new(0..0, table));
        } else {
            bot.uses = placed(what);
        }
        Ok(bot)
    }
}

fn options(bot: &BotFile) -> Result<Options, Problem> {
    let Some(options) = &bot.options else {
        return Ok(Vec::new());
    };
    if bot.command.is_some() {
        return Err(Problem::new("options belong to bots of the catalogue")
            .help("write them into the command")
            .at(options.span()));
    }
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(options
        .get_ref()
        .iter()
        .map(|(key, value)| (key.clone(), text(value)))
        .collect())
}

fn found_by_name(
    name: &str,
    options: &Options,
    game: Game,
    places: Places<'_>,
) -> Result<Found, Problem> {
    if let Some(entry) = places.catalogue.find(name) {
        if !entry.games.contains(&game.name()) {
            return Err(
                Problem::new(format!("{name} does not play {}", game.name()))
                    .help(format!("it plays {}", entry.games.join(" and "))),
            );
        }
        for (key, _) in options {
            if !entry
                .options
                .iter()
                .any(|known| *known == key.replace('_', "-"))
            {
                let problem = Problem::new(format!("{name} has no option {key:?}"));
                return Err(if entry.options.is_empty() {
                    problem.help("it has none")
                } else {
                    problem.did_you_mean(key, entry.options.iter().map(String::as_str))
                });
            }
        }
        let parts: Vec<String> = options
            .iter()
            .map(|(key, value)| format!("-{key}{value}"))
            .collect();
        let suffix = parts.concat();
        let launch = places.catalogue.launch(entry, options);
        return Ok(Found {
            name: format!("{name}{suffix}"),
            launch,
            restart: Restart::Never,
        });
    }
    let folder = [places.folder.join(name), PathBuf::from(name)]
        .into_iter()
        .find(|folder| folder.join("bot.toml").is_file());
    if let Some(folder) = folder {
        return found_by_manifest(&folder, options, game);
    }
    if Path::new(name).is_dir() {
        return Err(Problem::new(format!("the folder {name} has no bot.toml"))
            .help("write one with command = [\"python3\", \"my_bot.py\"]"));
    }
    if name.contains('/') || Path::new(name).extension().is_some() {
        return Err(Problem::new(format!("there is no file or folder {name}")));
    }
    Err(Problem::new(format!("unknown bot {name:?}")).did_you_mean(name, places.catalogue.names()))
}

fn found_by_manifest(folder: &Path, options: &Options, game: Game) -> Result<Found, Problem> {
    if !options.is_empty() {
        return Err(Problem::new("options belong to bots of the catalogue")
            .help("write them into the command of bot.toml"));
    }
    let folder = absolute(folder);
    let manifest = Manifest::read(&folder).map_err(|error| Problem::new(&error))?;
    if let Some(games) = manifest
        .games
        .as_ref()
        .filter(|games| !games.iter().any(|name| name == game.name()))
    {
        return Err(Problem::new(format!(
            "{} does not play {}",
            folder.display(),
            game.name()
        ))
        .help(format!(
            "its bot.toml says that it plays {}",
            games.join(" and ")
        )));
    }
    let fallback = || {
        folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let name = manifest.name.clone().or_else(fallback).unwrap_or_default();
    Ok(Found {
        name,
        launch: manifest.launch(&folder),
        restart: manifest.restart,
    })
}

fn found_by_command(bot: &BotFile, words: &[String], places: Places<'_>) -> Result<Found, Problem> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(Problem::new("the command is empty")
            .help("write command = [\"python3\", \"my_bot.py\"]"));
    };
    let folder = match &bot.folder {
        Some(folder) => places.folder.join(folder.get_ref()),
        None => places.folder.to_owned(),
    };
    let launch = Launch {
        program: PathBuf::from(program),
        arguments: arguments.iter().map(OsString::from).collect(),
        folder: Some(absolute(&folder)),
    };
    // `python3 my_bot.py` is best called my_bot, `./engine --fast` engine.
    let script = words
        .iter()
        .skip(1)
        .find(|word| !word.starts_with('-') && word.contains('.'));
    let name = Path::new(script.unwrap_or(program))
        .file_stem()
        .unwrap_or_default();
    let plain = |c: char| if is_plain(c) { c } else { '-' };
    Ok(Found {
        name: name.to_string_lossy().chars().map(plain).collect(),
        launch,
        restart: Restart::Never,
    })
}

fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-".contains(c)
}

/// Names go into file names, tables and pages: `[A-Za-z0-9._-]{1,64}`, not beginning with a dot
/// or a dash.
fn check_name(name: &str) -> Result<(), Problem> {
    let plain = !name.is_empty() && name.len() <= 64 && name.chars().all(is_plain);
    if plain && !name.starts_with(['.', '-']) {
        return Ok(());
    }
    Err(Problem::new(format!("{name:?} cannot be a bot's name"))
        .help("use 1 to 64 letters, digits, dots, dashes and underscores"))
}
