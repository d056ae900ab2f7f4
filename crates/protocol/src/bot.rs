//! The interface of a bot: a function from position to move.

use std::time::{Duration, Instant};

use games::{Board, Game, Move, OpeningRule, Rules, Side};

use crate::{Hello, Info};

/// The terms of a new game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The game.
    pub game: Game,
    /// The bot's side.
    pub you: Side,
    /// The time limit of a move; `None` for no limit.
    pub move_time: Option<Duration>,
    /// The clock for the whole game; `None` for no limit.
    pub game_time: Option<Duration>,
    /// The number of the bot's moves after which `game_time` is added again; `None` for never.
    pub period_moves: Option<u32>,
    /// The time added to the player's clock after each of its moves.
    pub increment: Duration,
    /// The memory limit in MiB; `None` for no limit.
    pub memory_mib: Option<u64>,
    /// The seed of all random choices in this game.
    pub seed: u64,
}

impl Start {
    /// Creates the terms of a game without any clock or limit, with seed 0.
    pub fn untimed(game: Game, you: Side) -> Start {
        Start {
            game,
            you,
            move_time: None,
            game_time: None,
            period_moves: None,
            increment: Duration::ZERO,
            memory_mib: None,
            seed: 0,
        }
    }
}

/// A position in which the bot is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position, with the bot to move. Under an opening rule, [`Board::opening`] has the decision to make.
    pub board: Board,
    /// Every move since the start position; in Gomoku only the stones on the board.
    pub moves: Vec<Move>,
    /// The time left on the bot's game clock, or the limit of this move if there is no game clock; `None` for no limit.
    pub left: Option<Duration>,
    /// The same time for the opponent.
    pub opponent_left: Option<Duration>,
    /// The number of the bot's moves for which `left` must last, this one included; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// The time when the question was read and the clock started.
    pub asked_at: Instant,
}

/// A function from position to move, with a name.
pub trait Bot {
    /// Returns the name of the bot.
    fn name(&self) -> &str;

    /// Returns the version of the bot; by default the version of this crate.
    #[expect(
        clippy::unnecessary_literal_bound,
        reason = "a bot may put its version together"
    )]
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    /// Returns the opening rules of Gomoku that the bot knows; by default none. A bot gets no game with another rule.
    fn openings(&self) -> &'static [OpeningRule] {
        &[]
    }

    /// Starts a game, or returns why the bot cannot play it. Earlier games must not affect this game.
    fn start(&mut self, start: &Start) -> Result<(), String>;

    /// Limits the depth of searches from the next game on. Some programs that run engines do this. Ignored by default.
    fn limit_depth(&mut self, _plies: u32) {}

    /// Returns one of the legal moves ([`Board::legal_moves`]). `say` sends information about the search.
    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move;
}

/// Converts a limit from the wire, where 0 means no limit.
pub(crate) fn limit(ms: u64) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms))
}

impl TryFrom<&Hello> for Start {
    type Error = String;

    fn try_from(hello: &Hello) -> Result<Start, String> {
        if hello.protocol != crate::VERSION {
            return Err(format!(
                "protocol version {} is not supported, only {}",
                hello.protocol,
                crate::VERSION
            ));
        }
        let game = Game::new(&hello.game, Some(&hello.rules), Some(i64::from(hello.size)))
            .and_then(|game| game.with_opening(hello.opening.as_deref()))
            .map_err(|error| error.to_string())?;
        Ok(Start {
            game,
            you: hello.you.into(),
            move_time: limit(hello.move_ms),
            game_time: limit(hello.game_ms),
            period_moves: hello.period_moves.filter(|&moves| moves > 0),
            increment: Duration::from_millis(hello.increment_ms),
            memory_mib: (hello.memory_mib > 0).then_some(hello.memory_mib),
            seed: hello.seed,
        })
    }
}

impl From<&Start> for Hello {
    fn from(start: &Start) -> Hello {
        let ms = |time: Option<Duration>| time.map_or(0, |time| time.as_millis() as u64);
        Hello {
            protocol: crate::VERSION,
            game: start.game.name().to_owned(),
            rules: start.game.rules().to_owned(),
            size: start.game.size(),
            opening: start.game.opening().map(|rule| rule.name().to_owned()),
            you: start.you.into(),
            move_ms: ms(start.move_time),
            game_ms: ms(start.game_time),
            period_moves: start.period_moves,
            increment_ms: start.increment.as_millis() as u64,
            memory_mib: start.memory_mib.unwrap_or(0),
            processes: None,
            disk_mib: None,
            cores: None,
            seed: start.seed,
        }
    }
}

impl Question {
    /// Creates a question without a clock.
    pub fn untimed(board: Board, moves: &[Move], asked_at: Instant) -> Question {
        Question {
            board,
            moves: moves.to_vec(),
            left: None,
            opponent_left: None,
            moves_to_go: None,
            asked_at,
        }
    }

    /// Returns the legal squares; empty only if the bot has to answer with a word such as `swap`.
    pub fn legal(&self) -> Vec<games::Square> {
        self.board.legal_squares()
    }
}
