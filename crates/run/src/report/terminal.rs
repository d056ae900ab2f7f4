//! Tables for the terminal: the standings, the crosstable, the times, the faults.
//!
//! A table is made to fit a width in columns of the terminal, if possible. The width is `None` for a file or a pipe,
//! whose lines may have any length.

use std::path::Path;
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, LineStyle, Table};
use message::number::signed;
use message::{Lang, Message, message};
use referee::record::{GameId, LastError, excerpt, harmless};

use super::columns::maybe;
use super::results::BotResults;
use super::standings::{Standings, places_text};
use crate::failures;

pub(super) fn ruled<T: ToString>(titles: impl IntoIterator<Item = T>) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING.header_separator(LineStyle::new(' ', '─', '─', ' ')))
        .set_header(titles.into_iter().map(|title| title.to_string()));
    table
}

pub(super) fn trimmed(table: &Table) -> String {
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// Columns of numbers beside a column of names, for a terminal or a page.
#[derive(Default)]
pub struct Grid {
    /// The titles in English. Callers use them to name the columns to leave out.
    pub keys: Vec<String>,
    pub titles: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// The title of the column with text; the other columns have numbers.
    names: &'static str,
}

const PADDINGS: [(u16, u16); 2] = [(1, 1), (0, 0)];

impl Grid {
    /// Makes a table from `rows` with one cell per title. The column with the title `names` is text.
    pub fn new(
        titles: impl IntoIterator<Item = impl ToString>,
        rows: Vec<Vec<String>>,
        names: &'static str,
        lang: &Lang,
    ) -> Grid {
        let keys: Vec<String> = titles.into_iter().map(|title| title.to_string()).collect();
        let titles = keys.iter().map(|key| lang.word("table", key).to_owned());
        Grid {
            titles: titles.collect(),
            keys,
            rows,
            names,
        }
    }

    /// Makes a table with those columns that have a value in at least one row.
    pub fn of<T>(columns: &[GridColumn<T>], rows: &[T], names: &'static str, lang: &Lang) -> Grid {
        let titles = columns.iter().map(|(title, _)| *title);
        let cells = |row| columns.iter().map(|(_, cell)| cell(row)).collect();
        let mut grid = Grid::new(titles, rows.iter().map(cells).collect(), names, lang);
        let is_kept = |at: usize| {
            grid.rows
                .iter()
                .any(|row: &Vec<String>| !row[at].is_empty())
        };
        let kept: Vec<bool> = (0..columns.len()).map(is_kept).collect();
        grid.keep(&kept);
        grid
    }

    /// Escapes the cells for a page.
    #[must_use]
    pub fn harmless(mut self) -> Grid {
        let cells = self.rows.iter_mut().flatten();
        cells.for_each(|cell| *cell = harmless(cell));
        self
    }

    fn keep(&mut self, kept: &[bool]) {
        let all = [&mut self.keys, &mut self.titles].into_iter();
        for cells in all.chain(&mut self.rows) {
            let mut kept = kept.iter();
            cells.retain(|_| kept.next() == Some(&true));
        }
    }

    /// Draws the table, if possible in at most `width` columns of the terminal. First shrinks the gaps, then leaves out
    /// the columns `first_to_go`, group by group. The rest may still be too wide.
    pub fn text(mut self, width: Option<usize>, first_to_go: &[&[&str]]) -> String {
        let mut to_go = first_to_go.iter();
        loop {
            for padding in PADDINGS {
                let text = self.draw(padding);
                if fits(&text, width) {
                    return text;
                }
            }
            let Some(group) = to_go.next() else {
                return self.draw(PADDINGS[1]);
            };
            let keys = self.keys.iter();
            let kept: Vec<bool> = keys.map(|key| !group.contains(&key.as_str())).collect();
            self.keep(&kept);
        }
    }

    fn draw(&self, padding: (u16, u16)) -> String {
        let mut table = ruled(&self.titles);
        for row in &self.rows {
            table.add_row(row);
        }
        for (drawn, key) in table.column_iter_mut().zip(&self.keys) {
            drawn.set_padding(padding);
            if key != self.names {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        trimmed(&table)
    }
}

/// Returns whether a table has at most `width` columns of the terminal. The rule under its titles is as wide as the
/// table.
pub(super) fn fits(table: &str, width: Option<usize>) -> bool {
    let rule = table.lines().nth(1).unwrap_or_default();
    width.is_none_or(|width| rule.chars().count() <= width)
}

pub type GridColumn<T> = (&'static str, fn(&T) -> String);

const STANDINGS: [GridColumn<BotResults>; 15] = [
    ("#", |bot| bot.rank.to_string()),
    ("bot", |bot| bot.bot.clone()),
    ("games", |bot| bot.score.games.to_string()),
    ("won", |bot| bot.score.wins.to_string()),
    ("drawn", |bot| bot.score.draws.to_string()),
    ("lost", |bot| bot.score.losses.to_string()),
    ("score", |bot| {
        format!("{:.1} %", 100.0 * bot.score.win_rate)
    }),
    ("points", |bot| {
        maybe(bot.swiss_points, |points| points.to_string())
    }),
    ("Buchholz", |bot| {
        maybe(bot.buchholz, |points| points.to_string())
    }),
    ("Elo", |bot| maybe(bot.elo, |elo| signed(elo, 0))),
    ("± 95 %", |bot| {
        maybe(bot.elo_error_95, |error| format!("{error:.0}"))
    }),
    ("places", |bot| maybe(bot.place_95, places_text)),
    ("as black", |bot| maybe(bot.win_rate_as_black, percent)),
    ("as white", |bot| maybe(bot.win_rate_as_white, percent)),
    ("faults", |bot| bot.fault_count().to_string()),
];

/// The columns that a match of two bots does not have, because its difference in strength is shown separately.
const RATING: [&str; 3] = ["Elo", "± 95 %", "places"];

const TIMING: [GridColumn<BotResults>; 10] = [
    ("bot", |bot| bot.bot.clone()),
    ("moves", |bot| bot.moves.to_string()),
    ("mean ms", |bot| ms(bot.mean_ms)),
    ("p50", |bot| ms(bot.p50_ms)),
    ("p95", |bot| ms(bot.p95_ms)),
    // A move that came too late is shown, although it is in no other figure.
    ("max", |bot| {
        ms(bot.max_ms.into_iter().chain(bot.late_ms).reduce(f64::max))
    }),
    ("CPU", |bot| maybe(bot.cpu_share, percent)),
    ("depth", |bot| {
        maybe(bot.mean_depth, |depth| format!("{depth:.1}"))
    }),
    ("nodes/s", |bot| maybe(bot.nodes_per_second, thousands)),
    ("discs", |bot| {
        maybe(bot.mean_disc_difference, |discs| signed(discs, 1))
    }),
];

/// Makes the table of the standings, best first; for a match of two bots, without ratings.
pub(super) fn standings_grid(bots: &[BotResults], lang: &Lang) -> Grid {
    let is_match = bots.len() == 2;
    let columns = STANDINGS.into_iter();
    let columns = columns.filter(|(title, _)| !(is_match && RATING.contains(title)));
    Grid::of(&columns.collect::<Vec<_>>(), bots, "bot", lang)
}

pub(super) fn timing_grid(bots: &[BotResults], lang: &Lang) -> Grid {
    Grid::of(&TIMING, bots, "bot", lang)
}

pub fn standings(bots: &[BotResults], width: Option<usize>, lang: &Lang) -> String {
    let less_needed: [&[&str]; 3] = [&["as black", "as white"], &["drawn"], &["places"]];
    standings_grid(bots, lang).text(width, &less_needed)
}

/// Draws the points of each bot against each other bot, in the order of the standings. `None` if the table is too wide,
/// or if one bot played in all games: the standings then have the same figures.
pub fn crosstable(standings: &Standings, width: Option<usize>, lang: &Lang) -> Option<String> {
    let bots = standings.bots().len();
    if standings.pairings().count() < bots {
        return None;
    }
    let against = "points against";
    let titles = ["#", against].map(str::to_owned).into_iter();
    let titles = titles.chain((1..=bots).map(|place| place.to_string()));
    let rows = standings.crosstable(bots).into_iter().enumerate();
    let rows = rows.map(|(row, (name, scores))| {
        let cells = scores
            .iter()
            .enumerate()
            .map(|(column, score)| match score {
                _ if column == row => "·".to_owned(),
                score => maybe(*score, |score| score.points().to_string()),
            });
        [(row + 1).to_string(), name]
            .into_iter()
            .chain(cells)
            .collect()
    });
    let text = Grid::new(titles, rows.collect(), against, lang).text(width, &[]);
    fits(&text, width).then_some(text)
}

pub fn timing(bots: &[BotResults], width: Option<usize>, lang: &Lang) -> String {
    timing_grid(bots, lang).text(width, &[&["p50"], &["discs"], &["depth"], &["CPU"]])
}

/// Less CPU time than this in the opponents' turns is not reported: the runtime of the bot's language may use it.
const MUCH_IDLE_CPU: Duration = Duration::from_secs(1);

/// Describes the faults by bot and kind, each with its first game and the command that shows more; then excused late
/// answers, and CPU time in the opponents' turns. `run` is the run's folder.
pub fn faults(standings: &Standings, run: &Path) -> Vec<Message> {
    let mut lines = Vec::new();
    for bot in standings.bots() {
        let name = &bot.name;
        for (&word, count) in &bot.faults {
            let (games, fault) = (bot.score().games(), Message::from(word));
            lines.push(message!(
                "{name}: {fault} in {count} of {games} {games|game|games}"
            ));
            if let Some((id, side, what)) = bot.first_faults.get(word) {
                let GameId(game) = id;
                lines.push(message!("    game {game}: {what}"));
                let stderr = failures::stderr(run, *id, *side);
                let error = LastError::read(&stderr).map(|last| excerpt(last.error.as_bytes()));
                lines.extend(error.map(|error| message!("    its last error: {error}")));
                let run = run.display();
                lines.push(message!("    see arena ask {run}/{game}"));
            }
        }
        if let moves @ 1.. = bot.interruptions {
            lines.push(message!(
                "{name}: {moves} {moves|move was|moves were} excused: the machine was busy"
            ));
        }
        if bot.idle_cpu >= MUCH_IDLE_CPU {
            let used = bot.idle_cpu.as_secs_f64();
            lines.push(message!(
                "{name}: used {used:.1} s of CPU time while its opponents were to move"
            ));
        }
    }
    lines
}

/// While its opponents think for this long, a bot that ponders certainly uses CPU time.
const LONG_WAIT: Duration = Duration::from_millis(100);

/// Names the bots that were allowed to ponder, but used CPU time for less than 1 % of their opponents' time.
pub fn not_pondering(standings: &Standings) -> Vec<Message> {
    let bots = standings.bots().iter();
    let bots = bots.filter(|bot| bot.waited >= LONG_WAIT && bot.idle_cpu * 100 < bot.waited);
    bots.map(|bot| {
        let (name, waited) = (&bot.name, bot.waited.as_secs_f64());
        message!(
            "note: ponder was on, but {name} used almost no CPU time in the {waited:.1} s in which it waited for \
             its opponents"
        )
    })
    .collect()
}

/// Names the command that explains a loss of the first bot; `None` if this bot lost no game, or only by faults.
pub fn why_lost(standings: &Standings, run: &Path) -> Option<Message> {
    let bot = standings.bots().first()?;
    let GameId(game) = bot.first_loss?;
    let (name, run) = (&bot.name, run.display());
    Some(message!(
        "why {name} lost game {game}: arena analyze {run}/{game}"
    ))
}

fn ms(time: Option<f64>) -> String {
    maybe(time, |ms| format!("{ms:.2}"))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn thousands(number: f64) -> String {
    match number {
        0.0..1e3 => format!("{number:.0}"),
        1e3..1e6 => format!("{:.1} k", number / 1e3),
        _ => format!("{:.2} M", number / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use games::{Game, Reason};
    use referee::record::{GameRecord, Verdict};

    use super::*;

    fn table(width: usize) -> String {
        let row = |bot: &str| [bot, "12", "7", "5"].map(str::to_owned).to_vec();
        let titles = ["bot", "games", "won", "lost"];
        let rows = vec![row("long-name"), row("b")];
        Grid::new(titles, rows, "bot", Lang::usual())
            .text(Some(width), &[&["games"], &["won", "lost"]])
    }

    #[test]
    fn gaps_shrink_before_columns_are_removed() {
        let widest = |width| table(width).lines().map(|line| line.chars().count()).max();
        for width in [80, 33, 27, 24, 20, 12] {
            assert!(widest(width) <= Some(width), "{width}:\n{}", table(width));
        }
        insta::assert_snapshot!(table(27), @r"
         bot       games won lost
         ────────────────────────
         long-name    12   7    5
         b            12   7    5
        ");
        insta::assert_snapshot!(table(20), @r"
         bot       won lost
         ──────────────────
         long-name   7    5
         b           7    5
        ");
        assert!(table(3).contains("long-name"), "names are never removed");
    }

    #[test]
    fn the_longest_move_may_be_the_one_that_lost_on_time() {
        let mut standings = Standings::new(["slow", "other"]);
        let late = Verdict::Forfeit {
            by: games::Side::Black,
            fault: referee::record::Fault::OutOfTime {
                used: Duration::from_micros(320_400),
                allowed: Duration::from_millis(300),
            },
        };
        let players = ["slow", "other"];
        standings.add(&GameRecord::new(GameId(0), Game::OTHELLO, players, late));
        let table = timing(&standings.results(), None, Lang::usual());
        assert!(table.contains("320.40"), "{table}");
    }

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
        let lines = faults(&standings, Path::new("run"));
        let lines: Vec<String> = lines.iter().map(Message::to_string).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        slow: 2 moves were excused: the machine was busy
        other: 1 move was excused: the machine was busy
        ");
    }
}
