//! The run that this arena plays now: a wall of boards, a game.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};

use super::game::GamePage;
use super::wall::Wall;
use super::{Context, address, html};

/// `GET /live`
pub async fn wall(State(context): State<Arc<Context>>, headers: HeaderMap) -> Response {
    let run = context.site.hub.as_ref().map(|hub| hub.run.as_str());
    html(&Wall {
        page: context.page(&headers, context.lang(&headers).get("live.title")),
        title: context.lang(&headers).get("live.title").to_owned(),
        events: "/live/events".to_owned(),
        latest: String::new(),
        run: run.map(address),
        run_name: run.unwrap_or_default().to_owned(),
    })
}

/// `GET /live/events`: the wall.
pub async fn events(State(context): State<Arc<Context>>) -> Response {
    let Some(hub) = context.site.hub.clone() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    context.streams.of_hub(move || hub.wall())
}

/// `GET /live/game/17/events`: each half-move of a game.
pub async fn events_of_game(State(context): State<Arc<Context>>, Path(id): Path<u64>) -> Response {
    let Some(hub) = context.site.hub.clone() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    context.streams.of_hub(move || hub.follow(id))
}

/// `GET /live/game/17`: a running game, or the recorded one if it has ended.
pub async fn game(
    State(context): State<Arc<Context>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Response {
    let Some(hub) = &context.site.hub else {
        return super::no_game(&context, &headers, id);
    };
    let run = address(&hub.run);
    if hub.game(id).is_none() {
        return Redirect::to(&format!("/run/{run}/game/{id}")).into_response();
    }
    html(&GamePage::live(&context, &headers, &hub.run, id))
}

/// `GET /live/data/17`
pub async fn data(State(context): State<Arc<Context>>, Path(id): Path<u64>) -> Response {
    let game = context.site.hub.as_ref().and_then(|hub| hub.game(id));
    match game {
        Some(view) => axum::Json(view).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
