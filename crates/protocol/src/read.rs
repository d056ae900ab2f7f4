//! Reading what the arena says, as fast as a bot that answers at once wants it.
//!
//! [`ToBot`](crate::ToBot) says what the messages are; reading through it would copy every line
//! twice and every square into a string of its own. A test holds both ways equal.

use std::borrow::Cow;
use std::fmt;
use std::time::Instant;

use games::{Game, Move};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, Visitor};

use crate::{Colour, Hello, Question, bot::limit};

/// What a bot makes of a line.
pub(crate) enum Heard {
    Hello(Hello),
    /// The question's id, and the question.
    Turn(u64, Box<Question>),
    Quit,
    /// Nothing that has an answer.
    Nothing,
}

#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

/// A `turn`, its strings left where they are.
#[derive(Deserialize)]
struct TurnLine<'a> {
    id: u64,
    you: Colour,
    #[serde(borrow)]
    board: Vec<Row<'a>>,
    /// What is legal follows from the board; that there is something is guaranteed by the arena.
    legal: Vec<IgnoredAny>,
    moves: Vec<Played>,
    left_ms: u64,
    opponent_left_ms: u64,
    #[serde(default)]
    moves_to_go: Option<u32>,
}

#[derive(Deserialize)]
struct Row<'a>(#[serde(borrow)] Cow<'a, str>);

impl AsRef<str> for Row<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

struct Played(Move);

impl<'de> Deserialize<'de> for Played {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Played, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Played;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move such as d3")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Played, E> {
                text.parse().map(Played).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// Understands a line that was read at `asked_at`; `game` is what the last `hello` named.
pub(crate) fn hear(line: &[u8], game: Option<Game>, asked_at: Instant) -> Result<Heard, String> {
    let text = |error: serde_json::Error| error.to_string();
    let Kind { kind } = serde_json::from_slice(line).map_err(text)?;
    match kind.as_ref() {
        "hello" => serde_json::from_slice(line).map(Heard::Hello).map_err(text),
        "turn" => {
            let turn: TurnLine = serde_json::from_slice(line).map_err(text)?;
            let game = game.ok_or("a turn before any hello")?;
            let (id, question) = turn.question(game, asked_at)?;
            Ok(Heard::Turn(id, Box::new(question)))
        }
        "quit" => Ok(Heard::Quit),
        _ => Ok(Heard::Nothing),
    }
}

impl TurnLine<'_> {
    fn question(self, game: Game, asked_at: Instant) -> Result<(u64, Question), String> {
        if self.legal.is_empty() {
            return Err("a turn without a legal move".to_owned());
        }
        let board = game
            .position(&self.board, self.you.into())
            .map_err(|error| error.to_string())?;
        let question = Question {
            board,
            moves: self
                .moves
                .into_iter()
                .map(|Played(played)| played)
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
    use crate::{ToBot, TurnEncoder};
    use games::Rules;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_turn_is_heard_as_the_types_have_it(
            name in prop_oneof![Just("othello"), Just("gomoku")],
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
            id in any::<u64>(),
            left_ms in any::<[u64; 2]>(),
            to_go in proptest::option::of(1..=1000u32),
        ) {
            let game = Game::new(name, None, None).expect("a game there is");
            let mut board = game.start();
            let mut moves = Vec::new();
            for choice in choices {
                let legal = board.legal_moves();
                if legal.is_empty() { break; }
                let played = legal[choice.index(legal.len())];
                board.play(played).expect("it is legal");
                moves.push(played);
            }
            let legal = board.legal_squares();
            prop_assume!(!legal.is_empty());
            let mut encoder = TurnEncoder::new();
            let line = encoder.encode(id, &board, &legal, &moves, left_ms, to_go);
            let now = Instant::now();
            let ToBot::Turn(turn) = serde_json::from_slice(line).expect("it is a message") else {
                return Err(TestCaseError::fail("it is a turn"));
            };
            let Ok(Heard::Turn(heard, question)) = hear(line, Some(game), now) else {
                return Err(TestCaseError::fail("it is heard as a turn"));
            };
            prop_assert_eq!(heard, turn.id);
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
