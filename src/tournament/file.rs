//! The tournament file as a person writes it: TOML, typed but not yet understood.
//!
//! [`TournamentFile::parse`] reads the text, `validate` gives it meaning. What goes wrong is a
//! [`Problem`] with its place in the text, so that the error can point at it.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use referee::problem::{Placed, Problem};

/// The file. Every key but `game` and `[[bot]]` may be left out.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentFile {
    /// What the run is called.
    pub name: Placed<String>,
    /// `othello` or `gomoku`.
    pub game: Placed<String>,
    /// Side of the board.
    pub size: Placed<i64>,
    /// `standard`, `freestyle`, `renju`.
    pub rules: Placed<String>,
    /// `match`, `round-robin`, `gauntlet`, `swiss`, `knockout` or `ladder`.
    pub format: Placed<String>,
    /// How many bots run the gauntlet, from the top.
    pub seeds: Placed<i64>,
    /// Rounds of a Swiss tournament or a ladder.
    pub rounds: Placed<i64>,
    /// Games a pairing; even.
    pub games: Placed<i64>,
    /// A file of openings, or `none`.
    pub openings: Placed<String>,
    /// How many half-moves of each opening or game of that file are played; absent: all.
    pub opening_plies: Placed<i64>,
    /// `in-order` or `shuffled`.
    pub order: Placed<String>,
    /// Whether openings that come again are turned.
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
    /// Whether a bot may think while its opponent is to move.
    pub ponder: Placed<bool>,
    /// Games at a time.
    pub concurrency: Placed<i64>,
    /// Whether each game keeps to one core.
    pub pin: Placed<bool>,
    /// For every random choice of the run.
    pub seed: Placed<u64>,
    /// What makes it a suite that bots are graded with.
    pub grade: Placed<GradeFile>,
    /// The test that ends a match before its last game.
    pub sprt: Placed<SprtFile>,
    /// When the referee ends a game before its rules do.
    pub adjudicate: Placed<AdjudicateFile>,
    /// The bots.
    #[serde(default)]
    pub bot: Vec<Spanned<BotFile>>,
}

/// A `[[bot]]`: either `use` or `command`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BotFile {
    /// What it is called in this run.
    pub name: Placed<String>,
    /// A bot of the catalogue, or a folder with `bot.toml`.
    #[serde(rename = "use")]
    pub uses: Placed<String>,
    /// Program and arguments.
    pub command: Placed<Vec<String>>,
    /// The folder the command starts in; that of the tournament file where it is left out.
    pub folder: Placed<String>,
    /// Options of a bot of the catalogue, or of those in its `bot.toml`: `{ depth = 3 }`.
    pub options: Placed<toml::Table>,
    /// `always`: a fresh process for each game.
    pub restart: Placed<String>,
    /// The language it speaks: `arena`, `gomocup`, `gtp` or `nboard`.
    pub protocol: Placed<String>,
    /// Lines in that language that it is sent before each game.
    pub setup: Placed<Vec<String>>,
    /// Its own limits, instead of the tournament's.
    pub move_ms: Placed<i64>,
    /// As above.
    pub game_ms: Placed<i64>,
    /// As above.
    pub increment_ms: Placed<i64>,
    /// In a suite: the share of points to be won against it, instead of the suite's.
    pub threshold: Placed<f64>,
    /// In a suite: what beating it is worth, instead of the suite's.
    pub points: Placed<f64>,
}

/// The `[grade]` of a suite: the bots of the file are the opponents, weakest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GradeFile {
    /// The share of points to be won against each opponent, 0 to 1; a draw is half a point.
    pub threshold: Placed<f64>,
    /// What beating an opponent is worth.
    pub points: Placed<f64>,
    /// Points with which a grade is passed; all of them where it is left out.
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
    /// How often H1 may be accepted although H0 holds.
    pub alpha: Placed<f64>,
    /// How often H0 may be accepted although H1 holds.
    pub beta: Placed<f64>,
    /// `logistic` or `normalised`.
    pub model: Placed<String>,
}

/// An `[adjudicate]`: what it does not say is off.
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
