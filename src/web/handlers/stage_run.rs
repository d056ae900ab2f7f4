//! A run of stages: a grid with a board for each stage, and whether the bot passed it.

use std::path::Path;

use message::Lang;
use referee::record::harmless;
use run::report::page::run::{StageCell, StageGrid};
use run::store::Store;
use run::{RunFile, StagesFile};

use crate::stages::{self, Attempt, Stage};

/// Stages, each with its attempt if it was played.
pub type Attempts = Vec<(Stage, Option<Attempt>)>;

/// Reads the stages of a run with the attempts so far, and the names of both bots if they are known.
pub fn attempts(stages: &StagesFile, folder: &Path) -> (Attempts, Option<[String; 2]>) {
    let stages = stages.texts.iter();
    let stages = stages.filter_map(|text| stages::read(text, "stage").ok());
    let mut attempts: Vec<_> = stages.map(|stage| (stage, None)).collect();
    let mut players = None;
    let read = Store::read(folder).and_then(|store| {
        for game in store.ids()?.into_iter().take(attempts.len()) {
            let place = attempts.get_mut(game.pair() as usize);
            if let (Some((stage, attempt)), Some(record)) = (place, store.game(game)?) {
                *attempt = Some(Attempt::of(&record, stage, folder));
                players = Some(record.players);
            }
        }
        Ok(())
    });
    // Ignores errors: the record may not exist yet, and the page of a damaged record reports the damage.
    let _ = read;
    (attempts, players)
}

/// Returns `None` if the run has no stages.
pub fn grid(file: Option<&RunFile>, folder: &Path, lang: &Lang) -> Option<StageGrid> {
    let (attempts, players) = attempts(file?.stages.as_ref()?, folder);
    let cells = attempts.iter();
    let cells = cells.map(|(stage, attempt)| cell(stage, attempt.as_ref(), lang));
    Some(StageGrid {
        passed: passed(&attempts),
        players: players.unwrap_or_default().map(|name| harmless(&name)),
        cells: cells.collect(),
    })
}

pub fn passed(attempts: &[(Stage, Option<Attempt>)]) -> usize {
    let attempts = attempts.iter().filter_map(|(_, attempt)| attempt.as_ref());
    attempts.filter(|attempt| attempt.is_passed()).count()
}

fn cell(stage: &Stage, attempt: Option<&Attempt>, lang: &Lang) -> StageCell {
    let (sign, class) = match attempt {
        None => ("·", "open"),
        Some(attempt) if attempt.is_passed() => ("✓", "passed"),
        Some(attempt) if attempt.is_void() => ("?", "open"),
        Some(_) => ("✗", "failed"),
    };
    let results = attempt.map(|attempt| attempt.results(stage));
    let most = stage.most_moves();
    let facts = match &results {
        None => lang.with("stages.most", &[("most", &most)]),
        Some(results) => {
            let time = format!("{:.1} ms", results.longest_ms);
            let moves = results.moves;
            lang.with(
                "stages.attempt",
                &[("moves", &moves), ("most", &most), ("time", &time)],
            )
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
        results,
        size,
        stones,
        last: last.map_or(String::new(), |square| square.index(size).to_string()),
    }
}
