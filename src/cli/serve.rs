//! `arena serve`, and the page that `arena play` and `--watch` also use.

use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use referee::problem;

use super::advice::{THOROUGH, advise, analysed, teach};
use super::bot::ALPHABETA;
use super::bots::catalogue;
use super::options::LanguageOption;
use super::stages::files::shipped_stages;
use super::{CliError, stop_on_ctrl_c};
use crate::web::{EntryPage, Hub, Offer, RunningServer, Site, serve};
use message::spoken;
use run::{Run, RunError, Stop};
use tournament::{Catalogue, Problem};

/// Show runs in a browser: standings, games, boards; play on from any position
///
/// Follows runs that another arena is playing. The printed address has a key: only a browser that was
/// opened with it can use the page.
#[derive(Debug, Args)]
pub struct Serve {
    /// The folder of runs, or one run or class
    #[arg(default_value = "results")]
    results: PathBuf,
    /// Show grades without names: a class has numbers instead, and links to no games or files
    #[arg(long)]
    anonymous: bool,
    #[command(flatten)]
    place: ServeOptions,
}

impl Serve {
    pub fn run(self) -> Result<(), CliError> {
        let content = Content {
            results: results(&self.results)?,
            offers: offers(&catalogue()?),
            is_anonymous: self.anonymous,
            hub: None,
            going_on: None,
        };
        self.place.serve(content, EntryPage::Runs)
    }
}

/// The address of the page, and whether a browser opens it.
#[derive(Clone, Debug, Args)]
pub(super) struct ServeOptions {
    /// The port; by default any free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// The address to listen on; if it is not this machine's own, everybody in the network can reach the page
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    // `--lang` takes precedence over the browser's language.
    #[command(flatten)]
    pub language: LanguageOption,
}

const POLL: Duration = Duration::from_millis(100);

pub(super) struct Content {
    pub results: PathBuf,
    pub offers: Vec<Offer>,
    pub is_anonymous: bool,
    pub hub: Option<Arc<Hub>>,
    pub going_on: Option<PathBuf>,
}

impl ServeOptions {
    fn here(language: &LanguageOption) -> ServeOptions {
        ServeOptions {
            port: 0,
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            no_open: false,
            language: language.clone(),
        }
    }

    fn start(&self, content: Content, entry: EntryPage) -> Result<RunningServer, CliError> {
        let chosen = self.language.asked()?;
        if !self.address.is_loopback() {
            say!(
                "warning: everybody who can reach {} and knows the address below can use this page, \
                 over a connection that is not encrypted",
                self.address
            );
        }
        let address = SocketAddr::new(self.address, self.port);
        let site = Site {
            address,
            results: content.results,
            is_anonymous: content.is_anonymous,
            catalogue: Arc::new(catalogue()?),
            offers: content.offers,
            advise: Some(Arc::new(advise)),
            analyse: Some(Arc::new(analysed)),
            settings: THOROUGH,
            teach: Some(Arc::new(teach)),
            stages: shipped_stages()?,
            going_on: content.going_on,
            hub: content.hub,
            league: None,
            chosen,
            lang: spoken(),
        };
        let running = serve(site).map_err(|error| {
            problem!("cannot serve the page at {address}: {error}")
                .help("choose another port with --port, or leave it out for any free one")
        })?;
        echo!("{}", running.url(entry));
        if !self.no_open && has_screen() {
            let opened = running.url_once(entry).and_then(open::that_detached);
            if let Err(error) = opened {
                say!("note: no browser was opened: {error}");
            }
        }
        Ok(running)
    }

    pub fn serve(&self, content: Content, entry: EntryPage) -> Result<(), CliError> {
        let stop = stop_on_ctrl_c()?;
        let running = self.start(content, entry)?;
        wait_for(&stop);
        running.end();
        Ok(())
    }
}

pub(super) fn wait_for(stop: &Stop) {
    say!("press Ctrl-C to end");
    while !stop.is_requested() {
        thread::sleep(POLL);
    }
}

/// Guesses whether a browser would be visible to this user.
fn has_screen() -> bool {
    let graphical = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some());
    graphical && std::io::stderr().is_terminal()
}

/// The page of a running tournament. Dropping the value stops the server.
pub(super) struct Watched {
    hub: Arc<Hub>,
    _running: RunningServer,
}

impl Watched {
    /// Marks the run as ended, and serves until Ctrl-C. Call this after the tables are written.
    pub fn stay(&self, stop: &Stop) {
        self.hub.end();
        wait_for(stop);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.hub.end();
    }
}

pub(super) fn watch(run: &mut Run, language: &LanguageOption) -> Result<Watched, CliError> {
    let folder = std::path::absolute(run.folder()).unwrap_or_else(|_| run.folder().to_owned());
    let name = folder.file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let (tournament, played) = (run.tournament().clone(), run.status().played());
    let hub = Hub::start(name, tournament, played, run.watch())
        .map_err(RunError::system("cannot start a thread for the pages"))?;
    let content = Content {
        results: folder.parent().unwrap_or(&folder).to_owned(),
        offers: offers(&catalogue()?),
        is_anonymous: false,
        hub: Some(Arc::clone(&hub)),
        going_on: None,
    };
    Ok(Watched {
        _running: ServeOptions::here(language).start(content, EntryPage::Wall)?,
        hub,
    })
}

/// Continues a person's game on the page; `folder` is the folder of its run.
pub(super) fn go_on(folder: &Path, language: &LanguageOption) -> Result<(), CliError> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let content = Content {
        results: folder.parent().unwrap_or(&folder).to_owned(),
        offers: offers(&catalogue()?),
        is_anonymous: false,
        hub: None,
        going_on: Some(folder),
    };
    ServeOptions::here(language).serve(content, EntryPage::Game)
}

fn results(place: &Path) -> Result<PathBuf, Problem> {
    if place.is_dir() || place == Path::new("results") {
        return Ok(place.to_owned());
    }
    Err(problem!("there is no folder {}", place.display())
        .help("name the folder of your runs, such as results, or one run, such as results/quick"))
}

pub(super) fn level_of(level: &str) -> String {
    format!("{ALPHABETA}-{level}={ALPHABETA}:level={level}")
}

/// Returns the bots to choose from: the levels of `alphabeta`, then the catalogue.
pub(super) fn offers(catalogue: &Catalogue) -> Vec<Offer> {
    let plays = |name: &str| -> Vec<String> {
        let games = catalogue
            .find(name)
            .into_iter()
            .flat_map(|entry| &entry.games);
        games.map(|&game| game.to_owned()).collect()
    };
    let levels = [
        ("easy", Some("easy")),
        ("medium", Some("medium")),
        ("hard", Some("hard")),
        ("strongest", None),
    ];
    let levels = levels.map(|(name, level)| Offer {
        sandbox: None,
        word: level.map_or(ALPHABETA.to_owned(), level_of),
        name: format!("offer.{name}"),
        games: plays(ALPHABETA),
    });
    let others = catalogue
        .entries
        .iter()
        .filter(|entry| entry.name != ALPHABETA);
    let others = others.map(|entry| Offer {
        sandbox: None,
        word: entry.name.to_owned(),
        name: entry.name.to_owned(),
        games: plays(entry.name),
    });
    levels.into_iter().chain(others).collect()
}
