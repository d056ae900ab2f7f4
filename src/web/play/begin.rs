//! From what a page asks for to a game that is played.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use games::{Game, Move, Rules, format_transcript};
use serde::Deserialize;
use toml::Spanned;

use super::{Offer, Session, Sessions};
use crate::run::{self, Run, RunError, RunFile, Stop};
use crate::tournament::{BotFile, Catalogue, Problem, TournamentFile, given};
use referee::bot::Identity;

/// A game as a page asks for it. Bots are numbers of the list that the server offers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Its name.
    pub game: String,
    /// The name of its rules.
    pub rules: Option<String>,
    /// Side of the board.
    pub size: Option<i64>,
    /// Who plays black and white: the number of an offer, or nothing for a person.
    pub seats: [Option<usize>; 2],
    /// The bot's limit of a move in ms; 0: none.
    pub move_ms: i64,
    /// Whether people play under it, too.
    #[serde(default)]
    pub people_too: bool,
    /// A game to go on from.
    #[serde(default)]
    pub from: Option<From>,
}

/// A position of a recorded game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    /// The name of its run.
    pub run: String,
    /// Its number.
    pub game: u64,
    /// Half-moves played.
    pub ply: usize,
}

/// Why a game cannot begin.
#[derive(Debug)]
pub enum Refused {
    /// What the page asks for is not there.
    Bad(String),
    /// A bot or the machine failed.
    Failed(String),
}

impl std::convert::From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        let help = problem.help.map(|help| format!(" ({help})"));
        Refused::Bad(format!("{}{}", problem.what, help.unwrap_or_default()))
    }
}

impl std::convert::From<RunError> for Refused {
    fn from(error: RunError) -> Refused {
        Refused::Failed(error.to_string())
    }
}

/// The name of people in tables: one, or two.
const PEOPLE: [&str; 2] = ["you", "friend"];
/// What stands in run.toml in the place of a person's command.
const PERSON: &str = "(a person)";
/// The longest limit of a move, in ms.
const LONGEST: i64 = 600_000;

/// Begins the game. `moves` are those of [`Wanted::from`].
pub fn begin(
    sessions: &Sessions,
    offers: &[Offer],
    catalogue: &Catalogue,
    results: &Path,
    wanted: Wanted,
    moves: &[Move],
) -> Result<Arc<Session>, Refused> {
    let game = Game::new(&wanted.game, wanted.rules.as_deref(), wanted.size)
        .map_err(|error| Refused::Bad(error.to_string()))?;
    if !(0..=LONGEST).contains(&wanted.move_ms) {
        return Err(Refused::Bad(
            "choose a time of at most ten minutes".to_owned(),
        ));
    }
    let after = game
        .after(moves)
        .map_err(|error| Refused::Bad(error.to_string()))?;
    if after.ending().is_some() {
        return Err(Refused::Bad("the game is over in this position".to_owned()));
    }
    let people = wanted.seats.map(|seat| seat.is_none());
    if people == [false; 2] {
        return Err(Refused::Bad("a person has to play".to_owned()));
    }
    let here = std::env::current_dir().map_err(|error| Refused::Failed(error.to_string()))?;
    let mut file = file(game, &wanted, offers)?;
    // Everything that can be refused is refused before there is a folder.
    let tournament = file.validate(catalogue, &here)?;
    let bots: Vec<_> = (0..2).filter(|&bot| !people[bot]).collect();
    let mut identities = [0, 1].map(|_| Identity {
        name: "a person".to_owned(),
        version: String::new(),
    });
    for bot in bots {
        identities[bot] = run::probe(&tournament.contestants[bot], game).map_err(RunError::from)?;
    }
    let name = format!("play-{}", game.name());
    let folder = new_folder(results, &name)?;
    if !moves.is_empty() {
        let path = folder.join("opening.txt");
        let path = std::path::absolute(&path).unwrap_or(path);
        fs::write(&path, format!("{}\n", format_transcript(moves)))
            .map_err(RunError::system("cannot write the opening of the game"))?;
        file.openings = given(path.to_str().map(str::to_owned));
    }
    let tournament = file.validate(catalogue, &here)?;
    let kept = RunFile::new(&tournament, &file, &here, &identities);
    let run = Run::begin(tournament, &kept, &folder, Stop::new())?;
    let id = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let session = Session::start(id, wanted, run, people)?;
    sessions.keep(Arc::clone(&session));
    Ok(session)
}

/// The match of these two, as in a tournament file.
fn file(game: Game, wanted: &Wanted, offers: &[Offer]) -> Result<TournamentFile, Refused> {
    let mut people = PEOPLE.into_iter();
    let mut bots = Vec::new();
    for seat in wanted.seats {
        let bot = match seat {
            Some(number) => {
                let offer = offers.get(number);
                let offer = offer.ok_or_else(|| Refused::Bad("there is no such bot".to_owned()))?;
                BotFile {
                    move_ms: given(Some(wanted.move_ms)),
                    ..BotFile::from_word(&offer.word)?
                }
            }
            None => BotFile {
                name: given(people.next().map(str::to_owned)),
                command: given(Some(vec![PERSON.to_owned()])),
                move_ms: given(Some(if wanted.people_too { wanted.move_ms } else { 0 })),
                ..BotFile::default()
            },
        };
        bots.push(Spanned::new(0..0, bot));
    }
    Ok(TournamentFile {
        name: given(Some(format!("play-{}", game.name()))),
        game: given(Some(game.name().to_owned())),
        rules: given(Some(game.rules().to_owned())),
        size: given(Some(i64::from(game.size()))),
        format: given(Some("match".to_owned())),
        games: given(Some(2)),
        openings: given(Some("none".to_owned())),
        pin: given(Some(false)),
        bot: bots,
        ..TournamentFile::default()
    })
}

/// Whether people play in the run of this file.
pub fn is_played_by_people(file: &TournamentFile) -> bool {
    let commands = file
        .bot
        .iter()
        .filter_map(|bot| bot.get_ref().command.as_ref());
    commands
        .into_iter()
        .any(|words| words.get_ref().as_slice() == [PERSON])
}

/// The first free folder of this name among the results.
fn new_folder(results: &Path, name: &str) -> Result<std::path::PathBuf, RunError> {
    let first = std::iter::once(name.to_owned());
    let names = first.chain((2..10_000).map(|number| format!("{name}-{number}")));
    for name in names {
        let folder = results.join(name);
        if !folder.exists() {
            return run::create_folder("", Some(&folder));
        }
    }
    let what = format!("{} has too many games", results.display());
    Err(Problem::new(what).into())
}
