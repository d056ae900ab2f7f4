//! A tournament: from the file a person wrote to the games that were played.
//!
//! Reading order: [`TournamentFile`] is the text, typed; [`Tournament`] is what it means, checked
//! once; [`Schedule`] says which game is played by whom; [`run`] plays what is scheduled on a
//! number of workers and hands every finished game to its caller. Where games are kept and how
//! they are shown is not known here.

mod catalogue;
mod contestant;
mod draw;
mod file;
mod openings;
mod pool;
mod runner;
mod schedule;
mod validate;

use games::Game;

pub use catalogue::{Catalogue, CatalogueEntry};
pub use contestant::Contestant;
pub use draw::Draw;
pub use file::{BotFile, Placed, Problem, TournamentFile};
pub use openings::{BadOpening, Opening};
pub use pool::{Evidence, Unusable, probe};
pub use runner::{Event, Stop, run};
pub use schedule::{Fixture, Format, Schedule};
pub use validate::given;

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
    /// The openings, in the order in which rounds take them; never empty.
    pub openings: Vec<Opening>,
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
    /// Its games.
    pub fn schedule(&self) -> Schedule {
        let (bots, openings) = (self.contestants.len(), self.openings.len());
        Schedule::new(self.format, bots, self.rounds, openings, self.seed)
    }
}
