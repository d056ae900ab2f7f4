//! Tests of `arena openings`: its openings are distinct and playable, and the command in the header of its output
//! prints the same output again. The arena's built-in openings are also output of this command.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::common::Workdir;
use games::{Game, Rules, canonical_hash, parse_transcript};

struct Openings {
    /// The words after `arena` in the header.
    command: Vec<String>,
    bound: f64,
    lines: Vec<(String, f64)>,
}

impl Openings {
    fn read(text: &str) -> Openings {
        let header: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(header.len(), 3, "the header has three lines: {header:?}");
        let after = |words: &str| {
            let line = header.iter().find_map(|line| line.split_once(words));
            line.unwrap_or_else(|| panic!("{words:?} is not in {header:?}"))
                .1
        };
        let bound = after("at most ").split([',', ' ']).next();
        let line = |line: &str| {
            let (moves, score) = line.split_once(" # ").expect("a score");
            (moves.to_owned(), score.parse().expect("a number"))
        };
        Openings {
            command: after("arena ").split(' ').map(str::to_owned).collect(),
            bound: bound.unwrap_or_default().parse().expect("a number"),
            lines: text.lines().skip(3).map(line).collect(),
        }
    }

    fn option(&self, name: &str) -> &str {
        let mut words = self.command.iter().skip_while(|word| *word != name);
        words
            .nth(1)
            .unwrap_or_else(|| panic!("{name} is not in {:?}", self.command))
    }

    /// Checks that the openings are legal, undecided, distinct, most balanced first, and as the header states.
    fn check(&self) {
        let size = self.option("--size").parse().expect("a size");
        let game = Game::new(&self.command[1], Some(self.option("--rules")), Some(size));
        let game = game.expect("a built-in game");
        let mut seen = HashSet::new();
        for (moves, _) in &self.lines {
            let (played, board) = parse_transcript(game, moves).expect("legal");
            assert_eq!(played.len().to_string(), self.option("--plies"), "{moves}");
            assert_eq!(board.ending(), None, "{moves}");
            assert!(
                seen.insert(canonical_hash(&board)),
                "{moves} occurs twice, perhaps turned or mirrored"
            );
        }
        assert_eq!(self.lines.len().to_string(), self.option("--count"));
        let scores: Vec<f64> = self.lines.iter().map(|(_, score)| score.abs()).collect();
        assert!(scores.is_sorted(), "{scores:?}");
        assert_eq!(scores.last(), Some(&self.bound));
    }
}

#[test]
fn the_command_in_the_header_makes_the_same_file_again() {
    let workdir = Workdir::new();
    for words in [
        "openings gomoku --count 6 --tries 4 --depth 4",
        "openings gomoku --size 22 --rules renju -n 4 --depth 4",
        "openings gomoku --size 5 --rules standard -n 4 --depth 4",
        "openings othello --count 6 --plies 6 --tries 4 --depth 6",
    ] {
        let text = workdir.succeed(words.split(' '));
        let openings = Openings::read(&text);
        openings.check();
        assert_eq!(workdir.succeed(&openings.command), text, "{words}");
        let other = workdir.succeed(words.split(' ').chain(["--seed", "2"]));
        assert_ne!(Openings::read(&other).lines, openings.lines, "{words}");
    }
}

#[test]
fn the_openings_that_ship_were_made_by_one_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/openings");
    for game in games::names() {
        let path = folder.join(format!("{game}-balanced.txt"));
        let openings = Openings::read(&fs::read_to_string(path).expect("the file exists"));
        openings.check();
        assert_eq!(openings.command[1], game);
        assert_eq!(openings.lines.len(), 1000, "{game}");
    }
}
