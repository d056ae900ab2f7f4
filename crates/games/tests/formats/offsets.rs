//! Offset lists: openings of Gomocup.

use games::formats::offsets;
use games::{Game, format_transcript};
use proptest::prelude::*;

use crate::refusals::are_refused;

fn gomoku(size: i64) -> Game {
    Game::new("gomoku", None, Some(size)).unwrap()
}

/// Lines of the openings that come with Piskvork and with c-gomoku-cli. On a board of 20 the centre
/// is the square that Gomocup calls 10,10: k11.
#[test]
fn the_centre_is_half_the_size() {
    for (size, line, moves) in [
        (15, "0,0, 1,0, 1,3", "h8i8i11"),
        (20, "0,0, 1,0, 1,3", "k11l11l14"),
        (20, "-1,3, -1,5, 3,5, 4,4, 6,1", "j14j16n16o15q12"),
        (20, "-8,-6, -7,-6, -8,-5, -6,-4, -6,-5", "c5d5c6e7e6"),
        (20, "  0,0 ,1, 1,0,3\r\n", "k11l12k14"),
        (20, "", ""),
    ] {
        let read = offsets::parse(gomoku(size), line).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format_transcript(&read), moves, "{line}");
    }
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    are_refused(
        r#"
        > 0,0, 1
        line 1, column 7: the file ends here: two offsets go together: column,row
        > 0,0, 8,0
        line 1, column 6: found "8,0": the square is off this board
        > 0,0, 0,0
        line 1, column 6: move 2: h8 is not a legal move for white: the square is taken
        > 0,0, x
        line 1, column 6: found "x": write offsets from the centre as in 0,0, 1,0, -1,3
        > 99999,0
        line 1, column 1: found "99999,0": write offsets from the centre as in 0,0, 1,0, -1,3
        "#,
        |line| offsets::parse(gomoku(15), line),
    );
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        game in crate::played::any_game(), choices in crate::played::played_out(),
    ) {
        prop_assume!(game != Game::OTHELLO);
        let (moves, _) = crate::played::play(game, &choices);
        let line = offsets::write(game, &moves).expect("no passes");
        prop_assert!(moves.is_empty() || offsets::looks_like(&line));
        prop_assert_eq!(offsets::parse(game, &line), Ok(moves));
    }
}
