//! The record of a finished game.
//!
//! A [`GameRecord`] has everything that a table, a replay or a question about a mark may need. Who won
//! ([`Outcome`]) and how it ended ([`Verdict`]) are separate. This module does not know how games are
//! played or stored.

mod fault;
mod saved;
mod thought;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use games::{Board, Game, Move, Reason, Rules, Side};

pub use fault::{Exit, Fault, excerpt};
pub use message::{SafeText, harmless, label};
pub use thought::{Effort, Thought};

/// Number of a game in its run: twice its pair's number, plus one for the second game of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub u64);

impl GameId {
    /// The game `leg` (0 or 1) of pair `pair`.
    pub const fn new(pair: u64, leg: u64) -> GameId {
        GameId(pair * 2 + leg)
    }

    /// The pair it belongs to, counted from 0.
    pub const fn pair(self) -> u64 {
        self.0 / 2
    }

    /// 0 for the first game of its pair, 1 for the second, with colours swapped.
    pub const fn leg(self) -> u64 {
        self.0 % 2
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Unique in its run.
    pub id: GameId,
    /// Which game, rules and size.
    pub game: Game,
    /// The bots' names, black's first.
    pub players: [String; 2],
    /// The moves given at the start, before the bots were asked.
    pub opening: Vec<Move>,
    /// The plies after the opening, with forced passes.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub verdict: Verdict,
    /// Discs or stones at the end, black's first.
    pub counts: [u16; 2],
    /// In how many parts it was played: more than one if the arena or the machine failed meanwhile.
    pub attempts: u32,
    /// How often a late answer of each bot was excused, black's first.
    pub interruptions: [u32; 2],
    /// When it began, in ms since 1970 UTC.
    pub started_unix_ms: u64,
    /// From the first question to the end.
    pub duration: Duration,
    /// CPU time each bot used while the other was to move, black's first; `None`: not known.
    pub idle_cpu: [Option<Duration>; 2],
    /// Warnings that do not change the result, such as an exit status after the game.
    pub warnings: Vec<String>,
}

/// One ply.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The move.
    pub played: Move,
    /// The mover's time; `None` for a forced pass, which the arena makes.
    pub effort: Option<Effort>,
    /// What the mover reported.
    pub thought: Thought,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// By the rules of the game.
    Rules {
        /// `None`: drawn.
        winner: Option<Side>,
        /// Which rule.
        reason: Reason,
    },
    /// One side gave up.
    Resigned(Side),
    /// One side's fault; the other wins.
    Forfeit {
        /// Who is at fault.
        by: Side,
        /// What it did.
        fault: Fault,
    },
    /// Both are at fault: nobody scores. Black's first.
    BothFailed([Fault; 2]),
    /// The referee ended it, as the tournament asks.
    Adjudicated {
        /// `None`: drawn.
        winner: Option<Side>,
        /// By which of its rules.
        ground: Ground,
    },
    /// The arena or the machine failed: the game does not count.
    Void {
        /// What happened.
        why: String,
    },
}

/// Why a referee ended a game before its rules did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Both bots' scores said for long enough that one of them is winning.
    Scores,
    /// It was too long: a draw.
    Length,
    /// Othello: the rest was played out perfectly by a solver.
    Solved,
}

impl Ground {
    /// All of them.
    pub const ALL: [Ground; 3] = [Ground::Scores, Ground::Length, Ground::Solved];

    /// Its name in tables.
    pub const fn word(self) -> &'static str {
        match self {
            Ground::Scores => "adjudicated-scores",
            Ground::Length => "adjudicated-length",
            Ground::Solved => "adjudicated-solved",
        }
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// That side won.
    Win(Side),
    /// Nobody won.
    Draw,
    /// Both were at fault: a loss for both.
    NobodyScores,
    /// The game does not count.
    Void,
}

impl Verdict {
    /// Who won.
    pub const fn outcome(&self) -> Outcome {
        match self {
            Verdict::Rules {
                winner: Some(side), ..
            }
            | Verdict::Adjudicated {
                winner: Some(side), ..
            } => Outcome::Win(*side),
            Verdict::Rules { winner: None, .. } | Verdict::Adjudicated { winner: None, .. } => {
                Outcome::Draw
            }
            Verdict::Resigned(Side::Black)
            | Verdict::Forfeit {
                by: Side::Black, ..
            } => Outcome::Win(Side::White),
            Verdict::Resigned(Side::White)
            | Verdict::Forfeit {
                by: Side::White, ..
            } => Outcome::Win(Side::Black),
            Verdict::BothFailed(_) => Outcome::NobodyScores,
            Verdict::Void { .. } => Outcome::Void,
        }
    }

    /// The word for how it ended: a rule of the game, `resigned`, `adjudicated-…`, a fault, or
    /// `void`.
    pub const fn reason(&self) -> &'static str {
        match self {
            Verdict::Rules { reason, .. } => reason.word(),
            Verdict::Resigned(_) => "resigned",
            Verdict::Forfeit { fault, .. } => fault.word(),
            Verdict::BothFailed(_) => "both-failed",
            Verdict::Adjudicated { ground, .. } => ground.word(),
            Verdict::Void { .. } => "void",
        }
    }

    /// The fault of `side`, if it is at fault.
    pub const fn fault_of(&self, side: Side) -> Option<&Fault> {
        match self {
            Verdict::Forfeit { by, fault } if by.index() == side.index() => Some(fault),
            Verdict::BothFailed(faults) => Some(&faults[side.index()]),
            _ => None,
        }
    }
}

impl Outcome {
    /// The word used in tables: `black`, `white`, `draw`, `none` or `void`.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Win(side) => side.word(),
            Outcome::Draw => "draw",
            Outcome::NobodyScores => "none",
            Outcome::Void => "void",
        }
    }

    /// Half points of `side`: 2 for a win, 1 for a draw; `None` for a game that does not count.
    pub fn half_points(self, side: Side) -> Option<u8> {
        match self {
            Outcome::Win(winner) => Some(if winner == side { 2 } else { 0 }),
            Outcome::Draw => Some(1),
            Outcome::NobodyScores => Some(0),
            Outcome::Void => None,
        }
    }
}

impl GameRecord {
    /// A game that ended before its first ply, without times and warnings.
    pub fn new(id: GameId, game: Game, players: [&str; 2], verdict: Verdict) -> GameRecord {
        GameRecord {
            id,
            game,
            players: players.map(str::to_owned),
            opening: Vec::new(),
            plies: Vec::new(),
            verdict,
            counts: game.start().counts(),
            attempts: 1,
            interruptions: [0; 2],
            started_unix_ms: 0,
            duration: Duration::ZERO,
            idle_cpu: [None; 2],
            warnings: Vec::new(),
        }
    }

    /// The position in which the first bot was asked.
    ///
    /// # Panics
    /// Where the opening is not one of the game: the store refuses such a record.
    pub fn start(&self) -> Board {
        self.game
            .after(&self.opening)
            .expect("an opening was checked when it was read")
    }

    /// All moves from the start position.
    pub fn moves(&self) -> Vec<Move> {
        self.opening
            .iter()
            .copied()
            .chain(self.plies.iter().map(|ply| ply.played))
            .collect()
    }

    /// A fingerprint of the game. Two games with the same fingerprint are almost certainly the same:
    /// the same bots with the same colours, the same moves, the same end.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.players, self.moves(), self.verdict.outcome()).hash(&mut hasher);
        hasher.finish()
    }

    /// What each move that `side` was asked for took, and what it told of it, in order.
    pub fn efforts(&self, side: Side) -> impl Iterator<Item = (Effort, &Thought)> {
        // Passes are plies too, so sides take turns strictly from the first move on.
        let first = self.opening.len();
        let plies = self.plies.iter().enumerate();
        plies
            .filter(move |(index, _)| (first + index) % 2 == side.index())
            .filter_map(|(_, ply)| Some((ply.effort?, &ply.thought)))
    }

    /// The bot that played `side`.
    pub fn player(&self, side: Side) -> &str {
        &self.players[side.index()]
    }
}
