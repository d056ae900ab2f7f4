//! The page: watch and replay the games of runs, and play against bots, in a browser.
//!
//! [`serve`] listens on a socket of this machine. What changes comes to a page as server-sent events,
//! what a person does goes to the server as a POST. The page has no rules: positions, flips, legal
//! squares and names of forbidden points are sent to it ([`view`]). Everything that a bot wrote is
//! hostile: templates escape it, and the page puts it into text nodes only.
//!
//! Reading order: [`guard`], the gate; [`library`] and [`index`], runs as they are read; [`hub`], the
//! run that is being played here; [`play`], games with a person; [`pages`]; [`server`]. Only this folder
//! knows tokio.

mod connections;
mod download;
mod guard;
mod hub;
mod index;
mod library;
mod pages;
mod play;
mod server;
mod stream;
mod view;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::stages::Stage;
use message::Lang;
use tournament::Catalogue;

pub use guard::EntryPage;
pub use hub::Hub;
pub use pages::analysis::Analyse;
pub use pages::lesson::{Branch, Course, Lesson, Teach};
pub use play::{Advise, Offer, Worth};
pub use server::{Running, serve};

/// What a server serves.
pub struct Site {
    /// The address to listen at; port 0: any free one.
    pub address: SocketAddr,
    /// The folder of runs, or one run.
    pub results: PathBuf,
    /// The bots there are, to understand the files of runs and to play against.
    pub catalogue: Arc<Catalogue>,
    pub offers: Vec<Offer>,
    pub stages: Vec<Stage>,
    /// Goes through games.
    pub analyse: Option<Arc<Analyse>>,
    /// Shows what pruning saves.
    pub teach: Option<Arc<Teach>>,
    /// Judges positions for a person.
    pub advise: Option<Arc<Advise>>,
    /// A game with people that is to go on: the folder of its run.
    pub going_on: Option<PathBuf>,
    /// The run that is being played here.
    pub hub: Option<Arc<Hub>>,
    /// The language that was chosen where the page is served; it comes before the browser's.
    pub chosen: Option<&'static Lang>,
    /// The language if neither names one that there is.
    pub lang: &'static Lang,
}

// A thread that panics leaves no value half changed, so a poisoned lock is taken as any other.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(value: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    value.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(value: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    value.write().unwrap_or_else(PoisonError::into_inner)
}
