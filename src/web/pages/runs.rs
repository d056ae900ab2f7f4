//! The list of runs.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{Context, Page, address, html};
use crate::web::library::Listed;
use referee::record::harmless;
use run::RunFile;
use run::store::Store;

/// A run in the list.
pub struct RunLine {
    pub id: String,
    pub address: String,
    pub game: String,
    pub format: String,
    pub bots: String,
    pub games: String,
    pub started: String,
    pub is_played: bool,
}

#[derive(Template)]
#[template(path = "web/runs.html")]
struct Runs {
    page: Page,
    runs: Vec<RunLine>,
}

/// `GET /`
pub async fn list(State(context): State<Arc<Context>>, headers: HeaderMap) -> Response {
    let page = context.page(&headers, context.lang(&headers).get("runs.title"));
    let lang = page.lang;
    let runs = context.library.list();
    let runs = runs.iter().map(|run| RunLine::of(run, lang)).collect();
    html(&Runs { page, runs })
}

impl RunLine {
    /// What the file of a run says, and how many games it has.
    pub fn of(run: &Listed, lang: &message::Lang) -> RunLine {
        let file = RunFile::read(&run.folder).ok();
        let games = Store::counted(&run.folder);
        RunLine::with(&run.id, file.as_ref(), lang, games, run.is_played())
    }

    /// The same with a file that has been read.
    pub fn with(
        id: &str,
        file: Option<&RunFile>,
        lang: &message::Lang,
        games: Option<u64>,
        is_played: bool,
    ) -> RunLine {
        let tournament = file.map(|file| &file.tournament);
        let game = tournament
            .and_then(|one| one.game.as_ref())
            .map(toml::Spanned::get_ref);
        let size = tournament
            .and_then(|one| one.size.as_ref())
            .map(toml::Spanned::get_ref);
        let rules = tournament
            .and_then(|one| one.rules.as_ref())
            .map(toml::Spanned::get_ref);
        let mut shown = game.map_or(String::new(), |name| lang.word("game", name).to_owned());
        if let Some(size) = size {
            shown += &format!(" {size}×{size}");
        }
        if let Some(rules) = rules {
            shown += &format!(" {}", lang.word("rules", rules));
        }
        let format = tournament.and_then(|one| one.format.as_ref());
        let format = match file {
            Some(file) if file.stages.is_some() => lang.word("format", "stages").to_owned(),
            _ => format.map_or(String::new(), |word| {
                lang.word("format", word.get_ref()).to_owned()
            }),
        };
        let bots = tournament.map_or(String::new(), |one| one.bot.len().to_string());
        let started = file.map_or(String::new(), |file| {
            file.started
                .replace('T', " ")
                .trim_end_matches('Z')
                .to_owned()
        });
        RunLine {
            id: harmless(id),
            address: address(id),
            game: harmless(&shown),
            format: harmless(&format),
            bots,
            games: games.map_or(String::new(), |games| games.to_string()),
            started: harmless(&started),
            is_played,
        }
    }
}
