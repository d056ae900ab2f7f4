//! A run: its grade or stages, or standings, crosstable and test; its faults and games.

use std::path::Path as FilePath;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use games::format_transcript;
use message::Lang;
use referee::record::{GameId, harmless};
use run::RunFile;
use run::report::TuningLine;
use run::report::page::{FOLDER as GAMES, NAME as REPORT};
use run::store::Store;
use serde_json::json;

use super::faults::{self, Faults};
use super::grade::{self, GradeShown};
use super::stage_run::{self, StageGrid};
use super::table::{self, CrossRow, Filters, GameQuery, GoalShown, PairRow, StandingRow};
use super::{Context, PageHead, PageResult, address, html, no_run, wrong};
use crate::analysis::summary::{self, BotSummary};
use crate::web::library::Followed;

pub struct RunLine {
    pub id: String,
    pub address: String,
    pub game: String,
    pub format: String,
    pub games: String,
    pub started: String,
    pub is_played: bool,
}

impl RunLine {
    pub fn with(
        id: &str,
        file: Option<&RunFile>,
        lang: &Lang,
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
        let format = file.map_or("", |file| lang.word("format", format_of(file)));
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
            format: harmless(format),
            games: games.map_or(String::new(), |games| games.to_string()),
            started: harmless(&started),
            is_played,
        }
    }
}

/// Returns the word for the kind of a run. A tournament file need not name a match or a round robin.
fn format_of(file: &RunFile) -> &str {
    let tournament = &file.tournament;
    match &tournament.format {
        _ if file.stages.is_some() => "stages",
        _ if tournament.tune.is_some() => "tuning",
        _ if tournament.sprt.is_some() => "sprt",
        Some(format) => format.get_ref(),
        None if tournament.bot.len() == 2 => "match",
        None => "round-robin",
    }
}

#[derive(Template)]
#[template(path = "web/run.html")]
struct RunPage {
    page: PageHead,
    run: RunLine,
    /// The name of the run, or of the hand-in.
    title: String,
    version: u64,
    progress: String,
    complete: bool,
    error: Option<String>,
    is_here: bool,
    has_report: bool,
    goal: Option<GoalShown>,
    standings: Vec<StandingRow>,
    crosstable: Vec<CrossRow>,
    stages: Option<StageGrid>,
    grade: Option<GradeShown>,
    /// The name and the address of the class, if the run is a hand-in's.
    class: Option<(String, String)>,
    tuning: Option<TuningTable>,
    tutor: Option<Tutor>,
    faults: Faults,
    files: Vec<FileLink>,
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
    Query(asked): Query<GameQuery>,
    headers: HeaderMap,
) -> Response {
    let Some(run) = context.run(&id).await else {
        return no_run(&context, &headers, &id);
    };
    let page = context.page(&headers, id.as_str());
    let lang = page.lang;
    let mut page = RunPage::of(page, &run, &asked);
    let (stages, faulty) = {
        let index = run.index();
        (
            stage_run::played(run.file.as_ref(), &index),
            faults::faulty(&index),
        )
    };
    page.stages = StageGrid::of(run.file.as_ref(), &run.folder, &stages, lang);
    page.grade =
        grade::card(&run.folder, &context.site.catalogue).map(|card| GradeShown::of(&card, lang));
    if page.stages.is_none() && context.site.analyse.is_some() {
        page.tutor = Some(Tutor::of(&context, &run, lang));
    }
    page.faults = Faults::read(&run.folder, &faulty, lang);
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
    fn of(page: PageHead, run: &Followed, asked: &GameQuery) -> RunPage {
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
            title: harmless(run.id.rsplit('/').next().unwrap_or_default()),
            stages: None,
            grade: None,
            class: run
                .id
                .split_once('/')
                .map(|(class, _)| (harmless(class), address(class))),
            tuning: index.tuning().map(|tuning| TuningTable::of(&tuning, lang)),
            tutor: None,
            faults: Faults::default(),
            files: FileLink::all(
                &run.folder,
                &format!("/run/{}/file", address(&run.id)),
                &FILES,
            ),
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

struct TuningTable {
    titles: Vec<String>,
    rows: Vec<[String; 6]>,
    text: String,
}

impl TuningTable {
    fn of(tuning: &TuningLine, lang: &Lang) -> TuningTable {
        let lines = tuning.text();
        let lines: Vec<String> = lines.iter().map(|line| lang.render(line)).collect();
        let cells = tuning.cells();
        TuningTable {
            titles: TuningLine::TITLES
                .map(|title| lang.word("table", title).to_owned())
                .into(),
            rows: cells.map(|row| row.map(|cell| harmless(&cell))).collect(),
            text: harmless(&lines[0]) + "\n" + &lines[1..].join("\n"),
        }
    }
}

/// What the analyses of the run's games say of each bot.
struct Tutor {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    advice: Vec<String>,
    legend: Vec<String>,
    /// The command that makes stages from the games of the first bot.
    command: String,
    is_waiting: bool,
}

impl Tutor {
    fn of(context: &Context, run: &Followed, lang: &Lang) -> Tutor {
        let (bots, is_waiting) = context.analyses.of_run(&run.id);
        let title = |title: &&str| lang.word("summary-table", title).to_owned();
        let row = |bot: &BotSummary| [&bot.cells()[..], &bot.phase_cells()[..]].concat();
        let clean = |cells: Vec<String>| cells.iter().map(|cell| harmless(cell)).collect();
        let legend = bots
            .first()
            .map(|bot| summary::legend(bot.scoring, &context.site.settings));
        let name = bots.last().map_or("BOT", |bot| bot.bot.as_str());
        let folder = run.folder.display().to_string();
        let words = [
            "arena", "analyze", &folder, "--bot", name, "--stages", "mine",
        ];
        Tutor {
            titles: summary::TITLES
                .iter()
                .chain(&summary::PHASES)
                .map(title)
                .collect(),
            rows: bots.iter().map(|bot| clean(row(bot))).collect(),
            advice: bots
                .iter()
                .map(|bot| harmless(&lang.render(&bot.advice())))
                .collect(),
            legend: legend
                .iter()
                .flatten()
                .map(|line| lang.render(line))
                .collect(),
            command: harmless(&host::join_words(words)),
            is_waiting,
        }
    }
}

pub struct FileLink {
    pub name: &'static str,
    pub address: String,
}

impl FileLink {
    /// Returns links to those of the files that exist in the folder.
    pub fn all(folder: &FilePath, address: &str, names: &[&'static str]) -> Vec<FileLink> {
        let there = names.iter().filter(|name| is_file(&folder.join(name)));
        let link = |&name: &&'static str| FileLink {
            name,
            address: format!("{address}/{name}"),
        };
        there.map(link).collect()
    }
}

const FILES: [&str; 9] = [
    "grade.html",
    "summary.md",
    "results.json",
    "junit.xml",
    "standings.csv",
    "pairs.csv",
    "games.csv",
    "moves.csv",
    "tune.csv",
];

pub async fn file(
    State(context): State<Arc<Context>>,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let known = FILES.contains(&name.as_str());
    let path = context.library.get(&id).filter(|_| known);
    match path.map(|run| run.folder.join(&name)) {
        Some(path) => served_file(&context, &headers, &path),
        None => no_page(&context, &headers),
    }
}

/// `GET /run/tune/tune.svg`: the values of a tuning so far.
pub async fn picture(State(context): State<Arc<Context>>, Path(id): Path<String>) -> PageResult {
    let run = context.run(&id).await.ok_or(StatusCode::NOT_FOUND)?;
    let tuning = run.index().tuning().ok_or(StatusCode::NOT_FOUND)?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, tuning.svg()).into_response())
}

/// The policy of a report, whose script runs without an origin: a report from elsewhere cannot reach this server.
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

/// The largest report, or other file of a run or class, that is served, in bytes.
const LONGEST_REPORT: u64 = 256 << 20;

fn file_of_report(context: &Context, headers: &HeaderMap, id: &str, name: &str) -> Response {
    match context.library.get(id) {
        Some(run) => served_file(context, headers, &run.folder.join(name)),
        None => no_page(context, headers),
    }
}

/// Answers with a file of a run or class: a page with its own policy, or text that no browser runs.
pub fn served_file(context: &Context, headers: &HeaderMap, path: &FilePath) -> Response {
    if !is_file(path) {
        return no_page(context, headers);
    }
    match referee::bot::read_own(path, LONGEST_REPORT) {
        Ok(page) if path.extension().is_some_and(|ending| ending == "html") => {
            ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(page)).into_response()
        }
        Ok(text) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response(),
        Err(why) => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            wrong(context, headers, status, why.to_string())
        }
    }
}

fn no_page(context: &Context, headers: &HeaderMap) -> Response {
    let what = context.lang(headers).get("error.no-page").to_owned();
    wrong(context, headers, StatusCode::NOT_FOUND, what)
}

/// `GET /run/quick/events`: an event for each change.
pub async fn events(State(context): State<Arc<Context>>, Path(id): Path<String>) -> PageResult {
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
