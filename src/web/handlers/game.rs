//! A recorded game, the two games of a pair side by side, and the raw lines of a failed game.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use games::Side;
use games::formats::SavedGame;
use message::{Message, ToValue, message};
use referee::bot::read_own;
use referee::record::{GameId, GameRecord, Outcome};
use run::failures;
use run::store::Store;
use serde::Deserialize;
use serde_json::{Value, json};
use tournament::people;

use run::report::page::game::{GamePage, PairPage, Still};
use run::report::page::run::class_of;
use run::report::page::{Analyses, as_word};

use super::{Context, PageResult, Visitor, address, html, no_game, no_run, wrong};
use crate::web::download::download;
use run::report::page::game_view::GameView;

fn of_run(visitor: &Visitor, run: &str, id: u64) -> GamePage {
    let lang = visitor.lang();
    let heading = lang.with("game.title", &[("game", &id)]);
    let at = address(run);
    GamePage {
        page: visitor.page(format!("{heading} · {run}")),
        heading,
        class: class_of(run),
        back: vec![(
            format!("/run/{at}"),
            run.rsplit('/').next().unwrap_or(run).to_owned(),
        )],
        base: format!("/run/{at}/game/{id}"),
        run: run.to_owned(),
        number: id.to_string(),
        has_files: true,
        ..GamePage::default()
    }
}

pub fn recorded_page(
    visitor: &Visitor,
    run: &str,
    record: &GameRecord,
    ply: Option<u32>,
    links: GameLinks,
) -> GamePage {
    let (at, id) = (address(run), record.id.0);
    let mut page = of_run(visitor, run, id);
    let [black, white] = &record.players;
    let heading = message!("{}: {black} – {white}", page.heading);
    page.heading = visitor.lang().render(&heading);
    page.page.title = format!("{} · {run}", page.heading);
    let game = |id: Option<u64>| id.map(|id| format!("/run/{at}/game/{id}"));
    GamePage {
        data: format!("/run/{at}/data/{id}"),
        ply: ply.map_or(String::new(), |ply| ply.to_string()),
        still: Some(Still::of(&GameView::of(record, None), ply)),
        lines: if links.has_lines {
            format!("/run/{at}/lines/{id}")
        } else {
            String::new()
        },
        folder: links.folder,
        beside: links.beside.map(game),
        pair: links.has_pair.then(|| format!("/run/{at}/pair/{}", id / 2)),
        goes_on: links.goes_on,
        back: links.back.unwrap_or(page.back),
        ..page
    }
}

pub fn loaded_page(
    visitor: &Visitor,
    id: u64,
    game: &SavedGame,
    ply: Option<u32>,
    beside: [Option<u64>; 2],
) -> GamePage {
    let lang = visitor.lang();
    let heading = lang.get("loaded.title");
    GamePage {
        page: visitor.page(heading),
        heading: heading.to_owned(),
        data: format!("/loaded/{id}/data"),
        still: Some(Still::of(&GameView::saved(id, game), ply)),
        ply: ply.map_or(String::new(), |ply| ply.to_string()),
        back: back("/play", lang.get("setup.title")),
        base: format!("/loaded/{id}"),
        beside: beside.map(|id| id.map(|id| format!("/loaded/{id}"))),
        ..of_run(visitor, "", id)
    }
}

pub fn live_page(visitor: &Visitor, run: &str, id: u64) -> GamePage {
    GamePage {
        data: format!("/live/data/{id}"),
        events: format!("/live/game/{id}/events"),
        has_files: false,
        back: back("/live", visitor.lang().get("live.title")),
        ..of_run(visitor, run, id)
    }
}

pub fn play_page(visitor: &Visitor, id: &str) -> GamePage {
    let at = address(id);
    let lang = visitor.lang();
    GamePage {
        page: visitor.page(lang.get("nav.play")),
        heading: id.to_owned(),
        back: back("/play", lang.get("setup.title")),
        events: format!("/play/{at}/events"),
        base: format!("/play/{at}"),
        is_play: true,
        number: "0".to_owned(),
        ..of_run(visitor, id, 0)
    }
}

fn back(address: &str, name: &str) -> Vec<(String, String)> {
    vec![(address.to_owned(), name.to_owned())]
}

/// Links from the page of a recorded game to other pages.
#[derive(Default)]
pub struct GameLinks {
    pub beside: [Option<u64>; 2],
    pub has_pair: bool,
    pub has_lines: bool,
    pub folder: String,
    pub goes_on: bool,
    /// Links to the pages above this page; `None` for the usual links of a run.
    pub back: Option<Vec<(String, String)>>,
}

/// A game in an address, and the half-move that is shown at first.
#[derive(Deserialize)]
pub struct GamePath<R> {
    /// The run, or the round of a league; empty for a loaded game.
    #[serde(default)]
    pub run: R,
    pub game: u64,
    pub ply: Option<u32>,
}

/// `GET /run/quick/game/17/9`: the game after half-move 9; without the last number, at its end.
pub async fn recorded(
    visitor: Visitor,
    Path(GamePath { run, game, ply }): Path<GamePath<String>>,
) -> PageResult {
    let (run, id) = (run.as_str(), game);
    let record = shown(&visitor, run, id)?;
    let mut links = GameLinks::default();
    if let Some(followed) = visitor.run(run).await {
        let index = followed.index();
        let file = followed.file.as_ref();
        links = GameLinks {
            beside: index.list.lines.beside(id),
            has_pair: index.list.lines.get(id ^ 1).is_some(),
            has_lines: failures::folder(&followed.folder, GameId(id)).is_dir(),
            folder: as_word(&visitor.library.shown(run)),
            goes_on: record.verdict.outcome() == Outcome::Void
                && file.is_some_and(|file| people::people(&file.tournament).is_some()),
            back: None,
        };
    }
    Ok(html(&recorded_page(&visitor, run, &record, ply, links)))
}

pub fn game(context: &Context, run: &str, id: u64) -> Result<Option<GameRecord>, Message> {
    let Some(run) = context.library.get(run) else {
        return Ok(None);
    };
    let read = || Store::read(&run.folder)?.game(GameId(id));
    read().map_err(|error| error.to_message())
}

/// Returns a recorded game for a script.
pub fn known(context: &Context, run: &str, id: u64) -> PageResult<GameRecord> {
    let found = game(context, run, id);
    let found = found.map_err(|why| (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()))?;
    Ok(found.ok_or(StatusCode::NOT_FOUND)?)
}

/// Returns a recorded game, or the page that says why there is none.
fn shown(visitor: &Visitor, run: &str, id: u64) -> PageResult<GameRecord> {
    let why = match game(visitor, run, id) {
        Ok(Some(record)) => return Ok(record),
        Ok(None) if visitor.library.get(run).is_none() => no_run(visitor, run),
        Ok(None) => no_game(visitor, id),
        Err(why) => {
            let what = visitor.lang().render(&why);
            wrong(visitor, StatusCode::INTERNAL_SERVER_ERROR, what)
        }
    };
    Err(why.into())
}

pub async fn data(
    State(context): State<Arc<Context>>,
    Path((run, id)): Path<(String, u64)>,
) -> PageResult {
    let record = known(&context, &run, id)?;
    let followed = context.library.get(&run);
    let limits = followed
        .as_ref()
        .and_then(|run| run.index().limits(&record.players));
    let mut view = GameView::of(&record, limits);
    if let Some(run) = followed {
        view.analysis = Analyses::of_game(&run.folder, &record);
        view.explain(&run.folder);
    }
    Ok(axum::Json(view).into_response())
}

pub async fn file(
    State(context): State<Arc<Context>>,
    Path((run, id, ending)): Path<(String, u64, String)>,
) -> PageResult {
    let saved = SavedGame {
        event: run.clone(),
        ..known(&context, &run, id)?.saved()
    };
    Ok(download(&saved, &format!("{run}-{id}"), &ending))
}

/// `GET /run/quick/pair/8`: games 16 and 17.
pub async fn pair(visitor: Visitor, Path((run, pair)): Path<(String, u64)>) -> PageResult {
    let games = [
        pair.saturating_mul(2),
        pair.saturating_mul(2).saturating_add(1),
    ];
    let mut opening = 0;
    for id in games {
        opening = shown(&visitor, &run, id)?.opening.len();
    }
    let lang = visitor.lang();
    let heading = lang.with("pair.title", &[("pair", &(pair + 1))]);
    Ok(html(&PairPage {
        page: visitor.page(format!("{heading} · {run}")),
        run_address: address(&run),
        class: class_of(&run),
        run: run.rsplit('/').next().unwrap_or(&run).to_owned(),
        heading,
        games,
        opening,
    }))
}

/// The largest log that is read, in bytes.
const MOST: u64 = 16 << 20;
const LINES: usize = 60;

/// `GET /run/quick/lines/17/9`: the lines exchanged with both bots for half-move 9.
pub async fn lines(
    State(context): State<Arc<Context>>,
    Path((run, game, ply)): Path<(String, u64, u64)>,
) -> PageResult {
    let run = context.library.get(&run).ok_or(StatusCode::NOT_FOUND)?;
    Ok(lines_of(&run.folder, game, ply, [true; 2]))
}

/// Answers with the lines of the wanted sides for half-move `ply` of a game.
pub fn lines_of(run: &std::path::Path, game: u64, ply: u64, wanted: [bool; 2]) -> Response {
    let folder = failures::folder(run, GameId(game));
    let sides = Side::BOTH.map(|side| {
        if !wanted[side.index()] {
            return json!({ "lines": [], "stderr": "" });
        }
        let lines = read(&folder.join(format!("{side}.lines.txt")));
        let lines: Vec<&str> = of_turn(&lines, ply);
        let stderr = read(&folder.join(format!("{side}.stderr.txt")));
        json!({ "lines": lines, "stderr": stderr })
    });
    axum::Json(sides).into_response()
}

/// Returns the lines from the question of half-move `ply` to the next question; without the question, the last lines.
fn of_turn(text: &str, ply: u64) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let asks = |line: &&str| line.starts_with("> ") && line.contains("\"turn\"");
    let moves = |line: &str| -> Option<u64> {
        let value: Value = serde_json::from_str(line.strip_prefix("> ")?).ok()?;
        Some(value.get("moves")?.as_array()?.len() as u64 + 1)
    };
    let first = lines
        .iter()
        .position(|line| asks(line) && moves(line) == Some(ply));
    let Some(first) = first else {
        let from = lines.len().saturating_sub(LINES / 4);
        return lines[from..].to_vec();
    };
    let mut turns = lines[first..].chunk_by(|_, next| !asks(next));
    turns
        .next()
        .into_iter()
        .flatten()
        .take(LINES)
        .copied()
        .collect()
}

fn read(path: &std::path::Path) -> String {
    let bytes = read_own(path, MOST).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_turn_are_found_by_its_moves() {
        let log = "> {\"type\":\"hello\"}\n< {\"type\":\"ready\"}\n\
            > {\"type\":\"turn\",\"id\":1,\"moves\":[]}\n< {\"move\":\"f5\"}\n\
            > {\"type\":\"turn\",\"id\":2,\"moves\":[\"f5\",\"d6\"]}\n< {\"depth\":1}\n< nonsense";
        assert_eq!(of_turn(log, 1).len(), 2);
        assert_eq!(of_turn(log, 3), log.lines().skip(4).collect::<Vec<_>>());
        assert_eq!(of_turn(log, 9).len(), 7, "the end of the log");
    }
}
