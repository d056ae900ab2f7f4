//! The columns of the CSV tables; those of a class are in [`grade`](super::grade).
//!
//! A column has a name, a meaning, and a function that makes its cell from a row of the table. `results/README.md`
//! lists the meanings, which a test checks (`UPDATE_DOCS=1 cargo test -p run` writes it). Cells are text: an empty cell
//! means "not known" or "does not apply".

use std::time::Duration;

use games::Side::{self, Black, White};
use games::{Move, format_transcript};
use message::Message;

use super::Pairing;
use super::standings::{BotLine, Rating, Standings};
use message::number::rounded;
use referee::record::{Effort, GameRecord, Ply, Thought, Verdict, harmless};
use stats::{Elo, Interval, Score, Strength, Z_95, wilson};

#[derive(Debug)]
pub(super) struct Column<T> {
    pub name: &'static str,
    /// If this is empty, the column shares the meaning, and its line in the description, with the column before.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is for results/README.md"))]
    pub meaning: &'static str,
    pub cell: fn(&T) -> String,
}

pub(super) const fn column<T>(
    name: &'static str,
    meaning: &'static str,
    cell: fn(&T) -> String,
) -> Column<T> {
    Column {
        name,
        meaning,
        cell,
    }
}

/// Returns the columns of `games.csv`, one row per game. Times, attempts and warnings may differ from run to run.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn games() -> Vec<Column<GameRecord>> {
    vec![
        column(
            "game",
            "number in the run, from 0: twice the pair's number plus `leg`",
            |game| game.id.0.to_string(),
        ),
        column(
            "pair",
            "the pair; 0 for its first game, 1 for its second, with swapped colours",
            |game| game.id.pair().to_string(),
        ),
        column("leg", "", |game| game.id.leg().to_string()),
        column("black", "the bots", |game| game.players[0].clone()),
        column("white", "", |game| game.players[1].clone()),
        column(
            "result",
            "`black`, `white` or `draw`; `none`: both bots failed and neither scores; `void`: the game does not count",
            |game| game.verdict.outcome().word().to_owned(),
        ),
        column(
            "reason",
            "how the game ended: `discs`, `five`, `board-full`, `double-three`, `double-four`, `overline`, \
             `resigned`, `adjudicated-scores`, `adjudicated-length`, `adjudicated-solved`, a fault, `both-failed`, \
             `void`",
            |game| game.verdict.reason().to_owned(),
        ),
        column("at_fault", "the bot at fault, and the details", |game| {
            let sides = Side::BOTH.into_iter();
            let at_fault = sides.filter(|&side| game.verdict.fault_of(side).is_some());
            let names: Vec<&str> = at_fault.map(|side| game.player(side)).collect();
            names.join(" ")
        }),
        column("fault_detail", "", |game| match &game.verdict {
            Verdict::Void { why } => text(&why.to_string()),
            verdict => {
                let faults = Side::BOTH
                    .into_iter()
                    .filter_map(|side| verdict.fault_of(side));
                text(
                    &faults
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join("; "),
                )
            }
        }),
        column("black_count", "discs or stones at the end", |game| {
            game.counts[0].to_string()
        }),
        column("white_count", "", |game| game.counts[1].to_string()),
        column(
            "plies",
            "half-moves from the start position, opening and passes included",
            |game| (game.opening.len() + game.plies.len()).to_string(),
        ),
        column(
            "opening",
            "transcripts from the start position; Othello's forced passes are left out",
            |game| format_transcript(&game.opening),
        ),
        column("moves", "", |game| format_transcript(&game.moves())),
        column(
            "attempts",
            "the number of parts in which the game was played: after a failure of the arena or the machine it continues \
             from the interrupted move, with new processes and the clocks as they were",
            |game| game.attempts.to_string(),
        ),
        column(
            "black_interruptions",
            "the number of late answers of this bot that were excused, because the machine was busy or stood still: \
             such an answer was played; if it never came, it also counts in `attempts`",
            |game| game.interruptions[0].to_string(),
        ),
        column("white_interruptions", "", |game| {
            game.interruptions[1].to_string()
        }),
        column(
            "started_unix_ms",
            "start time, and time from the first `turn` to the end",
            |game| game.started_unix_ms.to_string(),
        ),
        column("duration_ms", "", |game| ms(game.duration)),
        column("black_mean_ms", "wall time of black's moves", |game| {
            mean(game, Black)
        }),
        column("black_max_ms", "", |game| longest(game, Black)),
        column(
            "black_cpu_ms",
            "CPU time of black's process for its moves, without moves faster than 0.1 ms",
            |game| cpu(game, Black),
        ),
        column("white_mean_ms", "the same for white", |game| {
            mean(game, White)
        }),
        column("white_max_ms", "", |game| longest(game, White)),
        column("white_cpu_ms", "", |game| cpu(game, White)),
        column(
            "warnings",
            "unusual events that did not change the result, such as an exit status after the game",
            |game| {
                let warnings: Vec<String> = game.warnings.iter().map(Message::to_string).collect();
                text(&warnings.join("; "))
            },
        ),
        column(
            "first",
            "the bot that began: black, unless an opening rule let the bots exchange their colours",
            |game| game.scheduled().0[0].to_owned(),
        ),
    ]
}

fn walls(game: &GameRecord, side: Side) -> impl Iterator<Item = Duration> {
    game.efforts(side).map(|(effort, _)| effort.wall)
}

fn mean(game: &GameRecord, side: Side) -> String {
    let total: Duration = walls(game, side).sum();
    maybe(total.checked_div(walls(game, side).count() as u32), ms)
}

fn longest(game: &GameRecord, side: Side) -> String {
    maybe(walls(game, side).max(), ms)
}

fn cpu(game: &GameRecord, side: Side) -> String {
    let efforts = game.efforts(side);
    let cpu = efforts.filter_map(|(effort, _)| effort.cpu).sum();
    maybe(walls(game, side).next().map(|_| cpu), ms)
}

#[derive(Debug)]
pub(super) struct HalfMove<'a> {
    game: &'a GameRecord,
    /// The number from 1, including the opening.
    number: u32,
    side: Side,
    played: Move,
    by: &'static str,
    /// `None` if the bot was not asked for it: a move of the opening, a forced pass, or a further word of an answer.
    ply: Option<&'a Ply>,
}

impl HalfMove<'_> {
    fn thought(&self) -> Option<&Thought> {
        self.ply.map(|ply| &ply.thought)
    }

    fn effort(&self) -> Option<Effort> {
        self.ply.and_then(|ply| ply.effort)
    }
}

/// Returns the columns of `moves.csv`, one row per ply, including the opening and forced passes.
pub(super) fn moves<'a>() -> Vec<Column<HalfMove<'a>>> {
    vec![
        column(
            "game",
            "the game, and the half-move counted from 1",
            |row| row.game.id.0.to_string(),
        ),
        column("ply", "", |row| row.number.to_string()),
        column(
            "side",
            "the side, the bot and its move; `pass` is Othello's forced pass. In an opening by a rule, the side is the one \
             that the bot has at the end, and a move can be a word such as `swap`",
            |row| row.side.word().to_owned(),
        ),
        column("bot", "", |row| row.game.player(row.side).to_owned()),
        column("move", "", |row| row.played.to_string()),
        column(
            "by",
            "`opening` (given), `bot` (chosen by the bot), `pass` (forced; no bot was asked)",
            |row| row.by.to_owned(),
        ),
        column(
            "depth",
            "the bot's last `info` before the move; the score is from its own side",
            |row| maybe(row.thought().and_then(|it| it.depth), |it| it.to_string()),
        ),
        column("score", "", |row| {
            maybe(row.thought().and_then(|it| it.score), |it| it.to_string())
        }),
        column("nodes", "", |row| {
            maybe(row.thought().and_then(|it| it.nodes), |it| it.to_string())
        }),
        column(
            "wall_ms",
            "from the first byte of the `turn` to the newline of the answer",
            |row| maybe(row.effort().map(|it| it.wall), ms),
        ),
        column(
            "cpu_ms",
            "CPU time of the bot in this time, as far as it is known with that of its child processes; empty for \
             answers faster than 0.1 ms",
            |row| maybe(row.effort().and_then(|it| it.cpu), ms),
        ),
        column(
            "pv",
            "the bot's principal variation, its own move first, separated by spaces, up to the first illegal move",
            |row| {
                let line = row.thought().map_or(&[][..], |it| &it.pv);
                line.iter()
                    .map(Move::to_string)
                    .collect::<Vec<_>>()
                    .join(" ")
            },
        ),
        column(
            "spent",
            "what the bot says that the move cost, such as tokens and a price (see the protocol), illegal answers of the \
             turn included; and its own words",
            |row| maybe(row.thought(), |it| it.spent.to_string()),
        ),
        column("text", "", |row| maybe(row.thought(), |it| text(&it.text))),
    ]
}

pub(super) fn half_moves(game: &GameRecord) -> impl Iterator<Item = HalfMove<'_>> {
    let given = game.opening.iter();
    let given = given.map(|&given| (given, "opening", None));
    let asked = game.plies.iter().map(|ply| match ply.effort {
        Some(_) => (ply.played, "bot", Some(ply)),
        None if ply.played == Move::Pass => (ply.played, "pass", None),
        None => (ply.played, "bot", None),
    });
    let movers = game.retraced().movers;
    let numbered = (1..).zip(given.chain(asked).zip(movers));
    numbered.map(move |(number, ((played, by, ply), side))| HalfMove {
        game,
        number,
        side,
        played,
        by,
        ply,
    })
}

#[derive(Debug)]
pub(super) struct Standing<'a> {
    rank: usize,
    bot: &'a BotLine,
    score: Score,
    interval: Interval,
    swiss_points: Option<f64>,
    buchholz: Option<f64>,
    /// `None` before the first game.
    rating: Option<Rating>,
}

/// Returns the columns of `standings.csv`, one row per bot, best first.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn standings<'a>() -> Vec<Column<Standing<'a>>> {
    vec![
        column(
            "rank",
            "by share of points, then rating; in Swiss, knockout and ladder by the rules of the format",
            |row| row.rank.to_string(),
        ),
        column("bot", "", |row| row.bot.name.clone()),
        column(
            "games",
            "a draw is half a point; if both bots failed, both lost",
            |row| row.score.games().to_string(),
        ),
        column("wins", "", |row| row.score.wins.to_string()),
        column("draws", "", |row| row.score.draws.to_string()),
        column("losses", "", |row| row.score.losses.to_string()),
        column("points", "", |row| row.score.points().to_string()),
        column(
            "win_rate",
            "points per game, with the Wilson interval",
            |row| rate(row.score.rate()),
        ),
        column("win_rate_low_95", "", |row| rate(row.interval.low)),
        column("win_rate_high_95", "", |row| rate(row.interval.high)),
        column("draw_rate", "share of drawn games", |row| {
            rate(row.score.draw_rate())
        }),
        column(
            "swiss_points",
            "Swiss: points including byes, and the sum of the opponents' points",
            |row| maybe(row.swiss_points, |it| it.to_string()),
        ),
        column("buchholz", "", |row| {
            maybe(row.buchholz, |it| it.to_string())
        }),
        column(
            "elo",
            "Bradley–Terry rating relative to the mean of all bots, with a prior that keeps ratings finite when a \
             bot wins every game, and the half-width of the 95 % interval, from whole pairs where there are any",
            |row| maybe(row.rating, |rating| tenths(rating.elo)),
        ),
        column("elo_error_95", "", |row| {
            maybe(row.rating.and_then(|rating| rating.error_95), tenths)
        }),
        column(
            "place_best_95",
            "the best and the worst place by `elo` that the bot may have: with a chance of at least 95 %, these are right \
             for all bots together",
            |row| maybe(row.rating, |rating| rating.places[0].to_string()),
        ),
        column("place_worst_95", "", |row| {
            maybe(row.rating, |rating| rating.places[1].to_string())
        }),
        column("wins_as_black", "wins with each colour", |row| {
            row.bot.by_colour[0].wins.to_string()
        }),
        column("wins_as_white", "", |row| {
            row.bot.by_colour[1].wins.to_string()
        }),
        column(
            "mean_disc_difference",
            "Othello: own discs minus the opponent's, over games whose discs were counted",
            |row| maybe(row.bot.mean_disc_difference(), |mean| format!("{mean:.2}")),
        ),
        column("faults", "the number and the kinds of its faults", |row| {
            row.bot.fault_count().to_string()
        }),
        column("fault_kinds", "", |row| {
            let kinds = row.bot.faults.iter();
            let kinds: Vec<String> = kinds
                .map(|(word, count)| format!("{word} {count}"))
                .collect();
            kinds.join(", ")
        }),
        column(
            "interruptions",
            "the number of late answers of the bot that were excused, because the machine was busy or stood still; void \
             games included",
            |row| row.bot.interruptions.to_string(),
        ),
        column(
            "moves",
            "number of moves that the bot was asked for",
            |row| row.bot.thinking.count().to_string(),
        ),
        column(
            "mean_ms",
            "wall time per move; percentiles within 1 %",
            |row| maybe(row.bot.thinking.mean(), ms),
        ),
        column("p50_ms", "", |row| {
            maybe(row.bot.thinking.percentile(50.0), ms)
        }),
        column("p95_ms", "", |row| {
            maybe(row.bot.thinking.percentile(95.0), ms)
        }),
        column("max_ms", "", |row| maybe(row.bot.thinking.max(), ms)),
        column(
            "cpu_share",
            "CPU time divided by wall time, over its moves of 1 ms and more",
            |row| maybe(row.bot.cpu_share(), |share| format!("{share:.3}")),
        ),
        column(
            "idle_cpu_ms",
            "CPU time that it used while its opponents were to move; small unless the tournament has `ponder = true`",
            |row| ms(row.bot.idle_cpu),
        ),
        column("mean_depth", "from its `info` lines", |row| {
            maybe(row.bot.mean_depth(), tenths)
        }),
        column("nodes", "", |row| {
            maybe(row.bot.nodes(), |nodes| nodes.to_string())
        }),
        column("nodes_per_second", "", |row| {
            maybe(row.bot.nodes_per_second(), |speed| format!("{speed:.0}"))
        }),
        column(
            "spent",
            "the sum of what it says that its moves cost; void games and answers that were no move included",
            |row| row.bot.spent.to_string(),
        ),
    ]
}

pub(super) fn ranked(standings: &Standings) -> impl Iterator<Item = Standing<'_>> {
    let ratings = standings.ratings();
    (1..).zip(standings.ranking()).map(move |(rank, number)| {
        let (bot, rating) = (&standings.bots()[number], &ratings[number]);
        let score = bot.score();
        Standing {
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

#[derive(Debug)]
pub(super) struct PairingRow<'a> {
    bots: [&'a str; 2],
    pairing: &'a Pairing,
    interval: Interval,
    strength: Option<Strength>,
}

impl PairingRow<'_> {
    fn elo(&self) -> Option<Elo> {
        self.strength.map(|strength| strength.elo)
    }

    fn normalised(&self) -> Option<Elo> {
        self.strength.and_then(|strength| strength.normalised)
    }
}

/// Returns the columns of `pairs.csv`, one row for every two bots that played, as the first sees it.
pub(super) fn pairs<'a>() -> Vec<Column<PairingRow<'a>>> {
    vec![
        column("bot", "the two bots", |row| row.bots[0].to_owned()),
        column("opponent", "", |row| row.bots[1].to_owned()),
        column("games", "their games by result", |row| {
            (row.pairing.score.games() + row.pairing.both_failed).to_string()
        }),
        column("wins", "", |row| row.pairing.score.wins.to_string()),
        column("draws", "", |row| row.pairing.score.draws.to_string()),
        column("losses", "", |row| row.pairing.score.losses.to_string()),
        column("both_failed", "", |row| row.pairing.both_failed.to_string()),
        column(
            "win_rate",
            "over games that were not failed by both, with its 95 % interval: from whole pairs if their spread is \
             known (six at least, with different scores), else Wilson's",
            |row| rate(row.pairing.score.rate()),
        ),
        column("win_rate_low_95", "", |row| rate(row.interval.low)),
        column("win_rate_high_95", "", |row| rate(row.interval.high)),
        column("draw_rate", "share of drawn games", |row| {
            rate(row.pairing.score.draw_rate())
        }),
        column(
            "elo",
            "logistic and normalised Elo of `bot` over `opponent`, each with its 95 % half-width, and likelihood of \
             superiority; from whole pairs if there are any, else from games. **Empty below six pairs (or games)**: \
             by the sign test, no result of five is significant at 95 %. `nelo` is empty if all pairs ended with the \
             same score, because it is measured in their standard deviation; `los` is never closer to 0 or 1 than \
             2⁻ⁿ for n pairs",
            |row| maybe(row.elo(), |elo| tenths(elo.elo)),
        ),
        column("elo_error_95", "", |row| {
            maybe(row.elo(), |elo| tenths(elo.error_95))
        }),
        column("nelo", "", |row| {
            maybe(row.normalised(), |elo| tenths(elo.elo))
        }),
        column("nelo_error_95", "", |row| {
            maybe(row.normalised(), |elo| tenths(elo.error_95))
        }),
        column("los", "", |row| {
            maybe(row.strength, |strength| rate(strength.los))
        }),
        column(
            "pairs",
            "whole colour-swapped pairs by their two results: both lost, lost and drawn, won and lost, both drawn, \
             won and drawn, both won. If a match ends at a goal (SPRT, `until_elo`): without repeated pairs and \
             those after its end; and `elo_error_95` of `until_elo` holds at every look",
            |row| row.pairing.pairs.pairs().to_string(),
        ),
        column("pairs_ll", "", |row| row.pairing.pairs.ll.to_string()),
        column("pairs_ld", "", |row| row.pairing.pairs.ld.to_string()),
        column("pairs_wl", "", |row| row.pairing.pairs.wl.to_string()),
        column("pairs_dd", "", |row| row.pairing.pairs.dd.to_string()),
        column("pairs_wd", "", |row| row.pairing.pairs.wd.to_string()),
        column("pairs_ww", "", |row| row.pairing.pairs.ww.to_string()),
    ]
}

pub(super) fn paired(standings: &Standings) -> impl Iterator<Item = PairingRow<'_>> {
    standings.pairings().map(|(bots, pairing)| PairingRow {
        bots: bots.map(|bot| standings.bots()[bot].name.as_str()),
        pairing,
        interval: pairing.interval(),
        strength: pairing.strength(),
    })
}

/// Formats text, some of which bots choose, on one line of printable characters, so that a spreadsheet does not read it
/// as a formula, also one that separates cells by `;`.
pub(super) fn text(text: &str) -> String {
    /// The first characters of formulas, including full-width ones.
    const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let flat = harmless(&text.replace(|c: char| c.is_control() || c.is_whitespace(), " "));
    // Spreadsheets skip blanks before a formula, and some accept full-width signs.
    let cell = |cell: &str| {
        let is_formula = cell.trim_start().starts_with(FORMULA);
        format!("{}{cell}", if is_formula { "'" } else { "" })
    };
    flat.split(';').map(cell).collect::<Vec<_>>().join(";")
}

fn ms(time: Duration) -> String {
    let us = (time.as_nanos() + 500) / 1000;
    format!("{}.{:03}", us / 1000, us % 1000)
}

pub(super) fn rate(rate: f64) -> String {
    format!("{rate:.4}")
}

fn tenths(number: f64) -> String {
    format!("{:.1}", rounded(number, 1))
}

pub(super) fn maybe<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map(show).unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;

    use super::*;
    use cases::cases;

    const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/README.md");

    pub fn described<T>(columns: &[Column<T>], prefix: &str) -> String {
        let mut lines = String::new();
        for Column { name, meaning, .. } in columns {
            if let ("", Some((names, rest))) = (*meaning, lines.rsplit_once("` | ")) {
                lines = format!("{names}`, `{prefix}{name}` | {rest}");
            } else {
                lines += &format!("| `{prefix}{name}` | {meaning} |\n");
            }
        }
        lines
    }

    /// Checks that the table after `before` in the README equals `lines`.
    #[track_caller]
    pub fn is_described(before: &str, lines: &str) {
        let readme = fs::read_to_string(README).expect("the README");
        let start = readme.find(before).expect(before) + before.len();
        let (head, rest) = readme.split_at(start);
        let old: usize = rest
            .split_inclusive('\n')
            .take_while(|line| line.starts_with('|'))
            .map(str::len)
            .sum();
        if std::env::var_os("UPDATE_DOCS").is_some() {
            let new = format!("{head}{lines}{}", &rest[old..]);
            return fs::write(README, new).expect("the README is written");
        }
        assert_eq!(&rest[..old], lines, "UPDATE_DOCS=1 cargo test -p run");
    }

    #[test]
    fn every_column_is_described_and_none_that_is_not_there() {
        for (table, lines) in [
            ("games", described(&games(), "")),
            ("moves", described(&moves(), "")),
            ("standings", described(&standings(), "")),
        ] {
            let before = format!("## {table}.csv\n\n| column | meaning |\n|---|---|\n");
            is_described(&before, &lines);
        }
        let before = "## pairs.csv\n\nAll values are from the side of `bot`, which is listed before `opponent` in \
                      the tournament.\n\n| column | meaning |\n|---|---|\n";
        is_described(before, &described(&pairs(), ""));
    }

    #[test]
    fn times_are_rounded_to_microseconds() {
        for (nanos, cell) in [
            (0, "0.000"),
            (499, "0.000"),
            (1_500, "0.002"),
            (12_345_678, "12.346"),
            (5_000_999_501, "5001.000"),
        ] {
            assert_eq!(ms(Duration::from_nanos(nanos)), cell);
        }
    }

    #[test]
    fn a_formula_is_made_text() {
        for (written, cell) in cases::<(String, String)>("formulas") {
            assert_eq!(text(&written), cell);
        }
    }
}
