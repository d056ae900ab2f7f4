//! Tables for the terminal: the standings, the crosstable, the times, the faults.
//!
//! A table is made to fit a width in columns, if possible; `None` stands for a file or a pipe, whose lines may have any
//! length.

use std::path::Path;
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, LineStyle, Table};
use message::number::signed;
use message::{Message, message};
use referee::record::{GameId, LastError, excerpt};

use super::columns::maybe;
use super::standings::{Rating, Standings};
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

/// Columns of numbers beside a column of names.
pub(super) struct Columns<'a> {
    columns: Vec<TextColumn<'a>>,
    names: &'static str,
}

pub struct Grid {
    pub titles: Vec<String>,
    /// Rows with one cell per title.
    pub rows: Vec<Vec<String>>,
}

struct TextColumn<'a> {
    title: &'a str,
    cells: Vec<String>,
}

/// Spaces around a cell: the normal number and the minimum.
const PADDINGS: [(u16, u16); 2] = [(1, 1), (0, 0)];

impl<'a> Columns<'a> {
    /// Makes columns from `rows` with one cell per title. The column titled `names` is text.
    pub(super) fn new(
        titles: &[&'a str],
        rows: Vec<Vec<String>>,
        names: &'static str,
    ) -> Columns<'a> {
        let mut columns: Vec<TextColumn<'_>> = titles
            .iter()
            .map(|&title| TextColumn {
                title,
                cells: Vec::with_capacity(rows.len()),
            })
            .collect();
        for row in rows {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.cells.push(cell);
            }
        }
        Columns { columns, names }
    }

    pub(super) fn drop_empty(&mut self) {
        self.columns
            .retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
    }

    pub(super) fn grid(&self) -> Grid {
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        let row = |row: usize| {
            let cells = self.columns.iter().map(|column| column.cells[row].clone());
            cells.collect()
        };
        Grid {
            titles: self
                .columns
                .iter()
                .map(|column| column.title.to_owned())
                .collect(),
            rows: (0..rows).map(row).collect(),
        }
    }

    /// Draws the table in at most `width` columns of the terminal. First shrinks the gaps, then removes the columns
    /// titled `first_to_go`, group by group. The rest may still be too wide.
    pub(super) fn text(mut self, width: Option<usize>, first_to_go: &[&[&str]]) -> String {
        let fits = |text: &str| {
            // The rule under the titles is as long as the table is wide.
            let rule = text.lines().nth(1).unwrap_or_default();
            width.is_none_or(|width| rule.chars().count() <= width)
        };
        let mut to_go = first_to_go.iter();
        loop {
            for padding in PADDINGS {
                let text = self.draw(padding);
                if fits(&text) {
                    return text;
                }
            }
            match to_go.next() {
                Some(group) => self.columns.retain(|column| !group.contains(&column.title)),
                None => return self.draw(PADDINGS[1]),
            }
        }
    }

    fn draw(&self, padding: (u16, u16)) -> String {
        let mut table = ruled(self.columns.iter().map(|column| column.title));
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        for row in 0..rows {
            table.add_row(self.columns.iter().map(|column| &column.cells[row]));
        }
        for (drawn, column) in table.column_iter_mut().zip(&self.columns) {
            drawn.set_padding(padding);
            if column.title != self.names {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        trimmed(&table)
    }
}

/// Draws the standings, best first. In a match of two, [`MatchLine`](super::MatchLine) has the difference in strength.
/// `title` translates the titles.
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
        header.extend(["Elo", "± 95 %", "places"]);
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
            // A bot without a game has no rating.
            let known = score.games() > 0;
            row.push(maybe(known.then_some(rating.elo), |elo| signed(elo, 0)));
            row.push(maybe(rating.error_95.filter(|_| known), |error| {
                format!("{error:.0}")
            }));
            row.push(maybe(known.then_some(rating), Rating::places_text));
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
    let [black, white, drawn, places] = ["as black", "as white", "drawn", "places"].map(&title);
    let less_needed: [&[&str]; 3] = [&[black, white], &[drawn], &[places]];
    Columns::new(&header, rows.collect(), title("bot")).text(width, &less_needed)
}

/// Draws the points of each bot against each other bot, in the order of the standings. `None` if that adds nothing to
/// the standings (one bot played in all games), or if the table is too wide.
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

pub fn timing(
    standings: &Standings,
    width: Option<usize>,
    title: impl Fn(&'static str) -> &'static str,
) -> String {
    let [discs, depth] = ["discs", "depth"].map(&title);
    times(standings, title).text(width, &[&["p50"], &[discs], &[depth], &["CPU"]])
}

pub(super) fn timing_grid(
    standings: &Standings,
    title: impl Fn(&'static str) -> &'static str,
) -> Grid {
    times(standings, title).grid()
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

/// The least CPU time in the opponents' turns that is reported. Runtimes use less for themselves.
const MUCH_IDLE_CPU: Duration = Duration::from_secs(1);

/// Describes the faults by bot and kind, each with its first game and the command that shows more; then excused moves,
/// and CPU time in the opponents' turns. Empty if there is nothing to report. `run` is the run's folder.
pub fn faults(standings: &Standings, run: &Path) -> Vec<Message> {
    let mut lines = Vec::new();
    for bot in standings.bots() {
        let name = &bot.name;
        for (&word, count) in &bot.faults {
            let (games, fault) = (bot.score().games(), Message::from(word));
            lines.push(message!("{name}: {fault} in {count} of {games} games"));
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
        match bot.interruptions {
            0 => {}
            1 => lines.push(message!("{name}: 1 move was excused: the machine was busy")),
            moves => lines.push(message!(
                "{name}: {moves} moves were excused: the machine was busy"
            )),
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

/// A bot that has waited at least this long must have used CPU time if it ponders.
const LONG_WAIT: Duration = Duration::from_millis(100);

/// Names the bots that were allowed to ponder, but used CPU time for less than 1 % of the time in which they waited.
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

/// Names the command that explains a loss of the first bot; `None` if it lost no game without a fault.
pub fn why_lost(standings: &Standings, run: &Path) -> Option<Message> {
    let bot = standings.bots().first()?;
    let GameId(game) = bot.first_loss?;
    let (name, run) = (&bot.name, run.display());
    Some(message!(
        "why {name} lost game {game}: arena analyze {run}/{game}"
    ))
}

fn ms(time: Option<Duration>) -> String {
    maybe(time, |time| format!("{:.2}", time.as_secs_f64() * 1000.0))
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
        Columns::new(
            &["bot", "games", "won", "lost"],
            vec![row("long-name"), row("b")],
            "bot",
        )
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
