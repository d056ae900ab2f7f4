//! The pages of a league: a leaderboard, bots and games for everybody, and a page for the owner of each bot.
//!
//! Requests never compute ratings: [`LeaguePages::now`] reads the table that the database keeps, and reads it again
//! after a change of the database. Visitors see no fault messages and no output of bots. An owner logs in by a link
//! with a secret, which then becomes the owner's cookie. Owners see everything about their own bots, and of other bots
//! only the public data.
//!
//! Reading order: this file; [`names`], the names of bots for a visitor; [`answers`], the data of the pages, also
//! served as an API; [`show`], the pages; [`games`]; [`hand_in`]; [`site`], the pages as files.

mod answers;
mod games;
mod hand_in;
mod names;
mod show;
mod site;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use message::{Message, ToValue, spoken};
use run::{RunError, unix_ms};

pub use self::site::write_site;

use self::names::Names;
use super::guard::{PublicUrl, cookies};
use super::handlers::{Context, PageResult, Visitor, wrong};
use super::lock;
use crate::league::{League, LeagueTable, Limits, Owner, Version};

#[derive(Debug)]
pub struct LeaguePages {
    pub name: String,
    pub public_url: Option<PublicUrl>,
    is_anonymous: bool,
    limits: Limits,
    reader: Mutex<Reader>,
    /// The owners whose uploads are being received.
    uploading: Mutex<BTreeSet<i64>>,
}

#[derive(Debug)]
struct Reader {
    league: League,
    seen: Option<(i64, Arc<LeagueNow>)>,
}

/// A league as the pages show it, until its database changes.
#[derive(Debug)]
pub struct LeagueNow {
    /// The time of the last read in ms since 1970. Pages compare it to notice a change.
    read: u64,
    closes: Option<u64>,
    table: LeagueTable,
    /// The versions in the order of their hand-ins.
    versions: Vec<Version>,
    names: Names,
}

impl LeaguePages {
    pub fn open(
        folder: &Path,
        public_url: Option<PublicUrl>,
        is_anonymous: bool,
        limits: Limits,
    ) -> Result<LeaguePages, RunError> {
        let league = League::open(folder)?;
        Ok(LeaguePages {
            name: league.name(),
            public_url,
            is_anonymous: is_anonymous || league.settings()?.is_anonymous,
            reader: Mutex::new(Reader { league, seen: None }),
            limits,
            uploading: Mutex::default(),
        })
    }

    /// Returns the connection on which the pages read; it never writes.
    fn league(&self) -> ReadLeague<'_> {
        ReadLeague(lock(&self.reader))
    }

    fn now(&self) -> Result<Arc<LeagueNow>, RunError> {
        let mut reader = lock(&self.reader);
        let changes = reader.league.changes()?;
        let is_current = |now: &LeagueNow| {
            let is_closed = now.closes.is_some_and(|closes| closes <= unix_ms());
            is_closed == now.table.is_closed
        };
        if let Some((seen, now)) = &reader.seen
            && *seen == changes
            && is_current(now)
        {
            return Ok(Arc::clone(now));
        }
        let league = &reader.league;
        let (settings, versions) = (league.settings()?, league.versions()?);
        let names = Names::new(
            &settings.key,
            &versions,
            league.owners()?,
            self.is_anonymous,
        );
        let now = Arc::new(LeagueNow {
            read: unix_ms(),
            closes: settings.closes,
            table: league.table()?,
            versions,
            names,
        });
        reader.seen = Some((changes, Arc::clone(&now)));
        Ok(now)
    }

    fn owner(&self, visitor: &Visitor) -> Result<Option<Owner>, RunError> {
        let name = self.cookie(visitor);
        match cookies(&visitor.headers).find(|(key, _)| *key == name) {
            Some((_, secret)) => self.league().owner_with(secret),
            None => Ok(None),
        }
    }

    /// Returns the name of an owner's cookie. It contains the port, unless the address is public: ports share cookies.
    fn cookie(&self, context: &Context) -> String {
        match &self.public_url {
            Some(url) if url.is_encrypted() => "__Host-arena_owner".to_owned(),
            Some(_) => "arena_owner".to_owned(),
            None => format!("arena_owner_{}", context.site.address.port()),
        }
    }
}

struct ReadLeague<'a>(MutexGuard<'a, Reader>);

impl std::ops::Deref for ReadLeague<'_> {
    type Target = League;

    fn deref(&self) -> &League {
        &self.0.league
    }
}

impl LeagueNow {
    /// Returns a version by its id. Every version of a game is found.
    fn version(&self, id: i64) -> Option<&Version> {
        let at = self
            .versions
            .binary_search_by_key(&id, |version| version.id);
        at.ok().map(|at| &self.versions[at])
    }
}

/// The data for a request: the current league, and the owner if the visitor is one.
struct Visit<'a> {
    visitor: &'a Visitor,
    pages: &'a LeaguePages,
    now: Arc<LeagueNow>,
    owner: Option<Owner>,
}

impl<'a> Visit<'a> {
    fn new(visitor: &'a Visitor) -> PageResult<Visit<'a>> {
        let pages = pages(visitor);
        let read = || Ok((pages.now()?, pages.owner(visitor)?));
        let (now, owner) = read().map_err(|error| broken(visitor, &error))?;
        Ok(Visit {
            visitor,
            pages,
            now,
            owner,
        })
    }

    fn viewer(&self) -> Option<i64> {
        self.owner.as_ref().map(|owner| owner.id)
    }

    fn is_own(&self, version: &Version) -> bool {
        version.owner.is_some() && version.owner == self.viewer()
    }

    fn not_found(&self) -> Response {
        let what = self.visitor.lang().get("error.no-page").to_owned();
        wrong(self.visitor, StatusCode::NOT_FOUND, what)
    }

    /// Returns the value, or fails with an error page if the league cannot be read.
    fn read<T>(&self, found: Result<T, RunError>) -> PageResult<T> {
        Ok(found.map_err(|error| broken(self.visitor, &error))?)
    }
}

fn pages(context: &Context) -> &LeaguePages {
    let pages = context.site.league.as_ref();
    pages.expect("these routes are of a league")
}

/// Answers that the arena failed. Only the organiser gets the reason, which may name files of this machine.
fn broken(visitor: &Visitor, error: &RunError) -> Response {
    note(&error.to_message());
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    let what = visitor.lang().get("league.broken").to_owned();
    wrong(visitor, status, what)
}

fn note(what: &Message) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{}", spoken().render(what));
}

pub fn routes() -> Router<Arc<Context>> {
    Router::new()
        .route("/", get(show::leaderboard))
        .route("/bot/{bot}", get(show::bot))
        .route("/own", get(show::own))
        .route("/enter/{secret}", get(hand_in::enter))
        .route("/own/leave", post(hand_in::leave))
        .route("/run/{run}/game/{game}", get(games::show))
        .route("/run/{run}/game/{game}/{ply}", get(games::show))
        .route("/run/{run}/game/{game}/file/{ending}", get(games::file))
        .route("/run/{run}/data/{game}", get(games::data))
        .route("/run/{run}/lines/{game}/{ply}", get(games::lines))
        .route("/api/changes", get(show::changes))
        .route("/api/table", get(show::table_json))
        .route("/api/bot/{bot}", get(show::bot_json))
        .route("/api/own", get(show::own_json))
}

/// The route that receives files. It reads a body only after it has identified the owner.
pub fn uploads() -> Router<Arc<Context>> {
    Router::new().route("/own/hand-in", post(hand_in::hand_in))
}
