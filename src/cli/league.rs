use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, LineStyle, Table};
use message::{Message, message, spoken};
use referee::problem;
use run::report::{Progress, places_text};
use run::unix_ms;
use toml::Spanned;
use tournament::mark::Scale;
use tournament::{BotFile, SandboxChoice, TournamentFile, given};

use super::bots::{YARDSTICKS, catalogue};
use super::cluster::Submit;
use super::error::Ending;
use super::league_serve::{ServeLeague, WriteSite};
use super::options::{BoardOptions, GameOptions, LanguageOption};
use super::output::{json_text, write_file};
use super::sandbox;
use super::{CliError, print, print_said, stop_on_ctrl_c, width};
use crate::grade::{HandIn, Suite};
use crate::league::{
    Goals, League, LeagueTable, Limits, MarkRow, Played, Playing, Upload, Version, VersionState,
};
use crate::shard::submit::Scheduler;

/// Run a league: a tournament that never ends, while bots keep arriving
///
/// Each hand-in is a version of its owner's bot and a player of its own; the ratings of all versions come from all
/// pairs of games so far. `play` checks each hand-in in a sandbox, and plays round after round; all other commands work
/// beside it. After a crash, `play` continues with the game that was interrupted. docs/league.md is a guide.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, mut_arg("lang", |lang| lang.global(true)))]
pub struct LeagueCommand {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    language: LanguageOption,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make the folder of a league
    New(Box<New>),
    /// Add owners, or give them new secrets: prints NAME,SECRET lines. Only a hash of a secret is kept
    Owner(OwnerNames),
    /// Hand in a bot, or its next version
    Add(Add),
    /// Check hand-ins and play rounds, until Ctrl-C
    Play(Play),
    Serve(ServeLeague),
    Site(WriteSite),
    /// Print the table
    Table(ShowTable),
    /// Let a version play no further games
    SetAside(SetAside),
    /// Check again a version that was set aside, refused or replaced, and let it play if it passes
    Restore(VersionName),
    /// Accept no hand-in after a time; `play` then ends once every bot has played its first games
    Close(Close),
    /// Delete the files of a version, which plays no further games. Its results stay
    Delete(VersionName),
    /// Open a closed league again
    Open(Folder),
    /// Copy the league as it is now into a folder, also while it is played
    Backup(Backup),
    /// Print marks as CSV, from the games so far: the rating, and the results against the anchors
    Marks(Marks),
}

impl LeagueCommand {
    pub fn run(self) -> Result<(), CliError> {
        self.language.speak()?;
        match self.what {
            What::New(new) => new.run(),
            What::Owner(owners) => owners.run(),
            What::Add(add) => add.run(),
            What::Play(play) => play.run(),
            What::Serve(serve) => serve.run(),
            What::Site(site) => site.run(),
            What::Table(table) => table.run(),
            What::SetAside(version) => version.run(),
            What::Restore(version) => version.restore(),
            What::Delete(version) => version.delete(),
            What::Close(close) => close.run(),
            What::Backup(backup) => backup.run(),
            What::Marks(marks) => marks.run(),
            What::Open(folder) => {
                folder.open()?.close_at(None)?;
                print_said(&"the league accepts hand-ins".into())
            }
        }
    }
}

#[derive(Debug, Args)]
struct Folder {
    /// The folder of the league
    league: PathBuf,
}

impl Folder {
    fn open(&self) -> Result<League, CliError> {
        Ok(League::open(&self.league)?)
    }
}

#[derive(Debug, Args)]
struct New {
    /// A new folder
    league: PathBuf,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    /// Bots of the league's own, which always play: names of `arena bots` or of docs/rating.md, separated by commas.
    /// Those with a known rating keep it, and the others are rated on their scale
    #[arg(long, value_name = "BOTS", value_delimiter = ',')]
    anchors: Vec<String>,
    /// Show visitors numbers instead of the names of bots and owners
    #[arg(long)]
    anonymous: bool,
    /// Begin a new season of this league: the same conditions and owners, and the newest version of each bot
    #[arg(long, value_name = "LEAGUE", conflicts_with_all = ["game", "anchors"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    options: GameOptions,
}

impl New {
    fn run(self) -> Result<(), CliError> {
        if let Some(old) = &self.from {
            let (old, stop) = (League::open(old)?, stop_on_ctrl_c()?);
            let mut file = old.file()?;
            self.options.apply(&mut file);
            let is_anonymous = self.anonymous || old.settings()?.is_anonymous;
            let mut league = League::create(&self.league, &file, is_anonymous)?;
            let bots = league.begin_with_bots_of(&old, &stop)?;
            let folder = league.folder().display();
            return print_said(&message!(
                "{folder}: a new season; bots taken over from the old season: {bots}"
            ));
        }
        let known = yardstick(&self.game);
        let mut file = self.board.tournament(self.game, &[] as &[&str])?;
        file.hand_ins = given(Some(true));
        self.options.apply(&mut file);
        // Limits the build time, because other hand-ins wait during a build.
        file.build_ms = file.build_ms.or_else(|| given(Some(120_000)));
        // Without a fixed tier, each machine that plays chooses its best tier.
        file.sandbox = file.sandbox.filter(|tier| tier.get_ref() != "auto");
        let words = match self.anchors.as_slice() {
            [] => spread(&known),
            words => words.to_vec(),
        };
        for word in &words {
            let rated = known.iter().find(|bot| bot.written_name() == *word);
            let bot = rated
                .cloned()
                .map_or_else(|| BotFile::from_word(word), Ok)?;
            file.bot.push(Spanned::new(0..0, bot));
        }
        let mut tried = file.clone();
        // A tournament needs at least two bots, so a hand-in is added for the check.
        tried.bot.push(Spanned::new(
            0..0,
            BotFile {
                name: given(Some("a-hand-in".to_owned())),
                ..BotFile::from_word(games_random())?
            },
        ));
        tried.validate(&catalogue()?, Path::new("."))?;
        let league = League::create(&self.league, &file, self.anonymous)?;
        let folder = league.folder().display();
        print_said(&message!(
            "{folder}: a league of {} with {}",
            file.game.as_ref().map_or("", |game| game.get_ref()),
            words
        ))?;
        print_said(&message!(
            "hand in: arena league add {folder} BOT --owner NAME; play: arena league play {folder}"
        ))
    }
}

fn games_random() -> &'static str {
    "random"
}

fn yardstick(game: &str) -> Vec<BotFile> {
    let files = YARDSTICKS
        .iter()
        .map(|text| TournamentFile::parse(text).expect("a built-in file"));
    let is_of_game =
        |file: &TournamentFile| file.game.as_ref().is_some_and(|of| of.get_ref() == game);
    let bots = files.filter(is_of_game).flat_map(|file| file.bot);
    bots.map(Spanned::into_inner).collect()
}

/// Returns the names of four bots from the weakest to a strong one.
fn spread(known: &[BotFile]) -> Vec<String> {
    match known.len() {
        0 => vec![games_random().to_owned()],
        bots => (0..4)
            .map(|at| known[at * (bots - 1) * 2 / 9].written_name().to_owned())
            .collect(),
    }
}

#[derive(Debug, Args)]
struct OwnerNames {
    #[command(flatten)]
    folder: Folder,
    /// The names of the owners
    #[arg(required = true)]
    names: Vec<String>,
}

impl OwnerNames {
    fn run(self) -> Result<(), CliError> {
        let mut league = self.folder.open()?;
        for name in &self.names {
            referee::bot::check_name(name)?;
            let secret = league.new_secret(name)?;
            print(&format!("{name},{secret}\n"))?;
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
struct Add {
    #[command(flatten)]
    folder: Folder,
    /// A file, a folder or an archive
    bot: PathBuf,
    /// The owner, who is added if necessary
    #[arg(long)]
    owner: String,
    /// The name of the bot [default: the owner's name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl Add {
    fn run(self) -> Result<(), CliError> {
        referee::bot::check_name(&self.owner)?;
        if !self.bot.exists() {
            return Err(
                problem!("there is no file or folder {}", self.bot.display())
                    .help("a hand-in is a file, a folder or an archive")
                    .into(),
            );
        }
        let mut league = self.folder.open()?;
        let stop = stop_on_ctrl_c()?;
        let owner = league.owner(&self.owner)?;
        let name = self.name.as_ref().unwrap_or(&self.owner);
        let upload = Upload::Path(&self.bot);
        let (_, number) = league.hand_in(&owner, name, upload, Limits::NONE, &stop)?;
        let title = HandIn::title(&self.bot);
        print_said(&message!(
            "{title} is {name}-v{number}: arena league play checks this version and plays its games"
        ))
    }
}

#[derive(Debug, Args)]
struct Play {
    #[command(flatten)]
    folder: Folder,
    /// Games played at a time, one core each
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    concurrency: usize,
    /// End after this many games, even if the league is closed [default: never; if it is closed, once each bot has
    /// played its first games]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// A suite for marks: once the league is closed, play until each bot has the suite's number of games against each of
    /// its opponents
    #[arg(long, value_name = "NAME|FILE")]
    suite: Option<String>,
    /// Play each round on other machines: slurm, parallel, or ssh:HOST,HOST. They must see the league's folder
    #[arg(long, value_name = "WHERE")]
    on: Option<String>,
    /// Slurm: the partition
    #[arg(long, requires = "on")]
    partition: Option<String>,
}

impl Play {
    fn run(self) -> Result<(), CliError> {
        let mut league = self.folder.open()?;
        let mut file = league.file()?;
        sandbox::settle(&mut file, SandboxChoice::Auto)?;
        let (catalogue, stop) = (catalogue()?, stop_on_ctrl_c()?);
        if let Some(place) = &self.on {
            Scheduler::from_word(place)?;
        }
        let submit = |folder: &Path| {
            let place = self.on.clone().unwrap_or_default();
            Submit::rest(folder, place, self.partition.clone())
                .run()
                .map_err(CliError::into_run)
        };
        let goals = self.suite.as_deref().map(goals).transpose()?;
        let playing = Playing {
            goals: goals.as_ref(),
            elsewhere: self.on.as_ref().map(|_| &submit as _),
            file: &file,
            catalogue: &catalogue,
            concurrency: self.concurrency,
            games: self.games,
            stop: &stop,
        };
        let mut progress: Option<Progress> = None;
        let games = league.play(playing, |what| match what {
            Played::Note(note) => {
                let note = spoken().render(&note);
                if let Some(progress) = &progress {
                    progress.say(&note);
                } else {
                    echo!("{note}");
                }
            }
            Played::Game { played, games } => {
                let progress = progress
                    .get_or_insert_with(|| Progress::new(games, played.saturating_sub(1), false));
                progress.game(played, games, String::new);
            }
            Played::Counted => {
                if let Some(progress) = progress.take() {
                    progress.finish();
                }
            }
        })?;
        if let Some(progress) = progress.take() {
            progress.finish();
        }
        print(&text(&league.table()?, width()))?;
        if stop.is_requested() {
            let folder = league.folder().display();
            return Err(Ending::Interrupted.because(message!(
                "stopped: {games} {games|game was|games were} counted; to continue: arena league play {folder}"
            )));
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
struct ShowTable {
    #[command(flatten)]
    folder: Folder,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

impl ShowTable {
    fn run(self) -> Result<(), CliError> {
        let table = self.folder.open()?.table()?;
        print(&if self.json {
            json_text(&table)
        } else {
            text(&table, width())
        })
    }
}

/// Returns the table as text. A narrow terminal gets fewer columns.
fn text(table: &LeagueTable, width: Option<usize>) -> String {
    let is_narrow = width.is_some_and(|width| width < 90);
    let titles = [
        "#", "bot", "Elo", "± 95 %", "places", "games", "won", "drawn", "lost", "faults",
    ];
    let shown = |title: &&str| !(is_narrow && ["places", "drawn"].contains(title));
    let mut lines = Table::new();
    lines
        .load_style(NOTHING.header_separator(LineStyle::new(' ', '─', '─', ' ')))
        .set_header(
            titles
                .iter()
                .filter(|title| shown(title))
                .map(|title| spoken().word("table", title)),
        );
    for row in &table.rows {
        let number =
            |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.0}"));
        let places = row.figures.places.map_or_else(String::new, places_text);
        let name = match row.state {
            VersionState::Anchor | VersionState::Ready => row.name.clone(),
            state => format!("{} ({})", row.name, spoken().word("league", state.word())),
        };
        let cells = [
            row.place
                .map_or_else(String::new, |place| place.to_string()),
            name,
            number(row.figures.elo),
            number(
                row.figures
                    .error_95
                    .filter(|_| !row.is_anchor || row.figures.error_95 != Some(0.0)),
            ),
            places,
            row.figures.games.to_string(),
            row.figures.wins.to_string(),
            row.figures.draws.to_string(),
            row.figures.losses.to_string(),
            row.figures.faults.to_string(),
        ];
        let cells = titles.iter().zip(cells).filter(|(title, _)| shown(title));
        lines.add_row(cells.map(|(_, cell)| cell));
    }
    for (at, title) in titles.iter().filter(|title| shown(title)).enumerate() {
        if *title != "bot" {
            let column = lines.column_mut(at).expect("there is one for each title");
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for line in lines.lines() {
        text += line.trim_end();
        text += "\n";
    }
    let mut notes = vec![message!(
        "rounds: {rounds}, games: {games}",
        rounds = table.rounds,
        games = table.games
    )];
    if table.waiting > 0 {
        notes.push(message!(
            "hand-ins that wait for their check: {waiting}",
            waiting = table.waiting
        ));
    }
    if table.is_closed {
        notes.push("the league is closed".into());
    }
    text += &spoken().render(&Message::list(notes));
    text += "\n";
    for row in &table.rows {
        if let Some(reason) = row
            .reason
            .as_ref()
            .filter(|_| row.state != VersionState::Ready)
        {
            text += &spoken().render(&message!("{name}: {reason}", name = row.name));
            text += "\n";
        }
    }
    text
}

#[derive(Debug, Args)]
struct SetAside {
    #[command(flatten)]
    version: VersionName,
    /// The reason; the owner of the version sees it
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
}

impl SetAside {
    fn run(self) -> Result<(), CliError> {
        let why = self.why.map(Message::quote);
        let why = why.unwrap_or_else(|| "the organiser set it aside".into());
        let (mut league, version) = self.version.find()?;
        league.set_state(version.id, VersionState::SetAside, Some(&why))?;
        rate_again(&mut league)?;
        print_said(&message!(
            "{name} plays no further games",
            name = version.name()
        ))
    }
}

/// Rates the league again, so that only the versions that still play have places.
fn rate_again(league: &mut League) -> Result<(), CliError> {
    let ((last, _), file) = (league.counted()?, league.file()?);
    Ok(league.rate(last, &file)?)
}

#[derive(Debug, Args)]
struct VersionName {
    #[command(flatten)]
    folder: Folder,
    /// A version as in the table, such as ada-v2
    #[arg(value_name = "VERSION")]
    named: String,
}

impl VersionName {
    fn find(&self) -> Result<(League, Version), CliError> {
        let league = self.folder.open()?;
        let mut versions = league.versions()?;
        let names: Vec<String> = versions.iter().map(Version::name).collect();
        let Some(at) = names.iter().position(|name| *name == self.named) else {
            return Err(problem!("there is no version {}", self.named)
                .did_you_mean(&self.named, names.iter().map(String::as_str))
                .into());
        };
        if versions[at].owner.is_none() {
            let name = &self.named;
            return Err(problem!("{name} is an anchor of league.toml")
                .help("delete its lines there: it plays no further games from the next start of arena league play on")
                .into());
        }
        Ok((league, versions.swap_remove(at)))
    }

    fn find_files(&self) -> Result<(League, Version), CliError> {
        let (league, version) = self.find()?;
        if version.file.is_empty() {
            let name = version.name();
            return Err(problem!("the files of {name} were deleted")
                .help("hand it in again")
                .into());
        }
        Ok((league, version))
    }

    fn restore(&self) -> Result<(), CliError> {
        let (mut league, version) = self.find_files()?;
        let name = version.name();
        if version.plays() || version.state == VersionState::Waiting {
            return Err(problem!("{name} is not set aside").into());
        }
        league.set_state(version.id, VersionState::Waiting, None)?;
        print_said(&message!("{name} waits for its check"))
    }

    fn delete(&self) -> Result<(), CliError> {
        let (mut league, version) = self.find_files()?;
        league.delete(version.id)?;
        rate_again(&mut league)?;
        print_said(&message!(
            "the files of {name} are deleted",
            name = version.name()
        ))
    }
}

#[derive(Debug, Args)]
struct Close {
    #[command(flatten)]
    folder: Folder,
    /// The time, such as 2026-12-24T18:00:00Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<u64>,
}

impl Close {
    fn run(self) -> Result<(), CliError> {
        let at = self.at.unwrap_or_else(unix_ms);
        self.folder.open()?.close_at(Some(at))?;
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(at);
        let time = humantime::format_rfc3339_seconds(time).to_string();
        print_said(&message!(
            "no hand-in is accepted after {time}; arena league play ends once each bot has played its first games"
        ))
    }
}

/// Returns a time in ms since 1970.
fn time(text: &str) -> Result<u64, String> {
    let time = humantime::parse_rfc3339_weak(text).map_err(|error| error.to_string())?;
    let since = time
        .duration_since(std::time::UNIX_EPOCH)
        .map_err(|error| error.to_string())?;
    Ok(since.as_millis() as u64)
}

#[derive(Debug, Args)]
struct Backup {
    #[command(flatten)]
    folder: Folder,
    /// A new folder, or that of an earlier backup, which is brought up to date
    to: PathBuf,
}

impl Backup {
    fn run(self) -> Result<(), CliError> {
        let copied = self.folder.open()?.back_up(&self.to)?;
        let to = self.to.display();
        print_said(&message!(
            "{to}: new hand-ins and rounds copied: {copied}; to continue from there: arena league play {to}"
        ))
    }
}

#[derive(Debug, Args)]
struct Marks {
    #[command(flatten)]
    folder: Folder,
    /// A suite whose opponents are anchors of the league: adds their points [default: no marks, only ratings]
    #[arg(long, value_name = "NAME|FILE")]
    suite: Option<String>,
    /// The file [default: standard output]
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

impl Marks {
    fn run(self) -> Result<(), CliError> {
        let league = self.folder.open()?;
        let none = Goals {
            scale: Scale {
                hurdles: Vec::new(),
                pass: 0.0,
                confirm: None,
                accuracy: None,
            },
            games: 0,
        };
        let goals = self.suite.as_deref().map_or(Ok(none), goals)?;
        let mut csv = csv::Writer::from_writer(Vec::new());
        let written = "memory takes all";
        csv.write_record(MarkRow::titles(&goals.scale))
            .expect(written);
        let rows = league.marks(&goals)?;
        for row in &rows {
            csv.write_record(row.cells(&goals.scale)).expect(written);
        }
        let text = csv.into_inner().expect(written);
        write_file(&self.out, &String::from_utf8_lossy(&text))?;
        let without = rows.iter().filter(|row| row.mark.is_none()).count();
        if let Some(suite) = self.suite.filter(|_| without > 0) {
            let (games, folder) = (goals.games, league.folder().display());
            say!(
                "bots without a mark: {without}; a mark needs {games} games against each opponent: close the league, then arena league play {folder} --suite {suite}"
            );
        }
        Ok(())
    }
}

/// Returns the goals of a suite: `word` is its name or its file.
fn goals(word: &str) -> Result<Goals, CliError> {
    let suite = Suite::find(word)?;
    let bots = suite.file.bots(&catalogue()?, &suite.folder)?;
    Ok(Goals {
        scale: suite.file.scale(&bots, 1)?,
        games: 2 * suite
            .file
            .rounds()
            .map_err(|problem| suite.explain(problem))?,
    })
}
