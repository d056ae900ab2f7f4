//! The games that this arena plays now, for any number of pages.
//!
//! One thread listens to the run ([`Watcher`]) and keeps the running games; pages get copies through a
//! channel of bounded length. A page that is too slow loses its place in it and is told everything
//! again; nobody ever waits for a page.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast;

use super::locked::lock;
use super::view::GameView;
use crate::run::{Event, Watcher};
use crate::tournament::Tournament;

/// Events that may wait for a page.
const ROOM: usize = 512;
/// How long the listener waits for an event before it looks whether it is wanted.
const WAIT: Duration = Duration::from_millis(100);

/// What a page is told: the name of an event, and JSON.
#[derive(Clone, Debug)]
pub struct Told {
    /// The kind.
    pub event: &'static str,
    /// What happened.
    pub data: Arc<str>,
}

impl Told {
    fn new(event: &'static str, data: &impl Serialize) -> Told {
        let data = serde_json::to_string(data).unwrap_or_default().into();
        Told { event, data }
    }
}

/// The running games of a run.
#[derive(Debug)]
pub struct Hub {
    /// The name of the run's folder.
    pub run: String,
    running: Mutex<BTreeMap<u64, GameView>>,
    sender: broadcast::Sender<Told>,
    is_over: AtomicBool,
    listens: Mutex<Option<JoinHandle<()>>>,
}

impl Hub {
    /// Listens to a run in the folder `run`, until the run has ended.
    pub fn start(
        run: String,
        tournament: Tournament,
        watcher: Watcher,
    ) -> Result<Arc<Hub>, std::io::Error> {
        let hub = Arc::new(Hub {
            run,
            running: Mutex::default(),
            sender: broadcast::Sender::new(ROOM),
            is_over: AtomicBool::new(false),
            listens: Mutex::default(),
        });
        let listening = Arc::clone(&hub);
        let listens = thread::Builder::new()
            .name("listens to a run".to_owned())
            .spawn(move || listening.listen(&tournament, watcher))?;
        *lock(&hub.listens) = Some(listens);
        Ok(hub)
    }

    /// The run has ended: pages hear of what is left, and of that.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        let listens = lock(&self.listens).take();
        let _ = listens.map(JoinHandle::join);
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// All running games, and what happens from then on.
    pub fn listen_from_now(&self) -> (Told, broadcast::Receiver<Told>) {
        // While the games are locked, nothing is told.
        let running = lock(&self.running);
        let cards: Vec<_> = running.values().map(card).collect();
        (Told::new("all", &cards), self.sender.subscribe())
    }

    /// A running game.
    pub fn game(&self, id: u64) -> Option<GameView> {
        lock(&self.running).get(&id).cloned()
    }

    fn listen(&self, tournament: &Tournament, mut watcher: Watcher) {
        loop {
            let is_over = self.is_over();
            let event = watcher.next(if is_over { Duration::ZERO } else { WAIT });
            if is_over && matches!(event, Event::Tick) {
                break;
            }
            self.hear(tournament, event);
        }
        let _ = self.sender.send(Told::new("end", &()));
    }

    fn hear(&self, tournament: &Tournament, event: Event) {
        let mut running = lock(&self.running);
        let told = match event {
            Event::Started {
                game,
                bots,
                opening,
                ..
            } => {
                let bots = bots.map(|bot| &tournament.contestants[bot]);
                let (names, limits) =
                    (bots.map(|bot| bot.name.clone()), bots.map(|bot| bot.limits));
                let view = GameView::begin(game.0, tournament.game, names, &opening, Some(limits));
                let told = Told::new("started", &card(&view));
                running.insert(game.0, view);
                told
            }
            Event::Ply {
                game, ply, left, ..
            } => {
                let Some(view) = running.get_mut(&game.0) else {
                    return;
                };
                view.add(&ply, Some(left));
                let number = view.frames.len() - 1;
                Told::new(
                    "ply",
                    &json!({
                        "id": game.0,
                        "number": number,
                        "frame": view.frames[number],
                        "stones": view.stones(),
                        "told": unix_ms(),
                    }),
                )
            }
            Event::Finished { record } => {
                running.remove(&record.id.0);
                let view = GameView::of(&record, None);
                Told::new(
                    "finished",
                    &json!({ "card": card(&view), "over": view.over }),
                )
            }
            Event::Saved { game } => {
                running.remove(&game.0);
                Told::new("saved", &json!({ "id": game.0 }))
            }
            Event::Void { game, why, .. } => {
                running.remove(&game.0);
                Told::new("void", &json!({ "id": game.0, "why": why }))
            }
            Event::Tick => return,
        };
        let _ = self.sender.send(told);
    }
}

/// A game on the wall of boards.
pub(super) fn card(view: &GameView) -> serde_json::Value {
    let last = view.frames.last();
    json!({
        "id": view.id,
        "players": view.players,
        "size": view.size,
        "discs": view.discs,
        "stones": view.stones(),
        "last": last.and_then(|frame| frame.at),
        "number": view.frames.len() - 1,
    })
}

/// Now, in ms since 1970: a page compares it with its own clock on the same machine.
fn unix_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_millis() as u64)
}
