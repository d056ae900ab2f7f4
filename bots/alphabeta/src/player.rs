//! The border between the protocol and the games' players: messages in, moves out.

use std::time::Duration;

use games::{Game, Move};
use protocol::{Bot, Info, Question, Start};

use crate::options::Limits;
use crate::search::{Budget, Clock, Depth};
use crate::{gomoku, othello};

/// What a player is told when a game begins.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What is played.
    pub game: Game,
    /// What the options ask for in this game.
    pub limits: Limits,
    /// The limit of one move, from the options or else from the match.
    pub move_time: Option<Duration>,
    /// Whether a game clock runs.
    pub game_clock: bool,
    /// Added to the game's clock after every move.
    pub increment: Duration,
    /// MiB that the transposition table may grow to.
    pub hash_mib: usize,
    /// For every random choice.
    pub seed: u64,
}

impl Setup {
    /// Thinking time where neither options nor match set a limit.
    const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

    fn new(limits: &Limits, start: &Start) -> Setup {
        let asked = limits.move_time;
        let move_time = match (asked, start.move_time) {
            (Some(own), Some(theirs)) => Some(own.min(theirs)),
            (own, theirs) => own.or(theirs),
        };
        // Half of the memory allowed is the table's; the rest is code, weights and stacks.
        let allowed = start.memory_mib.map_or(usize::MAX, |mib| mib as usize / 2);
        Setup {
            game: start.game,
            limits: limits.of_game(start.game),
            move_time,
            game_clock: start.game_time.is_some(),
            increment: start.increment,
            hash_mib: limits.hash_mib.min(allowed),
            seed: start.seed,
        }
    }

    /// How long to think about `question` when `moves_to_go` more moves of our own are expected.
    pub fn budget(&self, question: &Question, moves_to_go: u32) -> Budget {
        let clock = Clock {
            move_time: self.move_time,
            game_left: question.left.filter(|_| self.game_clock),
            increment: self.increment,
        };
        let mut plan = clock.plan(moves_to_go);
        if plan.is_none() && !self.limits.are_fixed() {
            let clock = Clock {
                move_time: Some(Setup::DEFAULT_MOVE_TIME),
                ..Clock::default()
            };
            plan = clock.plan(moves_to_go);
        }
        Budget {
            depth: self.limits.depth.map(|depth| depth as Depth),
            nodes: self.limits.nodes,
            ..Budget::default()
        }
        .with_plan(plan, question.asked_at)
    }
}

/// What a player thinks of a position, in words that a person reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// Plies searched.
    pub depth: u32,
    /// For the mover: discs in Othello, the evaluation's units in Gomoku.
    pub score: f64,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// The expected line, own move first.
    pub line: Vec<Move>,
}

/// A player of one game, from its start to its end.
pub trait Player {
    /// The move to play. `tell` hears of every step that the search completes.
    fn choose(&mut self, question: &Question, tell: &mut dyn FnMut(&Thought)) -> Move;
}

/// The bot: it makes a player for each game, and so forgets everything between games.
pub struct AlphaBeta {
    limits: Limits,
    /// Plies that a manager asks for where the options set neither depth nor nodes.
    asked_depth: Option<u32>,
    player: Option<Box<dyn Player>>,
}

impl AlphaBeta {
    /// A bot that has not been told yet what is played.
    pub(crate) fn new(limits: Limits) -> AlphaBeta {
        AlphaBeta {
            limits,
            asked_depth: None,
            player: None,
        }
    }
}

impl Bot for AlphaBeta {
    fn name(&self) -> &'static str {
        "alphabeta"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        // The old table goes before the new one comes.
        self.player = None;
        let mut setup = Setup::new(&self.limits, start);
        if !setup.limits.are_fixed() {
            setup.limits.depth = self.asked_depth;
        }
        self.player = Some(match start.game.name() {
            "othello" => Box::new(othello::Player::new(setup)),
            "gomoku" => Box::new(gomoku::Player::new(setup)),
            other => return Err(format!("alphabeta does not play {other}")),
        });
        Ok(())
    }

    fn limit_depth(&mut self, plies: u32) {
        self.asked_depth = Some(plies.clamp(1, Limits::MAX_DEPTH));
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let Some(player) = &mut self.player else {
            // Nobody said what is played: any legal move will do.
            return question
                .legal()
                .first()
                .map_or(Move::Pass, |&square| Move::Place(square));
        };
        player.choose(question, &mut |thought| say(&info(thought)))
    }
}

/// A thought on the wire.
fn info(thought: &Thought) -> Info {
    Info {
        depth: Some(thought.depth),
        score: Some(thought.score),
        nodes: Some(thought.nodes),
        time_ms: Some(thought.time.as_millis() as u64),
        pv: thought.line.iter().map(Move::to_string).collect(),
        text: None,
    }
}
