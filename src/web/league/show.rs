//! The pages of a league, and their data as JSON.

use askama::Template;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use message::Lang;
use referee::bot::size;
use referee::record::harmless;
use run::report::page::{Axis, Series, plot, tail, whisker};
use run::report::{maybe, places_text};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Visit;
use super::answers::{BotAnswer, FaultAnswer, GameAnswer, OwnAnswer, TableAnswer, VersionAnswer};
use crate::league::{Figures, VersionState};
use crate::web::handlers::{PageHead, PageResult, Visitor, address, explained, html};

/// The number of rows of the leaderboard that are shown at first.
const ROWS: usize = 200;
/// The number of versions whose ratings are drawn, and the number of points of each.
const CURVES: usize = 8;
const POINTS: usize = 400;

/// The choice of the leaderboard's rows.
#[derive(Debug, Default, Deserialize)]
pub struct TableQuery {
    /// Words to find in the names of bots or owners.
    #[serde(default)]
    search: String,
    /// `all` shows all rows; otherwise only the first rows are shown.
    #[serde(default)]
    rows: String,
}

impl TableQuery {
    pub fn all() -> TableQuery {
        TableQuery {
            rows: "all".to_owned(),
            ..TableQuery::default()
        }
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct BotQuery {
    before: Option<String>,
}

struct Row {
    place: String,
    page: String,
    name: String,
    /// The owner's name, or a text saying that the bot is an anchor.
    owner: String,
    /// The state in words, if the version does not play.
    state: Option<&'static str>,
    is_own: bool,
    elo: String,
    error: String,
    whisker: String,
    places: String,
    figures: Figures,
    handed_in: String,
}

impl Row {
    fn of(version: &VersionAnswer, scale: Option<Axis>, lang: &'static Lang) -> Row {
        let number = |value| maybe(value, |value: f64| format!("{value:.0}"));
        let is_known = version.figures.error_95 == Some(0.0);
        Row {
            place: maybe(version.place, |place| place.to_string()),
            page: format!("bot/{}", address(&version.bot)),
            name: harmless(&version.name),
            owner: match (&version.owner, version.state) {
                (Some(owner), _) => harmless(owner),
                (None, VersionState::Anchor) => lang.get("league.anchor").to_owned(),
                (None, _) => String::new(),
            },
            state: (!version.state.plays()).then(|| lang.word("league", version.state.word())),
            is_own: version.is_own,
            elo: number(version.figures.elo),
            error: number(version.figures.error_95.filter(|_| !is_known)),
            whisker: maybe(
                scale.zip(version.figures.elo).zip(version.interval()),
                |((scale, elo), ends)| whisker(elo, ends, scale),
            ),
            places: maybe(version.figures.places, places_text),
            figures: version.figures,
            handed_in: time(version.handed_in),
        }
    }
}

impl VersionAnswer {
    fn interval(&self) -> Option<[f64; 2]> {
        let (elo, error) = self.figures.elo.zip(self.figures.error_95)?;
        Some([elo - error, elo + error])
    }
}

/// Returns a time in ms since 1970 as text.
fn time(ms: u64) -> String {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(ms / 1000);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text.replace('T', " ").trim_end_matches('Z').to_owned()
}

#[derive(Template)]
#[template(path = "web/league.html")]
pub struct Leaderboard {
    pub page: PageHead,
    version: u64,
    table: TableAnswer,
    facts: String,
    waiting: Option<String>,
    closes: Option<String>,
    search: String,
    rows: Vec<Row>,
    /// A text with the number of hidden rows.
    hidden: Option<String>,
}

/// `GET /?search=ada`
pub async fn leaderboard(visitor: Visitor, Query(asked): Query<TableQuery>) -> PageResult {
    let visit = Visit::new(&visitor)?;
    Ok(html(&Leaderboard::of(&visit, asked)))
}

impl Leaderboard {
    pub fn of(visit: &Visit<'_>, asked: TableQuery) -> Leaderboard {
        let table = visit.table();
        let page = visit.visitor.page(table.league.as_str());
        let lang = page.lang;
        let words = asked.search.to_lowercase();
        let is_found = |bot: &&VersionAnswer| {
            let owner = bot.owner.as_deref().unwrap_or_default();
            [bot.name.as_str(), owner]
                .iter()
                .any(|name| name.to_lowercase().contains(&words))
        };
        let found: Vec<&VersionAnswer> = table.bots.iter().filter(is_found).collect();
        let shown = match asked.rows.as_str() {
            "all" => &found[..],
            _ => &found[..found.len().min(ROWS)],
        };
        let scale = Axis::of(shown.iter().filter_map(|bot| bot.interval()).flatten());
        let count =
            |key: &str, count: usize| (count > 0).then(|| lang.with(key, &[("count", &count)]));
        Leaderboard {
            version: visit.now.read,
            rows: shown.iter().map(|bot| Row::of(bot, scale, lang)).collect(),
            facts: lang.with(
                "league.facts",
                &[("rounds", &table.rounds), ("games", &table.games)],
            ),
            waiting: count("league.waiting-count", table.waiting),
            closes: visit
                .now
                .closes
                .map(|closes| lang.with("league.closes", &[("time", &time(closes))])),
            hidden: count("league.hidden", found.len() - shown.len()),
            search: asked.search,
            table,
            page,
        }
    }
}

pub struct GameRow {
    /// The page of the game; a static site has pages for few games.
    pub link: Option<String>,
    players: [String; 2],
    /// The result as black's and white's points.
    points: &'static str,
    class: &'static str,
    round: u64,
}

impl GameRow {
    fn of(game: &GameAnswer) -> GameRow {
        GameRow {
            link: Some(format!("/run/{}/game/{}", game.round, game.game)),
            players: game.players.each_ref().map(|name| harmless(name)),
            points: match game.result.as_str() {
                "black" => "1–0",
                "white" => "0–1",
                "draw" => "½–½",
                _ => "0–0",
            },
            class: match game.result.as_str() {
                _ if game.has_fault => "fault",
                "draw" => "drawn",
                _ => "won",
            },
            round: game.round,
        }
    }
}

#[derive(Template)]
#[template(path = "web/league_bot.html")]
pub struct BotPage {
    pub page: PageHead,
    version: u64,
    bot: String,
    owner: Option<String>,
    versions: Vec<Row>,
    plot: String,
    pub games: Vec<GameRow>,
    pub older: Option<String>,
    is_newest: bool,
}

/// `GET /bot/ada?before=12-5`: the games of the bot before game 5 of round 12.
pub async fn bot(
    visitor: Visitor,
    Path(name): Path<String>,
    Query(asked): Query<BotQuery>,
) -> PageResult {
    let visit = Visit::new(&visitor)?;
    let found = visit.read(visit.bot(&name, asked.before.as_deref()))?;
    let found = found.ok_or_else(|| visit.not_found())?;
    Ok(html(&BotPage::of(&visit, found, asked.before.is_none())))
}

impl BotPage {
    pub fn of(visit: &Visit<'_>, found: BotAnswer, is_newest: bool) -> BotPage {
        let bot = harmless(&found.bot);
        let page = visit.visitor.page(bot.as_str());
        let lang = page.lang;
        let intervals = found.versions.iter().filter_map(VersionAnswer::interval);
        let scale = Axis::of(intervals.flatten());
        BotPage {
            version: visit.now.read,
            owner: found.owner.as_deref().map(harmless),
            versions: found
                .versions
                .iter()
                .map(|one| Row::of(one, scale, lang))
                .collect(),
            plot: history(&found, lang),
            games: found.games.iter().map(GameRow::of).collect(),
            older: found.older,
            is_newest,
            bot,
            page,
        }
    }
}

/// Draws the ratings of the newest versions over the rounds.
fn history(bot: &BotAnswer, lang: &Lang) -> String {
    let drawn = bot.versions.iter().zip(&bot.history);
    let series = drawn.filter(|(_, points)| !points.is_empty()).take(CURVES);
    let series = series.map(|(version, points)| {
        let step = points.len().div_ceil(POINTS).max(1);
        // The newest point is always shown.
        let mut points: Vec<(f64, f64)> = points
            .iter()
            .rev()
            .step_by(step)
            .map(|point| (point.round as f64, point.elo))
            .collect();
        points.reverse();
        Series {
            name: harmless(&version.name),
            points,
        }
    });
    let series: Vec<Series> = series.collect();
    let mut ratings = series
        .iter()
        .flat_map(|one| &one.points)
        .map(|(_, elo)| elo);
    let first = ratings.next();
    // An anchor has a fixed rating, so there is nothing to draw.
    if ratings.all(|elo| Some(elo) == first) {
        return String::new();
    }
    plot(
        lang.get("league.history"),
        lang.get("league.round"),
        "Elo",
        &series,
    )
}

struct OwnRow {
    row: Row,
    state: &'static str,
    file: String,
    size: String,
    reason: String,
}

struct FaultRow {
    version: String,
    /// The number of similar faults, of which this is the newest.
    count: usize,
    link: String,
    round: u64,
    fault: String,
    stderr: String,
}

#[derive(Template)]
#[template(path = "web/league_own.html")]
struct OwnPage {
    page: PageHead,
    version: u64,
    own: OwnAnswer,
    /// The owner's bots, newest first; the owner's name if there are no bots.
    bots: Vec<String>,
    largest: String,
    versions: Vec<OwnRow>,
    faults: Vec<FaultRow>,
}

pub async fn own(visitor: Visitor) -> PageResult {
    let visit = Visit::new(&visitor)?;
    let page = visitor.page(visitor.lang().get("league.own"));
    let lang = page.lang;
    let Some(own) = visit.read(visit.own())? else {
        let what = lang.get("league.no-owner").to_owned();
        return Err(explained(page, StatusCode::FORBIDDEN, what).into());
    };
    let mut bots: Vec<String> = Vec::new();
    for version in &own.versions {
        if !bots.contains(&version.version.bot) {
            bots.push(version.version.bot.clone());
        }
    }
    if bots.is_empty() {
        bots.push(own.owner.clone());
    }
    let versions = own.versions.iter().map(|version| OwnRow {
        row: Row::of(&version.version, None, lang),
        state: lang.word("league", version.version.state.word()),
        file: harmless(&version.file),
        size: size(version.bytes),
        reason: maybe(version.reason.as_ref(), |reason| lang.render(reason)),
    });
    let mut faults: Vec<FaultRow> = Vec::new();
    for fault in &own.faults {
        let row = FaultRow::of(fault, lang);
        match faults.iter_mut().find(|known| known.is_like(&row)) {
            Some(known) => known.count += 1,
            None => faults.push(row),
        }
    }
    Ok(html(&OwnPage {
        version: visit.now.read,
        bots,
        largest: size(own.largest),
        versions: versions.collect(),
        faults,
        own,
        page,
    }))
}

impl FaultRow {
    fn is_like(&self, other: &FaultRow) -> bool {
        // Two faults are alike if they differ only in numbers, such as the time of a late move.
        let words = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
        let said = |row: &FaultRow| (row.version.clone(), words(&row.fault), words(&row.stderr));
        said(self) == said(other)
    }

    fn of(fault: &FaultAnswer, lang: &Lang) -> FaultRow {
        FaultRow {
            version: harmless(&fault.version),
            count: 1,
            link: format!("/run/{}/game/{}", fault.game.round, fault.game.game),
            round: fault.game.round,
            fault: lang.render(&fault.fault),
            stderr: tail(&fault.stderr),
        }
    }
}

/// `GET /api/changes`: a number that changes whenever the league has changed.
pub async fn changes(visitor: Visitor) -> PageResult {
    let visit = Visit::new(&visitor)?;
    Ok(axum::Json(visit.now.read).into_response())
}

pub async fn table_json(visitor: Visitor) -> PageResult {
    let visit = Visit::new(&visitor)?;
    json(Some(visit.table()))
}

pub async fn bot_json(
    visitor: Visitor,
    Path(name): Path<String>,
    Query(asked): Query<BotQuery>,
) -> PageResult {
    let visit = Visit::new(&visitor)?;
    json(visit.read(visit.bot(&name, asked.before.as_deref()))?)
}

pub async fn own_json(visitor: Visitor) -> PageResult {
    let visit = Visit::new(&visitor)?;
    json(visit.read(visit.own())?)
}

fn json<T: Serialize>(answer: Option<T>) -> PageResult {
    match answer {
        Some(answer) => Ok(axum::Json(answer).into_response()),
        None => Err((StatusCode::NOT_FOUND, axum::Json(json!({}))).into()),
    }
}
