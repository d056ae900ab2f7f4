//! Games that were brought in a file.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

use super::game::GamePage;
use super::{Context, files, html, no_game};
use crate::web::view::GameView;

/// A file as a page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    text: String,
}

/// `POST /load`
pub async fn load(State(context): State<Arc<Context>>, Json(file): Json<File>) -> Response {
    match context.loaded.read(&file.text) {
        Ok(first) => Json(json!({ "page": format!("/loaded/{first}") })).into_response(),
        Err(why) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            Json(json!({ "why": why })),
        )
            .into_response(),
    }
}

/// `GET /loaded/3`
pub async fn show(
    State(context): State<Arc<Context>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Response {
    page(&context, &headers, id, None)
}

/// `GET /loaded/3/9`: after half-move 9.
pub async fn show_at(
    State(context): State<Arc<Context>>,
    Path((id, ply)): Path<(u64, u32)>,
    headers: HeaderMap,
) -> Response {
    page(&context, &headers, id, Some(ply))
}

fn page(context: &Context, headers: &HeaderMap, id: u64, ply: Option<u32>) -> Response {
    if context.loaded.get(id).is_none() {
        return no_game(context, headers, id);
    }
    let is_there = |id: Option<u64>| id.filter(|&id| context.loaded.get(id).is_some());
    let beside = [id.checked_sub(1), Some(id + 1)].map(is_there);
    html(&GamePage::loaded(context, headers, id, ply, beside))
}

/// `GET /loaded/3/data`
pub async fn data(State(context): State<Arc<Context>>, Path(id): Path<u64>) -> Response {
    match context.loaded.get(id) {
        Some(game) => Json(GameView::saved(id, &game)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// `GET /loaded/3/file/sgf`
pub async fn file(
    State(context): State<Arc<Context>>,
    Path((id, ending)): Path<(u64, String)>,
) -> Response {
    match context.loaded.get(id) {
        Some(game) => files::download(&game, &format!("game-{id}"), &ending),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
