//! `bot.toml`: the author's description of how to build and start a bot. Paths in it are relative to its folder.
//! [`Manifest::read`] checks the whole file before anything is started, and reports the first error with its line.

use crate::problem;
use message::message;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use games::formats::text;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::launch::Asks;
use super::name::{check_name, plain_name};
use super::{Build, Launch, cache, read_own};
use crate::dialect::Protocol;
use crate::problem::{Placed, Problem};

const LONGEST: u64 = 1 << 20;
/// 16 TiB, in MiB. A larger number is a mistake.
const MOST_MEMORY_MIB: i64 = 1 << 24;
const MOST_PROCESSES: i64 = 1 << 20;
const MOST_OPTIONS: usize = 256;
/// The maximum size of a command and its set-up, including the values of all options, in bytes.
const LONGEST_COMMAND: usize = 1 << 20;
const MOST_CORES: i64 = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// One process plays many games, until the bot has a fault.
    #[default]
    Never,
    /// A new process for each game.
    Always,
}

pub type BotOption = (String, String);

#[derive(Clone, Debug)]
pub struct Manifest {
    /// `None`: the folder's name is the bot's name.
    pub name: Option<String>,
    /// Program and arguments; a program with a slash is relative to the manifest's folder.
    pub command: Vec<String>,
    pub build: Option<Vec<String>>,
    pub games: Vec<String>,
    pub restart: Restart,
    pub memory_mib: Option<u64>,
    pub processes: Option<u64>,
    pub disk_mib: Option<u64>,
    pub keep_folder: bool,
    pub cores: usize,
    pub environment: Vec<String>,
    pub install: Option<String>,
    pub protocol: Protocol,
    pub setup: Vec<String>,
    pub options: Vec<BotOption>,
    /// Whether the command is a script of the arena (a frame) that starts the bot's program for each turn.
    pub starts_turns: bool,
}

/// `bot.toml`: how a bot is built and started. Paths are relative to its folder.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ManifestFile {
    /// The bot's name in tables; `{model}` is the value of the option `model`.
    #[schemars(with = "String", extend("examples" = ["my_bot"]), extend("x-default" = "the folder's name"))]
    name: Placed<String>,
    /// Program and arguments. A program with a slash is relative to this folder; `{depth}` is the value
    /// of the option `depth`.
    #[schemars(with = "Vec<String>", extend("examples" = [["python3", "bot.py"]]))]
    command: Placed<Vec<Spanned<String>>>,
    /// The command that builds the bot before its first game.
    #[schemars(with = "Vec<String>", extend("examples" = [["make"]]), extend("x-default" = "nothing is built"))]
    build: Placed<Vec<Spanned<String>>>,
    /// The games that the bot plays.
    #[schemars(with = "Vec<String>", extend("examples" = [[games::names()[0]]]), extend("x-default" = "all"))]
    games: Option<Vec<Spanned<String>>>,
    /// Whether the bot gets a new process for each game.
    #[schemars(with = "String", extend("examples" = ["always"]), extend("default" = "never"), extend("enum" = ["always", "never"]))]
    #[serde(default)]
    restart: Restart,
    /// The memory limit that the arena sends to the bot, and enforces in a sandbox.
    #[schemars(with = "i64", range(min = 1, max = 16_777_216), extend("examples" = [512]), extend("x-unit" = "MiB"), extend("x-default" = "none"))]
    memory_mib: Placed<i64>,
    /// In a sandbox: the maximum number of processes and threads that the bot needs.
    #[schemars(with = "i64", range(min = 1, max = 1_048_576), extend("examples" = [4]), extend("x-default" = "the tournament's"))]
    processes: Placed<i64>,
    /// In a sandbox: the most space for temporary files that the bot needs.
    #[schemars(with = "i64", range(min = 1, max = 16_777_216), extend("examples" = [16]), extend("x-unit" = "MiB"), extend("x-default" = "the tournament's"))]
    disk_mib: Placed<i64>,
    /// Whether the bot has a folder that is kept between the games of a run, named by `$ARENA_FOLDER`; a grade in a
    /// sandbox has none.
    #[schemars(extend("examples" = [true]))]
    #[serde(default)]
    keep_folder: bool,
    /// The number of cores for a game of this bot.
    #[schemars(with = "i64", range(min = 1, max = 1024), extend("examples" = [2]), extend("default" = 1))]
    cores: Placed<i64>,
    /// Environment variables that the bot sees in addition to the usual ones, such as the key of a service. In a
    /// sandbox, the bot sees them only if it has network access, and never during a grade.
    #[schemars(with = "Vec<String>", extend("examples" = [["MY_API_KEY"]]), extend("x-default" = "none"))]
    #[serde(default)]
    environment: Vec<Spanned<String>>,
    /// The command that installs the program; shown if the program is missing.
    #[schemars(with = "String", extend("examples" = ["apt-get install grhino"]), extend("x-default" = "none"))]
    install: Option<String>,
    /// The bot's protocol.
    #[schemars(with = "String", extend("examples" = ["gtp"]), extend("default" = "arena"), extend("enum" = Protocol::ALL.map(Protocol::word)))]
    protocol: Placed<String>,
    /// Lines in the bot's protocol that are sent to it before each game.
    #[schemars(with = "Vec<String>", extend("examples" = [["level 3"]]), extend("x-default" = "none"))]
    #[serde(default)]
    setup: Vec<Spanned<String>>,
    /// The bot's options with their default values. Options without a `{place}` in the command are appended to it:
    /// `--depth 3`.
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>", extend("examples" = [{"depth": 3}]), extend("x-default" = "none"))]
    #[serde(default)]
    options: toml::Table,
}

impl Manifest {
    pub fn schema() -> schemars::Schema {
        schemars::schema_for!(ManifestFile)
    }

    pub fn read(folder: &Path) -> Result<Manifest, Problem> {
        let path = folder.join("bot.toml");
        let shown = path.display();
        let bytes =
            read_own(&path, LONGEST).map_err(|error| problem!("cannot read {shown}: {error}"))?;
        let text = text::decode(&bytes).map_err(|why| Problem::not_text(&shown, why))?;
        Manifest::parse(&text).map_err(|problem| problem.in_file(shown, &text))
    }

    pub fn parse(text: &str) -> Result<Manifest, Problem> {
        let file: ManifestFile = toml::from_str(text).map_err(|error| Problem::in_toml(&error))?;
        let command =
            words(file.command, "command", "[\"python3\", \"my_bot.py\"]")?.ok_or_else(|| {
                Problem::new("the manifest has no command")
                    .help("write command = [\"python3\", \"my_bot.py\"]")
            })?;
        let build = words(file.build, "build", "[\"make\"]")?;
        let options = options(&file.options)?;
        check_length(&command, &file.setup, &options)?;
        if let Some(name) = &file.name {
            check_places(name, &options)?;
            let text = name.get_ref().replace(['{', '}'], "");
            check_name(&text).map_err(|problem| problem.at(name.span()))?;
        }
        // An argument that contains whitespace is code (`python3 -c '…'`); its braces are not options.
        let plain = |word: &&Spanned<String>| !word.get_ref().contains(char::is_whitespace);
        for text in command.iter().filter(plain).chain(&file.setup) {
            check_places(text, &options)?;
        }
        Ok(Manifest {
            name: file.name.map(Spanned::into_inner),
            command: bare(command),
            build: build.map(bare),
            games: games(file.games)?,
            restart: file.restart,
            memory_mib: whole(file.memory_mib, "memory_mib", MOST_MEMORY_MIB)?,
            processes: whole(file.processes, "processes", MOST_PROCESSES)?,
            keep_folder: file.keep_folder,
            disk_mib: whole(file.disk_mib, "disk_mib", MOST_MEMORY_MIB)?,
            cores: whole(file.cores, "cores", MOST_CORES)?.unwrap_or(1) as usize,
            environment: environment(file.environment)?,
            install: file.install,
            protocol: protocol(file.protocol)?,
            setup: bare(file.setup),
            options,
            starts_turns: false,
        })
    }

    /// Returns the launch of the bot in `folder`, with the chosen options in place of the defaults.
    ///
    /// `{depth}` in the command or the set-up is replaced by the value of `depth`; names within values are not
    /// replaced. Options without such a place are appended to the command as `--depth 3`.
    pub fn launch(&self, folder: &Path, chosen: &[BotOption]) -> Launch {
        let values = self.values(chosen);
        let mut placed = BTreeSet::new();
        let mut fill = |text: &String| filled(text, &values, &mut placed);
        let mut words: Vec<String> = self.command.iter().map(&mut fill).collect();
        let setup = self.setup.iter().map(&mut fill).collect();
        for (key, _) in &self.options {
            if !placed.contains(key.as_str()) {
                words.push(format!("--{}", key.replace('_', "-")));
                words.push(values[key.as_str()].to_owned());
            }
        }
        Launch {
            own: vec![folder.to_owned()],
            asks: Asks {
                processes: self.processes,
                disk_mib: self.disk_mib,
                keep_folder: self.keep_folder,
            },
            environment: self.environment.clone(),
            install: self.install.clone(),
            protocol: self.protocol,
            starts_turns: self.starts_turns,
            setup,
            ..launch(words, folder)
        }
    }

    /// Returns the bot's name with chosen options filled in, and the chosen options that have no place in the name.
    pub fn named(&self, chosen: &[BotOption]) -> (Option<String>, Vec<BotOption>) {
        let (values, mut placed) = (self.values(chosen), BTreeSet::new());
        let name = self.name.as_ref();
        let mut name = name.map(|name| filled(name, &values, &mut placed));
        if !placed.is_empty() {
            name = name.map(|name| plain_name(&name));
        }
        let others = chosen
            .iter()
            .filter(|(key, _)| !placed.contains(key.as_str()));
        (name, others.cloned().collect())
    }

    fn values<'a>(&'a self, chosen: &'a [BotOption]) -> BTreeMap<&'a str, &'a str> {
        let value = |(key, default): &'a BotOption| {
            let chosen = chosen.iter().find(|(name, _)| name == key);
            (
                key.as_str(),
                chosen.map_or(default.as_str(), |(_, value)| value),
            )
        };
        self.options.iter().map(value).collect()
    }

    pub fn build(&self, folder: &Path) -> Option<Build> {
        let words = self.build.clone()?;
        let program = Path::new(self.command.first()?);
        // Makes the arena's own script readable in a sandbox.
        let frames = words.iter().map(Path::new);
        let frames = frames.filter(|word| word.starts_with(cache("frames")));
        let own = frames
            .filter_map(Path::parent)
            .map(Path::to_owned)
            .collect();
        let launch = Launch {
            own,
            ..launch(words, folder)
        };
        Some(Build::new(launch, program))
    }
}

fn filled<'a>(
    text: &str,
    values: &BTreeMap<&'a str, &str>,
    placed: &mut BTreeSet<&'a str>,
) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('}') {
        let place = before
            .rsplit_once('{')
            .and_then(|(before, key)| Some((before, values.get_key_value(key)?)));
        if let Some((before, (key, value))) = place {
            filled.extend([before, value]);
            placed.insert(key);
        } else {
            filled.extend([before, "}"]);
        }
        rest = behind;
    }
    filled + rest
}

fn launch(words: Vec<String>, folder: &Path) -> Launch {
    let mut words = words.into_iter();
    Launch {
        program: words.next().map(PathBuf::from).unwrap_or_default(),
        arguments: words.map(OsString::from).collect(),
        folder: Some(folder.to_owned()),
        is_from_manifest: true,
        ..Launch::default()
    }
}

fn protocol(written: Placed<String>) -> Result<Protocol, Problem> {
    let Some(word) = written else {
        return Ok(Protocol::default());
    };
    Protocol::from_word(word.get_ref()).ok_or_else(|| {
        problem!("unknown protocol {:?}", word.get_ref())
            .did_you_mean(
                word.get_ref(),
                Protocol::ALL.into_iter().map(Protocol::word),
            )
            .at(word.span())
    })
}

fn words(
    value: Placed<Vec<Spanned<String>>>,
    key: &str,
    example: &str,
) -> Result<Option<Vec<Spanned<String>>>, Problem> {
    let is_empty = |word: &Spanned<String>| word.get_ref().is_empty();
    match value {
        Some(words) if words.get_ref().first().is_none_or(is_empty) => {
            Err(problem!("{key} is empty")
                .help(message!("write {key} = {example}"))
                .at(words.span()))
        }
        words => Ok(words.map(Spanned::into_inner)),
    }
}

fn bare(words: Vec<Spanned<String>>) -> Vec<String> {
    words.into_iter().map(Spanned::into_inner).collect()
}

/// Refuses more options or longer values than any bot needs, because the arena fills them in outside any sandbox.
fn check_length(
    command: &[Spanned<String>],
    setup: &[Spanned<String>],
    options: &[BotOption],
) -> Result<(), Problem> {
    if options.len() > MOST_OPTIONS {
        return Err(problem!("the bot has {} options", options.len())
            .help(message!("choose at most {MOST_OPTIONS}")));
    }
    let texts = || command.iter().chain(setup).map(Spanned::get_ref);
    let places = texts().map(|text| text.matches('{').count());
    let longest = options.iter().map(|(_, value)| value.len()).max();
    let length = texts().map(String::len).sum::<usize>()
        + places.sum::<usize>() * longest.unwrap_or_default();
    if length > LONGEST_COMMAND {
        return Err(Problem::new("the command is too long with its options")
            .help("shorten the values of the options"));
    }
    Ok(())
}

/// Checks that every `{option}` in the text is an option of the bot. `${NAME}` is left to a shell.
fn check_places(text: &Spanned<String>, options: &[BotOption]) -> Result<(), Problem> {
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let pieces: Vec<&str> = text.get_ref().split('{').collect();
    let behind_brace = pieces.windows(2).filter(|pair| !pair[0].ends_with('$'));
    let keys = behind_brace
        .filter_map(|pair| Some(pair[1].split_once('}')?.0))
        .filter(|key| !key.is_empty() && key.chars().all(is_key));
    for key in keys {
        if options.iter().any(|(name, _)| name == key) {
            continue;
        }
        let problem = problem!("there is no option for {{{key}}}");
        let problem = if options.is_empty() {
            problem.help(message!(
                "add it with its default value: options = {{ {key} = 4 }}"
            ))
        } else {
            let names = options.iter().map(|(name, _)| name.as_str());
            problem.did_you_mean(key, names)
        };
        return Err(problem.at(text.span()));
    }
    Ok(())
}

fn games(written: Option<Vec<Spanned<String>>>) -> Result<Vec<String>, Problem> {
    let Some(written) = written else {
        return Ok(games::names().into_iter().map(str::to_owned).collect());
    };
    let known = |name: Spanned<String>| {
        if games::names().contains(&name.get_ref().as_str()) {
            return Ok(name.into_inner());
        }
        Err(problem!("unknown game {:?}", name.get_ref())
            .did_you_mean(name.get_ref(), games::names().into_iter())
            .at(name.span()))
    };
    written.into_iter().map(known).collect()
}

fn environment(written: Vec<Spanned<String>>) -> Result<Vec<String>, Problem> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let known = |name: Spanned<String>| {
        if !name.get_ref().is_empty() && name.get_ref().chars().all(is_part) {
            return Ok(name.into_inner());
        }
        Err(
            problem!("{:?} is not the name of a variable", name.get_ref())
                .help("write only its name: its value comes from the arena's environment")
                .at(name.span()),
        )
    };
    written.into_iter().map(known).collect()
}

fn whole(value: Placed<i64>, key: &str, most: i64) -> Result<Option<u64>, Problem> {
    match value {
        Some(number) if !(1..=most).contains(number.get_ref()) => {
            Err(problem!("{key} = {} is out of range", number.get_ref())
                .help(message!("choose 1 to {most}, or leave it out"))
                .at(number.span()))
        }
        number => Ok(number.map(|number| *number.get_ref() as u64)),
    }
}

fn options(table: &toml::Table) -> Result<Vec<BotOption>, Problem> {
    let text = |(key, value): (&String, &toml::Value)| match value {
        toml::Value::String(text) => Ok((key.clone(), text.clone())),
        toml::Value::Array(_) | toml::Value::Table(_) => Err(problem!(
            "option {key:?} needs one value, not a list or a table"
        )
        .help(message!("write options = {{ {key} = 3 }}"))),
        other => Ok((key.clone(), other.to_string())),
    };
    table.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str, chosen: &[(&str, &str)]) -> String {
        let manifest = Manifest::parse(text).expect("a manifest");
        let chosen: Vec<BotOption> = chosen
            .iter()
            .map(|&(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        manifest.launch(Path::new("folder"), &chosen).display()
    }

    #[test]
    fn options_go_where_the_command_wants_them() {
        let added = "command = ['./bot']\noptions = { depth = 4, hash_mib = 16 }";
        assert_eq!(command(added, &[]), "./bot --depth 4 --hash-mib 16");
        let deeper = command(added, &[("depth", "7")]);
        assert_eq!(deeper, "./bot --depth 7 --hash-mib 16");
        let set_up = "command = ['ntest']\nprotocol = 'nboard'\nsetup = ['set depth {depth}']\n\
                      options = { depth = 12 }";
        let launch = Manifest::parse(set_up).expect("a manifest");
        let launch = launch.launch(Path::new("folder"), &[]);
        assert_eq!(launch.display(), "ntest");
        assert_eq!(launch.setup, ["set depth 12"]);
        let placed = "command = ['./bot', '-d{depth}']\noptions = { depth = 4 }";
        assert_eq!(command(placed, &[("depth", "7")]), "./bot -d7");
    }

    /// Two models at one endpoint must have two names.
    #[test]
    fn a_name_shows_the_options_that_have_a_place_in_it() {
        let text = "name = '{model}'\ncommand = ['x']\noptions = { model = 'a', legal = 'shown' }";
        let manifest = Manifest::parse(text).expect("a manifest");
        let [model, legal] = [("model", "openai/gpt-5"), ("legal", "hidden")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        let named = manifest.named(&[model, legal.clone()]);
        assert_eq!(named, (Some("openai-gpt-5".to_owned()), vec![legal]));
        assert_eq!(manifest.named(&[]), (Some("a".to_owned()), Vec::new()));
    }

    #[test]
    fn a_value_is_not_searched_for_others() {
        let nested = "command = ['./bot', '-{a}{a}']\noptions = { a = '{b}', b = 1 }";
        assert_eq!(command(nested, &[]), "./bot '-{b}{b}' --b 1");
    }

    #[test]
    fn a_command_has_bounds_with_its_options() {
        let many: Vec<String> = (0..=MOST_OPTIONS).map(|n| format!("o{n} = 1")).collect();
        let many = format!("command = ['./bot']\n[options]\n{}", many.join("\n"));
        let refused = Manifest::parse(&many).expect_err("too many");
        assert_eq!(refused.what, "the bot has 257 options");
        let (places, value) = ("{a}".repeat(1000), "x".repeat(2000));
        for key in [
            "command = ['./bot', '{places}']",
            "command = ['./bot']\nsetup = ['{places}']",
        ] {
            let key = key.replace("{places}", &places);
            let long = format!("{key}\noptions = {{ a = '{value}' }}");
            let refused = Manifest::parse(&long).expect_err("too long");
            assert_eq!(refused.what, "the command is too long with its options");
        }
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        for [text, what, fix, place] in cases::cases::<[String; 4]>("manifest-mistakes") {
            let problem = Manifest::parse(&text).expect_err("it is wrong");
            let at = &text[problem.at.expect("a place")];
            let help = problem.help.expect("a help");
            let found = [problem.what.to_string(), help.to_string(), at.to_owned()];
            assert_eq!(found, [what, fix, place], "{text}");
        }
    }

    #[test]
    fn braces_that_are_no_option_are_the_programs_own() {
        for word in [
            "-D{}",
            "{a b}",
            "${HOME}/x",
            "awk {print}  file",
            "{\"depth\":4}",
        ] {
            let text = format!("command = ['./bot', '{word}']");
            let shown = command(&text, &[]);
            assert!(shown.contains(word), "{shown}");
        }
    }
}
