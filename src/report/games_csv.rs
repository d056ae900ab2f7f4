//! `games.csv`: one row per game.

use std::time::Duration;

use games::{Side, format_transcript};

use super::cell;
use referee::record::GameRecord;

/// The columns; those with times or started, attempts and warnings may differ from run to run.
pub(super) const HEADER: [&str; 24] = [
    "game",
    "pair",
    "leg",
    "black",
    "white",
    "result",
    "reason",
    "at_fault",
    "fault_detail",
    "black_count",
    "white_count",
    "plies",
    "opening",
    "moves",
    "attempts",
    "started_unix_ms",
    "duration_ms",
    "black_mean_ms",
    "black_max_ms",
    "black_cpu_ms",
    "white_mean_ms",
    "white_max_ms",
    "white_cpu_ms",
    "warnings",
];

/// The row of a game.
pub(super) fn row(record: &GameRecord) -> [String; HEADER.len()] {
    let faults = Side::BOTH.map(|side| (side, record.verdict.fault_of(side)));
    let at_fault = faults.iter().filter(|(_, fault)| fault.is_some());
    let at_fault: Vec<&str> = at_fault.map(|(side, _)| record.player(*side)).collect();
    let details: Vec<String> = faults
        .iter()
        .filter_map(|(_, fault)| fault.map(ToString::to_string))
        .collect();
    let details = match &record.verdict {
        referee::record::Verdict::Void { why } => why.clone(),
        _ => details.join("; "),
    };
    let [black, white] = Side::BOTH.map(|side| times(record, side));
    let started = record.started_unix_ms;
    [
        record.id.0.to_string(),
        record.id.pair().to_string(),
        record.id.leg().to_string(),
        record.players[0].clone(),
        record.players[1].clone(),
        record.verdict.outcome().word().to_owned(),
        record.verdict.reason().to_owned(),
        at_fault.join(" "),
        cell::text(&details),
        record.counts[0].to_string(),
        record.counts[1].to_string(),
        (record.opening.len() + record.plies.len()).to_string(),
        format_transcript(&record.opening),
        format_transcript(&record.moves()),
        record.attempts.to_string(),
        started.to_string(),
        cell::ms(record.duration),
        black[0].clone(),
        black[1].clone(),
        black[2].clone(),
        white[0].clone(),
        white[1].clone(),
        white[2].clone(),
        cell::text(&record.warnings.join("; ")),
    ]
}

/// Mean and maximum wall time per move, and the CPU time of all moves.
fn times(record: &GameRecord, side: Side) -> [String; 3] {
    let walls: Vec<Duration> = record
        .efforts(side)
        .map(|(effort, _)| effort.wall)
        .collect();
    let total: Duration = walls.iter().sum();
    let cpu: Duration = record
        .efforts(side)
        .filter_map(|(effort, _)| effort.cpu)
        .sum();
    [
        cell::maybe(total.checked_div(walls.len() as u32), cell::ms),
        cell::maybe(walls.iter().max().copied(), cell::ms),
        cell::maybe((!walls.is_empty()).then_some(cpu), cell::ms),
    ]
}
