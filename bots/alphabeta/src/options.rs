//! The options of the bot as typed, and the limits that they set.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use games::gomoku::Rule;
use message::{Message, message};

use crate::book::{Book, Source};
use crate::gomoku::network::Network;
use crate::level::Level;
use crate::othello::evaluation::Weights;
use crate::tuning::Tuning;

/// The strength of the bot, and what it may use.
///
/// If none of `depth`, `nodes` and `move-ms` is set and the level is 10 or unset, it uses the time limit of the match,
/// or one second per move if there is none. With a fixed `depth` or `nodes`, and one thread, it plays the same game
/// every time if no time limit stops a search.
#[derive(clap::Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Playing strength: 1 to 10, or easy (2), medium (5), hard (8)
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<String>,
    /// Search this many plies, 1 to 60; overrides the depth of the level
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u32>,
    /// Search this many positions per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Thinking time per move, in ms
    #[arg(long, value_name = "MS")]
    pub move_ms: Option<u64>,
    /// Maximum size of the transposition table, in MiB [default: 64]
    #[arg(long, value_name = "MIB")]
    pub hash_mib: Option<usize>,
    /// Threads to search with [default: 1]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Weights for Othello, made by training othello, instead of those that come with the program
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Gomoku: the evaluation of positions, or a file made by training gomoku network [default: the network; patterns
    /// at levels 1 to 9]
    #[arg(long, value_name = "network|patterns|FILE")]
    pub evaluation: Option<PathBuf>,
    /// Play openings from the book that comes with the program, or from one made by training book [default: false]
    #[arg(long, value_name = "true|false|FILE", num_args = 0..=1, default_missing_value = "true")]
    pub book: Option<PathBuf>,
    #[command(flatten)]
    pub tuning: Tuning,
}

/// The evaluation of Gomoku positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// The network: stronger, and slower.
    Network,
    /// The table of shapes alone: the default of levels 1 to 9.
    Patterns,
    /// A network from a file.
    File(&'static Network),
}

impl Evaluation {
    /// Returns the evaluation that an option names: `network`, `patterns` or a file.
    pub fn of(option: &Path) -> Result<Evaluation, BadOption> {
        Ok(match option.to_str() {
            Some("network") => Evaluation::Network,
            Some("patterns") => Evaluation::Patterns,
            // A process reads one network, and needs it until it ends.
            _ => Evaluation::File(Box::leak(Box::new(read(
                "network",
                option,
                Network::decode,
            )?))),
        })
    }

    /// Returns the network that evaluates positions of a rule; `None`: the patterns do.
    pub fn network(self, rule: Rule) -> Option<&'static Network> {
        match self {
            Evaluation::Network => Some(Network::of(rule)),
            Evaluation::Patterns => None,
            Evaluation::File(network) => Some(network),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadOption {
    #[error("{what}: choose {choose}")]
    Value {
        /// The refused value, such as `a depth of 99`.
        what: Message,
        choose: Message,
    },
    #[error("{what} {path}: {reason}")]
    File {
        /// The expected content: weights, a network or a book.
        what: &'static str,
        path: String,
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct SearchLimits {
    pub depth: Option<u32>,
    /// [`SearchLimits::of_game`] takes the depth and the noise of the game from the level.
    pub level: Option<Level>,
    /// See [`Strength::noise`](crate::Strength::noise).
    pub noise: f64,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    pub hash_mib: usize,
    pub threads: usize,
    pub book: Option<Source>,
    /// The evaluation of Gomoku positions; `None`: the default of the level.
    pub evaluation: Option<Evaluation>,
    /// Weights for Othello; `None`: the built-in ones.
    pub weights: Option<Arc<Weights>>,
    pub tuning: Tuning,
}

fn refused<T>(what: Message, choose: Message) -> Result<T, BadOption> {
    Err(BadOption::Value { what, choose })
}

fn read<T, E: ToString>(
    what: &'static str,
    path: &Path,
    decode: fn(&[u8]) -> Result<T, E>,
) -> Result<T, BadOption> {
    let bad = |reason: String| BadOption::File {
        what,
        path: path.display().to_string(),
        reason,
    };
    let bytes = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
    decode(&bytes).map_err(|error| bad(error.to_string()))
}

fn book(option: &Path) -> Result<Option<Source>, BadOption> {
    Ok(match option.to_str() {
        Some("false") => None,
        Some("true") => Some(Source::Shipped),
        _ => Some(Source::Own(read("book", option, Book::decode)?.into())),
    })
}

impl SearchLimits {
    /// The largest depth: the number of empty squares at the start of Othello.
    pub const MAX_DEPTH: u32 = 60;
    pub const MAX_HASH_MIB: usize = 1 << 20;
    pub const MAX_THREADS: usize = 256;

    /// Returns the limits with the level's settings for `game`. An explicit depth takes precedence.
    #[must_use]
    pub fn of_game(&self, game: games::Game) -> SearchLimits {
        let strength = self.level.map(|level| level.strength(game));
        SearchLimits {
            depth: self.depth.or(strength.and_then(|strength| strength.depth)),
            noise: strength.map_or(0.0, |strength| strength.noise),
            ..self.clone()
        }
    }

    /// Returns the evaluation for Gomoku: by default the network at full strength, and the patterns at lower levels.
    pub fn evaluation(&self) -> Evaluation {
        let gomoku = games::Game::gomoku(15, games::gomoku::Rule::Freestyle);
        let level = self.level.map(|level| level.strength(gomoku));
        let is_full = level.is_none_or(|strength| strength.depth.is_none());
        self.evaluation.unwrap_or(if is_full {
            Evaluation::Network
        } else {
            Evaluation::Patterns
        })
    }

    /// Returns whether a depth or a number of nodes limits the search, which then needs no clock.
    pub fn are_fixed(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }
}

impl TryFrom<&Options> for SearchLimits {
    type Error = BadOption;

    fn try_from(options: &Options) -> Result<SearchLimits, BadOption> {
        let level = |text: &str| match Level::parse(text) {
            Some(level) => Ok(level),
            None => refused(
                message!("no level {text:?}"),
                "1 to 10, easy, medium or hard".into(),
            ),
        };
        let (deepest, largest, widest) = (
            SearchLimits::MAX_DEPTH,
            SearchLimits::MAX_HASH_MIB,
            SearchLimits::MAX_THREADS,
        );
        let (hash_mib, threads) = (options.hash_mib.unwrap_or(64), options.threads.unwrap_or(1));
        if let Some(depth) = options.depth.filter(|depth| !(1..=deepest).contains(depth)) {
            return refused(
                message!("a depth of {depth}"),
                message!("1 to {most}", most = deepest),
            );
        }
        if options.nodes == Some(0) {
            let choose = "at least 1, or leave it out for no limit";
            return refused("0 nodes".into(), choose.into());
        }
        if options.move_ms == Some(0) {
            let choose = "at least 1, or leave it out to use the time of the match";
            return refused("0 ms a move".into(), choose.into());
        }
        if !(1..=largest).contains(&hash_mib) {
            return refused(
                message!("a table of {hash_mib} MiB"),
                message!("1 to {most}", most = largest),
            );
        }
        if !(1..=widest).contains(&threads) {
            return refused(
                message!("{threads} threads"),
                message!("1 to {most}", most = widest),
            );
        }
        let weights = |path| read("weights", path, Weights::decode).map(Arc::new);
        Ok(SearchLimits {
            depth: options.depth,
            level: options.level.as_deref().map(level).transpose()?,
            noise: 0.0,
            nodes: options.nodes,
            move_time: options.move_ms.map(Duration::from_millis),
            hash_mib,
            threads,
            book: options.book.as_deref().map_or(Ok(None), book)?,
            evaluation: options
                .evaluation
                .as_deref()
                .map(Evaluation::of)
                .transpose()?,
            weights: options.weights.as_deref().map(weights).transpose()?,
            tuning: options.tuning,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_asked_for_with_or_without_a_value() {
        #[derive(clap::Parser)]
        #[command(no_binary_name = true)]
        struct ParsedOptions {
            #[command(flatten)]
            options: Options,
        }
        for (line, book, level) in [
            ("--book", Some("true"), None),
            ("--book --level 3", Some("true"), Some("3")),
            ("--level 3 --book=false", Some("false"), Some("3")),
            ("--book my.abob", Some("my.abob"), None),
            ("--level 3", None, Some("3")),
        ] {
            let parsed = <ParsedOptions as clap::Parser>::try_parse_from(line.split(' '));
            let ParsedOptions { options } = parsed.expect("a valid line");
            assert_eq!(options.book.as_deref(), book.map(Path::new), "{line}");
            assert_eq!(options.level.as_deref(), level, "{line}");
        }
    }

    #[test]
    fn a_level_sets_the_depth_and_an_explicit_depth_overrides_it() {
        let depth = |level: &str, depth| {
            let options = Options {
                level: Some(level.into()),
                depth,
                ..Options::default()
            };
            let limits = SearchLimits::try_from(&options).expect("a level");
            limits.of_game(games::Game::OTHELLO).depth
        };
        assert_eq!(depth("easy", None), Some(2));
        assert_eq!(depth("9", None), Some(12));
        assert_eq!(depth("10", None), None);
        assert_eq!(depth("hard", Some(3)), Some(3));
    }
}
