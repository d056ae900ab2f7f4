use std::path::Path;

use message::{Lang, Message, message};
use serde_json::{Value, json};
use stats::{Z_95, wilson};

use super::{GoalLine, Standings, TuningLine, tables, terminal, tuning};

#[derive(Debug)]
pub struct Summary {
    pub standings: Standings,
    pub goal: Option<GoalLine>,
    pub tuning: Option<TuningLine>,
    /// The wanted precision of the first bot's rating, in Elo; `None`: the run has no such goal.
    pub until: Option<f64>,
    /// Whether bots were allowed to think in the opponent's time.
    pub ponder: bool,
}

/// Describes the result of a match, a tuning or a rating. If a match has a goal, the first line is the verdict.
pub fn result(
    goal: Option<&GoalLine>,
    tuning: Option<&TuningLine>,
    standings: &Standings,
) -> Vec<Message> {
    match (goal, tuning, standings.head_to_head()) {
        (Some(goal), ..) => goal.text(),
        (None, Some(tuning), _) => tuning.text(),
        (None, None, Some(line)) => line.text(),
        (None, None, None) => standings.strength_words(),
    }
}

impl Summary {
    /// Writes the text for a terminal of `width` columns (`None`: a file or a pipe). `run` is the run's folder.
    pub fn text(&self, run: &Path, width: Option<usize>, lang: &'static Lang) -> String {
        let standings = &self.standings;
        let title = |title| lang.word("table", title);
        let mut text = match &self.tuning {
            Some(tuning) => tuning.table(width, title) + "\n",
            None => terminal::standings(standings, width, title) + "\n",
        };
        if let (None, Some(table)) = (&self.tuning, terminal::crosstable(standings, width, title)) {
            text += &format!("\n{table}\n");
        }
        if standings.bots().iter().any(|bot| bot.thinking.count() > 0) {
            text += &format!("\n{}\n", terminal::timing(standings, width, title));
        }
        text += "\n";
        for line in self.words(run) {
            text += &format!("{}\n", lang.render(&line));
        }
        text
    }

    pub fn result(&self) -> Vec<Message> {
        result(self.goal.as_ref(), self.tuning.as_ref(), &self.standings)
    }

    fn words(&self, run: &Path) -> Vec<Message> {
        let standings = &self.standings;
        let mut lines = terminal::faults(standings, run);
        if self.ponder {
            lines.extend(terminal::not_pondering(standings));
        }
        lines.extend(self.result());
        if let (Some(until), true) = (self.until, self.is_open()) {
            lines.push(message!(
                "the rating is not known to ± {until} Elo: arena resume {run} --max-games N plays on"
            ));
        }
        let paid = standings.bots().iter().filter(|bot| !bot.spent.is_empty());
        lines.extend(paid.map(|bot| message!("{} spent: {}", bot.name, bot.spent.to_string())));
        let (games, void) = (standings.games(), standings.void());
        if let (None, repeated @ 1..) = (&self.goal, standings.repeated()) {
            lines.push(match repeated {
                1 => message!(
                    "note: 1 of {games} games repeats an earlier game move by move: it gives no new \
                     information, but ± counts it as new"
                ),
                _ => message!(
                    "note: {repeated} of {games} games repeat an earlier game move by move: they give \
                     no new information, but ± counts them as new"
                ),
            });
        }
        if standings.head_to_head().is_none() && self.tuning.is_none() {
            let unrated = standings.rating_notes().into_iter();
            lines.extend(unrated.map(|note| message!("note: {note}")));
        }
        let own: &[&str] = self.tuning.as_ref().map_or(&[], |_| &tuning::FILES);
        let (files, folder) = ([own, &tables::NAMES].concat(), run.display());
        lines.push(match games {
            1 => message!("1 game, {void} void; {files} in {folder}"),
            _ => message!("{games} games, {void} void; {files} in {folder}"),
        });
        let failures = run.join("failures");
        if failures.is_dir() {
            lines.push(message!("messages of failed games: {failures}"));
        }
        if self.tuning.is_none() {
            lines.extend(terminal::why_lost(standings, run));
        }
        lines
    }

    pub fn json(&self, name: &str, run: &Path) -> Value {
        let mut value = standings_json(name, run, &self.standings);
        (value["sprt"], value["until_elo"]) = (Value::Null, Value::Null);
        if let Some((key, goal)) = self.goal.as_ref().map(GoalLine::json) {
            value[key] = goal;
        }
        if let Some(tuning) = &self.tuning {
            value["tuning"] = tuning.json();
        }
        value
    }

    /// Returns whether the run has no goal or has reached it: H1 is accepted, or the difference or rating is known.
    pub fn is_passed(&self) -> bool {
        self.goal.as_ref().is_none_or(GoalLine::is_passed) && !self.is_open()
    }

    /// Returns whether the first bot's rating is not yet known with the wanted precision.
    fn is_open(&self) -> bool {
        self.until.is_some_and(|until| {
            let own = self
                .standings
                .ratings()
                .first()
                .and_then(|own| own.error_95);
            own.is_none_or(|error| error > until)
        })
    }
}

const MOST_COMPARED: usize = 64;

/// Returns the standings of a run as JSON, best first. Times are in ms; Elo is relative to the field's mean or to the
/// bots of known ratings.
fn standings_json(name: &str, run: &Path, standings: &Standings) -> Value {
    let ratings = standings.ratings();
    let ms = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64() * 1000.0);
    let bots: Vec<Value> = standings
        .ranking()
        .into_iter()
        .enumerate()
        .map(|(place, number)| {
            let (bot, rating) = (&standings.bots()[number], &ratings[number]);
            let score = bot.score();
            let interval = wilson(&score, Z_95);
            let known = score.games() > 0;
            json!({
                "rank": place + 1,
                "bot": bot.name,
                "swiss_points": standings.swiss_points(number),
                "buchholz": standings.buchholz(number),
                "games": score.games(),
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "points": score.points(),
                "draw_rate": score.draw_rate(),
                "win_rate": score.rate(),
                "win_rate_95": [interval.low, interval.high],
                "elo": known.then_some(rating.elo),
                "elo_error_95": rating.error_95.filter(|_| known),
                "place_95": known.then_some(rating.places),
                "faults": bot.faults,
                "interruptions": bot.interruptions,
                "wins_as_black": bot.by_colour[0].wins,
                "wins_as_white": bot.by_colour[1].wins,
                "mean_disc_difference": bot.mean_disc_difference(),
                "moves": bot.thinking.count(),
                "mean_ms": ms(bot.thinking.mean()),
                "p50_ms": ms(bot.thinking.percentile(50.0)),
                "p95_ms": ms(bot.thinking.percentile(95.0)),
                "max_ms": ms(bot.thinking.max()),
                "cpu_share": bot.cpu_share(),
                "idle_cpu_ms": ms(Some(bot.idle_cpu)),
                "mean_depth": bot.mean_depth(),
                "nodes": bot.nodes(),
                "nodes_per_second": bot.nodes_per_second(),
                "spent": bot.spent,
            })
        })
        .collect();
    let (ranking, rated) = (standings.ranking(), standings.rated());
    let error = |one: usize| {
        let others = ranking.iter();
        others
            .map(|&other| rated.difference_error_95(one, other))
            .collect::<Vec<f64>>()
    };
    let errors = (ranking.len() <= MOST_COMPARED)
        .then(|| ranking.iter().map(|&bot| error(bot)).collect::<Vec<_>>());
    json!({
        "elo_difference_error_95": errors,
        "name": name,
        "run": run,
        "games": standings.games(),
        "void": standings.void(),
        "repeated": standings.repeated(),
        "standings": bots,
        "match": standings.head_to_head().map(|line| line.json()),
    })
}
