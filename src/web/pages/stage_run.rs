//! A run of stages: a grid with a board for each stage, and whether black passed it.

use std::path::Path;

use message::Lang;
use referee::record::{GameId, harmless};
use run::RunFile;
use run::report::page::run::{StageCell, StageGrid};
use run::store::Store;

use crate::stages::{self, Attempt, Stage};
use crate::web::index::Index;

/// Reads the attempts of these games. `None`: the run has no stages.
pub fn grid(
    file: Option<&RunFile>,
    folder: &Path,
    games: &[u64],
    lang: &Lang,
) -> Option<StageGrid> {
    let texts = &file?.stages.as_ref()?.texts;
    let stages = texts
        .iter()
        .filter_map(|text| stages::read(text, "stage").ok());
    let stages: Vec<Stage> = stages.collect();
    let mut attempts: Vec<Option<Attempt>> = vec![None; stages.len()];
    let mut players = Default::default();
    if let Some(store) = (!games.is_empty())
        .then(|| Store::read(folder).ok())
        .flatten()
    {
        for &game in games.iter().take(stages.len()) {
            if let Ok(Some(record)) = store.game(GameId(game))
                && let Some(stage) = stages.get(record.id.pair() as usize)
            {
                attempts[record.id.pair() as usize] = Some(Attempt::of(&record, stage, folder));
                players = record.players.clone().map(|name| harmless(&name));
            }
        }
    }
    let passed = attempts
        .iter()
        .flatten()
        .filter(|attempt| attempt.is_passed());
    Some(StageGrid {
        passed: passed.count(),
        players,
        cells: stages
            .iter()
            .zip(&attempts)
            .map(|(stage, attempt)| cell(stage, attempt.as_ref(), lang))
            .collect(),
    })
}

/// Returns the games of a run of stages; none of another run, whose games may be many.
pub fn played(file: Option<&RunFile>, index: &Index) -> Vec<u64> {
    let stages = file.and_then(|file| file.stages.as_ref());
    let most = stages.map_or(0, |stages| stages.texts.len());
    index
        .list
        .lines
        .iter()
        .take(most)
        .map(|line| line.id)
        .collect()
}

fn cell(stage: &Stage, attempt: Option<&Attempt>, lang: &Lang) -> StageCell {
    let (sign, class) = match attempt {
        None => ("·", "open"),
        Some(attempt) if attempt.is_passed() => ("✓", "passed"),
        Some(attempt) if attempt.is_void() => ("?", "open"),
        Some(_) => ("✗", "failed"),
    };
    let results = attempt.map(|attempt| attempt.results(stage));
    let most = stage.most_moves().to_string();
    let facts = match &results {
        None => lang.with("stages.most", &[("most", &most)]),
        Some(results) => {
            let time = format!("{:.1} ms", results.longest_ms);
            let moves = results.moves.to_string();
            let values = [("moves", moves.as_str()), ("most", &most), ("time", &time)];
            lang.with("stages.attempt", &values)
        }
    };
    let shown = attempt.map(|attempt| Stage {
        board: attempt.board(stage),
        ..stage.clone()
    });
    let stones = shown.as_ref().unwrap_or(stage).stones();
    let last = attempt.and_then(|attempt| attempt.line().last()?.square());
    let size = stage.game().size();
    StageCell {
        name: harmless(&stage.name),
        sign,
        class,
        facts,
        result: match &results {
            None => lang.get("stages.open").to_owned(),
            Some(results) => lang.fixed(results.result).into_owned(),
        },
        game: results.as_ref().map(|results| results.game),
        remark: results
            .and_then(|results| results.remark)
            .map_or(String::new(), |why| harmless(&lang.render(&why))),
        size,
        stones,
        last: last.map_or(String::new(), |square| square.index(size).to_string()),
    }
}
