//! A game of a record.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use games::formats::SavedGame;

use super::{Context, Page, address, html, no_game, no_run, wrong};
use crate::web::pages::files;
use crate::web::view::GameView;
use referee::record::{GameId, GameRecord, Outcome};
use run::store::Store;
use tournament::people;

/// The frame of any game; its data comes later.
#[derive(Template)]
#[template(path = "web/game.html")]
pub struct GamePage {
    page: Page,
    /// The script that fills it.
    module: &'static str,
    heading: String,
    /// The page above, and its name.
    back: String,
    back_name: String,
    /// Where its data is, if that does not come with its events.
    data: String,
    events: String,
    /// The address that half-moves are added to.
    base: String,
    ply: String,
    run: String,
    number: String,
    /// Where raw lines are.
    lines: String,
    is_play: bool,
    /// Whether it can be saved as a file, and gone through.
    has_files: bool,
    /// The addresses of the games before and after it, and of its pair.
    beside: [Option<String>; 2],
    pair: Option<String>,
    /// A person may go on with it.
    goes_on: bool,
}

impl GamePage {
    fn of_run(context: &Context, headers: &HeaderMap, run: &str, id: u64) -> GamePage {
        let lang = context.lang(headers);
        let heading = lang.with("game.title", &[("game", &id.to_string())]);
        let at = address(run);
        GamePage {
            page: context.page(headers, format!("{heading} · {run}")),
            module: "game.js",
            heading,
            back: format!("/run/{at}"),
            back_name: run.to_owned(),
            data: String::new(),
            events: String::new(),
            base: format!("/run/{at}/game/{id}"),
            ply: String::new(),
            run: run.to_owned(),
            number: id.to_string(),
            lines: String::new(),
            is_play: false,
            has_files: true,
            beside: [None, None],
            pair: None,
            goes_on: false,
        }
    }

    /// A game of a file that was brought in.
    pub fn loaded(
        context: &Context,
        headers: &HeaderMap,
        id: u64,
        ply: Option<u32>,
        beside: [Option<u64>; 2],
    ) -> GamePage {
        let lang = context.lang(headers);
        let heading = lang.get("loaded.title");
        GamePage {
            page: context.page(headers, heading),
            heading: heading.to_owned(),
            data: format!("/loaded/{id}/data"),
            ply: ply.map_or(String::new(), |ply| ply.to_string()),
            back: "/play".to_owned(),
            back_name: lang.get("setup.title").to_owned(),
            base: format!("/loaded/{id}"),
            beside: beside.map(|id| id.map(|id| format!("/loaded/{id}"))),
            ..GamePage::of_run(context, headers, "", id)
        }
    }

    /// A running game of the run that is played here.
    pub fn live(context: &Context, headers: &HeaderMap, run: &str, id: u64) -> GamePage {
        GamePage {
            data: format!("/live/data/{id}"),
            events: format!("/live/game/{id}/events"),
            has_files: false,
            back: "/live".to_owned(),
            back_name: context.lang(headers).get("live.title").to_owned(),
            ..GamePage::of_run(context, headers, run, id)
        }
    }

    /// A game with a person.
    pub fn play(context: &Context, headers: &HeaderMap, id: &str) -> GamePage {
        let at = address(id);
        let lang = context.lang(headers);
        GamePage {
            page: context.page(headers, lang.get("nav.play")),
            module: "play.js",
            heading: id.to_owned(),
            back: "/play".to_owned(),
            back_name: lang.get("setup.title").to_owned(),
            events: format!("/play/{at}/events"),
            base: format!("/play/{at}"),
            is_play: true,
            number: "0".to_owned(),
            ..GamePage::of_run(context, headers, id, 0)
        }
    }
}

/// `GET /run/quick/game/17`
pub async fn recorded(
    State(context): State<Arc<Context>>,
    Path((run, id)): Path<(String, u64)>,
    headers: HeaderMap,
) -> Response {
    show(&context, &headers, &run, id, None)
}

/// `GET /run/quick/game/17/9`: after half-move 9.
pub async fn recorded_at(
    State(context): State<Arc<Context>>,
    Path((run, id, ply)): Path<(String, u64, u32)>,
    headers: HeaderMap,
) -> Response {
    show(&context, &headers, &run, id, Some(ply))
}

fn show(
    context: &Arc<Context>,
    headers: &HeaderMap,
    run: &str,
    id: u64,
    ply: Option<u32>,
) -> Response {
    let record = match game(context, run, id) {
        Ok(Some(record)) => record,
        Ok(None) if context.library.get(run).is_none() => return no_run(context, headers, run),
        Ok(None) => return no_game(context, headers, id),
        Err(why) => return wrong(context, headers, StatusCode::INTERNAL_SERVER_ERROR, why),
    };
    let at = address(run);
    let followed = context.library.get(run);
    let has_lines = followed
        .as_ref()
        .is_some_and(|run| run.folder.join("failures").join(id.to_string()).is_dir());
    let mut page = GamePage::of_run(context, headers, run, id);
    let [black, white] = &record.players;
    page.heading = format!("{}: {black} – {white}", page.heading);
    if let Some(followed) = &followed {
        let index = followed.index();
        let game = |id: Option<u64>| id.map(|id| format!("/run/{at}/game/{id}"));
        page.beside = index.lines.beside(id).map(game);
        let is_pair = index.lines.get(id ^ 1).is_some();
        page.pair = is_pair.then(|| format!("/run/{at}/pair/{}", id / 2));
        let file = followed.file.as_ref();
        page.goes_on = record.verdict.outcome() == Outcome::Void
            && file.is_some_and(|file| people::people(&file.tournament).is_some());
    }
    html(&GamePage {
        data: format!("/run/{at}/data/{id}"),
        ply: ply.map_or(String::new(), |ply| ply.to_string()),
        lines: if has_lines {
            format!("/run/{at}/lines/{id}")
        } else {
            String::new()
        },
        ..page
    })
}

/// Reads a game of a run.
pub fn game(context: &Context, run: &str, id: u64) -> Result<Option<GameRecord>, String> {
    let Some(run) = context.library.get(run) else {
        return Ok(None);
    };
    let read = || Store::read(&run.folder)?.game(GameId(id));
    read().map_err(|error| error.to_string())
}

/// `GET /run/quick/data/17`
pub async fn data(
    State(context): State<Arc<Context>>,
    Path((run, id)): Path<(String, u64)>,
) -> Response {
    match game(&context, &run, id) {
        Ok(Some(record)) => {
            let limits = match context.library.get(&run) {
                Some(run) => run.index().limits(&record.players),
                None => None,
            };
            axum::Json(GameView::of(&record, limits)).into_response()
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why).into_response(),
    }
}

/// `GET /run/quick/game/17/file/sgf`
pub async fn file(
    State(context): State<Arc<Context>>,
    Path((run, id, ending)): Path<(String, u64, String)>,
) -> Response {
    match game(&context, &run, id) {
        Ok(Some(record)) => {
            let saved = SavedGame {
                event: run.clone(),
                ..record.saved()
            };
            files::download(&saved, &format!("{run}-{id}"), &ending)
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why).into_response(),
    }
}
