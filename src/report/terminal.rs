//! Standings for the terminal.

use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, LineStyle, Table};

use super::standings::Standings;

/// The standings as a table, the first bot first.
pub fn standings(standings: &Standings) -> String {
    let mut table = Table::new();
    table
        .load_style(NOTHING.header_separator(LineStyle::new(' ', '─', '─', ' ')))
        .set_header([
            "#", "bot", "games", "won", "drawn", "lost", "score", "Elo", "± 95 %", "faults",
            "mean ms", "max ms",
        ]);
    let ratings = standings.ratings();
    for (place, number) in standings.ranking().into_iter().enumerate() {
        let (bot, rating) = (&standings.bots()[number], &ratings[number]);
        let score = bot.score();
        table.add_row([
            (place + 1).to_string(),
            bot.name.clone(),
            score.games().to_string(),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            format!("{:.1} %", 100.0 * score.rate()),
            format!("{:+.0}", rating.elo),
            format!("{:.0}", rating.error_95),
            bot.fault_count().to_string(),
            ms(bot.thinking.mean()),
            ms(bot.thinking.max()),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        if index != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

/// What went wrong, a line a bot and fault; empty where nothing did.
pub fn faults(standings: &Standings) -> String {
    let mut lines = String::new();
    for bot in standings.bots() {
        for (word, count) in &bot.faults {
            lines += &format!(
                "{}: {word} in {count} of {} games\n",
                bot.name,
                bot.score().games()
            );
        }
    }
    lines
}

fn ms(time: Option<Duration>) -> String {
    time.map_or_else(String::new, |time| {
        format!("{:.2}", time.as_secs_f64() * 1000.0)
    })
}
