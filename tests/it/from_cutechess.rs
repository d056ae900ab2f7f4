//! Checks that the options in `docs/from-cutechess.md` exist, and that no option of the other programs is missing.

use std::path::Path;

use crate::common::{Workdir, table};

const PAGE: &str = include_str!("../../docs/from-cutechess.md");

#[test]
fn every_option_of_the_others_has_its_row() {
    let (fastchess, gomoku) = PAGE.split_once("\n## c-gomoku-cli").expect("two tables");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/options-of-others.csv");
    for (text, program) in [fastchess, gomoku].into_iter().zip(table(&file)) {
        let firsts = text
            .lines()
            .filter_map(|row| row.strip_prefix("| ")?.split(" | ").next());
        let firsts: Vec<&str> = firsts.collect();
        for option in program["options"].split(' ') {
            // Compares whole words: -draw is not -drawafter.
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
    let workdir = Workdir::new();
    let helps = ["match", "sprt", "export", "check", "run"]
        .map(|command| workdir.succeed([command, "--help"]));
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
