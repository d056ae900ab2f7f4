//! GGF: games of GGS, and of `NBoard`.

use std::time::Duration;

use games::formats::{How, SavedGame, ggf};
use games::{Game, Move, Rules, Side};
use proptest::prelude::*;

use crate::refusals::are_refused;

/// Games as GGS kept them; what is kept of them is in the tests of C. Welty's `ggf` library, too.
const SAIO_1200: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]\
    PW[Saio3000]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- \
    -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3//0.01]W[c5//0.01]B[e6//0.01]\
    W[d2//0.01]B[c6//0.01]W[d6//0.01]B[b5//0.01]W[f5//0.01]B[e7//0.01]W[f6//0.01]B[f4//0.01]\
    W[f3//0.01]B[g4//0.01]W[d7//0.01]B[g3//0.01]W[g5//0.01]B[h6//0.01]W[h5//0.01]B[h4//0.01]\
    W[e8//0.01]B[c7//0.01]W[h3//0.01]B[c3//0.01]W[h7//0.01]B[e3//0.01]W[b6//0.01]B[g6//5.42]\
    W[f7//0.01]B[d8//0.01]W[c2//0.01]B[d1//0.01]W[c4//0.01]B[b4//0.01]W[a5//0.01]B[f8//0.01]\
    W[f2//0.01]B[e2//0.01]W[a4//17.38]B[a3//19.10]W[b3//0.01]B[f1//4.90]W[g7//0.01]B[b7//0.01]\
    W[c8//0.01]B[a6//0.01]W[a7//0.01]B[c1//0.01]W[b2//0.01]B[a8//0.01]W[b8//0.01]B[a2//0.01]\
    W[e1//0.01]B[h8//0.01]W[g8//0.01]B[h2//0.01]W[g1//0.01]B[h1//3.80]W[g2//0.01]B[pass]\
    W[a1//0.01]B[b1//0.01];)";
const SAIO_7000: &str = "(;GM[Othello]PC[GGS/os]DT[2011.03.01_07:05:47.MST]PB[Saio7000]\
    PW[SaioQuad]RB[2799.01]RW[2779.77]TI[10:00//02:00]TY[s8r19]RE[+8.000]BO[8 -------- -------- \
    --OOO*-- -O*OO*-- --O*OO-- --O***-- --O*---- -------- O]W[b5/-8.00/91.89]B[e2/8.00/70.29]\
    W[d8/-10.00/58.34]B[g4/8.00/122.71]W[f2/-8.00/51.58]B[d2/8.00/76.60]W[d1/-8.00/104.34]\
    B[c1/8.00/211.08]W[f1/-8.00/66.31]B[e1/8.00/24.96]W[b1/-8.00/49.25]B[c2/8.00/16.50]\
    W[b3/-8.00/36.30]B[a6/8.00/33.59]W[a5/-8.00/0.01]B[b6/8.00/0.01]W[a7/-8.00/0.01]\
    B[e8/8.00/0.01]W[f8/-8.00/0.01]B[a3/8.00/0.01]W[e7/-8.00/0.01]B[b8/8.00/0.01]W[g7/-8.00/0.01]\
    B[h8/8.00/0.01]W[g3/-8.00/0.01]B[f7/8.00/0.01]W[h5/-8.00/0.01]B[b2/8.00/0.01]W[c8/-8.00/0.01]\
    B[g8/8.00/0.01]W[a1/-8.00/0.01]B[a2/8.00/0.01]W[a4/-8.00/0.01]B[g6/8.00/0.01]W[g5/-8.00/0.01]\
    B[h3/8.00/0.01]W[h4/-8.00/0.01]B[b7/8.00/0.01]W[h6/-8.00/0.01]B[h7/8.00/0.01]W[a8/-8.00/0.01]\
    B[h2/8.00/0.01]W[g2/-8.00/0.01]B[g1/8.00/0.01]W[h1/-8.00/0.01];)";

#[test]
fn games_of_the_server_are_played_to_the_result_it_gave_them() {
    for (text, moves, difference) in [(SAIO_1200, 61, 0i32), (SAIO_7000, 45, 8)] {
        let game = ggf::parse(text).unwrap();
        assert_eq!(game.moves.len(), moves, "{text}");
        let result = game.result.expect("it was played out");
        assert_eq!(result.margin, Some(f64::from(difference)));
        let board = game.board();
        let [black, white] = board.counts().map(i32::from);
        let empties = 64 - black - white;
        assert!(board.ending().is_some(), "{board}");
        assert_eq!(black - white + empties * difference.signum(), difference);
        // Ratings aside, what is written says the same.
        assert_eq!(ggf::parse(&ggf::write(&game).unwrap()), Ok(game));
    }
}

#[test]
fn names_clocks_and_times_are_those_of_the_file() {
    let game = ggf::parse(&format!("2 game(s)\n1 {SAIO_1200}\n")).unwrap();
    assert_eq!(game.players, ["Saio1200", "Saio3000"]);
    assert_eq!(
        (game.event.as_str(), game.date.as_str()),
        ("GGS/os", "2003.12.15_13:24:03.MST")
    );
    let clock = game.clocks[1].expect("TI is for both");
    assert_eq!((clock.main.as_secs(), clock.grace.as_secs()), (300, 120));
    assert_eq!(game.moves[26].time, Some(Duration::from_millis(5420)));
    assert_eq!(game.moves[58].played, Move::Pass);
    let game = ggf::parse(SAIO_7000).unwrap();
    assert_eq!(game.start.side_to_move(), Side::White);
    assert_eq!(game.start.counts(), [8, 11], "19 in all, as in s8r19");
    assert_eq!(game.moves[0].evaluation, Some(-8.0));
}

#[test]
fn several_games_are_read_and_what_is_between_them_passed_over() {
    let text = format!("1 {SAIO_1200}\n\n# a remark\n1 {SAIO_7000}\n");
    let games = ggf::read(&text).unwrap();
    assert_eq!(games.len(), 2);
    let written: String = games.iter().map(|game| ggf::write(game).unwrap()).collect();
    assert_eq!(ggf::read(&written), Ok(games));
    assert_eq!(ggf::read(" \n"), Ok(Vec::new()));
}

/// Moves as several programs write them.
#[test]
fn passes_are_accepted_however_they_are_written() {
    let pass = SAIO_1200.find("B[pass]").expect("it has one");
    let expected = ggf::parse(SAIO_1200).unwrap();
    for other in ["B[PA]", "B[pa//0.01]", "B[]", ""] {
        let text = SAIO_1200[..pass].to_owned() + other + &SAIO_1200[pass + "B[pass]".len()..];
        let game = ggf::parse(&text).unwrap_or_else(|error| panic!("{other}: {error}"));
        assert!(game.plies().eq(expected.plies()), "{other}");
    }
    // A pass of a side that has lost its last chance, as some programs add it.
    let text = SAIO_1200.replace(";)", "W[PA];)");
    assert_eq!(ggf::parse(&text), Ok(expected));
}

#[test]
fn clocks_in_all_their_forms() {
    for (text, seconds) in [
        ("15:00", [900, 0, 120]),
        ("0", [0, 0, 120]),
        ("1:00:00/00:10", [3600, 10, 120]),
        ("05:00//02:00", [300, 0, 120]),
        ("05:00/00:03/00:00", [300, 3, 0]),
        ("2.01:00:00//0", [2 * 86_400 + 3600, 0, 0]),
        ("01:00,0/00:00,0/02:00,0", [60, 0, 120]),
    ] {
        let game = ggf::parse(&format!("(;GM[Othello]TB[{text}];)")).unwrap();
        let clock = game.clocks[0].expect("black has one");
        let read = [clock.main, clock.increment, clock.grace].map(|time| time.as_secs());
        assert_eq!(read, seconds, "{text}");
        assert_eq!(game.clocks[1], None, "{text}");
    }
}

#[test]
fn results_in_all_their_forms() {
    for (text, expected) in [
        ("+64.00:r", Some((Some(Side::Black), 64.0, How::Resigned))),
        ("-6.000", Some((Some(Side::White), -6.0, How::Played))),
        ("-64.00:t", Some((Some(Side::White), -64.0, How::OutOfTime))),
        ("8.5:s", Some((Some(Side::Black), 8.5, How::Agreed))),
        ("0", Some((None, 0.0, How::Played))),
        ("?", None),
    ] {
        let game = ggf::parse(&format!("(;RE[{text}];)")).unwrap();
        let read = game.result;
        let read = read.map(|read| (read.winner, read.margin.unwrap(), read.how));
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    are_refused(
        r#"
        > f5d6
        line 1, column 1: found "f5d6": a game is written (;GM[Othello]BO[8 … *]B[F5];)
        > \n(;GM[Amazons];)
        line 2, column 6: unknown game "Amazons": there are othello and gomoku
        > (;BO[10 --]
        line 1, column 12: the file ends here: write a property such as B[F5], or ;) to end the game
        > (;BO[10 --];)
        line 1, column 6: othello is not played on a board of 10: it is played on 8
        > (;BO[8 --*];)
        line 1, column 6: 3 squares instead of 64
        > (;GM[Othello]B[F5
        line 1, column 14: found "B[F5": its value has no ] to end it
        > (;B[F5]\n W[F5];)
        line 2, column 4: move 2: f5 is not a legal move for white: the square is taken
        > (;B[F5]B[D6];)
        line 1, column 10: move 2 is black's, but it is the other side's turn
        > (;B[F9];)
        line 1, column 5: move 1: f9 is not a legal move for black: it is off the board
        > (;B[5F];)
        line 1, column 5: move 1: "5F" is not a square: write a column letter a–v and a row number 1–22, such as d3
        > (;B[F5/x];)
        line 1, column 5: found "x": an evaluation is a number
        > (;B[F5//-1];)
        line 1, column 5: found "F5//-1": a time is in seconds
        > (;RE[black];)
        line 1, column 6: found "black": write black's discs less white's as +12.00, or ?
        > (;TI[5m];)
        line 1, column 6: found "5m": write a clock as minutes:seconds/increment/grace, 05:00//02:00
        > (;TI[99999999999:00];)
        line 1, column 6: found "99999999999:00": write a clock as minutes:seconds/increment/grace, 05:00//02:00
        > (;TY[8a];)
        line 1, column 6: found "8a": anti-Othello is not played here
        "#,
        ggf::parse,
    );
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(game in crate::saved::game(Game::OTHELLO, true)) {
        prop_assert_eq!(ggf::parse(&ggf::write(&game).unwrap()), Ok(game));
    }

    #[test]
    fn gomoku_is_refused_with_the_formats_that_hold_it(game in crate::played::any_game()) {
        let written = ggf::write(&SavedGame::new(game.start()));
        prop_assert_eq!(written.is_ok(), game == Game::OTHELLO);
        if let Err(error) = written {
            let refusal = format!("GGF is not a format for {game}: use sgf or psq");
            prop_assert_eq!(error.to_string(), refusal);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(cut in 0..SAIO_1200.len(), noise in "[ -~é\n]{0,8}") {
        let _ = ggf::read(&(SAIO_1200[..cut].to_owned() + &noise + &SAIO_1200[cut..]));
    }
}
