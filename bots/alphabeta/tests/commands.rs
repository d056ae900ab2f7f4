//! End-to-end tests of the subcommands. Most tests are in `commands.txt`.

mod scripts;

use std::path::Path;

use scripts::{Folder, play};

const PROGRAM: &str = env!("CARGO_BIN_EXE_alphabeta");

fn folder(name: &str) -> Folder {
    Folder::new(PROGRAM, &Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
}

#[test]
fn commands_match_their_scripts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands");
    play(PROGRAM, &folder, include_str!("commands.txt"));
}

#[test]
fn a_blunder_is_reported_with_its_loss() {
    let mut folder = folder("analyze");
    // This is the shortest game: white loses all discs after nine plies, so black gets 64.
    folder.run("analyze --game --depth 4 e6f4e3f6g5d6e7f5c5");
    let output = &folder.output;
    let row = |ply: &str| {
        let row = output
            .lines()
            .find(|line| line.trim_start().starts_with(ply));
        row.unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
    };
    assert_eq!(row("9 ")[2..4], ["c5", "+64.00"], "{output}");
    let lost: f64 = row("8 ")[4].parse().expect("a number of discs");
    assert!(lost > 40.0, "f5 lets black take every disc: {output}");
    assert_eq!(
        row("1 ")[4],
        "0.00",
        "all first moves are equal by symmetry"
    );
    assert_eq!(folder.code, 0, "{output}");
}

#[test]
fn the_readme_has_the_figures_that_compare_prints() {
    let readme = include_str!("../README.md").replace(',', "");
    let mut folder = folder("lesson");
    folder.run("compare --depth 7");
    let deepest = folder
        .output
        .lines()
        .filter(|row| row.starts_with("    7 "));
    let rows: Vec<&str> = deepest.collect();
    assert_eq!(rows.len(), 5, "{}", folder.output);
    for row in rows {
        let mut nodes = row.split_whitespace().filter_map(|word| word.parse().ok());
        let nodes: u64 = nodes.nth(1).expect("depth and nodes");
        assert!(readme.contains(&format!(" {nodes}")), "{row}");
    }
}
