//! Plans that cannot be played, or not here.

use std::fs;

use super::{alone, plan, play, quick, tables};
use crate::common::{Desk, both, says, unshared};

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
    let bots = crate::common::OTHELLO_BOTS;
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
    let day = std::time::Duration::from_secs(86400);
    for time in [
        std::time::SystemTime::now() + day,
        std::time::SystemTime::UNIX_EPOCH,
    ] {
        file.set_modified(time).expect("another time");
        says(&desk.succeed(["status", "big"]), &["2 of 4 games"]);
        desk.succeed(["merge", "big"]);
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    let desk = Desk::new();
    quick(&desk, 4, 1);
    plan(&desk, "big", "1");
    let arena = env!("CARGO_BIN_EXE_arena");
    let script = format!(
        "mount --bind big big && mount -o remount,ro,bind big || exit 77\n\
         {arena} shard big --index 0; echo shard: $?\n\
         {arena} merge big; echo merge: $?\n{arena} status big; echo status: $?\n"
    );
    let output = match unshared(&desk, &script) {
        Ok(output) if output.status.success() => output,
        Ok(output) => return eprintln!("skipped: nothing can be mounted here: {}", both(&output)),
        Err(error) => return eprintln!("skipped: unshare: {error}"),
    };
    let said = both(&output);
    says(
        &said,
        &["shard: 4\n", "merge: 4\n", "status: 0\n", "0 of 4 games"],
    );
    assert_eq!(said.matches("Read-only file system").count(), 2, "{said}");
    play(&desk, "big", 0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_plan_says_in_which_boxes_its_bots_play() {
    let desk = Desk::new();
    quick(&desk, 4, 1);
    let boxed = [
        "plan",
        "my.toml",
        "--out",
        "big",
        "--block",
        "1",
        "--sandbox",
        "strict",
    ];
    let output = desk.run(boxed);
    if !output.status.success() {
        return eprintln!("skipped: no box here: {}", both(&output));
    }
    for block in 0..2 {
        says(&play(&desk, "big", block), &["sandbox: strict"]);
    }
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
    // A machine that cannot hold them plays nothing.
    fs::remove_file(super::block_file(&desk, "big", 0)).expect("it was played");
    let mut shard = desk.arena(["shard", "big", "--index", "0"]);
    let output = shard
        .env("PATH", desk.path("nothing"))
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{}", both(&output));
    says(
        &both(&output),
        &["this machine cannot hold a strict sandbox"],
    );
}
