//! The messages on the wire. Readers ignore unknown fields and messages of unknown `type`. Times are in milliseconds,
//! memory in MiB.

use std::collections::BTreeMap;

use games::{Board, Move, Side};
use serde::{Deserialize, Serialize};

/// The version of the protocol that this crate speaks.
pub const VERSION: u32 = 1;

/// The notation of squares as regular expressions for the schema. A bot may write capitals.
#[cfg(feature = "schema")]
mod pattern {
    pub const SQUARE_OR_PASS: &str = "^([a-v](1[0-9]|2[0-2]|[1-9])|pass)$";
    pub const SQUARE_OR_RESIGN: &str =
        "^([a-vA-V](1[0-9]|2[0-2]|[1-9])|stay|swap|two-more|offer-([1-9]|10)|resign)$";
    pub const SQUARE_OR_WORD: &str =
        "^([a-v](1[0-9]|2[0-2]|[1-9])|stay|swap|two-more|offer-([1-9]|10))$";
}

/// A line from the arena to a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToBot {
    /// A game begins; the bot answers `ready`.
    Hello(Hello),
    /// It is the bot's turn; it answers `move`.
    Turn(Turn),
    /// The game has ended.
    Over(Over),
    /// The bot must exit.
    Quit,
    /// A message of a later version: ignored.
    #[serde(other)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Unknown,
}

/// A line from a bot to the arena.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToArena {
    /// The bot is ready to play the game of the last `hello`.
    Ready(Ready),
    /// The bot's move. In this message only, `type` may be left out.
    #[cfg_attr(feature = "schema", schemars(transform = without_required_type))]
    Move(MoveMessage),
    /// Information about the search. A bot may send any number of these before its move.
    Info(Info),
    /// The bot cannot continue for a reason outside of the game, such as a service that refuses its requests.
    Unable {
        /// The reason, for people.
        #[serde(default)]
        text: String,
    },
}

/// Makes `{"move":"d3"}` a valid answer.
#[cfg(feature = "schema")]
fn without_required_type(schema: &mut schemars::Schema) {
    if let Some(serde_json::Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| name != "type");
    }
}

/// The start of a game: the game, the bot's side and the limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hello {
    /// The protocol's version, 1.
    #[cfg_attr(feature = "schema", schemars(extend("const" = 1)))]
    pub protocol: u32,
    /// `othello` or `gomoku`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = games::names())))]
    pub game: String,
    /// `standard`, and for gomoku also `freestyle`, `renju` or `caro`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["standard", "freestyle", "renju", "caro"])))]
    pub rules: String,
    /// Side of the board: 8 for othello, 5 to 22 for gomoku.
    #[cfg_attr(feature = "schema", schemars(range(min = 5, max = 22)))]
    pub size: u8,
    /// The opening rule, such as `swap2`; left out: none. Only bots that list it in `ready` get such a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = games::OpeningRule::ALL.map(games::OpeningRule::name))))]
    pub opening: Option<String>,
    /// The bot's colour; black moves first. Under an opening rule, the bot's colour may still change.
    pub you: Colour,
    /// The time limit per move in ms; 0: no limit.
    pub move_ms: u64,
    /// The clock for the whole game in ms; 0: no limit.
    pub game_ms: u64,
    /// The number of the bot's moves in a period of the clock. After each period, `game_ms` is added to the remaining
    /// time. Left out: `game_ms` is for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub period_moves: Option<u32>,
    /// The time added to the game's clock after every move, in ms.
    pub increment_ms: u64,
    /// Memory the bot may use, in MiB; 0: no limit is set.
    pub memory_mib: u64,
    /// Processes and threads the bot may have at a time; left out: no limit is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
    /// Temporary files the bot may have, in MiB; left out: no limit is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_mib: Option<u64>,
    /// Cores the bot may run on; left out: all cores of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// The seed of all random choices of the bot in this game, so that the game can be repeated. It is below 2⁵³, so
    /// every language reads it exactly.
    #[cfg_attr(feature = "schema", schemars(range(max = 9007199254740991u64)))]
    pub seed: u64,
}

/// A colour on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl From<Side> for Colour {
    fn from(side: Side) -> Colour {
        match side {
            Side::Black => Colour::Black,
            Side::White => Colour::White,
        }
    }
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Side {
        match colour {
            Colour::Black => Side::Black,
            Colour::White => Side::White,
        }
    }
}

/// A request for a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Turn {
    /// The number of the question, which rises by one with each question. An answer may repeat it.
    pub id: u64,
    /// The bot's colour, which may still change in an opening.
    pub you: Colour,
    /// `board[r][c]`: row r from the top, column c from the left; `X` black, `O` white, `.` empty.
    #[cfg_attr(
        feature = "schema",
        schemars(length(min = 5, max = 22), inner(regex(pattern = "^[XO.]{5,22}$")))
    )]
    pub board: Vec<String>,
    /// The legal moves, never empty. Words such as `swap` are legal only in an opening.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), inner(regex(pattern = pattern::SQUARE_OR_WORD))))]
    pub legal: Vec<String>,
    /// Every move since the start position, `pass` included. In Gomoku these are the stones on the board, never words.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = pattern::SQUARE_OR_PASS))))]
    pub moves: Vec<String>,
    /// The time left on the bot's game clock in ms, or the limit of this move if there is no game clock; 0: no limit.
    pub left_ms: u64,
    /// The same for the opponent.
    pub opponent_left_ms: u64,
    /// With periods: the number of the bot's moves, including this one, until `game_ms` is added again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub moves_to_go: Option<u32>,
    /// The decision that the opening rule asks for; left out after the opening, and without such a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningTurn>,
}

/// A decision that an opening rule asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpeningTurn {
    /// `place`: put a stone. `choose`: choose a word of `legal`. `offer`: name a fifth move. `pick`: name one of the
    /// fifth moves that were offered.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["place", "choose", "offer", "pick"])))]
    pub ask: String,
    /// The colour of the next stone.
    pub stone: Colour,
    /// All stones, words and offered moves of both players so far.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = pattern::SQUARE_OR_WORD))))]
    pub so_far: Vec<String>,
}

impl OpeningTurn {
    pub(crate) fn of(board: &Board) -> Option<OpeningTurn> {
        let opening = board.opening()?;
        Some(OpeningTurn {
            ask: opening.step().word().to_owned(),
            stone: board.next_stone().into(),
            so_far: opening.so_far().iter().map(Move::to_string).collect(),
        })
    }
}

/// The game has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Over {
    /// The result for the bot that reads this.
    pub result: GameResult,
    /// How the game ended: `discs`, `five`, `board-full`, `double-three`, `double-four`, `overline`, `resigned`,
    /// `void`, `both-failed`, a word that begins with `adjudicated-`, or the name of a fault.
    pub reason: String,
    /// Black's discs or stones.
    pub black: u16,
    /// White's discs or stones.
    pub white: u16,
}

/// A result seen from one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The reader won.
    Win,
    /// The reader lost.
    Loss,
    /// The game is drawn.
    Draw,
    /// The game does not count.
    Void,
}

/// The answer to `hello`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ready {
    /// The name of the bot.
    #[serde(default)]
    pub name: String,
    /// The version of the bot.
    #[serde(default)]
    pub version: String,
    /// The opening rules that the bot knows; left out: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<String>,
    /// True if games must begin at the start position, because the bot keeps its own board; left out: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub start_only: bool,
}

/// The answer to `turn`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveMessage {
    /// The question's `id`; may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// A square such as `d3`, a word of `legal`, or `resign`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = pattern::SQUARE_OR_RESIGN)))]
    #[serde(rename = "move")]
    pub played: String,
}

/// The bot's view of the position, in the usual terms of engines. All fields may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Info {
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// For the side to move: discs in Othello, the engine's own units in Gomoku.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time spent so far, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The line the bot expects, its own move first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// The costs of the move under names of the bot's choice, such as tokens or a price. The arena adds up the costs of
    /// all moves.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spent: BTreeMap<String, f64>,
    /// Any other text to show beside the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
