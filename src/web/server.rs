//! The server: its socket, its routes, its files, and its shutdown.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{DefaultBodyLimit, Path, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use message::Lang;
use run::report::page::{ICON, MODULES as SHARED, STYLE};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use super::Site;
use super::connections::{Admission, LimitedListener};
use super::guard::{self, EntryPage, Guard};
use super::handlers::{self, Context};
use super::league;
use super::play::{self, Refused};

/// The largest body of a POST, in bytes.
const LONGEST_BODY: usize = 4096;
/// The largest uploaded file of games, in bytes.
const LONGEST_FILE: usize = 256 << 10;
/// The number of threads for requests. These threads read records, start bots and judge positions.
const READERS: usize = 8;
/// How long the server waits for running requests when it ends.
const PARTING: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct RunningServer {
    address: SocketAddr,
    guard: Arc<Guard>,
    ends: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl RunningServer {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn url(&self, entry_page: EntryPage) -> String {
        self.guard.url(entry_page)
    }

    /// Returns an address that works once, for the command line of a browser.
    pub fn url_once(&self, entry_page: EntryPage) -> io::Result<String> {
        self.guard.url_once(entry_page)
    }

    /// Ends all streams and the games with people. The games stay in the record.
    pub fn end(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        self.ends.send_replace(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Starts the server in its own threads. Fails if the address is taken or does not belong to this machine, or if the
/// game to continue cannot be opened.
pub fn serve(site: Site) -> io::Result<RunningServer> {
    let (ends, ending) = watch::channel(false);
    let (tell, started) = mpsc::channel();
    let thread = thread::Builder::new()
        .name("serves the page".to_owned())
        .spawn(move || run(site, ending, &tell))?;
    let gone = |_| io::Error::other("the server did not start");
    let (address, guard) = started.recv().map_err(gone)??;
    Ok(RunningServer {
        address,
        guard,
        ends,
        thread: Some(thread),
    })
}

type ServerStart = io::Result<(SocketAddr, Arc<Guard>)>;

fn run(mut site: Site, ending: watch::Receiver<bool>, tell: &mpsc::Sender<ServerStart>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(READERS)
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = tell.send(Err(error));
            return;
        }
    };
    runtime.block_on(async {
        let listening = async {
            let listener = LimitedListener::bind(site.address).await?;
            let address = listener.address()?;
            let guard = match &site.league {
                None => Guard::with_key(address),
                Some(league) => Guard::public(address, league.public_url.clone()),
            };
            Ok((listener, Arc::new(guard?), address))
        };
        let (listener, guard, address) = match listening.await {
            Ok(listening) => listening,
            Err(error) => {
                let _ = tell.send(Err(error));
                return;
            }
        };
        site.address = address;
        let context = Arc::new(Context::new(site, guard.token.clone(), ending.clone()));
        if let Some(folder) = context.site.going_on.clone() {
            let begun = play::go_on(context.play_context(), &folder, true);
            if let Err(Refused::Bad(why) | Refused::Failed(why)) = begun {
                let _ = tell.send(Err(io::Error::other(why.to_string())));
                return;
            }
        }
        let router = router(Arc::clone(&context), &guard);
        let _ = tell.send(Ok((address, guard)));
        let mut over = ending.clone();
        let service = router.into_make_service_with_connect_info::<Admission>();
        let served = axum::serve(listener, service);
        let served = served.with_graceful_shutdown(async move {
            let _ = over.wait_for(|over| *over).await;
        });
        let mut over = ending;
        tokio::select! {
            _ = served => {}
            // A browser may keep its connection open forever.
            () = async {
                let _ = over.wait_for(|over| *over).await;
                tokio::time::sleep(PARTING).await;
            } => {}
        }
        context.sessions.end();
    });
    runtime.shutdown_timeout(PARTING);
}

/// Runs a handler on another thread, where it may block. The server's own thread feeds all streams and must not block.
async fn on_a_reader(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LONGEST_FILE).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request = Request::from_parts(parts, body.into());
    let runtime = Handle::current();
    let answered = spawn_blocking(move || runtime.block_on(next.run(request))).await;
    answered.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

fn router(context: Arc<Context>, guard: &Arc<Guard>) -> Router {
    let (pages, uploads) = match context.site.league {
        None => (routes(), Router::new()),
        Some(_) => (league::routes(), league::uploads()),
    };
    pages
        .fallback(handlers::not_found)
        .layer(middleware::from_fn(on_a_reader))
        // These handlers never block a thread.
        .merge(uploads)
        .route("/assets/{name}", get(asset))
        .route("/texts/{code}", get(texts))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn_with_state(
            Arc::clone(guard),
            guard::gate,
        ))
        .with_state(context)
}

fn routes() -> Router<Arc<Context>> {
    use super::handlers::{analysis, class, game, home, lesson, loaded, play, run, wall};
    Router::new()
        .route("/", get(home::show))
        .route("/run/{run}", get(run::show))
        .route("/run/{run}/events", get(run::events))
        .route("/class/{class}", get(class::show))
        .route("/class/{class}/file/{name}", get(class::file))
        .route("/class/{class}/{number}", get(class::anonymous))
        .route("/run/{run}/file/{name}", get(run::file))
        .route("/run/{run}/report", get(run::report))
        .route("/run/{run}/report-games/{file}", get(run::games_of_report))
        .route("/run/{run}/game/{game}", get(game::recorded))
        .route("/run/{run}/game/{game}/{ply}", get(game::recorded))
        .route("/run/{run}/game/{game}/file/{ending}", get(game::file))
        .route("/run/{run}/analysis", post(analysis::latest))
        .route(
            "/run/{run}/game/{game}/analysis",
            get(analysis::events).post(analysis::of_run),
        )
        .route("/run/{run}/pair/{pair}", get(game::pair))
        .route("/run/{run}/wall", get(wall::show))
        .route("/run/{run}/latest", get(wall::latest))
        .route(
            "/load",
            post(loaded::load).layer(DefaultBodyLimit::max(LONGEST_FILE)),
        )
        .route("/loaded/{game}", get(loaded::show))
        .route("/loaded/{game}/{ply}", get(loaded::show))
        .route("/loaded/{game}/data", get(loaded::data))
        .route("/loaded/{game}/file/{ending}", get(loaded::file))
        .route(
            "/loaded/{game}/analysis",
            get(analysis::events).post(analysis::of_loaded),
        )
        .route("/stages", get(play::stages))
        .route("/lesson", get(lesson::show).post(lesson::teach))
        .route("/best", post(lesson::best))
        .route("/play/{game}/file/{ending}", get(play::file))
        .route(
            "/play/{game}/analysis",
            get(analysis::events).post(analysis::of_play),
        )
        .route("/run/{run}/data/{game}", get(game::data))
        .route("/run/{run}/lines/{game}/{ply}", get(game::lines))
        .route("/live", get(wall::live))
        .route("/live/events", get(wall::live_events))
        .route("/live/next", get(wall::next))
        .route("/live/game/{game}", get(wall::live_game))
        .route("/live/game/{game}/events", get(wall::live_game_events))
        .route("/live/data/{game}", get(wall::live_data))
        .route("/play", get(play::setup).post(play::begin))
        .route("/going-on", get(play::going_on))
        .route("/run/{run}/go-on", post(play::go_on))
        .route("/play/{game}", get(play::show))
        .route("/play/{game}/events", get(play::events))
        .route("/play/{game}/move", post(play::put))
        .route("/play/{game}/back", post(play::back))
        .route("/play/{game}/hint", post(play::hint))
        .route("/play/{game}/again", post(play::again))
}

macro_rules! modules {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("assets/", $name)))),*] };
}

/// The scripts of the server that reports do not contain.
const MODULES: [(&str, &str); 9] = modules!(
    "game.js" "hand_in.js" "lesson.js" "play.js" "run.js" "setup.js" "source.js" "stages.js" "wall.js"
);

pub(super) async fn asset(Path(name): Path<String>) -> Response {
    let kind = match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    match asset_text(&name) {
        Some(text) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

pub(super) fn asset_text(name: &str) -> Option<&'static str> {
    let files = [("style.css", STYLE), ("icon.svg", ICON)];
    let mut files = files.iter().chain(&MODULES).chain(&SHARED);
    let (_, text) = files.find(|(known, _)| *known == name)?;
    Some(text)
}

pub(super) async fn texts(Path(code): Path<String>) -> Response {
    match Lang::of(&code) {
        Some(lang) => axum::Json(serde_json::json!({
            "texts": lang.texts(),
            "messages": lang.for_pages(),
        }))
        .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
