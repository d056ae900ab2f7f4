//! `NBoard`'s protocol, version 2, for Othello.
//!
//! Evaluations are in discs. Both sides ignore unknown lines.
//!
//! Sources: C. Welty, "`NBoard` Protocol", <https://github.com/weltyc/ntest/tree/master/instructions>; `NTest`.

use std::fmt;
use std::time::Duration;

use super::{finite, seconds};

/// The games of the protocol.
pub const GAMES: [&str; 1] = ["othello"];

/// A command of the manager.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the protocol's page says what each means")]
pub enum NboardCommand {
    /// The greeting, of version 2.
    Nboard,
    /// The whole game, in GGF.
    SetGame(String),
    /// The depth in plies, at least 1.
    SetDepth(u32),
    Move(EvaluatedMove),
    Go,
    /// The number of best moves to report.
    Hint(usize),
    Analyze,
    Ping(String),
    Learn,
    Quit,
}

fn first_word(line: &str) -> (&str, &str) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    (word, rest.trim())
}

impl NboardCommand {
    /// Parses a trimmed line; `None` for a line to ignore.
    pub fn parse(line: &str) -> Option<NboardCommand> {
        let (name, argument) = first_word(line);
        Some(match name {
            "nboard" => NboardCommand::Nboard,
            "set" => {
                let (what, value) = first_word(argument);
                match what {
                    "game" => NboardCommand::SetGame(value.to_owned()),
                    "depth" => {
                        NboardCommand::SetDepth(value.parse().ok().filter(|&plies| plies > 0)?)
                    }
                    _ => return None,
                }
            }
            "move" => NboardCommand::Move(EvaluatedMove::parse(argument)),
            "go" => NboardCommand::Go,
            "hint" => NboardCommand::Hint(argument.parse().unwrap_or(1)),
            "analyze" => NboardCommand::Analyze,
            "ping" => NboardCommand::Ping(argument.to_owned()),
            "learn" => NboardCommand::Learn,
            "quit" => NboardCommand::Quit,
            _ => return None,
        })
    }
}

impl fmt::Display for NboardCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NboardCommand::Nboard => f.write_str("nboard 2"),
            NboardCommand::SetGame(ggf) => write!(f, "set game {ggf}"),
            NboardCommand::SetDepth(plies) => write!(f, "set depth {plies}"),
            NboardCommand::Move(played) => write!(f, "move {played}"),
            NboardCommand::Go => f.write_str("go"),
            NboardCommand::Hint(moves) => write!(f, "hint {moves}"),
            NboardCommand::Analyze => f.write_str("analyze"),
            NboardCommand::Ping(text) => write!(f, "ping {text}"),
            NboardCommand::Learn => f.write_str("learn"),
            NboardCommand::Quit => f.write_str("quit"),
        }
    }
}

/// A move with its evaluation and time: `F5/1.50/0.32`, `F5//0.32`, `PA`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluatedMove {
    /// The move as the sender spells it: manager and engine spell a pass differently.
    pub text: String,
    /// The evaluation in discs.
    pub evaluation: Option<f64>,
    /// The time for the move.
    pub time: Option<Duration>,
}

impl EvaluatedMove {
    fn parse(text: &str) -> EvaluatedMove {
        let mut parts = text.split('/');
        EvaluatedMove {
            text: parts.next().unwrap_or_default().to_owned(),
            evaluation: parts.next().and_then(|text| finite(text.trim())),
            time: parts.next().and_then(|text| seconds(text.trim())),
        }
    }
}

impl fmt::Display for EvaluatedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match (self.evaluation, self.time) {
            (None, None) => return Ok(()),
            (None, _) => f.write_str("/")?,
            (Some(evaluation), _) => write!(f, "/{evaluation:.2}")?,
        }
        self.time
            .map_or(Ok(()), |time| write!(f, "/{:.2}", time.as_secs_f64()))
    }
}

/// Converts a move such as `f5` or `pass` to `NBoard`'s notation, where a pass is `PA`.
pub fn write_move(played: &str) -> String {
    match played {
        "pass" => "PA".to_owned(),
        square => square.to_ascii_uppercase(),
    }
}

/// A line of the engine.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the protocol's page says what each means")]
pub enum Reply {
    SetMyName(String),
    Pong(String),
    /// `=== F5/1.50/0.32`: the answer to `go`.
    Move(EvaluatedMove),
    /// `search F5-D6-C3 1.50 0 12`: the principal variation, its evaluation, an unused number, the depth.
    Search {
        line: String,
        evaluation: Option<f64>,
        depth: Option<u32>,
    },
    /// `nodestats 35805 0.32`: positions searched, seconds.
    NodeStats {
        nodes: Option<u64>,
        time: Option<Duration>,
    },
    /// `analysis 7 -2.00`: the number of moves before the position, and the position's evaluation for black.
    Analysis {
        moves: usize,
        worth: f64,
    },
    /// The current activity of the engine; empty for none.
    Status(String),
    Learned,
}

impl Reply {
    /// Makes a `search` line from moves such as `f5`; unknown values are 0.
    pub fn search(line: &[String], evaluation: Option<f64>, depth: Option<u32>) -> Reply {
        let line: Vec<_> = line.iter().map(|played| write_move(played)).collect();
        Reply::Search {
            line: line.join("-"),
            evaluation: Some(evaluation.unwrap_or_default()),
            depth: Some(depth.unwrap_or_default()),
        }
    }

    /// Parses a trimmed line that answers `nboard`, `ping` or `go`; `None` for other lines.
    pub fn parse(line: &str) -> Option<Reply> {
        let mut words = line.split_whitespace();
        Some(match words.next()? {
            "===" => Reply::Move(EvaluatedMove::parse(words.next().unwrap_or_default())),
            "set" if words.next() == Some("myname") => {
                Reply::SetMyName(words.collect::<Vec<_>>().join(" "))
            }
            "pong" => Reply::Pong(words.next()?.to_owned()),
            "search" => {
                let [line, evaluation, _, depth] = [(); 4].map(|()| words.next());
                Reply::Search {
                    line: line.unwrap_or_default().to_owned(),
                    evaluation: evaluation.and_then(finite),
                    depth: depth.and_then(|depth| depth.parse().ok()),
                }
            }
            "nodestats" => Reply::NodeStats {
                nodes: words.next().and_then(|nodes| nodes.parse().ok()),
                time: words.next().and_then(seconds),
            },
            _ => return None,
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::SetMyName(name) => write!(f, "set myname {name}"),
            Reply::Pong(text) => write!(f, "pong {text}"),
            Reply::Move(played) => write!(f, "=== {played}"),
            Reply::Search {
                line,
                evaluation,
                depth,
            } => {
                let evaluation = evaluation.unwrap_or_default();
                write!(
                    f,
                    "search {line} {evaluation:.2} 0 {}",
                    depth.unwrap_or_default()
                )
            }
            Reply::NodeStats { nodes, time } => {
                let seconds = time.unwrap_or_default().as_secs_f64();
                write!(f, "nodestats {} {seconds:.2}", nodes.unwrap_or_default())
            }
            Reply::Analysis { moves, worth } => write!(f, "analysis {moves} {worth:.2}"),
            Reply::Status(text) if text.is_empty() => f.write_str("status"),
            Reply::Status(text) => write!(f, "status {text}"),
            Reply::Learned => f.write_str("learned"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAYED: &str = r"([A-H][1-8]|PA)(/-?[1-9]\.[0-9]{2})?|F5/([1-9]\.50)?/[1-9]\.25";
    const COMMANDS: &str = "nboard 2|go|analyze|learn|quit|(set depth|hint|ping) [1-9]{1,9}|\
        set game \\(;GM\\[Othello\\]TI\\[[0-9]\\];\\)";
    const REPLIES: &str = "set myname [a-z]{1,5}( [a-z]{1,5})?|pong [0-9]{1,5}|\
        search [A-H][1-8]-PA -?[1-9]\\.[0-9]{2} 0 [1-9]{1,9}|nodestats [1-9]{1,9} [1-9]{1,5}\\.25";

    proptest! {
        #[test]
        fn a_line_is_written_as_it_was_parsed(
            played in PLAYED,
            command in COMMANDS,
            reply in REPLIES,
        ) {
            for line in [command, format!("move {played}")] {
                prop_assert_eq!(NboardCommand::parse(&line).map(|parsed| parsed.to_string()), Some(line));
            }
            for line in [reply, format!("=== {played}")] {
                prop_assert_eq!(Reply::parse(&line).map(|parsed| parsed.to_string()), Some(line));
            }
        }
    }
}
