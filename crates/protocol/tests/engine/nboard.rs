//! The `NBoard` protocol: its text's example session, and what `NBoard` 2 sends (read in the program).

use super::{First, play, setting};
use protocol::engine::Language;

/// The game of the protocol's example session.
const GAME: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]\
                    TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
                    B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

fn nboard(score: Option<f64>, transcript: &str) {
    let mut bot = First {
        score,
        ..First::default()
    };
    play(&mut bot, &setting(Language::Nboard), transcript);
}

/// The order is the text's: the name, the pong, the status, the statistics, the move, the status.
#[test]
fn the_example_session() {
    nboard(
        Some(-1.0),
        &format!(
            "> nboard 2\nset myname first\n> set game {GAME}\n> set depth 6\n> ping 1\npong 1\n\
             > go\nstatus first is thinking\nnodestats 0\n=== G3/-1.00\nstatus\n\
             > set contempt 0\n> sing a song\n> learn\nlearned\n> quit\nend"
        ),
    );
}

/// The engine does not play its own move: the window tells it, and may tell another.
#[test]
fn moves_come_from_the_window() {
    nboard(
        None,
        r#"
        > move F5//1.20
        > go
        status first is thinking
        nodestats 0
        === F4/
        status
        > move f6/-0.5/0.3
        > move A1
        status a1 is not a legal move for black: it turns over no disc
        > move nonsense
        status "nonsense" is not a square: write a column letter a–v and a row number 1–22, such as d3
        > set game (;nonsense
        status cannot read the game: line 1, column 3: found "nonsense": write a property such as B[F5], or ;) to end the game
        > go
        status first is thinking
        nodestats 0
        === D3/
        status
        "#,
    );
}

/// The bot says 2 for whoever is to move: after each other move that is the opponent.
#[test]
fn hints_are_the_best_moves_first_and_an_analysis_is_blacks() {
    nboard(
        Some(2.0),
        r"
        > hint 1
        status first is thinking
        nodestats 0
        search D3 2.00 0 0
        status
        > hint 3
        status first is thinking
        nodestats 0
        search D3 2.00 0 0
        search E6 -2.00 0 1
        search F5 -2.00 0 1
        status
        > move F5
        > analyze
        analysis 1 -2.00
        analysis 0 2.00
        status
        ",
    );
}

/// White is wiped out after nine moves: 13 discs and 51 empty squares are black's.
#[test]
fn a_game_that_has_ended_is_counted() {
    let moves = "E6 F4 E3 F6 G5 D6 E7 F5 C5".replace(' ', "\n> move ");
    let zeros: Vec<_> = (0..9)
        .rev()
        .map(|number| format!("analysis {number} 0.00"))
        .collect();
    let transcript = format!(
        "> move {moves}\n> go\nstatus the game is over: black has won (discs)\n\
         > analyze\nanalysis 9 64.00\n{}\nstatus",
        zeros.join("\n")
    );
    nboard(Some(0.0), &transcript);
}

/// Black must pass after these moves (perft first meets a pass at depth 9); the window may say so
/// or not.
#[test]
fn forced_passes() {
    let moves = "D3 C3 B3 B2 F5 A3 A1 C1".replace(' ', "\n> move ");
    let go = "> go\nstatus first is thinking\nnodestats 0\n=== E3/\nstatus";
    for pass in ["> go\n=== PA\n> move PA//0.00", "> move PASS"] {
        nboard(None, &format!("> move {moves}\n{pass}\n{go}"));
    }
    nboard(
        None,
        &format!(
            "> move {moves}\n> move E3\n> go\nstatus first is thinking\nnodestats 0\n=== C2/\nstatus"
        ),
    );
}
