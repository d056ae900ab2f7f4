//! The tournament file as a person writes it: TOML, parsed but not yet validated. `schema` generates the users' manual
//! from the doc comments of these types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::format::Format;
use referee::dialect::Protocol;
use referee::problem::{Placed, Problem};

/// The keys at the top of the file. Only `game` and two `[[bot]]` are required; with `[tune]`, one `[[bot]]`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentFile {
    /// The name of the run and of its folder in `results`.
    #[schemars(with = "String", extend("examples" = ["my-tournament"]), extend("x-default" = "the file's name"))]
    pub name: Placed<String>,
    /// The game of all matches.
    #[schemars(with = "String", extend("examples" = [games::names()[0]]), extend("enum" = games::names()))]
    pub game: Placed<String>,
    /// Side of the board: 5 to 22 in Gomoku.
    #[schemars(with = "i64", range(min = 5, max = 22), extend("examples" = [15]), extend("x-default" = "the usual one of the game"))]
    pub size: Placed<i64>,
    /// The rules of Gomoku.
    #[schemars(with = "String", extend("examples" = ["freestyle"]), extend("x-default" = "the usual ones of the game"), extend("enum" = ["standard", "freestyle", "renju", "caro"]))]
    pub rules: Placed<String>,
    /// The rule by which the bots agree on the first stones and on their colours: `docs/protocol.md`. `openings`, in
    /// contrast, is a list of first moves that both bots are given.
    #[schemars(with = "String", extend("examples" = ["swap2"]), extend("default" = "none"), extend("enum" = ["none", "swap", "swap2", "soosyrv-8", "taraguchi-10", "rif"]))]
    pub opening: Placed<String>,
    /// The pairing system: which bots meet, and in which rounds.
    #[schemars(with = "String", extend("examples" = ["gauntlet"]), extend("x-default" = "match for two bots, else round-robin; pairings if they are listed"), extend("enum" = Format::NAMES))]
    pub format: Placed<String>,
    /// Gauntlet: the first `seeds` bots of the file each play against all others.
    #[schemars(with = "i64", range(min = 1), extend("examples" = [1]), extend("default" = 1))]
    pub seeds: Placed<i64>,
    /// Rounds of a Swiss tournament or a ladder.
    #[schemars(with = "i64", range(min = 1, max = 10_000), extend("examples" = [3]), extend("x-default" = "Swiss: as many as in a knockout; ladder: one per bot"))]
    pub rounds: Placed<i64>,
    /// In the format `pairings`: the pairings, two names of bots each. Each pairing plays `games` games (default 2);
    /// every pair of games has its own opening.
    #[schemars(with = "Vec<[String; 2]>", extend("examples" = [[["b0", "b1"]]]))]
    pub pairings: Placed<Vec<[String; 2]>>,
    /// Games per pairing; even, because every opening is played with both colours.
    #[schemars(with = "i64", range(min = 2, max = 100_000_000), extend("examples" = [20]), extend("default" = 20))]
    pub games: Placed<i64>,
    /// A file of openings (`docs/formats.md`), or `none` for the start position.
    #[schemars(with = "String", extend("examples" = ["none"]), extend("x-default" = "the built-in openings"))]
    pub openings: Placed<String>,
    /// How many half-moves of each opening are played; the others are left out.
    #[schemars(with = "i64", range(min = 1, max = 1000), extend("examples" = [6]), extend("x-default" = "all"))]
    pub opening_plies: Placed<i64>,
    /// The order in which openings are used: as in the file, or shuffled by `seed`.
    #[schemars(with = "String", extend("examples" = ["shuffled"]), extend("default" = "in-order"), extend("enum" = ["in-order", "shuffled"]))]
    pub order: Placed<String>,
    /// Whether an opening that is used again is turned or mirrored.
    #[schemars(with = "bool", extend("examples" = [true]), extend("default" = false))]
    pub symmetries: Placed<bool>,
    /// Time limit of a move; 0: none.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [200]), extend("x-default" = "1000 if there is no game_ms, else 0"), extend("x-unit" = "ms"))]
    pub move_ms: Placed<i64>,
    /// Time limit of all moves of a player in a game; 0: none.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [60_000]), extend("x-default" = "none"), extend("x-unit" = "ms"))]
    pub game_ms: Placed<i64>,
    /// Time that is added to the player's clock after each of its moves.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [500]), extend("default" = 0), extend("x-unit" = "ms"))]
    pub increment_ms: Placed<i64>,
    /// The number of a player's own moves after which it gets `game_ms` again.
    #[schemars(with = "i64", range(min = 1, max = 1000), extend("examples" = [40]), extend("x-default" = "the whole game"), extend("x-unit" = "moves"))]
    pub period_moves: Placed<i64>,
    /// Time tolerated beyond every limit.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [50]), extend("default" = 20), extend("x-unit" = "ms"))]
    pub margin_ms: Placed<i64>,
    /// The speed of the machine that the time limits are meant for, as `arena speed` prints it there. Each machine
    /// multiplies the limits, but not `margin_ms`, by this speed and divides them by its own speed.
    #[schemars(with = "i64", range(min = 1, max = 1_000_000_000), extend("examples" = [1_500_000]), extend("x-default" = "the limits are the same on every machine"), extend("x-unit" = "nodes/s"))]
    pub scale_nps: Placed<i64>,
    /// The number of illegal answers in one turn that loses the game; after fewer, the arena asks the bot again.
    #[schemars(with = "i64", range(min = 1, max = 100), extend("examples" = [3]), extend("default" = 1))]
    pub illegal_answers: Placed<i64>,
    /// The most that the bots may spend in the run: no game begins once the prices that they report with their moves
    /// (`docs/protocol.md`) add up to this amount.
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000_000.0), extend("examples" = [2.5]), extend("x-default" = "no limit"), extend("x-unit" = "of the bots' currency"))]
    pub budget: Placed<f64>,
    /// Whether the bots are hand-ins of other people, as in a league. Such bots do not get several cores, a folder that
    /// stays, environment variables, or the right to stop the whole run.
    #[schemars(with = "bool", extend("examples" = [true]), extend("default" = false))]
    pub hand_ins: Placed<bool>,
    /// Whether the bots' files are built already, as in a plan. Not a key of the file.
    #[serde(skip)]
    #[schemars(skip)]
    pub is_built: bool,
    /// Whether bots may think in the opponent's time; if not, the arena freezes them in that time.
    #[schemars(with = "bool", extend("examples" = [true]), extend("default" = false))]
    pub ponder: Placed<bool>,
    /// Games played at the same time.
    #[schemars(with = "i64", range(min = 1, max = 1024), extend("examples" = [2]), extend("default" = 1))]
    pub concurrency: Placed<i64>,
    /// Whether each game is pinned to cores of its own.
    #[schemars(with = "bool", extend("examples" = [false]), extend("default" = true))]
    pub pin: Placed<bool>,
    /// The cores that games may be pinned to. Cores that another arena has claimed are not used.
    #[schemars(with = "String", extend("examples" = ["0,2-3"]), extend("x-default" = "all"))]
    pub core_list: Placed<String>,
    /// Keeps the messages and the standard error of every game in `logs`, not only those of failed games.
    #[schemars(with = "bool", extend("examples" = [true]), extend("default" = false))]
    pub log: Placed<bool>,
    /// A bot with a fixed rating; all other ratings are relative to it: `random=0`.
    #[schemars(with = "String", extend("examples" = ["b0=0"]), extend("x-default" = "the mean of the bots is 0"), extend("x-unit" = "NAME=ELO"))]
    pub anchor: Placed<String>,
    /// The tier of the sandbox in which bots are built and play.
    #[schemars(with = "String", extend("examples" = ["off"]), extend("x-default" = "off; `arena grade` and `arena league play` take auto"), extend("enum" = ["auto", "strict", "standard", "off"]))]
    pub sandbox: Placed<String>,
    /// Whether bots in a sandbox have the machine's network.
    #[schemars(with = "bool", extend("examples" = [true]), extend("default" = false))]
    pub network: Placed<bool>,
    /// The most memory of a bot in a sandbox.
    #[schemars(with = "i64", range(min = 1, max = 16_777_216), extend("examples" = [512]), extend("default" = 1024), extend("x-unit" = "MiB"))]
    pub memory_mib: Placed<i64>,
    /// The most processes and threads of a bot in a sandbox.
    #[schemars(with = "i64", range(min = 1, max = 1_048_576), extend("examples" = [64]), extend("default" = 256))]
    pub processes: Placed<i64>,
    /// The most disk space for temporary files of a bot in a sandbox.
    #[schemars(with = "i64", range(min = 1, max = 16_777_216), extend("examples" = [16]), extend("default" = 64), extend("x-unit" = "MiB"))]
    pub disk_mib: Placed<i64>,
    /// The most time that building a bot may take.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [60_000]), extend("default" = 600_000), extend("x-unit" = "ms"))]
    pub build_ms: Placed<i64>,
    /// Seed of every random choice of the run.
    #[schemars(with = "u64", extend("examples" = [7]), extend("default" = 1))]
    pub seed: Placed<u64>,
    /// The grading, if the file is a suite.
    #[schemars(with = "GradeFile")]
    pub grade: Placed<GradeFile>,
    /// The test that can end a match early.
    #[schemars(with = "SprtFile")]
    pub sprt: Placed<SprtFile>,
    /// In a match: the run ends when the Elo difference is known to ± this number, by a 95 % interval that is valid
    /// after every pair. `games` is then the largest number of games, by default 100,000. In the format
    /// `rating`: the run ends when the rating of the first bot is known to ± this number.
    #[schemars(with = "f64", range(min = 0.5, max = 400.0), extend("examples" = [20.0]), extend("x-default" = "all games are played"), extend("x-unit" = "Elo"))]
    pub until_elo: Placed<f64>,
    /// The tuning, if the file is a tuning file: it has one bot, and a `[[parameter]]` for each option to tune.
    #[schemars(with = "TuneFile")]
    pub tune: Placed<TuneFile>,
    /// The options to tune.
    #[schemars(with = "Vec<ParameterFile>")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameter: Vec<Spanned<ParameterFile>>,
    /// When the referee ends a game early.
    #[schemars(with = "AdjudicateFile")]
    pub adjudicate: Placed<AdjudicateFile>,
    /// The bots.
    #[schemars(with = "Vec<BotFile>")]
    #[serde(default)]
    pub bot: Vec<Spanned<BotFile>>,
}

/// A `[[bot]]`: either `use` or `command`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BotFile {
    /// The bot's name in this run.
    #[schemars(with = "String", extend("examples" = ["mine"]), extend("x-default" = "the name of the file, folder or built-in bot"))]
    pub name: Placed<String>,
    /// A built-in bot (`arena bots`), a folder with `bot.toml` or one script, or a file: a script, a
    /// program, a source file.
    #[schemars(with = "String", extend("examples" = ["greedy"]))]
    #[serde(rename = "use")]
    pub uses: Placed<String>,
    /// Program and arguments.
    #[schemars(with = "Vec<String>", extend("examples" = [["python3", "my_bot.py"]]))]
    pub command: Placed<Vec<String>>,
    /// The folder in which the command starts.
    #[schemars(with = "String", extend("examples" = ["."]), extend("x-default" = "the tournament file's folder"))]
    pub folder: Placed<String>,
    /// Options of a built-in bot, or options that its `bot.toml` declares.
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>", extend("examples" = [{"depth": 3}]), extend("x-default" = "its own"))]
    pub options: Placed<toml::Table>,
    /// In a sandbox: the files and folders that the bot can read, relative to its folder.
    #[schemars(with = "Vec<String>", extend("examples" = [["bot.py", "weights"]]), extend("x-default" = "its folder"))]
    pub readable: Placed<Vec<String>>,
    /// In a sandbox: whether the bot has the machine's network.
    #[schemars(with = "bool", extend("examples" = [true]), extend("x-default" = "the tournament's"))]
    pub network: Placed<bool>,
    /// Whether the bot gets a new process for each game.
    #[schemars(with = "String", extend("examples" = ["always"]), extend("default" = "never"), extend("enum" = ["always", "never"]))]
    pub restart: Placed<String>,
    /// The bot's protocol.
    #[schemars(with = "String", extend("examples" = ["gtp"]), extend("default" = "arena"), extend("enum" = Protocol::ALL.map(Protocol::word)))]
    pub protocol: Placed<String>,
    /// The form of a class or function that a course asks for, such as `ai-player` (`docs/courses.md`).
    #[schemars(with = "String", extend("examples" = ["ai-player"]), extend("x-default" = "recognised"))]
    pub frame: Placed<String>,
    /// Lines in the bot's protocol that are sent to it before each game.
    #[schemars(with = "Vec<String>", extend("examples" = [["level 3"]]), extend("x-default" = "none"))]
    pub setup: Placed<Vec<String>>,
    /// The bot's own time limit of a move. If a bot sets `move_ms` or `game_ms`, no time limit of the tournament
    /// applies to it.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [500]), extend("x-default" = "the tournament's"), extend("x-unit" = "ms"))]
    pub move_ms: Placed<i64>,
    /// The bot's own time limit of all moves of a game.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [30_000]), extend("x-default" = "the tournament's"), extend("x-unit" = "ms"))]
    pub game_ms: Placed<i64>,
    /// The bot's own increment. If the bot sets neither `move_ms` nor `game_ms`, the increment applies to the
    /// tournament's clock.
    #[schemars(with = "i64", range(min = 0, max = 604_800_000), extend("examples" = [100]), extend("x-default" = "the tournament's"), extend("x-unit" = "ms"))]
    pub increment_ms: Placed<i64>,
    /// The bot's own `period_moves`: the number of its moves after which it gets `game_ms` again.
    #[schemars(with = "i64", range(min = 1, max = 1000), extend("examples" = [40]), extend("x-default" = "the tournament's"), extend("x-unit" = "moves"))]
    pub period_moves: Placed<i64>,
    /// A known rating, which the run does not change; the ratings of the other bots are on its scale.
    #[schemars(with = "f64", range(min = -10_000.0, max = 10_000.0), extend("examples" = [1200.0]), extend("x-default" = "found from the games"), extend("x-unit" = "Elo"))]
    pub rating: Placed<f64>,
    /// In a suite: the share of points that beats this bot, instead of the suite's `threshold`.
    #[schemars(with = "f64", range(min = 0.0, max = 1.0), extend("examples" = [0.6]), extend("x-default" = "the suite's"), extend("x-unit" = "share of points"))]
    pub threshold: Placed<f64>,
    /// In a suite: the points for beating this bot, instead of the suite's `points`.
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000.0), extend("examples" = [2.0]), extend("x-default" = "the suite's"), extend("x-unit" = "points"))]
    pub points: Placed<f64>,
}

/// The `[grade]` of a suite: the bots of the file are the opponents, weakest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradeFile {
    /// The share of points that beats an opponent, 0 to 1; a draw is half a point.
    #[schemars(with = "f64", range(min = 0.0, max = 1.0), extend("examples" = [0.55]), extend("x-unit" = "share of points"))]
    pub threshold: Placed<f64>,
    /// The points for beating an opponent.
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000.0), extend("examples" = [1.0]), extend("x-unit" = "points"))]
    pub points: Placed<f64>,
    /// The points that are needed to pass.
    #[schemars(with = "f64", range(min = 0.0), extend("examples" = [4.0]), extend("x-default" = "all points"), extend("x-unit" = "points"))]
    pub pass: Placed<f64>,
    /// Plays more games until each verdict has this confidence, or `confirm_games` games have been played.
    #[schemars(with = "f64", range(min = 0.5, max = 0.9999), extend("examples" = [0.95]), extend("x-default" = "no confirmation: `games` games decide"))]
    pub confirm: Placed<f64>,
    /// With `confirm`: the most games against an opponent. A verdict that is still open is reported as such, for the
    /// teacher to decide.
    #[schemars(with = "i64", range(min = 2, max = 100_000_000), extend("examples" = [400]), extend("x-default" = "20 times `games`"))]
    pub confirm_games: Placed<i64>,
    /// The points for accurate moves, in addition to those for beaten opponents. Each move of the graded bot is
    /// compared with the best move, and the mean loss decides. A game that the bot ends by a fault or by resigning has
    /// a loss of at least `loss_none`. `docs/grading.md` has the losses of the reference opponents.
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000.0), extend("examples" = [10.0]), extend("x-default" = "only results count"), extend("x-unit" = "points"))]
    pub accuracy: Placed<f64>,
    /// With `accuracy`: if the mean loss per move is at most this number, the bot earns all points.
    #[schemars(with = "f64", range(min = 0.0, max = 50.0), extend("examples" = [1.0]), extend("default" = 1.0), extend("x-unit" = "discs, or % of the chance of winning"))]
    pub loss_full: Placed<f64>,
    /// With `accuracy`: if the mean loss per move is at least this number, the bot earns no points. Between `loss_full`
    /// and `loss_none`, the points decrease in proportion.
    #[schemars(with = "f64", range(min = 0.1, max = 100.0), extend("examples" = [6.0]), extend("x-default" = "7 discs or 45 %, as `random` loses"), extend("x-unit" = "discs, or % of the chance of winning"))]
    pub loss_none: Placed<f64>,
}

/// A sequential test: is the first bot stronger than the second by `elo1` (H1) or only by `elo0` (H0)?
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SprtFile {
    /// The Elo difference that H0 claims.
    #[schemars(with = "f64", range(min = -1000.0, max = 1000.0), extend("examples" = [0.0]), extend("x-unit" = "Elo"))]
    pub elo0: Placed<f64>,
    /// The Elo difference that H1 claims.
    #[schemars(with = "f64", range(min = -1000.0, max = 1000.0), extend("examples" = [10.0]), extend("x-unit" = "Elo"))]
    pub elo1: Placed<f64>,
    /// Rate of accepting H1 although H0 is true.
    #[schemars(with = "f64", extend("examples" = [0.05]), extend("default" = 0.05))]
    pub alpha: Placed<f64>,
    /// Rate of accepting H0 although H1 is true.
    #[schemars(with = "f64", extend("examples" = [0.05]), extend("default" = 0.05))]
    pub beta: Placed<f64>,
    /// The unit of `elo0` and `elo1`: logistic or normalised Elo.
    #[schemars(with = "String", extend("examples" = ["normalised"]), extend("default" = "logistic"), extend("enum" = ["logistic", "normalised", "normalized"]))]
    pub model: Placed<String>,
}

/// Rules that end a game early. Rules that the file leaves out are off.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdjudicateFile {
    /// A game is won if the scores of both bots, in their own units, report a lead of at least this number for the same
    /// side. Not allowed for hand-ins, which could report any score.
    #[schemars(with = "f64", extend("examples" = [40.0]), extend("x-default" = "off"), extend("x-unit" = "units of the bots"))]
    pub resign_score: Placed<f64>,
    /// The number of half-moves in a row for which both bots must report a lead of `resign_score`.
    #[schemars(with = "i64", range(min = 2, max = 1000), extend("examples" = [6]), extend("default" = 6), extend("x-unit" = "half-moves"))]
    pub resign_plies: Placed<i64>,
    /// A game is drawn if the scores of both bots, in their own units, are between minus this number and this number.
    /// Not allowed for hand-ins.
    #[schemars(with = "f64", range(min = 0.0), extend("examples" = [0.5]), extend("x-default" = "off"), extend("x-unit" = "units of the bots"))]
    pub draw_score: Placed<f64>,
    /// The number of half-moves in a row for which both scores must be within `draw_score`.
    #[schemars(with = "i64", range(min = 2, max = 1000), extend("examples" = [8]), extend("default" = 8), extend("x-unit" = "half-moves"))]
    pub draw_plies: Placed<i64>,
    /// The number of half-moves before which no game is drawn by `draw_score`.
    #[schemars(with = "i64", range(min = 0, max = 10_000), extend("examples" = [40]), extend("default" = 0), extend("x-unit" = "half-moves"))]
    pub draw_from: Placed<i64>,
    /// The number of half-moves after which a game is drawn.
    #[schemars(with = "i64", range(min = 1, max = 10_000), extend("examples" = [120]), extend("x-default" = "off"), extend("x-unit" = "half-moves"))]
    pub draw_after: Placed<i64>,
    /// Othello: the number of empty squares at which a solver ends the game with the result of perfect play.
    #[schemars(with = "i64", range(min = 1, max = 16), extend("examples" = [10]), extend("x-default" = "off"), extend("x-unit" = "empty squares"))]
    pub solve_empties: Placed<i64>,
}

impl TournamentFile {
    pub fn parse(text: &str) -> Result<TournamentFile, Problem> {
        toml::from_str(text).map_err(|error| {
            let problem = Problem::in_toml(&error);
            // `bot` is an array of tables, so the message of the parser, which expects a list, would mislead.
            let before = problem.at.clone().and_then(|at| text.get(..at.start));
            let line = before.and_then(|before| before.lines().next_back());
            if line.is_some_and(|line| line.replace(' ', "") == "bot=") {
                return problem.help("write [[bot]], and in the next line use = \"random\"");
            }
            problem
        })
    }
}

/// A `[tune]`: options of the file's one bot are tuned by SPSA.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TuneFile {
    /// The number of iterations: how often the values change.
    #[schemars(with = "i64", range(min = 1, max = 1_000_000), extend("examples" = [500]))]
    pub iterations: Placed<i64>,
    /// The number of pairs of games in an iteration. Each pair has its own perturbations.
    #[schemars(with = "i64", range(min = 1, max = 10_000), extend("examples" = [16]), extend("default" = 8))]
    pub pairs: Placed<i64>,
    /// The number of games in the match at the end, between the tuned values and the start values: an even number, or 0
    /// for no match.
    #[schemars(with = "i64", range(min = 0, max = 1_000_000), extend("examples" = [2000]), extend("default" = 1000))]
    pub match_games: Placed<i64>,
    /// The learning rate in the last iteration (`R_end`): above 0, at most 10.
    #[schemars(with = "f64", extend("examples" = [0.01]), extend("default" = 0.002))]
    pub rate: Placed<f64>,
    /// The number of iterations (A in the formulas of SPSA) by which the decrease of the learning rate is delayed.
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000_000.0), extend("examples" = [50.0]), extend("x-default" = "a tenth of the iterations"))]
    pub delay: Placed<f64>,
    /// The exponent of the decrease of the learning rate.
    #[schemars(with = "f64", range(min = 0.0, max = 10.0), extend("examples" = [0.602]), extend("default" = 0.602))]
    pub alpha: Placed<f64>,
    /// The exponent of the decrease of the perturbations.
    #[schemars(with = "f64", range(min = 0.0, max = 10.0), extend("examples" = [0.101]), extend("default" = 0.101))]
    pub gamma: Placed<f64>,
}

/// A `[[parameter]]`: an option of the bot that is tuned.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterFile {
    /// The name of the option. For a bot with a `command`, the value replaces `{name}` in its command or set-up.
    #[schemars(with = "String", extend("examples" = ["reverse-futility"]))]
    pub name: Placed<String>,
    /// `int`: a whole number; `float`: a number with fractions.
    #[schemars(with = "String", extend("examples" = ["float"]), extend("default" = "int"), extend("enum" = ["int", "float"]))]
    #[serde(rename = "type")]
    pub kind: Placed<String>,
    /// The first value.
    #[schemars(with = "f64", extend("examples" = [120.0]))]
    pub start: Placed<f64>,
    /// The least value.
    #[schemars(with = "f64", extend("examples" = [0.0]))]
    pub min: Placed<f64>,
    /// The largest value.
    #[schemars(with = "f64", extend("examples" = [400.0]))]
    pub max: Placed<f64>,
    /// The perturbation in the last iteration (`c_end`): a change that costs a few Elo.
    #[schemars(with = "f64", extend("examples" = [20.0]))]
    pub step: Placed<f64>,
    /// The parameter's own learning rate in the last iteration (`R_end`).
    #[schemars(with = "f64", extend("examples" = [0.01]), extend("x-default" = "that of `[tune]`"))]
    pub rate: Placed<f64>,
}
