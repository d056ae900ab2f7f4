//! Stages: positions that black, to move, must win; for a person, or for a bot that is watched.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::setup::OfferChoice;
use super::{Context, Page, html};
use crate::stages::Stage;

#[derive(Template)]
#[template(path = "web/stages.html")]
struct Listed {
    page: Page,
    stages: Vec<Shown>,
    offers: Vec<OfferChoice>,
}

struct Shown {
    number: usize,
    name: String,
    size: u8,
    stones: String,
    what: String,
}

/// `GET /stages`
pub async fn list(State(context): State<Arc<Context>>, headers: HeaderMap) -> Response {
    let page = context.page(&headers, context.lang(&headers).get("stages.title"));
    let lang = page.lang;
    let shown = |(number, stage): (usize, &Stage)| {
        let most = stage.most_moves();
        let [moves, most] = [stage.shortest().unwrap_or(most), most].map(|count| count.to_string());
        let rules = lang.word("rules", stage.board.rule().name());
        Shown {
            number,
            name: stage.name.clone(),
            size: stage.board.size(),
            stones: stage.stones(),
            what: lang.with(
                "stages.what",
                &[("moves", &moves), ("most", &most), ("rules", rules)],
            ),
        }
    };
    let mut offers = OfferChoice::all(&context, lang);
    let stages = &context.site.stages;
    let is_played = |game: &str| stages.iter().any(|stage| stage.game().name() == game);
    offers.retain(|offer| offer.games.split(' ').any(is_played));
    html(&Listed {
        page,
        stages: stages.iter().enumerate().map(shown).collect(),
        offers,
    })
}
