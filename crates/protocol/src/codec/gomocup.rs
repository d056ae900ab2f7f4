//! Gomocup's protocol: the manager's `START`, `TURN`, `BOARD` …, the engine's `x,y`.
//!
//! A square is `x,y`, column from the left and row from the top, both from 0: `7,3` is h4. Words may be in any case.
//!
//! Sources: P. Laštovička, M. Petříček, "Gomoku AI protocol", <https://plastovicka.github.io/protocl2en.htm>;
//! `SWAP2BOARD`: gomocup.org, rules of the experimental tournament of 2020.

use std::fmt;

use games::gomoku::Rule;
use games::{MAX_SIZE, Square};

/// The games of the protocol.
pub const GAMES: [&str; 1] = ["gomoku"];

/// The time in ms that means no limit.
pub const NO_LIMIT: i64 = i32::MAX as i64;

/// The line after the last stone of `BOARD` and the last square of `SWAP2BOARD`.
pub const DONE: &str = "DONE";

const RULES: [(i64, Rule); 4] = [
    (0, Rule::Freestyle),
    (1, Rule::Standard),
    (4, Rule::Renju),
    (8, Rule::Caro),
];

/// Returns the number of `INFO rule` for `rule`.
pub fn rule_number(rule: Rule) -> i64 {
    let known = RULES.iter().find(|known| known.1 == rule);
    known.map_or(0, |&(number, _)| number)
}

/// Returns the rule with this number of `INFO rule`, if it is supported.
pub fn numbered_rule(number: i64) -> Option<Rule> {
    let known = RULES.iter().find(|known| known.0 == number);
    known.map(|&(_, rule)| rule)
}

/// Text that is not a square of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("{text:?} is not a square: write column and row from 0 to {}, such as 2,3", .size - 1)]
pub struct BadSquare {
    /// The text.
    pub text: String,
    /// The size of the board that it was parsed for.
    pub size: u8,
}

/// Parses `7,3` as a square of a board of `size`; spaces around the numbers are allowed.
pub fn parse_square(text: &str, size: u8) -> Result<Square, BadSquare> {
    let number = |text: &str| {
        let text = text.trim();
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|&n: &u8| digits && n < MAX_SIZE)
    };
    let square = text
        .split_once(',')
        .and_then(|(column, row)| Some(Square::new(number(column)?, number(row)?)))
        .filter(|square| square.is_on(size));
    square.ok_or_else(|| BadSquare {
        text: text.to_owned(),
        size,
    })
}

/// Writes `7,3`.
pub fn write_square(square: Square) -> String {
    format!("{},{}", square.column(), square.row())
}

/// A line of the manager, except the [`Stone`]s and squares between `BOARD` or `SWAP2BOARD` and [`DONE`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the protocol's page says what each means")]
pub enum GomocupCommand {
    /// `START`, a new game on a board of this size; also `RECTSTART` with two equal sides.
    Start(i64),
    Restart,
    Begin,
    Turn(Square),
    Board,
    Swap2Board,
    TakeBack(Square),
    Play(Square),
    Info(InfoKey, i64),
    /// `INFO` with a key that our engines ignore.
    OtherInfo(String),
    About,
    End,
}

/// A key of `INFO` that our engines read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoKey {
    /// The time limit per move in ms; 0: as fast as possible.
    TimeoutTurn,
    /// The game's clock in ms; 0: no limit.
    TimeoutMatch,
    /// The time left on the game's clock, in ms.
    TimeLeft,
    /// The memory limit in bytes; 0: no limit.
    MaxMemory,
    /// The depth limit in plies.
    MaxDepth,
    /// The rule by its number, see [`numbered_rule`].
    Rule,
}

const PLAIN: [(&str, GomocupCommand); 6] = [
    ("RESTART", GomocupCommand::Restart),
    ("BEGIN", GomocupCommand::Begin),
    ("BOARD", GomocupCommand::Board),
    ("SWAP2BOARD", GomocupCommand::Swap2Board),
    ("ABOUT", GomocupCommand::About),
    ("END", GomocupCommand::End),
];

const KEYS: [(InfoKey, &str); 6] = [
    (InfoKey::TimeoutTurn, "timeout_turn"),
    (InfoKey::TimeoutMatch, "timeout_match"),
    (InfoKey::TimeLeft, "time_left"),
    (InfoKey::MaxMemory, "max_memory"),
    (InfoKey::MaxDepth, "max_depth"),
    (InfoKey::Rule, "rule"),
];

/// The error for a bad line of the manager; its text is for the manager's author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[expect(missing_docs, reason = "the texts say what they are")]
pub enum BadLine {
    #[error("unknown command {0:?}")]
    Unknown(String),
    #[error("{0:?} is not a size: send START and a number, such as START 15")]
    Size(String),
    #[error("{0} is not a square board: only square boards are supported")]
    Rectangle(String),
    #[error("INFO {key} {value}: {value:?} is not a number")]
    Number { key: String, value: String },
    #[error("{0:?} is not a stone: send x,y,1 for the brain's own, x,y,2 for the opponent's")]
    Stone(String),
    #[error("{line}: the last number is 1, 2 or 3, not {owner:?}")]
    Owner { line: String, owner: String },
    #[error(transparent)]
    Square(#[from] BadSquare),
}

fn first_word(line: &str) -> (&str, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

impl GomocupCommand {
    /// Parses a trimmed line for a board of `size`.
    pub fn parse(line: &str, size: u8) -> Result<GomocupCommand, BadLine> {
        let (name, argument) = first_word(line);
        let name_is = |plain: &&(&str, GomocupCommand)| plain.0.eq_ignore_ascii_case(name);
        if let Some((_, plain)) = PLAIN.iter().find(name_is) {
            return Ok(plain.clone());
        }
        let start = |text: &str| {
            let size = text.parse().map(GomocupCommand::Start);
            size.map_err(|_| BadLine::Size(text.to_owned()))
        };
        Ok(match name.to_ascii_uppercase().as_str() {
            "START" => start(argument)?,
            "RECTSTART" => match argument.split_once(',') {
                Some((width, height)) if width.trim() == height.trim() => start(width.trim())?,
                _ => return Err(BadLine::Rectangle(argument.to_owned())),
            },
            "TURN" => GomocupCommand::Turn(parse_square(argument, size)?),
            "TAKEBACK" => GomocupCommand::TakeBack(parse_square(argument, size)?),
            "PLAY" => GomocupCommand::Play(parse_square(argument, size)?),
            "INFO" => {
                let (word, value) = first_word(argument);
                match KEYS.iter().find(|key| key.1.eq_ignore_ascii_case(word)) {
                    None => GomocupCommand::OtherInfo(argument.to_owned()),
                    Some(&(key, _)) => {
                        let number = value
                            .parse()
                            .map(|number| GomocupCommand::Info(key, number));
                        let (key, value) = (word.to_owned(), value.to_owned());
                        number.map_err(|_| BadLine::Number { key, value })?
                    }
                }
            }
            _ => return Err(BadLine::Unknown(name.to_owned())),
        })
    }
}

impl fmt::Display for GomocupCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GomocupCommand::Start(size) => write!(f, "START {size}"),
            GomocupCommand::Turn(square) => write!(f, "TURN {}", write_square(*square)),
            GomocupCommand::TakeBack(square) => write!(f, "TAKEBACK {}", write_square(*square)),
            GomocupCommand::Play(square) => write!(f, "PLAY {}", write_square(*square)),
            GomocupCommand::Info(key, number) => {
                let word = KEYS.iter().find(|known| known.0 == *key);
                write!(f, "INFO {} {number}", word.map_or("", |known| known.1))
            }
            GomocupCommand::OtherInfo(text) => write!(f, "INFO {text}"),
            plain => {
                let word = PLAIN.iter().find(|known| known.1 == *plain);
                f.write_str(word.map_or("", |known| known.0))
            }
        }
    }
}

/// The owner of a stone of `BOARD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoneOwner {
    /// The engine.
    Own = 1,
    /// The opponent.
    Opponent,
    /// No player: the square is part of the winning line of a game.
    Line,
}

/// A line of `BOARD`, such as `7,3,1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// The square.
    pub square: Square,
    /// The owner.
    pub owner: StoneOwner,
}

impl Stone {
    /// Parses a line for a board of `size`.
    pub fn parse(line: &str, size: u8) -> Result<Stone, BadLine> {
        let (square, owner) = line
            .rsplit_once(',')
            .ok_or_else(|| BadLine::Stone(line.to_owned()))?;
        let square = parse_square(square, size)?;
        let owner = match owner.trim() {
            "1" => StoneOwner::Own,
            "2" => StoneOwner::Opponent,
            "3" => StoneOwner::Line,
            owner => {
                let (line, owner) = (line.to_owned(), owner.to_owned());
                return Err(BadLine::Owner { line, owner });
            }
        };
        Ok(Stone { square, owner })
    }
}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", write_square(self.square), self.owner as u8)
    }
}

/// A line of the engine, except the answer to `ABOUT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The command succeeded.
    Ok,
    /// The command failed.
    Error(String),
    /// The command is unknown.
    Unknown(String),
    /// Text for users, from `MESSAGE` or `DEBUG`.
    Message(String),
    /// A move.
    Move {
        /// The square, or the text of two numbers that are no square of any board.
        square: Result<Square, String>,
        /// The rest of the line: further squares of an opening, or a comment.
        rest: String,
    },
    /// The engine takes the other colour.
    Swap,
}

impl Reply {
    /// Makes a move without a comment.
    pub fn square(square: Square) -> Reply {
        Reply::Move {
            square: Ok(square),
            rest: String::new(),
        }
    }

    /// Parses a trimmed line; `None` if it is no reply. A line of exactly two numbers is a move, even off the board.
    /// Numbers before other text are a move only within the largest board: `10,7<tab>Value: 3925`, not `1,204 nodes`.
    pub fn parse(line: &str) -> Option<Reply> {
        let (word, rest) = first_word(line);
        let rest = || rest.to_owned();
        Some(match word.to_ascii_uppercase().as_str() {
            "OK" => Reply::Ok,
            "ERROR" => Reply::Error(rest()),
            "UNKNOWN" => Reply::Unknown(rest()),
            "MESSAGE" | "DEBUG" => Reply::Message(rest()),
            "SWAP" => Reply::Swap,
            _ => {
                let (column, row) = line.split_once(',')?;
                let number = |text: &str| text.trim().parse::<i64>().is_ok();
                let (text, rest) = if number(column) && number(row) {
                    (line, String::new())
                } else {
                    let (column, row) = word.split_once(',')?;
                    let is_on_board = |text: &str| {
                        let number = text.parse().ok();
                        text.len() <= 2 && number.is_some_and(|number: u8| number < MAX_SIZE)
                    };
                    if !is_on_board(column) || !is_on_board(row) {
                        return None;
                    }
                    (word, rest())
                };
                let square = parse_square(text, MAX_SIZE).map_err(|bad| bad.text);
                Reply::Move { square, rest }
            }
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Error(text) => write!(f, "ERROR {text}"),
            Reply::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Move { square, rest } => {
                let square = square.as_ref().map(|&square| write_square(square));
                f.write_str(square.as_ref().unwrap_or_else(|text| text))?;
                let blank = if rest.is_empty() { "" } else { " " };
                write!(f, "{blank}{rest}")
            }
            Reply::Swap => f.write_str("SWAP"),
        }
    }
}

/// The answer to `ABOUT`: `name="Carbon", version="1.0"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The engine's name.
    pub name: String,
    /// The engine's version; empty if unknown.
    pub version: String,
}

impl About {
    /// Parses a line that has a name among other keys; quotes may be missing.
    pub fn parse(line: &str) -> Option<About> {
        let value = |key: &str| {
            let (_, after) = line.split_once(key)?;
            let after = after.trim_start().strip_prefix('=')?.trim_start();
            let value = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"')?.0,
                None => after.split([',', ' ']).next().unwrap_or_default(),
            };
            Some(value.to_owned())
        };
        Some(About {
            name: value("name")?,
            version: value("version").unwrap_or_default(),
        })
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name=\"{}\", version=\"{}\"", self.name, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SQUARE: &str = "(1?[0-9]|2[01]),(1?[0-9]|2[01])";
    const COMMANDS: &str = "RESTART|BEGIN|BOARD|SWAP2BOARD|ABOUT|END|START [1-9]{1,9}|\
        INFO (timeout_(turn|match)|time_left|max_(memory|depth)|rule) -?[1-9]{1,18}|INFO game_type 1";
    const REPLIES: &str = "OK|SWAP|(ERROR|UNKNOWN|MESSAGE) [a-z]{1,5}( [a-z]{1,5})?|7,3( [a-z,]{1,9})?|\
        -[1-9],[1-9]{1,18}|name=\"[^\"nv]{0,9}\", version=\"[^\"]{0,9}\"";

    proptest! {
        #[test]
        fn a_line_is_written_as_it_was_parsed(
            square in SQUARE,
            command in COMMANDS,
            reply in REPLIES,
            owner in 1..=3,
        ) {
            let turns = ["TURN", "TAKEBACK", "PLAY"].map(|name| format!("{name} {square}"));
            for line in turns.into_iter().chain([command]) {
                let parsed = GomocupCommand::parse(&line, MAX_SIZE);
                prop_assert_eq!(parsed.map(|parsed| parsed.to_string()), Ok(line));
            }
            let stone = format!("{square},{owner}");
            let parsed = Stone::parse(&stone, MAX_SIZE);
            prop_assert_eq!(parsed.map(|parsed| parsed.to_string()), Ok(stone));
            for line in [reply, square] {
                let about = About::parse(&line).map(|parsed| parsed.to_string());
                let parsed = Reply::parse(&line).map(|parsed| parsed.to_string());
                prop_assert_eq!(about.or(parsed), Some(line));
            }
        }
    }

    #[test]
    fn squares_count_from_0_and_a_refusal_names_the_limits_of_the_board() {
        for (text, size, square) in [
            ("0,0", 22, "a1"),
            ("7,3", 22, "h4"),
            (" 14 , 9 ", 22, "o10"),
            ("14,14", 15, "o15"),
        ] {
            let square = square.parse().expect("a square");
            assert_eq!(parse_square(text, size), Ok(square), "{text}");
        }
        let anywhere = [
            "", "7", "7,", ",3", "7 3", "22,0", "0,22", "-1,3", "+1,3", "7,3,1", "h4",
        ];
        let on_boards = [("15,0", 15, 14), ("h8", 15, 14), ("2,5", 5, 4)];
        let anywhere = anywhere.map(|text| (text, 22, 21));
        for (text, size, most) in anywhere.into_iter().chain(on_boards) {
            let refusal = parse_square(text, size).expect_err(text).to_string();
            let expected = format!(
                "{text:?} is not a square: write column and row from 0 to {most}, such as 2,3"
            );
            assert_eq!(refusal, expected);
        }
    }
}
