//! `standings.csv`: one row per bot, from the first place.

use super::cell::{Column, maybe, ms, rate, tenths};
use super::standings::{BotLine, Rating, Standings};
use stats::{Interval, Score, Z_95, wilson};

/// A row.
pub(super) struct Line<'a> {
    rank: usize,
    bot: &'a BotLine,
    score: Score,
    interval: Interval,
    swiss_points: Option<f64>,
    buchholz: Option<f64>,
    /// Elo and its error.
    rating: Option<Rating>,
}

/// The columns.
pub(super) fn columns<'a>() -> [Column<Line<'a>>; 31] {
    [
        ("rank", |line| line.rank.to_string()),
        ("bot", |line| line.bot.name.clone()),
        ("games", |line| line.score.games().to_string()),
        ("wins", |line| line.score.wins.to_string()),
        ("draws", |line| line.score.draws.to_string()),
        ("losses", |line| line.score.losses.to_string()),
        ("points", |line| line.score.points().to_string()),
        ("win_rate", |line| rate(line.score.rate())),
        ("win_rate_low_95", |line| rate(line.interval.low)),
        ("win_rate_high_95", |line| rate(line.interval.high)),
        ("draw_rate", |line| rate(line.score.draw_rate())),
        ("swiss_points", |line| {
            maybe(line.swiss_points, |it| it.to_string())
        }),
        ("buchholz", |line| maybe(line.buchholz, |it| it.to_string())),
        ("elo", |line| {
            maybe(line.rating, |rating| tenths(rating.elo))
        }),
        ("elo_error_95", |line| {
            maybe(line.rating.and_then(|rating| rating.error_95), tenths)
        }),
        ("wins_as_black", |line| {
            line.bot.by_colour[0].wins.to_string()
        }),
        ("wins_as_white", |line| {
            line.bot.by_colour[1].wins.to_string()
        }),
        ("mean_disc_difference", |line| {
            maybe(line.bot.mean_disc_difference(), |mean| format!("{mean:.2}"))
        }),
        ("faults", |line| line.bot.fault_count().to_string()),
        ("fault_kinds", |line| {
            let kinds = line.bot.faults.iter();
            let kinds: Vec<String> = kinds
                .map(|(word, count)| format!("{word} {count}"))
                .collect();
            kinds.join(", ")
        }),
        ("interruptions", |line| line.bot.interruptions.to_string()),
        ("moves", |line| line.bot.thinking.count().to_string()),
        ("mean_ms", |line| maybe(line.bot.thinking.mean(), ms)),
        ("p50_ms", |line| {
            maybe(line.bot.thinking.percentile(50.0), ms)
        }),
        ("p95_ms", |line| {
            maybe(line.bot.thinking.percentile(95.0), ms)
        }),
        ("max_ms", |line| maybe(line.bot.thinking.max(), ms)),
        ("cpu_share", |line| {
            maybe(line.bot.cpu_share(), |share| format!("{share:.3}"))
        }),
        ("idle_cpu_ms", |line| ms(line.bot.idle_cpu)),
        ("mean_depth", |line| maybe(line.bot.mean_depth(), tenths)),
        ("nodes", |line| {
            maybe(line.bot.nodes(), |nodes| nodes.to_string())
        }),
        ("nodes_per_second", |line| {
            maybe(line.bot.nodes_per_second(), |speed| format!("{speed:.0}"))
        }),
    ]
}

/// One row per bot.
pub(super) fn rows(standings: &Standings) -> impl Iterator<Item = Line<'_>> {
    let ratings = standings.ratings();
    (1..).zip(standings.ranking()).map(move |(rank, number)| {
        let (bot, rating) = (&standings.bots()[number], &ratings[number]);
        let score = bot.score();
        Line {
            rank,
            bot,
            score,
            interval: wilson(&score, Z_95),
            swiss_points: standings.swiss_points(number),
            buchholz: standings.buchholz(number),
            rating: (score.games() > 0).then_some(*rating),
        }
    })
}
