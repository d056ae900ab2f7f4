//! The two games of a pair side by side: the same opening, colours swapped.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::game::game;
use super::{Context, Page, address, html, no_game, wrong};

#[derive(Template)]
#[template(path = "web/pair.html")]
struct Pair {
    page: Page,
    run: String,
    run_address: String,
    heading: String,
    games: [u64; 2],
    opening: usize,
}

/// `GET /run/quick/pair/8`: games 16 and 17.
pub async fn show(
    State(context): State<Arc<Context>>,
    Path((run, pair)): Path<(String, u64)>,
    headers: HeaderMap,
) -> Response {
    let games = [
        pair.saturating_mul(2),
        pair.saturating_mul(2).saturating_add(1),
    ];
    let mut opening = 0;
    for id in games {
        match game(&context, &run, id) {
            Ok(Some(record)) => opening = record.opening.len(),
            Ok(None) => return no_game(&context, &headers, id),
            Err(why) => {
                return wrong(&context, &headers, StatusCode::INTERNAL_SERVER_ERROR, why);
            }
        }
    }
    let number = (pair + 1).to_string();
    let heading = context
        .lang(&headers)
        .with("pair.title", &[("pair", &number)]);
    html(&Pair {
        page: context.page(&headers, format!("{heading} · {run}")),
        run_address: address(&run),
        run,
        heading,
        games,
        opening,
    })
}
