//! Standings as JSON, for programs.

use std::path::Path;

use serde_json::{Value, json};

use super::standings::Standings;
use crate::stats::{Z_95, wilson};

/// The standings of a run, the first bot first. Times are ms; Elo is relative to the field's mean.
pub fn standings(name: &str, run: &Path, standings: &Standings) -> Value {
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
            json!({
                "rank": place + 1,
                "bot": bot.name,
                "games": score.games(),
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "win_rate": score.rate(),
                "win_rate_95": [interval.low, interval.high],
                "elo": rating.elo,
                "elo_error_95": rating.error_95,
                "faults": bot.faults,
                "mean_ms": ms(bot.thinking.mean()),
                "max_ms": ms(bot.thinking.max()),
            })
        })
        .collect();
    json!({
        "name": name,
        "run": run,
        "games": standings.games(),
        "void": standings.void(),
        "standings": bots,
    })
}
