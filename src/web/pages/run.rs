//! A run: standings, crosstable, test, games.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use games::format_transcript;
use serde_json::json;

use super::runs::RunLine;
use super::table::{self, Asked, CrossRow, FaultLine, Filters, PairRow, StandingRow, TestShown};
use super::{Context, Page, html, no_run};
use crate::store::Store;
use crate::web::library::Followed;
use referee::record::GameId;

#[derive(Template)]
#[template(path = "web/run.html")]
struct RunPage {
    page: Page,
    run: RunLine,
    version: u64,
    progress: String,
    complete: bool,
    error: Option<String>,
    /// Whether it is the run that this arena plays.
    is_here: bool,
    test: Option<TestShown>,
    standings: Vec<StandingRow>,
    crosstable: Vec<CrossRow>,
    faults: Vec<FaultLine>,
    filters: Filters,
    found: String,
    pairs: Vec<PairRow>,
    pages: usize,
    place: String,
    previous: Option<String>,
    next: Option<String>,
}

/// `GET /run/quick?bot=greedy&fault=any`
pub async fn show(
    State(context): State<Arc<Context>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let Some(run) = context.run(&id).await else {
        return no_run(&context, &headers, &id);
    };
    let hub = context.site.hub.as_ref().filter(|hub| hub.run == id);
    let is_here = hub.is_some_and(|hub| !hub.is_over());
    let page = context.page(&headers, id.as_str());
    let mut page = RunPage::of(page, &run, &asked, is_here);
    let unread: Vec<u64> = page.pairs.iter().filter_map(PairRow::unread).collect();
    if !unread.is_empty() {
        let read = tokio::task::spawn_blocking(move || openings(&run.folder, &unread));
        let mut read = read.await.unwrap_or_default().into_iter();
        for row in &mut page.pairs {
            if row.unread().is_some() {
                row.opening = read.next().flatten();
            }
        }
    }
    html(&page)
}

/// The openings of these games, as far as the record can be read.
fn openings(folder: &std::path::Path, games: &[u64]) -> Vec<Option<String>> {
    let Ok(store) = Store::read(folder) else {
        return Vec::new();
    };
    let opening = |id: &u64| {
        let record = store.game(GameId(*id)).ok()??;
        Some(table::shortened(&format_transcript(&record.opening)))
    };
    games.iter().map(opening).collect()
}

impl RunPage {
    /// What has been read of a run.
    fn of(page: Page, run: &Followed, asked: &Asked, is_here: bool) -> RunPage {
        let lang = page.lang;
        let reading = run.progress();
        let index = run.index();
        let (played, planned) = (index.standings.games(), index.planned());
        let progress = match planned {
            Some(planned) => lang.with(
                "run.games-of",
                &[
                    ("games", &played.to_string()),
                    ("planned", &planned.to_string()),
                ],
            ),
            None => lang.with("run.games", &[("games", &played.to_string())]),
        };
        let standings = index.placed();
        let list = table::games(&index, asked, lang);
        RunPage {
            run: RunLine::with(&run.id, run.file.as_ref(), lang, Some(played), is_here),
            version: index.version,
            progress,
            complete: reading.complete,
            error: reading.error,
            is_here,
            test: index.test().map(|test| TestShown::of(&test, lang)),
            standings: table::standings(&standings),
            crosstable: table::crosstable(&standings, lang),
            faults: table::faults(&standings, lang),
            filters: Filters::of(&index, asked, lang),
            found: list.found,
            pairs: list.pairs,
            pages: list.pages,
            place: list.place,
            previous: list.previous,
            next: list.next,
            page,
        }
    }
}

/// `GET /run/quick/events`: says when something is new.
pub async fn events(State(context): State<Arc<Context>>, Path(id): Path<String>) -> Response {
    let Some(run) = context.library.get(&id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let changes = run.changes();
    let now = move || {
        let now = run.progress();
        json!({ "version": now.version, "complete": now.complete, "error": now.error }).to_string()
    };
    context.streams.of_changes(changes, true, now)
}
