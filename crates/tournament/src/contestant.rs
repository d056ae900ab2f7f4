//! A bot of a tournament: its command, name and limits.

use message::{Message, Value, message};
use referee::problem;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use games::Game;

use super::bot_word;
use super::catalogue::Catalogue;
use super::file_kind::{folder_of, is_script, startable, stem};
use super::form::{self, Form, Recognised};
use super::numbers::{choice, span};
use super::tournament_file::BotFile;
use referee::Limits;
use referee::bot::{
    BotOption, Build, BuildError, DiskShare, Launch, Manifest, Restart, cache, check_name, is_plain,
};
use referee::dialect::Protocol;
use referee::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The name, which is unique in the tournament even if case is ignored.
    pub name: String,
    pub word: String,
    pub launch: Launch,
    pub build: Option<Build>,
    pub restart: Restart,
    pub limits: Limits,
    /// The memory limit that the arena reports to the bot, in MiB.
    pub memory_mib: Option<u64>,
    pub cores: usize,
    /// A description of the recognised file, if the bot has no manifest.
    pub taken_for: Option<Message>,
    /// The time limits of the bot's course in seconds, for a move and for a game; 0 for none.
    pub usual_seconds: [u64; 2],
    /// Whether the bot is built in or an opponent of a suite. Such bots are expected to start.
    pub is_reference: bool,
}

struct BotLookup<'a> {
    game: Game,
    catalogue: &'a Catalogue,
    /// The folder of the tournament file, to which paths are relative.
    folder: &'a Path,
    options: Vec<BotOption>,
    /// The range of the options in the text of the file, in bytes.
    at: Range<usize>,
}

impl Contestant {
    /// Lets a bot in an inner folder of `own` read the other folders, too.
    fn reads_all_of(&mut self, own: Option<PathBuf>) {
        let own = own.filter(|own| !self.launch.own.contains(own));
        self.launch.own.extend(own);
    }

    /// Creates a bot that needs no build and has no limits, with one process for all its games.
    pub fn new(name: impl Into<String>, launch: Launch) -> Contestant {
        Contestant {
            name: name.into(),
            word: String::new(),
            launch,
            build: None,
            restart: Restart::Never,
            limits: Limits::default(),
            memory_mib: None,
            cores: 1,
            taken_for: None,
            usual_seconds: [0, 0],
            is_reference: false,
        }
    }

    /// Builds the bot if necessary. Must be called before the bot starts, never while it plays.
    pub fn build(&self) -> Result<(), BuildError> {
        self.build
            .as_ref()
            .map_or(Ok(()), |build| build.run().map(drop))
    }

    /// Bounds what the build of the bot may add to the cache.
    pub fn allow(&mut self, share: DiskShare) {
        self.build.iter_mut().for_each(|build| build.allow(share));
    }

    /// Sets the time limits of the bot to those of its course, and adds a note about them to `taken_for`.
    pub(super) fn take_usual_time(&mut self) {
        let note = match self.usual_seconds {
            [0, 0] => return,
            [0, s] => message!("{s} s per game, as in its course"),
            [s, _] => message!("{s} s per move, as in its course"),
        };
        let limits = &mut self.limits;
        [limits.move_time, limits.game_time] = self.usual_seconds.map(Duration::from_secs);
        self.taken_for = Some(Message::list(
            self.taken_for.take().into_iter().chain([note]),
        ));
    }

    pub(super) fn build_in_copy(&mut self) -> Result<(), Problem> {
        let copied = self.build.as_mut().map(Build::in_copy).transpose();
        let copied = copied.map_err(|error| {
            problem!("{} cannot be copied to be built: {error}", self.name)
                .help("make room, or name another folder in XDG_CACHE_HOME")
                .of_machine()
        })?;
        if let Some((original, copy)) = copied.flatten() {
            self.launch.move_to(&original, &copy);
        }
        Ok(())
    }

    /// Returns the files in the bot's command and the sources of its build. Their hash identifies its version.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = self.launch.files();
        files.extend(self.build.iter().flat_map(Build::sources));
        files.sort();
        files.dedup();
        files
    }

    pub(super) fn find(
        bot: &BotFile,
        limits: Limits,
        game: Game,
        catalogue: &Catalogue,
        folder: &Path,
    ) -> Result<Contestant, Problem> {
        let (options, at) = options(bot)?;
        let search = BotLookup {
            game,
            catalogue,
            folder,
            options,
            at,
        };
        let mut found = match (&bot.uses, &bot.command) {
            (Some(uses), None) => search
                .by_name_or_file(bot, uses.get_ref())
                .map_err(|problem| {
                    let at = problem.at.clone().unwrap_or(uses.span());
                    problem.at(at)
                }),
            (None, Some(command)) => by_command(bot, command.get_ref(), folder)
                .map_err(|problem| problem.at(command.span())),
            (Some(uses), Some(_)) => {
                let what = "a bot has either `use` or `command`, not both";
                Err(Problem::new(what).at(uses.span()))
            }
            (None, None) => Err(Problem::new("this bot has neither `use` nor `command`")
                .help("write use = \"greedy\" or command = [\"python3\", \"my_bot.py\"]")),
        }?;
        if let Some(name) = &bot.name {
            found.name.clone_from(name.get_ref());
        }
        let at = span(bot.name.as_ref().or(bot.uses.as_ref()));
        check_name(&found.name).map_err(|problem| problem.at(at))?;
        if let Some(restart) = &bot.restart {
            let known = [("always", Restart::Always), ("never", Restart::Never)];
            found.restart = choice(restart, "restart", known)?;
        }
        language(bot, game, &mut found.launch)?;
        found.limits = limits;
        found.word = bot.word(folder);
        Ok(found)
    }
}

fn language(bot: &BotFile, game: Game, launch: &mut Launch) -> Result<(), Problem> {
    if let Some(protocol) = &bot.protocol {
        let word = protocol.get_ref();
        launch.protocol = Protocol::from_word(word).ok_or_else(|| {
            problem!("unknown protocol {word:?}")
                .did_you_mean(word, Protocol::ALL.into_iter().map(Protocol::word))
                .at(protocol.span())
        })?;
    }
    if let Some(setup) = &bot.setup {
        launch.setup.clone_from(setup.get_ref());
        if launch.protocol == Protocol::Arena {
            return Err(Problem::new("the arena's own protocol has no `setup`")
                .help("write such settings in the bot's command")
                .at(setup.span()));
        }
    }
    let (games, word, name) = (launch.protocol.games(), launch.protocol.word(), game.name());
    if games.contains(&name) {
        return Ok(());
    }
    Err(problem!("protocol \"{word}\" does not support {name}")
        .help(message!("it supports {}", games.join(" and ")))
        .at(span(bot.protocol.as_ref())))
}

fn options(bot: &BotFile) -> Result<(Vec<BotOption>, Range<usize>), Problem> {
    let at = span(bot.options.as_ref());
    if bot.options.is_some() && bot.command.is_some() {
        return Err(Problem::new("a command has no options")
            .help("write them in the command")
            .at(at));
    }
    let given = bot.options.iter().flat_map(toml::Spanned::get_ref);
    let given = given.map(|(key, value)| (key.clone(), bot_word::option_text(value)));
    Ok((given.collect(), at))
}

impl BotLookup<'_> {
    fn by_name_or_file(&self, bot: &BotFile, name: &str) -> Result<Contestant, Problem> {
        let frame = bot.frame.as_ref();
        let form = frame.map(|frame| Form::find(frame.get_ref()).map_err(|no| no.at(frame.span())));
        let form = form.transpose()?;
        let path = self.folder.join(name);
        if !path.is_file() || self.catalogue.find(name).is_some() {
            return match frame {
                Some(frame) => Err(problem!("there is no file {name} for the frame")
                    .help("a frame is for a file, such as ai-player:my_player.py")
                    .at(frame.span())),
                None => self.by_name(name),
            };
        }
        startable(as_typed(&path))?;
        let protocol = bot.protocol.as_ref();
        let speaks = protocol.and_then(|word| Protocol::from_word(word.get_ref()));
        let own = bot
            .folder
            .as_ref()
            .map(|own| absolute(&self.folder.join(own.get_ref())));
        let mut found = form::of_file(&path, own.as_deref(), form, speaks)?;
        // If the file was chosen from the folder of a hand-in, the note says from which files.
        if let Some(main) = own.as_ref().and_then(|own| form::main_file(own).ok()) {
            found = found.chosen(main.choice(&path));
        }
        let mut contestant = self.recognised(found, name)?;
        contestant.reads_all_of(own);
        contestant.name = bot_word::plain(&stem(&path));
        Ok(contestant)
    }

    /// Returns the options and the files that they name. In the options, paths of files are absolute.
    fn with_files(&self, of_files: &[String]) -> (Vec<BotOption>, Vec<PathBuf>) {
        let mut own = Vec::new();
        let options = self.options.iter().map(|(key, value)| {
            let path = self.folder.join(value);
            if !of_files.contains(&key.replace('_', "-")) || !path.is_file() {
                return (key.clone(), value.clone());
            }
            let path = std::path::absolute(&path).unwrap_or(path);
            let shown = path.to_string_lossy().into_owned();
            own.push(path);
            (key.clone(), shown)
        });
        (options.collect(), own)
    }

    fn by_name(&self, name: &str) -> Result<Contestant, Problem> {
        let BotLookup {
            catalogue, folder, ..
        } = *self;
        if let Some(entry) = catalogue.find(name) {
            self.check_game(name, &entry.games, |games| message!("it plays {games}"))?;
            self.check_options(name, |key| key.replace('_', "-"), &entry.options)?;
            let (options, own) = self.with_files(&entry.files);
            (catalogue.check)(name, &options).map_err(|problem| problem.at(self.at.clone()))?;
            let launch = Launch {
                own,
                ..catalogue.launch(entry, &options)
            };
            return Ok(Contestant {
                is_reference: true,
                ..Contestant::new(with_options(name, &self.options), launch)
            });
        }
        if let Some(engine) = catalogue.find_engine(name) {
            let mut bot = self.in_folder(&engine.manifest, name, folder)?;
            // The engine is installed elsewhere, so the files in the folder are not its own.
            bot.launch.own.clear();
            return Ok(bot);
        }
        let folders = [folder.join(name), PathBuf::from(name)];
        let has_manifest = |folder: &&PathBuf| folder.join("bot.toml").is_file();
        if let Some(folder) = folders.iter().find(has_manifest) {
            let shown = as_typed(folder);
            return self.in_folder(
                &Manifest::read(shown)?,
                &shown.display().to_string(),
                folder,
            );
        }
        if let Some(folder) = folders.iter().find(|folder| folder.is_dir()) {
            return self.without_manifest(as_typed(folder));
        }
        if let Some(near) = folders.iter().find_map(|path| near(path)) {
            let kind = if near.is_dir() { "folder" } else { "file" };
            let near = as_typed(&near).display();
            return Err(problem!("there is no bot, file or folder {name}")
                .help(message!("did you mean the {kind} {near}?")));
        }
        if name.contains(std::path::is_separator) || Path::new(name).extension().is_some() {
            return Err(problem!("there is no file or folder {name}"));
        }
        Err(problem!("unknown bot {name:?}").did_you_mean(name, catalogue.names()))
    }

    /// Finds the main file of a folder without a manifest, and returns it as the bot.
    fn without_manifest(&self, folder: &Path) -> Result<Contestant, Problem> {
        let shown = folder.display().to_string();
        self.check_options(&shown, str::to_owned, &[])?;
        let main = form::main_file(folder)?;
        let found = form::of_file(&main.path, Some(&absolute(folder)), None, None)?
            .chosen(main.choice(&main.path));
        let mut contestant = self.recognised(found, &shown)?;
        let own = absolute(folder);
        contestant.name = bot_word::plain(&own.file_name().unwrap_or_default().to_string_lossy());
        contestant.reads_all_of(Some(own));
        Ok(contestant)
    }

    fn recognised(&self, found: Recognised, shown: &str) -> Result<Contestant, Problem> {
        let games: Vec<&str> = found.manifest.games.iter().map(String::as_str).collect();
        let kind = found.note.clone().unwrap_or_else(|| "a program".into());
        self.check_game(shown, &games, |games| {
            message!("it is {kind}: it plays {games}")
        })?;
        let mut contestant = self.in_folder(&found.manifest, shown, &found.folder)?;
        contestant.usual_seconds = found.seconds();
        contestant.taken_for = found.note;
        // In a sandbox, the bot must also see the files of its frame.
        let words = contestant.launch.arguments.iter().map(PathBuf::from);
        let frames = words.filter(|word| word.starts_with(cache("frames")));
        contestant.launch.own.extend(frames.collect::<Vec<_>>());
        Ok(contestant)
    }

    /// Returns the bot of the manifest in `folder`; messages call it `shown`.
    fn in_folder(
        &self,
        manifest: &Manifest,
        shown: &str,
        folder: &Path,
    ) -> Result<Contestant, Problem> {
        let folder = absolute(folder);
        let games: Vec<&str> = manifest.games.iter().map(String::as_str).collect();
        self.check_game(shown, &games, |games| {
            message!("its bot.toml says that it plays {games}")
        })?;
        let known: Vec<String> = manifest
            .options
            .iter()
            .map(|(key, _)| key.clone())
            .collect();
        self.check_options(shown, str::to_owned, &known)?;
        let own = || {
            folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let (name, others) = manifest.named(&self.options);
        let name = with_options(&name.unwrap_or_else(own), &others);
        Ok(Contestant {
            build: manifest.build(&folder),
            restart: manifest.restart,
            memory_mib: manifest.memory_mib,
            cores: manifest.cores,
            ..Contestant::new(name, manifest.launch(&folder, &self.options))
        })
    }

    fn check_game(
        &self,
        bot: &str,
        games: &[&str],
        says: impl Fn(&str) -> Message,
    ) -> Result<(), Problem> {
        let game = self.game.name();
        if games.contains(&game) {
            return Ok(());
        }
        let (bot, help) = (Value::name(bot), says(&games.join(" and ")));
        Err(problem!("{bot} does not play {game}").help(help))
    }

    fn check_options(
        &self,
        bot: &str,
        written: impl Fn(&str) -> String,
        known: &[String],
    ) -> Result<(), Problem> {
        let mut written = self.options.iter().map(|(key, _)| written(key));
        let Some(key) = written.find(|key| !known.contains(key)) else {
            return Ok(());
        };
        let bot = Value::name(bot);
        let problem = problem!("{bot} has no option {key:?}").at(self.at.clone());
        Err(if known.is_empty() {
            problem.help("it has none")
        } else {
            problem.did_you_mean(&key, known.iter().map(String::as_str))
        })
    }
}

fn with_options(name: &str, options: &[BotOption]) -> String {
    let parts = options.iter().map(|(key, value)| format!("-{key}{value}"));
    let most = 32.min(64_usize.saturating_sub(name.chars().count()));
    let suffix: String = plain(&parts.collect::<String>())
        .chars()
        .take(most)
        .collect();
    format!("{name}{suffix}")
}

/// Finds a bot beside `path` with nearly the same name. The bot is a folder or a script.
fn near(path: &Path) -> Option<PathBuf> {
    let written = path.file_name()?.to_str()?.to_lowercase();
    let entries = std::fs::read_dir(folder_of(path)).ok()?.flatten();
    let bots = entries.map(|entry| entry.path()).filter(|path| {
        path.join("bot.toml").is_file()
            || is_script(path)
            || path.is_dir() && form::main_file(path).is_ok()
    });
    let distance = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        strsim::osa_distance(&written, &name.to_lowercase())
    };
    let nearest = bots.min_by_key(|path| (distance(path), path.clone()))?;
    (distance(&nearest) <= 1 + written.chars().count() / 4).then_some(nearest)
}

/// Returns a path of the command line as it was typed: without the `.` to which it was joined.
fn as_typed(path: &Path) -> &Path {
    match path.strip_prefix(".") {
        Ok(own) if own.as_os_str().is_empty() => Path::new("."),
        typed => typed.unwrap_or(path),
    }
}

fn plain(text: &str) -> String {
    let plain = |c: char| if is_plain(c) { c } else { '-' };
    text.chars().map(plain).collect()
}

fn by_command(bot: &BotFile, words: &[String], folder: &Path) -> Result<Contestant, Problem> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(Problem::new("the command is empty")
            .help("write command = [\"python3\", \"my_bot.py\"]"));
    };
    let own = bot.folder.as_ref().map_or("", |folder| folder.get_ref());
    let own = absolute(&folder.join(own));
    let launch = Launch {
        program: PathBuf::from(program),
        arguments: arguments.iter().map(OsString::from).collect(),
        own: files_of(&own, words),
        folder: Some(own),
        ..Launch::default()
    };
    // `python3 my_bot.py` gets the name `my_bot`, and `./engine --fast` gets `engine`.
    let is_script = |word: &&String| !word.starts_with('-') && word.contains('.');
    let named = Path::new(arguments.iter().find(is_script).unwrap_or(program));
    let name = named.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Contestant::new(bot_word::plain(&name), launch))
}

/// Returns the paths that the bot of a command can read in a sandbox: its folder, and the files in the command.
fn files_of(folder: &Path, words: &[String]) -> Vec<PathBuf> {
    let files = words.iter().map(|word| folder.join(word));
    let files = files.filter(|file| file.is_file() && !file.starts_with(folder));
    std::iter::once(folder.to_owned()).chain(files).collect()
}

fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_shows_only_the_folder_and_files_that_the_command_names() {
        let [own, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let file = other.path().join("net.bin");
        std::fs::write(&file, "").expect("a file");
        std::fs::write(own.path().join("bot.py"), "").expect("a file");
        let folder = other.path().display().to_string();
        let words = [
            "python3",
            "bot.py",
            &file.display().to_string(),
            &folder,
            "/none",
        ];
        let words = words.map(str::to_owned);
        assert_eq!(files_of(own.path(), &words), [own.path().to_owned(), file]);
    }
}
