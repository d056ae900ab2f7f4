//! GTP 2 for both games: the specification's messages, `gtp-rhino`'s answers, Quarry's habits.

use super::{First, play, setting};
use protocol::engine::{Language, Setting};

fn gtp(transcript: &str) {
    play(&mut First::default(), &setting(Language::Gtp), transcript);
}

fn gomoku(transcript: &str) {
    let setting = Setting {
        game: Some("gomoku".to_owned()),
        ..setting(Language::Gtp)
    };
    play(&mut First::default(), &setting, transcript);
}

/// All but name, version and the second game is what `gtp-rhino` 0.16.1 answers to the same.
#[test]
fn administration_as_gtp_rhino_has_it() {
    gtp(r"
        > protocol_version
        = 2
        > 12 name # a comment
        =12 first
        > version
        = 7
        > # nothing but a comment
        > known_command genmove
        = true
        > known_command foo
        = false
        > known_command
        = false
        > 7 foo
        ?7 unknown command
        > list_games
        = Othello
        Gomoku
        > set_game Go
        ? unsupported game
        > set_game Othello
        =
        > boardsize 10
        ? unacceptable size
        > boardsize x
        ? syntax error
        > komi
        ? syntax error
        > komi 5.5
        =
        > undo
        ? cannot undo
        > final_score
        ? cannot score
        > time_settings 1
        ? syntax error
        > time_left b
        ? syntax error
        > 99 quit
        =99
        end
        ");
}

/// Rows count from the top; case does not matter.
#[test]
fn othello_moves_as_gtp_rhino_has_them() {
    gtp(r"
        > play b z9
        ? syntax error
        > play x d3
        ? syntax error
        > play b
        ? syntax error
        > play w D3
        ? illegal move
        > play b a1
        ? illegal move
        > play black d3
        =
        > play b e3
        ? illegal move
        > 1 showboard
        =1
        white to move
           A B C D E F G H
         1 . . . . . . . .
         2 . . . . . . . .
         3 . . . X . . . .
         4 . . . X X . . .
         5 . . . X O . . .
         6 . . . . . . . .
         7 . . . . . . . .
         8 . . . . . . . .
        > reg_genmove w
        = C3
        > genmove w
        = C3
        > genmove w
        ? illegal move
        > undo
        =
        > genmove white
        = C3
        > undo
        =
        > undo
        =
        > undo
        ? cannot undo
        > play b pass
        ? illegal move
        ");
}

/// A forced pass may be played, generated, or left out as Quarry does. This is one of the shortest
/// ways to one: perft first meets a pass at depth 9.
#[test]
fn forced_passes() {
    let moves = "b d3,w c3,b b3,w b2,b f5,w a3,b a1,w c1";
    let played = format!("> play {}\n=\n", moves.replace(',', "\n=\n> play "));
    for pass in ["> play b pass\n=", "> genmove b\n= PASS", ""] {
        gtp(&format!(
            "{played}{pass}\n> play w e3\n=\n> undo\n=\n> genmove w\n= E3"
        ));
    }
    gtp(&format!(
        "{played}> play w e3\n=\n> play w a1\n? illegal move\n> reg_genmove b\n= C2"
    ));
}

/// White is wiped out after nine plies; the score is that of `gtp-rhino`.
#[test]
fn the_end_of_othello() {
    let moves = "b e6,w f4,b e3,w f6,b g5,w d6,b e7,w f5,b c5";
    let played = format!("> play {}\n=\n", moves.replace(',', "\n=\n> play "));
    gtp(&format!(
        "{played}> genmove w\n= PASS\n> genmove b\n= PASS\n> final_score\n= B+64\n> play w a1\n? illegal move"
    ));
}

/// GTP's board: A1 at the bottom left, no column I; either colour may play at any time.
#[test]
fn gomoku_on_gos_board() {
    gomoku(
        r"
        > boardsize 23
        ? unacceptable size
        > boardsize 9
        =
        > query_boardsize
        = 9
        > play b J9
        =
        > play b I9
        ? syntax error
        > play b A1
        =
        > genmove w
        = A9
        > showboard
        =
        black to move
           A B C D E F G H J
         9 O . . . . . . . X
         8 . . . . . . . . .
         7 . . . . . . . . .
         6 . . . . . . . . .
         5 . . . . . . . . .
         4 . . . . . . . . .
         3 . . . . . . . . .
         2 . . . . . . . . .
         1 X . . . . . . . .
        > undo
        =
        > play w pass
        =
        > play b b1
        =
        > play b c1
        =
        > play b d1
        =
        > play b e1
        =
        > final_score
        = B+1
        > genmove w
        = resign
        > boardsize 6
        ? I know no board of 6
        > clear_board
        ? I know no board of 6
        > boardsize 15
        =
        ",
    );
}
