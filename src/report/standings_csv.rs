//! `standings.csv`: one row per bot, from the first place.

use super::cell;
use super::standings::{BotLine, Standings};
use stats::{Rating, Z_95, wilson};

pub(super) const HEADER: [&str; 30] = [
    "rank",
    "bot",
    "games",
    "wins",
    "draws",
    "losses",
    "points",
    "win_rate",
    "win_rate_low_95",
    "win_rate_high_95",
    "draw_rate",
    "swiss_points",
    "buchholz",
    "elo",
    "elo_error_95",
    "wins_as_black",
    "wins_as_white",
    "mean_disc_difference",
    "faults",
    "fault_kinds",
    "moves",
    "mean_ms",
    "p50_ms",
    "p95_ms",
    "max_ms",
    "cpu_share",
    "idle_cpu_ms",
    "mean_depth",
    "nodes",
    "nodes_per_second",
];

/// One row per bot.
pub(super) fn rows(standings: &Standings) -> impl Iterator<Item = [String; HEADER.len()]> {
    let ratings = standings.ratings();
    (1..).zip(standings.ranking()).map(move |(place, number)| {
        let bot = &standings.bots()[number];
        let swiss = [standings.swiss_points(number), standings.buchholz(number)];
        row(place, bot, swiss, &ratings[number])
    })
}

fn row(
    rank: usize,
    bot: &BotLine,
    swiss: [Option<f64>; 2],
    rating: &Rating,
) -> [String; HEADER.len()] {
    let score = bot.score();
    let interval = wilson(&score, Z_95);
    let thinking = &bot.thinking;
    let known = score.games() > 0;
    let faults: Vec<String> = bot
        .faults
        .iter()
        .map(|(word, count)| format!("{word} {count}"))
        .collect();
    [
        rank.to_string(),
        bot.name.clone(),
        score.games().to_string(),
        score.wins.to_string(),
        score.draws.to_string(),
        score.losses.to_string(),
        score.points().to_string(),
        format!("{:.4}", score.rate()),
        format!("{:.4}", interval.low),
        format!("{:.4}", interval.high),
        format!("{:.4}", score.draw_rate()),
        cell::maybe(swiss[0], |points| points.to_string()),
        cell::maybe(swiss[1], |points| points.to_string()),
        cell::maybe(known.then_some(rating.elo), |elo| format!("{elo:.1}")),
        cell::maybe(known.then_some(rating.error_95), |error| {
            format!("{error:.1}")
        }),
        bot.by_colour[0].wins.to_string(),
        bot.by_colour[1].wins.to_string(),
        cell::maybe(bot.mean_disc_difference(), |mean| format!("{mean:.2}")),
        bot.fault_count().to_string(),
        faults.join(", "),
        thinking.count().to_string(),
        cell::maybe(thinking.mean(), cell::ms),
        cell::maybe(thinking.percentile(50.0), cell::ms),
        cell::maybe(thinking.percentile(95.0), cell::ms),
        cell::maybe(thinking.max(), cell::ms),
        cell::maybe(bot.cpu_share(), |share| format!("{share:.3}")),
        cell::ms(bot.idle_cpu),
        cell::maybe(bot.mean_depth(), |depth| format!("{depth:.1}")),
        cell::maybe(bot.nodes(), |nodes| nodes.to_string()),
        cell::maybe(bot.nodes_per_second(), |speed| format!("{speed:.0}")),
    ]
}
