//! A tournament: from the file a person wrote to the games that were played.
//!
//! Reading order: [`TournamentFile`] is the text, typed; [`Tournament`] is what it means, checked
//! once; [`Format`] says who meets whom, and [`Agenda`] what is to be played next, given what has
//! been played. [`Stopping`] ends a match that has shown enough. How games are played, kept and shown
//! is not known here.

mod agenda;
mod catalogue;
mod conditions;
mod contestant;
mod draw;
mod file;
mod format;
mod grading;
mod numbers;
mod openings;
mod schedule;
mod stopping;
mod validate;
mod word;

use games::{Game, Move, Symmetry};

use referee::Adjudication;
pub use referee::problem::{Placed, Problem};
use stats::Sprt;

pub use agenda::{Agenda, Next, OutOfSchedule};
pub use catalogue::{Catalogue, CatalogueEntry, KnownEngine, argument};
pub use contestant::Contestant;
pub use draw::Draw;
pub use file::{AdjudicateFile, BotFile, GradeFile, SprtFile, TournamentFile};
pub use format::{Field, Format, History, Meeting, Pairings, Places};
pub use openings::{BadOpening, Opening};
pub use schedule::{Fixture, Schedule, seeds};
pub use stopping::Stopping;
pub use validate::given;
pub use word::{interpreter, start_of_file};

/// A tournament that can be played: every bot found, every opening legal, every number in range.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// What the run is called.
    pub name: String,
    /// Which game, rules and size.
    pub game: Game,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games for each pairing.
    pub rounds: u64,
    /// The test that ends a match before its last round.
    pub sprt: Option<Sprt>,
    /// The openings, in the order in which rounds take them; never empty.
    pub openings: Vec<Opening>,
    /// What holds for the games of each opening alone, in the order of the openings: where each is a
    /// stage. Empty where the tournament's own rules hold for all.
    pub stages: Vec<StageRules>,
    /// How the openings are turned, one after the other, each time the rounds have been through the
    /// whole list; never empty, the identity first.
    pub symmetries: Vec<Symmetry>,
    /// The illegal answer in one turn that loses; 1: the first.
    pub illegal_answers: u32,
    /// When the referee ends a game before its rules do.
    pub adjudication: Adjudication,
    /// Whether a bot may think while its opponent is to move; if not, it is frozen then.
    pub ponder: bool,
    /// Games at a time.
    pub concurrency: usize,
    /// Whether each game keeps to one core.
    pub pin: bool,
    /// For every random choice of the run.
    pub seed: u64,
    /// The bots.
    pub contestants: Vec<Contestant>,
}

/// The rules of the game that begins at one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageRules {
    /// Which game, rules and size.
    pub game: Game,
    /// Half-moves from the stage on after which it is a draw.
    pub most_plies: usize,
}

impl Tournament {
    /// How many take part, and how long a meeting is.
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

    /// The cores that every game is given, so that all games of a run are played alike.
    pub fn cores_a_game(&self) -> usize {
        let cores = self.contestants.iter().map(|bot| bot.cores);
        cores.max().unwrap_or(1)
    }

    /// Pairs of a match after which its openings come again, turned in every way they are to be.
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
}
