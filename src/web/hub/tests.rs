use std::sync::Arc;
use std::time::Instant;

use games::{Game, parse_transcript};
use serde_json::Value;
use tokio::sync::broadcast::error::TryRecvError;

use super::live::Games;
use super::told::Told;
use referee::record::{GameId, GameRecord, Ply, Thought, Verdict};
use run::Event;
use tournament::{Catalogue, TournamentFile};

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

/// The half-moves of a transcript.
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

fn hear(games: &mut Games, events: Vec<Event>) {
    for event in events {
        games.hear(event);
    }
}

fn finished(id: u64) -> Event {
    let verdict = Verdict::Resigned(games::Side::White);
    let record = GameRecord::new(GameId(id), Game::OTHELLO, ["one", "other"], verdict);
    Event::Finished {
        record: Arc::new(record),
    }
}

fn read(told: &Told) -> Value {
    serde_json::from_str(&told.data).expect("JSON")
}

/// Quicker than any eye: of ten thousand games that end between two looks, the wall hears of a few.
#[test]
fn the_wall_hears_of_what_can_be_seen_and_counts_the_rest() {
    let mut games = games();
    assert!(games.news().is_none(), "nothing has happened");
    for id in 0..10_000 {
        games.hear(started(id));
        hear(&mut games, plies(id, "f5d6"));
        games.hear(finished(id));
    }
    games.hear(started(10_000));
    hear(&mut games, plies(10_000, "f5d6c3"));
    let told = games.news().expect("something has");
    assert!(told.data.len() < 4096, "{} bytes", told.data.len());
    let wall = read(&told);
    assert_eq!(wall["finished"], 10_000);
    assert_eq!(wall["running"], serde_json::json!([10_000]));
    let cards = wall["cards"].as_array().expect("a list");
    let ids: Vec<_> = cards.iter().map(|card| card["id"].as_u64()).collect();
    assert_eq!(ids, [9996, 9997, 9998, 9999, 10_000].map(Some));
    let [.., ended, running] = cards.as_slice() else {
        panic!("{cards:?}");
    };
    assert_eq!(ended["over"]["points"], "1–0");
    // c3 is the third square of the third row, and the third half-move.
    assert_eq!(
        (&running["last"], &running["number"]),
        (&18.into(), &3.into())
    );
    assert!(running.get("over").is_none());
    assert!(games.news().is_none(), "it has been told");
}

/// What has not changed is not told again, but to somebody who comes later.
#[test]
fn the_wall_hears_only_of_boards_that_changed() {
    let mut games = games();
    games.hear(started(1));
    games.hear(started(2));
    let cards = |told: Option<Told>| {
        let wall = read(&told.expect("something is new"));
        let cards = wall["cards"].as_array().expect("a list").clone();
        let ids = cards
            .iter()
            .map(|card| card["id"].as_u64().expect("a number"));
        (ids.collect::<Vec<_>>(), wall["running"].clone())
    };
    assert_eq!(cards(games.news()).0, [1, 2]);
    hear(&mut games, plies(2, "f5"));
    assert_eq!(cards(games.news()).0, [2]);
    games.hear(Event::Saved { game: GameId(1) });
    assert_eq!(cards(games.news()), (vec![], serde_json::json!([2])));
    assert_eq!(cards(Some(games.wall())).0, [2]);
    // A page that is opened after the end of the run hears of it, too.
    assert_eq!(read(&games.wall())["over"], false);
    games.end_run();
    assert_eq!(cards(games.news()), (vec![], serde_json::json!([])));
    let wall = read(&games.wall());
    assert_eq!(
        (&wall["over"], &wall["finished"]),
        (&true.into(), &1.into())
    );
}

#[test]
fn the_page_of_a_game_hears_of_each_half_move_of_it_and_of_nothing_else() {
    let mut games = games();
    games.hear(started(1));
    games.hear(started(2));
    let moves = plies(1, "f5d6c3d3");
    games.hear(moves[0].clone());
    let (all, mut told) = games.follow(1);
    assert_eq!(all.event, "all");
    assert_eq!(games.view(1).expect("it runs").frames.len(), 2);
    // Quick half-moves come together, the next one alone.
    hear(&mut games, moves[1..3].to_vec());
    hear(&mut games, plies(2, "f5"));
    assert!(games.tell_pages());
    games.hear(moves[3].clone());
    games.hear(finished(1));
    let heard = |told: Told| (told.event, read(&told));
    let (event, two) = heard(told.try_recv().expect("told"));
    assert_eq!((event, &two["number"]), ("plies", &2.into()));
    assert_eq!(two["at"].as_array().map(Vec::len), Some(2));
    let played = |told: &Value| -> Vec<String> {
        let frames = told["frames"].as_array().expect("a list").iter();
        frames
            .map(|frame| frame["played"].as_str().expect("a move").to_owned())
            .collect()
    };
    assert_eq!(played(&two), ["d6", "c3"]);
    let (_, one) = heard(told.try_recv().expect("told"));
    assert_eq!(
        (&one["number"], played(&one)),
        (&4.into(), vec!["d3".to_owned()])
    );
    let (event, end) = heard(told.try_recv().expect("told"));
    assert_eq!((event, &end["over"]["winner"]), ("finished", &0.into()));
    assert_eq!(told.try_recv().expect_err("no more"), TryRecvError::Closed);
    assert!(!games.tell_pages(), "the page is forgotten");
    // Of a game that has ended nothing else is said.
    let (end, mut told) = games.follow(1);
    assert_eq!(end.event, "finished");
    assert_eq!(told.try_recv().expect_err("no more"), TryRecvError::Closed);
}

#[test]
fn a_game_that_is_played_once_more_is_shown_from_its_start() {
    let mut games = games();
    games.hear(started(1));
    hear(&mut games, plies(1, "f5d6"));
    let (_, mut told) = games.follow(1);
    games.hear(Event::Void {
        game: GameId(1),
        why: "the machine stalled".to_owned(),
        waited_for: None,
    });
    games.hear(started(1));
    hear(&mut games, plies(1, "f5"));
    games.tell_pages();
    let events = ["void", "all", "plies"];
    let heard = [(); 3].map(|()| told.try_recv().expect("told"));
    assert_eq!(heard.each_ref().map(|told| told.event), events);
    assert_eq!(read(&heard[2])["number"], 1);
}
