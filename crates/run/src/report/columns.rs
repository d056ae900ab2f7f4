//! The columns of the CSV tables. The columns of `class.csv` are in [`grade`](super::grade).
//!
//! A column has a name, a meaning, and a function that makes its cell from a row of the table. `results/README.md`
//! lists the meanings; a test compares them with this list, and `UPDATE_DOCS=1 cargo test -p run` updates that file.
//! Cells are text: an empty cell means "not known" or "does not apply".

use std::time::Duration;

use games::Side::{self, Black, White};
use games::{Move, format_transcript};

use super::standings::Standings;
use message::number::rounded;
use referee::record::{Effort, GameRecord, Ply, Thought, Verdict, harmless};
use serde_json::{Value, json};

#[derive(Debug)]
pub(super) struct Column<T> {
    pub name: &'static str,
    /// The text for `results/README.md`. If it is empty, the column shares the text and the line of the column before.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is for results/README.md"))]
    pub meaning: &'static str,
    pub cell: fn(&T) -> String,
}

/// Makes columns from names, meanings and functions. A column without a meaning has the meaning of the column before.
macro_rules! columns {
    ($($name:literal $($meaning:literal)? => $cell:expr;)*) => {
        vec![$($crate::report::columns::Column {
            name: $name,
            meaning: concat!("" $(, $meaning)?),
            cell: $cell,
        }),*]
    };
}
pub(super) use columns;

/// Returns the columns of `games.csv`, one row per game. Times, attempts and warnings may differ from run to run.
pub(super) fn games() -> Vec<Column<GameRecord>> {
    columns! {
        "game" "number in the run, from 0: twice the pair's number plus `leg`" => |game| game.id.0.to_string();
        "pair" "the pair; 0 for its first game, 1 for its second, with swapped colours" => |game| game.id.pair().to_string();
        "leg" => |game| game.id.leg().to_string();
        "black" "the bots" => |game| game.players[0].clone();
        "white" => |game| game.players[1].clone();
        "result" "`black`, `white` or `draw`; `none`: both bots failed and neither scores; `void`: the game does not count"
            => |game| game.verdict.outcome().word().to_owned();
        "reason" "how the game ended: `discs`, `five`, `board-full`, `double-three`, `double-four`, `overline`, \
            `resigned`, `adjudicated-scores`, `adjudicated-length`, `adjudicated-solved`, a fault, `both-failed`, `void`"
            => |game| game.verdict.reason().to_owned();
        "at_fault" "the bot at fault, and the details" => at_fault;
        "fault_detail" => fault_detail;
        "black_count" "discs or stones at the end" => |game| game.counts[0].to_string();
        "white_count" => |game| game.counts[1].to_string();
        "plies" "half-moves from the start position, opening and passes included"
            => |game| (game.opening.len() + game.plies.len()).to_string();
        "opening" "transcripts from the start position; Othello's forced passes are left out"
            => |game| format_transcript(&game.opening);
        "moves" => |game| format_transcript(&game.moves());
        "attempts" "the number of parts in which the game was played: after a failure of the arena or the machine it \
            continues from the interrupted move, with new processes and the clocks as they were"
            => |game| game.attempts.to_string();
        "black_interruptions" "the number of late answers of this bot that were excused, because the machine was busy or \
            stood still: such an answer was played; an answer that never came also counts in `attempts`"
            => |game| game.interruptions[0].to_string();
        "white_interruptions" => |game| game.interruptions[1].to_string();
        "started_unix_ms" "start time, and time from the first `turn` to the end" => |game| game.started_unix_ms.to_string();
        "duration_ms" => |game| ms(game.duration);
        "black_mean_ms" "wall time of black's moves" => |game| mean(game, Black);
        "black_max_ms" => |game| longest(game, Black);
        "black_cpu_ms" "CPU time of black's process for its moves, without moves faster than 0.1 ms" => |game| cpu(game, Black);
        "white_mean_ms" "the same for white" => |game| mean(game, White);
        "white_max_ms" => |game| longest(game, White);
        "white_cpu_ms" => |game| cpu(game, White);
        "warnings" "unusual events that did not change the result, such as an exit status after the game"
            => |game| text(&joined(&game.warnings, "; "));
        "first" "the bot that began: black, unless an opening rule let the bots exchange their colours"
            => |game| game.scheduled().0[0].to_owned();
    }
}

fn joined<T: ToString>(all: impl IntoIterator<Item = T>, between: &str) -> String {
    let all: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    all.join(between)
}

fn at_fault(game: &GameRecord) -> String {
    let sides = Side::BOTH.into_iter();
    let at_fault = sides.filter(|&side| game.verdict.fault_of(side).is_some());
    joined(at_fault.map(|side| game.player(side)), " ")
}

fn fault_detail(game: &GameRecord) -> String {
    if let Verdict::Void { why } = &game.verdict {
        return text(&why.to_string());
    }
    let faults = Side::BOTH.map(|side| game.verdict.fault_of(side));
    text(&joined(faults.into_iter().flatten(), "; "))
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
    /// The number of the half-move in the game, from 1; the opening counts.
    number: u32,
    side: Side,
    played: Move,
    by: &'static str,
    /// `None` if the bot was not asked: an opening move, a forced pass, or a later word of the same answer.
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
    columns! {
        "game" "the game, and the half-move counted from 1" => |row| row.game.id.0.to_string();
        "ply" => |row| row.number.to_string();
        "side" "the side, the bot and its move; `pass` is Othello's forced pass. In an opening by a rule, the side is the one \
            that the bot has at the end, and a move can be a word such as `swap`" => |row| row.side.word().to_owned();
        "bot" => |row| row.game.player(row.side).to_owned();
        "move" => |row| row.played.to_string();
        "by" "`opening` (given), `bot` (chosen by the bot), `pass` (forced; no bot was asked)" => |row| row.by.to_owned();
        "depth" "the bot's last `info` before the move; the score is from its own side"
            => |row| maybe(row.thought().and_then(|it| it.depth), |it| it.to_string());
        "score" => |row| maybe(row.thought().and_then(|it| it.score), |it| it.to_string());
        "nodes" => |row| maybe(row.thought().and_then(|it| it.nodes), |it| it.to_string());
        "wall_ms" "from the first byte of the `turn` to the newline of the answer, without time that the bot got back (docs/grading.md, Time)"
            => |row| maybe(row.effort().map(|it| it.wall), ms);
        "cpu_ms" "CPU time of the bot in this time, with that of its child processes where the arena knows it; empty \
            for answers faster than 0.1 ms" => |row| maybe(row.effort().and_then(|it| it.cpu), ms);
        "pv" "the bot's principal variation, its own move first, separated by spaces, up to the first illegal move"
            => |row| joined(row.thought().map_or(&[][..], |it| &it.pv), " ");
        "spent" "the cost of the move by the bot's own report, such as tokens and a price (see the protocol), illegal \
            answers of the turn included; and the bot's own words" => |row| maybe(row.thought(), |it| it.spent.to_string());
        "text" => |row| maybe(row.thought(), |it| text(&it.text));
    }
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

/// A column of `standings.csv` or `pairs.csv`: a field of `BotResults` or `MatchResults`, with its description.
pub(super) struct Figure {
    pub name: &'static str,
    /// The name of the field; `at` is the index of the value if the field is a list.
    field: &'static str,
    at: Option<usize>,
    format: FigureFormat,
}

#[derive(Clone, Copy)]
enum FigureFormat {
    /// The value as JSON prints it, without quotes.
    Plain,
    /// A number with this many digits after the decimal point.
    Digits(usize),
    Tenths,
    Ms,
    Sum,
    Named,
}

impl Figure {
    pub fn cell(&self, row: &Value) -> String {
        let value = &row[self.field];
        let value = self.at.map_or(value, |at| &value[at]);
        let number = value.as_f64();
        match self.format {
            FigureFormat::Plain => match value {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) if !number.is_f64() => number.to_string(),
                _ => maybe(number, |number| number.to_string()),
            },
            FigureFormat::Digits(digits) => maybe(number, |number| format!("{number:.digits$}")),
            FigureFormat::Tenths => maybe(number, tenths),
            FigureFormat::Ms => maybe(number, |number| {
                ms(Duration::from_secs_f64(number / 1000.0))
            }),
            FigureFormat::Sum => {
                let values = value
                    .as_object()
                    .into_iter()
                    .flat_map(|kinds| kinds.values());
                let values = values.chain(value.as_array().into_iter().flatten());
                values.filter_map(Value::as_u64).sum::<u64>().to_string()
            }
            FigureFormat::Named => {
                let values = value.as_object().into_iter().flatten();
                let values = values.map(|(name, value)| {
                    let number = rounded(value.as_f64().unwrap_or_default(), 6);
                    format!("{name} {number}")
                });
                values.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

macro_rules! figures {
    ($($name:ident $(= $field:ident $([$at:literal])?)? $(: $format:ident $(($digits:literal))?)?;)*) => {
        &[$(Figure {
            name: stringify!($name),
            field: figures!(@field $name $($field)?),
            at: figures!(@at $($($at)?)?),
            format: figures!(@format $($format $(($digits))?)?),
        }),*]
    };
    (@field $name:ident) => { stringify!($name) };
    (@field $name:ident $field:ident) => { stringify!($field) };
    (@at) => { None };
    (@at $at:literal) => { Some($at) };
    (@format) => { FigureFormat::Plain };
    (@format $format:ident $(($digits:literal))?) => { FigureFormat::$format $(($digits))? };
}

/// The columns of `standings.csv`, one row per bot, best first.
pub(super) const STANDINGS: &[Figure] = figures! {
    rank; bot; games; wins; draws; losses; points;
    win_rate: Digits(4); win_rate_low_95 = win_rate_95[0]: Digits(4); win_rate_high_95 = win_rate_95[1]: Digits(4);
    draw_rate: Digits(4); swiss_points; buchholz; elo: Tenths; elo_error_95: Tenths;
    place_best_95 = place_95[0]; place_worst_95 = place_95[1]; wins_as_black; wins_as_white;
    mean_disc_difference: Digits(2); faults: Sum; fault_kinds = faults: Named; interruptions;
    moves; mean_ms: Ms; p50_ms: Ms; p95_ms: Ms; max_ms: Ms; cpu_share: Digits(3); idle_cpu_ms: Ms;
    mean_depth: Tenths; nodes; nodes_per_second: Digits(0); spent: Named;
};

/// The columns of `pairs.csv`, one row for every two bots that played each other, from the first bot's view.
pub(super) const PAIRS: &[Figure] = figures! {
    bot; opponent; games; wins; draws; losses; both_failed;
    win_rate: Digits(4); win_rate_low_95 = win_rate_95[0]: Digits(4); win_rate_high_95 = win_rate_95[1]: Digits(4);
    draw_rate: Digits(4); elo: Tenths; elo_error_95: Tenths; nelo: Tenths; nelo_error_95: Tenths; los: Digits(4);
    pairs: Sum; pairs_ll = pairs[0]; pairs_ld = pairs[1]; pairs_wl = pairs[2];
    pairs_dd = pairs[3]; pairs_wd = pairs[4]; pairs_ww = pairs[5];
};

pub(super) fn ranked(standings: &Standings) -> impl Iterator<Item = Value> {
    standings.results().into_iter().map(|bot| json!(bot))
}

pub(super) fn paired(standings: &Standings) -> impl Iterator<Item = Value> {
    standings.matches().map(|found| {
        let mut row = json!(found);
        row["games"] = json!(found.score.games + found.both_failed);
        row
    })
}

/// Formats text, which may come from a bot, on one line of printable characters. No spreadsheet reads the result as a
/// formula, not even a spreadsheet that separates cells by `;`.
pub(super) fn text(text: &str) -> String {
    /// The first characters of formulas, including full-width ones.
    const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let flat = harmless(&text.replace(|c: char| c.is_control() || c.is_whitespace(), " "));
    // Spreadsheets skip blanks before a formula.
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

pub fn maybe<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map(show).unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;

    use super::*;
    use crate::report::results::{BotResults, MatchResults, schema_of};
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

    /// Columns of the same field share a line. Its text is the field's description in the schema.
    fn figures(figures: &[Figure], schema: &Value) -> String {
        let lines = figures.chunk_by(|one, other| one.field == other.field);
        let lines = lines.map(|columns| {
            let names = columns.iter().map(|column| format!("`{}`", column.name));
            let meaning = &schema["properties"][columns[0].field]["description"];
            let meaning = meaning.as_str().expect("a description");
            format!("| {} | {meaning} |\n", names.collect::<Vec<_>>().join(", "))
        });
        lines.collect()
    }

    #[test]
    fn every_column_is_described_and_none_that_is_not_there() {
        for (table, about, lines) in [
            ("games", "", described(&games(), "")),
            ("moves", "", described(&moves(), "")),
            (
                "standings",
                "",
                figures(STANDINGS, &schema_of::<BotResults>()),
            ),
            (
                "pairs",
                "All values are from the side of `bot`, which is listed before `opponent` in the tournament.\n\n",
                figures(PAIRS, &schema_of::<MatchResults>()),
            ),
        ] {
            let before = format!("## {table}.csv\n\n{about}| column | meaning |\n|---|---|\n");
            is_described(&before, &lines);
        }
    }

    #[test]
    fn times_are_rounded_to_microseconds() {
        for (nanos, cell) in cases::<(u64, String)>("microseconds") {
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
