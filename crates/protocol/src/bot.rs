//! The bot's side: a loop that turns lines into questions and moves into lines.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use games::{Board, Game, Move, Rules, Side};

use crate::{Hello, Info, MAX_LINE, MoveMessage, Ready, ToArena, ToBot, Turn};

/// A game that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What is played.
    pub game: Game,
    /// The bot's side.
    pub you: Side,
    /// Limit of one move; `None`: there is none.
    pub move_time: Option<Duration>,
    /// The whole game's clock; `None`: there is none.
    pub game_time: Option<Duration>,
    /// Added to the game's clock after every move.
    pub increment: Duration,
    /// Memory the bot may use, in MiB; `None`: no limit is set.
    pub memory_mib: Option<u64>,
    /// For every random choice in this game.
    pub seed: u64,
}

/// A position in which the bot is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position; the bot has its side to move.
    pub board: Board,
    /// Every move since the start position.
    pub moves: Vec<Move>,
    /// What is left of the bot's game clock, or the limit of this move where there is no game
    /// clock; `None`: no limit.
    pub left: Option<Duration>,
    /// The same of the opponent.
    pub opponent_left: Option<Duration>,
    /// When the question was read: the clock runs from here.
    pub asked_at: Instant,
}

/// A function from position to move, with a name.
pub trait Bot {
    /// What the bot calls itself.
    fn name(&self) -> &str;

    /// A game begins. What was learned in an earlier game is to be forgotten, so that a game
    /// depends on its seed alone. An error ends the bot with this message.
    fn start(&mut self, start: &Start) -> Result<(), String>;

    /// The move to play: one of the legal squares. `say` sends what the bot thinks.
    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move;
}

/// Plays games over `input` and `output` until `quit` or the end of the input.
pub fn serve(bot: &mut dyn Bot, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut game = None;
    let mut input = input;
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = MAX_LINE as u64 + 2;
        if io::Read::take(&mut input, limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let asked_at = Instant::now();
        match serde_json::from_slice(&line).map_err(io::Error::other)? {
            ToBot::Hello(hello) => {
                let start = Start::try_from(&hello).map_err(io::Error::other)?;
                bot.start(&start).map_err(io::Error::other)?;
                game = Some(start.game);
                let ready = Ready {
                    name: bot.name().to_owned(),
                    version: env!("CARGO_PKG_VERSION").to_owned(),
                };
                send(&mut output, &ToArena::Ready(ready))?;
            }
            ToBot::Turn(turn) => {
                let game = game.ok_or_else(|| io::Error::other("a turn before any hello"))?;
                let id = turn.id;
                let question = Question::new(game, &turn, asked_at).map_err(io::Error::other)?;
                let mut failed = Ok(());
                let played = bot.choose(&question, &mut |info| {
                    if failed.is_ok() {
                        failed = send(&mut output, &ToArena::Info(info.clone()));
                    }
                });
                failed?;
                let played = MoveMessage {
                    id: Some(id),
                    played: played.to_string(),
                };
                send(&mut output, &ToArena::Move(played))?;
            }
            ToBot::Quit => return Ok(()),
            ToBot::Over(_) | ToBot::Unknown => {}
        }
    }
}

/// One line, at once: output that stays in a buffer is the classic way to lose on time.
fn send(output: &mut impl Write, message: &ToArena) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// 0 on the wire is "no limit".
fn limit(ms: u64) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms))
}

impl TryFrom<&Hello> for Start {
    type Error = String;

    fn try_from(hello: &Hello) -> Result<Start, String> {
        if hello.protocol != crate::VERSION {
            return Err(format!(
                "protocol {} is not spoken here, only 1",
                hello.protocol
            ));
        }
        let game = Game::new(&hello.game, Some(&hello.rules), Some(i64::from(hello.size)))
            .map_err(|error| error.to_string())?;
        Ok(Start {
            game,
            you: hello.you.into(),
            move_time: limit(hello.move_ms),
            game_time: limit(hello.game_ms),
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
            you: start.you.into(),
            move_ms: ms(start.move_time),
            game_ms: ms(start.game_time),
            increment_ms: start.increment.as_millis() as u64,
            memory_mib: start.memory_mib.unwrap_or(0),
            seed: start.seed,
        }
    }
}

impl Question {
    /// The question that `turn` asks in `game`, read at `asked_at`.
    pub fn new(game: Game, turn: &Turn, asked_at: Instant) -> Result<Question, String> {
        let board = game
            .position(&turn.board, turn.you.into())
            .map_err(|error| error.to_string())?;
        let moves = turn.moves.iter().map(|played| played.parse());
        Ok(Question {
            board,
            moves: moves
                .collect::<Result<_, _>>()
                .map_err(|error: games::BadSquare| error.to_string())?,
            left: limit(turn.left_ms),
            opponent_left: limit(turn.opponent_left_ms),
            asked_at,
        })
    }

    /// The squares that may be played; never empty.
    pub fn legal(&self) -> Vec<games::Square> {
        self.board.legal_squares()
    }
}
