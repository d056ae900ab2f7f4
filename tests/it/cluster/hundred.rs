//! Kills parts of a cluster a hundred times. The parts are chosen at random.

use std::fs;

use super::slurm::{Slurm, is_possible, kill_one_shard};
use super::{alone, block_file, games_in, plan, quick, tables};
use crate::common::{Workdir, assert_contains, once};
use tournament::Draw;

const KILLS: u64 = 100;
const BLOCKS: u64 = 200;

fn played(workdir: &Workdir) -> usize {
    (0..BLOCKS)
        .map(|block| games_in(&block_file(workdir, "big", block)))
        .sum()
}

fn while_submitted(slurm: &Slurm, workdir: &Workdir, what: &str, mut is_so: impl FnMut() -> bool) {
    // Slurm needs time to notice that a node failed.
    let mut looks = 0;
    while !is_so() {
        slurm.administer(workdir);
        if slurm.is_idle() {
            slurm.submit(workdir, &["--missing", "--at-once", "2"]);
        }
        looks += 1;
        assert!(looks < 10_000, "waited in vain: {what}\n{}", slurm.state());
    }
}

/// Run with `cargo test --test it -- --ignored --nocapture hundred`.
#[test]
#[ignore = "takes some minutes"]
fn a_hundred_kills_lose_and_double_nothing() {
    if !is_possible() {
        return;
    }
    let workdir = Workdir::new();
    let mut slurm = Slurm::start(&workdir);
    quick(&workdir, BLOCKS * 1000, 3);
    plan(&workdir, "big", "500");
    let mut random = Draw::new(u64::from(std::process::id()), 0);
    let mut below = |end: u64| random.below(end);
    let mut kinds = [0; 4];
    for _ in 0..KILLS {
        let (before, more) = (played(&workdir), below(500) as usize);
        while_submitted(&slurm, &workdir, "games are played", || {
            played(&workdir) >= before + more
        });
        let kind = below(8).min(3) as usize;
        match kind {
            0 => slurm.restart_node(&workdir, below(2) as usize),
            1 => slurm.restart_all(&workdir),
            2 => {
                let mut merge = workdir.start(["merge", "big"]);
                let steps = ["arena.lock", "arena.db-wal", "merged.json"];
                let step = workdir.path("big").join(steps[below(3) as usize]);
                once("the merge has begun", || {
                    step.exists() || merge.ended().is_some()
                });
                if merge.ended().is_none() {
                    merge.kill();
                }
            }
            _ => while_submitted(&slurm, &workdir, "a shard is killed", || {
                kill_one_shard(&workdir)
            }),
        }
        kinds[kind] += 1;
    }
    println!(
        "killed: {} nodes, {} times everything, {} merges, {} shards; {} games",
        kinds[0],
        kinds[1],
        kinds[2],
        kinds[3],
        played(&workdir)
    );
    while_submitted(&slurm, &workdir, "every block is complete", || {
        (0..BLOCKS).all(|block| games_in(&block_file(&workdir, "big", block)) == 1000)
    });
    once("nothing is left in the queue", || slurm.is_idle());
    assert_contains(
        &slurm.submit(&workdir, &["--missing"]),
        &["every block is complete"],
    );
    workdir.succeed(["merge", "big"]);
    assert_eq!(tables(&workdir.path("big")), alone(&workdir));
    let drafts = fs::read_dir(workdir.path("big")).expect("the plan");
    let drafts = drafts.flatten().map(|file| file.file_name());
    println!("left: {:?}", drafts.collect::<Vec<_>>());
}
