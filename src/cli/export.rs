use message::message;
use referee::problem;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, ValueEnum};
use games::Move;
use games::formats::wthor::{self, Day};
use games::formats::{self, How, SavedGame, offsets};

use super::CliError;
use super::output::{is_standard_output, write_file};
use super::replay::{ending, game_of};
use referee::record::{GameId, GameRecord};
use run::RunError;
use run::report::tables::replace;
use run::store::Store;
use tournament::Problem;

/// Write the games of a run in the format of another program
///
/// Writes to standard output, or with -o to a file. WTHOR writes three files that have the same name with different
/// endings. A PSQ file has one game, so several games need a folder. docs/formats.md describes the formats.
#[derive(Debug, Args)]
pub struct Export {
    /// The folder of the run, such as results/quick
    run: PathBuf,
    /// The format: transcript or sgf for both games; ggf, obf or wthor for Othello; psq or offsets for Gomoku
    #[arg(long, short, value_parser = FormatParser)]
    format: Option<ExportFormat>,
    /// Only this game, by its number in games.csv
    #[arg(long, short, value_name = "N")]
    game: Option<u64>,
    /// The event in the header of each game; default: the run's name
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The place in the header of each game, in SGF and GGF
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Write to this file, or to standard output (-); for several games in PSQ, into this folder
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// docs/formats.md says what each format can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// Othello and Gomoku: moves only, one game per line: f5d6c3…
    Transcript,
    /// Othello: the Generic Game Format of the server GGS
    Ggf,
    /// Othello: every position in which a bot was asked, with its move
    Obf,
    /// Othello: the French Federation's database, .wtb with .jou and .trn
    Wthor,
    /// Othello and Gomoku: the Smart Game Format, GM[2] and GM[4]
    Sgf,
    /// Gomoku: Piskvork's and Gomocup's format, one game per file
    Psq,
    /// Gomoku: moves as offsets from the centre, as in Gomocup's openings, one game per line
    Offsets,
}

const FORMATS: &str =
    "choose transcript or sgf; or for Othello ggf, obf or wthor; or for Gomoku psq or offsets";

/// The parser of `--format`. Its error for an unknown format lists the formats of each game.
#[derive(Clone, Debug)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = ExportFormat;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<ExportFormat, clap::Error> {
        let parse = |text: String| ExportFormat::from_str(&text, false).map_err(|_| FORMATS);
        let parser = StringValueParser::new().try_map(parse);
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = ExportFormat::value_variants().iter();
        Some(Box::new(values.filter_map(ExportFormat::to_possible_value)))
    }
}

impl Export {
    pub fn run(self) -> Result<(), CliError> {
        let format = self.format;
        let format = format.ok_or_else(|| problem!("--format is missing").help(FORMATS))?;
        let mut games = self.games()?;
        for (_, game) in &mut games {
            if let Some(event) = &self.event {
                game.event.clone_from(event);
            }
            if let Some(site) = &self.site {
                game.site.clone_from(site);
            }
        }
        let output = self.output.as_deref();
        match (format, output.filter(|path| !is_standard_output(path))) {
            (ExportFormat::Wthor, output) => wthor_files(&games, output),
            (ExportFormat::Psq, Some(folder)) if self.game.is_none() => psq_files(&games, folder),
            (ExportFormat::Psq, None) if games.len() > 1 => Err(several_as_psq(&games).into()),
            (format, output) => {
                let mut text = String::new();
                for (_, game) in &games {
                    text += &written(format, game)?;
                }
                let path = output.unwrap_or(Path::new("-"));
                if write_file(path, &text)? {
                    say_written(games.len(), path);
                }
                Ok(())
            }
        }
    }

    fn games(&self) -> Result<Vec<(GameId, SavedGame)>, CliError> {
        let store = Store::read(&self.run)?;
        let run = self.run.display();
        let mut games = Vec::new();
        let mut keep = |record: GameRecord| games.push((record.id, saved(&record, &self.run)));
        match self.game {
            Some(number) => keep(game_of(&store, &self.run, GameId(number))?),
            None => store.each::<CliError>(|record| {
                keep(record);
                Ok(())
            })?,
        }
        if games.is_empty() {
            return Err(problem!("{run} has no games yet: run arena resume {run}").into());
        }
        Ok(games)
    }
}

/// Returns a game for export. The event is the run, the date the game's first day. The comment says how it ended.
fn saved(record: &GameRecord, run: &Path) -> SavedGame {
    let run = run.file_name().unwrap_or_default().to_string_lossy();
    SavedGame {
        event: run.into_owned(),
        date: day_text(SystemTime::UNIX_EPOCH + Duration::from_millis(record.started_unix_ms)),
        comment: format!("game {}: {}", record.id.0, ending(record)),
        ..record.saved()
    }
}

fn day_text(time: SystemTime) -> String {
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}

fn written(format: ExportFormat, game: &SavedGame) -> Result<String, Problem> {
    let ending = match format {
        ExportFormat::Transcript => "txt",
        ExportFormat::Ggf => "ggf",
        ExportFormat::Sgf => "sgf",
        ExportFormat::Psq => "psq",
        ExportFormat::Obf => "obf",
        ExportFormat::Offsets => {
            let moves: Vec<Move> = game.plies().collect();
            let line = offsets::write(game.start.game(), &moves);
            return line.map(|line| line + "\n").map_err(Problem::new);
        }
        ExportFormat::Wthor => unreachable!("it is not a text"),
    };
    let text = formats::write(ending, game).expect("a format of text");
    text.map_err(Problem::new)
}

fn several_as_psq(games: &[(GameId, SavedGame)]) -> Problem {
    if let Some(problem) = games
        .iter()
        .find_map(|(_, game)| written(ExportFormat::Psq, game).err())
    {
        return problem;
    }
    let number = games.len();
    problem!("a PSQ file has one game, and there are {number} games")
        .help("write them into a folder: -o games, or choose one: --game 0")
}

fn psq_files(games: &[(GameId, SavedGame)], folder: &Path) -> Result<(), CliError> {
    let what = message!("cannot create the folder {}", folder.display());
    std::fs::create_dir_all(folder).map_err(RunError::system(what))?;
    for (id, game) in games {
        let text = written(ExportFormat::Psq, game)?;
        replace(&folder.join(format!("{}.psq", id.0)), text.as_bytes())?;
    }
    say_written(games.len(), folder);
    Ok(())
}

fn say_written(games: usize, place: &Path) {
    say!("{games} {games|game|games} in {}", place.display());
}

fn wthor_files(games: &[(GameId, SavedGame)], output: Option<&Path>) -> Result<(), CliError> {
    let Some(path) = output else {
        return Err(Problem::new(
            "WTHOR is three binary files, which cannot go to standard output",
        )
        .help("name the first of them: -o games.wtb")
        .into());
    };
    let counts = |game: &SavedGame| game.result.is_none_or(|result| result.how != How::Void);
    let kept: Vec<SavedGame> = games
        .iter()
        .map(|(_, game)| game.clone())
        .filter(counts)
        .collect();
    let today = day_text(SystemTime::now());
    let mut numbers = today.split('-').map(|number| number.parse().unwrap_or(0));
    let mut number = || numbers.next().unwrap_or(0);
    let made = Day {
        year: number(),
        month: number() as u8,
        day: number() as u8,
    };
    let years = kept
        .iter()
        .filter_map(|game| game.date.split('-').next()?.parse().ok());
    let files =
        wthor::write(&kept, made, years.max().unwrap_or(made.year)).map_err(Problem::new)?;
    for (extension, bytes) in [
        ("wtb", &files.games),
        ("jou", &files.players),
        ("trn", &files.tournaments),
    ] {
        replace(&path.with_extension(extension), bytes)?;
    }
    say_written(kept.len(), &path.with_extension("wtb"));
    match games.len() - kept.len() {
        0 => {}
        more => say!("{more} {more|game that does|games that do} not count {more|is|are} left out"),
    }
    Ok(())
}
