//! Transcripts of "Gomoku AI protocol" (plastovicka.github.io/protocl2en.htm), and what real
//! managers send.

use super::{First, play, setting};
use protocol::engine::Language;

fn gomocup(transcript: &str) {
    play(
        &mut First::default(),
        &setting(Language::Gomocup),
        transcript,
    );
}

fn with_terms(transcript: &str) {
    let mut bot = First {
        says_terms: true,
        ..First::default()
    };
    play(&mut bot, &setting(Language::Gomocup), transcript);
}

/// The commands every brain must know, as the text has them; lower case is tolerated.
#[test]
fn a_game_from_start_to_end() {
    gomocup(
        r#"
        > START 20
        OK
        > BEGIN
        0,0
        > TURN 10,10
        1,0
        > turn 19,19
        2,0
        > ABOUT
        name="first", version="7"
        > RESTART
        OK
        > TURN 0,0
        1,0
        > END
        end
        "#,
    );
}

/// What c-gomoku-cli sends before and in a game (read in its `game.cpp`).
#[test]
fn c_gomoku_cli_as_it_speaks() {
    with_terms(
        r#"
        > ABOUT
        name="first", version="7"
        > START 15
        OK
        > INFO rule 1
        > INFO timeout_turn 5000
        > INFO timeout_match 60000
        > INFO max_memory 367001600
        > INFO thread_num 1
        > INFO time_left 60000
        > BEGIN
        MESSAGE gomoku 15×15 standard you black ply 0 seed 5 move 5000 game 60000 left 60000 memory 350
        0,0
        > INFO time_left 58500
        > TURN 7,7
        MESSAGE gomoku 15×15 standard you black ply 2 seed 5 move 5000 game 60000 left 58500 memory 350
        1,0
        > START 15
        OK
        > BOARD
        > 7,7,2
        > 8,8,1
        > 9,9,2
        > DONE
        MESSAGE gomoku 15×15 standard you white ply 3 seed 6 move 5000 game 60000 left 60000 memory 350
        0,0
        "#,
    );
}

#[test]
fn no_time_means_as_fast_as_possible_and_no_limit_means_none() {
    with_terms(
        r"
        > START 15
        OK
        > INFO timeout_turn 0
        > INFO timeout_match 0
        > INFO time_left 2147483647
        > INFO max_memory 0
        > BEGIN
        MESSAGE gomoku 15×15 freestyle you black ply 0 seed 5 move 1 game 0 left 1 memory 0
        0,0
        ",
    );
}

/// The text gives stones in no order; the one that c-gomoku-cli sends is the order of play.
#[test]
fn a_board_may_come_in_any_order() {
    for stones in [
        "> 0,0,1\n> 5,5,2\n> 1,0,1\n> 6,6,2",
        "> 6,6,2\n> 5,5,2\n> 1,0,1\n> 0,0,1",
        "> 5,5,2\n> 0,0,1\n> 6,6,2\n> 1,0,1\n> 9,9,3",
    ] {
        let transcript = format!("> START 15\nOK\n> BOARD\n{stones}\n> DONE\n2,0\n> TURN 3,0\n4,0");
        gomocup(&transcript);
    }
}

#[test]
fn moves_are_taken_back() {
    gomocup(
        r"
        > START 15
        OK
        > TURN 0,0
        1,0
        > TAKEBACK 1,0
        OK
        > TAKEBACK 0,0
        OK
        > TAKEBACK 0,0
        ERROR there is no stone on 0,0 to take back
        > BEGIN
        0,0
        > TAKEBACK 0,0
        OK
        > PLAY 3,3
        3,3
        > TURN 0,0
        1,0
        ",
    );
}

/// What cannot be followed is named, changes nothing, and ends nothing.
#[test]
fn what_is_wrong_is_said_and_survived() {
    gomocup(
        r#"
        > TURN 1,1
        ERROR START comes first
        > BEGIN
        ERROR START comes first
        > BOARD
        > 7,7,2
        > DONE
        ERROR START comes first
        > RESTART
        ERROR START comes first
        > START
        ERROR "" is not a size: send START and a number, such as START 15
        > START 23
        ERROR gomoku is not played on a board of 23: choose 5 to 22
        > START 6
        ERROR I know no board of 6
        > RECTSTART 20,15
        ERROR a board of 20,15: only square boards are played here
        > RECTSTART 15,15
        OK
        > HELLO WORLD
        UNKNOWN there is no command "HELLO" here
        > TURN 15,0
        ERROR "15,0" is not a square: write column and row from 0 to 14, such as 2,3
        > TURN h8
        ERROR "h8" is not a square: write column and row from 0 to 14, such as 2,3
        > TURN 0,0
        1,0
        > TURN 1,0
        ERROR there is a stone on 1,0 already
        > BEGIN
        ERROR BEGIN is for an empty board: send RESTART, or TURN or BOARD
        > BOARD
        > 1,1,1
        > 1,2,4
        > nonsense
        > DONE
        ERROR 1,2,4: the last number is 1, 2 or 3, not "4"
        > BOARD
        > 1,1,1
        > DONE
        ERROR 1 own stones and 0 of the opponent's: it cannot be the brain's turn
        > BOARD
        > 0,0,2
        > 1,0,2
        > 2,0,2
        > 3,0,2
        > 4,0,2
        > 0,1,1
        > 1,1,1
        > 2,1,1
        > 3,1,1
        > DONE
        ERROR the game is over: black has won
        > INFO timeout_turn soon
        ERROR INFO timeout_turn soon: "soon" is not a number
        > INFO what_is_this 5
        > TURN 2,0
        3,0
        "#,
    );
}

#[test]
fn a_rule_that_is_not_played_is_refused_until_another_comes() {
    with_terms(
        r"
        > START 15
        OK
        > INFO rule 8
        ERROR rule 8 is not played here: there are 0 (freestyle), 1 (exactly five), 4 (renju)
        > BEGIN
        ERROR rule 8 is not played here: there are 0 (freestyle), 1 (exactly five), 4 (renju)
        > INFO rule 4
        > BEGIN
        MESSAGE gomoku 15×15 renju you black ply 0 seed 5 move 0 game 0 left 0 memory 0
        0,0
        ",
    );
}

/// The three cases of gomocup.org's announcement of 1 April 2020, by what the bot says of white.
#[test]
fn swap2_takes_the_side_that_the_score_favours() {
    for (score, three, five) in [
        (Some(12.0), "0,0", "0,0"),
        (Some(-12.0), "SWAP", "SWAP"),
        (None, "0,0", "0,0"),
    ] {
        let message = score.map_or(String::new(), |score| format!("MESSAGE score {score}\n"));
        let mut bot = First {
            score,
            ..First::default()
        };
        let transcript = format!(
            "> START 15\nOK\n> SWAP2BOARD\n> DONE\n7,7 8,8 10,5\n\
             > SWAP2BOARD\n> 7,7\n> 8,7\n> 9,9\n> DONE\n{message}{three}\n\
             > SWAP2BOARD\n> 7,7\n> 8,7\n> 9,9\n> 8,8\n> 8,6\n> DONE\n{message}{five}\n\
             > SWAP2BOARD\n> 7,7\n> DONE\nERROR SWAP2BOARD with 1 stones: it has 0, 3 or 5"
        );
        play(&mut bot, &setting(Language::Gomocup), &transcript);
    }
}
