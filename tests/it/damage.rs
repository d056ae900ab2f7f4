//! Disks that fail: full ones, and records that come back with other bytes than were written. A
//! run says what is wrong and goes on once it is fixed; nothing is ever read wrong in silence.

use std::fs;
use std::process::Command;

use crate::common::{Desk, both, says, table, timeless, timeless_tables, unshared};

const GAMES: usize = 60;

/// The names in a run's folder that hold the record.
const RECORD: [&str; 2] = ["arena.db", "arena.db-wal"];

/// A finished run, and its record as bytes: with its last games in the log, as after a kill, or
/// without a log, as after a clean end.
fn finished() -> Desk {
    let desk = Desk::new();
    let text = format!(
        "game = \"othello\"\ngames = {GAMES}\nmove_ms = 10000\nconcurrency = 2\n\
         [[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n"
    );
    desk.write("my.toml", &text);
    desk.succeed(["run", "my.toml", "--out", "whole"]);
    desk
}

/// The run in this folder has the games of the finished one.
#[track_caller]
fn is_whole(desk: &Desk, run: &str) {
    let tables = |run| timeless_tables(&desk.path(run));
    assert_eq!(tables(run), tables("whole"), "{run}");
}

/// What `arena` makes of a record that has been damaged: it refuses with a reason, or reads games
/// that are all as they were written. Returns whether it refused.
fn refused_or_right(desk: &Desk, what: &str, games: &[String]) -> bool {
    let output = desk.run(["report", "broken"]);
    let said = both(&output);
    if !output.status.success() {
        assert_eq!(output.status.code(), Some(4), "{what}: {said}");
        let named = said.contains("arena.db") || said.contains("of the record");
        assert!(named, "{what}: the error names the record: {said}");
        return true;
    }
    let read = timeless(&desk.path("broken/games.csv"));
    for line in read.lines() {
        assert!(games.iter().any(|game| game == line), "{what}: {line}");
    }
    false
}

#[test]
fn no_byte_of_a_record_can_change_unseen() {
    let desk = finished();
    let games = timeless(&desk.path("whole/games.csv"));
    let games: Vec<String> = games.lines().map(str::to_owned).collect();
    let sound = fs::read(desk.path("whole/arena.db")).expect("a record");
    fs::create_dir(desk.path("broken")).expect("a folder");
    let copied = fs::copy(desk.path("whole/run.toml"), desk.path("broken/run.toml"));
    copied.expect("a copy");

    let broken = desk.path("broken/arena.db");
    let reset = || RECORD.map(|name| drop(fs::remove_file(desk.path("broken").join(name))));
    // Places all over the file, in the header and near the ends of pages more than elsewhere.
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
        refused += usize::from(refused_or_right(&desk, &what, &games));
    }
    assert!(refused > 20, "most damage is seen: {refused}");
    // A file cut off anywhere.
    for part in 0..12 {
        reset();
        let length = part * sound.len() / 12 + part;
        fs::write(&broken, &sound[..length]).expect("a torn copy");
        let what = format!("cut at {length} of {}", sound.len());
        refused_or_right(&desk, &what, &games);
    }
    // With its record back, the run is what it was.
    reset();
    fs::write(&broken, &sound).expect("the copy");
    desk.succeed(["resume", "broken"]);
    is_whole(&desk, "broken");
}

#[test]
fn a_torn_log_costs_its_last_games_and_they_are_played_again() {
    let desk = finished();
    // A record all of whose games are in the log, as if the machine had stopped before any was
    // moved: copied while a reader keeps the log from being taken in.
    fs::create_dir(desk.path("live")).expect("a folder");
    {
        let live = rusqlite::Connection::open(desk.path("live/arena.db")).expect("a copy");
        live.execute_batch(
            &"PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 2;
             CREATE TABLE game
                 (id INTEGER PRIMARY KEY, record TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
             ATTACH 'WHOLE' AS whole;"
                .replace("WHOLE", &desk.path("whole/arena.db").display().to_string()),
        )
        .expect("two records");
        let copy = "INSERT INTO game SELECT id, record, sum FROM whole.game WHERE id = ?1";
        for id in 0..GAMES {
            assert_eq!(live.execute(copy, [id as i64]), Ok(1));
        }
        for name in RECORD {
            let bytes = fs::read(desk.path("live").join(name)).expect("a file of the record");
            fs::write(desk.path(format!("sound-{name}")), bytes).expect("kept");
        }
    }
    let log = fs::read(desk.path("sound-arena.db-wal")).expect("the log");
    assert!(log.len() > 100_000, "the games are in it: {}", log.len());
    for part in 0..8 {
        let run = format!("torn-{part}");
        fs::create_dir(desk.path(&run)).expect("a folder");
        let put = |name: &str, bytes: &[u8]| {
            fs::write(desk.path(&run).join(name), bytes).expect("a file");
        };
        for (name, from) in [
            ("run.toml", "whole/run.toml"),
            ("arena.db", "sound-arena.db"),
        ] {
            put(name, &fs::read(desk.path(from)).expect("a file"));
        }
        // Torn off in the middle of a page, or with noise where a page should be.
        let length = part * log.len() / 8 + 777 * part;
        let mut torn = log[..length].to_vec();
        if part % 2 == 1 {
            torn.extend([0xa5; 5000]);
        }
        put("arena.db-wal", &torn);
        desk.succeed(["resume", &run]);
        assert_eq!(table(&desk.path(&run).join("games.csv")).len(), GAMES);
        is_whole(&desk, &run);
    }
}

#[test]
fn games_that_the_record_had_and_lost_are_told() {
    let desk = finished();
    let put = |run: &str, bytes: &[u8]| {
        fs::create_dir(desk.path(run)).expect("a folder");
        for name in ["run.toml", "arena.lock"] {
            let copied = fs::copy(desk.path("whole").join(name), desk.path(run).join(name));
            copied.expect("a copy");
        }
        fs::write(desk.path(run).join("arena.db"), bytes).expect("a record");
    };
    // A record as it was 13 games earlier, and one that has gone.
    let earlier = desk.path("earlier.db");
    fs::copy(desk.path("whole/arena.db"), &earlier).expect("a copy");
    let database = rusqlite::Connection::open(&earlier).expect("a record");
    let cut = database.execute("DELETE FROM game WHERE id >= ?1", [GAMES as i64 - 13]);
    assert_eq!(cut, Ok(13));
    database.close().expect("whole");
    for (run, bytes, lost) in [
        ("earlier", fs::read(&earlier).expect("a record"), 13),
        ("none", Vec::new(), GAMES),
    ] {
        put(run, &bytes);
        let said = both(&desk.run(["resume", run]));
        let words = format!("note: the record lost {lost} games");
        says(&said, &[&words]);
        is_whole(&desk, run);
        // Once is enough.
        let said = both(&desk.run(["resume", run]));
        assert!(!said.contains("note:"), "{run}: {said}");
    }
}

/// The file may say that it has a log and not have it: the answer to the request is no proof.
#[test]
fn a_log_that_is_refused_is_told_and_the_run_goes_on_without() {
    let desk = finished();
    let arena = env!("CARGO_BIN_EXE_arena");
    for (number, (file, call, when)) in [
        ("arena.db", "pwrite64", "1"),
        ("arena.db-journal", "unlink", "1"),
        // As on a file system that cannot share memory.
        ("arena.db-shm", "mmap", "1+"),
    ]
    .into_iter()
    .enumerate()
    {
        let run = format!("refused-{number}");
        let output = Command::new("strace")
            .args(["-f", "-qq", "-o", "/dev/null", "-P"])
            .arg(desk.path(&run).join(file))
            .args(["-e", &format!("trace={call}")])
            .args(["-e", &format!("inject={call}:error=EIO:when={when}")])
            .args([arena, "run", "my.toml", "--out", &run])
            .current_dir(desk.path(""))
            .output();
        let Ok(output) = output else {
            return eprintln!("skipped: no strace here");
        };
        let said = both(&output);
        assert!(output.status.success(), "{file} {call}: {said}");
        says(&said, &["note: the record has a rollback journal"]);
        is_whole(&desk, &run);
    }
}

#[test]
fn a_run_that_cannot_be_written_is_reported() {
    let desk = finished();
    let arena = env!("CARGO_BIN_EXE_arena");
    fs::remove_file(desk.path("whole/games.csv")).expect("a table");
    let script = format!(
        "mount --bind whole whole && mount -o remount,bind,ro whole || exit 77\n\
         {arena} report whole\n"
    );
    match unshared(&desk, &script) {
        Ok(output) if output.status.code() == Some(77) => eprintln!("skipped: no mounts here"),
        Ok(output) => {
            let said = both(&output);
            assert!(output.status.success(), "{said}");
            let games = format!("{GAMES} games, 0 void");
            says(&said, &["note: no tables are written", &games]);
            assert!(!desk.path("whole/games.csv").exists());
        }
        Err(error) => eprintln!("skipped: unshare: {error}"),
    }
}

#[test]
fn a_full_disk_is_named_and_the_run_goes_on_when_there_is_room() {
    let desk = finished();
    fs::create_dir(desk.path("small")).expect("a mount point");
    let arena = env!("CARGO_BIN_EXE_arena");
    // Too small for the log of so many games, then large enough.
    let script = format!(
        "mount -t tmpfs -o size=160k none small || exit 77\n\
         {arena} run my.toml --out small/run; echo first: $?\n\
         {arena} resume small/run; echo still: $?\n\
         mount -o remount,size=50m small || exit 77\n\
         {arena} resume small/run > resumed.txt; echo then: $?\n\
         cp -r small/run copied\n"
    );
    let output = match unshared(&desk, &script) {
        Ok(output) if output.status.success() => output,
        Ok(output) => return eprintln!("skipped: no disk to fill here: {}", both(&output)),
        Err(error) => return eprintln!("skipped: unshare: {error}"),
    };
    let said = both(&output);
    says(&said, &["first: 4\n", "then: 0\n"]);
    let is_named = said.contains("the disk is full") || said.contains("No space left");
    assert!(is_named, "{said}");
    is_whole(&desk, "copied");
}

#[test]
fn a_table_that_cannot_be_written_is_named_and_made_later() {
    let desk = finished();
    let path = desk.path("whole/games.csv");
    let before = timeless(&path);
    // A folder in its place: a file cannot take it.
    fs::remove_file(&path).expect("a table");
    fs::create_dir(&path).expect("a folder");
    fs::write(path.join("in the way"), "").expect("not empty");
    let said = desk.exits(4, ["report", "whole"]);
    says(&said, &["cannot write whole/games.csv"]);
    fs::remove_dir_all(&path).expect("out of the way");
    desk.succeed(["report", "whole"]);
    assert_eq!(timeless(&path), before);
}
