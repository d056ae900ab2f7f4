//! The pages: watch and replay the games of runs, and play against bots, in a browser.
//!
//! [`serve`] listens on a socket of this machine. Changes reach a page as server-sent events; a person's actions reach
//! the server as POSTs. The scripts of a page know no rules: the server sends positions, flips, legal squares and
//! names of forbidden points (`report::page::game_view`). All output of bots counts as hostile: templates escape it, and
//! scripts put it only into text nodes.
//!
//! Reading order: [`guard`], the gate; [`library`] and [`index`], recorded runs; [`hub`], the run that this server
//! plays; [`play`], games with a person; [`handlers`], the answers to requests; [`league`], the pages of a league, which
//! replace those of runs; [`server`]. Only this folder uses tokio.

#![expect(
    clippy::result_large_err,
    reason = "a failure is a whole response, one a request"
)]

mod connections;
mod download;
mod guard;
mod handlers;
mod hub;
mod index;
mod league;
mod library;
mod play;
mod server;
mod stream;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::analysis::Settings;
use crate::stages::Stage;
use message::Lang;
use tournament::Catalogue;

pub use guard::{EntryPage, PublicUrl};
pub use handlers::analysis::Analyse;
pub use handlers::lesson::{Lesson, MethodNodes, SearchBranch, Teach};
pub use hub::Hub;
pub use league::{LeaguePages, write_site};
pub use play::{Advise, Offer, SquareWorth};
pub use server::{RunningServer, serve};

pub struct Site {
    /// The address; port 0 means any free port.
    pub address: SocketAddr,
    /// A folder of runs, or a single run or class.
    pub results: PathBuf,
    pub is_anonymous: bool,
    /// The known bots, to read run files and to play.
    pub catalogue: Arc<Catalogue>,
    pub offers: Vec<Offer>,
    pub stages: Vec<Stage>,
    pub analyse: Option<Arc<Analyse>>,
    /// The settings of `analyse`.
    pub settings: Settings,
    pub teach: Option<Arc<Teach>>,
    pub advise: Option<Arc<Advise>>,
    /// The folder of a game with a person; the server continues this game.
    pub going_on: Option<PathBuf>,
    pub hub: Option<Arc<Hub>>,
    /// If set, the server shows everybody the pages of this league instead of those of runs.
    pub league: Option<LeaguePages>,
    /// The language that the server's user chose; it overrides the browser's.
    pub chosen: Option<&'static Lang>,
    pub lang: &'static Lang,
}

impl Site {
    /// Makes a site without runs and without games to play.
    pub fn of_league(address: SocketAddr, league: LeaguePages, lang: &'static Lang) -> Site {
        Site {
            address,
            results: PathBuf::new(),
            is_anonymous: false,
            catalogue: Arc::new(Catalogue::empty()),
            offers: Vec::new(),
            stages: Vec::new(),
            analyse: None,
            settings: Settings::QUICK,
            teach: None,
            advise: None,
            going_on: None,
            hub: None,
            league: Some(league),
            chosen: None,
            lang,
        }
    }
}

// Ignores poisoning, because a panic never leaves a value half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(value: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    value.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(value: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    value.write().unwrap_or_else(PoisonError::into_inner)
}
