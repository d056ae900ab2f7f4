//! Shows the games of a league's rounds. A round is an ordinary run, but visitors may not see most of its folder. So a
//! game is found by its round and number, and the parts that this visitor may not see are removed.

use std::path::PathBuf;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use games::formats::SavedGame;
use referee::record::{GameId, GameRecord};
use run::store::Store;
use run::{RunError, failures};

use super::Visit;
use crate::league::Version;
use crate::web::download::download;
use crate::web::handlers::game::{GameLinks, GamePath, lines_of, recorded_page};
use crate::web::handlers::{PageResult, Visitor, address, html, no_game};
use run::report::page::game_view::GameView;

/// A game with the names that the visitor sees.
pub struct ShownGame {
    pub record: GameRecord,
    /// Whether the visitor owns the bot with black, and the bot with white.
    own: [bool; 2],
    run: PathBuf,
    /// The addresses and names of both bots' pages.
    bots: Vec<(String, String)>,
    beside: [Option<u64>; 2],
}

impl Visit<'_> {
    pub fn record(&self, round: u64, id: u64) -> Result<Option<ShownGame>, RunError> {
        let run = {
            let league = self.pages.league();
            match league.round(round)? {
                Some(_) => league.round_folder(round),
                None => return Ok(None),
            }
        };
        if !run.join("arena.db").is_file() {
            return Ok(None);
        }
        let store = Store::read(&run)?;
        let Some(mut record) = store.game(GameId(id))? else {
            return Ok(None);
        };
        let is_there = |id: &u64| matches!(store.sums(GameId(*id), 1), Ok(sums) if sums.iter().any(|(found, _)| found.0 == *id));
        let beside = [id.checked_sub(1), id.checked_add(1)].map(|id| id.filter(is_there));
        let names = &self.now.names;
        let players = record.players.each_ref().map(|name| {
            let mut versions = self.now.versions.iter();
            versions.find(|version| version.name() == *name)
        });
        let is_own = |version: &Version| self.is_own(version);
        for (name, version) in record.players.iter_mut().zip(players) {
            *name = version.map_or_else(String::new, |one| names.version(one, is_own(one)));
        }
        let bots = players.into_iter().flatten().map(|version| {
            let name = names.bot(&version.bot, is_own(version));
            (format!("/bot/{}", address(&name)), name)
        });
        Ok(Some(ShownGame {
            own: players.map(|version| version.is_some_and(is_own)),
            bots: bots.collect(),
            record,
            run,
            beside,
        }))
    }
}

fn found(visitor: &Visitor, round: u64, id: u64) -> PageResult<ShownGame> {
    let visit = Visit::new(visitor)?;
    let game = visit.read(visit.record(round, id))?;
    Ok(game.ok_or_else(|| no_game(visitor, id))?)
}

/// `GET /run/12/game/5`: game 5 of round 12.
pub async fn show(
    visitor: Visitor,
    Path(GamePath { run, game, ply }): Path<GamePath<u64>>,
) -> PageResult {
    let (round, id) = (run, game);
    let game = found(&visitor, round, id)?;
    let is_own = game.own.contains(&true);
    let links = GameLinks {
        beside: game.beside,
        has_lines: is_own && failures::folder(&game.run, GameId(id)).is_dir(),
        back: Some(game.bots),
        ..GameLinks::default()
    };
    let (round, record) = (round.to_string(), &game.record);
    let page = recorded_page(&visitor, &round, record, ply, links);
    Ok(html(&page))
}

pub async fn data(visitor: Visitor, Path((round, id)): Path<(u64, u64)>) -> PageResult {
    let game = found(&visitor, round, id)?;
    let mut view = GameView::of(&game.record, None);
    view.keep_own(game.own);
    Ok(axum::Json(view).into_response())
}

pub async fn file(
    visitor: Visitor,
    Path((round, id, ending)): Path<(u64, u64, String)>,
) -> PageResult {
    let saved = SavedGame {
        event: format!("round {round}"),
        ..found(&visitor, round, id)?.record.saved()
    };
    Ok(download(&saved, &format!("{round}-{id}"), &ending))
}

/// Answers with the lines between the arena and the visitor's own bots.
pub async fn lines(visitor: Visitor, Path((round, id, ply)): Path<(u64, u64, u64)>) -> PageResult {
    let game = found(&visitor, round, id)?;
    match game.own {
        [false, false] => Err(StatusCode::NOT_FOUND.into()),
        own => Ok(lines_of(&game.run, id, ply, own)),
    }
}
