//! Shards that die, and shards that are asked to stop.

use super::{alone, block_file, games_in, plan, play, quick, slow, tables};
use crate::common::{Desk, Running, both, nobody_is_left, once, says, unshared};

/// Kills of the test below. More of them are a matter of `ARENA_KILLS`.
const KILLS: u64 = 24;

fn start(desk: &Desk, block: u64) -> Running {
    desk.start(["shard", "big", "--index", &block.to_string()])
}

#[test]
fn shards_that_are_killed_at_any_time_lose_and_double_nothing() {
    let desk = Desk::new();
    quick(&desk, 2400, 3);
    plan(&desk, "big", "300");
    let kills = std::env::var("ARENA_KILLS").ok();
    let kills = kills.and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    // Numbers of a linear congruential generator (Knuth): every run kills at other lengths of the file.
    let mut killed = 0;
    let mut random = u64::from(std::process::id());
    for kill in 0..kills {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let more = (random >> 33) % (2_000_000 / kills);
        let mut shards = [0, 1].map(|other| start(&desk, (2 * kill + other) % 4));
        for (shard, other) in shards.iter_mut().zip([0, 1]) {
            let path = block_file(&desk, "big", (2 * kill + other) % 4);
            let length = || path.metadata().map_or(0, |data| data.len());
            let before = length();
            // It may also become whole before.
            once("it has written so much", || {
                length() >= before + more || shard.ended().is_some()
            });
            if shard.ended().is_none() {
                shard.kill();
                killed += 1;
            }
        }
        if kill % 8 == 0 {
            // What is there may be looked at, and merged, at any time.
            desk.succeed(["status", "big"]);
            desk.succeed(["merge", "big"]);
        }
    }
    assert!(killed >= kills / 2, "{killed} of {} were killed", 2 * kills);
    (0..4).for_each(|block| drop(play(&desk, "big", block)));
    assert_eq!(
        desk.succeed(["submit", "big", "--on", "parallel", "--missing"]),
        ""
    );
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
}

#[test]
fn a_merge_that_is_killed_is_done_again() {
    let desk = Desk::new();
    quick(&desk, 600, 3);
    plan(&desk, "big", "100");
    (0..3).for_each(|block| drop(play(&desk, "big", block)));
    let done = |desk: &Desk| desk.path("big/merged.json").exists();
    for step in ["arena.lock", "arena.db", "arena.db-wal", "games.csv"] {
        let mut merge = desk.start(["merge", "big"]);
        once("it has come so far", || {
            desk.path("big").join(step).exists() || done(&desk) || merge.ended().is_some()
        });
        if merge.ended().is_none() {
            merge.kill();
        }
    }
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
}

#[test]
fn a_shard_that_is_asked_to_stop_ends_its_game_and_is_to_be_run_again() {
    let desk = Desk::new();
    let marker = format!("cluster-term-{}", std::process::id());
    slow(&desk, 8, &marker);
    plan(&desk, "big", "4");
    let path = block_file(&desk, "big", 0);
    let mut shard = start(&desk, 0);
    once("a game is over", || games_in(&path) >= 1);
    shard.signal("TERM");
    let status = shard.wait();
    assert_eq!(status.code(), Some(75), "{}", shard.said());
    says(&shard.said(), &["block 0 is not whole", "run it again"]);
    nobody_is_left(&marker);
    let games = games_in(&path);
    assert!((1..8).contains(&games), "{games}");
    // Without any grace the game is given up, and nothing of it is kept.
    let mut shard = desk.start(["shard", "big", "--index", "0", "--grace", "0"]);
    once("a game is over", || games_in(&path) > games);
    shard.signal("TERM");
    assert_eq!(shard.wait().code(), Some(75), "{}", shard.said());
    nobody_is_left(&marker);
    says(&play(&desk, "big", 0), &["block 0 is whole: 8 games"]);
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
}

#[test]
fn a_file_called_stop_ends_shards_before_their_next_pair() {
    let desk = Desk::new();
    let marker = format!("cluster-stop-{}", std::process::id());
    slow(&desk, 12, &marker);
    plan(&desk, "big", "6");
    let path = block_file(&desk, "big", 0);
    let mut shard = start(&desk, 0);
    once("a game is over", || games_in(&path) >= 1);
    desk.write("big/STOP", "enough\n");
    let status = shard.wait();
    assert_eq!(status.code(), Some(0), "{}", shard.said());
    says(&shard.said(), &["the plan was stopped: enough"]);
    let games = games_in(&path);
    assert!(
        games < 12 && games.is_multiple_of(2),
        "whole pairs, not {games} games"
    );
    says(&play(&desk, "big", 0), &["block 0 is not played", "enough"]);
    says(&desk.succeed(["status", "big"]), &["stopped: enough"]);
}

#[test]
fn one_block_is_played_by_one_shard() {
    let desk = Desk::new();
    let marker = format!("cluster-two-{}", std::process::id());
    slow(&desk, 4, &marker);
    plan(&desk, "big", "2");
    let path = block_file(&desk, "big", 0);
    let mut first = start(&desk, 0);
    once("it plays", || games_in(&path) >= 1);
    // It must not be done before the other asks.
    first.signal("STOP");
    let said = desk.exits(75, ["shard", "big", "--index", "0"]);
    first.signal("CONT");
    says(&said, &["block 0 is being played by another shard"]);
    assert_eq!(first.wait().code(), Some(0), "{}", first.said());
    assert_eq!(games_in(&path), 4);
}

#[test]
fn a_full_disk_is_named_and_the_block_goes_on_when_there_is_room() {
    let desk = Desk::new();
    quick(&desk, 400, 3);
    plan(&desk, "big", "100");
    std::fs::create_dir(desk.path("small")).expect("a mount point");
    let arena = env!("CARGO_BIN_EXE_arena");
    // Too small for a block's games, then large enough.
    let script = format!(
        "mount -t tmpfs -o size=100k none small || exit 77\n\
         cp -r big small/big\n\
         {arena} shard small/big --index 0; echo first: $?\n\
         {arena} shard small/big --index 0; echo still: $?\n\
         mount -o remount,size=50m small || exit 77\n\
         {arena} shard small/big --index 0; echo then: $?\n\
         cp small/big/shards/0.jsonl big/shards/\n"
    );
    let output = match unshared(&desk, &script) {
        Ok(output) if output.status.success() => output,
        Ok(output) => return eprintln!("skipped: no disk to fill here: {}", both(&output)),
        Err(error) => return eprintln!("skipped: unshare: {error}"),
    };
    says(
        &both(&output),
        &["first: 4\n", "still: 4\n", "No space left", "then: 0\n"],
    );
    play(&desk, "big", 1);
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
}
