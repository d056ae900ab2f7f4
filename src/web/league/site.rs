//! Writes the public part of a league as files, for any web server. Only the page with the games needs a script.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::http::HeaderMap;
use host::TemporaryFolder;
use message::{Lang, message};
use referee::problem;
use referee::record::GameId;
use run::RunError;
use run::report::page::{ICON, STYLE, public_games};
use tokio::sync::watch;

use super::show::{BotPage, GameRow, Leaderboard, TableQuery};
use super::{LeaguePages, Visit};
use crate::league::PlayedGame;
use crate::web::Site;
use crate::web::handlers::{Context, Visitor, address};

/// The numbers of games in the site: the newest games, and the newest games among the best bots.
const NEWEST: usize = 500;
const BEST: usize = 500;
const BEST_BOTS: usize = 10;
/// A file that marks a folder as a site. Only a marked folder is replaced.
const MARK: &str = ".arena-league";

/// Writes the site, and replaces an older site in the same folder. Returns the number of its games.
pub fn write_site(league: LeaguePages, out: &Path, lang: &'static Lang) -> Result<usize, RunError> {
    let is_other = out.read_dir().is_ok_and(|mut files| files.next().is_some()) || out.is_file();
    if is_other && !out.join(MARK).is_file() {
        return Err(problem!("{} is not a site of a league", out.display())
            .help("name a new folder with --out")
            .into());
    }
    let whole = std::path::absolute(out).map_err(failed(out))?;
    let parent = whole.parent().unwrap_or(&whole);
    fs::create_dir_all(parent).map_err(failed(out))?;
    let new = TemporaryFolder::new(".site-", Some(parent)).map_err(failed(out))?;
    let games = write_pages(league, new.path(), lang)?;
    let old = TemporaryFolder::new(".old-", Some(parent)).map_err(failed(out))?;
    if out.exists() {
        fs::rename(out, old.path().join("site")).map_err(failed(out))?;
    }
    new.keep_as(out).map_err(failed(out))?;
    Ok(games)
}

fn failed(out: &Path) -> impl FnOnce(std::io::Error) -> RunError {
    RunError::system(message!("cannot write {}", out.display()))
}

fn write_pages(league: LeaguePages, to: &Path, lang: &'static Lang) -> Result<usize, RunError> {
    let (_ends, ending) = watch::channel(false);
    let nowhere = ([127, 0, 0, 1], 0).into();
    let site = Site::of_league(nowhere, league, lang);
    let visitor = Visitor {
        context: Arc::new(Context::new(site, String::new(), ending)),
        headers: HeaderMap::new(),
    };
    let pages = super::pages(&visitor);
    let visit = Visit {
        visitor: &visitor,
        pages,
        now: pages.now()?,
        owner: None,
    };
    for folder in ["bot", "assets"] {
        fs::create_dir(to.join(folder)).map_err(failed(to))?;
    }
    let write = |name: &str, text: &str| fs::write(to.join(name), text).map_err(failed(to));
    let rendered = |page: &dyn askama::DynTemplate| {
        let wrong = |error: askama::Error| failed(to)(std::io::Error::other(error));
        page.dyn_render().map_err(wrong)
    };
    write(MARK, "")?;
    for (name, text) in [("style.css", STYLE), ("icon.svg", ICON)] {
        write(&format!("assets/{name}"), text)?;
    }
    let chosen = visit.chosen()?;
    let mut numbers = BTreeMap::new();
    let (mut pair, mut last) = (0, None);
    let records = chosen.iter().filter_map(|game| {
        let mut shown = visit.record(game.round, game.number).ok()??.record;
        let of_pair = Some((game.round, shown.id.pair()));
        if last.is_some() && last != of_pair {
            pair += 1;
        }
        last = of_pair;
        shown.id = GameId::new(pair, shown.id.leg());
        numbers.insert((game.round, game.number), shown.id.0);
        Some(shown)
    });
    let back = ("index.html", pages.name.as_str());
    let (text, count) = public_games(&pages.name, back, records)
        .map_err(|error| failed(to)(std::io::Error::other(error)))?;
    write("games.html", &text)?;
    let all = TableQuery::all();
    let mut board = Leaderboard::of(&visit, all);
    board.page.site = Some("");
    write("index.html", &rendered(&board)?)?;
    let bots: BTreeSet<String> = visit.table().bots.into_iter().map(|row| row.bot).collect();
    for bot in bots {
        let Some(found) = visit.bot(&bot, None)? else {
            continue;
        };
        let links = found.games.iter().map(|game| {
            let number = numbers.get(&(game.round, game.game))?;
            Some(format!("../games.html#game-{number}"))
        });
        let links: Vec<Option<String>> = links.collect();
        let mut page = BotPage::of(&visit, found, true);
        page.page.site = Some("../");
        page.older = None;
        let rows = page.games.iter_mut().zip(links);
        rows.for_each(|(row, link): (&mut GameRow, _)| row.link = link);
        write(&format!("bot/{}.html", address(&bot)), &rendered(&page)?)?;
    }
    Ok(count)
}

impl Visit<'_> {
    fn chosen(&self) -> Result<Vec<PlayedGame>, RunError> {
        let best = self.now.table.rows.iter().filter(|row| row.place.is_some());
        let best: Vec<i64> = best.map(|row| row.version).take(BEST_BOTS).collect();
        let league = self.pages.league();
        let mut games = league.games_before(&best, None, false, 10 * BEST)?;
        games.retain(|game| game.versions.iter().all(|id| best.contains(id)));
        games.truncate(BEST);
        games.extend(league.newest_games(NEWEST)?);
        games.sort_by_key(|game| {
            (
                std::cmp::Reverse((game.round, game.number / 2)),
                game.number,
            )
        });
        games.dedup();
        Ok(games)
    }
}
