//! Standings for the terminal: who is better, and how they used their time.
//!
//! Every table takes the terminal's width in columns and fits it; `None` is a file or a pipe, where
//! lines have no limit.

use std::path::Path;
use std::time::Duration;

use referee::record::{GameId, harmless};

use super::cell::maybe;
use super::columns::{Columns, Grid};
use super::standings::Standings;
use message::number::signed;

/// The standings, from the first place. In a match of two, [`MatchLine`](super::MatchLine) has the
/// difference in strength.
///
/// `title` gives the words of its head in a language.
pub fn standings(
    standings: &Standings,
    width: Option<usize>,
    title: impl Fn(&'static str) -> &'static str,
) -> String {
    let rated = standings.head_to_head().is_none();
    let ranking = standings.ranking();
    let buchholz = ranking.iter().any(|&bot| standings.buchholz(bot).is_some());
    let mut header = vec!["#", "bot", "games", "won", "drawn", "lost", "score"];
    if buchholz {
        header.extend(["points", "Buchholz"]);
    }
    if rated {
        header.extend(["Elo", "± 95 %"]);
    }
    header.extend(["as black", "as white", "faults"]);
    let ratings = standings.ratings();
    let rows = ranking.into_iter().enumerate().map(|(place, number)| {
        let (bot, rating) = (&standings.bots()[number], &ratings[number]);
        let score = bot.score();
        let mut row = vec![
            (place + 1).to_string(),
            bot.name.clone(),
            score.games().to_string(),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            format!("{:.1} %", 100.0 * score.rate()),
        ];
        if buchholz {
            let figures = [standings.swiss_points(number), standings.buchholz(number)];
            row.extend(figures.map(|points| maybe(points, |points| points.to_string())));
        }
        if rated {
            // Without a game there is no rating.
            let known = score.games() > 0;
            row.push(maybe(known.then_some(rating.elo), |elo| signed(elo, 0)));
            row.push(maybe(rating.error_95.filter(|_| known), |error| {
                format!("{error:.0}")
            }));
        }
        let rates = bot.by_colour.map(|score| match score.games() {
            0 => String::new(),
            _ => format!("{:.0} %", 100.0 * score.rate()),
        });
        row.extend(rates);
        row.push(bot.fault_count().to_string());
        row
    });
    let header: Vec<&str> = header.into_iter().map(&title).collect();
    let [black, white, drawn] = ["as black", "as white", "drawn"].map(&title);
    Columns::new(&header, rows.collect(), title("bot")).text(width, &[&[black, white], &[drawn]])
}

/// The points of each bot against each other bot, in the order of the standings. `None` if that adds
/// nothing to the standings (all games are those of one bot), or if it is too wide.
pub fn crosstable(
    standings: &Standings,
    width: Option<usize>,
    title: impl Fn(&'static str) -> &'static str,
) -> Option<String> {
    let ranking = standings.ranking();
    if standings.pairings().count() < ranking.len() {
        return None;
    }
    let places: Vec<String> = (1..=ranking.len()).map(|place| place.to_string()).collect();
    let against = title("points against");
    let mut header = vec!["#", against];
    header.extend(places.iter().map(String::as_str));
    let rows = ranking.iter().enumerate().map(|(place, &bot)| {
        let mut row = vec![places[place].clone(), standings.bots()[bot].name.clone()];
        row.extend(ranking.iter().map(|&opponent| match opponent {
            _ if opponent == bot => "·".to_owned(),
            _ => maybe(standings.pairing(bot, opponent), |pairing| {
                pairing.score.points().to_string()
            }),
        }));
        row
    });
    let text = Columns::new(&header, rows.collect(), against).text(width, &[]);
    let rule = text.lines().nth(1).unwrap_or_default();
    width
        .is_none_or(|width| rule.chars().count() <= width)
        .then_some(text)
}

/// How each bot used its time, in ms per move, without empty columns.
pub fn timing(
    standings: &Standings,
    width: Option<usize>,
    title: impl Fn(&'static str) -> &'static str,
) -> String {
    let [discs, depth] = ["discs", "depth"].map(&title);
    times(standings, title).text(width, &[&["p50"], &[discs], &[depth], &["CPU"]])
}

/// The same as cells.
pub(super) fn timing_grid(standings: &Standings) -> Grid {
    times(standings, |title| title).grid()
}

fn times(standings: &Standings, title: impl Fn(&'static str) -> &'static str) -> Columns<'static> {
    let header = [
        "bot", "moves", "mean ms", "p50", "p95", "max", "CPU", "depth", "nodes/s", "discs",
    ]
    .map(&title);
    let rows: Vec<Vec<String>> = standings
        .ranking()
        .into_iter()
        .map(|number| {
            let bot = &standings.bots()[number];
            let thinking = &bot.thinking;
            vec![
                bot.name.clone(),
                thinking.count().to_string(),
                ms(thinking.mean()),
                ms(thinking.percentile(50.0)),
                ms(thinking.percentile(95.0)),
                ms(thinking.max()),
                maybe(bot.cpu_share(), |share| format!("{:.0} %", 100.0 * share)),
                maybe(bot.mean_depth(), |depth| format!("{depth:.1}")),
                maybe(bot.nodes_per_second(), thousands),
                maybe(bot.mean_disc_difference(), |discs| signed(discs, 1)),
            ]
        })
        .collect();
    let mut columns = Columns::new(&header, rows, title("bot"));
    columns.drop_empty();
    columns
}

/// CPU time in its opponents' turns that is worth a line: more than runtimes need for themselves.
const MUCH_IDLE_CPU: Duration = Duration::from_secs(1);

/// The faults by bot and kind, each with the first game in which it happened and the command that shows
/// more, and what else a reader should look at; empty if there is nothing. `run` is the run's folder.
pub fn faults(standings: &Standings, run: &Path) -> String {
    let mut lines = String::new();
    for bot in standings.bots() {
        for (word, count) in &bot.faults {
            lines += &format!(
                "{}: {word} in {count} of {} games\n",
                bot.name,
                bot.score().games()
            );
            if let Some((GameId(game), what)) = bot.first_faults.get(word) {
                let (what, run) = (harmless(what), run.display());
                lines += &format!("    game {game}: {what}\n    see arena ask {run}/{game}\n");
            }
        }
        lines += &match bot.interruptions {
            0 => String::new(),
            1 => format!("{}: 1 move was excused: the machine was busy\n", bot.name),
            moves => format!(
                "{}: {moves} moves were excused: the machine was busy\n",
                bot.name
            ),
        };
        if bot.idle_cpu >= MUCH_IDLE_CPU {
            lines += &format!(
                "{}: used {:.1} s of CPU time while its opponents were to move\n",
                bot.name,
                bot.idle_cpu.as_secs_f64()
            );
        }
    }
    lines
}

/// How to find out why the first bot lost; `None` if it lost no game without a fault.
pub fn why_lost(standings: &Standings, run: &Path) -> Option<String> {
    let bot = standings.bots().first()?;
    let GameId(game) = bot.first_loss?;
    let (name, run) = (&bot.name, run.display());
    Some(format!(
        "why {name} lost game {game}: arena analyze {run}/{game}\n"
    ))
}

fn ms(time: Option<Duration>) -> String {
    maybe(time, |time| format!("{:.2}", time.as_secs_f64() * 1000.0))
}

/// A large number with three digits: 1.23 M.
fn thousands(number: f64) -> String {
    match number {
        0.0..1e3 => format!("{number:.0}"),
        1e3..1e6 => format!("{:.1} k", number / 1e3),
        _ => format!("{:.2} M", number / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, Reason};
    use referee::record::{GameRecord, Verdict};

    #[test]
    fn excused_moves_are_shown() {
        let mut standings = Standings::new(["slow", "other", "third"]);
        let drawn = Verdict::Rules {
            winner: None,
            reason: Reason::DISCS,
        };
        for (id, players, interruptions) in [
            (0, ["slow", "other"], [2, 0]),
            (1, ["other", "slow"], [1, 0]),
            (2, ["third", "other"], [0, 0]),
        ] {
            let players = GameRecord::new(GameId(id), Game::OTHELLO, players, drawn.clone());
            standings.add(&GameRecord {
                interruptions,
                ..players
            });
        }
        insta::assert_snapshot!(faults(&standings, Path::new("run")), @r"
        slow: 2 moves were excused: the machine was busy
        other: 1 move was excused: the machine was busy
        ");
    }
}
