//! Standings as JSON, for programs.

use std::path::Path;

use serde_json::{Value, json};

use super::standings::Standings;
use stats::{Z_95, wilson};

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
            })
        })
        .collect();
    json!({
        "name": name,
        "run": run,
        "games": standings.games(),
        "void": standings.void(),
        "repeated": standings.repeated(),
        "standings": bots,
        "match": standings.head_to_head().map(|line| line.json()),
    })
}
