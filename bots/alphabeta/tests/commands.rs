//! The commands beside being a bot, as a person types them: what they print where an answer from
//! outside is known, and what they refuse.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The FFO's position 40, of which black wins by 38, with ten squares left after perfect play.
const LATE: &str = "OOXXXXXXXOXXXXXXOOXOXOXXOOXXOXXXOOXOXOXX-O-XOOOXXOOOX--X-X---X-- O";

/// A folder of a test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), bytes).expect("a file");
    }

    /// Exit code and what is said, of words with spaces between them; `~` stands for a space in one.
    fn run(&self, words: &str) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_alphabeta"))
            .args(words.split_whitespace().map(|word| word.replace('~', " ")))
            .current_dir(&self.0)
            .output()
            .expect("the program starts");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).expect("text");
        (output.status.code().expect("no signal"), said)
    }
}

#[test]
fn endgames_are_solved_and_compared_with_the_scores_of_any_systems_file() {
    let folder = Folder::new("solve");
    for (name, text) in [
        ("unix", format!("{LATE};\n% again\n40 {LATE}; % FFO 40\n")),
        ("windows", format!("\u{feff}{LATE};\r\n\r\n{LATE};\r\n")),
        ("old-mac", format!("{LATE};\r{};\r", LATE.to_lowercase())),
    ] {
        folder.write(name, text);
        let (code, said) = folder.run(&format!("solve {name}"));
        let rows = said.matches(" 10    -38 ").count();
        assert_eq!((code, rows), (0, 2), "{name}: {said}");
    }
    // Who has no position of its own helps another.
    let published = include_str!("../src/othello/ffo/ffo40-59.obf");
    let forty = published.lines().find(|line| line.starts_with("40 "));
    let forty = forty.expect("it is there");
    for (name, text) in [
        ("one", format!("{forty}\n")),
        ("two", format!("{forty}\n{LATE};\n")),
    ] {
        folder.write(name, text);
        let (code, said) = folder.run(&format!("solve {name} --threads 3"));
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("   1      20    +38    a2 "), "{said}");
    }
    folder.write("wrong.obf", format!("{LATE}; c6:-36\n"));
    let (code, said) = folder.run("solve wrong.obf");
    assert_eq!(code, 1);
    assert!(said.contains("WRONG: -36 expected"), "{said}");
    assert!(said.contains("1 of 1 scores are not those of the file"));
}

#[test]
fn a_move_that_throws_the_game_away_is_told_with_what_it_lost() {
    let folder = Folder::new("analyze");
    // The shortest game: white loses all discs after nine plies, and 64 with them.
    let (code, said) = folder.run("analyze --game --depth 4 e6f4e3f6g5d6e7f5c5");
    assert_eq!(code, 0, "{said}");
    let row = |ply: &str| {
        let row = said.lines().find(|line| line.trim_start().starts_with(ply));
        let words = row.unwrap_or_default().split_whitespace();
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("9 ")[2..4], ["c5", "+64.00"], "{said}");
    let lost: f64 = row("8 ")[4].parse().expect("a number of discs");
    assert!(lost > 40.0, "f5 leaves white no disc: {said}");
    assert_eq!(row("1 ")[4], "0.00", "all first moves are one by symmetry");
    // Every legal move stands in a row; a drawn position may begin with an empty square.
    let drawn = format!("{}OX------XXX{}~O", "-".repeat(27), "-".repeat(26));
    for position in ["f5", &drawn] {
        let (_, said) = folder.run(&format!("analyze {position} --depth 2"));
        for played in ["d6 ", "f4 ", "f6 "] {
            let rows = said.lines().filter(|line| line.starts_with(played)).count();
            assert_eq!(rows, 1, "{said}");
        }
    }
}

#[test]
fn positions_are_drawn_in_the_colours_they_were_given_in() {
    let folder = Folder::new("drawn");
    let full = format!("analyze {}~O", "X".repeat(64));
    let pass =
        "analyze --depth 2 OOXXXXXXXOXXXXXXOOXOOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------~O";
    // More than 64 letters, and still a transcript.
    let long = "analyze --depth 2 f5d6c7f3d3c6f4c8c5e6e7c4b4g3f6a3b6a5a6f8d7g5e8d8a4f7g4e3h3h4h5a7";
    for (words, expected) in [
        ("analyze --depth 2 f5", " 5 . . . X X X . .\n"),
        ("analyze --depth 2 f5", "\nwhite to move\n"),
        ("book f5", " 5 . . . X X X . .\n"),
        ("book --game gomoku --rules renju h8h9", "\nblack to move\n"),
        ("compare --depth 1 f5", " 5 . . . X X X . .\n"),
        (&full, " 8 X X X X X X X X\nblack has won (discs)"),
        (pass, "\nwhite must pass; for black:\nmove   score  line\n"),
        (long, "\nmove   score  line\n"),
    ] {
        let (code, said) = folder.run(words);
        assert_eq!(code, 0, "{words}: {said}");
        assert!(said.contains(expected), "{words}: {said}");
    }
}

/// What is known is not solved again, even where the program was stopped while it wrote; and two
/// threads print what one does, in the order of the file.
#[test]
fn solving_continues_where_it_was_stopped() {
    let folder = Folder::new("resumed");
    // Colours swapped: the same score for another side to move.
    let swapped = LATE.replace('O', "o").replace('X', "O").replace('o', "X");
    folder.write("two.obf", format!("{LATE};\n{swapped}; % again\n"));
    let _ = fs::remove_file(folder.0.join("saved.obf"));
    let (code, both) = folder.run("solve two.obf --threads 2 --save saved.obf");
    assert_eq!(
        (code, both.matches(" 10    -38 ").count()),
        (0, 2),
        "{both}"
    );
    assert!(
        both.find("   1      10") < both.find("   2      10"),
        "{both}"
    );
    let saved = fs::read_to_string(folder.0.join("saved.obf")).expect("it was written");
    assert_eq!(saved.matches(":-38;").count(), 2, "{saved}");
    // Of the second line only a part was written.
    let first = saved.lines().next().expect("a line");
    folder.write(
        "saved.obf",
        format!("{first}\n{}", &saved[first.len() + 1..][..40]),
    );
    let (code, said) = folder.run("solve two.obf --save saved.obf");
    assert_eq!(
        (code, said.matches("saved before").count()),
        (0, 1),
        "{said}"
    );
    let (code, said) = folder.run("solve two.obf --save saved.obf");
    assert_eq!(
        (code, said.matches("saved before").count()),
        (0, 2),
        "{said}"
    );
    folder.write("saved.obf", "no position\n");
    let (code, said) = folder.run("solve two.obf --save saved.obf");
    assert!(
        code == 2 && said.contains("saved.obf: line 1, column"),
        "{said}"
    );
}

#[test]
fn plain_minimax_visits_as_many_positions_as_perft_counts() {
    let (_, said) = Folder::new("compare").run("compare --depth 5 d3");
    let minimax = said.lines().filter(|line| line.contains(" minimax "));
    let nodes: Vec<&str> = minimax
        .filter_map(|row| row.split_whitespace().nth(2))
        .collect();
    // Of the published 4, 12, 56, 244, 1396, 8200 a quarter begins with each move: 1, 3, 14, 61, 349
    // and 2050, summed up to each depth.
    assert_eq!(nodes, ["4", "18", "79", "428", "2478"], "{said}");
}

#[test]
fn the_readme_has_the_figures_that_compare_prints() {
    let readme = include_str!("../README.md");
    let (_, said) = Folder::new("lesson").run("compare --depth 7");
    let deepest = said.lines().filter(|row| row.starts_with("    7 "));
    let rows: Vec<&str> = deepest.collect();
    assert_eq!(rows.len(), 5, "{said}");
    for row in rows {
        let mut nodes = row.split_whitespace().filter_map(|word| word.parse().ok());
        let nodes: u64 = nodes.nth(1).expect("depth and nodes");
        let grouped = match (nodes / 1_000_000, nodes / 1000 % 1000, nodes % 1000) {
            (0, thousands, rest) => format!(" {thousands},{rest:03}"),
            (millions, thousands, rest) => format!(" {millions},{thousands:03},{rest:03}"),
        };
        assert!(readme.contains(&grouped), "{grouped}: {row}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_in_clear_words() {
    let folder = Folder::new("refused");
    let centre = "-".repeat(64);
    folder.write("empty", "");
    folder.write("remarks", "% none yet\n\n");
    folder.write("country", [LATE.as_bytes(), b";\n% caf\xe9\n"].concat());
    folder.write("utf16", b"\xff\xfeO\0-\0");
    folder.write("short", format!("{LATE};\n{};", &LATE[1..]));
    folder.write("side", LATE.replace(" O", " Z"));
    folder.write("centre", format!("{LATE};\n\n{centre} X;"));
    for (words, expected) in [
        ("solve empty", "empty: there is no position in it: write"),
        ("solve remarks", "remarks: there is no position in it:"),
        ("solve none.obf", "none.obf: No such file"),
        ("solve country", "country: line 2 is not UTF-8: save it as"),
        ("solve utf16", "utf16: it is UTF-16, not UTF-8: save it as"),
        ("solve short", "short: line 2, column 66: the 64 squares"),
        ("solve side", "side: line 1, column 66: the 64 squares are"),
        ("solve centre", "centre: line 3, column 1: no game reaches"),
        ("analyze f5f5", "move 2: f5 is not a legal move for white"),
        ("analyze --game f5d6x", "move 3: \"x\" is not a square"),
        ("analyze --depth 0 f5", "0 is not in 1..=60"),
        ("analyze --depth 99 f5", "99 is not in 1..=60"),
        ("compare --depth 99", "99 is not in 1..=60"),
        ("analyze --gmae", "exists: '--game'"),
        ("analyze --dpeth 3 f5", "exists: '--depth'"),
        ("compare f5 --dpeth 3", "exists: '--depth'"),
        ("book -x", "unexpected argument '-x' found"),
        ("bench --ffo 39-41", "choose positions from 40 to 59"),
        ("bench --ffo 40 --depth 3", "cannot be used with"),
        ("bench --threads 2", "required arguments were not provided"),
        ("book --from empty", "empty: not an opening book"),
        ("book --game go", "unknown game \"go\": there are"),
        (
            "book --game gomoku --size 99",
            "a board of 99: choose 5 to 22",
        ),
        ("book --game gomoku h8h8", "move 2: h8 is not a legal move"),
        ("--weights empty", "weights empty: not a file of weights"),
        ("--weights none", "weights none: No such file"),
        ("--depth 0", "a depth of 0: choose 1 to 60"),
        ("--depth 99", "a depth of 99: choose 1 to 60"),
        ("--level brutal", "no level \"brutal\": choose 1 to 10"),
        ("--depth 3 bench", "cannot be used with"),
    ] {
        let (code, said) = folder.run(words);
        assert_eq!(code, 2, "{words}: {said}");
        assert!(said.contains(expected), "{words}: {said}");
    }
    let (_, said) = folder.run("compare f5 z9");
    // Nothing was searched.
    assert!(said.starts_with("alphabeta: "), "{said}");
    let (code, said) = folder.run(&format!("analyze {centre}~X"));
    assert_eq!(code, 2);
    assert!(said.contains("d4, e4, d5 and e5 are never empty"), "{said}");
    let left = fs::read_dir(&folder.0).expect("a folder").count();
    assert_eq!(left, 7, "nothing was created");
}
