//! The choice of a game to play: which, against whom, from where.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;

use super::play::moves;
use super::{Context, Page, html, no_game};
use crate::web::play::Offer;
use message::Lang;

#[derive(Template)]
#[template(path = "web/setup.html")]
struct Setup {
    page: Page,
    games: Vec<GameChoice>,
    offers: Vec<OfferChoice>,
    from: Option<FromChoice>,
}

struct GameChoice {
    name: &'static str,
    title: String,
    sizes: String,
    size: u8,
    rules: String,
    chosen: bool,
}

/// A bot to choose.
pub struct OfferChoice {
    pub number: usize,
    pub name: String,
    pub games: String,
    pub chosen: bool,
}

impl OfferChoice {
    /// All there are, the first one chosen.
    pub fn all(context: &Context, lang: &Lang) -> Vec<OfferChoice> {
        let offers = context.site.offers.iter().enumerate();
        let choice = |(number, offer): (usize, &Offer)| OfferChoice {
            number,
            name: match lang.get(&offer.name) {
                text if text == offer.name => offer.word.clone(),
                text => text.to_owned(),
            },
            games: offer.games.join(" "),
            chosen: number == 0,
        };
        offers.map(choice).collect()
    }
}

struct FromChoice {
    run: String,
    game: u64,
    ply: usize,
    text: String,
}

/// What an address may say of a game to go on from.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    run: Option<String>,
    game: Option<u64>,
    ply: Option<usize>,
}

/// `GET /play`
pub async fn setup(
    State(context): State<Arc<Context>>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let lang = context.lang(&headers);
    let (mut from, mut known) = (None, None);
    if let (Some(run), Some(id)) = (asked.run, asked.game) {
        let asked_for = asked.ply.unwrap_or(usize::MAX);
        let Ok((board, moves)) = moves(&context, &run, id, asked_for) else {
            return no_game(&context, &headers, id);
        };
        let ply = moves.len();
        let values = [
            ("run", run.as_str()),
            ("game", &id.to_string()),
            ("ply", &ply.to_string()),
        ];
        let text = lang.with("setup.from", &values);
        known = Some(board.game());
        from = Some(FromChoice {
            run,
            game: id,
            ply,
            text,
        });
    }
    let games = games::families()
        .into_iter()
        .enumerate()
        .map(|(number, family)| GameChoice {
            name: family.name(),
            title: lang.word("game", family.name()).to_owned(),
            sizes: known
                .map_or(family.sizes(), |game| game.size()..=game.size())
                .map(|size| size.to_string())
                .collect::<Vec<_>>()
                .join(" "),
            size: known.map_or(family.usual_size(), games::Game::size),
            rules: match known {
                Some(game) => game.rules().to_owned(),
                None => family.rules().join(" "),
            },
            chosen: known.map_or(number == 0, |game| game.name() == family.name()),
        });
    html(&Setup {
        page: context.page(&headers, lang.get("setup.title")),
        games: games.collect(),
        offers: OfferChoice::all(&context, lang),
        from,
    })
}
