use games::Game;

use crate::dialect::Protocol;
use crate::dialect::tests::check;

/// `NTest`'s own words.
#[test]
fn a_game_with_a_pass() {
    check(
        Protocol::Nboard,
        &["set depth 4"],
        Game::OTHELLO,
        r#"
hello white move_ms=1000
> nboard 2
> set depth 4
> set game (;GM[Othello]PC[arena]PB[black]PW[white]RE[?]TI[00:01//00:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)
> ping 1
< Ntest version as of Nov 21 2026
< 100% WLD: 14
< status Loading book
< status
< set myname Ntest4
< pong 1
    ready "Ntest4" ""
turn f5 1000
> set game (;GM[Othello]PC[arena]PB[black]PW[white]RE[?]TI[00:01//00:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)
> go
< status Thinking
< search D6       +0.46 0   4
    depth 4 score 0.46 pv d6
< nodestats 1234 0.5
    nodes 1234 time 500 ms
<   4 (59 empty)	D6/0.46		0.00019s elapsed
< status
< === D6/0.46/0.00
    plays d6 score 0.46 time 0 ms
turn f5f6d3g5h5h4f7h6 61000
> set game (;GM[Othello]PC[arena]PB[black]PW[white]RE[?]TI[01:01//00:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[G5]B[H5]W[H4]B[F7]W[H6]B[PA];)
> go
< === PA
    plays pass
over
< status waiting
< === D6
    wrong: nothing was asked
quit
> quit
"#,
    );
}

#[test]
fn a_second_game_has_a_ping_of_its_own() {
    check(
        Protocol::Nboard,
        &[],
        Game::OTHELLO,
        r#"
hello
> nboard 2
> set depth 12
> set game (;GM[Othello]PC[arena]PB[black]PW[white]RE[?]TI[00:00//00:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)
> ping 1
< pong 1
    ready "" ""
hello
> nboard 2
> set depth 12
> set game (;GM[Othello]PC[arena]PB[black]PW[white]RE[?]TI[00:00//00:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)
> ping 2
< pong 1
< ? unknown command
    wrong: in answer to "ping 2"; that looks like protocol = "gtp", but the arena used nboard: put gtp: before the command
< pong 2
    ready "" ""
"#,
    );
}
