//! The games of a league's rounds, to be watched. A round is an ordinary run, but most of its folder is not for
//! visitors, so a game is read by its round and number, and only what this visitor may see is left of it.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use games::formats::SavedGame;
use referee::record::{GameId, GameRecord};
use run::RunError;
use run::store::Store;

use super::{Visit, broken};
use crate::league::Version;
use crate::web::download::download;
use crate::web::pages::game::{GameLinks, lines_of, recorded_page};
use crate::web::pages::{Context, address, html, no_game};
use run::report::page::view::GameView;

/// A game with the names that the visitor sees.
pub struct ShownGame {
    pub record: GameRecord,
    /// Whether the visitor owns the player, black's first.
    own: [bool; 2],
    /// The folder of the round.
    run: PathBuf,
    /// The addresses and names of the pages of both bots.
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

/// Answers with a page or a file of a game.
fn answer(
    context: &Context,
    headers: &HeaderMap,
    round: u64,
    id: u64,
    make: impl FnOnce(ShownGame) -> Response,
) -> Response {
    let found = match Visit::new(context, headers) {
        Ok(visit) => visit.record(round, id),
        Err(answer) => return *answer,
    };
    match found {
        Ok(Some(game)) => make(game),
        Ok(None) => no_game(context, headers, id),
        Err(error) => broken(context, headers, &error),
    }
}

/// `GET /run/12/game/5`: game 5 of round 12.
pub async fn show(
    State(context): State<Arc<Context>>,
    Path((round, id)): Path<(u64, u64)>,
    headers: HeaderMap,
) -> Response {
    page(&context, &headers, round, id, None)
}

pub async fn show_at(
    State(context): State<Arc<Context>>,
    Path((round, id, ply)): Path<(u64, u64, u32)>,
    headers: HeaderMap,
) -> Response {
    page(&context, &headers, round, id, Some(ply))
}

fn page(context: &Context, headers: &HeaderMap, round: u64, id: u64, ply: Option<u32>) -> Response {
    answer(context, headers, round, id, |game| {
        let links = GameLinks {
            beside: game.beside,
            has_lines: game.own.contains(&true)
                && game.run.join("failures").join(id.to_string()).is_dir(),
            back: Some(game.bots),
            ..GameLinks::default()
        };
        let round = round.to_string();
        html(&recorded_page(
            context,
            headers,
            &round,
            &game.record,
            ply,
            links,
        ))
    })
}

pub async fn data(
    State(context): State<Arc<Context>>,
    Path((round, id)): Path<(u64, u64)>,
    headers: HeaderMap,
) -> Response {
    answer(&context, &headers, round, id, |game| {
        let mut view = GameView::of(&game.record, None);
        view.keep_own(game.own);
        axum::Json(view).into_response()
    })
}

pub async fn file(
    State(context): State<Arc<Context>>,
    Path((round, id, ending)): Path<(u64, u64, String)>,
    headers: HeaderMap,
) -> Response {
    answer(&context, &headers, round, id, |game| {
        let saved = SavedGame {
            event: format!("round {round}"),
            ..game.record.saved()
        };
        download(&saved, &format!("{round}-{id}"), &ending)
    })
}

/// Answers with the lines of own bots.
pub async fn lines(
    State(context): State<Arc<Context>>,
    Path((round, id, ply)): Path<(u64, u64, u64)>,
    headers: HeaderMap,
) -> Response {
    answer(&context, &headers, round, id, |game| match game.own {
        [false, false] => StatusCode::NOT_FOUND.into_response(),
        own => lines_of(&game.run, id, ply, own),
    })
}
