//! A game that is gone through: asked for by a POST, heard as events.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::Context;
use super::game::game;
use super::play::Nothing;
use crate::web::analyses::Question;
use referee::record::GameRecord;

impl Question {
    /// The question about a recorded game.
    fn of(name: String, record: &GameRecord) -> Question {
        let saved = record.saved();
        // A stage begins in its own position: the stones that were given are no moves of it.
        let before = record.moves().len() - saved.moves.len();
        Question {
            name,
            given: record.opening.len() - before,
            game: saved,
            before,
        }
    }
}

/// `POST /run/quick/game/17/analysis`
pub async fn of_run(
    State(context): State<Arc<Context>>,
    Path((run, id)): Path<(String, u64)>,
    headers: HeaderMap,
    Json(Nothing {}): Json<Nothing>,
) -> Response {
    match game(&context, &run, id) {
        Ok(Some(record)) => ask(
            &context,
            &headers,
            Question::of(run_name(&run, id), &record),
        ),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why).into_response(),
    }
}

/// `GET /run/quick/game/17/analysis`: how far it is, then all of it.
pub async fn events_of_run(
    State(context): State<Arc<Context>>,
    Path((run, id)): Path<(String, u64)>,
) -> Response {
    events(&context, &run_name(&run, id))
}

/// `POST /play/play-game/analysis`
pub async fn of_play(
    State(context): State<Arc<Context>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(Nothing {}): Json<Nothing>,
) -> Response {
    let over = context.sessions.get(&id).filter(|one| one.is_over());
    let Some(session) = over else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let question = Question::of(play_name(&id), &session.game.record());
    ask(&context, &headers, question)
}

/// `GET /play/play-game/analysis`
pub async fn events_of_play(
    State(context): State<Arc<Context>>,
    Path(id): Path<String>,
) -> Response {
    events(&context, &play_name(&id))
}

/// `POST /loaded/3/analysis`
pub async fn of_loaded(
    State(context): State<Arc<Context>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
    Json(Nothing {}): Json<Nothing>,
) -> Response {
    let Some(game) = context.loaded.get(id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let question = Question {
        name: loaded_name(id),
        game: (*game).clone(),
        given: 0,
        before: 0,
    };
    ask(&context, &headers, question)
}

/// `GET /loaded/3/analysis`
pub async fn events_of_loaded(
    State(context): State<Arc<Context>>,
    Path(id): Path<u64>,
) -> Response {
    events(&context, &loaded_name(id))
}

fn run_name(run: &str, id: u64) -> String {
    format!("run/{run}/{id}")
}

fn play_name(id: &str) -> String {
    format!("play/{id}")
}

fn loaded_name(id: u64) -> String {
    format!("loaded/{id}")
}

fn ask(context: &Context, headers: &HeaderMap, question: Question) -> Response {
    let lang = context.lang(headers);
    let Some(analyse) = context.site.analyse.clone() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let refused = |key| {
        let why = json!({ "why": lang.get(key) });
        (StatusCode::SERVICE_UNAVAILABLE, Json(why)).into_response()
    };
    if context.is_busy() {
        return refused("busy");
    }
    if !context.analyses.ask(question, analyse) {
        return refused("analysis.many");
    }
    StatusCode::NO_CONTENT.into_response()
}

fn events(context: &Context, name: &str) -> Response {
    let Some(known) = context.analyses.get(name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let latest = known.clone();
    context
        .streams
        .of_changes(known, false, move || latest.borrow().to_string())
}
