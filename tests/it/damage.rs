//! Damaged records are never silently misread. `tests/scripts/damage.txt` has full disks and similar cases.

use std::fs;

use crate::common::{Workdir, both, table, timeless, timeless_tables};

const GAMES: usize = 60;

const RECORD: [&str; 2] = ["arena.db", "arena.db-wal"];

fn finished() -> Workdir {
    let workdir = Workdir::new();
    let text = format!(
        "game = \"othello\"\ngames = {GAMES}\nmove_ms = 10000\nconcurrency = 2\n\
         [[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n"
    );
    workdir.write("my.toml", &text);
    workdir.succeed(["run", "my.toml", "--out", "whole"]);
    workdir
}

#[track_caller]
fn is_whole(workdir: &Workdir, run: &str) {
    let tables = |run| timeless_tables(&workdir.path(run));
    assert_eq!(tables(run), tables("whole"), "{run}");
}

/// Checks that `arena` refuses a damaged record with a reason, or reads only correct games. Returns whether it refused.
fn refused_or_right(workdir: &Workdir, what: &str, games: &[String]) -> bool {
    let output = workdir.run(["report", "broken"]);
    let printed = both(&output);
    if !output.status.success() {
        assert_eq!(output.status.code(), Some(4), "{what}: {printed}");
        let named = printed.contains("arena.db") || printed.contains("of the record");
        assert!(named, "{what}: the error names the record: {printed}");
        return true;
    }
    let read = timeless(&workdir.path("broken/games.csv"));
    for line in read.lines() {
        assert!(games.iter().any(|game| game == line), "{what}: {line}");
    }
    false
}

#[test]
fn no_byte_of_a_record_can_change_unseen() {
    let workdir = finished();
    let games = timeless(&workdir.path("whole/games.csv"));
    let games: Vec<String> = games.lines().map(str::to_owned).collect();
    let sound = fs::read(workdir.path("whole/arena.db")).expect("a record");
    fs::create_dir(workdir.path("broken")).expect("a folder");
    let copied = fs::copy(
        workdir.path("whole/run.toml"),
        workdir.path("broken/run.toml"),
    );
    copied.expect("a copy");

    let broken = workdir.path("broken/arena.db");
    let reset = || RECORD.map(|name| drop(fs::remove_file(workdir.path("broken").join(name))));
    // Damages bytes of the header and of the first page, and forty bytes spread over the whole file.
    let step = sound.len() / 40;
    let header = [
        0, 16, 18, 24, 28, 40, 44, 52, 56, 60, 68, 92, 100, 103, 105, 107, 108, 120,
    ];
    let places = header
        .into_iter()
        .chain((0..40).map(|part| part * step + 13 * part));
    let mut refused = 0;
    for place in places {
        reset();
        let mut bytes = sound.clone();
        bytes[place] ^= 0x15;
        fs::write(&broken, bytes).expect("a damaged copy");
        let what = format!("byte {place} of {}", sound.len());
        refused += usize::from(refused_or_right(&workdir, &what, &games));
    }
    assert!(refused > 20, "most damage is seen: {refused}");
    for part in 0..12 {
        reset();
        let length = part * sound.len() / 12 + part;
        fs::write(&broken, &sound[..length]).expect("a torn copy");
        let what = format!("cut at {length} of {}", sound.len());
        refused_or_right(&workdir, &what, &games);
    }
    // With the original record, `arena` reads the run again.
    reset();
    fs::write(&broken, &sound).expect("the copy");
    workdir.succeed(["resume", "broken"]);
    is_whole(&workdir, "broken");
}

#[test]
fn a_torn_log_costs_its_last_games_and_they_are_played_again() {
    let workdir = finished();
    // Copies a record with all games in the log, as after a power failure. Closing it first would move the games.
    fs::create_dir(workdir.path("live")).expect("a folder");
    {
        let live = rusqlite::Connection::open(workdir.path("live/arena.db")).expect("a copy");
        live.execute_batch(
            &"PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 2;
             CREATE TABLE game
                 (id INTEGER PRIMARY KEY, record TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
             ATTACH 'WHOLE' AS whole;"
                .replace(
                    "WHOLE",
                    &workdir.path("whole/arena.db").display().to_string(),
                ),
        )
        .expect("two records");
        let copy = "INSERT INTO game SELECT id, record, sum FROM whole.game WHERE id = ?1";
        for id in 0..GAMES {
            assert_eq!(live.execute(copy, [id as i64]), Ok(1));
        }
        for name in RECORD {
            let bytes = fs::read(workdir.path("live").join(name)).expect("a file of the record");
            fs::write(workdir.path(format!("sound-{name}")), bytes).expect("kept");
        }
    }
    let log = fs::read(workdir.path("sound-arena.db-wal")).expect("the log");
    assert!(log.len() > 100_000, "the games are in it: {}", log.len());
    for part in 0..8 {
        let run = format!("torn-{part}");
        fs::create_dir(workdir.path(&run)).expect("a folder");
        let put = |name: &str, bytes: &[u8]| {
            fs::write(workdir.path(&run).join(name), bytes).expect("a file");
        };
        for (name, from) in [
            ("run.toml", "whole/run.toml"),
            ("arena.db", "sound-arena.db"),
        ] {
            put(name, &fs::read(workdir.path(from)).expect("a file"));
        }
        // Truncates the log in the middle of a page.
        let length = part * log.len() / 8 + 777 * part;
        let mut torn = log[..length].to_vec();
        if part % 2 == 1 {
            torn.extend([0xa5; 5000]);
        }
        put("arena.db-wal", &torn);
        workdir.succeed(["resume", &run]);
        assert_eq!(table(&workdir.path(&run).join("games.csv")).len(), GAMES);
        is_whole(&workdir, &run);
    }
}
