//! The running games of this arena, for any number of pages.
//!
//! One thread takes new events from the run ([`Watcher`]) and keeps them ([`Games`]). It makes events for pages only
//! while a page listens, and makes each event once for all pages. A wall of boards gets the latest positions every 100
//! ms; the page of a game gets each half-move. Channels are bounded: the thread never waits for a page, and a page
//! that is too slow gets the whole state again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use games::Move;
use referee::TimeLeft;
use referee::record::{GameRecord, Ply};
use run::{Event, Watcher, unix_ms};
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast;
use tournament::Tournament;

use super::lock;
use run::report::page::game_view::{BoardCard, GameView};

#[derive(Clone, Debug)]
pub struct PageEvent {
    pub event: &'static str,
    pub data: Arc<str>,
}

impl PageEvent {
    fn new(event: &'static str, data: &impl Serialize) -> PageEvent {
        let data = serde_json::to_string(data).unwrap_or_default().into();
        PageEvent { event, data }
    }
}

/// The current state, and the events after it.
pub type Subscription = (PageEvent, broadcast::Receiver<PageEvent>);

/// The time between two reads while a page shows a game.
const GAME: Duration = Duration::from_millis(10);
/// The time between two reads while a page shows the wall: 10 Hz is enough for a viewer.
const WALL: Duration = Duration::from_millis(100);
/// The time between two reads while no page is open; it is short, so that few events pile up.
const IDLE: Duration = Duration::from_millis(250);
/// The capacity of the wall's channel.
const ROOM: usize = 16;

#[derive(Debug)]
pub struct Hub {
    pub run: String,
    games: Mutex<Games>,
    wall: broadcast::Sender<PageEvent>,
    is_over: AtomicBool,
    listens: Mutex<Option<JoinHandle<()>>>,
}

impl Hub {
    /// Follows the run `run`, which has `played` ended games, until [`Hub::end`].
    pub fn start(
        run: String,
        tournament: Tournament,
        played: u64,
        watcher: Watcher,
    ) -> Result<Arc<Hub>, std::io::Error> {
        let hub = Arc::new(Hub {
            run,
            games: Mutex::new(Games::of(tournament, played)),
            wall: broadcast::Sender::new(ROOM),
            is_over: AtomicBool::new(false),
            listens: Mutex::default(),
        });
        let listening = Arc::clone(&hub);
        let listens = thread::Builder::new()
            .name("follows a run".to_owned())
            .spawn(move || listening.listen(watcher))?;
        *lock(&hub.listens) = Some(listens);
        Ok(hub)
    }

    /// Ends the hub. Pages receive the last events and then the end.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        let listens = lock(&self.listens).take();
        if let Some(listens) = listens {
            listens.thread().unpark();
            let _ = listens.join();
        }
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    pub fn wall(&self) -> Subscription {
        // Only the holder of this lock sends events, so no event is lost between reading and subscribing.
        let mut games = lock(&self.games);
        let subscription = (games.wall(), self.wall.subscribe());
        drop(games);
        self.look_now();
        subscription
    }

    /// Subscribes to a game; if it is not running, only its end is sent.
    pub fn follow(&self, id: u64) -> Subscription {
        let subscription = lock(&self.games).follow(id);
        self.look_now();
        subscription
    }

    pub fn game(&self, id: u64) -> Option<GameView> {
        lock(&self.games).view(id)
    }

    /// Returns the latest position of the lowest-numbered running game; without a running game, of the last ended one.
    pub fn latest(&self) -> Option<BoardCard> {
        let mut games = lock(&self.games);
        let Games {
            tournament,
            running,
            ended,
            ..
        } = &mut *games;
        let first = running
            .iter_mut()
            .next()
            .map(|(&id, playing)| BoardCard::of(playing.position(id, tournament)));
        first.or_else(|| Some(BoardCard::ended(ended.back()?)))
    }

    pub fn first_running(&self) -> Option<u64> {
        lock(&self.games).running.keys().next().copied()
    }

    /// Wakes the reading thread when a page opens, since the known positions may be old.
    fn look_now(&self) {
        if let Some(listens) = &*lock(&self.listens) {
            listens.thread().unpark();
        }
    }

    fn listen(&self, mut watcher: Watcher) {
        let mut wall_sent = Instant::now();
        loop {
            let is_over = self.is_over();
            let mut games = lock(&self.games);
            for event in watcher.now() {
                games.take(event);
            }
            if is_over {
                games.end_run();
            }
            let has_pages = games.send_to_pages();
            let has_wall = self.wall.receiver_count() > 0;
            if has_wall && (is_over || wall_sent.elapsed() >= WALL) {
                wall_sent = Instant::now();
                if let Some(event) = games.wall_changes() {
                    let _ = self.wall.send(event);
                }
            }
            drop(games);
            if is_over {
                return;
            }
            thread::park_timeout(match (has_pages, has_wall) {
                (true, _) => GAME,
                (false, true) => WALL.saturating_sub(wall_sent.elapsed()),
                (false, false) => IDLE,
            });
        }
    }
}

/// The number of ended games that are kept for new pages of the wall.
const KEPT: usize = 12;
/// The most ended games per event for the wall; further ended games are only counted.
const AT_ONCE: usize = 4;
const ROOM_OF_A_GAME: usize = 64;

/// The games of a run, and their events. Makes positions and texts only when a page needs them, and never waits.
#[derive(Debug)]
struct Games {
    tournament: Tournament,
    running: BTreeMap<u64, Playing>,
    /// The last ended games, the newest last.
    ended: VecDeque<Arc<GameRecord>>,
    /// The number of ended games, including games played before this server started.
    finished: u64,
    /// The number of ended games that the wall has not received.
    unsent: usize,
    /// Whether the wall has changed since its last event.
    is_new: bool,
    is_over: bool,
    pages: BTreeMap<u64, LivePage>,
}

#[derive(Debug)]
struct Playing {
    bots: [usize; 2],
    opening: Arc<[Move]>,
    plies: Vec<(Ply, TimeLeft)>,
    /// The position at the last read, with its number of half-moves.
    seen: Option<(usize, GameView)>,
    is_sent: bool,
}

#[derive(Debug)]
struct LivePage {
    sender: broadcast::Sender<PageEvent>,
    view: GameView,
    /// The number of positions sent. `at` has the times of the half-moves that are not yet sent.
    sent: usize,
    at: Vec<Instant>,
}

impl Games {
    fn of(tournament: Tournament, finished: u64) -> Games {
        Games {
            tournament,
            running: BTreeMap::new(),
            ended: VecDeque::new(),
            finished,
            unsent: 0,
            is_new: false,
            is_over: false,
            pages: BTreeMap::new(),
        }
    }

    fn take(&mut self, event: Event) {
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
                    is_sent: false,
                };
                self.running.insert(game.0, playing);
                let view = self.view_of(game.0);
                if let (Some(page), Some(view)) = (self.pages.get_mut(&game.0), view) {
                    // The game has begun again as another attempt.
                    page.sent = view.frames.len();
                    page.at.clear();
                    page.view = view;
                    let _ = page.sender.send(PageEvent::new("all", &()));
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
                    if let Move::Choose(_) = ply.played {
                        // A choice in an opening changes a frame that is already sent, and may swap the players.
                        page.sent = page.view.frames.len();
                        page.at.clear();
                        let _ = page.sender.send(PageEvent::new("all", &()));
                    }
                }
                playing.plies.push((ply, left));
                playing.is_sent = false;
            }
            Event::Finished { record } => {
                let over = self.pages.contains_key(&record.id.0);
                let over = over.then(|| GameView::of(&record, None).over).flatten();
                self.end(record.id.0, &json!({ "over": over }));
                self.ended.push_back(record);
                self.unsent += 1;
                if self.ended.len() > KEPT {
                    self.ended.pop_front();
                }
            }
            Event::Saved { game } => self.end(game.0, &json!({ "over": null })),
            Event::Void { game, why, .. } => {
                self.running.remove(&game.0);
                if let Some(page) = self.pages.get(&game.0) {
                    let _ = page
                        .sender
                        .send(PageEvent::new("void", &json!({ "why": why })));
                }
            }
            Event::Tick => {}
        }
    }

    fn end_run(&mut self) {
        self.running.clear();
        (self.is_over, self.is_new) = (true, true);
    }

    fn end(&mut self, id: u64, how: &serde_json::Value) {
        self.finished += 1;
        self.running.remove(&id);
        if let Some(mut page) = self.pages.remove(&id) {
            page.send();
            let _ = page.sender.send(PageEvent::new("finished", how));
        }
    }

    /// Sends the new half-moves of each game to the pages that show it. Returns whether there are such pages.
    fn send_to_pages(&mut self) -> bool {
        self.pages
            .retain(|_, page| page.sender.receiver_count() > 0);
        self.pages.values_mut().for_each(LivePage::send);
        !self.pages.is_empty()
    }

    fn wall(&mut self) -> PageEvent {
        self.on_wall(|_| true, KEPT)
    }

    fn wall_changes(&mut self) -> Option<PageEvent> {
        if !std::mem::take(&mut self.is_new) {
            return None;
        }
        let ended = std::mem::take(&mut self.unsent).min(AT_ONCE);
        let event = self.on_wall(|playing| !playing.is_sent, ended);
        self.running
            .values_mut()
            .for_each(|playing| playing.is_sent = true);
        Some(event)
    }

    /// Makes an event from the running games that `shown` selects and the last `ended` games.
    fn on_wall(&mut self, shown: impl Fn(&Playing) -> bool, ended: usize) -> PageEvent {
        let ids: Vec<u64> = self.running.keys().copied().collect();
        let (tournament, from) = (&self.tournament, self.ended.len().saturating_sub(ended));
        let ended = self.ended.iter().skip(from);
        let mut cards: Vec<BoardCard> = ended.map(|record| BoardCard::ended(record)).collect();
        for (&id, playing) in &mut self.running {
            if shown(playing) {
                cards.push(BoardCard::of(playing.position(id, tournament)));
            }
        }
        let wall = json!({
            "running": ids, "cards": cards, "finished": self.finished, "over": self.is_over,
        });
        PageEvent::new("wall", &wall)
    }

    fn follow(&mut self, id: u64) -> Subscription {
        let Some(view) = self.view_of(id) else {
            let over = PageEvent::new("finished", &json!({ "over": null }));
            // Nothing holds the sender, so the channel is closed: no event will follow.
            return (over, broadcast::channel(1).1);
        };
        let page = self.pages.entry(id).or_insert_with(|| LivePage {
            sender: broadcast::Sender::new(ROOM_OF_A_GAME),
            sent: view.frames.len(),
            at: Vec::new(),
            view,
        });
        let number = page.view.frames.len();
        let all = PageEvent::new("all", &json!({ "number": number }));
        (all, page.sender.subscribe())
    }

    fn view(&self, id: u64) -> Option<GameView> {
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
    fn position(&mut self, id: u64, tournament: &Tournament) -> &GameView {
        let names = names(tournament, self.bots);
        let begin = || GameView::plain(id, tournament.game, names, &self.opening);
        let (seen, view) = self.seen.get_or_insert_with(|| (0, begin()));
        for (ply, _) in &self.plies[*seen..] {
            view.add(ply, None);
        }
        *seen = self.plies.len();
        view
    }
}

impl LivePage {
    fn send(&mut self) {
        let new = &self.view.frames[self.sent..];
        if new.is_empty() {
            return;
        }
        // The page computes its delay from these times.
        let ages = self.at.iter().map(|at| at.elapsed().as_millis() as u64);
        let now = unix_ms();
        let at: Vec<u64> = ages.map(|age| now.saturating_sub(age)).collect();
        let event = json!({ "number": self.sent, "frames": new, "at": at });
        let _ = self.sender.send(PageEvent::new("plies", &event));
        self.sent = self.view.frames.len();
        self.at.clear();
    }
}

#[cfg(test)]
mod tests {
    use games::{Game, parse_transcript};
    use referee::record::{GameId, Thought, Verdict};
    use serde_json::Value;
    use tokio::sync::broadcast::error::TryRecvError;
    use tournament::{Catalogue, TournamentFile};

    use super::*;

    fn games() -> Games {
        let text = "game = 'othello'\nopenings = 'none'\n\
                    [[bot]]\nname = 'one'\ncommand = ['never started']\n\
                    [[bot]]\nname = 'other'\ncommand = ['never started']\n";
        let file = TournamentFile::parse(text).expect("TOML");
        let tournament = file.validate(&Catalogue::empty(), std::path::Path::new("."));
        Games::of(tournament.expect("a tournament"), 0)
    }

    fn started(id: u64) -> Event {
        Event::Started {
            game: GameId(id),
            bots: [0, 1],
            opening: [].into(),
            attempt: 1,
        }
    }

    fn plies(id: u64, moves: &str) -> Vec<Event> {
        let (moves, _) = parse_transcript(Game::OTHELLO, moves).expect("legal");
        let ply = |(number, played)| Event::Ply {
            game: GameId(id),
            number,
            ply: Ply {
                played,
                effort: None,
                thought: Thought::default(),
            },
            left: [None; 2],
            at: Instant::now(),
        };
        moves.into_iter().enumerate().map(ply).collect()
    }

    fn take_all(games: &mut Games, events: Vec<Event>) {
        for event in events {
            games.take(event);
        }
    }

    fn finished(id: u64) -> Event {
        let verdict = Verdict::Resigned(games::Side::White);
        let record = GameRecord::new(GameId(id), Game::OTHELLO, ["one", "other"], verdict);
        Event::Finished {
            record: Arc::new(record),
        }
    }

    fn read(event: &PageEvent) -> Value {
        serde_json::from_str(&event.data).expect("JSON")
    }

    #[test]
    fn the_wall_gets_visible_games_and_counts_the_rest() {
        let mut games = games();
        assert!(games.wall_changes().is_none(), "nothing has happened");
        for id in 0..10_000 {
            games.take(started(id));
            take_all(&mut games, plies(id, "f5d6"));
            games.take(finished(id));
        }
        games.take(started(10_000));
        take_all(&mut games, plies(10_000, "f5d6c3"));
        let event = games.wall_changes().expect("the wall has changed");
        assert!(event.data.len() < 4096, "{} bytes", event.data.len());
        let wall = read(&event);
        assert_eq!(wall["finished"], 10_000);
        assert_eq!(wall["running"], json!([10_000]));
        let ids = |wall: &Value| -> Vec<u64> {
            let cards = wall["cards"].as_array().expect("a list").iter();
            cards
                .map(|card| card["id"].as_u64().expect("a number"))
                .collect()
        };
        assert_eq!(ids(&wall), [9996, 9997, 9998, 9999, 10_000]);
        let cards = wall["cards"].as_array().expect("a list");
        let [.., ended, running] = cards.as_slice() else {
            panic!("{cards:?}");
        };
        assert_eq!(ended["over"]["points"], "1–0");
        // 18 is c3: third row, third square. It is the third half-move.
        assert_eq!(
            (&running["last"], &running["number"]),
            (&18.into(), &3.into())
        );
        assert!(running.get("over").is_none());
        assert!(games.wall_changes().is_none(), "the change was sent before");
        // A later event has only the changed boards.
        let changes = [
            (vec![started(10_001)], vec![10_001], vec![10_000, 10_001]),
            (plies(10_001, "f5"), vec![10_001], vec![10_000, 10_001]),
            (
                vec![Event::Saved {
                    game: GameId(10_000),
                }],
                vec![],
                vec![10_001],
            ),
        ];
        for (events, changed, running) in changes {
            take_all(&mut games, events);
            let wall = read(&games.wall_changes().expect("a change"));
            assert_eq!(ids(&wall), changed);
            assert_eq!(wall["running"], json!(running));
        }
        games.end_run();
        let end = read(&games.wall_changes().expect("the end"));
        assert_eq!((&end["over"], &end["cards"]), (&true.into(), &json!([])));
    }

    #[test]
    fn the_page_of_a_game_gets_only_its_half_moves() {
        let mut games = games();
        games.take(started(1));
        games.take(started(2));
        let moves = plies(1, "f5d6c3d3");
        games.take(moves[0].clone());
        let (all, mut receiver) = games.follow(1);
        assert_eq!((all.event, &read(&all)["number"]), ("all", &2.into()));
        assert_eq!(games.view(1).expect("it runs").frames.len(), 2);
        // Half-moves in quick succession come in one event; the next half-move comes alone.
        take_all(&mut games, moves[1..3].to_vec());
        take_all(&mut games, plies(2, "f5"));
        assert!(games.send_to_pages());
        games.take(moves[3].clone());
        games.take(finished(1));
        let received = |event: PageEvent| (event.event, read(&event));
        let (event, two) = received(receiver.try_recv().expect("an event"));
        assert_eq!((event, &two["number"]), ("plies", &2.into()));
        assert_eq!(two["at"].as_array().map(Vec::len), Some(2));
        let played = |event: &Value| -> Vec<String> {
            let frames = event["frames"].as_array().expect("a list").iter();
            frames
                .map(|frame| frame["played"].as_str().expect("a move").to_owned())
                .collect()
        };
        assert_eq!(played(&two), ["d6", "c3"]);
        let (_, one) = received(receiver.try_recv().expect("an event"));
        assert_eq!(
            (&one["number"], played(&one)),
            (&4.into(), vec!["d3".to_owned()])
        );
        let (event, end) = received(receiver.try_recv().expect("an event"));
        assert_eq!((event, &end["over"]["winner"]), ("finished", &0.into()));
        assert_eq!(
            receiver.try_recv().expect_err("the stream has ended"),
            TryRecvError::Closed
        );
        assert!(!games.send_to_pages(), "the page is forgotten");
        // An ended game has no other events.
        let (end, mut receiver) = games.follow(1);
        assert_eq!(end.event, "finished");
        assert_eq!(
            receiver.try_recv().expect_err("the stream has ended"),
            TryRecvError::Closed
        );
    }

    #[test]
    fn a_game_that_is_played_once_more_is_shown_from_its_start() {
        let mut games = games();
        games.take(started(1));
        take_all(&mut games, plies(1, "f5d6"));
        let (_, mut receiver) = games.follow(1);
        games.take(Event::Void {
            game: GameId(1),
            why: "the machine stalled".into(),
            waited_for: None,
        });
        games.take(started(1));
        take_all(&mut games, plies(1, "f5"));
        games.send_to_pages();
        let events = ["void", "all", "plies"];
        let received = [(); 3].map(|()| receiver.try_recv().expect("an event"));
        assert_eq!(received.each_ref().map(|event| event.event), events);
        assert_eq!(read(&received[2])["number"], 1);
    }
}
