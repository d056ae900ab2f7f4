//! Analyses of games. The page of a game requests an analysis by a POST, and receives progress and result as events.
//!
//! Analyses run one at a time, each in its own thread. In memory, newer results replace the oldest ones. Results for
//! games of a run also stay in the run's folder. The page of a run summarises the analyses of its games, and requests
//! those of its latest games by a POST.

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::IntoResponse;
use games::formats::SavedGame;
use message::Message;
use referee::record::{GameRecord, Outcome};
use run::report::page::{self, before};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::game::known;
use super::{Context, PageResult, Visitor, address, refused};
use crate::analysis::summary::{AnalysedGame, BotSummary, summaries};
use crate::analysis::{self, Analysis, GameMoves, NotAnalysed};
use crate::web::lock;

/// Analyses a game. Calls its last argument with the number of half-moves done and the total.
pub type Analyse =
    dyn Fn(&GameMoves, &mut dyn FnMut(usize, usize)) -> Result<Analysis, NotAnalysed> + Send + Sync;

/// The most analyses that are kept, including waiting ones.
const MOST: usize = 16;
/// The most games that are kept for the summaries of runs.
const SUMMED: usize = 200;
/// The number of latest games for which the page of a run requests analyses.
const LATEST: usize = 10;

#[derive(Clone, Debug)]
pub struct AnalysisRequest {
    /// The address of the game's page, such as `/run/quick/game/17`.
    pub name: String,
    pub game: SavedGame,
    pub given: usize,
    /// The number of half-moves on the page before the analysed ones: see [`before`].
    pub before: usize,
    /// The folder and the number of a game whose analysis is kept.
    pub keep: Option<(PathBuf, u64)>,
}

/// The state as JSON: first `done` and `all`; then `analysis`, or `why` with the reason why there is none, or `broken`
/// if the arena failed.
pub type AnalysisState = watch::Receiver<Arc<str>>;

#[derive(Debug)]
struct CachedAnalysis {
    name: String,
    /// The number of moves. If the game later has a different number of moves, it is analysed again.
    moves: usize,
    known: AnalysisState,
}

impl CachedAnalysis {
    fn is_of(&self, question: &AnalysisRequest) -> bool {
        self.name == question.name && self.moves == question.game.moves.len()
    }
}

#[derive(Debug, Default)]
pub struct Analyses {
    known: Mutex<VecDeque<CachedAnalysis>>,
    /// The analysed games by their names, the oldest first.
    games: Arc<Mutex<VecDeque<(String, AnalysedGame)>>>,
    turn: Arc<Mutex<()>>,
}

impl Analyses {
    pub fn get(&self, name: &str) -> Option<AnalysisState> {
        let known = lock(&self.known);
        let found = known.iter().find(|one| one.name == name);
        found.map(|one| one.known.clone())
    }

    /// Returns the summaries of the analysed games of a run, and whether more of its games wait for analysis.
    pub fn of_run(&self, run: &str) -> (Vec<BotSummary>, bool) {
        let prefix = run_page(run, "");
        let waits =
            |one: &CachedAnalysis| one.name.starts_with(&prefix) && one.known.has_changed().is_ok();
        let is_waiting = lock(&self.known).iter().any(waits);
        let games = lock(&self.games);
        let own = games.iter().filter(|(name, _)| name.starts_with(&prefix));
        let mut seen = HashSet::new();
        let distinct = own.filter(|(_, game)| seen.insert((&game.players, &game.played.moves)));
        let own: Vec<AnalysedGame> = distinct.map(|(_, game)| game.clone()).collect();
        (summaries(&own), is_waiting)
    }

    fn has(&self, question: &AnalysisRequest) -> bool {
        lock(&self.known).iter().any(|one| one.is_of(question))
    }

    /// Starts the analysis of a game if there is none. Returns false if too many games wait or no thread can start.
    pub fn ask(&self, question: AnalysisRequest, analyse: Arc<Analyse>) -> bool {
        let mut known = lock(&self.known);
        if known.iter().any(|one| one.is_of(&question)) {
            return true;
        }
        let moves = question.game.moves.len();
        known.retain(|one| one.name != question.name);
        if known.len() >= MOST {
            // An analysis whose thread has ended is finished.
            let ended = known
                .iter()
                .position(|one| one.known.has_changed().is_err());
            let Some(ended) = ended else {
                return false;
            };
            known.remove(ended);
        }
        let (tell, told) = watch::channel(text(&json!({ "done": 0, "all": 0 })));
        let (turn, name) = (Arc::clone(&self.turn), question.name.clone());
        let games = Arc::clone(&self.games);
        let started = thread::Builder::new()
            .name("analyses a game".to_owned())
            .spawn(move || {
                let _turn = lock(&turn);
                let mut progress = |done: usize, all: usize| {
                    tell.send_replace(text(&json!({ "done": done, "all": all })));
                };
                let played = question.moves();
                let analyse = || analyse(&played, &mut progress);
                let found = catch_unwind(AssertUnwindSafe(analyse));
                tell.send_replace(text(&match found {
                    Err(_) => json!({ "broken": true }),
                    Ok(Ok(analysis)) => {
                        let mut shown = analysis::text::json(&analysis, ["black", "white"]);
                        if let Some((folder, game)) = &question.keep {
                            // Ignores errors: a folder that cannot be written keeps no analysis.
                            let _ = page::Analyses::keep(folder, [(*game, shown.clone())]);
                        }
                        shown["before"] = json!(question.before);
                        keep(&mut lock(&games), question, played, analysis);
                        json!({ "analysis": shown })
                    }
                    Ok(Err(why)) => json!({ "why": Message::from(why) }),
                }));
            });
        if started.is_ok() {
            known.push_back(CachedAnalysis {
                name,
                moves,
                known: told,
            });
        }
        started.is_ok()
    }
}

fn keep(
    games: &mut VecDeque<(String, AnalysedGame)>,
    question: AnalysisRequest,
    played: GameMoves,
    analysis: Analysis,
) {
    games.retain(|(name, _)| *name != question.name);
    if games.len() >= SUMMED {
        games.pop_front();
    }
    let game = AnalysedGame {
        players: question.game.players,
        played,
        winner: question.game.result.and_then(|result| result.winner),
        analysis,
    };
    games.push_back((question.name, game));
}

fn text(value: &Value) -> Arc<str> {
    value.to_string().into()
}

impl AnalysisRequest {
    fn moves(&self) -> GameMoves {
        GameMoves {
            start: self.game.start.clone(),
            moves: self.game.plies().collect(),
            given: self.given,
        }
    }

    fn of(name: String, record: &GameRecord, folder: Option<PathBuf>) -> AnalysisRequest {
        let before = before(record);
        // A void game may be continued.
        let keep = folder.filter(|_| record.verdict.outcome() != Outcome::Void);
        AnalysisRequest {
            name,
            given: record.opening.len() - before,
            game: record.saved(),
            before,
            keep: keep.map(|folder| (folder, record.id.0)),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisOptions {
    /// Whether the page requests the analysis by itself, without a click. Such a request must wait while a run uses
    /// cores of this machine.
    #[serde(default)]
    by_itself: bool,
}

pub async fn of_run(
    visitor: Visitor,
    Path((run, id)): Path<(String, u64)>,
    Json(wanted): Json<AnalysisOptions>,
) -> PageResult {
    let record = known(&visitor, &run, id)?;
    let folder = visitor.library.get(&run).map(|run| run.folder.clone());
    let question = AnalysisRequest::of(run_page(&run, &id.to_string()), &record, folder);
    ask(&visitor, &wanted, question)
}

/// `POST /run/quick/analysis`: analyses the latest games of the run, until too many games wait.
pub async fn latest(
    visitor: Visitor,
    Path(run): Path<String>,
    Json(wanted): Json<AnalysisOptions>,
) -> PageResult {
    let followed = visitor.run(&run).await.ok_or(StatusCode::NOT_FOUND)?;
    let games: Vec<u64> = {
        let index = followed.index();
        let latest = index.list.lines.iter().rev().take(LATEST);
        latest.map(|line| line.id).collect()
    };
    let mut answer = Ok(StatusCode::NO_CONTENT.into_response());
    for id in games {
        if let Ok(record) = known(&visitor, &run, id) {
            let (name, folder) = (run_page(&run, &id.to_string()), followed.folder.clone());
            let question = AnalysisRequest::of(name, &record, Some(folder));
            answer = ask(&visitor, &wanted, question);
        }
    }
    answer
}

/// `GET /run/quick/game/17/analysis`: progress, then the result. Other kinds of games have the same events.
pub async fn events(State(context): State<Arc<Context>>, uri: Uri) -> PageResult {
    let page = uri.path().trim_end_matches("/analysis");
    let known = context.analyses.get(page).ok_or(StatusCode::NOT_FOUND)?;
    let latest = known.clone();
    let now = move || latest.borrow().to_string();
    Ok(context.streams.of_changes(known, false, now))
}

pub async fn of_play(
    visitor: Visitor,
    Path(id): Path<String>,
    Json(wanted): Json<AnalysisOptions>,
) -> PageResult {
    let over = visitor.sessions.get(&id).filter(|one| one.is_over());
    let session = over.ok_or(StatusCode::NOT_FOUND)?;
    let (name, folder) = (format!("/play/{}", address(&id)), session.game.folder());
    let question = AnalysisRequest::of(name, &session.game.record(), Some(folder.to_owned()));
    ask(&visitor, &wanted, question)
}

pub async fn of_loaded(
    visitor: Visitor,
    Path(id): Path<u64>,
    Json(wanted): Json<AnalysisOptions>,
) -> PageResult {
    let game = visitor.loaded.get(id).ok_or(StatusCode::NOT_FOUND)?;
    let question = AnalysisRequest {
        name: format!("/loaded/{id}"),
        game: (*game).clone(),
        given: 0,
        before: 0,
        keep: None,
    };
    ask(&visitor, &wanted, question)
}

fn run_page(run: &str, game: &str) -> String {
    format!("/run/{}/game/{game}", address(run))
}

fn ask(visitor: &Visitor, wanted: &AnalysisOptions, question: AnalysisRequest) -> PageResult {
    let lang = visitor.lang();
    let analyse = visitor.site.analyse.clone().ok_or(StatusCode::NOT_FOUND)?;
    // A known analysis needs no core.
    let is_known = visitor.analyses.has(&question);
    let why = if visitor.is_busy() && !is_known {
        "busy"
    } else if wanted.by_itself && !is_known && host::are_cores_claimed() {
        "analysis.waits"
    } else if visitor.analyses.ask(question, analyse) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    } else {
        "analysis.many"
    };
    Ok(if wanted.by_itself {
        Json(json!({ "waits": lang.get(why) })).into_response()
    } else {
        refused(StatusCode::SERVICE_UNAVAILABLE, lang.get(why))
    })
}

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    #[test]
    fn an_analysis_that_panics_reports_a_failure() {
        let question = AnalysisRequest {
            name: "a game".to_owned(),
            game: SavedGame::new(Game::OTHELLO.start()),
            given: 0,
            before: 0,
            keep: None,
        };
        let analyses = Analyses::default();
        let analyse: Arc<Analyse> = Arc::new(|_, _| panic!("a hole in the search"));
        assert!(analyses.ask(question, analyse));
        let mut known = analyses.get("a game").expect("it was asked");
        // When the analysis thread ends, the sender is dropped.
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let last = runtime.expect("a runtime").block_on(async {
            while known.changed().await.is_ok() {}
            known.borrow().clone()
        });
        assert!(last.contains("broken"), "{last}");
    }
}
