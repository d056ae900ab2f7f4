//! The command line as programs and careful people use it: tables and JSON that can be read, pipes
//! that close early, relative paths, completions, manual pages. What it refuses is in
//! `tests/transcripts`.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{Desk, both, says, table};
use games::formats::wthor::{self, Files};
use games::formats::{ggf, sgf};
use games::{Rules, Side, format_transcript};

const BOTS: &str = "[[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n";

#[test]
fn a_run_leaves_tables_that_a_program_can_read() {
    let desk = Desk::new();
    let text = format!("game = \"othello\"\nmove_ms = 1000\n{BOTS}");
    desk.write("my.toml", &text);
    let said = desk.succeed(["run", "my.toml", "-n", "4", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&said).expect("standings as JSON");
    assert_eq!(json["name"], "my");
    assert_eq!(json["standings"].as_array().map(Vec::len), Some(2));

    let run = desk.path("results/my");
    for (name, rows) in [("games.csv", 4), ("standings.csv", 2), ("pairs.csv", 1)] {
        assert_eq!(table(&run.join(name)).len(), rows, "{name}");
    }
    let moves = table(&run.join("moves.csv"));
    let games = table(&run.join("games.csv"));
    let plies = games.iter().map(|game| game["plies"].parse::<usize>());
    let plies: Result<usize, _> = plies.sum();
    assert_eq!(plies, Ok(moves.len()), "a row a ply");

    // The tables are derived from the record: they can be made again, and are the same.
    let before = fs::read(run.join("games.csv")).expect("a table");
    fs::remove_file(run.join("games.csv")).expect("a table");
    desk.succeed(["report", "results/my"]);
    assert_eq!(fs::read(run.join("games.csv")).expect("a table"), before);

    // A second run of the same name takes the next free folder.
    desk.succeed(["run", "my.toml", "-n", "2"]);
    assert_eq!(table(&desk.path("results/my-2/games.csv")).len(), 2);
    let replay = desk.succeed(["replay", "results/my/3"]);
    says(&replay, &["game 3: greedy (X) against random (O)"]);
    let moves = desk.succeed(["replay", "results/my/3", "--moves"]);
    assert!(moves.lines().count() < replay.lines().count(), "{moves}");
}

#[test]
fn bots_are_found_from_where_one_stands() {
    // With a relative path, from the folder itself and from another.
    let desk = Desk::new();
    fs::create_dir_all(desk.path("home/mine")).expect("folders");
    let script = include_str!("../bots/misbehave.py");
    desk.write("home/mine/bot.py", script);
    let command = "command = [\"python3\", \"bot.py\", \"honest\"]";
    desk.write("home/mine/bot.toml", &format!("{command}\n"));
    let mine = "game = \"othello\"\ngames = 2\n[[bot]]\nuse = \"mine\"\n";
    let too = format!("[[bot]]\nname = \"too\"\n{command}\nfolder = \"mine\"\n");
    desk.write("home/my.toml", &format!("{mine}{too}"));
    desk.succeed(["run", "home/my.toml"]);
    let mut here = desk.arena(["run", "my.toml"]);
    let output = here.current_dir(desk.path("home")).output().expect("runs");
    assert!(output.status.success(), "{}", both(&output));
    // The script needs a mode.
    desk.exits(3, ["match", "home/mine", "a=home/mine/bot.py", "-n", "2"]);
    let with_mode = "a=python3 home/mine/bot.py honest";
    desk.exits(0, ["match", "home/mine", with_mode, "-n", "2"]);
}

#[test]
fn the_catalogue() {
    let desk = Desk::new();
    let list = desk.succeed(["bots"]);
    assert!(list.contains("random"), "{list}");
    let json = desk.succeed(["bots", "--json"]);
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    let names = json.iter().map(|bot| bot["name"].as_str().expect("a name"));
    let names: Vec<&str> = names.collect();
    assert!(names.contains(&"alphabeta"), "{names:?}");
    says(&list, &names);
}

/// Built-in bots inside other programs; what they say there is tested in `crates/protocol`.
#[test]
fn a_bot_speaks_other_protocols() {
    let desk = Desk::new();
    let help = desk.succeed(["bot", "greedy", "--help"]);
    let expected = ["--depth", "--protocol", "gomocup", "nboard", "--game"];
    says(&help, &expected);
    assert!(desk.succeed(["bot", "--help"]).contains("NAME"));
    let said = desk.succeed(["bot", "greedy", "--protocol", "gtp", "--game", "gomoku"]);
    assert_eq!(said, "", "nobody said anything");
    let said = desk.exits(2, ["bot", "mobility", "--protocol", "gomocup"]);
    says(&said, &["mobility cannot speak gomocup"]);
    let said = desk.exits(2, ["bot", "alphabeta", "--protocol", "botzone"]);
    says(&said, &["botzone does not say which game is played"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for words in ["bots", "man", "completions zsh", "perft othello 7"] {
        let mut child = Desk::new()
            .arena(words.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {said}");
        assert!(said.is_empty(), "{words}: {said}");
    }
}

/// The discs of games.csv are the arena's own count: what other programs are told agrees with it.
#[test]
fn games_go_out_to_other_programs_and_come_in_as_openings() {
    let desk = Desk::new();
    desk.succeed(["match", "random", "greedy", "-n", "4", "--move-ms", "1000"]);
    let run = "results/random-greedy";
    let rows = table(&desk.path(run).join("games.csv"));
    let words = |more: &str| format!("export {run} --format {more}");
    let export = |more: &str| desk.succeed(words(more).split(' '));
    let transcripts = export("transcript");
    assert_eq!(transcripts.lines().count(), 4);
    let games = ggf::read(&export("ggf")).expect("GGF");
    export("wthor -o base.wtb");
    let read = |name| fs::read(desk.path(name)).expect("it was written");
    let base = wthor::read(&Files {
        games: read("base.wtb"),
        players: read("base.jou"),
        tournaments: read("base.trn"),
    });
    let base = base.expect("WTHOR");
    for (((game, of_base), row), line) in
        games.iter().zip(&base).zip(&rows).zip(transcripts.lines())
    {
        assert_eq!(game.players, [row["black"].clone(), row["white"].clone()]);
        assert_eq!(game.players, of_base.players);
        assert!(game.plies().eq(of_base.plies()), "{line}");
        assert_eq!(format_transcript(&game.plies().collect::<Vec<_>>()), line);
        let counted = [&row["black_count"], &row["white_count"]];
        let counts = game.board().counts().map(|discs| discs.to_string());
        assert_eq!(counts.each_ref(), counted);
        let winner = game.result.and_then(|result| result.winner);
        assert_eq!(winner.map_or("draw", Side::word), row["result"]);
    }
    let one = sgf::read(&export("sgf --game 2")).expect("SGF");
    assert!(one[0].plies().eq(games[2].plies()));
    assert!(export("obf --game 2").lines().count() > 20);
    export("sgf -o games.sgf");
    for (file, run) in [("base.wtb", "one"), ("games.sgf", "two")] {
        let openings = format!("--openings {file} --opening-plies 6 --out {run}");
        let words = format!("match random greedy -n 2 {openings}");
        desk.succeed(words.split(' '));
    }
    for (more, said) in [
        ("psq", "PSQ is not a format for othello: use ggf or sgf"),
        ("wthor", "WTHOR is three binary files"),
        ("sgf --game 9", "has no game 9"),
    ] {
        says(&desk.exits(2, words(more).split(' ')), &[said]);
    }
}

#[test]
fn shells_and_man() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = desk.succeed(["completions", shell]);
        says(&script, &["ARENA_COMPLETE"]);
    }
    let script = desk.path("arena.bash");
    fs::write(&script, desk.succeed(["completions", "bash"])).expect("a script");
    let check = Command::new("bash").arg("-n").arg(&script).status();
    assert!(check.expect("bash").success());
    assert!(desk.succeed(["man"]).contains(".TH arena 1"));
    desk.succeed(["man", "--out", "pages"]);
    assert!(desk.path("pages/arena-match.1").is_file());
    let help = desk.succeed(["--help"]);
    says(&help, &["Exit codes: 0 done and passed"]);
}

/// A shell asks for what fits where somebody types, and gets bots, games, suites, options and files.
#[test]
fn a_shell_knows_bots_games_and_suites() {
    let desk = Desk::new();
    let script = desk.path("arena.bash");
    fs::write(&script, desk.succeed(["completions", "bash"])).expect("a script");
    fs::create_dir(desk.path("grandmaster")).expect("a folder");
    let fitting = |typed: &str| -> Vec<String> {
        let words: Vec<&str> = typed.split(' ').collect();
        let last = words.len() - 1;
        let ask = format!(
            "source arena.bash; COMP_WORDS=({typed}); COMP_CWORD={last}; \
             _clap_complete_arena arena '{}' ''; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words[last]
        );
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", &ask]).current_dir(desk.path(""));
        let output = bash.output().expect("bash");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.split_whitespace().map(str::to_owned).collect()
    };
    for (typed, expected) in [
        ("arena match gr", vec!["greedy", "grhino", "grandmaster/"]),
        ("arena match random min", vec!["minimax", "minimax-ab"]),
        ("arena match minimax:d", vec!["minimax:depth="]),
        ("arena match a b --game go", vec!["gomoku"]),
        ("arena match a b --format k", vec!["knockout"]),
        (
            "arena grade x --suite g",
            vec!["gomoku-six", "gomoku-course"],
        ),
        ("arena sprt --new alphab", vec!["alphabeta"]),
        ("arena perft oth", vec!["othello"]),
        ("arena com", vec!["compare", "completions"]),
    ] {
        assert_eq!(fitting(typed), expected, "{typed}");
    }
}

#[test]
fn no_colour_where_none_is_wanted() {
    let desk = Desk::new();
    for words in ["match randon greedy", "--help", "bots", "nonsense"] {
        let output = desk.run(words.split(' '));
        assert!(!both(&output).contains('\u{1b}'), "{words:?}");
    }
}

/// Every thread asks for more memory than a processor can address, so that none is given.
#[test]
fn a_thread_that_is_refused_ends_the_command_with_a_sentence() {
    let desk = Desk::new();
    desk.succeed(["match", "random", "greedy", "-n", "2", "--out", "run"]);
    fs::create_dir(desk.path("class")).expect("a folder");
    desk.write("class/bot.py", "");
    for words in [
        "match random greedy -n 2 --out other",
        "grade random --suite othello-six --out grade",
        "grade --all class --suite othello-six",
        "stages random --out stages",
        "resume run",
    ] {
        let mut arena = desk.arena(words.split(' '));
        let output = arena.env("RUST_MIN_STACK", "1000000000000000").output();
        let output = output.expect("the arena starts");
        let said = both(&output);
        assert_eq!(output.status.code(), Some(4), "{words}: {said}");
        says(&said, &["the system gave no thread"]);
    }
}

/// The arena may have 32 files open, and raise that to 40: enough for one game at a time.
#[test]
fn too_few_open_files_mean_fewer_games_at_a_time() {
    let desk = Desk::new();
    let arena = env!("CARGO_BIN_EXE_arena");
    desk.write(
        "bot.sh",
        &format!("ulimit -n >> limits\nexec {arena} bot random\n"),
    );
    let more = "greedy -n 16 -j 8 --out run".split(' ');
    let command = desk.arena(["match", "one=sh bot.sh"].into_iter().chain(more));
    let output = Command::new("prlimit")
        .arg("--nofile=32:40")
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(desk.path("."))
        .output()
        .expect("prlimit is part of util-linux");
    let said = both(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    says(&said, &["1 at a time instead of 8"]);
    let games = table(&desk.path("run/games.csv"));
    assert_eq!(games.len(), 16, "{said}");
    let once = games.iter().all(|game| game["attempts"] == "1");
    assert!(once, "{games:?}");
    let limits = fs::read_to_string(desk.path("limits")).expect("it was noted");
    assert!(limits.lines().all(|limit| limit == "32"), "{limits}");
}

/// What the parser of the command line says is put into a user's words.
#[test]
fn values_that_are_no_numbers_are_refused_in_words() {
    let desk = Desk::new();
    for (words, expected) in [
        (
            "match greedy random --move-ms 0.5",
            "'--move-ms <MS>': expected a whole number",
        ),
        (
            "match greedy random -n x",
            "'--games <N>': expected a whole number",
        ),
        (
            "match greedy random --seed -1",
            "'--seed <N>': expected a whole number",
        ),
        (
            "sprt --new greedy --base random --elo0 x",
            "'--elo0 <ELO>': expected a number",
        ),
    ] {
        let said = desk.exits(2, words.split(' '));
        says(&said, &[expected]);
        assert!(
            !said.contains("digit") && !said.contains("literal"),
            "{said}"
        );
    }
    let said = desk.exits(2, ["run", "nowhere.toml"]);
    assert!(!said.contains("os error"), "{said}");
}
