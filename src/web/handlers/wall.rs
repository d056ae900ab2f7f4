//! Walls of boards, and a running game. A wall shows the current positions of a run that this arena plays, or the last
//! games of another run.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use referee::record::GameId;
use run::store::Store;

use super::game::live_page;
use super::{Context, PageHead, PageResult, Visitor, address, html, no_run};
use run::report::page::game_view::BoardCard;

const SHOWN: usize = 12;

#[derive(Template)]
#[template(path = "web/wall.html")]
pub struct Wall {
    pub page: PageHead,
    pub run: Option<String>,
    pub run_name: String,
    /// The address of events: positions of running games, or changes of a record.
    pub events: String,
    pub latest: String,
}

pub async fn show(visitor: Visitor, Path(run): Path<String>) -> Response {
    if visitor.library.get(&run).is_none() {
        return no_run(&visitor, &run);
    }
    let (at, lang) = (address(&run), visitor.lang());
    html(&Wall {
        page: visitor.page(lang.get("wall.title")),
        events: format!("/run/{at}/events"),
        latest: format!("/run/{at}/latest"),
        run: Some(at),
        run_name: run,
    })
}

/// `GET /run/quick/latest`: the last games as cards, newest first.
pub async fn latest(State(context): State<Arc<Context>>, Path(run): Path<String>) -> PageResult {
    let run = context.run(&run).await.ok_or(StatusCode::NOT_FOUND)?;
    let cards = || {
        let index = run.index();
        let newest = index.list.lines.iter().rev().take(SHOWN);
        let ids: Vec<u64> = newest.map(|line| line.id).collect();
        drop(index);
        let store = Store::read(&run.folder).ok()?;
        let cards = ids
            .into_iter()
            .filter_map(|id| Some(BoardCard::ended(&store.game(GameId(id)).ok()??)));
        Some(cards.collect::<Vec<_>>())
    };
    Ok(Json(cards().unwrap_or_default()).into_response())
}

pub async fn live(visitor: Visitor) -> Response {
    let run = visitor.site.hub.as_ref().map(|hub| hub.run.as_str());
    html(&Wall {
        page: visitor.page(visitor.lang().get("live.title")),
        events: "/live/events".to_owned(),
        latest: String::new(),
        run: run.map(address),
        run_name: run.unwrap_or_default().to_owned(),
    })
}

/// `GET /live/events`: the wall.
pub async fn live_events(State(context): State<Arc<Context>>) -> PageResult {
    let hub = context.site.hub.clone().ok_or(StatusCode::NOT_FOUND)?;
    Ok(context.streams.of_hub(move || hub.wall()))
}

/// `GET /live/game/17/events`: each half-move of a game.
pub async fn live_game_events(
    State(context): State<Arc<Context>>,
    Path(id): Path<u64>,
) -> PageResult {
    let hub = context.site.hub.clone().ok_or(StatusCode::NOT_FOUND)?;
    Ok(context.streams.of_hub(move || hub.follow(id)))
}

/// `GET /live/game/17`: a running game, or the recorded one if it has ended.
pub async fn live_game(visitor: Visitor, Path(id): Path<u64>) -> Response {
    let Some(hub) = &visitor.site.hub else {
        return super::no_game(&visitor, id);
    };
    let run = address(&hub.run);
    if hub.game(id).is_none() {
        return Redirect::to(&format!("/run/{run}/game/{id}")).into_response();
    }
    html(&live_page(&visitor, &hub.run, id))
}

/// `GET /live/next`: the running game with the lowest number; the wall if no game is running.
pub async fn next(State(context): State<Arc<Context>>) -> Redirect {
    let hub = context.site.hub.as_ref();
    let running = hub.and_then(|hub| hub.first_running());
    Redirect::to(&running.map_or("/live".to_owned(), |id| format!("/live/game/{id}")))
}

pub async fn live_data(State(context): State<Arc<Context>>, Path(id): Path<u64>) -> PageResult {
    let game = context.site.hub.as_ref().and_then(|hub| hub.game(id));
    Ok(Json(game.ok_or(StatusCode::NOT_FOUND)?).into_response())
}
