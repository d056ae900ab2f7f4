//! Games in the page: a person against a bot, or two people.
//!
//! Each game is a run of its own, recorded like any other. [`begin`] starts a game, [`PlaySession`] shows it to pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use games::{Board, Game, Move, Rules, Side, format_transcript};
use message::{Message, ToValue, message};
use referee::problem::Placed;
use run::{GameState, HumanGame, Run, RunError, RunFile, Stop};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;
use tournament::{
    BotFile, Catalogue, Problem, TimeControl, Tournament, TournamentFile, given, people,
};

use super::lock;
use crate::stages::{Stage, StageSet};
use run::report::page::game_view::{BoardCard, GameView};

const MOST: usize = 12;

/// A bot that the user can choose. [`begin`] starts no other bot.
#[derive(Clone, Debug)]
pub struct Offer {
    pub sandbox: Placed<String>,
    /// The bot as in the arguments of `arena match`.
    pub word: String,
    /// The name in a list: a key of [`message`], or a literal text.
    pub name: String,
    pub games: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SquareWorth {
    /// The index of the square, row by row from a1 = 0.
    pub square: usize,
    pub rank: f64,
    /// The score in the game's units; `None` for a forced win or loss.
    pub score: Option<f64>,
    /// The number of half-moves to a forced win; negative: to a forced loss.
    pub forced: Option<i32>,
}

pub type Advise = dyn Fn(&Board) -> Vec<SquareWorth> + Send + Sync;

#[derive(Debug)]
pub struct PlaySession {
    pub id: String,
    pub begun: Instant,
    /// The request, for starting another game of the same kind; `None` if the game was not begun by such a request.
    pub wanted: Option<GameRequest>,
    pub game: HumanGame,
    changed: watch::Sender<u64>,
}

impl PlaySession {
    fn start(
        wanted: Option<GameRequest>,
        run: Run,
        people: [bool; 2],
    ) -> Result<Arc<PlaySession>, RunError> {
        let name = run.folder().file_name().unwrap_or_default();
        let (id, changed) = (name.to_string_lossy().into_owned(), watch::Sender::new(0));
        let tell = changed.clone();
        let changes = move || tell.send_modify(|version| *version += 1);
        Ok(Arc::new(PlaySession {
            id,
            begun: Instant::now(),
            wanted,
            game: HumanGame::begin(run, people, changes)?,
            changed,
        }))
    }

    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub fn is_over(&self) -> bool {
        self.game.state().has_ended()
    }

    /// Returns the position if a person is to move or the game has ended; `None` during an opening by a rule.
    pub fn position(&self) -> Option<Board> {
        let state = self.game.state();
        let idle = state.asked.is_some() || state.has_ended();
        let board = idle.then(|| self.game.position(&state).1)?;
        board.opening().is_none().then_some(board)
    }

    /// Returns the moves of the position, without the choices and offers of an opening rule: see [`games::Retraced`].
    pub fn moves(&self) -> Vec<Move> {
        let moves = self.game.position(&self.game.state()).0;
        games::counted(self.game.tournament().game, &moves)
    }

    pub fn shown(&self) -> Value {
        let state = self.game.state();
        json!({
            "view": self.view(&state),
            "people": self.game.people(&state),
            "asked": state.asked.map(Side::index),
            "since_ms": state.since.elapsed().as_millis() as u64,
            "over": state.has_ended(),
            "failed": state.failed,
            "can_take_back": self.game.taken_back(&state).is_some(),
            "again": self.wanted.is_some(),
        })
    }

    pub fn card(&self) -> BoardCard {
        BoardCard::of(&self.view(&self.game.state()))
    }

    fn view(&self, state: &GameState) -> GameView {
        let tournament = self.game.tournament();
        let bots = &tournament.contestants;
        let names = [0, 1].map(|bot| bots[bot].name.clone());
        let limits = [0, 1].map(|bot| bots[bot].limits);
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

#[derive(Debug, Default)]
pub struct Sessions(Mutex<BTreeMap<String, Arc<PlaySession>>>);

impl Sessions {
    pub fn get(&self, id: &str) -> Option<Arc<PlaySession>> {
        lock(&self.0).get(id).cloned()
    }

    pub fn running(&self, id: &str) -> Option<Arc<PlaySession>> {
        self.get(id).filter(|one| !one.is_over())
    }

    /// Returns the latest game, unless it has ended.
    pub fn latest(&self) -> Option<Arc<PlaySession>> {
        let all = lock(&self.0);
        let latest = all.values().max_by_key(|one| one.begun);
        latest.filter(|one| !one.is_over()).cloned()
    }

    /// Begins a game. To make room, removes a game that has ended, or else ends the oldest one.
    fn begin(
        &self,
        wanted: Option<GameRequest>,
        run: Run,
        people: [bool; 2],
    ) -> Result<Arc<PlaySession>, RunError> {
        let session = PlaySession::start(wanted, run, people)?;
        let mut all = lock(&self.0);
        let mut leaving = None;
        if all.len() >= MOST {
            let over = all.values().find(|one| one.is_over());
            let oldest = over.or_else(|| all.values().min_by_key(|one| one.begun));
            leaving = oldest.map(|one| one.id.clone());
        }
        let left = leaving.and_then(|id| all.remove(&id));
        all.insert(session.id.clone(), Arc::clone(&session));
        drop(all);
        if let Some(left) = left {
            leave(&left);
        }
        Ok(session)
    }

    /// Ends all games. Records an unfinished game as interrupted.
    pub fn end(&self) {
        let all = std::mem::take(&mut *lock(&self.0));
        for session in all.values() {
            leave(session);
        }
    }
}

/// Ends a game, and records it as interrupted if it is unfinished. Ignores errors: no page is left to show them.
pub fn leave(session: &PlaySession) {
    let _ = session.game.leave();
}

/// A page's request for a game. Bots and stages are indices in the server's lists.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRequest {
    pub game: String,
    pub rules: Option<String>,
    pub size: Option<i64>,
    #[serde(default)]
    pub opening: Option<String>,
    /// The players of black and white: the index of an offer; `None` for a person.
    pub seats: [Option<usize>; 2],
    pub move_ms: i64,
    /// Whether the limit applies to people, too.
    #[serde(default)]
    pub people_too: bool,
    #[serde(default)]
    pub from: Option<FromPosition>,
    #[serde(default)]
    pub stage: Option<usize>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromPosition {
    /// The run's name; empty for a loaded game.
    pub run: String,
    pub game: u64,
    pub ply: usize,
}

#[derive(Debug)]
pub enum Refused {
    /// The page requested something that does not exist.
    Bad(Message),
    Failed(Message),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        Refused::Bad(match problem.help {
            Some(help) => message!("{} ({help})", problem.what),
            None => problem.what,
        })
    }
}

impl From<RunError> for Refused {
    fn from(error: RunError) -> Refused {
        Refused::Failed(error.to_message())
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PlayContext<'a> {
    pub sessions: &'a Sessions,
    pub offers: &'a [Offer],
    pub stages: &'a [Stage],
    pub catalogue: &'a Catalogue,
    pub results: &'a Path,
}

const LONGEST: i64 = 600_000;

/// Begins the game. `moves` are those of [`GameRequest::from`].
pub fn begin(
    context: PlayContext<'_>,
    wanted: GameRequest,
    moves: &[Move],
) -> Result<Arc<PlaySession>, Refused> {
    let bad = |why: &'static str| Refused::Bad(why.into());
    if !(0..=LONGEST).contains(&wanted.move_ms) {
        return Err(bad("choose a time of at most ten minutes"));
    }
    let stage = match wanted.stage {
        Some(number) => {
            let stage = context.stages.get(number);
            Some(stage.ok_or_else(|| bad("there is no such stage"))?)
        }
        None => None,
    };
    let game = match stage {
        Some(stage) => stage.game(),
        None => Game::new(&wanted.game, wanted.rules.as_deref(), wanted.size)
            .and_then(|game| game.with_opening(wanted.opening.as_deref()))
            .map_err(|error| Refused::Bad(error.to_message()))?,
    };
    let people = wanted.seats.map(|seat| seat.is_none());
    if stage.is_none() {
        let after = game.after(moves);
        let after = after.map_err(|error| Refused::Bad(error.to_message()))?;
        if game.opening().is_some() && !moves.is_empty() {
            return Err(bad(
                "a game from a position cannot have an opening rule: choose no opening rule",
            ));
        }
        if after.ending().is_some() {
            return Err(bad("the game is over in this position"));
        }
        if people == [false; 2] {
            return Err(bad("choose a person for black or white"));
        }
    }
    let mut file = file(game, &wanted, context.offers)?;
    let here = std::env::current_dir().map_err(|error| Refused::Failed(error.to_message()))?;
    let set = |stage: &Stage, file: &TournamentFile| {
        StageSet::new(vec![stage.clone()], file, context.catalogue, &here)
    };
    let understood = |file: &TournamentFile| -> Result<Tournament, RunError> {
        Ok(match stage {
            Some(stage) => set(stage, file)?.tournament(file),
            None => file.validate(context.catalogue, &here)?,
        })
    };
    if let Some(stage) = stage {
        file.name = given(Some(format!("stage-{}", stage.name)));
    }
    // Checks everything before a folder is created.
    let tournament = understood(&file)?;
    let identities = run::introduce(&tournament, people, |_| ()).map_err(RunError::from)?;
    let folder = run::free_folder(context.results, &tournament.name)?;
    if !moves.is_empty() && stage.is_none() {
        let path = folder.join("opening.txt");
        let path = std::path::absolute(&path).unwrap_or(path);
        fs::write(&path, format!("{}\n", format_transcript(moves)))
            .map_err(RunError::system("cannot write the opening of the game"))?;
        file.openings = given(path.to_str().map(str::to_owned));
    }
    let tournament = understood(&file)?;
    let mut kept = RunFile::new(&tournament, &file, &here, &identities);
    if let Some(stage) = stage {
        kept.stages = Some(set(stage, &file)?.file());
    }
    let run = Run::begin(tournament, &kept, &folder, Stop::new())?;
    let session = context.sessions.begin(Some(wanted), run, people)?;
    folder.keep();
    Ok(session)
}

fn file(game: Game, wanted: &GameRequest, offers: &[Offer]) -> Result<TournamentFile, Refused> {
    let (mut names, mut sandbox) = (people::NAMES.into_iter(), None);
    let mut seat = |seat: Option<usize>| -> Result<BotFile, Refused> {
        let Some(number) = seat else {
            let limit = if wanted.people_too { wanted.move_ms } else { 0 };
            return Ok(people::person(names.next().unwrap_or_default(), limit));
        };
        let offer = offers.get(number);
        let offer = offer.ok_or_else(|| Refused::Bad("there is no such bot".into()))?;
        if offer.sandbox.is_some() {
            sandbox.clone_from(&offer.sandbox);
        }
        Ok(TimeControl::per_move(wanted.move_ms).of(BotFile::from_word(&offer.word)?))
    };
    let [black, white] = wanted.seats;
    let mut seats = [seat(black)?, seat(white)?];
    if black == white && black.is_some() {
        seats[1].name = given(Some("defender".to_owned()));
    }
    Ok(TournamentFile {
        sandbox,
        ..people::game_of(game, seats)
    })
}

/// Continues a game. Without `any_bot`, its bot must be in the catalogue: a foreign folder must not start a program.
pub fn go_on(
    context: PlayContext<'_>,
    folder: &Path,
    any_bot: bool,
) -> Result<Arc<PlaySession>, Refused> {
    let bad = |why: &'static str| Refused::Bad(why.into());
    let file = RunFile::read(folder)?;
    let people = people::people(&file.tournament);
    let people = people.ok_or_else(|| bad("no person plays in this run"))?;
    let is_known = |seat: usize| {
        let uses = file.tournament.bot.get(seat)?.get_ref().uses.as_ref()?;
        context.catalogue.find(uses.get_ref())
    };
    if !any_bot && (0..2).any(|seat| !people[seat] && is_known(seat).is_none()) {
        return Err(bad(
            "the bot of this game is not in the catalogue: continue the game with arena resume",
        ));
    }
    let tournament = match file.stages {
        Some(_) => StageSet::of_run(&file, context.catalogue)?.tournament(&file.tournament),
        None => file.tournament.validate(context.catalogue, &file.folder)?,
    };
    run::introduce(&tournament, people, |_| ()).map_err(RunError::from)?;
    let run = Run::resume(tournament, folder, Stop::new())?;
    if run.status().played() > 0 {
        return Err(bad("this game is over"));
    }
    Ok(context.sessions.begin(None, run, people)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game may begin in a finished position that was set up, but an opening must not end the game.
    #[test]
    fn a_game_that_cannot_begin_leaves_no_folder() {
        let results = tempfile::tempdir().expect("a folder");
        let sessions = Sessions::default();
        let context = PlayContext {
            sessions: &sessions,
            offers: &[],
            stages: &[],
            catalogue: &Catalogue::empty(),
            results: results.path(),
        };
        let wanted = |game: &str| GameRequest {
            game: game.to_owned(),
            rules: None,
            size: None,
            opening: None,
            seats: [None; 2],
            move_ms: 0,
            people_too: false,
            from: None,
            stage: None,
        };
        let gomoku = Game::new("gomoku", None, None).expect("a game");
        let five = games::parse_transcript(gomoku, "a1a2b1b2c1c2d1d2e1");
        let moves = five.expect("legal").0;
        let folders = || fs::read_dir(results.path()).expect("a folder").count();
        begin(context, wanted("gomoku"), &moves).expect_err("the game is over");
        assert_eq!(folders(), 0);
        let boxed = Offer {
            sandbox: given(Some("strict".to_owned())),
            word: "random".to_owned(),
            name: String::new(),
            games: Vec::new(),
        };
        let against = GameRequest {
            seats: [None, Some(0)],
            ..wanted("gomoku")
        };
        let asked = file(gomoku, &against, &[boxed]).expect("a file");
        assert_eq!(asked.sandbox.expect("a box").into_inner(), "strict");
        begin(context, wanted("gomoku"), &moves[..1]).expect("it begins");
        assert_eq!(folders(), 1);
        sessions.end();
    }
}
