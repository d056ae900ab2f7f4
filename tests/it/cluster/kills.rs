//! Shards that die at any time.

use super::{alone, block_file, plan, play, quick, tables};
use crate::common::asked::{ALL_TOOLS, is_asked};
use crate::common::{RunningProgram, Workdir, once};
use tournament::Draw;

fn start(workdir: &Workdir, block: u64) -> RunningProgram {
    workdir.start(["shard", "big", "--index", &block.to_string()])
}

#[test]
fn shards_that_are_killed_at_any_time_lose_and_double_nothing() {
    let workdir = Workdir::new();
    quick(&workdir, 1200, 3);
    plan(&workdir, "big", "150");
    // The number of rounds. Each round kills at most two shards.
    let kills = if is_asked(ALL_TOOLS, "more kills of shards") {
        24
    } else {
        8
    };
    // Each run of the test kills shards at different lengths of their files.
    let mut killed = 0;
    let mut random = Draw::new(u64::from(std::process::id()), 0);
    for kill in 0..kills {
        let more = random.below(1_000_000 / kills);
        let mut shards = [0, 1].map(|other| start(&workdir, (2 * kill + other) % 4));
        for (shard, other) in shards.iter_mut().zip([0, 1]) {
            let path = block_file(&workdir, "big", (2 * kill + other) % 4);
            let length = || path.metadata().map_or(0, |data| data.len());
            let before = length();
            // The block may already be complete.
            once("it has written so much", || {
                length() >= before + more || shard.ended().is_some()
            });
            if shard.ended().is_none() {
                shard.kill();
                killed += 1;
            }
        }
        if kill % 8 == 0 {
            // A status and a merge must be possible at any time.
            workdir.succeed(["status", "big"]);
            workdir.succeed(["merge", "big"]);
        }
    }
    assert!(killed >= kills / 2, "{killed} of {} were killed", 2 * kills);
    (0..4).for_each(|block| drop(play(&workdir, "big", block)));
    assert_eq!(
        workdir.succeed(["submit", "big", "--on", "parallel", "--missing"]),
        ""
    );
    workdir.succeed(["merge", "big"]);
    assert_eq!(tables(&workdir.path("big")), alone(&workdir));
}
