use games::Game;

use crate::dialect::Protocol;
use crate::dialect::tests::check;

/// The messages are those of the wiki's page Bot and of the sample program of Reversi.
#[test]
fn a_process_a_turn_is_told_everything() {
    check(
        Protocol::Botzone,
        &[],
        Game::OTHELLO,
        r#"
hello
> >>>ARENA_GAME<<<
< >>>ARENA_READY<<<
    ready "" ""
turn  0
> >>>ARENA_TURN 1
> {"requests":[{"x":-1,"y":-1}],"responses":[]}
< {"response":{"x":5,"y":4},"debug":"none","data":"kept"}
    plays f5
turn f5f6 0
> >>>ARENA_TURN 1
> {"data":"kept","requests":[{"x":-1,"y":-1},{"x":5,"y":5}],"responses":[{"x":5,"y":4}]}
< reading the book
< {"response":{"x":9,"y":-1}}
    plays 9 -1
hello white
> >>>ARENA_GAME<<<
< >>>ARENA_READY<<<
    ready "" ""
turn f5 0
> >>>ARENA_TURN 1
> {"requests":[{"x":5,"y":4}],"responses":[]}
< {"response":"{\"x\":5,\"y\":5}"}
    plays f6
turn f5f6e6 0
> >>>ARENA_TURN 1
> {"requests":[{"x":5,"y":4},{"x":4,"y":5}],"responses":[{"x":5,"y":5}]}
< {"response":{"column":5}}
    wrong: its response {"column":5} is not such as {"x":2,"y":3}
< 5 3
    wrong: that is Botzone's simplified interaction, and the arena used JSON: put botzone-text: before the command
"#,
    );
}

/// White has to pass after h4, which the arena does for it: a kept process is told of h4, and answers that it
/// passes, before it is told of the move that it can answer.
#[test]
fn a_kept_process_passes_by_itself() {
    check(
        Protocol::Botzone,
        &[],
        Game::OTHELLO,
        r#"
hello white
> >>>ARENA_GAME<<<
< >>>ARENA_READY<<<
    ready "" ""
turn c4e3f2e2f3c5b6g2g1b5b4a4g3a7d2a6e6f7c3e1f6h3d6h2f4g7h1c6f1 0
> >>>ARENA_TURN 1
> {"requests":[{"x":2,"y":3},{"x":5,"y":1},{"x":5,"y":2},{"x":1,"y":5},{"x":6,"y":0},{"x":1,"y":3},{"x":6,"y":2},{"x":3,"y":1},{"x":4,"y":5},{"x":2,"y":2},{"x":5,"y":5},{"x":3,"y":5},{"x":5,"y":3},{"x":7,"y":0},{"x":5,"y":0}],"responses":[{"x":4,"y":2},{"x":4,"y":1},{"x":2,"y":4},{"x":6,"y":1},{"x":1,"y":4},{"x":0,"y":3},{"x":0,"y":6},{"x":0,"y":5},{"x":5,"y":6},{"x":4,"y":0},{"x":7,"y":2},{"x":7,"y":1},{"x":6,"y":6},{"x":2,"y":5}]}
< >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
< {"response":{"x":6,"y":3}}
    plays g4
turn c4e3f2e2f3c5b6g2g1b5b4a4g3a7d2a6e6f7c3e1f6h3d6h2f4g7h1c6f1g4h4c2 0
> >>>ARENA_TURN 1
> {"x":7,"y":3}
< >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
< {"response":{"x":-1,"y":-1}}
> >>>ARENA_TURN 1
> {"x":2,"y":1}
< {"response":{"x":2,"y":0}}
    plays c1
"#,
    );
}

#[test]
fn a_kept_process_is_told_what_it_has_not_heard() {
    check(
        Protocol::Botzone,
        &[],
        Game::OTHELLO,
        r#"
hello white
> >>>ARENA_GAME<<<
< >>>ARENA_READY<<<
    ready "" ""
turn f5 0
> >>>ARENA_TURN 1
> {"requests":[{"x":5,"y":4}],"responses":[]}
< >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
< {"response":{"x":5,"y":5}}
    plays f6
turn f5f6e6 0
> >>>ARENA_TURN 1
> {"x":4,"y":5}
< {"response":{"x":5,"y":3}}
    plays f4
turn f5f6e6f4e3 0
> >>>ARENA_TURN 1
> {"requests":[{"x":5,"y":4},{"x":4,"y":5},{"x":4,"y":2}],"responses":[{"x":5,"y":5},{"x":5,"y":3}]}
"#,
    );
}

#[test]
fn the_simplified_interaction_has_a_line_for_each() {
    let game = Game::new("gomoku", None, None).expect("a game");
    check(
        Protocol::BotzoneText,
        &[],
        game,
        r#"
hello white
> >>>ARENA_GAME<<<
< >>>ARENA_READY<<<
    ready "" ""
turn h8 0
> >>>ARENA_TURN 2
> 1
> 7 7
< 7 6
    plays h7
turn h8h7h9 0
> >>>ARENA_TURN 4
> 2
> 7 7
> 7 6
> 7 8
< >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
< 7 9
    plays h10
turn h8h7h9h10h6 0
> >>>ARENA_TURN 1
> 7 5
< {"response":{"x":1,"y":1}}
    wrong: that is JSON, and the arena used the simplified interaction: put botzone: before the command
"#,
    );
}
