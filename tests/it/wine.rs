//! The Windows build under Wine: faults, clean-up and records are as on Linux. `docs/windows.md` has the rest.

use std::fs;

use cases::cases;

use crate::common::cross::build;
use crate::common::served::Served;
use crate::common::wine::{TARGET, windows};
use crate::common::{
    OTHELLO_BOTS, Workdir, assert_contains, games_kept, misjudged, once, processes, table,
    timeless_tables, wait_for_no_process,
};

fn marker(test: &str) -> String {
    format!("wine-{test}-{}", std::process::id())
}

fn misbehave(mode: &str, marker: &str) -> String {
    format!("\"./misbehave\", {mode:?}, {marker:?}")
}

/// Counts the games in the record of a running arena, in a copy, because Linux and Wine do not share locks.
fn kept(workdir: &Workdir, run: &str) -> u64 {
    let copy = workdir.path("copy");
    fs::create_dir_all(&copy).expect("a folder");
    for file in ["arena.db", "arena.db-wal"] {
        let _ = fs::copy(workdir.path(run).join(file), copy.join(file));
    }
    let games = games_kept(&copy);
    fs::remove_dir_all(&copy).expect("a folder of ours");
    games
}

#[test]
fn the_tests_of_processes_pass() {
    let Some(windows) = windows() else { return };
    let runner = windows.path("run");
    let runner = ("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", &*runner);
    build(TARGET, &["test", "-p", "host"], &[runner]);
}

#[test]
fn a_tournament_is_the_same_byte_for_byte_on_both_systems() {
    let Some(windows) = windows() else { return };
    let head = "game = \"othello\"\ngames = 4\nmove_ms = 60000\nconcurrency = 2\nseed = 7\n";
    let gomoku = "game = \"gomoku\"\nsize = 9\ngames = 2\nmove_ms = 60000\nseed = 7\n\
                  [[bot]]\nuse = \"greedy\"\n[[bot]]\nuse = \"alphabeta\"\noptions = { depth = 2 }\n";
    let play = |workdir: &Workdir| {
        workdir.write("othello.toml", &format!("{head}{OTHELLO_BOTS}"));
        workdir.write("gomoku.toml", gomoku);
        ["othello", "gomoku"].map(|game| {
            workdir.succeed(["run", &format!("{game}.toml"), "--out", game]);
            timeless_tables(&workdir.path(game))
        })
    };
    assert_eq!(play(&windows.workdir(&[])), play(&Workdir::new()));
}

/// The name of the bot's folder has a space, and `bot.toml` names the program without its ending.
#[test]
fn a_bot_in_c_passes_all_checks_and_plays_both_games() {
    let Some(windows) = windows() else { return };
    let workdir = windows.workdir(&["c"]);
    fs::create_dir(workdir.path("my bots")).expect("a folder");
    fs::rename(workdir.path("c.exe"), workdir.path("my bots/c.exe")).expect("a program");
    workdir.write("my bots/bot.toml", "name = \"c\"\ncommand = [\"./c\"]\n");
    let printed = workdir.succeed(["check", "my bots"]);
    assert_contains(&printed, &["my bots passes all checks"]);
    for (game, bot) in [("othello", "my bots"), ("gomoku", r".\my bots\c.exe")] {
        workdir.succeed([
            "match", bot, "random", "--game", game, "-n", "4", "--out", game,
        ]);
        let games = table(&workdir.path(game).join("games.csv"));
        assert_eq!(games.len(), 4);
        assert!(games.iter().all(|game| game["at_fault"].is_empty()));
        let won = |game: &&crate::common::TableRow| {
            game.get(&game["result"]).is_some_and(|bot| bot == "c")
        };
        assert!(games.iter().filter(won).count() >= 3, "{game}: {games:?}");
    }
}

/// Python for Windows is not installed, so a copy of the bot in C replaces it.
#[test]
fn scripts_are_started_by_their_interpreters() {
    let Some(windows) = windows() else { return };
    let workdir = windows.workdir(&["c"]);
    // Wine looks for programs in this folder.
    fs::copy(workdir.path("c.exe"), windows.path("py.exe")).expect("a program");
    workdir.succeed(["new-bot", "mine", "--lang", "python"]);
    let printed = workdir.succeed(["check", "mine"]);
    assert_contains(&printed, &["mine passes all checks"]);
    workdir.write("batch.bat", "@c.exe %1\r\n");
    workdir.write("script.py", "");
    workdir.write(
        "by_name.toml",
        &["./script", "./batch", "./batch.bat"]
            .map(|program| {
                format!(
                    "[[bot]]\nname = {:?}\ncommand = [{program:?}, \"a b\"]\n",
                    program.replace("./", "")
                )
            })
            .concat()
            .replacen("[[bot]]", "game = \"othello\"\ngames = 2\n[[bot]]", 1),
    );
    workdir.succeed(["run", "by_name.toml", "--out", "run"]);
    let games = table(&workdir.path("run/games.csv"));
    assert_eq!(games.len(), 6);
    assert!(
        games.iter().all(|game| game["reason"] == "discs"),
        "{games:?}"
    );
}

#[test]
fn misbehaving_bots_are_charged_and_leave_no_process() {
    let Some(windows) = windows() else { return };
    let (workdir, marker) = (windows.workdir(&["misbehave"]), marker("hostile"));
    let verdicts = cases::<(String, String, String)>("wine-verdicts");
    let mut text = "game = \"othello\"\nformat = \"gauntlet\"\ngames = 2\nmove_ms = 1000\n\
                    concurrency = 2\n[[bot]]\nuse = \"random\"\n"
        .to_owned();
    for (mode, ..) in &verdicts {
        let command = misbehave(mode, &marker);
        text += &format!("[[bot]]\nname = {mode:?}\ncommand = [{command}]\n");
    }
    workdir.write("hostile.toml", &text);
    workdir.succeed(["run", "hostile.toml", "--out", "run"]);
    let wrong = misjudged(&workdir.path("run"), "discs", &verdicts);
    assert!(wrong.is_empty(), "{wrong}");
    wait_for_no_process(&marker);

    let silent = format!("./misbehave silent {marker}");
    let printed = workdir.exits(3, ["match", &silent, "random"]);
    assert_contains(&printed, &["did not send ready within"]);
    wait_for_no_process(&marker);
}

/// Kills the arena as `kill -9` does: first with bots that hang, then three times with slow bots.
#[test]
fn a_killed_arena_leaves_no_process_and_loses_no_counted_game() {
    let Some(windows) = windows() else { return };
    let (workdir, marker) = (windows.workdir(&["misbehave"]), marker("kill"));
    let twins = |mode: &str| {
        let command = misbehave(mode, &marker);
        let bot = |name: &str| format!("[[bot]]\nname = {name:?}\ncommand = [{command}]\n");
        let bots = ["one", "two"].map(bot).concat();
        let head = "game = \"othello\"\ngames = 24\nmove_ms = 600000\nconcurrency = 2\nseed = 5";
        workdir.write(&format!("{mode}.toml"), &format!("{head}\n{bots}"));
    };
    twins("hang");
    let mut arena = workdir.start(["run", "hang.toml", "--out", "hung"]);
    once("four bots play", || {
        workdir.path("hung/arena.db").is_file() && processes(&marker).len() == 4
    });
    arena.kill();
    wait_for_no_process(&marker);

    twins("slow-with-children");
    let (run, file) = (workdir.path("run"), "slow-with-children.toml");
    let mut arena = workdir.start(["run", file, "--out", "run"]);
    for kills in 1..=3 {
        once("games are kept", || kept(&workdir, "run") >= kills * 3);
        arena.kill();
        wait_for_no_process(&marker);
        arena = workdir.start(["resume", "run"]);
    }
    assert!(arena.wait().success(), "{}", arena.printed());
    let games = table(&run.join("games.csv"));
    let ids: Vec<String> = games.iter().map(|game| game["game"].clone()).collect();
    assert_eq!(ids, (0..24).map(|id| id.to_string()).collect::<Vec<_>>());
    workdir.succeed(["run", file, "--out", "undisturbed"]);
    assert_eq!(
        timeless_tables(&run),
        timeless_tables(&workdir.path("undisturbed"))
    );
    wait_for_no_process(&marker);
}

#[test]
fn an_interrupt_finishes_the_games_and_the_run_resumes() {
    let Some(windows) = windows() else { return };
    let (workdir, marker) = (windows.workdir(&["misbehave"]), marker("interrupt"));
    let command = misbehave("slow-with-children", &marker);
    let bots =
        ["one", "two"].map(|name| format!("[[bot]]\nname = {name:?}\ncommand = [{command}]\n"));
    let text = format!(
        "game = \"othello\"\ngames = 24\nmove_ms = 600000\n{}",
        bots.concat()
    );
    workdir.write("my.toml", &text);
    let mut arena = workdir.start(["run", "my.toml", "--out", "run"]);
    once("games are kept", || kept(&workdir, "run") >= 2);
    let second = crate::common::both(&workdir.run(["resume", "run"]));
    assert_contains(&second, &["another arena is playing this run"]);
    arena.signal("INT");
    let status = arena.wait();
    assert_eq!(status.code(), Some(130), "{}", arena.printed());
    wait_for_no_process(&marker);
    let games = table(&workdir.path("run/games.csv"));
    assert!((2..24).contains(&games.len()), "{}", games.len());
    assert!(games.iter().all(|game| game["reason"] == "discs"));
    workdir.succeed(["resume", "run"]);
    assert_eq!(table(&workdir.path("run/games.csv")).len(), 24);
}

#[test]
fn a_page_shows_a_run() {
    let Some(windows) = windows() else { return };
    let workdir = windows.workdir(&[]);
    workdir.succeed("match random greedy -n 2 --out results/two".split(' '));
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    assert_eq!(served.get("/run/two", "").status, 403, "without the key");
    let page = served.get("/run/two", &served.cookie());
    assert_eq!(page.status, 200);
    assert_contains(&page.body, &["greedy"]);
    served.end();
}

#[test]
fn a_class_is_graded() {
    let Some(windows) = windows() else { return };
    let workdir = windows.workdir(&["c", "misbehave"]);
    fs::create_dir(workdir.path("class")).expect("a folder");
    for (bot, name) in [("c", "anna"), ("misbehave", "ben")] {
        let folder = workdir.path("class").join(name);
        fs::create_dir(&folder).expect("a folder");
        fs::rename(workdir.path(format!("{bot}.exe")), folder.join("bot.exe")).expect("a program");
        let mode = if bot == "misbehave" {
            ", \"leave\""
        } else {
            ""
        };
        let text = format!("command = [\"./bot\"{mode}]\n");
        fs::write(folder.join("bot.toml"), text).expect("a file");
    }
    workdir.write(
        "small.toml",
        "name = \"small\"\ngame = \"othello\"\ngames = 4\nconcurrency = 2\n[grade]\n\
         threshold = 0.5\npoints = 7.5\n[[bot]]\nuse = \"random\"\n",
    );
    let words = "grade --all class --suite small.toml --sandbox off --out marks";
    let printed = workdir.exits(1, words.split(' '));
    assert_contains(&printed, &["anna", "ben"]);
    let marks = table(&workdir.path("marks/class.csv"));
    let mark = |name: &str| {
        let row = marks
            .iter()
            .find(|row| row.values().any(|cell| cell == name));
        format!("{:?}", row.expect("a row"))
    };
    assert_contains(&mark("anna"), &["7.5"]);
    assert_contains(&mark("ben"), &["crashed"]);
}
