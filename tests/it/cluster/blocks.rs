//! The number of blocks changes no game, and where they come from is told by schedulers.

use super::{alone, block_file, games_in, plan, play, quick, round_robin, tables};
use crate::common::{Desk, says};

#[test]
fn one_seven_and_forty_blocks_make_the_tables_of_one_run() {
    let desk = Desk::new();
    // Ten pairings of four pairs: forty.
    round_robin(&desk, 8);
    let expected = alone(&desk);
    for (block, blocks) in [("40", 1), ("6", 7), ("1", 40)] {
        let folder = format!("in-{blocks}");
        plan(&desk, &folder, block);
        // The last first: the order in which they are played changes nothing either.
        (0..blocks)
            .rev()
            .for_each(|block| drop(play(&desk, &folder, block)));
        desk.succeed(["merge", &folder]);
        assert_eq!(tables(&desk.path(&folder)), expected, "{blocks} blocks");
        // Like any other run.
        let report = desk.succeed(["report", &folder]);
        says(&report, &["80 games, 0 void"]);
        assert_eq!(tables(&desk.path(&folder)), expected);
    }
}

#[test]
fn a_scheduler_says_which_block_it_is() {
    let desk = Desk::new();
    quick(&desk, 12, 1);
    plan(&desk, "big", "2");
    for (variable, value, block) in [
        ("SLURM_ARRAY_TASK_ID", "0", 0),
        ("JOB_COMPLETION_INDEX", "1", 1),
        // GNU parallel counts from 1.
        ("PARALLEL_SEQ", "3", 2),
    ] {
        let mut shard = desk.arena(["shard", "big"]);
        let output = shard.env(variable, value).output().expect("it starts");
        assert!(output.status.success(), "{}", crate::common::both(&output));
        assert_eq!(games_in(&block_file(&desk, "big", block)), 4, "{variable}");
    }
    let said = desk.exits(2, ["shard", "big"]);
    says(&said, &["which block is to be played?", "--index N"]);
    let status = desk.succeed(["status", "big"]);
    says(
        &status,
        &[
            "3 of 3 blocks are whole",
            "12 of 12 games",
            "not merged yet",
        ],
    );
}

#[test]
fn a_plan_can_be_taken_elsewhere_with_its_bots() {
    let desk = Desk::new();
    // Names that tools and the arena use, too.
    for part in ["mine/results", "mine/target"] {
        std::fs::create_dir_all(desk.path(part)).expect("a folder");
    }
    let script = "import sys\nsys.path += ['results', 'target']\nfrom helper import main\nmain()\n";
    desk.write("mine/bot.py", script);
    let helper = r#"
import json, sys
from chooser import choose
def main():
    for line in sys.stdin:
        m = json.loads(line)
        if m["type"] == "hello":
            print(json.dumps({"type": "ready", "name": "mine"}), flush=True)
        elif m["type"] == "turn":
            print(json.dumps({"type": "move", "id": m["id"], "move": choose(m["legal"])}), flush=True)
        elif m["type"] == "quit":
            break
"#;
    desk.write("mine/results/helper.py", helper);
    desk.write(
        "mine/target/chooser.py",
        "def choose(legal):\n    return legal[0]\n",
    );
    desk.write(
        "mine/bot.toml",
        "command = [\"python3\", \"bot.py\"]\ngames = [\"othello\"]\n",
    );
    desk.write("my.txt", "f5d6c3\nf5f6e6\n");
    let text = "game = \"othello\"\ngames = 4\nopenings = \"my.txt\"\n\
                [[bot]]\nuse = \"mine\"\n[[bot]]\nuse = \"greedy\"\n";
    desk.write("my.toml", text);
    let expected = alone(&desk);
    plan(&desk, "big", "1");
    std::fs::rename(desk.path("big"), desk.path("elsewhere")).expect("it moves");
    // What it was made from is gone.
    std::fs::remove_dir_all(desk.path("mine")).expect("it is there");
    std::fs::remove_file(desk.path("my.txt")).expect("it is there");
    (0..2).for_each(|block| drop(play(&desk, "elsewhere", block)));
    desk.succeed(["merge", "elsewhere"]);
    assert_eq!(tables(&desk.path("elsewhere")), expected);
}
