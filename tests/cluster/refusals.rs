//! Plans that cannot be played, or not here.

use std::fs;

use super::common::{Desk, says};
use super::{plan, play, quick};

#[test]
fn another_arena_another_bot_and_another_block_are_refused() {
    let desk = Desk::new();
    let bot = fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/misbehave.py"),
    );
    desk.write("bot.py", &bot.expect("a bot"));
    let bot = "[[bot]]\nname = \"mine\"\ncommand = [\"python3\", \"bot.py\", \"none\"]\n";
    desk.write(
        "my.toml",
        &format!("game = \"othello\"\ngames = 4\n{bot}[[bot]]\nuse = \"greedy\"\n"),
    );
    plan(&desk, "big", "1");
    says(
        &desk.exits(2, ["shard", "big", "--index", "2"]),
        &["there is no block 2: the plan has blocks 0 to 1"],
    );
    let file = desk.path("big/plan.json");
    let text = fs::read_to_string(&file).expect("a plan");
    let changed = |from: &str, to: &str, words: &[&str]| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        fs::write(&file, changed).expect("written");
        says(&desk.exits(2, ["shard", "big", "--index", "0"]), words);
    };
    let version = format!("\"arena\": \"{}\"", env!("CARGO_PKG_VERSION"));
    changed(
        &version,
        "\"arena\": \"0.0.1\"",
        &["made by arena 0.0.1", "install that version"],
    );
    changed(
        "\"arena_sha256\": \"",
        "\"arena_sha256\": \"00",
        &["another build", "--any-build"],
    );
    changed("\"format\": 1", "\"format\": 2", &["has format 2"]);
    changed("\"format\": 1,", "", &["plan.json is damaged"]);
    fs::write(&file, &text).expect("written");
    let bot = desk.path("big/bots/mine/bot.py");
    let sound = fs::read_to_string(&bot).expect("the plan's own");
    fs::write(&bot, format!("{sound}\n")).expect("written");
    says(
        &desk.exits(2, ["shard", "big", "--index", "0"]),
        &["bots/mine/bot.py has changed since the plan was made"],
    );
    fs::remove_file(&bot).expect("it is there");
    says(
        &desk.exits(2, ["shard", "big", "--index", "0"]),
        &["cannot read bots/mine/bot.py"],
    );
    let played = fs::read_dir(desk.path("big/shards"))
        .expect("a folder")
        .count();
    assert_eq!(played, 0, "nothing was played");
}

#[test]
fn what_cannot_be_cut_into_blocks_is_refused_before_anything_is_written() {
    let desk = Desk::new();
    let bots = super::common::OTHELLO_BOTS;
    desk.write(
        "my.toml",
        &format!("game = \"othello\"\nformat = \"swiss\"\n{bots}"),
    );
    let said = desk.exits(2, ["plan", "my.toml", "--out", "big"]);
    says(&said, &["a swiss tournament cannot be played in blocks"]);
    let bots = "[[bot]]\nname = \"gone\"\ncommand = [\"./gone\"]\n[[bot]]\nuse = \"greedy\"\n";
    desk.write("my.toml", &format!("game = \"othello\"\n{bots}"));
    let said = desk.exits(3, ["plan", "my.toml", "--out", "big"]);
    says(&said, &["bot gone cannot be used"]);
    assert!(!desk.path("big").exists());
    for command in ["shard", "merge", "status"] {
        let mut words = vec![command, "big"];
        words.extend(["--index", "0"].iter().filter(|_| command == "shard"));
        says(&desk.exits(2, words), &["there is no plan in big"]);
    }
    quick(&desk, 4, 1);
    plan(&desk, "big", "1");
    says(
        &desk.exits(2, ["plan", "my.toml", "--out", "big"]),
        &["big exists already"],
    );
    says(
        &desk.exits(2, ["submit", "big", "--on", "moon"]),
        &["slurm, kubernetes, parallel"],
    );
}

#[test]
fn clocks_that_differ_change_no_game() {
    let desk = Desk::new();
    quick(&desk, 4, 1);
    plan(&desk, "big", "1");
    play(&desk, "big", 0);
    let path = super::block_file(&desk, "big", 0);
    let file = fs::File::options().write(true).open(&path).expect("a file");
    let day = std::time::Duration::from_hours(24);
    for time in [
        std::time::SystemTime::now() + day,
        std::time::SystemTime::UNIX_EPOCH,
    ] {
        file.set_modified(time).expect("another time");
        says(&desk.succeed(["status", "big"]), &["2 of 4 games"]);
        desk.succeed(["merge", "big"]);
    }
}
