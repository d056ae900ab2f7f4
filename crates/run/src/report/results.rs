//! The results of a run: what `arena report --json` prints, with a published schema. The CSV tables, the pages and the
//! terminal show the same figures.
//!
//! The comments of the fields are the descriptions in the schema and in `results/README.md`. Elo differences are
//! logistic; shares are from 0 to 1; times are wall times in ms.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use message::Message;
use referee::record::Spent;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Serialize, Serializer};
use serde_json::Value;
use stats::{Interval, Score, Z_95, wilson};
use tournament::mark::Card;

use super::{GoalLine, Pairing, Standings, TuningLine};

/// The results of a run. `arena report --json` prints them, and so do all commands that play games, except for
/// `arena grade` and `arena stages`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunResults {
    /// The name of the tournament
    pub name: String,
    /// The folder of the run
    pub run: String,
    /// The number of games that count
    pub games: u64,
    /// The number of void games: the arena or the machine failed
    pub void: u64,
    /// The number of games that repeat an earlier game move by move
    pub repeated: u64,
    /// The bots, best first
    pub standings: Vec<BotResults>,
    /// The 95 % half-widths of the differences between the ratings of every two bots, in the order of `standings`; null
    /// with more than 64 bots
    pub elo_difference_error_95: Option<Vec<Vec<f64>>>,
    /// The games of the two bots; null unless there are two
    pub r#match: Option<MatchResults>,
    /// The sequential test; null without one
    pub sprt: Option<TestResults>,
    /// The match that ends once its Elo difference is known; null for another run
    pub until_elo: Option<PrecisionResults>,
    /// Only in a run that tunes options
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuning: Option<TuningResults>,
}

/// Games by result, from the side of one bot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScoreResults {
    /// Games that count; void games do not. A game in which both bots failed is a loss for both in the standings. In
    /// the results of two bots, it counts only in `both_failed`, and in `pairs.csv` also in `games`
    pub games: u64,
    /// Games won
    pub wins: u64,
    /// Games drawn
    pub draws: u64,
    /// Games lost
    pub losses: u64,
    /// Share of drawn games
    pub draw_rate: f64,
    /// Points per game; a draw is half a point
    pub win_rate: f64,
    /// The 95 % interval of `win_rate`. For a bot's results against one opponent, it is computed from pairs if there
    /// are at least six whole pairs and not all have the same score. In all other cases, it is Wilson's interval
    pub win_rate_95: [f64; 2],
}

impl ScoreResults {
    pub fn of(score: &Score, interval: Interval) -> ScoreResults {
        ScoreResults {
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            draw_rate: score.draw_rate(),
            win_rate: score.rate(),
            win_rate_95: [interval.low, interval.high],
        }
    }
}

/// The results of a bot.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BotResults {
    /// The place, from 1: by share of points, then rating; in Swiss, knockout and ladder by the rules of the format
    pub rank: usize,
    /// The bot's name
    pub bot: String,
    #[serde(flatten)]
    pub score: ScoreResults,
    /// Points won; a draw is half a point
    pub points: f64,
    /// Swiss: points including byes
    pub swiss_points: Option<f64>,
    /// Swiss: the sum of the opponents' points
    pub buchholz: Option<f64>,
    /// Bradley–Terry rating relative to the mean of all bots, or to the bots of known ratings, with a prior that keeps
    /// ratings finite when a bot wins every game
    pub elo: Option<f64>,
    /// The half-width of the 95 % interval of `elo`, from whole pairs where there are any
    pub elo_error_95: Option<f64>,
    /// The limits of the bot's true place by `elo`: the best and the worst place. With a probability of at least 95 %,
    /// the true places of all bots are within their limits
    pub place_95: Option<[usize; 2]>,
    /// Wins as black
    pub wins_as_black: u64,
    /// Wins as white
    pub wins_as_white: u64,
    /// Points per game as black
    pub win_rate_as_black: Option<f64>,
    /// Points per game as white
    pub win_rate_as_white: Option<f64>,
    /// Othello: own discs minus the opponent's, over games whose discs were counted
    pub mean_disc_difference: Option<f64>,
    /// The number of the bot's faults, by kind
    pub faults: BTreeMap<&'static str, u64>,
    /// The number of late answers of the bot that were excused, because the machine was busy or stood still; void games
    /// included
    pub interruptions: u32,
    /// Number of moves that the bot was asked for
    pub moves: u64,
    /// Mean wall time per move
    pub mean_ms: Option<f64>,
    /// The median of the times of the bot's moves (within 1 %)
    pub p50_ms: Option<f64>,
    /// The 95th percentile of the move times (within 1 %)
    pub p95_ms: Option<f64>,
    /// The longest move
    pub max_ms: Option<f64>,
    /// The longest time of a move that came too late, or not at all
    pub late_ms: Option<f64>,
    /// CPU time divided by wall time, over the bot's moves of 1 ms and more
    pub cpu_share: Option<f64>,
    /// CPU time that the bot used while its opponents were to move; small unless the tournament has `ponder = true`
    pub idle_cpu_ms: f64,
    /// The mean depth in the bot's `info` lines
    pub mean_depth: Option<f64>,
    /// The sum of the nodes in the bot's `info` lines
    pub nodes: Option<u64>,
    /// `nodes` divided by the wall time of the moves with such a line
    pub nodes_per_second: Option<f64>,
    /// What the bot's moves cost by its own reports, such as tokens: sums by name, including void games and answers
    /// that were no move
    #[schemars(with = "BTreeMap<String, f64>")]
    pub spent: Spent,
}

impl BotResults {
    pub fn fault_count(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Returns the 95 % interval of the rating; its ends are equal if the error is not known.
    pub fn elo_95(&self) -> Option<[f64; 2]> {
        let error = self.elo_error_95.unwrap_or_default();
        self.elo.map(|elo| [elo - error, elo + error])
    }
}

/// The games of two bots, from the side of `bot`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchResults {
    /// The bot that is listed first in the tournament
    pub bot: String,
    /// The other bot
    pub opponent: String,
    #[serde(flatten)]
    pub score: ScoreResults,
    /// Games in which both bots failed
    pub both_failed: u64,
    /// Logistic Elo of `bot` over `opponent`, from whole pairs if there are any, else from games. **Empty below six pairs
    /// (or games)**: by the sign test, no result of five is significant at 95 %
    pub elo: Option<f64>,
    /// The half-width of the 95 % interval of `elo`; in a match with `until_elo`, valid after every pair
    pub elo_error_95: Option<f64>,
    /// Normalised Elo; empty if all pairs ended with the same score, because its unit is the standard deviation of
    /// these scores
    pub nelo: Option<f64>,
    /// The half-width of the 95 % interval of `nelo`
    pub nelo_error_95: Option<f64>,
    /// Likelihood of superiority: never closer to 0 or 1 than 2⁻ⁿ for n pairs
    pub los: Option<f64>,
    /// Whole colour-swapped pairs by their two results: both lost (LL), lost and drawn (LD), won and lost (WL), both
    /// drawn (DD), won and drawn (WD), both won (WW). If the match has a goal (SPRT, `until_elo`), repeated pairs and
    /// pairs after its end are left out
    pub pairs: [u64; 6],
}

impl MatchResults {
    pub fn of(names: [&str; 2], pairing: &Pairing) -> MatchResults {
        let strength = pairing.strength();
        let (elo, nelo) = (
            strength.map(|strength| strength.elo),
            strength.and_then(|strength| strength.normalised),
        );
        MatchResults {
            bot: names[0].to_owned(),
            opponent: names[1].to_owned(),
            score: ScoreResults::of(&pairing.score, pairing.interval()),
            both_failed: pairing.both_failed,
            elo: elo.map(|elo| elo.elo),
            elo_error_95: elo.map(|elo| elo.error_95),
            nelo: nelo.map(|elo| elo.elo),
            nelo_error_95: nelo.map(|elo| elo.error_95),
            los: strength.map(|strength| strength.los),
            pairs: pairing.pairs.into(),
        }
    }
}

/// A sequential test of the hypotheses that the Elo difference is `elo0` (H0) or `elo1` (H1).
#[derive(Debug, Serialize, JsonSchema)]
pub struct TestResults {
    /// `H0`, `H1` or `undecided`
    pub verdict: &'static str,
    /// The verdict in words
    #[serde(serialize_with = "message::in_english")]
    #[schemars(with = "String")]
    pub words: Message,
    /// The log-likelihood ratio of H1 against H0
    pub llr: f64,
    /// The values of `llr` at which H0 and H1 are accepted
    pub bounds: [f64; 2],
    /// In the unit of `model`
    pub elo0: f64,
    /// In the unit of `model`
    pub elo1: f64,
    /// The chance that H1 is accepted although H0 is true
    pub alpha: f64,
    /// The chance that H0 is accepted although H1 is true
    pub beta: f64,
    /// The unit of `elo0` and `elo1`: `logistic` or `normalised` Elo
    pub model: &'static str,
    #[serde(flatten)]
    pub goal: GoalResults,
}

/// A match that ends once the Elo difference is known to ± `wanted`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PrecisionResults {
    /// The wanted half-width of the 95 % interval, in Elo
    pub wanted: f64,
    /// Whether the wanted half-width is reached
    pub known: bool,
    /// The result in words
    #[serde(serialize_with = "message::in_english")]
    #[schemars(with = "String")]
    pub words: Message,
    /// The difference so far; null with too few games
    pub elo: Option<f64>,
    /// The half-width of its 95 % interval, valid after every pair
    pub elo_error_95: Option<f64>,
    #[serde(flatten)]
    pub goal: GoalResults,
}

/// The results that every match with a goal has.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GoalResults {
    /// The pairs that count
    pub r#match: MatchResults,
    /// The number of games that the match still needs; null after its end, or with too few games
    pub forecast: Option<ForecastResults>,
    /// Games that were played after the end of the match and do not count
    pub games_beyond: u64,
    /// Pairs that do not count because both bots failed in one of the games
    pub pairs_unscored: u64,
    /// Pairs that do not count because they repeat an earlier pair
    pub pairs_repeated: u64,
    /// Whether all further games would repeat earlier ones
    pub exhausted: bool,
}

/// The number of games that a match with a goal still needs.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ForecastResults {
    /// The expected number; with `until_elo`, if the results stay as they are
    pub games: f64,
    /// Only for a test: the number is between these two with a chance of 80 %
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_80: Option<[f64; 2]>,
    /// Only for a test: the chance that H1 will be accepted
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepts_h1: Option<f64>,
}

/// The tuning of a bot's options.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TuningResults {
    /// The iterations so far
    pub iterations: u64,
    /// All iterations
    pub of_iterations: u64,
    /// The games of the iterations so far
    pub games: u64,
    /// The tuned options
    pub parameters: Vec<ParameterResults>,
    /// The tuned values against the start values; null before the first of these games
    pub r#match: Option<MatchResults>,
}

/// An option that is tuned.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ParameterResults {
    /// The name of the option
    pub name: String,
    /// The value before the first iteration
    pub start: f64,
    /// The value now
    pub value: f64,
    /// The value that a bot gets now: rounded if the option takes whole numbers
    pub tuned: Option<f64>,
    /// The least value
    pub min: f64,
    /// The largest value
    pub max: f64,
    /// The perturbation in the last iteration
    pub step: f64,
    /// The learning rate in the last iteration
    pub rate: f64,
}

/// The results of a run of stages: `arena stages --json`, and `arena report --json` of such a run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StageRunResults {
    /// The bot
    pub bot: String,
    /// Its opponent, as in the command
    pub defender: String,
    /// The time limit for a move, in ms; 0 for none
    pub move_ms: u64,
    /// The folder of the run
    pub run: String,
    /// The stages that were played, in their order
    pub stages: Vec<StageResults>,
    /// The number of passed stages
    pub passed: usize,
    /// The number of all stages
    pub of: usize,
}

/// A stage, and the bot's attempt.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StageResults {
    /// The name of the stage
    pub stage: String,
    /// The number of the game in the run
    pub game: u64,
    /// The half-moves of the shortest known win; null if the stage has none
    pub win_plies: Option<u32>,
    /// The proven lead in discs; null if the stage has none
    pub score: Option<i32>,
    /// The bot must win, or hold, within this number of its moves
    pub most_moves: usize,
    /// Whether the stage is passed
    pub passed: bool,
    /// `passed`, `not passed`, `void`, or a fault
    pub result: &'static str,
    /// Why the stage is not passed
    #[serde(serialize_with = "in_english")]
    #[schemars(with = "Option<String>")]
    pub remark: Option<Message>,
    /// The first turn at which the bot gave away a forced win; null if none was found
    pub missed: Option<MissedWin>,
    /// The number of the bot's moves
    pub moves: usize,
    /// The time of the bot's longest move
    pub longest_ms: f64,
    /// The mean time of the bot's moves
    pub mean_ms: f64,
    /// The half-moves of the game, after the position of the stage
    pub line: Vec<String>,
}

#[expect(clippy::ref_option, reason = "serde passes a field")]
fn in_english<S: Serializer>(message: &Option<Message>, serializer: S) -> Result<S::Ok, S::Error> {
    message
        .as_ref()
        .map(ToString::to_string)
        .serialize(serializer)
}

/// A forced win that was given away.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MissedWin {
    /// The number of the move, from 1
    pub r#move: usize,
    /// The square that was played
    pub played: String,
    /// The winning moves of both sides
    pub win: Vec<String>,
    /// The number of half-moves in `win`
    pub win_plies: usize,
}

/// The grades of a class: `arena grade --all --json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ClassResults<'a> {
    /// The name of the suite
    pub suite: &'a str,
    /// The grades, in the order of the hand-ins' names
    pub grades: Vec<&'a Card>,
}

/// The kinds of results that the arena prints as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultsSchema {
    Run,
    Stages,
    Grade,
    Class,
}

impl ResultsSchema {
    pub fn value(self) -> Value {
        match self {
            ResultsSchema::Run => schema_of::<RunResults>(),
            ResultsSchema::Stages => schema_of::<StageRunResults>(),
            ResultsSchema::Grade => schema_of::<Card>(),
            ResultsSchema::Class => schema_of::<ClassResults>(),
        }
    }
}

/// Returns the JSON Schema of a type as it is written, with each description on one line.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::default().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().into();
    join_lines(&mut schema);
    schema
}

fn join_lines(schema: &mut Value) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(join_lines),
        Value::Array(values) => values.iter_mut().for_each(join_lines),
        _ => {}
    }
}

/// The maximum number of bots whose differences in rating are listed.
const MOST_COMPARED: usize = 64;

impl RunResults {
    pub fn of(
        name: &str,
        run: &Path,
        standings: &Standings,
        goal: Option<&GoalLine>,
        tuning: Option<&TuningLine>,
    ) -> RunResults {
        let (ranking, rated) = (standings.ranking(), standings.rated());
        let errors = |&one: &usize| {
            let others = ranking.iter();
            let errors = others.map(|&other| rated.difference_error_95(one, other));
            errors.collect()
        };
        RunResults {
            name: name.to_owned(),
            run: run.display().to_string(),
            games: standings.games(),
            void: standings.void(),
            repeated: standings.repeated(),
            standings: standings.results(),
            elo_difference_error_95: (ranking.len() <= MOST_COMPARED)
                .then(|| ranking.iter().map(errors).collect()),
            r#match: standings.head_to_head(),
            sprt: goal.and_then(GoalLine::test),
            until_elo: goal.and_then(GoalLine::precision),
            tuning: tuning.map(TuningLine::results),
        }
    }
}

impl Standings {
    pub fn results(&self) -> Vec<BotResults> {
        let ratings = self.ratings();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let of = |(rank, number): (usize, usize)| {
            let (bot, score) = (&self.bots()[number], self.bots()[number].score());
            let rating = Some(ratings[number]).filter(|_| score.games() > 0);
            let rates = bot.by_colour.map(|score| match score.games() {
                0 => None,
                _ => Some(score.rate()),
            });
            BotResults {
                rank,
                bot: bot.name.clone(),
                score: ScoreResults::of(&score, wilson(&score, Z_95)),
                points: score.points(),
                swiss_points: self.swiss_points(number),
                buchholz: self.buchholz(number),
                elo: rating.map(|rating| rating.elo),
                elo_error_95: rating.and_then(|rating| rating.error_95),
                place_95: rating.map(|rating| rating.places),
                wins_as_black: bot.by_colour[0].wins,
                wins_as_white: bot.by_colour[1].wins,
                win_rate_as_black: rates[0],
                win_rate_as_white: rates[1],
                mean_disc_difference: bot.mean_disc_difference(),
                faults: bot.faults.clone(),
                interruptions: bot.interruptions,
                moves: bot.thinking.count(),
                mean_ms: bot.thinking.mean().map(ms),
                p50_ms: bot.thinking.percentile(50.0).map(ms),
                p95_ms: bot.thinking.percentile(95.0).map(ms),
                max_ms: bot.thinking.max().map(ms),
                late_ms: bot.late.map(ms),
                cpu_share: bot.cpu_share(),
                idle_cpu_ms: ms(bot.idle_cpu),
                mean_depth: bot.mean_depth(),
                nodes: bot.nodes(),
                nodes_per_second: bot.nodes_per_second(),
                spent: bot.spent.clone(),
            }
        };
        (1..).zip(self.ranking()).map(of).collect()
    }

    /// Returns the results of every two bots that played each other.
    pub fn matches(&self) -> impl Iterator<Item = MatchResults> {
        self.pairings().map(|(bots, pairing)| {
            MatchResults::of(bots.map(|bot| self.bots()[bot].name.as_str()), pairing)
        })
    }

    pub fn head_to_head(&self) -> Option<MatchResults> {
        let [one, two] = self.bots() else {
            return None;
        };
        let pairing = self.pairing(0, 1).unwrap_or_default();
        Some(MatchResults::of([&one.name, &two.name], &pairing))
    }
}
