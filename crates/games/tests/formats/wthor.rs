//! WTHOR: games of the French Federation's base, and a base made by hand.

use games::formats::wthor::{self, Day, Files};
use games::formats::{GameResult, How, SavedGame};
use games::{Game, Rules, Side, format_transcript};
use proptest::prelude::*;

const MADE: Day = Day {
    year: 2026,
    month: 11,
    day: 21,
};

/// A base of one game, byte by byte as the federation describes it: f5 d6 c3 d3, with the moves
/// 10 × row + column, between player 1 and player 2 of three.
fn by_hand() -> Files {
    let header = |games: u8, names: u8, year: [u8; 2]| {
        [
            20, 26, 11, 21, games, 0, 0, 0, names, 0, year[0], year[1], 8, 0, 0, 0,
        ]
    };
    // 2026 is 7 × 256 + 234.
    let mut games = header(1, 0, [234, 7]).to_vec();
    games.extend([1, 0, 1, 0, 2, 0, 40, 33, 56, 64, 33, 34]);
    games.resize(16 + 68, 0);
    let list = |names: &[&str], bytes: usize| {
        let mut list = header(0, names.len() as u8, [0, 0]).to_vec();
        for name in names {
            let end = list.len() + bytes;
            list.extend(name.chars().map(|c| c as u8));
            list.resize(end, 0);
        }
        list
    };
    Files {
        games,
        players: list(&["???", "Tastet Marc", "Andr\u{e9}"], 20),
        tournaments: list(&["???", "Paris"], 26),
    }
}

#[test]
fn a_base_made_by_hand() {
    let games = wthor::read(&by_hand()).unwrap();
    let [game] = &games[..] else {
        panic!("one game")
    };
    assert_eq!(game.players, ["Tastet Marc", "Andr\u{e9}"]);
    assert_eq!((game.event.as_str(), game.date.as_str()), ("Paris", "2026"));
    assert_eq!(
        format_transcript(&game.plies().collect::<Vec<_>>()),
        "f5d6c3d3"
    );
    let result = game.result.expect("every game has one");
    // 40 discs of 64, empty squares counted, are 16 more than white's.
    assert_eq!(
        (result.winner, result.margin),
        (Some(Side::Black), Some(16.0))
    );
    let mut expected = by_hand();
    // The score with best play is not kept.
    expected.games[16 + 7] = 40;
    assert_eq!(wthor::write(&games, MADE, 2026), Ok(expected));
}

#[test]
fn without_names_there_are_numbers() {
    let files = Files {
        games: by_hand().games,
        ..Files::default()
    };
    let games = wthor::read(&files).unwrap();
    assert_eq!(
        (&*games[0].event, games[0].players.clone()),
        ("#1", ["#1".into(), "#2".into()])
    );
}

#[test]
fn what_is_wrong_is_named() {
    let damaged = |change: fn(&mut Files)| {
        let mut files = by_hand();
        change(&mut files);
        wthor::read(&files).expect_err("it is damaged").to_string()
    };
    for (message, change) in [
        (
            "the .wtb file has 3 bytes, but 16 with the 0 records of its header",
            (|files| files.games.truncate(3)) as fn(&mut Files),
        ),
        (
            "the .wtb file has 84 bytes, but 152 with the 2 records of its header",
            |files| files.games[4] = 2,
        ),
        (
            "the .jou file has 76 bytes, but 5116 with the 255 records of its header",
            |files| files.players[8] = 255,
        ),
        (
            "byte 12: the games are on a board of 10: othello is played on 8",
            |files| files.games[12] = 10,
        ),
        (
            "game 1, byte 25: found \"69\": a move is ten times its row plus its column, 11 to 88",
            |files| files.games[25] = 69,
        ),
        (
            "game 1, byte 25: move 2: f5 is not a legal move for white: the square is taken",
            |files| files.games[25] = 56,
        ),
    ] {
        assert_eq!(damaged(change), message);
    }
}

/// What WTHOR can say of a game.
fn held(game: SavedGame) -> SavedGame {
    let name = |name: String, nobody: &str, most: usize| {
        let name: String = name
            .chars()
            .take(most)
            .map(|c| if c as u32 > 255 { '?' } else { c })
            .collect();
        if name.is_empty() {
            nobody.to_owned()
        } else {
            name
        }
    };
    let [black, white] = game.players;
    let moves = game.moves.into_iter().map(|saved| saved.played.into());
    let mut held = SavedGame {
        moves: moves.collect(),
        players: [name(black, "???", 19), name(white, "???", 19)],
        event: name(game.event, "???", 25),
        date: "2026".to_owned(),
        ..SavedGame::new(game.start)
    };
    // A pass at the end of an unfinished game is not seen from its moves.
    if held
        .moves
        .last()
        .is_some_and(|saved| saved.played.square().is_none())
    {
        held.moves.pop();
    }
    held.result = game.result.map(|result| GameResult {
        how: How::Played,
        ..result
    });
    held
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        games in proptest::collection::vec(crate::saved::game(Game::OTHELLO, false), 0..4),
    ) {
        // Scores of whole discs are even: what one side has the other has not.
        let games: Vec<SavedGame> = games.into_iter().map(|mut game| {
            let margin = game.result.and_then(|result| result.margin).unwrap_or_default();
            let margin = (margin / 2.0).trunc() * 2.0;
            game.result = Some(GameResult {
                winner: match margin {
                    0.0 => None,
                    margin if margin > 0.0 => Some(Side::Black),
                    _ => Some(Side::White),
                },
                margin: Some(margin),
                how: How::Played,
            });
            game
        }).collect();
        let files = wthor::write(&games, MADE, 2026).unwrap();
        let read = wthor::read(&files).unwrap();
        prop_assert_eq!(read, games.into_iter().map(held).collect::<Vec<_>>());
    }

    #[test]
    fn no_bytes_make_the_reader_panic(at in 0..84usize, byte in any::<u8>(), cut in 0..=84usize) {
        let mut files = by_hand();
        files.games[at] = byte;
        files.games.truncate(cut);
        let _ = wthor::read(&files);
    }
}

/// The one game of the base in `NBoard`'s own tests, as its bytes stand there.
#[test]
fn a_game_of_1980_ends_with_the_discs_its_base_gives_it() {
    let mut file = vec![20, 1, 4, 5, 1, 0, 0, 0, 0, 0, 188, 7, 0, 0, 0, 0];
    file.extend([70, 0, 189, 1, 44, 2, 31, 39]);
    let moves = "56 46 35 24 25 26 15 66 65 74 47 34 36 16 17 37 57 38 67 68 75 84 76 63 \
                 85 86 83 82 53 73 43 14 13 64 58 48 77 32 33 52 31 42 61 41 51 22 23 21 \
                 62 71 78 88 87 27 18 28 81 72 11 12";
    file.extend(
        moves
            .split_whitespace()
            .map(|code| code.parse::<u8>().unwrap()),
    );
    let files = Files {
        games: file,
        ..Files::default()
    };
    let game = &wthor::read(&files).unwrap()[0];
    assert_eq!(game.date, "1980");
    assert_eq!(game.board().counts(), [31, 33]);
    assert_eq!(
        game.result.and_then(|result| result.winner),
        Some(Side::White)
    );
}

/// Of the 150,056 games of the bases from 1977 to 2013 and of Logistello's book, 149,607 were played
/// out to the very disc, 433 were not played out, and 16 have another score in the base.
#[test]
#[ignore = "wants the federation's files: WTHOR=folder cargo test … -- --ignored real_base"]
fn the_games_of_a_real_base_end_with_the_discs_it_gives_them() {
    let folder = std::env::var_os("WTHOR").expect("WTHOR names a folder of .wtb files");
    let (mut same, mut other, mut open) = (0, 0, 0);
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let games = std::fs::read(entry.path()).unwrap();
        let files = Files {
            games,
            ..Files::default()
        };
        let games = wthor::read(&files).unwrap_or_else(|error| panic!("{entry:?}: {error}"));
        for game in games {
            let board = game.board();
            let winner = board.ending().map(|ending| ending.winner);
            let [black, white] = board.counts().map(i32::from);
            let empties = 64 - black - white;
            let score = f64::from(black - white + empties * (black - white).signum());
            let margin = game.result.and_then(|result| result.margin);
            *match winner {
                None => &mut open,
                Some(_) if margin == Some(score) => &mut same,
                Some(_) => &mut other,
            } += 1;
        }
    }
    println!("{same} the same, {other} with another score, {open} not played out");
    assert!(other * 1000 < same, "{other} of {same}");
}
