//! The loop of a bot: lines in, moves out.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, BufRead, ErrorKind, Write};
use std::time::Instant;

use games::{Game, Move, Rules};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, Visitor};

use crate::bot::limit;
use crate::{
    Bot, Colour, Hello, LineBuffer, LineTooLong, MoveMessage, Question, Ready, Start, ToArena,
};

/// The error for a line of the arena that ends the loop.
#[derive(Debug, thiserror::Error, message::Message)]
pub enum BadLine {
    /// The line is not a message of the protocol, or its values contradict each other.
    #[error("cannot understand {line:?}: {why}")]
    NotUnderstood {
        /// The line, shortened.
        line: String,
        /// The reason.
        why: String,
    },
    /// The line is longer than the protocol allows.
    #[error(transparent)]
    TooLong(#[from] LineTooLong),
}

impl From<BadLine> for io::Error {
    fn from(bad: BadLine) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, bad)
    }
}

/// Plays games over `input` and `output` until `quit` or the end of the input.
///
/// Ignores blank lines, carriage returns, a byte-order mark at the start, messages of unknown type and unknown fields.
/// Any other line that cannot be parsed is a [`BadLine`] with the line and the reason. Print this error to stderr and
/// exit with a status other than 0: the arena shows the error to the bot's author.
///
/// ```
/// # use games::Move;
/// # use protocol::{Bot, Info, Question, Start, serve};
/// struct First;
///
/// impl Bot for First {
///     fn name(&self) -> &str {
///         "first"
///     }
///     fn start(&mut self, _: &Start) -> Result<(), String> {
///         Ok(())
///     }
///     fn choose(&mut self, question: &Question, _: &mut dyn FnMut(&Info)) -> Move {
///         Move::Place(question.legal()[0])
///     }
/// }
///
/// let result = serve(&mut First, std::io::stdin().lock(), std::io::stdout().lock());
/// if let Err(error) = result {
///     eprintln!("first: {error}");
///     std::process::exit(1);
/// }
/// ```
pub fn serve(bot: &mut dyn Bot, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut lines = LineBuffer::new();
    let mut game = None;
    loop {
        while let Some(line) = lines.next_line() {
            let asked_at = Instant::now();
            let line = line.map_err(BadLine::from)?;
            let bad = |why: &dyn Display| BadLine::NotUnderstood {
                line: excerpt(line),
                why: why.to_string(),
            };
            match parse(line, game, asked_at).map_err(|why| bad(&why))? {
                Incoming::Hello(hello) => {
                    let start = Start::try_from(&hello).map_err(|why| bad(&why))?;
                    bot.start(&start).map_err(|why| bad(&why))?;
                    game = Some(start.game);
                    let openings = match start.game.opening() {
                        Some(_) => bot.openings(),
                        None => &[],
                    };
                    let ready = Ready {
                        name: bot.name().to_owned(),
                        version: bot.version().to_owned(),
                        openings: openings.iter().map(ToString::to_string).collect(),
                        start_only: false,
                    };
                    send(&mut output, &ToArena::Ready(ready))?;
                }
                Incoming::Turn(id, question) => answer(bot, id, &question, &mut output)?,
                Incoming::Quit => return Ok(()),
                Incoming::Other => {}
            }
        }
        if !fill(&mut lines, &mut input, LineBuffer::extend)? {
            return Ok(());
        }
    }
}

/// Waits for input and passes it to `take`. Returns false at the end of the input. Adds a missing last newline.
pub(crate) fn fill(
    lines: &mut LineBuffer,
    input: &mut impl BufRead,
    take: impl Fn(&mut LineBuffer, &[u8]),
) -> io::Result<bool> {
    match input.fill_buf() {
        Ok([]) if lines.is_blank() => return Ok(false),
        Ok([]) => lines.extend(b"\n"),
        Ok(bytes) => {
            take(lines, bytes);
            let taken = bytes.len();
            input.consume(taken);
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => {}
        Err(error) => return Err(error),
    }
    Ok(true)
}

fn answer(
    bot: &mut dyn Bot,
    id: u64,
    question: &Question,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut sent = Ok(());
    let played = bot.choose(question, &mut |info| {
        if sent.is_ok() {
            sent = send(output, &ToArena::Info(info.clone()));
        }
    });
    sent?;
    let played = MoveMessage {
        id: Some(id),
        played: played.to_string(),
    };
    send(output, &ToArena::Move(played))
}

/// Writes a line and flushes the output: buffered output is a common reason to lose on time.
fn send(output: &mut impl Write, message: &ToArena) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

fn excerpt(line: &[u8]) -> String {
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(&line[..line.len().min(LONGEST)]).into_owned();
    if line.len() > LONGEST {
        text + "…"
    } else {
        text
    }
}

/// A line of the arena, parsed without a copy of every row and square. A test compares it with [`ToBot`](crate::ToBot).
enum Incoming {
    Hello(Hello),
    Turn(u64, Box<Question>),
    Quit,
    /// A message that needs no answer.
    Other,
}

#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

#[derive(Deserialize)]
struct TurnLine<'a> {
    id: u64,
    you: Colour,
    #[serde(borrow)]
    board: Vec<Row<'a>>,
    /// Only the number of legal moves is checked, which must not be 0: the moves follow from the board.
    legal: Vec<IgnoredAny>,
    moves: Vec<JsonMove>,
    left_ms: u64,
    opponent_left_ms: u64,
    #[serde(default)]
    moves_to_go: Option<u32>,
    #[serde(default)]
    opening: Option<OpeningLine>,
}

/// The moves so far under an opening rule. The decision to make follows from them.
#[derive(Deserialize)]
struct OpeningLine {
    so_far: Vec<JsonMove>,
}

#[derive(Deserialize)]
struct Row<'a>(#[serde(borrow)] Cow<'a, str>);

impl AsRef<str> for Row<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

struct JsonMove(Move);

impl<'de> Deserialize<'de> for JsonMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonMove, D::Error> {
        struct MoveVisitor;
        impl Visitor<'_> for MoveVisitor {
            type Value = JsonMove;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move such as d3")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<JsonMove, E> {
                text.parse().map(JsonMove).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(MoveVisitor)
    }
}

/// Parses a line that was read at `asked_at`; `game` is the game of the last `hello`.
fn parse(line: &[u8], game: Option<Game>, asked_at: Instant) -> Result<Incoming, String> {
    let text = |error: serde_json::Error| error.to_string();
    let Kind { kind } = serde_json::from_slice(line).map_err(text)?;
    match kind.as_ref() {
        "hello" => serde_json::from_slice(line)
            .map(Incoming::Hello)
            .map_err(text),
        "turn" => {
            let turn: TurnLine = serde_json::from_slice(line).map_err(text)?;
            let game = game.ok_or("a turn before any hello")?;
            let (id, question) = turn.question(game, asked_at)?;
            Ok(Incoming::Turn(id, Box::new(question)))
        }
        "quit" => Ok(Incoming::Quit),
        _ => Ok(Incoming::Other),
    }
}

impl TurnLine<'_> {
    fn question(self, game: Game, asked_at: Instant) -> Result<(u64, Question), String> {
        if self.legal.is_empty() {
            return Err("a turn without a legal move".to_owned());
        }
        let board = match self.opening {
            None => game
                .position(&self.board, self.you.into())
                .map_err(|error| error.to_string())?,
            Some(opening) => {
                let mut board = game.start();
                for JsonMove(played) in opening.so_far {
                    board.play(played).map_err(|error| error.to_string())?;
                }
                board
            }
        };
        let question = Question {
            board,
            moves: self
                .moves
                .into_iter()
                .map(|JsonMove(played)| played)
                .collect(),
            left: limit(self.left_ms),
            opponent_left: limit(self.opponent_left_ms),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
            asked_at,
        };
        Ok((self.id, question))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::tests::played;
    use crate::{ToBot, TurnEncoder};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_turn_is_parsed_as_the_types_have_it(
            name in prop_oneof![Just("othello"), Just("gomoku")],
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
            id in any::<u64>(),
            left_ms in any::<[u64; 2]>(),
            to_go in proptest::option::of(1..=1000u32),
        ) {
            let game = Game::new(name, None, None).expect("a known game");
            let (board, moves) = played(game, &choices);
            let legal = board.legal_squares();
            prop_assume!(!legal.is_empty());
            let mut encoder = TurnEncoder::new();
            let line = encoder.encode(id, &board, &legal, &moves, left_ms, to_go);
            let now = Instant::now();
            let ToBot::Turn(turn) = serde_json::from_slice(line).expect("it is a message") else {
                return Err(TestCaseError::fail("it is a turn"));
            };
            let Ok(Incoming::Turn(parsed_id, question)) = parse(line, Some(game), now) else {
                return Err(TestCaseError::fail("it is parsed as a turn"));
            };
            prop_assert_eq!(parsed_id, turn.id);
            let played = turn.moves.iter().map(|played| played.parse().expect("a move"));
            let expected = Question {
                board: game.position(&turn.board, turn.you.into()).expect("a board"),
                moves: played.collect(),
                left: limit(turn.left_ms),
                opponent_left: limit(turn.opponent_left_ms),
                moves_to_go: turn.moves_to_go,
                asked_at: now,
            };
            prop_assert_eq!(*question, expected);
        }
    }
}
