use games::Game;

use crate::dialect::Protocol;
use crate::dialect::tests::check;

/// `GRhino`'s own words, but for the pass, which is no legal move there: asked again, the engine is
/// set up anew, since it takes its pass for played.
#[test]
fn a_game_of_othello() {
    check(
        Protocol::Gtp,
        &[],
        Game::OTHELLO,
        r#"
hello white move_ms=100
> name
> version
> set_game Othello
> boardsize 8
> time_settings 0 1 1
> clear_board
< = GTP GRhino
< = 0.16.1
< =
< =
< =
< =
    ready "GTP GRhino" "0.16.1"
turn f5 100
> play black F5
> genmove white
< =
< = D6
    plays d6
turn f5d6c5 100
> play black C5
> genmove white
< =
< =  f4
    plays f4
turn f5d6c5f4d3 100
> play black D3
> genmove white
< =
< = pass
    plays pass
turn f5d6c5f4d3 100
> clear_board
> play black F5
> play white D6
> play black C5
> play white F4
> play black D3
> genmove white
< =
< =
< =
< =
< =
< =
< = E3
    plays e3
over
quit
> quit
"#,
    );
}

/// A short game in which a side must pass: after H6 black has nothing. `GRhino` says `syntax error` to
/// the pass and makes it by itself; other engines know neither names nor clocks.
#[test]
fn forced_passes_are_told_and_may_be_refused() {
    check(
        Protocol::Gtp,
        &[],
        Game::OTHELLO,
        r#"
hello white
> name
> version
> set_game Othello
> boardsize 8
> time_settings 0 1 0
> clear_board
< ? unknown command
< ? unknown command
< ? unknown command
< =
< ? unknown command
< =
    ready "" ""
turn f5f6d3g5h5h4f7h6
> play black F5
> play white F6
> play black D3
> play white G5
> play black H5
> play white H4
> play black F7
> play white H6
> play black PASS
> genmove white
< =1
< =2
< =3
< =
< =
< =
< =
< =
< ? syntax error
< = RESIGN
    plays resign
"#,
    );
}

#[test]
fn a_clock_of_periods_is_told_by_its_moves() {
    // As the specification has it: "time_settings int main_time int byo_yomi_time int
    // byo_yomi_stones" and "time_left color color int time int stones".
    check(
        Protocol::Gtp,
        &[],
        Game::OTHELLO,
        r#"
hello game_ms=60000 period_moves=40
> name
> version
> set_game Othello
> boardsize 8
> time_settings 0 60 40
> clear_board
< = E
< = 1
< =
< =
< =
< =
    ready "E" "1"
turn f5f6 41500 39
> play black F5
> play white F6
> time_left black 41 39
> genmove black
< =
< =
< =
< = e6
    plays e6
"#,
    );
}

#[test]
fn a_game_clock_and_the_vertices_of_gomoku() {
    check(
        Protocol::Gtp,
        &["level 3"],
        Game::new("gomoku", None, Some(15)).expect("a game"),
        r#"
hello game_ms=90000
> name
> version
> set_game Gomoku
> level 3
> boardsize 15
> time_settings 90 0 0
> clear_board
< Some banner
< that ends here
< = Gom
< = 1
< ? unknown command
< =
< =
< =
< =
    ready "Gom" "1"
turn j8i9 89400
> play black K8
> play white J7
> time_left black 89 0
> time_left white 89 0
> genmove black
< =
< =
< ? unknown command
< ? unknown command
< = H15
    plays h1
over
< = A1
    wrong: nothing was asked
"#,
    );
}

#[test]
fn refusals_name_what_was_asked() {
    for (answer, meaning) in [
        (
            "< ? unacceptable size",
            "    wrong: in answer to \"boardsize 19\"",
        ),
        (
            "< UNKNOWN command",
            "    wrong: in answer to \"boardsize 19\"; that looks like protocol = \"gomocup\", but the arena \
             used gtp: put gomocup: before the command",
        ),
    ] {
        let transcript = format!(
            "hello\n> name\n> version\n> set_game Gomoku\n> boardsize 19\n> time_settings 0 1 0\n\
             > clear_board\n< = x\n< = 1\n< =\n{answer}\n{meaning}\n"
        );
        let game = Game::new("gomoku", None, Some(19)).expect("a game");
        check(Protocol::Gtp, &[], game, &transcript);
    }
}
