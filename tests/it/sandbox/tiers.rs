use std::fs;

use crate::common::folders::folder_bots;
use crate::common::place::{PYTHON, Place, User, places};
use crate::common::{both, table};

#[test]
fn every_language_plays_in_every_box() {
    let places = places();
    let ours = places.iter().filter(|place| place.user == User::Ourselves);
    let bots = folder_bots();
    for place in ours {
        for bot in &bots {
            let (name, folder) = (bot.name(), bot.folder.display().to_string());
            let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
            // Compilers and interpreters may be in the developer's own folders.
            for variable in ["PATH", "HOME"] {
                arena.env(variable, std::env::var_os(variable).unwrap_or_default());
            }
            // A bot that uses the whole limit costs most of this test.
            arena.args("match random -n 2 --move-ms 30 --margin-ms 9000".split(' '));
            arena.args([&folder, "--out", &name, "--sandbox", place.tier]);
            let output = arena.output().expect("the arena starts");
            assert!(output.status.success(), "{}", both(&output));
            let games = table(&place.path(&name).join("games.csv"));
            let faults: Vec<_> = games.iter().map(|row| row["at_fault"].as_str()).collect();
            assert_eq!(faults, ["", ""], "{name}, {}", place.tier);
        }
    }
}

#[test]
fn honest_programs_may_have_their_habits_in_every_box() {
    for place in places() {
        place.make_folder("habits");
        place.write("habits/bot.py", include_str!("../../bots/habits.py"));
        place.write(
            "habits/bot.toml",
            "command = [\"python\", \"-ES\", \"bot.py\"]\n",
        );
        // An installation outside the system's folders that the PATH names.
        let made = place
            .command(PYTHON)
            .args(["-m", "venv", "--without-pip", "own"])
            .output();
        assert!(
            made.as_ref().is_ok_and(|made| made.status.success()),
            "{made:?}"
        );
        let path = format!("{}:/usr/bin:/bin", place.path("own/bin").display());
        plays_without_fault(&place, "habits --game gomoku --draw-after 30", &path);
    }
}

fn plays_without_fault(place: &Place, bot: &str, path: &str) {
    let words = format!("match random {bot} -n 2 --move-ms 9000 --out out --sandbox");
    let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
    let arena = arena
        .args(words.split(' '))
        .arg(place.tier)
        .env("PATH", path);
    let printed = both(&arena.output().expect("the arena starts"));
    let games = table(&place.path("out/games.csv"));
    let faults: Vec<_> = games.iter().map(|row| row["at_fault"].as_str()).collect();
    assert_eq!(faults, ["", ""], "{}: {printed}", place.name());
}

/// A signal at the end of each child may interrupt system calls, but must not break the start of a process.
#[test]
fn the_start_of_a_process_is_never_interrupted() {
    let pipelines = "n=0\nwhile [ $n -lt 150 ]; do\n    [ \"$(echo a | tr a b | head -c 1)\" = b ] || exit 9\n    \
                     n=$((n + 1))\ndone\n";
    let bot = fs::read_to_string("bots/shell/bot.sh").expect("a bot");
    for place in places() {
        place.make_folder("piped");
        place.write("piped/bot.sh", &format!("{pipelines}{bot}"));
        place.write("piped/build.sh", pipelines);
        let manifest = "build = [\"sh\", \"build.sh\"]\ncommand = [\"sh\", \"bot.sh\"]\n";
        place.write("piped/bot.toml", manifest);
        plays_without_fault(&place, "piped", "/usr/bin:/bin");
    }
}

/// The bot's program is started for each turn, by a process of the arena in the same sandbox.
#[test]
fn no_program_reads_the_memory_of_the_process_that_starts_it() {
    let reads = "import os, sys\nsys.stdin.readline()\ntry:\n    open(f'/proc/{os.getppid()}/mem', 'rb')\n\
                 except OSError:\n    sys.exit(4)\nsys.exit(3)\n";
    for place in places() {
        place.make_folder("reader");
        place.write("reader/bot.py", reads);
        let manifest =
            format!("protocol = \"botzone\"\ncommand = [{PYTHON:?}, \"-ES\", \"bot.py\"]\n");
        place.write("reader/bot.toml", &manifest);
        let output = place.arena("match reader random -n 2 --out out");
        let games = table(&place.path("out/games.csv"));
        for row in &games {
            let detail = &row["fault_detail"];
            assert!(detail.contains("status 4"), "{detail}: {}", both(&output));
        }
        assert_eq!(games.len(), 2);
    }
}
