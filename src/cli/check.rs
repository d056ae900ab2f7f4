use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use games::{Family, Game};

use super::bots::one_bot;
use super::error::Ending;
use super::options::{BoardOptions, LanguageOption, SandboxOption};
use super::output::indented_json;
use super::sandbox;
use super::{CliError, print};
use crate::doctor::{self, CheckScope, Observer, Subject, Waits, examine, text};
use message::{Message, message, spoken};
use referee::bot::{Launch, PARTING, cache};
use referee::dialect::Protocol;
use referee::problem;
use referee::{HANDSHAKE, Limits};
use run::Unusable;
use run::report::Waiting;
use tournament::form::Form;
use tournament::{MEMORY_MIB, SandboxChoice, TournamentFile, given};

/// The time that a busy machine may add to a bot's time.
const MARGIN: Duration = Duration::from_millis(20);
/// The time limit per move in the usual suites.
const SUITE: Duration = Duration::from_secs(1);
/// The number of a bot's moves in a whole game. Each move gets an equal part of the game's time limit.
const MOVES: u32 = 30;
/// The wait for output that comes shortly after an answer.
const SETTLE: Duration = Duration::from_millis(60);

/// Check a bot: what is wrong with it, and how to fix it
///
/// Starts the bot, plays prepared positions with it, and describes its problems in plain words: output that is not
/// flushed, wrong coordinates, output that is not a message, an exit at the end of a game, and so on. Without --game it
/// checks all games that the bot plays; with --size or --rules only Gomoku on that board.
///
/// Exit codes: 0 the bot passes all checks, perhaps with warnings, 2 usage or input, 3 the bot has errors,
/// 4 the arena or the machine failed.
#[derive(Debug, Args)]
pub struct Check {
    /// The bot: a folder with bot.toml, a .py or .js file, a program, a command in quotes, or a name
    bot: String,
    /// othello or gomoku; default: both
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    board: BoardOptions,
    /// What the file is, if it is not recognised: ai-player, ai-go, lists, best-strategy, reversi-ai, reversi-bot,
    /// function, kaggle, pisqpipe, caltech, nthu, java-class, or a protocol such as botzone
    #[arg(long, value_name = "FORM")]
    frame: Option<String>,
    /// Limit of one move in ms; default: that of the bot's course, or else 1000
    #[arg(long, value_name = "MS", value_parser = ms())]
    move_ms: Option<u64>,
    /// Time limit for the bot's first answer, ready, in ms; the default is the limit in games
    #[arg(long, value_name = "MS", default_value_t = HANDSHAKE.as_millis() as u64, value_parser = ms())]
    start_ms: u64,
    /// How long a silent bot is tolerated before its silence is examined, in ms
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = ms())]
    silence_ms: u64,
    #[command(flatten)]
    sandbox: SandboxOption,
    /// Write a bot.toml into the bot's folder; it says how the bot is built and started
    #[arg(long)]
    write: bool,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    language: LanguageOption,
}

/// Prints the checks of an examination one by one, and the reason for each wait.
#[derive(Debug)]
struct Watched {
    waiting: Waiting,
    word: String,
    json: bool,
}

impl Observer for Watched {
    fn waits(&self, what: Message) {
        self.waiting.begin(&spoken().render(&what));
    }

    fn made(&self, check: &doctor::Check) {
        if !self.json {
            // Ignores an error: the next print reports a closed pipe.
            self.waiting
                .aside(|| drop(print(&text::line(check, spoken()))));
        }
    }

    fn in_a_grade(&self, game: Game) -> Option<Launch> {
        let tier = host::look().best()?;
        let grade = TournamentFile {
            sandbox: given(Some(tier.word().to_owned())),
            ..TournamentFile::default()
        };
        let bot = one_bot(&self.word, game, Path::new("."), &grade).ok()?;
        Some(bot.launch)
    }
}

fn ms() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=3_600_000)
}

fn write_manifest(subject: &Subject) -> Result<(), CliError> {
    let Launch {
        folder, protocol, ..
    } = &subject.launch;
    let words = subject.launch.words();
    let ours = cache("");
    let is_ours = words.iter().any(|word| Path::new(word).starts_with(&ours));
    if let Some(form) = subject.taken_for.as_ref().filter(|_| is_ours) {
        return Err(problem!(
            "a bot.toml cannot describe {form}: the arena's own program starts it"
        )
        .help("write no bot.toml: the file alone is enough")
        .into());
    }
    let folder = folder.as_deref().unwrap_or(Path::new("."));
    let path = folder.join("bot.toml");
    let line = |key: &str, words: Vec<String>| {
        let words = words.iter().map(|word| serde_json::json!(word).to_string());
        format!("{key} = [{}]\n", words.collect::<Vec<_>>().join(", "))
    };
    let build = subject
        .build
        .as_ref()
        .map(|build| line("build", build.words()));
    let protocol = match protocol {
        Protocol::Arena => String::new(),
        other => format!("protocol = \"{}\"\n", other.word()),
    };
    let text = build.unwrap_or_default() + &line("command", words) + &protocol;
    let file = OpenOptions::new().write(true).create_new(true).open(&path);
    let shown = path.display();
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| problem!("cannot write {shown}: {error}"))?;
    say!("wrote {shown}");
    Ok(())
}

impl Check {
    pub fn run(self) -> Result<(), CliError> {
        let lang = self.language.speak()?;
        if let Some(frame) = &self.frame {
            Form::check(frame)?;
        }
        let (subject, scopes, move_time) = self.subject()?;
        if self.write {
            write_manifest(&subject)?;
        }
        let waits = Waits {
            move_time,
            margin: MARGIN,
            start: Duration::from_millis(self.start_ms),
            silence: Duration::from_millis(self.silence_ms),
            settle: SETTLE,
            parting: PARTING,
        };
        if !self.json {
            print(&text::heading(&subject.report(), lang))?;
        }
        let watched = Watched {
            waiting: Waiting::default(),
            word: self.word(),
            json: self.json,
        };
        let report = examine(&subject, &scopes, waits, &watched).map_err(Unusable::Arena)?;
        watched.waiting.finish();
        let passes = report.passes();
        if let Some(greeting) = subject.launch.known_greeting.other().filter(|_| !self.json) {
            print(&format!(
                "\n{}\n",
                lang.render(&message!("note: {note}", note = greeting))
            ))?;
        }
        if self.move_ms.is_none() && move_time > SUITE && !self.json {
            let note = message!(
                "note: the usual suites allow {} ms per move; to check this limit: arena check --move-ms {0}",
                SUITE.as_millis()
            );
            print(&format!("\n{}\n", lang.render(&note)))?;
        }
        print(&if self.json {
            let mut json = serde_json::json!(report);
            json["passed"] = passes.into();
            indented_json(&json)
        } else {
            text::findings(&report, lang)
        })?;
        if passes {
            Ok(())
        } else {
            Err(Ending::BotProblem.printed())
        }
    }

    fn word(&self) -> String {
        match &self.frame {
            Some(frame) => format!("{frame}:{}", self.bot),
            None => self.bot.clone(),
        }
    }

    /// Returns the bot, the games to check, and the time limit per move.
    fn subject(&self) -> Result<(Subject, Vec<CheckScope>, Duration), CliError> {
        let given = self.board.size.is_some() || self.board.rules.is_some();
        let names = if let Some(name) = &self.game {
            vec![name.as_str()]
        } else {
            // If rules or a size are given, only the games that have such a choice are checked.
            let families = games::families().into_iter();
            let chosen = families.filter(|family| !given || family.has_choice());
            chosen.map(Family::name).collect()
        };
        let mut conditions = TournamentFile {
            move_ms: tournament::given(self.move_ms.map(|ms| ms as i64)),
            ..TournamentFile::default()
        };
        self.sandbox.apply(&mut conditions);
        sandbox::settle(&mut conditions, SandboxChoice::Off)?;
        let (mut subject, mut scopes, mut refusal) = (None, Vec::new(), None);
        for name in names {
            let game = self.board.game(name)?;
            // A bot need not play every game. If it plays none, the reason is shown.
            match one_bot(&self.word(), game, Path::new("."), &conditions) {
                Err(error) => refusal = refusal.or(Some(error)),
                Ok(bot) => {
                    // Programs for other platforms may support only one board size.
                    let all = !given && doctor::speaks_our_protocol(&bot.launch);
                    scopes.push(CheckScope { game, all });
                    subject = Some(bot);
                }
            }
        }
        let Some(bot) = subject else {
            return Err(refusal.expect("no game, so a refusal"));
        };
        let Limits {
            move_time,
            game_time,
            ..
        } = bot.limits;
        let move_time = if move_time.is_zero() {
            game_time / MOVES
        } else {
            move_time
        };
        let subject = Subject {
            name: self.bot.clone(),
            taken_for: bot.taken_for,
            launch: bot.launch,
            build: bot.build,
            restart: bot.restart,
            memory_mib: bot.memory_mib,
            most_mib: MEMORY_MIB as u64,
        };
        Ok((subject, scopes, move_time))
    }
}
