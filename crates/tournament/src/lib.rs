//! A tournament: from the file of the user to the list of games.
//!
//! Read in this order: [`TournamentFile`] is the parsed text, and [`Tournament`] the validated tournament. From the
//! results so far, [`Format`] determines the pairings, and [`Agenda`] the next games. [`Stopping`] ends a match that
//! has reached its [`Goal`]. This crate does not play, save or show games.

mod agenda;
mod bot_word;
mod catalogue;
mod conditions;
mod confinement;
mod contestant;
mod file_kind;
pub mod form;
mod format;
mod grading;
pub mod mark;
mod numbers;
mod openings;
pub mod people;
mod random_draw;
mod schedule;
mod schema;
mod stopping;
mod time_control;
mod tournament_file;
pub mod tuning;
mod tuning_file;
mod validate;
mod yardstick;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use games::{Game, Move, Side, Symmetry};
use host::Sandbox;
use message::{Message, message};

use crate::mark::points;
use crate::tuning::Tuning;
use referee::problem;
pub use referee::problem::{Placed, Problem};
use referee::record::{GameId, GameRecord};
use referee::{Adjudication, Terms};

pub use agenda::{Agenda, Next};
pub use bot_word::plain;
pub use catalogue::{Catalogue, CatalogueEntry, KnownEngine, argument};
pub use confinement::{MEMORY_MIB, SandboxChoice};
pub use contestant::Contestant;
pub use file_kind::{
    begins_as_program, ending, folder_of, interpreter, not_document, not_source, stem,
};
pub use format::{Field, Format, History, Meeting, Pairings, Places};
pub use numbers::given;
pub use openings::{BadOpening, Opening};
pub use random_draw::Draw;
pub use schedule::{Fixture, Schedule};
pub use schema::{bot_schema, in_toml, manual, tournament_schema};
pub use stopping::{Goal, Stopping};
pub use time_control::TimeControl;
pub use tournament_file::{
    AdjudicateFile, BotFile, GradeFile, ParameterFile, SprtFile, TournamentFile, TuneFile,
};
pub use validate::MOST_GAMES;
pub use yardstick::Yardstick;

/// The first random stream for the seeds of graded bots. The streams of pairs are numbered from 0 and never reach it.
const GRADED_STREAM: u64 = 1 << 63;

/// The valid factors by which time limits are scaled on a slower or faster machine.
const SCALES: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// A tournament that can be played: every bot was found, every opening is legal, and every number is in range.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct Tournament {
    pub name: String,
    pub game: Game,
    pub format: Format,
    pub rounds: u64,
    pub goal: Option<Goal>,
    pub tuning: Option<Arc<Tuning>>,
    /// The openings, in the order in which rounds use them; never empty.
    pub openings: Vec<Opening>,
    pub openings_file: Option<PathBuf>,
    /// In a run of stages: the rules of each stage, in the order of the openings; otherwise empty.
    pub stages: Vec<StageRules>,
    /// The symmetries of the openings, one for each lap through all openings. Never empty; the identity is first.
    pub symmetries: Vec<Symmetry>,
    /// A bot loses the game by this number of illegal answers in one turn.
    pub illegal_answers: u32,
    /// Once the bots have spent this price, no further game begins; `None` for no limit.
    pub budget: Option<f64>,
    pub adjudication: Adjudication,
    pub ponder: bool,
    pub concurrency: usize,
    pub pin: bool,
    /// The cores to which games are pinned; empty for all cores.
    pub core_list: Vec<usize>,
    pub log: bool,
    /// The bots with known ratings: name and rating. All other ratings are relative to these.
    pub anchors: Vec<(String, f64)>,
    /// In the format `rating`: the ratings of the other bots, and the precision that ends the run.
    pub yardstick: Option<Yardstick>,
    /// In the format `pairings`: the numbers of the bots of each pairing. The first bot is black in the first game.
    pub pairings: Vec<[usize; 2]>,
    pub seed: u64,
    /// Whether the first bot is graded. The seeds of a graded bot do not depend on `seed`. If they did, the bot could
    /// search for the `seed` that leads to its own seeds, and predict its opponents' random numbers.
    pub is_suite: bool,
    pub has_hand_ins: bool,
    /// The speed of the machine for which the limits are meant, in nodes/s of alphabeta's bench; `None`: not scaled.
    pub scale_nps: Option<u64>,
    pub contestants: Vec<Contestant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageRules {
    pub game: Game,
    /// The side of the first bot: the side to move at the start of the stage.
    pub attacker: Side,
    /// The number of half-moves, counted from the start of the stage, after which the game is drawn.
    pub most_plies: usize,
}

impl Tournament {
    /// Returns whether this bot may stop the run by sending `unable`. Only a bot with a network can have a reason for
    /// this, such as a broken service. A hand-in or a bot that plays stages must not avoid a loss in this way.
    pub fn may_stop(&self, bot: &Contestant) -> bool {
        let is_open = |sandbox: &Sandbox| sandbox.network;
        let is_exam = self.has_hand_ins || self.format == Format::Stages;
        !is_exam && bot.launch.sandbox.as_ref().is_none_or(is_open)
    }

    /// Creates a tournament from the start position with default options: one game at a time on its own core, seed 1.
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
            goal: None,
            tuning: None,
            openings: vec![Opening::default()],
            openings_file: None,
            stages: Vec::new(),
            symmetries: vec![Symmetry::ALL[0]],
            illegal_answers: 1,
            budget: None,
            adjudication: Adjudication::default(),
            ponder: false,
            concurrency: 1,
            pin: true,
            core_list: Vec::new(),
            log: false,
            anchors: Vec::new(),
            yardstick: None,
            pairings: Vec::new(),
            seed: 1,
            is_suite: false,
            has_hand_ins: false,
            scale_nps: None,
            contestants,
        }
    }

    /// Multiplies all time limits, but not the margin, by `factor`, for a machine that is slower or faster than the
    /// machine for which they are meant. Fails if the factor is more than 10 or less than 0.1.
    pub fn scale(&mut self, factor: f64) -> Result<(), Problem> {
        if !SCALES.contains(&factor) {
            return Err(problem!(
                "this machine would have to scale all limits by {factor:.2}, which is not fair"
            )
            .help("leave this machine out, or let the bots search a fixed number of nodes"));
        }
        // The protocol has whole milliseconds, and 0 means no limit.
        let scaled = |time: Duration| {
            let ms = (time.as_secs_f64() * 1000.0 * factor).round();
            Duration::from_millis((ms as u64).max(u64::from(!time.is_zero())))
        };
        for bot in &mut self.contestants {
            let limits = &mut bot.limits;
            let times = [
                &mut limits.move_time,
                &mut limits.game_time,
                &mut limits.increment,
            ];
            for time in times {
                *time = scaled(*time);
            }
        }
        Ok(())
    }

    pub fn field(&self) -> Field {
        Field {
            bots: self.contestants.len(),
            rounds: self.rounds,
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.contestants.iter().map(|bot| bot.name.as_str())
    }

    pub fn conditions(&self) -> Vec<Message> {
        let limits = self.contestants[0].limits;
        let seconds = |time: Duration| (!time.is_zero()).then(|| points(time.as_secs_f64()));
        let answers = Some(self.illegal_answers).filter(|answers| *answers > 1);
        let words = [
            seconds(limits.move_time).map(|s| message!("{s} s per move")),
            seconds(limits.game_time).map(|s| message!("{s} s per game")),
            seconds(limits.increment).map(|s| message!("{s} s more after each move")),
            answers.map(|answers| message!("{answers} illegal answers in one turn lose")),
        ];
        words.into_iter().flatten().collect()
    }

    pub fn cores_a_bot(&self) -> usize {
        let cores = self.contestants.iter().map(|bot| bot.cores);
        cores.max().unwrap_or(1)
    }

    /// Returns the number of cores of a game. Bots that think at the same time have their own cores.
    pub fn cores_a_game(&self) -> usize {
        self.cores_a_bot() * self.thinkers()
    }

    pub fn thinkers(&self) -> usize {
        if self.ponder { 2 } else { 1 }
    }

    /// Returns the number of pairs of a match before an opening repeats in the same symmetry.
    pub fn openings_a_lap(&self) -> u64 {
        (self.openings.len() * self.symmetries.len()) as u64
    }

    /// Returns the seeds of the bots in a game, black's first. The seeds of a graded bot depend only on the round and
    /// the bot's side, so they are the same in every suite.
    pub fn seeds(&self, id: GameId) -> [u64; 2] {
        // A seed has 53 bits, because `f64` is the only type of number in some languages.
        let next = |draw: &mut Draw| draw.bits() >> 11;
        let (leg, mut draw) = (id.leg() as usize, Draw::new(self.seed, id.pair()));
        // Four draws per pair, two for each of its games.
        let seeds = [(); 4].map(|()| next(&mut draw));
        // An opening rule makes the opening depend on the bots' seeds, so both games of a pair have the same seeds.
        let of_game = if self.game.opening().is_some() {
            0
        } else {
            leg
        };
        let mut seeds = [seeds[2 * of_game], seeds[2 * of_game + 1]];
        if self.is_suite {
            let round = id.pair() / (self.contestants.len() - 1) as u64;
            // The graded bot is black in the first game of a pair.
            seeds[leg] = next(&mut Draw::new(
                0,
                GRADED_STREAM | GameId::new(round, leg as u64).0,
            ));
        }
        seeds
    }

    pub fn seeds_of(&self, record: &GameRecord) -> [u64; 2] {
        let mut seeds = self.seeds(record.id);
        if record.is_swapped() {
            seeds.reverse();
        }
        seeds
    }

    pub fn stage(&self, fixture: &Fixture) -> Option<StageRules> {
        self.stages.get(fixture.opening).copied()
    }

    pub fn opening(&self, fixture: &Fixture) -> Vec<Move> {
        let symmetry = self.symmetries[(fixture.lap % self.symmetries.len() as u64) as usize];
        let moves = self.openings[fixture.opening].moves.iter();
        moves
            .map(|&played| symmetry.apply_to_move(played, self.game.size()))
            .collect()
    }

    pub fn terms(&self, fixture: &Fixture) -> Terms {
        let (opening, stage) = (self.opening(fixture), self.stage(fixture));
        let mut adjudication = self.adjudication;
        if let Some(stage) = stage {
            adjudication.draw_after = Some(opening.len() + stage.most_plies);
        }
        Terms {
            game: stage.map_or(self.game, |stage| stage.game),
            opening,
            adjudication,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_of_a_graded_bot_reveal_nothing_about_the_suite() {
        let file = |seed: u64, grade: &str| {
            let bots = ["random", "random2", "random3"]
                .map(|name| format!("[[bot]]\nname = \"{name}\"\ncommand = [\"{name}\"]\n"));
            let text = format!(
                "name = \"s\"\ngame = \"othello\"\nformat = \"gauntlet\"\nseed = {seed}\n{grade}\n{}",
                bots.concat()
            );
            crate::agenda::tests::validated(&text).expect("it is right")
        };
        let seeds = |tournament: &Tournament, pair, leg: u64| {
            let [black, white] = tournament.seeds(GameId::new(pair, leg));
            if leg == 0 {
                [black, white]
            } else {
                [white, black]
            }
        };
        let [one, other] = [1, 2].map(|seed| file(seed, "[grade]"));
        for (pair, leg) in (0..10).flat_map(|pair| [(pair, 0), (pair, 1)]) {
            let [[own, opponents], [owns, others]] =
                [&one, &other].map(|suite| seeds(suite, pair, leg));
            assert_eq!(own, owns);
            assert_ne!(opponents, others);
            // The bot's seed is the same against the other opponent of the round, but not in other rounds or games.
            assert_eq!(own, seeds(&one, pair ^ 1, leg)[0]);
            assert_ne!(own, seeds(&one, pair ^ 2, leg)[0]);
            assert_ne!(own, seeds(&one, pair, 1 - leg)[0]);
            let [plain, plains] = [1, 2].map(|seed| seeds(&file(seed, ""), pair, leg));
            assert_eq!(plain[1], opponents);
            assert!(plain[0] != plains[0] && plain[0] != own);
        }
    }
}
