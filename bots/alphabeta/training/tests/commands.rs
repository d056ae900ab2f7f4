//! The commands as a person types them: the same files from the same seeds, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Exit code and what is printed.
fn run(folder: &Path, words: &str) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_training"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).expect("text");
    (output.status.code().expect("no signal"), printed)
}

#[test]
fn weights_and_a_book_can_be_played_with() {
    let folder = folder("made");
    for (words, file) in [
        ("othello --out w --games 40 --depth 1 --iterations 1", "w"),
        ("book --out b --positions 9 --depth 2", "b"),
        (
            "book --out b2 --from b --game gomoku --size 7 --positions 9 --nodes 200",
            "b2",
        ),
    ] {
        let (code, printed) = run(&folder, words);
        assert_eq!(code, 0, "{words}: {printed}");
        let bytes = fs::read(folder.join(file)).expect("a file");
        match file {
            "w" => assert!(alphabeta::othello::evaluation::file::decode(&bytes).is_ok()),
            _ => assert_eq!(
                alphabeta::book::Book::decode(&bytes).map(|book| book.len()),
                Ok(if file == "b" { 9 } else { 18 })
            ),
        }
    }
}

#[test]
fn games_of_gomoku_are_fitted_to() {
    let folder = folder("gomoku");
    let (code, games) = run(&folder, "gomoku play --games 12 --nodes 100 --size 9");
    assert_eq!(code, 0, "{games}");
    assert_eq!(games.lines().count(), 12, "{games}");
    fs::write(folder.join("games"), &games).expect("a file");
    let (code, weights) = run(&folder, "gomoku fit games --size 9 --passes 1");
    assert_eq!(code, 0, "{weights}");
    for table in ["value line ", "policy cell "] {
        assert!(weights.contains(table), "{table}: {weights}");
    }
    fs::write(folder.join("cut"), "e5d4 2 black\n").expect("a file");
    let (code, printed) = run(&folder, "gomoku fit cut --size 9");
    assert_eq!(code, 2, "{printed}");
    assert!(printed.starts_with("training: line 1: "), "{printed}");
}

#[test]
fn what_cannot_be_done_is_refused_before_any_work() {
    let folder = folder("refused");
    fs::write(folder.join("empty"), "").expect("a file");
    for (words, expected) in [
        ("book --out no/b --positions 9", "cannot write no/b: No"),
        ("othello --out no/w --games 9", "cannot write no/w: No such"),
        (
            "othello --out w --games 0",
            "there is nothing to learn from",
        ),
        ("othello --out w --lambda 7", "choose 0 to 1"),
        (
            "othello --out w --from empty",
            "empty: not a file of weights",
        ),
        ("gomoku --rules go play --games 1", "go"),
    ] {
        let (code, printed) = run(&folder, words);
        assert_eq!(code, 2, "{words}: {printed}");
        assert!(printed.contains(expected), "{words}: {printed}");
    }
    let left = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(left, 1, "nothing was created");
}
