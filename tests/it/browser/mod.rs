//! The pages, in a real browser and by hand-written requests. The parts that need a browser run
//! only if they are asked for (`common/asked.rs`). The scripts are in `tests/pages`; `script.rs` describes their steps.

mod game;
mod looks;
mod script;
mod streams;

use self::script::play;
use crate::common::Workdir;
use crate::common::served::Served;

test_files! { play:
    access "access.txt",
    analysis "analysis.txt",
    files "files.txt",
    game "game.txt",
    grades "grades.txt",
    league "league.txt",
    live "live.txt",
    games_of_people "play.txt",
    replay "replay.txt",
    report "report.txt",
    requests "requests.txt",
    stages "stages.txt",
}

/// `ARENA_PICTURES=FOLDER cargo test --test it -- --ignored looks`
#[test]
#[ignore = "it writes pictures to be looked at"]
fn looks() {
    play("looks.txt");
}

/// `ARENA_PICTURES=docs/pictures cargo test --test it -- --ignored pictures`
#[test]
#[ignore = "it writes the pictures of the README"]
fn pictures() {
    play("pictures.txt");
}

#[test]
fn arenas_in_one_folder_have_separate_logs() {
    let workdir = Workdir::new();
    let serving = Served::start(&workdir, &["serve", "--no-open"]);
    let mut other = workdir.start(["--version"]);
    other.wait();
    assert!(other.printed().starts_with("arena "), "{}", other.printed());
    crate::common::assert_contains(&serving.printed(), &[&serving.url]);
}
