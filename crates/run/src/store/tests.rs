//! The record on a real disk: no game twice, no partial game, no silent damage.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use games::{Game, Reason, Rules, Side};
use tempfile::TempDir;

use super::database::Database as Store;
use super::stored::StoredGame;
use super::{COMMIT_AFTER, COMMIT_GAMES, RecordNote, StoreError};
use cases::cases;
use referee::record::{Effort, Fault, GameId, GameRecord, Ground, Ply, Spent, Thought, Verdict};

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn new_record() -> (TempDir, Store) {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a new record");
    (folder, store)
}

const SHORTEST: &str = "f5d6c5f4e3f6g5e6e7";
const BEGUN: &str = "f5d6c3";

fn game(id: u64, verdict: Verdict) -> GameRecord {
    let game = Game::new("othello", None, None).expect("a built-in game");
    let moves = |text: &str| games::parse_transcript(game, text).expect("legal").0;
    let thought = Thought {
        depth: Some(9),
        score: Some(-1.5),
        nodes: Some(u64::from(u32::MAX) + 1),
        time: Some(Duration::from_micros(1200)),
        pv: moves("f5d6c3d3")[1..].to_vec(),
        spent: Spent::read(&serde_json::json!({ "price": 0.25 })),
        text: "it said \"verdict\":{\"void\"".to_owned(),
    };
    let effort = Effort {
        wall: Duration::from_micros(1234),
        cpu: None,
    };
    let played = moves(match verdict {
        Verdict::Rules { .. } => SHORTEST,
        _ => BEGUN,
    });
    let board = game.after(&played).expect("legal");
    let plies = played[1..].iter().enumerate();
    GameRecord {
        id: GameId(id),
        game,
        players: ["one".to_owned(), "=two".to_owned()],
        opening: moves("f5"),
        plies: plies
            .map(|(index, &played)| Ply {
                played,
                effort: (index == 0).then_some(effort),
                thought: if index == 0 {
                    thought.clone()
                } else {
                    Thought::default()
                },
            })
            .collect(),
        verdict,
        counts: board.counts(),
        attempts: 2,
        interruptions: [0; 2],
        started_unix_ms: 1_700_000_000_000,
        duration: Duration::from_millis(12),
        idle_cpu: [Some(Duration::from_micros(7)), None],
        unplayed: [
            Spent::default(),
            Spent::read(&serde_json::json!({ "tokens": 7 })),
        ],
        warnings: vec!["one \"left\"\n".into()],
    }
}

fn won() -> Verdict {
    Verdict::Rules {
        winner: Some(Side::Black),
        reason: Reason::DISCS,
    }
}

fn void() -> Verdict {
    Verdict::Void {
        why: "the machine stood still".into(),
    }
}

fn kept(store: &Store) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let all = store.each(|record| -> Result<(), StoreError> {
        games.push(record);
        Ok(())
    });
    all.expect("a sound record");
    games
}

#[test]
fn games_are_read_unchanged_and_in_order() {
    let folder = folder();
    let by = Side::Black;
    let faults = cases::<[String; 1]>("faults").into_iter().map(|[json]| {
        let fault: Fault = serde_json::from_str(&json).expect(&json);
        assert_eq!(serde_json::to_string(&fault).expect("JSON"), json);
        fault
    });
    let mut verdicts = vec![won(), void(), Verdict::Resigned(Side::White)];
    verdicts.extend([None, Some(by)].map(|winner| Verdict::Adjudicated {
        winner,
        ground: Ground::ALL[0],
    }));
    verdicts.push(Verdict::BothFailed([
        Fault::LineTooLong,
        Fault::ClosedOutput,
    ]));
    verdicts.extend(faults.map(|fault| Verdict::Forfeit { by, fault }));
    let games: Vec<GameRecord> = (0..).zip(verdicts).map(|(id, of)| game(id, of)).collect();

    let mut store = Store::open(folder.path()).expect("a new record");
    let now = Instant::now();
    for game in games.iter().rev() {
        store.save(game, now).expect("kept");
    }
    store.commit().expect("on disk");
    drop(store);
    let store = Store::read(folder.path()).expect("the same record");
    assert_eq!(kept(&store), games);
    assert_eq!(store.game(GameId(3)).expect("sound").as_ref(), games.get(3));
    assert_eq!(store.game(GameId(99)).expect("sound"), None);
}

#[test]
fn only_a_void_game_can_be_saved_again() {
    let (_folder, mut store) = new_record();
    let now = Instant::now();
    store.save(&game(0, won()), now).expect("kept");
    store.save(&game(1, void()), now).expect("kept");
    store.commit().expect("on disk");
    assert_eq!(
        store.ids().expect("sound"),
        BTreeSet::from([GameId(0)]),
        "a void game is to be played again"
    );
    store
        .save(&game(1, won()), now)
        .expect("in place of the void one");
    for _ in 0..2 {
        for verdict in [won(), void()] {
            let error = store.save(&game(1, verdict), now).expect_err("it is kept");
            assert!(error.to_string().contains("it was played twice"), "{error}");
        }
        store.commit().expect("on disk");
    }
    assert_eq!(store.ids().expect("sound").len(), 2);
}

#[test]
fn a_game_that_finds_the_disk_full_is_saved_once_there_is_room() {
    let (folder, mut store) = new_record();
    let seen = || Store::read(folder.path()).expect("the same record").ids();
    let now = Instant::now();
    let limit =
        |store: &Store, pages: u32| store.execute(&format!("PRAGMA max_page_count = {pages}"));
    limit(&store, 1).expect("the present number at least");
    (0..9).for_each(|id| store.save(&game(id, won()), now).expect("it waits"));
    for _ in 0..2 {
        let error = store.commit().expect_err("a new page is needed");
        assert!(matches!(error, StoreError::Full { .. }), "{error}");
        assert_eq!(seen().expect("sound").len(), 0);
    }
    limit(&store, 100).expect("a number");
    store.commit().expect("there is room");
    assert_eq!(seen().expect("sound").len(), 9);
}

#[test]
fn a_game_counts_once_it_is_committed() {
    let (folder, mut store) = new_record();
    let reader = Store::read(folder.path()).expect("the same record");
    let seen = || reader.ids().expect("sound").len();
    let start = Instant::now();

    // The game is committed `COMMIT_AFTER` later, even if no game follows.
    store.save(&game(0, won()), start).expect("kept");
    store
        .commit_if_due(start + COMMIT_AFTER.saturating_sub(Duration::from_nanos(1)))
        .expect("not yet");
    assert_eq!(seen(), 0);
    store.commit_if_due(start + COMMIT_AFTER).expect("now");
    assert_eq!(seen(), 1);

    for id in 1..COMMIT_GAMES as u64 {
        store.save(&game(id, won()), start).expect("kept");
    }
    assert_eq!(seen(), 1);
    store.save(&game(1000, won()), start).expect("kept");
    assert_eq!(seen(), 1 + COMMIT_GAMES);

    // Dropping a store commits nothing, so these games do not count.
    store.save(&game(2000, won()), start).expect("kept");
    drop(store);
    assert_eq!(seen(), 1 + COMMIT_GAMES);
}

#[test]
fn one_arena_writes_and_others_read() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a new record");
    let error = Store::open(folder.path()).expect_err("locked");
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    Store::read(folder.path()).expect("readers need no lock");
    drop(store);
    Store::open(folder.path()).expect("the lock was released");
}

#[test]
fn without_shared_memory_a_record_has_a_rollback_journal() {
    let folder = folder();
    // `SQLite` has its shared memory in this file, so a folder with this name makes shared memory impossible.
    std::fs::create_dir(folder.path().join("arena.db-shm")).expect("a folder");
    let mut store = Store::open(folder.path()).expect("a new record");
    assert!(
        matches!(store.notes(), [RecordNote::NoLog { .. }]),
        "{:?}",
        store.notes()
    );
    store.save(&game(0, won()), Instant::now()).expect("kept");
    store.commit().expect("on disk");
    let reader = Store::read(folder.path()).expect("readers can open it");
    assert_eq!(kept(&reader), [game(0, won())]);
}

#[test]
fn a_lost_game_is_noticed_but_not_a_replaced_void_one() {
    let folder = folder();
    let now = Instant::now();
    let mut store = Store::open(folder.path()).expect("a new record");
    store.save(&game(0, void()), now).expect("kept");
    store.save(&game(0, won()), now).expect("in its place");
    store.save(&game(1, won()), now).expect("kept");
    store.save(&game(2, void()), now).expect("kept");
    store.commit().expect("on disk");
    store.save(&game(3, won()), now).expect("saved");
    drop(store);
    let store = Store::open(folder.path()).expect("the same record");
    assert_eq!(store.notes(), []);
    store
        .execute("DELETE FROM game WHERE id = 1")
        .expect("gone");
    drop(store);
    let store = Store::open(folder.path()).expect("what is left");
    assert_eq!(store.notes(), [RecordNote::Lost { games: 1 }]);
}

#[test]
fn a_missing_run_is_not_an_empty_run() {
    let folder = folder();
    let error = Store::read(folder.path()).expect_err("nothing");
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    assert!(!folder.path().join("arena.db").exists());
}

#[test]
fn empty_columns_take_no_space() {
    let text = |tells: bool| {
        let mut game = game(0, won());
        if !tells {
            for ply in &mut game.plies {
                ply.thought = Thought::default();
            }
        }
        serde_json::to_string(&StoredGame::from(&game)).expect("JSON")
    };
    for column in ["depth", "score", "nodes", "time_us", "pv"].map(|name| format!("\"{name}\":")) {
        assert!(text(true).contains(&column));
        assert!(!text(false).contains(&column));
    }
}

/// The record is long enough to be read in several batches.
#[test]
fn a_long_record_is_read_in_order_up_to_the_damage() {
    let (_folder, mut store) = new_record();
    let games: Vec<GameRecord> = (0..1000).map(|id| game(3 * id, won())).collect();
    for game in &games {
        store.save(game, Instant::now()).expect("kept");
    }
    store.commit().expect("on disk");
    assert_eq!(kept(&store), games);
    let damage = "UPDATE game SET sum = sum + 1 WHERE id = 2100";
    store.connection.execute(damage, ()).expect("damaged");
    let mut seen = 0;
    let all = store.each(|record| -> Result<(), StoreError> {
        assert_eq!(record.id, games[seen].id);
        seen += 1;
        Ok(())
    });
    let shown = all.expect_err("damage").to_string();
    assert!(shown.starts_with("game 2100 in "), "{shown}");
    assert_eq!(seen, 700);
    // After `take` has failed, it is not called again.
    let mut taken = 0;
    let refused = store.each(|record| {
        taken += 1;
        Err(StoreError::Missing {
            path: record.id.0.to_string().into(),
        })
    });
    assert_eq!((refused.is_err(), taken), (true, 1));
}

#[test]
fn damage_is_reported_with_its_place() {
    let (folder, mut store) = new_record();
    store.save(&game(7, won()), Instant::now()).expect("kept");
    store.commit().expect("on disk");
    for (text, words) in cases::<(String, String)>("record-damage") {
        let sound = serde_json::to_string(&StoredGame::from(&game(7, won()))).expect("JSON");
        let damaged = match text.split_once(':') {
            Some((key, _)) => {
                let from = sound.find(key).expect("a key of the record");
                let value = from + key.len() + 1;
                let end = value + sound[value..].find([',', '}']).expect("an end");
                let end = if ["\"moves\"", "\"pv\""].contains(&key) {
                    value + sound[value..].find(']').expect("an end") + 1
                } else {
                    end
                };
                format!("{}{text}{}", &sound[..from], &sound[end..])
            }
            None => text,
        };
        store
            .connection
            .execute("UPDATE game SET record = ?1", (&damaged,))
            .expect("damaged");
        let error = store.game(GameId(7)).expect_err("damage");
        let shown = error.to_string();
        assert!(shown.starts_with("game 7 in "), "{shown}");
        assert!(shown.contains(&words), "{shown}");
    }
    drop(store);
    std::fs::write(folder.path().join("arena.db"), [7; 8192]).expect("worse");
    let error = Store::open(folder.path()).expect_err("no database");
    assert!(error.to_string().contains("not a database"), "{error}");
}

#[test]
fn a_file_of_the_record_that_is_not_regular_is_refused() {
    let names_another = |run: &std::path::Path| {
        let end = b"\0\0\0\x01/tmp/pipe\0\0\0\x09\0\0\0\0\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
        std::fs::write(run.join("arena.db-journal"), end).expect("a file");
        for opened in [Store::read(run), Store::open(run)] {
            let why = opened.expect_err("another file").to_string();
            assert!(why.contains("it names another journal"), "{why}");
        }
    };
    let (run, _) = new_record();
    names_another(run.path());
    for name in "arena.db arena.db-wal arena.db-journal arena.db-shm arena.lock".split(' ') {
        let (run, _) = new_record();
        let path = run.path().join(name);
        let _ = std::fs::remove_file(&path);
        // No program writes to this pipe, so opening it would block forever.
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if !made.is_ok_and(|made| made.success()) {
            return;
        }
        for opened in [Store::read(run.path()), Store::open(run.path())] {
            let why = opened.expect_err(name).to_string();
            assert!(why.contains("it is not a regular file"), "{name}: {why}");
        }
    }
}

#[test]
fn a_database_with_anything_but_our_table_is_refused() {
    for foreign in [
        "CREATE VIEW game2 AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON game BEGIN DELETE FROM game; END",
        "DROP TABLE game; CREATE VIEW game AS SELECT 1 AS id, '{}' AS record, 0 AS sum",
        "DROP TABLE game; CREATE TABLE game (id, record AS (zeroblob(1000000000)), sum)",
    ] {
        let run = folder();
        let store = Store::open(run.path()).expect("a record");
        store.execute(foreign).expect("SQL");
        drop(store);
        for opened in [Store::read(run.path()), Store::open(run.path())] {
            let why = opened.expect_err(foreign).to_string();
            assert!(why.contains("is not the table of an arena"), "{why}");
        }
    }
}

#[test]
fn a_name_is_bounded_as_in_a_tournament() {
    let named = |length| {
        let mut game = game(0, won());
        game.players[1] = "x".repeat(length);
        super::RawGame::of(&game).expect("a text").record()
    };
    assert!(named(200).is_ok());
    let why = named(201).expect_err("too long");
    assert_eq!(why, "the name of a bot has more than 200 bytes");
}
