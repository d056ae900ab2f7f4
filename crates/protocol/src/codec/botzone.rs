//! Botzone's interaction, for its games Gomoku (15×15, freestyle) and Reversi.
//!
//! A program reads all requests and responses so far, answers, and ends. It may instead ask Botzone to keep the
//! process; it then reads one request at a time. A request is the opponent's move, a response the program's own move:
//! column and row from 0 at the top left. −1 and −1 mean no move: black's first request, a pass in Reversi, a swap of
//! colours in Gomoku. A response may have `data` and `globaldata`, which Botzone repeats in its next input.
//!
//! Examples in JSON are `{"requests":[{"x":-1,"y":-1}],"responses":[]}` and `{"response":{"x":2,"y":3}}`. The
//! simplified interaction has the number of the turn, then a line such as `2 3` for each move.
//!
//! Source: wiki.botzone.org.cn, the pages Bot, Gomoku, and the sample programs of Gomoku and Reversi.

use games::{MAX_SIZE, Move, Square};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The games of the protocol.
pub const GAMES: [&str; 2] = ["othello", "gomoku"];

/// The line that asks Botzone to keep the process. It follows a response.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// A move as column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The column from the left, counted from 0.
    pub x: i64,
    /// The row from the top, counted from 0.
    pub y: i64,
}

impl Point {
    /// No move.
    pub const NONE: Point = Point { x: -1, y: -1 };

    /// Returns the square; `None` for no move. Fails if the point is off every board.
    pub fn square(self) -> Result<Option<Square>, String> {
        if self.x < 0 && self.y < 0 {
            return Ok(None);
        }
        let number = |n: i64| u8::try_from(n).ok().filter(|&n| n < MAX_SIZE);
        match (number(self.x), number(self.y)) {
            (Some(column), Some(row)) => Ok(Some(Square::new(column, row))),
            _ => Err(format!("x {} y {} is off every board", self.x, self.y)),
        }
    }

    /// Parses a line of exactly two numbers, as in the simplified interaction.
    pub fn parse(line: &str) -> Option<Point> {
        let words = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        let numbers = words.map(|word| word.parse::<i64>().ok());
        let [x, y] = numbers.collect::<Option<Vec<_>>>()?.try_into().ok()?;
        Some(Point { x, y })
    }
}

impl From<Move> for Point {
    fn from(played: Move) -> Point {
        played.square().map_or(Point::NONE, |square| Point {
            x: square.column().into(),
            y: square.row().into(),
        })
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.x, self.y)
    }
}

/// The data that a program stores for its next turn: `data` and `globaldata`.
pub type Stored = [Option<Value>; 2];

const STORED: [&str; 2] = ["data", "globaldata"];

/// Botzone's input to a program.
#[derive(Clone, Debug, PartialEq)]
pub enum BotzoneInput {
    /// The whole game so far, for a new process.
    Whole {
        /// The opponent's moves.
        requests: Vec<Point>,
        /// The program's own moves.
        responses: Vec<Point>,
    },
    /// The opponent's last move, for a process that was kept.
    Next(Point),
}

/// A line of input. Fields that only Botzone uses (`data`, `time_limit` …) are ignored.
#[derive(Deserialize)]
struct Input {
    requests: Option<Vec<Point>>,
    #[serde(default)]
    responses: Vec<Point>,
    request: Option<Point>,
    x: Option<i64>,
    y: Option<i64>,
}

impl BotzoneInput {
    /// Parses a line of JSON.
    pub fn parse(line: &str) -> Result<BotzoneInput, String> {
        let input: Input = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if let Some(requests) = input.requests {
            let responses = input.responses;
            return Ok(BotzoneInput::Whole {
                requests,
                responses,
            });
        }
        let bare = input.x.zip(input.y).map(|(x, y)| Point { x, y });
        let next = input.request.or(bare).map(BotzoneInput::Next);
        next.ok_or_else(|| "expected requests, request, or x and y".to_owned())
    }

    /// Writes the line of JSON. Only a whole game includes `stored`.
    pub fn write(&self, stored: &Stored) -> String {
        match self {
            BotzoneInput::Next(point) => serde_json::json!(point),
            BotzoneInput::Whole {
                requests,
                responses,
            } => {
                let mut whole = serde_json::json!({ "requests": requests, "responses": responses });
                for (key, value) in STORED.into_iter().zip(stored) {
                    if let Some(value) = value {
                        whole[key] = value.clone();
                    }
                }
                whole
            }
        }
        .to_string()
    }
}

/// A program's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The move, or a JSON value that is not a move.
    pub played: Result<Point, Value>,
    /// A text for the author in the log.
    pub debug: Option<String>,
    /// The data to store.
    pub stored: Stored,
}

impl Response {
    /// Parses a line of JSON. The move may be the whole message, or JSON in a string.
    pub fn parse(line: &str) -> Result<Response, String> {
        let message: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let response = message.get("response").unwrap_or(&message);
        let played = match response {
            Value::String(text) => serde_json::from_str(text),
            other => serde_json::from_value(other.clone()),
        };
        Ok(Response {
            played: played.map_err(|_| response.clone()),
            debug: message["debug"].as_str().map(str::to_owned),
            stored: STORED.map(|key| message.get(key).cloned()),
        })
    }

    /// Writes the line of JSON for a program that stores nothing.
    pub fn write(played: Point, debug: Option<&str>) -> String {
        #[derive(Serialize)]
        struct Output<'a> {
            response: Point,
            #[serde(skip_serializing_if = "Option::is_none")]
            debug: Option<&'a str>,
        }
        let response = played;
        serde_json::to_string(&Output { response, debug }).expect("numbers and text are JSON")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Point> {
        any::<[i64; 2]>().prop_map(|[x, y]| Point { x, y })
    }

    proptest! {
        #[test]
        fn what_is_written_is_parsed_as_it_was_meant(
            requests in vec(point(), 0..4),
            responses in vec(point(), 0..4),
            point in point(),
            debug in proptest::option::of(any::<String>()),
        ) {
            prop_assert_eq!(Point::parse(&point.to_string()), Some(point));
            for question in [BotzoneInput::Next(point), BotzoneInput::Whole { requests, responses }] {
                let stored = [debug.clone().map(Value::from), None];
                prop_assert_eq!(BotzoneInput::parse(&question.write(&stored)), Ok(question));
            }
            let line = Response::write(point, debug.as_deref());
            let (played, stored) = (Ok(point), [None, None]);
            prop_assert_eq!(Response::parse(&line), Ok(Response { played, debug, stored }));
        }
    }
}
