//! Shows the value of pruning: the nodes of several searches by depth, and a small tree with cut branches.

use askama::Template;
use axum::Json;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use games::{Board, Game, Rules};
use serde::Serialize;

use super::play::{PositionQuery, moves};
use super::{Context, PageHead, Visitor, html};
use crate::analysis;

/// Counts the nodes of each search in a position, and makes a small tree; `None` for an unknown game.
pub type Teach = dyn Fn(&Board) -> Option<Lesson> + Send + Sync;

#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    pub methods: Vec<MethodNodes>,
    pub tree: SearchBranch,
}

#[derive(Clone, Debug, Serialize)]
pub struct MethodNodes {
    /// The search, as a key of the texts `method.…`.
    pub method: &'static str,
    /// The number of visited nodes for a search to depth 1, 2, ….
    pub nodes: Vec<u64>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct SearchBranch {
    /// The move to this position; empty at the root.
    #[serde(rename = "move")]
    pub played: String,
    /// The value for the side to move at the root; `None` if the branch was cut off.
    pub value: Option<f64>,
    /// Whether the move is in the principal variation.
    pub best: bool,
    pub then: Vec<SearchBranch>,
}

#[derive(Template)]
#[template(path = "web/lesson.html")]
struct LessonPage {
    page: PageHead,
    run: String,
    game: String,
    ply: String,
    stones: String,
    size: u8,
    discs: bool,
}

impl PositionQuery {
    /// Returns the position; by default, the position after the first opening of the usual game.
    fn board(&self, context: &Context) -> Option<Board> {
        let Some(game) = self.game else {
            // In Othello, all first moves are equal by symmetry, so a position after an opening shows more.
            let game = Game::of_family(*games::families().first()?, None, None).ok()?;
            return game.after(game.family().openings(game).first()?).ok();
        };
        let ply = self.ply.unwrap_or(usize::MAX);
        let (mut board, moves) = moves(context, &self.run, game, ply).ok()?;
        for played in moves {
            // Moves that set up a stage may include passes that the rules forbid.
            board.play(played).or_else(|_| board.give(played)).ok()?;
        }
        Some(board)
    }
}

/// `GET /lesson?run=quick&game=17&ply=20`
pub async fn show(visitor: Visitor, Query(place): Query<PositionQuery>) -> Response {
    let page = visitor.page(visitor.lang().get("lesson.title"));
    let Some(board) = place.board(&visitor) else {
        return super::no_game(&visitor, place.game.unwrap_or_default());
    };
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    html(&LessonPage {
        page,
        run: place.run.clone(),
        game: number(place.game),
        ply: number(place.ply.map(|ply| ply as u64)),
        stones: run::report::page::position::drawn(&board),
        size: board.size(),
        discs: board.game().scoring() == games::Scoring::Discs,
    })
}

pub async fn teach(visitor: Visitor, Json(place): Json<PositionQuery>) -> Response {
    let teach = visitor.site.teach.clone();
    about(&visitor, &place, |board| teach?(board))
}

/// `POST /best`: the value of every move of a position, with its variation, best first.
pub async fn best(visitor: Visitor, Json(place): Json<PositionQuery>) -> Response {
    let settings = &visitor.site.settings;
    about(&visitor, &place, |board| {
        let scored = analysis::moves(board, settings).ok();
        scored
            .filter(|scored| !scored.is_empty())
            .map(|scored| analysis::text::scores_json(&scored))
    })
}

fn about<T: Serialize>(
    visitor: &Visitor,
    place: &PositionQuery,
    find: impl FnOnce(&Board) -> Option<T>,
) -> Response {
    let refused = |status: StatusCode, key: &str| super::refused(status, visitor.lang().get(key));
    if visitor.is_busy() {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "busy");
    }
    let Some(board) = place.board(visitor) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match find(&board) {
        Some(found) => Json(found).into_response(),
        None => refused(StatusCode::UNPROCESSABLE_ENTITY, "lesson.none"),
    }
}
