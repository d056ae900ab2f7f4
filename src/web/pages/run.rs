//! The list of runs, and a run: standings, crosstable, test, games.

use std::path::Path as FilePath;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use games::format_transcript;
use referee::record::{GameId, harmless};
use run::RunFile;
use run::report::page::{FOLDER as GAMES, NAME as REPORT};
use run::store::Store;
use serde_json::json;

use super::table::{self, Asked, CrossRow, FaultLine, Filters, GoalShown, PairRow, StandingRow};
use super::{Answer, Context, Page, address, html, no_run, wrong};
use crate::web::library::{Followed, Listed};

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
    pub fn of(run: &Listed, lang: &message::Lang) -> RunLine {
        let file = RunFile::read(&run.folder).ok();
        let games = Store::counted(&run.folder);
        RunLine::with(&run.id, file.as_ref(), lang, games, run.is_played())
    }

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

#[derive(Template)]
#[template(path = "web/run.html")]
struct RunPage {
    page: Page,
    run: RunLine,
    version: u64,
    progress: String,
    complete: bool,
    error: Option<String>,
    is_here: bool,
    has_report: bool,
    goal: Option<GoalShown>,
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
    let page = context.page(&headers, id.as_str());
    let mut page = RunPage::of(page, &run, &asked);
    let unread: Vec<u64> = page.pairs.iter().filter_map(PairRow::unread).collect();
    if !unread.is_empty() {
        let mut read = openings(&run.folder, &unread).into_iter();
        for row in &mut page.pairs {
            if row.unread().is_some() {
                row.opening = read.next().flatten();
            }
        }
    }
    html(&page)
}

fn openings(folder: &FilePath, games: &[u64]) -> Vec<Option<String>> {
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
    fn of(page: Page, run: &Followed, asked: &Asked) -> RunPage {
        let lang = page.lang;
        let (reading, is_here) = (run.progress(), run.is_here());
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
            has_report: !is_here && is_file(&run.folder.join(REPORT)),
            goal: index.goal().map(|goal| GoalShown::of(&goal, lang)),
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

/// The policy of a report, which has its own script. It runs without an origin, so a report from elsewhere cannot reach
/// this server.
const POLICY: &str = "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; \
    script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

fn is_file(path: &FilePath) -> bool {
    path.symlink_metadata().is_ok_and(|file| file.is_file())
}

/// `GET /run/quick/report`: the run as one file.
pub async fn report(
    State(context): State<Arc<Context>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    file_of_report(&context, &headers, &id, REPORT)
}

/// `GET /run/quick/report-games/2.html`: further games of a report.
pub async fn games_of_report(
    State(context): State<Arc<Context>>,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let number = name
        .strip_suffix(".html")
        .and_then(|name| name.parse::<u32>().ok());
    let file = number.map(|number| format!("{GAMES}/{number}.html"));
    file_of_report(&context, &headers, &id, &file.unwrap_or_default())
}

/// The largest file of a report that is served, in bytes.
const LONGEST_REPORT: u64 = 256 << 20;

fn file_of_report(context: &Context, headers: &HeaderMap, id: &str, name: &str) -> Response {
    let path = context.library.get(id).map(|run| run.folder.join(name));
    let Some(path) = path.filter(|path| is_file(path)) else {
        let what = context.lang(headers).get("error.no-page").to_owned();
        return wrong(context, headers, StatusCode::NOT_FOUND, what);
    };
    match referee::bot::read_own(&path, LONGEST_REPORT) {
        Ok(page) => ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(page)).into_response(),
        Err(why) => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            wrong(context, headers, status, why.to_string())
        }
    }
}

/// `GET /run/quick/events`: an event for each change.
pub async fn events(State(context): State<Arc<Context>>, Path(id): Path<String>) -> Answer {
    let run = context.library.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    let changes = run.changes();
    let now = move || {
        let now = run.progress();
        json!({
            "version": now.version, "complete": now.complete, "error": now.error, "here": run.is_here(),
        })
        .to_string()
    };
    Ok(context.streams.of_changes(changes, true, now))
}
