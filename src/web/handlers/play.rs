//! Games with a person: the choice of a game or a stage, the board, the actions.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use games::{Board, Move};
use message::{Lang, Message};
use serde::Deserialize;
use serde_json::json;

use super::game::{game, play_page};
use super::{Context, PageHead, PageResult, Visitor, address, html, no_game, no_run};
use crate::stages::Stage;
use crate::web::download::download;
use crate::web::play::{self, GameRequest, Offer, PlaySession, Refused};

#[derive(Template)]
#[template(path = "web/setup.html")]
struct Setup {
    page: PageHead,
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
    /// `none` and the opening rules; only `none` if the new game continues another game.
    openings: String,
    chosen: bool,
}

pub struct OfferChoice {
    pub number: usize,
    pub name: String,
    pub games: String,
    pub chosen: bool,
}

impl OfferChoice {
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

/// A position of a game in an address. Without `run`, the game is a loaded one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionQuery {
    #[serde(default)]
    pub run: String,
    pub game: Option<u64>,
    pub ply: Option<usize>,
}

pub async fn setup(visitor: Visitor, Query(asked): Query<PositionQuery>) -> Response {
    let lang = visitor.lang();
    let (mut from, mut known) = (None, None);
    let run = asked.run;
    if let Some(id) = asked.game {
        let asked_for = asked.ply.unwrap_or(usize::MAX);
        let Ok((board, moves)) = moves(&visitor, &run, id, asked_for) else {
            return no_game(&visitor, id);
        };
        let ply = moves.len();
        let text = lang.with("setup.from", &[("run", &run), ("game", &id), ("ply", &ply)]);
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
            openings: std::iter::once("none")
                .chain(family.opening_rules().iter().map(|rule| rule.name()))
                .take(if known.is_some() { 1 } else { usize::MAX })
                .collect::<Vec<_>>()
                .join(" "),
            chosen: known.map_or(number == 0, |game| game.name() == family.name()),
        });
    html(&Setup {
        page: visitor.page(lang.get("setup.title")),
        games: games.collect(),
        offers: OfferChoice::all(&visitor, lang),
        from,
    })
}

#[derive(Template)]
#[template(path = "web/stages.html")]
struct StagesPage {
    page: PageHead,
    stages: Vec<StageShown>,
    offers: Vec<OfferChoice>,
}

struct StageShown {
    number: usize,
    name: String,
    size: u8,
    stones: String,
    what: String,
}

pub async fn stages(visitor: Visitor) -> Response {
    let page = visitor.page(visitor.lang().get("stages.title"));
    let lang = page.lang;
    let shown = |(number, stage): (usize, &Stage)| {
        let most = stage.most_moves();
        let moves = stage.shortest().unwrap_or(most);
        let rules = lang.word("rules", stage.game().rules());
        StageShown {
            number,
            name: stage.name.clone(),
            size: stage.game().size(),
            stones: stage.stones(),
            what: lang.with(
                "stages.what",
                &[("moves", &moves), ("most", &most), ("rules", &rules)],
            ),
        }
    };
    let mut offers = OfferChoice::all(&visitor, lang);
    let stages = &visitor.site.stages;
    let is_played = |game: &str| stages.iter().any(|stage| stage.game().name() == game);
    offers.retain(|offer| offer.games.split(' ').any(is_played));
    html(&StagesPage {
        page,
        stages: stages.iter().enumerate().map(shown).collect(),
        offers,
    })
}

pub async fn begin(visitor: Visitor, Json(wanted): Json<GameRequest>) -> Response {
    let moves = match &wanted.from {
        None => Vec::new(),
        Some(from) => match moves(&visitor, &from.run, from.game, from.ply) {
            Ok((start, moves)) if start == start.game().start() => moves,
            Ok(_) => {
                let why = visitor.lang().get("setup.unusual");
                return refused(Refused::Bad(Message::quote(why)));
            }
            Err(why) => return refused(Refused::Bad(why)),
        },
    };
    if visitor.is_busy() {
        let why = visitor.lang().get("busy");
        return refused(Refused::Bad(Message::quote(why)));
    }
    opened(play::begin(visitor.play_context(), wanted, &moves))
}

/// Returns the start and the first half-moves of a recorded game, or of a loaded game if `run` is empty.
pub fn moves(
    context: &Context,
    run: &str,
    id: u64,
    ply: usize,
) -> Result<(Board, Vec<Move>), Message> {
    let none = "there is no such game";
    let (start, mut moves) = if run.is_empty() {
        let game = context.loaded.get(id).ok_or(none)?;
        (game.start.clone(), game.plies().collect())
    } else {
        let record = game(context, run, id)?.ok_or(none)?;
        let moves = games::counted(record.game, &record.moves());
        (record.game.without_opening().start(), moves)
    };
    moves.truncate(ply);
    Ok((start, moves))
}

fn opened(started: Result<Arc<PlaySession>, Refused>) -> Response {
    match started {
        Ok(session) => Json(json!({ "page": page_of(&session) })).into_response(),
        Err(why) => refused(why),
    }
}

fn page_of(session: &PlaySession) -> String {
    format!("/play/{}", address(&session.id))
}

/// `GET /going-on`: the latest game.
pub async fn going_on(State(context): State<Arc<Context>>) -> Response {
    let latest = context.sessions.latest();
    let page = latest.map_or("/play".to_owned(), |session| page_of(&session));
    Redirect::to(&page).into_response()
}

/// `POST /run/play-game/go-on`: continues a game.
pub async fn go_on(
    State(context): State<Arc<Context>>,
    Path(id): Path<String>,
    Json(Nothing {}): Json<Nothing>,
) -> PageResult {
    if let Some(session) = context.sessions.running(&id) {
        return Ok(opened(Ok(session)));
    }
    let run = context.library.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    let went_on = play::go_on(context.play_context(), &run.folder, false);
    Ok(opened(went_on))
}

fn refused(why: Refused) -> Response {
    let (status, why) = match why {
        Refused::Bad(why) => (StatusCode::UNPROCESSABLE_ENTITY, why),
        Refused::Failed(why) => (StatusCode::INTERNAL_SERVER_ERROR, why),
    };
    super::refused(status, why)
}

pub async fn show(visitor: Visitor, Path(id): Path<String>) -> Response {
    if visitor.sessions.get(&id).is_some() {
        return html(&play_page(&visitor, &id));
    }
    match visitor.library.get(&id) {
        // The server that played this game has ended, but the record remains.
        Some(_) => Redirect::to(&format!("/run/{}", address(&id))).into_response(),
        None => no_run(&visitor, &id),
    }
}

pub async fn events(State(context): State<Arc<Context>>, Path(id): Path<String>) -> PageResult {
    let session = context.sessions.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    let changes = session.changes();
    let now = move || session.shown().to_string();
    Ok(context.streams.of_changes(changes, false, now))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    played: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

pub async fn put(
    visitor: Visitor,
    Path(id): Path<String>,
    Json(played): Json<MoveRequest>,
) -> PageResult {
    let session = visitor.sessions.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    Ok(match session.game.put(&played.played) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(illegal) => {
            let lang = visitor.lang();
            let (key, why) = illegal.key();
            let square: String = played.played.chars().take(8).collect();
            let why = lang.word("reason", why);
            let why = lang.with(key, &[("square", &square), ("why", &why)]);
            super::refused(StatusCode::CONFLICT, why)
        }
    })
}

pub async fn back(
    visitor: Visitor,
    Path(id): Path<String>,
    Json(Nothing {}): Json<Nothing>,
) -> PageResult {
    let session = visitor.sessions.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    Ok(match session.game.take_back() {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => {
            let lang = visitor.lang();
            let (key, why) = why.key();
            let why = why.map_or_else(String::new, |why| lang.render(why));
            let why = lang.with(key, &[("why", &why)]);
            super::refused(StatusCode::CONFLICT, why)
        }
    })
}

pub async fn hint(
    State(context): State<Arc<Context>>,
    Path(id): Path<String>,
    Json(Nothing {}): Json<Nothing>,
) -> Response {
    let (session, advise) = (context.sessions.get(&id), context.site.advise.clone());
    let (Some(session), Some(advise)) = (session, advise) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let position = session.position().filter(|_| !context.is_busy());
    let Some(position) = position else {
        // There are no hints during a bot's turn, in an opening by a rule, and while a run needs the machine.
        return StatusCode::CONFLICT.into_response();
    };
    Json(advise(&position)).into_response()
}

/// `GET /play/play-game/file/sgf`: the game so far.
pub async fn file(
    State(context): State<Arc<Context>>,
    Path((id, ending)): Path<(String, String)>,
) -> PageResult {
    let session = context.sessions.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    Ok(download(&session.game.record().saved(), &id, &ending))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// The number of half-moves that the new game keeps of this game; `None`: it begins as this game began.
    ply: Option<usize>,
    #[serde(default)]
    swap: bool,
}

/// `POST /play/play-game/again`: another game of the same kind, or from a position of this one.
pub async fn again(
    State(context): State<Arc<Context>>,
    Path(id): Path<String>,
    Json(asked): Json<Again>,
) -> PageResult {
    let session = context.sessions.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    let mut wanted = session.wanted.clone().ok_or(StatusCode::NOT_FOUND)?;
    if asked.swap {
        wanted.seats.reverse();
    }
    let mut moves = session.moves();
    moves.truncate(asked.ply.unwrap_or(0));
    if let (None, Some(from)) = (asked.ply, &wanted.from) {
        let first = self::moves(&context, &from.run, from.game, from.ply);
        moves = first.map_or(Vec::new(), |(_, moves)| moves);
    }
    if !moves.is_empty() {
        wanted.opening = None;
    }
    play::leave(&session);
    let begun = play::begin(context.play_context(), wanted, &moves);
    Ok(opened(begun))
}
