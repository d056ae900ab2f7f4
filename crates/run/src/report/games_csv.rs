//! `games.csv`: one row per game.

use std::time::Duration;

use games::Side::{self, Black, White};
use games::format_transcript;

use super::cell::{Column, maybe, ms, text};
use referee::record::{GameRecord, Verdict};

/// The columns; those with times or started, attempts and warnings may differ from run to run.
pub(super) const COLUMNS: [Column<GameRecord>; 26] = [
    ("game", |game| game.id.0.to_string()),
    ("pair", |game| game.id.pair().to_string()),
    ("leg", |game| game.id.leg().to_string()),
    ("black", |game| game.players[0].clone()),
    ("white", |game| game.players[1].clone()),
    ("result", |game| game.verdict.outcome().word().to_owned()),
    ("reason", |game| game.verdict.reason().to_owned()),
    ("at_fault", |game| {
        let at_fault = |side: &Side| game.verdict.fault_of(*side).is_some();
        let names = Side::BOTH
            .into_iter()
            .filter(at_fault)
            .map(|side| game.player(side));
        names.collect::<Vec<_>>().join(" ")
    }),
    ("fault_detail", |game| {
        let faults = Side::BOTH
            .into_iter()
            .filter_map(|side| game.verdict.fault_of(side));
        text(&match &game.verdict {
            Verdict::Void { why } => why.clone(),
            _ => faults
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "),
        })
    }),
    ("black_count", |game| game.counts[0].to_string()),
    ("white_count", |game| game.counts[1].to_string()),
    ("plies", |game| {
        (game.opening.len() + game.plies.len()).to_string()
    }),
    ("opening", |game| format_transcript(&game.opening)),
    ("moves", |game| format_transcript(&game.moves())),
    ("attempts", |game| game.attempts.to_string()),
    ("black_interruptions", |game| {
        game.interruptions[0].to_string()
    }),
    ("white_interruptions", |game| {
        game.interruptions[1].to_string()
    }),
    ("started_unix_ms", |game| game.started_unix_ms.to_string()),
    ("duration_ms", |game| ms(game.duration)),
    ("black_mean_ms", |game| mean(game, Black)),
    ("black_max_ms", |game| longest(game, Black)),
    ("black_cpu_ms", |game| cpu(game, Black)),
    ("white_mean_ms", |game| mean(game, White)),
    ("white_max_ms", |game| longest(game, White)),
    ("white_cpu_ms", |game| cpu(game, White)),
    ("warnings", |game| text(&game.warnings.join("; "))),
];

/// The wall time of each move.
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

/// The CPU time of all moves.
fn cpu(game: &GameRecord, side: Side) -> String {
    let cpu = game
        .efforts(side)
        .filter_map(|(effort, _)| effort.cpu)
        .sum();
    maybe(walls(game, side).next().map(|_| cpu), ms)
}
