//! SGF: files of Renju programs, of c-gomoku-cli, of Edax.

use std::time::Duration;

use games::formats::{GameResult, How, SavedGame, sgf};
use games::{Game, Rules, Side, format_transcript};
use proptest::prelude::*;

use crate::refusals::are_refused;

fn transcript(text: &str) -> String {
    let game = sgf::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    format_transcript(&game.plies().collect::<Vec<_>>())
}

/// The letters and what they mean, as Renju programs have it: `hh` the centre of 15×15, `aa` the
/// top left corner. 22 is the last letter our boards need, `v`.
#[test]
fn points_count_from_the_top_left() {
    for (text, moves) in [
        ("(;GM[4]SZ[15];B[hh];W[ig];B[aa];W[oo])", "h8i7a1o15"),
        ("(;GM[4]SZ[22];B[vv];W[av];B[va])", "v22a22v1"),
        ("(;FF[4]GM[4]RU[Renju];B[HH]\n;W[gi] ; B[gh])", "h8g9g8"),
        // Without a game's number, without semicolons between moves: both are met.
        ("(;SZ[15]B[hh]W[ig]B[gj])", "h8i7g10"),
    ] {
        assert_eq!(transcript(text), moves, "{text}");
    }
}

/// As c-gomoku-cli lays its files out: rules by Gomocup's number, times as remarks.
#[test]
fn a_game_of_c_gomoku_cli() {
    let text = "(;FF[4]GM[4]GN[1]EV[rapfi x wine]DT[2026.11.20 10:00:00]RO[1.1]RU[1]SZ[20]\
                PB[rapfi]PW[wine]RE[B+1]TE[B win by five connection]\n\
                ;B[kk]C[opening move];W[lk]C[opening move]\n;B[km]C[99ms];W[mm]C[100ms])\n\n";
    let games = sgf::read(&format!("{text}{text}")).unwrap();
    assert_eq!(games.len(), 2);
    let game = &games[0];
    assert_eq!(
        game.start.game(),
        Game::new("gomoku", Some("standard"), Some(20)).unwrap()
    );
    assert_eq!(game.players, ["rapfi", "wine"]);
    assert_eq!(game.moves[2].time, Some(Duration::from_millis(99)));
    let result = game.result.expect("black won");
    assert_eq!(
        (result.winner, result.how),
        (Some(Side::Black), How::Played)
    );
}

/// As Edax saves a game: the four discs set up, the first move beside them.
#[test]
fn a_game_of_edax() {
    let text = "(;FF[4]GM[2]AP[edax:4.5.5]\nPC[Edax]DT[2026-10-07]\nPB[?]PW[?]\nSZ[8]AB[e4][d5]\
                AW[d4][e5]PL[B]\nRE[Void]\nB[f5];W[d6];\nB[c3];W[d3];\nB[c4];)\n";
    let game = sgf::parse(text).unwrap();
    assert_eq!(game.start, Game::OTHELLO.start());
    assert_eq!(transcript(text), "f5d6c3d3c4");
    assert_eq!(game.result.map(|result| result.how), Some(How::Void));
}

#[test]
fn a_first_position_is_set_up() {
    for (text, side) in [
        ("(;GM[4]SZ[15]AB[hh][ig]AW[gi][gh])", Side::Black),
        ("(;GM[4]SZ[15]AB[hh][ig][gg]AW[gi][gh])", Side::White),
        ("(;GM[4]SZ[15];PL[W]AB[hh][ig]AW[gi][gh])", Side::White),
        ("(;GM[4]SZ[15]AB[aa:cb])", Side::White),
    ] {
        let game = sgf::parse(text).unwrap();
        assert_eq!(game.start.side_to_move(), side, "{text}");
    }
    let rectangle = sgf::parse("(;GM[4]SZ[15]AB[aa:cb])").unwrap();
    assert_eq!(rectangle.start.counts(), [6, 0]);
    assert_eq!(
        rectangle.start.rows()[..3],
        ["XXX............", "XXX............", "..............."]
    );
}

#[test]
fn branches_are_left_aside() {
    for (text, moves) in [
        ("(;GM[4];B[hh](;W[ig];B[ii])(;W[aa]))", "h8i7i9"),
        (
            "(;GM[4];B[hh](;W[ig](;B[ii](;W[jj]))(;B[oo]))(;W[aa](;B[bb])))",
            "h8i7i9j10",
        ),
        ("(;GM[4];B[hh];W[ig](;B[ii]);B[cc])", "h8i7i9"),
    ] {
        assert_eq!(transcript(text), moves, "{text}");
    }
}

#[test]
fn results_in_all_their_forms() {
    use How::{Forfeit, OutOfTime, Played, Resigned, Void};
    let (black, white) = (Some(Side::Black), Some(Side::White));
    for (text, winner, margin, how) in [
        ("B+", black, None, Played),
        ("B+R", black, None, Resigned),
        ("W+Resign", white, None, Resigned),
        ("W+T", white, None, OutOfTime),
        ("B+Forfeit", black, None, Forfeit),
        ("W+12", white, Some(-12.0), Played),
        ("0", None, Some(0.0), Played),
        ("Draw", None, None, Played),
        ("Void", None, None, Void),
    ] {
        let result = GameResult {
            winner,
            margin,
            how,
        };
        let game = sgf::parse(&format!("(;GM[4]RE[{text}])")).unwrap();
        assert_eq!(game.result, Some(result), "{text}");
    }
    for text in ["?", "", "unfinished"] {
        assert_eq!(
            sgf::parse(&format!("(;GM[4]RE[{text}])")).unwrap().result,
            None,
            "{text}"
        );
    }
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    are_refused(
        r#"
        > f5d6
        line 1, column 1: found "f5d6": a game is written (;GM[4]SZ[15];B[hh];W[ig])
        > (;GM[1];B[hh])
        line 1, column 6: found "1": expected GM[4], Gomoku, or GM[2], Othello
        > (;GM[4]SZ[25])
        line 1, column 11: gomoku is not played on a board of 25: choose 5 to 22
        > (;GM[4]SZ[15:10])
        line 1, column 11: found "15:10": SZ is the side of a square board
        > (;GM[4]\n;B[hh]\n;W[pp])
        line 3, column 4: found "pp": a point is two letters such as hh, column and row, on the board
        > (;GM[4];B[h8])
        line 1, column 11: found "h8": a point is two letters such as hh, column and row, on the board
        > (;GM[4];W[hh])
        line 1, column 11: move 1 is white's, but it is the other side's turn
        > (;GM[4];B[hh];W[])
        line 1, column 17: move 2: pass is not a legal move for white: gomoku has no pass
        > (;GM[4];B[hh]
        line 1, column 14: the file ends here: write a property such as B[hh], or ) to end the game
        > (;GM[4]C[a\])
        line 1, column 8: found "C[a\\])": its value has no ] to end it
        > (;GM[4]C[\
        line 1, column 8: found "C[\\": its value has no ] to end it
        > (;GM[4];B[hh]AW[ii])
        line 1, column 17: found "ii": stones are set up before the first move only: cut the file there
        > (;GM[2];B[f9])
        line 1, column 11: move 1: f9 is not a legal move for black: it is off the board
        > (;GM[4];B[ii:hh])
        line 1, column 11: found "ii:hh": a point is two letters such as hh, column and row, on the board
        > (;GM[4]AB[ii:hh])
        line 1, column 11: found "ii:hh": a point is two letters such as hh, column and row, on the board
        > (;GM[2]AB[e4][d5]AW[d4][e4])
        line 1, column 25: found "e4": a stone is set up here already
        > (;GM[4]PL[x])
        line 1, column 11: found "x": write PL[B] or PL[W]
        "#,
        sgf::parse,
    );
}

/// What SGF can say of a game.
fn held(mut game: SavedGame) -> SavedGame {
    let [black, white] = game.clocks;
    if black != white {
        game.clocks = [None; 2];
    }
    for clock in game.clocks.iter_mut().flatten() {
        clock.grace = Duration::ZERO;
    }
    if let Some(result) = &mut game.result {
        match result.how {
            How::Agreed => result.how = How::Played,
            _ if result.winner.is_none() => result.how = How::Played,
            How::Resigned | How::OutOfTime => result.margin = None,
            _ => {}
        }
    }
    game
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        game in crate::saved::of_any_game(true), same in any::<bool>(), comment in "[ -~é]{0,12}",
    ) {
        let mut game = game;
        if same {
            game.clocks[1] = game.clocks[0];
        }
        comment.trim().clone_into(&mut game.comment);
        prop_assert_eq!(sgf::parse(&sgf::write(&game).unwrap()), Ok(held(game)));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\(;GM\\[4\\])?[\\]\\[()\\\\;BWaAbB:é \n]{0,40}") {
        let _ = sgf::read(&text);
    }
}

/// A tree that is read by calling oneself, or dropped so, overflows the stack here.
#[test]
fn a_very_deep_tree_is_read() {
    let depth = 200_000;
    let nodes = "(;GM[4]SZ[15]".to_owned() + &"(;C[a]".repeat(depth) + &")".repeat(depth + 1);
    assert_eq!(sgf::parse(&nodes).map(|game| game.moves.len()), Ok(0));
}
