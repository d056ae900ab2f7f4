//! The page of a run: its grade, stages, or standings with crosstable and test; and its faults and games.

use std::collections::HashSet;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use games::format_transcript;
use message::{Lang, Message};
use referee::record::{GameId, harmless};
use run::conditions;
use run::report::Grid;
use run::report::page::file_link::FileLink;
use run::report::page::grade::GradeShown;
use run::report::page::list::{GameQuery, shortened};
use run::report::page::run::{RunLine, RunPage, RunParts, Tutor};
use run::report::page::{About, FOLDER as GAMES, Faults, MOST_FAULTS, NAME as REPORT};
use run::store::Store;
use serde_json::json;
use tournament::mark::Card;

use super::home::last_board;
use super::{Context, PageHead, PageResult, Visitor, html, no_run, wrong};
use super::{grade, stage_run};
use crate::analysis::summary::{self, BotSummary};
use crate::web::library::{Followed, Progress};

/// `GET /run/quick?bot=greedy&fault=any`
pub async fn show(
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<GameQuery>,
) -> Response {
    let Some(run) = visitor.run(&id).await else {
        return no_run(&visitor, &id);
    };
    let page = visitor.page(id.as_str());
    let lang = page.lang;
    let card = grade::card(&run.folder, &visitor.site.catalogue);
    let mut page = page_of(page, &run, &asked, card.as_ref());
    if page.run.is_played && !page.is_here {
        let own = visitor.sessions.running(&id);
        page.own = own.map(|_| format!("/play/{}", page.run.address));
        page.newest = last_board(&run.folder);
        let shown = visitor.library.shown(&id).display().to_string();
        page.watch = harmless(&host::join_words(["arena", "watch", &shown]));
    }
    page.stages = stage_run::grid(run.file.as_ref(), &run.folder, lang);
    let games = [
        format!("/run/{}/game/", page.run.address),
        "#lost".to_owned(),
    ];
    page.grade = card.map(|card| GradeShown::of(&card, Some(games), lang));
    if page.stages.is_none() && !page.filters.is_empty() && visitor.site.analyse.is_some() {
        let own = page.grade.as_ref().map(|grade| grade.card.bot.as_str());
        page.tutor = Some(tutor(&visitor, &run, own, lang));
    }
    let pairs = page.games.pairs.iter_mut();
    let mut unread = pairs.filter(|row| row.unread().is_some()).peekable();
    if unread.peek().is_some()
        && let Ok(store) = Store::read(&run.folder)
    {
        for row in unread {
            let record = row.unread().and_then(|id| store.game(GameId(id)).ok()?);
            row.opening = record.map(|record| shortened(&format_transcript(&record.opening)));
        }
    }
    html(&page)
}

fn page_of(page: PageHead, run: &Followed, asked: &GameQuery, grade: Option<&Card>) -> RunPage {
    let lang = page.lang;
    let (reading, is_here) = (run.progress(), run.is_here());
    let is_played = is_here || reading.is_played;
    let index = run.index();
    let standings = index.placed();
    let about = About {
        title: run.id.clone(),
        // A grade names its conditions itself.
        conditions: match grade {
            None => index.tournament().map(conditions).unwrap_or_default(),
            Some(_) => Message::default(),
        },
        goal: index.goal(),
        tuning: index.tuning(),
    };
    let mut faults = Faults::default();
    // A grade does not count games that ended after its verdict was decided.
    let counted = grade.map(|card| {
        let lost = card.rows.iter().flat_map(|row| &row.lost);
        lost.map(|(game, _)| *game).collect::<HashSet<u64>>()
    });
    let at_fault = index.list.lines.iter().filter(|line| {
        let is_counted = counted
            .as_ref()
            .is_none_or(|games| games.contains(&line.id));
        is_counted && line.at_fault != [false; 2]
    });
    let at_fault: Vec<u64> = at_fault.take(MOST_FAULTS).map(|line| line.id).collect();
    let store = Store::read(&run.folder).ok();
    if let Some(store) = store.filter(|_| !at_fault.is_empty()) {
        let records = at_fault.iter();
        let records = records.filter_map(|&game| store.game(GameId(game)).ok()?);
        records.for_each(|record| faults.add(&record, &run.folder));
    }
    let parts = RunParts {
        standings: &standings,
        list: &index.list,
        history: &index.history,
        faults: &faults,
        about: &about,
        grade,
        planned: index.planned(),
    };
    let played = Some(standings.games());
    let line = RunLine::with(&run.id, run.file.as_ref(), lang, played, is_played);
    let files = format!("/run/{}/file", line.address);
    RunPage {
        version: index.version,
        complete: reading.complete,
        error: reading.error,
        is_here,
        has_report: !is_here && is_file(&run.folder.join(REPORT)),
        files: FileLink::all(&run.folder, &files, &FILES),
        ..RunPage::of(page, line, &parts, asked)
    }
}

/// `own`: the only bot that matters, if the run grades one.
fn tutor(context: &Context, run: &Followed, own: Option<&str>, lang: &Lang) -> Tutor {
    let (mut bots, is_waiting) = context.analyses.of_run(&run.id);
    bots.retain(|bot| own.is_none_or(|own| bot.bot == own));
    let titles = summary::TITLES.iter().chain(&summary::PHASES);
    let row = |bot: &BotSummary| [&bot.cells()[..], &bot.phase_cells()[..]].concat();
    let grid = Grid::new(titles, bots.iter().map(row).collect(), "bot", lang);
    let legend = bots
        .first()
        .map(|bot| summary::legend(bot.scoring, &context.site.settings));
    let name = bots.last().map_or("BOT", |bot| bot.bot.as_str());
    let folder = run.folder.display().to_string();
    let words = [
        "arena", "analyze", &folder, "--bot", name, "--stages", "mine",
    ];
    Tutor {
        grid: grid.harmless(),
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

pub async fn file(visitor: Visitor, Path((id, name)): Path<(String, String)>) -> Response {
    let known = FILES.into_iter().find(|known| *known == name);
    file_of(&visitor, &id, known.unwrap_or_default())
}

/// The policy of a report. Its script runs without an origin, so a foreign report cannot send requests here.
const POLICY: &str = "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; \
    script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

fn is_file(path: &FilePath) -> bool {
    path.symlink_metadata().is_ok_and(|file| file.is_file())
}

/// `GET /run/quick/report`: the run as one file.
pub async fn report(visitor: Visitor, Path(id): Path<String>) -> Response {
    file_of(&visitor, &id, REPORT)
}

/// `GET /run/quick/report-games/2.html`: further games of a report.
pub async fn games_of_report(
    visitor: Visitor,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    let number = name
        .strip_suffix(".html")
        .and_then(|name| name.parse::<u32>().ok());
    let file = number.map(|number| format!("{GAMES}/{number}.html"));
    file_of(&visitor, &id, &file.unwrap_or_default())
}

/// The largest report, or other file of a run or class, that the server sends, in bytes.
const LONGEST_REPORT: u64 = 256 << 20;

fn file_of(visitor: &Visitor, id: &str, name: &str) -> Response {
    match visitor.library.get(id) {
        Some(run) => served_file(visitor, &run.folder.join(name)),
        None => no_page(visitor),
    }
}

/// Answers with a file of a run or class: a page with its own policy, or text that a browser does not run.
pub fn served_file(visitor: &Visitor, path: &FilePath) -> Response {
    if !is_file(path) {
        return no_page(visitor);
    }
    match referee::bot::read_own(path, LONGEST_REPORT) {
        Ok(page) if path.extension().is_some_and(|ending| ending == "html") => {
            ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(page)).into_response()
        }
        Ok(text) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response(),
        Err(why) => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            wrong(visitor, status, why.to_string())
        }
    }
}

fn no_page(visitor: &Visitor) -> Response {
    let what = visitor.lang().get("error.no-page").to_owned();
    wrong(visitor, StatusCode::NOT_FOUND, what)
}

/// `GET /run/quick/events`: an event for each change.
pub async fn events(State(context): State<Arc<Context>>, Path(id): Path<String>) -> PageResult {
    let run = context.library.get(&id).ok_or(StatusCode::NOT_FOUND)?;
    let changes = run.changes();
    let now = move || {
        let is_here = run.is_here();
        json!(Progress {
            is_here,
            ..run.progress()
        })
        .to_string()
    };
    Ok(context.streams.of_changes(changes, true, now))
}
