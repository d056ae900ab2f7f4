//! Checks the examples and the table of `docs/formats.md`.

use std::fs;
use std::path::Path;

use games::formats::{self, SavedGame, ggf, psq};
use games::{Game, format_transcript, parse_transcript};

use crate::texts::reads;

fn section(heading: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let after = page
        .split(&format!("## {heading}\n"))
        .nth(1)
        .expect(heading);
    let end = after.find("\n## ").unwrap_or(after.len());
    after[..end].to_owned()
}

fn moves(game: &SavedGame) -> String {
    format_transcript(&game.plies().collect::<Vec<_>>())
}

#[test]
fn every_example_is_read_and_written_as_it_stands_there() {
    let section = section("Examples");
    let mut blocks = section.split("```\n").skip(1).step_by(2);
    let mut block = || blocks.next().expect("another example");

    let (transcript, text) = block().split_once('\n').expect("two lines");
    let (played, _) = parse_transcript(Game::OTHELLO, transcript).expect("a transcript");
    let game = ggf::parse(text).expect("GGF");
    assert_eq!(game.plies().collect::<Vec<_>>(), played);
    assert_eq!(ggf::write(&game).expect("GGF"), text);

    // The formatter of the documents may break the lines of SGF elsewhere, so the text is not compared.
    let games = formats::read(block().as_bytes())
        .expect("known")
        .expect("SGF");
    assert_eq!(moves(&games[0]), "h8i7i9");
    assert_eq!(games[0].players, ["alphabeta", "mcts"]);
    assert_eq!(
        games[0].moves[1].evaluation,
        Some(12.0),
        "from the mover's side"
    );

    let text = block();
    let game = psq::parse(text).expect("PSQ");
    assert_eq!(moves(&game), "h8i7");
    assert_eq!(psq::write(&game).expect("PSQ"), text);
}

/// The table has two squares in each notation: h8, and i7 to its upper right.
#[test]
fn every_format_finds_the_two_squares_of_the_table() {
    let section = section("Conventions");
    let row = |name: &str| {
        let row = section
            .lines()
            .find(|line| line.starts_with(&format!("| {name} |")));
        let cells: Vec<String> = row
            .expect(name)
            .split('|')
            .map(|cell| cell.trim().trim_matches('`').to_owned())
            .collect();
        (cells[2].clone(), cells[3].clone())
    };
    for (name, reader, template) in [
        ("transcript", "transcript gomoku", "{first}{second}"),
        ("SGF", "sgf", "(;GM[4]SZ[15];B[{first}];W[{second}])"),
        (
            "PSQ",
            "psq",
            "Piskvorky 15x15, 11:11, 0\n{first},0\n{second},0\n",
        ),
        ("offsets", "offsets gomoku", "{first}, {second}"),
    ] {
        let (first, second) = row(name);
        let text = template
            .replace("{first}", &first)
            .replace("{second}", &second);
        assert!(reads(reader, &text, "moves h8i7"), "{name}");
    }
}
