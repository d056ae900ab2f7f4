//! Botzone: requests and responses as its wiki shows them for Gomoku and Reversi.

use super::{First, play, setting};
use protocol::engine::{Language, Setting};

fn botzone(language: Language, game: &str, transcript: &str) {
    let setting = Setting {
        game: Some(game.to_owned()),
        ..setting(language)
    };
    play(&mut First::default(), &setting, transcript);
}

/// "If it is black's first turn, the request is x −1, y −1."
#[test]
fn one_question_a_process() {
    for (input, x, y) in [
        (r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#, 0, 0),
        (r#"{"requests":[{"x":-1,"y":-1}]}"#, 0, 0),
        (
            r#"{"requests":[{"x":0,"y":0}],"responses":[],"data":"","globaldata":"","time_limit":"","memory_limit":""}"#,
            1,
            0,
        ),
        (
            r#"{"requests":[{"x":-1,"y":-1},{"x":1,"y":0}],"responses":[{"x":0,"y":0}]}"#,
            2,
            0,
        ),
        // The opponent swaps colours after three stones, or after the first.
        (
            r#"{"requests":[{"x":-1,"y":-1},{"x":1,"y":0},{"x":-1,"y":-1}],"responses":[{"x":0,"y":0},{"x":2,"y":0}]}"#,
            3,
            0,
        ),
        (
            r#"{"requests":[{"x":-1,"y":-1},{"x":-1,"y":-1}],"responses":[{"x":7,"y":0}]}"#,
            0,
            0,
        ),
    ] {
        let transcript = format!("> {input}\n{{\"response\":{{\"x\":{x},\"y\":{y}}}}}\nend");
        botzone(Language::Botzone, "gomoku", &transcript);
    }
}

#[test]
fn a_process_that_is_kept() {
    botzone(
        Language::BotzoneKeepRunning,
        "gomoku",
        r#"
        > {"requests":[{"x":-1,"y":-1}],"responses":[]}
        {"response":{"x":0,"y":0}}
        >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
        > {"x":1,"y":0}
        {"response":{"x":2,"y":0}}
        >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
        > {"request":{"x":3,"y":0}}
        {"response":{"x":4,"y":0}}
        >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
        "#,
    );
}

/// x is the column: black's first move here is d3, not c4. Black's discs are the two of Botzone's
/// sample program, at 3,4 and 4,3.
#[test]
fn reversi_is_played_by_column_and_row() {
    botzone(
        Language::BotzoneKeepRunning,
        "othello",
        r#"
        > {"requests":[{"x":-1,"y":-1}],"responses":[]}
        {"response":{"x":3,"y":2}}
        >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
        > {"x":2,"y":2}
        {"response":{"x":1,"y":2}}
        >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
        "#,
    );
}

/// d3 c3 b3 b2 f5 a3 a1 c1, and black must pass; then e3 is white's first legal square. The platform
/// asks for the pass, and tells it.
#[test]
fn forced_passes_in_reversi() {
    let black = r#"{"x":3,"y":2},{"x":1,"y":2},{"x":5,"y":4},{"x":0,"y":0}"#;
    let white = r#"{"x":2,"y":2},{"x":1,"y":1},{"x":0,"y":2},{"x":2,"y":0}"#;
    let none = r#"{"x":-1,"y":-1}"#;
    for (requests, responses, answer) in [
        (format!("{none},{white}"), black.to_owned(), none),
        (
            format!("{black},{none}"),
            white.to_owned(),
            r#"{"x":4,"y":2}"#,
        ),
    ] {
        botzone(
            Language::Botzone,
            "othello",
            &format!(
                "> {{\"requests\":[{requests}],\"responses\":[{responses}]}}\n\
                 {{\"response\":{answer}}}\nend"
            ),
        );
    }
}

#[test]
fn what_is_wrong_is_said_in_the_log() {
    botzone(
        Language::Botzone,
        "gomoku",
        r#"
        > {"requests":[{"x":15,"y":0}]}
        {"response":{"x":-1,"y":-1},"debug":"p1 is not a legal move for black: it is off the board"}
        end
        > {}
        {"response":{"x":-1,"y":-1},"debug":"neither requests nor x and y"}
        end
        "#,
    );
}
