//! The answers to requests: each finds the data of a page. The pages of runs, games and grades are in
//! [`run::report::page`], the templates of the others beside this folder.

pub mod analysis;
pub mod class;
pub mod game;
mod grade;
pub mod home;
pub mod lesson;
pub mod loaded;
pub mod play;
pub mod run;
mod stage_run;
pub mod wall;

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use analysis::Analyses;
use askama::Template;
use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use home::Summaries;
use loaded::Loaded;
use serde::Serialize;
use serde_json::json;

pub use ::run::report::page::{PageHead, address};

use super::Site;
use super::guard::cookies;
use super::library::{Followed, Library};
use super::play::{PlayContext, Sessions};
use super::stream::Streams;
use message::Lang;
use tokio::sync::watch;

/// The longest time that a page waits until the server has read a run's record.
const READ: Duration = Duration::from_millis(50);

pub struct Context {
    pub library: Library,
    pub sessions: Sessions,
    pub loaded: Loaded,
    pub analyses: Analyses,
    pub summaries: Summaries,
    pub streams: Streams,
    pub token: String,
    pub site: Site,
}

impl Context {
    pub fn new(site: Site, token: String, ending: watch::Receiver<bool>) -> Context {
        Context {
            library: Library::new(
                &site.results,
                site.is_anonymous,
                Arc::clone(&site.catalogue),
                site.hub.clone(),
            ),
            sessions: Sessions::default(),
            loaded: Loaded::default(),
            analyses: Analyses::default(),
            summaries: Summaries::default(),
            streams: Streams::new(ending),
            token,
            site,
        }
    }

    /// Returns whether this server is playing a run. During a run, other work must not use the machine.
    pub fn is_busy(&self) -> bool {
        self.site.hub.as_ref().is_some_and(|hub| !hub.is_over())
    }

    pub fn play_context(&self) -> PlayContext<'_> {
        PlayContext {
            sessions: &self.sessions,
            offers: &self.site.offers,
            stages: &self.site.stages,
            catalogue: &self.site.catalogue,
            results: self.library.place(),
        }
    }

    /// Finds a run by its name, and waits until its record has been read, at most for [`READ`].
    pub async fn run(&self, id: &str) -> Option<Arc<Followed>> {
        let run = self.library.get(id)?;
        run.read_for(READ).await;
        Some(run)
    }
}

/// A request: the server's state, and the headers, which say the visitor's language and theme.
pub struct Visitor {
    pub context: Arc<Context>,
    pub headers: HeaderMap,
}

impl Deref for Visitor {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

impl FromRequestParts<Arc<Context>> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        context: &Arc<Context>,
    ) -> Result<Visitor, Infallible> {
        let (context, headers) = (Arc::clone(context), parts.headers.clone());
        Ok(Visitor { context, headers })
    }
}

impl Visitor {
    /// Creates the head of a page, in the visitor's language and theme.
    pub fn page(&self, title: impl Into<String>) -> PageHead {
        let lang = self.lang();
        let is_chosen =
            |theme: &&str| cookies(&self.headers).any(|cookie| cookie == ("theme", *theme));
        PageHead {
            lang,
            other: lang.other(),
            theme: ["dark", "light"].into_iter().find(is_chosen),
            token: self.token.clone(),
            title: title.into(),
            has_live: self.site.hub.is_some(),
            league: self.site.league.as_ref().map(|league| league.name.clone()),
            ..PageHead::default()
        }
    }

    /// Returns the language that the visitor chose on a page, else the one that the server's user chose, else the
    /// browser's, else the default.
    pub fn lang(&self) -> &'static Lang {
        let here = cookies(&self.headers).find(|(key, _)| *key == "lang");
        let here = here.and_then(|(_, code)| Lang::of(code));
        let browsers = || Lang::wanted(self.headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?);
        here.or(self.site.chosen)
            .or_else(browsers)
            .unwrap_or(self.site.lang)
    }
}

/// A response. A script that requests something unknown gets a status without an error page.
pub type PageResult<T = Response> = axum::response::Result<T>;

/// Answers a script with the reason for refusing its request.
pub fn refused(status: StatusCode, why: impl Serialize) -> Response {
    (status, Json(json!({ "why": why }))).into_response()
}

pub fn html(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

#[derive(Template)]
#[template(path = "web/error.html")]
struct ErrorPage {
    page: PageHead,
    what: String,
}

pub fn wrong(visitor: &Visitor, status: StatusCode, what: String) -> Response {
    let title = match status {
        StatusCode::NOT_FOUND => "error.title",
        _ => "error.refused",
    };
    let title = visitor.lang().get(title);
    explained(visitor.page(title), status, what)
}

pub fn explained(page: PageHead, status: StatusCode, what: String) -> Response {
    (status, html(&ErrorPage { page, what })).into_response()
}

pub fn no_run(visitor: &Visitor, id: &str) -> Response {
    let what = visitor.lang().with("error.no-run", &[("run", &id)]);
    wrong(visitor, StatusCode::NOT_FOUND, what)
}

pub fn no_game(visitor: &Visitor, id: u64) -> Response {
    let what = visitor.lang().with("error.no-game", &[("game", &id)]);
    wrong(visitor, StatusCode::NOT_FOUND, what)
}

pub async fn not_found(visitor: Visitor) -> Response {
    let what = visitor.lang().get("error.no-page").to_owned();
    wrong(&visitor, StatusCode::NOT_FOUND, what)
}
