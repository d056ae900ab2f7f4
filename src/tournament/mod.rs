//! A tournament: from the file that a person wrote to the list of games.
//!
//! Reading order: [`TournamentFile`] is the parsed text; [`Tournament`] is the validated tournament;
//! [`Format`] gives the pairings, and [`Agenda`] the next games, from the results so far. [`Stopping`]
//! ends a match with enough evidence. This module does not know how games are played, saved and shown.

mod agenda;
mod catalogue;
mod conditions;
mod confinement;
mod contestant;
mod draw;
mod file;
pub mod form;
mod format;
mod grading;
mod numbers;
mod openings;
pub mod people;
mod schedule;
mod schema;
mod stopping;
mod validate;
mod word;

use std::path::PathBuf;
use std::time::Duration;

use games::{Game, Move, Symmetry, format_transcript};

use crate::mark::points;
use referee::Adjudication;
pub use referee::problem::{Placed, Problem};
use referee::record::GameRecord;
use stats::Sprt;

pub use agenda::{Agenda, Next};
pub use catalogue::{Catalogue, CatalogueEntry, KnownEngine, argument};
pub use confinement::Boxes;
pub use contestant::Contestant;
pub use draw::Draw;
pub use file::{AdjudicateFile, BotFile, GradeFile, SprtFile, TournamentFile};
pub use format::{Field, Format, History, Meeting, Pairings, Places};
pub use numbers::given;
pub use openings::{BadOpening, Opening};
pub use schedule::{Fixture, Schedule, seeds};
pub use schema::{bot_schema, in_toml, manual, tournament_schema};
pub use stopping::Stopping;
pub use word::{ending, folder_of, interpreter, not_document, not_source, plain, stem};

/// A tournament that can be played: every bot found, every opening legal, every number in range.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The name of the run.
    pub name: String,
    /// Which game, rules and size.
    pub game: Game,
    /// The format: the pairings.
    pub format: Format,
    /// Pairs of games for each pairing.
    pub rounds: u64,
    /// The test that can end a match early.
    pub sprt: Option<Sprt>,
    /// The openings, in the order in which rounds take them; never empty.
    pub openings: Vec<Opening>,
    /// The file that the openings were read from; `None`: they were not read from a file.
    pub openings_file: Option<PathBuf>,
    /// If openings are stages: the rules of each stage, in the order of the openings. Empty if the
    /// tournament's own rules apply to all games.
    pub stages: Vec<StageRules>,
    /// How the openings are turned: the next symmetry each time all openings have been played; never
    /// empty, the identity first.
    pub symmetries: Vec<Symmetry>,
    /// The illegal answer in one turn that loses; 1: the first.
    pub illegal_answers: u32,
    /// When the referee ends a game early.
    pub adjudication: Adjudication,
    /// Whether a bot may think in its opponent's time; if not, it is frozen then.
    pub ponder: bool,
    /// Games played at a time.
    pub concurrency: usize,
    /// Whether each game is pinned to one core.
    pub pin: bool,
    /// The cores that games are pinned to; empty: all.
    pub core_list: Vec<usize>,
    /// Whether the messages of every game are kept.
    pub log: bool,
    /// A bot and its rating, on which the others are based.
    pub anchor: Option<(String, f64)>,
    /// Seed of every random choice of the run.
    pub seed: u64,
    /// The bots.
    pub contestants: Vec<Contestant>,
}

/// The rules of the game of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageRules {
    /// Which game, rules and size.
    pub game: Game,
    /// Half-moves after which it is a draw, counted from the stage.
    pub most_plies: usize,
}

impl Tournament {
    /// A tournament from the start position without rules of its own: one game at a time on its own
    /// core, seed 1.
    pub fn new(
        name: impl Into<String>,
        game: Game,
        format: Format,
        rounds: u64,
        contestants: Vec<Contestant>,
    ) -> Tournament {
        Tournament {
            name: name.into(),
            game,
            format,
            rounds,
            sprt: None,
            openings: vec![Opening::default()],
            openings_file: None,
            stages: Vec::new(),
            symmetries: vec![Symmetry::ALL[0]],
            illegal_answers: 1,
            adjudication: Adjudication::default(),
            ponder: false,
            concurrency: 1,
            pin: true,
            core_list: Vec::new(),
            log: false,
            anchor: None,
            seed: 1,
            contestants,
        }
    }

    /// The number of bots, and the length of a match.
    pub fn field(&self) -> Field {
        Field {
            bots: self.contestants.len(),
            rounds: self.rounds,
        }
    }

    /// The bots' names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.contestants.iter().map(|bot| bot.name.as_str())
    }

    /// What a turn is limited by, in words: time, illegal answers.
    pub fn conditions(&self) -> Vec<String> {
        let limits = self.contestants[0].limits;
        let seconds = |time: Duration| format!("{} s", points(time.as_secs_f64()));
        let mut words = Vec::new();
        for (time, of) in [
            (limits.move_time, "per move"),
            (limits.game_time, "per game"),
            (limits.increment, "more after each move"),
        ] {
            if !time.is_zero() {
                words.push(format!("{} {of}", seconds(time)));
            }
        }
        if self.illegal_answers > 1 {
            let answers = self.illegal_answers;
            words.push(format!("{answers} illegal answers in one turn lose"));
        }
        words
    }

    /// The number of cores for every game; it is the same for all games of a run.
    pub fn cores_a_game(&self) -> usize {
        let cores = self.contestants.iter().map(|bot| bot.cores);
        cores.max().unwrap_or(1)
    }

    /// Pairs of a match after which its openings repeat, in all their symmetries.
    pub fn openings_a_lap(&self) -> u64 {
        (self.openings.len() * self.symmetries.len()) as u64
    }

    /// The rules of one game, if its opening is a stage.
    pub fn stage(&self, fixture: &Fixture) -> Option<StageRules> {
        self.stages.get(fixture.opening).copied()
    }

    /// The moves from which a game starts.
    pub fn opening(&self, fixture: &Fixture) -> Vec<Move> {
        let symmetry = self.symmetries[(fixture.lap % self.symmetries.len() as u64) as usize];
        let moves = self.openings[fixture.opening].moves.iter();
        moves
            .map(|&played| symmetry.apply_to_move(played, self.game.size()))
            .collect()
    }

    /// Checks that a recorded game is the tournament's, and began with the opening that the tournament has for it.
    ///
    /// # Errors
    /// If the record is another run's, or the openings were edited after the run began: the games would not be of one tournament.
    pub fn check_opening(&self, fixture: &Fixture, record: &GameRecord) -> Result<(), Problem> {
        let game = self.stage(fixture).map_or(self.game, |stage| stage.game);
        if game != record.game {
            return Err(problem!(
                "game {} of the record is {}, but the tournament says {game}: the record is another run's, or \
                 run.toml was changed",
                record.id.0,
                record.game
            ));
        }
        let opening = self.opening(fixture);
        if opening == record.opening {
            return Ok(());
        }
        let file = self.openings_file.as_ref();
        let file = file.map_or("the built-in openings".to_owned(), |file| {
            file.display().to_string()
        });
        let [began, now] = [&record.opening, &opening].map(|moves| match moves.as_slice() {
            [] => "the start position".to_owned(),
            moves => format_transcript(moves),
        });
        let game = record.id.0;
        let problem = problem!(
            "{file} has changed since the run began: game {game} began with {began}, and would now \
             begin with {now}"
        );
        Err(problem.help("make the openings what they were, or begin a new run"))
    }
}
