//! What is known of the games of a run that is being played here, and what pages are told of it.
//!
//! Events are kept as they come; positions and texts are made when they are asked for. Nothing here has a
//! thread or waits.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use games::Move;
use serde_json::json;
use tokio::sync::broadcast;

use super::told::{Heard, Told, unix_ms};
use crate::web::card::{Card, Position};
use crate::web::view::GameView;
use referee::TimeLeft;
use referee::record::{GameRecord, Ply};
use run::Event;
use tournament::Tournament;

/// Ended games that are kept for whoever opens the wall.
const KEPT: usize = 12;
/// Ended games that the wall is told of at a time; of the others it hears the number.
const AT_ONCE: usize = 4;
/// What may wait for the page of a game.
const ROOM: usize = 64;

/// The games of a run.
#[derive(Debug)]
pub(super) struct Games {
    tournament: Tournament,
    running: BTreeMap<u64, Playing>,
    /// The last games that ended, the latest last.
    ended: VecDeque<Arc<GameRecord>>,
    /// Games of the run that have ended, those of earlier sittings included.
    finished: u64,
    /// Of [`Games::ended`], those that the wall has not been told of.
    untold: usize,
    /// Whether something is new for the wall.
    is_new: bool,
    /// Whether the run has ended.
    is_over: bool,
    pages: BTreeMap<u64, Page>,
}

/// A game in progress.
#[derive(Debug)]
struct Playing {
    bots: [usize; 2],
    opening: Arc<[Move]>,
    plies: Vec<(Ply, TimeLeft)>,
    /// Its position after so many half-moves, from when somebody last looked.
    seen: Option<(usize, Position)>,
    is_told: bool,
}

/// A game that a page shows.
#[derive(Debug)]
struct Page {
    sender: broadcast::Sender<Told>,
    view: GameView,
    /// Positions that the page has been told of, and when the half-moves after them were played.
    told: usize,
    at: Vec<Instant>,
}

impl Games {
    /// Those of a run of which `finished` games have been played before.
    pub fn of(tournament: Tournament, finished: u64) -> Games {
        Games {
            tournament,
            running: BTreeMap::new(),
            ended: VecDeque::new(),
            finished,
            untold: 0,
            is_new: false,
            is_over: false,
            pages: BTreeMap::new(),
        }
    }

    /// Something happened.
    pub fn hear(&mut self, event: Event) {
        self.is_new |= !matches!(event, Event::Tick);
        match event {
            Event::Started {
                game,
                bots,
                opening,
                ..
            } => {
                let playing = Playing {
                    bots,
                    opening,
                    plies: Vec::new(),
                    seen: None,
                    is_told: false,
                };
                self.running.insert(game.0, playing);
                let view = self.view_of(game.0);
                if let (Some(page), Some(view)) = (self.pages.get_mut(&game.0), view) {
                    // It is played once more.
                    page.told = view.frames.len();
                    page.at.clear();
                    page.view = view;
                    let _ = page.sender.send(Told::new("all", &()));
                }
            }
            Event::Ply {
                game,
                ply,
                left,
                at,
                ..
            } => {
                let Some(playing) = self.running.get_mut(&game.0) else {
                    return;
                };
                if let Some(page) = self.pages.get_mut(&game.0) {
                    page.view.add(&ply, Some(left));
                    page.at.push(at);
                }
                playing.plies.push((ply, left));
                playing.is_told = false;
            }
            Event::Finished { record } => {
                let over = self.pages.contains_key(&record.id.0);
                let over = over.then(|| GameView::of(&record, None).over).flatten();
                self.end(record.id.0, &json!({ "over": over }));
                self.ended.push_back(record);
                self.untold += 1;
                if self.ended.len() > KEPT {
                    self.ended.pop_front();
                }
            }
            Event::Saved { game } => self.end(game.0, &json!({ "over": null })),
            Event::Void { game, why, .. } => {
                self.running.remove(&game.0);
                if let Some(page) = self.pages.get(&game.0) {
                    let _ = page.sender.send(Told::new("void", &json!({ "why": why })));
                }
            }
            Event::Tick => {}
        }
    }

    /// Notes that the run has ended: no game goes on.
    pub fn end_run(&mut self) {
        self.running.clear();
        (self.is_over, self.is_new) = (true, true);
    }

    fn end(&mut self, id: u64, how: &serde_json::Value) {
        self.finished += 1;
        self.running.remove(&id);
        if let Some(mut page) = self.pages.remove(&id) {
            page.tell();
            let _ = page.sender.send(Told::new("finished", how));
        }
    }

    /// Tells pages of the half-moves of their games. Whether there are such pages.
    pub fn tell_pages(&mut self) -> bool {
        self.pages
            .retain(|_, page| page.sender.receiver_count() > 0);
        self.pages.values_mut().for_each(Page::tell);
        !self.pages.is_empty()
    }

    /// All of the wall.
    pub fn wall(&mut self) -> Told {
        self.on_wall(|_| true, KEPT)
    }

    /// What is new on the wall since it was asked for last.
    pub fn news(&mut self) -> Option<Told> {
        if !std::mem::take(&mut self.is_new) {
            return None;
        }
        let ended = std::mem::take(&mut self.untold).min(AT_ONCE);
        let told = self.on_wall(|playing| !playing.is_told, ended);
        self.running
            .values_mut()
            .for_each(|playing| playing.is_told = true);
        Some(told)
    }

    /// These of the running games, and the last of those that ended.
    fn on_wall(&mut self, shown: impl Fn(&Playing) -> bool, ended: usize) -> Told {
        let ids: Vec<u64> = self.running.keys().copied().collect();
        let (tournament, from) = (&self.tournament, self.ended.len().saturating_sub(ended));
        let ended = self.ended.iter().skip(from);
        let mut cards: Vec<Card> = ended.map(|record| Card::ended(record)).collect();
        for (&id, playing) in &mut self.running {
            if shown(playing) {
                let names = names(tournament, playing.bots);
                cards.push(Card::of(id, names, playing.position(tournament)));
            }
        }
        let wall = json!({
            "running": ids, "cards": cards, "finished": self.finished, "over": self.is_over,
        });
        Told::new("wall", &wall)
    }

    /// See [`Hub::follow`](super::Hub::follow).
    pub fn follow(&mut self, id: u64) -> Heard {
        let Some(view) = self.view_of(id) else {
            let over = Told::new("finished", &json!({ "over": null }));
            // Nobody will say any more.
            return (over, broadcast::channel(1).1);
        };
        let page = self.pages.entry(id).or_insert_with(|| Page {
            sender: broadcast::Sender::new(ROOM),
            told: view.frames.len(),
            at: Vec::new(),
            view,
        });
        (Told::new("all", &()), page.sender.subscribe())
    }

    /// A running game.
    pub fn view(&self, id: u64) -> Option<GameView> {
        let shown = self.pages.get(&id).map(|page| page.view.clone());
        shown.or_else(|| self.view_of(id))
    }

    fn view_of(&self, id: u64) -> Option<GameView> {
        let playing = self.running.get(&id)?;
        let names = names(&self.tournament, playing.bots);
        let limits = playing
            .bots
            .map(|bot| self.tournament.contestants[bot].limits);
        let (game, opening) = (self.tournament.game, &playing.opening);
        let mut view = GameView::begin(id, game, names, opening, Some(limits));
        for (ply, left) in &playing.plies {
            view.add(ply, Some(*left));
        }
        Some(view)
    }
}

fn names(tournament: &Tournament, bots: [usize; 2]) -> [String; 2] {
    bots.map(|bot| tournament.contestants[bot].name.clone())
}

impl Playing {
    /// Where it stands.
    fn position(&mut self, tournament: &Tournament) -> &Position {
        let begin = || (0, Position::new(tournament.game, &self.opening));
        let (seen, position) = self.seen.get_or_insert_with(begin);
        for (ply, _) in &self.plies[*seen..] {
            position.put(ply.played);
        }
        *seen = self.plies.len();
        position
    }
}

impl Page {
    fn tell(&mut self) {
        let new = &self.view.frames[self.told..];
        if new.is_empty() {
            return;
        }
        // A page measures how late it hears of them.
        let ages = self.at.iter().map(|at| at.elapsed().as_millis() as u64);
        let now = unix_ms();
        let at: Vec<u64> = ages.map(|age| now.saturating_sub(age)).collect();
        let told = json!({ "number": self.told, "frames": new, "at": at });
        let _ = self.sender.send(Told::new("plies", &told));
        self.told = self.view.frames.len();
        self.at.clear();
    }
}
