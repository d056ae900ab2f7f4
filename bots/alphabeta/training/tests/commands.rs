//! End-to-end tests of the subcommands: their output files, and `commands.txt`.

#[path = "../../tests/scripts/mod.rs"]
mod scripts;

use std::fs;
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_training");

#[test]
fn commands_match_their_scripts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands");
    scripts::play(PROGRAM, &folder, include_str!("commands.txt"));
}

#[test]
fn a_fit_that_was_stopped_gives_the_same_network() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stopped");
    let mut folder = scripts::Folder::new(PROGRAM, &path);
    folder.run("gomoku play --games 30 --nodes 100 --size 9");
    fs::write(path.join("games-9.txt"), &folder.output[1..]).expect("written");
    let fit = "gomoku network games-9.txt --passes 2 --threads 1 --out";
    for (words, continues) in [
        (format!("{fit} whole"), false),
        (format!("{fit} parts --batches 1"), false),
        (format!("{fit} parts --batches 1"), true),
        (format!("{fit} parts"), true),
    ] {
        folder.run(&words);
        assert_eq!(folder.code, 0, "{words}: {}", folder.output);
        let found = folder.output.contains("continues after");
        assert_eq!(found, continues, "{words}: {}", folder.output);
    }
    let [whole, parts] = ["whole", "parts"].map(|file| fs::read(path.join(file)).expect("a file"));
    assert!(whole == parts);
    assert!(alphabeta::gomoku::network::Network::decode(&whole).is_ok());
}

#[test]
fn weights_and_a_book_can_be_played_with() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made");
    let mut folder = scripts::Folder::new(PROGRAM, &path);
    for (words, file, positions) in [
        (
            "othello --out w --games 40 --depth 1 --iterations 1",
            "w",
            0,
        ),
        ("book --out b --positions 9 --depth 2", "b", 9),
        (
            "book --out b2 --from b --game gomoku --size 7 --positions 9 --nodes 200",
            "b2",
            18,
        ),
    ] {
        folder.run(words);
        assert_eq!(folder.code, 0, "{words}: {}", folder.output);
        let bytes = fs::read(path.join(file)).expect("a file");
        if positions == 0 {
            assert!(alphabeta::othello::evaluation::Weights::decode(&bytes).is_ok());
        } else {
            let book = alphabeta::book::Book::decode(&bytes);
            assert_eq!(book.map(|book| book.len()), Ok(positions));
        }
    }
}
