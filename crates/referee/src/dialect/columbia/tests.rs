use games::Game;

use crate::dialect::Protocol;
use crate::dialect::tests::check;

/// The lines are those that the manager of the course in Toronto writes.
#[test]
fn a_game_from_its_colour() {
    check(
        Protocol::Columbia,
        &[",5,0,1,1"],
        Game::OTHELLO,
        r#"
hello white
> 2,5,0,1,1
< Othello AI
    ready "Othello AI" ""
turn f5 0
> SCORE 4 1
> ((0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 2, 1, 0, 0, 0), (0, 0, 0, 1, 1, 1, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0))
< depth 3
< 5 3
    plays f4
"#,
    );
}

/// Numbers off the board stay as they were written, for the message.
#[test]
fn numbers_off_the_board_are_an_answer_all_the_same() {
    check(
        Protocol::Columbia,
        &[],
        Game::OTHELLO,
        r#"
hello
> 1
< Puma
    ready "Puma" ""
turn  0
> SCORE 2 2
> ((0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 2, 1, 0, 0, 0), (0, 0, 0, 1, 2, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0))
< -1 -1
    plays -1 -1
"#,
    );
}
