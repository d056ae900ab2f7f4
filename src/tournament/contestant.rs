//! A bot of a tournament: its command, name and limits.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use games::Game;

use super::catalogue::Catalogue;
use super::confinement::{self, Confinement, OwnLimits};
use super::file::BotFile;
use referee::Limits;
use referee::bot::{BotOption, Build, BuildError, Launch, Manifest, Restart, check_name, is_plain};
use referee::dialect::Protocol;
use referee::problem::Problem;

/// A bot of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// Its name; unique in the tournament, even if the case of letters is ignored.
    pub name: String,
    /// How to start it.
    pub launch: Launch,
    /// How to build it from its sources, if necessary.
    pub build: Option<Build>,
    /// Whether it gets a fresh process for each game.
    pub restart: Restart,
    /// Its time limits.
    pub limits: Limits,
    /// The memory limit that it is told.
    pub memory_mib: Option<u64>,
    /// The number of cores for a game of it.
    pub cores: usize,
}

/// Where to search for bots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    /// The built-in bots and known engines.
    pub catalogue: &'a Catalogue,
    /// The folder for relative paths: the tournament file's folder.
    pub folder: &'a Path,
    /// The boxes in which they play; `None`: they play without.
    pub confinement: Option<&'a Confinement>,
}

/// A bot before its name and limits are known.
struct Found {
    name: String,
    launch: Launch,
    build: Option<Build>,
    restart: Restart,
    memory_mib: Option<u64>,
    cores: usize,
    /// What it sees in a box.
    own: Vec<PathBuf>,
    /// Its author's own limits.
    limits: OwnLimits,
}

impl Found {
    /// A bot without a manifest.
    fn plain(name: String, launch: Launch) -> Found {
        Found {
            name,
            launch,
            build: None,
            restart: Restart::Never,
            memory_mib: None,
            cores: 1,
            own: Vec::new(),
            limits: OwnLimits::default(),
        }
    }
}

/// Options as they were written in a tournament file or on the command line.
#[derive(Default)]
struct Options {
    given: Vec<BotOption>,
    /// Their place in the file, in bytes.
    at: Range<usize>,
}

impl Contestant {
    /// Builds the bot if necessary. Call it before the bot is started, and not while it plays.
    pub fn build(&self) -> Result<(), BuildError> {
        self.build
            .as_ref()
            .map_or(Ok(()), |build| build.run().map(drop))
    }

    /// The files of this bot, for the hash that identifies its version: the files in its command, and the
    /// sources of its build.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = self.launch.files();
        files.extend(self.build.iter().flat_map(Build::sources));
        files.sort();
        files.dedup();
        files
    }

    /// Finds the bot that a `[[bot]]` describes.
    pub(super) fn find(
        bot: &BotFile,
        game: Game,
        limits: Limits,
        places: Places<'_>,
    ) -> Result<Contestant, Problem> {
        let options = options(bot)?;
        let mut found =
            match (&bot.uses, &bot.command) {
                (Some(uses), None) => found_by_name(uses.get_ref(), &options, game, places)
                    .map_err(|problem| match problem.at {
                        None => problem.at(uses.span()),
                        Some(_) => problem,
                    })?,
                (None, Some(command)) => found_by_command(bot, command.get_ref(), places)
                    .map_err(|problem| problem.at(command.span()))?,
                (Some(uses), Some(_)) => {
                    return Err(
                        Problem::new("a bot has either `use` or `command`, not both")
                            .at(uses.span()),
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
                        .help("choose \"always\" or \"never\"")
                        .at(restart.span()));
                }
            };
        }
        language(bot, game, &mut found.launch)?;
        let folder = found.launch.folder.clone().unwrap_or_default();
        let own = confinement::readable(&bot.readable, &folder).unwrap_or(found.own);
        let mut contestant = Contestant {
            name: found.name,
            launch: found.launch,
            build: found.build,
            restart: found.restart,
            limits,
            memory_mib: found.memory_mib,
            cores: found.cores,
        };
        if let Some(confinement) = places.confinement {
            let network = bot
                .network
                .as_ref()
                .is_some_and(|network| *network.get_ref());
            confinement.enclose(&mut contestant, own, found.limits, network);
        }
        Ok(contestant)
    }
}

/// Checks the bot's protocol: it must support the game.
fn language(bot: &BotFile, game: Game, launch: &mut Launch) -> Result<(), Problem> {
    let mut at = None;
    if let Some(protocol) = &bot.protocol {
        let word = protocol.get_ref();
        launch.protocol = Protocol::from_word(word).ok_or_else(|| {
            Problem::new(format!("unknown protocol {word:?}"))
                .did_you_mean(word, Protocol::ALL.into_iter().map(Protocol::word))
                .at(protocol.span())
        })?;
        at = Some(protocol.span());
    }
    if let Some(setup) = &bot.setup {
        launch.setup.clone_from(setup.get_ref());
        if launch.protocol == Protocol::Arena {
            return Err(Problem::new("the arena's own protocol has no `setup`")
                .help("write such settings in the bot's command")
                .at(setup.span()));
        }
    }
    let protocol = launch.protocol;
    if protocol.games().contains(&game.name()) {
        return Ok(());
    }
    Err(Problem::new(format!(
        "protocol \"{}\" does not support {}",
        protocol.word(),
        game.name()
    ))
    .help(format!("it supports {}", protocol.games().join(" and ")))
    .at(at.unwrap_or_default()))
}

fn options(bot: &BotFile) -> Result<Options, Problem> {
    let Some(options) = &bot.options else {
        return Ok(Options::default());
    };
    if bot.command.is_some() {
        return Err(Problem::new("a command has no options")
            .help("write them in the command")
            .at(options.span()));
    }
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let given = options.get_ref().iter();
    Ok(Options {
        given: given
            .map(|(key, value)| (key.clone(), text(value)))
            .collect(),
        at: options.span(),
    })
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
        let at = |problem: Problem| problem.at(options.at.clone());
        let given = options.given.iter();
        let written: Vec<String> = given.map(|(key, _)| key.replace('_', "-")).collect();
        check_options(name, &written, &entry.options).map_err(at)?;
        (places.catalogue.check)(name, &options.given).map_err(at)?;
        let launch = places.catalogue.launch(entry, &options.given);
        return Ok(Found::plain(format!("{name}{}", suffix(options)), launch));
    }
    if let Some(engine) = places.catalogue.find_engine(name) {
        let found = found_in(&engine.manifest, name, places.folder, options, game)?;
        // It is installed; the folder is ours.
        return Ok(Found {
            own: Vec::new(),
            ..found
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
    // A path from the command line is shown as it was typed.
    let shown = folder.strip_prefix(".").unwrap_or(folder);
    let manifest = Manifest::read(shown)?;
    found_in(
        &manifest,
        &shown.display().to_string(),
        folder,
        options,
        game,
    )
}

/// The bot of the manifest in `folder`; `shown` is its name in messages.
fn found_in(
    manifest: &Manifest,
    shown: &str,
    folder: &Path,
    options: &Options,
    game: Game,
) -> Result<Found, Problem> {
    let folder = absolute(folder);
    if !manifest.games.iter().any(|name| name == game.name()) {
        return Err(
            Problem::new(format!("{shown} does not play {}", game.name())).help(format!(
                "its bot.toml says that it plays {}",
                manifest.games.join(" and ")
            )),
        );
    }
    let given = options.given.iter();
    let written: Vec<String> = given.map(|(key, _)| key.clone()).collect();
    let known: Vec<String> = manifest
        .options
        .iter()
        .map(|(key, _)| key.clone())
        .collect();
    check_options(shown, &written, &known).map_err(|problem| problem.at(options.at.clone()))?;
    let fallback = || {
        folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let name = manifest.name.clone().or_else(fallback).unwrap_or_default();
    Ok(Found {
        name: format!("{name}{}", suffix(options)),
        launch: manifest.launch(&folder, &options.given),
        build: manifest.build(&folder),
        restart: manifest.restart,
        memory_mib: manifest.memory_mib,
        cores: manifest.cores,
        own: vec![folder],
        limits: OwnLimits::of(manifest),
    })
}

/// Refuses an option that the bot `name` does not have.
fn check_options(name: &str, written: &[String], known: &[String]) -> Result<(), Problem> {
    let Some(key) = written.iter().find(|key| !known.contains(key)) else {
        return Ok(());
    };
    let problem = Problem::new(format!("{name} has no option {key:?}"));
    Err(if known.is_empty() {
        problem.help("it has none")
    } else {
        problem.did_you_mean(key, known.iter().map(String::as_str))
    })
}

/// A suffix for the name of a bot with options: `-depth3`. Characters that are not allowed in a name
/// become dashes.
fn suffix(options: &Options) -> String {
    let parts: Vec<String> = options
        .given
        .iter()
        .map(|(key, value)| format!("-{key}{value}"))
        .collect();
    let plain = |c: char| if is_plain(c) { c } else { '-' };
    parts.concat().chars().map(plain).take(32).collect()
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
        ..Launch::default()
    };
    // `python3 my_bot.py` gets the name my_bot, `./engine --fast` engine.
    let script = words
        .iter()
        .skip(1)
        .find(|word| !word.starts_with('-') && word.contains('.'));
    let name = Path::new(script.unwrap_or(program))
        .file_stem()
        .unwrap_or_default();
    let plain = |c: char| if is_plain(c) { c } else { '-' };
    let name = name.to_string_lossy().chars().map(plain).collect();
    Ok(Found {
        own: launch.folder.clone().into_iter().collect(),
        ..Found::plain(name, launch)
    })
}

fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}
