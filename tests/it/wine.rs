//! The Windows build under Wine: faults, clean-up and records are the same as on Linux. `docs/windows.md` lists what
//! Wine cannot show.

use std::fs;

use crate::common::cross::build;
use crate::common::served::Served;
use crate::common::wine::{TARGET, windows};
use crate::common::{
    Desk, OTHELLO_BOTS, games_kept, misjudged, nobody_is_left, once, processes, says, table,
    timeless_tables,
};

fn marker(test: &str) -> String {
    format!("wine-{test}-{}", std::process::id())
}

/// Returns a bot with this misbehaviour, as words of a TOML list.
fn misbehave(mode: &str, marker: &str) -> String {
    format!("\"./misbehave\", {mode:?}, {marker:?}")
}

/// Counts the games in the record of a running tournament. It is copied before opening: two systems in one file would
/// not see each other's locks.
fn kept(desk: &Desk, run: &str) -> u64 {
    let copy = desk.path("copy");
    fs::create_dir_all(&copy).expect("a folder");
    for file in ["arena.db", "arena.db-wal"] {
        let _ = fs::copy(desk.path(run).join(file), copy.join(file));
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
    let play = |desk: &Desk| {
        desk.write("othello.toml", &format!("{head}{OTHELLO_BOTS}"));
        desk.write("gomoku.toml", gomoku);
        ["othello", "gomoku"].map(|game| {
            desk.succeed(["run", &format!("{game}.toml"), "--out", game]);
            timeless_tables(&desk.path(game))
        })
    };
    assert_eq!(play(&windows.desk(&[])), play(&Desk::new()));
}

/// The folder has a space in its name, and the program's name has no ending.
#[test]
fn a_bot_in_c_passes_all_checks_and_plays_both_games() {
    let Some(windows) = windows() else { return };
    let desk = windows.desk(&["c"]);
    fs::create_dir(desk.path("my bots")).expect("a folder");
    fs::rename(desk.path("c.exe"), desk.path("my bots/c.exe")).expect("a program");
    desk.write("my bots/bot.toml", "name = \"c\"\ncommand = [\"./c\"]\n");
    let said = desk.succeed(["check", "my bots"]);
    says(&said, &["my bots passes all checks"]);
    for (game, bot) in [("othello", "my bots"), ("gomoku", r".\my bots\c.exe")] {
        desk.succeed([
            "match", bot, "random", "--game", game, "-n", "4", "--out", game,
        ]);
        let games = table(&desk.path(game).join("games.csv"));
        assert_eq!(games.len(), 4);
        assert!(games.iter().all(|game| game["at_fault"].is_empty()));
        let won =
            |game: &&crate::common::Row| game.get(&game["result"]).is_some_and(|bot| bot == "c");
        assert!(games.iter().filter(won).count() >= 3, "{game}: {games:?}");
    }
}

/// `.py` through Python, `.bat` through the shell, and a new bot from its template. Windows' Python is missing, so the
/// bot in C has its name.
#[test]
fn scripts_are_started_by_what_reads_them() {
    let Some(windows) = windows() else { return };
    let desk = windows.desk(&["c"]);
    // Wine looks for programs here.
    fs::copy(desk.path("c.exe"), windows.path("py.exe")).expect("a program");
    desk.succeed(["new-bot", "mine", "--lang", "python"]);
    says(
        &desk.succeed(["check", "mine"]),
        &["mine passes all checks"],
    );
    desk.write("batch.bat", "@c.exe %1\r\n");
    desk.write("script.py", "");
    desk.write(
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
    desk.succeed(["run", "by_name.toml", "--out", "run"]);
    let games = table(&desk.path("run/games.csv"));
    assert_eq!(games.len(), 6);
    assert!(
        games.iter().all(|game| game["reason"] == "discs"),
        "{games:?}"
    );
}

#[test]
fn who_misbehaves_is_charged_and_leaves_nobody() {
    let Some(windows) = windows() else { return };
    let (desk, marker) = (windows.desk(&["misbehave"]), marker("hostile"));
    let verdicts = [
        ("well", "-", ""),
        ("children", "-", ""),
        ("hang", "out-of-time", "of the 1000.0 ms"),
        ("crash", "crashed", "SIGSEGV"),
        ("divide", "crashed", "SIGFPE"),
        ("abort", "crashed", "exit status 3"),
        ("leave", "crashed", "exit status 3"),
        ("flood", "unasked-output", "a1"),
        ("flood-info", "out-of-time", "of the 1000.0 ms"),
        ("flood-errors", "out-of-time", "of the 1000.0 ms"),
        ("long-line", "line-too-long", "64 KiB"),
    ];
    let mut text = "game = \"othello\"\nformat = \"gauntlet\"\ngames = 2\nmove_ms = 1000\n\
                    concurrency = 2\n[[bot]]\nuse = \"random\"\n"
        .to_owned();
    for (mode, ..) in verdicts {
        let command = misbehave(mode, &marker);
        text += &format!("[[bot]]\nname = {mode:?}\ncommand = [{command}]\n");
    }
    desk.write("hostile.toml", &text);
    desk.succeed(["run", "hostile.toml", "--out", "run"]);
    let wrong = misjudged(&desk.path("run"), "discs", &verdicts);
    assert!(wrong.is_empty(), "{wrong}");
    nobody_is_left(&marker);

    let silent = format!("./misbehave silent {marker}");
    let said = desk.exits(3, ["match", &silent, "random"]);
    says(&said, &["did not send ready within"]);
    nobody_is_left(&marker);
}

/// The arena is killed as by `kill -9`, once with hanging bots, then repeatedly.
#[test]
fn a_killed_arena_leaves_nobody_and_loses_nothing_that_counts() {
    let Some(windows) = windows() else { return };
    let (desk, marker) = (windows.desk(&["misbehave"]), marker("kill"));
    let twins = |mode: &str| {
        let command = misbehave(mode, &marker);
        let bot = |name: &str| format!("[[bot]]\nname = {name:?}\ncommand = [{command}]\n");
        let bots = ["one", "two"].map(bot).concat();
        let head = "game = \"othello\"\ngames = 24\nmove_ms = 600000\nconcurrency = 2\nseed = 5";
        desk.write(&format!("{mode}.toml"), &format!("{head}\n{bots}"));
    };
    twins("hang");
    let mut arena = desk.start(["run", "hang.toml", "--out", "hung"]);
    once("four bots play", || {
        desk.path("hung/arena.db").is_file() && processes(&marker).len() == 4
    });
    arena.kill();
    nobody_is_left(&marker);

    twins("slow-with-children");
    let (run, file) = (desk.path("run"), "slow-with-children.toml");
    let mut arena = desk.start(["run", file, "--out", "run"]);
    for kills in 1..=3 {
        once("games are kept", || kept(&desk, "run") >= kills * 3);
        arena.kill();
        nobody_is_left(&marker);
        arena = desk.start(["resume", "run"]);
    }
    assert!(arena.wait().success(), "{}", arena.said());
    let games = table(&run.join("games.csv"));
    let ids: Vec<String> = games.iter().map(|game| game["game"].clone()).collect();
    assert_eq!(ids, (0..24).map(|id| id.to_string()).collect::<Vec<_>>());
    desk.succeed(["run", file, "--out", "undisturbed"]);
    assert_eq!(
        timeless_tables(&run),
        timeless_tables(&desk.path("undisturbed"))
    );
    nobody_is_left(&marker);
}

#[test]
fn an_interrupt_finishes_the_games_and_the_run_resumes() {
    let Some(windows) = windows() else { return };
    let (desk, marker) = (windows.desk(&["misbehave"]), marker("interrupt"));
    let command = misbehave("slow-with-children", &marker);
    let bots =
        ["one", "two"].map(|name| format!("[[bot]]\nname = {name:?}\ncommand = [{command}]\n"));
    let text = format!(
        "game = \"othello\"\ngames = 24\nmove_ms = 600000\n{}",
        bots.concat()
    );
    desk.write("my.toml", &text);
    let mut arena = desk.start(["run", "my.toml", "--out", "run"]);
    once("games are kept", || kept(&desk, "run") >= 2);
    let second = crate::common::both(&desk.run(["resume", "run"]));
    says(&second, &["another arena is playing this run"]);
    // Wine translates it to Ctrl-C.
    arena.signal("INT");
    let status = arena.wait();
    assert_eq!(status.code(), Some(130), "{}", arena.said());
    nobody_is_left(&marker);
    let games = table(&desk.path("run/games.csv"));
    assert!((2..24).contains(&games.len()), "{}", games.len());
    assert!(games.iter().all(|game| game["reason"] == "discs"));
    desk.succeed(["resume", "run"]);
    assert_eq!(table(&desk.path("run/games.csv")).len(), 24);
}

#[test]
fn a_page_shows_a_run() {
    let Some(windows) = windows() else { return };
    let desk = windows.desk(&[]);
    desk.succeed([
        "match",
        "random",
        "greedy",
        "-n",
        "2",
        "--out",
        "results/two",
    ]);
    let served = Served::start(&desk, &["serve", "--no-open"]);
    assert_eq!(served.get("/run/two", "").status, 403, "without the key");
    let page = served.get("/run/two", &served.cookie());
    assert_eq!(page.status, 200);
    says(&page.body, &["greedy"]);
    served.end();
}

#[test]
fn a_class_is_graded() {
    let Some(windows) = windows() else { return };
    let desk = windows.desk(&["c", "misbehave"]);
    fs::create_dir(desk.path("class")).expect("a folder");
    for (bot, name) in [("c", "anna"), ("misbehave", "ben")] {
        let folder = desk.path("class").join(name);
        fs::create_dir(&folder).expect("a folder");
        fs::rename(desk.path(format!("{bot}.exe")), folder.join("bot.exe")).expect("a program");
        let mode = if bot == "misbehave" {
            ", \"leave\""
        } else {
            ""
        };
        let text = format!("command = [\"./bot\"{mode}]\n");
        fs::write(folder.join("bot.toml"), text).expect("a file");
    }
    desk.write(
        "small.toml",
        "name = \"small\"\ngame = \"othello\"\ngames = 4\nconcurrency = 2\n[grade]\n\
         threshold = 0.5\npoints = 7.5\n[[bot]]\nuse = \"random\"\n",
    );
    let said = desk.exits(
        1,
        [
            "grade",
            "--all",
            "class",
            "--suite",
            "small.toml",
            "--sandbox",
            "off",
            "--out",
            "marks",
        ],
    );
    says(&said, &["anna", "ben"]);
    let marks = table(&desk.path("marks/class.csv"));
    let mark = |name: &str| {
        let row = marks
            .iter()
            .find(|row| row.values().any(|cell| cell == name));
        format!("{:?}", row.expect("a row"))
    };
    says(&mark("anna"), &["7.5"]);
    says(&mark("ben"), &["crashed"]);
}
