//! A tournament: from the file a person wrote to the games that were played.
//!
//! Reading order: [`TournamentFile`] is the text, typed; [`Tournament`] is what it means, checked
//! once; [`Format`] says who meets whom, and [`Agenda`] what is to be played next, given what has
//! been played; [`run`] plays it on a number of workers and hands every finished game to its
//! caller. [`Stopping`] ends a match that has shown enough. Where games are kept and how they are
//! shown is not known here.

mod agenda;
mod backlog;
mod catalogue;
mod conditions;
mod contestant;
mod draw;
mod file;
mod format;
mod grading;
mod openings;
mod pool;
mod runner;
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
pub use pool::{Evidence, Lent, Pool, Unusable, build, probe};
pub use runner::{Event, Stop, run};
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
    /// How the openings are turned, one after the other, each time the rounds have been through the
    /// whole list; never empty, the identity first.
    pub symmetries: Vec<Symmetry>,
    /// The illegal answer in one turn that loses; 1: the first.
    pub illegal_answers: u32,
    /// When the referee ends a game before its rules do.
    pub adjudication: Adjudication,
    /// Games at a time.
    pub concurrency: usize,
    /// Whether each game keeps to one core.
    pub pin: bool,
    /// For every random choice of the run.
    pub seed: u64,
    /// The bots.
    pub contestants: Vec<Contestant>,
}

impl Tournament {
    /// How many take part, and how long a meeting is.
    pub fn field(&self) -> Field {
        Field {
            bots: self.contestants.len(),
            rounds: self.rounds,
        }
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

    /// The moves from which a game starts.
    pub fn opening(&self, fixture: &Fixture) -> Vec<Move> {
        let symmetry = self.symmetries[(fixture.lap % self.symmetries.len() as u64) as usize];
        let moves = self.openings[fixture.opening].moves.iter();
        moves
            .map(|&played| symmetry.apply_to_move(played, self.game.size()))
            .collect()
    }
}
