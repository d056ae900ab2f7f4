//! `docs/from-cutechess.md`: its commands run, its options are there, and no option of the other programs
//! is left out.

use crate::common::{Desk, both, says, table};

const PAGE: &str = include_str!("../../docs/from-cutechess.md");

/// The options that fastchess's source of 29 July 2026 (74deac23, app/src/cli/cli.cpp) knows, with the keys
/// of each.
const FASTCHESS: &str = "-version -v -help -debug -quick -concurrency -force-concurrency -rounds -games -repeat -sprt \
    -tournament -seeds -variant -noswap -reverse -wait -each -engine -draw -resign -maxmoves -tb -tbpieces \
    -tbignore50 -tbadjudicate -openings -srand -output -pgnout -epdout -event -site -ratinginterval \
    -scoreinterval -report -config -recover -autosaveinterval --compliance -crc32 -check-mate-pvs \
    -show-latency -testEnv -strict -log -use-affinity -startup-ms -ucinewgame-ms -ping-ms \
    cmd= name= args= tc= timemargin= st= nodes= restart= plies= depth= proto= dir= option. \
    file= append= nps= seldepth= hashfull= tbhits= timeleft= latency= min= notation= match_line= pv= \
    format= order= start= policy= elo0= elo1= alpha= beta= model= movenumber= movecount= score= twosided= \
    level= compress= realtime= engine= outname= discard= stats= penta= pgn= book=";

/// Those of c-gomoku-cli, of its source of January 2025 and its manual.
const C_GOMOKU_CLI: &str = "-boardsize -concurrency -debug -draw -drawafter -each -engine -fatalerror -games \
    -gauntlet -log -loseonly -msg -openings -pgn -repeat -resign -rounds -rule -sample -sendbyboard -sgf \
    -sprt -transform tc= depth= nodes= maxmemory= thread= tolerance= option.";

#[test]
fn every_option_of_the_others_has_its_row() {
    let (fastchess, gomoku) = PAGE.split_once("\n## c-gomoku-cli").expect("two tables");
    for (table, options) in [(fastchess, FASTCHESS), (gomoku, C_GOMOKU_CLI)] {
        let firsts = table
            .lines()
            .filter_map(|row| row.strip_prefix("| ")?.split(" | ").next());
        let firsts: Vec<&str> = firsts.collect();
        for option in options.split_whitespace() {
            // A whole word: -draw is not -drawafter.
            let is_there = |cell: &&str| {
                cell.match_indices(option).any(|(at, _)| {
                    let after = cell[at + option.len()..].chars().next();
                    option.ends_with(['=', '.'])
                        || !after.is_some_and(|c| c.is_alphanumeric() || c == '-')
                })
            };
            assert!(firsts.iter().any(is_there), "{option} has no row");
        }
    }
}

#[test]
fn every_option_of_ours_is_there() {
    let desk = Desk::new();
    let helps = ["match", "sprt", "export", "check", "run"]
        .map(|command| desk.succeed([command, "--help"]));
    let helps = helps.concat();
    let words = PAGE.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let known_elsewhere = ["--version", "--help", "--compliance", "--bench", "--fast"];
    for option in words.filter(|word| word.starts_with("--") && !word.ends_with('-')) {
        let is_known = known_elsewhere.contains(&option) || helps.contains(&format!("{option} "));
        assert!(
            is_known || helps.contains(&format!("{option}\n")),
            "there is no {option}"
        );
    }
}

#[test]
fn the_commands_of_the_page_run() {
    let desk = Desk::new();
    let mut ran = 0;
    for block in PAGE.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for line in block.lines() {
            let words = shlex(line);
            assert_eq!(words[0], "arena", "{line}");
            let output = desk.run(&words[1..]);
            assert!(output.status.success(), "{line}: {}", both(&output));
            ran += 1;
        }
    }
    assert!(ran >= 8, "{ran}");
    // What they leave: heads of games, messages of all games, the anchor.
    let games = std::fs::read_to_string(desk.path("games.sgf")).expect("a file");
    says(&games, &["EV[My match]", "PC[My desk]"]);
    assert!(
        desk.path("results/gauntlet/logs/0/black.lines.txt")
            .is_file()
    );
    let rows = table(&desk.path("results/gauntlet/standings.csv"));
    let random = rows
        .iter()
        .find(|row| row["bot"] == "random")
        .expect("a row");
    assert!(
        random["elo"].parse::<f64>().expect("a number").abs() < 1e-6,
        "{random:?}"
    );
}

/// Words as a shell splits them, with double quotes.
fn shlex(line: &str) -> Vec<String> {
    let pieces = line.split('"').enumerate();
    let words = pieces.flat_map(|(number, piece)| match number % 2 {
        0 => piece
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
        _ => vec![piece.to_owned()],
    });
    words.collect()
}

#[test]
fn conditions_are_kept_with_the_run() {
    let desk = Desk::new();
    let words = "match one=minimax-ab two=minimax -n 2 --depth 2 --tc 40/5+0.1 --tc two=st=1 --draw-after 20 \
                 --cores 0 --ponder";
    let said = desk.succeed(words.split_whitespace());
    says(&said, &["one against two"]);
    let run = std::fs::read_to_string(desk.path("results/one-two/run.toml")).expect("a file");
    says(
        &run,
        &[
            "period_moves = 40",
            "game_ms = 5000",
            "move_ms = 1000",
            "core_list = \"0\"",
            "draw_after = 20",
            "ponder = true",
        ],
    );
    let games = table(&desk.path("results/one-two/games.csv"));
    assert!(
        games
            .iter()
            .all(|game| game["plies"] == "20" || game["reason"] != "adjudicated-length"),
        "{games:?}"
    );
    for (words, expected) in [
        (
            "match greedy random --depth 2",
            "greedy has no option \"depth\"",
        ),
        ("match greedy random --tc x", "is not a clock"),
        (
            "match greedy random --tc three=5",
            "there is no bot \"three\"",
        ),
        (
            "match greedy random --anchor nobody=0",
            "there is no bot \"nobody\"",
        ),
        (
            "match greedy random --anchor greedy",
            "is not a bot and its rating",
        ),
        ("match greedy random --cores 3-1", "is not a list of cores"),
        ("match greedy random --draw-plies 4", "need a draw_score"),
        ("match greedy", "greedy has no opponent"),
        (
            "match greedy random weights --format match",
            "a match has two bots, not 3",
        ),
    ] {
        says(&desk.exits(2, words.split(' ')), &[expected]);
    }
}

/// A bot is told for how many of its moves its time is, and at each how many are left.
#[test]
fn the_moves_of_a_period_are_told() {
    let desk = Desk::new();
    desk.succeed([
        "match", "random", "greedy", "-n", "2", "--tc", "3/9", "--log",
    ]);
    let log = desk.path("results/random-greedy/logs/0/black.lines.txt");
    let log = std::fs::read_to_string(log).expect("a log");
    let sent: Vec<serde_json::Value> = log
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("> ")?).ok())
        .collect();
    let numbers = |kind: &str, key: &str| -> Vec<u64> {
        let of_kind = sent.iter().filter(|message| message["type"] == kind);
        of_kind
            .filter_map(|message| message[key].as_u64())
            .collect()
    };
    assert_eq!(numbers("hello", "game_ms"), [9000]);
    assert_eq!(numbers("hello", "period_moves"), [3]);
    assert_eq!(numbers("turn", "moves_to_go")[..7], [3, 2, 1, 3, 2, 1, 3]);
    let left = numbers("turn", "left_ms");
    assert!(
        left[2] <= 9000 && left[3] > 9000,
        "after three moves it is given again: {left:?}"
    );
}
