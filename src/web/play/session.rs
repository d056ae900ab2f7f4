//! A game with people as the page sees it.

use std::sync::Arc;
use std::time::Instant;

use games::{Board, Move, Side};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::Wanted;
use crate::web::view::GameView;
use run::{GameState, HumanGame, Run, RunError};

/// A game that is being played, or was.
#[derive(Debug)]
pub struct Session {
    /// The name of its run's folder.
    pub id: String,
    /// When it began here.
    pub begun: Instant,
    /// What it was begun with, for another game of the same kind; `None`: here it only went on.
    pub wanted: Option<Wanted>,
    /// The game itself.
    pub game: HumanGame,
    changed: watch::Sender<u64>,
}

impl Session {
    /// Begins to play the first game of `run`, or goes on with it.
    pub(super) fn start(
        wanted: Option<Wanted>,
        run: Run,
        people: [bool; 2],
    ) -> Result<Arc<Session>, RunError> {
        let name = run.folder().file_name().unwrap_or_default();
        let (id, changed) = (name.to_string_lossy().into_owned(), watch::Sender::new(0));
        let tell = changed.clone();
        let changes = move || tell.send_modify(|version| *version += 1);
        Ok(Arc::new(Session {
            id,
            begun: Instant::now(),
            wanted,
            game: HumanGame::begin(run, people, changes)?,
            changed,
        }))
    }

    /// Hears of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Whether nothing more happens in it.
    pub fn is_over(&self) -> bool {
        self.game.state().has_ended()
    }

    /// The position now, if a person is to move in it or it is over.
    pub fn position(&self) -> Option<Board> {
        let state = self.game.state();
        let idle = state.asked.is_some() || state.has_ended();
        idle.then(|| self.game.position(&state).1)
    }

    /// All moves so far, the opening's included.
    pub fn moves(&self) -> Vec<Move> {
        self.game.position(&self.game.state()).0
    }

    /// What the page shows.
    pub fn shown(&self) -> Value {
        let state = self.game.state();
        json!({
            "view": self.view(&state),
            "people": self.game.people(),
            "asked": state.asked.map(Side::index),
            "since_ms": state.since.elapsed().as_millis() as u64,
            "over": state.has_ended(),
            "failed": state.failed,
            "can_take_back": self.game.taken_back(&state).is_some(),
            "again": self.wanted.is_some(),
        })
    }

    fn view(&self, state: &GameState) -> GameView {
        let tournament = self.game.tournament();
        let names = self.game.names().map(str::to_owned);
        let limits = [0, 1].map(|bot| tournament.contestants[bot].limits);
        if let Some(record) = &state.over {
            return GameView::of(record, Some(limits));
        }
        let opening = self.game.opening();
        let mut view = GameView::begin(0, tournament.game, names, opening, Some(limits));
        for ply in &state.plies {
            view.add(ply, None);
        }
        view
    }
}
