//! PSQ: files of Piskvork and of Gomocup.

use std::time::Duration;

use games::formats::{GameResult, How, SavedGame, psq};
use games::{Game, Rules, Side, format_transcript};
use proptest::prelude::*;

use crate::refusals::are_refused;

fn parse(text: &str) -> SavedGame {
    psq::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Black makes five in row 8 of the board, white plays below: `8,8` is the centre, h8.
const MOVES: &str = "8,8,0\n8,9,0\n9,8,31\n9,9,2\n10,8,5\n10,9,1\n11,8,7\n11,9,8\n12,8,9\n";

#[test]
fn columns_and_rows_count_from_one() {
    let game = parse(&format!("Piskvorky 15x15, 11:11, 0\n{MOVES}"));
    let moves: Vec<_> = game.plies().collect();
    assert_eq!(format_transcript(&moves), "h8h9i8i9j8j9k8k9l8");
    assert_eq!(game.moves[2].time, Some(Duration::from_millis(31)));
    assert_eq!(game.moves[0].time, None, "an opening takes no time");
    // 4 right of 5 down, in the notation of a file with a wide board.
    let game = parse("Piskvorky 20x20, 0:0, 0\n4,5,0\n");
    assert_eq!(game.moves[0].played.to_string(), "d5");
}

/// Tails as they are met: of Gomocup's judge, with the line its archives have, of Piskvork, bare.
#[test]
fn what_stands_behind_the_moves_is_read_as_far_as_it_goes() {
    let (free, played) = ("freestyle", How::Played);
    let black = Some(Some(Side::Black));
    let white = Some(Some(Side::White));
    for (tail, players, rules, winner, how) in [
        (
            "zip\nexe\n-1\n1,Freestyle15_1\n",
            "zip exe",
            free,
            black,
            played,
        ),
        ("a\nb\n-1\n", "a b", free, black, played),
        ("a\nb\n15\n", "a b", free, black, How::OutOfTime),
        ("a\nb\n0\n2,Standard\n", "a b", "standard", white, played),
        ("a\nb\n0\n0,Renju\r\n", "a b", "renju", Some(None), played),
        ("0\n", " ", free, black, played),
        ("", " ", free, black, played),
    ] {
        let game = parse(&format!("Piskvorky 15x15, 11:11, 0\n{MOVES}{tail}"));
        assert_eq!(game.players.join(" "), players, "{tail}");
        assert_eq!(game.start.game().rules(), rules, "{tail}");
        let result = game.result.expect("there is one");
        assert_eq!((Some(result.winner), result.how), (winner, how), "{tail}");
    }
    let unfinished = parse("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n-1\n");
    assert_eq!(unfinished.result, None);
}

#[test]
fn the_second_name_may_have_begun() {
    let game = parse(&format!(
        "Piskvorky 15x15, 11:11, 1\n{MOVES}a\nb\n0\n2,Freestyle\n"
    ));
    assert_eq!(game.players, ["b", "a"]);
    assert_eq!(
        game.result.and_then(|result| result.winner),
        Some(Side::Black)
    );
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    are_refused(
        r#"
        >
        line 1, column 1: the file ends here: a file begins with the board: Piskvorky 15x15, 11:11, 0
        > (;GM[4])
        line 1, column 1: found "(;GM[4])": a file begins with the board: Piskvorky 15x15, 11:11, 0
        > Piskvorky 15x20, 11:11, 0\n
        line 1, column 1: found "Piskvorky 15": a file begins with the board: Piskvorky 15x15, 11:11, 0
        > Piskvorky 30x30, 11:11, 0\n
        line 1, column 1: gomoku is not played on a board of 30: choose 5 to 22
        > Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n
        line 3, column 1: move 2: h8 is not a legal move for white: the square is taken
        > Piskvorky 15x15, 11:11, 0\n8,16,0\n
        line 2, column 1: found "8,16,0": column and row count from 1 to the board's size
        > Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n-1\n1,Caro_1\n
        line 6, column 1: gomoku has no rules "caro_1": there are freestyle, standard and renju
        "#,
        psq::parse,
    );
}

/// What PSQ can say of a game.
fn held(game: SavedGame) -> SavedGame {
    let mut held = SavedGame {
        moves: game.moves,
        players: game.players,
        result: game.result.map(|result| GameResult {
            margin: None,
            how: match result.how {
                How::OutOfTime => How::OutOfTime,
                _ => How::Played,
            },
            ..result
        }),
        ..SavedGame::new(game.start)
    };
    for saved in &mut held.moves {
        let millis = saved
            .time
            .map(|time| time.as_micros().div_ceil(1000) as u64);
        saved.time = millis.filter(|&ms| ms > 0).map(Duration::from_millis);
        saved.evaluation = None;
    }
    for name in &mut held.players {
        *name = name.replace(',', " ");
        if name.is_empty() {
            "?".clone_into(name);
        }
    }
    if held.result.is_none() {
        // Not said, but seen on the board.
        held.result = held.board().ending().map(|ending| GameResult {
            winner: ending.winner,
            margin: None,
            how: How::Played,
        });
    }
    held
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(game in crate::saved::of_any_game(false)) {
        let written = psq::write(&game);
        prop_assert_eq!(written.is_ok(), game.start.game() != Game::OTHELLO);
        if let Ok(text) = written {
            prop_assert_eq!(psq::parse(&text), Ok(held(game)));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(Piskvorky 15x15, 11:11, 0\n)?[-0-9,x \né]{0,40}") {
        let _ = psq::parse(&text);
    }
}
