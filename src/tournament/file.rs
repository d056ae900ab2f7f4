//! The tournament file as a person writes it: TOML, parsed but not yet validated.
//!
//! [`TournamentFile::parse`] reads the text, `validate` checks it. An error is a [`Problem`] with its
//! place in the text, so that the message can point at it.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use referee::problem::{Placed, Problem};

/// The file. All keys except `game` and `[[bot]]` are optional.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentFile {
    /// The name of the run.
    pub name: Placed<String>,
    /// `othello` or `gomoku`.
    pub game: Placed<String>,
    /// Side of the board.
    pub size: Placed<i64>,
    /// `standard`, `freestyle`, `renju`.
    pub rules: Placed<String>,
    /// `match`, `round-robin`, `gauntlet`, `swiss`, `knockout` or `ladder`.
    pub format: Placed<String>,
    /// Gauntlet: how many bots, from the top, play against all others.
    pub seeds: Placed<i64>,
    /// Rounds of a Swiss tournament or a ladder.
    pub rounds: Placed<i64>,
    /// Games per pairing; even.
    pub games: Placed<i64>,
    /// A file of openings, or `none`.
    pub openings: Placed<String>,
    /// How many half-moves of each opening or game of that file are played; default: all.
    pub opening_plies: Placed<i64>,
    /// `in-order` or `shuffled`.
    pub order: Placed<String>,
    /// Whether repeated openings are turned and mirrored.
    pub symmetries: Placed<bool>,
    /// Limit of a move in ms; 0: none.
    pub move_ms: Placed<i64>,
    /// Limit of a game in ms; 0: none.
    pub game_ms: Placed<i64>,
    /// Added after every move, in ms.
    pub increment_ms: Placed<i64>,
    /// Tolerated beyond a limit, in ms.
    pub margin_ms: Placed<i64>,
    /// The illegal answer in one turn that loses.
    pub illegal_answers: Placed<i64>,
    /// Whether bots may think in the opponent's time; default: no, they are frozen then.
    pub ponder: Placed<bool>,
    /// Games played at a time.
    pub concurrency: Placed<i64>,
    /// Whether each game is pinned to one core.
    pub pin: Placed<bool>,
    /// `auto`, `strict`, `standard` or `off`: the boxes in which bots are built and play.
    pub sandbox: Placed<String>,
    /// Whether bots in a box have the machine's network.
    pub network: Placed<bool>,
    /// The most memory of a bot in a box, in MiB.
    pub memory_mib: Placed<i64>,
    /// The most processes and threads of a bot in a box.
    pub processes: Placed<i64>,
    /// The most temporary files of a bot in a box, in MiB.
    pub disk_mib: Placed<i64>,
    /// Seed of every random choice of the run.
    pub seed: Placed<u64>,
    /// The grading, if the file is a suite.
    pub grade: Placed<GradeFile>,
    /// The test that can end a match early.
    pub sprt: Placed<SprtFile>,
    /// When the referee ends a game early.
    pub adjudicate: Placed<AdjudicateFile>,
    /// The bots.
    #[serde(default)]
    pub bot: Vec<Spanned<BotFile>>,
}

/// A `[[bot]]`: either `use` or `command`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BotFile {
    /// Its name in this run.
    pub name: Placed<String>,
    /// A bot of the catalogue, a folder with `bot.toml`, or a file: a script, a program, a source file.
    #[serde(rename = "use")]
    pub uses: Placed<String>,
    /// Program and arguments.
    pub command: Placed<Vec<String>>,
    /// The folder in which the command starts; default: the tournament file's folder.
    pub folder: Placed<String>,
    /// Options of a built-in bot, or of those in its `bot.toml`: `{ depth = 3 }`.
    pub options: Placed<toml::Table>,
    /// In a box: the files and folders that it sees, from its folder; default: its folder.
    pub readable: Placed<Vec<String>>,
    /// In a box: whether it has the machine's network.
    pub network: Placed<bool>,
    /// `always`: a fresh process for each game.
    pub restart: Placed<String>,
    /// Its protocol: `arena`, `gomocup`, `gtp`, `nboard` or `columbia`.
    pub protocol: Placed<String>,
    /// The frame that a class or a function of a course needs, such as `ai-player`; default: recognised.
    pub frame: Placed<String>,
    /// Lines of that protocol, sent to it before each game.
    pub setup: Placed<Vec<String>>,
    /// Its own limits, instead of the tournament's.
    pub move_ms: Placed<i64>,
    /// As above.
    pub game_ms: Placed<i64>,
    /// As above.
    pub increment_ms: Placed<i64>,
    /// In a suite: the share of points that beats it, instead of the suite's.
    pub threshold: Placed<f64>,
    /// In a suite: the points for beating it, instead of the suite's.
    pub points: Placed<f64>,
}

/// The `[grade]` of a suite: the bots of the file are the opponents, weakest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GradeFile {
    /// The share of points that beats an opponent, 0 to 1; a draw is half a point.
    pub threshold: Placed<f64>,
    /// The points for beating an opponent.
    pub points: Placed<f64>,
    /// Points with which a grade is passed; default: all points.
    pub pass: Placed<f64>,
}

/// An `[sprt]`: a test of `elo0` against `elo1`, of the first bot over the second.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SprtFile {
    /// The Elo difference that H0 claims.
    pub elo0: Placed<f64>,
    /// The Elo difference that H1 claims.
    pub elo1: Placed<f64>,
    /// Rate of accepting H1 although H0 is true.
    pub alpha: Placed<f64>,
    /// Rate of accepting H0 although H1 is true.
    pub beta: Placed<f64>,
    /// `logistic` or `normalised`.
    pub model: Placed<String>,
}

/// An `[adjudicate]`: missing rules are off.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AdjudicateFile {
    /// A lead on which both bots' scores agree, in their own units.
    pub resign_score: Placed<f64>,
    /// For how many half-moves in a row.
    pub resign_plies: Placed<i64>,
    /// Half-moves after which a game is drawn.
    pub draw_after: Placed<i64>,
    /// Othello: empty squares from which on a solver plays both sides.
    pub solve_empties: Placed<i64>,
}

impl TournamentFile {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<TournamentFile, Problem> {
        toml::from_str(text).map_err(|error| Problem::in_toml(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_has_a_place_too() {
        let problem = TournamentFile::parse("game = \"othello\n").expect_err("no quote");
        assert_eq!(problem.at, Some(14..15), "{problem:?}");
    }

    #[test]
    fn a_key_that_is_nearly_right_is_recognised() {
        let help = |text| TournamentFile::parse(text).expect_err("a bad key").help;
        assert_eq!(
            help("moves_ms = 1").as_deref(),
            Some("did you mean \"move_ms\"?")
        );
        assert_eq!(
            help("[[bot]]\ncomand = []").as_deref(),
            Some("did you mean \"command\"?")
        );
    }
}
