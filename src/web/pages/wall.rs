//! The latest games of a run that another arena plays: a wall that fills as they end.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::{Context, Page, address, html, no_run};
use crate::web::card::Card;
use referee::record::GameId;
use run::store::Store;

/// Games on the wall.
const SHOWN: usize = 12;

#[derive(Template)]
#[template(path = "web/wall.html")]
pub struct Wall {
    pub page: Page,
    pub run: Option<String>,
    pub run_name: String,
    pub title: String,
    /// Where its games come from: events of running games, or news of a record.
    pub events: String,
    pub latest: String,
}

/// `GET /run/quick/wall`
pub async fn show(
    State(context): State<Arc<Context>>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Response {
    if context.library.get(&run).is_none() {
        return no_run(&context, &headers, &run);
    }
    let (at, lang) = (address(&run), context.lang(&headers));
    html(&Wall {
        page: context.page(&headers, lang.get("wall.title")),
        title: lang.get("wall.title").to_owned(),
        events: format!("/run/{at}/events"),
        latest: format!("/run/{at}/latest"),
        run: Some(at),
        run_name: run,
    })
}

/// `GET /run/quick/latest`: the last games as cards, the newest first.
pub async fn latest(State(context): State<Arc<Context>>, Path(run): Path<String>) -> Response {
    let Some(run) = context.run(&run).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let cards = || {
        let index = run.index();
        let newest = index.lines.iter().rev().take(SHOWN);
        let ids: Vec<u64> = newest.map(|line| line.id).collect();
        drop(index);
        let store = Store::read(&run.folder).ok()?;
        let cards = ids
            .into_iter()
            .filter_map(|id| Some(Card::ended(&store.game(GameId(id)).ok()??)));
        Some(cards.collect::<Vec<_>>())
    };
    Json(cards().unwrap_or_default()).into_response()
}
