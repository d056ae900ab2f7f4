use games::Game;

use crate::dialect::Protocol;
use crate::dialect::tests::{check, played_again};

fn gomoku(rules: &str, size: i64) -> Game {
    Game::new("gomoku", Some(rules), Some(size)).expect("a game")
}

/// Plays a game of freestyle without limits again. What is always sent after `hello` and `turn` is
/// left out of its transcript.
fn unlimited(size: i64, transcript: &str) {
    let mut whole = String::new();
    for line in transcript.trim_start().lines() {
        whole += &format!("{line}\n");
        match line.split(' ').next() {
            Some("hello") => {
                whole +=
                    "> INFO game_type 1\n> INFO timeout_match 0\n> INFO timeout_turn 2147483647\n";
                whole += &format!("> INFO rule 0\n> ABOUT\n> START {size}\n");
            }
            Some("turn") => whole += "> INFO time_left 2147483647\n",
            _ => {}
        }
    }
    check(Protocol::Gomocup, &[], gomoku("freestyle", size), &whole);
}

/// Carbon's own words.
#[test]
fn a_game_from_its_first_stone() {
    check(
        Protocol::Gomocup,
        &[],
        gomoku("freestyle", 15),
        r#"
hello move_ms=100 memory_mib=70
> INFO game_type 1
> INFO max_memory 73400320
> INFO timeout_match 0
> INFO timeout_turn 100
> INFO rule 0
> ABOUT
> START 15
< name="Carbon", author="Michal Czardybon", version="2.3", country="Poland", www="http://mczard.republika.pl/gomoku.en.html"
< OK
    ready "Carbon" "2.3"
turn  100
> INFO time_left 2147483647
> BEGIN
< 7,7
    plays h8
turn h8i9 100
> INFO time_left 2147483647
> TURN 8,8
< DEBUG hm
< 7 , 14
    plays h15
over
< MESSAGE I have won
< 7,14
    wrong: nothing was asked
quit
> END
"#,
    );
}

/// The stones of an opening, in the order in which they were played: 1 the engine's own, 2 the
/// other's. Rapfi's own words, and `PentaZen`'s: its depths of
/// 10 and 17 are bytes, of which the first is a newline.
#[test]
fn a_game_from_an_opening_under_a_game_clock() {
    check(
        Protocol::Gomocup,
        &["INFO thread_num 1"],
        gomoku("renju", 15),
        r#"
hello white game_ms=60000 increment_ms=500
> INFO game_type 1
> INFO timeout_match 60000
> INFO timeout_turn 60000
> INFO time_increment 500
> INFO rule 4
> INFO thread_num 1
> ABOUT
> START 15
< MESSAGE Load config from /tmp/config.toml
< OK
    ready "" ""
turn h8i9j8 59000
> INFO time_left 59000
> BOARD
> 7,7,2
> 8,8,1
> 9,7,2
> DONE
< MESSAGE OptiTime 69ms | MaxTime 92ms
< MESSAGE Depth 15-22 | Eval 399 | Time 97ms | G7 H7
    depth 15 score 399 time 97 ms pv g7 h7
< MESSAGE Speed 519K | Depth 15-22 | Eval 399 | Node 50K | Time 97ms
    depth 15 score 399 nodes 50000 time 97 ms
< MESSAGE dep
< -? ev -86 nd 23k tm 53 sp 444
< 6,6
    plays g7
turn h8i9j8g7a1 58000
> INFO time_left 58000
> TURN 0,0
< 15,3
    plays p4
"#,
    );
}

#[test]
fn a_single_stone_is_a_turn_and_a_second_game_a_second_start() {
    check(
        Protocol::Gomocup,
        &[],
        gomoku("standard", 20),
        r#"
hello white
> INFO game_type 1
> INFO timeout_match 0
> INFO timeout_turn 2147483647
> INFO rule 1
> ABOUT
> START 20
< UNKNOWN command
< ok
    ready "" ""
turn h8
> INFO time_left 2147483647
> TURN 7,7
< 8,8
    plays i9
over
hello white
> INFO game_type 1
> INFO timeout_match 0
> INFO timeout_turn 2147483647
> INFO rule 1
> ABOUT
> START 20
< OK
    ready "" ""
"#,
    );
}

/// A question that does not follow from the last one, as after an illegal answer that was forgiven.
#[test]
fn another_position_is_set_up_anew() {
    unlimited(
        15,
        r#"
hello
< OK
    ready "" ""
turn h8i9
> BOARD
> 7,7,1
> 8,8,2
> DONE
< 7,7
    plays h8
turn h8i9
> RESTART
> BOARD
> 7,7,1
> 8,8,2
> DONE
< OK
< 9,9
    plays j10
turn
> RESTART
> BEGIN
< UNKNOWN command
    wrong: in answer to "RESTART", which is needed to set up another position
"#,
    );
}

#[test]
fn refusals_name_what_was_asked() {
    unlimited(
        22,
        r#"
hello
< ERROR unsupported size
< ERROR cannot START so large a board
    wrong: in answer to "START 22"
< name="first"
< ERROR unsupported size
    wrong: in answer to "START 22"
< ? unknown command
    wrong: in answer to "START 22"; that looks like protocol = "gtp", but the arena used gomocup: put gtp: before the command
< {"type":"ready"}
    wrong: in answer to "START 22"; that looks like protocol = "arena", but the arena used gomocup: put arena: before the command
< Welcome to the strongest engine, version = 3
< === ready ===
"#,
    );
}

/// Rapfi reads word by word, and throws away what it reads while it finishes its last answer.
#[test]
fn a_swallowed_word_is_no_fault() {
    unlimited(
        15,
        r#"
hello
< ERROR Unknown command: GAME_TYPE
< name="Rapfi", version="0.43.02"
< OK
    ready "Rapfi" "0.43.02"
turn
> BEGIN
< 7,7
    plays h8
turn h8i9
> TURN 8,8
< ERROR Unknown command: TIME_LEFT
< ERROR Unknown command: 2147483647
< 9,9
    plays j10
turn h8i9j10a1
> TURN 0,0
< ERROR Unknown command: 0,0
> TURN 0,0
< 1,0
    plays b1
turn h8i9j10a1b1b2
> TURN 1,1
< ERROR Unknown command: 1,1
> TURN 1,1
< ERROR Unknown command: 1,1
    wrong: in answer to "TURN 1,1"
turn h8i9
> RESTART
> BOARD
> 7,7,1
> 8,8,2
> DONE
< OK
< ERROR Unknown command: 7,7,1
< ERROR Unknown command: 8,8,2
< ERROR Unknown command: DONE
> BOARD
> 7,7,1
> 8,8,2
> DONE
< 9,9
    plays j10
"#,
    );
}

/// What an engine refuses, where it can be known.
#[test]
fn a_refused_question_is_a_fault_that_names_it() {
    let wrong = "wrong: in answer to \"TURN 7,7\"";
    for (before, refusal, expected) in [
        // It has nothing to finish, and did not mind what was set up.
        ("", "UNKNOWN command", wrong),
        ("", "ERROR no", wrong),
        ("", "UNKNOWN turn", wrong),
        ("", "ERROR Unknown command: TURN 7,7", wrong),
        // Of the time.
        ("", "UNKNOWN INFO time_left 5", ""),
        // One that minds knows more than one line to refuse.
        ("UNKNOWN command", "UNKNOWN command", ""),
        ("ERROR Max memory too small", "UNKNOWN command", ""),
        ("UNKNOWN command", "UNKNOWN TURN", wrong),
    ] {
        let mut dialect = Protocol::Gomocup.dialect(&[]);
        let mut transcript = "hello white\n".to_owned();
        if !before.is_empty() {
            transcript += &format!("< {before}\n");
        }
        transcript += &format!("< name=\"it\"\n< OK\nturn h8\n< {refusal}\n");
        let played = played_again(&mut *dialect, gomoku("freestyle", 15), &transcript);
        let heard = played.rsplit_once(&format!("< {refusal}\n"));
        let heard = heard.map(|(_, heard)| heard.trim());
        assert_eq!(heard, Some(expected), "{before:?}, then {refusal:?}");
    }
}

/// zlliang's Gakoii writes what it thinks behind its move. It was taken for chatter, and the engine lost
/// on time.
#[test]
fn a_move_with_text_behind_it_is_a_move() {
    unlimited(
        15,
        "
hello
< OK
    ready \"\" \"\"
turn  0
> BEGIN
< 1,204 nodes
< 10,7\tValue:3925.0\tNodes:(1732, 11)
    plays k8
",
    );
}
