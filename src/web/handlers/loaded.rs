//! Games from a person's files. They stay in memory until newer games replace them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use games::formats::{self, SavedGame};
use message::{Message, ToValue};
use serde::Deserialize;
use serde_json::json;

use super::game::{GamePath, loaded_page};
use super::{Context, PageResult, Visitor, html, no_game, refused};
use crate::web::download::download;
use crate::web::lock;
use run::report::page::game_view::GameView;

const MOST: usize = 500;
/// The most games from one file.
const OF_A_FILE: usize = 100;

/// The loaded games, the oldest first.
#[derive(Debug, Default)]
pub struct Loaded {
    next: AtomicU64,
    games: Mutex<VecDeque<(u64, Arc<SavedGame>)>>,
}

impl Loaded {
    /// Reads at most [`OF_A_FILE`] games. Returns the number of the first. An error names its place in the file.
    pub fn read(&self, text: &str) -> Result<u64, Message> {
        let games = match formats::read(text.as_bytes()) {
            Some(games) => games.map_err(|bad| bad.to_message())?,
            None => formats::transcripts(text)?,
        };
        if games.is_empty() {
            return Err("the file has no game".into());
        }
        let mut kept = lock(&self.games);
        let first = self.next.load(Ordering::SeqCst);
        for game in games.into_iter().take(OF_A_FILE) {
            let id = self.next.fetch_add(1, Ordering::SeqCst);
            kept.push_back((id, Arc::new(game)));
        }
        while kept.len() > MOST {
            kept.pop_front();
        }
        Ok(first)
    }

    pub fn get(&self, id: u64) -> Option<Arc<SavedGame>> {
        let kept = lock(&self.games);
        let found = kept.iter().find(|(known, _)| *known == id);
        found.map(|(_, game)| Arc::clone(game))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadedFile {
    text: String,
}

pub async fn load(State(context): State<Arc<Context>>, Json(file): Json<LoadedFile>) -> Response {
    match context.loaded.read(&file.text) {
        Ok(first) => Json(json!({ "page": format!("/loaded/{first}") })).into_response(),
        Err(why) => refused(StatusCode::UNPROCESSABLE_ENTITY, why),
    }
}

/// `GET /loaded/3/9`: the game after half-move 9; without the last number, at its end.
pub async fn show(
    visitor: Visitor,
    Path(GamePath { game: id, ply, .. }): Path<GamePath<String>>,
) -> Response {
    let Some(game) = visitor.loaded.get(id) else {
        return no_game(&visitor, id);
    };
    let is_there = |id: Option<u64>| id.filter(|&id| visitor.loaded.get(id).is_some());
    let beside = [id.checked_sub(1), Some(id + 1)].map(is_there);
    html(&loaded_page(&visitor, id, &game, ply, beside))
}

pub async fn data(State(context): State<Arc<Context>>, Path(id): Path<u64>) -> PageResult {
    let game = context.loaded.get(id).ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(GameView::saved(id, &game)).into_response())
}

pub async fn file(
    State(context): State<Arc<Context>>,
    Path((id, ending)): Path<(u64, String)>,
) -> PageResult {
    let game = context.loaded.get(id).ok_or(StatusCode::NOT_FOUND)?;
    Ok(download(&game, &format!("game-{id}"), &ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_several_games_and_the_place_of_a_bad_one_is_reported() {
        let loaded = Loaded::default();
        assert_eq!(loaded.read("f5d6c3\n# a remark\nf5f6"), Ok(0));
        assert_eq!(loaded.get(1).expect("the second").moves.len(), 2);
        assert!(loaded.get(2).is_none());
        let bad = loaded
            .read("f5d6c3\nf5f5")
            .expect_err("the square is taken");
        assert!(bad.to_string().starts_with("line 2"), "{bad}");
        assert!(loaded.read("(;GM[4]SZ[15]").is_err());
        assert!(loaded.read(" \n").is_err());
    }
}
